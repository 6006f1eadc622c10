#include "primitives/mapping/each_with_data.h"

#include "primitives/common/indexing.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "runtime/primitive.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

namespace {

// What is called first and second, where a function of one argument does no more than that; null otherwise.
struct Steps {
  const Value* first = nullptr;
  const Value* second = nullptr;
};
Steps steps_of(const Value& f) {
  if (modifier_glyph(f) == U'∘') {
    const Derived& d = static_cast<const Derived&>(f.function());
    return {&d.g, &d.f};
  }
  if (!f.is_function() || f.function().kind != ObjectKind::train) return {};
  const Train& t = static_cast<const Train&>(f.function());
  return t.f.is_absent() ? Steps{&t.h, &t.g} : Steps{};
}

// Tells whether two primitives take less time on all elements, one after the other, than both on one element after the other.
bool are_quick_on_each(const Steps& steps, const Value& x) {
  constexpr std::size_t most_elements = 64;
  const auto rearranges = [](const Value& f) {
    const PrimitiveFunctionEntry* entry = primitive_entry(f);
    return entry != nullptr && (entry->glyph == U'⌽' || entry->glyph == U'⊑' || entry->glyph == U'≠');
  };
  return x.array().type() == ElementType::boxed && x.array().length <= most_elements && rearranges(*steps.first) &&
         rearranges(*steps.second);
}

// Picks an element of k for each of x.
Value pick_bound_each(Context& cx, const Value& pick, const Value& x, const Value& k) {
  if (x.array().type() == ElementType::boxed) return pick_places(cx, x.array(), k);
  const bool from_list = is_number(x.array().type()) && rank_of(k) == 1 && k.array().type() != ElementType::boxed;
  return from_list ? map_each(cx, pick, x, enclose(cx.heap, k)) : Value();
}

}  // namespace

Value each_bound(Context& cx, const Value& f, const Value& x) {
  if (cx.general_ways) return Value();
  cx.check_stack();
  if (const Steps steps = steps_of(f); steps.first != nullptr) {
    if (are_quick_on_each(steps, x)) return map_each(cx, *steps.second, map_each(cx, *steps.first, x));
    Value first = each_bound(cx, *steps.first, x);
    return first.is_absent() ? first : map_each(cx, *steps.second, std::move(first));
  }
  const char32_t modifier = modifier_glyph(f);
  if (modifier != U'⊸' && modifier != U'⟜') return Value();
  const Derived& d = static_cast<const Derived&>(f.function());
  const bool left = modifier == U'⊸';
  const Value &k = left ? d.f : d.g, &function = left ? d.g : d.f;
  const PrimitiveFunctionEntry* entry = primitive_entry(function);
  if (entry == nullptr || k.is_operation()) return Value();
  if (entry->glyph == U'⊑') return !left && k.is_array() ? pick_bound_each(cx, function, x, k) : Value();
  if (entry->glyph != U'⋈' || x.array().type() == ElementType::boxed || k.is_array()) return Value();
  return left ? map_each(cx, function, k, x) : map_each(cx, function, x, k);
}

}  // namespace griddle::primitives
