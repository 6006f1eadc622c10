// A bar that shows how far a loop is: •_progress
#include "runtime/system/time/progress.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/seconds.h"
#include "runtime/system/system.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/utf8.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

std::string clock_text(double seconds) {
  constexpr double most = 360'000;
  const auto whole = static_cast<long>(std::min(seconds, most));
  const auto two = [](long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string rest = two(whole / 60 % 60) + ":" + two(whole % 60);
  return whole >= 3600 ? std::to_string(whole / 3600) + ":" + rest : rest;
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues_utf8(c); }));
}

}  // namespace

std::string progress_line(std::string_view label, std::size_t done, std::size_t total, double seconds, std::size_t columns) {
  constexpr std::size_t longest_bar = 40, least_bar = 4;
  constexpr std::string_view full = "█", empty = "░";
  const double part = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  std::string end = std::to_string(static_cast<int>(part * 100)) + "% " + std::to_string(done) + "/" + std::to_string(total);
  if (done > 0) end += ", " + clock_text(seconds / part - seconds) + " left";
  std::string start(label);
  if (!start.empty()) start += ' ';
  std::size_t taken = characters_of(start) + 1 + end.size();
  if (taken + least_bar > columns) {
    start.clear();
    taken = 1 + end.size();
  }
  if (taken + least_bar > columns) return end.substr(0, columns);
  const std::size_t length = std::min(longest_bar, columns - taken);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(length));
  for (std::size_t i = 0; i < length; i++) start += i < filled ? full : empty;
  return start + " " + end;
}

namespace system_functions {

namespace {

// Draws the line from time to time where errors go to a terminal, and takes it away at last.
class Progress {
 public:
  Progress(Context& cx, std::string label, std::size_t total)
      : cx_(cx), label_(std::move(label)), total_(total), begin_(now()), next_(begin_ + first_wait) {
    is_shown_ = cx_.system->streams.error_columns() > 0;
  }
  ~Progress() {
    if (!is_drawn_) return;
    try {
      cx_.system->streams.write_error("\r\x1b[K");
    } catch (...) {
      // Where nothing more may be written, the line stays.
    }
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(std::size_t done) {
    if (!is_shown_) return;
    const double time = now();
    if (time < next_) return;
    next_ = time + wait;
    const std::size_t columns = cx_.system->streams.error_columns();
    if (columns == 0) return;
    is_drawn_ = true;
    // The cursor stays at the start, so that what the program writes takes the place of the line.
    cx_.system->streams.write_error("\r" + progress_line(label_, done, total_, time - begin_, columns - 1) + "\x1b[K\r");
  }

 private:
  // What takes less than this shows nothing.
  static constexpr double first_wait = 0.3, wait = 0.1;
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return seconds_of(time);
  }

  Context& cx_;
  const std::string label_;
  const std::size_t total_;
  const double begin_;
  double next_;
  bool is_shown_, is_drawn_ = false;
};

Value call_each(Context& cx, const Function& self, const std::string& label, const Value& x) {
  const Value& f = static_cast<const Derived&>(self).f;
  const std::size_t total = x.is_array() ? x.array().length : natural_argument(cx, self, x);
  ArrayBuilder results(cx.heap, total);
  Caller caller(cx, f);
  Progress progress(cx, label, total);
  for (std::size_t i = 0; i < total; i++) {
    cx.step();
    results.push(caller(x.is_array() ? element(x.array(), i) : Value(i)));
    progress.step(i + 1);
  }
  return x.is_array() ? results.finish(x.array().shape()) : results.finish();
}

}  // namespace

Value progress_monad(Context& cx, const Function& self, Value x) { return call_each(cx, self, "", x); }
Value progress_dyad(Context& cx, const Function& self, Value w, Value x) {
  return call_each(cx, self, string_argument(cx, self, w, "𝕨"), x);
}

}  // namespace system_functions

}  // namespace griddle
