// What ends evaluations before they are done: requests of the host, deadlines, steps and memory.
#include "runtime/api/interpreter_state.h"

using namespace griddle;

void griddle_interrupt(griddle_interpreter* bqn) {
  if (bqn != nullptr) bqn->cx.request_interrupt();
}
void griddle_clear_interrupt(griddle_interpreter* bqn) {
  if (bqn != nullptr) bqn->cx.clear_interrupt();
}
void griddle_stop(griddle_interpreter* bqn) {
  if (bqn != nullptr) bqn->cx.request_interrupt(Context::stopped);
}
void griddle_resume(griddle_interpreter* bqn) {
  if (bqn != nullptr) bqn->cx.clear_interrupt(Context::stopped);
}
int griddle_should_stop(griddle_interpreter* bqn) { return bqn == nullptr || bqn->cx.interrupt_requested(); }

int griddle_set_deadline(griddle_interpreter* bqn, double seconds, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter"), 0;
  try {
    bqn->deadline.reset();
    if (seconds > 0) bqn->deadline = std::make_unique<Alarm>(bqn->cx, seconds, Context::deadline);
    return 1;
  } catch (const std::exception& exception) {
    give_failure(failure, plain_failure(exception.what()));
    return 0;
  }
}

uint64_t griddle_steps_left(const griddle_interpreter* bqn) { return bqn != nullptr ? bqn->cx.steps_left() : 0; }
void griddle_set_steps(griddle_interpreter* bqn, uint64_t steps) {
  if (bqn != nullptr) bqn->cx.set_steps(steps);
}
void griddle_set_memory_limit(griddle_interpreter* bqn, size_t bytes) {
  if (bqn != nullptr) bqn->cx.heap.set_limit(bytes);
}
size_t griddle_memory_in_use(const griddle_interpreter* bqn) { return bqn != nullptr ? bqn->cx.heap.bytes_in_use() : 0; }
