// IndexList: an array of places or counts being written, in the narrowest type for the largest of them.
#pragma once

#include <algorithm>

#include "runtime/value/array.h"

namespace griddle::primitives {

// Gives the narrowest type above bits for numbers 0 to `largest`.
constexpr ElementType index_type(std::size_t largest) {
  return largest < 128                      ? ElementType::i8
         : largest < 32768                  ? ElementType::i16
         : largest < (std::size_t{1} << 31) ? ElementType::i32
                                            : ElementType::f64;
}

class IndexList {
 public:
  IndexList(Heap& heap, std::size_t largest, std::span<const std::size_t> shape)
      : heap_(heap), array_(make_array(heap, index_type(largest), shape)) {}
  std::size_t length() const { return array_->length; }
  Array& array() { return *array_; }

  // Calls f with a typed pointer to the elements.
  template <class F>
  void fill(F f) {
    switch (array_->type()) {
      case ElementType::i8: return f(array_->as<std::int8_t>());
      case ElementType::i16: return f(array_->as<std::int16_t>());
      case ElementType::i32: return f(array_->as<std::int32_t>());
      default: return f(array_->as<double>());
    }
  }
  // Says that all elements turned out to be below `end`, so that a narrower type may do.
  void limit(std::size_t end) {
    ElementType t = index_type(end ? end - 1 : 0);
    if (t == array_->type()) return;
    Value narrow = converted(heap_, *array_, t);
    array_ = Ref<Array>::share(&narrow.array());
  }
  // Fills in one number and finishes.
  Value all(std::size_t number) {
    fill([&](auto* to) { std::fill_n(to, array_->length, static_cast<std::remove_pointer_t<decltype(to)>>(number)); });
    return finish();
  }
  Value finish() { return to_value(std::move(array_)); }

 private:
  Heap& heap_;
  Ref<Array> array_;
};

}  // namespace griddle::primitives
