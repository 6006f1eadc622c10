// FusedExpression: a piece of a program that applies pervasive primitives to variables and numbers. On flat arrays it may be
// computed block by block, without arrays for what lies between; everything else takes the ordinary instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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
  // What becomes of the elements: the result of the expression, or one number of them.
  enum class Sink : std::uint8_t { elements, sum, mean, least, greatest, all, any };

  static constexpr std::size_t most_sources = 12;
  static constexpr std::size_t most_nodes = 32;
  std::vector<Source> sources;  // variables first, then constants
  std::size_t variables = 0;    // how many of them are no constants
  bool has_constant_range = false;
  std::vector<Node> nodes;
  Sink sink = Sink::elements;

  // The slots of variables that the ordinary instructions leave empty; known once they were looked at.
  mutable std::vector<std::uint32_t> released;
  mutable bool knows_released = false;

  // Shorter arrays are sooner done one primitive after the other. A single function's results are soon folded, too, unless they
  // are products that need not be made.
  static constexpr std::size_t usual_shortest = 64, shortest_of_single = 12288;
  mutable std::size_t shortest = usual_shortest;
  bool is_single() const { return nodes.size() == sources.size() + 1; }

  // What evaluating keeps for the next time: how it is done for certain types (primitives/fused_plan.h).
  struct Plan {
    virtual ~Plan() = default;
  };
  mutable std::unique_ptr<Plan> plan;
  // The kinds of variables that came last without a plan for them, and how often one after the other.
  mutable std::uint64_t awaited = 0;
  mutable std::uint32_t times_awaited = 0, patience = 2;
};

// Computes the expression from the values of its variables. Gives the absent value where the ordinary way must be taken: nothing
// has happened then. Never gives another result than the ordinary way (primitives/fused_expression.cc). `worth_a_plan`: else only
// a plan that is there already is followed, or one for types that come again and again.
Value evaluate(Context&, const FusedExpression&, const Value* const* variables, bool worth_a_plan);

}  // namespace griddle
