// Operand: one argument of a pervasive function as its kernels see it, in whatever storage form it is.
#pragma once

#include "primitives/kernels/shared/kernel.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Writes a single element as kernels read it: a bit as a word of equal bits. `out` has 8 bytes; the type must hold the value.
void store_single(const Value&, ElementType, void* out);

class Operand {
 public:
  // Most elements that are converted at a time: they stay in the first-level cache.
  static constexpr std::size_t piece = 2048;
  using Buffer = unsigned char[8 * piece];

  // `v` must be flat, and outlive the operand. Each element stands for `cell` places of the result; a single one for all of them.
  Operand(const Value& v, bool single, std::size_t cell);

  ElementType type() const { return type_; }
  bool single() const { return single_; }
  bool spreads() const { return !single_ && cell_ > 1; }
  std::size_t cell() const { return cell_; }
  Value at_place(std::size_t place) const;

  // Prepares for kernels that read this type. False where a single element is no value of the type (1.5 as an integer).
  bool want(ElementType);
  // Tells whether a kernel can read the array's own memory, or a single element.
  bool direct() const { return single_ || (cell_ == 1 && type_ == wanted_); }
  // Gives `count` elements from a place of the result on (a single one: just that), or null where one is no value of the wanted
  // type. At most `piece` elements unless direct.
  const void* read(std::size_t place, std::size_t count, Buffer& buffer) const;
  // Gives the one element that stands for the place, or null. Not for bits.
  const void* read_one(std::size_t place, Buffer& buffer) const { return elements(place / cell_, 1, buffer); }

 private:
  const void* elements(std::size_t first, std::size_t count, void* buffer) const;

  const Array* array_ = nullptr;
  Value one_;
  alignas(8) unsigned char alone_[8] = {};  // the single element as kernels read it; a bit is a word of equal bits
  ElementType type_;
  ElementType wanted_ = ElementType::boxed;
  bool single_;
  std::size_t cell_;
};

}  // namespace griddle::primitives
