// Searches in lists of up to 127 plain elements by comparing each with each.
#pragma once

#include "primitives/kernels/search/pairwise_keys.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Borrow their arguments, or a plain list, and decline with the absent value where looking up is faster, or types differ.
Value few_index_of(Context&, const Value& w, const Value& x);
Value few_member_of(Context&, const Value& w, const Value& x);
Value few_classify(Context&, const Array& list);
Value few_mark_firsts(Context&, const Array& list);
Value few_deduplicate(Context&, const Array& list);

}  // namespace griddle::primitives
