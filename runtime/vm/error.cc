#include "runtime/vm/error.h"

#include <pthread.h>
#include <sys/resource.h>

#include "runtime/format/number.h"
#include "runtime/source/location.h"

namespace griddle {

Error::Error(Value message) : message(std::move(message)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error::~Error() = default;

void fail(Context& cx, std::string message) { throw Error(make_string(cx.heap, message)); }
void fail_with(Context&, Value message) { throw Error(std::move(message)); }

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

void set_stack_limit(Context& cx, std::size_t reserve) {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
  }
  if (!lowest) {
    // Assumes a modest stack below this very frame.
    size = 1 << 20;
    lowest = static_cast<char*>(__builtin_frame_address(0)) - size;
  }
  // Keeps clear of the guard pages too.
  cx.set_stack_limit(static_cast<char*>(lowest) + (reserve < size / 2 ? reserve : size / 2));
}

void Context::stack_ended() {
  if (static_cast<char*>(__builtin_frame_address(0)) >= stack_limit_) interrupted();
  fail(*this, "Stack overflow");
}

void Context::interrupted() {
  clear_interrupt();
  Error error(make_string(heap, std::string_view("Interrupted")));
  error.catchable = false;
  throw error;
}

}  // namespace griddle
