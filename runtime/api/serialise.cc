// Values as bytes and back, for the host.
#include "runtime/api/interpreter_state.h"
#include "runtime/system/stored_value.h"

using namespace griddle;

griddle_buffer griddle_serialise(griddle_value value, griddle_failure** failure) {
  if (value.interpreter == nullptr) return nothing_to_call(failure, "There is no value"), griddle_buffer{};
  griddle_buffer buffer = {};
  Context& cx = value.interpreter->cx;
  value.interpreter->done(failure, [&] {
    const HeapText bytes = stored_value(cx, *Lent(value.bits));
    cx.heap.check_limit(bytes.size());
    buffer = buffer_of(bytes);
    if (buffer.data == nullptr) throw std::bad_alloc();
  });
  return buffer;
}

griddle_value griddle_deserialise(griddle_interpreter* bqn, const void* bytes, size_t size, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter");
  return bqn->guarded(failure, [&] {
    return value_of_stored(bqn->cx, {static_cast<const char*>(bytes), bytes != nullptr ? size : 0});
  });
}
