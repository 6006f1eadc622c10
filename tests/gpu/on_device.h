// What tests on a real device share: the device, memory there, and counting what passed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gpu/cuda/device.h"

extern "C" const griddle_plugin* griddle_device_plugin();

namespace griddle::cuda {

namespace {

const griddle_plugin* plugin;
griddle_device* device;
int passed = 0, failed = 0;

void must(griddle_status s) {
  if (s == griddle_done) return;
  std::fprintf(stderr, "status %d: %s\n", s, plugin->message(device));
  std::exit(1);
}

// Memory of the device. Past the end stands what would spoil a result.
template <class T>
class Copy {
 public:
  explicit Copy(const std::vector<T>& from) : Copy(from.size()) {
    must(plugin->upload(device, at_, from.data(), from.size() * sizeof(T)));
  }
  explicit Copy(std::size_t length) : length_(length) {
    void* memory;
    must(plugin->allocate(device, length * sizeof(T), &memory));
    at_ = static_cast<T*>(memory);
    cudaMemsetAsync(at_, 0x5A, length * sizeof(T) + 256, device->stream);
  }
  ~Copy() { plugin->release(device, at_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  T* at() const { return at_; }
  std::vector<T> back(std::size_t count) const {
    std::vector<T> to(count);
    must(plugin->download(device, to.data(), at_, count * sizeof(T)));
    return to;
  }
  std::vector<T> back() const { return back(length_); }

 private:
  T* at_;
  std::size_t length_;
};

template <class T>
void check(const std::string& what, const std::vector<T>& wanted, const std::vector<T>& got) {
  for (std::size_t i = 0; i < wanted.size(); i++)
    if (std::memcmp(&wanted[i], &got[i], sizeof(T)) != 0) {
      std::printf("FAIL %s: differs from place %zu on\n", what.c_str(), i);
      failed++;
      return;
    }
  passed++;
}

// Opens the device, runs the tests and says how they went.
template <class F>
int run_tests(F tests) {
  plugin = griddle_device_plugin();
  griddle_device_info info;
  if (plugin->open(&device, &info) != griddle_done) {
    std::fprintf(stderr, "There is no device\n");
    return 2;
  }
  tests();
  plugin->close(device);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}

}  // namespace

}  // namespace griddle::cuda
