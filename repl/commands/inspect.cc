#include "repl/commands/inspect.h"

#include <fnmatch.h>

#include <algorithm>
#include <string>
#include <vector>

#include "repl/commands/showing.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

bool fits(const std::string& name, const std::string& pattern) {
  if (pattern.find_first_of("*?[") == pattern.npos) return name.find(pattern) != name.npos;
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// Gives a text on one row: line breaks become ⋄, and what is too long ends in an ellipsis.
std::string on_one_row(std::string_view text, std::size_t columns) {
  std::u32string row;
  TextColumns width;
  std::size_t used = 0;
  for (const char32_t c : code_points_of(text)) {
    used += width.add(c == U'\n' ? U'⋄' : c);
    if (used > columns) return utf8_of(row) + "…";
    row += c == U'\n' ? U'⋄' : c;
  }
  return utf8_of(row);
}

// Gives a value in short: what a block is written as, or what is shown of anything else.
std::string short_text(const SessionState& session, const std::string& name, const Any& value, std::size_t columns) {
  const auto definition = session.definitions.find(name);
  if (!value.is_array() && value.format_within({1, 40, 40}).find(" block)") != std::string::npos &&
      definition != session.definitions.end())
    return on_one_row(definition->second, columns);
  const std::string row = value.format_within({2, columns, columns});
  return row.find('\n') == row.npos ? row : "";
}

}  // namespace

CommandResult show_names(CommandCall& call) {
  struct Row {
    std::string name, description, size;
    Any value;
  };
  std::vector<Row> rows;
  std::size_t name_width = 0, description_width = 0;
  for (const std::string& name : call.interpreter().session_names()) {
    const Any value = call.interpreter().session_value(name);
    // A line that failed may have left a name without a value.
    if (!value.has_value() || !fits(name, std::string(call.argument))) continue;
    const std::size_t bytes = value.bytes();
    rows.push_back({name, description_of(value), bytes > 0 ? shown_bytes(bytes) : "", value});
    name_width = std::max(name_width, columns_of(name));
    description_width = std::max(description_width, columns_of(rows.back().description));
  }
  constexpr std::size_t size_width = 8, fewest = 10;
  const std::size_t used = name_width + description_width + size_width + 6;
  const std::size_t left = std::max(fewest, call.console().columns() - std::min(call.console().columns(), used + 1));
  const auto padded = [](std::string text, std::size_t width) {
    text.append(width - std::min(width, columns_of(text)), ' ');
    return text;
  };
  for (const Row& row : rows) {
    std::string size = row.size;
    size.insert(0, size_width - std::min(size_width, size.size()), ' ');
    std::string line = padded(row.name, name_width) + "  " + padded(row.description, description_width) + "  " + size + "  " +
                       short_text(call.session, row.name, row.value, left);
    line.erase(line.find_last_not_of(' ') + 1);
    call.console().write(line + "\n");
  }
  return CommandResult::done;
}

CommandResult explain(CommandCall& call) {
  std::string text;
  const Result result = call.interpreter().explain(call.argument, text, call.console().columns());
  call.console().write(text);
  return call.result(result);
}

CommandResult trace(CommandCall& call) {
  std::string text;
  const Result result = call.interpreter().trace(call.argument, text);
  call.console().write(text);
  return call.result(result);
}

CommandResult show_bytecode(CommandCall& call) {
  std::string text;
  const Result result = call.interpreter().bytecode(call.argument, text);
  call.console().write(text);
  return call.result(result);
}

}  // namespace griddle::repl
