#include "repl/server/spelling.h"

#include <algorithm>

namespace griddle::repl {

namespace {

std::string_view piece_of(std::string_view text, const Piece& p) { return text.substr(p.start, p.end - p.start); }

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

std::size_t line_number(std::string_view text, std::size_t byte) {
  return static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n')) + 1;
}

bool is_name(Interpreter& interpreter, std::string_view text) {
  const SourceReading reading = read_source(interpreter, text);
  return reading.tokens.size() == 1 && reading.tokens[0].kind == griddle_token_name &&
         static_cast<const Piece&>(reading.tokens[0]) == Piece{0, text.size()};
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
                                   std::size_t definition, std::string_view new_name, bool knows_all_uses, std::string& problem) {
  const NameDefinition& renamed = reading.definitions[definition];
  const std::string old_name = normalised_name(piece_of(text, reading.tokens[renamed.token]));
  const bool same_name = normalised_name(new_name) == old_name;
  std::vector<TextEdit> edits;
  if (!is_name(interpreter, new_name)) {
    problem = "A name begins with a letter, and has letters, digits and underscores (" + std::string(new_name) + ")";
    return edits;
  }
  if (renamed.exported && !same_name && !knows_all_uses) {
    problem = "The name is exported (⇐): other programs know it by this name";
    return edits;
  }
  for (const NameToken& t : reading.tokens) {
    if (t.kind != griddle_token_name || t.use != griddle_use_none || normalised_name(piece_of(text, t)) != old_name) continue;
    problem = "It is not known what the same name in line " + std::to_string(line_number(text, t.start)) +
              " means, because of an error or a field";
    return edits;
  }
  return respelling_edits(interpreter, text, reading, reading.uses_of(text, definition), new_name, problem);
}

std::vector<TextEdit> respelling_edits(Interpreter& interpreter, std::string_view text, const SourceReading& reading,
                                       const std::vector<std::size_t>& tokens, std::string_view new_name, std::string& problem) {
  std::vector<TextEdit> edits;
  for (const std::size_t use : tokens) respell(text, reading.tokens[use], spelled(new_name, reading.tokens[use].role), edits);
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
      const std::string name = normalised_name(written);
      const auto known =
          std::find_if(system_names.begin(), system_names.end(), [&](const auto& n) { return normalised_name(n) == name; });
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
