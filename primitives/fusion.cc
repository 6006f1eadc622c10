// Faster code for derived functions, chosen when they are formed.
#include "primitives/modifiers.h"

namespace griddle::primitives {

void attach_fold(Context&, Derived&) {}
void attach_insert(Context&, Derived&) {}
void attach_scan(Context&, Derived&) {}
void attach_each(Context&, Derived&) {}
void attach_table(Context&, Derived&) {}
void attach_cells(Context&, Derived&) {}

}  // namespace griddle::primitives
