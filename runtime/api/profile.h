// Where the time of a program goes: a sample is taken whenever the host says so, from a signal handler say, and noted by the
// lines that run and the call that is in the middle of it. Meanwhile the calls of primitives are counted, with the bytes that
// they read and write.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "runtime/primitive.h"
#include "runtime/source/location.h"
#include "runtime/value/context.h"
#include "runtime/vm/vm.h"

namespace griddle {

class Profile final : public PrimitiveObserver {
 public:
  // Sees the calls of primitives of this interpreter while it lives, of code that is compiled meanwhile.
  explicit Profile(Context&);
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  std::uint64_t monad(Context&, const PrimitiveFunctionEntry&, std::uint64_t x, MonadCall) override;
  std::uint64_t dyad(Context&, const PrimitiveFunctionEntry&, std::uint64_t w, std::uint64_t x, DyadCall) override;
  std::uint64_t direct(Context&, const Derived&, const Value& x) override;
  void computed(const void* by, std::span<const Value* const> operands, const Value& result) override;
  // Notes what runs now. Allocates nothing and waits for nothing; the thread that evaluates calls it.
  void sample(const Context&) noexcept;
  // Tells whether it is in the middle of a call, as for functions of the host that a primitive calls. It may not end then.
  bool sees_a_call() const { return running_ != nullptr; }
  // Tells what was noted; `seconds` is the time between two samples.
  std::string report(double seconds) const;

 private:
  // A call, as what is written there, and the way that served it last.
  struct Called {
    char32_t modifier = 0, glyph = 0;
    Opcode op = Opcode::constant;
    bool dyadic = false;
    bool on_device = false;
    const PrimitiveFunctionEntry* entry = nullptr;  // the primitive that was running, where one was
    char32_t of_modifier = 0;   // that of a derived function with kernels of its own, of which entry is the operand
    const void* way = nullptr;  // what served it: a row of a table, kernels, or what computes several calls
    bool operator==(const Called&) const = default;
  };
  // The calls of a primitive, a derived function or an expression by one way, which may have been in the middle of a sample or
  // not.
  struct Way {
    const PrimitiveFunctionEntry* entry;
    const void* way;
    bool dyadic, on_device;
    auto operator<=>(const Way&) const = default;
  };
  struct Moved {
    std::uint64_t calls = 0, read = 0, written = 0;
  };
  // A call of a primitive that runs: samples taken meanwhile are noted when it has ended, and its way is known.
  struct Running {
    Running* outer;
    std::uint32_t samples = 0;
    Called called = {};
  };
  class Call;
  void count(const Way&, std::uint64_t read, std::uint64_t written);
  template <class Site, class Again, class Fast, class Door>
  std::uint64_t counted(const PrimitiveFunctionEntry&, bool dyadic, bool on_device, std::uint64_t read, Site&, Again, Fast, Door);
  struct Place {
    Location where;
    std::uint32_t own = 0, all = 0;  // samples: of the innermost call, and of those that it stands within
    std::uint64_t last = 0;          // the sample that counted it last
  };
  struct Sampled {
    Called called;
    std::uint32_t samples = 0;
  };
  // What no more places or calls have room for counts as others.
  static constexpr std::size_t most_places = 4096, most_calls = 512, most_frames = 200, most_lines = 20;
  Place* place_of(const Code&, std::uint32_t word) noexcept;
  static Called called_at(const Instruction&) noexcept;
  void note_call(const Called&, std::uint32_t samples) noexcept;
  std::string lines_text() const;
  std::string calls_text() const;

  std::unique_ptr<Place[]> places_;
  std::unique_ptr<Sampled[]> calls_;
  std::uint64_t samples_ = 0;
  std::uint32_t outside_ = 0;  // samples in which nothing was evaluated
  Context& cx_;
  std::map<Way, Moved> moved_;
  // For the signal handler: the innermost primitive that runs, and whether calls are being noted just now.
  Running* volatile running_ = nullptr;
  volatile bool notes_ = false;
};

}  // namespace griddle
