// Kernels that are made for one chain while programs run, where the system has NVRTC: compiled on a thread of their own once a
// chain has cost more than that, and kept in files. Until then, and where there is no compiler, chain.cuh follows the chain's
// steps.
#pragma once

#include <cuda_runtime.h>

#include "gpu/cuda/chains/chain_source.h"
#include "gpu/plugin_abi.h"

namespace griddle::cuda {

// Gives the kernel for a chain, or null where there is none yet. Fails only where tests want every chain to have one.
griddle_status made_kernel(griddle_device&, const griddle_chain&, ChainEnd, std::uint64_t length, cudaKernel_t* kernel);
// Waits for what is being made, and forgets all.
void close_made(griddle_device&);
// Names the folder where kernels are kept; null for none.
void keep_kernels(griddle_device*, const char* folder);

}  // namespace griddle::cuda
