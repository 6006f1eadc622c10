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
        // The test in doubles keeps the conversion defined.
        if (type_ < ElementType::f64 && d >= -2147483648.0 && d <= 2147483647.0) {
          std::int32_t i = static_cast<std::int32_t>(d);
          if (i == d && push_integer(i)) return;
        }
      }
      if (type_ == ElementType::boxed) {
        array_->as<Value>()[count_++] = std::move(v);
        return;
      }
      if (type_ == ElementType::c8 && v.is_character() && v.character() < 0x100) {
        array_->as<std::uint8_t>()[count_++] = static_cast<std::uint8_t>(v.character());
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
  // Stores an integer if the array's integer type holds it; there must be room.
  bool push_integer(std::int32_t i) {
    switch (type_) {
      case ElementType::i32: array_->as<std::int32_t>()[count_++] = i; return true;
      case ElementType::i16: return push_narrow<std::int16_t>(i);
      case ElementType::i8: return push_narrow<std::int8_t>(i);
      default: break;
    }
    if (i & ~1) return false;
    std::uint64_t& word = array_->as<std::uint64_t>()[count_ >> 6];
    unsigned place = count_++ & 63;
    word = (word & ~(std::uint64_t{1} << place)) | static_cast<std::uint64_t>(i) << place;
    return true;
  }
  template <class T>
  bool push_narrow(std::int32_t i) {
    if (static_cast<T>(i) != i) return false;
    array_->as<T>()[count_++] = static_cast<T>(i);
    return true;
  }
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
