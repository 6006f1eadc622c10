// What stands behind a griddle_failure.
#pragma once

#include <string>
#include <vector>

#include "runtime/api/griddle.h"
#include "runtime/source/location.h"

struct griddle_failure {
  std::uint32_t owners = 1;
  griddle_cause cause = griddle_error;
  int exit_code = 1;
  std::string message;
  std::string report;
  griddle_value value = {};
  std::vector<griddle::Location> frames;  // innermost first
};

namespace griddle {

// Makes an error with a message and no place. Where there is no memory for it, gives one that says so and is never deleted.
griddle_failure* plain_failure(std::string_view message) noexcept;
// The failure that needs no memory: that there is none.
griddle_failure* memory_failure() noexcept;

// Stores a failure for whoever wants to know of it, else drops it.
inline void give_failure(griddle_failure** to, griddle_failure* failure) noexcept {
  if (to != nullptr)
    *to = failure;
  else
    griddle_release_failure(failure);
}

}  // namespace griddle
