#include "repl/server/spelling.h"

#include <algorithm>

namespace griddle::repl {

namespace {

std::string_view piece_of(std::string_view text, const Piece& p) { return text.substr(p.start, p.end - p.start); }

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char case_step = 'a' - 'A';

std::string_view without_underscores(std::string_view name) {
  const std::size_t first = name.find_first_not_of('_');
  if (first == name.npos) return {};
  return name.substr(first, name.find_last_not_of('_') + 1 - first);
}

// Gives the line of a byte, from 1 on.
std::size_t line_number(std::string_view text, std::size_t byte) {
  return static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n')) + 1;
}

// Gives the first token that is read otherwise than before, or means something else; nothing where all are the same.
std::optional<std::size_t> first_difference(const SourceReading& before, const SourceReading& after) {
  const std::size_t count = std::min(before.tokens.size(), after.tokens.size());
  for (std::size_t i = 0; i < count; i++) {
    const NameToken &a = before.tokens[i], &b = after.tokens[i];
    const bool both_known = a.definition < before.definitions.size() && b.definition < after.definitions.size();
    const bool same_meaning = both_known
                                  ? before.definitions[a.definition].token == after.definitions[b.definition].token
                                  : (a.definition < before.definitions.size()) == (b.definition < after.definitions.size());
    if (a.kind != b.kind || a.role != b.role || a.use != b.use || !same_meaning) return i;
  }
  const bool same = before.tokens.size() == after.tokens.size() && before.errors.size() == after.errors.size();
  return same ? std::nullopt : std::optional<std::size_t>(0);
}

// Adds an edit where a piece of the text has another spelling.
void respell(std::string_view text, const Piece& place, std::string spelling, std::vector<TextEdit>& edits) {
  if (piece_of(text, place) != spelling) edits.push_back({place, std::move(spelling)});
}

}  // namespace

bool is_name(std::string_view name) {
  const std::string_view core = without_underscores(name);
  const auto is_part = [](char c) { return is_small(c) || is_capital(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !core.empty() && (is_small(core[0]) || is_capital(core[0])) && std::all_of(core.begin(), core.end(), is_part);
}

griddle_role role_of_word(std::string_view word) {
  if (word.starts_with('_')) return word.ends_with('_') ? griddle_role_modifier2 : griddle_role_modifier1;
  return !word.empty() && word[0] >= 'A' && word[0] <= 'Z' ? griddle_role_function : griddle_role_subject;
}

std::string spelled(std::string_view name, griddle_role role) {
  std::string word(without_underscores(name));
  if (word.empty()) return word;
  const bool starts_with_capital = role == griddle_role_function;
  // À to Þ and à to þ: the second byte tells.
  const std::size_t at = word.size() > 1 && word[0] == '\xC3' ? 1 : 0;
  const auto byte = static_cast<unsigned char>(word[at]);
  const bool capital = at == 0 ? is_capital(word[0]) : byte >= 0x80 && byte <= 0x9E && byte != 0x97;
  const bool small = at == 0 ? is_small(word[0]) : byte >= 0xA0 && byte <= 0xBE && byte != 0xB7;
  const bool is_modifier = role == griddle_role_modifier1 || role == griddle_role_modifier2;
  if (starts_with_capital && small) word[at] = static_cast<char>(byte - case_step);
  if (!starts_with_capital && !is_modifier && capital) word[at] = static_cast<char>(byte + case_step);
  if (is_modifier) word.insert(0, 1, '_');
  return role == griddle_role_modifier2 ? word + '_' : word;
}

std::string edited(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string result;
  std::size_t end = 0;
  for (const TextEdit& edit : edits) {
    result.append(text.substr(end, edit.place.start - end)).append(edit.text);
    end = edit.place.end;
  }
  return result.append(text.substr(end));
}

std::vector<TextEdit> rename_edits(Interpreter& interpreter, std::string_view text, const SourceReading& reading,
                                   std::size_t definition, std::string_view new_name, std::string& problem) {
  const NameDefinition& renamed = reading.definitions[definition];
  const std::string old_name = compared(piece_of(text, reading.tokens[renamed.token]));
  const bool same_name = compared(new_name) == old_name;
  std::vector<TextEdit> edits;
  if (!is_name(new_name)) {
    problem = "A name begins with a letter, and has letters, digits and underscores (" + std::string(new_name) + ")";
    return edits;
  }
  if (renamed.exported && !same_name) {
    problem = "The name is exported (⇐): other programs know it by this name";
    return edits;
  }
  for (const NameToken& t : reading.tokens) {
    if (t.kind != griddle_token_name || t.use != griddle_use_none || compared(piece_of(text, t)) != old_name) continue;
    problem = "It is not known what the same name in line " + std::to_string(line_number(text, t.start)) +
              " means, because of an error or a field";
    return edits;
  }
  for (const std::size_t use : reading.uses_of(text, definition))
    respell(text, reading.tokens[use], spelled(new_name, reading.tokens[use].role), edits);
  const std::optional<std::size_t> other = first_difference(reading, read_source(interpreter, edited(text, edits)));
  if (!other) return edits;
  const std::size_t line = line_number(text, reading.tokens[*other].start);
  problem = "Another definition has this name: line " + std::to_string(line) + " would mean something else";
  edits.clear();
  return edits;
}

std::vector<TextEdit> spelling_edits(Interpreter& interpreter, std::string_view text, const SourceReading& reading) {
  const std::vector<std::string> system_names = interpreter.system_names();
  std::vector<TextEdit> edits;
  for (std::size_t i = 0; i < reading.tokens.size(); i++) {
    const NameToken& t = reading.tokens[i];
    const std::string_view written = piece_of(text, t);
    if (t.kind == griddle_token_system && written.starts_with(system_mark)) {
      const std::string name = compared(written);
      const auto known =
          std::find_if(system_names.begin(), system_names.end(), [&](const auto& n) { return compared(n) == name; });
      if (known == system_names.end()) continue;
      const std::string_view word = std::string_view(*known).substr(system_mark.size());
      respell(text, t, std::string(system_mark) + (role_of_word(word) == t.role ? std::string(word) : spelled(word, t.role)),
              edits);
    } else if (const auto definition = reading.definition_of(text, i); definition) {
      const NameToken& defined = reading.tokens[reading.definitions[*definition].token];
      const std::string_view name = piece_of(text, defined);
      respell(text, t, defined.role == t.role ? std::string(name) : spelled(name, t.role), edits);
    }
  }
  // What the edits leave is read the same; where it were not, nothing is changed.
  if (!edits.empty() && first_difference(reading, read_source(interpreter, edited(text, edits)))) edits.clear();
  return edits;
}

}  // namespace griddle::repl
