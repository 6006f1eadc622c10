// What a fuzzer of the C interface knows while it runs: interpreters, values and failures that it holds, and what must come of
// them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/api/griddle.h"

namespace abi_fuzz {

// Numbers that follow from a seed, the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // Gives a number from 0 on, below n.
  size_t below(size_t n) { return static_cast<size_t>(next() % n); }
  bool chance(size_t percent) { return below(100) < percent; }
  template <class T, size_t n>
  const T& among(const T (&choices)[n]) {
    return choices[below(n)];
  }
  template <class T>
  const T& among(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  uint64_t state_;
};

// The last calls of a thread, for whoever wants to know how it came to crash.
class Log {
 public:
  [[gnu::format(printf, 2, 3)]] void note(const char* format, ...);
  void print() const;
  uint64_t round_seed = 0;
  static inline size_t shown = 40;  // calls that print prints

 private:
  std::array<std::array<char, 200>, 1000> lines_{};
  size_t count_ = 0;
};
inline thread_local Log log;

// Ends the process, after the last calls were printed, where something is not as the contract says.
void require(bool holds, const char* what);

// A value that is released once.
class Own {
 public:
  Own() = default;
  explicit Own(griddle_value v) : value_(v) {}
  Own(Own&& other) noexcept : value_(std::exchange(other.value_, {})) {}
  Own& operator=(Own&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Own() { griddle_release(value_); }
  griddle_value get() const { return value_; }
  griddle_value leak() { return std::exchange(value_, {}); }
  explicit operator bool() const { return value_.interpreter != nullptr; }

 private:
  griddle_value value_ = {};
};

class World;

// An interpreter, and what its console and files are made of, which stay until the last value is gone.
struct Engine {
  World* world = nullptr;
  griddle_interpreter* handle = nullptr;  // NULL when it was given up
  bool runs_programs = true;              // those that do not are to give back all memory
  size_t baseline = 0;                    // bytes in use at first
  std::string line, file;
};

// Something that is to be dropped once.
struct Token {
  const char* what;
  int drops = 0;
};

struct Settings {
  const std::vector<std::string>* seeds;  // programs to begin with
  bool timed;  // with a thread that interrupts, and deadlines: what comes of it is not the same each time
};

class World {
 public:
  World(uint64_t seed, const Settings&);
  // Releases all in some order, and looks that everything came back.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Makes one random call, or a few that belong together.
  void step();

  Random random;
  Settings settings;
  int depth = 0;  // callbacks within each other

  // Gives an interpreter whose handle is there.
  Engine& engine();
  // One that may run programs; one that runs none.
  Engine& runner();
  Engine& quiet_engine();
  Engine* engine_of(griddle_interpreter*);
  Engine* make_engine();
  void give_up(Engine&);
  // Gives one more owner of some value, or no value; one that an interpreter has, where that is wanted.
  Own any();
  Own any_of(griddle_interpreter*);
  // Takes a value, to be used and released some time.
  void keep(griddle_value);
  void keep(griddle_failure*);
  griddle_failure* any_failure();
  // Calls may run programs where no value comes from a quiet interpreter.
  bool may_run(griddle_value v);

  Token& token(const char* what) { return tokens_.emplace_back(Token{what}); }
  std::string program();
  std::string session_line();

 private:
  Engine& engine_that(bool runs_programs);
  void interrupt_now_and_then(uint64_t seed);
  std::deque<Engine> engines_;
  std::vector<griddle_value> values_;
  std::vector<griddle_failure*> failures_;
  std::deque<Token> tokens_;
  std::mutex handles_;  // while the other thread uses one
  std::atomic<bool> over_ = false;
  std::thread interrupter_;
};

// Where a call stores its failure, or not: some callers do not want to know.
class Why {
 public:
  explicit Why(World& world, bool wanted = false) : world_(world), wanted_(wanted || world.random.chance(75)) {}
  ~Why() {
    if (failure_) log.note("  failed: %.100s", griddle_failure_message(failure_).data);
    world_.keep(failure_);
  }
  Why(const Why&) = delete;
  Why& operator=(const Why&) = delete;
  griddle_failure** slot() { return wanted_ ? &failure_ : nullptr; }
  bool failed() const { return failure_ != nullptr; }
  // Looks that there is either a result or a failure.
  void judge(bool has_result, const char* what, bool may_be_empty = false) const {
    require(!failure_ || !has_result, what);
    if (wanted_ && !may_be_empty) require(failure_ || has_result, what);
  }

 private:
  World& world_;
  bool wanted_;
  griddle_failure* failure_ = nullptr;
};

inline griddle_text text_of(std::string_view s) { return {s.data(), s.size()}; }

struct Operation {
  const char* name;
  size_t weight;
  void (*run)(World&);
};
std::span<const Operation> value_operations();
std::span<const Operation> call_operations();
std::span<const Operation> exchange_operations();
std::span<const Operation> table_operations();
std::span<const Operation> session_operations();

// Elements of random types, as memory of just the right size, so that a sanitizer sees who reads too far.
struct Elements {
  griddle_type type = griddle_f64;
  std::vector<size_t> shape;
  size_t count = 1;
  char* data = nullptr;   // in memory of `bytes` after `shift` bytes
  char* start = nullptr;  // that memory
  size_t bytes = 0;
  bool is_valid = true;  // all are such as BQN has
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements();
  void make(Random&, griddle_type, std::vector<size_t> shape, size_t shift = 0);
};
std::vector<size_t> random_shape(Random&, size_t most = 5000);
size_t bytes_of(griddle_type, size_t count);
double number_at(griddle_type, const void* elements, size_t index);
// Tells whether a value holds nothing but numbers and characters, and no NaN, which matches nothing.
bool is_data(griddle_value, int depth = 0);
// Calls whatever only reads a value.
void read_all(World&, griddle_value);

griddle_value make_host_function(World&, griddle_interpreter*, griddle_failure**);
griddle_value make_host_modifier(World&, griddle_interpreter*, int operands, griddle_failure**);
// Programs of random tokens, or made of others.
std::string random_program(Random&, const std::vector<std::string>& seeds);
std::string random_session_line(Random&, const std::vector<std::string>& seeds);
const std::vector<std::string>& known_lines();

}  // namespace abi_fuzz
