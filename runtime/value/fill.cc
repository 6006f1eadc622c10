#include "runtime/value/fill.h"

#include <algorithm>

#include "runtime/value/array_layout.h"

namespace griddle {

namespace {

// Nesting beyond which no fill is kept: nobody takes from so deep an array past its end.
constexpr int deepest_prototype = 500;

Value prototype_within(Heap& heap, const Value& v, int depth) {
  if (depth == 0) return Value();
  if (v.is_number()) return Value(0.0);
  if (v.is_character()) return Value::character(' ');
  if (!v.is_array()) return Value();
  const Array& a = v.array();
  if (is_number(a.type()) || is_character(a.type())) {
    Ref<Array> r = make_like(heap, is_number(a.type()) ? ElementType::bit : ElementType::c8, a);
    std::memset(r->data, is_number(a.type()) ? 0 : ' ', bytes_for(r->type(), r->length));
    // Whatever an empty array's type, its fill says of which kind its elements would be.
    if (a.length == 0 && a.fill_kind() == FillKind::space) return with_fill(heap, to_value(std::move(r)), Value::character(' '));
    if (a.fill_kind() == FillKind::none && (a.length == 0 || is_character(a.type())))
      return with_fill(heap, to_value(std::move(r)), Value());
    return to_value(std::move(r));
  }
  Ref<Array> r = make_like(heap, ElementType::boxed, a);
  for (std::size_t i = 0; i < a.length; i++) {
    Value p = prototype_within(heap, a.boxes()[i], depth - 1);
    if (p.is_absent()) return p;
    r->as<Value>()[i] = std::move(p);
  }
  Value result = to_value(std::move(r));
  // A fill that follows the first element follows what that became: to look for it again would take twice as long at each level.
  if (a.fill_kind() == FillKind::of_first && a.length > 0)
    result.array().set_fill_kind(FillKind::of_first);
  else
    result = with_fill_like(heap, std::move(result), v);
  return narrowed(heap, std::move(result));
}

}  // namespace

Value prototype(Heap& heap, const Value& v) { return prototype_within(heap, v, deepest_prototype); }

Value with_fill_like(Heap& heap, Value array, const Value& like) {
  if (like.is_array() && array.is_array()) {
    const FillKind kind = like.array().fill_kind();
    if (kind == array.array().fill_kind() && (kind == FillKind::zero || kind == FillKind::space)) return array;
  }
  return with_fill(heap, std::move(array), fill_of(heap, like));
}

namespace {

bool same_fill(const Value& a, const Value& b) {
  if (!a.is_array() || !b.is_array()) return a.same(b);
  const Array& x = a.array();
  const Array& y = b.array();
  if (!same_shape(x.shape(), y.shape())) return false;
  for (std::size_t i = 0; i < x.length; i++)
    if (!same_fill(element(x, i), element(y, i))) return false;
  if (x.length == 0) {
    FillKind k = x.fill_kind();
    if (k != y.fill_kind()) return false;
    if (k == FillKind::nested) return same_fill(x.nested_fill(), y.nested_fill());
  }
  return true;
}

}  // namespace

Value common_fill(Heap& heap, const Value& a, const Value& b) {
  Value x = fill_of(heap, a);
  if (x.is_absent()) return x;
  Value y = fill_of(heap, b);
  return same_fill(x, y) ? x : Value();
}

Value filled(Heap& heap, std::span<const std::size_t> shape, const Value& v) {
  const bool plain = v.is_number() || v.is_character();
  if (plain && shape.empty()) return enclose(heap, v);
  ElementType t = element_type_of(v);
  Ref<Array> r = make_array(heap, t, shape);
  with_type(t, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, Bit>)
      std::memset(r->data, v.number() != 0 ? 0xFF : 0, bytes_for(t, r->length));
    else if constexpr (std::is_same_v<T, Value>)
      fill_boxes(*r, 0, r->length, v);
    else if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> || std::is_same_v<T, char32_t>)
      std::fill_n(r->as<T>(), r->length, static_cast<T>(v.character()));
    else
      std::fill_n(r->as<T>(), r->length, static_cast<T>(v.number()));
  });
  // Numbers and characters have the fill of their kind already.
  if (plain) return to_value(std::move(r));
  if (r->length == 0) return with_fill(heap, to_value(std::move(r)), prototype(heap, v));
  r->set_fill_kind(FillKind::of_first);
  return to_value(std::move(r));
}

Value fill_of(Heap& heap, const Value& v) {
  if (v.is_number()) return Value(0.0);
  if (v.is_character()) return Value::character(' ');
  if (!v.is_array()) return Value();
  const Array& a = v.array();
  switch (a.fill_kind()) {
    case FillKind::none: return Value();
    case FillKind::zero: return Value(0.0);
    case FillKind::space: return Value::character(' ');
    case FillKind::nested: return a.nested_fill();
    case FillKind::of_first: return a.length ? prototype(heap, element(a, 0)) : Value();
  }
  __builtin_unreachable();
}

namespace {

// Shows the elements with another fill.
[[gnu::noinline]] Value view_with_fill(Heap& heap, Value& v, FillKind kind, const Value& fill) {
  Array& a = v.array();
  Shape shape(a.shape());
  Value kept = fill;  // `fill` may be the one of the array that is given away
  std::uint8_t* data = a.data;
  ElementType type = a.type();
  std::size_t length = a.length;
  return Value(make_view(heap, view_owner(std::move(v)), data, type, shape, length, kind, kept));
}

}  // namespace

Value with_fill(Heap& heap, Value v, const Value& fill) {
  Array& a = v.array();
  FillKind kind = fill.is_absent()      ? FillKind::none
                  : fill.is_number()    ? FillKind::zero
                  : fill.is_character() ? FillKind::space
                                        : FillKind::nested;
  if (kind != FillKind::nested) {
    if (a.fill_kind() == kind) return v;
    // Lent arrays keep their fill for the lender, should the call fail later.
    if (a.unique() && a.refs == 1 && a.fill_kind() != FillKind::nested) {
      a.set_fill_kind(kind);
      return v;
    }
  }
  return view_with_fill(heap, v, kind, fill);
}

}  // namespace griddle
