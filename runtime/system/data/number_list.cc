#include "runtime/system/data/number_list.h"

#include <algorithm>

namespace griddle {

namespace {

// So many wait as doubles; all columns of a table should stay in a near cache.
constexpr std::size_t least_recent = 64, most_recent = 4096;
// What is expected counts from this length on: shorter lists may be one of many.
constexpr std::size_t long_list = 8 * most_recent;

}  // namespace

void NumberList::make_room(std::size_t expected) {
  if (room_ == most_recent) return store_recent(expected);
  const std::size_t room = room_ == 0 ? least_recent : room_ * 4;
  static_assert(least_recent * 4 * 4 * 4 == most_recent);
  HeapArray<double> more = make_heap_array<double>(*heap_, room);
  std::copy_n(recent_.get(), count_, more.get());
  recent_ = std::move(more);
  room_ = room;
}

void NumberList::fill(std::size_t count, double number) {
  const std::size_t expected = size() + count;
  for (; count > 0; count--) {
    if (is_full()) make_room(expected);
    add(number);
  }
}

// Makes the list of stored numbers one of a type, with room for so many at least.
void NumberList::widen(ElementType type, std::size_t needed, std::size_t expected) {
  Ref<Array> wider;
  capacity_ = std::max(needed * 2, needed >= long_list ? expected : 0);
  try {
    wider = make_list_with_room(*heap_, type, 0, capacity_);
  } catch (const OutOfMemory&) {
    // There may be fewer than expected.
    capacity_ = needed + needed / 4;
    wider = make_list_with_room(*heap_, type, 0, capacity_);
  }
  wider->length = stored_;
  if (list_) copy_elements(*wider, 0, *list_, 0, stored_);
  list_ = std::move(wider);
}

void NumberList::store_recent(std::size_t expected) {
  const Value recent = make_numbers(*heap_, std::span<const double>(recent_.get(), count_));
  const Array& numbers = recent.array();
  const ElementType type = list_ ? wider(list_->type(), numbers.type()) : numbers.type();
  const std::size_t needed = stored_ + count_;
  if (!list_ || list_->type() != type || needed > capacity_) widen(type, needed, expected);
  list_->length = needed;
  copy_elements(*list_, stored_, numbers, 0, count_);
  stored_ = needed;
  count_ = 0;
}

Value NumberList::finish() {
  if (!list_) {
    Value list = make_numbers(*heap_, std::span<const double>(recent_.get(), count_));
    count_ = 0;
    return list;
  }
  if (count_ > 0) store_recent(stored_ + count_);
  Value list = to_value(std::move(list_));
  // Room that nobody needs is given back where it is much.
  if (capacity_ - stored_ > stored_ / 4) {
    Ref<Array> exact = make_list(*heap_, list.array().type(), stored_);
    copy_elements(*exact, 0, list.array(), 0, stored_);
    list = to_value(std::move(exact));
  }
  stored_ = capacity_ = 0;
  return list;
}

void NumberList::move_to(HeapVector<Value>& values) {
  for (std::size_t i = 0; i < stored_; i++) values.push_back(number_at(*list_, i));
  for (std::size_t i = 0; i < count_; i++) values.push_back(recent_[i]);
  clear();
}

void NumberList::clear() {
  list_ = {};
  stored_ = capacity_ = count_ = 0;
}

void NumberList::drop() {
  clear();
  recent_ = {};
  room_ = 0;
}

}  // namespace griddle
