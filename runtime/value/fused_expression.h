// FusedExpression: a piece of a program that applies pervasive primitives to variables and numbers. On large flat arrays it may
// be computed block by block, without arrays for what lies between; everything else takes the ordinary instructions.
#pragma once

#include <cstdint>
#include <span>
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
  std::vector<Source> sources;
  std::vector<Node> nodes;
  Sink sink = Sink::elements;
};

// Computes the expression from the values of its sources. Gives the absent value where the ordinary way must be taken: nothing
// has happened then. Never gives another result than the ordinary way (primitives/fused_expression.cc).
Value evaluate(Context&, const FusedExpression&, std::span<const Value* const> sources);

}  // namespace griddle
