// Runs the unit tests on a thread with the stack of a usual program, however large the frames of an instrumented build are.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#include "primitives/kernels/shared/processor.h"

namespace {

constexpr std::size_t stack_size = std::size_t{64} << 20;

struct Run {
  doctest::Context context;
  int exit_code = 1;
};

void* run_tests(void* run) {
  static_cast<Run*>(run)->exit_code = static_cast<Run*>(run)->context.run();
  return nullptr;
}

}  // namespace

int main(int count, char** words) {
  if (const char* target = std::getenv("GRIDDLE_TARGET");
      target != nullptr && *target != 0 && !griddle::kernels::limit_instruction_set(target)) {
    std::fputs("GRIDDLE_TARGET names no instruction set that can be used\n", stderr);
    return 1;
  }
  Run run;
  run.context.applyCommandLine(count, words);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_size);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run_tests, &run) != 0) return 1;
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
  return run.exit_code;
}
