// Where the time of a program goes: a sample is taken whenever the host says so, from a signal handler say, and noted by the
// lines that run and the call that is in the middle of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/source/location.h"
#include "runtime/value/context.h"
#include "runtime/vm/vm.h"

namespace griddle {

class Profile {
 public:
  Profile();
  // Notes what runs now. Allocates nothing and waits for nothing; the thread that evaluates calls it.
  void sample(const Context&) noexcept;
  // Tells what was noted; `seconds` is the time between two samples.
  std::string report(double seconds) const;

 private:
  // A call, as what is written there, and the way that served it last.
  struct Called {
    char32_t modifier = 0, glyph = 0;
    Opcode op = Opcode::constant;
    bool dyadic = false;
    const void* way = nullptr;
    bool operator==(const Called&) const = default;
  };
  struct Place {
    Location where;
    std::uint32_t own = 0, all = 0;  // samples: of the innermost call, and of those that it stands within
    std::uint64_t last = 0;          // the sample that counted it last
  };
  struct Call {
    Called called;
    std::uint32_t samples = 0;
  };
  // What no more places or calls have room for counts as others.
  static constexpr std::size_t most_places = 4096, most_calls = 512, most_frames = 200;
  Place* place_of(const Code&, std::uint32_t word) noexcept;
  static Called called_at(const Context&, const Instruction&) noexcept;
  void note_call(const Called&) noexcept;

  std::unique_ptr<Place[]> places_;
  std::unique_ptr<Call[]> calls_;
  std::uint64_t samples_ = 0;
  std::uint32_t outside_ = 0;  // samples in which nothing was evaluated
};

}  // namespace griddle
