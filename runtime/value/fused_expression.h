// FusedExpression: a piece of a program that applies pervasive primitives to variables and numbers. On flat arrays it may be
// computed block by block, without arrays for what lies between; everything else takes the ordinary instructions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/value/array.h"
#include "runtime/value/function.h"

namespace griddle {

struct FusedExpression : NativeObject {
  struct Source {
    enum class Kind : std::uint8_t { slot, outer, constant };
    Kind kind;
    bool range = false;   // stands for ↕ of the value
    std::uint32_t a = 0;  // slot of the frame; or environments up, and the slot there
    std::uint32_t b = 0;
    Value constant = {};  // an atom
  };
  // Nodes come after those that they use; the last one is the result.
  struct Node {
    const PrimitiveFunctionEntry* function;  // null: a source
    std::int16_t w;                          // node; negative: one argument
    std::int16_t x;                          // node; of a source: its number
  };
  // What becomes of the elements: the result of the expression, or one number of them, or the places of the 1s among them, or
  // what other elements, those that are compared, have there.
  enum class Sink : std::uint8_t { elements, sum, mean, least, greatest, all, any, places, kept };

  static constexpr std::size_t most_sources = 12;
  static constexpr std::size_t most_nodes = 32;
  std::vector<Source> sources;  // variables first, then constants
  std::size_t variables = 0;    // how many of them are no constants
  bool has_constant_range = false;
  std::uint32_t other_slot = 0;  // where there are two variables, both in slots: that of the second one, and 1 more
  std::vector<Node> nodes;
  Sink sink = Sink::elements;

  // The slots of variables that the ordinary instructions leave empty; known once they were looked at.
  mutable std::vector<std::uint32_t> released;
  mutable bool knows_released = false;

  // Arrays with fewer elements of a type are sooner done one primitive after the other: what lies between stays in the
  // first-level cache then. Those of doubles gain earlier, since two functions go in one pass, as do two comparisons that test
  // for a range. A single function's results are soon folded, too, unless they are products or bits that need not be made.
  static constexpr std::uint32_t usual_shortest = 64, shortest_of_single = 12288;
  // Where all is bits, functions one by one are quick for longer: their lists and results take little of the first two caches.
  static constexpr std::uint32_t shortest_of_bits = 16384 * 8;
  // Where one kernel does it all, or is hoped to, that gains from the first vector on. Of one list of bytes, or of some booleans,
  // it may do so by a table of all results.
  static constexpr std::uint32_t shortest_of_one_step = 8;
  // Places of fewer elements take bytes. Of more elements, what is kept is no more found at once.
  static constexpr std::uint32_t shortest_of_places = 129, shortest_of_kept = 16, longest_of_kept = 8192;
  mutable std::array<std::uint32_t, element_type_count> shortest;
  // Of so few elements, a list for what lies between takes longer to make than its elements: then all that makes elements gains.
  static constexpr std::size_t fewest = 4, most_few = 32;
  mutable std::size_t few = 0;  // how many lengths from `fewest` on gain
  // `early`: from so many elements on all types gain; 0 where they do not.
  // `made`: there may be a plan.
  void choose_shortest(std::uint32_t early, bool made, bool hopes_for_table = false) const {
    constexpr std::size_t few_bits = 12288 * 8;
    few = made && sink == Sink::elements && !is_single() ? most_few + 1 - fewest : 0;
    for (int t = 0; t < element_type_count; t++) {
      const ElementType type = static_cast<ElementType>(t);
      const bool gains = type == ElementType::f64 && sink <= Sink::mean;
      shortest[t] = type == ElementType::boxed ? ~std::uint32_t{0}
                    : early != 0               ? early
                    : is_single()              ? shortest_of_single
                    : gains                    ? usual_shortest
                                               : static_cast<std::uint32_t>(few_bits >> log2_bits_of(type));
    }
    if (!hopes_for_table || is_single()) return;
    shortest[static_cast<int>(ElementType::bit)] = shortest_of_one_step;
    if (variables == 1)
      shortest[static_cast<int>(ElementType::i8)] = shortest[static_cast<int>(ElementType::c8)] = shortest_of_one_step;
  }
  bool is_too_short(const Array& a) const {
    return a.length < shortest[a.a] && (a.length - fewest >= few || a.type() == ElementType::boxed);
  }
  // Tells soon of most frames whose variables are short lists, or no lists, that nothing is to be gained. `slot`: of the first
  // one.
  bool passes_over(const Value* values, std::uint32_t slot) const {
    const Value& v = values[slot];
    if (v.is_array()) return is_too_short(v.array());
    if (variables == 1) return !has_constant_range;
    return other_slot != 0 && !values[other_slot - 1].is_array();
  }
  // Tells whether some of the results are kept, which only short lists have kernels for.
  bool keeps_some() const { return sink == Sink::places || sink == Sink::kept; }
  bool is_single() const { return nodes.size() == sources.size() + 1; }

  // What evaluating keeps for the next time: how it is done for certain types (primitives/expressions/fused_plan.h).
  struct Plan {
    virtual ~Plan() = default;
  };
  mutable std::unique_ptr<Plan> plan;
  // The kinds of variables that came last without a plan for them, and how often one after the other.
  mutable std::uint64_t awaited = 0;
  mutable std::uint32_t times_awaited = 0, patience = 2;
};

// Computes the expression from the values of its variables. Gives the absent value where the ordinary way must be taken: nothing
// has happened then. Never gives another result than the ordinary way (primitives/expressions/fused_expression.cc).
// `worth_a_plan`: else only a plan that is there already is followed, or one for types that come again and again.
Value evaluate(Context&, const FusedExpression&, const Value* const* variables, bool worth_a_plan);
// Does so on the host sooner where variables are atoms and short lists like those that it kept a plan for, else not at all.
Value evaluate_again(Context&, const FusedExpression&, const Value* const* variables);

// Merges what a function gave for each cell, as ˘ does (primitives/mapping/cells.cc).
Value cells_merged(Context&, const Array& results);

}  // namespace griddle
