// Calls every function of griddle.h as a host might, at random, and looks that what must hold does.
//
//   abi_fuzz [--seed N] [--rounds N | --seconds S] [--threads N] [--timed PERCENT] [--calls N] [FILE …]
//
// A round has interpreters of its own and some hundred calls; the seed names its calls, and the next round has the next seed.
// --threads has so many threads, each with rounds of its own. Of the rounds, so many in 100 (25) have a thread that interrupts,
// and short limits of time: what comes of those is not the same each time. Files are programs to begin with.
// Says which calls came last (40) where one crashes, where something is not as it should be, and where a round takes a minute.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/fuzz/abi_world.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GRIDDLE_IS_SANITIZED 1
#else
#define GRIDDLE_IS_SANITIZED 0
#endif

// A finding of any sanitizer ends the process, by the signal of abort(). They look for these functions.
#define FOUND_BY_SANITIZERS extern "C" __attribute__((visibility("default"), used)) const char*
FOUND_BY_SANITIZERS __ubsan_default_options() { return "halt_on_error=1:abort_on_error=1:print_stacktrace=1"; }
FOUND_BY_SANITIZERS __asan_default_options() { return "abort_on_error=1:handle_abort=0"; }
FOUND_BY_SANITIZERS __tsan_default_options() { return "halt_on_error=1:abort_on_error=1:handle_abort=0"; }

namespace {

using namespace abi_fuzz;
using Clock = std::chrono::steady_clock;

constexpr double patience = 60;  // seconds for a round

struct Arguments {
  uint64_t seed = 1;
  size_t rounds = 100;
  double seconds = 0;  // where it is not 0, it decides
  size_t threads = 1;
  size_t timed = 25;
  std::vector<std::string> programs;
};

// What a thread is doing, for the one that watches.
struct Doing {
  std::atomic<uint64_t> seed = 0;
  std::atomic<int64_t> began = 0;  // milliseconds; 0: nothing
  std::atomic<const Log*> log = nullptr;
};
std::vector<Doing>* all_doing = nullptr;

int64_t now() { return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count(); }

// Prints the log of the thread that has one and got the signal, or all.
void print_and_die(int signal) {
  if (log.round_seed != 0)
    log.print();
  else
    for (const Doing& doing : *all_doing)
      if (const Log* its = doing.log) its->print();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void print_at_signals() {
  // A stack that has run over has no room for a handler.
  static char room[1 << 16];
  const stack_t other = {room, 0, sizeof room};
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = print_and_die;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGABRT, &action, nullptr);
  // Sanitizers have handlers of their own for these, and abort.
  if (!GRIDDLE_IS_SANITIZED)
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(signal, &action, nullptr);
}

void run_rounds(const Arguments& given, size_t thread, Doing& doing, std::atomic<size_t>& done, Clock::time_point end) {
  for (size_t round = thread; given.seconds > 0 ? Clock::now() < end : round < given.rounds; round += given.threads) {
    const uint64_t seed = given.seed + round;
    Random chosen(~seed);
    doing.seed = seed;
    doing.log = &log;
    doing.began = now();
    {
      World world(seed, Settings{&given.programs, chosen.chance(given.timed)});
      for (size_t steps = 20 + chosen.below(150); steps > 0; steps--) world.step();
    }
    doing.began = 0;
    done++;
  }
  doing.log = nullptr;
}

// Ends the process where a round does not end.
void watch(std::vector<Doing>& all, const std::atomic<bool>& over) {
  while (!over) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (const Doing& doing : all) {
      const int64_t began = doing.began;
      if (began == 0 || static_cast<double>(now() - began) < patience * 1000) continue;
      std::fprintf(stderr, "abi_fuzz: the round with --seed %llu --rounds 1 does not end\n",
                   static_cast<unsigned long long>(doing.seed));
      std::abort();
    }
  }
}

// Reads the programs of files, but those that reach for what lies outside.
void read_programs(int count, char** paths, std::vector<std::string>& programs) {
  for (int i = 0; i < count; i++) {
    std::ifstream file(paths[i], std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    bool is_harmless = text.size() < 2000;
    for (const char* reaching : {"•SH", "•sh", "•FFI", "•ffi", "•Delay", "•delay", "_maxTime_", "•file", "•File"})
      is_harmless &= text.find(reaching) == std::string::npos;
    if (is_harmless) programs.push_back(std::move(text));
  }
}

bool read_arguments(int count, char** words, Arguments& to) {
  int i = 1;
  for (; i < count && words[i][0] == '-'; i += 2) {
    const std::string name = words[i];
    if (i + 1 == count) return false;
    const char* value = words[i + 1];
    if (name == "--seed")
      to.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--rounds")
      to.rounds = std::strtoull(value, nullptr, 10);
    else if (name == "--seconds")
      to.seconds = std::strtod(value, nullptr);
    else if (name == "--threads")
      to.threads = std::max<size_t>(1, std::strtoull(value, nullptr, 10));
    else if (name == "--timed")
      to.timed = std::strtoull(value, nullptr, 10);
    else if (name == "--calls")
      Log::shown = std::strtoull(value, nullptr, 10);
    else
      return false;
  }
  read_programs(count - i, words + i, to.programs);
  if (to.programs.empty()) to.programs = known_lines();
  return true;
}

}  // namespace

int main(int count, char** words) {
  Arguments given;
  if (!read_arguments(count, words, given)) {
    std::fprintf(stderr,
                 "abi_fuzz: [--seed N] [--rounds N | --seconds S] [--threads N] [--timed PERCENT] [--calls N] [FILE …]\n");
    return 2;
  }
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(given.seconds));
  std::vector<Doing> doing(given.threads);
  all_doing = &doing;
  print_at_signals();
  std::atomic<size_t> done = 0;
  std::atomic<bool> over = false;
  std::thread watcher([&] { watch(doing, over); });
  std::vector<std::thread> threads;
  for (size_t i = 1; i < given.threads; i++) threads.emplace_back([&, i] { run_rounds(given, i, doing[i], done, end); });
  run_rounds(given, 0, doing[0], done, end);
  for (std::thread& thread : threads) thread.join();
  over = true;
  watcher.join();
  std::printf("%zu rounds from seed %llu on\n", done.load(), static_cast<unsigned long long>(given.seed));
}
