#include "primitives/mapping/each.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/by_door.h"
#include "primitives/common/element_reader.h"
#include "primitives/common/elements.h"
#include "primitives/common/indexing.h"
#include "primitives/common/pervasive.h"
#include "primitives/folds/fold.h"
#include "primitives/functions.h"
#include "primitives/structure/match.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

// What reads one element gives the bits of an atom, or of a value that the element owns.
constexpr std::uint64_t unreadable = Value::absent_bits;

std::uint64_t bits_of_number(double d) { return std::bit_cast<std::uint64_t>(d); }

inline std::uint64_t read_length(const Value& v) {
  if (v.is_atom()) return bits_of_number(1);
  const Array& a = v.array();
  return bits_of_number(static_cast<double>(a.is_list() ? a.length : a.cells()));
}
inline std::uint64_t read_depth(const Value& v) {
  if (v.is_atom()) return bits_of_number(0);
  return v.array().type() == ElementType::boxed ? unreadable : bits_of_number(1);
}

// Reads an element of an array on the host.
inline std::uint64_t read_element(const Array& a, std::size_t i) {
  if (a.data.elsewhere()) return unreadable;
  // Atoms own nothing that would have to be let go.
  return element_bits(a, i);
}
inline std::uint64_t read_first(const Value& v) {
  if (v.is_atom()) return v.bits();
  return v.array().length != 0 ? read_element(v.array(), 0) : unreadable;
}
// Reads the element at an index of each list.
inline std::uint64_t read_picked(const Value& v, std::int64_t i) {
  if (rank_of(v) != 1) return unreadable;
  const Array& a = v.array();
  if (i < 0) i += static_cast<std::int64_t>(a.length);
  return i >= 0 && static_cast<std::size_t>(i) < a.length ? read_element(a, static_cast<std::size_t>(i)) : unreadable;
}

// Folds each list of numbers by a direct way.
std::uint64_t read_fold(const Value& v, const Derived& fold) {
  if (rank_of(v) != 1) return unreadable;
  const Array& a = v.array();
  if (a.length == 0 || !is_number(a.type()) || a.data.elsewhere()) return unreadable;
  return fold_by_kernel(fold, v).bits();
}

constexpr std::size_t short_list = 16;

template <class Op, class T>
double fold_short(const Array& a) {
  const T* x = a.as<T>();
  std::int64_t so_far = x[0];
  for (std::size_t i = 1; i < a.length; i++) so_far = Op::of(so_far, x[i]);
  return static_cast<double>(so_far);
}
// Folds short lists of integers, in any order.
template <class Op>
inline std::uint64_t read_short_fold(const Value& v, const Derived& fold) {
  if (rank_of(v) == 1 && v.array().length - 1 < short_list && !v.array().data.elsewhere()) {
    const Array& a = v.array();
    switch (a.type()) {
      case ElementType::i8: return bits_of_number(fold_short<Op, std::int8_t>(a));
      case ElementType::i16: return bits_of_number(fold_short<Op, std::int16_t>(a));
      case ElementType::i32: return bits_of_number(fold_short<Op, std::int32_t>(a));
      default: break;
    }
  }
  return read_fold(v, fold);
}
struct Plus {
  static std::int64_t of(std::int64_t w, std::int64_t x) { return w + x; }
};
struct Least {
  static std::int64_t of(std::int64_t w, std::int64_t x) { return std::min(w, x); }
};
struct Greatest {
  static std::int64_t of(std::int64_t w, std::int64_t x) { return std::max(w, x); }
};

// Makes the result of what was read: numbers in the narrowest type, characters, or boxes that share what they hold.
Value from_bits(Context& cx, Ref<Array> read, const Array& x) {
  const std::uint64_t* bits = read->as<std::uint64_t>();
  const std::size_t n = read->length;
  bool numbers = true, characters = true;
  in_pieces(n, [&](std::size_t i, std::size_t end) {
    for (; i < end; i++) {
      numbers &= bits[i] < Value::first_tagged;
      characters &= bits[i] >> 48 == Value::character_tag;
    }
  });
  if (numbers) return integers_if_whole(cx.heap, to_value(std::move(read)));
  if (characters) {
    std::uint32_t all = 0;
    in_pieces(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; i++) all |= static_cast<std::uint32_t>(bits[i]);
    });
    const ElementType type = element_type_of(Value::character(all));
    Ref<Array> result = make_like(cx.heap, type, x);
    with_width_of(type, [&]<class T>(std::type_identity<T>) {
      in_pieces(n, [=, to = result->as<T>()](std::size_t i, std::size_t end) {
        for (; i < end; i++) to[i] = static_cast<T>(bits[i]);
      });
    });
    return to_value(std::move(result));
  }
  Ref<Array> boxes = make_like(cx.heap, ElementType::boxed, x);
  CopiedElements copied(*boxes);
  std::memcpy(boxes->data, bits, n * sizeof *bits);
  copied.share();
  return to_value(std::move(boxes));
}

// Makes the same of few, as a list. Gives null where it is neither of numbers nor of characters.
Value list_of_few(Context& cx, std::span<Value> values) {
  const bool numbers = values[0].is_number();
  if (!numbers && !values[0].is_character()) return Value();
  for (const Value& v : values)
    if (numbers ? !v.is_number() : !v.is_character()) return Value();
  return make_values(cx.heap, values);
}

template <class Read>
Value read_all(Context& cx, const Array& x, Read read) {
  const std::span<const Value> elements = x.boxes();
  constexpr std::size_t few = 32;
  if (x.is_list() && x.length - 1 < few) {
    // Words, which own nothing.
    std::uint64_t words[few];
    for (std::size_t i = 0; i < x.length; i++)
      if ((words[i] = read(elements[i])) == unreadable) return Value();
    if (Value list = list_of_few(cx, {reinterpret_cast<Value*>(words), x.length}); !list.is_absent()) return list;
  }
  Ref<Array> results = make_like(cx.heap, ElementType::f64, x);
  std::uint64_t* to = results->as<std::uint64_t>();
  for (std::size_t i = 0; i < elements.size(); i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    to[i] = read(elements[i]);
    if (to[i] == unreadable) return Value();
  }
  return from_bits(cx, std::move(results), x);
}

// Compares each element of `left` with its counterpart in `right`; the step of a single value is 0.
Value compare_each(Context& cx, bool same, const Value* left, std::size_t left_step, const Value* right, std::size_t right_step,
                   const Array& shaped) {
  Ref<Array> result = make_like(cx.heap, ElementType::bit, shaped);
  std::uint64_t* words = result->as<std::uint64_t>();
  for (std::size_t i = 0; i < shaped.length; i += 64) {
    cx.check_interrupt();
    const std::size_t count = std::min<std::size_t>(64, shaped.length - i);
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < count; k++, left += left_step, right += right_step)
      word |= std::uint64_t{matches(cx, *left, *right) == same} << k;
    *words++ = word;
  }
  return to_value(std::move(result));
}

// Gives the flat list that numbers w pick elements of; null where that is not what w and x are.
const Value* picked_list(const Value& w, const Value& x) {
  if (!w.is_array() || !is_number(w.array().type()) || rank_of(x) != 0 || !is_boxed(x)) return nullptr;
  const Value& list = x.array().boxes()[0];
  return rank_of(list) == 1 && is_flat(list) ? &list : nullptr;
}

}  // namespace

Value lengths_of_each(Context& cx, const Array& boxes) {
  return read_all(cx, boxes, [](const Value& v) { return read_length(v); });
}
Value ranks_of_each(Context& cx, const Array& boxes) {
  return read_all(cx, boxes, [](const Value& v) { return bits_of_number(rank_of(v)); });
}
Value depths_of_each(Context& cx, const Array& boxes) {
  return read_all(cx, boxes, [](const Value& v) { return read_depth(v); });
}
Value firsts_of_each(Context& cx, const Array& boxes) {
  return read_all(cx, boxes, [](const Value& v) { return read_first(v); });
}

// Picks an element of each of x, or elements of what x holds by the indices in w.
Value pick_each(Context& cx, const Value& w, const Value& x) {
  if (const Value* list = picked_list(w, x)) {
    if (belongs_to_device(cx, w))
      if (Value there = cx.device->dyad(cx, entry_by<select>().name, w, *list); !there.is_absent()) return there;
    check_indices(cx, "Pick", w.array(), length_of(*list));
    Value picked = select_axis(cx, *list, 0, w.array());
    return with_fill(cx.heap, picked, is_number(picked.array().type()) ? Value(0.0) : Value::character(U' '));
  }
  if (is_boxed(w) && rank_of(x) == 0 && x.is_array()) return pick_places(cx, w.array(), element(x.array(), 0));
  std::int64_t index;
  if (!is_boxed(x) || !w.to_integer(index)) return Value();
  return read_all(cx, x.array(), [index](const Value& v) { return read_picked(v, index); });
}

namespace {

// Encloses each element of so many bits, or makes a list of it.
template <class T>
void wrap_elements(Context& cx, Value* to, const Array& a, bool enlists) {
  Heap& heap = cx.heap;
  RepeatedList lists{plain_lists[static_cast<int>(a.type())]};
  lists.resize(1);
  for (std::size_t i = 0; i < a.length; i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    Array* one = lists.make(heap);
    if (one == nullptr) [[unlikely]]
      one = make_plain_list(heap, a.type(), 1);
    // A list of one lies in memory as a unit does.
    if (!enlists) one->set_rank(0);
    if constexpr (std::is_same_v<T, bool>)
      *one->as<std::uint64_t>() = a.bit(i);
    else
      *one->as<T>() = a.as<T>()[i];
    new (to + i) Value(one);
  }
}

// Encloses each atom of a flat array, or makes a list of it.
Value wrap_each(Context& cx, bool enlists, const Value& x) {
  const Array& a = x.array();
  Ref<Array> results = make_like(cx.heap, ElementType::boxed, a);
  Value* const to = results->as<Value>();
  switch (bits_of(a.type())) {
    case 1: wrap_elements<bool>(cx, to, a, enlists); break;
    case 8: wrap_elements<std::uint8_t>(cx, to, a, enlists); break;
    case 16: wrap_elements<std::uint16_t>(cx, to, a, enlists); break;
    case 32: wrap_elements<std::uint32_t>(cx, to, a, enlists); break;
    default: wrap_elements<std::uint64_t>(cx, to, a, enlists); break;
  }
  return to_value(std::move(results));
}

// Gives what a primitive says of each atom of a flat array.
Value read_atoms(Context& cx, OfAtom result, const Value& x) {
  const Array& a = x.array();
  switch (result) {
    case OfAtom::unit: return wrap_each(cx, false, x);
    case OfAtom::list: return wrap_each(cx, true, x);
    case OfAtom::zero: return filled(cx.heap, a.shape(), Value(0));
    case OfAtom::one: return filled(cx.heap, a.shape(), Value(1));
    case OfAtom::itself: return with_fill(cx.heap, x, is_number(a.type()) ? Value(0) : Value::character(U' '));
    default: return Value();
  }
}

}  // namespace

Value read_each(Context& cx, const Value& f, const Value& x) {
  if (cx.general_ways) return Value();
  if (!is_boxed(x)) {
    const PrimitiveFunctionEntry* entry = primitive_entry(f);
    return entry != nullptr && x.is_array() && !x.array().data.elsewhere() ? read_atoms(cx, entry->one.of_atom, x) : Value();
  }
  const Array& a = x.array();
  if (const PrimitiveFunctionEntry* entry = primitive_entry(f))
    return entry->on_each != nullptr ? entry->on_each(cx, a) : Value();
  if (reduces_by(f) != Reduces::folds) return Value();
  const Derived& d = static_cast<const Derived&>(f.function());
  if (d.rule == nullptr || d.direct == nullptr) return Value();
  switch (primitive_entry_of(d.f.function()).scalar) {
    case ScalarOp::add: return read_all(cx, a, [&d](const Value& v) { return read_short_fold<Plus>(v, d); });
    case ScalarOp::minimum: return read_all(cx, a, [&d](const Value& v) { return read_short_fold<Least>(v, d); });
    case ScalarOp::maximum: return read_all(cx, a, [&d](const Value& v) { return read_short_fold<Greatest>(v, d); });
    default: return read_all(cx, a, [&d](const Value& v) { return read_fold(v, d); });
  }
}

namespace {

std::uint64_t read_boxes(Context& cx, const Derived& self, const Value& x, RecentMonad*) {
  return is_boxed(x) && x.array().length != 0 && stays_here(cx, x) ? read_each(cx, self.f, x).leak() : Value::absent_bits;
}

}  // namespace

void attach_each(Context&, Derived& d) {
  const PrimitiveFunctionEntry* const entry = primitive_entry(d.f);
  if (entry != nullptr && entry->on_each != nullptr) d.direct = read_boxes;
}

Value read_each(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  return entry != nullptr && entry->on_each_pair != nullptr ? entry->on_each_pair(cx, w, x) : Value();
}

template <bool same>
static Value matches_of_each(Context& cx, const Value& w, const Value& x) {
  if (!(is_boxed(w) || w.is_atom()) || !(is_boxed(x) || x.is_atom())) return Value();
  const bool single_w = rank_of(w) == 0, single_x = rank_of(x) == 0;
  if (rank_of(w) != rank_of(x) && !single_w && !single_x) return Value();
  const Value* left = w.is_atom() ? &w : w.array().boxes().data();
  const Value* right = x.is_atom() ? &x : x.array().boxes().data();
  const Array& shaped = (x.is_atom() || rank_of(w) > rank_of(x) ? w : x).array();
  return compare_each(cx, same, left, !single_w, right, !single_x, shaped);
}
Value match_each(Context& cx, const Value& w, const Value& x) { return matches_of_each<true>(cx, w, x); }
Value unlike_each(Context& cx, const Value& w, const Value& x) { return matches_of_each<false>(cx, w, x); }

namespace {

// Which elements meet: each of w a run of x, which is the next one for the next of w, or the same again.
struct Meetings {
  std::size_t of_w, run;  // how many
  std::size_t step = 0;   // from one run to the next

  template <class F>
  void each(F f) const {
    if (run == 1) {
      for (std::size_t i = 0; i < of_w; i++) f(i, i * step);
      return;
    }
    for (std::size_t i = 0; i < of_w; i++)
      for (std::size_t j = 0; j < run; j++) f(i, i * step + j);
  }
};

// Calls make(pair, i, j), which fills a list of two that was just made, for each two elements that meet.
template <class F>
void make_pairs(Heap& heap, ElementType type, Array& result, const Meetings& meetings, F make) {
  Value* to = result.as<Value>();
  meetings.each([&](std::size_t i, std::size_t j) {
    Array* pair = make_list_at_hand(heap, type, 2);
    if (pair == nullptr) [[unlikely]]
      pair = make_list(heap, type, 2).leak();
    make(pair->data.here(), i, j);
    new (to++) Value(pair);
  });
}
template <class T>
void make_pairs(Heap& heap, Array& result, const Array& w, const Array& x, const Meetings& meetings) {
  const T *left = w.as<T>(), *right = x.as<T>();
  make_pairs(heap, w.type(), result, meetings, [=](void* pair, std::size_t i, std::size_t j) {
    static_cast<T*>(pair)[0] = left[i];
    static_cast<T*>(pair)[1] = right[j];
  });
}
void make_pairs_of_bits(Heap& heap, Array& result, const Array& w, const Array& x, const Meetings& meetings) {
  make_pairs(heap, ElementType::bit, result, meetings, [&](void* pair, std::size_t i, std::size_t j) {
    *static_cast<std::uint64_t*>(pair) = std::uint64_t{w.bit(i)} | std::uint64_t{x.bit(j)} << 1;
  });
}
// Gives the bits of all elements as atoms.
Ref<Array> atoms_of(Heap& heap, const Value& v) {
  const ElementReader reader(v);
  const std::size_t n = v.array().length;
  Ref<Array> atoms = make_plain_list(heap, ElementType::f64, n);
  std::uint64_t* const to = atoms->as<std::uint64_t>();
  for (std::size_t i = 0; i < n;) i += reader.read_atoms(i, n, to + i);
  return atoms;
}
// Pairs numbers with characters.
void make_mixed_pairs(Heap& heap, Array& result, const Value& w, const Value& x, const Meetings& meetings) {
  const Ref<Array> atoms_of_w = atoms_of(heap, w), atoms_of_x = atoms_of(heap, x);
  const std::uint64_t *left = atoms_of_w->as<std::uint64_t>(), *right = atoms_of_x->as<std::uint64_t>();
  Value* to = result.as<Value>();
  meetings.each([&](std::size_t i, std::size_t j) {
    Array* pair = make_unset_boxes(heap, 2);
    pair->as<std::uint64_t>()[0] = left[i];
    pair->as<std::uint64_t>()[1] = right[j];
    new (to++) Value(pair);
  });
}

// Pairs atoms with arrays, one by one; absent where the lists are no such.
Value pairs_with_arrays(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array() || !w.array().is_list() || !x.array().is_list() || is_flat(w) == is_flat(x)) return Value();
  const bool left = is_flat(w);
  const Array &atoms = (left ? w : x).array(), &boxes = (left ? x : w).array();
  const std::size_t n = boxes.length;
  if (n == 0 || atoms.length != n || atoms.data.elsewhere() || boxes.data.elsewhere() ||
      !std::ranges::all_of(boxes.boxes(), [](const Value& v) { return v.is_array(); }))
    return Value();
  const Ref<Array> bits = atoms_of(cx.heap, left ? w : x);
  Ref<Array> result = make_list(cx.heap, ElementType::boxed, n);
  for (std::size_t i = 0; i < n; i++) {
    Array* const pair = make_unset_boxes(cx.heap, 2);
    new (pair->as<Value>() + left) Value(boxes.boxes()[i]);
    pair->as<std::uint64_t>()[!left] = bits->as<std::uint64_t>()[i];
    new (result->as<Value>() + i) Value(pair);
  }
  return to_value(std::move(result));
}

Value pairs_of(Context& cx, const Value& w, const Value& x, std::span<const std::size_t> shape, const Meetings& meetings) {
  const ElementType type = griddle::common_type(w.array().type(), x.array().type());
  Ref<Array> result = make_array(cx.heap, ElementType::boxed, shape);
  cx.check_interrupt();
  if (type == ElementType::boxed) {
    make_mixed_pairs(cx.heap, *result, w, x, meetings);
    return to_value(std::move(result));
  }
  const Value left = widened(cx.heap, w, type), right = widened(cx.heap, x, type);
  const Array &a = left.array(), &b = right.array();
  switch (bits_of(type)) {
    case 1: make_pairs_of_bits(cx.heap, *result, a, b, meetings); break;
    case 8: make_pairs<std::uint8_t>(cx.heap, *result, a, b, meetings); break;
    case 16: make_pairs<std::uint16_t>(cx.heap, *result, a, b, meetings); break;
    case 32: make_pairs<std::uint32_t>(cx.heap, *result, a, b, meetings); break;
    default: make_pairs<std::uint64_t>(cx.heap, *result, a, b, meetings); break;
  }
  return to_value(std::move(result));
}

}  // namespace

bool pairs_atoms(const Value& f, const Value& w, const Value& x) {
  const PrimitiveFunctionEntry* const entry = primitive_entry(f);
  return entry != nullptr && (entry->on_each_pair == pair_each || entry->on_each_pair == pair_each_any) && is_flat(w) &&
         is_flat(x);
}

// Of atoms, which ∾ and ≍ pair too; pair_each_any pairs arrays as well. Declines where an element meets a cell.
Value pair_each(Context& cx, const Value& w, const Value& x) {
  const bool one_w = rank_of(w) == 0, one_x = rank_of(x) == 0;
  if (!is_flat(w) || !is_flat(x) || (w.is_atom() && x.is_atom()) || (rank_of(w) != rank_of(x) && !one_w && !one_x))
    return Value();
  const auto array_of = [&](Value v) { return v.is_array() ? v : make_values(cx.heap, {&v, 1}); };
  if (one_w && x.is_array()) return pairs_of(cx, array_of(w), x, shape_of(x), {1, x.array().length});
  return pairs_of(cx, w, array_of(x), shape_of(w), {w.array().length, 1, one_x ? std::size_t{0} : std::size_t{1}});
}

Value pair_each_any(Context& cx, const Value& w, const Value& x) {
  Value pairs = pairs_with_arrays(cx, w, x);
  return pairs.is_absent() ? pair_each(cx, w, x) : pairs;
}

Value pair_table(Context& cx, const Value& w, const Value& x, std::span<const std::size_t> shape) {
  return pairs_of(cx, w, x, shape, {w.array().length, x.array().length});
}

}  // namespace griddle::primitives
