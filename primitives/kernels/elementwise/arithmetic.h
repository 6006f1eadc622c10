// Elementwise arithmetic on one type: results in the same type, with overflow detected before anything is stored.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct ArithmeticKernels {
  DyadForms add[lane_count];
  DyadForms subtract[lane_count];
  DyadForms multiply[lane_count];
  DyadForms minimum[lane_count];
  DyadForms maximum[lane_count];
  // Give the next wider type, in which every result fits: i16, i32, f64 for i8, i16, i32.
  DyadForms add_widening[3];
  DyadForms subtract_widening[3];
  DyadForms multiply_widening[3];
  // w | x. Integer lanes stop where w is 0, f64 where the quotient is beyond 2^52. The form for f64 may be null.
  DyadForms modulus[lane_count];
  // Negative zero divides like zero.
  DyadForms divide_f64;
  DyadForms logic_or_f64;  // (w + x) - w × x
  DyadForms divide_i32;    // gives f64
  // Characters of 1, 2 or 4 bytes with integers of the same width: character + integer, integer + character, character - integer
  // (4 bytes: stops outside 0..0x10FFFF), and character - character, which gives integers.
  DyadForms character_up[3];
  DyadForms up_character[3];
  DyadForms character_down[3];
  DyadForms character_distance[3];

  Monad negate[lane_count];
  Monad magnitude[lane_count];
  Monad sign[lane_count];            // gives i8
  Monad floor_to[3], ceiling_to[3];  // f64 to i8, i16, i32
  Monad floor_f64, ceiling_f64;
  Monad square_root[lane_count], reciprocal[lane_count];  // give f64
};

// Gives the kernels of the best instruction set that this CPU has.
const ArithmeticKernels& arithmetic();

}  // namespace griddle::kernels
