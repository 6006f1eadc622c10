// What the fuzzer of the C interface plays with: interpreters, values, and a memory of what it did last.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/api/griddle.h"

namespace abi_fuzz {

// Ends with what is wrong, so that the last calls are shown.
[[noreturn]] inline void wrong(const char* what) {
  std::fprintf(stderr, "abi_fuzz: %s\n", what);
  std::abort();
}
inline void must(bool condition, const char* what) {
  if (!condition) wrong(what);
}

// The last calls of a thread, for when it dies.
class Log {
 public:
  void begin(std::uint64_t seed) {
    seed_ = seed;
    count_ = 0;
  }
  void note(const char* call, std::string_view detail = {}) {
    Line& line = lines_[count_++ % lines_.size()];
    const std::string whole = std::string(call) + " " + std::string(detail);
    line[std::min(whole.copy(line.data(), line.size() - 1), line.size() - 1)] = 0;
  }
  void show() const {
    std::fprintf(stderr, "abi_fuzz: seed %llu, call %zu; the last ones:\n", static_cast<unsigned long long>(seed_), count_);
    const std::size_t first = count_ > lines_.size() ? count_ - lines_.size() : 0;
    for (std::size_t i = first; i < count_; i++) std::fprintf(stderr, "  %s\n", lines_[i % lines_.size()].data());
  }

 private:
  using Line = std::array<char, 160>;
  std::array<Line, 24> lines_{};
  std::size_t count_ = 0;
  std::uint64_t seed_ = 0;
};
inline thread_local Log calls;

inline constexpr griddle_type types[] = {griddle_bit, griddle_i8,  griddle_i16, griddle_i32,  griddle_f64, griddle_c8,
                                         griddle_c16, griddle_c32, griddle_any, griddle_bool, griddle_u8,  griddle_u16,
                                         griddle_u32, griddle_i64, griddle_u64, griddle_f32};

inline griddle_text text_of(std::string_view s) { return {s.data(), s.size()}; }

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t word() { return bits_(); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  double number() {
    const double all[] = {0,
                          -0.0,
                          1,
                          -1,
                          2,
                          0.5,
                          127,
                          128,
                          -129,
                          32768,
                          1e9,
                          -1e9,
                          1e15,
                          1e300,
                          -1e-300,
                          9007199254740992.0,
                          9007199254740994.0,
                          HUGE_VAL,
                          -HUGE_VAL,
                          std::nan("")};
    return one_in(4) ? static_cast<double>(static_cast<std::int64_t>(word())) : all[below(std::size(all))];
  }

 private:
  std::mt19937_64 bits_;
};

// Where an interpreter is that others may interrupt from their threads, and that it is there.
struct Target {
  std::mutex mutex;
  griddle_interpreter* bqn = nullptr;
};

struct Interpreter {
  griddle_interpreter* bqn;
  bool held;  // whether its handle has not been given up
};

class World {
 public:
  World(std::uint64_t seed, Target& target) : random(seed), target_(target) {}
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step();

  Random random;
  std::atomic<int> borrowed{0}, dropped{0};

 private:
  friend struct Callbacks;
  using Act = void (World::*)();
  static const std::vector<Act> acts;

  // --- parts of calls
  griddle_interpreter* any_interpreter();
  griddle_value any_value();
  std::string any_program();
  std::string any_name();
  std::vector<std::size_t> any_shape();
  // Keeps a value that a call gave, or looks at why it gave none; tells whether it gave one. The call stores the failure while
  // the arguments of this are evaluated.
  bool take(griddle_value, griddle_failure* const& why);
  // NULL now and then, as callers may say that they do not want to know.
  griddle_failure** asked(griddle_failure*& why) { return random.one_in(8) ? nullptr : &why; }
  void look_at(griddle_failure*);
  std::vector<char> bytes_of(griddle_type, std::size_t count);

  // --- acts
  void make_interpreter();
  void give_up_interpreter();
  void evaluate();
  void name();
  void limit();
  void read();
  void copy_out();
  void show();
  void call();
  void make_atom();
  void make_array();
  void borrow();
  void make_namespace();
  void make_function();
  void serialise();
  void tensor();
  void column();
  void share();
  void release();
  void import();
  void fail();

  std::vector<Interpreter> interpreters_;
  std::vector<griddle_value> values_;
  std::vector<std::string> serialised_;
  int depth_ = 0;  // of callbacks
  Target& target_;
};

}  // namespace abi_fuzz
