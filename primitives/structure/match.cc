#include "primitives/structure/match.h"

#include <algorithm>

#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/value/fill.h"
#include "runtime/value/heap_memory.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {
namespace {

bool bytes_match(const void* a, const void* b, std::size_t bytes) {
  if (bytes <= kernels::long_pass) [[likely]]
    return kernels::equal_bytes(a, b, bytes);
  const auto *p = static_cast<const std::uint8_t*>(a), *q = static_cast<const std::uint8_t*>(b);
  bool match = true;
  kernels::in_pieces(
      bytes, [&](std::size_t i, std::size_t end) { match = match && kernels::equal_bytes(p + i, q + i, end - i); },
      kernels::long_pass);
  return match;
}

bool bits_match(const Array& a, const Array& b) {
  const auto* p = a.as<std::uint64_t>();
  const auto* q = b.as<std::uint64_t>();
  std::size_t words = a.length / 64;
  if (words && !bytes_match(p, q, words * 8)) return false;
  std::size_t rest = a.length % 64;
  return rest == 0 || ((p[words] ^ q[words]) << (64 - rest)) == 0;
}

// Compares characters a block at a time, so that the loop vectorises and still stops early.
template <class T, class U>
bool characters_match(const T* a, const U* b, std::size_t n) {
  const std::size_t block = tuning().characters_matched;
  for (std::size_t i = 0; i < n; i += block) {
    std::size_t end = i + block < n ? i + block : n;
    std::int32_t differ = 0;  // a mask as wide as the elements vectorises
    for (std::size_t j = i; j < end; j++) differ |= a[j] != b[j] ? -1 : 0;
    if (differ != 0) return false;
  }
  return true;
}

// Compares numbers by the kernel of =, few first: most lists that differ do so soon.
bool numbers_match(const Array& a, const Array& b) {
  constexpr std::size_t block = 4096;
  const auto lane = [](const Array& of) { return static_cast<int>(of.type()) - static_cast<int>(ElementType::i8); };
  const auto bytes = [](const Array& of, std::size_t place) { return of.data + place * (bits_of(of.type()) / 8); };
  const kernels::CompareKernels& k = kernels::compare();
  constexpr int equal = static_cast<int>(kernels::Comparison::equal);
  const kernels::Dyad kernel =
      a.type() == b.type() ? k.compare[equal][lane(a)][kernels::array_array] : k.mixed[equal][lane(a)][lane(b)];
  std::uint64_t bits[block / 64];
  kernels::ElementsDone elements_done;
  for (std::size_t i = 0, count = std::min(tuning().first_matched, block); i < a.length; i += count, count = block) {
    count = std::min(count, a.length - i);
    kernel(bits, bytes(a, i), bytes(b, i), count);
    if (kernels::first_zero(bits, count) != count) return false;
    elements_done.add(count);
  }
  return true;
}

template <class T>
bool bits_match_run(const Array& bits, const T* b) {
  for (std::size_t i = 0; i < bits.length; i++)
    if (b[i] != static_cast<T>(bits.bit(i))) return false;
  return true;
}

template <class F>
bool with_numbers(const Array& a, F f) {
  return kernels::with_counts(a.type(), a.data, f);
}
template <class F>
bool with_characters(const Array& a, F f) {
  switch (a.type()) {
    case ElementType::c8: return f(a.as<std::uint8_t>());
    case ElementType::c16: return f(a.as<std::uint16_t>());
    default: return f(a.as<char32_t>());
  }
}

// Compares numbers one by one.
bool few_numbers_match(const Array& a, const Array& b) {
  return with_numbers(
      a, [&](const auto* p) { return with_numbers(b, [&](const auto* q) { return std::equal(p, p + a.length, q); }); });
}

[[gnu::always_inline]] inline bool have_one_shape(const Array& a, const Array& b) {
  return a.length == b.length && a.rank() == b.rank() && (a.rank() <= 1 || same_shape(a.shape(), b.shape()));
}

// Compares elements of two arrays of equal length, neither of them boxed.
bool flat_elements_match(const Array& a, const Array& b) {
  if (a.length == 0) return true;
  ElementType s = a.type(), t = b.type();
  if (s == t && s != ElementType::f64) {
    if (s == ElementType::bit) return a.data == b.data || bits_match(a, b);
    return a.data == b.data || bytes_match(a.data, b.data, bytes_for(s, a.length));
  }
  if (is_character(s) != is_character(t)) return false;
  if (is_character(s))
    return with_characters(
        a, [&](const auto* p) { return with_characters(b, [&](const auto* q) { return characters_match(p, q, a.length); }); });
  if (s == ElementType::bit) return with_numbers(b, [&](const auto* q) { return bits_match_run(a, q); });
  if (t == ElementType::bit) return with_numbers(a, [&](const auto* p) { return bits_match_run(b, p); });
  return a.length <= tuning().few_matched_numbers ? few_numbers_match(a, b) : numbers_match(a, b);
}

// Walks two values side by side with a stack of its own: nested arrays and compound functions are frames of pairs.
class Matching {
 public:
  explicit Matching(Context& cx) : cx_(&cx), frames_(cx.heap) {}
  explicit Matching(Heap& heap) : frames_(heap) {}

  bool run(const Value& a, const Value& b) {
    if (!compare(a, b)) return false;
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (top.next == top.count) {
        frames_.pop_back();
        continue;
      }
      std::size_t i = top.next++;
      if (cx_ && (++steps_ & 0xFFFF) == 0) cx_->check_interrupt();
      // An element of a flat array is made on the way: it is an atom, so that nothing points to it afterwards.
      if (!compare_elements(top, i)) return false;
    }
    return true;
  }

 private:
  // Pairs of elements of two arrays, or the parts of two functions.
  struct Frame {
    const Array* a;
    const Array* b;
    const Value* parts_a[3];
    const Value* parts_b[3];
    std::size_t next;
    std::size_t count;
  };

  bool compare_elements(const Frame& f, std::size_t i) {
    // A NaN inside a function is that function's part like any other: functions equal themselves.
    if (!f.a) return (f.parts_a[i]->is_number() && f.parts_a[i]->same(*f.parts_b[i])) || compare(*f.parts_a[i], *f.parts_b[i]);
    bool boxed_a = f.a->type() == ElementType::boxed, boxed_b = f.b->type() == ElementType::boxed;
    if (boxed_a && boxed_b) return compare(f.a->boxes()[i], f.b->boxes()[i]);
    return boxed_a ? equal_or_nested(f.a->boxes()[i], *f.b, i) : equal_or_nested(f.b->boxes()[i], *f.a, i);
  }
  // An element of a flat array is an atom, and an array never equals it.
  bool equal_or_nested(const Value& v, const Array& flat, std::size_t i) {
    return v.is_atom() && equal_atoms(v, element(flat, i));
  }

  // Decides, or pushes a frame that decides later.
  bool compare(const Value& a, const Value& b) {
    if (a.is_array() != b.is_array()) return false;
    if (a.is_array()) return compare_arrays(a.array(), b.array());
    if (a.is_number() || b.is_number()) return a.is_number() && b.is_number() && a.number() == b.number();
    if (a.same(b)) return true;
    if (a.tag() != b.tag() || !a.is_function()) return false;
    return compare_functions(a.function(), b.function());
  }

  bool compare_arrays(const Array& a, const Array& b) {
    if (!have_one_shape(a, b)) return false;
    if (a.length == 0) return true;
    if (a.type() != ElementType::boxed && b.type() != ElementType::boxed) return flat_elements_match(a, b);
    Frame f{};
    f.a = &a;
    f.b = &b;
    f.count = a.length;
    frames_.push_back(f);
    return true;
  }

  bool compare_functions(const Function& a, const Function& b) {
    if (a.kind != b.kind) return false;
    Frame f{};
    if (!parts_of(a, f.parts_a) || !parts_of(b, f.parts_b)) return false;
    f.count = 3;
    frames_.push_back(f);
    return true;
  }

  Context* cx_ = nullptr;  // null where none is at hand, as for functions: there is little to compare then
  HeapVector<Frame> frames_;
  std::size_t steps_ = 0;
};

// Compares boxed arrays of one shape, without a stack of frames as long as they are not deep.
bool boxes_match(Context& cx, const Array& a, const Array& b, unsigned depth = 0) {
  constexpr unsigned most_levels = 8;
  cx.check_interrupt();
  for (std::size_t i = 0; i < a.length; i++) {
    const Value &v = a.as<Value>()[i], &u = b.as<Value>()[i];
    if (v.is_array() != u.is_array()) return false;
    if (!v.is_array()) {
      if (!equal_atoms(v, u)) return false;
      continue;
    }
    const Array &p = v.array(), &q = u.array();
    if (!have_one_shape(p, q)) return false;
    const bool boxed = p.type() == ElementType::boxed, both = boxed && q.type() == ElementType::boxed;
    const bool match = both && depth < most_levels                ? boxes_match(cx, p, q, depth + 1)
                       : !boxed && q.type() != ElementType::boxed ? flat_elements_match(p, q)
                                                                  : Matching(cx).run(v, u);
    if (!match) return false;
  }
  return true;
}

}  // namespace

bool matches(Context& cx, const Value& a, const Value& b) {
  // Most values are flat, or differ in length.
  if (a.is_array() && b.is_array()) {
    const Array &left = a.array(), &right = b.array();
    if (!have_one_shape(left, right)) return false;
    if (left.type() != ElementType::boxed && right.type() != ElementType::boxed) return flat_elements_match(left, right);
    if (left.is_list() && left.type() == ElementType::boxed && right.type() == ElementType::boxed)
      return boxes_match(cx, left, right);
  }
  return Matching(cx).run(a, b);
}

namespace {

bool equal_doubles(const double* a, const double* b, std::size_t n) {
  constexpr std::size_t block = 8;
  if (n >= tuning().many_equal_doubles && kernels::equal_bytes(a, b, n * sizeof *a) && kernels::equal_as_bits(a, n)) return true;
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    bool equal = true;
    for (std::size_t k = 0; k < block; k++) equal &= a[i + k] == b[i + k];
    if (!equal) return false;
  }
  return std::equal(a + i, a + n, b + i);
}

}  // namespace

bool equal_runs(const Array& a, std::size_t i, const Array& b, std::size_t j, std::size_t n) {
  if (a.type() == ElementType::bit) return equal_bit_runs(a.as<std::uint64_t>(), i, b.as<std::uint64_t>(), j, n);
  if (a.type() == ElementType::f64) return equal_doubles(a.as<double>() + i, b.as<double>() + j, n);
  const std::size_t width = bits_of(a.type()) / 8;
  return kernels::equal_bytes(a.data + i * width, b.data + j * width, n * width);
}

bool parts_of(const Function& function, const Value* (&parts)[3]) {
  const auto give = [&parts](const Value& first, const Value& second, const Value& third) {
    parts[0] = &first, parts[1] = &second, parts[2] = &third;
    return true;
  };
  const auto give_derived = [&give](const auto& derived) { return give(derived.modifier, derived.f, derived.g); };
  switch (function.kind) {
    case ObjectKind::derived: return give_derived(static_cast<const Derived&>(function));
    case ObjectKind::derived_block: return give_derived(static_cast<const DerivedBlock&>(function));
    case ObjectKind::train: {
      const auto& train = static_cast<const Train&>(function);
      return give(train.f, train.g, train.h);
    }
    default: return false;
  }
}

bool equal_operations(const Value& a, const Value& b) {
  if (a.same(b)) return true;
  if (!a.is_function() || !b.is_function()) return false;
  return Matching(Heap::of(a.object())).run(a, b);
}

bool equal_atoms(const Value& a, const Value& b) {
  if (a.is_number() || b.is_number()) return a.is_number() && b.is_number() && a.number() == b.number();
  if (a.is_character() || b.is_character()) return a.same(b);
  return equal_operations(a, b);
}

// --- match: ways

namespace {

template <bool wanted>
std::uint64_t match_plain(Heap&, AnyArray w, AnyArray x) {
  if (!have_one_shape(w, x)) return Value(!wanted).bits();
  if (w->length == 0) return Value(wanted).bits();
  if (w->type() == ElementType::boxed || x->type() == ElementType::boxed || w->length > longest_at_hand || w->data.elsewhere() ||
      x->data.elsewhere())
    return declined;
  return Value(flat_elements_match(w, x) == wanted).bits();
}
template <bool wanted>
std::uint64_t match_boxes(Context& cx, Boxes w, Boxes x) {
  return Value((w->length == x->length && boxes_match(cx, w, x)) == wanted).bits();
}
template <bool wanted>
constexpr DyadWay matchings[] = {{"plain", way<match_plain<wanted>>}, {"boxes", way<match_boxes<wanted>>}};

// --- depth, shape, rank and length: ways

constexpr std::size_t most_levels = 16, unknown_depth = 1024;

// Gives the depth of an array; unknown_depth or more where it is nested further than so many levels.
std::size_t depth_within(const Array& a, std::size_t levels) {
  if (a.type() != ElementType::boxed) return 1;
  if (levels == 0 || a.data.elsewhere()) return unknown_depth;
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < a.length; i++)
    if (const Array* const inner = array_of(words_of(&a)[i])) deepest = std::max(deepest, depth_within(*inner, levels - 1));
  return deepest + 1;
}

std::uint64_t depth_of(Heap&, AnyArray a) {
  const std::size_t depth = depth_within(a, most_levels);
  return depth >= unknown_depth ? declined : Value(depth).bits();
}
std::uint64_t shape_of_list(Heap& heap, AnyArray a) {
  if (!a->is_list() || a->length > 32767) return declined;
  const ElementType type = a->length < 2 ? ElementType::bit : a->length <= 127 ? ElementType::i8 : ElementType::i16;
  Array* const out = make_plain_list(heap, type, 1);
  *reinterpret_cast<std::int64_t*>(out->data.here()) = static_cast<std::int64_t>(a->length);
  return bits_of_array(out);
}
std::uint64_t shape_of_table(Heap& heap, AnyArray a) {
  if (a->rank() != 2) return declined;
  const std::size_t rows = a->shape()[0], columns = a->shape()[1], most = rows | columns;
  if (most < 2 || most > 127) return declined;
  Array* const out = make_plain_list(heap, ElementType::i8, 2);
  *reinterpret_cast<std::uint64_t*>(out->data.here()) = rows | columns << 8;
  return bits_of_array(out);
}
std::uint64_t rank_of_array(Heap&, AnyArray a) { return Value(std::size_t{a->rank()}).bits(); }
std::uint64_t length_of_array(Heap&, AnyArray a) { return Value(a->cells()).bits(); }

constexpr MonadWay depths[] = {{"array", way<depth_of>}};
constexpr MonadWay shapes[] = {{"list", way<shape_of_list>}, {"table", way<shape_of_table>}};
constexpr MonadWay ranks[] = {{"array", way<rank_of_array>}};
constexpr MonadWay lengths[] = {{"array", way<length_of_array>}};

}  // namespace

constexpr MonadWays depth_ways = monad_ways<depths>, shape_ways = monad_ways<shapes>;
constexpr MonadWays rank_ways = monad_ways<ranks>, length_ways = monad_ways<lengths>;
constexpr DyadWays match_ways = dyad_ways<matchings<true>>, not_match_ways = dyad_ways<matchings<false>>;

// --- any arguments

Value match(Context& cx, Value w, Value x) { return Value(matches(cx, w, x)); }
Value not_match(Context& cx, Value w, Value x) { return Value(!matches(cx, w, x)); }

Value depth(Context& cx, Value x) {
  // Counts levels with a stack of places, so that deep nesting needs no recursion.
  struct Place {
    std::span<const Value> elements;
    std::size_t next;
  };
  HeapVector<Place> stack(cx.heap);
  std::size_t deepest = 0;
  auto visit = [&](const Value& v) {
    if (v.is_atom()) return;
    std::size_t level = stack.size() + 1;
    if (level > deepest) deepest = level;
    if (v.array().type() == ElementType::boxed && v.array().length) stack.push_back({v.array().boxes(), 0});
  };
  visit(x);
  for (std::size_t step = 0; !stack.empty(); step++) {
    if (step % 4096 == 0) cx.check_interrupt();
    Place& top = stack.back();
    if (top.next == top.elements.size())
      stack.pop_back();
    else
      visit(top.elements[top.next++]);
  }
  return Value(deepest);
}

Value shape(Context& cx, Value x) { return make_numbers(cx.heap, shape_of(x)); }
Value rank_length(Context&, Value x) { return Value(std::size_t{rank_of(x)}); }
Value length_cells(Context&, Value x) { return Value(x.is_array() ? x.array().cells() : std::size_t{1}); }

Value no_monad_less_equal(Context& cx, Value x) {
  fail(cx, "≤: Needs a left argument, 𝕩 alone has no meaning (got " + kind_text(x) + ")");
}
Value no_monad_greater_equal(Context& cx, Value x) {
  fail(cx, "≥: Needs a left argument, 𝕩 alone has no meaning (got " + kind_text(x) + ")");
}

namespace {

Value assertion_message(Context& cx, double number) {
  return make_string(cx.heap, "Assert: 𝕩 must be 1 (got " + number_text(number) + ")");
}

}  // namespace

Value assertion_refusal(Context& cx, const Value& w, const Value& x) {
  if (x.is_number() && x.number() == 1) return Value();
  if (!w.is_absent()) return w;
  return x.is_number() ? assertion_message(cx, x.number()) : x;
}
Value assert_true(Context& cx, Value x) {
  if (Value message = assertion_refusal(cx, Value(), x); !message.is_absent()) fail_with(cx, std::move(message));
  return x;
}
Value assert_message(Context& cx, Value w, Value x) {
  if (Value message = assertion_refusal(cx, w, x); !message.is_absent()) fail_with(cx, std::move(message));
  return x;
}

Value identity_left(Context&, Value x) { return x; }
Value identity_right(Context&, Value x) { return x; }
Value left(Context&, Value w, Value) { return w; }
Value right(Context&, Value, Value x) { return x; }

}  // namespace griddle::primitives
