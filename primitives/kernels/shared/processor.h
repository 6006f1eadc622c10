// The instruction sets that kernels are compiled for, and the one that this processor runs, by Highway's names.
#pragma once

#include <array>
#include <cstddef>

namespace griddle::kernels {

struct InstructionSets {
  std::array<const char*, 16> compiled;  // the first `count`, from the simplest on
  std::size_t count;
  const char* chosen;    // the best of them that this processor has and GRIDDLE_TARGET allows
  bool is_runnable;      // whether this processor has the least of them, without which nothing runs
  bool is_choice_known;  // whether GRIDDLE_TARGET, where it is set, names one that is compiled and that this processor has
};
InstructionSets instruction_sets();

}  // namespace griddle::kernels
