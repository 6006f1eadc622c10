// Arithmetic on the bits of arrays: •bit
//
// Elements lie one after the other along the last axis, least significant bit first, as they do in memory. An operation cuts that
// string of bits into pieces of its own width.
#include <array>
#include <bit>
#include <cstring>

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

// Holds the bits of an argument: cells of the last axis, each of as many bits.
struct Bits {
  std::vector<std::uint64_t> words;
  Shape frame;           // axes but the last
  std::size_t cell = 0;  // bits in the last axis
  std::size_t count() const { return product(frame) * cell; }
  std::uint64_t piece(std::size_t at, unsigned width) const {
    std::uint64_t word = words[at / 64] >> (at % 64);
    return width == 64 ? word : word & ((std::uint64_t{1} << width) - 1);
  }
};

void put(std::vector<std::uint64_t>& words, std::size_t at, std::uint64_t piece) { words[at / 64] |= piece << (at % 64); }

std::vector<std::uint64_t> room_for(std::size_t bits) { return std::vector<std::uint64_t>((bits + 63) / 64); }

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

Bits bits_of_array(Context& cx, const Function& self, const Value& v, Form form, const char* which) {
  Bits bits;
  std::span<const std::size_t> shape = shape_of(v);
  std::size_t last = shape.empty() ? 1 : shape.back();
  if (!shape.empty()) bits.frame = Shape(shape.first(shape.size() - 1));
  bits.cell = last * form.width;
  std::size_t count = length_of(v);
  bits.words = room_for(count * form.width);
  for (std::size_t i = 0; i < count; i++)
    put(bits.words, i * form.width, bits_of_element(cx, self, v.is_array() ? element(v.array(), i) : v, form, which));
  return bits;
}

Value array_of_bits(Context& cx, const Function& self, const Bits& bits, Form form) {
  if (bits.cell % form.width)
    fail_in(cx, self, std::to_string(bits.cell) + " bits of the last axis do not make elements of " + std::to_string(form.width));
  Shape shape = bits.frame;
  shape.push_back(bits.cell / form.width);
  Ref<Array> a = make_array(cx.heap, element_type(form), shape);
  if (form.type == 'c' && form.width == 32) {
    for (std::size_t i = 0; i < a->length; i++)
      if (bits.piece(i * 32, 32) > 0x10FFFF) fail_in(cx, self, "The bits make no character");
  }
  if (a->length > 0) std::memcpy(a->data, bits.words.data(), bytes_for(a->type(), a->length));
  return to_value(std::move(a));
}

enum class Operation { logic_not, negate, logic_and, logic_or, exclusive_or, add, subtract, multiply };

std::uint64_t combine(Operation operation, std::uint64_t w, std::uint64_t x) {
  switch (operation) {
    case Operation::logic_not: return ~x;
    case Operation::negate: return -x;
    case Operation::logic_and: return w & x;
    case Operation::logic_or: return w | x;
    case Operation::exclusive_or: return w ^ x;
    case Operation::add: return w + x;
    case Operation::subtract: return w - x;
    case Operation::multiply: return w * x;
  }
  __builtin_unreachable();
}

// The widths of an operation: its own, its result's, 𝕩's and 𝕨's; the last that is given stands for the rest.
struct Widths {
  unsigned operation;
  Form result, right, left;
};

Widths widths_argument(Context& cx, const Function& self) {
  const Value& f = static_cast<const Derived&>(self).f;
  std::array<unsigned, 4> widths{};
  if (f.is_array() && (!f.array().is_list() || f.array().length < 1 || f.array().length > widths.size()))
    fail_in(cx, self, "𝕗 must be one to four widths (got a " + kind_text(f) + ")");
  std::size_t given = length_of(f);
  for (std::size_t i = 0; i < widths.size(); i++) {
    Value v = f.is_array() ? element(f.array(), std::min(i, given - 1)) : f;
    std::size_t width = natural_argument(cx, self, v, "A width in 𝕗");
    if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)
      fail_in(cx, self, "A width in 𝕗 must be 1, 8, 16, 32 or 64 (got " + std::to_string(width) + ")");
    widths[i] = static_cast<unsigned>(width);
  }
  auto form = [](unsigned width) { return Form{width, type_for(width)}; };
  return {widths[0], form(widths[1]), form(widths[2]), form(widths[3])};
}

void check_pieces(Context& cx, const Function& self, const Bits& bits, unsigned width) {
  if (bits.cell % width)
    fail_in(cx, self, std::to_string(bits.cell) + " bits of the last axis do not make pieces of " + std::to_string(width));
}

template <Operation operation>
Value monad(Context& cx, const Function& self, Value x) {
  Widths widths = widths_argument(cx, self);
  if (rank_of(x) == 0) fail_in(cx, self, "𝕩 must have at least one axis");
  Bits bits = bits_of_array(cx, self, x, widths.right, "𝕩");
  check_pieces(cx, self, bits, widths.operation);
  Bits result{room_for(bits.count()), bits.frame, bits.cell};
  std::uint64_t mask = ~std::uint64_t{0} >> (64 - widths.operation);
  for (std::size_t at = 0; at < bits.count(); at += widths.operation)
    put(result.words, at, combine(operation, 0, bits.piece(at, widths.operation)) & mask);
  return array_of_bits(cx, self, result, widths.result);
}

template <Operation operation>
Value dyad(Context& cx, const Function& self, Value w, Value x) {
  Widths widths = widths_argument(cx, self);
  if (rank_of(w) == 0 && rank_of(x) == 0) fail_in(cx, self, "One argument must have at least one axis");
  Bits left = bits_of_array(cx, self, w, widths.left, "𝕨");
  Bits right = bits_of_array(cx, self, x, widths.right, "𝕩");
  unsigned width = widths.operation;
  check_pieces(cx, self, left, width);
  check_pieces(cx, self, right, width);
  // An argument of a single piece meets every piece of the other.
  bool left_extends = left.count() == width && right.count() != width && left.frame.size() == 0;
  bool right_extends = right.count() == width && left.count() != width && right.frame.size() == 0;
  const Bits& like = left_extends || (left.count() == right.count() && rank_of(x) >= rank_of(w)) ? right : left;
  if (!left_extends && !right_extends &&
      (left.cell != right.cell || (rank_of(w) > 0 && rank_of(x) > 0 && !same_shape(left.frame, right.frame))))
    fail_in(cx, self, "𝕨 and 𝕩 must have as many bits in the same shape (" + shape_text(w) + " and " + shape_text(x) + ")");
  Bits result{room_for(like.count()), like.frame, like.cell};
  std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  for (std::size_t at = 0; at < like.count(); at += width)
    put(result.words, at,
        combine(operation, left.piece(left_extends ? 0 : at, width), right.piece(right_extends ? 0 : at, width)) & mask);
  return array_of_bits(cx, self, result, widths.result);
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

Value cast_between(Context& cx, const Function& self, const Value& x, bool back) {
  const Value& f = static_cast<const Derived&>(self).f;
  if (!f.is_array() || !f.array().is_list() || f.array().length != 2)
    fail_in(cx, self, "𝕗 must be a list of two forms (got a " + kind_text(f) + ")");
  Form from = form_argument(cx, self, element(f.array(), back));
  Form to = form_argument(cx, self, element(f.array(), !back));
  if (rank_of(x) == 0) fail_in(cx, self, "𝕩 must have at least one axis");
  return array_of_bits(cx, self, bits_of_array(cx, self, x, from, "𝕩"), to);
}

Value cast(Context& cx, const Function& self, Value x) { return cast_between(cx, self, x, false); }
Value cast_back(Context& cx, const Function& self, Value x) { return cast_between(cx, self, x, true); }

struct BitEntry {
  const char* name;
  const char* spelling;
  MonadCode monad;
  DyadCode dyad;
};

constexpr BitEntry entries[] = {
    {"_cast", "•bit._cast", cast, nullptr},
    {"_not", "•bit._not", monad<Operation::logic_not>, nullptr},
    {"_neg", "•bit._neg", monad<Operation::negate>, nullptr},
    {"_and", "•bit._and", nullptr, dyad<Operation::logic_and>},
    {"_or", "•bit._or", nullptr, dyad<Operation::logic_or>},
    {"_xor", "•bit._xor", nullptr, dyad<Operation::exclusive_or>},
    {"_add", "•bit._add", nullptr, dyad<Operation::add>},
    {"_sub", "•bit._sub", nullptr, dyad<Operation::subtract>},
    {"_mul", "•bit._mul", nullptr, dyad<Operation::multiply>},
};

}  // namespace

Value bit_namespace(Context& cx, Unit&) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const BitEntry& entry : entries) {
    Value modifier = make_system_modifier(cx, 1, entry.spelling, entry.monad, entry.dyad);
    if (entry.monad == cast) static_cast<NativeModifier&>(modifier.modifier()).undo = cast_back;
    fields.emplace_back(entry.name, std::move(modifier));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace griddle::system_functions
