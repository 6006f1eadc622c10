// What values know of a device: that the elements of an array may be there.
#pragma once

#include "runtime/value/function.h"

namespace griddle {

// Owns the elements of arrays that were computed on a device, there, here, or in both places. Elements are immutable.
class RemoteElements : public NativeObject {
 public:
  // Waits for the elements and gives them in host memory that lives as long as this object does. Throws Error or OutOfMemory.
  virtual std::uint8_t* fetch() = 0;
};

}  // namespace griddle
