// Asking for boxes before they are read: what walks over many of them waits for memory otherwise.
#pragma once

#include <cstddef>

#include "primitives/common/tuning.h"
#include "runtime/value/value.h"

namespace griddle::primitives {

// Asks for the object of a value some steps of `stride` values behind `at`, where it is still before `end`.
inline void fetch_ahead(const Value* at, const Value* end, std::size_t stride = 1) {
  const std::size_t steps = tuning().boxes_ahead;
  if (static_cast<std::size_t>(end - at) > steps * stride)
    __builtin_prefetch(reinterpret_cast<const void*>(at[steps * stride].bits() & Value::pointer_mask));
}

}  // namespace griddle::primitives
