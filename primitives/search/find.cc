// Find ⍷: where an array begins in another one.
#include "primitives/kernels/search/find.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "primitives/common/elements.h"
#include "primitives/functions.h"
#include "primitives/search/cell_keys.h"
#include "primitives/search/key_table.h"
#include "primitives/structure/match.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {
namespace {

// A box of numbers: the windows of one of the arguments, where equal windows have equal numbers.
struct Windows {
  Shape shape;
  Ref<Array> memory;
  std::uint32_t* numbers() { return memory->as<std::uint32_t>(); }
};

// Names pairs of neighbours `step` apart along an axis: each pair that occurs in the pattern gets a number of its own.
class PairNames {
 public:
  PairNames(Context& cx, std::size_t axis, std::size_t step, std::size_t expected)
      : cx_(cx), table_(cx.heap, expected), axis_(axis), step_(step) {}

  // Replaces windows by windows that are `step` longer. New pairs are named only where `naming` says so.
  void lengthen(Windows& windows, bool naming) {
    Shape shape = windows.shape;
    std::size_t n = shape[axis_];
    shape[axis_] = n - step_;
    std::size_t before = product(shape.view().first(axis_)), cell = product(shape.view().subspan(axis_ + 1));
    Ref<Array> memory = make_list(cx_.heap, ElementType::i32, product(shape));
    const std::uint32_t* from = windows.numbers();
    auto* to = memory->as<std::uint32_t>();
    for (std::size_t i = 0; i < before; i++) {
      cx_.check_interrupt();
      const std::uint32_t* p = from + i * n * cell;
      for (std::size_t j = 0; j < (n - step_) * cell; j++) *to++ = name(p[j], p[j + step_ * cell], naming);
    }
    windows.shape = std::move(shape);
    windows.memory = std::move(memory);
  }

 private:
  std::uint32_t name(std::uint32_t a, std::uint32_t b, bool naming) {
    if (a == no_number || b == no_number) return no_number;
    std::uint64_t pair = std::uint64_t{a} << 32 | b;
    if (!naming) return table_.find(pair);
    std::uint32_t& number = table_[pair];
    if (number == no_number) number = next_++;
    return number;
  }
  Context& cx_;
  HashTable<std::uint64_t> table_;
  std::uint32_t next_ = 0;
  std::size_t axis_, step_;
};

// Numbers the elements of the pattern, and those of the other array that occur in it.
void number_elements(Context& cx, const KeyPair& keys, Windows& pattern, Windows& text) {
  pattern.memory = make_list(cx.heap, ElementType::i32, keys.principal.count);
  text.memory = make_list(cx.heap, ElementType::i32, keys.other.count);
  with_keys(keys.principal, [&](const auto* data) {
    using Key = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
    with_table(cx, keys.principal, data, keys.other.count, [&](auto&& table) {
      std::uint32_t next = 0;
      for (std::size_t i = 0; i < keys.principal.count; i++) {
        std::uint32_t& number = table[data[i]];
        if (number == no_number) number = next++;
        pattern.numbers()[i] = number;
      }
      const Key* others = keys.other.as<Key>();
      for (std::size_t i = 0; i < keys.other.count; i++) text.numbers()[i] = table.find(others[i]);
    });
  });
}

// Finds a pattern of any rank: doubles the length of the windows that have numbers, one axis after the other.
void find_by_names(Context& cx, const KeyPair& keys, std::span<const std::size_t> pattern_shape,
                   std::span<const std::size_t> text_shape, std::uint64_t* out) {
  Windows pattern, text;
  number_elements(cx, keys, pattern, text);
  std::size_t frame = text_shape.size() - pattern_shape.size();
  pattern.shape = Shape();
  pattern.shape.resize(frame, 1);
  pattern.shape.append(pattern_shape);
  text.shape = Shape(text_shape);
  for (std::size_t axis = text_shape.size(); axis-- > frame;) {
    for (std::size_t length = 1, all = pattern_shape[axis - frame]; length < all;) {
      std::size_t step = std::min(length, all - length);
      PairNames names(cx, axis, step, pattern.memory->length);
      names.lengthen(pattern, true);
      names.lengthen(text, false);
      length += step;
    }
  }
  std::uint32_t wanted = pattern.numbers()[0];
  for (std::size_t i = 0; i < text.memory->length; i++) out[i >> 6] |= std::uint64_t{text.numbers()[i] == wanted} << (i & 63);
}

// Finds a longer pattern in rows: by its first keys, then by looking at the rest. Gives false where so much looking is needed
// that another way is faster; `out` then holds no marks.
template <class Key>
bool find_by_beginning(const Key* pattern, std::size_t m, const Key* text, std::size_t row, std::size_t places, std::size_t total,
                       std::uint64_t* out) {
  constexpr std::size_t first = kernels::most_found_keys;
  std::size_t keys_left = 4 * total + 4096;
  for (std::size_t i = 0; i * places < total; i++) kernels::find_keys(pattern, first, text + i * row, places, out, i * places);
  for (std::size_t word = 0; word * 64 < total; word++)
    for (std::uint64_t rest = out[word]; rest != 0; rest &= rest - 1) {
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      if (place >= total) break;
      if (keys_left < m) {
        std::memset(out, 0, bytes_for(ElementType::bit, total));
        return false;
      }
      keys_left -= m;
      const Key* from = text + place / places * row + place % places;
      if (!std::equal(pattern + first, pattern + m, from + first)) out[word] &= ~(rest & -rest);
    }
  return true;
}

// Tells whether doubles are equal to others exactly where their bits are, whatever the others are: none is NaN or any 0.
bool are_plain_doubles(const Array& a) {
  return std::all_of(a.as<double>(), a.as<double>() + a.length, [](double d) { return d == d && d != 0; });
}

// Finds a short list in a longer one of the same plain type, where equal elements have equal bytes; absent for all else.
Value find_in_list(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array()) return Value();
  const Array &pattern = w.array(), &text = x.array();
  const std::size_t m = pattern.length;
  const ElementType type = text.type();
  if (!pattern.is_list() || !text.is_list() || pattern.type() != type || type == ElementType::boxed || type == ElementType::bit ||
      reinterpret_cast<std::uintptr_t>(text.data.here()) % (bits_of(type) / 8) != 0 || m == 0 || m > kernels::most_found_keys ||
      m > text.length || pattern.data.elsewhere() || text.data.elsewhere() ||
      (type == ElementType::f64 && !are_plain_doubles(pattern)))
    return Value();
  const std::size_t count = text.length - m + 1;
  Array* const out = make_plain_list(cx.heap, ElementType::bit, count);
  out->as<std::uint64_t>()[(count - 1) / 64] = 0;
  const auto find = [&]<class Key>(const Key* keys) {
    kernels::find_keys(pattern.as<Key>(), m, keys, count, out->as<std::uint64_t>(), 0);
    return Value(out);
  };
  switch (bits_of(type)) {
    case 8: return find(text.as<std::uint8_t>());
    case 16: return find(text.as<std::uint16_t>());
    case 32: return find(text.as<std::uint32_t>());
    default: return find(text.as<std::uint64_t>());
  }
}

// Looks for a list at the few places of each row where it fits, one after the other. Gives false where there are more, or types
// differ.
bool find_at_few_places(const Array& w, const Array& x, std::size_t row, std::size_t places, std::size_t total,
                        std::uint64_t* out) {
  constexpr std::size_t most_places = 4;
  if (places > most_places || w.type() != x.type() || x.type() == ElementType::boxed) return false;
  for (std::size_t i = 0; i < total; i++)
    out[i / 64] |= std::uint64_t{equal_runs(w, 0, x, i / places * row + i % places, w.length)} << i % 64;
  return true;
}

}  // namespace

Value find(Context& cx, Value w, Value x) {
  if (Value found = find_in_list(cx, w, x); !found.is_absent()) return found;
  std::size_t rank = rank_of(w);
  if (rank > rank_of(x)) {
    const std::string shapes = " (shapes " + shape_text(w) + " and " + shape_text(x) + ")";
    fail_on(make_string(cx.heap, "Find: The rank of 𝕨 must not be above that of 𝕩" + shapes), w, x);
  }
  x = as_array(cx.heap, std::move(x));
  w = as_array(cx.heap, std::move(w));
  std::span<const std::size_t> text = x.array().shape(), pattern = w.array().shape();
  Shape shape(text);
  for (std::size_t k = 0; k < rank; k++) {
    std::size_t& n = shape[text.size() - rank + k];
    n = n + 1 > pattern[k] ? n + 1 - pattern[k] : 0;
  }
  checked_length(cx, "Find", shape);
  Ref<Array> out = make_array(cx.heap, ElementType::bit, shape);
  auto* marks = out->as<std::uint64_t>();
  std::size_t bytes = bytes_for(ElementType::bit, out->length), m = w.array().length;
  std::memset(marks, m == 0 ? 0xFF : 0, bytes);
  if (out->length == 0 || m == 0) return to_value(std::move(out));
  std::size_t row = text.empty() ? 1 : text.back(), places = shape.size() ? shape[shape.size() - 1] : 1;
  if (rank == 1 && find_at_few_places(w.array(), x.array(), row, places, out->length, marks)) return to_value(std::move(out));
  bool rows = rank <= 1 && m <= kernels::most_found_keys;
  if (rows && w.array().type() == ElementType::bit && x.array().type() == ElementType::bit) {
    for (std::size_t i = 0; i * places < out->length; i++)
      kernels::find_bits(w.array().as<std::uint64_t>(), m, x.array().as<std::uint64_t>(), i * row, places, marks, i * places);
    return to_value(std::move(out));
  }
  KeyPair keys = keys_of_both(cx, ravel(cx.heap, w), ravel(cx.heap, x));
  if (keys.never_match) return to_value(std::move(out));
  if (rows)
    with_keys(keys.principal, [&](const auto* data) {
      const auto* others = keys.other.as<std::remove_const_t<std::remove_pointer_t<decltype(data)>>>();
      for (std::size_t i = 0; i * places < out->length; i++)
        kernels::find_keys(data, m, others + i * row, places, marks, i * places);
    });
  else if (rank > 1 || !with_keys(keys.principal, [&](const auto* data) {
             const auto* others = keys.other.as<std::remove_const_t<std::remove_pointer_t<decltype(data)>>>();
             return find_by_beginning(data, m, others, row, places, out->length, marks);
           }))
    find_by_names(cx, keys, pattern, text, marks);
  return to_value(std::move(out));
}

}  // namespace griddle::primitives
