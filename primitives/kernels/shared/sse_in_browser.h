// What kernels for browsers include before anything else (meson.build). Highway's own target for WebAssembly has no vectors of
// doubles in version 1.0. That for SSE4 has them, and Emscripten's headers make one instruction of WebAssembly of most that it
// names. So Highway is told that this is a processor of 32 bits with SSE4; all else that is compiled is not.
#pragma once

#pragma push_macro("__EMSCRIPTEN__")
#pragma push_macro("__wasm__")
#undef __EMSCRIPTEN__
#undef __wasm__
#define __i386__ 1
#include "hwy/detect_compiler_arch.h"
#undef __i386__
#pragma pop_macro("__wasm__")
#pragma pop_macro("__EMSCRIPTEN__")

#define HWY_COMPILE_ONLY_STATIC
#define HWY_BASELINE_TARGETS HWY_SSE4
#define HWY_DISABLE_PCLMUL_AES
// Stands for a header of cryptography, which Emscripten does not have.
#define __WMMINTRIN_H

// What these would name for the functions of a target, WebAssembly does not know.
#include "hwy/base.h"
#undef HWY_PUSH_ATTRIBUTES
#undef HWY_POP_ATTRIBUTES
#undef HWY_HAS_ATTRIBUTE
#define HWY_PUSH_ATTRIBUTES(names)
#define HWY_POP_ATTRIBUTES
#define HWY_HAS_ATTRIBUTE(name) 0

#include <emmintrin.h>

namespace griddle::kernels {
// Does what the instruction does, without leaving vectors: what is no integer of 32 bits gives the least one; the upper half is
// 0.
inline __m128i truncated_doubles(__m128d doubles) {
  const v128_t v = (v128_t)doubles, zero = wasm_i32x4_splat(0);
  const v128_t fits = wasm_i32x4_shuffle(wasm_f64x2_lt(v, wasm_f64x2_splat(2147483648.0)), zero, 0, 2, 4, 5);
  return (__m128i)wasm_v128_bitselect(wasm_i32x4_trunc_sat_f64x2_zero(v), wasm_i32x4_make(INT32_MIN, INT32_MIN, 0, 0), fits);
}
}  // namespace griddle::kernels
#define _mm_cvttpd_epi32 griddle::kernels::truncated_doubles
