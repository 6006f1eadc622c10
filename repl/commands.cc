#include "repl/commands.h"

#include <algorithm>
#include <string>

#include "repl/commands/appearance.h"
#include "repl/commands/inspect.h"
#include "repl/commands/keeping.h"
#include "repl/commands/measure.h"
#include "repl/commands/showing.h"
#include "repl/editor/keys.h"
#include "repl/glyph_keys.h"
#include "repl/help/help.h"
#include "runtime/similar.h"
#include "runtime/text_width.h"

namespace griddle::repl {

namespace {

// A command: its name, what to put behind it, and what it does.
struct Command {
  std::string_view name, argument, help;
  CommandResult (*run)(CommandCall&);
};

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") + 1 - start);
}

CommandResult show_help(CommandCall&);

CommandResult show_keys(CommandCall& call) {
  call.console().write("A backslash and a key type a glyph:\n\n" + glyph_keyboard() + "\n" + std::string(key_list()));
  return CommandResult::done;
}

CommandResult show_all(CommandCall& call) {
  show_whole(call.session);
  return CommandResult::done;
}

CommandResult show_page(CommandCall& call) {
  show_in_pages(call.session);
  return CommandResult::done;
}

CommandResult leave(CommandCall&) { return CommandResult::leave; }

// What stands in brackets may be left out.
constexpr Command commands[] = {
    {"help", "[NAME]", "show this list, or what there is on a glyph, a name, a command or a topic; )help topics: a list of these",
     show_help},
    {"keys", "", "show which keys type glyphs, and which edit", show_keys},
    {"all", "", "show all of the last value, of which a part was shown", show_all},
    {"page", "", "show it a screen at a time, or with the program that PAGER names", show_page},
    {"digits", "[N]", "show numbers with at most N digits; without N, all of them", set_digits},
    {"vars", "[PATTERN]", "list the names of the session, with what they are, their size and value", show_names},
    {"time", "CODE", "run code, keep its value and names, and show how long it takes; )time:1 CODE: one run", time_code},
    {"profile", "CODE",
     "run code, or a file, and show which lines and instructions take the time, the bytes they move, and what ran on a device",
     profile_code},
    {"explain", "CODE", "run code and show how it is read, what each part gave, its instructions, and its fast paths", explain},
    {"trace", "CODE", "run code and show what each call gives, and which blocks begin and end", trace},
    {"bytecode", "CODE", "show the instructions of code, without running it", show_bytecode},
    {"load", "FILE", "run a file here, so that its names stay", load_file},
    {"reload", "", "run the files anew that were loaded, or imported, and have changed since", reload_files},
    {"edit", "[NAME]", "edit what defined a name, a file, or what was typed last, and run it", edit_source},
    {"save", "FILE", "keep the names of the session in a file", save_session},
    {"restore", "FILE", "bring them back", restore_session},
    {"log", "[FILE]", "write what is typed and shown to a file as well; without one, no more", log_session},
    {"mem", "", "show how much memory is in use, by kinds of values, and by which names", show_memory},
    {"gpu", "", "show the device, what lies there, and what ran there or came back, with lines and reasons", show_device},
    {"exit", "", "end the session, like Ctrl-D", leave},
};
// Other names that people know.
constexpr struct {
  std::string_view name, meaning;
} aliases[] = {{"t", "time"}, {"ex", "load"}, {"off", "exit"}, {"quit", "exit"}, {"q", "exit"}, {"h", "help"}};

// Breaks a paragraph at blanks so that it fits in so many columns; rows after the first begin with some blanks.
std::string wrapped(std::string_view paragraph, std::size_t indent, std::size_t columns) {
  std::string text;
  std::size_t used = 0;
  while (!paragraph.empty()) {
    // A word, with the blanks before it.
    const std::size_t start = std::min(paragraph.find_first_not_of(' '), paragraph.size());
    const std::size_t end = std::min(paragraph.find(' ', start), paragraph.size());
    const std::size_t width = columns_of(paragraph.substr(0, end));
    if (used > indent && used + width > columns) {
      text.append("\n").append(indent, ' ').append(paragraph.substr(start, end - start));
      used = indent + columns_of(paragraph.substr(start, end - start));
    } else {
      text += paragraph.substr(0, end);
      used += width;
    }
    paragraph.remove_prefix(end);
  }
  return text + '\n';
}

std::string line_of(const Command& command, std::size_t columns) {
  constexpr std::size_t help_column = 18;
  std::string line = "  )";
  line.append(command.name);
  if (!command.argument.empty()) (line += ' ').append(command.argument);
  line.resize(std::max(line.size() + 2, help_column), ' ');
  return wrapped(line.append(command.help), help_column, columns);
}

// Says what a command does, and what the pages have on its name, if there is something.
CommandResult show_help_on(CommandCall& call) {
  const std::size_t columns = call.console().columns();
  const bool is_command_only = call.argument.starts_with(')');
  const std::string_view name = command_meant(call.argument.substr(is_command_only));
  std::string text;
  for (const Command& c : commands)
    if (c.name == name) text = line_of(c, columns);
  if (!is_command_only || text.empty()) {
    const Help help = help_for(call.argument, columns);
    if (text.empty() && !help.found) {
      call.fail(help.text);
      return CommandResult::done;
    }
    if (help.found) text.append(text.empty() ? "" : "\n").append(help.text);
  }
  call.console().write(text);
  return CommandResult::done;
}

CommandResult show_help(CommandCall& call) {
  if (!call.argument.empty()) return show_help_on(call);
  const std::size_t columns = call.console().columns();
  std::string text = "Type BQN to see its value; or one of\n\n";
  for (const Command& c : commands) text += line_of(c, columns);
  text += '\n';
  for (const std::string_view paragraph :
       {"Tab completes names, the arrows bring back what was entered, Ctrl-R searches it, Alt-Enter begins a row.",
        "F1 or Alt-H names the glyph at the cursor.",
        "A list, block or string that is open goes on in the next row; an empty row ends it.",
        "With GRIDDLE_KEYS=vi in the environment, keys are as in vi once Escape was typed.",
        "A semicolon at the end of a line keeps its value from being shown; `ans` is the last value that got no name."})
    text += wrapped(paragraph, 0, columns);
  call.console().write(text);
  return CommandResult::done;
}

}  // namespace

std::vector<CommandName> command_names() {
  std::vector<CommandName> names;
  for (const Command& c : commands) names.push_back({c.name, c.argument, c.help});
  return names;
}

std::string_view command_meant(std::string_view name) {
  for (const auto& alias : aliases)
    if (alias.name == name) return alias.meaning;
  return name;
}

bool is_command(std::string_view line) { return trimmed(line).starts_with(')'); }

CommandResult run_command(SessionState& session, std::string_view line, int& exit_code) {
  std::string_view rest = trimmed(line).substr(1);
  std::string_view name = rest.substr(0, rest.find_first_of(" \t\n"));
  CommandCall call{session, {}, trimmed(rest.substr(name.size())), exit_code};
  if (const std::size_t colon = name.find(':'); colon != name.npos) {
    call.option = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  name = command_meant(name);
  for (const Command& c : commands) {
    if (c.name != name) continue;
    if (!c.argument.empty() && c.argument[0] != '[' && call.argument.empty()) {
      complain(session, std::string(1, ')').append(name).append(" needs ").append(c.argument) += '\n');
      return CommandResult::done;
    }
    return c.run(call);
  }
  std::vector<std::string_view> names;
  for (const Command& c : commands) names.push_back(c.name);
  std::string answer = std::string("There is no such command: )").append(name).append("; )help lists them");
  for (const std::string& near : similar_names(name, names, 1)) answer.append("; did you mean )").append(near).append("?");
  complain(session, answer + "\n");
  return CommandResult::done;
}

}  // namespace griddle::repl
