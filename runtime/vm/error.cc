#include "runtime/vm/error.h"

#include <pthread.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "runtime/format/number.h"
#include "runtime/source/location.h"
#include "runtime/value/checkpoint.h"
#include "runtime/vm/operand_error.h"

namespace griddle {

Error::Error(Value message) : message(std::move(message)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error::~Error() = default;

void fail(Context& cx, std::string message) { throw Error(make_string(cx.heap, message)); }
void fail_with(Context&, Value message) { throw Error(std::move(message)); }
void fail_on(Value message, const Value& w, const Value& x) { throw OperandError(std::move(message), w, x); }

std::string number_text(double number) {
  char text[max_number_bytes];
  return {text, write_number(text, number).end};
}

std::string shape_text(std::span<const std::size_t> shape) {
  if (shape.size() < 2) return shape.empty() ? "⟨⟩" : "⟨" + std::to_string(shape[0]) + "⟩";
  std::string text = std::to_string(shape[0]);
  for (std::size_t axis : shape.subspan(1)) text += "‿" + std::to_string(axis);
  return text;
}

std::string kind_text(const Value& v) {
  if (v.is_number()) return "number";
  if (v.is_character()) return "character";
  if (v.is_function()) return "function";
  if (v.is_modifier1()) return "1-modifier";
  if (v.is_modifier2()) return "2-modifier";
  if (v.is_namespace()) return "namespace";
  if (v.is_mark()) return "Nothing";
  const Array& a = v.array();
  if (a.rank() == 0) return "unit array";
  if (a.rank() == 1) return "list of length " + std::to_string(a.length);
  return shape_text(a.shape()) + " array";
}

std::string value_text(const Value& v) { return v.is_number() ? number_text(v.number()) : kind_text(v); }

namespace {

#ifdef __EMSCRIPTEN__
constexpr std::size_t browser_stack = std::size_t{512} << 10;
#else
// Gives the memory around an address that is mapped in one piece: of a stack that is no thread's, all that can be known.
StackRange mapping_around(std::uintptr_t address) {
  StackRange range;
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return range;
  char line[512];
  std::uintptr_t start = 0, end = 0;
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) != 2 || address < start || address >= end) continue;
    range = {start, end};
    break;
  }
  std::fclose(maps);
  return range;
}
#endif

}  // namespace

void limit_stack(Context& cx, std::size_t bytes) {
  // Keeps clear of the guard pages, and has room for what asks for the limit too late.
  constexpr std::size_t most_reserve = 128 * 1024;
  char* const here = static_cast<char*>(__builtin_frame_address(0));
  cx.set_stack_limit(here - bytes + std::min(most_reserve, bytes / 2));
}

#ifdef __EMSCRIPTEN__

StackRange set_stack_limit(Context& cx) {
  // The browser's own stack, which nobody can measure, ends first: check_stack has frames take their share of this one.
  limit_stack(cx, browser_stack);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return {here - browser_stack, ~std::uintptr_t{0}};
}

#else

StackRange set_stack_limit(Context& cx) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  StackRange range;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* lowest = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    range = {reinterpret_cast<std::uintptr_t>(lowest), reinterpret_cast<std::uintptr_t>(lowest) + size};
  }
  std::size_t room = here - range.lowest;
  if (!range.holds(here)) {
    // A fiber's stack: other memory may lie in the same piece.
    constexpr std::size_t usual_stack = std::size_t{256} << 10;
    range = mapping_around(here);
    room = range.holds(here) ? std::min(here - range.lowest, usual_stack) : usual_stack / 4;
    range.lowest = here - room;
  }
  limit_stack(cx, room);
  return range;
}

#endif

void Context::stack_ended() {
  if (static_cast<char*>(__builtin_frame_address(0)) >= stack_limit_) interrupted();
  fail(*this, "Stack overflow");
}

void Context::steps_ended() {
  steps_left_ = 0;
  request_interrupt(out_of_steps);
}

void checkpoint() {
  if (evaluating != nullptr) evaluating->check_interrupt();
}

void Context::interrupted() {
  const auto stops = static_cast<std::uint8_t>(__atomic_load_n(&stops_, __ATOMIC_SEQ_CST));
  if (stops == file_cut) {
    clear_interrupt(file_cut);
    fail(*this, "A mapped file became shorter while it was read");
  }
  interrupted_by_ = call_time_up;
  for (const Stop why : {once, stopped, out_of_steps, deadline, time_up})
    if (stops & why) interrupted_by_ = why;
  for (const Stop why : {once, call_time_up, file_cut}) clear_interrupt(why);
  constexpr std::int64_t most_freed_at_once = 2'000'000;
  heap.put_off_after(most_freed_at_once);
  const std::string_view message = interrupted_by_ == out_of_steps                             ? "The step limit is reached"
                                   : interrupted_by_ == deadline || interrupted_by_ == time_up ? "The time limit is reached"
                                                                                               : "Interrupted";
  Error error(make_string(heap, message));
  error.catchable = false;
  throw error;
}

}  // namespace griddle
