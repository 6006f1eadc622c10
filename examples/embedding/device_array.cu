// A host with a kernel of its own: its array goes to BQN where it lies on the device, and what BQN makes of it to the kernel.
// Arguments: the path of the plug-in, where it is not installed.
// output: lent in place: yes
// output: result on the device: yes
// output: 524288 of 1048576 above the mean
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "runtime/api/griddle.hpp"

// From dlpack.h, which fixes their layout.
struct DLDevice {
  int32_t device_type, device_id;
};
struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};
constexpr int32_t on_cuda = 2;
constexpr uint8_t floating = 2;

// --- kernels of the host

__global__ void fill(double* heights, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) heights[i] = i;
}

__global__ void count_above(const double* values, int n, double limit, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] > limit) atomicAdd(count, 1);
}

// An array of the host on the device, as BQN gets it.
struct Heights {
  DLManagedTensor tensor{};
  int64_t length;
  explicit Heights(int n) : length(n) {
    double* memory = nullptr;
    cudaMalloc(&memory, n * sizeof(double));
    fill<<<(n + 255) / 256, 256>>>(memory, n);
    tensor.dl_tensor = {memory, {on_cuda, 0}, 1, {floating, 64, 1}, &length, nullptr, 0};
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensor* t) {
      cudaFree(t->dl_tensor.data);
      delete static_cast<Heights*>(t->manager_ctx);
    };
  }
};

int main(int count, char** words) {
  constexpr int n = 1 << 20;
  griddle::Options options;
  options.device = griddle::DeviceUse::automatic;
  if (count > 1) options.device_plugin = words[1];
  if (griddle::find_device(options).name.empty()) {
    std::printf("no device\n");
    return 77;
  }
  griddle::Interpreter bqn(options);
  const griddle::Result center = bqn.eval("⊢-+´÷≠");

  // Until BQN drops it, nobody changes it.
  auto* heights = new Heights(n);
  const void* memory = heights->tensor.dl_tensor.data;
  griddle_failure* why = nullptr;
  const auto array = griddle::Any::adopt(griddle_from_dlpack(bqn.handle(), &heights->tensor, &why));
  DLManagedTensor* same = griddle_to_dlpack(array.handle(), &why);
  if (why != nullptr) {
    std::printf("%s", griddle_failure_report(why).data);
    return 1;
  }
  std::printf("lent in place: %s\n", same->dl_tensor.data == memory ? "yes" : "no");
  same->deleter(same);

  const griddle::Result centered = center(array);
  if (!centered) {
    std::printf("%s", centered.failure().report.c_str());
    return 1;
  }
  DLManagedTensor* given = griddle_to_dlpack(centered->handle(), nullptr);
  std::printf("result on the device: %s\n", given->dl_tensor.device.device_type == on_cuda ? "yes" : "no");

  int* above = nullptr;
  int host_above = 0;
  cudaMalloc(&above, sizeof *above);
  cudaMemset(above, 0, sizeof *above);
  count_above<<<(n + 255) / 256, 256>>>(static_cast<const double*>(given->dl_tensor.data), n, 0.0, above);
  cudaMemcpy(&host_above, above, sizeof host_above, cudaMemcpyDeviceToHost);
  std::printf("%d of %d above the mean\n", host_above, n);
  cudaFree(above);
  given->deleter(given);
  return 0;
}
