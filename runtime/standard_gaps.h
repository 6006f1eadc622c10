// What the C++ library of Emscripten 3.1 lacks of C++20, as far as Griddle uses it. The build for browsers includes this before
// every source (meson.build). Where a library has a function, this adds none to it.
#pragma once

#include <version>

#include <charconv>

// What the functions of <charconv> for numbers with a point do.
namespace griddle::standard_gaps {
std::from_chars_result read_double(const char* first, const char* last, double& number) noexcept;
std::to_chars_result write_double(char* first, char* last, double number) noexcept;
std::to_chars_result write_double(char* first, char* last, double number, std::chars_format) noexcept;
std::to_chars_result write_double(char* first, char* last, double number, std::chars_format, int digits) noexcept;
}  // namespace griddle::standard_gaps

#ifndef __cpp_lib_to_chars
#include <type_traits>
namespace std {
// Templates, so that they are better than the deleted functions of the library for a double alone.
template <class T, class = enable_if_t<is_same_v<T, double>>>
from_chars_result from_chars(const char* first, const char* last, T& number) noexcept {
  return griddle::standard_gaps::read_double(first, last, number);
}
template <class T, class... Format, class = enable_if_t<is_same_v<T, double>>>
to_chars_result to_chars(char* first, char* last, T number, Format... format) noexcept {
  return griddle::standard_gaps::write_double(first, last, number, format...);
}
}  // namespace std
#endif

#ifndef __cpp_lib_bit_cast
#include <bit>
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#ifndef __cpp_lib_ranges
#include <algorithm>
#include <functional>
#include <iterator>
namespace std::ranges {
#define GRIDDLE_WHOLE_RANGE(name)                                              \
  template <class R, class... Rest>                                            \
  constexpr auto name(R&& r, Rest&&... rest) {                                 \
    return std::name(std::begin(r), std::end(r), std::forward<Rest>(rest)...); \
  }
GRIDDLE_WHOLE_RANGE(all_of)
GRIDDLE_WHOLE_RANGE(any_of)
GRIDDLE_WHOLE_RANGE(copy)
GRIDDLE_WHOLE_RANGE(count_if)
GRIDDLE_WHOLE_RANGE(find)
GRIDDLE_WHOLE_RANGE(find_if)
GRIDDLE_WHOLE_RANGE(is_sorted)
GRIDDLE_WHOLE_RANGE(reverse)
GRIDDLE_WHOLE_RANGE(upper_bound)
#undef GRIDDLE_WHOLE_RANGE
template <class A, class B, class... Same>
constexpr bool equal(const A& a, const B& b, Same... same) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), same...);
}
}  // namespace std::ranges
#endif
