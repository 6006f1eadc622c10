// Draws by weights: Draw and DrawProduct of generators.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "primitives/kernels/bounds.h"
#include "primitives/kernels/draw_products.h"
#include "runtime/system/argument.h"
#include "runtime/system/random.h"

namespace griddle::random_functions {

namespace {

// Numbers that are drawn between two looks at whether the program is to stop.
constexpr std::size_t at_once = 1024;

// Says what an element is and where: in which row, if there are several.
std::string found_text(const Array& a, std::size_t i) {
  const Value v = element(a, i);
  const std::size_t length = a.shape().back();
  std::string text = v.is_number() ? number_text(v.number()) : "a " + kind_text(v);
  if (a.rank() > 1) text += " in row " + std::to_string(i / length);
  return text + " at " + std::to_string(i % length);
}

// Gives an array of weights as doubles; fails for what is no weight.
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

// --- Draw

// Sums of the weights of one list, for finding the one where a fraction of the total lies.
struct Sums {
  const double* sums;
  std::size_t n;  // up to the last weight above 0
  std::size_t find(double fraction, std::size_t from = 0) const {
    const double wanted = fraction * sums[n - 1];
    const double* found = std::upper_bound(sums + from, sums + n, wanted);
    return std::min(static_cast<std::size_t>(found - sums), n - 1);
  }
};

// Draws by one list of weights on the device; absent where the host is to do it.
Value draw_on_device(Context& cx, const Sums& list, kernels::RandomPlace place, std::span<const std::size_t> shape) {
  const double total = list.sums[list.n - 1];
  const Value wanted =
      on_device(cx, {RandomNumbers::fractions, place.key, place.position, 0, true, 0, total}, ElementType::f64, shape);
  if (wanted.is_absent()) return Value();
  const Value sums = make_numbers(cx.heap, std::span(list.sums, list.n));
  const Value at = cx.device->dyad(cx, U'⍋', sums, wanted);
  return at.is_absent() ? Value() : cx.device->dyad(cx, U'⌊', at, Value(static_cast<double>(list.n - 1)));
}

Value draw_indices(Context& cx, const Function& self, const Value& w, const Value& x) {
  if (!x.is_array() || x.array().rank() == 0)
    fail_in(cx, self, "𝕩 must be a list or table of weights (got a " + kind_text(x) + ")");
  const Array& given = x.array();
  const Value weights = weights_argument(cx, self, x, "A weight");
  const std::span<const std::size_t> frame = given.shape().first(given.rank() - 1);
  const std::size_t n = given.shape().back(), rows = product(frame);
  std::vector<double> sums(given.length);
  std::vector<Sums> lists(rows);
  for (std::size_t row = 0; row < rows; row++) {
    const double* const of_row = weights.array().as<double>() + row * n;
    double* const to = sums.data() + row * n;
    std::size_t used = 0;
    double sum = 0;
    for (std::size_t i = 0; i < n; i++) {
      if (of_row[i] > 0) used = i + 1;
      to[i] = sum += of_row[i];
    }
    const auto where = [&] { return given.rank() > 1 ? " in row " + std::to_string(row) : ""; };
    if (used == 0) fail_in(cx, self, "Some weight must be above 0 (got " + std::to_string(n) + " weights" + where() + ")");
    if (!std::isfinite(sum)) fail_in(cx, self, "The weights" + where() + " must have a finite sum");
    lists[row] = {to, used};
  }
  Shape shape;
  if (!w.is_absent()) shape = shape_argument(cx, self, w, rows);
  for (std::size_t length : frame) shape.push_back(length);
  if (shape.size() > max_rank) fail_in(cx, self, "The result would have too many axes (" + std::to_string(shape.size()) + ")");
  kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(product(shape), 64));
  if (rows == 1 && !w.is_absent())
    if (Value there = draw_on_device(cx, lists[0], place, shape); !there.is_absent()) return there;
  Ref<Array> a = make_array(cx.heap, std::max(type_below(n), ElementType::i8), shape);

  // Notes where the search starts for fractions from each of so many equal steps on.
  std::vector<std::uint32_t> starts;
  if (rows == 1 && a->length >= n && n <= UINT32_MAX) {
    starts.resize(std::bit_ceil(lists[0].n));
    for (std::size_t i = 0; i < starts.size(); i++)
      starts[i] = static_cast<std::uint32_t>(lists[0].find(static_cast<double>(i) / static_cast<double>(starts.size())));
  }
  constexpr std::size_t in_block = 2;
  double fractions[at_once];
  with_type(a->type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      std::size_t row = 0;
      for (std::size_t i = 0; i < a->length; i += at_once) {
        cx.check_interrupt();
        const std::size_t count = std::min(at_once, a->length - i);
        kernels::random_numbers().fractions(fractions, place, count);
        place.position += at_once / in_block;
        T* out = a->as<T>() + i;
        if (!starts.empty()) {
          const Sums& list = lists[0];
          const double total = list.sums[list.n - 1], steps = static_cast<double>(starts.size());
          for (std::size_t k = 0; k < count; k++) {
            const double wanted = fractions[k] * total;
            std::size_t index = starts[static_cast<std::size_t>(fractions[k] * steps)];
            while (index < list.n - 1 && list.sums[index] <= wanted) index++;
            out[k] = static_cast<T>(index);
          }
        } else {
          for (std::size_t k = 0; k < count; k++) {
            out[k] = static_cast<T>(lists[row].find(fractions[k]));
            if (++row == rows) row = 0;
          }
        }
      }
    }
  });
  if (w.is_absent() && frame.empty()) return element(*a, 0);
  return to_value(std::move(a));
}

// --- DrawProduct

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

}  // namespace

Value draw_one(Context& cx, const Function& self, Value x) { return draw_indices(cx, self, Value(), x); }
Value draw(Context& cx, const Function& self, Value w, Value x) { return draw_indices(cx, self, w, x); }

Value draw_product(Context& cx, const Function& self, Value w, Value x) {
  constexpr const char* names[] = {"first", "second"};
  const std::array<Value, 2> tables = pair_argument(cx, self, w, "𝕨", "tables of weights");
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
  const auto concerns = [&](const Value& v) { return concerns_device(cx, v); };
  if (cx.device != nullptr && !is_one && (std::ranges::any_of(tables, concerns) || std::ranges::any_of(given, concerns))) {
    const ProductDraw wanted = {ProductDraw::automatic, false, place.key, place.position};
    Value there = cx.device->draw_products(cx, wanted, tables[0], tables[1], given[0], given[1]);
    if (!there.is_absent()) return there;
  }
  std::array<Value, 2> weights;
  for (std::size_t k = 0; k < 2; k++)
    weights[k] = weights_argument(cx, self, tables[k], "A weight of the " + std::string(names[k]) + " table");
  const Rows first(rows_argument(cx, self, given[0], tables[0].array().shape()[0], names[0]));
  const Rows second(rows_argument(cx, self, given[1], tables[1].array().shape()[0], names[1]));

  const kernels::DrawProductKernels& kernels = kernels::draw_products();
  std::vector<double> sums((length + kernels::numbers_in_block - 1) / kernels::numbers_in_block);
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
        const std::size_t drawn = kernels.draw(places, draws, sums.data());
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
  return is_one ? element(*a, 0) : to_value(std::move(a));
}

}  // namespace griddle::random_functions
