// Counts the instructions of short calls, one by one: short.py runs it under callgrind and describes the counts.
//
//   short_calls [--general] FILE
//
// Each line of FILE is a case: its name, definitions, an expression, and how x is stored ("i8"), separated by tabs. Each case
// gets an interpreter of its own, and a block that has the expression many times, so that each instruction meets the same values
// whenever it runs. Callgrind writes a dump named by the number of the line for some calls of that block; and one named "empty"
// for as many calls of a block without the expression. Outside valgrind nothing is counted, but all cases run. Ends with 1 where
// any failed.
#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <valgrind/callgrind.h>

#include "runtime/api/griddle.hpp"

namespace {

constexpr int copies = 16;  // of the expression in the block
constexpr int warm_calls = 3;
constexpr int calls = 4;  // that are counted

constexpr std::array<std::string_view, 9> element_names = {"bit", "i8", "i16", "i32", "f64", "c8", "c16", "c32", "any"};

// Makes a function that evaluates the expression as often as told.
std::string block(const std::string& expression, int times) {
  std::string text = "{𝕊:";
  for (int i = 0; i < times; i++) text.append(expression).append("⋄");
  return text + "0}";
}

// Counts some calls into a dump of that name. Gives why a call failed; nothing where all is well.
std::string count_calls(const griddle::Any& function, const griddle::Any& argument, const std::string& name) {
  for (int i = 0; i < warm_calls; i++)
    if (griddle::Result result = function(argument); !result) return result.failure().message;
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
  for (int i = 0; i < calls; i++) function(argument);
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  return "";
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(at, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

// Runs a case and gives why it failed; nothing where all is well.
std::string run_case(const griddle::Options& options, const std::vector<std::string>& fields, const std::string& number) {
  griddle::Interpreter bqn(options);
  std::string made(fields[1]);
  made.append("\n⟨").append(block(fields[2], copies));
  const griddle::Result result = bqn.eval(made.append(",x⟩"));
  if (!result) return result.failure().message;
  const std::string_view stored = element_names[static_cast<std::size_t>((*result)[1].element())];
  if (stored != fields[3]) return std::string("x is stored as ").append(stored);
  return count_calls((*result)[0], bqn.number(0), number);
}

}  // namespace

int main(int count, char** arguments) {
  griddle::Options options;
  options.general_ways = count == 3 && std::string_view(arguments[1]) == "--general";
  std::ifstream cases(count == 2 + options.general_ways ? arguments[count - 1] : "");
  if (!cases) {
    std::fputs("usage: short_calls [--general] FILE\n", stderr);
    return 2;
  }
  {
    griddle::Interpreter bqn(options);
    count_calls(bqn.eval(block("", 0)).value(), bqn.number(0), "empty");
  }
  int failed = 0, number = 0;
  for (std::string line; std::getline(cases, line); number++) {
    const std::vector<std::string> fields = split(line, '\t');
    const std::string failure = fields.size() == 4 ? run_case(options, fields, std::to_string(number)) : "no case";
    if (failure.empty()) continue;
    std::fprintf(stderr, "%s: %s\n", fields[0].c_str(), failure.c_str());
    failed++;
  }
  return failed != 0;
}
