#include "primitives/common/pervasive.h"

#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

std::string function_text(Context& cx, const Value& f) {
  const bool derived = glyph_of(f) == 0;
  const char32_t glyph =
      glyph_of(derived && modifier_of(f) != Glyph::none ? static_cast<const Derived&>(f.function()).modifier : f);
  if (!glyph) return kind_text(f);
  return (derived ? "derived with " : "primitive ") + to_utf8(make_string(cx.heap, std::u32string_view(&glyph, 1)).array());
}

namespace {

// What a value is made of, as far as atom-by-atom evaluation goes: which arguments it depends on.
// `computed` is added where a primitive computes with them instead of passing one on.
enum Mixture : int { not_pervasive = -1, constant_atom = 0, from_w = 1, from_x = 2, computed = 4 };

constexpr int depth_limit = 12;

// Evaluates f on mixtures instead of values; `w` is null for one argument.
int mixture(const Value& f, const int* w, int x, int depth) {
  if (f.is_number() || f.is_character()) return constant_atom;
  if (!f.is_function() || depth == 0) return not_pervasive;
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) {
    const int left = w == nullptr ? 0 : *w;
    if (w != nullptr ? p->pervasive_dyad : p->pervasive_monad) return left | x | computed;
    return p->scalar < ScalarOp::left ? not_pervasive : p->scalar == ScalarOp::left && w != nullptr ? left : x;
  }
  if (const Value* k = constant_of(f))
    return k->is_function() ? static_cast<int>(not_pervasive) : mixture(*k, nullptr, x, depth - 1);
  if (modifier_of(f) == Glyph::undo) {
    // Of two arguments only where the left one is an atom: arrays are undone together.
    const PrimitiveFunctionEntry* const undone = primitive_entry(static_cast<const Derived&>(f.function()).f);
    return undone != nullptr && undone->undone_on_atoms && (w == nullptr || *w == constant_atom)
               ? x | computed
               : static_cast<int>(not_pervasive);
  }
  const Wiring wiring = wiring_of(f, w != nullptr);
  if (!wiring) return not_pervasive;
  const auto apply = [&](const Value& g, const int* l, int r) { return mixture(g, l, r, depth - 1); };
  return follow(wiring, w, x, apply, [](int known) { return known >= 0; });
}

// Tells whether a mixture has what it needs; notes on a train or derived function that it has not, as many ask again.
bool has_mixture(const Value& f, std::uint8_t refused, const int* w, int needed) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(f))
    return p->is_pervasive(w != nullptr) || (w == nullptr && passes_on(*p));
  if (!f.is_function()) return false;
  const Function& function = f.function();
  if ((function.kind != ObjectKind::train && function.kind != ObjectKind::derived) || function.flags & refused) return false;
  const int m = mixture(f, w, from_x, depth_limit);
  if (m >= 0 && (m & needed) == needed) return true;
  // What is found out about a function is no change that anybody sees.
  const_cast<Function&>(function).flags |= refused;
  return false;
}

}  // namespace

bool is_pervasive(const Value& f) { return has_mixture(f, Function::not_pervasive, nullptr, from_x); }
bool is_pervasive_dyad(const Value& f) {
  constexpr int w = from_w;
  return has_mixture(f, Function::not_pervasive_dyad, &w, from_w | from_x);
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
  if (belongs_to_device(cx, v, meets)) [[unlikely]]
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
