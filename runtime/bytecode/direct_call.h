// Calls that are compiled without making the function that they call:
//
//   {…} x                     a block literal runs in the frame around it
//   w c◶⟨F,G⟩ x               a jump by the index, then the chosen function
//   w F⍟n x   w F⍟G x         a loop
//   w F•_while_G x            another
//   w {…}¨ x   w {…}´ x       others (loops.h), also of other functions than blocks
//   w (F G H) x               calls of the parts (parts.h)
//
// Layout and compiler both ask here, and must get the same answer: it depends on what the parser wrote alone, and on what the
// layout notes of •_while_, ¨ and ´ before it asks.
#pragma once

#include "runtime/source/ast.h"

namespace griddle {

struct DirectCall {
  enum class Kind : std::uint8_t { none, block, choose, repeat, loop, each, fold, parts };
  Kind kind = Kind::none;
  Node* condition = nullptr;  // left operand of ◶, right operand of ⍟ (the count, or a function that gives it) or •_while_
  Node* repeated = nullptr;   // left operand of ⍟, •_while_, ¨ or ´
  std::span<Node*> choices;   // elements of the right operand of ◶
  // Gives them, or a list of what is repeated in place, as values (choices.h), once they are laid out; null where the branch or
  // the loop serves in any case.
  Node* values = nullptr;
  bool unless_nothing = false;  // 𝕩 may be Nothing, which is the result then
  bool in_place = false;        // what ⍟ repeats is a block that runs in the frame around it
  // Tells whether the count of ⍟ is written as a number that a loop may count: no other way is needed.
  bool is_counted() const;
};

// `specials_change`: some special name of the body may change.
DirectCall direct_call(const Call&, bool specials_change);

// The same for ◶ with its operands, which may be called in a loop: none, or a choice.
DirectCall direct_choice(const DeriveNode&);

// Tells whether a function block literal that is called at once can run in the frame around it.
bool runs_in_place(const Node&, bool dyadic);
// Tells whether an immediate block runs in the frame around it.
bool can_be_inlined(const BlockNode&);
inline const BlockNode& block_of(const Node& n) { return *static_cast<const BlockExpression&>(n).block; }
// Tells whether evaluating an expression does nothing but make its value, so that it matters little when that happens.
bool is_plain(const Node&);
// Tells whether a body may serve a plain call with one or two arguments.
bool accepts_call(const Body&, bool dyadic);
// Tells whether a body has a use for 𝕨.
bool uses_left(const Body&);

}  // namespace griddle
