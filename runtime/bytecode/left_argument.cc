#include "runtime/bytecode/left_argument.h"

#include "runtime/bytecode/direct_call.h"

namespace griddle {

namespace {

// Goes through an expression, but not into the blocks in it, which have arguments of their own.
void note_in(Context& cx, Node* n) {
  if (n == nullptr) return;
  cx.check_stack();
  switch (n->kind) {
    case NodeKind::special:
      if (static_cast<Special*>(n)->name == SpecialName::w) n->may_be_nothing = false;
      break;
    case NodeKind::list:
    case NodeKind::merge:
      for (Node* e : static_cast<ListNode*>(n)->elements) note_in(cx, e);
      break;
    case NodeKind::field: note_in(cx, static_cast<Field*>(n)->object); break;
    case NodeKind::call: {
      Call& c = *static_cast<Call*>(n);
      for (Node* part : {c.function, c.left, c.right}) note_in(cx, part);
      c.may_be_nothing = c.right->may_be_nothing;
      break;
    }
    case NodeKind::train: {
      TrainNode& t = *static_cast<TrainNode*>(n);
      for (Node* part : {t.left, t.middle, t.right}) note_in(cx, part);
      break;
    }
    case NodeKind::derive: {
      DeriveNode& d = *static_cast<DeriveNode*>(n);
      for (Node* part : {d.modifier, d.left, d.right}) note_in(cx, part);
      break;
    }
    case NodeKind::assign: {
      Assign& a = *static_cast<Assign*>(n);
      for (Node* part : {a.target, a.function, a.value}) note_in(cx, part);
      break;
    }
    case NodeKind::alias: note_in(cx, static_cast<Alias*>(n)->target); break;
    default: break;
  }
}

}  // namespace

void note_left_argument(Context& cx, BlockNode& block) {
  for (Body* body : block.bodies)
    if (accepts_call(*body, true))
      for (const Statement& s : body->statements) note_in(cx, s.expression);
}

}  // namespace griddle
