#include "primitives/cell_keys.h"

#include <algorithm>
#include <bit>

#include "primitives/hash.h"
#include "primitives/kernels/bit_runs.h"

namespace griddle::primitives {
namespace {

constexpr std::size_t interrupt_step = 1 << 16;

// Gives the array in a storage form that is not boxed if its elements allow it.
Value flattened(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::boxed || a.length == 0) return x;
  ElementType t = narrowest(a);
  return t == ElementType::boxed ? x : converted(cx.heap, a, t);
}

// Writes doubles so that equal numbers have equal bits: ¯0 becomes 0, and each NaN becomes a number of its own.
Value distinct_doubles(Context& cx, const Value& v, std::uint64_t sign) {
  const Array& a = v.array();
  const double* p = a.as<double>();
  bool plain = true;
  for (std::size_t i = 0; i < a.length; i++)
    plain &= (p[i] == p[i]) & (std::bit_cast<std::uint64_t>(p[i]) != std::uint64_t{1} << 63);
  if (plain) return v;
  Ref<Array> out = make_list(cx.heap, ElementType::f64, a.length);
  auto* q = out->as<std::uint64_t>();
  for (std::size_t i = 0; i < a.length; i++)
    q[i] = p[i] == p[i] ? std::bit_cast<std::uint64_t>(p[i] + 0.0) : (std::uint64_t{0x7FF8} << 48 | sign) + i;
  return to_value(std::move(out));
}

constexpr ElementType storage_of(unsigned width) {
  return width == 8 ? ElementType::i8 : width == 16 ? ElementType::i16 : width == 32 ? ElementType::i32 : ElementType::f64;
}

template <class Key>
void pack_bit_cells(Key* out, const Array& a, std::size_t cells, std::size_t cell) {
  for (std::size_t i = 0; i < cells; i++) out[i] = static_cast<Key>(kernels::read_bits(a.as<std::uint64_t>(), i * cell, cell));
}

template <class Key>
void pack_byte_cells(Key* out, const std::uint8_t* from, std::size_t cells, std::size_t bytes) {
  for (std::size_t i = 0; i < cells; i++) {
    Key k = 0;
    std::memcpy(&k, from + i * bytes, bytes);
    out[i] = k;
  }
}

// Tells whether cells of `cell` elements fit a key.
bool packs(ElementType t, std::size_t cell) {
  return t != ElementType::boxed && cell > 0 && cell <= 64 && cell * bits_of(t) <= 64;
}

// Packs each cell into a key; the cells must fit. `sign` tells apart the NaNs of two arrays.
CellKeys packed(Context& cx, const Value& v, std::size_t cells, std::size_t cell, std::uint64_t sign) {
  const Array& a = v.array();
  CellKeys keys;
  keys.count = cells;
  std::size_t bits = cell * bits_of(a.type());
  keys.width = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  if (a.type() == ElementType::f64) {
    keys.memory = distinct_doubles(cx, v, sign);
    keys.data = keys.memory.array().data;
    return keys;
  }
  if (bits == keys.width && a.type() != ElementType::bit) {
    bool aligned = reinterpret_cast<std::uintptr_t>(a.data.get()) % (keys.width / 8) == 0;
    if (aligned) {
      keys.memory = v;
      keys.data = a.data;
      return keys;
    }
  }
  Ref<Array> out = make_list(cx.heap, storage_of(keys.width), cells);
  auto write = [&](auto* to) {
    if (a.type() == ElementType::bit)
      pack_bit_cells(to, a, cells, cell);
    else
      pack_byte_cells(to, a.data, cells, bits / 8);
  };
  switch (keys.width) {
    case 8: write(out->as<std::uint8_t>()); break;
    case 16: write(out->as<std::uint16_t>()); break;
    case 32: write(out->as<std::uint32_t>()); break;
    default: write(out->as<std::uint64_t>()); break;
  }
  keys.data = out->data;
  keys.memory = to_value(std::move(out));
  return keys;
}

// Makes a list of class numbers to be filled in.
CellKeys class_keys(Context& cx, std::size_t cells) {
  Ref<Array> out = make_list(cx.heap, ElementType::i32, cells);
  CellKeys keys;
  keys.data = out->data;
  keys.memory = to_value(std::move(out));
  keys.width = 32;
  keys.count = cells;
  return keys;
}

CellKeys numbered(Context& cx, CellNumbers& numbers, std::size_t cells) {
  CellKeys keys = class_keys(cx, cells);
  auto* out = keys.memory.array().as<std::uint32_t>();
  for (std::size_t i = 0; i < cells; i++) {
    if (i % interrupt_step == 0) cx.check_interrupt();
    out[i] = numbers.insert(i);
  }
  return keys;
}

// All cells are alike: those without elements.
CellKeys alike(Context& cx, std::size_t cells) {
  CellKeys keys = class_keys(cx, cells);
  std::fill_n(keys.memory.array().as<std::uint32_t>(), cells, 0u);
  keys.range = 1;
  return keys;
}

}  // namespace

CellKeys keys_of_cells(Context& cx, const Value& x) {
  std::size_t cells = x.array().cells(), cell = x.array().cell_length();
  if (cell == 0) return alike(cx, cells);
  Value flat = flattened(cx, x);
  const Array& a = flat.array();
  if (packs(a.type(), cell)) return packed(cx, flat, cells, cell, 0);
  CellNumbers numbers(cx, a, cell);
  CellKeys keys = numbered(cx, numbers, cells);
  keys.range = numbers.size();
  return keys;
}

KeyPair keys_of_both(Context& cx, const Value& principal, const Value& other) {
  KeyPair pair;
  const Array& p = principal.array();
  std::span<const std::size_t> cell_shape = p.shape().subspan(1);
  Value rest = other.is_array() ? other : enclose(cx.heap, other);
  std::span<const std::size_t> shape = rest.array().shape();
  std::size_t frame = shape.size() - cell_shape.size();
  std::size_t cells = p.cells(), others = product(shape.first(frame)), cell = product(cell_shape);
  if (!same_shape(shape.subspan(frame), cell_shape)) {
    pair.never_match = true;
    return pair;
  }
  if (cell == 0) {
    pair.principal = alike(cx, cells);
    pair.other = alike(cx, others);
    return pair;
  }
  Value a = flattened(cx, principal), b = flattened(cx, rest);
  if (a.array().length == 0 || b.array().length == 0) {
    pair.never_match = true;
    return pair;
  }
  ElementType s = a.array().type(), t = b.array().type(), common = common_type(s, t);
  if (common == ElementType::boxed && s != ElementType::boxed && t != ElementType::boxed) {
    pair.never_match = true;
    return pair;
  }
  // What does not fit the narrower type of numbers matches nothing there, but finding that out costs as much as widening.
  a = widened(cx.heap, std::move(a), common);
  b = widened(cx.heap, std::move(b), common);
  if (packs(common, cell)) {
    pair.principal = packed(cx, a, cells, cell, 0);
    pair.other = packed(cx, b, others, cell, std::uint64_t{1} << 63);
    return pair;
  }
  CellNumbers numbers(cx, a.array(), cell);
  pair.principal = numbered(cx, numbers, cells);
  pair.other = class_keys(cx, others);
  auto* out = pair.other.memory.array().as<std::uint32_t>();
  for (std::size_t i = 0; i < others; i++) {
    if (i % interrupt_step == 0) cx.check_interrupt();
    std::uint32_t found = numbers.find(b.array(), i * cell);
    out[i] = found == CellNumbers::none ? static_cast<std::uint32_t>(numbers.size()) : found;
  }
  pair.principal.range = pair.other.range = numbers.size() + 1;
  return pair;
}

}  // namespace griddle::primitives
