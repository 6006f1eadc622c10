#include "primitives/expressions/fused_merge.h"

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

// Gives the name of the function that an operation computes: not for one that makes a range.
Glyph operation_name(const FusedExpression& expression, const Operation& o) {
  return expression.nodes[static_cast<std::size_t>(o.node)].function->name;
}

// --- two functions of doubles

// Gives the function of an operation on doubles that pairs have, with its arguments swapped or not.
bool in_pair(const FusedExpression& expression, const Operation& o, bool swapped, kernels::PairFunction& f) {
  if (o.kind != Operation::Kind::dyad || o.w.type != ElementType::f64 || o.x.type != ElementType::f64) return false;
  switch (operation_name(expression, o)) {
    case Glyph::add: f = kernels::PairFunction::add; return true;
    case Glyph::subtract: f = swapped ? kernels::PairFunction::from : kernels::PairFunction::subtract; return true;
    case Glyph::multiply: f = kernels::PairFunction::multiply; return true;
    default: return false;
  }
}

// Tells whether an operation takes the square roots of what another one gives, which nothing else reads.
bool takes_roots(const FusedExpression& expression, const Operation& o, const Operation& of, const int* reads) {
  return o.kind == Operation::Kind::monad && operation_name(expression, o) == Glyph::root && o.x.type == ElementType::f64 &&
         o.out.type == ElementType::f64 && o.x.place == of.out.place && reads[of.node] == 1;
}

// Does an operation and the next one in one pass where nothing else reads what lies between. `rooted`: square roots of that are
// taken then, too. False where it cannot.
bool merge_pair(const FusedExpression& expression, Operation& o, const Operation& next, const int* reads, bool rooted) {
  const auto is_between = [&](const Elements& e) { return !e.single() && e.place == o.out.place; };
  const bool left = is_between(next.w), right = is_between(next.x);
  if (reads[o.node] != left + right) return false;
  kernels::PairFunction first, second;
  if (!in_pair(expression, o, o.atom_left, first) || !in_pair(expression, next, !left, second)) return false;
  if (left && right && second != kernels::PairFunction::multiply) return false;
  if (o.atom_left) std::swap(o.w, o.x);
  const bool single = o.atom_left || o.atom_right;
  o.kind = Operation::Kind::pair;
  o.atom_left = false, o.atom_right = single;
  o.third = left ? next.x : next.w;
  o.atom_third = next.atom_left || next.atom_right;
  std::copy(std::begin(next.atom), std::end(next.atom), o.other);
  o.out = next.out;
  const int f = static_cast<int>(first), g = static_cast<int>(second);
  const kernels::PairKernels& k = rooted ? kernels::rooted_pairs() : kernels::pairs();
  o.pair = left && right ? k.squares[f][single] : (o.atom_third ? k.of_single : k.of_array)[f][single][g];
  return true;
}

// --- tests for a range

struct AtomRange {
  double low = NAN, high = NAN;  // both included
};

// Narrows the range to where a comparison of elements with a number or a character holds. False where it tells of no end.
bool narrow_range(Glyph glyph, const Operation& o, AtomRange& range) {
  const Value atom = (o.atom_left ? o.w : o.x).one();
  const double end = atom.is_number() ? atom.number() : static_cast<double>(atom.character());
  if (!std::isfinite(end)) return false;
  const bool real = (o.atom_left ? o.x : o.w).type == ElementType::f64;
  const auto after = [&](double direction) { return real ? std::nextafter(end, direction) : end + std::copysign(1, direction); };
  switch (glyph) {
    case Glyph::less: (o.atom_left ? range.low : range.high) = after(o.atom_left ? INFINITY : -INFINITY); return true;
    case Glyph::greater: (o.atom_left ? range.high : range.low) = after(o.atom_left ? -INFINITY : INFINITY); return true;
    case Glyph::less_equal: (o.atom_left ? range.low : range.high) = end; return true;
    case Glyph::greater_equal: (o.atom_left ? range.high : range.low) = end; return true;
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

kernels::Between kernel_for(ElementType type) {
  using kernels::Lane;
  const auto of = [](Lane lane) { return kernels::between().lanes[lane]; };
  switch (type) {
    case ElementType::i8:
    case ElementType::c8: return of(Lane::lane_i8);
    case ElementType::i16:
    case ElementType::c16: return of(Lane::lane_i16);
    case ElementType::i32:
    case ElementType::c32: return of(Lane::lane_i32);
    default: return of(Lane::lane_f64);
  }
}

bool compares_with_atom(const Operation& o) { return o.kind == Operation::Kind::dyad && o.atom_left != o.atom_right; }
bool is_conjunction(const FusedExpression& expression, const Operation& o) {
  if (o.kind != Operation::Kind::dyad || o.atom_left || o.atom_right) return false;
  const Glyph glyph = operation_name(expression, o);
  return is_any(glyph, Glyph::logic_and, Glyph::multiply);
}

// Tests for a range in one pass where two comparisons of the same elements must both hold. False where it cannot.
bool merge_range(const FusedExpression& expression, Operation& o, const Operation& second, const Operation& both,
                 const int* reads) {
  if (!compares_with_atom(o) || !compares_with_atom(second) || !is_conjunction(expression, both)) return false;
  if (reads[o.node] != 1 || reads[second.node] != 1) return false;
  const Elements elements = o.atom_left ? o.x : o.w, others = second.atom_left ? second.x : second.w;
  if (elements.place != others.place || elements.type != others.type) return false;
  if (std::minmax(both.w.place, both.x.place) != std::minmax(o.out.place, second.out.place)) return false;
  AtomRange range;
  if (!narrow_range(operation_name(expression, o), o, range) || !narrow_range(operation_name(expression, second), second, range))
    return false;
  if (!store_range(range, elements.type, o)) return false;
  o.kind = Operation::Kind::pair;
  o.pair = kernel_for(elements.type);
  o.w = elements;
  o.atom_left = false, o.atom_right = o.atom_third = true;
  o.node = both.node;
  o.out = both.out;
  return true;
}

// --- limits

bool is_extreme(const FusedExpression& expression, const Operation& o, Glyph glyph) {
  return compares_with_atom(o) && operation_name(expression, o) == glyph;
}

// Does both functions of `low⌈high⌊x` in one pass, or of `high⌊low⌈x`, where it is the same. False where it cannot.
bool merge_limits(const FusedExpression& expression, Operation& o, const Operation& next, const int* reads) {
  const bool high_first = is_extreme(expression, o, Glyph::minimum) && is_extreme(expression, next, Glyph::maximum);
  if (!high_first && !(is_extreme(expression, o, Glyph::maximum) && is_extreme(expression, next, Glyph::minimum))) return false;
  const Elements elements = o.atom_left ? o.x : o.w, between = next.atom_left ? next.x : next.w;
  const ElementType type = elements.type;
  if (reads[o.node] != 1 || between.place != o.out.place || !is_number(type) || type == ElementType::bit) return false;
  if (o.out.type != type || between.type != type || next.out.type != type) return false;
  const double first = (o.atom_left ? o.w : o.x).one().number(), second = (next.atom_left ? next.w : next.x).one().number();
  if (!(high_first ? second < first : first < second)) return false;
  o.kind = Operation::Kind::pair;
  o.pair = kernels::between().limit[static_cast<int>(type) - static_cast<int>(ElementType::i8)];
  o.w = elements;
  o.atom_left = false, o.atom_right = o.atom_third = true;
  std::copy(std::begin(next.atom), std::end(next.atom), o.other);
  if (high_first) std::swap(o.atom, o.other);
  o.node = next.node;
  o.out = next.out;
  return true;
}

}  // namespace

bool merge_neighbours(const FusedExpression& expression, std::vector<Operation>& all, const int* reads) {
  bool gains_early = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); i++, kept++) {
    if (kept != i) all[kept] = all[i];
    const std::size_t left = all.size() - i;
    if (left > 2 && merge_range(expression, all[kept], all[i + 1], all[i + 2], reads)) {
      i += 2;
      gains_early = true;
    } else if (left > 1 && merge_limits(expression, all[kept], all[i + 1], reads)) {
      i++;
      gains_early = true;
    } else if (left > 1) {
      const bool rooted = left > 2 && takes_roots(expression, all[i + 2], all[i + 1], reads);
      if (!merge_pair(expression, all[kept], all[i + 1], reads, rooted)) continue;
      i += 1 + rooted;
      all[kept].node = all[i].node;
      all[kept].out = all[i].out;
    }
  }
  all.resize(kept);
  return gains_early;
}

}  // namespace griddle::primitives
