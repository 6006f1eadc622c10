// The elements of arrays whose device is the host: read and written by type, one by one.
#pragma once

#include <cstdint>

#include "gpu/plugin_abi.h"

namespace host_device {

inline double read(const void* p, unsigned type, std::uint64_t i) {
  switch (type) {
    case griddle_device_bit: return static_cast<double>(static_cast<const std::uint64_t*>(p)[i / 64] >> i % 64 & 1);
    case griddle_device_i8: return static_cast<double>(static_cast<const std::int8_t*>(p)[i]);
    case griddle_device_i16: return static_cast<double>(static_cast<const std::int16_t*>(p)[i]);
    case griddle_device_i32: return static_cast<double>(static_cast<const std::int32_t*>(p)[i]);
    case griddle_device_c8: return static_cast<double>(static_cast<const std::uint8_t*>(p)[i]);
    case griddle_device_c16: return static_cast<double>(static_cast<const std::uint16_t*>(p)[i]);
    case griddle_device_c32: return static_cast<double>(static_cast<const std::uint32_t*>(p)[i]);
    default: return static_cast<const double*>(p)[i];
  }
}

inline void write(void* p, unsigned type, std::uint64_t i, double v) {
  switch (type) {
    case griddle_device_bit: {
      std::uint64_t& word = static_cast<std::uint64_t*>(p)[i / 64];
      word = (word & ~(std::uint64_t{1} << i % 64)) | std::uint64_t{v != 0} << i % 64;
      break;
    }
    case griddle_device_i8: static_cast<std::int8_t*>(p)[i] = static_cast<std::int8_t>(v); break;
    case griddle_device_i16: static_cast<std::int16_t*>(p)[i] = static_cast<std::int16_t>(v); break;
    case griddle_device_i32: static_cast<std::int32_t*>(p)[i] = static_cast<std::int32_t>(v); break;
    case griddle_device_c8: static_cast<std::uint8_t*>(p)[i] = static_cast<std::uint8_t>(v); break;
    case griddle_device_c16: static_cast<std::uint16_t*>(p)[i] = static_cast<std::uint16_t>(v); break;
    case griddle_device_c32: static_cast<std::uint32_t*>(p)[i] = static_cast<std::uint32_t>(v); break;
    default: static_cast<double*>(p)[i] = v;
  }
}

// Gives the element that place k of a box takes, or -1 where that is outside.
inline std::int64_t source_of(const griddle_axis* axes, std::uint32_t count, std::int64_t from, bool fills, std::uint64_t k) {
  bool outside = false;
  for (std::uint32_t a = count; a-- > 0;) {
    std::int64_t place = static_cast<std::int64_t>(k % axes[a].length);
    k /= axes[a].length;
    if (axes[a].limit != 0) {
      const std::int64_t limit = static_cast<std::int64_t>(axes[a].limit);
      place += axes[a].first;
      if (fills)
        outside |= place < 0 || place >= limit;
      else if (place >= limit)
        place -= limit;
    }
    from += place * axes[a].step;
  }
  return outside ? -1 : from;
}

inline double join(griddle_fold f, double a, double b) {
  switch (f) {
    case griddle_fold_add: return a + b;
    case griddle_fold_minimum: return a < b ? a : b;
    case griddle_fold_maximum: return a > b ? a : b;
    default: return a * b;
  }
}

}  // namespace host_device
