// The tree of a line as a drawing below its source: from each function a branch leads down to what it gave.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/source/outline.h"

namespace griddle {

// One node: its line of the outline, and what it gave; empty where that is not known.
struct ExplainedNode {
  const OutlineLine* line;
  std::string gave;
};

// Draws the tree of a source of one row. Nothing where it has several rows, or where the drawing is wider than `columns`.
std::string drawn_tree(std::string_view source, std::span<const ExplainedNode>, std::size_t columns);

}  // namespace griddle
