// Times expressions with each candidate value of a tuned constant (primitives/common/tuning.h), and says which value is best.
//
//   sweep FILE ROUNDS [NAME …]
//
// FILE is cases/sweeps.txt: see its head. Values are tried in turn, round after round, and the least time of each counts.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "primitives/common/tuning.h"
#include "runtime/api/griddle.hpp"

namespace {

using namespace griddle;
namespace p = griddle::primitives;

// A value replaces that of the table where the mean is better by more than the first, and no expression is slower by more than
// the second.
constexpr double clear_gain = 1.05, least_loss = 1.03;
constexpr double shortest_sample = 2e-4;  // seconds

struct Expression {
  std::string definitions, text;
};
struct Sweep {
  std::string constant;
  std::vector<std::size_t> values;
  std::vector<Expression> expressions;
};

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "sweep: %s\n", message.c_str());
  std::exit(2);
}

std::vector<Sweep> read_sweeps(const char* path) {
  std::ifstream file(path);
  if (!file) refuse(std::string("cannot read ") + path);
  std::vector<Sweep> sweeps;
  std::string definitions;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.empty() || line.front() == '#') continue;
    if (colon == line.npos) refuse("no line of a sweep: " + line);
    const std::string key = line.substr(0, colon), text = line.substr(colon + 2);
    if (key == "constant") {
      sweeps.push_back({text, {}, {}});
    } else if (sweeps.empty()) {
      refuse("what constant is this for? " + line);
    } else if (key == "values") {
      char* rest = nullptr;
      for (const char* at = text.c_str(); *at != '\0'; at = rest) sweeps.back().values.push_back(std::strtoull(at, &rest, 10));
    } else if (key == "let") {
      definitions = text;
    } else if (key == "time") {
      sweeps.back().expressions.push_back({definitions, text});
    } else {
      refuse("no line of a sweep: " + line);
    }
  }
  return sweeps;
}

const p::TunedConstant& constant_of(const std::string& name) {
  for (const p::TunedConstant& constant : p::tuned_constants())
    if (name == constant.name) return constant;
  refuse("no constant in the table is called " + name);
}

Any taken(const Result& result, const Expression& expression) {
  if (!result) refuse(expression.text + ": " + result.failure().message);
  return *result;
}

// Gives the least seconds of one evaluation for each value.
std::vector<double> time_expression(const Expression& expression, const Sweep& sweep, int rounds) {
  constexpr int copies = 8;
  Interpreter bqn;
  std::string block = "{𝕊:";
  for (int i = 0; i < copies; i++) block += expression.text + "⋄";
  const Any argument = bqn.number(0), match = taken(bqn.eval("≡"), expression);
  // In lines of a session names may get other values, so that nothing is computed before the clock runs.
  taken(bqn.eval_in_session(expression.definitions), expression);
  // Call sites remember what served them: each value has its own.
  std::vector<Any> functions;
  Any expected;
  for (const std::size_t value : sweep.values) {
    p::set_tuning(sweep.constant, value);
    const Any both = taken(bqn.eval_in_session("⟨" + block + "0},{𝕊:" + expression.text + "}⟩"), expression);
    functions.push_back(both[0]);
    const Any result = taken(both[1](argument), expression);
    if (!expected.has_value()) expected = result;
    if (taken(match(expected, result), expression).number() != 1)
      refuse(expression.text + " gives something else where " + sweep.constant + " is " + std::to_string(value));
  }
  const auto seconds_of = [&](const Any& function, std::size_t calls) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; i++) function(argument);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::size_t calls = 1;
  while (seconds_of(functions.back(), calls) < shortest_sample) calls *= 2;
  std::vector<double> least(sweep.values.size(), 1e9);
  for (int round = 0; round < rounds; round++) {
    for (std::size_t k = 0; k < sweep.values.size(); k++) {
      p::set_tuning(sweep.constant, sweep.values[k]);
      functions[k](argument);
      least[k] = std::min(least[k], seconds_of(functions[k], calls) / static_cast<double>(calls * copies));
    }
  }
  return least;
}

// Prints the table of a constant. `times` are by expression and then by value.
void report(const Sweep& sweep, std::size_t present, const std::vector<std::vector<double>>& times) {
  const auto now = static_cast<std::size_t>(std::find(sweep.values.begin(), sweep.values.end(), present) - sweep.values.begin());
  std::printf("\n%s\n     value", sweep.constant.c_str());
  for (std::size_t e = 0; e < times.size(); e++) std::printf("      %c", static_cast<char>('a' + e));
  std::printf("    mean\n");
  std::size_t winner = now;
  double best_gain = clear_gain;
  for (std::size_t k = 0; k < sweep.values.size(); k++) {
    double product = 1, worst = 0, gain = 1;
    std::printf("%10zu", sweep.values[k]);
    for (const std::vector<double>& row : times) {
      const double relative = row[k] / *std::min_element(row.begin(), row.end());
      std::printf("  %5.2f", relative);
      product *= relative;
      worst = std::max(worst, row[k] / row[now]);
      gain *= row[now] / row[k];
    }
    const double root = 1 / static_cast<double>(times.size());
    std::printf("  %6.3f%s\n", std::pow(product, root), k == now ? "  in the table" : "");
    if (worst <= least_loss && std::pow(gain, root) > best_gain) winner = k, best_gain = std::pow(gain, root);
  }
  for (std::size_t e = 0; e < times.size(); e++)
    std::printf("  %c  %9.0f ns  %s  %s\n", static_cast<char>('a' + e), 1e9 * *std::min_element(times[e].begin(), times[e].end()),
                sweep.expressions[e].definitions.c_str(), sweep.expressions[e].text.c_str());
  if (winner == now)
    std::printf("  %zu stays\n", present);
  else
    std::printf("  %zu wins: %.1f %% better than %zu\n", sweep.values[winner], 100 * (best_gain - 1), present);
  std::fflush(stdout);
}

void run(Sweep sweep, p::ChipFamily family, int rounds) {
  const std::size_t present = constant_of(sweep.constant).values[static_cast<std::size_t>(family)];
  if (std::find(sweep.values.begin(), sweep.values.end(), present) == sweep.values.end()) {
    sweep.values.push_back(present);
    std::sort(sweep.values.begin(), sweep.values.end());
  }
  std::vector<std::vector<double>> times;
  for (const Expression& expression : sweep.expressions) {
    p::set_tuning(sweep.constant, present);
    times.push_back(time_expression(expression, sweep, rounds));
  }
  p::set_tuning(sweep.constant, present);
  report(sweep, present, times);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) refuse("usage: sweep FILE ROUNDS [NAME …]");
  const std::vector<std::string_view> names(arguments + 3, arguments + count);
  const int rounds = std::atoi(arguments[2]);
  if (const char* target = std::getenv("GRIDDLE_TARGET"); target != nullptr && griddle_limit_instruction_set(target) == 0)
    refuse("GRIDDLE_TARGET names no instruction set that can be used");
  const Interpreter first;  // chooses the tuning for this chip
  const p::ChipFamily family = p::chip_family(build_info().instruction_set);
  std::printf("%s, column %s, the least of %d rounds\n", build_info().instruction_set.c_str(),
              p::chip_families[static_cast<std::size_t>(family)], rounds);
  std::vector<Sweep> sweeps = read_sweeps(arguments[1]);
  for (const std::string_view name : names)
    if (std::none_of(sweeps.begin(), sweeps.end(), [&](const Sweep& sweep) { return sweep.constant == name; }))
      refuse("no sweep of " + std::string(name));
  for (Sweep& sweep : sweeps)
    if (names.empty() || std::find(names.begin(), names.end(), sweep.constant) != names.end())
      run(std::move(sweep), family, rounds);
  return 0;
}
