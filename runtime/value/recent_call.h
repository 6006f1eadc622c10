// What a place in a program remembers of its last arithmetic on plain lists. Where the next arguments there are of the same kind,
// one comparison of each leads to the kernel: no types are looked up, and the memory of the result is known. Of structure, it
// remembers the function alone.
//
// The machine keeps these by the address of an instruction, primitives fill them in (primitives/arithmetic/cached_lists.h). An
// entry says all that it depends on itself, so that it may lie at any place, and be used or written over at any time.
#pragma once

#include "runtime/value/array.h"

namespace griddle {

class Context;
struct PrimitiveFunctionEntry;

// Where nothing is remembered. The bits of no function. Memory of zeros is a site that remembers nothing.
inline constexpr std::uint64_t no_recent_function = 0;

// Of a function with two arguments, one of which may be an atom.
struct alignas(128) RecentDyad {
  // Compute. Give the bits of a new list; those of the absent value where the arguments are of another kind.
  using Compute = std::uint64_t (*)(Context&, std::uint64_t w, std::uint64_t x, RecentDyad&);
  using Kernel = std::size_t (*)(void* out, const void* w, const void* x, std::size_t n);

  const PrimitiveFunctionEntry* entry = nullptr;  // null where there is nothing to remember
  std::uint64_t function = no_recent_function;    // the same as the bits of a value
  Compute compute = nullptr;
  union {
    Kernel kernel = nullptr;
    // Chooses by bits between two results; null where these are the bits themselves.
    void (*choose)(void* out, const std::uint64_t* bits, std::size_t n, const void* zero, const void* one);
  };
  RepeatedList results;
  // What the lists are (PlainList::described); there is one list beside an atom.
  std::uint32_t w = 0, x = 0;
  // The atom, and how the kernel reads it; which others it may read in the same way, integers or code points from `least` on.
  std::uint64_t atom = 0;
  std::int64_t read = 0;
  std::int64_t read_for_one = 0;  // `read` is the result that `choose` takes for 0; this is that for 1
  enum class Others : std::uint32_t { none, integers, numbers, characters } others = Others::none;
  std::int32_t least = 0;
  std::uint32_t span = 0;  // the greatest, less the least
  // How often a kernel for wide results is still taken before narrow ones have a chance again; 0 for other kernels.
  std::uint32_t uses_left = 0;
};

// Of a function with one argument: a primitive, or the fold or scan of one.
struct alignas(64) RecentMonad {
  using Compute = std::uint64_t (*)(Context&, std::uint64_t x, RecentMonad&);
  using Kernel = std::size_t (*)(void* out, const void* x, std::size_t n);

  const PrimitiveFunctionEntry* entry = nullptr;  // null for derived functions
  std::uint64_t function = no_recent_function;    // bits of a primitive; address of the kernels of a derived function
  Compute compute = nullptr;
  union {
    Kernel kernel = nullptr;
    bool (*scan)(void* out, const void* x, std::size_t n);
    double (*fold)(const void* x, std::size_t n);
  };
  RepeatedList results;
  std::uint32_t x = 0;
  std::uint32_t most = 0;  // elements that a fold takes
};

// A table of them in memory of zeros, in which the address of an instruction finds its own, or one that it shares with few
// others.
template <class Recent>
class RecentCalls {
 public:
  static constexpr std::size_t count = 256, bytes = count * sizeof(Recent);
  explicit RecentCalls(void* zeros) : calls_(static_cast<Recent*>(zeros)) {}
  Recent& at(const void* instruction) { return calls_[reinterpret_cast<std::uintptr_t>(instruction) / 8 % count]; }

 private:
  Recent* const calls_;
};

}  // namespace griddle
