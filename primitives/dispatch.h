// Dispatch of pervasive functions: classifies the arguments once by type and shape, walks nested arrays, runs kernels on flat
// ones, and goes on in a wider type from where a result did not fit.
#pragma once

#include "primitives/direct.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

struct DyadRule {
  const char* name;
  griddle::Dyad self;
  // Computes for two atoms; fails with the reason where the function has no result for them.
  Value (*atoms)(Context&, const Value& w, const Value& x);
  // Gives the attempt-th way for elements of these types: 0 is the narrowest, each next one takes over where the one before did
  // not fit. False where there is none (left). Bits are only ever given to kernels as bits when both operands are.
  FindDyadStep step;
  // Gives the fill for fills that are zero or space.
  FillKind (*fill)(FillKind w, FillKind x);
  // Gives the kernels that read arguments as they are.
  const DirectDyads& (*direct)();
};
struct MonadRule {
  const char* name;
  griddle::Monad self;
  Value (*atom)(Context&, const Value& x);
  FindMonadStep step;
  const DirectMonads& (*direct)();
};

// Apply a rule to any arguments, whose memory they may take.
Value pervade(Context&, const DyadRule&, Value& w, Value& x);
Value pervade(Context&, const MonadRule&, Value& x);

// Fails where neither shape begins the other.
void check_agreement(Context&, const char* name, const Value& w, const Value& x);

}  // namespace griddle::primitives
