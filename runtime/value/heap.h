// Heap: the memory of one interpreter. Objects know their heap by address, so that freeing needs no context.
//
// Small objects come from 64 KiB pages of one size class, pages from 2 MiB-aligned segments whose first bytes name the heap.
// Large buffers are segments of their own with huge pages advised; a bounded number of them is kept for reuse, because
// touching fresh memory costs more than computing on it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>

#include "runtime/value/object.h"

namespace griddle {

class Heap;
struct FreeCell {
  FreeCell* next;
};

// Stands at the start of every segment.
struct Segment {
  static constexpr std::size_t alignment = std::size_t{2} << 20;
  static constexpr std::size_t page_bytes = std::size_t{64} << 10;
  static constexpr unsigned pages = alignment / page_bytes;
  static constexpr std::uint8_t medium_class = 0xFF;
  static constexpr std::uint8_t large_class = 0xFE;
  static constexpr std::uint8_t free_class = 0xFD;  // while pages are reclaimed

  Heap* heap;
  Segment* next;
  Segment* previous;
  std::size_t bytes;                // mapped
  bool large;                       // page_class[0] is large_class then
  std::uint8_t page_class[pages];   // size class of the page, or medium_class
  std::uint8_t page_first[pages];   // first page of the medium object this page belongs to; 0: nobody has taken the page
  std::uint8_t page_count[pages];   // pages of the medium object that starts here
  std::uint16_t free_cells[pages];  // of a page of small objects, while pages are reclaimed

  static Segment* of(const void* p) { return reinterpret_cast<Segment*>(reinterpret_cast<std::uintptr_t>(p) & ~(alignment - 1)); }
  unsigned page_of(const void* p) const {
    return static_cast<unsigned>((static_cast<const char*>(p) - reinterpret_cast<const char*>(this)) / page_bytes);
  }
};

// Thrown where memory cannot be had; the virtual machine turns it into a BQN error.
struct OutOfMemory : std::exception {
  explicit OutOfMemory(std::size_t bytes) : bytes(bytes) {}
  const char* what() const noexcept override { return "Out of memory"; }
  std::size_t bytes;
};

// Says which memory shall come in huge pages. These take the least time, but where a host lends its memory to a virtual machine
// and gets back what is free, in pieces of that size, they often have to be fetched anew: then one takes far longer than as many
// small pages, which are mostly at hand. So the first one is timed, and after a slow one other memory comes in small pages for a
// while.
class HugePages {
 public:
  // Decides about memory that nobody has touched, and touches the first page of it.
  void advise(char* start, std::size_t bytes) noexcept;

 private:
  static constexpr std::ptrdiff_t shortest_pause = std::ptrdiff_t{64} << 20, longest_pause = std::ptrdiff_t{1} << 30;
  std::ptrdiff_t pause_left_ = 0;  // bytes to come in small pages
  std::ptrdiff_t next_pause_ = shortest_pause;
};

// Objects that wait for something, the last of them first.
class ObjectStack {
 public:
  ObjectStack() = default;
  ~ObjectStack() { delete[] objects_; }
  ObjectStack(const ObjectStack&) = delete;
  ObjectStack& operator=(const ObjectStack&) = delete;

  bool empty() const { return count_ == 0; }
  void push(Object* o) {
    if (count_ == room_) grow();
    objects_[count_++] = o;
  }
  Object* pop() { return objects_[--count_]; }

 private:
  void grow();
  Object** objects_ = nullptr;
  std::size_t count_ = 0, room_ = 0;
};

class Heap {
 public:
  static constexpr std::size_t largest_tiny = 128;
  static constexpr std::size_t largest_small = std::size_t{32} << 10;

  Heap();
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Gives uninitialised memory of at least `bytes` bytes, 16-byte aligned (data of large arrays is aligned by the array layer).
  // Throws OutOfMemory.
  void* allocate(std::size_t bytes) {
#ifdef GRIDDLE_VERIFY
    if (failing.asked++ - failing.first < failing.count) throw OutOfMemory(bytes);
#endif
    // Classes of tiny objects lie 16 bytes apart.
    if (bytes - 1 < 128) [[likely]] {
      FreeCell*& free = free_[(bytes - 1) / 16];
      if (FreeCell* cell = free) [[likely]] {
        take(free, cell);
        return cell;
      }
    }
    return allocate_any(bytes);
  }
  // Gives at most 128 bytes of memory that was freed before; null where there is none, and always where references are verified.
  void* allocate_at_hand(std::size_t bytes) { return take_freed((bytes - 1) / 16); }
  // Gives more than 128 bytes, up to 32 KiB, in the same way.
  void* allocate_middling_at_hand(std::size_t bytes) { return take_freed(class_of_granules.of[(bytes - 1) / granule]); }
  // Gives memory of the class that so many bytes, at least one and up to 32 KiB, have, in the same way.
  void* allocate_of_class(std::uint32_t size_class) { return take_freed(size_class); }
  static std::uint32_t size_class_of(std::size_t bytes) { return class_of_granules.of[(bytes - 1) / granule]; }
  // Frees memory of any heap.
  static void free(void* p) noexcept {
    Segment* s = Segment::of(p);
    // Large objects start in the first page.
    const std::uint8_t c = s->page_class[s->page_of(p)];
    if (c >= small_classes) [[unlikely]]
      return free_other(s, p);
    FreeCell* cell = static_cast<FreeCell*>(p);
    FreeCell*& list = s->heap->free_[c];
    cell->next = list;
    list = cell;
  }
  // Frees memory of this heap that was allocated as at most 128 bytes.
  void free_tiny(void* p, std::size_t bytes) noexcept {
    FreeCell* cell = static_cast<FreeCell*>(p);
    FreeCell*& list = free_[(bytes - 1) / granule];
    cell->next = list;
    list = cell;
  }
  // Gives the bytes that really belong to an allocation.
  static std::size_t usable_size(const void* p) noexcept {
    const Segment* s = Segment::of(p);
    // Large objects start in the first page.
    const std::uint8_t c = s->page_class[s->page_of(p)];
    return c < small_classes ? bytes_of_class(c) : usable_size_of_other(s, p);
  }
  // All memory starts at a multiple of this many bytes and has a multiple of them.
  static constexpr std::size_t granule = 16;
  // Gives the bytes of a small object of a size class: up to 128 in steps of 16, then four classes for each power of two.
  static constexpr std::size_t bytes_of_class(unsigned c) {
    return c < 8 ? std::size_t{c + 1} * 16 : std::size_t{c % 4 + 5} << (c / 4 + 3);
  }
  static Heap& of(const void* p) noexcept { return *Segment::of(p)->heap; }

  std::size_t bytes_in_use() const { return in_use_; }
  // Gives the most that were in use since somebody last asked to forget that, the bytes kept for reuse, and the limit.
  std::size_t peak_bytes() const { return peak_; }
  void forget_peak() { peak_ = in_use_; }
  std::size_t kept_bytes() const { return kept_bytes_; }
  std::size_t limit() const { return limit_; }
  // Limits what may be allocated in all; 0 means what the machine has.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  // Throws OutOfMemory where so many bytes more are not to be had; for memory that does not come from here, too.
  void check_limit(std::size_t bytes);
  // Count memory that lies elsewhere (runtime/value/heap_memory.h); the first throws OutOfMemory.
  void count_outside(std::size_t bytes) {
    check_limit(bytes);
    grow(bytes);
  }
  void forget_outside(std::size_t bytes) noexcept { in_use_ -= bytes; }
  // Hands `see` the memory of every segment in use, as it is.
  template <class See>
  void see_memory(See see) const {
    for (const Segment* list : {segments_, large_})
      for (; list != nullptr; list = list->next) see(reinterpret_cast<const char*>(list), list->bytes);
  }
  // Gives kept buffers back to the system; the second the oldest ones, so many bytes, as long as more are kept than shall be.
  void trim() noexcept;
  void trim_a_little(std::size_t bytes) noexcept;

  // State of the cycle collector: environments form a list, and a collection starts when many are new.
  struct Cycles;
  Cycles* cycles = nullptr;
  // Objects waiting for destroy(); keeps destruction of deep structures off the stack.
  ObjectStack doomed;
  unsigned destroy_depth = 0;
  // After an interrupt nobody waits until millions of boxes are freed, or gigabytes given back: arrays of many boxes are put off
  // once so many are gone, large buffers are kept, and all go little by little where memory is wanted.
  static constexpr std::size_t many_boxes = 4096;
  void put_off_after(std::int64_t boxes) { boxes_at_once_ = boxes; }
  void put_off_none() { boxes_at_once_ = std::numeric_limits<std::int64_t>::max(); }
  // Tells whether an array of so many boxes is to be put off.
  bool puts_off(std::size_t boxes) { return (boxes_at_once_ -= static_cast<std::int64_t>(boxes)) < 0; }
  ObjectStack put_off;
  // Lists the live objects, kept in builds that verify reference counts (GRIDDLE_VERIFY; value/verify.h).
  struct Ledger;
  Ledger* ledger = nullptr;
#ifdef GRIDDLE_VERIFY
  // Tests have some allocations fail, counted from when they say so.
  struct {
    std::size_t asked = 0, first = ~std::size_t{0}, count = 0;
  } failing;
#endif
  static constexpr bool verifies() {
#ifdef GRIDDLE_VERIFY
    return true;
#else
    return false;
#endif
  }

 private:
  // A quarter of what addresses of 32 bits reach is much.
  static constexpr std::size_t most_kept = std::size_t{1} << (sizeof(std::size_t) == 8 ? 30 : 28);
  static constexpr int small_classes = 40;
  static constexpr int medium_classes = 16;  // up to 1 MiB, in steps of 64 KiB
  // Gives the class of more than 128 bytes: four to each power of two. As many objects of 16 KiB as of 14 fit a page, and those
  // lie in the same lines of the first-level cache, which serves kernels best.
  static constexpr int middling_class_of(std::size_t bytes) {
    if (bytes > 12288 && bytes <= 14336) bytes = 16384;
    const unsigned k = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
    // The three highest bits are 4 to 7.
    return 4 * static_cast<int>(k) - 24 + static_cast<int>((bytes - 1) >> (k - 2));
  }
  struct SizeClasses {
    std::uint8_t of[largest_small / granule];
  };
  // Holds the class of every number of granules: sooner read than worked out.
  static const SizeClasses class_of_granules;
  static constexpr int class_of(std::size_t bytes) {
    if (bytes <= 128) return bytes == 0 ? 0 : static_cast<int>((bytes + 15) / 16) - 1;
    return middling_class_of(bytes);
  }
  void* take_freed(std::size_t size_class) {
    FreeCell*& free = free_[size_class];
    FreeCell* cell = free;
    if (cell == nullptr || verifies()) [[unlikely]]
      return nullptr;
    take(free, cell);
    return cell;
  }
  // Takes the first cell of a list. The next one may be far away: it comes while the caller works. To look for one where no
  // memory is, at null, takes a walk through the tables of pages, each time.
  static void take(FreeCell*& free, FreeCell* cell) {
    free = cell->next;
    __builtin_prefetch(free != nullptr ? free : cell, 1);
  }
  static void free_other(Segment*, void* p) noexcept;
  std::int64_t boxes_at_once_ = std::numeric_limits<std::int64_t>::max();
  static std::size_t usable_size_of_other(const Segment*, const void* p) noexcept;
  void* allocate_any(std::size_t bytes);
  void* refill(int size_class);
  void* allocate_medium(std::size_t bytes);
  void* allocate_large(std::size_t bytes);
  void keep(Segment*) noexcept;
  void forget_kept(Segment*) noexcept;
  char* take_pages(unsigned count, unsigned size_class);
  char* take_free_pages(unsigned count, unsigned size_class);
  Segment* map_segment(std::size_t bytes, bool huge);
  // Tells whether the limit leaves no room for so many bytes more, also when all that is free has been given back.
  bool is_full(std::size_t bytes);
  // Makes pages of small objects that are all free, and free medium ones, serve any size again, and gives whole segments back.
  void reclaim_pages() noexcept;
  static bool is_free_page(const Segment&, unsigned page);
  void unmap_segment(Segment*) noexcept;
  // Counts more bytes in use.
  void grow(std::size_t bytes);

  FreeCell* free_[small_classes] = {};
  char* fresh_[small_classes] = {};  // never used part of the newest page of a class
  char* fresh_end_[small_classes] = {};
  FreeCell* free_medium_[medium_classes + 1] = {};
  Segment* segments_ = nullptr;  // all segments of small and medium objects
  Segment* large_ = nullptr;     // large objects in use
  Segment* kept_ = nullptr;      // large buffers kept for reuse, the newest first
  Segment* oldest_kept_ = nullptr;
  unsigned pages_used_ = 0;  // of the newest segment
  unsigned segment_count_ = 0;
  std::size_t kept_bytes_ = 0;
  HugePages huge_pages_;
  std::size_t in_use_ = 0;  // bytes mapped, less the kept ones
  std::size_t limit_ = 0;
  std::size_t machine_limit_ = 0;
  std::size_t peak_ = 0;
};

constexpr Heap::SizeClasses Heap::class_of_granules = [] {
  SizeClasses classes = {};
  for (std::size_t i = 0; i < largest_small / granule; i++)
    classes.of[i] = static_cast<std::uint8_t>(class_of((i + 1) * granule));
  return classes;
}();

void enter_in_ledger(Heap&, Object*);
// Enters an object into the ledger; nothing where references are not verified.
inline void enlist_object([[maybe_unused]] Heap& heap, [[maybe_unused]] Object* o) {
  if (Heap::verifies()) enter_in_ledger(heap, o);
}

}  // namespace griddle
