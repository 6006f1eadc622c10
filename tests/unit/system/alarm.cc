#include "runtime/system/alarm.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace griddle;

namespace {

bool is_requested_within(Context& cx, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (cx.interrupt_requested()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

TEST_CASE("alarms ring in the order of their times, and only those that are not taken back") {
  Context late, soon, never;
  {
    const Alarm first(late, 0.05, Context::deadline), second(soon, 0.01, Context::once);
    { const Alarm third(never, 0.02, Context::once); }
    CHECK(is_requested_within(soon, 5));
    CHECK(is_requested_within(late, 5));
    CHECK(!never.interrupt_requested());
  }
  CHECK(!soon.interrupt_requested());
  CHECK(!late.interrupt_requested());
}

TEST_CASE("an alarm that is over takes back what it asked for, and nothing else") {
  Context cx;
  {
    const Alarm outer(cx, 0.001, Context::call_time_up);
    {
      const Alarm inner(cx, 0.001, Context::call_time_up);
      while (!outer.rang() || !inner.rang()) std::this_thread::yield();
    }
    CHECK(cx.interrupt_requested());
    cx.request_interrupt();
  }
  CHECK(cx.interrupt_requested());
  cx.clear_interrupt();
  CHECK(!cx.interrupt_requested());
}

TEST_CASE("many threads set alarms and take them back") {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([] {
      Context cx;
      for (int i = 0; i < 500; i++) const Alarm alarm(cx, i % 2 ? 1e-6 : 100, Context::time_up);
    });
  for (std::thread& t : threads) t.join();
}
