// What assignments write to, and the patterns of headers.
#include "runtime/source/grammar.h"

namespace griddle {

Node* Grammar::parse_target(TokenRange range, Target mode) {
  check_depth(span_of(token(range.begin)));
  if (primary_end(range.begin, range.end) != range.end) return parse_target_strand(range, mode);
  const TokenRange inner{range.begin + 1, range.end - 1};
  switch (token(range.begin).kind) {
    case TokenKind::open_parenthesis:
      if (closing(range.begin) != range.end - 1) break;
      if (inner.empty()) fail("Empty parentheses", span_of(range));
      if (item_end(inner.begin, inner.end) != inner.end) fail("Expected a single target in parentheses", span_of(inner));
      return parse_target(inner, mode);
    case TokenKind::open_list:
    case TokenKind::open_array:
      if (closing(range.begin) != range.end - 1) break;
      return parse_target_list(range, mode);
    default:
      if (range.end - range.begin == 1) return parse_target_token(token(range.begin), mode);
  }
  fail("Expected a target: a name or a list of targets", span_of(range));
}

Node* Grammar::parse_target_token(const Token& t, Target mode) {
  switch (t.kind) {
    case TokenKind::name: return parse_target_name(t, mode);
    case TokenKind::special: return parse_target_special(t, mode);
    case TokenKind::nothing:
      if (mode == Target::modify) fail("Nothing (·) may not be modified", span_of(t));
      return make<Node>(NodeKind::nothing, Role::subject, span_of(t));
    case TokenKind::number:
    case TokenKind::character:
    case TokenKind::string:
      if (mode == Target::match) return parse_token(t);
      fail("A constant may only be a target in a header", span_of(t));
    default: fail("Expected a target: a name or a list of targets (found " + std::string(text_of(span_of(t))) + ")", span_of(t));
  }
}

Node* Grammar::parse_target_name(const Token& t, Target mode) {
  if (mode == Target::change || mode == Target::modify) return scopes_.use(t.payload, t.role, span_of(t), true);
  ScopedBinding* const binding = scopes_.define(t.payload, text_of(span_of(t)), t.role, span_of(t));
  if (mode == Target::exporting) scopes_.request_export(t.payload, span_of(t));
  Variable* node = make<Variable>(NodeKind::variable, t.role, span_of(t));
  node->binding = binding;
  node->body = scopes_.current();
  return node;
}

Node* Grammar::parse_target_special(const Token& t, Target mode) {
  if (mode != Target::change && mode != Target::modify) fail("A special name may only be changed, by ↩", span_of(t));
  Node* const node = parse_special(t);
  if (node->kind == NodeKind::nothing) fail("𝕨 may not be changed in a body for one argument", span_of(t));
  scopes_.current()->changed_specials |= static_cast<std::uint8_t>(1u << t.payload);
  return node;
}

Node* Grammar::parse_target_strand(TokenRange range, Target mode) {
  if (mode == Target::match) {
    if (Node* constant = fold_constants(range, TokenKind::strand, span_of(range))) return constant;
  }
  const std::size_t first = nodes_.size();
  for (std::uint32_t begin = range.begin; begin < range.end;) {
    const std::uint32_t end = primary_end(begin, range.end);
    nodes_.push_back(parse_target({begin, end}, mode));
    if (end + 1 == range.end) fail("Expected an element right of ‿", span_of(token(end)));
    begin = end + 1;
  }
  return finish_list(NodeKind::list, span_of(range), first);
}

Node* Grammar::parse_target_list(TokenRange range, Target mode) {
  const bool is_array = token(range.begin).kind == TokenKind::open_array;
  const std::uint32_t last = range.end - 1;
  if (mode == Target::match && !is_array) {
    if (Node* constant = fold_constants({range.begin + 1, last}, TokenKind::separator, span_of(range))) return constant;
  }
  const std::size_t first = nodes_.size();
  for (std::uint32_t begin = range.begin + 1; begin < last;) {
    const std::uint32_t end = separator_after(begin, last);
    if (begin != end) nodes_.push_back(parse_target_entry({begin, end}, mode, is_array));
    begin = end + 1;
  }
  return finish_list(is_array ? NodeKind::merge : NodeKind::list, span_of(range), first);
}

// Reads an element of a list of targets: a target, or `target⇐field`.
Node* Grammar::parse_target_entry(TokenRange range, Target mode, bool in_array) {
  const std::uint32_t end = item_end(range.begin, range.end);
  if (end == range.end) return parse_target(range, mode);
  const bool is_alias = token(end).kind == TokenKind::exporting && end + 2 == range.end && token(end + 1).kind == TokenKind::name;
  if (!is_alias) fail("Expected a target, or target⇐field", span_of(range));
  if (mode == Target::modify) fail("An alias may not be modified", span_of(range));
  if (in_array) fail("An alias may only stand in ⟨⟩", span_of(range));
  const Token& field = token(end + 1);
  Alias* node = make<Alias>(NodeKind::alias, Role::subject, span_of(range));
  node->target = parse_target({range.begin, end}, mode);
  node->name = symbols_[field.payload].name;
  if (node->target->role != field.role && node->target->kind != NodeKind::nothing) {
    fail("Expected the same role on both sides of an alias", span_of(range));
  }
  return node;
}

}  // namespace griddle
