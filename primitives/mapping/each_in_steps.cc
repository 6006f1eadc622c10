// f¨ x for functions of several parts, which are done one after the other on all elements.
#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/mapping/each.h"
#include "primitives/modifiers.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

namespace {

// Tells whether there are enough boxes for that.
bool are_boxes_for_steps(const Value& x) {
  constexpr std::size_t fewest = 6;
  return x.array().type() == ElementType::boxed && x.array().length >= fewest;
}

// Tells whether a function may be called for all elements before anything else. A block is compiled, which no function of several
// parts beats that is called for each element.
bool is_done_first(const Value& f, bool in_block) {
  if (!f.is_function() || !f.function().is_pure()) return false;
  if (!in_block || primitive_entry(f) != nullptr || is_pervasive(f)) return true;
  const Wiring wiring = wiring_of(f, false);
  const auto is_data = [](const Wiring::Input& i) { return i.by != nullptr && !i.by->is_operation(); };
  return wiring && wiring.has_left() && primitive_entry(*wiring.last) != nullptr &&
         (is_data(wiring.left) ? wiring.right.by == nullptr : is_data(wiring.right) && wiring.left.by == nullptr);
}

// Tells whether two functions take less time on all elements, one after the other, than both on one element after the other:
// where the second one needs no calls, or both move few elements.
bool are_quick_on_each(const Value& first, const Value& second, const Value& x, bool is_block) {
  if (!are_boxes_for_steps(x)) return false;
  const PrimitiveFunctionEntry* const last = primitive_entry(second);
  const bool folds = reduces_by(second) == Reduces::folds && primitive_entry(operand(second.function())) != nullptr;
  if (folds || (last != nullptr && last->on_each != nullptr)) return is_done_first(first, is_block);
  const auto rearranges = [](const PrimitiveFunctionEntry* p) {
    return p != nullptr && p->one.moves == Moves::elements && p->one.bounded;
  };
  const PrimitiveFunctionEntry* const p = primitive_entry(first);
  return rearranges(last) && (rearranges(p) || (p != nullptr && p->on_each != nullptr) || is_pervasive(first));
}

// Gives (F g H)¨ x where F and H read an atom off each element. Nobody may see that they are called in another order: a failure
// is left to the calls one by one.
Value read_fork(Context& cx, const Wiring& fork, const Value& x) {
  const auto is_pure = [](const Value* f) { return f != nullptr && f->is_function() && f->function().is_pure(); };
  if (!is_pure(fork.left.by) || !is_pure(fork.right.by) || !is_pure(fork.last)) return Value();
  return result_or_absent([&] {
    const auto atoms = [&](const Value& f) {
      Value read = read_through(cx, f, x);
      return read.is_absent() || read.array().type() == ElementType::boxed ? Value() : read;
    };
    Value right = atoms(*fork.right.by);
    if (right.is_absent()) return right;
    Value left = atoms(*fork.left.by);
    return left.is_absent() ? left : map_each(cx, *fork.last, std::move(left), std::move(right));
  });
}

}  // namespace

Value read_through(Context& cx, const Value& f, const Value& x) {
  if (cx.general_ways) return Value();
  cx.check_stack();
  if (Value result = read_each(cx, f, x); !result.is_absent()) return result;
  const Wiring wiring = wiring_of(f, false);
  if (!wiring) return Value();
  const Value& last = *wiring.last;
  const auto data = [&](const Wiring::Input& i) {
    if (i.by == nullptr || i.by->is_operation()) return Value();
    return i.by->is_atom() ? *i.by : enclose(cx.heap, *i.by);
  };
  const Value k = data(wiring.left);
  if (wiring.has_left()) {
    if (wiring.right.by == nullptr) {
      const bool meets_itself = wiring.left.by == nullptr;
      return k.is_absent() && !meets_itself ? Value() : read_each(cx, last, meets_itself ? x : k, x);
    }
    if (const Value right = data(wiring.right); wiring.left.by == nullptr && !right.is_absent())
      return read_each(cx, last, x, right);
    if (k.is_absent()) return read_fork(cx, wiring, x);
  }
  if (wiring.right.by == nullptr) return Value();
  Value inner = read_through(cx, *wiring.right.by, x);
  if (inner.is_absent()) return inner;
  return wiring.has_left() ? map_each(cx, last, k, std::move(inner)) : map_each(cx, last, std::move(inner));
}

Value read_in_steps(Context& cx, const Value& f, const Value& x, bool is_block) {
  const Wiring wiring = wiring_of(f, false);
  if (cx.general_ways || !wiring || wiring.right.by == nullptr) return Value();
  if (!wiring.has_left()) {
    if (!are_quick_on_each(*wiring.right.by, *wiring.last, x, is_block)) return Value();
    return result_or_absent([&] { return map_each(cx, *wiring.last, map_each(cx, *wiring.right.by, x)); });
  }
  const PrimitiveFunctionEntry* const last = primitive_entry(*wiring.last);
  if (wiring.left.by == nullptr || last == nullptr || !last->two.number || !are_boxes_for_steps(x)) return Value();
  return result_or_absent([&] {
    const auto part = [&](const Value& g) {
      if (side_passed_by(g) != ScalarOp::none) return x;
      if (!g.is_operation()) return g.is_atom() ? g : enclose(cx.heap, g);
      return is_done_first(g, is_block) ? map_each(cx, g, x) : read_through(cx, g, x);
    };
    const Value right = part(*wiring.right.by), left = right.is_absent() ? right : part(*wiring.left.by);
    return left.is_absent() ? left : read_each(cx, *wiring.last, left, right);
  });
}

Value read_by_block(Context& cx, const Value& f, const Value& x) {
  if (cx.general_ways || x.array().type() != ElementType::boxed) return Value();
  const Value train = composed_by_block(cx, f, false);
  if (train.is_absent()) return train;
  Value result =
      result_or_absent([&] { return primitive_entry(train) != nullptr ? map_each(cx, train, x) : read_through(cx, train, x); });
  return result.is_absent() ? read_in_steps(cx, train, x, true) : result;
}

}  // namespace griddle::primitives
