// The rules of the functions that work number by number (dispatch.h), as the table of primitives lists them.
#pragma once

namespace griddle::primitives {

struct DyadRule;
struct MonadRule;

extern const MonadRule negate_rule, sign_rule, reciprocal_rule, square_root_rule, floor_rule, ceiling_rule, magnitude_rule;
extern const DyadRule add_rule, subtract_rule, multiply_rule, divide_rule, minimum_rule, maximum_rule, modulus_rule, and_rule,
    or_rule, span_rule, less_rule, less_equal_rule, equal_rule, greater_equal_rule, greater_rule, not_equal_rule;
// ¬𝕩 as a function of 1 and 𝕩.
extern const DyadRule complement_rule;

}  // namespace griddle::primitives
