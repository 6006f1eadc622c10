#include "runtime/source/hint.h"

#include <algorithm>
#include <vector>

#include "runtime/similar.h"
#include "runtime/source/text.h"
#include "runtime/source/tokenizer.h"

namespace griddle {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(blanks)));
  return text;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_byte(char c) { return is_ascii_letter(c) || is_decimal_digit(c) || c == '_'; }

bool is_system_name(std::string_view name) { return name.starts_with("•"); }

// Gives the name that a text begins with, with • where it has one; names of other letters than a to z need no hints.
std::string_view first_word(std::string_view text) {
  constexpr std::string_view dot = "•";
  std::size_t end = text.starts_with(dot) ? dot.size() : 0;
  while (end < text.size() && is_word_byte(text[end])) end++;
  return text.substr(0, end);
}

// What a hint is made from.
struct Mistake {
  std::string_view message;
  std::string_view source;
  std::span<const KnownName> names;
  std::string_view before;  // of the line, left of what is marked
  std::string_view marked;  // what is marked, up to the end of its line
  std::string_view after;   // the rest of the line

  bool says(std::string_view text) const { return message.find(text) != message.npos; }
  // Gives the statement's first word.
  std::string_view statement() const {
    std::string_view text(before.data(), before.size() + marked.size());
    for (const std::string_view separator : {"⋄", ",", "{"}) {
      const std::size_t at = before.rfind(separator);
      if (at == before.npos) continue;
      const char* const start = before.data() + at + separator.size();
      if (start > text.data()) text = {start, static_cast<std::size_t>(marked.data() + marked.size() - start)};
    }
    return first_word(without_blanks(text));
  }
};

Mistake mistake_at(std::string_view message, std::string_view source, Span place, std::span<const KnownName> names) {
  const std::size_t start = std::min<std::size_t>(place.start, source.size());
  const std::size_t line_start = start == 0 ? 0 : source.find_last_of("\n\r", start - 1) + 1;
  const std::size_t line_end = std::min(source.size(), source.find_first_of("\n\r", start));
  const std::size_t end = std::clamp<std::size_t>(place.end, start, line_end);
  return {message,
          source,
          names,
          source.substr(line_start, start - line_start),
          source.substr(start, end - start),
          source.substr(end, line_end - end)};
}

std::string naming_rule(std::string_view name, Role role) {
  const std::string text = spelled(spelled(name, Role::subject), role);  // modifiers are written small
  switch (role) {
    case Role::subject: return "a value's name begins with a small letter: " + text;
    case Role::function: return "a function's name begins with a capital letter: " + text;
    case Role::modifier1: return "a 1-modifier's name begins with an underscore: " + text;
    case Role::modifier2: return "a 2-modifier's name begins and ends with an underscore: " + text;
  }
  return "";
}

// Appends the names that stand left of an arrow or in a header.
void add_defined_names(std::string_view source, std::vector<std::string_view>& names) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20, longest_target = 200;
  source = source.substr(0, most_bytes);
  for (const std::string_view sign : {"←", "⇐", ":"}) {
    for (std::size_t at = source.find(sign); at != source.npos; at = source.find(sign, at + sign.size())) {
      std::size_t start = at;
      // Goes back over names and what holds them together: blanks, ‿ and ⟨⟩, whose bytes are no letters.
      while (start > 0 && at - start < longest_target && std::string_view("\n\r{(").find(source[start - 1]) == source.npos)
        start--;
      for (std::size_t i = start; i < at;) {
        const std::string_view word = first_word(source.substr(i, at - i));
        if (!word.empty() && !is_decimal_digit(word[0])) names.push_back(word);
        i += std::max<std::size_t>(word.size(), 1);
      }
    }
  }
}

// Asks for the names that are like this one; of no names, gives nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known, std::string_view path = {}) {
  constexpr std::size_t most = 3;
  std::string text;
  for (const std::string& each : similar_names(name, known, most))
    text.append(text.empty() ? "did you mean " : " or ").append(path).append(each);
  return text.empty() ? text : text + "?";
}

std::string nearest_own_name(const Mistake& m) {
  std::vector<std::string_view> known;
  add_defined_names(m.source, known);
  // It is itself among them where it is defined for other blocks, or later.
  std::erase_if(known, [&](std::string_view other) { return compared_name(other) == compared_name(m.marked); });
  for (const KnownName& each : m.names)
    if (!is_system_name(each.spelling)) known.push_back(each.spelling);
  return did_you_mean(m.marked, known);
}

std::string nearest_system_name(const Mistake& m) {
  std::vector<std::string_view> known;
  for (const KnownName& each : m.names)
    if (is_system_name(each.spelling)) known.push_back(each.spelling);
  return did_you_mean(first_word(m.marked), known);
}

// Words of other languages, in small letters, and how the same is said here.
constexpr struct {
  std::string_view words, hint;
} foreign_words[] = {
    {" for foreach each map ", "F¨x calls F with each element of x; ↕n gives the numbers from 0 to n-1"},
    {" while until loop do repeat ", "F⍟n x repeats F n times; body•_while_condition x repeats as long as the condition is 1"},
    {" if elif else elseif elsif switch case when unless ", "{𝕩>3 ? \"more\" ; \"less\"} chooses a body by a condition"},
    {" print println printf puts echo write console disp ", "•Show x shows a value, •Out \"text\" writes a text"},
    {" def function func fn fun lambda proc sub ", "{𝕩+1} is a function, and Name←{𝕩+1} gives it a name"},
    {" return ", "a block gives the value of its last statement"},
    {" let var const int float double auto local ", "name←value defines a name"},
    {" import from include require using use ", "•Import \"file.bqn\" runs a file and gives its value"},
    {" true false ", "1 is true and 0 is false"},
    {" null nil none undefined ", "there is no such value; @ is the null character, ⟨⟩ an empty list"},
    {" and or not xor ", "∧ is and, ∨ is or, ¬ is not, ≠ is exclusive or"},
    {" len length size count ", "≠x is the length of x"},
    {" range iota seq ", "↕n gives the numbers from 0 to n-1"},
    {" filter ", "(F x)/x keeps the elements where F gives 1"},
    {" reduce fold foldr ", "F´x folds a list"},
    {" sum ", "+´x is the sum of a list"},
    {" max ", "a⌈b is the larger one, ⌈´x the largest of a list"},
    {" min ", "a⌊b is the smaller one, ⌊´x the smallest of a list"},
    {" abs ", "|x is the absolute value"},
    {" sqrt ", "√x is the square root"},
    {" floor ceil round ", "⌊x rounds down, ⌈x up, ⌊0.5+x to the nearest"},
    {" mod ", "n|x is what remains of x divided by n"},
    {" sort sorted ", "∧x sorts up, ∨x down"},
    {" reverse reversed ", "⌽x reverses"},
    {" append concat push ", "a∾b joins lists"},
    {" pi ", "π"},
    {" inf infinity ", "∞"},
    {" exit quit ", "•Exit 0 ends a program; )exit leaves a session"},
    {" help ", ")help is a command of a session"},
};

std::string foreign_word(std::string_view word) {
  const std::string wanted = " " + compared_name(word) + " ";
  if (wanted.size() > 2 && !word.starts_with("•"))
    for (const auto& each : foreign_words)
      if (each.words.find(wanted) != each.words.npos) return std::string(each.hint);
  return "";
}

// What follows a word where another language would assign or compare.
std::string foreign_sign(std::string_view word, std::string_view after) {
  const std::string_view rest = without_blanks(after);
  const std::string name(word);
  const std::string_view value = first_word(without_blanks(rest.substr(std::min(rest.size(), rest.find_first_not_of("=<-:")))));
  const std::string example = name + "←" + (value.empty() ? "…" : std::string(value));
  if (rest.starts_with("==")) return "= compares: " + name + "=…";
  if (rest.starts_with("!=")) return "≠ compares: " + name + "≠…";
  if (rest.starts_with("<=") || rest.starts_with(">=")) return "≤ and ≥ compare: " + name + (rest[0] == '<' ? "≤…" : "≥…");
  if (rest.starts_with('=') || rest.starts_with("<-") || rest.starts_with(":=")) return "← gives a name its value: " + example;
  const bool steps = rest.starts_with("++") || rest.starts_with("--");
  const bool changes = rest.size() > 1 && rest[1] == '=' && std::string_view("+-*/|&^%").find(rest[0]) != rest.npos;
  if (steps || changes) return "↩ changes a name that has a value: " + name + rest[0] + "↩…";
  return "";
}

constexpr std::string_view comment_hint = "a comment begins with #";

bool is_behind_slashes(const Mistake& m) {
  const std::size_t at = m.before.find("//");
  return at != m.before.npos && m.before.substr(0, at).find('"') == m.before.npos;
}

// A string may hold line breaks, so that one whose end is missing reaches to where the next one should begin.
std::string unclosed_string(const Mistake& m) {
  const std::string_view text = m.source.substr(0, static_cast<std::size_t>(m.marked.data() - m.source.data()));
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); i++) {
    line += text[i] == '\n';
    if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text[i] == '\'' && text.find('\'', i + 2) < i + 6) {
      i = text.find('\'', i + 2);
    } else if (text[i] == '"') {
      const std::size_t close = std::min(text.find('"', i + 1), text.size());
      const auto breaks = static_cast<std::size_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(i), text.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
      if (breaks > 0)
        return "the string that begins in line " + std::to_string(line) + " ends in line " + std::to_string(line + breaks) +
               "; is a quote missing there?";
      i = close;
    }
  }
  return "";
}

std::string undefined_name(const Mistake& m) {
  if (is_behind_slashes(m)) return std::string(comment_hint);
  if (m.before.ends_with('"')) return unclosed_string(m);
  if (std::string text = nearest_own_name(m); !text.empty()) return text;
  if (std::string text = foreign_sign(m.marked, m.after); !text.empty()) return text;
  if (std::string text = foreign_word(m.marked); !text.empty()) return text;
  if (std::string text = nearest_system_name(m); !text.empty()) return text;
  return foreign_word(m.statement());
}

// Tells whether a name is defined with a role, in some spelling.
bool has_role(const Mistake& m, std::string_view name, Role wanted_role) {
  const std::string wanted = compared_name(name);
  const auto fits = [&](std::string_view other, Role role) { return role == wanted_role && compared_name(other) == wanted; };
  for (const KnownName& each : m.names)
    if (is_system_name(each.spelling) == is_system_name(name) && fits(each.spelling, each.role)) return true;
  std::vector<std::string_view> defined;
  if (!is_system_name(name)) add_defined_names(m.source, defined);
  return std::any_of(defined.begin(), defined.end(), [&](std::string_view other) { return fits(other, role_of_word(other)); });
}

// A foreign word, unless the program has given it a meaning of its own.
std::string unused_foreign_word(const Mistake& m, std::string_view word) {
  return has_role(m, word, Role::subject) ? "" : foreign_word(word);
}

// `rest` begins with the dot behind the name of a value, as in list.append(5).
std::string method(std::string_view name, std::string_view rest) {
  const std::string_view field = first_word(rest.substr(1));
  if (std::string text = foreign_word(field); !text.empty()) return text;
  return "a field that is called is named with a capital letter: " + std::string(name) + "." + spelled(field, Role::function);
}

std::string missing_function(const Mistake& m) {
  constexpr std::string_view indexing = "i⊑x picks the element at index i, i‿j⊏x selects several";
  const std::string_view word = first_word(m.marked);
  const std::string_view rest = m.marked.substr(word.size());
  if (is_behind_slashes(m)) return std::string(comment_hint);
  if (m.before.ends_with('"')) return unclosed_string(m);
  const bool is_name = !word.empty() && !is_decimal_digit(word[0]);
  if (is_name && has_role(m, word, Role::function))
    return "a function is called by a name with a capital letter: " + spelled(word, Role::function);
  if (std::string text = unused_foreign_word(m, m.statement()); !text.empty()) return text;
  if (std::string text = unused_foreign_word(m, word); !text.empty()) return text;
  if (is_name && rest.starts_with('.')) return method(word, rest);
  if (m.marked.ends_with(']') && m.marked.find('[', 1) != m.marked.npos) return std::string(indexing);
  if (is_name) {
    Mistake system = m;
    system.marked = word;
    if (std::string text = nearest_system_name(system); !text.empty()) return text;
    return has_role(m, word, Role::subject) ? "" : naming_rule(word, Role::function);
  }
  // `(⊢-1)4`: what ends in a value is no train, but computed there and then.
  if (m.marked.starts_with('(') && (m.marked.starts_with("(⊢") || m.marked.starts_with("(⊣")))
    return "a train ends in a function: ˙ makes one of a value, as in (⊢-1˙)";
  const std::string_view second = without_blanks(rest);
  if (!word.empty() && !second.empty() && is_decimal_digit(second[0]))
    return "‿ makes a list: " + std::string(word) + "‿" + std::string(first_word(second));
  return "";
}

// Gives `-⟜1` of text such as `-1`, where somebody may have meant a function that has an argument already.
std::string bound(std::string_view text) {
  std::string out;
  for (const std::string_view glyph :
       {"+", "-", "×", "÷", "⋆", "⌊", "⌈", "|", "=", "≠", "<", ">", "≤", "≥", "∾", "↑", "↓", "⌽", "⥊"}) {
    if (!text.starts_with(glyph)) continue;
    const std::string_view value = first_word(text.substr(glyph.size()));
    if (!value.empty()) return out.append(glyph).append("⟜").append(value);
  }
  return out;
}

std::string roles_differ(const Mistake& m) {
  const std::string_view word = first_word(m.marked);
  if (word.empty()) return "";
  if (m.says("and function)")) return naming_rule(word, Role::function);
  if (m.says("and 1-modifier)")) return naming_rule(word, Role::modifier1);
  if (m.says("and 2-modifier)")) return naming_rule(word, Role::modifier2);
  if (without_blanks(m.after).starts_with('{')) return "a block is a function where it holds 𝕩, 𝕨 or 𝕤, or begins with 𝕊: or F:";
  std::string text = naming_rule(word, Role::subject);
  if (m.marked.ends_with("←"))
    if (const std::string function = bound(without_blanks(m.after)); !function.empty())
      text += "; a function that has one argument already is " + function;
  return text;
}

// Characters of other languages, and of texts that were set in type.
constexpr struct {
  std::string_view characters, hint;
} foreign_characters[] = {
    {"*", "× multiplies, ⋆ raises to a power"},
    {"∗✕✖", "× multiplies"},
    {"&", "∧ is and"},
    {"%", "÷ divides; n|x is what remains of x divided by n"},
    {"^", "⋆ raises to a power, ∧ is and"},
    {"~", "¬ is not; ˜ exchanges or repeats arguments"},
    {"\\", "in a session a backslash and a key type a glyph: )keys shows them; ` scans"},
    {"$", "names are letters, digits and _"},
    {"“”„", "a string stands between two \""},
    {"‘’‚", "a character stands between two '"},
    {"−–—", "- subtracts; ¯ begins a negative number"},
    {"⍳", "↕ gives the numbers below n, ⊐ finds"},
    {"⍴", "⥊ reshapes, ≢ gives the shape"},
    {"⍺", "𝕨 is the left argument"},
    {"⍵", "𝕩 is the right argument"},
    {"∇", "𝕊 is the function itself"},
    {"⊂⊃", "< encloses, ⊑ picks the first, > merges"},
    {"⌿", "/ replicates, ˝ folds along the first axis"},
    {"⍪", "∾ joins along the first axis"},
    {"⍬", "⟨⟩ is the empty list"},
    {"⍎", "•BQN runs a text"},
    {"⍕", "•Fmt gives a value as text"},
    {"⍨", "˜ exchanges or repeats arguments"},
    {"⍤", "∘ composes, ⎉ applies to cells"},
    {"⍥", "○ applies to both arguments, ⚇ by depth"},
    {"⌹", "÷ divides numbers"},
    {"\u00A0\u2007\u200B\u202F", "this is no usual blank, but one of those that texts are set with"},
    {"λ", "{𝕩+1} is a function"},
};

std::string unknown_character(const Mistake& m) {
  if (m.marked.empty()) return "";
  for (const auto& each : foreign_characters)
    if (each.characters.find(m.marked) != each.characters.npos) return std::string(each.hint);
  return "";
}

std::string quoted_text(const Mistake& m) {
  if (m.marked.empty()) return "";
  const char* const text = m.marked.data() + 1;
  const std::string_view rest(text, m.marked.size() - 1 + m.after.size());
  const std::size_t close = rest.find('\'');
  if (close == 0) return "a string stands between two \": \"\" is the empty one";
  if (close == rest.npos) return "a character stands between two ', a string between two \"";
  return "a string stands between two \": \"" + std::string(rest.substr(0, close)) + "\"";
}

std::string separator_in_parentheses(const Mistake& m) {
  // The row ends there.
  if (m.marked.empty()) return "parentheses close in the row where they open; is a ) missing?";
  return "⟨a, b⟩ is a list; a function takes one or two: F x, w F x";
}

std::string colon_outside(const Mistake& m) {
  if (m.marked == ":" && m.after.starts_with('=')) {
    const std::size_t end = m.before.find_last_not_of(blanks) + 1;
    std::size_t start = end;
    while (start > 0 && is_word_byte(m.before[start - 1])) start--;
    return foreign_sign(m.before.substr(start, end - start), std::string(":").append(m.after));
  }
  if (m.marked == ";") return "⋄, a comma or the end of a row ends a statement";
  if (m.marked == "?") return "{𝕩>3 ? \"more\" ; \"less\"} chooses a body by a condition";
  return foreign_word(m.statement());
}

std::string redefinition(const Mistake& m) { return "↩ changes the value of a name: " + std::string(m.marked) + "↩…"; }

std::string special_outside(const Mistake& m) {
  return std::string(m.marked) + " stands for something only within {…}, as in {𝕩+1}";
}

std::string special_of_other_kind(const Mistake& m) {
  const bool is_operand = std::string_view("𝕗𝔽𝕘𝔾").find(m.marked) != m.marked.npos;
  return is_operand ? "𝕗 and 𝕘 are a modifier's operands; a function has 𝕨 and 𝕩" : "";
}

std::string malformed_number(const Mistake& m) {
  if (m.marked.starts_with("0x") || m.marked.starts_with("0X")) return "numbers are decimal";
  std::size_t digits = 0;
  while (digits < m.marked.size() && (is_decimal_digit(m.marked[digits]) || m.marked[digits] == '.')) digits++;
  const std::string_view rest = m.marked.substr(digits);
  if (digits != 0 && (rest == "e" || rest == "E") && m.after.starts_with('-')) {
    std::size_t end = 1;
    while (end < m.after.size() && is_decimal_digit(m.after[end])) end++;
    return "¯ is the sign of a number: " + std::string(m.marked) + "¯" + std::string(m.after.substr(1, end - 1));
  }
  if (digits == 0 || rest.empty() || !is_ascii_letter(rest[0]) || first_word(rest) != rest) return "";
  return "a name begins with a letter; × multiplies: " + std::string(m.marked.substr(0, digits)) + "×" + std::string(rest);
}

std::string not_numbers(const Mistake& m) {
  const bool strings =
      m.marked == "+" && m.before.find_last_of("\"'") != m.before.npos && m.after.find_first_of("\"'") != m.after.npos;
  return strings ? "∾ joins strings and lists" : "";
}

std::string slash(const Mistake& m) {
  if (!m.marked.starts_with('/')) return "";
  return m.before.ends_with('/') || m.after.starts_with('/') ? "÷ divides, ⌊a÷b rounds down; a comment begins with #"
                                                             : "÷ divides";
}

std::string unequal(const Mistake& m) {
  if (m.marked == "!" && m.after.starts_with('=')) return "≠ tells whether values differ";
  return "";
}

std::string missing_field(const Mistake& m) {
  std::vector<std::string_view> fields;
  const std::size_t dot = m.marked.rfind('.');
  if (dot == m.marked.npos) return "";
  if (m.says("Expected a namespace")) return foreign_word(m.marked.substr(dot + 1));
  const std::string path(m.marked.substr(0, dot + 1));
  for (const KnownName& each : m.names)
    if (each.spelling.starts_with(path)) fields.push_back(each.spelling.substr(path.size()));
  return did_you_mean(m.marked.substr(dot + 1), fields, path);
}

std::string target_needs_value(const Mistake& m) {
  return "x↩value gives x another value, x F↩ value puts F's result there: " + std::string(first_word(m.marked)) + "↩…";
}

// How a message begins, and who knows what may have been meant. The first that fits and has something to say says it.
constexpr struct {
  std::string_view message;
  std::string (*hint)(const Mistake&);
} rules[] = {
    {"Undefined identifier", undefined_name},
    {"Expected a function between two subjects", missing_function},
    {"Expected the same role on both sides of an assignment", roles_differ},
    {"Unknown character", unknown_character},
    {"Expected ' after one character", quoted_text},
    {"Unclosed character literal", quoted_text},
    {"Unclosed string", unclosed_string},
    {"Parentheses may not hold a separator", separator_in_parentheses},
    {"Only a block may hold", colon_outside},
    {"Redefinition", redefinition},
    {"Special name outside of any block", special_outside},
    {"Malformed number", malformed_number},
    {"The block holds special names", special_of_other_kind},
    {"Unknown system value", nearest_system_name},
    {"Field .", missing_field},
    {"Expected a function left of ↩", target_needs_value},
    {"Add: ", not_numbers},
    {"Replicate: 𝕩 must have a rank", slash},
    {"Indices: 𝕩 must be a list", slash},
    {"", unequal},
};

}  // namespace

std::string hint_for(std::string_view message, std::string_view source, Span place, std::span<const KnownName> names) {
  const Mistake m = mistake_at(message, source, place, names);
  for (const auto& rule : rules) {
    if (!message.starts_with(rule.message)) continue;
    if (std::string text = rule.hint(m); !text.empty()) return text;
  }
  return "";
}

}  // namespace griddle
