/* What a C library that •FFI loads may ask of the interpreter that called it. The names and meanings are those of the
 * reference's interface, so that libraries written for it work. A library includes this header and links nothing: the
 * executable offers the functions.
 *
 * A BQNV stands for one value and owns one reference to it. Arguments stay the caller's, except where a function says that it
 * takes them; results are the caller's, to be given up by bqn_free or by handing them on. An argument of type `a` of a foreign
 * function belongs to the function; its result belongs to the caller.
 *
 * The functions work while a foreign call runs, on its thread. Where anything goes wrong, in BQN code or by misuse, the
 * function gives 0, NULL or the missing value, on which every function here is harmless; no further BQN code runs, and the
 * foreign call fails with the first error as soon as the C function has returned. griddle_ffi_failed tells whether that is so. */
#ifndef GRIDDLE_FFI_H
#define GRIDDLE_FFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GRIDDLE_FFI __attribute__((visibility("default")))
#else
#define GRIDDLE_FFI
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t BQNV;

/* Does nothing: there is an interpreter whenever a library is called. */
GRIDDLE_FFI void bqn_init(void);
/* Tells whether something has failed in the running foreign call. (Griddle alone has this function.) */
GRIDDLE_FFI bool griddle_ffi_failed(void);

/* Gives up a value. */
GRIDDLE_FFI void bqn_free(BQNV);
/* Gives one more reference to the same value. */
GRIDDLE_FFI BQNV bqn_copy(BQNV);

/* 0 array, 1 number, 2 character, 3 function, 4 1-modifier, 5 2-modifier, 6 namespace; -1 for what is no value. */
GRIDDLE_FFI int bqn_type(BQNV);
/* Read an atom; bqn_to… take their argument. */
GRIDDLE_FFI double bqn_readF64(BQNV);
GRIDDLE_FFI uint32_t bqn_readChar(BQNV);
GRIDDLE_FFI double bqn_toF64(BQNV);
GRIDDLE_FFI uint32_t bqn_toChar(BQNV);

/* Call a function with one argument, or two; evaluate source text as •BQN does. */
GRIDDLE_FFI BQNV bqn_call1(BQNV f, BQNV x);
GRIDDLE_FFI BQNV bqn_call2(BQNV f, BQNV w, BQNV x);
GRIDDLE_FFI BQNV bqn_eval(BQNV source);
GRIDDLE_FFI BQNV bqn_evalCStr(const char* source);

/* Arrays: number of elements, number of axes, the axes' lengths, one element. */
GRIDDLE_FFI size_t bqn_bound(BQNV array);
GRIDDLE_FFI size_t bqn_rank(BQNV array);
GRIDDLE_FFI void bqn_shape(BQNV array, size_t* lengths);
GRIDDLE_FFI BQNV bqn_pick(BQNV array, size_t index);
/* Write all elements to memory that has room for them. Elements that the type cannot hold are a failure, and all are 0 then. */
GRIDDLE_FFI void bqn_readI8Arr(BQNV array, int8_t* to);
GRIDDLE_FFI void bqn_readI16Arr(BQNV array, int16_t* to);
GRIDDLE_FFI void bqn_readI32Arr(BQNV array, int32_t* to);
GRIDDLE_FFI void bqn_readF64Arr(BQNV array, double* to);
GRIDDLE_FFI void bqn_readC8Arr(BQNV array, uint8_t* to);
GRIDDLE_FFI void bqn_readC16Arr(BQNV array, uint16_t* to);
GRIDDLE_FFI void bqn_readC32Arr(BQNV array, uint32_t* to);
/* The elements become the caller's. */
GRIDDLE_FFI void bqn_readObjArr(BQNV array, BQNV* to);

/* Fields of namespaces; the name is a string in any spelling. */
GRIDDLE_FFI bool bqn_hasField(BQNV name_space, BQNV name);
GRIDDLE_FFI BQNV bqn_getField(BQNV name_space, BQNV name);

GRIDDLE_FFI BQNV bqn_makeF64(double);
GRIDDLE_FFI BQNV bqn_makeChar(uint32_t code_point);
/* Arrays of a shape, and lists. The data is copied; of Obj arrays, the elements are taken. */
GRIDDLE_FFI BQNV bqn_makeI8Arr(size_t rank, const size_t* shape, const int8_t* data);
GRIDDLE_FFI BQNV bqn_makeI16Arr(size_t rank, const size_t* shape, const int16_t* data);
GRIDDLE_FFI BQNV bqn_makeI32Arr(size_t rank, const size_t* shape, const int32_t* data);
GRIDDLE_FFI BQNV bqn_makeF64Arr(size_t rank, const size_t* shape, const double* data);
GRIDDLE_FFI BQNV bqn_makeC8Arr(size_t rank, const size_t* shape, const uint8_t* data);
GRIDDLE_FFI BQNV bqn_makeC16Arr(size_t rank, const size_t* shape, const uint16_t* data);
GRIDDLE_FFI BQNV bqn_makeC32Arr(size_t rank, const size_t* shape, const uint32_t* data);
GRIDDLE_FFI BQNV bqn_makeObjArr(size_t rank, const size_t* shape, const BQNV* data);
GRIDDLE_FFI BQNV bqn_makeI8Vec(size_t length, const int8_t* data);
GRIDDLE_FFI BQNV bqn_makeI16Vec(size_t length, const int16_t* data);
GRIDDLE_FFI BQNV bqn_makeI32Vec(size_t length, const int32_t* data);
GRIDDLE_FFI BQNV bqn_makeF64Vec(size_t length, const double* data);
GRIDDLE_FFI BQNV bqn_makeC8Vec(size_t length, const uint8_t* data);
GRIDDLE_FFI BQNV bqn_makeC16Vec(size_t length, const uint16_t* data);
GRIDDLE_FFI BQNV bqn_makeC32Vec(size_t length, const uint32_t* data);
GRIDDLE_FFI BQNV bqn_makeObjVec(size_t length, const BQNV* data);
/* A string from `bytes` bytes of UTF-8. */
GRIDDLE_FFI BQNV bqn_makeUTF8Str(size_t bytes, const char* text);

/* A BQN function of a C function, for one argument or for two. Each call gets a reference to the object as well; all arguments
 * are the C function's, its result is the caller's. */
typedef BQNV (*bqn_boundFn1)(BQNV object, BQNV x);
typedef BQNV (*bqn_boundFn2)(BQNV object, BQNV w, BQNV x);
GRIDDLE_FFI BQNV bqn_makeBoundFn1(bqn_boundFn1, BQNV object);
GRIDDLE_FFI BQNV bqn_makeBoundFn2(bqn_boundFn2, BQNV object);

/* Reading elements where they are. The type says how they are held now, elt_unk in no way that C could read; the pointer of
 * that type, and of no other, is good as long as the caller has the value. */
typedef enum { elt_unk, elt_i8, elt_i16, elt_i32, elt_f64, elt_c8, elt_c16, elt_c32 } BQNElType;
GRIDDLE_FFI BQNElType bqn_directArrType(BQNV array);
GRIDDLE_FFI const int8_t* bqn_directI8(BQNV array);
GRIDDLE_FFI const int16_t* bqn_directI16(BQNV array);
GRIDDLE_FFI const int32_t* bqn_directI32(BQNV array);
GRIDDLE_FFI const double* bqn_directF64(BQNV array);
GRIDDLE_FFI const uint8_t* bqn_directC8(BQNV array);
GRIDDLE_FFI const uint16_t* bqn_directC16(BQNV array);
GRIDDLE_FFI const uint32_t* bqn_directC32(BQNV array);

#ifdef __cplusplus
}
#endif

#endif
