// Makes random calls of the C interface, all of them legal:  abi_fuzz [--seed N] [--rounds N] [--seconds S] [--threads N]
// [--meddle]
//
// A round is a world of its own, which its seed decides. --meddle lets another thread interrupt what runs, so that seeds decide
// less. Where something breaks, the last calls of the thread are shown, with the seed of the round:  abi_fuzz --seed N --rounds 1
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>

#include "tests/fuzz/abi_world.h"

using namespace abi_fuzz;

// Sanitizers tell before they end the process.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

constexpr int calls_in_round = 400;

struct Settings {
  std::uint64_t seed = 1, rounds = 0;
  double seconds = 0;
  int threads = 1;
  bool meddles = false;
};

void show_last_calls() { calls.show(); }

void die(int signal) {
  calls.show();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void play(std::uint64_t seed, Target& target) {
  calls.begin(seed);
  World world(seed, target);
  for (int i = 0; i < calls_in_round; i++) world.step();
}

// Interrupts what runs, from a thread of its own.
class Meddler {
 public:
  explicit Meddler(Target& target)
      : thread_([&target](const std::stop_token& stop) {
          Random random(9);
          while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
            const std::lock_guard lock(target.mutex);
            if (target.bqn == nullptr) continue;
            switch (random.below(8)) {
              case 0: griddle_stop(target.bqn); break;
              case 1: griddle_should_stop(target.bqn); break;
              default: griddle_interrupt(target.bqn);
            }
          }
        }) {}

 private:
  std::jthread thread_;
};

std::uint64_t work(const Settings& settings, int thread) {
  Target target;
  const std::unique_ptr<Meddler> meddler = settings.meddles ? std::make_unique<Meddler>(target) : nullptr;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(settings.seconds);
  std::uint64_t round = 0;
  for (; settings.rounds != 0 ? round < settings.rounds : std::chrono::steady_clock::now() < end; round++)
    play(settings.seed + round * static_cast<std::uint64_t>(settings.threads) + static_cast<std::uint64_t>(thread), target);
  return round;
}

}  // namespace

int main(int count, char** words) {
  Settings settings;
  for (int i = 1; i < count; i++) {
    const std::string_view word = words[i];
    if (word == "--meddle") {
      settings.meddles = true;
      continue;
    }
    if (++i == count) return 2;
    if (word == "--seed") settings.seed = std::strtoull(words[i], nullptr, 10);
    if (word == "--rounds") settings.rounds = std::strtoull(words[i], nullptr, 10);
    if (word == "--seconds") settings.seconds = std::strtod(words[i], nullptr);
    if (word == "--threads") settings.threads = std::atoi(words[i]);
  }
  if (settings.rounds == 0 && settings.seconds == 0) settings.rounds = 100;
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(show_last_calls);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    if (__sanitizer_set_death_callback == nullptr || signal == SIGABRT) std::signal(signal, die);
  std::atomic<std::uint64_t> rounds{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < settings.threads; i++) threads.emplace_back([&, i] { rounds += work(settings, i); });
    rounds += work(settings, 0);
  }
  std::printf("%llu rounds of %d calls\n", static_cast<unsigned long long>(rounds), calls_in_round);
  return 0;
}
