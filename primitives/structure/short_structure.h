// ∾ ⋈ ≍ ↑ ↓ ⊏ ⊑ ≡ ≢ ⌽ ⥊ of short arrays, which stay where they are. Give the bits of the result; those of the absent value
// decline.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

std::uint64_t short_ravel(Context&, const Value& x);
std::uint64_t short_first(Context&, const Value& x);       // ⊑
std::uint64_t short_first_cell(Context&, const Value& x);  // ⊏
std::uint64_t short_join(Context&, const Value& w, const Value& x);
std::uint64_t short_take(Context&, const Value& w, const Value& x);
std::uint64_t short_drop(Context&, const Value& w, const Value& x);
std::uint64_t short_select(Context&, const Value& w, const Value& x);
std::uint64_t short_pick(Context&, const Value& w, const Value& x);
std::uint64_t short_match(Context&, const Value& w, const Value& x);
std::uint64_t short_unlike(Context&, const Value& w, const Value& x);  // ≢
std::uint64_t short_rotate(Context&, const Value& w, const Value& x);
std::uint64_t short_reshape(Context&, const Value& w, const Value& x);
std::uint64_t short_pair(Context&, const Value& w, const Value& x);
std::uint64_t short_solo(Context&, const Value& x);
std::uint64_t short_couple(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
