#include "primitives/common/cells_builder.h"

#include "runtime/value/fill.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

void CellsBuilder::start(const Value& first) {
  cell_shape_ = Shape(shape_of(first));
  const bool holds_boxes = first.is_array() && first.array().type() == ElementType::boxed;
  if (holds_boxes) fill_ = fill_of(cx_.heap, first);
  if (!fill_.is_absent()) first_ = first;
  if (cell_shape_.size() == 0) {
    units_.emplace(cx_.heap, product(frame_));
    return;
  }
  Shape shape = frame_;
  shape.append(cell_shape_);
  if (shape.size() > max_rank)
    fail(cx_, std::string(name_) + ": Result rank is too large (" + std::to_string(shape.size()) + ")");
  if (product(shape) > max_length)
    fail(cx_, std::string(name_) + ": Result is too large (shape " + shape_text(shape.view()) + ")");
  cell_length_ = first.array().length;
  result_ = to_value(make_array(cx_.heap, first.array().type(), shape));
}

void CellsBuilder::push(Value cell) {
  if (count_ == 0)
    start(cell);
  else if (!same_shape(shape_of(cell), cell_shape_))
    fail(cx_, std::string(name_) + ": Results of 𝔽 must have equal shapes (" + shape_text(cell_shape_.view()) + " and " +
                  shape_text(cell) + ")");
  std::size_t place = count_++ * cell_length_;
  if (count_ > 1 && !fill_.is_absent()) fill_ = common_fill(cx_.heap, first_, cell);
  if (cell.is_array() && (units_ || is_character(cell.array().type())) && cell.array().fill_kind() == FillKind::none)
    has_no_fill_ = true;
  if (units_) {
    units_->push(cell.is_array() ? element(cell.array(), 0) : std::move(cell));
    return;
  }
  const Array& from = cell.array();
  ElementType type = result_.array().type();
  if (from.type() != type) {
    ElementType both = common_type(type, from.type());
    if (both != type) result_ = widened(cx_.heap, std::move(result_), both);
  }
  copy_elements(result_.array(), place, from, 0, cell_length_);
}

Value CellsBuilder::finish() {
  Value result = units_ ? units_->finish(frame_) : std::move(result_);
  return fill_.is_absent() && !has_no_fill_ ? std::move(result) : with_fill(cx_.heap, std::move(result), fill_);
}

}  // namespace griddle::primitives
