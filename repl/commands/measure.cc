#include "repl/commands/measure.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "repl/commands/device_rows.h"
#include "repl/commands/keeping.h"
#include "repl/commands/sampling.h"
#include "repl/commands/showing.h"

namespace griddle::repl {

namespace {

template <class F>
double seconds_of(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Tells whether a text may do something that a second run would do again: change a variable, or reach outside.
bool may_act(std::string_view code) { return code.find("↩") != code.npos || code.find("•") != code.npos; }

void show_times(StandardConsole& console, std::vector<double>& times) {
  if (times.size() == 1) return console.write("time     " + shown_time(times[0]) + ", 1 run\n");
  std::sort(times.begin(), times.end());
  console.write("median   " + shown_time(times[times.size() / 2]) + "   least " + shown_time(times.front()) + "   most " +
                shown_time(times.back()) + "   " + std::to_string(times.size()) + " runs\n");
}

}  // namespace

CommandResult time_code(CommandCall& call) {
  constexpr double long_enough = 0.5;
  constexpr std::size_t most_runs = 1000;
  std::size_t count = 0;
  const char* end = call.option.data() + call.option.size();
  if (!call.option.empty() && (std::from_chars(call.option.data(), end, count).ptr != end || count == 0)) {
    call.fail("The number of times must be at least 1: )time:100 EXPRESSION\n");
    return CommandResult::done;
  }
  Interpreter& bqn = call.interpreter();
  const std::size_t before = bqn.memory().in_use;
  bqn.forget_peak();
  Result result = Any();
  Entered entered;
  std::vector<double> times = {seconds_of([&] { result = bqn.enter(call.argument, entered); })};
  note_definitions(call.session, entered);
  if (!result) return call.result(result);
  if (result->has_value()) {
    call.session.shown = *result;
    if (!call.session.last_is_taken) bqn.define(name_of_last, *result);
  }
  const griddle_memory memory = bqn.memory();
  if (count == 0 && may_act(call.argument)) count = 1;
  if (count != 1 && (count != 0 || times[0] < long_enough)) {
    // Compiles once, as a function that the session's names reach; its own stay in it.
    const Result function = bqn.eval_in_session("{𝕊:\n" + std::string(call.argument) + "\n}");
    if (!function) return call.result(function);
    const Any nul = bqn.character(0);
    // The first run compiled, and met memory that nobody had touched.
    times.clear();
    double total = 0;
    while (count != 0 ? times.size() < count : total < long_enough && times.size() < most_runs) {
      Result again = Any();
      times.push_back(seconds_of([&] { again = (*function)(nul); }));
      total += times.back();
      if (!again) return call.result(again);
    }
  }
  if (result->has_value()) call.console().write("value    " + row_of(*result, call.console().columns() - 9) + "\n");
  call.console().write("memory   " + shown_bytes(memory.peak - std::min(memory.peak, before)) + " more at most, " +
                       shown_bytes(memory.in_use - std::min(memory.in_use, before)) + " afterwards\n");
  show_times(call.console(), times);
  return CommandResult::done;
}

CommandResult profile_code(CommandCall& call) {
  const std::string what(call.argument);
  Result result = Any();
  Sampling sampling(call.interpreter());
  if (access(what.c_str(), R_OK) == 0) {
    result = load(call.session, what, {});
  } else {
    Entered entered;
    result = call.interpreter().enter(what, entered);
    note_definitions(call.session, entered);
  }
  call.console().write(sampling.report());
  return call.result(result);
}

namespace {

std::string memory_line(std::size_t bytes, std::string_view of) {
  std::string line = shown_bytes(bytes);
  line.insert(0, 12 - std::min<std::size_t>(line.size(), 12), ' ');
  return line.append("  ").append(of) += '\n';
}

// Lists what memory holds, the largest first, without what there is none of.
std::string lines_of_kinds(const griddle_memory_kinds& k) {
  std::vector<std::pair<std::size_t, std::string_view>> kinds = {{k.bits, "numbers of 1 bit"},
                                                                 {k.i8, "numbers of 8 bits"},
                                                                 {k.i16, "numbers of 16 bits"},
                                                                 {k.i32, "numbers of 32 bits"},
                                                                 {k.f64, "numbers of 64 bits"},
                                                                 {k.characters, "characters"},
                                                                 {k.boxes, "boxes"},
                                                                 {k.functions, "functions and their code"},
                                                                 {k.namespaces, "namespaces and variables"},
                                                                 {k.rest, "what runs, and freed pieces that wait for others"}};
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [bytes, name] : kinds)
    if (bytes > 0) text += memory_line(bytes, name);
  return k.on_device > 0 ? text + memory_line(k.on_device, "on the device, besides") : text;
}

}  // namespace

CommandResult show_memory(CommandCall& call) {
  const griddle_memory m = call.interpreter().memory();
  std::string text = shown_bytes(m.in_use) + " in use, " + shown_bytes(m.peak) + " at most so far, " + shown_bytes(m.kept) +
                     " free and kept for reuse, " + (m.limit > 0 ? "limit " + shown_bytes(m.limit) : "no limit") + "\n" +
                     lines_of_kinds(call.interpreter().memory_kinds());
  std::vector<std::pair<std::size_t, std::string>> names;
  std::size_t all = 0;
  for (const std::string& name : call.interpreter().session_names()) {
    const std::size_t bytes = call.interpreter().session_value(name).bytes();
    all += bytes;
    if (bytes > 0) names.emplace_back(bytes, name);
  }
  constexpr std::size_t most_names = 10;
  std::sort(names.rbegin(), names.rend());
  text += shown_bytes(all) + " in arrays that names hold\n";
  for (std::size_t i = 0; i < names.size() && i < most_names; i++) text += memory_line(names[i].first, names[i].second);
  if (names.size() > most_names) text += "    and " + std::to_string(names.size() - most_names) + " smaller ones\n";
  call.console().write(text);
  return CommandResult::done;
}

CommandResult show_device(CommandCall& call) {
  const Result info = call.interpreter().eval("•gpu.Info@");
  if (!info) return call.result(info);
  if (info->field("present").number() != 1) {
    call.console().write("There is no device\n");
    return CommandResult::done;
  }
  const auto number = [&](const char* name) { return info->field(name).number(); };
  const auto bytes = [&](const char* name) { return shown_bytes(static_cast<std::size_t>(number(name))); };
  std::string text = info->field("name").text().value_or("device") + ", " + bytes("memory") + "\n";
  text += std::to_string(static_cast<std::size_t>(number("kernels"))) + " kernels, " +
          std::to_string(static_cast<std::size_t>(number("waits"))) + " waits, " + bytes("uploaded") + " up, " +
          bytes("downloaded") + " down\n";
  bool any = false;
  for (const std::string& name : call.interpreter().session_names()) {
    const Any value = call.interpreter().session_value(name);
    if (!value.is_on_device()) continue;
    text += (any ? "          " : "resident  ") + name + ", " + description_of(value) + ", " + shown_bytes(value.bytes()) + "\n";
    any = true;
  }
  call.console().write(text + (any ? "" : "No name has its elements there\n") + device_rows(call.interpreter()));
  return CommandResult::done;
}

}  // namespace griddle::repl
