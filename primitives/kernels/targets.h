// Chooses the instruction sets that a kernel unit is compiled for. Include it before anything of Highway.
//
// SSSE3 is left out: a CPU without SSE4 runs the scalar code. A unit that gains from the newest AVX-512 instructions (VBMI2,
// GFNI, VPOPCNT, four-lane carry-less products) defines HWY_WANT_AVX3_DL before it includes this; others compile faster without.
#pragma once

#ifndef HWY_COMPILE_ONLY_STATIC
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
