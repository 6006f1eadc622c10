#include "repl/line_editor.h"

#include <algorithm>
#include <utility>

#include "repl/glyph_keys.h"
#include "repl/text.h"

namespace griddle::repl {

using Kind = Key::Kind;

void LineEditor::start() {
  text_.clear();
  cursor_ = 0;
  undo_.clear();
  choices_.clear();
  typed_.clear();
  entry_ = history_.entries().size();
  glyph_follows_ = pasting_ = searching_ = false;
}

// --- changes of the text

void LineEditor::remember() { undo_.push_back({text_, cursor_}); }

void LineEditor::undo() {
  if (undo_.empty()) return;
  text_ = std::move(undo_.back().text);
  cursor_ = undo_.back().cursor;
  undo_.pop_back();
}

void LineEditor::insert(std::u32string_view added) {
  text_.insert(cursor_, added);
  cursor_ += added.size();
}

void LineEditor::erase(std::size_t from, std::size_t to) {
  if (from == to) return;
  remember();
  text_.erase(from, to - from);
  cursor_ = from;
}

void LineEditor::cut(std::size_t from, std::size_t to) {
  if (from == to) return;
  cut_text_ = text_.substr(from, to - from);
  erase(from, to);
}

void LineEditor::replace(std::u32string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
}

// Types a character. After a backslash it is the key of a glyph, which takes the backslash's place; another backslash leaves one.
void LineEditor::type(std::u32string& text, std::size_t& cursor, char32_t c) {
  if (!glyph_follows_) {
    text.insert(cursor++, 1, c);
    glyph_follows_ = c == U'\\' && !pasting_;
    return;
  }
  glyph_follows_ = false;
  if (c == U'\\') return;
  if (const char32_t glyph = glyph_of_key(c); glyph != 0)
    text[cursor - 1] = glyph;
  else
    text.insert(cursor++, 1, c);
}

// --- places

std::size_t LineEditor::row_start() const {
  const std::size_t end = cursor_ == 0 ? text_.npos : text_.rfind(U'\n', cursor_ - 1);
  return end == text_.npos ? 0 : end + 1;
}
std::size_t LineEditor::row_end() const { return std::min(text_.find(U'\n', cursor_), text_.size()); }

std::size_t LineEditor::word_left() const {
  std::size_t i = cursor_;
  while (i > 0 && !is_word(text_[i - 1])) i--;
  while (i > 0 && is_word(text_[i - 1])) i--;
  return i;
}
std::size_t LineEditor::word_right() const {
  std::size_t i = cursor_;
  while (i < text_.size() && !is_word(text_[i])) i++;
  while (i < text_.size() && is_word(text_[i])) i++;
  return i;
}

// Moves within a text of several rows; from its first or last row through the history.
void LineEditor::move_row(bool up) {
  const std::size_t start = row_start(), end = row_end(), column = cursor_ - start;
  if (up ? start == 0 : end == text_.size()) return step_in_history(up);
  cursor_ = up ? start - 1 : end + 1;
  const std::size_t other_start = row_start();
  cursor_ = std::min(other_start + column, row_end());
}

// --- the history

// Goes to the next entry that begins with what was typed before the first step.
void LineEditor::step_in_history(bool older) {
  const std::vector<std::string>& entries = history_.entries();
  if (entry_ == entries.size()) typed_ = text_;
  for (std::size_t i = entry_; older ? i > 0 : i < entries.size();) {
    older ? i-- : i++;
    if (i == entries.size()) {
      entry_ = i;
      return replace(typed_);
    }
    const std::u32string entry = code_points_of(entries[i]);
    if (!entry.starts_with(typed_) || entry == text_) continue;
    entry_ = i;
    return replace(entry);
  }
}

// Finds the latest entry before one that holds what is searched for.
void LineEditor::find_older(std::size_t before) {
  for (std::size_t i = before; i-- > 0;) {
    const std::u32string entry = code_points_of(history_.entries()[i]);
    const std::size_t place = entry.find(query_);
    if (place == entry.npos) continue;
    replace(entry);
    cursor_ = place;
    entry_ = i;
    return;
  }
}

LineEditor::Event LineEditor::search_with(Key key) {
  switch (key.kind) {
    case Kind::search: find_older(entry_); return Event::none;
    case Kind::backspace:
      if (!query_.empty()) query_.pop_back();
      find_older(history_.entries().size());
      return Event::none;
    case Kind::character: {
      std::size_t end = query_.size();
      type(query_, end, key.character);
      if (!glyph_follows_) find_older(history_.entries().size());
      return Event::none;
    }
    case Kind::leave:
    case Kind::cancel:
      searching_ = false;
      entry_ = history_.entries().size();
      replace(typed_);
      return Event::none;
    default: searching_ = false; return press(key);
  }
}

// --- completion

void LineEditor::complete() {
  Completions found = helpers_.complete(std::u32string_view(text_).substr(0, cursor_));
  if (found.choices.empty()) {
    // Indents a row that has nothing yet.
    constexpr std::u32string_view indent = U"  ";
    if (cursor_ == row_start()) insert(indent);
    return;
  }
  std::u32string shared = found.choices[0];
  for (const std::u32string& choice : found.choices)
    shared.erase(std::mismatch(shared.begin(), shared.end(), choice.begin(), choice.end()).first, shared.end());
  const bool grows = shared.size() > found.replaced;
  if (grows || found.choices.size() == 1) {
    erase(cursor_ - found.replaced, cursor_);
    insert(shared);
  }
  if (!grows && found.choices.size() > 1) choices_ = std::move(found.choices);
}

// --- keys

LineEditor::Event LineEditor::enter() {
  // An empty row ends what is unfinished, so that nobody is trapped by a stray bracket.
  if (pasting_ || (row_start() != row_end() && helpers_.is_unfinished(utf8_of(text_)))) {
    remember();
    insert(U"\n");
    return Event::none;
  }
  cursor_ = text_.size();
  return Event::accepted;
}

void LineEditor::edit(Key key) {
  switch (key.kind) {
    case Kind::character:
      if (!glyph_follows_) remember();
      return type(text_, cursor_, key.character);
    case Kind::new_row: remember(); return insert(U"\n");
    case Kind::tab: return pasting_ ? insert(U"\t") : complete();
    case Kind::backspace: return erase(cursor_ - (cursor_ > 0), cursor_);
    case Kind::erase:
    case Kind::erase_or_end: return erase(cursor_, cursor_ + (cursor_ < text_.size()));
    case Kind::left: cursor_ -= cursor_ > 0; return;
    case Kind::right: cursor_ += cursor_ < text_.size(); return;
    case Kind::up:
    case Kind::down: return move_row(key.kind == Kind::up);
    case Kind::row_start: cursor_ = row_start(); return;
    case Kind::row_end: cursor_ = row_end(); return;
    case Kind::word_left: cursor_ = word_left(); return;
    case Kind::word_right: cursor_ = word_right(); return;
    case Kind::cut_to_end: return cut(cursor_, row_end());
    case Kind::cut_to_start: return cut(row_start(), cursor_);
    case Kind::cut_word_left: return cut(word_left(), cursor_);
    case Kind::cut_word_right: return cut(cursor_, word_right());
    case Kind::paste: remember(); return insert(cut_text_);
    case Kind::exchange:
      if (cursor_ == 0 || text_.size() < 2) return;
      remember();
      cursor_ += cursor_ < text_.size();
      return std::swap(text_[cursor_ - 1], text_[cursor_ - 2]);
    case Kind::undo: return undo();
    default: return;
  }
}

LineEditor::Event LineEditor::press(Key key) {
  choices_.clear();
  if (searching_) return search_with(key);
  if (key.kind != Kind::character) glyph_follows_ = false;
  switch (key.kind) {
    case Kind::enter: return enter();
    case Kind::cancel: cursor_ = text_.size(); return Event::cancelled;
    case Kind::clear_screen: return Event::clear_screen;
    case Kind::describe: return Event::describe;
    case Kind::paste_begins:
    case Kind::paste_ends: pasting_ = key.kind == Kind::paste_begins; return Event::none;
    case Kind::search:
      typed_ = text_;
      entry_ = history_.entries().size();
      searching_ = true;
      query_.clear();
      return Event::none;
    case Kind::erase_or_end:
      if (text_.empty()) return Event::ended;
      break;
    default: break;
  }
  edit(key);
  return Event::none;
}

}  // namespace griddle::repl
