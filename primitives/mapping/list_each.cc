#include "primitives/mapping/each.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

// Tells whether a value is such a list of elements of whole bytes; all else is left to calls.
bool is_list_of_whole_bytes(const Value& v) { return is_flat_list(v) && v.array().type() != ElementType::bit; }
std::size_t bytes_of_element(const Array& a) { return bits_of(a.type()) / 8; }

// Makes a list whose memory has whole words.
inline Array* new_list(Heap& heap, ElementType type, std::size_t length) {
  constexpr std::size_t most_bytes_at_hand = 64;
  if (bytes_for(type, length) <= most_bytes_at_hand)
    if (Array* list = make_list_at_hand(heap, type, length)) [[likely]]
      return list;
  return make_list(heap, type, length).leak();
}

// Copies bytes of an array's memory into the memory of a list, which has whole words. What lies before elements is the array's
// head, so that a word which ends with them may be read: lengths that vary then cost no branches.
inline void copy_piece_of(std::uint8_t* to, const Array& owner, const std::uint8_t* from, std::size_t bytes) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  if (owner.is_view() || bytes > 2 * word) {
    std::memcpy(to, from, bytes);
    return;
  }
  if (bytes > word) {
    std::memcpy(to, from, word);
    to += word, from += word, bytes -= word;
  }
  std::uint64_t last;
  std::memcpy(&last, from + bytes - word, word);
  // A shift by all bits has no meaning.
  const unsigned half = 4 * static_cast<unsigned>(word - bytes);
  last = last >> half >> half;
  std::memcpy(to, &last, word);
}

inline Value piece(Heap& heap, const Array& a, std::size_t start, std::size_t count) {
  Array* list = new_list(heap, a.type(), count);
  copy_piece_of(list->data.here(), a, a.data.here() + start * bytes_of_element(a), count * bytes_of_element(a));
  return Value(list);
}

Value reversed(Heap& heap, const Array& a) {
  Array* const list = new_list(heap, a.type(), a.length);
  kernels::reversal(log2_bits_of(a.type()))(list->data.here(), a.data.here(), a.length);
  return Value(list);
}

// Joins numbers and characters, which become boxes.
Value joined_as_boxes(Heap& heap, const Value& w, const Value& x) {
  const Array &a = w.array(), &b = x.array();
  Ref<Array> boxes = make_list(heap, ElementType::boxed, a.length + b.length);
  copy_run(*boxes, 0, a, 0, a.length);
  copy_run(*boxes, a.length, b, 0, b.length);
  return to_value(std::move(boxes));
}
Value joined_bits(Heap& heap, const Array& a, const Array& b) {
  const std::size_t n = a.length + b.length;
  Array* list = new_list(heap, ElementType::bit, n);
  if (n % 64 != 0) list->as<std::uint64_t>()[n / 64] = 0;
  kernels::copy_bit_run(list->as<std::uint64_t>(), 0, a.as<std::uint64_t>(), 0, a.length);
  kernels::copy_bit_run(list->as<std::uint64_t>(), a.length, b.as<std::uint64_t>(), 0, b.length);
  return Value(list);
}

// Joins two lists of one type, or of numbers and characters; an atom has been made a list. The absent value for others.
Value joined(Heap& heap, const Value& w, const Value& x) {
  if (!is_flat_list(w) || !is_flat_list(x)) return Value();
  const Array &a = w.array(), &b = x.array();
  if (is_number(a.type()) != is_number(b.type()) && a.length != 0 && b.length != 0) return joined_as_boxes(heap, w, x);
  if (a.type() != b.type()) return Value();
  if (a.type() == ElementType::bit) return joined_bits(heap, a, b);
  Array* list = new_list(heap, a.type(), a.length + b.length);
  // The second is written over what the first may have left beyond its end.
  const std::size_t bytes = a.length * bytes_of_element(a);
  copy_piece_of(list->data.here(), a, a.data.here(), bytes);
  std::memcpy(list->data.here() + bytes, b.data.here(), b.length * bytes_of_element(b));
  return Value(list);
}

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t most_overtaken = 4096;  // elements; the primitive itself says where results are too long

// Takes or drops elements of a list.
template <bool takes>
Value kept(Heap& heap, std::int64_t n, const Value& x) {
  if (!is_list_of_whole_bytes(x)) return Value();
  const Array& a = x.array();
  const std::size_t count = magnitude(n);
  if (!takes || count <= a.length) {
    const KeptCells run = kept_cells(takes, n, a.length);
    return piece(heap, a, run.start, run.count);
  }
  if (count > most_overtaken) return Value();
  Array* list = new_list(heap, a.type(), count);
  const std::size_t added = count - a.length, width = bytes_of_element(a);
  std::memcpy(list->data.here() + (n < 0 ? added * width : 0), a.data.here(), a.length * width);
  std::uint8_t* const fills = list->data.here() + (n < 0 ? 0 : a.length * width);
  if (is_character(a.type()))
    kernels::fill(bits_of(a.type()), fills, U' ', added);
  else
    std::memset(fills, 0, added * width);
  return Value(list);
}

// Makes an array of the results for all places; the absent value where one is absent.
template <class Result>
Value all_results(Context& cx, const Array& shaped, Result result) {
  Ref<Array> lists = make_like(cx.heap, ElementType::boxed, shaped);
  Value* to = lists->as<Value>();
  for (std::size_t i = 0; i < shaped.length; i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    Value one = result(i);
    if (one.is_absent()) return Value();
    new (to + i) Value(std::move(one));
  }
  return to_value(std::move(lists));
}

// One argument of a function on each: many elements, or one that meets all of them.
struct EachArgument {
  const Value* first;
  std::size_t step;
  const Value& operator[](std::size_t i) const { return first[i * step]; }
};

// Names the functions whose results are arrays whatever they are of.
bool gives_arrays(Glyph glyph) { return glyph == Glyph::select || glyph == Glyph::replicate || glyph == Glyph::rotate; }

Value rearranged(Context& cx, const PrimitiveFunctionEntry& entry, EachArgument w, EachArgument x, const Array& shaped) {
  Heap& heap = cx.heap;
  const Glyph glyph = entry.name;
  if (gives_arrays(glyph)) {
    cx.check_stack();
    return all_results(cx, shaped, [&](std::size_t i) { return call_primitive(cx, entry, w[i], x[i]); });
  }
  if (glyph == Glyph::join) {
    // One atom becomes a list of the type of the first list that it meets.
    const EachArgument& one = w.step == 0 ? w : x;
    Value list = one[0];
    if (one.step == 0 && (list.is_number() || list.is_character())) {
      const Value& other = (w.step == 0 ? x : w)[0];
      const ElementType own = element_type_of(list);
      if (!is_flat_list(other)) return Value();
      list = with_shape(heap, filled(heap, {}, list), Shape{1});
      if (is_number(own) == is_number(other.array().type()))
        list = widened(heap, std::move(list), wider(own, other.array().type()));
    }
    const EachArgument left = w.step == 0 ? EachArgument{&list, 0} : w,
                       right = w.step == 0 || x.step != 0 ? x : EachArgument{&list, 0};
    return all_results(cx, shaped, [&](std::size_t i) { return joined(heap, left[i], right[i]); });
  }
  if (glyph != Glyph::take && glyph != Glyph::drop) return Value();
  return all_results(cx, shaped, [&](std::size_t i) {
    std::int64_t n;
    if (!w[i].to_integer(n)) return Value();
    return glyph == Glyph::take ? kept<true>(heap, n, x[i]) : kept<false>(heap, n, x[i]);
  });
}

}  // namespace

Value rearrange_each(Context& cx, const PrimitiveFunctionEntry& f, const Array& boxes) {
  if (f.name != Glyph::rotate) return search_each(cx, f, boxes);
  const std::span<const Value> lists = boxes.boxes();
  return all_results(cx, boxes, [&](std::size_t i) {
    if (is_flat_list(lists[i])) return reversed(cx.heap, lists[i].array());
    return call_primitive(cx, f, lists[i]);
  });
}

Value rearrange_each(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  if (entry == nullptr || !(is_any(entry->name, Glyph::join, Glyph::take, Glyph::drop) || gives_arrays(entry->name)))
    return Value();
  const bool one_w = rank_of(w) == 0, one_x = rank_of(x) == 0;
  if (rank_of(w) != rank_of(x) && !one_w && !one_x) return Value();
  if (one_w && one_x) return Value();
  const auto elements = [](const Value& v, bool one) {
    return EachArgument{v.is_array() ? v.array().boxes().data() : &v, one ? std::size_t{0} : std::size_t{1}};
  };
  if ((w.is_array() && !is_boxed(w)) || (x.is_array() && !is_boxed(x))) return Value();
  return rearranged(cx, *entry, elements(w, one_w), elements(x, one_x), (one_w ? x : w).array());
}

}  // namespace griddle::primitives
