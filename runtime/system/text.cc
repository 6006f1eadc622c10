// Text in and out: •Out •Show •Fmt •Repr •ParseFloat •ToUTF8 •FromUTF8
#include <algorithm>
#include <cmath>

#include "runtime/format/format.h"
#include "runtime/format/number.h"
#include "runtime/system/argument.h"
#include "runtime/system/data/decimal.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/text_style.h"
#include "runtime/value/utf8.h"

namespace griddle::system_functions {

namespace {

// Makes a string of text that the formatter wrote. Halves of surrogate pairs stand in it as they are.
Value text_value(Context& cx, std::string_view text) {
  constexpr std::size_t long_text = 256;
  const bool is_short_ascii =
      text.size() < long_text && std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
  return is_short_ascii ? make_string(cx.heap, text) : checked_text(cx.heap, text);
}

}  // namespace

Value out(Context& cx, const Function& self, Value x) {
  const BytesToWrite text = BytesToWrite::of_text(cx, self, x);
  cx.check_mapped_files();
  cx.system->streams.write(text.view());
  cx.system->streams.write("\n");
  // Text that was not taken because of an interrupt is the end here, where its place is known.
  cx.check_interrupt();
  return x;
}

Value show(Context& cx, const Function&, Value x) {
  HeapText text = display_text(cx, x);
  text += '\n';
  cx.check_mapped_files();
  cx.system->streams.write(text);
  cx.check_interrupt();
  return x;
}

Value show_within(Context& cx, const Function& self, Value w, Value x) {
  HeapText text = text_request(cx, self, w).text(cx, x);
  text += '\n';
  cx.check_mapped_files();
  cx.system->streams.write(text);
  cx.check_interrupt();
  return x;
}

namespace {

// Gives a finite number as text, which is all within Latin-1.
Value finite_number_text(Context& cx, double number) {
  char text[max_number_bytes];
  const NumberText written = write_number(text, number);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, written.width);
  // The first byte of `¯` only says that the second one is a code point.
  std::remove_copy(text, written.end, a->as<char>(), '\xC2');
  return to_value(std::move(a));
}

}  // namespace

Value display(Context& cx, const Function&, Value x) {
  if (x.is_number() && std::isfinite(x.number())) return finite_number_text(cx, x.number());
  return text_value(cx, display_text(cx, x));
}
Value display_within(Context& cx, const Function& self, Value w, Value x) {
  return text_value(cx, text_request(cx, self, w).text(cx, x));
}

Value source(Context& cx, const Function& self, Value x) {
  if (x.is_number() && std::isfinite(x.number())) return finite_number_text(cx, x.number());
  HeapText text(cx.heap);
  switch (append_source(cx, text, x)) {
    case SourceProblem::none: return text_value(cx, text);
    case SourceProblem::block: fail_in(cx, self, "A block has no representation");
    case SourceProblem::name_space: fail_in(cx, self, "A namespace has no representation");
    case SourceProblem::system: fail_in(cx, self, "A function that a system function made has no representation");
  }
  __builtin_unreachable();
}

namespace {

bool is_bytes(const Value& x) { return x.is_array() && x.array().is_list() && x.array().type() == ElementType::c8; }

// Reads a number that takes up all of the text. Tells whether it does.
bool read_number(std::string_view digits, double& number) {
  Decimal decimal;
  const char* const end = digits.data() + digits.size();
  const char* const after = read_decimal<DecimalForm::plain>(digits.data(), end, decimal);
  number = decimal.number;
  return after != nullptr && after == end;
}

Value no_number_message(Context& cx, const Function& self, const Value& x) {
  return make_string(
      cx.heap, std::string(name_of(self)) + ": 𝕩 must be a number in digits (got \"" + string_argument(cx, self, x) + "\")");
}

}  // namespace

Value parse_float_refusal(Context& cx, const Function& self, const Value& w, const Value& x) {
  double number = 0;
  if (!w.is_absent() || !is_bytes(x) || read_number({x.array().as<char>(), x.array().length}, number)) return Value();
  return no_number_message(cx, self, x);
}

Value parse_float(Context& cx, const Function& self, Value x) {
  double number = 0;
  // Reads bytes where they lie; what is no digit fails all the same.
  if (is_bytes(x)) [[likely]] {
    if (read_number({x.array().as<char>(), x.array().length}, number)) return number;
  } else if (read_number(string_argument(cx, self, x), number)) {
    return number;
  }
  fail_with(cx, no_number_message(cx, self, x));
}

Value to_utf8(Context& cx, const Function& self, Value x) {
  auto refuse = [&](const std::string& got) {
    fail_in(cx, self, "𝕩 must be a list of characters or code points (got a " + got + ")");
  };
  if (!x.is_array() || !x.array().is_list()) refuse(kind_text(x));
  const Array& a = x.array();
  if (ascii_text(a)) return a.type() == ElementType::c8 ? x : to_value(make_list(cx.heap, ElementType::c8, 0));
  HeapText bytes(cx.heap);
  if (is_character(a.type())) {
    append_text(bytes, a);
  } else {
    for (std::size_t i = 0; i < a.length; i++) {
      Value e = element(a, i);
      std::uint32_t code_point = 0x110000;
      if (e.is_character())
        code_point = e.character();
      else if (!e.to_integer(code_point) || code_point > 0x10FFFF)
        refuse(kind_text(e) + " in it");
      append_utf8(bytes, code_point);
    }
  }
  Ref<Array> result = make_list(cx.heap, ElementType::c8, bytes.size());
  std::copy(bytes.begin(), bytes.end(), result->as<std::uint8_t>());
  return to_value(std::move(result));
}

Value from_utf8(Context& cx, const Function& self, Value x) {
  const BytesToWrite bytes = BytesToWrite::of_bytes(cx, self, x);
  return decoded_text(cx, self, bytes.view(), "𝕩");
}

}  // namespace griddle::system_functions
