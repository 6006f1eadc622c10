#include "primitives/order/order.h"

#include <algorithm>

#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {
namespace {

template <class T>
int compare_plain(T a, T b) {
  return (a > b) - (a < b);
}

int compare_numbers(double a, double b) {
  if (a < b) return -1;
  if (a > b) return 1;
  return static_cast<int>(a != a) - static_cast<int>(b != b);
}

// Tells how many elements to pass over at the start of two long runs: they are equal.
template <class T>
std::size_t equal_start(const T* a, const T* b, std::size_t n) {
  constexpr std::size_t block = 256 / sizeof(T);
  std::size_t i = 0;
  while (i + block <= n && kernels::equal_bytes(a + i, b + i, block * sizeof(T))) i += block;
  return i;
}

template <class T>
int compare_same(const T* a, const T* b, std::size_t n) {
  for (std::size_t i = equal_start(a, b, n); i < n; i++)
    if (a[i] != b[i]) {
      if constexpr (std::is_same_v<T, double>) {
        if (int c = compare_numbers(a[i], b[i])) return c;
      } else {
        return a[i] < b[i] ? -1 : 1;
      }
    }
  return 0;
}

int compare_bits(const std::uint64_t* a, std::size_t i, const std::uint64_t* b, std::size_t j, std::size_t n) {
  for (std::size_t k = 0; k < n; k += 64) {
    const std::size_t count = std::min<std::size_t>(64, n - k);
    const std::uint64_t bits = kernels::read_bits(a, i + k, count), difference = bits ^ kernels::read_bits(b, j + k, count);
    if (difference != 0) return (bits & difference & -difference) != 0 ? 1 : -1;
  }
  return 0;
}

int compare_flat(const Array& a, std::size_t i, const Array& b, std::size_t j, std::size_t n) {
  if (a.type() == b.type())
    return with_type(a.type(), [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_same_v<T, Bit>)
        return compare_bits(a.as<std::uint64_t>(), i, b.as<std::uint64_t>(), j, n);
      else if constexpr (std::is_same_v<T, std::uint8_t>)
        return std::memcmp(a.data + i, b.data + j, n);
      else if constexpr (std::is_arithmetic_v<T>)
        return compare_same(a.as<T>() + i, b.as<T>() + j, n);
      else
        return 0;
    });
  if (is_character(a.type()) != is_character(b.type())) return n == 0 ? 0 : is_character(b.type()) ? -1 : 1;
  if (is_character(a.type())) {
    for (std::size_t k = 0; k < n; k++)
      if (int c = compare_plain(character_at(a, i + k), character_at(b, j + k))) return c;
  } else {
    for (std::size_t k = 0; k < n; k++)
      if (int c = compare_numbers(number_at(a, i + k), number_at(b, j + k))) return c;
  }
  return 0;
}

}  // namespace

int Ordering::compare_runs(const Array& a, std::size_t i, const Array& b, std::size_t j, std::size_t n) const {
  bool boxed_a = a.type() == ElementType::boxed, boxed_b = b.type() == ElementType::boxed;
  if (!boxed_a && !boxed_b) return compare_flat(a, i, b, j, n);
  if (boxed_a && boxed_b) {
    const Value *p = a.as<Value>() + i, *q = b.as<Value>() + j;
    for (std::size_t k = 0; k < n; k++)
      if (const int c = compare(p[k], q[k])) return c;
    return 0;
  }
  for (std::size_t k = 0; k < n; k++)
    if (const int c = boxed_a ? compare(a.boxes()[i + k], element(b, j + k)) : compare(element(a, i + k), b.boxes()[j + k]))
      return c;
  return 0;
}

int Ordering::compare_cells(const Array& a, std::size_t i, std::span<const std::size_t> s, const Array& b, std::size_t j,
                            std::span<const std::size_t> t) const {
  bool empty_a = product(s) == 0, empty_b = product(t) == 0;
  if (empty_a != empty_b) return empty_a ? -1 : 1;
  std::size_t shared = std::min(s.size(), t.size()), axis = 0, count = 1;
  while (axis < shared && s[s.size() - 1 - axis] == t[t.size() - 1 - axis]) count *= s[s.size() - 1 - axis++];
  int lengths = 0;
  if (axis < shared) {
    std::size_t m = s[s.size() - 1 - axis], n = t[t.size() - 1 - axis];
    count *= std::min(m, n);
    lengths = m < n ? -1 : 1;
  }
  if (!empty_a)
    if (int c = compare_runs(a, i, b, j, count)) return c;
  return lengths ? lengths : compare_plain(s.size(), t.size());
}

int Ordering::compare_atoms(const Value& a, const Value& b) const {
  if (a.is_number() && b.is_number()) return compare_numbers(a.number(), b.number());
  bool data_a = a.is_number() || a.is_character(), data_b = b.is_number() || b.is_character();
  if (!data_a || !data_b)
    fail(cx_, std::string(name_) + ": Only numbers, characters and arrays have an order (got " + kind_text(data_a ? b : a) + ")");
  if (a.is_character() && b.is_character()) return compare_plain(a.character(), b.character());
  return a.is_number() ? -1 : 1;
}

int Ordering::compare(const Value& a, const Value& b) const {
  if (a.is_number() && b.is_number()) return compare_numbers(a.number(), b.number());
  if (a.is_atom() && b.is_atom()) return compare_atoms(a, b);
  if (a.is_array() && b.is_array()) {
    // Lists: the first difference decides, then the length.
    const Array &left = a.array(), &right = b.array();
    if (left.is_list() && right.is_list()) {
      if (left.type() == ElementType::boxed || right.type() == ElementType::boxed) cx_.check_stack();
      const int c = compare_runs(left, 0, right, 0, std::min(left.length, right.length));
      return c != 0 ? c : compare_plain(left.length, right.length);
    }
  }
  cx_.check_stack();
  if (a.is_array() && b.is_array()) return compare_cells(a.array(), 0, a.array().shape(), b.array(), 0, b.array().shape());
  // An atom is compared as if enclosed, and comes first where that makes no difference.
  const Array& array = (a.is_array() ? a : b).array();
  int sign = a.is_array() ? 1 : -1;
  if (array.length == 0) return -sign;
  const Value& atom = a.is_array() ? b : a;
  int c = array.type() == ElementType::boxed ? compare(array.boxes()[0], atom) : compare_atoms(element(array, 0), atom);
  return c ? sign * (c > 0 ? 1 : -1) : sign;
}

}  // namespace griddle::primitives
