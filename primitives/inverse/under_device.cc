#include "primitives/inverse/under_device.h"

#include "runtime/vm/call.h"

namespace griddle::primitives {

namespace {

Value called(Context& cx, char32_t glyph, Value w, Value x) { return call(cx, primitive(cx, glyph), std::move(w), std::move(x)); }

// Tells whether elements of v may stand among those of x as they are.
bool is_alike(const Value& v, const Array& x) {
  if (v.is_atom()) return is_number(x.type()) ? v.is_number() : v.is_character();
  return v.array().type() != ElementType::boxed && is_number(v.array().type()) == is_number(x.type());
}

}  // namespace

Value cells_there(Context& cx, const Value& x, std::size_t first, std::size_t count) {
  return called(cx, U'↑', Value(count), called(cx, U'↓', Value(first), x));
}

Value cell_there(Context& cx, const Value& x, std::size_t first) { return called(cx, U'⊏', Value(first), x); }

Value with_cells_there(Context& cx, const Value& x, std::size_t first, std::size_t count, const Value& v) {
  const Array& a = x.array();
  if (!is_alike(v, a)) return Value();
  const std::size_t after = first + count;
  if (count == a.cells()) return v.is_array() ? with_shape(cx.heap, v, Shape(a.shape())) : Value();
  Value result = first == 0 ? v : called(cx, U'∾', called(cx, U'↑', Value(first), x), v);
  return after == a.cells() ? result : called(cx, U'∾', std::move(result), called(cx, U'↓', Value(after), x));
}

}  // namespace griddle::primitives
