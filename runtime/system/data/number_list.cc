#include "runtime/system/data/number_list.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "primitives/kernels/shared/convert.h"

namespace griddle {

namespace {

// So many wait as doubles; all columns of a table should stay in a near cache.
constexpr std::size_t least_recent = 64, most_recent = 4096;
// What is expected counts from this length on: shorter lists may be one of many.
constexpr std::size_t long_list = 8 * most_recent;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// Pages are chosen one by one in lists from this size on. A list of many pages may have its first one at once where a host lends
// its memory, and wait for the others longer than it takes to read the numbers.
constexpr std::size_t long_bytes = 4 * huge_page;

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

void NumberList::add_every(const double* first, std::size_t stride, std::size_t count, std::size_t expected) {
  while (count > 0) {
    if (is_full()) make_room(expected);
    const std::size_t some = std::min(count, room_ - count_);
    double* const to = recent_.get() + count_;
    for (std::size_t i = 0; i < some; i++) to[i] = first[i * stride];
    first += some * stride;
    count_ += some;
    count -= some;
  }
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
  const auto start = reinterpret_cast<std::uintptr_t>(wider->data.here());
  chosen_ = bytes_for(type, capacity_) < long_bytes ? nullptr
                                                    : reinterpret_cast<char*>((start + huge_page - 1) / huge_page * huge_page);
  std::swap(list_, wider);
  choose_pages(stored_);
  std::swap(list_, wider);
  if (list_) copy_elements(*wider, 0, *list_, 0, stored_);
  list_ = std::move(wider);
}

// Says how the memory of the first numbers of the list comes, before they are stored.
void NumberList::choose_pages(std::size_t needed) {
  if (chosen_ == nullptr) return;
  const char* const start = reinterpret_cast<const char*>(list_->data.here());
  const auto end = start + bytes_for(list_->type(), needed), last = start + bytes_for(list_->type(), capacity_);
  for (; chosen_ < end && last - chosen_ >= static_cast<std::ptrdiff_t>(huge_page); chosen_ += huge_page)
    pages_->advise(chosen_, huge_page);
}

// Tells whether all recent numbers could be stored behind the others, in the type that these have.
bool NumberList::store_alike() {
  if (!list_ || list_->type() == ElementType::bit || stored_ + count_ > capacity_) return false;
  const ElementType type = list_->type();
  choose_pages(stored_ + count_);
  std::uint8_t* const to = list_->data + bytes_for(type, stored_);
  if (type == ElementType::f64) {
    std::memcpy(to, recent_.get(), bytes_for(type, count_));
    return true;
  }
  const kernels::Monad narrow = kernels::convert().narrow[static_cast<int>(ElementType::f64)][static_cast<int>(type)];
  return narrow != nullptr && narrow(to, recent_.get(), count_) == count_;
}

void NumberList::store_recent(std::size_t expected) {
  if (store_alike()) {
    stored_ += count_;
    list_->length = stored_;
    count_ = 0;
    return;
  }
  const Value recent = make_numbers(*heap_, std::span<const double>(recent_.get(), count_));
  const Array& numbers = recent.array();
  const ElementType type = list_ ? wider(list_->type(), numbers.type()) : numbers.type();
  const std::size_t needed = stored_ + count_;
  if (!list_ || list_->type() != type || needed > capacity_) widen(type, needed, expected);
  list_->length = needed;
  choose_pages(needed);
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
  chosen_ = nullptr;
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
  chosen_ = nullptr;
}

void NumberList::drop() {
  clear();
  recent_ = {};
  room_ = 0;
}

}  // namespace griddle
