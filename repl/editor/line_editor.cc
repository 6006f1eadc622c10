#include "repl/editor/line_editor.h"

#include <algorithm>
#include <utility>

#include "repl/editor/words.h"
#include "repl/glyph_keys.h"
#include "repl/text.h"

namespace griddle::repl {

using Kind = Key::Kind;

void LineEditor::start() {
  buffer_.start();
  completions_ = {};
  typed_.clear();
  entry_ = history_.size();
  glyph_follows_ = pasting_ = searching_ = false;
  did_ = Did::other;
  vi_.start();
  const std::size_t next = next_entry_.value_or(entry_);
  next_entry_.reset();
  if (next < entry_) replace(code_points_of(history_.entry(entry_ = next)));
}

// --- changes of the text

void LineEditor::insert(std::u32string_view added, bool goes_on) { buffer_.replace(cursor(), cursor(), added, goes_on); }
void LineEditor::erase(std::size_t from, std::size_t to) { buffer_.replace(from, to, {}); }
void LineEditor::replace(std::u32string_view new_text) { buffer_.replace(0, text().size(), new_text); }

void LineEditor::copy(std::size_t from, std::size_t to) {
  kill_ring_.add(std::u32string_view(text()).substr(from, to - from), did_before_ == Did::cut, to == cursor());
}

void LineEditor::cut(std::size_t from, std::size_t to) {
  if (from == to) return;
  copy(from, to);
  erase(from, to);
  did_ = Did::cut;
}

// Types a character. After a backslash it is the key of a glyph, which takes the backslash's place; another backslash leaves one.
void LineEditor::type(char32_t c) {
  const bool goes_on = helpers_.more_waits && helpers_.more_waits();
  if (!glyph_follows_) {
    insert({&c, 1}, goes_on && c != U'\\');
    glyph_follows_ = c == U'\\';
    return;
  }
  glyph_follows_ = false;
  if (c == U'\\') return;
  if (const char32_t glyph = glyph_of_key(c); glyph != 0) {
    buffer_.forget_last();
    insert({&glyph, 1}, goes_on);
  } else {
    insert({&c, 1}, goes_on);
  }
}

void LineEditor::paste_in_place(std::u32string_view pasted) {
  if (did_before_ != did_) put_at_ = cursor();
  buffer_.replace(put_at_, cursor(), pasted);
}

// Puts what was cut earlier in the place of what has just been pasted.
void LineEditor::paste_older() {
  if (did_before_ != Did::paste) return;
  did_ = Did::paste;
  paste_in_place(kill_ring_.older());
}

// Inserts the last argument of the entry before; of an older one each time that it follows itself.
void LineEditor::last_argument() {
  if (did_before_ != Did::argument) argument_entry_ = entry_;
  if (argument_entry_ == 0) return;
  did_ = Did::argument;
  paste_in_place(repl::last_argument(code_points_of(history_.entry(--argument_entry_))));
}

void LineEditor::exchange() {
  if (cursor() == 0 || text().size() < 2) return;
  const std::size_t end = cursor() + (cursor() < text().size());
  const char32_t pair[] = {text()[end - 1], text()[end - 2]};
  buffer_.replace(end - 2, end, {pair, 2});
}

// Exchanges the name that the cursor is in, or before, with the one before that; behind the last one, the last two.
void LineEditor::exchange_words() {
  const Stretch next = name_from(text(), cursor());
  const Stretch second = name_before(text(), next.size() > 0 ? next.to : cursor());
  const Stretch first = name_before(text(), second.from);
  if (first.size() == 0 || second.size() == 0) return;
  const std::u32string all = text();
  const auto part = [&all](std::size_t from, std::size_t to) { return all.substr(from, to - from); };
  buffer_.replace(first.from, second.to, part(second.from, second.to) + part(first.to, second.from) + part(first.from, first.to));
}

void LineEditor::change_case(Kind kind) {
  const Stretch name = name_from(text(), cursor());
  if (name.size() == 0) return;
  std::u32string changed = text().substr(name.from, name.size());
  bool is_first = true;
  for (char32_t& c : changed) {
    const bool is_upper = c >= U'A' && c <= U'Z', is_lower = c >= U'a' && c <= U'z';
    const bool wants_upper = kind == Kind::upper_word || (kind == Kind::capital_word && is_first);
    if (wants_upper ? is_lower : is_upper) c ^= U'a' ^ U'A';
    if (is_upper || is_lower) is_first = false;
  }
  buffer_.replace(name.from, name.to, changed);
}

// --- places

std::size_t LineEditor::row_start() const {
  const std::size_t end = cursor() == 0 ? text().npos : text().rfind(U'\n', cursor() - 1);
  return end == text().npos ? 0 : end + 1;
}
std::size_t LineEditor::row_end() const { return std::min(text().find(U'\n', cursor()), text().size()); }

// Moves within a text of several rows; from its first or last row through the history.
void LineEditor::move_row(bool up) {
  const std::size_t start = row_start(), end = row_end(), column = cursor() - start;
  if (up ? start == 0 : end == text().size()) return step_in_history(up);
  move_to(up ? start - 1 : end + 1);
  move_to(std::min(row_start() + column, row_end()));
}

// --- the history

// Goes to the next entry that begins with what was typed before the first step.
void LineEditor::step_in_history(bool older) {
  const std::size_t count = history_.size();
  // An entry that was changed is a text of its own.
  if (entry_ < count && code_points_of(history_.entry(entry_)) != text()) entry_ = count;
  if (entry_ == count) typed_ = text();
  const std::string begin = utf8_of(typed_);
  for (std::size_t i = entry_; older ? i > 0 : i < count;) {
    older ? i-- : i++;
    if (i == count) {
      entry_ = i;
      return replace(typed_);
    }
    if (!history_.begins_with(i, begin)) continue;
    const std::u32string entry = code_points_of(history_.entry(i));
    if (entry == text()) continue;
    entry_ = i;
    return replace(entry);
  }
}

void LineEditor::begin_search() {
  entry_ = history_.size();
  searching_ = true;
  found_ = false;
  query_.clear();
}

// Finds the latest entry before one that holds what is searched for.
void LineEditor::find_older(std::size_t before) {
  const std::string query = utf8_of(query_);
  for (std::size_t i = before; i-- > 0;) {
    const std::optional<std::size_t> place = history_.find_in(i, query);
    if (!place) continue;
    const std::string entry = history_.entry(i);
    if (found_) buffer_.forget_last();
    found_ = true;
    replace(code_points_of(entry));
    move_to(code_points_of(std::string_view(entry).substr(0, *place)).size());
    entry_ = i;
    return;
  }
}

void LineEditor::type_query(char32_t c) {
  if (glyph_follows_ && c != U'\\') {
    const char32_t glyph = glyph_of_key(c);
    if (glyph != 0) query_.pop_back();
    query_ += glyph != 0 ? glyph : c;
  } else if (!glyph_follows_) {
    query_ += c;
  }
  glyph_follows_ = c == U'\\' && !glyph_follows_;
}

LineEditor::Event LineEditor::search_with(Key key) {
  switch (key.kind) {
    case Kind::search: find_older(entry_); return Event::none;
    case Kind::backspace:
      if (!query_.empty()) query_.pop_back();
      glyph_follows_ = false;
      find_older(history_.size());
      return Event::none;
    case Kind::character:
      type_query(key.character);
      if (!glyph_follows_) find_older(history_.size());
      return Event::none;
    case Kind::leave:
    case Kind::cancel:
      searching_ = glyph_follows_ = false;
      entry_ = history_.size();
      if (found_) buffer_.forget_last();
      return Event::none;
    case Kind::escape: searching_ = glyph_follows_ = false; return Event::none;
    default: searching_ = glyph_follows_ = false; return press(key);
  }
}

// --- completion

void LineEditor::complete() {
  Completions found = helpers_.complete(std::u32string_view(text()).substr(0, cursor()));
  if (found.choices.empty()) {
    // Indents a row that has nothing yet.
    constexpr std::u32string_view indent = U"  ";
    if (cursor() == row_start()) insert(indent);
    return;
  }
  std::u32string shared = found.choices[0];
  for (const std::u32string& choice : found.choices)
    shared.erase(std::mismatch(shared.begin(), shared.end(), choice.begin(), choice.end()).first, shared.end());
  const bool grows = shared.size() > found.replaced;
  if (grows || found.choices.size() == 1) buffer_.replace(cursor() - found.replaced, cursor(), shared);
  if (!grows && found.choices.size() > 1) completions_ = std::move(found);
}

// --- keys

LineEditor::Event LineEditor::enter() {
  // An empty row ends what is unfinished, so that nobody is trapped by a stray bracket. What comes faster than it could be typed
  // is text with empty rows.
  const bool is_empty_row = row_start() == row_end();
  const bool more_waits = helpers_.more_waits && helpers_.more_waits();
  // Whether a long text is finished is looked at once, when all of it is there.
  constexpr std::size_t long_text = 1 << 12;
  const bool gathers = more_waits && text().size() > long_text;
  if (gathers || ((!is_empty_row || more_waits) && helpers_.is_unfinished(utf8_of(text())))) {
    insert(U"\n", more_waits);
    return Event::none;
  }
  move_to(text().size());
  return Event::accepted;
}

// Keys that know words. Tells whether this is one.
bool LineEditor::edit_word(Key key) {
  switch (key.kind) {
    case Kind::word_left: move_to(word_left(text(), cursor())); break;
    case Kind::word_right: move_to(word_right(text(), cursor())); break;
    case Kind::cut_word_left: cut(word_left(text(), cursor()), cursor()); break;
    case Kind::cut_word_right: cut(cursor(), word_right(text(), cursor())); break;
    case Kind::exchange_words: exchange_words(); break;
    case Kind::upper_word:
    case Kind::lower_word:
    case Kind::capital_word: change_case(key.kind); break;
    case Kind::last_argument: last_argument(); break;
    default: return false;
  }
  return true;
}

bool LineEditor::edit(Key key) {
  switch (key.kind) {
    case Kind::character: type(key.character); break;
    case Kind::new_row: insert(U"\n"); break;
    case Kind::tab: complete(); break;
    case Kind::backspace: erase(cursor() - (cursor() > 0), cursor()); break;
    case Kind::erase:
    case Kind::erase_or_end: erase(cursor(), cursor() + (cursor() < text().size())); break;
    case Kind::left: move_to(cursor() - (cursor() > 0)); break;
    case Kind::right: move_to(cursor() + (cursor() < text().size())); break;
    case Kind::up:
    case Kind::down: move_row(key.kind == Kind::up); break;
    case Kind::row_start: move_to(row_start()); break;
    case Kind::row_end: move_to(row_end()); break;
    case Kind::text_start: move_to(0); break;
    case Kind::text_end: move_to(text().size()); break;
    case Kind::cut_to_end: cut(cursor(), row_end()); break;
    case Kind::cut_to_start: cut(row_start(), cursor()); break;
    case Kind::paste:
      put_at_ = cursor();
      insert(kill_ring_.latest());
      did_ = Did::paste;
      break;
    case Kind::paste_older: paste_older(); break;
    case Kind::exchange: exchange(); break;
    case Kind::undo: buffer_.undo(); break;
    case Kind::redo: buffer_.redo(); break;
    default: return edit_word(key);
  }
  return true;
}

// Gathers what is pasted, which becomes one change at its end.
LineEditor::Event LineEditor::press_in_paste(Key key) {
  switch (key.kind) {
    case Kind::character: pasted_ += key.character; return Event::none;
    case Kind::tab: pasted_ += U'\t'; return Event::none;
    case Kind::enter:
    case Kind::new_row: pasted_ += U'\n'; return Event::none;
    case Kind::paste_ends:
    case Kind::cancel:
      pasting_ = false;
      insert(pasted_);
      pasted_ = {};
      return Event::none;
    default: return Event::none;
  }
}

LineEditor::Event LineEditor::press(Key key) {
  if (pasting_) return press_in_paste(key);
  completions_ = {};
  if (searching_) return search_with(key);
  did_before_ = std::exchange(did_, Did::other);
  if (vi_.press(key, *this)) {
    did_ = Did::other;
    glyph_follows_ = false;
    return Event::none;
  }
  if (key.kind != Kind::character) glyph_follows_ = false;
  switch (key.kind) {
    case Kind::enter: return enter();
    case Kind::accept_and_next:
      if (entry_ < history_.size()) next_entry_ = entry_ + 1;
      return enter();
    case Kind::cancel: move_to(text().size()); return Event::cancelled;
    case Kind::clear_screen: return Event::clear_screen;
    case Kind::describe: return Event::describe;
    case Kind::suspend: return Event::suspend;
    case Kind::edit_outside: return Event::edit_outside;
    case Kind::paste_begins: pasting_ = true; return Event::none;
    case Kind::search: begin_search(); return Event::none;
    case Kind::erase_or_end:
      if (text().empty()) return Event::ended;
      break;
    default: break;
  }
  edit(key);
  return Event::none;
}

}  // namespace griddle::repl
