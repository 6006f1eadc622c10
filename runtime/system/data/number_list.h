// A list of numbers that is made one by one, in its narrowest type. The last ones wait as doubles; the others are stored as they
// will be, in memory that was made for as many as are expected, so that little memory is touched: that of new pages takes longer
// than reading a number.
#pragma once

#include <span>

#include "runtime/value/array.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

class NumberList {
 public:
  // `pages` says how memory of long lists comes, for one list or several.
  NumberList(Heap& heap, HugePages& pages) : heap_(&heap), pages_(&pages) {}

  std::size_t size() const { return stored_ + count_; }
  // Adds a number, for which there is room.
  bool is_full() const { return count_ == room_; }
  void add(double number) { recent_[count_++] = number; }
  // Makes room for more, where there will be about `expected` in all.
  void make_room(std::size_t expected);
  // Adds `count` numbers, each `stride` behind the one before, where there will be about `expected` in all.
  void add_every(const double* first, std::size_t stride, std::size_t count, std::size_t expected);
  // Adds copies of a number.
  void fill(std::size_t count, double number);

  // Gives the list, or its elements as values; it is empty afterwards, and keeps what memory may serve again.
  Value finish();
  void move_to(HeapVector<Value>& values);
  void clear();
  // Gives all of its memory back.
  void drop();

 private:
  bool store_alike();
  void store_recent(std::size_t expected);
  void widen(ElementType type, std::size_t needed, std::size_t expected);
  void choose_pages(std::size_t needed);

  Heap* heap_;
  HugePages* pages_;
  HeapArray<double> recent_;
  std::size_t count_ = 0, room_ = 0;  // of the recent ones
  Ref<Array> list_;                   // the others; null where there are none
  std::size_t stored_ = 0, capacity_ = 0;
  char* chosen_ = nullptr;  // up to where pages of the list's memory are chosen; null where nobody chooses them
};

}  // namespace griddle
