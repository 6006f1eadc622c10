// Keeps the host's primitives from asking the device while they do its work.
#pragma once

#include <utility>

#include "runtime/value/context.h"

namespace griddle {

class OnHost {
 public:
  explicit OnHost(Context& cx) : cx_(cx), device_(std::exchange(cx.device, nullptr)) {}
  ~OnHost() { cx_.device = device_; }
  OnHost(const OnHost&) = delete;
  OnHost& operator=(const OnHost&) = delete;

 private:
  Context& cx_;
  Device* device_;
};

}  // namespace griddle
