// Times how long an evaluation goes on after it is asked to end:
//   interrupt_waits CASES [ELEMENTS]
//
// CASES is a file such as cases/long.txt: an expression, a tab, and definitions, which have n, the number of elements, 6e7 if
// left out. Each expression is run once as a whole; then it is interrupted at eight moments spread over that time. Prints what it
// takes as a whole, and the longest and the mean wait, in milliseconds, the longest waits first.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/api/griddle.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr int moments = 8;

struct Waits {
  std::string expression, failure;
  double whole = 0, longest = 0, total = 0;
  int interrupted = 0;
};

Waits measure(const std::string& expression, const std::string& definitions, double elements) {
  Waits waits;
  waits.expression = expression;
  griddle::Options options;
  options.memory_limit = std::size_t{12} << 30;
  griddle::Interpreter bqn(options);
  const griddle::Result made =
      bqn.eval("n←" + std::to_string(static_cast<long long>(elements)) + "\n" + definitions + "\n{𝕊: " + expression + "}");
  if (!made) {
    waits.failure = made.failure().message;
    return waits;
  }
  Clock::time_point start;
  // The first run fetches memory from the system, which the others find at hand.
  for (int run = 0; run < 2; run++) {
    start = Clock::now();
    const griddle::Result whole = (*made)(bqn.number(0));
    waits.whole = Milliseconds(Clock::now() - start).count();
    if (!whole) {
      waits.failure = whole.failure().message;
      return waits;
    }
  }
  for (int k = 0; k < moments; k++) {
    Clock::time_point asked, ended;
    start = Clock::now();
    std::thread asker([&] {
      std::this_thread::sleep_until(start +
                                    std::chrono::duration_cast<Clock::duration>(Milliseconds(waits.whole * (k + 0.5) / moments)));
      asked = Clock::now();
      bqn.interrupt();
    });
    const griddle::Result result = (*made)(bqn.number(0));
    ended = Clock::now();
    asker.join();
    bqn.clear_interrupt();
    if (ended < asked) continue;
    const double wait = Milliseconds(ended - asked).count();
    waits.interrupted += !result;
    waits.longest = std::max(waits.longest, wait);
    waits.total += wait;
  }
  return waits;
}

}  // namespace

int main(int count, char** arguments) {
  std::ifstream cases(count >= 2 ? arguments[1] : "");
  if (!cases) {
    std::fputs("usage: interrupt_waits CASES [ELEMENTS]\n", stderr);
    return 2;
  }
  const double elements = count > 2 ? std::strtod(arguments[2], nullptr) : 6e7;
  std::vector<Waits> all;
  for (std::string line; std::getline(cases, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    all.push_back(measure(line.substr(0, tab), line.substr(tab + 1), elements));
    std::fprintf(stderr, "%s %.0f\n", all.back().expression.c_str(), all.back().longest);
  }
  std::stable_sort(all.begin(), all.end(), [](const Waits& a, const Waits& b) { return a.longest > b.longest; });
  for (const Waits& w : all) {
    if (!w.failure.empty())
      std::printf("%s: %s\n", w.expression.c_str(), w.failure.c_str());
    else
      std::printf("%7.0f %6.0f %6.0f %d  %s\n", w.whole, w.longest, w.total / moments, w.interrupted, w.expression.c_str());
  }
}
