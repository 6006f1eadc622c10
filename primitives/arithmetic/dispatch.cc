#include "primitives/arithmetic/dispatch.h"

#include <algorithm>
#include <optional>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/arithmetic/operand.h"
#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

namespace {

using kernels::Form;

// --- fills

FillKind fill_kind_of(const Value& v) {
  if (v.is_number()) return FillKind::zero;
  if (v.is_character()) return FillKind::space;
  return v.is_array() ? v.array().fill_kind() : FillKind::none;
}

bool is_flat_fill(FillKind k) { return k == FillKind::zero || k == FillKind::space; }

Value fill_value(FillKind k) { return k == FillKind::zero ? Value(0.0) : k == FillKind::space ? Value::character(' ') : Value(); }

// Calls a function on fills; what it cannot do has no fill.
template <class F>
Value fill_from(Context& cx, F f) {
  try {
    return prototype(cx.heap, f());
  } catch (const Error& e) {
    if (!e.catchable) throw;
    return Value();
  }
}

Value result_fill(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const FillKind kind_w = fill_kind_of(w), kind_x = fill_kind_of(x);
  if (is_flat_fill(kind_w) && is_flat_fill(kind_x)) return fill_value(rule.fill(kind_w, kind_x));
  const auto fill_in = [&](const Value& v) {
    if (v.is_atom()) return prototype(cx.heap, v);
    // Numbers that came where nothing was known have the fill of numbers.
    const Array& a = v.array();
    return a.fill_kind() == FillKind::none && a.length != 0 && is_number(a.type()) ? Value(0.0) : fill_of(cx.heap, v);
  };
  Value fill_w = fill_in(w);
  if (fill_w.is_absent()) return Value();
  Value fill_x = fill_in(x);
  if (fill_x.is_absent()) return Value();
  // Not is one less 𝕩, but keeps the fill of 𝕩 where it fails on it, as functions of one argument do.
  const Value kept = &rule == &complement_rule ? fill_x : Value();
  Value fill = fill_from(cx, [&] { return rule.self(cx, std::move(fill_w), std::move(fill_x)); });
  return fill.is_absent() ? kept : fill;
}

Value result_fill(Context& cx, const MonadRule& rule, const Value& x) {
  const FillKind kind = x.array().fill_kind();
  if (is_flat_fill(kind)) return fill_value(kind);
  Value fill_x = fill_of(cx.heap, x);
  if (fill_x.is_absent()) return fill_x;
  Value fill = fill_from(cx, [&] { return rule.self(cx, fill_x); });
  return fill.is_absent() ? fill_x : fill;
}

Value filled_with(Context& cx, Value result, const Value& fill) {
  const FillKind kind = result.array().fill_kind();
  // Elements of one kind bring their own.
  const ElementType type = result.array().type();
  if (fill.is_absent() && result.array().length != 0 && type != ElementType::boxed)
    return with_fill(cx.heap, std::move(result), is_number(type) ? Value(0.0) : Value::character(' '));
  if (kind == FillKind::zero && fill.is_number()) return result;
  if (kind == FillKind::space && fill.is_character()) return result;
  return with_fill(cx.heap, std::move(result), fill);
}

// --- flat arguments

// Holds the results of a kernel: the memory of an argument where that may be reused, else a new array, replaced by a wider one
// where a result does not fit.
class Results {
 public:
  // Takes the memory of `reused` where that is not null.
  Results(Heap& heap, const Array& shaped, ElementType type, Value* reused)
      : heap_(heap), type_(type), reused_(reused), is_apart_(reused == nullptr) {
    if (reused == nullptr) made_ = shaped.rank() == 1 ? make_list(heap, type, shaped.length) : make_like(heap, type, shaped);
    array_ = reused == nullptr ? made_.get() : &reused->array();
  }
  Results(Heap& heap, Ref<Array> made)
      : heap_(heap), type_(made->type()), made_(std::move(made)), reused_(nullptr), is_apart_(true), array_(made_.get()) {}
  // Tells whether no argument has given its memory, to these results or to the first of them.
  bool is_apart() const { return is_apart_; }
  void* start() const { return array_->data; }
  void* at_place(std::size_t place) const { return array_->data + bytes_before(type_, place); }
  // Goes on in another type; `done` results are there already.
  void widen(ElementType wider, std::size_t done) {
    if (wider == type_) return;
    Ref<Array> next = make_like(heap_, wider, *array_);
    if (done != 0) kernels::convert().widen[index_of(type_)][index_of(wider)](next->data, array_->data, done);
    made_ = std::move(next);
    array_ = made_.get();
    reused_ = nullptr;
    type_ = wider;
  }
  Value finish() {
    if (reused_ == nullptr) return to_value(std::move(made_));
    // Numbers in the memory of characters are filled with 0.
    const auto flags = static_cast<std::uint8_t>((array_->flags & ~Array::fill_mask) | static_cast<std::uint8_t>(FillKind::zero));
    array_->describe(array_description(type_, array_->rank(), flags));
    return std::move(*reused_);
  }

 private:
  Heap& heap_;
  ElementType type_;
  Ref<Array> made_;
  Value* reused_;
  bool is_apart_;
  Array* array_;
};

// Arrays are computed in parts of so many elements that an interrupt need not wait long; not in the memory of an argument, which
// an interrupt would leave half done.
constexpr std::size_t long_part = std::size_t{1} << 21;

// Computes element by element: for what has no kernel.
template <class F>
Value one_by_one(Context& cx, const Array& shaped, F of) {
  ArrayBuilder builder(cx.heap, shaped.length);
  for (std::size_t i = 0; i < shaped.length; i++) {
    if ((i & 0xFFFF) == 0) cx.check_interrupt();
    builder.push(of(i));
  }
  return builder.finish(shaped.shape());
}

// Tells whether the kernel's results may take the memory of an argument that it reads as `read`. Characters may turn out not to
// exist, which must leave the argument whole.
bool is_reusable(Array& a, const Array& shaped, ElementType read, ElementType result) {
  return a.type() == read && bits_of(read) == bits_of(result) && !is_character(result) && a.length == shaped.length &&
         a.rank() == shaped.rank() && a.fill_kind() != FillKind::nested && a.writable();
}

// Goes on from a place with kernels that may need converted or repeated elements.
Value go_on(Context& cx, const DyadRule& rule, std::size_t n, Operand& left, Operand& right, Results& results, DyadStep step,
            int attempt, std::size_t place) {
  alignas(64) Operand::Buffer buffer_w;
  alignas(64) Operand::Buffer buffer_x;
  const std::size_t cell = std::max(left.cell(), right.cell());
  // Preparations are worth more elements where those are narrow; whole cells are repeated faster.
  const auto piece_of = [&] {
    const std::size_t most =
        std::max(std::size_t{Operand::piece}, sizeof(buffer_w) / 2 / (std::max({bits_of(step.w), bits_of(step.x), 8u}) / 8));
    return step.result != ElementType::bit && cell > 1 && cell < most ? most - most % cell : most;
  };
  kernels::ElementsDone elements_done;
  while (place < n) {
    const std::size_t most = results.is_apart() ? std::min(n - place, long_part) : n - place;
    std::size_t count = left.direct() && right.direct() ? most : std::min(most, piece_of());
    Form form = left.single() ? kernels::scalar_array : right.single() ? kernels::array_scalar : kernels::array_array;
    // Bits are written in whole words, so that only other results go cell by cell.
    const bool by_cell = step.result != ElementType::bit && cell >= tuning().long_cell;
    if (by_cell) {
      if (left.spreads() ? right.direct() : left.direct()) count = most;
      count = std::min(count, cell - place % cell);
      form = left.spreads() ? kernels::scalar_array : kernels::array_scalar;
    }
    if (results.is_apart()) elements_done.add(count);
    const void* from_w = by_cell && left.spreads() ? left.read_one(place, buffer_w) : left.read(place, count, buffer_w);
    const void* from_x = by_cell && right.spreads() ? right.read_one(place, buffer_x) : right.read(place, count, buffer_x);
    std::size_t done = 0;
    if (from_w != nullptr && from_x != nullptr) done = step.forms[form](results.at_place(place), from_w, from_x, count);
    place += done;
    if (done == count) continue;
    if (from_w == nullptr || from_x == nullptr || !rule.step(left.type(), right.type(), ++attempt, step) || !left.want(step.w) ||
        !right.want(step.x)) {
      while (place < n) rule.atoms(cx, left.at_place(place), right.at_place(place)), place++;  // fails at the offending element
      fail(cx, std::string(rule.name) + ": Result out of range");
    }
    results.widen(step.result, place);
  }
  return results.finish();
}

// Runs kernels over two flat arguments; `shaped` is the one whose shape the result has.
Value flat(Context& cx, const DyadRule& rule, Value& w, Value& x, const Array& shaped, Operand left, Operand right) {
  DyadStep step;
  if (shaped.length == 0 || !rule.step(left.type(), right.type(), 0, step) || !left.want(step.w) || !right.want(step.x))
    return one_by_one(cx, shaped, [&](std::size_t i) { return rule.atoms(cx, left.at_place(i), right.at_place(i)); });
  Value* reused = nullptr;
  if (!left.single() && left.direct() && is_reusable(w.array(), shaped, step.w, step.result))
    reused = &w;
  else if (!right.single() && right.direct() && step.x == step.w && is_reusable(x.array(), shaped, step.x, step.result))
    reused = &x;
  Results results(cx.heap, shaped, step.result, reused);
  return go_on(cx, rule, shaped.length, left, right, results, step, 0, 0);
}

// Goes on where a direct kernel stopped for a result that does not fit.
[[gnu::noinline]] Value after_misfit(Context& cx, const DyadRule& rule, const Value& w, const Value& x, Results& results,
                                     std::size_t n, std::size_t done) {
  Operand left(w, !w.is_array(), 1), right(x, !x.is_array(), 1);
  DyadStep step;
  if (!rule.step(left.type(), right.type(), 1, step) || !left.want(step.w) || !right.want(step.x)) {
    for (std::size_t i = done; i < n; i++) rule.atoms(cx, left.at_place(i), right.at_place(i));  // fails at the offending element
    fail(cx, std::string(rule.name) + ": Result out of range");
  }
  results.widen(step.result, done);
  return go_on(cx, rule, n, left, right, results, step, 1, done);
}

// A kernel and what it reads, where it can read arguments as they lie in memory.
struct Direct {
  const Array* shaped;
  kernels::Dyad kernel;
  ElementType result;
  const void* w;
  const void* x;
  alignas(8) unsigned char atom[8];
};

inline bool find_for_arrays(const DyadRule& rule, const Array& a, const Array& b, Direct& d) {
  if (a.length != b.length || a.length == 0 || a.rank() != b.rank() || !is_filled_by_elements(a) || !is_filled_by_elements(b))
    return false;
  if (a.rank() > 1 && !same_shape(a.shape(), b.shape())) return false;
  const DirectDyad& way = rule.direct().find(kernels::array_array, a.type(), b.type());
  d.shaped = &a;
  d.kernel = way.kernel;
  d.result = way.result;
  d.w = a.data;
  d.x = b.data;
  return way.kernel != nullptr;
}
inline bool find_for_atom(const DyadRule& rule, const Array& a, const Value& atom, bool array_left, Direct& d) {
  if (a.length == 0 || !is_filled_by_elements(a) || (!atom.is_number() && !atom.is_character())) return false;
  const ElementType type = a.type() == ElementType::f64 && atom.is_number() ? ElementType::f64 : element_type_of(atom);
  const DirectDyad& way = rule.direct().find(array_left ? kernels::array_scalar : kernels::scalar_array,
                                             array_left ? a.type() : type, array_left ? type : a.type());
  d.shaped = &a;
  d.kernel = way.kernel;
  d.result = way.result;
  if (way.kernel == nullptr) return false;
  store_single(atom, way.atom, d.atom);
  d.w = array_left ? a.data : d.atom;
  d.x = array_left ? d.atom : a.data;
  return true;
}
inline bool find_direct_way(const DyadRule& rule, const Value& w, const Value& x, Direct& d) {
  if (!w.is_array()) return find_for_atom(rule, x.array(), w, false, d);
  return x.is_array() ? find_for_arrays(rule, w.array(), x.array(), d) : find_for_atom(rule, w.array(), x, true, d);
}

// Calls compute(place, count), which gives how many results fit, for one part of n elements after another. Gives how many fitted.
template <class Compute>
std::size_t compute_in_parts(Context& cx, std::size_t n, Compute compute) {
  for (std::size_t place = 0; place < n; place += long_part) {
    cx.check_interrupt();
    const std::size_t count = std::min(long_part, n - place), done = compute(place, count);
    if (done != count) return place + done;
  }
  return n;
}

[[gnu::noinline]] std::size_t compute_in_parts(Context& cx, const Direct& d, const Value& w, const Value& x, std::uint8_t* to) {
  const auto at = [](const void* start, const Value& v, std::size_t place) {
    return static_cast<const std::uint8_t*>(start) + (v.is_array() ? bytes_before(v.array().type(), place) : 0);
  };
  return compute_in_parts(cx, d.shaped->length, [&](std::size_t place, std::size_t count) {
    return d.kernel(to + bytes_before(d.result, place), at(d.w, w, place), at(d.x, x, place), count);
  });
}

inline Value into_new_memory(Context& cx, const DyadRule& rule, const Direct& d, const Value& w, const Value& x) {
  const std::size_t n = d.shaped->length;
  Ref<Array> made = d.shaped->rank() == 1 ? make_list(cx.heap, d.result, n) : make_like(cx.heap, d.result, *d.shaped);
  const std::size_t done = n <= long_part ? d.kernel(made->data, d.w, d.x, n) : compute_in_parts(cx, d, w, x, made->data);
  if (done == n) [[likely]]
    return to_value(std::move(made));
  Results results(cx.heap, std::move(made));
  return after_misfit(cx, rule, w, x, results, n, done);
}

// Computes in the memory of an argument, or into new memory.
Value run(Context& cx, const DyadRule& rule, const Direct& d, Value& w, Value& x) {
  const auto reusable = [&](Value& v) {
    return v.is_array() && v.array().unique() && is_reusable(v.array(), *d.shaped, v.array().type(), d.result);
  };
  Value* reused = reusable(w) ? &w : reusable(x) ? &x : nullptr;
  if (reused == nullptr) return into_new_memory(cx, rule, d, w, x);
  const std::size_t n = d.shaped->length;
  Results results(cx.heap, *d.shaped, d.result, reused);
  const std::size_t done = d.kernel(results.start(), d.w, d.x, n);
  return done == n ? results.finish() : after_misfit(cx, rule, w, x, results, n, done);
}

Value flat(Context& cx, const MonadRule& rule, Value& x, std::size_t done, int attempt, Results* begun) {
  const std::size_t n = x.array().length;
  Operand operand(x, false, 1);
  MonadStep step;
  if (n == 0 || !rule.step(operand.type(), attempt, step))
    return one_by_one(cx, x.array(), [&](std::size_t i) { return rule.atom(cx, operand.at_place(i)); });
  operand.want(step.x);
  std::optional<Results> own;
  if (begun == nullptr)
    begun = &own.emplace(cx.heap, x.array(), step.result, is_reusable(x.array(), x.array(), step.x, step.result) ? &x : nullptr);
  else
    begun->widen(step.result, done);
  alignas(64) Operand::Buffer buffer;
  kernels::ElementsDone elements_done;
  for (std::size_t place = done; place < n;) {
    std::size_t count = operand.direct() ? n - place : std::min(n - place, Operand::piece);
    if (begun->is_apart()) {
      count = std::min(count, long_part);
      elements_done.add(count);
    }
    const std::size_t stored = step.kernel(begun->at_place(place), operand.read(place, count, buffer), count);
    place += stored;
    if (stored == count) continue;
    [[maybe_unused]] const bool more = rule.step(operand.type(), ++attempt, step);
    assert(more);
    operand.want(step.x);
    begun->widen(step.result, place);
  }
  return begun->finish();
}

Value direct(Context& cx, const MonadRule& rule, Value& x) {
  Array& a = x.array();
  if (a.length == 0 || !is_filled_by_elements(a)) return Value();
  const MonadStep step = rule.direct(a.type());
  if (step.kernel == nullptr) {
    if (a.type() != ElementType::bit) return Value();
    const auto atoms = [&](double bit) { return rule.atom(cx, bit); };
    return choose_by_bits(cx, a, atoms(0), atoms(1));
  }
  if (a.is_list() && a.length <= tuning().short_new_list && !a.unique()) {
    Ref<Array> made = make_list(cx.heap, step.result, a.length);
    const std::size_t done = step.kernel(made->data, a.data, a.length);
    if (done == a.length) return to_value(std::move(made));
    Results results(cx.heap, std::move(made));
    return flat(cx, rule, x, done, 1, &results);
  }
  const bool reuses = is_reusable(a, a, step.x, step.result);
  Results results(cx.heap, a, step.result, reuses ? &x : nullptr);
  const auto compute = [&](std::size_t place, std::size_t count) {
    return step.kernel(results.at_place(place), a.data + bytes_before(a.type(), place), count);
  };
  const std::size_t done = reuses ? compute(0, a.length) : compute_in_parts(cx, a.length, compute);
  return done == a.length ? results.finish() : flat(cx, rule, x, done, 1, &results);
}

// --- all arguments

// Tells whether the fill of an argument with elements is what its first element is like.
bool is_filled_by_first(const Value& v) {
  if (!v.is_array()) return v.is_number() || v.is_character();
  const Array& a = v.array();
  return a.length != 0 && (a.type() == ElementType::boxed ? a.fill_kind() == FillKind::of_first : has_plain_fill(a));
}

// Notes that the fill of results is what the first one is like, as it is where that holds for the arguments.
Value filled_by_first(Value result) {
  if (result.is_array() && result.array().type() == ElementType::boxed) result.array().set_fill_kind(FillKind::of_first);
  return result;
}

}  // namespace

Value disagreement(Context& cx, const char* name, const Value& w, const Value& x) {
  const auto shape_w = shape_of(w), shape_x = shape_of(x);
  const std::size_t both = std::min(shape_w.size(), shape_x.size());
  if (same_shape(shape_w.first(both), shape_x.first(both))) return Value();
  return make_string(cx.heap, std::string(name) + ": One shape must begin the other (𝕨 has shape " + shape_text(w) +
                                  ", 𝕩 has shape " + shape_text(x) + ")");
}

void check_agreement(Context& cx, const char* name, const Value& w, const Value& x) {
  if (Value message = disagreement(cx, name, w, x); !message.is_absent()) fail_on(std::move(message), w, x);
}

Value choose_by_bits(Context& cx, const Array& bits, const Value& zero, const Value& one) {
  const ElementType type = wider(element_type_of(zero), element_type_of(one));
  if (zero.bits() == one.bits()) return filled(cx.heap, bits.shape(), zero);
  alignas(8) unsigned char elements[2][8];
  store_single(zero, type, elements[0]);
  store_single(one, type, elements[1]);
  return choose_by_bits(cx, bits, type, elements[0], elements[1]);
}
Value choose_by_bits(Context& cx, const Array& bits, ElementType type, const void* zero, const void* one) {
  Ref<Array> result = make_like(cx.heap, type, bits);
  kernels::convert().choose[index_of(type)](result->data, bits.as<std::uint64_t>(), bits.length, zero, one);
  return to_value(std::move(result));
}

namespace {

[[gnu::noinline]] Value pervade_any(Context& cx, const DyadRule& rule, Value& w, Value& x) {
  const bool left = unbox_numbers(cx.heap, w), right = unbox_numbers(cx.heap, x);
  if (left || right) return pervade(cx, rule, w, x);
  check_agreement(cx, rule.name, w, x);
  const unsigned rank_w = rank_of(w), rank_x = rank_of(x);
  const bool shaped_by_w = !x.is_array() || (w.is_array() && rank_w >= rank_x);
  const Array& shaped = shaped_by_w ? w.array() : x.array();
  // Ranks that differ make each element of the shorter side meet a whole cell; atoms and units meet everything.
  const std::size_t length_w = length_of(w), length_x = length_of(x);
  const std::size_t cell_w = length_w == 0 ? 1 : shaped.length / length_w;
  const std::size_t cell_x = length_x == 0 ? 1 : shaped.length / length_x;
  const bool is_nested = !is_flat(w) || !is_flat(x);
  if (is_nested && is_filled_by_first(w) && is_filled_by_first(x))
    return filled_by_first(pervade_nested(cx, rule, w, x, shaped, cell_w, cell_x));
  Value fill = result_fill(cx, rule, w, x);
  Value result;
  if (is_nested) {
    result = pervade_nested(cx, rule, w, x, shaped, cell_w == 0 ? 1 : cell_w, cell_x == 0 ? 1 : cell_x);
  } else {
    const bool single_w = !w.is_array() || (!shaped_by_w && length_w == 1),
               single_x = !x.is_array() || (shaped_by_w && length_x == 1 && rank_x < rank_w);
    result = flat(cx, rule, w, x, shaped, Operand(w, single_w, cell_w), Operand(x, single_x, cell_x));
  }
  return filled_with(cx, std::move(result), fill);
}

}  // namespace

Value real_on_device(Context& cx, const RealCall& call, const Value& w, const Value& x) {
  if (!belongs_to_device(cx, w, x)) return Value();
  return cx.device->real(cx, call, w, x);
}

Value pervade(Context& cx, const DyadRule& rule, Value& w, Value& x) {
  if (!w.is_array() && !x.is_array()) return rule.atoms(cx, w, x);
  if (!is_flat(w) || !is_flat(x)) {
    Value result = pervade_few(cx, rule, w, x);
    return result.is_absent() ? pervade_any(cx, rule, w, x) : result;
  }
  if (Direct d; find_direct_way(rule, w, x, d)) return run(cx, rule, d, w, x);
  if (Value result = bits_with_number(cx, rule, w, x); !result.is_absent()) return result;
  if (w.is_array() && x.is_array())
    if (Value result = on_short_cells(cx, rule, w.array(), x.array()); !result.is_absent()) return result;
  return pervade_any(cx, rule, w, x);
}

Value bits_with_number(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const Value& array = w.is_array() ? w : x;
  const Value& atom = w.is_array() ? x : w;
  if (!array.is_array() || !atom.is_number()) return Value();
  const Array& bits = array.array();
  if (bits.type() != ElementType::bit || bits.length == 0 || !is_filled_by_elements(bits)) return Value();
  const ResultsOfBits results = results_of_bits(cx, rule, atom, !w.is_array());
  if (results.are_bits_themselves()) return array;
  return choose_by_bits(cx, bits, results.type, &results.of_zero, &results.of_one);
}

Value pervade(Context& cx, const MonadRule& rule, Value& x) {
  if (x.is_atom()) return rule.atom(cx, x);
  if (Value result = direct(cx, rule, x); !result.is_absent()) return result;
  if (unbox_numbers(cx.heap, x)) return pervade(cx, rule, x);
  if (x.array().type() == ElementType::boxed && is_filled_by_first(x)) return filled_by_first(pervade_nested(cx, rule, x));
  Value fill = result_fill(cx, rule, x);
  Value result = x.array().type() == ElementType::boxed ? pervade_nested(cx, rule, x) : flat(cx, rule, x, 0, 0, nullptr);
  return filled_with(cx, std::move(result), fill);
}

}  // namespace griddle::primitives

namespace griddle {

Value call_on_numbers(Context& cx, const PrimitiveFunctionEntry& entry, double w, double x) {
  return entry.dyad_rule->atoms(cx, Value(w), Value(x));
}

}  // namespace griddle
