// Times what a host pays for going into Griddle and out again:  host_calls [ELEMENTS]
//
// Each line is the least of several rounds. ELEMENTS, 1e8 if left out, is how many doubles go in and out.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/api/griddle.hpp"

namespace {

using griddle::Any;

// Gives the nanoseconds of a call.
template <class F>
double least(int calls, F f) {
  constexpr int rounds = 9;
  double best = 1e300;
  for (int round = 0; round < rounds; round++) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / calls);
  }
  return best;
}

Any value_of(griddle::Result result) {
  if (result) return std::move(result).value();
  std::fputs(result.failure().report.c_str(), stderr);
  std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  griddle::Interpreter bqn;
  constexpr int many = 200000, some = 300;
  const Any mean = value_of(bqn.eval("+´÷≠")), next = value_of(bqn.eval("{𝕩+1}"));
  const double three[] = {1, 2, 3};
  std::printf("held function, three numbers  %8.0f ns\n", least(many, [&] { mean(bqn.list(std::span<const double>(three))); }));
  std::printf("held function, one number     %8.0f ns\n", least(many, [&] { next(1.0); }));
  constexpr int calls = 1000;
  const Any host = bqn.function("Next", [](double x) { return x + 1; });
  const Any calling = value_of(bqn.eval("{f←𝕩⋄{𝕊:F 1}¨↕1000}")), idle = value_of(bqn.eval("{f←𝕩⋄{𝕊:1}¨↕1000}"));
  const double with = least(some, [&] { calling(host); }), without = least(some, [&] { idle(host); });
  std::printf("script to host                %8.0f ns\n", (with - without) / calls);
  std::printf("1+2 from text                 %8.0f ns\n", least(20000, [&] { bqn.eval("1+2"); }));
  std::printf("new interpreter               %8.0f ns\n", least(some, [] { griddle::Interpreter fresh; }));

  const auto n = static_cast<std::size_t>(count > 1 ? std::atof(arguments[1]) : 1e8);
  const std::vector<double> data(n, 1.5);
  std::vector<double> out(n);
  const auto borrowed = [&] { return bqn.borrow(std::span<const double>(data), {&n, 1}, [] {}); };
  const double in_place = least(20, [&] {
    const Any list = borrowed();
    if (list.view<double>().data() != data.data()) std::abort();
  });
  std::printf("%.0e doubles in and out in place  %6.0f ns\n", static_cast<double>(n), in_place);
  const Any list = borrowed();
  const double copied = least(1, [&] { list.copy_to(std::span<double>(out)); });
  std::printf("copied out                    %8.2f ns an element\n", copied / static_cast<double>(n));
}
