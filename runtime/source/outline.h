// Outline: the syntax tree as text, for people who want to see how a program is read.
#pragma once

#include <string>

#include "runtime/source/ast.h"
#include "runtime/source/text.h"

namespace griddle {

// Gives a line for each node: its piece of the source, further in the deeper it lies, what it is, and its role.
std::string outline(const SourceText&, const Body& root);

}  // namespace griddle
