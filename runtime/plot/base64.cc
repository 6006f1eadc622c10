#include "runtime/plot/base64.h"

#include <algorithm>
#include <cstdint>

#include "runtime/value/checkpoint.h"

namespace griddle::plot {

void append_base64(HeapText& out, std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t group = 3, looks_after = group << 18;
  for (std::size_t i = 0; i < bytes.size(); i += group) {
    if (i % looks_after == 0) checkpoint();
    const std::size_t count = std::min(group, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < group; k++) bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k <= group; k++) out += k <= count ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
}

}  // namespace griddle::plot
