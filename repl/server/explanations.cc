#include "repl/server/explanations.h"

#include <algorithm>

#include "repl/completing/notes.h"
#include "repl/help/help.h"
#include "repl/server/spelling.h"

namespace griddle::repl {

namespace {

// Of a long definition its beginning tells enough.
constexpr std::size_t most_lines = 12;

const char* word_of_role(Role role) {
  switch (role) {
    case Role::function: return "function";
    case Role::modifier1: return "1-modifier";
    case Role::modifier2: return "2-modifier";
    default: return "value";
  }
}

std::string_view trimmed_line(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

// Gives the comments that stand in the lines right above a place.
std::string comments_above(const OpenText& text, std::size_t byte) {
  const Positions& lines = text.lines();
  const std::size_t last = lines.line_of(byte);
  std::size_t first = last;
  while (first > 0 && trimmed_line(lines.line(text.text(), first - 1)).starts_with('#')) first--;
  std::string comments;
  for (std::size_t i = first; i < last; i++) {
    std::string_view line = trimmed_line(lines.line(text.text(), i));
    line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
    comments.append(line) += '\n';
  }
  return comments;
}

std::string first_lines(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < most_lines; i++) {
    end = text.find('\n', end);
    if (end == text.npos) return std::string(text);
    end++;
  }
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string definition_markdown(const OpenText& text, const SourceReading& reading, std::size_t definition,
                                const std::string& file) {
  const NameDefinition& d = reading.definitions[definition];
  std::string markdown = "```bqn\n" + first_lines(text.piece(d.statement)) + "\n```\n";
  if (const std::string comments = comments_above(text, d.statement.start); !comments.empty()) markdown += "\n" + comments;
  return markdown + "\n" + name_note(text, reading, d) + (file.empty() ? "" : " of " + file) + "\n";
}

std::string name_note(const OpenText& text, const SourceReading& reading, const NameDefinition& d) {
  std::string note = word_of_role(reading.tokens[d.token].role);
  if (d.exported) note += ", exported";
  if (d.changed) note += ", changed by ↩";
  return note + ", line " + std::to_string(text.lines().line_of(reading.tokens[d.token].start) + 1);
}

std::vector<std::string> system_fields(Interpreter& interpreter, std::string_view name) {
  std::vector<std::string> fields;
  // Nothing but the system's own name is evaluated.
  const std::vector<std::string> known = interpreter.system_names();
  const auto is_it = [&](const std::string& each) { return normalised_name(each) == normalised_name(name); };
  if (std::none_of(known.begin(), known.end(), is_it)) return fields;
  const Result value = interpreter.eval(name);
  if (!value || !value->is_namespace()) return fields;
  for (const std::string& field : value->fields()) fields.push_back(spelling_of_field(field, value->field(field)));
  return fields;
}

std::optional<std::string> explanation_of(Interpreter& interpreter, OpenText& text, std::size_t token) {
  const SourceReading& reading = text.reading(interpreter);
  const NameToken& t = reading.tokens[token];
  switch (t.kind) {
    case griddle_token_comment:
    case griddle_token_number:
    case griddle_token_text:
    case griddle_token_unknown: return std::nullopt;
    case griddle_token_name:
    case griddle_token_field: {
      if (const std::optional<std::size_t> definition = reading.definition_of(text.text(), token))
        return definition_markdown(text, reading, *definition, "");
      // A field of the system is described where its namespace is.
      const bool is_of_system =
          t.kind == griddle_token_field && token >= 2 && reading.tokens[token - 2].kind == griddle_token_system;
      if (!is_of_system) return std::nullopt;
      return help_markdown(std::string(text.piece(reading.tokens[token - 2])) + "." + std::string(text.piece(t)));
    }
    case griddle_token_system:
      if (!text.piece(t).starts_with(system_mark)) return std::nullopt;
      return help_markdown(text.piece(t));
    default: return help_markdown(text.piece(t));
  }
}

}  // namespace griddle::repl
