// What values and primitives know of a device: that the elements of an array may be there, and whom to ask to compute there.
#pragma once

#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

// Owns the elements of arrays that were computed on a device, there, here, or in both places. Elements are immutable.
class RemoteElements : public NativeObject {
 public:
  // Waits for the elements and gives them in host memory that lives as long as this object does. Throws Error or OutOfMemory.
  virtual std::uint8_t* fetch() = 0;
};

// Computes on a device what is worth it. Every function may decline by giving the absent value; its arguments are then as before,
// and the CPU does the work. `glyph` names the primitive.
class Device {
 public:
  virtual ~Device() = default;
  // Arrays of fewer elements are asked about only where they are on the device already.
  std::size_t from = 0;
  // Tells whether the elements of ↕count had better be made there.
  virtual bool takes_range(double count) = 0;
  // Whether everything that a device can do shall be done there.
  bool forced = false;

  virtual Value monad(Context&, char32_t glyph, const Value& x) = 0;
  virtual Value dyad(Context&, char32_t glyph, const Value& w, const Value& x) = 0;
  virtual Value fold(Context&, char32_t glyph, const Value& x) = 0;       // f´ on a list
  virtual Value insert(Context&, char32_t glyph, const Value& x) = 0;     // f˝ on rank 2 or more
  virtual Value scan(Context&, char32_t glyph, const Value& x) = 0;       // f` on a list
  virtual Value fold_rows(Context&, char32_t glyph, const Value& x) = 0;  // f´˘ or f˝˘ on rank 2
  virtual Value scan_rows(Context&, char32_t glyph, const Value& x) = 0;  // f`˘ on rank 2

  // •gpu
  struct Report {
    bool present = false;
    std::string name;
    double memory_bytes = 0, kernels = 0, waits = 0, uploaded = 0, downloaded = 0;
    // What it costs: a call and its end, and a byte sent, fetched, or passed by a kernel.
    double call_seconds = 0, up_seconds = 0, down_seconds = 0, pass_seconds = 0;
  };
  virtual Report report() = 0;
  virtual Value put(Context&, const Value& x) = 0;  // absent where there is no device
  virtual bool sync(Context&) = 0;
  // Of a list: ⟨lengths of the runs of equal neighbours, their elements⟩.
  virtual Value runs(Context&, const Value& x) = 0;
  // Of lists of one length: ⟨elements of the runs of w, sums of x over them⟩.
  virtual Value sum_runs(Context&, const Value& w, const Value& x) = 0;
  // Keeps folds and scans of doubles on the host, where they are done in BQN's order.
  bool strict = false;
};

}  // namespace griddle
