// Text of large values, piece by piece: what they are laid out by is worked out once, and elements are spelled anew where their
// text stands, so that the text needs little memory however long it is.
#pragma once

#include <memory>

#include "runtime/format/box.h"
#include "runtime/format/format.h"

namespace griddle {

// Where text goes. Whoever appends much of it to `text` calls `flush` now and then.
class TextSink {
 public:
  TextSink(Context& cx, TextTaker take, void* data) : text(cx.heap), cx_(cx), take_(take), data_(data) {}
  // Hands over what there is where that is much. Other texts stay as they are: those are of parts that are skipped.
  void flush(HeapText& out) {
    if (&out == &text && out.size() >= much) [[unlikely]]
      hand_over();
  }
  void hand_over();
  // Appends blanks, of which there may be many.
  void blanks(HeapText& out, std::size_t count);

  HeapText text;

 private:
  static constexpr std::size_t much = std::size_t{64} << 10;
  Context& cx_;
  TextTaker take_;
  void* data_;
};
// Thrown where nobody wants the rest.
struct EnoughText {};

// Spells elements into a pool of its own, which forgets them when it is told to.
class Speller {
 public:
  virtual ~Speller() = default;
  virtual Piece element(const Array&, std::size_t index) = 0;
  virtual const HeapText& pool() const = 0;
  virtual void forget() = 0;
};
struct DropSpeller {
  void operator()(Speller*) const noexcept;
};
using OwnSpeller = std::unique_ptr<Speller, DropSpeller>;

// Tells whether a value has so many elements, in all, that its text is not kept.
bool is_large(const Value&);
bool is_large(const Array&);

// Pieces of large arrays, which the array, and the sink, must outlive. Rows may be long: all of them flush.
// A list on one row, where its elements take one row each; else all of its elements side by side.
Piece large_list(Context&, TextSink&, const Array&, OwnSpeller);
Piece large_string(Context&, TextSink&, const Array&);
Piece large_grid(Context&, TextSink&, const Array&, OwnSpeller);

}  // namespace griddle
