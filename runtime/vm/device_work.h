// What a function did on a device and on the host, at one place of a program.
#pragma once

#include "runtime/source/location.h"
#include "runtime/value/remote.h"

namespace griddle {

struct DeviceWork {
  const char* function;        // as errors name it; empty where elements were only read
  Location place;              // without a source where nothing ran, or where there are too many places to tell apart
  double there = 0, here = 0;  // calls: on the device, and on the host with something that is on the device
  double seconds_there = 0, seconds_here = 0;    // in these calls, with all that they call
  double sent = 0, back = 0, times_back = 0;     // bytes, and how often some came back
  Device::Reason reason = Device::Reason::none;  // why it was done on the host the last time
};

// Tells which call runs now. Cheap, but for looking up the place among those of its block.
Location place_of_call(const Context&);

// A loop of a known number of rounds that runs now.
struct CountedLoop {
  const void* ends;   // the instruction that ends a round
  const void* slots;  // of its frame
  double left;        // rounds that have not ended
  bool operator==(const CountedLoop&) const = default;
};
// Finds those of ⍟ and ¨, from the innermost block on, whose rounds are blocks. Reads through their code.
std::vector<CountedLoop> counted_loops(const Context&);

// How far a program has come: the block that all others are called from, and how much of its code lies behind what runs now, from
// 0 to 1. A line of a session is a program of its own.
struct Progress {
  const void* program = nullptr;
  double passed = 0;
};
Progress progress(const Context&);

}  // namespace griddle
