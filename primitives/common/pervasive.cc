#include "primitives/common/pervasive.h"

#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

char32_t modifier_glyph(const Value& f) {
  if (!f.is_function() || f.object()->kind != ObjectKind::derived) return 0;
  const Value& modifier = static_cast<const Derived&>(f.function()).modifier;
  if (modifier.object()->kind != ObjectKind::primitive_modifier) return 0;
  return static_cast<const PrimitiveModifier&>(modifier.modifier()).entry->glyph;
}

std::string function_text(Context& cx, const Value& f) {
  const char32_t own = glyph_of(f), glyph = own ? own : modifier_glyph(f);
  if (!glyph) return kind_text(f);
  return (own ? "primitive " : "derived with ") + to_utf8(make_string(cx.heap, std::u32string_view(&glyph, 1)).array());
}

namespace {

// What a value is made of, as far as atom-by-atom evaluation goes: which arguments it depends on.
// `computed` is added where a primitive computes with them instead of passing one on.
enum Mixture : int { not_pervasive = -1, no_argument = -2, constant_atom = 0, from_w = 1, from_x = 2, computed = 4 };

constexpr int depth_limit = 12;

int mixed(int a, int b) { return a < 0 || b < 0 ? not_pervasive : a | b; }

// Evaluates f on mixtures instead of values; `w` is no_argument for one argument.
int mixture(const Value& f, int w, int x, int depth) {
  if (f.is_number() || f.is_character()) return constant_atom;
  if (!f.is_function() || depth > depth_limit || x < 0) return not_pervasive;
  bool dyadic = w != no_argument;
  auto along = [&](const Value& g) { return mixture(g, w, x, depth + 1); };
  auto one = [&](const Value& g, int argument) { return mixture(g, no_argument, argument, depth + 1); };
  auto two = [&](const Value& g, int left, int right) {
    return left < 0 || right < 0 ? static_cast<int>(not_pervasive) : mixture(g, left, right, depth + 1);
  };
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) {
    if (dyadic ? p->pervasive_dyad : p->pervasive_monad) return mixed(dyadic ? mixed(w, x) : x, computed);
    if (p->glyph == U'⊢') return x;
    if (p->glyph == U'⊣') return dyadic ? w : x;
    return not_pervasive;
  }
  if (f.object()->kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f.function());
    return t.f.is_absent() ? one(t.g, along(t.h)) : two(t.g, along(t.f), along(t.h));
  }
  char32_t glyph = modifier_glyph(f);
  if (glyph == 0) return not_pervasive;
  const Derived& d = static_cast<const Derived&>(f.function());
  switch (glyph) {
    case U'˙': return d.f.is_number() || d.f.is_character() ? constant_atom : not_pervasive;
    case U'˜': return dyadic ? two(d.f, x, w) : two(d.f, x, x);
    case U'∘': return one(d.f, along(d.g));
    case U'○': return dyadic ? two(d.f, one(d.g, w), one(d.g, x)) : one(d.f, one(d.g, x));
    case U'⊸': return two(d.g, one(d.f, dyadic ? w : x), x);
    case U'⟜': return two(d.f, dyadic ? w : x, one(d.g, x));
    case U'⊘': return along(dyadic ? d.g : d.f);
    default: return not_pervasive;
  }
}

}  // namespace

namespace {

// Tells whether a mixture has what it needs; notes on a train or derived function that it has not, as many ask again.
bool has_mixture(const Value& f, std::uint8_t refused, int w, int needed) {
  if (!f.is_function()) return false;
  const Function& function = f.function();
  const bool composed = function.kind == ObjectKind::train || function.kind == ObjectKind::derived;
  if (!composed && function.kind != ObjectKind::primitive_function) return false;
  if (composed && function.flags & refused) return false;
  const int m = mixture(f, w, from_x, 0);
  if (m >= 0 && (m & needed) == needed) return true;
  // What is found out about a function is no change that anybody sees.
  if (composed) const_cast<Function&>(function).flags |= refused;
  return false;
}

}  // namespace

bool is_pervasive(const Value& f) { return has_mixture(f, Function::not_pervasive, no_argument, from_x); }
bool is_pervasive_dyad(const Value& f) { return has_mixture(f, Function::not_pervasive_dyad, from_w, from_w | from_x); }
bool computes_with_atoms(const Value& f) {
  if (!is_pervasive(f)) return false;
  return (mixture(f, no_argument, from_x, 0) & computed) != 0;
}

Value broadcast_cells(Context& cx, const Value& v, std::size_t frame_rank, std::span<const std::size_t> extra,
                      const Value& meets) {
  std::span<const std::size_t> shape = shape_of(v);
  Shape result_shape(shape.first(frame_rank));
  result_shape.append(extra);
  result_shape.append(shape.subspan(frame_rank));
  if (result_shape.size() > max_rank || product(result_shape) > max_length)
    fail(cx, "Result is too large (shape " + shape_text(result_shape.view()) + ")");
  if (v.is_atom()) return filled(cx.heap, result_shape, v);
  const Array& a = v.array();
  if (cx.device != nullptr && (belongs_to_device(cx, v) || belongs_to_device(cx, meets))) [[unlikely]]
    if (Value r = cx.device->repeat_cells(cx, v, frame_rank, extra); !r.is_absent()) return r;
  Ref<Array> result = make_array(cx.heap, a.type(), result_shape);
  std::size_t times = product(extra);
  std::size_t cell = product(shape.subspan(frame_rank));
  if (result->length == 0) return to_value(std::move(result));
  std::size_t frame = a.length / cell;
  for (std::size_t i = 0; i < frame; i++) {
    std::size_t start = i * times * cell;
    copy_elements(*result, start, a, i * cell, cell);
    // Doubles what is there, so that short cells cost few calls.
    for (std::size_t done = 1; done < times; done *= 2)
      copy_elements(*result, start + done * cell, *result, start, std::min(done, times - done) * cell);
  }
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
