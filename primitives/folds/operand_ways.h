// How ´ ˝ ` and these on each row find what to do where the operand is a primitive: each has a table of ways, the most specific
// first. A way says for which operands and which types of elements it is, and may decline. After the last one comes the general
// way.
#pragma once

#include <array>
#include <span>

#include "primitives/common/at_hand.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/shared/pieces.h"
#include "runtime/primitive.h"

namespace griddle::primitives {

// An array as rows: those that are folded, or the cells that are folded onto each other; a list as rows of one element.
struct TableSize {
  std::size_t rows, columns;
};
// Calls kernel(results, elements, columns, rows) for some rows after others, each of which gives so many results.
template <class Kernel>
void in_groups_of_rows(Array& results, std::size_t results_of_row, const Array& a, TableSize size, Kernel kernel) {
  const std::size_t to = results_of_row * bits_of(results.type()) / 8, from = size.columns * bits_of(a.type()) / 8;
  kernels::in_pieces(
      size.rows, [&](std::size_t r, std::size_t end) { kernel(results.data + r * to, a.data + r * from, size.columns, end - r); },
      kernels::long_pass / size.columns + 1);
}
// Measures arrays that have elements and axes; tables are the quickest.
inline bool measure(const Array& a, TableSize& size) {
  if (a.rank() == 0 || a.length == 0) return false;
  if (a.rank() == 2) [[likely]]
    size = {a.shape()[0], a.shape()[1]};
  else
    size = {a.cells(), a.cell_length()};
  return true;
}

// An operand: a function of two numbers, by its entry in the table of primitives.
using OperandEntry = const PrimitiveFunctionEntry&;

// Operands that a way is for, by what they compute of two numbers.
using OperandSet = std::uint64_t;
constexpr OperandSet set_of(std::same_as<ScalarOp> auto... operands) {
  return ((OperandSet{1} << static_cast<int>(operands)) | ...);
}
inline constexpr OperandSet by_sum = set_of(ScalarOp::add), by_difference = set_of(ScalarOp::subtract),
                            by_quotient = set_of(ScalarOp::divide), by_product = set_of(ScalarOp::multiply, ScalarOp::logic_and),
                            by_or = set_of(ScalarOp::logic_or), by_extreme = set_of(ScalarOp::minimum, ScalarOp::maximum),
                            by_equality = set_of(ScalarOp::equal, ScalarOp::not_equal),
                            by_less = set_of(ScalarOp::less, ScalarOp::less_equal),
                            by_greater = set_of(ScalarOp::greater, ScalarOp::greater_equal), by_order = by_less | by_greater,
                            by_comparison = by_equality | by_order,
                            by_boolean = by_product | by_or | by_extreme | by_comparison,  // give booleans of these
    folded = by_sum | by_difference | by_quotient | by_boolean;                            // have ways at all

struct OperandWay {
  // Gives the absent value where it declines, before it has changed anything. Bits travel in registers, as values cannot.
  using Run = std::uint64_t (*)(Context&, OperandEntry operand, const Value& x, TableSize);
  static constexpr std::size_t any = ~std::size_t{0};
  const char* name;
  OperandSet operands;
  unsigned types;  // of elements: some of the sets below
  Run run;
  std::size_t most_columns = any;  // takes from two to so many
};
using OperandCode = Value(Context&, OperandEntry operand, const Value& x, TableSize);
template <OperandCode code>
std::uint64_t by(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return code(cx, operand, x, size).leak();
}
inline constexpr unsigned of_bits = 1, of_bytes = 2, of_shorts = 4, of_ints = 8, of_reals = 16;
inline constexpr unsigned of_integers = of_bytes | of_shorts | of_ints, of_numbers = of_integers | of_reals,
                          of_all = of_bits | of_numbers, of_boxes = 1u << static_cast<unsigned>(ElementType::boxed);

inline std::uint64_t decline(Context&, OperandEntry, const Value&, TableSize) { return declined; }

// Gives the place of an operand in what for_each_operand() makes: a result for each function that computes of two numbers.
inline std::size_t place_of(OperandEntry operand) { return static_cast<std::size_t>(operand.scalar); }
template <class F>
auto for_each_operand(F f) {
  std::array<decltype(f(primitive_table().functions[0])), static_cast<std::size_t>(ScalarOp::left)> results{};
  for (OperandEntry operand : primitive_table().functions)
    if (operand.scalar != ScalarOp::none && !passes_on(operand)) results[place_of(operand)] = f(operand);
  return results;
}

// Gives what a set of functions of booleans has for an operand that gives booleans of these. Its members are named as here.
template <class Functions>
auto function_of_bits(const Functions& functions, OperandEntry operand) {
  switch (operand.truth) {
    case 0b1110: return functions.or_;
    case 0b1001: return functions.equal;
    case 0b0110: return functions.exclusive_or;
    case 0b0010: return functions.less;
    case 0b1011: return functions.less_equal;
    case 0b0100: return functions.greater;
    case 0b1101: return functions.greater_equal;
    default: return functions.and_;
  }
}

// Gives the same by its name.
inline kernels::RowFunction function_of_bits(OperandEntry operand) {
  struct Names {
    using F = kernels::RowFunction;
    F and_ = F::and_, or_ = F::or_, exclusive_or = F::exclusive_or, equal = F::equal;
    F less = F::less, less_equal = F::less_equal, greater = F::greater, greater_equal = F::greater_equal;
  };
  return function_of_bits(Names(), operand);
}

// What a table has for one operand: the ways for each type of elements, of which the last declines.
struct OperandWays {
  static constexpr std::size_t most = 4;
  struct Way {
    OperandWay::Run run = decline;
    std::size_t span = OperandWay::any;  // of columns, from two on
    bool last = true;                    // but for the one that declines
  };
  const PrimitiveFunctionEntry* operand = nullptr;
  Way by_type[element_type_count][most + 1] = {};
};
inline auto ways_by_operand(std::span<const OperandWay> table) {
  return for_each_operand([table](OperandEntry operand) {
    OperandWays ways{&operand, {}};
    for (unsigned type = 0; type < element_type_count; type++) {
      OperandWays::Way* to = ways.by_type[type];
      for (const OperandWay& way : table) {
        if ((way.types >> type & 1) == 0 || (way.operands >> place_of(operand) & 1) == 0) continue;
        if (to != ways.by_type[type]) to[-1].last = false;
        *to++ = {way.run, way.most_columns == way.any ? way.any : way.most_columns - 2, true};
      }
    }
    return ways;
  });
}

inline const OperandWays& ways_of(const Derived& self) { return *static_cast<const OperandWays*>(self.rule); }

[[gnu::noinline]] inline std::uint64_t run_several(Context& cx, const OperandWays::Way* way, OperandEntry operand, const Value& x,
                                                   TableSize size) {
  for (;; way++) {
    if (size.columns - 2 > way->span) continue;
    if (const std::uint64_t result = way->run(cx, operand, x, size); result != declined || way->last) return result;
  }
}
// Gives the bits of the absent value where all ways decline. Most often one way is left, which needs no look at its result.
inline std::uint64_t run_ways(Context& cx, const OperandWays& ways, const Value& x, TableSize size) {
  const OperandWays::Way* way = ways.by_type[index_of(x.array().type())];
  while (size.columns - 2 > way->span) way++;
  return way->last ? way->run(cx, *ways.operand, x, size) : run_several(cx, way, *ways.operand, x, size);
}

// Let a function that has ways be called with one argument. `Modifier` has: `takes`, which tells for which shapes there are ways,
// and measures them; `run`, which tries the ways; `ask`, what a device has; and `general`. Of most, these are the first two:
struct ForTables {
  static bool takes(const Array& a, TableSize& size) { return a.rank() == 2 && measure(a, size); }
  static std::uint64_t run(Context& cx, const Derived& self, const Value& x, TableSize size, RecentMonad*) {
    return run_ways(cx, ways_of(self), x, size);
  }
};
template <class Modifier>
std::uint64_t call_directly(Context& cx, const Derived& self, const Value& x, RecentMonad* site) {
  TableSize size;
  if (!Modifier::takes(x.array(), size) || !stays_here(cx, x)) return declined;
  return Modifier::run(cx, self, x, size, site);
}
template <class Modifier>
Value call_with_ways(Context& cx, const Function& function, Value x) {
  const Derived& self = static_cast<const Derived&>(function);
  if (TableSize size; x.is_array() && Modifier::takes(x.array(), size)) {
    if (!stays_here(cx, x))
      if (Value there = cx.device->reduce(cx, Modifier::ask, ways_of(self).operand->name, x); !there.is_absent()) return there;
    const ComputingHere here(cx, static_cast<const PrimitiveModifier&>(self.modifier.modifier()).entry->words);
    if (const std::uint64_t result = Modifier::run(cx, self, x, size, nullptr); result != declined)
      return Value::from_bits(result);
  }
  return Modifier::general(cx, function, std::move(x));
}

// Gives a derived function the ways of its operand. False where the operand has none.
template <class Modifier>
bool attach_ways(Derived& d, const Value& operand) {
  static const auto all = ways_by_operand(Modifier::ways);
  const PrimitiveFunctionEntry* const entry = primitive_entry(operand);
  if (entry == nullptr || (folded >> place_of(*entry) & 1) == 0) return false;
  d.rule = &all[place_of(*entry)];
  d.monad = call_with_ways<Modifier>;
  d.direct = call_directly<Modifier>;
  return true;
}

}  // namespace griddle::primitives
