// Arithmetic on short lists, where preparing a kernel would take longer than the elements.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Computes a scalar operation on two flat lists, or on one and an atom: short ones here, longer ones by their kernel. Borrows its
// arguments, and declines, with the absent value, whatever it is not made for: then the primitive itself decides.
template <ScalarOp op>
Value short_lists(Context&, const Value& w, const Value& x);

// Gives this code for an operation; null where there is none.
constexpr ShortDyad short_dyad(ScalarOp op) {
  switch (op) {
    case ScalarOp::add: return short_lists<ScalarOp::add>;
    case ScalarOp::subtract: return short_lists<ScalarOp::subtract>;
    case ScalarOp::multiply: return short_lists<ScalarOp::multiply>;
    case ScalarOp::divide: return short_lists<ScalarOp::divide>;
    case ScalarOp::minimum: return short_lists<ScalarOp::minimum>;
    case ScalarOp::maximum: return short_lists<ScalarOp::maximum>;
    case ScalarOp::logic_and: return short_lists<ScalarOp::logic_and>;
    case ScalarOp::logic_or: return short_lists<ScalarOp::logic_or>;
    case ScalarOp::less: return short_lists<ScalarOp::less>;
    case ScalarOp::less_equal: return short_lists<ScalarOp::less_equal>;
    case ScalarOp::equal: return short_lists<ScalarOp::equal>;
    case ScalarOp::greater_equal: return short_lists<ScalarOp::greater_equal>;
    case ScalarOp::greater: return short_lists<ScalarOp::greater>;
    case ScalarOp::not_equal: return short_lists<ScalarOp::not_equal>;
    default: return nullptr;
  }
}

}  // namespace griddle::primitives
