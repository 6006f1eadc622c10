// Depth ⚇: functions on the elements that lie at a depth.
#include <algorithm>
#include <cmath>

#include "primitives/common/element_reader.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

namespace {

// Says how far an argument is to be taken apart.
struct Descent {
  double level;  // k ≥ 0: until the depth is at most k; k < 0: that many levels
  bool ended = false;
  Descent next() const { return level < 0 ? Descent{level + 1, level == -1} : *this; }
};

// Tells whether the depth of `v` is more than `level`, looking no deeper than that.
bool deeper_than(const Value& v, double level) {
  if (v.is_atom()) return false;
  if (level < 1) return true;
  const Array& a = v.array();
  if (a.type() != ElementType::boxed) return false;
  return std::any_of(a.boxes().begin(), a.boxes().end(), [&](const Value& e) { return deeper_than(e, level - 1); });
}

bool goes_on(Context& cx, const Descent& descent, const Value& v) {
  if (descent.ended || v.is_atom()) return false;
  cx.check_stack();
  return descent.level < 0 || deeper_than(v, descent.level);
}

Value map_depth(Context& cx, const Value& f, Descent for_x, Value x) {
  if (!goes_on(cx, for_x, x)) return call(cx, f, std::move(x));
  const Array& a = x.array();
  if (a.length == 0) return empty_map_result(cx, a.shape(), fill_of(cx.heap, x));
  ElementReader elements = ElementReader(x).take_if_unseen(x);
  ArrayBuilder builder(cx.heap, a.length);
  for (std::size_t i = 0; i < a.length; i++) {
    cx.check_interrupt();
    builder.push(map_depth(cx, f, for_x.next(), elements[i]));
  }
  return builder.finish(a.shape());
}

Value map_depth(Context& cx, const Value& f, Descent for_w, Value w, Descent for_x, Value x) {
  bool through_w = goes_on(cx, for_w, w);
  bool through_x = goes_on(cx, for_x, x);
  if (!through_w && !through_x) return call(cx, f, std::move(w), std::move(x));
  std::span<const std::size_t> w_shape = through_w ? shape_of(w) : std::span<const std::size_t>{};
  std::span<const std::size_t> x_shape = through_x ? shape_of(x) : std::span<const std::size_t>{};
  std::size_t shared = std::min(w_shape.size(), x_shape.size());
  if (!same_shape(w_shape.first(shared), x_shape.first(shared)))
    fail(cx, "Depth: Leading axes of 𝕨 and 𝕩 must agree (shapes " + shape_text(w_shape) + " and " + shape_text(x_shape) + ")");
  bool w_longer = w_shape.size() > x_shape.size() || !through_x;
  const Array& longer = (w_longer ? w : x).array();
  if (longer.length == 0) return empty_map_result(cx, longer.shape(), Value());
  // Leaves an argument whole by repeating it for every element of the other.
  std::size_t w_repeat = through_w ? longer.length / w.array().length : longer.length;
  std::size_t x_repeat = through_x ? longer.length / x.array().length : longer.length;
  Descent next_w = through_w ? for_w.next() : for_w;
  Descent next_x = through_x ? for_x.next() : for_x;
  ElementReader from_w(w);
  ElementReader from_x(x);
  ArrayBuilder builder(cx.heap, longer.length);
  for (std::size_t i = 0; i < longer.length; i++) {
    cx.check_interrupt();
    Value left = through_w ? from_w[i / w_repeat] : w;
    Value right = through_x ? from_x[i / x_repeat] : x;
    builder.push(map_depth(cx, f, next_w, std::move(left), next_x, std::move(right)));
  }
  return builder.finish(longer.shape());
}

}  // namespace

Levels levels_of(Context& cx, const char* name, unsigned highest_rank, const Value& g, const Value& w, const Value& x) {
  // Most often 𝔾 is one integer.
  if (g.is_number() && g.number() == std::floor(g.number())) return {g.number(), g.number(), g.number()};
  Value k = !g.is_function() ? g : w.is_absent() ? call(cx, g, x) : call(cx, g, w, x);
  std::size_t count = length_of(k);
  if (rank_of(k) > highest_rank || count < 1 || count > 3)
    fail(cx, std::string(name) + ": 𝔾 must give 1 to 3 numbers (got " + kind_text(k) + ")");
  double levels[3];
  ElementReader elements(k);
  for (std::size_t i = 0; i < count; i++) {
    Value v = elements[i];
    if (!v.is_number() || v.number() != std::floor(v.number()))
      fail(cx,
           std::string(name) + ": 𝔾 must give integers (got " + (v.is_number() ? number_text(v.number()) : kind_text(v)) + ")");
    levels[i] = v.number();
  }
  if (count == 1) return {levels[0], levels[0], levels[0]};
  if (count == 2) return {levels[1], levels[0], levels[1]};
  return {levels[0], levels[1], levels[2]};
}

Value depth_map_monad(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "Depth");
  const Derived& d = static_cast<const Derived&>(self);
  Levels levels = levels_of(cx, "Depth", 1, d.g, Value(), x);
  if (is_pervasive(d.f)) return call(cx, d.f, std::move(x));
  return map_depth(cx, d.f, {levels.one}, std::move(x));
}

Value depth_map_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Depth");
  const Derived& d = static_cast<const Derived&>(self);
  Levels levels = levels_of(cx, "Depth", 1, d.g, w, x);
  if (levels.left == 0 && levels.right == 0 && is_pervasive_dyad(d.f)) return call(cx, d.f, std::move(w), std::move(x));
  return map_depth(cx, d.f, {levels.left}, std::move(w), {levels.right}, std::move(x));
}

}  // namespace griddle::primitives
