#include "runtime/system/random/weights.h"

#include "primitives/kernels/random/draw_products.h"
#include "runtime/value/namespace.h"

namespace griddle::random_functions {

namespace {

// Says what an element is and where: in which row, if there are several.
std::string found_text(const Array& a, std::size_t i) {
  const Value v = element(a, i);
  const std::size_t length = a.shape().back();
  std::string text = v.is_number() ? number_text(v.number()) : "a " + kind_text(v);
  if (a.rank() > 1) text += " in row " + std::to_string(i / length);
  return text + " at " + std::to_string(i % length);
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); i++) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

}  // namespace

Value weights_argument(Context& cx, const Function& self, const Value& x, const std::string& which) {
  const Array& a = x.array();
  if (a.length == 0) return x;
  const auto refuse = [&](std::size_t i) {
    fail_in(cx, self, which + " must be a finite number of at least 0 (got " + found_text(a, i) + ")");
  };
  if (!is_number(a.type()))
    for (std::size_t i = 0; i < a.length; i++)
      if (!element(a, i).is_number()) refuse(i);
  const Value numbers = a.type() == ElementType::f64 ? x : converted(cx.heap, a, ElementType::f64);
  const std::size_t good = kernels::draw_products().first_no_weight(numbers.array().as<double>(), a.length);
  if (good < a.length) refuse(good);
  return numbers;
}

void check_options(Context& cx, const Function& self, const Namespace& options, std::span<const std::string_view> known) {
  for (const FieldTable::Field& given : options.table->fields) {
    bool is_known = false;
    for (std::string_view name : known) is_known = is_known || name == given.name;
    if (!is_known) fail_in(cx, self, "An option is " + listed(known) + " (got " + given.spelling + ")");
  }
}

std::size_t method_option(Context& cx, const Function& self, const Namespace& options,
                          std::span<const std::string_view> methods) {
  const Value given = field(options, "method");
  if (given.is_absent()) return 0;
  const std::string name = string_argument(cx, self, given, "method");
  for (std::size_t i = 0; i < methods.size(); i++)
    if (methods[i] == name) return i;
  fail_in(cx, self, "A method is " + listed(methods) + " (got \"" + name + "\")");
}

}  // namespace griddle::random_functions
