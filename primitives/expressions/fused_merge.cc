#include "primitives/expressions/fused_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "primitives/kernels/elementwise/between.h"
#include "runtime/primitive.h"

namespace griddle::primitives {

namespace {

using Operation = FusedPlan::Operation;
using Elements = FusedPlan::Elements;

bool compares_with_atom(const Operation& o) { return o.kind == Operation::Kind::dyad && o.atom_left != o.atom_right; }
const Elements& elements_beside_atom(const Operation& o) { return o.atom_left ? o.x : o.w; }
Value atom_of(const Operation& o) { return (o.atom_left ? o.w : o.x).one(); }

// --- tests for a range

struct AtomRange {
  double low = NAN, high = NAN;  // both included
};

// Narrows the range to where a comparison of elements with a number or a character holds. False where it tells of no end.
bool narrow_range(ScalarOp op, const Operation& o, AtomRange& range) {
  const Value atom = atom_of(o);
  const double end = atom.is_number() ? atom.number() : static_cast<double>(atom.character());
  if (!std::isfinite(end)) return false;
  const bool real = elements_beside_atom(o).type == ElementType::f64;
  const auto after = [&](double direction) { return real ? std::nextafter(end, direction) : end + std::copysign(1, direction); };
  switch (op) {
    case ScalarOp::less: (o.atom_left ? range.low : range.high) = after(o.atom_left ? INFINITY : -INFINITY); return true;
    case ScalarOp::greater: (o.atom_left ? range.high : range.low) = after(o.atom_left ? -INFINITY : INFINITY); return true;
    case ScalarOp::less_equal: (o.atom_left ? range.low : range.high) = end; return true;
    case ScalarOp::greater_equal: (o.atom_left ? range.high : range.low) = end; return true;
    default: return false;
  }
}

// Stores both ends as elements of a type, of which the range is a part. False where it is none, or all there are.
bool store_range(const AtomRange& range, ElementType type, Operation& o) {
  return with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, char32_t>) {
      constexpr double least = static_cast<double>(std::numeric_limits<T>::lowest());
      constexpr double greatest = static_cast<double>(std::numeric_limits<T>::max());
      if (!(least <= range.low && range.low <= range.high && range.high <= greatest)) return false;
      if (range.low == least && range.high == greatest) return false;
      const T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
      std::memcpy(o.atom, &low, sizeof low);
      std::memcpy(o.other, &high, sizeof high);
      return true;
    } else {
      return false;
    }
  });
}

class Merger {
 public:
  Merger(const FusedExpression& expression, const int* reads) : expression_(expression), reads_(reads) {}

  // Each does an operation and what follows it in one pass. False where it cannot.

  // Two functions of doubles, where nothing else reads what lies between. `rooted`: square roots of that are taken then, too.
  bool pair(Operation& o, const Operation& next, bool rooted) const {
    const auto is_between = [&](const Elements& e) { return !e.single() && e.place == o.out.place; };
    const bool left = is_between(next.w), right = is_between(next.x);
    if (reads_[o.node] != left + right) return false;
    kernels::PairFunction first, second;
    if (!in_pair(o, o.atom_left, first) || !in_pair(next, !left, second)) return false;
    if (left && right && second != kernels::PairFunction::multiply) return false;
    if (o.atom_left) std::swap(o.w, o.x);
    const bool single = o.atom_left || o.atom_right;
    const int f = static_cast<int>(first), g = static_cast<int>(second);
    const kernels::PairKernels& k = rooted ? kernels::rooted_pairs() : kernels::pairs();
    o.third = left ? next.x : next.w;
    const bool single_third = next.atom_left || next.atom_right;
    std::copy(std::begin(next.atom), std::end(next.atom), o.other);
    become(o, left && right ? k.squares[f][single] : (single_third ? k.of_single : k.of_array)[f][single][g], o.w, single,
           single_third, next);
    return true;
  }
  // Tells whether an operation takes the square roots of what another one gives, which nothing else reads.
  bool takes_roots(const Operation& o, const Operation& of) const {
    return o.kind == Operation::Kind::monad && op(o) == ScalarOp::root && o.x.type == ElementType::f64 &&
           o.out.type == ElementType::f64 && o.x.place == of.out.place && reads_[of.node] == 1;
  }

  // Two comparisons of the same elements that must both hold: a test for a range.
  bool range(Operation& o, const Operation& second, const Operation& both) const {
    const bool conjunction = both.kind == Operation::Kind::dyad && !both.atom_left && !both.atom_right &&
                             is_any(op(both), ScalarOp::logic_and, ScalarOp::multiply);
    if (!conjunction || !compares_with_atom(o) || !compares_with_atom(second)) return false;
    if (reads_[o.node] != 1 || reads_[second.node] != 1) return false;
    const Elements elements = elements_beside_atom(o), others = elements_beside_atom(second);
    if (elements.place != others.place || elements.type != others.type) return false;
    if (std::minmax(both.w.place, both.x.place) != std::minmax(o.out.place, second.out.place)) return false;
    AtomRange range;
    if (!narrow_range(op(o), o, range) || !narrow_range(op(second), second, range)) return false;
    if (!store_range(range, elements.type, o)) return false;
    become(o, kernels::between().lanes[lane_of_elements(elements.type)], elements, true, true, both);
    return true;
  }

  // Both functions of `low⌈high⌊x`, or of `high⌊low⌈x`, where it is the same.
  bool limits(Operation& o, const Operation& next) const {
    const bool high_first = is_extreme(o, ScalarOp::minimum) && is_extreme(next, ScalarOp::maximum);
    if (!high_first && !(is_extreme(o, ScalarOp::maximum) && is_extreme(next, ScalarOp::minimum))) return false;
    const Elements elements = elements_beside_atom(o), between = elements_beside_atom(next);
    const ElementType type = elements.type;
    if (reads_[o.node] != 1 || between.place != o.out.place || !is_number(type) || type == ElementType::bit) return false;
    if (o.out.type != type || between.type != type || next.out.type != type) return false;
    // A NaN stays where both numbers are on its left: elsewhere it gives way to one of them.
    if (type == ElementType::f64 && !(o.atom_left && next.atom_left)) return false;
    const double first = atom_of(o).number(), second = atom_of(next).number();
    if (!(high_first ? second < first : first < second)) return false;
    std::copy(std::begin(next.atom), std::end(next.atom), o.other);
    if (high_first) std::swap(o.atom, o.other);
    become(o, kernels::between().limit[lane_above_bits(type)], elements, true, true, next);
    return true;
  }

 private:
  // Tells what an operation computes: not for one that makes a range.
  ScalarOp op(const Operation& o) const { return expression_.nodes[static_cast<std::size_t>(o.node)].function->scalar; }
  bool is_extreme(const Operation& o, ScalarOp of) const { return compares_with_atom(o) && op(o) == of; }

  // Gives the function of an operation on doubles that pairs have, with its arguments swapped or not.
  bool in_pair(const Operation& o, bool swapped, kernels::PairFunction& f) const {
    if (o.kind != Operation::Kind::dyad || o.w.type != ElementType::f64 || o.x.type != ElementType::f64) return false;
    switch (op(o)) {
      case ScalarOp::add: f = kernels::PairFunction::add; return true;
      case ScalarOp::subtract: f = swapped ? kernels::PairFunction::from : kernels::PairFunction::subtract; return true;
      case ScalarOp::multiply: f = kernels::PairFunction::multiply; return true;
      default: return false;
    }
  }
  // Makes one operation of all up to `last`.
  static void become(Operation& o, kernels::Pair kernel, const Elements& w, bool single, bool single_third,
                     const Operation& last) {
    o.kind = Operation::Kind::pair;
    o.pair = kernel;
    o.w = w;
    o.atom_left = false, o.atom_right = single, o.atom_third = single_third;
    o.node = last.node;
    o.out = last.out;
  }

  const FusedExpression& expression_;
  const int* reads_;  // of the results of each node
};

}  // namespace

bool merge_neighbours(const FusedExpression& expression, std::vector<Operation>& all, const int* reads) {
  const Merger merger(expression, reads);
  bool gains_early = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); i++, kept++) {
    if (kept != i) all[kept] = all[i];
    const std::size_t left = all.size() - i;
    if (left > 2 && merger.range(all[kept], all[i + 1], all[i + 2])) {
      i += 2;
      gains_early = true;
    } else if (left > 1 && merger.limits(all[kept], all[i + 1])) {
      i++;
      gains_early = true;
    } else if (left > 1) {
      const bool rooted = left > 2 && merger.takes_roots(all[i + 2], all[i + 1]);
      if (!merger.pair(all[kept], all[i + 1], rooted)) continue;
      i += 1 + rooted;
      all[kept].node = all[i].node;
      all[kept].out = all[i].out;
    }
  }
  all.resize(kept);
  return gains_early;
}

}  // namespace griddle::primitives
