// The device that is the host: numbers of other libraries.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/plugin_abi.h"

namespace host_device {

template <class From, class To>
griddle_status import_as(const griddle_box& box, const void* in, void* out, int* bad) {
  constexpr double most_exact = 9007199254740992.0;
  std::uint64_t length = 1;
  for (std::uint32_t axis = 0; axis < box.axis_count; axis++) length *= box.axes[axis].length;
  *bad = 0;
  for (std::uint64_t i = 0; i < length; i++) {
    std::int64_t place = 0;
    std::uint64_t rest = i;
    for (std::uint32_t axis = box.axis_count; axis-- > 0; rest /= box.axes[axis].length)
      place += static_cast<std::int64_t>(rest % box.axes[axis].length) * box.axes[axis].step;
    const From element = static_cast<const From*>(in)[place];
    if (sizeof(From) == 8 && static_cast<From>(0.5) == 0 && std::fabs(static_cast<double>(element)) > most_exact) *bad = 1;
    static_cast<To*>(out)[i] = static_cast<To>(element);
  }
  return griddle_done;
}

inline griddle_status import_numbers(griddle_device*, griddle_foreign_type type, const griddle_box* box, const void* in,
                                     void* out, int* bad) {
  switch (type) {
    case griddle_foreign_i8: return import_as<std::int8_t, std::int8_t>(*box, in, out, bad);
    case griddle_foreign_i16: return import_as<std::int16_t, std::int16_t>(*box, in, out, bad);
    case griddle_foreign_i32: return import_as<std::int32_t, std::int32_t>(*box, in, out, bad);
    case griddle_foreign_i64: return import_as<std::int64_t, double>(*box, in, out, bad);
    case griddle_foreign_u8: return import_as<std::uint8_t, std::int16_t>(*box, in, out, bad);
    case griddle_foreign_u16: return import_as<std::uint16_t, std::int32_t>(*box, in, out, bad);
    case griddle_foreign_u32: return import_as<std::uint32_t, double>(*box, in, out, bad);
    case griddle_foreign_u64: return import_as<std::uint64_t, double>(*box, in, out, bad);
    case griddle_foreign_f32: return import_as<float, double>(*box, in, out, bad);
    case griddle_foreign_f64: return import_as<double, double>(*box, in, out, bad);
  }
  return griddle_unsupported;
}

}  // namespace host_device
