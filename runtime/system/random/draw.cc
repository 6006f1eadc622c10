// Draws by weights: Draw of generators.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "primitives/kernels/random/alias.h"
#include "primitives/kernels/random/draw_methods.h"
#include "runtime/system/random/generator.h"
#include "runtime/system/random/weights.h"
#include "runtime/value/namespace.h"

namespace griddle::random_functions {

namespace {

// Lists of weights, along the last axis of an array.
struct Lists {
  const Array& given;
  std::size_t length, rows;
  const double* weights;  // of all lists

  explicit Lists(const Array& a) : given(a), length(a.shape().back()), rows(product(a.shape().first(a.rank() - 1))) {}
  const double* row(std::size_t i) const { return weights + i * length; }
  std::string text_of(std::size_t i) const { return given.rank() > 1 ? " in row " + std::to_string(i) : ""; }
};

// Fails where the weights of a list, whose sum is given, are nothing to draw by.
void check_sum(Context& cx, const Function& self, const Lists& lists, std::size_t row, double sum) {
  if (sum == 0)
    fail_in(cx, self, "Some weight must be above 0 (got " + std::to_string(lists.length) + " weights" + lists.text_of(row) + ")");
  if (!std::isfinite(sum)) fail_in(cx, self, "The weights" + lists.text_of(row) + " must have a finite sum");
}

double sum_of(Context& cx, const Function& self, const Lists& lists, std::size_t row) {
  const double sum = std::accumulate(lists.row(row), lists.row(row) + lists.length, 0.0);
  check_sum(cx, self, lists, row, sum);
  return sum;
}

// Calls `draw(out, n)` for n elements of an array of places after another, while the place goes on.
template <class Draw>
void draw_in_parts(Context& cx, Array& a, kernels::RandomPlace& place, Draw draw) {
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      for (std::size_t i = 0; i < a.length; i += at_once) {
        cx.check_interrupt();
        draw(a.as<T>() + i, std::min(at_once, a.length - i));
        place.position += kernels::blocks_for(at_once, 64);
      }
    }
  });
}

// Searches the sums of the weights from the left: those of one list are kept, and those of many made for each draw.
void draw_by_sums_of_one(Context& cx, const Function& self, const Lists& lists, kernels::RandomPlace place, Array& a) {
  std::vector<double> sums(lists.length);
  std::partial_sum(lists.weights, lists.weights + lists.length, sums.begin());
  check_sum(cx, self, lists, 0, lists.length == 0 ? 0 : sums.back());
  std::size_t last = lists.length - 1;
  while (lists.weights[last] == 0) last--;
  double fractions[at_once];
  draw_in_parts(cx, a, place, [&]<class T>(T* out, std::size_t n) {
    kernels::random_numbers().fractions(fractions, place, n);
    for (std::size_t k = 0; k < n; k++)
      out[k] = static_cast<T>(std::upper_bound(sums.data(), sums.data() + last, fractions[k] * sums[last]) - sums.data());
  });
}
void draw_by_sums(Context& cx, const Function& self, const Lists& lists, kernels::RandomPlace place, Array& a) {
  if (lists.rows == 1) return draw_by_sums_of_one(cx, self, lists, place, a);
  // A row times ones.
  constexpr std::int32_t all_same[at_once] = {};
  const std::vector<double> ones(lists.length, 1.0);
  std::vector<double> room(kernels::draws_together * lists.length);
  double fractions[at_once];
  std::int32_t rows[at_once], places[at_once];
  std::size_t row = 0;
  draw_in_parts(cx, a, place, [&]<class T>(T* out, std::size_t n) {
    kernels::random_numbers().fractions(fractions, place, n);
    const std::size_t first = row;
    for (std::size_t k = 0; k < n; k++) {
      rows[k] = static_cast<std::int32_t>(row);
      if (++row == lists.rows) row = 0;
    }
    const kernels::ProductDraws draws = {lists.weights, ones.data(), lists.length, rows, all_same, fractions, n};
    const std::size_t drawn = lists.length == 0 ? 0 : kernels::draw_methods().transposed(places, draws, room.data());
    if (drawn < n) sum_of(cx, self, lists, (first + drawn) % lists.rows);
    std::copy_n(places, n, out);
  });
}

// Looks up a table of aliases for each list.
void draw_by_aliases(Context& cx, const Function& self, const Lists& lists, kernels::RandomPlace place, Array& a) {
  const std::size_t n = lists.length, rows = lists.rows;
  std::vector<std::uint64_t> tables(n * rows);
  for (std::size_t row = 0; row < rows; row++)
    kernels::aliases().make(tables.data() + row * n, lists.row(row), n, sum_of(cx, self, lists, row));
  std::uint64_t words[at_once];
  std::int32_t places[at_once];
  std::size_t row = 0;
  draw_in_parts(cx, a, place, [&]<class T>(T* out, std::size_t count) {
    kernels::random_numbers().words(words, place, count);
    if (rows == 1) {
      kernels::aliases().draw(places, words, count, tables.data(), n);
      std::copy_n(places, count, out);
      return;
    }
    for (std::size_t k = 0; k < count; k++) {
      out[k] = static_cast<T>(kernels::draw_alias(tables.data() + row * n, n, words[k]));
      if (++row == rows) row = 0;
    }
  });
}

enum ListMethod : std::uint8_t { automatic, by_sums, by_aliases };

struct ListOptions {
  Value shape;  // absent where there is to be one draw
  ListMethod method = automatic;
};

ListOptions options_of(Context& cx, const Function& self, const Value& w) {
  if (!w.is_namespace()) return {w};
  constexpr std::string_view known[] = {"shape", "method"}, methods[] = {"auto", "sums", "alias"};
  const Namespace& given = namespace_argument(cx, self, w, "𝕨");
  check_options(cx, self, given, known);
  return {field(given, "shape"), static_cast<ListMethod>(method_option(cx, self, given, methods))};
}

// What is drawn often enough is drawn by aliases; tests/bench/SAMPLING.md has the sweep.
ListMethod method_for(const Lists& lists, std::size_t draws_of_each) {
  constexpr std::size_t weights_of_a_draw = 4;
  const bool are_many = draws_of_each >= lists.length / weights_of_a_draw;
  return are_many && lists.length <= kernels::most_aliases ? by_aliases : by_sums;
}

// Draws on the device; absent where the host is to do it.
Value draw_by_aliases_there(Context& cx, const Function& self, const Lists& lists, kernels::RandomPlace place,
                            std::span<const std::size_t> shape) {
  if (!is_device_asked_for(cx, product(shape))) return Value();
  static_assert(sizeof(double) == sizeof(std::uint64_t));
  Ref<Array> table = make_array(cx.heap, ElementType::f64, {&lists.length, 1});
  kernels::aliases().make(table->as<std::uint64_t>(), lists.weights, lists.length, sum_of(cx, self, lists, 0));
  const Value entries = to_value(std::move(table));
  const RandomNumbers wanted{RandomNumbers::aliases, place.key, place.position, lists.length, false, 0, 1, &entries};
  return on_device(cx, wanted, std::max(type_below(lists.length), ElementType::i8), shape);
}
Value draw_by_sums_there(Context& cx, ProductDraw::Method method, const Value& x, const Lists& lists, kernels::RandomPlace place,
                         std::span<const std::size_t> shape) {
  const std::size_t n = product(shape);
  if (!moves_to_device(cx, x) && !is_device_asked_for(cx, n)) return Value();
  if (n == 0 || lists.rows >= std::size_t{1} << 31) return Value();
  const std::size_t ones[] = {1, lists.length}, all[] = {lists.rows, lists.length};
  // What is sent is narrow: the second table has a row of ones, which all draws take.
  const auto alike = [&](std::span<const std::size_t> lengths, int bits) {
    Ref<Array> a = make_array(cx.heap, ElementType::bit, lengths);
    std::memset(a->data, bits, bytes_for(ElementType::bit, a->length));
    return to_value(std::move(a));
  };
  Ref<Array> in_turn = make_array(cx.heap, ElementType::i32, shape);
  for (std::size_t i = 0; i < n; i += lists.rows) {
    auto* const to = in_turn->as<std::int32_t>() + i;
    std::iota(to, to + lists.rows, 0);
  }
  const Value tables[] = {x.array().rank() == 2 ? x : with_shape(cx.heap, x, all), alike(ones, 0xFF)};
  const Value rows[] = {to_value(std::move(in_turn)), alike(shape, 0)};
  const ProductDraw wanted{method, false, place.key, place.position};
  return cx.device->draw_products(cx, wanted, tables[0], tables[1], rows[0], rows[1]);
}

Value draw_indices(Context& cx, const Function& self, const Value& w, const Value& x) {
  const ListOptions options = options_of(cx, self, w);
  if (!x.is_array() || x.array().rank() == 0)
    fail_in(cx, self, "𝕩 must be a list or table of weights (got a " + kind_text(x) + ")");
  Lists lists(x.array());
  if (options.method == by_aliases && lists.length > kernels::most_aliases)
    fail_in(cx, self, "The method alias takes at most 2⋆31 weights (got " + std::to_string(lists.length) + ")");
  const bool is_one = options.shape.is_absent();
  Shape shape;
  if (!is_one) shape = shape_argument(cx, self, options.shape, lists.rows);
  const std::size_t draws_of_each = product(shape);
  for (std::size_t length : x.array().shape().first(x.array().rank() - 1)) shape.push_back(length);
  if (shape.size() > max_rank) fail_in(cx, self, "The result would have too many axes (" + std::to_string(shape.size()) + ")");
  const ListMethod method = options.method == automatic ? method_for(lists, draws_of_each) : options.method;

  // From here on elements are looked at, which may lie on the device.
  const kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(product(shape), 64));
  if (method == by_sums && lists.rows > 1 && !shape.empty()) {
    // The device is fastest by pieces, whose sums are rounded differently.
    const ProductDraw::Method there_by = options.method == by_sums ? ProductDraw::transposed : ProductDraw::pieces;
    if (Value there = draw_by_sums_there(cx, there_by, x, lists, place, shape); !there.is_absent()) return there;
  }
  const Value weights = weights_argument(cx, self, x, "A weight");
  lists.weights = weights.array().as<double>();
  if (method == by_aliases && lists.rows == 1 && !shape.empty())
    if (Value there = draw_by_aliases_there(cx, self, lists, place, shape); !there.is_absent()) return there;
  Ref<Array> a = make_array(cx.heap, std::max(type_below(lists.length), ElementType::i8), shape);
  constexpr decltype(&draw_by_sums) draw[] = {nullptr, draw_by_sums, draw_by_aliases};
  if (a->length > 0)
    draw[method](cx, self, lists, place, *a);
  else
    for (std::size_t row = 0; row < lists.rows; row++) sum_of(cx, self, lists, row);
  if (is_one && shape.empty()) return element(*a, 0);
  return to_value(std::move(a));
}

}  // namespace

Value draw_one(Context& cx, const Function& self, Value x) { return draw_indices(cx, self, Value(), x); }
Value draw(Context& cx, const Function& self, Value w, Value x) { return draw_indices(cx, self, w, x); }

}  // namespace griddle::random_functions
