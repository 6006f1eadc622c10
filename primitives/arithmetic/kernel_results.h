// Where the kernels of arithmetic put their results.
#pragma once

#include <utility>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Holds the results of a kernel: the memory of an argument where that may be reused, else a new array, replaced by a wider one
// where a result does not fit.
class Results {
 public:
  // Takes the memory of `reused` where that is not null.
  Results(Heap& heap, const Array& shaped, ElementType type, Value* reused)
      : heap_(heap), type_(type), reused_(reused), is_apart_(reused == nullptr) {
    if (reused == nullptr) made_ = shaped.rank() == 1 ? make_list(heap, type, shaped.length) : make_like(heap, type, shaped);
    array_ = reused == nullptr ? made_.get() : &reused->array();
  }
  Results(Heap& heap, Ref<Array> made)
      : heap_(heap), type_(made->type()), made_(std::move(made)), reused_(nullptr), is_apart_(true), array_(made_.get()) {}
  // Tells whether no argument has given its memory, to these results or to the first of them.
  bool is_apart() const { return is_apart_; }
  void* start() const { return array_->data; }
  void* at_place(std::size_t place) const { return array_->data + bytes_before(type_, place); }
  // Goes on in another type; `done` results are there already.
  void widen(ElementType wider, std::size_t done) {
    if (wider == type_) return;
    Ref<Array> next = make_like(heap_, wider, *array_);
    if (done != 0) kernels::convert().widen[index_of(type_)][index_of(wider)](next->data, array_->data, done);
    made_ = std::move(next);
    array_ = made_.get();
    reused_ = nullptr;
    type_ = wider;
  }
  Value finish() {
    if (reused_ == nullptr) return to_value(std::move(made_));
    // Numbers in the memory of characters are filled with 0.
    const auto flags = static_cast<std::uint8_t>((array_->flags & ~Array::fill_mask) | static_cast<std::uint8_t>(FillKind::zero));
    array_->describe(array_description(type_, array_->rank(), flags));
    return std::move(*reused_);
  }

 private:
  Heap& heap_;
  ElementType type_;
  Ref<Array> made_;
  Value* reused_;
  bool is_apart_;
  Array* array_;
};

// Arrays are computed in parts of so many elements that an interrupt need not wait long; not in the memory of an argument, which
// an interrupt would leave half done.
inline constexpr std::size_t long_part = std::size_t{1} << 21;

}  // namespace griddle::primitives
