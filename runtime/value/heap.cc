#include "runtime/value/heap.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <cstring>
#include <new>

#include "runtime/segment_memory.h"
#include "runtime/value/cycles.h"
#include "runtime/value/verify.h"

namespace griddle {

namespace {

constexpr std::size_t segment_bytes = Segment::alignment;
constexpr std::size_t page_bytes = Segment::page_bytes;
constexpr unsigned pages_per_segment = Segment::pages;
constexpr std::size_t largest_medium = std::size_t{1} << 20;
// Large objects start this far into their segment, behind its description.
constexpr std::size_t large_offset = 1024;
constexpr std::uint8_t medium_class = Segment::medium_class;
// Small segments beyond this many advise huge pages; a short script never needs them.
constexpr unsigned segments_with_small_pages = 4;

}  // namespace

static_assert(sizeof(Segment) <= large_offset);

void HugePages::advise(char* start, std::size_t bytes) noexcept {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  constexpr std::chrono::milliseconds slow(2);
  if (pause_left_ > 0) {
    pause_left_ -= static_cast<std::ptrdiff_t>(bytes);
    ask_for_huge_pages(start, bytes, false);
    // A segment of small objects will be full soon; of a large buffer the end may never be used.
    if (bytes == segment_bytes) make_pages(start, bytes);
    return;
  }
  ask_for_huge_pages(start, bytes, true);
  const Clock::time_point asked = Clock::now();
  *static_cast<volatile char*>(start) = 0;
  if (Clock::now() - asked < slow) {
    next_pause_ = shortest_pause;
    return;
  }
  pause_left_ = next_pause_;
  next_pause_ = std::min(2 * next_pause_, longest_pause);
  if (bytes > huge_page) ask_for_huge_pages(start + huge_page, bytes - huge_page, false);
}

void ObjectStack::grow() {
  const std::size_t room = room_ == 0 ? 64 : 2 * room_;
  Object** bigger = new Object*[room];
  std::copy_n(objects_, count_, bigger);
  delete[] objects_;
  objects_ = bigger;
  room_ = room;
}

void enter_in_ledger(Heap& heap, Object* o) { heap.ledger->objects.insert(o); }

Heap::Heap() {
  static_assert(class_of(largest_small) == 39 && bytes_of_class(39) == largest_small);
  static_assert(class_of(1) == 0 && class_of(16) == 0 && class_of(17) == 1 && class_of(128) == 7);
  static_assert(class_of(129) == 8 && bytes_of_class(8) == 160 && class_of(160) == 8 && class_of(161) == 9);
#ifdef GRIDDLE_VERIFY
  ledger = new Ledger;
#endif
}

Heap::~Heap() {
  free_put_off(*this, ~std::size_t{0});
  cycles_finish(*this);
  delete ledger;
  for (Segment* list : {segments_, large_, kept_}) {
    while (list) {
      Segment* next = list->next;
      return_segments(list, list->bytes);
      list = next;
    }
  }
}

void* Heap::allocate_any(std::size_t bytes) {
  if (bytes <= largest_small) [[likely]] {
    int c = class_of(bytes);
    if (FreeCell* cell = free_[c]) [[likely]] {
      take(free_[c], cell);
      return cell;
    }
    return refill(c);
  }
  // More bytes than are wanted, so that no more is put off than goes.
  if (!put_off.empty()) [[unlikely]]
    free_put_off(*this, bytes / sizeof(Value) * 2);
  if (bytes <= largest_medium) return allocate_medium(bytes);
  return allocate_large(bytes);
}

void* Heap::refill(int c) {
  constexpr std::size_t boxes_at_once = std::size_t{1} << 14;
  if (!put_off.empty()) [[unlikely]] {
    free_put_off(*this, boxes_at_once);
    if (FreeCell* cell = free_[c]) {
      take(free_[c], cell);
      return cell;
    }
  }
  std::size_t size = bytes_of_class(static_cast<unsigned>(c));
  if (fresh_[c] == nullptr || fresh_[c] + size > fresh_end_[c]) {
    char* page = take_pages(1, static_cast<unsigned>(c));
    fresh_[c] = page;
    fresh_end_[c] = page + page_bytes;
  }
  // What lies behind it will be wanted soon, without coming here.
  constexpr std::size_t bytes_at_once = 1024;
  char* const p = fresh_[c];
  char* const end = std::min(fresh_end_[c], p + std::max(size, bytes_at_once));
  fresh_[c] += size;
  FreeCell** last = &free_[c];
  for (; fresh_[c] + size <= end; fresh_[c] += size) {
    *last = reinterpret_cast<FreeCell*>(fresh_[c]);
    last = &(*last)->next;
  }
  *last = nullptr;
  return p;
}

namespace {

// Enters what a run of pages holds.
char* assign_pages(Segment& s, unsigned first, unsigned count, unsigned size_class) {
  for (unsigned i = first; i < first + count; i++) {
    s.page_class[i] = static_cast<std::uint8_t>(size_class);
    s.page_first[i] = static_cast<std::uint8_t>(first);
  }
  s.page_count[first] = static_cast<std::uint8_t>(count);
  return reinterpret_cast<char*>(&s) + first * page_bytes;
}

}  // namespace

char* Heap::take_free_pages(unsigned count, unsigned size_class) {
  for (unsigned n = count; n <= medium_classes; n++) {
    FreeCell* run = free_medium_[n];
    if (run == nullptr) continue;
    free_medium_[n] = run->next;
    Segment& s = *Segment::of(run);
    const unsigned first = s.page_of(run);
    if (n > count) {
      auto* rest = reinterpret_cast<FreeCell*>(assign_pages(s, first + count, n - count, medium_class));
      rest->next = free_medium_[n - count];
      free_medium_[n - count] = rest;
    }
    return assign_pages(s, first, count, size_class);
  }
  return nullptr;
}

char* Heap::take_pages(unsigned count, unsigned size_class) {
  if (kept_bytes_ > most_kept) trim_a_little(0);
  if (!segments_ || pages_used_ + count > pages_per_segment) {
    // Pages that were medium objects serve before there are new ones.
    if (char* pages = take_free_pages(count, size_class)) return pages;
    if (is_full(segment_bytes))
      if (char* pages = take_free_pages(count, size_class)) return pages;
    // What is left of the old segment serves the next requests for single pages no longer; it is at most 1 MiB, untouched.
    Segment* s = map_segment(segment_bytes, segment_count_ >= segments_with_small_pages);
    s->large = false;
    s->next = segments_;
    segments_ = s;
    segment_count_++;
    pages_used_ = 1;  // the description takes the first page
  }
  unsigned first = pages_used_;
  pages_used_ += count;
  return assign_pages(*segments_, first, count, size_class);
}

bool Heap::is_full(std::size_t bytes) {
  const auto has_no_room = [&] { return limit_ != 0 && in_use_ + bytes > limit_; };
  if (has_no_room()) {
    free_put_off(*this, ~std::size_t{0});
    reclaim_pages();
  }
  return has_no_room();
}

bool Heap::is_free_page(const Segment& s, unsigned page) {
  const std::uint8_t c = s.page_class[page];
  if (s.page_first[page] == 0 || c == Segment::free_class) return true;
  return c < small_classes && s.free_cells[page] == page_bytes / bytes_of_class(c);
}

void Heap::reclaim_pages() noexcept {
  for (Segment* s = segments_; s != nullptr; s = s->next) std::fill_n(s->free_cells, pages_per_segment, std::uint16_t{0});
  for (FreeCell* list : free_)
    for (FreeCell* cell = list; cell != nullptr; cell = cell->next) {
      Segment* s = Segment::of(cell);
      s->free_cells[s->page_of(cell)]++;
    }
  for (FreeCell*& list : free_)
    for (FreeCell** at = &list; *at != nullptr;) {
      const Segment* s = Segment::of(*at);
      if (is_free_page(*s, s->page_of(*at)))
        *at = (*at)->next;
      else
        at = &(*at)->next;
    }
  for (FreeCell*& list : free_medium_)
    for (; list != nullptr; list = list->next) {
      Segment* s = Segment::of(list);
      const unsigned first = s->page_of(list);
      std::fill_n(s->page_class + first, s->page_count[first], Segment::free_class);
    }
  // The newest segment has pages that nobody has taken yet, and goes on giving them out.
  for (Segment** at = &segments_; *at != nullptr;) {
    Segment* s = *at;
    const bool is_newest = s == segments_;
    const unsigned end = is_newest ? pages_used_ : pages_per_segment;
    unsigned free = 0;
    for (unsigned page = 1; page < end; page++) free += is_free_page(*s, page);
    if (!is_newest && free == end - 1) {
      *at = s->next;
      segment_count_--;
      in_use_ -= s->bytes;
      unmap_segment(s);
      continue;
    }
    for (unsigned page = 1; page < end;) {
      unsigned count = 0;
      while (page + count < end && count < medium_classes && is_free_page(*s, page + count)) count++;
      if (count > 0) {
        auto* run = reinterpret_cast<FreeCell*>(assign_pages(*s, page, count, medium_class));
        run->next = free_medium_[count];
        free_medium_[count] = run;
      }
      page += std::max(count, 1u);
    }
    at = &s->next;
  }
}

void* Heap::allocate_medium(std::size_t bytes) {
  unsigned pages = static_cast<unsigned>((bytes + page_bytes - 1) / page_bytes);
  if (FreeCell* cell = free_medium_[pages]) {
    free_medium_[pages] = cell->next;
    return cell;
  }
  // A somewhat larger free one saves touching new memory.
  if (pages < static_cast<unsigned>(medium_classes))
    if (FreeCell* cell = free_medium_[pages + 1]) {
      free_medium_[pages + 1] = cell->next;
      return cell;
    }
  return take_pages(pages, medium_class);
}

void* Heap::allocate_large(std::size_t bytes) {
  if (bytes > ~std::size_t{0} / 2) throw OutOfMemory(bytes);
  if (kept_bytes_ > most_kept) trim_a_little(2 * bytes);
  std::size_t total = (bytes + large_offset + segment_bytes - 1) & ~(segment_bytes - 1);
  Segment* best = nullptr;
  for (Segment* s = kept_; s; s = s->next)
    if (s->bytes >= total && s->bytes <= total + total / 2 && (!best || s->bytes < best->bytes)) best = s;
  if (best) {
    forget_kept(best);
    grow(best->bytes);
  } else {
    best = map_segment(total, true);
    best->large = true;
    best->page_class[0] = Segment::large_class;
  }
  best->previous = nullptr;
  best->next = large_;
  if (large_) large_->previous = best;
  large_ = best;
  return reinterpret_cast<char*>(best) + large_offset;
}

void Heap::check_limit(std::size_t bytes) {
  if (is_full(bytes)) throw OutOfMemory(bytes);
  // Buffers that are kept count for whoever watches the process.
  if (limit_ != 0 && in_use_ + kept_bytes_ + bytes > limit_) trim();
  if (bytes < (std::size_t{16} << 20) && in_use_ < (std::size_t{256} << 20)) return;
  // Promises of the system beyond its memory end in a killed process; refuse before that.
  if (!machine_limit_) machine_limit_ = machine_memory() / 16 * 15;
  if (in_use_ + bytes > machine_limit_) free_put_off(*this, ~std::size_t{0});
  if (in_use_ + bytes > machine_limit_) throw OutOfMemory(bytes);
  if (in_use_ + kept_bytes_ + bytes > machine_limit_) trim();
}

Segment* Heap::map_segment(std::size_t bytes, bool huge) {
  check_limit(bytes);
  void* start = take_segments(bytes);
  if (start == nullptr) {
    trim();
    start = take_segments(bytes);
    if (start == nullptr) throw OutOfMemory(bytes);
  }
  if (huge) huge_pages_.advise(static_cast<char*>(start), bytes);
  Segment* s = new (start) Segment();
  s->heap = this;
  s->next = s->previous = nullptr;
  s->bytes = bytes;
  grow(bytes);
  return s;
}

void Heap::grow(std::size_t bytes) {
  in_use_ += bytes;
  if (in_use_ > peak_) peak_ = in_use_;
  if (cycles && in_use_ >= cycles->growth_limit) cycles->young_limit = 0;
}

void Heap::unmap_segment(Segment* s) noexcept { return_segments(s, s->bytes); }

void Heap::keep(Segment* s) noexcept {
  s->previous = nullptr;
  s->next = kept_;
  (kept_ ? kept_->previous : oldest_kept_) = s;
  kept_ = s;
  kept_bytes_ += s->bytes;
}

void Heap::forget_kept(Segment* s) noexcept {
  (s->previous ? s->previous->next : kept_) = s->next;
  (s->next ? s->next->previous : oldest_kept_) = s->previous;
  kept_bytes_ -= s->bytes;
}

void Heap::free_other(Segment* s, void* p) noexcept {
  Heap& heap = *s->heap;
  if (s->large) {
    (s->previous ? s->previous->next : heap.large_) = s->next;
    if (s->next) s->next->previous = s->previous;
    heap.in_use_ -= s->bytes;
    // The newest is the likeliest to be asked for again.
    const bool frees_now = heap.boxes_at_once_ == std::numeric_limits<std::int64_t>::max();
    if (frees_now && s->bytes > most_kept) return heap.unmap_segment(s);
    heap.keep(s);
    while (frees_now && heap.kept_bytes_ > most_kept) {
      Segment* last = heap.oldest_kept_;
      heap.forget_kept(last);
      heap.unmap_segment(last);
    }
    return;
  }
  FreeCell* cell = static_cast<FreeCell*>(p);
  FreeCell*& list = heap.free_medium_[s->page_count[s->page_first[s->page_of(p)]]];
  cell->next = list;
  list = cell;
}

std::size_t Heap::usable_size_of_other(const Segment* s, const void* p) noexcept {
  if (s->large) return s->bytes - large_offset;
  return s->page_count[s->page_first[s->page_of(p)]] * page_bytes;
}

void Heap::trim() noexcept {
  free_put_off(*this, ~std::size_t{0});
  while (Segment* s = kept_) {
    forget_kept(s);
    unmap_segment(s);
  }
}

void Heap::trim_a_little(std::size_t bytes) noexcept {
  // A gigabyte takes the system some 50 ms.
  constexpr std::size_t least = std::size_t{16} << 20;
  for (std::size_t left = std::min(std::max(bytes, least), kept_bytes_ - most_kept); left != 0;) {
    Segment* s = oldest_kept_;
    const std::size_t some = (left + segment_bytes - 1) & ~(segment_bytes - 1);
    if (s->bytes <= left + least || !return_end_of_segments(reinterpret_cast<char*>(s) + s->bytes - some, some)) {
      left -= std::min(left, s->bytes);
      forget_kept(s);
      unmap_segment(s);
      continue;
    }
    s->bytes -= some;
    kept_bytes_ -= some;
    left = 0;
  }
}

}  // namespace griddle
