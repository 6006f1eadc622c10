#include "primitives/folds/fusion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/folds/fused_direct.h"
#include "primitives/folds/positional.h"
#include "primitives/functions.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/modifiers.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

namespace {

// clang-format off
using F = kernels::RowFunction;
constexpr FusionRule rules[] = {
    {Glyph::add, fold_add, insert_add, scan_add, scan_columns_add, fold_rows_add, scan_rows_add},
    {Glyph::subtract, fold_subtract, insert_subtract, scan_subtract, scan_columns_subtract, fold_rows_subtract, scan_rows_subtract},
    {Glyph::multiply, fold_multiply, insert_and, scan_multiply, scan_columns_and, fold_rows_multiply, scan_rows_multiply, true, F::and_},
    {Glyph::logic_and, fold_multiply, insert_and, scan_multiply, scan_columns_and, fold_rows_multiply, scan_rows_multiply, true, F::and_},
    {Glyph::logic_or, nullptr, insert_or, scan_or, scan_columns_or, fold_rows_on_bits, scan_rows_logic_or, true, F::or_},
    {Glyph::minimum, fold_minimum, insert_minimum, nullptr, scan_columns_minimum, fold_rows_extreme, scan_rows_minimum, true, F::and_},
    {Glyph::maximum, fold_maximum, insert_maximum, nullptr, scan_columns_maximum, fold_rows_extreme, scan_rows_maximum, true, F::or_},
    {Glyph::equal, nullptr, insert_equal, nullptr, scan_columns_equal, fold_rows_on_bits, scan_rows_equal, true, F::equal},
    {Glyph::not_equal, nullptr, insert_not_equal, nullptr, scan_columns_not_equal, fold_rows_on_bits, scan_rows_not_equal, true, F::exclusive_or},
    {Glyph::less, nullptr, insert_less, nullptr, scan_columns_less, fold_rows_on_bits, scan_rows_less, false, F::less},
    {Glyph::less_equal, nullptr, insert_less_equal, nullptr, scan_columns_less_equal, fold_rows_on_bits, scan_rows_less_equal, false, F::less_equal},
    {Glyph::greater, nullptr, insert_greater, nullptr, scan_columns_greater, fold_rows_on_bits, scan_rows_greater, false, F::greater},
    {Glyph::greater_equal, nullptr, insert_greater_equal, nullptr, scan_columns_greater_equal, fold_rows_on_bits, scan_rows_greater_equal, false, F::greater_equal},
};
// clang-format on
constexpr auto rule_by_name = [] {
  std::array<const FusionRule*, static_cast<std::size_t>(Glyph::none) + 1> by_name{};
  for (const FusionRule& rule : rules) by_name[static_cast<std::size_t>(rule.name)] = &rule;
  return by_name;
}();

bool is_numeric_list(const Value& x) {
  return x.is_array() && x.array().rank() == 1 && is_number(x.array().type()) && x.array().length != 0;
}

bool is_numeric_table(const Value& x) {
  return x.is_array() && x.array().rank() >= 2 && is_number(x.array().type()) && x.array().length != 0;
}

// Asks the device first.
Value ask(Context& cx, Value (Device::*what)(Context&, Glyph, const Value&), const Function& self, const Value& x) {
  if (cx.device == nullptr || !concerns_device(cx, x)) [[likely]]
    return Value();
  return (cx.device->*what)(cx, rule_of(self).name, x);
}

Value fused_fold_monad(Context& cx, const Function& self, Value x) {
  if (is_numeric_list(x)) {
    if (Value r = ask(cx, &Device::fold, self, x); !r.is_absent()) return r;
    if (Value r = fold_on_host(self, x); !r.is_absent()) return r;
    if (const auto fold = rule_of(self).fold; fold != nullptr)
      if (Value r = fold(cx, Value(), x); !r.is_absent()) return r;
  }
  return fold_monad(cx, self, std::move(x));
}
Value fused_fold_dyad(Context& cx, const Function& self, Value w, Value x) {
  if (w.is_number() && is_numeric_list(x)) {
    if (const auto fold = rule_of(self).fold; fold != nullptr)
      if (Value r = fold(cx, w, x); !r.is_absent()) return r;
    // Folding onto a boolean is folding booleans of which it is the last, and one by one in any order where that is the same.
    const bool is_bit = w.number() == 0 || w.number() == 1;
    if (is_bit && x.array().type() == ElementType::bit) {
      const bool commutes = rule_of(self).in_any_order;
      if (Value r = fold_on_host(self, commutes ? x : join_to(cx, x, w)); !r.is_absent())
        return commutes ? call(cx, operand(self), std::move(r), std::move(w)) : r;
    }
  }
  return fold_dyad(cx, self, std::move(w), std::move(x));
}
Value fused_insert_monad(Context& cx, const Function& self, Value x) {
  if (is_numeric_table(x) && x.array().cells() >= 2) {
    if (Value r = ask(cx, &Device::insert, self, x); !r.is_absent()) return r;
    if (Value r = rule_of(self).insert(cx, x); !r.is_absent()) return r;
  }
  return insert_monad(cx, self, std::move(x));
}
Value fused_scan_monad(Context& cx, const Function& self, Value x) {
  const FusionRule& rule = rule_of(self);
  if (is_numeric_list(x)) {
    if (Value r = ask(cx, &Device::scan, self, x); !r.is_absent()) return r;
    if (Value r = scan_on_host(cx, self, x); !r.is_absent()) return r;
    if (rule.scan != nullptr)
      if (Value r = rule.scan(cx, x); !r.is_absent()) return r;
  } else if (is_numeric_table(x)) {
    if (Value r = ask(cx, &Device::scan, self, x); !r.is_absent()) return r;
    if (rule.scan_columns != nullptr)
      if (Value r = rule.scan_columns(cx, x); !r.is_absent()) return r;
  }
  return scan_monad(cx, self, std::move(x));
}

// Scans onto a number: as without it, the first element replaced by what the number and it give.
Value fused_scan_dyad(Context& cx, const Function& self, Value w, Value x) {
  if (w.is_number() && is_numeric_list(x)) {
    if (rule_of(self).name == Glyph::add) return scan_add_onto(cx, w.number(), x);
    const Value first = call(cx, operand(self), w, element(x.array(), 0));
    if (first.is_number()) {
      const ElementType type = wider(element_type_of(first), x.array().type());
      Ref<Array> from = make_writable(cx.heap, widened(cx.heap, x, type));
      store(*from, 0, first);
      const Value start = to_value(std::move(from));
      Value r = scan_on_host(cx, self, start);
      if (r.is_absent() && rule_of(self).scan != nullptr) r = rule_of(self).scan(cx, start);
      if (!r.is_absent()) return with_fill_like(cx.heap, std::move(r), x);
    }
  }
  return scan_dyad(cx, self, std::move(w), std::move(x));
}

// --- ⊣ and ⊢ take one end and look at nothing else

template <bool first>
Value fold_end(Context& cx, const Function& self, Value x) {
  if (rank_of(x) != 1 || x.array().length == 0) return fold_monad(cx, self, std::move(x));
  return element(x.array(), first ? 0 : x.array().length - 1);
}
template <bool first>
Value fold_end_onto(Context& cx, const Function& self, Value w, Value x) {
  if (rank_of(x) != 1 || x.array().length == 0) return fold_dyad(cx, self, std::move(w), std::move(x));
  return first ? element(x.array(), 0) : std::move(w);
}
template <bool first>
Value insert_end(Context& cx, const Function& self, Value x) {
  if (rank_of(x) == 0 || x.array().length == 0) return insert_monad(cx, self, std::move(x));
  const Array& a = x.array();
  return slice(cx.heap, x, first ? 0 : a.length - a.cell_length(), a.shape().subspan(1));
}
Value scan_first(Context& cx, const Function& self, Value x) {
  if (rank_of(x) == 0 || x.array().length == 0) return scan_monad(cx, self, std::move(x));
  Ref<Array> shape = make_list(cx.heap, ElementType::f64, x.array().rank());
  std::copy(x.array().shape().begin(), x.array().shape().end(), shape->as<double>());
  Value cell = slice(cx.heap, x, 0, x.array().shape().subspan(1));
  Value repeated = reshape(cx, to_value(std::move(shape)), std::move(cell));
  // Where 𝕩 has no fill that of the first cell is known.
  return x.array().fill_kind() == FillKind::none ? repeated : with_fill_like(cx.heap, std::move(repeated), x);
}
Value scan_last(Context& cx, const Function& self, Value x) {
  return rank_of(x) == 0 ? scan_monad(cx, self, std::move(x)) : std::move(x);
}

// Gives `left` or `right` where an operand gives one of its arguments back, else `none`.
Glyph side(const Value& f) {
  if (is_any(name_of(f), Glyph::left, Glyph::right)) return name_of(f);
  const Wiring wiring = wiring_of(f, true);
  return wiring.is_sequence() && is_any(name_of(*wiring.last), Glyph::left, Glyph::right) ? side(*wiring.right.by) : Glyph::none;
}
// Gives the side of which an operand takes the length, or `none`.
Glyph measured_side(const Value& f) {
  const Wiring wiring = wiring_of(f, true);
  return wiring.is_sequence() && name_of(*wiring.last) == Glyph::not_equal ? side(*wiring.right.by) : Glyph::none;
}

// --- ≠∘⊣ and ≠∘⊢: lengths are numbers, whose length is 1

double length_of_cells(const Value& v) { return v.is_array() ? static_cast<double>(v.array().cells()) : 1; }

template <bool first>
Value fold_length(Context& cx, const Function& self, Value x) {
  if (rank_of(x) != 1 || x.array().length == 0) return fold_monad(cx, self, std::move(x));
  const Array& a = x.array();
  if (a.length == 1) return element(a, 0);
  return first || a.length == 2 ? length_of_cells(element(a, first ? 0 : 1)) : 1;
}
template <bool first>
Value fold_length_onto(Context& cx, const Function& self, Value w, Value x) {
  if (rank_of(x) != 1 || x.array().length == 0) return fold_dyad(cx, self, std::move(w), std::move(x));
  if (first) return length_of_cells(element(x.array(), 0));
  return x.array().length == 1 ? length_of_cells(w) : 1;
}

// --- +´⟜↕ and +´∘↕

// Gives the sum onto a number of all below a natural one, where that and all sums on the way are exact; else the absent value.
Value sum_below(const Value& w, const Value& x) {
  constexpr double most = 134217728, exact = 9007199254740992;
  if (!w.is_number() || !x.is_number()) return Value();
  const double n = x.number(), start = w.number();
  if (!(n >= 0 && n <= most && n == std::floor(n))) return Value();
  const double sum = n * (n - 1) / 2;
  if (!(std::fabs(start) <= exact - sum && start == std::floor(start))) return Value();
  return start + sum;
}
Value sum_onto_range(Context& cx, const Function& self, Value x) {
  if (Value sum = sum_below(x, x); !sum.is_absent()) return sum;
  return after_monad(cx, self, std::move(x));
}
Value sum_onto_range(Context& cx, const Function& self, Value w, Value x) {
  if (Value sum = sum_below(w, x); !sum.is_absent()) return sum;
  return after_dyad(cx, self, std::move(w), std::move(x));
}

Value sum_of_range(Context& cx, const Function& self, Value x) {
  if (Value sum = sum_below(0, x); !sum.is_absent()) return sum;
  return atop_monad(cx, self, std::move(x));
}

Value fused_fold_rows(Context& cx, const Function& self, Value x) {
  if (is_numeric_table(x) && x.array().rank() == 2) {
    if (Value r = ask(cx, &Device::fold_rows, self, x); !r.is_absent()) return r;
    if (Value r = rule_of(self).fold_rows(cx, rule_of(self), x); !r.is_absent()) return r;
  }
  return cells_monad(cx, self, std::move(x));
}
Value fused_scan_rows(Context& cx, const Function& self, Value x) {
  if (is_numeric_table(x) && x.array().rank() == 2) {
    if (Value r = ask(cx, &Device::scan_rows, self, x); !r.is_absent()) return r;
    if (rule_of(self).scan_rows != nullptr)
      if (Value r = rule_of(self).scan_rows(cx, x); !r.is_absent()) return r;
  }
  return cells_monad(cx, self, std::move(x));
}

// Tells whether the operands are +´ and ↕.
bool sums_range(const Derived& d) {
  return modifier_of(d.f) == Glyph::fold && name_of(operand(d.f.function())) == Glyph::add && name_of(d.g) == Glyph::windows;
}

}  // namespace

const FusionRule* fusion_rule(const Value& f) { return rule_by_name[static_cast<std::size_t>(name_of(f))]; }

void attach_fold(Context&, Derived& d) {
  if (const Glyph end = side(d.f); end != Glyph::none) {
    d.monad = end == Glyph::left ? fold_end<true> : fold_end<false>;
    d.dyad = end == Glyph::left ? fold_end_onto<true> : fold_end_onto<false>;
    return;
  }
  if (const Glyph measured = measured_side(d.f); measured != Glyph::none) {
    const bool first = measured == Glyph::left;
    d.monad = first ? fold_length<true> : fold_length<false>;
    d.dyad = first ? fold_length_onto<true> : fold_length_onto<false>;
    return;
  }
  const FusionRule* rule = fusion_rule(d.f);
  if (rule == nullptr) return attach_positional_fold(d);
  d.rule = rule;
  d.monad = fused_fold_monad;
  d.dyad = fused_fold_dyad;
  attach_direct_fold(d);
}
void attach_insert(Context&, Derived& d) {
  if (const Glyph end = side(d.f); end != Glyph::none) {
    d.monad = end == Glyph::left ? insert_end<true> : insert_end<false>;
    return;
  }
  const FusionRule* rule = fusion_rule(d.f);
  if (rule == nullptr || rule->insert == nullptr) return;
  d.rule = rule;
  d.monad = fused_insert_monad;
  attach_direct_insert(d);
}
void attach_scan(Context&, Derived& d) {
  if (const Glyph end = side(d.f); end != Glyph::none) {
    d.monad = end == Glyph::left ? scan_first : scan_last;
    return;
  }
  const FusionRule* rule = fusion_rule(d.f);
  if (rule == nullptr) return;
  d.rule = rule;
  d.monad = fused_scan_monad;
  d.dyad = fused_scan_dyad;
  attach_direct_scan(d);
}
void attach_fold_atop(Derived& d) {
  if (sums_range(d)) d.monad = sum_of_range;
}
void attach_fold_after(Derived& d) {
  if (!sums_range(d)) return;
  d.monad = sum_onto_range;
  d.dyad = sum_onto_range;
}
void attach_cells(Context&, Derived& d) {
  const Glyph modifier = modifier_of(d.f);
  if (modifier != Glyph::fold && modifier != Glyph::insert && modifier != Glyph::scan) return attach_direct_rows(d);
  const FusionRule* rule = fusion_rule(static_cast<const Derived&>(d.f.function()).f);
  if (rule == nullptr || (modifier != Glyph::scan && rule->fold_rows == nullptr)) return;
  d.rule = rule;
  d.monad = modifier == Glyph::scan ? fused_scan_rows : fused_fold_rows;
  if (modifier != Glyph::scan)
    attach_direct_fold_rows(d);
  else if (rule->scan_rows != nullptr)
    attach_direct_scan_rows(d);
}

}  // namespace griddle::primitives
