// Errors of the BQN program. Bugs of the library are assertions, never these.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle {

struct Location;  // source/location.h

// Carries the message, any BQN value, and the call stack at the point of failure, innermost first.
class Error : public std::exception {
 public:
  explicit Error(Value message);
  Error(const Error&);
  Error(Error&&) noexcept;
  ~Error() override;
  const char* what() const noexcept override { return "BQN error"; }
  Value message;
  std::vector<Location> frames;
  bool catchable = true;  // an interrupt and •Exit pass through ⎊
};

// Makes a message Context::current_error while the handler of ⎊ runs.
class CaughtError {
 public:
  CaughtError(Context& cx, Value message) : cx_(cx), outer_(std::exchange(cx.current_error, std::move(message))) {}
  ~CaughtError() { cx_.current_error = std::move(outer_); }
  CaughtError(const CaughtError&) = delete;
  CaughtError& operator=(const CaughtError&) = delete;

 private:
  Context& cx_;
  Value outer_;
};

// Throws an Error with this text (UTF-8). One wording style: "Name: What was expected (offending values)".
[[noreturn]] void fail(Context&, std::string message);
[[noreturn]] void fail_with(Context&, Value message);

// Spells a shape as BQN: ⟨⟩, ⟨3⟩, 2‿3.
std::string shape_text(std::span<const std::size_t>);
inline std::string shape_text(const Value& v) { return shape_text(shape_of(v)); }
// Spells a number as BQN does: ¯1.5.
std::string number_text(double);
// Says what kind of value it is in a word or two: "number", "character", "list of length 3", "2‿3 array", "function".
std::string kind_text(const Value&);
// The same, but spells a number.
std::string value_text(const Value&);

// The addresses of a stack.
struct StackRange {
  std::uintptr_t lowest = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address >= lowest && address < end; }
};
// Sets the limit of the context for a caller who says how many bytes of stack there are below this frame; keeps up to 128 KiB
// free.
void limit_stack(Context&, std::size_t bytes);
// The same for what there is of the stack that the caller runs on; gives where that lies.
StackRange set_stack_limit(Context&);

}  // namespace griddle
