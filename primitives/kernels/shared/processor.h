// The instruction sets that kernels are compiled for, and the one that this processor runs, by Highway's names.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace griddle::kernels {

struct InstructionSets {
  std::array<const char*, 16> compiled;  // the first `count`, from the simplest on
  std::size_t count;
  const char* chosen;  // the best of them that this processor has, within the limit
  bool is_runnable;    // whether this processor has the least of them, without which nothing runs
};
InstructionSets instruction_sets();

// Uses none that is better than the one of this name, in all interpreters. Gives false, and changes nothing, where the name is
// none that is compiled and that this processor has.
bool limit_instruction_set(std::string_view name);

}  // namespace griddle::kernels
