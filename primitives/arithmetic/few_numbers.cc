// Arithmetic on short arrays of numbers as doubles.
#include <algorithm>

#include "primitives/arithmetic/direct_lists.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"

namespace griddle::primitives {

namespace {

// Reads a short array of plain numbers as doubles, or one number.
constexpr std::size_t most_one_by_one = 24;
bool read_numbers(const Value& v, std::size_t n, double* to) {
  if (!v.is_array()) {
    *to = v.number();
    return v.is_number();
  }
  const Array& a = v.array();
  if (!is_number(a.type()) || !has_plain_fill(a) || a.length != n || a.data.elsewhere()) return false;
  switch (a.type()) {
    case ElementType::bit:
      for (std::size_t i = 0; i < n; i++) to[i] = a.bit(i);
      break;
    case ElementType::i8: std::copy_n(a.as<std::int8_t>(), n, to); break;
    case ElementType::i16: std::copy_n(a.as<std::int16_t>(), n, to); break;
    case ElementType::i32: std::copy_n(a.as<std::int32_t>(), n, to); break;
    default: std::copy_n(a.as<double>(), n, to);
  }
  return true;
}

// Makes a short array of numbers in the narrowest type.
std::uint64_t numbers_like(Heap& heap, const double* from, const Array& like) {
  std::int32_t whole[most_one_by_one];
  const std::size_t n = like.length;
  std::size_t i = 0;
  for (; i < n && static_cast<double>(whole[i] = truncated(from[i])) == from[i]; i++) {
  }
  if (i != n) {
    Ref<Array> made =
        like.is_list() ? Ref<Array>(make_plain_list(heap, ElementType::f64, n)) : make_plain_like(heap, ElementType::f64, like);
    std::copy_n(from, n, made->as<double>());
    return to_value(std::move(made)).leak();
  }
  Value list = to_value(make_few_integers(heap, {whole, n}));
  return (like.is_list() ? std::move(list) : with_shape(heap, std::move(list), Shape(like.shape()))).leak();
}

}  // namespace

Value with_whole_narrowed(Heap& heap, Value doubles) {
  const Array& a = doubles.array();
  if (!has_whole_ends(a)) return doubles;
  if (a.length > most_one_by_one || a.rank() == 0) return narrowed_if_whole(heap, std::move(doubles));
  return Value::from_bits(numbers_like(heap, a.as<double>(), a));
}

std::uint64_t few_as_doubles(Context& cx, std::uint64_t left_bits, std::uint64_t right_bits, const ListWays& ways) {
  const Value &w = as_value(left_bits), &x = as_value(right_bits);
  const bool one_w = !w.is_array(), one_x = !x.is_array();
  if (one_w && one_x) return Value::absent_bits;
  const Array& like = one_w ? x.array() : w.array();
  const std::size_t n = like.length;
  double left[most_one_by_one], right[most_one_by_one];
  if (n - 1 >= most_one_by_one || like.rank() == 0 || !read_numbers(w, n, left) || !read_numbers(x, n, right))
    return Value::absent_bits;
  if (!one_w && !one_x && (w.array().rank() != x.array().rank() || !std::ranges::equal(w.array().shape(), x.array().shape())))
    return Value::absent_bits;
  const int f64 = index_of(ElementType::f64);
  const ListWay& doubles = one_w || one_x ? ways.reals[one_w][f64].first : ways.pairs[f64][f64].first;
  if (doubles.kernel != nullptr && doubles.results.type() == ElementType::bit) {
    Ref<Array> made = make_plain_like(cx.heap, ElementType::bit, like);
    doubles.kernel(made->data.here(), left, right, n);
    return to_value(std::move(made)).leak();
  }
  double results[most_one_by_one];
  if (doubles.kernel == nullptr || doubles.results.type() != ElementType::f64 || doubles.kernel(results, left, right, n) != n)
    for (std::size_t i = 0; i < n; i++) results[i] = ways.rule->atoms(cx, left[one_w ? 0 : i], right[one_x ? 0 : i]).number();
  return numbers_like(cx.heap, results, like);
}

}  // namespace griddle::primitives
