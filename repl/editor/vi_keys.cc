#include "repl/editor/vi_keys.h"

#include <algorithm>
#include <utility>

#include "repl/editor/line_editor.h"
#include "repl/text.h"

namespace griddle::repl {

using Kind = Key::Kind;

namespace {

enum class Sort { blank, name, glyph };

Sort sort_of(char32_t c) {
  if (is_word(c)) return Sort::name;
  return c == U' ' || c == U'\t' || c == U'\n' ? Sort::blank : Sort::glyph;
}

std::size_t next_word(const std::u32string& text, std::size_t i) {
  if (i == text.size()) return i;
  const Sort sort = sort_of(text[i]);
  while (i < text.size() && sort_of(text[i]) == sort) i++;
  while (i < text.size() && sort_of(text[i]) == Sort::blank) i++;
  return i;
}

std::size_t word_before(const std::u32string& text, std::size_t i) {
  while (i > 0 && sort_of(text[i - 1]) == Sort::blank) i--;
  if (i == 0) return 0;
  const Sort sort = sort_of(text[i - 1]);
  while (i > 0 && sort_of(text[i - 1]) == sort) i--;
  return i;
}

// Gives the last character of the word that holds a place.
std::size_t run_end(const std::u32string& text, std::size_t i) {
  const Sort sort = sort_of(text[i]);
  while (i + 1 < text.size() && sort_of(text[i + 1]) == sort) i++;
  return i;
}

// Gives the last character of the word that ends behind a place.
std::size_t word_end(const std::u32string& text, std::size_t i) {
  if (i < text.size()) i++;
  while (i < text.size() && sort_of(text[i]) == Sort::blank) i++;
  if (i == text.size()) return i > 0 ? i - 1 : 0;
  return run_end(text, i);
}

}  // namespace

void ViKeys::start() {
  commanding_ = recording_ = false;
  operator_ = 0;
  count_ = 0;
}

std::size_t ViKeys::times() { return std::max<std::size_t>(1, std::exchange(count_, 0)); }

std::optional<ViKeys::Target> ViKeys::target_of(char32_t motion, const LineEditor& editor) const {
  const std::u32string& text = editor.text();
  const std::size_t place = editor.cursor(), start = editor.row_start(), end = editor.row_end();
  switch (motion) {
    case U'h': return Target{std::max(place, start + 1) - 1};
    case U'l':
    case U' ': return Target{std::min(place + 1, end)};
    case U'w': return Target{next_word(text, place)};
    case U'b': return Target{word_before(text, place)};
    case U'e': return Target{word_end(text, place), true};
    case U'0': return Target{start};
    case U'$': return Target{end};
    case U'^': return Target{std::min(std::min(text.find_first_not_of(U" \t", start), text.size()), end)};
    default: return std::nullopt;
  }
}

void ViKeys::apply(char32_t operation, std::size_t from, std::size_t to, LineEditor& editor) {
  if (operation == U'y') {
    editor.copy(from, to);
    editor.move_to(from);
  } else {
    editor.cut(from, to);
  }
  commanding_ = operation != U'c';
}

// Does what an operator was waiting for.
void ViKeys::operate(char32_t motion, LineEditor& editor) {
  const char32_t operation = std::exchange(operator_, 0);
  if (operation == U'r') {
    if (editor.cursor() == editor.row_end()) return;
    const std::size_t place = editor.cursor();
    editor.erase(place, place + 1);
    editor.insert({&motion, 1});
    return editor.move_to(place);
  }
  if (motion == operation) return apply(operation, editor.row_start(), editor.row_end(), editor);
  const std::size_t from = editor.cursor();
  std::optional<Target> target;
  std::size_t steps = times();
  if (operation == U'c' && motion == U'w' && from < editor.text().size() && sort_of(editor.text()[from]) != Sort::blank) {
    // Changing words leaves the blanks behind the last one.
    motion = U'e';
    editor.move_to(run_end(editor.text(), from));
    target = Target{editor.cursor(), true};
    steps--;
  }
  for (; steps > 0 && (target = target_of(motion, editor)); steps--) editor.move_to(target->place);
  editor.move_to(from);
  if (!target) return;
  const std::size_t to = std::min(target->place + target->with_last, editor.text().size());
  apply(operation, std::min(from, to), std::max(from, to), editor);
}

void ViKeys::put(bool behind, LineEditor& editor) {
  const std::u32string cut = editor.latest_cut();
  if (cut.empty()) return;
  if (behind && editor.cursor() < editor.row_end()) editor.move_to(editor.cursor() + 1);
  for (std::size_t i = times(); i > 0; i--) editor.insert(cut);
  editor.move_to(editor.cursor() - 1);
}

bool ViKeys::begin_typing(char32_t c, LineEditor& editor) {
  switch (c) {
    case U'i': break;
    case U'I': editor.move_to(editor.row_start()); break;
    case U'a': editor.move_to(std::min(editor.cursor() + 1, editor.row_end())); break;
    case U'A': editor.move_to(editor.row_end()); break;
    case U'C': editor.cut(editor.cursor(), editor.row_end()); break;
    case U'S': editor.cut(editor.row_start(), editor.row_end()); break;
    case U's': editor.cut(editor.cursor(), std::min(editor.cursor() + 1, editor.row_end())); break;
    case U'o':
      editor.move_to(editor.row_end());
      editor.insert(U"\n");
      break;
    default: return false;
  }
  commanding_ = false;
  return true;
}

// Does what changes the text, and can be done again. Tells whether the letter is such a command.
bool ViKeys::change(char32_t c, LineEditor& editor) {
  if (begin_typing(c, editor)) return true;
  const std::size_t place = editor.cursor();
  switch (c) {
    case U'd':
    case U'c':
    case U'r': operator_ = c; break;
    case U'x': editor.cut(place, std::min(place + times(), editor.row_end())); break;
    case U'X': editor.cut(place - std::min(times(), place - editor.row_start()), place); break;
    case U'D': editor.cut(place, editor.row_end()); break;
    case U'p':
    case U'P': put(c == U'p', editor); break;
    default: return false;
  }
  return true;
}

// Types the keys of the last change again.
void ViKeys::again(LineEditor& editor) {
  if (repeating_) return;
  const std::vector<Key> keys = last_change_;
  repeating_ = true;
  for (const Key& key : keys) editor.press(key);
  repeating_ = false;
}

bool ViKeys::command(char32_t c, LineEditor& editor) {
  if (operator_ != 0) {
    operate(c, editor);
    return true;
  }
  if ((c >= U'1' && c <= U'9') || (c == U'0' && count_ > 0)) {
    constexpr std::size_t most = 10'000;
    count_ = std::min(count_ * 10 + (c - U'0'), most);
    return true;
  }
  switch (c) {
    case U'j':
    case U'k':
      for (std::size_t i = times(); i > 0; i--) editor.move_row(c == U'k');
      return true;
    case U'u':
      for (std::size_t i = times(); i > 0; i--) editor.undo();
      return true;
    case U'/': editor.begin_search(); return true;
    case U'.': again(editor); return true;
    case U'y': operator_ = c; return true;
    default: break;
  }
  if (std::optional<Target> target = target_of(c, editor)) {
    for (std::size_t i = times(); i > 0 && (target = target_of(c, editor)); i--) editor.move_to(target->place);
    return true;
  }
  return change(c, editor);
}

void ViKeys::leave_typing(LineEditor& editor) {
  commanding_ = true;
  if (editor.cursor() > editor.row_start()) editor.move_to(editor.cursor() - 1);
}

bool ViKeys::press(Key key, LineEditor& editor) {
  if (!wanted_) return false;
  // Escape and a letter may come so close together that they look like one key.
  if (key.alt && key.character != 0) {
    press({Kind::escape}, editor);
    return press({Kind::character, key.character}, editor);
  }
  const bool was_commanding = commanding_;
  bool is_taken = true;
  if (was_commanding && operator_ == 0 && count_ == 0 && !repeating_) keys_.clear();
  if (!repeating_ && (was_commanding || recording_)) keys_.push_back(key);
  if (key.kind == Kind::escape) {
    operator_ = 0;
    count_ = 0;
    if (!was_commanding) leave_typing(editor);
  } else if (was_commanding && key.kind == Kind::character) {
    const bool was_waiting = operator_ != 0 && operator_ != U'y';
    const std::size_t before = editor.text().size();
    const std::size_t count = count_;
    const bool steps = operator_ == 0 && std::u32string_view(U"u.jk/").find(key.character) != std::u32string_view::npos;
    command(key.character, editor);
    if (operator_ == 0 && count_ == count) count_ = 0;  // nobody asked for it
    // What begins here is a change if something was changed, or typing begins.
    recording_ = operator_ == 0 && !steps && (was_waiting || !commanding_ || editor.text().size() != before);
  } else {
    is_taken = false;
  }
  if (!repeating_ && recording_ && commanding_) {
    last_change_ = keys_;
    recording_ = false;
  }
  if (key.kind == Kind::enter) start();
  return is_taken;
}

}  // namespace griddle::repl
