#include "runtime/system/alarm.h"

#ifdef __EMSCRIPTEN__
#include <system_error>
#else
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace griddle {

#ifdef __EMSCRIPTEN__

// Nothing runs beside the interpreter that could tell it that a time is up.
Alarm::Alarm(Context& cx, double, Context::Stop why) : cx_(cx), why_(why) {
  throw std::system_error(std::make_error_code(std::errc::function_not_supported));
}
Alarm::~Alarm() = default;

#else

// All alarms of the process, and the thread that waits for the first of them. It is never taken down: alarms may be set until the
// process ends.
class Alarms {
 public:
  static Alarms& all() {
    static Alarms* const alarms = new Alarms;
    return *alarms;
  }

  void set(Alarm& alarm) {
    std::unique_lock lock(mutex_);
    start();
    const bool is_first = waiting_.empty() || alarm.due_ < first_due();
    rung_.reserve(rung_.size() + waiting_.size() + 1);
    waiting_.push_back(&alarm);
    if (is_first) changed_.notify_one();
  }
  void cancel(Alarm& alarm) {
    const std::lock_guard lock(mutex_);
    std::erase(alarm.rang_ ? rung_ : waiting_, &alarm);
    if (!alarm.rang_) return;
    alarm.cx_.clear_interrupt(alarm.why_);
    // Another one may have asked for the same meanwhile.
    for (Alarm* other : rung_)
      if (&other->cx_ == &alarm.cx_) other->cx_.request_interrupt(other->why_);
  }

 private:
  std::chrono::steady_clock::time_point first_due() const {
    return (*std::ranges::min_element(waiting_, {}, &Alarm::due_))->due_;
  }
  // Starts the thread, anew in a process that was forked from another one.
  void start() {
    if (process_ == getpid()) return;
    waiting_.clear();
    rung_.clear();
    // Signals are for the host's threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([this] { wait(); }).detach();
      process_ = getpid();
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void wait() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (waiting_.empty())
        changed_.wait(lock);
      else
        changed_.wait_until(lock, first_due());
      const auto now = std::chrono::steady_clock::now();
      std::erase_if(waiting_, [this, now](Alarm* alarm) {
        if (alarm->due_ > now) return false;
        alarm->rang_ = true;
        rung_.push_back(alarm);
        alarm->cx_.request_interrupt(alarm->why_);
        return true;
      });
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Alarm*> waiting_;
  std::vector<Alarm*> rung_;  // has room for all that wait
  pid_t process_ = 0;
};

Alarm::Alarm(Context& cx, double seconds, Context::Stop why) : cx_(cx), why_(why) {
  // No clock reaches further than this.
  constexpr double forever = 1e9;
  const std::chrono::duration<double> wait(std::min(seconds, forever));
  due_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(wait);
  Alarms::all().set(*this);
}

Alarm::~Alarm() { Alarms::all().cancel(*this); }

#endif

}  // namespace griddle
