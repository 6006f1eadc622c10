// Arithmetic on the bits of arrays: •bit
//
// Elements lie one after the other along the last axis, least significant bit first, as they do in memory. An operation cuts that
// string of bits into pieces of its own width.
#include <array>
#include <bit>
#include <cstring>

#include "primitives/kernels/elementwise/bitwise.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

// Says how a width of bits is read and written: 'u' one bit, 'i' 8 to 32, 'f' 64, 'c' 8 to 32.
struct Form {
  unsigned width;
  char type;
};

ElementType element_type(Form form) {
  switch (form.width) {
    case 1: return ElementType::bit;
    case 8: return form.type == 'c' ? ElementType::c8 : ElementType::i8;
    case 16: return form.type == 'c' ? ElementType::c16 : ElementType::i16;
    case 32: return form.type == 'c' ? ElementType::c32 : ElementType::i32;
    default: return ElementType::f64;
  }
}

char type_for(unsigned width) { return width == 1 ? 'u' : width == 64 ? 'f' : 'i'; }

bool is_form(Form form) {
  bool narrow = form.width == 8 || form.width == 16 || form.width == 32;
  return form.type == 'u'   ? form.width == 1
         : form.type == 'f' ? form.width == 64
                            : narrow && (form.type == 'i' || form.type == 'c');
}

using Byte = std::uint8_t;

// Holds the bits of an argument: cells of the last axis, each of as many bits.
struct Bits {
  Value elements;                    // whose memory this is, or
  std::vector<std::uint64_t> words;  // memory of its own
  const Byte* data = nullptr;
  Shape frame;           // axes but the last
  std::size_t cell = 0;  // bits in the last axis
  std::size_t count() const { return product(frame) * cell; }
};

std::uint64_t bits_of_element(Context& cx, const Function& self, const Value& v, Form form, const char* which) {
  if (v.is_number() && form.width == 64) return std::bit_cast<std::uint64_t>(v.number());
  std::int64_t n = -1;
  bool held = v.is_character() || (v.is_number() && v.to_integer(n));
  if (v.is_character()) n = v.character();
  std::int64_t limit = std::int64_t{1} << (form.width % 64);
  if (!held || form.width == 64 || n >= limit || n < (form.width == 1 ? 0 : -limit / 2))
    fail_in(cx, self,
            std::string(which) + " must consist of " + std::to_string(form.width) + "-bit elements (got " +
                (v.is_number() ? number_text(v.number()) : "a " + kind_text(v)) + ")");
  return static_cast<std::uint64_t>(n) & static_cast<std::uint64_t>(limit - 1);
}

// Gives numbers as a list of a wider type.
Value widened_list(Context& cx, const Array& a, ElementType type) {
  const kernels::ConvertKernels& convert = kernels::convert();
  Ref<Array> list = make_list(cx.heap, type, a.length);
  if (a.length == 0) return to_value(std::move(list));
  if (a.type() == ElementType::bit)
    convert.expand[static_cast<int>(type)](list->data, a.as<std::uint64_t>(), 0, a.length);
  else
    convert.widen[static_cast<int>(a.type())][static_cast<int>(type)](list->data, a.data, a.length);
  return to_value(std::move(list));
}

// Gives the array in the type of the form, or the absent value where some element needs a closer look.
Value in_type(Context& cx, const Value& v, ElementType type) {
  if (!v.is_array()) return Value();
  const Array& a = v.array();
  if (a.type() == type) return v;
  if (is_character(a.type()) && bits_of(a.type()) == bits_of(type)) return v;
  if (!is_number(a.type()) || is_character(type)) return Value();
  if (a.type() < type) return widened_list(cx, a, type);
  if (type == ElementType::bit) {
    const ElementType narrow = narrowest(a);
    return narrow == type ? converted(cx.heap, a, type) : Value();
  }
  const kernels::Monad narrow = kernels::convert().narrow[static_cast<int>(a.type())][static_cast<int>(type)];
  if (narrow == nullptr) return Value();
  Ref<Array> result = make_list(cx.heap, type, a.length);
  if (narrow(result->data, a.data, a.length) != a.length) return Value();
  return to_value(std::move(result));
}

Bits bits_of_array(Context& cx, const Function& self, const Value& v, Form form, const char* which) {
  Bits bits;
  std::span<const std::size_t> shape = shape_of(v);
  std::size_t last = shape.empty() ? 1 : shape.back();
  if (!shape.empty()) bits.frame = Shape(shape.first(shape.size() - 1));
  bits.cell = last * form.width;
  const std::size_t count = length_of(v);
  bits.elements = in_type(cx, v, element_type(form));
  if (!bits.elements.is_absent()) {
    bits.data = bits.elements.array().data;
    return bits;
  }
  bits.words.resize((count * form.width + 63) / 64);
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t at = i * form.width;
    bits.words[at / 64] |= bits_of_element(cx, self, v.is_array() ? element(v.array(), i) : v, form, which) << (at % 64);
  }
  bits.data = reinterpret_cast<const Byte*>(bits.words.data());
  return bits;
}

// Makes the array that takes up the bits of a result.
Ref<Array> room_for(Context& cx, const Function& self, const Bits& like, Form form) {
  if (like.cell % form.width)
    fail_in(cx, self, std::to_string(like.cell) + " bits of the last axis do not make elements of " + std::to_string(form.width));
  Shape shape = like.frame;
  shape.push_back(like.cell / form.width);
  return make_array(cx.heap, element_type(form), shape);
}

Value checked(Context& cx, const Function& self, Ref<Array> a) {
  if (a->type() == ElementType::c32) {
    for (std::size_t i = 0; i < a->length; i++)
      if (a->as<std::uint32_t>()[i] > 0x10FFFF) fail_in(cx, self, "The bits make no character");
  }
  return to_value(std::move(a));
}

enum class Operation { logic_not, negate, logic_and, logic_or, exclusive_or, add, subtract, multiply };

constexpr bool is_bitwise(Operation operation) {
  return operation != Operation::negate && operation != Operation::add && operation != Operation::subtract &&
         operation != Operation::multiply;
}

// Combines single words.
template <Operation operation>
constexpr std::uint64_t combine(std::uint64_t w, std::uint64_t x) {
  switch (operation) {
    case Operation::logic_not: return ~x;
    case Operation::logic_and: return w & x;
    case Operation::logic_or: return w | x;
    default: return w ^ x;
  }
}

// Multiplies n pieces.
template <class Piece>
void multiply_pieces(Byte* out, const Byte* w, const Byte* x, std::size_t n, bool one_w, bool one_x) {
  // Elements may lie anywhere in memory.
  using Loose [[gnu::aligned(1), gnu::may_alias]] = Piece;
  auto* to = reinterpret_cast<Loose*>(out);
  const auto* left = reinterpret_cast<const Loose*>(one_x ? x : w);
  const auto* right = reinterpret_cast<const Loose*>(one_x ? w : x);
  const auto of = [](Piece a, Piece b) { return static_cast<Piece>(std::uint64_t{a} * b); };
  if (one_w || one_x) {
    const Piece one = *left;
    for (std::size_t i = 0; i < n; i++) to[i] = of(one, right[i]);
  } else {
    for (std::size_t i = 0; i < n; i++) to[i] = of(left[i], right[i]);
  }
}

void combine_with(const kernels::BitwiseKernels::Forms& forms, Byte* out, const Byte* w, const Byte* x, std::size_t n, bool one_w,
                  bool one_x) {
  // Which argument is one piece does not matter to what these are used for.
  if (one_x) return forms.one_w(out, x, w, n);
  (one_w ? forms.one_w : forms.both)(out, w, x, n);
}

// Combines n words.
template <Operation operation>
void combine_words(Byte* out, const Byte* w, const Byte* x, std::size_t n, bool one_w, bool one_x) {
  const kernels::BitwiseKernels& k = kernels::bitwise();
  if constexpr (operation == Operation::logic_not) return k.logic_not(out, x, x, n);
  if constexpr (operation == Operation::logic_and) return combine_with(k.logic_and, out, w, x, n, one_w, one_x);
  if constexpr (operation == Operation::logic_or) return combine_with(k.logic_or, out, w, x, n, one_w, one_x);
  if constexpr (operation == Operation::exclusive_or) return combine_with(k.exclusive_or, out, w, x, n, one_w, one_x);
}

// Combines n pieces of so many bits, as numbers.
template <Operation operation>
void combine_numbers(Byte* out, const Byte* w, const Byte* x, std::size_t n, unsigned width, bool one_w, bool one_x) {
  const kernels::BitwiseKernels& k = kernels::bitwise();
  const int size = std::countr_zero(width / 8);
  constexpr Byte nothing[8] = {};
  if constexpr (operation == Operation::negate) return k.subtract[size].one_w(out, nothing, x, n);
  if constexpr (operation == Operation::add) return combine_with(k.add[size], out, w, x, n, one_w, one_x);
  if constexpr (operation == Operation::subtract) {
    if (!one_x) return (one_w ? k.subtract[size].one_w : k.subtract[size].both)(out, w, x, n);
    // Taking one number away is adding what negates it.
    Byte negative[8];
    k.subtract[size].one_w(negative, nothing, x, 1);
    return k.add[size].one_w(out, negative, w, n);
  }
  if constexpr (operation == Operation::multiply) {
    switch (width) {
      case 8: return multiply_pieces<std::uint8_t>(out, w, x, n, one_w, one_x);
      case 16: return multiply_pieces<std::uint16_t>(out, w, x, n, one_w, one_x);
      case 32: return multiply_pieces<std::uint32_t>(out, w, x, n, one_w, one_x);
      default: return multiply_pieces<std::uint64_t>(out, w, x, n, one_w, one_x);
    }
  }
}

// Gives a piece of up to 64 bits, repeated to 64.
std::uint64_t repeated_piece(const Bits& bits, unsigned width) {
  std::uint64_t piece = 0;
  std::memcpy(&piece, bits.data, (width + 7) / 8);
  if (width < 64) piece &= (std::uint64_t{1} << width) - 1;
  for (; width < 64; width *= 2) piece |= piece << width;
  return piece;
}

// Combines pieces of so many bits, `count` bits in all.
template <Operation operation>
void combine_bits(Byte* out, const Byte* w, const Byte* x, std::size_t count, unsigned width, bool one_w, bool one_x) {
  if constexpr (is_bitwise(operation)) {
    const std::size_t words = count / 64, rest = count % 64;
    combine_words<operation>(out, w, x, words, one_w, one_x);
    if (rest == 0) return;
    std::uint64_t last_w = 0, last_x = 0;
    std::memcpy(&last_w, one_w ? w : w + 8 * words, (rest + 7) / 8);
    std::memcpy(&last_x, one_x ? x : x + 8 * words, (rest + 7) / 8);
    const std::uint64_t last = combine<operation>(last_w, last_x);
    std::memcpy(out + 8 * words, &last, (rest + 7) / 8);
  } else {
    combine_numbers<operation>(out, w, x, count / width, width, one_w, one_x);
  }
}

// The widths of an operation: its own, its result's, 𝕩's and 𝕨's; the last that is given stands for the rest.
struct Widths {
  std::size_t operation;
  Form result, right, left;
};

Widths widths_argument(Context& cx, const Function& self, bool bitwise) {
  const Value& f = static_cast<const Derived&>(self).f;
  std::array<std::size_t, 4> widths{};
  if (f.is_array() && (!f.array().is_list() || f.array().length < 1 || f.array().length > widths.size()))
    fail_in(cx, self, "𝕗 must be one to four widths (got a " + kind_text(f) + ")");
  std::size_t given = length_of(f);
  for (std::size_t i = 0; i < widths.size(); i++) {
    Value v = f.is_array() ? element(f.array(), std::min(i, given - 1)) : f;
    widths[i] = natural_argument(cx, self, v, "A width in 𝕗");
    if (!std::has_single_bit(widths[i]))
      fail_in(cx, self, "A width in 𝕗 must be a power of 2 (got " + std::to_string(widths[i]) + ")");
  }
  if (!bitwise && (widths[0] < 8 || widths[0] > 64))
    fail_in(cx, self, "The operation's width must be 8, 16, 32 or 64 (got " + std::to_string(widths[0]) + ")");
  auto form = [&](std::size_t width) {
    if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)
      fail_in(cx, self, "The width of elements must be 1, 8, 16, 32 or 64 (got " + std::to_string(width) + ")");
    return Form{static_cast<unsigned>(width), type_for(static_cast<unsigned>(width))};
  };
  return {widths[0], form(widths[1]), form(widths[2]), form(widths[3])};
}

void check_pieces(Context& cx, const Function& self, const Bits& bits, std::size_t width) {
  if (bits.cell % width)
    fail_in(cx, self, std::to_string(bits.cell) + " bits of the last axis do not make pieces of " + std::to_string(width));
}

// Gives the form that a width alone means; width 0 where there is none.
Form usual_form(double width) {
  if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64) return {0, 0};
  return {static_cast<unsigned>(width), type_for(static_cast<unsigned>(width))};
}

// Gives the form of elements where one width is all that is given, and elements make whole pieces; width 0 otherwise.
Form only_form(const Function& self, bool bitwise) {
  const Value& f = static_cast<const Derived&>(self).f;
  if (!f.is_number()) return {0, 0};
  const Form form = usual_form(f.number());
  return form.width == 1 && !bitwise ? Form{0, 0} : form;
}
bool is_list_of(const Value& v, Form form) {
  return form.width != 0 && v.is_array() && v.array().is_list() && v.array().type() == element_type(form) &&
         v.array().length != 0;
}

template <Operation operation>
Value bit_monad(Context& cx, const Function& self, Value x) {
  if (const Form form = only_form(self, is_bitwise(operation)); is_list_of(x, form)) {
    const Array& a = x.array();
    Ref<Array> result = make_list(cx.heap, a.type(), a.length);
    combine_bits<operation>(result->data, a.data, a.data, a.length * form.width, form.width, false, false);
    return to_value(std::move(result));
  }
  Widths widths = widths_argument(cx, self, is_bitwise(operation));
  if (rank_of(x) == 0) fail_in(cx, self, "𝕩 must have at least one axis");
  Bits bits = bits_of_array(cx, self, x, widths.right, "𝕩");
  check_pieces(cx, self, bits, widths.operation);
  Ref<Array> result = room_for(cx, self, bits, widths.result);
  if (bits.count() > 0)
    combine_bits<operation>(result->data, bits.data, bits.data, bits.count(), static_cast<unsigned>(widths.operation), false,
                            false);
  return to_value(std::move(result));
}

bool is_list_of_one(const Value& v) { return v.is_array() && v.array().is_list() && v.array().length == 1; }

// Combines a list with one piece of its elements' width.
template <Operation operation>
Value with_one(Context& cx, const Array& a, Form form, std::uint64_t piece, bool one_w) {
  for (unsigned width = form.width; width < 64; width *= 2) piece |= piece << width;
  const Byte* one = reinterpret_cast<const Byte*>(&piece);
  Ref<Array> result = make_list(cx.heap, a.type(), a.length);
  combine_bits<operation>(result->data, one_w ? one : a.data, one_w ? a.data : one, a.length * form.width, form.width, one_w,
                          !one_w);
  return to_value(std::move(result));
}

template <Operation operation>
Value bit_dyad(Context& cx, const Function& self, Value w, Value x) {
  if (const Form form = only_form(self, is_bitwise(operation));
      is_list_of(w, form) && is_list_of(x, form) && w.array().length == x.array().length) {
    const Array& left = w.array();
    const Array& right = x.array();
    Ref<Array> result = make_list(cx.heap, left.type(), left.length);
    combine_bits<operation>(result->data, left.data, right.data, left.length * form.width, form.width, false, false);
    return to_value(std::move(result));
  }
  if (const Form form = only_form(self, is_bitwise(operation)); form.width > 1) {
    if (is_list_of(x, form) && x.array().length > 1 && is_list_of_one(w))
      return with_one<operation>(cx, x.array(), form, bits_of_element(cx, self, element(w.array(), 0), form, "𝕨"), true);
    if (is_list_of(w, form) && w.array().length > 1 && is_list_of_one(x))
      return with_one<operation>(cx, w.array(), form, bits_of_element(cx, self, element(x.array(), 0), form, "𝕩"), false);
  }
  Widths widths = widths_argument(cx, self, is_bitwise(operation));
  if (rank_of(w) == 0 && rank_of(x) == 0) fail_in(cx, self, "One argument must have at least one axis");
  Bits left = bits_of_array(cx, self, w, widths.left, "𝕨");
  Bits right = bits_of_array(cx, self, x, widths.right, "𝕩");
  const std::size_t width = widths.operation;
  check_pieces(cx, self, left, width);
  check_pieces(cx, self, right, width);
  // An argument of a single piece meets every piece of the other.
  bool left_extends = left.count() == width && right.count() != width && left.frame.size() == 0;
  bool right_extends = right.count() == width && left.count() != width && right.frame.size() == 0;
  if ((left_extends || right_extends) && width > 64)
    fail_in(cx, self, "A single piece that meets every other has at most 64 bits (got " + std::to_string(width) + ")");
  const Bits& like = left_extends || (left.count() == right.count() && rank_of(x) >= rank_of(w)) ? right : left;
  if (!left_extends && !right_extends &&
      (left.cell != right.cell || (rank_of(w) > 0 && rank_of(x) > 0 && !same_shape(left.frame, right.frame))))
    fail_in(cx, self, "𝕨 and 𝕩 must have as many bits in the same shape (" + shape_text(w) + " and " + shape_text(x) + ")");
  Ref<Array> result = room_for(cx, self, like, widths.result);
  if (like.count() == 0) return to_value(std::move(result));
  std::uint64_t piece = 0;
  if (left_extends || right_extends) piece = repeated_piece(left_extends ? left : right, static_cast<unsigned>(width));
  const Byte* one = reinterpret_cast<const Byte*>(&piece);
  combine_bits<operation>(result->data, left_extends ? one : left.data, right_extends ? one : right.data, like.count(),
                          static_cast<unsigned>(width), left_extends, right_extends);
  return to_value(std::move(result));
}

Form form_argument(Context& cx, const Function& self, const Value& v) {
  Form form{0, 0};
  Value width = v;
  if (v.is_array()) {
    if (!v.array().is_list() || v.array().length != 2 || !element(v.array(), 1).is_character())
      fail_in(cx, self, "A form in 𝕗 must be a width, or a width and a type (got a " + kind_text(v) + ")");
    width = element(v.array(), 0);
    form.type = static_cast<char>(element(v.array(), 1).character());
  }
  form.width = static_cast<unsigned>(natural_argument(cx, self, width, "A width in 𝕗"));
  if (!form.type) form.type = type_for(form.width);
  if (!is_form(form)) fail_in(cx, self, "There is no such form (" + std::to_string(form.width) + "‿'" + form.type + "')");
  return form;
}

// Reads a list of so many bits as other elements, which they make, and which may have any bits.
Value cast_list(Context& cx, Array& list, std::size_t bits, Form to) {
  // A long list lends its memory.
  constexpr std::size_t copied_bits = 8192;
  const ElementType type = element_type(to);
  if (bits > copied_bits && type != ElementType::bit)
    return foreign_list(cx.heap, Ref<Object>::share(&list), type, list.data, bits / to.width);
  Ref<Array> result = make_list(cx.heap, type, bits / to.width);
  if (bits > 0) std::memcpy(result->data, list.data, (bits + 7) / 8);
  return to_value(std::move(result));
}

Value cast_between(Context& cx, const Function& self, const Value& x, bool back) {
  const Value& f = static_cast<const Derived&>(self).f;
  if (!f.is_array() || !f.array().is_list() || f.array().length != 2)
    fail_in(cx, self, "𝕗 must be a list of two forms (got a " + kind_text(f) + ")");
  if (f.array().type() <= ElementType::i32) {
    const Form from = usual_form(number_at(f.array(), back)), to = usual_form(number_at(f.array(), !back));
    if (is_list_of(x, from) && to.width != 0 && x.array().length * from.width % to.width == 0)
      return cast_list(cx, x.array(), x.array().length * from.width, to);
  }
  Form from = form_argument(cx, self, element(f.array(), back));
  Form to = form_argument(cx, self, element(f.array(), !back));
  if (rank_of(x) == 0) fail_in(cx, self, "𝕩 must have at least one axis");
  Bits bits = bits_of_array(cx, self, x, from, "𝕩");
  if (!bits.elements.is_absent() && rank_of(x) == 1 && bits.cell % to.width == 0 && element_type(to) != ElementType::c32)
    return cast_list(cx, bits.elements.array(), bits.cell, to);
  Ref<Array> result = room_for(cx, self, bits, to);
  if (result->length > 0) std::memcpy(result->data, bits.data, (bits.count() + 7) / 8);
  return checked(cx, self, std::move(result));
}

Value cast(Context& cx, const Function& self, Value x) { return cast_between(cx, self, x, false); }
Value cast_back(Context& cx, const Function& self, Value x) { return cast_between(cx, self, x, true); }

struct BitEntry {
  const char* name;
  const char* spelling;
  MonadCode monad;
  DyadCode dyad;
};

constexpr BitEntry bit_entries[] = {
    {"_cast", "•bit._cast", cast, nullptr},
    {"_not", "•bit._not", bit_monad<Operation::logic_not>, nullptr},
    {"_neg", "•bit._neg", bit_monad<Operation::negate>, nullptr},
    {"_and", "•bit._and", nullptr, bit_dyad<Operation::logic_and>},
    {"_or", "•bit._or", nullptr, bit_dyad<Operation::logic_or>},
    {"_xor", "•bit._xor", nullptr, bit_dyad<Operation::exclusive_or>},
    {"_add", "•bit._add", nullptr, bit_dyad<Operation::add>},
    {"_sub", "•bit._sub", nullptr, bit_dyad<Operation::subtract>},
    {"_mul", "•bit._mul", nullptr, bit_dyad<Operation::multiply>},
};

}  // namespace

Value bit_namespace(Context& cx, Unit&) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const BitEntry& entry : bit_entries) {
    Value modifier = make_system_modifier(cx, 1, entry.spelling, entry.monad, entry.dyad);
    if (entry.monad == cast) static_cast<NativeModifier&>(modifier.modifier()).undo = cast_back;
    fields.emplace_back(entry.name, std::move(modifier));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace griddle::system_functions
