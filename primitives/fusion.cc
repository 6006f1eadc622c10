#include "primitives/fusion.h"

#include "primitives/functions.h"
#include "primitives/modifiers.h"
#include "primitives/pervasive.h"

namespace griddle::primitives {

namespace {

constexpr FusionRule rules[] = {
    {U'+', fold_add, insert_add, scan_add, add},
    {U'-', fold_subtract, nullptr, scan_subtract, subtract},
    {U'×', fold_multiply, insert_and, scan_and, multiply},
    {U'∧', fold_multiply, insert_and, scan_and, logic_and},
    {U'∨', fold_or, insert_or, scan_or, logic_or},
    {U'⌊', fold_minimum, insert_minimum, scan_minimum, minimum},
    {U'⌈', fold_maximum, insert_maximum, scan_maximum, maximum},
    {U'=', fold_equal, nullptr, scan_equal, equal},
    {U'≠', fold_not_equal, insert_not_equal, scan_not_equal, not_equal},
    {U'<', fold_less, nullptr, scan_less, less},
    {U'≤', fold_less_equal, nullptr, scan_less_equal, less_equal},
    {U'>', fold_greater, nullptr, scan_greater, greater},
    {U'≥', fold_greater_equal, nullptr, scan_greater_equal, greater_equal},
};

const FusionRule& rule_of(const Function& self) {
  return *static_cast<const FusionRule*>(static_cast<const Derived&>(self).rule);
}

bool is_numeric_list(const Value& x) {
  return x.is_array() && x.array().rank() == 1 && is_number(x.array().type()) && x.array().length != 0;
}

Value fused_fold_monad(Context& cx, const Function& self, Value x) {
  if (is_numeric_list(x))
    if (Value r = rule_of(self).fold(cx, Value(), x); !r.is_absent()) return r;
  return fold_monad(cx, self, std::move(x));
}
Value fused_fold_dyad(Context& cx, const Function& self, Value w, Value x) {
  if (w.is_number() && is_numeric_list(x))
    if (Value r = rule_of(self).fold(cx, w, x); !r.is_absent()) return r;
  return fold_dyad(cx, self, std::move(w), std::move(x));
}
Value fused_insert_monad(Context& cx, const Function& self, Value x) {
  if (x.is_array() && x.array().rank() >= 2 && is_number(x.array().type()) && x.array().length != 0 && x.array().cells() >= 2)
    if (Value r = rule_of(self).insert(cx, x); !r.is_absent()) return r;
  return insert_monad(cx, self, std::move(x));
}
Value fused_scan_monad(Context& cx, const Function& self, Value x) {
  if (is_numeric_list(x))
    if (Value r = rule_of(self).scan(cx, x); !r.is_absent()) return r;
  return scan_monad(cx, self, std::move(x));
}

}  // namespace

const FusionRule* fusion_rule(const Value& f) {
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  if (entry == nullptr) return nullptr;
  for (const FusionRule& rule : rules)
    if (rule.glyph == entry->glyph) return &rule;
  return nullptr;
}

void attach_fold(Context&, Derived& d) {
  const FusionRule* rule = fusion_rule(d.f);
  if (rule == nullptr) return;
  d.rule = rule;
  d.monad = fused_fold_monad;
  d.dyad = fused_fold_dyad;
}
void attach_insert(Context&, Derived& d) {
  const FusionRule* rule = fusion_rule(d.f);
  if (rule == nullptr || rule->insert == nullptr) return;
  d.rule = rule;
  d.monad = fused_insert_monad;
}
void attach_scan(Context&, Derived& d) {
  const FusionRule* rule = fusion_rule(d.f);
  if (rule == nullptr) return;
  d.rule = rule;
  d.monad = fused_scan_monad;
}
void attach_each(Context&, Derived&) {}
void attach_table(Context&, Derived&) {}
void attach_cells(Context&, Derived&) {}

}  // namespace griddle::primitives
