// Searches in lists of up to 127 plain elements by comparing each with each.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Borrow their arguments, and decline with the absent value where looking up is faster, or types differ.
Value few_index_of(Context&, const Value& w, const Value& x);
Value few_member_of(Context&, const Value& w, const Value& x);
Value few_classify(Context&, const Value& x);
Value few_mark_firsts(Context&, const Value& x);
Value few_deduplicate(Context&, const Value& x);

}  // namespace griddle::primitives
