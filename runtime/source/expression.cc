// Calls, trains, modifiers and assignment.
#include "runtime/source/grammar.h"

namespace griddle {
namespace {

Span join(Span left, Span right) { return {std::min(left.start, right.start), std::max(left.end, right.end)}; }
// Gives where the leftmost item of an expression stands.
Span first_item(const Node& node) {
  const Node* first = &node;
  while (first->kind == NodeKind::call) {
    const Call& call = static_cast<const Call&>(*first);
    first = call.left != nullptr ? call.left : call.function;
  }
  return first->span.start == node.span.start ? first->span : node.span;
}
bool is_modifier(Role role) { return role == Role::modifier1 || role == Role::modifier2; }

}  // namespace

bool Grammar::at_arrow(const Cursor& cursor) const {
  if (cursor.ahead.node != nullptr || cursor.position == cursor.begin) return false;
  const TokenKind kind = token(cursor.position - 1).kind;
  return kind == TokenKind::define || kind == TokenKind::change || kind == TokenKind::exporting;
}

// Parses the next operand to the left, unless there is none before the start or an arrow.
bool Grammar::peek(Cursor& cursor) {
  if (cursor.ahead.node != nullptr) return true;
  if (cursor.position == cursor.begin || at_arrow(cursor)) return false;
  const std::uint32_t begin = item_begin(cursor.begin, cursor.position);
  cursor.ahead = parse_item({begin, cursor.position});
  cursor.ahead_end = cursor.position;
  cursor.position = begin;
  return true;
}

Grammar::Operand Grammar::take(Cursor& cursor) {
  const Operand result = cursor.ahead;
  cursor.ahead = {nullptr, false};
  return result;
}

Node* Grammar::derive(Node* modifier, Node* left, Node* right) {
  DeriveNode* node = make<DeriveNode>(NodeKind::derive, Role::function, join(left->span, (right ? right : modifier)->span));
  node->modifier = modifier;
  node->left = left;
  node->right = right;
  return node;
}

// Reads one item with the modifiers applied to it. A modifier alone, at the start or after an arrow, is itself the operand.
Grammar::Operand Grammar::read_operand(Cursor& cursor) {
  if (!peek(cursor)) fail("Expected an expression", span_of(token(cursor.position - 1)));
  const std::size_t base = modifiers_.size();
  Operand item = take(cursor);
  for (;;) {
    const bool more = peek(cursor);
    if (is_modifier(item.role())) {
      if (!more) {
        if (modifiers_.size() == base) return item;
        fail("Expected a left operand of the modifier", item.node->span);
      }
      if (item.role() == Role::modifier2) fail("Expected a right operand of the 2-modifier", item.node->span);
      modifiers_.push_back({item.node, nullptr});
    } else if (more && cursor.ahead.role() == Role::modifier2) {
      if (item.nothing) fail("Nothing (·) may not be an operand", item.node->span);
      const Operand modifier = take(cursor);
      if (!peek(cursor)) fail("Expected a left operand of the modifier", modifier.node->span);
      modifiers_.push_back({modifier.node, item.node});
    } else {
      break;
    }
    item = take(cursor);
  }
  if (modifiers_.size() == base) return item;
  if (item.nothing) fail("Nothing (·) may not be an operand", item.node->span);
  Node* result = item.node;
  while (modifiers_.size() > base) {
    result = derive(modifiers_.back().modifier, result, modifiers_.back().right);
    modifiers_.pop_back();
  }
  return {result, false};
}

Grammar::Operand Grammar::parse_right_end(Cursor& cursor) {
  if (!at_arrow(cursor)) return read_operand(cursor);
  if (token(cursor.position - 1).kind != TokenKind::change) {
    fail("Expected a value right of the arrow", span_of(token(cursor.position - 1)));
  }
  return {assign_modified(cursor, nullptr), false};
}

Grammar::Operand Grammar::parse_expression(TokenRange range) {
  check_depth(span_of(token(range.begin)));
  Cursor cursor{range.begin, range.end};
  Operand result = parse_right_end(cursor);
  bool function_assigned = false;
  while (cursor.ahead.node != nullptr || cursor.position != cursor.begin) {
    if (at_arrow(cursor)) {
      if (result.nothing) fail("Nothing (·) may not be assigned", result.node->span);
      result = {assign(cursor, result), false};
      function_assigned = result.role() != Role::subject;
    } else if (function_assigned) {
      fail("The assignment of a function or modifier must be parenthesised here", result.node->span);
    } else if (result.role() == Role::subject) {
      result = apply_functions(cursor, result);
    } else if (result.role() == Role::function) {
      result = {extend_train(cursor, result.node), false};
    } else {
      fail("Expected operands of the modifier", result.node->span);
    }
  }
  return result;
}

// Calls functions on what stands to their right, up to the start or an arrow.
Grammar::Operand Grammar::apply_functions(Cursor& cursor, Operand right) {
  Operand function = read_operand(cursor);
  for (;;) {
    if (is_modifier(function.role())) fail("Expected an operand of the modifier", function.node->span);
    if (function.role() == Role::subject) {
      fail("Expected a function between two subjects (missing ‿?)", join(function.node->span, first_item(*right.node)));
    }
    Operand left{nullptr, false};
    Operand next{nullptr, false};
    if (peek(cursor)) {
      next = read_operand(cursor);
      if (next.role() == Role::subject) std::swap(left, next);
    }
    Node* const first = left.node != nullptr ? left.node : function.node;
    Call* call = make<Call>(NodeKind::call, Role::subject, join(first->span, right.node->span));
    call->function = function.node;
    call->left = left.node != nullptr && left.node->kind == NodeKind::nothing ? nullptr : left.node;
    call->right = right.node;
    call->may_be_nothing = right.node->may_be_nothing;
    right = {call, right.nothing};
    if (next.node == nullptr) return right;
    function = next;
  }
}

// Puts the function, and the operand left of it if there is one, in front of a train.
Node* Grammar::extend_train(Cursor& cursor, Node* right) {
  const Operand middle = read_operand(cursor);
  if (is_modifier(middle.role())) fail("Expected an operand of the modifier", middle.node->span);
  if (middle.role() != Role::function) {
    const bool lone = right->kind != NodeKind::train;
    fail(lone ? "Expected an argument right of the function" : "Expected a function left of the train (found a subject)",
         lone ? right->span : middle.node->span);
  }
  Operand left{nullptr, false};
  if (peek(cursor)) {
    left = read_operand(cursor);
    if (is_modifier(left.role())) fail("Expected an operand of the modifier", left.node->span);
  }
  Node* const first = left.node != nullptr ? left.node : middle.node;
  TrainNode* train = make<TrainNode>(NodeKind::train, Role::function, join(first->span, right->span));
  train->left = left.node != nullptr && left.node->kind == NodeKind::nothing ? nullptr : left.node;
  train->middle = middle.node;
  train->right = right;
  return train;
}

// Tells `a F↩ x` from `a ↩ x`: the item before the arrow is a function, or the right operand of a 2-modifier.
bool Grammar::is_modified_assignment(const Cursor& cursor, std::uint32_t item) {
  const std::uint32_t arrow = cursor.position - 1;
  if (item_role({item, arrow}) != Role::subject) return true;
  if (item == cursor.begin || at_arrow({cursor.begin, item})) return false;
  return item_role({item_begin(cursor.begin, item), item}) == Role::modifier2;
}

Node* Grammar::assign(Cursor& cursor, Operand value) {
  const std::uint32_t arrow = cursor.position - 1;
  if (arrow == cursor.begin) fail("Expected a target left of the arrow", span_of(token(arrow)));
  const std::uint32_t item = item_begin(cursor.begin, arrow);
  AssignKind kind = AssignKind::define;
  Target mode = Target::define;
  if (token(arrow).kind == TokenKind::change) {
    if (value.role() == Role::subject && is_modified_assignment(cursor, item)) return assign_modified(cursor, value.node);
    kind = AssignKind::change;
    mode = Target::change;
  } else if (token(arrow).kind == TokenKind::exporting) {
    scopes_.current()->has_exports = true;
    kind = AssignKind::exporting;
    mode = Target::exporting;
  }
  Node* const target = parse_target({item, arrow}, mode);
  if (target->role != value.role()) {
    fail(std::string("Expected the same role on both sides of an assignment (found ") + role_name(target->role) + " and " +
             role_name(value.role()) + ")",
         {target->span.start, token(arrow).end});
  }
  cursor.position = item;
  Assign* node = make<Assign>(NodeKind::assign, value.role(), join(span_of(TokenRange{item, arrow}), value.node->span));
  node->assign = kind;
  node->target = target;
  node->value = value.node;
  if (kind != AssignKind::change && value.role() != Role::subject && value.node->kind == NodeKind::block) {
    scopes_.set_block(*static_cast<Variable*>(target)->binding, *static_cast<BlockExpression*>(value.node)->block);
  }
  return node;
}

Node* Grammar::assign_modified(Cursor& cursor, Node* value) {
  const Token& arrow = token(--cursor.position);
  if (cursor.position == cursor.begin) fail("Expected a target left of the arrow", span_of(arrow));
  const Operand function = read_operand(cursor);
  if (function.role() != Role::function) fail("Expected a function left of ↩ (found a subject)", function.node->span);
  // What stands left of the function has been read as a value, to see whether it is a modifier; it is read again as a target.
  if (!peek(cursor)) fail("Expected a target left of the function (no assignment of this role)", function.node->span);
  take(cursor);
  const TokenRange item{cursor.position, cursor.ahead_end};
  Assign* node =
      make<Assign>(NodeKind::assign, Role::subject, {token(item.begin).start, value != nullptr ? value->span.end : arrow.end});
  node->assign = AssignKind::change;
  node->target = parse_target(item, Target::modify);
  node->function = function.node;
  node->value = value;
  if (node->target->role != Role::subject) fail("Only a subject may be modified (F ↩ needs a value)", node->target->span);
  return node;
}

}  // namespace griddle
