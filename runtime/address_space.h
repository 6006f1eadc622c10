// How much address space a process may have.
#pragma once

#ifndef __EMSCRIPTEN__
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cstddef>

namespace griddle {

// Gives the least limit of the system, of all of it or of data; the greatest number where there is none.
inline std::size_t address_space() {
  std::size_t space = ~std::size_t{0};
#ifndef __EMSCRIPTEN__
  for (const auto which : {RLIMIT_AS, RLIMIT_DATA})
    if (rlimit limit = {}; getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      space = std::min<std::size_t>(space, limit.rlim_cur);
#endif
  return space;
}

}  // namespace griddle
