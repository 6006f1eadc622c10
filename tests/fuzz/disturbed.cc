// A library to preload, with which the surroundings of a process disturb it:
//   DISTURB_CLOCK=1  the time of day jumps by up to eleven days at each look; the monotonic clock stays as it is
//   DISTURB_EVERY=N  every N microseconds a signal comes that is handled, so that calls of the system end early
//   DISTURB_PROC=1   nothing below /proc can be opened
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

bool wanted(const char* variable) { return std::getenv(variable) != nullptr; }

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

bool refused(const char* path) {
  if (!std::string_view(path).starts_with("/proc") || !wanted("DISTURB_PROC")) return false;
  errno = ENOENT;
  return true;
}

void nothing(int) {}

// Signals that hosts and shells send; none of them has system calls begun again.
__attribute__((constructor)) void begin() {
  const char* const every = std::getenv("DISTURB_EVERY");
  if (every == nullptr) return;
  for (const int number : {SIGALRM, SIGUSR1, SIGUSR2, SIGWINCH, SIGCHLD, SIGCONT}) {
    struct sigaction action = {};
    action.sa_handler = nothing;
    sigaction(number, &action, nullptr);
  }
  const itimerval timer = {{0, std::atol(every)}, {0, std::atol(every)}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  static std::atomic<unsigned> looks{0};
  const int result = real(clock, now);
  if (result != 0 || clock != CLOCK_REALTIME || !wanted("DISTURB_CLOCK")) return result;
  constexpr unsigned long scatter = 2654435761, most = 2000000;
  now->tv_sec += static_cast<time_t>(looks++ * scatter % most) - static_cast<time_t>(most / 2);
  return 0;
}

std::FILE* fopen(const char* path, const char* mode) {
  return refused(path) ? nullptr : next<std::FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

// With offsets of 64 bits, the headers call one name by the other.
int open_any(const char* path, int flags, ...) __asm__("open64");
int open_of_old(const char* path, int flags, ...) __asm__("open");
int open_any(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return refused(path) ? -1 : next<int (*)(const char*, int, ...)>("open64")(path, flags, mode);
}
int open_of_old(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return open_any(path, flags, mode);
}

}  // extern "C"
#pragma GCC visibility pop
