#include "repl/editor/text_buffer.h"

#include <algorithm>
#include <utility>

namespace griddle::repl {

void TextBuffer::start() {
  // Gives the memory of a long text back.
  text_ = {};
  done_ = undone_ = {};
  cursor_ = first_change_ = 0;
}

void TextBuffer::put(std::size_t place, std::size_t removed, std::u32string_view added) {
  text_.replace(place, removed, added);
  first_change_ = std::min(first_change_, place);
}

void TextBuffer::replace(std::size_t from, std::size_t to, std::u32string_view added, bool goes_on) {
  if (from == to && added.empty()) return;
  undone_.clear();
  if (goes_on && from == to && !done_.empty() && from == done_.back().place + done_.back().added.size())
    done_.back().added += added;
  else
    done_.push_back({from, text_.substr(from, to - from), std::u32string(added), cursor_});
  put(from, to - from, added);
  cursor_ = from + added.size();
}

void TextBuffer::undo() {
  if (done_.empty()) return;
  undone_.push_back(std::move(done_.back()));
  done_.pop_back();
  const Change& change = undone_.back();
  put(change.place, change.added.size(), change.removed);
  cursor_ = change.cursor;
}

void TextBuffer::redo() {
  if (undone_.empty()) return;
  done_.push_back(std::move(undone_.back()));
  undone_.pop_back();
  const Change& change = done_.back();
  put(change.place, change.removed.size(), change.added);
  cursor_ = change.place + change.added.size();
}

void TextBuffer::forget_last() {
  if (done_.empty()) return;
  undo();
  undone_.pop_back();
}

std::size_t TextBuffer::take_first_change() { return std::exchange(first_change_, text_.npos); }

}  // namespace griddle::repl
