#include "primitives/arithmetic/direct.h"

namespace griddle::primitives {

DirectDyads find_direct(FindDyadStep step_for, FindPair pair_for) {
  DirectDyads found;
  for (int tw = 0; tw < flat_type_count; tw++)
    for (int tx = 0; tx < flat_type_count; tx++) {
      const ElementType w = static_cast<ElementType>(tw), x = static_cast<ElementType>(tx);
      const auto place = [&](kernels::Form form) -> DirectDyad& { return found.by_types[form][tw][tx]; };
      DyadStep step;
      if (step_for(w, x, 0, step)) {
        if (step.w == w && step.x == x) place(kernels::array_array) = {step.forms[kernels::array_array], step.result, x};
        // An atom must be a value of the type in which it is read.
        if (step.w == w && step.x >= x) place(kernels::array_scalar) = {step.forms[kernels::array_scalar], step.result, step.x};
        if (step.x == x && step.w >= w) place(kernels::scalar_array) = {step.forms[kernels::scalar_array], step.result, step.w};
      }
      if (pair_for == nullptr) continue;
      for (int form = 0; form < kernels::form_count; form++)
        if (DirectDyad pair; pair_for(static_cast<kernels::Form>(form), w, x, pair))
          place(static_cast<kernels::Form>(form)) = pair;
    }
  return found;
}

}  // namespace griddle::primitives
