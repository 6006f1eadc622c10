// ElementReader: reads the elements of a value one after another, numbers and characters without touching the heap.
#pragma once

#include <algorithm>
#include <bit>

#include "runtime/value/array.h"

namespace griddle::primitives {

// Borrows the value: it must stay where it is. An atom counts as a unit, with itself as its element.
class ElementReader {
 public:
  explicit ElementReader(const Value& v) {
    if (v.is_array()) {
      data_ = v.array().data;
      type_ = v.array().type();
    } else {
      data_ = reinterpret_cast<const std::uint8_t*>(&v);
      type_ = ElementType::boxed;
    }
  }
  // Lets the reader hand elements over instead of sharing them where nobody else can see the array, so that the callee may
  // change them in place. Each element may then be read once only.
  ElementReader& take_if_unseen(const Value& v) {
    takes_ = type_ == ElementType::boxed && v.is_array() && v.array().refs == 1 && !v.array().is_view();
    return *this;
  }

  Value operator[](std::size_t i) const {
    switch (type_) {
      case ElementType::bit: return Value(static_cast<int>(at<std::uint64_t>(i >> 6) >> (i & 63) & 1));
      case ElementType::i8: return Value(static_cast<int>(at<std::int8_t>(i)));
      case ElementType::i16: return Value(static_cast<int>(at<std::int16_t>(i)));
      case ElementType::i32: return Value(static_cast<int>(at<std::int32_t>(i)));
      case ElementType::f64: return Value(at<double>(i));
      case ElementType::c8: return Value::character(at<std::uint8_t>(i));
      case ElementType::c16: return Value::character(at<std::uint16_t>(i));
      case ElementType::c32: return Value::character(at<char32_t>(i));
      case ElementType::boxed: break;
    }
    if (takes_) return std::move(const_cast<Value&>(at<Value>(i)));
    return at<Value>(i);
  }

  // Tells whether elements are handed over.
  bool hands_over() const { return takes_; }
  // Gives a box that stays where it is; null for elements that are handed over.
  const Value* kept(std::size_t i) const { return type_ == ElementType::boxed && !takes_ ? &at<Value>(i) : nullptr; }
  // Gives an element where it is, or made in `room`.
  const Value& in_place(std::size_t i, Value& room) const {
    if (const Value* box = kept(i)) return *box;
    return room = (*this)[i];
  }

  // Tells whether the elements are atoms, which may be read in blocks.
  bool reads_atoms() const { return type_ != ElementType::boxed; }
  static constexpr std::size_t block_size = 64;
  // Reads the block that starts at element i; gives how many of the n elements are in it.
  std::size_t read_atoms(std::size_t i, std::size_t n, std::uint64_t* atoms) const {
    const std::size_t count = std::min(block_size, n - i);
    const auto numbers = [&]<class T>(const T* from) {
      for (std::size_t k = 0; k < count; k++) atoms[k] = std::bit_cast<std::uint64_t>(static_cast<double>(from[i + k]));
    };
    const auto characters = [&]<class T>(const T* from) {
      for (std::size_t k = 0; k < count; k++) atoms[k] = Value::character(from[i + k]).bits();
    };
    switch (type_) {
      case ElementType::i8: numbers(&at<std::int8_t>(0)); break;
      case ElementType::i16: numbers(&at<std::int16_t>(0)); break;
      case ElementType::i32: numbers(&at<std::int32_t>(0)); break;
      case ElementType::f64: numbers(&at<double>(0)); break;
      case ElementType::c8: characters(&at<std::uint8_t>(0)); break;
      case ElementType::c16: characters(&at<std::uint16_t>(0)); break;
      case ElementType::c32: characters(&at<char32_t>(0)); break;
      default:
        for (std::size_t k = 0; k < count; k++) atoms[k] = (*this)[i + k].bits();
    }
    return count;
  }

 private:
  template <class T>
  const T& at(std::size_t i) const {
    return reinterpret_cast<const T*>(data_)[i];
  }
  const std::uint8_t* data_;
  ElementType type_;
  bool takes_ = false;
};

}  // namespace griddle::primitives
