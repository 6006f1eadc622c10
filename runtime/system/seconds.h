// Times as the system gives them, in seconds.
#pragma once

#include <ctime>

namespace griddle {

inline constexpr double nanosecond = 1e-9;

inline double seconds_of(const timespec& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * nanosecond;
}

}  // namespace griddle
