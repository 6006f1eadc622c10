#include "primitives/dispatch.h"

#include <algorithm>

#include "primitives/kernels/convert.h"
#include "primitives/operand.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

namespace {

using kernels::Form;

constexpr std::size_t short_length = 4096;  // up to here preparations cost as much as the elements
constexpr std::size_t long_cell = 512;      // from here on a cell is worth a kernel call of its own

int at(ElementType t) { return static_cast<int>(t); }

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
  Value fill_w = w.is_array() ? fill_of(cx.heap, w) : w;
  Value fill_x = x.is_array() ? fill_of(cx.heap, x) : x;
  if (fill_w.is_absent() || fill_x.is_absent()) return Value();
  return fill_from(cx, [&] { return rule.self(cx, std::move(fill_w), std::move(fill_x)); });
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
  if (kind == FillKind::zero && fill.is_number()) return result;
  if (kind == FillKind::space && fill.is_character()) return result;
  return with_fill(cx.heap, std::move(result), fill);
}

// --- flat arguments

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

// Holds the results of a kernel: the memory of an argument where that may be reused, else a new array, replaced by a wider one
// where a result does not fit.
class Results {
 public:
  // `candidates` are arguments whose memory the kernel may overwrite.
  Results(Context& cx, const Array& shaped, ElementType type, ElementType read, std::initializer_list<Value*> candidates)
      : heap_(cx.heap), type_(type) {
    for (Value* v : candidates) {
      if (v == nullptr || !v->is_array()) continue;
      Array& a = v->array();
      if (a.length != shaped.length || a.rank() != shaped.rank() || a.type() != read || bits_of(read) != bits_of(type) ||
          a.fill_kind() == FillKind::nested || !a.writable())
        continue;
      reused_ = v;
      array_ = &a;
      return;
    }
    made_ = make_like(heap_, type, shaped);
    array_ = made_.get();
  }
  void* at_place(std::size_t place) const {
    return array_->data + (type_ == ElementType::bit ? place / 8 : place * (bits_of(type_) / 8));
  }
  // Goes on in another type; `done` results are there already.
  void widen(ElementType wider, std::size_t done) {
    if (wider == type_) return;
    Ref<Array> next = make_like(heap_, wider, *array_);
    if (done != 0) kernels::convert().widen[at(type_)][at(wider)](next->data, array_->data, done);
    made_ = std::move(next);
    array_ = made_.get();
    reused_ = nullptr;
    type_ = wider;
  }
  Value finish() {
    if (reused_ == nullptr) return to_value(std::move(made_));
    array_->a = static_cast<std::uint8_t>(type_);
    return std::move(*reused_);
  }

 private:
  Heap& heap_;
  ElementType type_;
  Ref<Array> made_;
  Value* reused_ = nullptr;
  Array* array_;
};

// Runs kernels over two flat arguments; `shaped` is the one whose shape the result has.
Value flat(Context& cx, const DyadRule& rule, Value& w, Value& x, const Array& shaped, Operand left, Operand right) {
  const std::size_t n = shaped.length;
  DyadStep step;
  int attempt = 0;
  const auto computed = [&](std::size_t i) { return rule.atoms(cx, left.at_place(i), right.at_place(i)); };
  if (n == 0 || !rule.step(left.type(), right.type(), attempt, step) || !left.want(step.w) || !right.want(step.x))
    return one_by_one(cx, shaped, computed);

  // Characters may turn out not to exist, which must leave the argument whole.
  const bool reuses = !is_character(step.result);
  Results results(cx, shaped, step.result, step.w,
                  {reuses && !left.single() && left.direct() ? &w : nullptr,
                   reuses && !right.single() && right.direct() && step.x == step.w ? &x : nullptr});
  alignas(64) Operand::Buffer buffer_w;
  alignas(64) Operand::Buffer buffer_x;
  for (std::size_t place = 0; place < n;) {
    std::size_t count = n - place;
    if (!left.direct() || !right.direct()) count = std::min(count, Operand::piece);
    Form form = left.single() ? kernels::scalar_array : right.single() ? kernels::array_scalar : kernels::array_array;
    // Bits are written in whole words, so that only other results go cell by cell.
    const bool by_cell = step.result != ElementType::bit && std::max(left.cell(), right.cell()) >= long_cell;
    if (by_cell) {
      const std::size_t cell = std::max(left.cell(), right.cell());
      if (left.spreads() ? right.direct() : left.direct()) count = n - place;
      count = std::min(count, cell - place % cell);
      form = left.spreads() ? kernels::scalar_array : kernels::array_scalar;
    }
    const void* from_w = by_cell && left.spreads() ? left.read_one(place, buffer_w) : left.read(place, count, buffer_w);
    const void* from_x = by_cell && right.spreads() ? right.read_one(place, buffer_x) : right.read(place, count, buffer_x);
    std::size_t done = 0;
    if (from_w != nullptr && from_x != nullptr) done = step.forms[form](results.at_place(place), from_w, from_x, count);
    place += done;
    if (done == count) continue;
    if (from_w == nullptr || from_x == nullptr || !rule.step(left.type(), right.type(), ++attempt, step) || !left.want(step.w) ||
        !right.want(step.x)) {
      while (place < n) computed(place++);  // fails at the offending element
      fail(cx, std::string(rule.name) + ": Result out of range");
    }
    results.widen(step.result, place);
  }
  return results.finish();
}

// Serves the plain case of short arguments without the preparations that others need: elements of one type, in which the result
// fits. Gives the absent value for anything else. Never writes over an argument.
Value plain(Context& cx, const DyadRule& rule, const Value& w, const Value& x, const Array& shaped) {
  const std::size_t n = shaped.length;
  const ElementType type = shaped.type();
  if (n == 0 || n > short_length || shaped.fill_kind() != FillKind::zero || !is_number(type)) return Value();
  alignas(8) unsigned char one[8];
  const auto readable = [&](const Value& v) -> const void* {
    if (v.is_array()) {
      const Array& a = v.array();
      return a.type() == type && a.rank() == shaped.rank() && a.fill_kind() == FillKind::zero ? a.data : nullptr;
    }
    if (!v.is_number() || element_type_of(v) > type) return nullptr;
    return store_single(v, type, one), one;
  };
  const void* from_w = readable(w);
  const void* from_x = readable(x);
  DyadStep step;
  if (from_w == nullptr || from_x == nullptr || !rule.step(type, type, 0, step) || step.w != type || step.x != type)
    return Value();
  Ref<Array> result = make_like(cx.heap, step.result, shaped);
  const Form form = !w.is_array() ? kernels::scalar_array : !x.is_array() ? kernels::array_scalar : kernels::array_array;
  return step.forms[form](result->data, from_w, from_x, n) == n ? to_value(std::move(result)) : Value();
}

Value flat(Context& cx, const MonadRule& rule, Value& x) {
  const std::size_t n = x.array().length;
  Operand operand(x, false, 1);
  MonadStep step;
  int attempt = 0;
  if (n == 0 || !rule.step(operand.type(), attempt, step))
    return one_by_one(cx, x.array(), [&](std::size_t i) { return rule.atom(cx, operand.at_place(i)); });
  operand.want(step.x);
  Results results(cx, x.array(), step.result, step.x, {&x});
  alignas(64) Operand::Buffer buffer;
  for (std::size_t place = 0; place < n;) {
    const std::size_t count = operand.direct() ? n - place : std::min(n - place, Operand::piece);
    const std::size_t done = step.kernel(results.at_place(place), operand.read(place, count, buffer), count);
    place += done;
    if (done == count) continue;
    [[maybe_unused]] const bool more = rule.step(operand.type(), ++attempt, step);
    assert(more);
    operand.want(step.x);
    results.widen(step.result, place);
  }
  return results.finish();
}

// --- nested arguments

Value unboxed_if_flat(Context& cx, Value boxed) {
  for (const Value& v : boxed.array().boxes())
    if (!v.is_number() && !v.is_character()) return boxed;
  return narrowed(cx.heap, std::move(boxed));
}

Value nested(Context& cx, const DyadRule& rule, const Value& w, const Value& x, const Array& shaped, std::size_t cell_w,
             std::size_t cell_x) {
  cx.check_stack();
  Ref<Array> result = make_like(cx.heap, ElementType::boxed, shaped);
  for (std::size_t i = 0; i < shaped.length; i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    result->as<Value>()[i] =
        rule.self(cx, w.is_array() ? element(w.array(), i / cell_w) : w, x.is_array() ? element(x.array(), i / cell_x) : x);
  }
  return unboxed_if_flat(cx, to_value(std::move(result)));
}

Value nested(Context& cx, const MonadRule& rule, const Value& x) {
  cx.check_stack();
  const Array& a = x.array();
  Ref<Array> result = make_like(cx.heap, ElementType::boxed, a);
  for (std::size_t i = 0; i < a.length; i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    result->as<Value>()[i] = rule.self(cx, a.boxes()[i]);
  }
  return unboxed_if_flat(cx, to_value(std::move(result)));
}

bool is_boxed(const Value& v) {
  return v.is_array() ? v.array().type() == ElementType::boxed : !v.is_number() && !v.is_character();
}

}  // namespace

void check_agreement(Context& cx, const char* name, const Value& w, const Value& x) {
  const auto shape_w = shape_of(w), shape_x = shape_of(x);
  const std::size_t both = std::min(shape_w.size(), shape_x.size());
  if (!same_shape(shape_w.first(both), shape_x.first(both)))
    fail(cx, std::string(name) + ": One shape must begin the other (𝕨 has shape " + shape_text(w) + ", 𝕩 has shape " +
                 shape_text(x) + ")");
}

namespace {

// Serves two short lists of one numeric type in which the result fits; gives the absent value for anything else.
Value short_lists(Context& cx, const DyadRule& rule, const Array& w, const Array& x) {
  const ElementType type = w.type();
  if (type != x.type() || !is_number(type) || w.length != x.length || w.length == 0 || w.length > short_length || w.rank() != 1 ||
      x.rank() != 1 || w.fill_kind() != FillKind::zero || x.fill_kind() != FillKind::zero)
    return Value();
  DyadStep step;
  if (!rule.step(type, type, 0, step) || step.w != type || step.x != type) return Value();
  Ref<Array> result = make_list(cx.heap, step.result, w.length);
  return step.forms[kernels::array_array](result->data, w.data, x.data, w.length) == w.length ? to_value(std::move(result))
                                                                                              : Value();
}

}  // namespace

Value pervade(Context& cx, const DyadRule& rule, Value w, Value x) {
  if (w.is_array() && x.is_array()) {
    if (Value result = short_lists(cx, rule, w.array(), x.array()); !result.is_absent()) return result;
  } else if (w.is_atom() && x.is_atom()) {
    return rule.atoms(cx, w, x);
  }
  check_agreement(cx, rule.name, w, x);
  const unsigned rank_w = rank_of(w), rank_x = rank_of(x);
  const bool shaped_by_w = !x.is_array() || (w.is_array() && rank_w >= rank_x);
  const Array& shaped = shaped_by_w ? w.array() : x.array();
  // Ranks that differ make each element of the shorter side meet a whole cell; atoms and units meet everything.
  const std::size_t length_w = length_of(w), length_x = length_of(x);
  const std::size_t cell_w = length_w == 0 ? 1 : shaped.length / length_w;
  const std::size_t cell_x = length_x == 0 ? 1 : shaped.length / length_x;
  if (Value result = plain(cx, rule, w, x, shaped); !result.is_absent()) return result;
  Value fill = result_fill(cx, rule, w, x);
  Value result;
  if (is_boxed(w) || is_boxed(x)) {
    result = nested(cx, rule, w, x, shaped, cell_w == 0 ? 1 : cell_w, cell_x == 0 ? 1 : cell_x);
  } else {
    const bool single_w = !w.is_array() || (!shaped_by_w && length_w == 1),
               single_x = !x.is_array() || (shaped_by_w && length_x == 1 && rank_x < rank_w);
    result = flat(cx, rule, w, x, shaped, Operand(w, single_w, cell_w), Operand(x, single_x, cell_x));
  }
  return filled_with(cx, std::move(result), fill);
}

Value pervade(Context& cx, const MonadRule& rule, Value x) {
  if (x.is_atom()) return rule.atom(cx, x);
  Value fill = result_fill(cx, rule, x);
  Value result = x.array().type() == ElementType::boxed ? nested(cx, rule, x) : flat(cx, rule, x);
  return filled_with(cx, std::move(result), fill);
}

}  // namespace griddle::primitives
