#include "repl/completion.h"

#include <algorithm>

#include "repl/commands.h"
#include "repl/completing/notes.h"
#include "repl/completing/paths.h"
#include "repl/completing/text_names.h"
#include "repl/help/help.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

// Gives the part of a name that tells it from others.
std::u32string normalised(std::u32string_view name) {
  std::u32string result;
  for (char32_t c : name)
    if (c != U'_') result += c >= U'A' && c <= U'Z' ? c - U'A' + U'a' : c;
  return result;
}

// Something to complete with, and what it is.
struct Candidate {
  std::u32string name;
  std::string note;
};

// Evaluates what only looks at values.
Any look_at(Interpreter& interpreter, std::u32string_view expression) {
  const Result found = interpreter.eval_in_session(utf8_of(expression));
  return found ? *found : Any();
}

// Gives the fields of the namespace that a path leads to: names and fields, or an expression in parentheses that only picks.
std::vector<Candidate> fields_of(Interpreter& interpreter, std::u32string_view path) {
  std::vector<Candidate> fields;
  if (!only_picks(path)) {
    for (std::u32string& name : fields_written_in(path)) fields.push_back({name, note_of_name(name)});
    return fields;
  }
  const Any found = look_at(interpreter, path);
  if (!found.is_namespace()) return fields;
  for (const std::string& name : found.fields()) {
    const Any value = found.field(name);
    fields.push_back({code_points_of(spelling_of_field(name, value)), note_of(value)});
  }
  return fields;
}

// Says what a system value is, and what it does in the words of spec/.
std::string note_of_system(std::u32string_view name) {
  std::string note = note_of_name(name);
  const std::string about = line_about(name, 0);
  const std::size_t gap = about.find("   ");
  // A part that begins with a table has no such words.
  const bool is_sentence = gap != about.npos && about.find("   ", gap + 3) == about.npos;
  if (is_sentence && about.find(utf8_of(name)) < gap) note += ": " + about.substr(gap + 3);
  return note;
}

std::vector<Candidate> names_of_session(Interpreter& interpreter, std::u32string_view typed) {
  std::vector<Candidate> names;
  for (const std::string& name : interpreter.session_names()) names.push_back({code_points_of(name), ""});
  for (std::u32string& name : names_defined_in(typed)) {
    const auto same = [&](const Candidate& c) { return normalised(c.name) == normalised(name); };
    if (std::none_of(names.begin(), names.end(), same)) names.push_back({name, note_of_name(name) + ", in this text"});
  }
  return names;
}

// Sorts candidates, and says of each what it is.
Completions completions_among(std::vector<Candidate> candidates, std::size_t replaced) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.name < b.name; });
  Completions found{replaced, {}, {}};
  for (Candidate& c : candidates) {
    found.choices.push_back(std::move(c.name));
    found.notes.push_back(std::move(c.note));
  }
  return found;
}

Completions complete_path(std::u32string_view path) {
  std::vector<Candidate> candidates;
  for (const PathName& found : path_names(utf8_of(path))) candidates.push_back({code_points_of(found.name), found.note});
  const std::size_t slash = path.rfind(U'/');
  return completions_among(std::move(candidates), slash == path.npos ? path.size() : path.size() - slash - 1);
}

Completions complete_command(std::u32string_view name) {
  std::vector<Candidate> candidates;
  for (const CommandName& command : command_names())
    if (const std::u32string full = code_points_of(command.name); full.starts_with(name))
      candidates.push_back({full, std::string(command.help)});
  return completions_among(std::move(candidates), name.size());
}

// Gives the word before the cursor, and where what it is a field of begins; the same place where it is none.
struct Word {
  std::size_t path_start, start;
};
Word word_before(std::u32string_view before) {
  std::size_t start = before.size();
  while (start > 0 && is_word(before[start - 1])) start--;
  std::size_t path_start = start;
  while (path_start > 0 && (is_word(before[path_start - 1]) || before[path_start - 1] == U'.')) path_start--;
  if (path_start < start && before[path_start] == U'.')
    path_start = parentheses_before(before.substr(0, path_start)).value_or(path_start);
  return {path_start, start};
}

Completions complete_name(Interpreter& interpreter, std::u32string_view before) {
  const auto [path_start, start] = word_before(before);
  const std::u32string_view path = before.substr(path_start, start - path_start), word = before.substr(start);
  const std::u32string begin = normalised(word);
  const bool is_field = path.ends_with(U'.') && path.size() > 1, is_system = !is_field && word.starts_with(U'•');
  std::vector<Candidate> candidates;
  if (is_field)
    candidates = fields_of(interpreter, path.substr(0, path.size() - 1));
  else if (is_system)
    for (const std::string& name : interpreter.system_names()) candidates.push_back({code_points_of(name), ""});
  else if (!word.empty())
    candidates = names_of_session(interpreter, before.substr(0, start));
  std::erase_if(candidates, [&](const Candidate& c) { return !normalised(c.name).starts_with(begin); });
  // Looking at a value by its name runs nothing; but what the system's names stand for may be made anew for that.
  for (Candidate& c : candidates)
    if (c.note.empty()) c.note = is_system ? note_of_system(c.name) : note_of(look_at(interpreter, c.name));
  return completions_among(std::move(candidates), word.size());
}

}  // namespace

Completions completions_of(Interpreter& interpreter, std::u32string_view before) {
  if (is_command(utf8_of(before.substr(0, before.find(U'\n'))))) {
    const std::u32string_view command = before.substr(before.find(U')') + 1);
    const std::size_t name_end = command.find_first_of(U" \t");
    if (name_end == command.npos) return complete_command(command);
    const std::string typed = utf8_of(command.substr(0, name_end));
    const std::string_view name = command_meant(typed);
    const std::u32string_view argument = command.substr(std::min(command.find_first_not_of(U" \t", name_end), command.size()));
    for (const CommandName& c : command_names())
      if (c.name == name && c.argument.find("FILE") != c.argument.npos) return complete_path(argument);
    return complete_name(interpreter, argument);
  }
  if (const std::optional<std::size_t> string = open_string(before)) return complete_path(before.substr(*string));
  return complete_name(interpreter, before);
}

}  // namespace griddle::repl
