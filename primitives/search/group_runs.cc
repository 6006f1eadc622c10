#include "primitives/search/group_runs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/sort/is_sorted.h"
#include "runtime/value/copy_few.h"

namespace griddle::primitives {

namespace {

// Looks at some of the numbers: most that are not in order show it.
template <class T>
bool may_be_in_order(const T* numbers, std::size_t n) {
  constexpr std::size_t looks = 32;
  T last = -1;
  for (std::size_t k = 0; k < looks; k++) {
    const T number = numbers[k * n / looks];
    if (number < 0) continue;
    if (number < last) return false;
    last = number;
  }
  return true;
}

// Makes lists of elements that lie together in another list.
class ListCutter {
 public:
  ListCutter(Heap& heap, const Value& list)
      : heap_(heap),
        list_(list),
        plain_(plain_lists[static_cast<int>(list.array().type())]),
        log2_bytes_(plain_.log2_bits - 3),
        elements_(list.array().data),
        end_(elements_ + (list.array().length << log2_bytes_)) {}

  // Makes the piece of n elements, at least one, from a place on.
  Value operator()(std::size_t place, std::size_t n) const {
    const std::size_t bytes = n << log2_bytes_;
    if (bytes > tuning().copied_group_in_order) return slice(heap_, list_, place, n);
    Array* const piece = make_list_of(heap_, plain_, n);
    copy(piece->data.here(), elements_ + (place << log2_bytes_), bytes);
    return Value(piece);
  }

 private:
  // Lists have whole words of memory, so that short pieces of different lengths need no branches.
  void copy(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) const {
    constexpr std::size_t word = sizeof(std::uint64_t);
    if (bytes > 2 * word || static_cast<std::size_t>(end_ - from) < 2 * word) [[unlikely]]
      return copy_few(to, from, bytes);
    const std::size_t last = std::max(bytes, word) - word;
    std::uint64_t first_word, last_word;
    std::memcpy(&first_word, from, word);
    std::memcpy(&last_word, from + last, word);
    std::memcpy(to, &first_word, word);
    std::memcpy(to + last, &last_word, word);
  }

  Heap& heap_;
  const Value& list_;
  const PlainList plain_;
  const std::size_t log2_bytes_;
  const std::uint8_t* const elements_;
  const std::uint8_t* const end_;
};

// The groups, all of which are the empty one at first. Counts its references when it is left.
class Groups {
 public:
  Groups(Heap& heap, std::size_t count, const Value& empty)
      : groups_(make_boxes_filled_with(heap, count, empty)), empty_(empty), empty_left_(count) {
    std::fill_n(groups_->as<std::uint64_t>(), count, empty.bits());
  }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() { count_references(); }

  void set(std::size_t group, Value v) {
    groups_->as<std::uint64_t>()[group] = v.leak();
    empty_left_--;
  }
  Value finish() {
    count_references();
    return to_value(std::move(groups_));
  }

 private:
  void count_references() {
    empty_.object()->refs += static_cast<std::uint32_t>(empty_left_);
    empty_left_ = 0;
  }
  Ref<Array> groups_;
  const Value& empty_;
  std::size_t empty_left_;
};

// Cuts at the ends of runs of equal numbers. Gives false where a group's number is not above those before.
template <class T>
bool cut_runs(Context& cx, const T* numbers, std::size_t cells, const Array& ends, const ListCutter& pieces, Groups& groups) {
  std::size_t from = 0;
  std::int64_t last = -1;
  const auto run_up_to = [&](std::size_t end) {
    const std::int64_t group = numbers[from];
    if (group >= 0) {
      if (group <= last) return false;
      groups.set(static_cast<std::size_t>(group), pieces(from, end - from));
      last = group;
    }
    from = end;
    return true;
  };
  for (std::size_t i = 0; i < ends.length; i += 64) {
    if (i % 65536 == 0) cx.check_interrupt();
    std::uint64_t word = ends.as<std::uint64_t>()[i / 64];
    if (ends.length - i < 64) word &= (std::uint64_t{1} << (ends.length - i)) - 1;
    for (; word != 0; word &= word - 1)
      if (!run_up_to(i + static_cast<std::size_t>(std::countr_zero(word)) + 1)) return false;
  }
  return run_up_to(cells);
}

template <class T>
Value group_runs_of(Context& cx, const Array& numbers, std::size_t cells, std::size_t count, const Value& list,
                    const Value& empty) {
  const T* const from = numbers.as<T>();
  if (!may_be_in_order(from, cells)) return Value();
  const Value all = Value::share(const_cast<Array*>(&numbers));
  const Value ends = not_equal(cx, slice(cx.heap, all, 0, cells - 1), slice(cx.heap, all, 1, cells - 1));
  Groups groups(cx.heap, count, empty);
  return cut_runs(cx, from, cells, ends.array(), ListCutter(cx.heap, list), groups) ? groups.finish() : Value();
}

// Gives the end of the run of equal numbers, which are in order, that starts at a place: looks ever farther, then closer again.
template <class T>
std::size_t end_of_run(const T* numbers, std::size_t from, std::size_t n) {
  std::size_t step = 1;
  while (from + step < n && numbers[from + step] == numbers[from]) step *= 2;
  const T* const begin = numbers + from + step / 2;
  return static_cast<std::size_t>(std::upper_bound(begin, numbers + std::min(n, from + step), numbers[from]) - numbers);
}

template <class T>
Value group_in_order_of(Context& cx, const Array& numbers, const Value& list) {
  const T* const number = numbers.as<T>();
  const std::size_t n = numbers.length;
  const std::int64_t last = number[n - 1];
  const ElementType type = list.array().type();
  if (number[0] < -1 || last < 0 || static_cast<std::size_t>(last) > 2 * n ||
      !kernels::is_sorted(numbers.type(), number, n, false))
    return Value();
  const Value empty = Value(make_plain_list(cx.heap, type, 0));
  Groups groups(cx.heap, static_cast<std::size_t>(last) + 1, empty);
  const ListCutter pieces(cx.heap, list);
  for (std::size_t from = 0; from < n;) {
    const std::size_t end = end_of_run(number, from, n);
    if (number[from] >= 0) groups.set(static_cast<std::size_t>(number[from]), pieces(from, end - from));
    from = end;
  }
  return groups.finish();
}

bool is_plain_list_of_bytes(const Array& a) {
  return a.is_list() && a.type() != ElementType::bit && a.type() != ElementType::boxed && has_plain_fill(a) &&
         !a.data.elsewhere();
}

}  // namespace

Value empty_group(Context& cx, const Array& cells, const Value& fill) {
  if (is_plain_list(cells)) return Value(make_plain_list(cx.heap, cells.type(), 0));
  Shape shape(cells.shape());
  shape[0] = 0;
  return with_fill(cx.heap, to_value(make_array(cx.heap, cells.type(), shape)), fill);
}

Value group_in_order(Context& cx, const Value& w, const Value& x) {
  constexpr std::size_t least = 2;
  if (!w.is_array() || !x.is_array() || cx.device != nullptr) return Value();
  const Array &numbers = w.array(), &a = x.array();
  if (a.length - least > tuning().most_grouped_in_order - least || numbers.length != a.length ||
      !is_plain_list_of_bytes(numbers) || !is_plain_list_of_bytes(a))
    return Value();
  switch (numbers.type()) {
    case ElementType::i8: return group_in_order_of<std::int8_t>(cx, numbers, x);
    case ElementType::i16: return group_in_order_of<std::int16_t>(cx, numbers, x);
    case ElementType::i32: return group_in_order_of<std::int32_t>(cx, numbers, x);
    default: return Value();
  }
}

Value group_runs(Context& cx, const Array& numbers, std::size_t cells, std::size_t groups, const Value& list,
                 const Value& empty) {
  const Array& a = list.array();
  const ElementType type = a.type();
  if (!a.is_list() || type == ElementType::bit || type == ElementType::boxed || !has_plain_fill(a) || cells < 2 || groups == 0 ||
      cx.device != nullptr)
    return Value();
  switch (numbers.type()) {
    case ElementType::i8: return group_runs_of<std::int8_t>(cx, numbers, cells, groups, list, empty);
    case ElementType::i16: return group_runs_of<std::int16_t>(cx, numbers, cells, groups, list, empty);
    case ElementType::i32: return group_runs_of<std::int32_t>(cx, numbers, cells, groups, list, empty);
    default: return Value();
  }
}

}  // namespace griddle::primitives
