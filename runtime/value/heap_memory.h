// What evaluations need beside values, counted by the heap, so that the limit of memory holds for it: vectors and text in the
// heap's own memory, and a count for what lies elsewhere.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/value/heap.h"

namespace griddle {

template <class T>
class HeapAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  // Memory knows the heap that it came from, so that whoever has it may free it.
  using is_always_equal = std::true_type;

  HeapAllocator(Heap& heap) : heap_(&heap) {}  // NOLINT: containers are made with the heap itself
  template <class U>
  HeapAllocator(const HeapAllocator<U>& o) : heap_(o.heap_) {}  // NOLINT: as containers want it

  // Throws OutOfMemory.
  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= Heap::granule);
    if (count > ~std::size_t{0} / 2 / sizeof(T)) throw OutOfMemory(~std::size_t{0} / 2);
    return static_cast<T*>(heap_->allocate(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) noexcept { Heap::free(memory); }
  bool operator==(const HeapAllocator&) const { return true; }

 private:
  template <class U>
  friend class HeapAllocator;
  Heap* heap_;
};

template <class T>
using HeapVector = std::vector<T, HeapAllocator<T>>;
using HeapText = std::basic_string<char, std::char_traits<char>, HeapAllocator<char>>;

struct FreeHeapMemory {
  void operator()(void* memory) const noexcept { Heap::free(memory); }
};
// An array of plain elements, which are still to be written.
template <class T>
using HeapArray = std::unique_ptr<T[], FreeHeapMemory>;
template <class T>
HeapArray<T> make_heap_array(Heap& heap, std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  return HeapArray<T>(HeapAllocator<T>(heap).allocate(count));
}

// Counts memory that lies elsewhere as if it were the heap's, as long as this lives.
class OutsideMemory {
 public:
  OutsideMemory() = default;
  OutsideMemory(OutsideMemory&& o) noexcept : heap_(std::exchange(o.heap_, nullptr)), bytes_(std::exchange(o.bytes_, 0)) {}
  OutsideMemory& operator=(OutsideMemory&& o) noexcept {
    std::swap(heap_, o.heap_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~OutsideMemory() { drop(); }

  // Says how much it is by now. Throws OutOfMemory where there may not be so much, and counts what it counted before.
  void hold(Heap& heap, std::size_t bytes) {
    if (bytes > bytes_) heap.count_outside(bytes - bytes_);
    if (bytes < bytes_) heap.forget_outside(bytes_ - bytes);
    heap_ = &heap;
    bytes_ = bytes;
  }
  void drop() noexcept {
    if (heap_ != nullptr) heap_->forget_outside(std::exchange(bytes_, 0));
  }

 private:
  Heap* heap_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace griddle
