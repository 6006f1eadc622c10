#include "gpu/staying.h"

#include <algorithm>

namespace griddle {

namespace {

// Between two functions that are asked about lies more than the first: no host takes longer for a byte, and no device less for a
// function.
constexpr double most_for_byte = 2e-10, least_there = 5e-6;
// What comes back again and again is given another chance after so much more has been lost.
constexpr double more_patience = 8;

}  // namespace

void Staying::begin(double bytes, Time now) {
  since_ = now;
  under_way_ = bytes;
}

void Staying::end(Time now, const Costs& c) {
  if (!since_) return;
  const double took = std::min(std::chrono::duration<double>(now - *since_).count(), under_way_ * most_for_byte);
  since_.reset();
  seconds_ += took;
  bytes_ += under_way_;
  lost_ += std::max(0.0, took - under_way_ * c.pass - least_there);
}

void Staying::move() {
  moves_ = true;
  gained_ = spent_ = 0;
  // Arrays are sent before anything is gained.
  allowed_ = std::max(lost_, 0.02);
}

void Staying::stay() {
  moves_ = false;
  since_.reset();
  lost_ = 0;
  share_ *= more_patience;
}

}  // namespace griddle
