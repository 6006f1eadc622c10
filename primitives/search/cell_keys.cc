#include "primitives/search/cell_keys.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>

#include "primitives/common/elements.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/search/hash.h"

namespace griddle::primitives {
namespace {

constexpr std::size_t interrupt_step = 1 << 16;

// Writes doubles so that equal numbers have equal bits: ¯0 becomes 0, and each NaN becomes a number of its own.
Value distinct_doubles(Context& cx, const Value& v, std::uint64_t sign) {
  const Array& a = v.array();
  const double* p = a.as<double>();
  if (kernels::equal_as_bits(p, a.length)) return v;
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
  // Reads whole keys where there is as much, and leaves what belongs to the next cells.
  const Key mask = static_cast<Key>(~Key{0} >> (8 * (sizeof(Key) - bytes)));
  const std::size_t whole = cells * bytes < sizeof(Key) ? 0 : (cells * bytes - sizeof(Key)) / bytes + 1;
  for (std::size_t i = 0; i < cells; i++) {
    Key k = 0;
    if (i < whole) [[likely]]
      std::memcpy(&k, from + i * bytes, sizeof k);
    else
      std::memcpy(&k, from + i * bytes, bytes);
    out[i] = k & mask;
  }
}

// Tells whether cells of `cell` elements fit a key.
bool packs(ElementType t, std::size_t cell) {
  return t != ElementType::boxed && cell > 0 && cell <= 64 && cell * bits_of(t) <= 64;
}

// Packs each cell into a key; the cells must fit. `sign` tells apart the NaNs of two arrays.
CellKeys packed(Context& cx, const Value& v, std::size_t cells, std::size_t cell, std::uint64_t sign) {
  const Array& a = v.array();
  const std::size_t bits = cell * bits_of(a.type());
  const unsigned width = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  const bool are_keys =
      bits == width && a.type() != ElementType::bit && reinterpret_cast<std::uintptr_t>(a.data.get()) % (width / 8) == 0;
  if (a.type() == ElementType::f64 || are_keys) {
    CellKeys keys;
    if (a.type() == ElementType::f64)
      keys.memory = distinct_doubles(cx, v, sign);
    else
      keys.memory = v;
    keys.data = keys.memory.array().data;
    keys.width = width;
    keys.count = cells;
    return keys;
  }
  Ref<Array> out = make_list(cx.heap, storage_of(width), cells);
  auto write = [&](auto* to) {
    if (a.type() == ElementType::bit)
      pack_bit_cells(to, a, cells, cell);
    else
      pack_byte_cells(to, a.data, cells, bits / 8);
  };
  switch (width) {
    case 8: write(out->as<std::uint8_t>()); break;
    case 16: write(out->as<std::uint16_t>()); break;
    case 32: write(out->as<std::uint32_t>()); break;
    default: write(out->as<std::uint64_t>()); break;
  }
  return CellKeys(std::move(out), width);
}

// Makes a list of class numbers to be filled in.
CellKeys class_keys(Context& cx, std::size_t cells) { return CellKeys(make_list(cx.heap, ElementType::i32, cells), 32); }

CellKeys numbered(Context& cx, CellNumbers& numbers, std::size_t cells) {
  CellKeys keys = class_keys(cx, cells);
  auto* out = keys.memory.array().as<std::uint32_t>();
  for (std::size_t i = 0; i < cells; i += interrupt_step) {
    cx.check_interrupt();
    numbers.insert(i, std::min(interrupt_step, cells - i), out + i);
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

// Short flat lists as numbers: what lists of words, and of pairs of small numbers, are made of.
struct ShortLists {
  bool characters = false;
  bool of_equal_length = true;
  unsigned width = 8;                   // bits an element
  std::size_t most = 0;                 // elements of the longest
  std::size_t first = ~std::size_t{0};  // length of the first
};

// Looks over elements, after others; false where one of them cannot become part of a key.
bool survey_short_lists(std::span<const Value> lists, ShortLists& all) {
  constexpr std::size_t longest = 8;
  ShortLists seen = all;
  std::uint32_t accepted = 0;  // how the last list with elements is described, which most others are like
  for (const Value& v : lists) {
    if (!v.is_array()) return false;
    const Array& a = v.array();
    if (a.length > longest || a.data.elsewhere()) return false;
    if (const std::uint32_t described = PlainList::described(a); described != accepted) {
      if (!a.is_list() || a.type() == ElementType::boxed || a.type() == ElementType::f64) return false;
      // Lists of no elements match whatever kind they are of.
      if (a.length != 0) {
        const bool characters = is_character(a.type());
        if (seen.most != 0 && characters != seen.characters) return false;
        seen.characters = characters;
        seen.width = std::max(seen.width, bits_of(a.type()));
        accepted = described;
      }
    }
    if (seen.first == ~std::size_t{0}) seen.first = a.length;
    seen.of_equal_length &= a.length == seen.first;
    seen.most = std::max(seen.most, a.length);
  }
  all = seen;
  // The length takes a byte where it varies.
  return all.most * all.width <= (all.of_equal_length ? 64 : 56);
}

[[gnu::noinline]] std::uint64_t packed_elements(const Array& a, unsigned width) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  std::uint64_t key = 0;
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = a.length; i-- > 0;) {
      std::uint64_t element = 0;
      if constexpr (std::is_same_v<T, Bit>)
        element = std::uint64_t{a.bit(i)};
      else if constexpr (std::is_integral_v<T>)
        element = static_cast<std::uint64_t>(a.as<T>()[i]) & mask;
      key = (width == 64 ? 0 : key << width) | element;
    }
  });
  return key;
}
inline std::uint64_t packed_list(const Array& a, unsigned width) {
  if (bits_of(a.type()) != width || a.length == 0 || a.is_view()) return packed_elements(a, width);
  // What lies before the elements is the array's head: the word that ends with them may be read.
  const std::size_t bytes = a.length * (width / 8);
  std::uint64_t word;
  std::memcpy(&word, a.data + bytes - 8, 8);
  return word >> 8 * (8 - bytes);
}
CellKeys packed_lists(Context& cx, std::span<const Value> lists, const ShortLists& all) {
  Ref<Array> out = make_list(cx.heap, ElementType::f64, lists.size());
  std::uint64_t* to = out->as<std::uint64_t>();
  for (std::size_t i = 0; i < lists.size(); i++) {
    const Array& a = lists[i].array();
    to[i] = packed_list(a, all.width) | (all.of_equal_length ? 0 : std::uint64_t{a.length} << 56);
  }
  return CellKeys(std::move(out), 64);
}

// Numbers of other values among short texts: what no text of up to 7 bytes has as its key.
constexpr std::uint64_t other_value = std::uint64_t{0xFF} << 56;

// Gives the key of a text of up to 7 characters below 256.
bool text_key(const Value& v, std::uint64_t& key) {
  if (rank_of(v) != 1 || v.array().length > 7) return false;
  const Array& a = v.array();
  const std::uint64_t length = std::uint64_t{a.length} << 56;
  if (a.length == 0) {
    key = 0;
    return true;
  }
  if (is_number(a.type())) return false;
  key = length;
  if (a.type() == ElementType::c8) {
    key |= packed_list(a, 8);
    return true;
  }
  // Characters that stand in boxes make a text, too.
  for (std::size_t i = 0; i < a.length; i++) {
    const Value c = element(a, i);
    if (!c.is_character() || c.character() >= 256) return false;
    key |= std::uint64_t{c.character()} << 8 * i;
  }
  return true;
}

// Tells whether enough of the first elements are short texts.
bool holds_texts(std::span<const Value> values) {
  const std::span<const Value> some = values.first(std::min<std::size_t>(values.size(), 16));
  std::uint64_t key;
  return 2 * std::count_if(some.begin(), some.end(), [&](const Value& v) { return text_key(v, key); }) >= std::ssize(some);
}

// Makes keys of texts; number(i) is that of an element that is no short text.
template <class Number>
CellKeys text_keys(Context& cx, std::span<const Value> values, Number number) {
  Ref<Array> out = make_list(cx.heap, ElementType::f64, values.size());
  std::uint64_t* to = out->as<std::uint64_t>();
  for (std::size_t i = 0; i < values.size(); i++) {
    if (i % interrupt_step == 0) cx.check_interrupt();
    if (!text_key(values[i], to[i])) to[i] = other_value | number(i);
  }
  return CellKeys(std::move(out), 64);
}

// Makes the keys of cells that do not fit one, of one array and, where there are others, of another one of its type.
KeyPair keys_by_contents(Context& cx, const Value& a, std::size_t cells, const Value& b, std::size_t others, std::size_t cell) {
  KeyPair pair;
  const Array &own = a.array(), &other = b.array();
  const bool both = &b != &a, are_boxes = cell == 1 && own.type() == ElementType::boxed;
  std::span<const Value> boxes, other_boxes;
  if (are_boxes) boxes = own.boxes(), other_boxes = other.boxes();
  if (ShortLists all; are_boxes && survey_short_lists(boxes, all) && (!both || survey_short_lists(other_boxes, all))) {
    pair.principal = packed_lists(cx, boxes, all);
    if (both) pair.other = packed_lists(cx, other_boxes, all);
    return pair;
  }
  const bool texts = are_boxes && holds_texts(boxes);
  ElementType held = held_type(boxes);
  if (both && held != ElementType::boxed) held = held_type(other_boxes, held);
  CellNumbers numbers(cx, own, cell, texts ? 0 : cells, held);
  const auto number_of_other = [&](std::size_t i) {
    const std::uint32_t found = numbers.find(other, i);
    return found == CellNumbers::none ? static_cast<std::uint32_t>(numbers.size()) : found;
  };
  if (texts) {
    pair.principal = text_keys(cx, boxes, [&](std::size_t i) { return numbers.insert(i); });
    if (both) pair.other = text_keys(cx, other_boxes, number_of_other);
    return pair;
  }
  pair.principal = numbered(cx, numbers, cells);
  pair.principal.range = numbers.size();
  if (!both) return pair;
  if (&own == &other && numbers.all_matchable()) {
    pair.other = pair.principal;
    return pair;
  }
  pair.other = class_keys(cx, others);
  auto* out = pair.other.memory.array().as<std::uint32_t>();
  for (std::size_t i = 0; i < others; i += interrupt_step) {
    cx.check_interrupt();
    numbers.find(other, i, std::min(interrupt_step, others - i), out + i);
  }
  std::replace(out, out + others, CellNumbers::none, static_cast<std::uint32_t>(numbers.size()));
  pair.principal.range = pair.other.range = numbers.size() + 1;
  return pair;
}

}  // namespace

CellKeys keys_of_cells(Context& cx, const Value& x) {
  std::size_t cells = x.array().cells(), cell = x.array().cell_length();
  if (cell == 0) return alike(cx, cells);
  const Value flat = flattened(cx.heap, x);
  if (packs(flat.array().type(), cell)) return packed(cx, flat, cells, cell, 0);
  return keys_by_contents(cx, flat, cells, flat, 0, cell).principal;
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
  Value a = flattened(cx.heap, principal), b = flattened(cx.heap, rest);
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
  if (!packs(common, cell)) return keys_by_contents(cx, a, cells, b, others, cell);
  pair.principal = packed(cx, a, cells, cell, 0);
  pair.other = packed(cx, b, others, cell, std::uint64_t{1} << 63);
  return pair;
}

namespace {

// Gives the bounds of keys that bytes tell apart; none where they do not, or keys are so few that to find out does not pay.
std::optional<kernels::Bounds> bounds_of_close(const CellKeys& keys, ElementType type) {
  constexpr std::size_t some = 64;
  if (keys.count < tuning().fewest_close_keys) return {};
  const auto is_close = [](kernels::Bounds b) { return b.high - b.low < 256; };
  if (!is_close(kernels::bounds_of(type, keys.data, std::min(keys.count, some)))) return {};
  const kernels::Bounds all = kernels::bounds_of(type, keys.data, keys.count);
  if (!is_close(all)) return {};
  return all;
}

// Tells whether a byte is left that stands for others, which lie elsewhere, or whether there are none.
bool leave_a_byte(const kernels::Bounds& bounds, const CellKeys& others, ElementType type) {
  if (bounds.high - bounds.low < 255) return true;
  const kernels::Bounds all = kernels::bounds_of(type, others.data, others.count);
  return all.low >= bounds.low && all.high <= bounds.high;
}

CellKeys bytes_above(Context& cx, const CellKeys& keys, ElementType type, std::int64_t low) {
  Ref<Array> out = make_list(cx.heap, ElementType::i8, keys.count);
  kernels::bytes_above(type, keys.data, keys.count, low, out->data);
  return CellKeys(std::move(out), 8);
}

}  // namespace

void shorten(Context& cx, CellKeys& keys, CellKeys* others) {
  if (keys.width != 16 && keys.width != 32) return;
  const ElementType type = keys.width == 16 ? ElementType::i16 : ElementType::i32;
  const auto bounds = bounds_of_close(keys, type);
  if (!bounds || (others != nullptr && !leave_a_byte(*bounds, *others, type))) return;
  keys = bytes_above(cx, keys, type, bounds->low);
  if (others != nullptr) *others = bytes_above(cx, *others, type, bounds->low);
}

}  // namespace griddle::primitives
