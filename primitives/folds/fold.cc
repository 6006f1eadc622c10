// ´ ˝ `: functions between the elements or cells of one array.
#include <algorithm>

#include "primitives/common/cells_builder.h"
#include "primitives/common/element_reader.h"
#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/folds/running_numbers.h"
#include "primitives/functions.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/number_steps.h"

namespace griddle::primitives {
namespace {

// Gives the identity of f as an element, or the absent value.
Value identity_of(Context& cx, const Value& f) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) return p->has_identity ? Value(p->identity) : Value();
  if (modifier_of(f) != Glyph::table) return Value();
  cx.check_stack();
  Value inner = identity_of(cx, operand(f.function()));
  return inner.is_absent() ? inner : enclose(cx.heap, std::move(inner));
}

bool is_join(const Value& f) { return name_of(f) == Glyph::join; }

// Tells whether f is ∾˜, which joins from the right.
bool is_swapped_join(const Value& f) { return modifier_of(f) == Glyph::swap && is_join(operand(f.function())); }

// Tells whether joining the elements one by one gives a list, so that it can be done in one go.
bool joins_to_list(const Array& a) {
  if (a.type() != ElementType::boxed) return true;
  bool any_list = false;
  for (const Value& v : a.boxes()) {
    if (rank_of(v) > 1) return false;
    any_list |= rank_of(v) == 1;
  }
  return any_list;
}

// Calls from which on taking a function apart takes less time than it saves.
constexpr std::size_t worth_steps = 4;

// Gives the train that a block is equal to, if there is one and enough calls are to come; else the function itself.
Value without_block(Context& cx, const Value& f, std::size_t calls) {
  constexpr std::size_t worth_a_train = 32;
  if (f.function().kind != ObjectKind::block_function || calls < worth_a_train) return f;
  Value train = composed_by_block(cx, f, true);
  return train.is_absent() ? f : train;
}

// Folds numbers as long as arithmetic alone gives the results; gives the number of elements left.
std::size_t fold_numbers(Context& cx, const Function& f, const ElementReader& elements, std::size_t count, Value& result) {
  double so_far = result.number();
  const auto go_on = [&](auto function) {
    for (; count != 0; count--) {
      cx.check_interrupt();
      const double next = function(elements[count - 1].number(), so_far);
      if (next != next) break;
      so_far = next;
    }
  };
  if (count < worth_steps)
    go_on([&](double w, double x) { return result_on_numbers(f, w, x); });
  else if (NumberSteps steps(f); steps.usable()) {
    if (const double factor = steps.added_factor(); factor == factor)
      go_on([&](double w, double x) { return w + factor * x; });
    else
      go_on(steps);
  }
  result = Value(so_far);
  return count;
}

// Gives what = or ≠ says of any character and any number; the absent value for other functions.
Value difference_in_kind(const Value& f) {
  return is_any(name_of(f), Glyph::equal, Glyph::not_equal) ? Value(name_of(f) == Glyph::not_equal) : Value();
}

// Folds from the right. `result` is the value to start from; elements [0, count) follow.
Value fold_elements(Context& cx, const Value& f, Value x, std::size_t count, Value result) {
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  if (entry != nullptr && result.is_number() && is_number(x.array().type())) {
    double so_far = result.number();
    count = fold_running(cx, entry->name, x, count, so_far);
    result = Value(so_far);
  }
  // Whatever two characters give is a number, which differs from all other characters.
  if (is_character(x.array().type()) && count != 0 && (result.is_number() || (result.is_character() && count > 1)))
    if (Value known = difference_in_kind(f); !known.is_absent()) return known;
  ElementReader elements = ElementReader(x).take_if_unseen(x);
  if (result.is_number() && is_number(x.array().type()) && f.is_function()) {
    const Value computing = without_block(cx, f, count);
    count = fold_numbers(cx, computing.function(), elements, count, result);
  }
  Caller caller(cx, f);
  for (std::size_t i = count; i-- > 0;) {
    cx.check_interrupt();
    result = caller(elements[i], std::move(result));
  }
  return result;
}

void check_list(Context& cx, const Value& x) {
  if (rank_of(x) != 1) fail(cx, "Fold: 𝕩 must be a list (got " + kind_text(x) + ")");
}

}  // namespace

// --- ´

Value fold_monad(Context& cx, const Function& self, Value x) {
  check_list(cx, x);
  const Value& f = operand(self);
  const Array& a = x.array();
  if (a.length == 0) {
    Value identity = identity_of(cx, f);
    if (identity.is_absent()) fail(cx, "Fold: 𝔽 has no known identity for an empty 𝕩 (𝔽: " + function_text(cx, f) + ")");
    return identity;
  }
  if (a.length == 1) return element(a, 0);
  if (is_join(f) && joins_to_list(a)) return join_one_by_one(cx, std::move(x));
  if (is_swapped_join(f) && joins_to_list(a)) {
    return join_one_by_one(cx, reverse(cx, std::move(x)));
  }
  if (a.length == 2) {
    const ElementReader pair = ElementReader(x).take_if_unseen(x);
    if (const Value* left = pair.kept(0)) return call(cx, f, *left, *pair.kept(1));
    Value left = pair[0];
    return call(cx, f, std::move(left), pair[1]);
  }
  if (Value result = call_with_primitive(cx, self, Value(), x); !result.is_absent()) return result;
  std::size_t last = a.length - 1;
  Value start = ElementReader(x)[last];
  return fold_elements(cx, f, std::move(x), last, std::move(start));
}

Value fold_dyad(Context& cx, const Function& self, Value w, Value x) {
  check_list(cx, x);
  const Value& f = operand(self);
  const Array& a = x.array();
  if (a.length == 0) return w;
  if (is_join(f) && a.length > 1 && rank_of(w) <= 1 && joins_to_list(a)) {
    return join_to(cx, join_one_by_one(cx, std::move(x)), std::move(w));
  }
  if (is_swapped_join(f) && a.length > 1 && rank_of(w) <= 1 && joins_to_list(a)) {
    return join_to(cx, std::move(w), join_one_by_one(cx, reverse(cx, std::move(x))));
  }
  if (w.is_number())
    if (Value result = call_with_primitive(cx, self, w, x); !result.is_absent()) return result;
  std::size_t length = a.length;
  return fold_elements(cx, f, std::move(x), length, std::move(w));
}

// --- ˝

namespace {

// Folds cells from the right onto `result`.
Value insert_cells(Context& cx, const Value& f, const Value& x, std::size_t count, Value result) {
  Caller caller(cx, f);
  for (std::size_t i = count; i-- > 0;) {
    cx.check_interrupt();
    result = caller(cell_at(cx.heap, x, i), std::move(result));
  }
  return result;
}

// Folds many short cells of atoms column by column.
Value insert_columns(Context& cx, const Value& f, Value x) {
  std::size_t cells = x.array().cells();
  std::size_t columns = x.array().cell_length();
  Shape shape(x.array().shape().subspan(1));
  Value turned = transpose(cx, with_shape(cx.heap, std::move(x), Shape{cells, columns}));
  Value folded = derive1(cx, primitive(cx, Glyph::fold), f);
  ArrayBuilder builder(cx.heap, columns);
  for (std::size_t i = 0; i < columns; i++) builder.push(call(cx, folded, slice(cx.heap, turned, i * cells, cells)));
  return builder.finish(shape);
}

}  // namespace

Value insert_monad(Context& cx, const Function& self, Value x) {
  if (rank_of(x) == 0) fail(cx, "Insert: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  const Value& f = operand(self);
  const Array& a = x.array();
  std::size_t cells = a.cells();
  if (is_join(f) && a.rank() > 1) {
    Shape shape(a.shape().subspan(1));
    if (__builtin_mul_overflow(shape[0], cells, &shape[0]) || product(shape) > max_length)
      fail(cx, "Insert: Result is too large (from shape " + shape_text(x) + ")");
    return with_shape(cx.heap, std::move(x), shape);
  }
  if (cells == 0) {
    Value identity = identity_of(cx, f);
    if (identity.is_absent())
      fail(cx, "Insert: 𝔽 has no known identity for an empty 𝕩 (𝔽: " + function_text(cx, f) + ", shape " + shape_text(x) + ")");
    return identity.is_array() ? identity : filled(cx.heap, a.shape().subspan(1), identity);
  }
  if (cells == 1) {
    Shape cell(a.shape().subspan(1));
    return with_shape(cx.heap, std::move(x), cell);
  }
  if (is_pervasive_dyad(f)) {
    if (a.rank() == 1) return enclose(cx.heap, call(cx, derive1(cx, primitive(cx, Glyph::fold), f), std::move(x)));
    constexpr std::size_t few_columns = 16;
    if (a.cell_length() <= few_columns && cells > 8 * few_columns && a.length > 0 && a.type() != ElementType::boxed)
      return insert_columns(cx, f, std::move(x));
  }
  if (is_join(f) && a.rank() == 1) return x;
  if (const PrimitiveFunctionEntry* entry = primitive_entry(f);
      entry != nullptr && a.rank() > 1 && is_number(a.type()) && a.length != 0 && has_plain_fill(a))
    if (Value result = insert_running(cx, entry->name, x); !result.is_absent()) return result;
  return insert_cells(cx, f, x, cells - 1, cell_at(cx.heap, x, cells - 1));
}

Value insert_dyad(Context& cx, const Function& self, Value w, Value x) {
  if (rank_of(x) == 0) fail(cx, "Insert: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  return insert_cells(cx, operand(self), x, x.array().cells(), std::move(w));
}

// --- `

namespace {

// Scans numbers as long as arithmetic alone gives the results, of which results[0] is the first; gives how many there are then.
std::size_t scan_numbers(Context& cx, NumberSteps& steps, const ElementReader& elements, std::size_t length, double* results) {
  for (std::size_t i = 1; i < length; i++) {
    cx.check_interrupt();
    const double next = steps(results[i - 1], elements[i].number());
    if (next != next) return i;
    results[i] = next;
  }
  return length;
}

// Scans a list; `result` is the first result, elements [1, n) follow.
Value scan_list(Context& cx, const Value& f, Value x, Value result) {
  std::size_t length = x.array().length;
  if (is_character(x.array().type()) && result.is_character() && length > 2)
    if (Value known = difference_in_kind(f); !known.is_absent()) {
      Ref<Array> results = make_list(cx.heap, ElementType::boxed, length);
      std::fill_n(results->as<Value>(), length, known);
      results->as<Value>()[1] = call(cx, f, result, element(x.array(), 1));
      results->as<Value>()[0] = std::move(result);
      return to_value(std::move(results));
    }
  ElementReader elements(x);
  ArrayBuilder builder(cx.heap, length);
  std::size_t done = 1;
  if (length > worth_steps && result.is_number() && is_number(x.array().type()) && f.is_function()) {
    if (NumberSteps steps(without_block(cx, f, length).function()); steps.usable()) {
      Ref<Array> results = make_list(cx.heap, ElementType::f64, length);
      double* numbers = results->as<double>();
      numbers[0] = result.number();
      done = scan_numbers(cx, steps, elements, length, numbers);
      if (done == length) return integers_if_whole(cx.heap, to_value(std::move(results)));
      for (std::size_t i = 0; i + 1 < done; i++) builder.push(Value(numbers[i]));
      result = Value(numbers[done - 1]);
    }
  }
  builder.push(result);
  Caller caller(cx, f);
  for (std::size_t i = done; i < length; i++) {
    cx.check_interrupt();
    result = caller(std::move(result), elements[i]);
    builder.push(result);
  }
  return builder.finish();
}

Value scan_cells(Context& cx, const Value& f, const Value& x, Value result) {
  std::size_t cells = x.array().cells();
  CellsBuilder builder(cx, "Scan", Shape{cells});
  builder.push(result);
  Caller caller(cx, f);
  for (std::size_t i = 1; i < cells; i++) {
    cx.check_interrupt();
    result = caller(std::move(result), cell_at(cx.heap, x, i));
    builder.push(result);
  }
  return builder.finish();
}

// Scans each column of elements. `w` is absent or has the shape of a cell.
Value scan_columns(Context& cx, const Value& f, const Value& w, const Value& x) {
  const Array& a = x.array();
  std::size_t cell = a.cell_length();
  Ref<Array> results = make_array(cx.heap, ElementType::boxed, a.shape());
  std::span<Value> boxes = results->boxes();
  ElementReader from_x(x);
  ElementReader from_w(w);
  Caller caller(cx, f);
  for (std::size_t i = 0; i < a.length; i++) {
    cx.check_interrupt();
    if (i >= cell)
      boxes[i] = caller(boxes[i - cell], from_x[i]);
    else
      boxes[i] = w.is_absent() ? from_x[i] : caller(from_w[i], from_x[i]);
  }
  return narrowed(cx.heap, to_value(std::move(results)));
}

}  // namespace

Value scan_monad(Context& cx, const Function& self, Value x) {
  if (rank_of(x) == 0) fail(cx, "Scan: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  const Value& f = operand(self);
  const Array& a = x.array();
  if (a.length == 0 || a.cells() == 1) return x;
  if (a.rank() == 1) {
    if (Value result = call_with_primitive(cx, self, Value(), x); !result.is_absent()) return result;
  }
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  if (entry != nullptr && is_number(a.type())) {
    Value result = (a.rank() == 1 ? scan_running : scan_cells_running)(cx, entry->name, x);
    if (!result.is_absent()) return result;
  }
  // All that ⊣ gives is the first element.
  const bool repeats_first = a.rank() == 1 && entry != nullptr && entry->scalar == ScalarOp::left;
  Value fill = repeats_first ? prototype(cx.heap, element(a, 0)) : fill_of(cx.heap, x);
  Value result;
  if (a.rank() == 1) {
    Value start = element(a, 0);
    result = scan_list(cx, f, std::move(x), std::move(start));
  } else {
    result = is_pervasive_dyad(f) ? scan_cells(cx, f, x, cell_at(cx.heap, x, 0)) : scan_columns(cx, f, Value(), x);
  }
  return with_fill(cx.heap, std::move(result), fill);
}

Value scan_dyad(Context& cx, const Function& self, Value w, Value x) {
  if (rank_of(x) == 0) fail(cx, "Scan: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  const Value& f = operand(self);
  const Array& a = x.array();
  if (!same_shape(shape_of(w), a.shape().subspan(1)))
    fail(cx, "Scan: 𝕨 must have the shape of a cell of 𝕩 (shapes " + shape_text(w) + " and " + shape_text(x) + ")");
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  if (a.length == 0 || (entry != nullptr && entry->name == Glyph::right)) return x;
  // What starts the results gives them its kind, unless 𝔽 is a constant.
  const Value& kind = f.is_function() ? w : x;
  Value fill = kind.is_array() ? fill_of(cx.heap, kind) : prototype(cx.heap, kind);
  Value result;
  if (a.rank() == 1) {
    Value start = call(cx, f, ElementReader(w)[0], element(a, 0));
    result = scan_list(cx, f, std::move(x), std::move(start));
  } else if (is_pervasive_dyad(f)) {
    Value start = call(cx, f, std::move(w), cell_at(cx.heap, x, 0));
    result = scan_cells(cx, f, x, std::move(start));
  } else {
    result = scan_columns(cx, f, w, x);
  }
  return with_fill(cx.heap, std::move(result), fill);
}

}  // namespace griddle::primitives
