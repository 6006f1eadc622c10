// What "foreign functions take and give objects.bqn" calls.
#include <stdlib.h>

#include "griddle_ffi.h"

BQNV twice(BQNV f, BQNV x) {
  BQNV once = bqn_call1(f, x);
  BQNV result = bqn_call1(f, once);
  bqn_free(f);
  bqn_free(x);
  bqn_free(once);
  return result;
}

BQNV with(BQNV f, BQNV w, BQNV x) {
  BQNV result = bqn_call2(f, w, x);
  bqn_free(f);
  bqn_free(w);
  bqn_free(x);
  return result;
}

int32_t type(BQNV v) {
  int32_t result = bqn_type(v);
  bqn_free(v);
  return result;
}

int64_t total(BQNV v) {
  size_t length = bqn_bound(v);
  int32_t* elements = malloc(length * sizeof(int32_t) + 1);
  bqn_readI32Arr(v, elements);
  int64_t sum = 0;
  for (size_t i = 0; i < length; i++) sum += elements[i];
  free(elements);
  bqn_free(v);
  return sum;
}

BQNV table(BQNV v) {
  size_t rank = bqn_rank(v);
  size_t shape[8];
  double data[64];
  bqn_shape(v, shape);
  bqn_readF64Arr(v, data);
  for (size_t i = 0; i < bqn_bound(v); i++) data[i] /= 2;
  bqn_free(v);
  return bqn_makeF64Arr(rank, shape, data);
}

BQNV pieces(void) {
  const int8_t small[] = {1, -1};
  const int16_t medium[] = {300};
  const int32_t large[] = {70000};
  const double real[] = {0.5};
  const uint8_t c8[] = {'a'};
  const uint16_t c16[] = {0x3b1};
  const uint32_t c32[] = {0x1d569};
  BQNV all[] = {bqn_makeF64(2.5),        bqn_makeChar('c'),       bqn_makeI8Vec(2, small), bqn_makeI16Vec(1, medium),
                bqn_makeI32Vec(1, large), bqn_makeF64Vec(1, real), bqn_makeC8Vec(1, c8),    bqn_makeC16Vec(1, c16),
                bqn_makeC32Vec(1, c32),   bqn_makeUTF8Str(3, "aα")};
  return bqn_makeObjVec(10, all);
}

BQNV turned(BQNV v) {
  size_t length = bqn_bound(v);
  BQNV* from = malloc(length * sizeof(BQNV) + 1);
  BQNV* to = malloc(length * sizeof(BQNV) + 1);
  bqn_readObjArr(v, from);
  for (size_t i = 0; i < length; i++) to[length - 1 - i] = from[i];
  BQNV result = bqn_makeObjVec(length, to);
  free(from);
  free(to);
  bqn_free(v);
  return result;
}

BQNV element(BQNV v, uint32_t i) {
  BQNV result = bqn_pick(v, i);
  bqn_free(v);
  return result;
}

BQNV field(BQNV space, BQNV name) {
  BQNV result = bqn_getField(space, name);
  bqn_free(space);
  bqn_free(name);
  return result;
}
uint8_t has(BQNV space, BQNV name) {
  bool result = bqn_hasField(space, name);
  bqn_free(space);
  bqn_free(name);
  return result;
}

BQNV evaluate(BQNV source) {
  BQNV result = bqn_eval(source);
  bqn_free(source);
  return result;
}
BQNV fixed(void) { return bqn_evalCStr("⌽↕3"); }

static BQNV add(BQNV object, BQNV x) { return bqn_makeF64(bqn_toF64(object) + bqn_toF64(x)); }
static BQNV join(BQNV object, BQNV w, BQNV x) {
  BQNV parts[] = {object, w, x};
  return bqn_makeObjVec(3, parts);
}
BQNV adder(BQNV v) {
  BQNV result = bqn_makeBoundFn1(add, v);
  bqn_free(v);
  return result;
}
BQNV joiner(BQNV v) {
  BQNV result = bqn_makeBoundFn2(join, v);
  bqn_free(v);
  return result;
}

double direct(BQNV v) {
  double sum = -1;
  if (bqn_directArrType(v) == elt_f64) {
    const double* elements = bqn_directF64(v);
    sum = 0;
    for (size_t i = 0; i < bqn_bound(v); i++) sum += elements[i];
  }
  bqn_free(v);
  return sum;
}

BQNV kept_value;
void keep(BQNV v) { kept_value = v; }
BQNV kept(void) { return bqn_copy(kept_value); }
void forget(void) { bqn_free(kept_value); }

// Goes on after a failure, which must do no harm.
BQNV careless(BQNV f, BQNV x) {
  BQNV wrong = bqn_call1(f, x);
  size_t length = bqn_bound(wrong);
  int8_t none[1];
  bqn_readI8Arr(wrong, none);
  BQNV more = bqn_call1(wrong, bqn_pick(wrong, 5));
  double number = bqn_toF64(bqn_copy(wrong));
  bool failed = griddle_ffi_failed();
  bqn_free(more);
  bqn_free(wrong);
  bqn_free(f);
  bqn_free(x);
  return bqn_makeF64((double)length + number + failed);
}

double number(BQNV v) { return bqn_toF64(v); }
uint32_t character(BQNV v) { return bqn_toChar(v); }
void small(BQNV v) {
  int8_t elements[64];
  bqn_readI8Arr(v, elements);
  bqn_free(v);
}
BQNV wrong_character(void) { return bqn_makeChar(0x110000); }
BQNV no_value(BQNV v) {
  bqn_free(v);
  return bqn_pick(bqn_makeF64(0), 0);
}
void several(BQNV a, int32_t i) { bqn_free(a); (void)i; }
