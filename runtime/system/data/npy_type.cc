#include "runtime/system/data/npy_type.h"

#include <charconv>
#include <cmath>

namespace griddle {

std::optional<ElementType> NpyType::same_as() const {
  if (kind == Kind::real && size == sizeof(double)) return ElementType::f64;
  if (kind != Kind::integer) return std::nullopt;
  switch (size) {
    case 1: return ElementType::i8;
    case 2: return ElementType::i16;
    case 4: return ElementType::i32;
    default: return std::nullopt;
  }
}

std::optional<NpyType> npy_type(std::string_view name) {
  bool is_swapped = false;
  constexpr bool is_little = std::endian::native == std::endian::little;
  if (!name.empty() && std::string_view("<>|=").find(name[0]) != name.npos) {
    is_swapped = name[0] == (is_little ? '>' : '<');
    name.remove_prefix(1);
  }
  if (name == "?") return NpyType{NpyType::Kind::boolean, 1, false};
  if (name.empty()) return std::nullopt;
  const std::string_view digits = name.substr(1);
  std::size_t size = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || size == 0) return std::nullopt;
  const auto is_power = [&](std::size_t least, std::size_t most) {
    return size >= least && size <= most && std::has_single_bit(size);
  };
  constexpr std::size_t most_text = max_length >> 7;
  switch (name[0]) {
    case 'b':
      if (size == 1) return NpyType{NpyType::Kind::boolean, 1, false};
      break;
    case 'i':
      if (is_power(1, 8)) return NpyType{NpyType::Kind::integer, size, is_swapped};
      break;
    case 'u':
      if (is_power(1, 8)) return NpyType{NpyType::Kind::natural, size, is_swapped};
      break;
    case 'f':
      if (is_power(2, 8)) return NpyType{NpyType::Kind::real, size, is_swapped};
      break;
    case 'S':
      if (size <= most_text) return NpyType{NpyType::Kind::bytes, size, false};
      break;
    case 'U':
      if (size <= most_text) return NpyType{NpyType::Kind::text, size * sizeof(char32_t), is_swapped};
      break;
    default: break;
  }
  return std::nullopt;
}

double half_precision(std::uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = bits >> 10 & 0x1F;
  const int digits = bits & 0x3FF;
  if (exponent == 0x1F) return digits == 0 ? sign * HUGE_VAL : NAN;
  if (exponent == 0) return sign * std::ldexp(digits, -24);
  return sign * std::ldexp(digits + 0x400, exponent - 25);
}

}  // namespace griddle
