// Outline: the syntax tree as text, for people who want to see how a program is read.
#pragma once

#include <string>
#include <vector>

#include "runtime/source/ast.h"
#include "runtime/source/text.h"
#include "runtime/value/value.h"

namespace griddle {

// A line for one node, and the place of the instruction that computes it: of a call that of its function. It is empty
// where a node has no value of its own.
struct OutlineLine {
  std::string text;
  Span place;
  const Node* node;     // as long as the tree lives
  Value constant = {};  // of a call that the compiler has computed; else absent
  unsigned depth = 0;   // nodes around it
  Span span = {};       // of the node
  std::uint32_t glyph =
      0;  // where what it does is written: of a call its function, of a function its modifier, of an assignment the arrow
  NodeKind kind = NodeKind::nothing;
  Role role = Role::subject;
};
std::vector<OutlineLine> outline_lines(const SourceText&, const Body& root);

// Gives a line for each node: its piece of the source, further in the deeper it lies, what it is, and its role.
std::string outline(const SourceText&, const Body& root);

}  // namespace griddle
