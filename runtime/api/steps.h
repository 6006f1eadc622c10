// What the steps of a program give, in short: for explanations and traces.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "runtime/vm/stepping.h"
#include "runtime/vm/vm.h"

namespace griddle {

// Gives a value on one row; of what takes more, what it is. Throws where there is no memory.
std::string short_text(Context&, const Value&);

// What has seen steps, and had memory to note them, or not.
class Notes : public StepObserver {
 public:
  // Throws OutOfMemory where some step could not be noted.
  void require_all() const {
    if (is_incomplete_) throw OutOfMemory(0);
  }

 protected:
  bool is_incomplete_ = false;
};

// Remembers, for each place of one source, what it gave last and how often.
class GivenValues final : public Notes {
 public:
  GivenValues(Context& cx, const SourceText* source) : cx_(cx), source_(source) {}
  void gave(std::size_t depth, const Code&, const Position&, const Value&) noexcept override;
  void entered(std::size_t, const Code&, const Value&, const Value&) noexcept override {}
  void left(std::size_t, const Code&, const Value&) noexcept override {}
  // Gives what to write behind a line about a place; nothing where none is known.
  std::string at(Span) const;

 private:
  struct Given {
    std::size_t count = 0;
    std::string text;
  };
  Context& cx_;
  const SourceText* source_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Given> given_;
};

// Writes a line for each step, further in the deeper it is.
class Trace final : public Notes {
 public:
  Trace(Context& cx, std::string& out) : cx_(cx), out_(out) {}
  void gave(std::size_t depth, const Code&, const Position&, const Value&) noexcept override;
  void entered(std::size_t depth, const Code&, const Value& w, const Value& x) noexcept override;
  void left(std::size_t depth, const Code&, const Value&) noexcept override;
  // Says how many lines there would have been more.
  void end();

 private:
  static constexpr std::size_t most_lines = 1000, deepest_shown = 30;
  void line(std::size_t depth, const std::string& text);
  Context& cx_;
  std::string& out_;
  std::size_t lines_ = 0;
  std::size_t left_ = 0;         // depth of a block that has just ended
  std::size_t first_depth_ = 0;  // of the program itself
};

// Has an observer see the steps while it lives; then the one that did before: a function of the host that an observed program
// calls may run another one.
class ObservedSteps {
 public:
  ObservedSteps(Vm& vm, StepObserver& observer) : vm_(vm), before_(vm.observe_steps(&observer)) {}
  ~ObservedSteps() { vm_.observe_steps(before_); }
  ObservedSteps(const ObservedSteps&) = delete;
  ObservedSteps& operator=(const ObservedSteps&) = delete;

 private:
  Vm& vm_;
  StepObserver* before_;
};

}  // namespace griddle
