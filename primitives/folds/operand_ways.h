// How ´ ˝ ` and these on each row find what to do where the operand is a primitive: each has a table of ways, the most specific
// first. A way says for which operands and which types of elements it is, and may decline. After the last one comes the general
// way.
#pragma once

#include <array>

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

// Operands that a way is for.
using OperandSet = std::uint64_t;
constexpr OperandSet set_of(std::same_as<Glyph> auto... operands) {
  return ((OperandSet{1} << static_cast<int>(operands)) | ...);
}
inline constexpr OperandSet by_sum = set_of(Glyph::add), by_difference = set_of(Glyph::subtract),
                            by_quotient = set_of(Glyph::divide), by_product = set_of(Glyph::multiply, Glyph::logic_and),
                            by_or = set_of(Glyph::logic_or), by_extreme = set_of(Glyph::minimum, Glyph::maximum),
                            by_equality = set_of(Glyph::equal, Glyph::not_equal),
                            by_order = set_of(Glyph::less, Glyph::less_equal, Glyph::greater, Glyph::greater_equal),
                            by_comparison = by_equality | by_order,
                            by_boolean = by_product | by_or | by_extreme | by_comparison,  // give booleans of these
    folded = by_sum | by_difference | by_quotient | by_boolean;                            // have ways at all

struct OperandWay {
  // Gives the absent value where it declines, before it has changed anything. Bits travel in registers, as values cannot.
  using Run = std::uint64_t (*)(Context&, Glyph operand, const Value& x, TableSize);
  static constexpr std::size_t any = ~std::size_t{0};
  const char* name;
  OperandSet operands;
  unsigned types;  // of elements: some of the sets below
  Run run;
  std::size_t most_columns = any;  // takes from two to so many
};
using OperandCode = Value(Context&, Glyph operand, const Value& x, TableSize);
template <OperandCode code>
std::uint64_t by(Context& cx, Glyph operand, const Value& x, TableSize size) {
  return code(cx, operand, x, size).leak();
}
inline constexpr unsigned of_bits = 1, of_bytes = 2, of_shorts = 4, of_ints = 8, of_reals = 16;
inline constexpr unsigned of_integers = of_bytes | of_shorts | of_ints, of_numbers = of_integers | of_reals,
                          of_all = of_bits | of_numbers, of_boxes = 1u << static_cast<unsigned>(ElementType::boxed);

inline std::uint64_t decline(Context&, Glyph, const Value&, TableSize) { return declined; }

// Gives the place of an operand among the functions of two numbers, with which the table of primitives begins.
inline constexpr std::size_t operand_count = static_cast<std::size_t>(Glyph::greater_equal) + 1;
constexpr std::size_t place_of(Glyph operand) { return static_cast<std::size_t>(operand); }
template <class Result>
std::array<Result, operand_count> for_each_operand(Result (*f)(Glyph)) {
  std::array<Result, operand_count> results;
  for (std::size_t i = 0; i < results.size(); i++) results[i] = f(static_cast<Glyph>(i));
  return results;
}

// Gives what a set of functions of booleans has for an operand that gives booleans of these. Its members are named as here.
template <class Functions>
auto function_of_bits(const Functions& functions, Glyph operand) {
  switch (entry_of(operand).truth) {
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
inline kernels::RowFunction function_of_bits(Glyph operand) {
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
  Glyph operand = Glyph::none;
  Way by_type[element_type_count][most + 1] = {};
};
template <std::size_t n>
constexpr auto ways_by_operand(const OperandWay (&table)[n]) {
  std::array<OperandWays, operand_count> all{};
  for (std::size_t i = 0; i < all.size(); i++) {
    all[i].operand = static_cast<Glyph>(i);
    for (unsigned type = 0; type < element_type_count; type++) {
      OperandWays::Way* to = all[i].by_type[type];
      for (const OperandWay& way : table) {
        if ((way.types >> type & 1) == 0 || (way.operands >> i & 1) == 0) continue;
        if (to != all[i].by_type[type]) to[-1].last = false;
        *to++ = {way.run, way.most_columns == way.any ? way.any : way.most_columns - 2, true};
      }
    }
  }
  return all;
}

inline const OperandWays& ways_of(const Derived& self) { return *static_cast<const OperandWays*>(self.rule); }

[[gnu::noinline]] inline std::uint64_t run_several(Context& cx, const OperandWays::Way* way, Glyph operand, const Value& x,
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
  return way->last ? way->run(cx, ways.operand, x, size) : run_several(cx, way, ways.operand, x, size);
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
      if (Value there = (cx.device->*Modifier::ask)(cx, ways_of(self).operand, x); !there.is_absent()) return there;
    const ComputingHere here(cx, static_cast<const PrimitiveModifier&>(self.modifier.modifier()).entry->words);
    if (const std::uint64_t result = Modifier::run(cx, self, x, size, nullptr); result != declined)
      return Value::from_bits(result);
  }
  return Modifier::general(cx, function, std::move(x));
}

// Gives a derived function the ways of its operand. False where the operand has none.
template <class Modifier>
bool attach_ways(Derived& d, const Value& operand) {
  static constexpr auto all = ways_by_operand(Modifier::ways);
  const std::size_t place = place_of(name_of(operand));
  if (place >= all.size() || (folded >> place & 1) == 0) return false;
  d.rule = &all[place];
  d.monad = call_with_ways<Modifier>;
  d.direct = call_directly<Modifier>;
  return true;
}

}  // namespace griddle::primitives
