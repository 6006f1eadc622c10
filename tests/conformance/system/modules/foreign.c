// What the tests of •FFI call.
#include <stdint.h>
#include <stdlib.h>

int8_t negate8(int8_t x) { return (int8_t)-x; }
int16_t negate16(int16_t x) { return (int16_t)-x; }
int32_t negate32(int32_t x) { return -x; }
int64_t negate64(int64_t x) { return -x; }
uint8_t next8(uint8_t x) { return (uint8_t)(x + 1); }
uint16_t next16(uint16_t x) { return (uint16_t)(x + 1); }
uint32_t next32(uint32_t x) { return x + 1; }
uint64_t next64(uint64_t x) { return x + 1; }
float half32(float x) { return x / 2; }
double half64(double x) { return x / 2; }
double mixed(int8_t a, double b, uint16_t c, float d, int64_t e) { return a + b + c + d + (double)e; }
void nothing(void) {}

double sum(const double* x, uint64_t n) {
  double s = 0;
  for (uint64_t i = 0; i < n; i++) s += x[i];
  return s;
}
uint32_t sum_small(const uint8_t* x, uint64_t n) {
  uint32_t s = 0;
  for (uint64_t i = 0; i < n; i++) s += x[i];
  return s;
}
int32_t sum_of_three(const int32_t x[3]) { return x[0] + x[1] + x[2]; }
int32_t pick(const int32_t* const* x, int32_t i, int32_t j) { return x[i][j]; }
void increase(int32_t* x, int32_t n) {
  for (int32_t i = 0; i < n; i++) x[i]++;
}
int32_t increase_both(int16_t* x, double* y) { return ++*x + (int32_t)++*y; }
void fill(uint16_t* x, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) x[i] = (uint16_t)(i * i);
}

struct point {
  int8_t x;
  double y;
};
struct shape {
  struct point at;
  int32_t sizes[2];
  const uint8_t* name;
};
struct point turned(struct point p) {
  struct point q = {(int8_t)p.y, p.x};
  return q;
}
double measure(struct shape s) { return s.at.x + s.at.y + s.sizes[0] + s.sizes[1] + s.name[0]; }
void move(struct point* p, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) p[i].y += p[i].x;
}

struct point* make_points(int32_t n) {
  struct point* p = calloc((size_t)n, sizeof *p);
  for (int32_t i = 0; i < n; i++) p[i].x = (int8_t)i, p[i].y = i / 2.0;
  return p;
}
uint64_t bits(uint64_t x) { return x; }
