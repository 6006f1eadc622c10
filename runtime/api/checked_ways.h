// Tries all ways of a primitive (primitives/common/ways.h) at each of its calls, for tests.
#pragma once

#include <map>
#include <string>

#include "runtime/primitive.h"

namespace griddle {

// Calls each way by itself and fails where one gives something else than the general way; then calls the primitive as usual.
// Counts how often each way served.
class CheckedWays final : public PrimitiveObserver {
 public:
  std::uint64_t monad(Context&, const PrimitiveFunctionEntry&, std::uint64_t x, MonadCall) override;
  std::uint64_t dyad(Context&, const PrimitiveFunctionEntry&, std::uint64_t w, std::uint64_t x, DyadCall) override;

  // Gives a line for each way of each primitive: what it is called, a tab, and how often it served.
  std::string taken() const;

 private:
  template <class Way, class Run, class General>
  void check(Context&, const PrimitiveFunctionEntry&, bool dyadic, std::span<const Way>, Run, General);

  std::map<const void*, std::size_t> served_;  // by the address of the way
};

}  // namespace griddle
