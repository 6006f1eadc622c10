// Hashes of values that agree with ≡: equal values hash alike, however they are stored.
#pragma once

#include <cstdint>

#include "runtime/value/context.h"

namespace griddle {

std::uint64_t hash_of(Context&, const Value&, std::uint64_t seed = 0);

}  // namespace griddle
