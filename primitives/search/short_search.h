// Searching, ordering and classifying lists of a few atoms: looking at all of them costs less than preparing to look them up.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Borrow their arguments and decline, with the absent value, whatever they are not made for: then the primitive itself decides.
Value short_index_of(Context&, const Value& w, const Value& x);
Value short_member_of(Context&, const Value& w, const Value& x);
Value short_classify(Context&, const Value& x);
Value short_occurrence_count(Context&, const Value& x);
Value short_mark_firsts(Context&, const Value& x);
Value short_deduplicate(Context&, const Value& x);
Value short_bins_up(Context&, const Value& w, const Value& x);
Value short_bins_down(Context&, const Value& w, const Value& x);
Value short_grade(Context&, const Value& x, bool down);
Value short_sort(Context&, const Value& x, bool down);

}  // namespace griddle::primitives
