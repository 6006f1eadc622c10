#include "primitives/mapping/cell_choices.h"

#include <algorithm>

#include "primitives/common/elements.h"
#include "primitives/functions.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/structure/replicate.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

namespace {

std::size_t ones_in(const Value& mask) { return kernels::count_ones(mask.array().as<std::uint64_t>(), mask.array().length); }

}  // namespace

bool CellChoices::divide(const Value& index, std::size_t choices) {
  if (choices == 0 || choices > most) return false;
  index_ = index;
  std::size_t placed = 0;
  for (std::size_t k = choices; k-- > 0 && placed < length_;) {
    const bool is_mask = index.array().type() == ElementType::bit && k < 2;
    if (is_mask)
      masks_[k] = k == 1 ? index : complement(cx_, index);
    else
      masks_[k] = equal(cx_, index, Value(static_cast<double>(k)));
    counts_[k] = ones_in(masks_[k]);
    placed += counts_[k];
  }
  return placed == length_;
}

Value CellChoices::taken_by(std::size_t choice, const Value& list) const {
  return replicate_list(cx_, masks_[choice].array(), list);
}

Value CellChoices::merged(std::span<const Value> results) const {
  const auto is_list = [](const Value& v) { return v.is_array(); };
  if (std::ranges::none_of(results, is_list)) return merged_atoms(results);
  ElementType type = ElementType::boxed;
  bool known = false;
  const Value* spread = nullptr;  // an atom that stands wherever nothing else is put
  for (const Value& v : results) {
    if (v.is_absent()) continue;
    const ElementType one = v.is_array() ? v.array().type() : element_type_of(v);
    type = known ? common_type(type, one) : one;
    known = true;
    if (!v.is_array()) spread = &v;
  }
  if (type == ElementType::boxed) return Value();
  const auto many = [&](const Value& atom, std::size_t count) {
    return converted(cx_.heap, filled(cx_.heap, std::span<const std::size_t>(&count, 1), atom).array(), type);
  };
  Value all = spread != nullptr ? many(*spread, length_) : to_value(make_list(cx_.heap, type, length_));
  for (std::size_t k = 0; k < results.size(); k++) {
    const Value& v = results[k];
    if (v.is_absent() || &v == spread) continue;
    const Value list = v.is_array() ? converted(cx_.heap, v.array(), type) : many(v, counts_[k]);
    put_at_ones(all.array(), list.array(), masks_[k].array());
  }
  return all;
}

Value CellChoices::merged_atoms(std::span<const Value> results) const {
  const Value& chosen = *std::ranges::find_if(results, [](const Value& v) { return !v.is_absent(); });
  Value atoms[most];
  for (std::size_t k = 0; k < results.size(); k++) atoms[k] = results[k].is_absent() ? chosen : results[k];
  const Value list = make_values(cx_.heap, {atoms, results.size()});
  return is_flat(list) ? select(cx_, index_, list) : Value();
}

}  // namespace griddle::primitives
