// Direct ways of folds and scans: the kernel is found by the type of the argument alone. The machine's loop calls them itself,
// with an array that they may decline.
#pragma once

#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Let a function be called directly; its rule (fusion.h) is set.
void attach_direct_fold(Derived&);
void attach_direct_scan(Derived&);
void attach_direct_insert(Derived&);
void attach_direct_fold_rows(Derived&);
void attach_direct_scan_rows(Derived&);

// Fold and scan a list of at least one number by a function that may be called directly, or by the primitive of a glyph; the
// device is not asked. The absent value where there is no such way, or, of scans, where the results do not fit it.
Value fold_on_host(const Function&, const Value& x);
Value fold_on_host(Glyph glyph, const Value& x);
Value scan_on_host(Context&, const Function&, const Value& x);

}  // namespace griddle::primitives
