// ArrayBuilder: collects elements one by one and keeps them in the narrowest type so far.
#pragma once

#include "runtime/value/array.h"

namespace griddle {

class ArrayBuilder {
 public:
  // `expected` is a hint; more may be pushed.
  explicit ArrayBuilder(Heap& heap, std::size_t expected = 0) : heap_(heap), expected_(expected) {}

  void push(Value v) {
    if (array_ && count_ < room_) {
      if (v.is_number()) {
        double d = v.number();
        if (type_ == ElementType::f64) {
          array_->as<double>()[count_++] = d;
          return;
        }
        if (type_ == ElementType::i32) {
          // The test in doubles keeps the conversion defined.
          if (d >= -2147483648.0 && d <= 2147483647.0) {
            std::int32_t i = static_cast<std::int32_t>(d);
            if (i == d) {
              array_->as<std::int32_t>()[count_++] = i;
              return;
            }
          }
        }
      }
      if (type_ == ElementType::boxed) {
        array_->as<Value>()[count_++] = std::move(v);
        return;
      }
    }
    push_slow(std::move(v));
  }
  std::size_t size() const { return count_; }

  // Gives the elements as a list, or in a shape of that many elements; the builder is empty afterwards.
  // Boxed results have no fill, numbers 0, characters ' '; an empty result has type f64 and no fill.
  Value finish();
  Value finish(std::span<const std::size_t> shape);

 private:
  void push_slow(Value);
  void grow(ElementType, std::size_t room);
  Heap& heap_;
  Ref<Array> array_;
  std::size_t expected_;
  std::size_t count_ = 0;
  std::size_t room_ = 0;
  ElementType type_ = ElementType::bit;
};

}  // namespace griddle
