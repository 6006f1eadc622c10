#include "repl/completion.h"

#include <algorithm>

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

// Spells the name of a field by the role of its value; those of the system as their values name themselves.
std::string spelling_of_field(const std::string& name, const Any& value) {
  if (!value.is_function()) return name;
  const std::string shown = value.format();
  const std::size_t dot = shown.rfind('.');
  if (shown.starts_with("•") && dot != shown.npos && normalised(code_points_of(shown.substr(dot + 1))) == code_points_of(name))
    return shown.substr(dot + 1);
  std::string spelling = name;
  if (spelling[0] >= 'a' && spelling[0] <= 'z') spelling[0] = static_cast<char>(spelling[0] - 'a' + 'A');
  return spelling;
}

// Gives the fields of the namespace that names and fields lead to. Looking at names runs nothing.
std::vector<std::string> fields_of(Interpreter& interpreter, std::u32string_view path) {
  const Result found = interpreter.eval_in_session(utf8_of(path));
  std::vector<std::string> fields;
  if (found)
    for (const std::string& name : found->fields()) fields.push_back(spelling_of_field(name, found->field(name)));
  return fields;
}

}  // namespace

Completions completions_of(Interpreter& interpreter, std::u32string_view before) {
  std::size_t start = before.size();
  while (start > 0 && is_word(before[start - 1])) start--;
  std::size_t path_start = start;
  while (path_start > 0 && (is_word(before[path_start - 1]) || before[path_start - 1] == U'.')) path_start--;
  const std::u32string_view path = before.substr(path_start, start - path_start), word = before.substr(start);
  std::vector<std::string> names;
  if (path.ends_with(U'.') && path.size() > 1)
    names = fields_of(interpreter, path.substr(0, path.size() - 1));
  else if (word.starts_with(U'•'))
    names = interpreter.system_names();
  else if (!word.empty())
    names = interpreter.session_names();
  Completions found{word.size(), {}};
  const std::u32string begin = normalised(word);
  for (const std::string& name : names) {
    std::u32string choice = code_points_of(name);
    if (normalised(choice).starts_with(begin)) found.choices.push_back(std::move(choice));
  }
  std::sort(found.choices.begin(), found.choices.end());
  return found;
}

}  // namespace griddle::repl
