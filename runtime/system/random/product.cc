// Draws by weights that are products: DrawProduct of generators.
#include <algorithm>
#include <array>
#include <vector>

#include "primitives/kernels/random/draw_methods.h"
#include "primitives/kernels/random/draw_products.h"
#include "primitives/kernels/shared/bounds.h"
#include "runtime/system/random/generator.h"
#include "runtime/system/random/weights.h"
#include "runtime/value/namespace.h"

namespace griddle::random_functions {

namespace {

// Reads numbers of rows: a number or an array of them.
Value rows_argument(Context& cx, const Function& self, const Value& v, std::size_t rows, const char* table) {
  const std::size_t limit = std::min<std::size_t>(rows, std::size_t{1} << 31);
  const auto refuse = [&](const std::string& got) {
    fail_in(cx, self,
            "𝕩 must hold rows of the " + std::string(table) + " table, which has " + std::to_string(rows) + " (got " + got + ")");
  };
  if (!v.is_array()) {
    std::int64_t row;
    if (!v.to_integer(row) || row < 0 || static_cast<std::uint64_t>(row) >= limit)
      refuse(v.is_number() ? number_text(v.number()) : "a " + kind_text(v));
    return v;
  }
  const Array& a = v.array();
  if (a.length == 0) return v;
  const auto refuse_at = [&](std::size_t i) {
    const Value e = element(a, i);
    refuse((e.is_number() ? number_text(e.number()) : "a " + kind_text(e)) + " for draw " + std::to_string(i));
  };
  const bool are_integers = is_number(a.type()) && a.type() != ElementType::f64;
  if (!are_integers) {
    for (std::size_t i = 0; i < a.length; i++) {
      std::int64_t row;
      if (!element(a, i).to_integer(row) || row < 0 || static_cast<std::uint64_t>(row) >= limit) refuse_at(i);
    }
  }
  const Value numbers = a.type() == ElementType::i32 ? v : converted(cx.heap, a, ElementType::i32);
  const std::int32_t* const row = numbers.array().as<std::int32_t>();
  const kernels::Bounds bounds = kernels::bounds_of(ElementType::i32, row, a.length);
  if (bounds.low < 0 || static_cast<std::uint64_t>(bounds.high) >= limit)
    refuse_at(static_cast<std::size_t>(
        std::find_if(row, row + a.length, [=](std::int32_t r) { return r < 0 || static_cast<std::uint64_t>(r) >= limit; }) -
        row));
  return numbers;
}

// Gives the two elements of an argument.
std::array<Value, 2> pair_argument(Context& cx, const Function& self, const Value& v, const char* which, const char* expected) {
  if (!v.is_array() || !v.array().is_list() || v.array().length != 2)
    fail_in(cx, self, std::string(which) + " must be a list of two " + expected + " (got a " + kind_text(v) + ")");
  return {element(v.array(), 0), element(v.array(), 1)};
}

// The numbers of rows for all draws of one table, which may be one number.
struct Rows {
  Value numbers;
  std::int32_t one = 0;
  explicit Rows(Value of) : numbers(std::move(of)) {
    if (!numbers.is_array()) one = static_cast<std::int32_t>(numbers.number());
  }
  const std::int32_t* from(std::size_t i) const { return numbers.is_array() ? numbers.array().as<std::int32_t>() + i : &one; }
};

// How to draw: a method, and whether products may be rounded to 24 bits.
struct ProductMethod {
  ProductDraw::Method of = ProductDraw::automatic;
  bool single = false;

  // The kernel for it and how many numbers that needs for rows of a length.
  kernels::DrawMethodKernels::Draw kernel() const {
    const kernels::DrawMethodKernels& methods = kernels::draw_methods();
    switch (of) {
      case ProductDraw::prefix_linear: return methods.prefix_linear;
      case ProductDraw::prefix_binary: return methods.prefix_binary;
      case ProductDraw::butterfly: return methods.butterfly;
      case ProductDraw::pieces: return kernels::draw_products().draw;
      default: return methods.transposed;  // the fastest here: tests/bench/SAMPLING.md
    }
  }
  std::size_t room(std::size_t length) const {
    const bool is_pieces = of == ProductDraw::pieces;
    return is_pieces ? (length + kernels::numbers_in_block - 1) / kernels::numbers_in_block : kernels::draws_together * length;
  }
};

ProductMethod method_argument(Context& cx, const Function& self, const Value& v) {
  constexpr std::string_view known[] = {"method", "single"};
  constexpr std::string_view methods[] = {"auto", "pieces", "prefix-linear", "prefix-binary", "transposed", "butterfly", "warp"};
  constexpr ProductDraw::Method numbers[] = {ProductDraw::automatic,     ProductDraw::pieces,     ProductDraw::prefix_linear,
                                             ProductDraw::prefix_binary, ProductDraw::transposed, ProductDraw::butterfly,
                                             ProductDraw::warp};
  const Namespace& options = namespace_argument(cx, self, v, "The third element of 𝕨");
  check_options(cx, self, options, known);
  ProductMethod method{numbers[method_option(cx, self, options, methods)], false};
  if (Value single = field(options, "single"); !single.is_absent()) method.single = boolean_argument(cx, self, single, "single");
  return method;
}

}  // namespace

Value draw_product(Context& cx, const Function& self, Value w, Value x) {
  constexpr const char* names[] = {"first", "second"};
  ProductMethod method;
  std::array<Value, 2> tables;
  if (w.is_array() && w.array().is_list() && w.array().length == 3) {
    method = method_argument(cx, self, element(w.array(), 2));
    for (std::size_t k = 0; k < 2; k++) tables[k] = element(w.array(), k);
  } else {
    tables = pair_argument(cx, self, w, "𝕨", "tables of weights");
  }
  for (std::size_t k = 0; k < 2; k++)
    if (!tables[k].is_array() || tables[k].array().rank() != 2)
      fail_in(cx, self,
              "𝕨 must be a list of two tables of weights (the " + std::string(names[k]) + " is a " + kind_text(tables[k]) + ")");
  const std::size_t length = tables[0].array().shape()[1];
  if (tables[1].array().shape()[1] != length)
    fail_in(
        cx, self,
        "The tables of 𝕨 must have rows of the same length (" + shape_text(tables[0]) + " and " + shape_text(tables[1]) + ")");
  const std::array<Value, 2> given = pair_argument(cx, self, x, "𝕩", "arrays of rows");
  const bool is_one = !given[0].is_array();
  if (is_one != !given[1].is_array() || (!is_one && !same_shape(given[0].array().shape(), given[1].array().shape())))
    fail_in(cx, self, "The rows in 𝕩 must have the same shape (" + shape_text(given[0]) + " and " + shape_text(given[1]) + ")");
  const std::size_t count = is_one ? 1 : given[0].array().length;
  if (count != 0 && length == 0) fail_in(cx, self, "Some weight must be above 0 (got rows of no weights)");
  if (length > std::size_t{1} << 31) fail_in(cx, self, "Rows are too long (" + std::to_string(length) + ")");

  // From here on elements are looked at, which may lie on the device.
  kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(count, 64));
  const auto concerns = [&](const Value& v) { return moves_to_device(cx, v); };
  const bool is_for_device = method.of == ProductDraw::warp;
  if (cx.device != nullptr && !is_one &&
      (is_for_device || std::ranges::any_of(tables, concerns) || std::ranges::any_of(given, concerns))) {
    const ProductDraw wanted = {method.of, method.single, place.key, place.position};
    Value there = cx.device->draw_products(cx, wanted, tables[0], tables[1], given[0], given[1]);
    if (!there.is_absent()) return there;
  }
  std::array<Value, 2> weights;
  for (std::size_t k = 0; k < 2; k++)
    weights[k] = weights_argument(cx, self, tables[k], "A weight of the " + std::string(names[k]) + " table");
  const Rows first(rows_argument(cx, self, given[0], tables[0].array().shape()[0], names[0]));
  const Rows second(rows_argument(cx, self, given[1], tables[1].array().shape()[0], names[1]));

  if (is_for_device && cx.device == nullptr) fail_in(cx, self, "The method warp is a device's, and there is none");
  const kernels::DrawMethodKernels::Draw draw = method.kernel();
  std::vector<double> room(method.room(length));
  Ref<Array> a = make_array(cx.heap, std::max(type_below(length), ElementType::i8),
                            is_one ? std::span<const std::size_t>() : given[0].array().shape());
  double fractions[at_once];
  std::int32_t places[at_once];
  with_type(a->type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      for (std::size_t i = 0; i < count; i += at_once) {
        cx.check_interrupt();
        const std::size_t now = std::min(at_once, count - i);
        kernels::random_numbers().fractions(fractions, place, now);
        place.position += kernels::blocks_for(at_once, 64);
        const kernels::ProductDraws draws = {weights[0].array().as<double>(),
                                             weights[1].array().as<double>(),
                                             length,
                                             first.from(i),
                                             second.from(i),
                                             fractions,
                                             now};
        const std::size_t drawn = draw(places, draws, room.data());
        if (drawn < now) {
          const std::string rows[] = {std::to_string(*first.from(i + drawn)), std::to_string(*second.from(i + drawn))};
          fail_in(cx, self,
                  "The products of row " + rows[0] + " of the first table and row " + rows[1] +
                      " of the second must have a finite sum above 0 (draw " + std::to_string(i + drawn) + ")");
        }
        std::copy_n(places, now, a->as<T>() + i);
      }
    }
  });
  // What the device declines because the weights or rows are wrong has been named by now.
  if (is_for_device && count > 0) fail_in(cx, self, "The method warp is for arrays of rows on a device");
  return is_one ? element(*a, 0) : to_value(std::move(a));
}

}  // namespace griddle::random_functions
