// Chooses the instruction sets that every kernel unit is compiled for. Include it before anything of Highway.
#pragma once

#if !defined(HWY_COMPILE_ONLY_STATIC) && !defined(HWY_WANT_AVX3_DL)
#define HWY_WANT_AVX3_DL
#endif
