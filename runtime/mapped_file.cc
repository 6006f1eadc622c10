#include "runtime/mapped_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>

#include "runtime/value/context.h"

namespace griddle {

// A mapping, as the handler finds it. They form a list that only grows: one whose file is unmapped serves the next file.
struct Guard {
  std::atomic<bool> taken{true};
  std::atomic<std::uintptr_t> start{0}, end{0};
  std::atomic<Context*> cx{nullptr};
  Guard* next = nullptr;
};

namespace {

std::atomic<Guard*> guards{nullptr};
std::atomic<bool> guarded{false};
std::uintptr_t page_size = 0;

// Puts zeros in the place of pages that are gone. Tells whether the address was of a mapped file.
bool replace_pages(std::uintptr_t address) {
  for (Guard* g = guards.load(); g != nullptr; g = g->next) {
    const std::uintptr_t end = g->end.load();
    if (address < g->start.load() || address >= end) continue;
    const std::uintptr_t page = address / page_size * page_size;
    void* const there = mmap(reinterpret_cast<void*>(page), end - page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (there == MAP_FAILED) return false;
    g->cx.load()->request_interrupt(Context::file_cut);
    return true;
  }
  return false;
}

void handle_bus_error(int number, siginfo_t* about, void*) {
  const int before = errno;
  if (about->si_code > 0 && replace_pages(reinterpret_cast<std::uintptr_t>(about->si_addr))) {
    errno = before;
    return;
  }
  // Any other one ends the process, as it does without a handler.
  signal(number, SIG_DFL);
  raise(number);
}

Guard* free_guard() {
  for (Guard* g = guards.load(); g != nullptr; g = g->next)
    if (!g->taken.exchange(true)) return g;
  auto* const fresh = new Guard;
  fresh->next = guards.load();
  while (!guards.compare_exchange_weak(fresh->next, fresh)) {
  }
  return fresh;
}

}  // namespace

bool guard_mapped_files() {
#ifdef __EMSCRIPTEN__
  return false;  // it has no signals
#else
  page_size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  if (sigaction(SIGBUS, &action, nullptr) == 0) guarded = true;
  return guarded;
#endif
}

bool mapped_files_are_guarded() { return guarded; }

MappedFile::MappedFile(Context& cx, const Descriptor& file, std::size_t bytes) : guard_(free_guard()), bytes_(bytes) {
  // Private pages may be written to: an array that nobody else holds is changed in place, and the file does not see it.
  void* const there = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.number, 0);
  if (there == MAP_FAILED) {
    guard_->taken = false;
    return;
  }
  start = static_cast<unsigned char*>(there);
  guard_->cx = &cx;
  guard_->start = reinterpret_cast<std::uintptr_t>(start);
  guard_->end = reinterpret_cast<std::uintptr_t>(start) + (bytes + page_size - 1) / page_size * page_size;
}

MappedFile::~MappedFile() {
  if (start == nullptr) return;
  guard_->end = 0;
  munmap(start, bytes_);
  guard_->taken = false;
}

}  // namespace griddle
