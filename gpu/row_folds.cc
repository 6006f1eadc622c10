// Folds of rows that have not run. Chains compute them, and functions of them, for all places of a row, where the device has a
// kernel that does; otherwise folds are computed one after the other, each from elements in memory.
#include <algorithm>

#include "gpu/device_array.h"

namespace griddle {

namespace {

// Kernels have as many elements of a row in registers.
constexpr std::size_t longest_row = 8192;
// Each fold that waits may keep as large an array as there is.
constexpr std::size_t most_waiting = 8;

double joined(griddle_fold f, double w, double x) {
  switch (f) {
    case griddle_fold_add: return w + x;
    case griddle_fold_minimum: return w != w || w < x ? w : x;
    default: return w != w || w > x ? w : x;
  }
}

}  // namespace

// Tells whether elements are those of an array that is not there and stands for rows, each for all places of its row.
bool DeviceArray::shows_rows() const { return !computed() && row_ != 0 && is_displaced() && source_ && !source_->computed(); }

// Lets the elements follow from an array that folds of rows lead to. All such have the same rows, and the same length.
void DeviceArray::follow_rows_of(DeviceArray& a) {
  if (a.computed() || a.row_ == 0) return;
  if (row_ != 0 && (row_ != a.row_ || stands_for_rows_ != a.stands_for_rows_)) {
    a.memory();
    return;
  }
  row_ = a.row_;
  stands_for_rows_ = a.stands_for_rows_;
}

void DeviceArray::set_row_fold(Ref<DeviceArray> source, RowFold fold) {
  const bool fits = source->row_ == 0 || (source->row_ == fold.row && !source->stands_for_rows_);
  if (!fits) source->memory();
  lead_through(*source);
  source_ = std::move(source);
  row_fold_ = fold;
  row_ = fold.row;
  stands_for_rows_ = true;
  if (fold.row > longest_row) {
    fold_alone();
    return;
  }
  griddle_chain chain;
  if (!make_chain(chain)) make_operands();
  std::vector<DeviceArray*>& waiting = state_->waiting_folds;
  waiting.push_back(this);
  if (waiting.size() > most_waiting) waiting.front()->memory();
}

// Computes the folds that lead to the elements, and whatever serves rows, in order.
void DeviceArray::settle_row_folds() {
  const Ref<DeviceArray> self = Ref<DeviceArray>::share(this);
  for (const Ref<DeviceArray>& a : row_functions()) {
    if (a->row_fold_)
      a->fold_alone();
    else
      a->memory();
  }
}

// Tells whether the fold is of elements so narrow that they are computed first: kernels fold several of them at once.
bool DeviceArray::folds_narrow() const {
  return row_fold_ && source_->row_ == 0 && type != ElementType::bit && is_number(source_->type) &&
         source_->type <= ElementType::i16;
}

void* DeviceArray::fold_alone() {
  const void* const from = source_->memory();
  void* const to = state_->allocate(bytes_for(type, length), maker);
  return made_by_kernel(state_->plugin().fold_rows(state_->device(), row_fold_->fold, plugin_type(source_->type), from,
                                                   plugin_type(type), to, length, row_fold_->row),
                        to);
}

void DeviceArray::forget_fold() {
  if (!row_fold_) return;
  std::erase(state_->waiting_folds, this);
  row_fold_.reset();
}

Value DeviceArray::folds_on_host() {
  const Value source = source_->on_host();
  Ref<Array> list = make_list(state_->cx.heap, type, length);
  const std::size_t row = row_fold_->row;
  for (std::size_t i = 0; i < length; i++) {
    if ((i & 0xFF) == 0) state_->cx.check_interrupt();
    double all = element(source.array(), i * row + row - 1).number();
    for (std::size_t k = row - 1; k-- > 0;) all = joined(row_fold_->fold, element(source.array(), i * row + k).number(), all);
    store(*list, i, Value(all));
  }
  return to_value(std::move(list));
}

}  // namespace griddle
