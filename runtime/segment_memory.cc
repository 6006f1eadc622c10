#include "runtime/segment_memory.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "runtime/value/heap.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace griddle {

#ifdef __EMSCRIPTEN__

// One piece of memory grows, and never shrinks: malloc hands out parts of it, and finds those that were given back.
void* take_segments(std::size_t bytes) noexcept { return std::aligned_alloc(Segment::alignment, bytes); }
void return_segments(void* start, std::size_t) noexcept { std::free(start); }
bool return_end_of_segments(void*, std::size_t) noexcept { return false; }
void ask_for_huge_pages(void*, std::size_t, bool) noexcept {}
void make_pages(void*, std::size_t) noexcept {}
std::size_t machine_memory() noexcept { return emscripten_get_heap_max(); }

#else

void* take_segments(std::size_t bytes) noexcept {
  // Asks for more than needed and returns what does not fit the alignment.
  const std::size_t ask = bytes + Segment::alignment;
  void* const got = mmap(nullptr, ask, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  char* const start = static_cast<char*>(got);
  const std::uintptr_t up = reinterpret_cast<std::uintptr_t>(start) + Segment::alignment - 1;
  char* const aligned = reinterpret_cast<char*>(up & ~(Segment::alignment - 1));
  if (aligned != start) munmap(start, static_cast<std::size_t>(aligned - start));
  char* const end = start + ask;
  if (end != aligned + bytes) munmap(aligned + bytes, static_cast<std::size_t>(end - (aligned + bytes)));
  return aligned;
}

void return_segments(void* start, std::size_t bytes) noexcept { munmap(start, bytes); }

bool return_end_of_segments(void* end, std::size_t bytes) noexcept { return munmap(end, bytes) == 0; }

void ask_for_huge_pages(void* start, std::size_t bytes, bool huge) noexcept {
  madvise(start, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

void make_pages([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
  // Systems that cannot do it leave the pages to come one by one.
  madvise(start, bytes, MADV_POPULATE_WRITE);
#endif
}

std::size_t machine_memory() noexcept {
  std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // A container may have less than the machine.
  if (std::FILE* f = std::fopen("/sys/fs/cgroup/memory.max", "r")) {
    unsigned long long limit;
    if (std::fscanf(f, "%llu", &limit) == 1 && limit < bytes) bytes = limit;
    std::fclose(f);
  }
  return bytes;
}

#endif

}  // namespace griddle
