// Times each method of draws by products on a corpus of the size of a known experiment, and compares what they draw. Prints a
// table: weights, walk, K, method, ms, and the share of draws that differ from prefix-binary's in doubles. Build and run:
//   nvcc -std=c++20 -O3 --extended-lambda -arch=sm_90 -I . tests/bench/gpu/samplers.cu -o samplers && ./samplers
#include "gpu/cuda/samplers.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using namespace griddle::cuda::samplers;

void check(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
  std::exit(1);
}
#define CHECK(e) check(e, __LINE__)

template <class T>
struct Buffer {
  T* at = nullptr;
  std::size_t count;
  explicit Buffer(std::size_t n) : count(n) { CHECK(cudaMalloc(&at, n * sizeof(T) + 512)); }
  explicit Buffer(const std::vector<T>& v) : Buffer(v.size()) {
    CHECK(cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Buffer() { cudaFree(at); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::vector<T> host() const {
    std::vector<T> v(count);
    CHECK(cudaMemcpy(v.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};

template <class F>
double median(F call) {
  cudaEvent_t from, to;
  CHECK(cudaEventCreate(&from));
  CHECK(cudaEventCreate(&to));
  call();
  std::vector<float> times(9);
  for (float& t : times) {
    CHECK(cudaEventRecord(from));
    call();
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    CHECK(cudaEventElapsedTime(&t, from, to));
  }
  CHECK(cudaGetLastError());
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// 43,556 documents of 70.5 words in the mean, 307 at most, from a vocabulary of 37,286 that follows Zipf's law.
struct Corpus {
  std::vector<std::int32_t> documents{0}, first_rows, second_rows;
  static constexpr std::size_t document_count = 43556, words = 37286;
  Corpus() {
    std::mt19937 g(1);
    std::exponential_distribution<double> length(1 / 71.2);
    std::vector<double> up_to(words);
    double sum = 0;
    for (std::size_t v = 0; v < words; v++) up_to[v] = sum += 1.0 / (static_cast<double>(v) + 10);
    std::uniform_real_distribution<double> u(0, sum);
    for (std::size_t m = 0; m < document_count; m++) {
      const int n = std::min(307, std::max(1, static_cast<int>(length(g))));
      for (int i = 0; i < n; i++) {
        first_rows.push_back(static_cast<std::int32_t>(m));
        const auto at = std::upper_bound(up_to.begin(), up_to.end(), u(g)) - up_to.begin();
        second_rows.push_back(static_cast<std::int32_t>(std::min<std::size_t>(words - 1, static_cast<std::size_t>(at))));
      }
      documents.push_back(static_cast<std::int32_t>(first_rows.size()));
    }
  }
};

constexpr const char* names[] = {"pieces", "prefix-linear", "prefix-binary", "transposed", "butterfly", "warp"};

__global__ void convert_weights(const double* from, float* to, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = static_cast<float>(from[i]);
}
__global__ void convert_integers(const double* from, u32* to, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = static_cast<u32>(from[i] * 1000);
}

double share_of_differences(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < a.size(); i++) n += a[i] != b[i];
  return static_cast<double>(n) / static_cast<double>(a.size());
}

}  // namespace

int main(int argc, char** argv) {
  const bool sweeps = argc > 1;
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const Corpus corpus;
  const std::size_t n = corpus.first_rows.size();
  std::printf("# %s, %zu draws\n", device.name, n);
  const Buffer<std::int32_t> documents(corpus.documents), first_rows(corpus.first_rows), second_rows(corpus.second_rows), out(n);
  const Buffer<u32> fault(1);
  CHECK(cudaMemset(fault.at, 0, 4));
  const u32 multiprocessors = static_cast<u32>(device.multiProcessorCount);
  for (u32 K : {16u, 48u, 80u, 112u, 144u, 176u, 208u, 240u}) {
    if (sweeps && K != 48 && K != 240) continue;
    std::mt19937 g(K);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<double> theta(corpus.document_count * K), phi(corpus.words * K);
    for (double& d : theta) d = u(g);
    for (double& d : phi) d = u(g);
    const Buffer<double> first(theta), second(phi);
    const Buffer<float> first_single(theta.size()), second_single(phi.size());
    const Buffer<u32> first_integers(theta.size()), second_integers(phi.size());
    convert_weights<<<4096, 256>>>(first.at, first_single.at, theta.size());
    convert_weights<<<4096, 256>>>(second.at, second_single.at, phi.size());
    convert_integers<<<4096, 256>>>(first.at, first_integers.at, theta.size());
    convert_integers<<<4096, 256>>>(second.at, second_integers.at, phi.size());
    std::vector<std::int32_t> reference;
    const auto all = [&]<class T>(const char* type, const T* a, const T* b) {
      for (int walk = 0; walk < 2; walk++) {
        const Draws<T> d{a,
                         b,
                         K,
                         K,
                         first_rows.at,
                         second_rows.at,
                         n,
                         walk ? nullptr : documents.at,
                         static_cast<u32>(corpus.document_count),
                         12345,
                         0,
                         out.at,
                         fault.at};
        for (int m : {2, 1, 3, 4, 5, 0}) {
          const Method method = static_cast<Method>(m);
          if (!has_table(method) && walk == 0) continue;
          for (u32 per : sweeps ? std::vector<u32>{2, 4, 6, 8, 12, 16} : std::vector<u32>{has_table(method) ? 8u : 8u}) {
            for (u32 lanes : sweeps&& method == Method::warp ? std::vector<u32>{4, 8, 16, 32}
                                                             : std::vector<u32>{K * sizeof(T) <= 256 ? 4u : 8u}) {
              const u32 blocks = blocks_of(method, d, multiprocessors * per);
              const Buffer<T> table(table_length(method, d, blocks) + 1);
              const double ms = median([&] { start(method, d, table.at, blocks, lanes, cudaStream_t{}); });
              const std::vector<std::int32_t> now = out.host();
              if (reference.empty() || (sizeof(T) == 4 && T(1) / T(2) == 0 && m == 2 && walk == 0)) reference = now;
              std::printf("%s\t%s\t%u\t%s\t%u\t%u\t%.3f\t%.3g\n", type, walk ? "draws" : "documents", K, names[m], per, lanes, ms,
                          share_of_differences(now, reference));
              std::fflush(stdout);
            }
          }
        }
      }
    };
    all("f64", first.at, second.at);
    all("f32", first_single.at, second_single.at);
    if (!sweeps) all("integers", first_integers.at, second_integers.at);
    u32 faults;
    CHECK(cudaMemcpy(&faults, fault.at, 4, cudaMemcpyDeviceToHost));
    if (faults) std::printf("a fault at K = %u\n", K);
  }
}
