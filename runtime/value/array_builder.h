// ArrayBuilder: collects elements one by one and keeps them in the narrowest type so far.
#pragma once

#include "runtime/value/array.h"

namespace griddle {

class ArrayBuilder {
 public:
  // `expected` is a hint; more may be pushed.
  explicit ArrayBuilder(Heap& heap, std::size_t expected = 0) : heap_(heap), expected_(expected) {}

  void push(Value v) {
    if (count_ < room_ && stored(v)) return;
    push_slow(std::move(v));
  }
  // Takes up to `count` more elements as the bits that next(i) gives, if they go on as boxes, until those are of the absent
  // value; gives how many came.
  template <class Next>
  std::size_t push_boxes(std::size_t count, Next next) {
    if (type_ != ElementType::boxed || room_ - count_ < count) return 0;
    std::uint64_t* const to = array_->as<std::uint64_t>() + count_;
    std::size_t i = 0;
    for (std::uint64_t bits; i < count && (bits = next(i)) != Value::absent_bits; i++) to[i] = bits;
    count_ += i;
    return i;
  }
  std::size_t size() const { return count_; }

  // Gives the elements as a list, or in a shape of that many elements; the builder is empty afterwards.
  // Boxed results have no fill, numbers 0, characters ' '; an empty result has type f64 and no fill.
  Value finish();
  Value finish(std::span<const std::size_t> shape);

 private:
  // Stores an element of the array's type; there is room.
  bool stored(Value& v) {
    if (type_ == ElementType::boxed) {
      array_->as<Value>()[count_++] = std::move(v);
      return true;
    }
    if (type_ == ElementType::bit) {
      const bool is_one = v.bits() == Value(1.0).bits();
      if (!is_one && v.bits() != 0) return false;
      std::uint64_t& word = array_->as<std::uint64_t>()[count_ >> 6];
      const unsigned place = count_++ & 63;
      word = (word & ~(std::uint64_t{1} << place)) | std::uint64_t{is_one} << place;
      return true;
    }
    switch (type_) {
      case ElementType::i8: return stored_integer<std::int8_t>(v);
      case ElementType::i16: return stored_integer<std::int16_t>(v);
      case ElementType::i32: return stored_integer<std::int32_t>(v);
      case ElementType::f64:
        if (!v.is_number()) return false;
        array_->as<double>()[count_++] = v.number();
        return true;
      case ElementType::c8:
        if (!v.is_character() || v.character() >= 0x100) return false;
        array_->as<std::uint8_t>()[count_++] = static_cast<std::uint8_t>(v.character());
        return true;
      default: return false;
    }
  }
  template <class T>
  bool stored_integer(const Value& v) {
    const double d = std::bit_cast<double>(v.bits());
    // Anything tagged is a NaN, which no comparison accepts; the test in doubles keeps the conversion defined.
    if (!(d >= -2147483648.0 && d <= 2147483647.0)) return false;
    const std::int32_t i = static_cast<std::int32_t>(d);
    if (i != d || static_cast<T>(i) != i) return false;
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
