// NVRTC, NVIDIA's compiler as a library, which is opened when the first kernel is to be made.
#pragma once

#include <string>

namespace griddle::cuda {

// Tells which compiler the system has, as a text that differs from version to version; empty for none.
std::string compiler_version();
// Compiles the source of a kernel, which may use all of chain.cuh and fold.cuh, for chips of that capability. Gives machine code,
// or an empty text and what the compiler says.
std::string compiled(const std::string& source, int capability, std::string& complaint);

}  // namespace griddle::cuda
