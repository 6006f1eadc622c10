// Chooses the instruction sets that a unit of kernels is compiled for. Included before anything of Highway.
//
// On x86-64 these are SSE4, which every supported processor has, AVX2, and one level of AVX-512: AVX3_DL for units that gain from
// its newest instructions (VBMI2, GFNI, VPOPCNT, four-lane carry-less products), AVX3 for the others. A processor without the
// level of a unit runs that unit's AVX2 code. The build option `targets` may leave one instruction set alone: that of this
// machine. Where that is AVX3_DL, units of AVX3 are compiled for that, so that they do what they do in other builds.
#pragma once

#ifndef HWY_COMPILE_ONLY_STATIC
#ifdef HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_AVX3)
#else
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
#elif defined(HWY_WANT_AVX3) && defined(__AVX512VBMI2__)
#undef HWY_BASELINE_TARGETS
#define HWY_BASELINE_TARGETS HWY_AVX3
#endif
