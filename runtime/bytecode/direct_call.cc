#include "runtime/bytecode/direct_call.h"

#include <algorithm>
#include <cmath>

#include "runtime/bytecode/parts.h"
#include "runtime/primitive.h"

namespace griddle {

namespace {

constexpr std::size_t most_choices = 64;

bool is_atom(const Node& n) { return n.kind == NodeKind::variable || n.kind == NodeKind::special || n.kind == NodeKind::number; }

// Tells whether a condition, or what ˙ makes of it, is written as an array.
bool makes_list(const Node& n) {
  if (n.kind != NodeKind::derive)
    return n.kind == NodeKind::list || n.kind == NodeKind::constant_list || n.kind == NodeKind::merge;
  const DeriveNode& d = static_cast<const DeriveNode&>(n);
  return applies_of(d) == Applies::never && makes_list(*d.left);
}

// Tells whether applying a modifier runs no code.
bool keeps_operands(const Node& modifier) {
  if (modifier.kind == NodeKind::primitive) return true;
  if (modifier.kind != NodeKind::variable) return false;
  const BlockNode* block = static_cast<const Variable&>(modifier).binding->block;
  return block != nullptr && block->deferred;
}

// Tells whether an operand of •_while_ or ⍟ can be called again and again without being made first.
bool is_called_as_it_is(const Node& n, bool dyadic, bool specials_change) {
  if (n.role != Role::function) return false;
  if (parts_of(n).kind != Parts::Kind::none) return is_plain(n) && !specials_change;
  return n.kind == NodeKind::primitive || (n.kind == NodeKind::variable && is_plain(n)) || runs_in_place(n, dyadic);
}

}  // namespace

bool is_plain(const Node& n) {
  switch (n.kind) {
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list:
    case NodeKind::primitive:
    case NodeKind::system: return true;
    case NodeKind::variable: return !static_cast<const Variable&>(n).binding->changed;
    case NodeKind::special: return !n.may_be_nothing;
    case NodeKind::list:
    case NodeKind::merge: {
      const auto& elements = static_cast<const ListNode&>(n).elements;
      return std::all_of(elements.begin(), elements.end(), [](const Node* e) { return is_plain(*e); });
    }
    case NodeKind::train: {
      const TrainNode& t = static_cast<const TrainNode&>(n);
      return is_plain(*t.right) && is_plain(*t.middle) && (!t.left || is_plain(*t.left));
    }
    case NodeKind::derive: {
      const DeriveNode& d = static_cast<const DeriveNode&>(n);
      return keeps_operands(*d.modifier) && is_plain(*d.left) && (!d.right || is_plain(*d.right));
    }
    case NodeKind::block: return block_of(n).type != BlockType::immediate;
    default: return false;
  }
}

Parts parts_of(const Node& n) {
  using Kind = Parts::Kind;
  Parts p;
  if (n.kind == NodeKind::train) {
    const TrainNode& t = static_cast<const TrainNode&>(n);
    // Nothing as left tine leaves it empty.
    const bool empty = !t.left || t.left->kind == NodeKind::nothing;
    p = {empty ? Kind::atop : Kind::fork, empty ? nullptr : t.left, t.middle, t.right};
  } else if (n.kind == NodeKind::derive) {
    const DeriveNode& d = static_cast<const DeriveNode&>(n);
    const Kind kind = combinator_of(d);
    if (is_any(kind, Kind::before, Kind::after, Kind::valences))
      p = {kind, d.left, d.right, nullptr};
    else if (kind != Kind::none)
      p = {kind, nullptr, d.left, d.right};
  }
  for (const Node* part : {p.f, p.g, p.h})
    if (part && part->may_be_nothing) return {};
  return p;
}

bool accepts_call(const Body& b, bool dyadic) {
  switch (b.body_case) {
    case BodyCase::general:
    case BodyCase::ambivalent: return true;
    case BodyCase::monadic: return !dyadic;
    case BodyCase::dyadic: return dyadic;
    default: return false;
  }
}

bool uses_left(const Body& b) { return b.specials & bit_of(SpecialName::w) || b.pattern_w; }

bool can_be_inlined(const BlockNode& block) {
  if (block.type != BlockType::immediate) return false;
  return std::none_of(block.bodies.begin(), block.bodies.end(), [](Body* b) { return b->has_environment || b->has_exports; });
}

bool runs_in_place(const Node& n, bool dyadic) {
  if (n.kind != NodeKind::block) return false;
  const BlockNode& block = block_of(n);
  if (block.type != BlockType::function) return false;
  bool accepted = false;
  for (const Body* b : block.bodies) {
    if (b->has_environment || b->has_exports || b->self || b->specials & bit_of(SpecialName::s)) return false;
    if (b->changed_specials && block.bodies.size() > 1) return false;
    accepted |= accepts_call(*b, dyadic);
  }
  return accepted;
}

bool DirectCall::is_counted() const {
  constexpr double most = 9007199254740992;
  if (condition->kind != NodeKind::number) return false;
  const double count = static_cast<const Number*>(condition)->value;
  return count >= 0 && count < most && count == std::floor(count);
}

DirectCall direct_choice(const DeriveNode& d) {
  DirectCall result;
  if (applies_of(d) != Applies::to_tell_choice || d.as_value || d.left->may_be_nothing || d.right->may_be_nothing ||
      d.right->kind != NodeKind::list)
    return result;
  const auto& choices = static_cast<const ListNode&>(*d.right).elements;
  if (choices.empty() || choices.size() > most_choices || !is_plain(*d.right)) return result;
  if (d.left->role != Role::subject && !is_plain(*d.left)) return result;
  // A list of indices makes a list of choices, not a call.
  if (!makes_list(*d.left)) result = {DirectCall::Kind::choose, d.left, nullptr, choices, d.choices};
  return result;
}

DirectCall direct_call(const Call& n, bool specials_change) {
  DirectCall result;
  if (n.function->kind != NodeKind::block && n.function->kind != NodeKind::derive && n.function->kind != NodeKind::train)
    return result;
  if (n.right->kind == NodeKind::nothing) return result;
  if (n.right->may_be_nothing) {
    // Where 𝕩 is Nothing the function is not called, and nobody must be able to tell that it was not evaluated.
    if (!n.left && is_plain(*n.function) && parts_of(*n.function).kind != Parts::Kind::none)
      result = {DirectCall::Kind::parts, nullptr, nullptr, {}, nullptr, true};
    return result;
  }
  if (n.left && (n.left->may_be_nothing || n.left->kind == NodeKind::nothing)) return result;
  if (n.function->kind == NodeKind::block) {
    if (runs_in_place(*n.function, n.left != nullptr)) result.kind = DirectCall::Kind::block;
    return result;
  }
  if (parts_of(*n.function).kind != Parts::Kind::none) {
    result.kind = DirectCall::Kind::parts;
    return result;
  }
  if (n.function->kind != NodeKind::derive) return result;
  const DeriveNode& d = static_cast<const DeriveNode&>(*n.function);
  const Applies applies = applies_of(d);
  const bool folds = reduces_of(d) == Reduces::folds;
  if (folds || is_any(applies, Applies::to_elements, Applies::to_cells)) {
    if (d.loops || (!d.as_value && runs_in_place(*d.left, folds || n.left != nullptr)))
      result = {folds ? DirectCall::Kind::fold : DirectCall::Kind::each, nullptr, d.left, {}, d.choices};
    return result;
  }
  if (!is_any(applies, Applies::to_tell_choice, Applies::repeatedly) && !d.loops) return result;
  // The left argument is brought to its place before the operands are: nobody must be able to tell.
  if (n.left && !(is_atom(*n.left) && is_plain(*n.left) && !(specials_change && n.left->kind == NodeKind::special)))
    return result;
  if (d.left->may_be_nothing || d.right->may_be_nothing) return result;
  if (d.loops) {
    const bool dyadic = n.left != nullptr;
    if (is_called_as_it_is(*d.left, dyadic, specials_change) && is_called_as_it_is(*d.right, dyadic, specials_change))
      result = {DirectCall::Kind::loop, d.right, d.left, {}};
  } else if (applies == Applies::to_tell_choice) {
    result = direct_choice(d);
  } else if (is_plain(*d.left) &&
             (d.right->role == Role::subject || is_called_as_it_is(*d.right, n.left != nullptr, specials_change))) {
    result = {DirectCall::Kind::repeat, d.right, d.left, {}, d.choices};
    result.in_place = !d.as_value && runs_in_place(*d.left, n.left != nullptr);
  }
  return result;
}

}  // namespace griddle
