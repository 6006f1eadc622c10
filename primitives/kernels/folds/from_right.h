// Folds one by one, in doubles.
#pragma once

#include <cstddef>
#include <functional>

namespace griddle::kernels {

// Folds the elements from n down to `end`. Compilers would read vectors and take these apart, which holds up operations that
// follow each other quickly.
template <class T, class Operation>
inline double fold_from_right(const T* x, std::size_t n, std::size_t end, double so_far, Operation operation) {
  const auto step = [&](T v) {
    so_far = operation(static_cast<double>(v), so_far);
#ifdef __x86_64__
    asm("" : "+x"(so_far));
#endif
  };
  // Few instructions let the processor see beyond the end while it still folds.
  constexpr std::size_t together = 8;
  for (; n >= end + together; n -= together)
    for (std::size_t k = 1; k <= together; k++) step(x[n - k]);
  while (n > end) step(x[--n]);
  return so_far;
}

}  // namespace griddle::kernels
