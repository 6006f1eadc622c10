#include "repl/completing/text_names.h"

#include <algorithm>

#include "repl/highlight.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr std::u32string_view openers = U"([{⟨", closers = U")]}⟩";

bool is_in(char32_t c, std::u32string_view set) { return set.find(c) != set.npos; }

bool is_name(std::u32string_view token) {
  const char32_t c = token[0];
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || c == U'_';
}

// Calls f(token, place, depth) for each token but blanks; the depth is that of brackets before it.
template <class F>
void each_token(std::u32string_view text, F f) {
  long depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = token_at(text, i).end;
    const std::u32string_view token = text.substr(i, end - i);
    if (is_in(token[0], closers)) depth--;
    if (token[0] != U' ' && token[0] != U'\t' && token[0] != U'\n' && token[0] != U'#') f(token, i, depth);
    if (is_in(token[0], openers)) depth++;
    i = end;
  }
}

void add_once(std::vector<std::u32string>& names, std::u32string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

}  // namespace

std::vector<std::u32string> names_defined_in(std::u32string_view text) {
  std::vector<std::u32string> names;
  // Names of one definition may stand in a list, as in ⟨a,b⟩← or a‿b←; `pending` are those that one may still take.
  std::vector<std::u32string_view> pending;
  each_token(text, [&](std::u32string_view token, std::size_t, long) {
    const char32_t c = token[0];
    if (is_name(token)) {
      pending.push_back(token);
    } else if (c == U'←' || c == U'⇐' || c == U'↩') {
      for (const std::u32string_view name : pending) add_once(names, name);
      pending.clear();
    } else if (c == U':') {
      // A header names its arguments, and itself.
      for (const std::u32string_view name : pending) add_once(names, name);
      pending.clear();
    } else if (!is_in(c, U"⟨⟩‿,.")) {
      pending.clear();
    }
  });
  return names;
}

std::optional<std::size_t> open_string(std::u32string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = token_at(text, i).end;
    if (text[i] == U'"' && end == text.size() && (end == i + 1 || text[end - 1] != U'"')) return i + 1;
    i = end;
  }
  return std::nullopt;
}

std::optional<std::size_t> parentheses_before(std::u32string_view text) {
  std::vector<std::size_t> open;
  std::optional<std::size_t> last;
  each_token(text, [&](std::u32string_view token, std::size_t place, long) {
    last.reset();
    if (is_in(token[0], openers)) open.push_back(place);
    if (!is_in(token[0], closers) || open.empty()) return;
    if (token[0] == U')' && place + 1 == text.size()) last = open.back();
    open.pop_back();
  });
  return last;
}

bool only_picks(std::u32string_view expression) {
  bool picks = true;
  each_token(expression, [&](std::u32string_view token, std::size_t, long) {
    const Colour colour = token_at(token, 0).colour;
    const bool is_value = colour == Colour::number || colour == Colour::text || (is_name(token) && colour == Colour::plain) ||
                          (token[0] == U'•' && colour == Colour::plain);
    // What follows a name without a blank may be a function of the system.
    const bool is_one = token[0] == U'"' || token.find(U'•', 1) == token.npos;
    picks = picks && is_one && (is_value || is_in(token[0], U"()⟨⟩,‿.⊑⊏⊢⊣⌽"));
  });
  return picks;
}

std::vector<std::u32string> fields_written_in(std::u32string_view block) {
  std::vector<std::u32string> names;
  std::u32string_view before;
  bool is_block = true;
  std::size_t count = 0;
  each_token(block, [&](std::u32string_view token, std::size_t, long depth) {
    // Within `({` and nothing deeper.
    if (count < 2) is_block = is_block && token[0] == U"({"[count];
    count++;
    if (depth == 2 && token[0] == U'⇐' && !before.empty() && is_name(before)) add_once(names, before);
    before = token;
  });
  return is_block ? names : std::vector<std::u32string>();
}

}  // namespace griddle::repl
