// Heap: the memory of one interpreter. Objects know their heap by address, so that freeing needs no context.
//
// Small objects come from 64 KiB pages of one size class, pages from 2 MiB-aligned segments whose first bytes name the heap.
// Large buffers are segments of their own with huge pages advised; a bounded number of them is kept for reuse, because
// touching fresh memory costs more than computing on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "runtime/value/object.h"

namespace griddle {

struct Segment;
struct FreeCell;

// Thrown where memory cannot be had; the virtual machine turns it into a BQN error.
struct OutOfMemory : std::runtime_error {
  explicit OutOfMemory(std::size_t bytes) : std::runtime_error("Out of memory"), bytes(bytes) {}
  std::size_t bytes;
};

class Heap {
 public:
  Heap();
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Gives uninitialised memory of at least `bytes` bytes, 16-byte aligned (data of large arrays is aligned by the array layer).
  // Throws OutOfMemory.
  void* allocate(std::size_t bytes);
  // Frees memory of any heap.
  static void free(void* p) noexcept;
  // Gives the bytes that really belong to an allocation.
  static std::size_t usable_size(const void* p) noexcept;
  static Heap& of(const void* p) noexcept;

  std::size_t bytes_in_use() const { return in_use_; }
  // Limits what may be allocated in all; 0 means what the machine has.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  // Gives kept buffers back to the system.
  void trim() noexcept;

  // State of the cycle collector: environments form a list, and a collection starts when many are new.
  struct Cycles;
  Cycles* cycles = nullptr;
  // Objects waiting for destroy(); keeps destruction of deep structures off the stack.
  Object* doomed = nullptr;
  bool destroying = false;
  // Counts live objects by address in builds that verify reference counts.
  struct Ledger;
  Ledger* ledger = nullptr;

 private:
  friend struct HeapInternals;
  static constexpr int class_count = 48;
  FreeCell* free_[class_count] = {};
  Segment* segments_ = nullptr;
  Segment* current_ = nullptr;
  void* kept_ = nullptr;
  std::size_t in_use_ = 0;
  std::size_t limit_ = 0;
};

}  // namespace griddle
