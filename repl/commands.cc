#include "repl/commands.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>

#include "repl/editor/keys.h"
#include "repl/glyph_keys.h"
#include "repl/help/help.h"
#include "repl/report.h"
#include "runtime/files.h"
#include "runtime/similar.h"

namespace griddle::repl {

namespace {

struct Call {
  Interpreter& interpreter;
  StandardConsole& console;
  std::string_view option;    // after a colon
  std::string_view argument;  // after blanks
  int& exit_code;
};

// A command: its name, what to put behind it, and what it does.
struct Command {
  std::string_view name, argument, help;
  CommandResult (*run)(Call&);
};

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") + 1 - start);
}

// Tells what went wrong. Gives false where the program wants to end.
bool survive(Call& call, const Result& result) {
  const Failure& failure = result.failure();
  if (failure.cause == Failure::Cause::exit) {
    call.exit_code = failure.exit_code;
    return false;
  }
  tell_failure(call.console, failure);
  return true;
}

// Shows a time with three digits in the unit that suits it.
std::string shown_time(double seconds) {
  constexpr struct {
    double from;
    const char* name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
  const auto* unit = units;
  while (seconds < unit->from) unit++;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", seconds / (unit->from > 0 ? unit->from : 1e-9));
  return std::string(text) + " " + unit->name;
}

CommandResult show_help(Call&);

CommandResult show_keys(Call& call) {
  call.console.write("A backslash and a key type a glyph:\n\n" + glyph_keyboard() + "\n" + std::string(key_list()));
  return CommandResult::done;
}

CommandResult show_names(Call& call) {
  std::string line;
  for (const std::string& name : call.interpreter.session_names()) line += (line.empty() ? "" : " ") + name;
  if (!line.empty()) call.console.write(line + "\n");
  return CommandResult::done;
}

CommandResult time_code(Call& call) {
  std::size_t count = 1;
  const char* end = call.option.data() + call.option.size();
  if (!call.option.empty() &&
      (std::from_chars(call.option.data(), end, count).ptr != end || count == 0 || call.argument.empty())) {
    call.console.write_error("The number of times must be at least 1: )time:100 EXPRESSION\n");
    return CommandResult::done;
  }
  // Compiles once, as a function that the session's names reach.
  Result function = call.interpreter.eval_in_session("{𝕊:\n" + std::string(call.argument) + "\n}");
  const Any nul = call.interpreter.character(0);
  double seconds = 0;
  for (std::size_t i = 0; function && i < count; i++) {
    const auto start = std::chrono::steady_clock::now();
    const Result result = (*function)(nul);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!result) return survive(call, result) ? CommandResult::done : CommandResult::leave;
  }
  if (!function) return survive(call, function) ? CommandResult::done : CommandResult::leave;
  call.console.write(shown_time(seconds / static_cast<double>(count)) + "\n");
  return CommandResult::done;
}

CommandResult explain(Call& call) {
  std::string text;
  const Result result = call.interpreter.explain(call.argument, text);
  call.console.write(text);
  return result || survive(call, result) ? CommandResult::done : CommandResult::leave;
}

// Runs a file as if its text had been typed, so that its names stay.
CommandResult run_in_session(Call& call) {
  const std::string path(call.argument);
  std::string text;
  if (!read_file(path, text)) {
    call.console.write_error(std::string("Cannot read the file (").append(path) += ")\n");
    return CommandResult::done;
  }
  const Result result = call.interpreter.eval_in_session(text, path);
  return result || survive(call, result) ? CommandResult::done : CommandResult::leave;
}

CommandResult show_memory(Call& call) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MB in use\n", static_cast<double>(call.interpreter.memory_in_use()) / 1e6);
  call.console.write(text);
  return CommandResult::done;
}

CommandResult leave(Call&) { return CommandResult::leave; }

constexpr Command commands[] = {
    {"help", "[NAME]", "show this list, or what there is on a glyph, a name or a topic; )help topics: a list of these",
     show_help},
    {"keys", "", "show which keys type glyphs, and which edit", show_keys},
    {"vars", "", "list the names of the session", show_names},
    {"time", "CODE", "run code and show how long it took; )time:100 CODE: the mean of 100 runs", time_code},
    {"explain", "CODE", "run code and show how it is read, its instructions, and which fast paths served it", explain},
    {"ex", "FILE", "run a file here, so that its names stay", run_in_session},
    {"mem", "", "show how much memory is in use", show_memory},
    {"exit", "", "end the session, like Ctrl-D", leave},
};
// Other names that people know.
constexpr struct {
  std::string_view name, meaning;
} aliases[] = {{"t", "time"}, {"off", "exit"}, {"quit", "exit"}, {"q", "exit"}, {"h", "help"}};

CommandResult show_help(Call& call) {
  if (!call.argument.empty()) {
    const Help help = help_for(call.argument, call.console.columns());
    help.found ? call.console.write(help.text) : call.console.write_error(help.text);
    return CommandResult::done;
  }
  std::string text = "Type BQN to see its value; or one of\n\n";
  for (const Command& c : commands) {
    std::string line = "  )";
    line.append(c.name);
    if (!c.argument.empty()) (line += ' ').append(c.argument);
    line.resize(std::max(line.size() + 2, std::size_t{14}), ' ');
    text += line + std::string(c.help) + "\n";
  }
  text +=
      "\nTab completes names, the arrows bring back what was entered, Ctrl-R searches it, Alt-Enter begins a row.\n"
      "F1 or Alt-H names the glyph at the cursor.\n"
      "A list, block or string that is open goes on in the next row; an empty row ends it.\n"
      "With GRIDDLE_KEYS=vi in the environment, keys are as in vi once Escape was typed.\n";
  call.console.write(text);
  return CommandResult::done;
}

}  // namespace

std::vector<CommandName> command_names() {
  std::vector<CommandName> names;
  for (const Command& c : commands) names.push_back({c.name, c.argument, c.help});
  return names;
}

bool is_command(std::string_view line) { return trimmed(line).starts_with(')'); }

CommandResult run_command(Interpreter& interpreter, StandardConsole& console, std::string_view line, int& exit_code) {
  std::string_view rest = trimmed(line).substr(1);
  std::string_view name = rest.substr(0, rest.find_first_of(" \t\n"));
  Call call{interpreter, console, {}, trimmed(rest.substr(name.size())), exit_code};
  if (const std::size_t colon = name.find(':'); colon != name.npos) {
    call.option = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  for (const auto& alias : aliases)
    if (alias.name == name) name = alias.meaning;
  for (const Command& c : commands) {
    if (c.name != name) continue;
    if (!c.argument.empty() && c.argument[0] != '[' && call.argument.empty()) {
      console.write_error(std::string(1, ')').append(name).append(" needs ").append(c.argument) += '\n');
      return CommandResult::done;
    }
    return c.run(call);
  }
  std::vector<std::string_view> names;
  for (const Command& c : commands) names.push_back(c.name);
  std::string answer = std::string("There is no such command: )").append(name).append("; )help lists them");
  for (const std::string& near : similar_names(name, names, 1)) answer.append("; did you mean )").append(near).append("?");
  console.write_error(answer + "\n");
  return CommandResult::done;
}

}  // namespace griddle::repl
