#include "primitives/long_lists.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "primitives/operand.h"

namespace griddle::primitives {

namespace {

// The memory of longer arrays that nobody else holds may be worth more than the short way.
constexpr std::size_t longest = 16384;

// Tells whether this is a list of atoms with the fill that such elements have without being told.
inline bool is_plain_list(const Array& a) {
  // Kind, element type, rank and flags lie side by side.
  constexpr auto described = [](FillKind fill) {
    return static_cast<std::uint32_t>(ObjectKind::array) | 1u << 16 | static_cast<std::uint32_t>(fill) << 24;
  };
  constexpr std::uint32_t kept = 0x00FF00FF | std::uint32_t{Array::fill_mask} << 24;
  std::uint32_t description;
  std::memcpy(&description, reinterpret_cast<const unsigned char*>(&a) + sizeof a.refs, sizeof description);
  const std::uint32_t wanted = is_number(a.type()) ? described(FillKind::zero) : described(FillKind::space);
  return (description & kept) == wanted && a.type() != ElementType::boxed;
}

// Gives the narrowest type that holds the number.
inline ElementType type_of(double d, std::int32_t& integer) {
  if (!(std::fabs(d) < 2147483648.0)) return ElementType::f64;
  integer = static_cast<std::int32_t>(d);
  if (std::bit_cast<std::uint64_t>(static_cast<double>(integer)) != std::bit_cast<std::uint64_t>(d)) return ElementType::f64;
  if (integer == static_cast<std::int8_t>(integer))
    return static_cast<std::uint32_t>(integer) < 2 ? ElementType::bit : ElementType::i8;
  return integer == static_cast<std::int16_t>(integer) ? ElementType::i16 : ElementType::i32;
}

// Takes back results that do not fit, and computes all anew with a kernel that reads the same and whose results always fit. Gives
// the absent value where there is none.
[[gnu::noinline]] Value in_wider_type(Context& cx, const DyadRule& rule, const Value& w, const Value& x, Array* narrow) {
  const ElementType narrow_type = narrow->type();
  const std::size_t n = narrow->length;
  release(narrow);
  const kernels::Form form = !w.is_array() ? kernels::scalar_array : x.is_array() ? kernels::array_array : kernels::array_scalar;
  const ElementType read = (w.is_array() ? w : x).array().type(), type_w = w.is_array() ? read : element_type_of(w),
                    type_x = x.is_array() ? x.array().type() : element_type_of(x);
  DyadStep step;
  if (!is_number(type_w) || !is_number(type_x) || !rule.step(type_w, type_x, 1, step)) return Value();
  if (step.w != read || step.x != read || step.result <= narrow_type) return Value();
  alignas(8) unsigned char one[8];
  if (form != kernels::array_array) store_single(w.is_array() ? x : w, read, one);
  Value result(make_plain_list(cx.heap, step.result, n));
  const auto from = [&](const Value& v) { return v.is_array() ? static_cast<const void*>(v.array().data) : one; };
  return step.forms[form](result.array().data, from(w), from(x), n) == n ? std::move(result) : Value();
}

template <kernels::Form form>
inline Value with_atom(Context& cx, const Value& w, const Value& x, const LongListRule& family) {
  constexpr bool left = form == kernels::array_scalar;
  const Array& a = (left ? w : x).array();
  const Value& atom = left ? x : w;
  const std::size_t n = a.length;
  const void* data = a.data.here();
  if (n > longest || data == nullptr || !is_plain_list(a)) return pervade_borrowed(cx, family.rule, w, x);
  ElementType type = ElementType::f64;
  std::int32_t integer = 0;
  if (atom.is_number()) {
    if (a.type() != ElementType::f64) type = type_of(atom.number(), integer);
  } else if (atom.is_character()) {
    integer = static_cast<std::int32_t>(atom.character());
    type = integer < 256 ? ElementType::c8 : integer < 65536 ? ElementType::c16 : ElementType::c32;
  } else {
    return Value();
  }
  const DirectDyad& way = family.ways.find(form, left ? a.type() : type, left ? type : a.type());
  if (way.kernel == nullptr) [[unlikely]]
    return a.type() == ElementType::bit ? bits_with_number(cx, family.rule, w, x) : Value();
  // The first bytes of an integer are the narrower integer; a bit is a word of equal bits.
  static_assert(std::endian::native == std::endian::little);
  std::int64_t one = way.atom == ElementType::bit ? -std::int64_t{integer} : std::int64_t{integer};
  if (way.atom == ElementType::f64) one = std::bit_cast<std::int64_t>(atom.number());
  Array* made = make_plain_list(cx.heap, way.result, n);
  if (way.kernel(made->data.here(), left ? data : &one, left ? &one : data, made->length) == made->length) [[likely]]
    return Value(made);
  return in_wider_type(cx, family.rule, w, x, made);
}

}  // namespace

Value long_lists(Context& cx, const Value& w, const Value& x, const LongListRule& family) {
  const Array& a = w.array();
  const Array& b = x.array();
  const std::size_t n = a.length;
  const void* left = a.data.here();
  const void* right = b.data.here();
  if (b.length != n || n > longest || left == nullptr || right == nullptr || !is_plain_list(a) || !is_plain_list(b))
    return Value();
  const DirectDyad& way = family.ways.find(kernels::array_array, a.type(), b.type());
  if (way.kernel == nullptr) return Value();
  Array* made = make_plain_list(cx.heap, way.result, n);
  if (way.kernel(made->data.here(), left, right, made->length) == made->length) [[likely]]
    return Value(made);
  return in_wider_type(cx, family.rule, w, x, made);
}
Value long_list_and_atom(Context& cx, const Value& w, const Value& x, const LongListRule& family) {
  return with_atom<kernels::array_scalar>(cx, w, x, family);
}
Value atom_and_long_list(Context& cx, const Value& w, const Value& x, const LongListRule& family) {
  return with_atom<kernels::scalar_array>(cx, w, x, family);
}

}  // namespace griddle::primitives
