#include "runtime/value/array_builder.h"

#include <algorithm>

namespace griddle {

void ArrayBuilder::grow(ElementType type, std::size_t room) {
  Ref<Array> bigger = make_list(heap_, type, room);
  if (array_) {
    if (array_->type() == type && type == ElementType::boxed) {
      // Moves the boxes: both halves are zero numbers until then.
      std::swap_ranges(array_->as<Value>(), array_->as<Value>() + count_, bigger->as<Value>());
    } else {
      copy_elements(*bigger, 0, *array_, 0, count_);
    }
  }
  array_ = std::move(bigger);
  type_ = type;
  room_ = room;
}

void ArrayBuilder::push_slow(Value v) {
  ElementType t = element_type_of(v);
  if (!array_) {
    // Starts with room for counting up: bits that soon turn into numbers are rare enough, but i8 would widen often.
    grow(t, std::max<std::size_t>(expected_, 8));
  } else {
    ElementType needed = common_type(type_, t);
    if (needed != type_ || count_ == room_) grow(needed, count_ == room_ ? std::max<std::size_t>(expected_, 2 * room_) : room_);
  }
  store(*array_, count_++, std::move(v));
}

Value ArrayBuilder::finish(std::span<const std::size_t> shape) {
  Value list = finish();
  return shape.size() == 1 ? std::move(list) : with_shape(heap_, std::move(list), shape);
}

Value ArrayBuilder::finish() {
  if (!array_) {
    Ref<Array> empty = make_list(heap_, ElementType::f64, 0);
    empty->set_fill_kind(FillKind::none);
    return to_value(std::move(empty));
  }
  Ref<Array> result = std::move(array_);
  array_ = {};
  std::size_t n = count_;
  count_ = room_ = 0;
  bool wasteful = result->length > 2 * n + 64;
  if (wasteful) {
    Ref<Array> exact = make_list(heap_, type_, n);
    if (type_ == ElementType::boxed)
      std::swap_ranges(result->as<Value>(), result->as<Value>() + n, exact->as<Value>());
    else
      copy_elements(*exact, 0, *result, 0, n);
    return to_value(std::move(exact));
  }
  result->length = n;  // boxes beyond are plain zeros and need no release
  return to_value(std::move(result));
}

}  // namespace griddle
