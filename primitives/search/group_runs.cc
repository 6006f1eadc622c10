#include "primitives/search/group_runs.h"

#include <algorithm>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"

namespace griddle::primitives {

namespace {

// The groups, all of which are the empty one at first. Counts its references when it is left.
class Groups {
 public:
  Groups(Heap& heap, std::size_t count, const Value& empty)
      : groups_(make_boxes_filled_with(heap, count, empty)),
        empty_(empty),
        at_(groups_->as<std::uint64_t>()),
        empty_left_(count) {
    std::fill_n(at_, count, empty.bits());
  }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() { count_references(); }

  void set(std::size_t group, std::uint64_t bits) {
    at_[group] = bits;
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
  std::uint64_t* const at_;
  std::size_t empty_left_;
};

template <class T>
Value group_runs_of(Context& cx, const T* from, const Array& numbers, std::size_t cells, std::size_t count, const Value& list,
                    const Value& empty) {
  const Value ends = ends_of_runs(cx, numbers, cells);
  Groups groups(cx.heap, count, empty);
  const ListCutter pieces(cx.heap, list);
  std::size_t before = 0;  // one more than the last group
  const bool ascend = visit_runs(from, cells, ends.array(), [&](std::size_t group, std::size_t first, std::size_t n) {
    if (group < before) return false;
    groups.set(group, pieces(first, n));
    before = group + 1;
    return true;
  });
  return ascend ? groups.finish() : Value();
}

}  // namespace

bool may_be_in_order(const Array& numbers, std::size_t n) {
  return with_integers(numbers, [=](const auto* from) {
    const std::size_t looks = std::min<std::size_t>(n, 32);
    std::int32_t last = -1;
    for (std::size_t k = 0; k < looks; k++) {
      const std::int32_t number = from[k * n / looks];
      if (number < 0) continue;
      if (number < last) return false;
      last = number;
    }
    return true;
  });
}

Value ends_of_runs(Context& cx, const Array& numbers, std::size_t cells) {
  const Value all = Value::share(const_cast<Array*>(&numbers));
  return not_equal(cx, slice(cx.heap, all, 0, cells - 1), slice(cx.heap, all, 1, cells - 1));
}

Value empty_group(Context& cx, const Array& cells, const Value& fill) {
  if (is_plain_list(cells)) return Value(make_plain_list(cx.heap, cells.type(), 0));
  Shape shape(cells.shape());
  shape[0] = 0;
  return with_fill(cx.heap, to_value(make_array(cx.heap, cells.type(), shape)), fill);
}

Value group_runs(Context& cx, const Array& numbers, std::size_t cells, std::size_t groups, const Value& list,
                 const Value& empty) {
  if (!is_flat_list(list) || list.array().type() == ElementType::bit || numbers.type() == ElementType::bit || cells < 2 ||
      groups == 0 || !may_be_in_order(numbers, cells))
    return Value();
  return with_integers(numbers, [&](const auto* from) { return group_runs_of(cx, from, numbers, cells, groups, list, empty); });
}

}  // namespace griddle::primitives
