// Direct ways: kernels that read the arguments as they lie in memory, found by the types alone. They serve nearly every call, so
// that finding one takes a single look into a table.
#pragma once

#include "primitives/kernels/shared/kernel.h"
#include "runtime/value/element_type.h"

namespace griddle::primitives {

// One way to compute: the types that the kernel reads and the type that it writes.
struct DyadStep {
  ElementType w, x, result;
  kernels::DyadForms forms;
};
struct MonadStep {
  ElementType x, result;
  kernels::Monad kernel;
};

inline constexpr int flat_type_count = static_cast<int>(ElementType::boxed);

struct DirectDyad {
  kernels::Dyad kernel = nullptr;  // null where there is none
  ElementType result = ElementType::bit;
  ElementType atom = ElementType::bit;  // the type in which the kernel reads an atom
};
struct DirectDyads {
  DirectDyad by_types[kernels::form_count][flat_type_count][flat_type_count];
  const DirectDyad& find(kernels::Form form, ElementType w, ElementType x) const {
    return by_types[form][static_cast<int>(w)][static_cast<int>(x)];
  }
};
using FindDyadStep = bool (*)(ElementType w, ElementType x, int attempt, DyadStep&);
using FindMonadStep = bool (*)(ElementType x, int attempt, MonadStep&);
// Gives a kernel that reads these two types, which are not both what steps read, as they are. Bits are packed even beside other
// types. False where there is none.
using FindPair = bool (*)(kernels::Form, ElementType w, ElementType x, DirectDyad&);

DirectDyads find_direct(FindDyadStep, FindPair);

// Gives the table of a rule, made when first asked for.
template <FindDyadStep step, FindPair pair = nullptr>
const DirectDyads& direct_dyads() {
  static const DirectDyads found = find_direct(step, pair);
  return found;
}
}  // namespace griddle::primitives
