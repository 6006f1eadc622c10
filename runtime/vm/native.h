// Whether blocks are translated to machine code: for x86-64, where the system lets programs make code.
#pragma once

namespace griddle {

#ifdef GRIDDLE_NATIVE
inline constexpr bool has_native = true;
#else
inline constexpr bool has_native = false;
#endif

}  // namespace griddle
