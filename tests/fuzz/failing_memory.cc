// A library to preload, with which the system has no memory for chosen requests:
//   FAIL_MALLOC=K    the K-th allocation of the C library fails, FAIL_MMAP=K the K-th mapping, counted from 0
//   FAIL_EVER=1      so do all after it
//   FAIL_COUNT=1     writes how many there were to standard error: "allocations A, mappings M"
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT: the C library's names
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT
void* __libc_realloc(void*, std::size_t);         // NOLINT
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT
}

namespace {

// Requests of one kind. May not allocate, nor be constructed: others ask before any constructor has run.
struct Requests {
  const char* variable;
  std::atomic<long> made;
  long chosen;
  bool known, ever;

  bool fail() {
    if (!known) {
      const char* const text = std::getenv(variable);
      chosen = text == nullptr ? -1 : std::atol(text);
      ever = std::getenv("FAIL_EVER") != nullptr;
      known = true;
    }
    const long place = made++;
    const bool fails = chosen >= 0 && (ever ? place >= chosen : place == chosen);
    if (fails) errno = ENOMEM;
    return fails;
  }
};
constinit Requests allocations = {"FAIL_MALLOC", 0, 0, false, false}, mappings = {"FAIL_MMAP", 0, 0, false, false};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t bytes) { return allocations.fail() ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) { return allocations.fail() ? nullptr : __libc_calloc(count, bytes); }
void* realloc(void* memory, std::size_t bytes) { return allocations.fail() ? nullptr : __libc_realloc(memory, bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocations.fail() ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (allocations.fail()) return ENOMEM;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

// With offsets of 64 bits, the headers call one name by the other.
void* map(void* place, std::size_t bytes, int protection, int flags, int file, off64_t offset) __asm__("mmap64");
void* map_of_old(void* place, std::size_t bytes, int protection, int flags, int file, off64_t offset) __asm__("mmap");
void* map(void* place, std::size_t bytes, int protection, int flags, int file, off64_t offset) {
  static const auto next = reinterpret_cast<decltype(&map)>(dlsym(RTLD_NEXT, "mmap64"));
  return mappings.fail() ? MAP_FAILED : next(place, bytes, protection, flags, file, offset);
}
void* map_of_old(void* place, std::size_t bytes, int protection, int flags, int file, off64_t offset) {
  return map(place, bytes, protection, flags, file, offset);
}

[[noreturn]] void _exit(int status) {
  if (std::getenv("FAIL_COUNT") != nullptr)
    dprintf(STDERR_FILENO, "allocations %ld, mappings %ld\n", +allocations.made, +mappings.made);
  reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "_exit"))(status);
  __builtin_unreachable();
}

}  // extern "C"
#pragma GCC visibility pop
