#include "runtime/bytecode/loops.h"

#include <algorithm>

#include "runtime/bytecode/direct_call.h"
#include "runtime/bytecode/layout.h"
#include "runtime/bytecode/parts.h"
#include "runtime/primitive.h"

namespace griddle {

namespace {

class Survey {
 public:
  explicit Survey(Context& cx) : cx_(cx) {}
  BlockWork work;

  void block(const BlockNode& b) {
    cx_.check_stack();
    for (const Body* body : b.bodies) {
      if (b.bodies.size() > 1 && body->body_case != BodyCase::general) work.acts = true;
      for (const Statement& s : body->statements) {
        if (s.predicate) work.branches = true;
        visit(s.expression);
      }
    }
  }

  // Looks at ◶, whose index and choices may be blocks.
  void choice(const DeriveNode& d) {
    work.branches = true;
    const auto part = [&](const Node* n) {
      if (n->kind == NodeKind::block)
        block(*static_cast<const BlockExpression*>(n)->block);
      else
        visit(n);
    };
    part(d.left);
    if (d.right->kind != NodeKind::list) return visit(d.right);
    for (const Node* n : static_cast<const ListNode*>(d.right)->elements) part(n);
  }

 private:
  static bool is_outer(const Variable& v) { return v.body->layout != nullptr && place_of(v).kind != Place::Kind::constant; }

  void visit(const Node* n) {
    if (n == nullptr) return;
    cx_.check_stack();
    switch (n->kind) {
      case NodeKind::variable:
        if (n->role != Role::subject) work.acts = true;
        if (is_outer(*static_cast<const Variable*>(n))) work.reads_outer = true;
        break;
      case NodeKind::special:
      case NodeKind::system:
      case NodeKind::field:
        if (n->role != Role::subject) work.acts = true;
        if (n->kind == NodeKind::field) visit(static_cast<const Field*>(n)->object);
        break;
      case NodeKind::list:
      case NodeKind::merge:
        for (const Node* e : static_cast<const ListNode*>(n)->elements) visit(e);
        break;
      case NodeKind::call: {
        const Call& c = *static_cast<const Call*>(n);
        visit(c.function);
        visit(c.left);
        visit(c.right);
        break;
      }
      case NodeKind::train: {
        const TrainNode& t = *static_cast<const TrainNode*>(n);
        visit(t.left);
        visit(t.middle);
        visit(t.right);
        break;
      }
      case NodeKind::derive: {
        const DeriveNode& d = *static_cast<const DeriveNode*>(n);
        visit(d.modifier);
        if (applies_of(d) == Applies::to_tell_choice) return choice(d);
        visit(d.left);
        visit(d.right);
        break;
      }
      case NodeKind::block:
        work.acts = true;
        block(*static_cast<const BlockExpression*>(n)->block);
        break;
      case NodeKind::assign: {
        const Assign& a = *static_cast<const Assign*>(n);
        if (a.assign == AssignKind::change) {
          work.acts = true;
          target(a.target);
        }
        visit(a.function);
        visit(a.value);
        break;
      }
      default: break;
    }
  }

  // Looks at what ↩ changes.
  void target(const Node* n) {
    if (n == nullptr) return;
    cx_.check_stack();
    if (n->kind == NodeKind::variable && is_outer(*static_cast<const Variable*>(n)))
      work.reads_outer = work.changes_outer = true;
    else if (n->kind == NodeKind::list || n->kind == NodeKind::merge)
      for (const Node* e : static_cast<const ListNode*>(n)->elements) target(e);
    else if (n->kind == NodeKind::alias)
      target(static_cast<const Alias*>(n)->target);
  }

  Context& cx_;
};

}  // namespace

bool is_of_primitives(Context& cx, const Node& n) {
  cx.check_stack();
  switch (n.kind) {
    case NodeKind::primitive:
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list: return true;
    case NodeKind::variable: return static_cast<const Variable&>(n).binding->tacit != nullptr;
    case NodeKind::derive: {
      const DeriveNode& d = static_cast<const DeriveNode&>(n);
      return d.modifier->kind == NodeKind::primitive && is_of_primitives(cx, *d.left) &&
             (d.right == nullptr || is_of_primitives(cx, *d.right));
    }
    case NodeKind::train: {
      const TrainNode& t = static_cast<const TrainNode&>(n);
      return is_of_primitives(cx, *t.right) && is_of_primitives(cx, *t.middle) &&
             (t.left == nullptr || is_of_primitives(cx, *t.left));
    }
    default: return false;
  }
}

bool calls_alone(Context& cx, const BlockNode& block) {
  if (block.bodies.size() != 1 || block.bodies[0]->statements.size() != 1) return false;
  const Node* const n = block.bodies[0]->statements[0].expression;
  if (n == nullptr || n->kind != NodeKind::call) return false;
  const Call& c = *static_cast<const Call*>(n);
  const bool on_argument =
      c.left == nullptr && c.right->kind == NodeKind::special && static_cast<const Special*>(c.right)->name == SpecialName::x;
  return on_argument && is_of_primitives(cx, *c.function);
}

namespace {

// Counts primitives and data.
std::size_t size_of(const Node* n) {
  if (n == nullptr) return 0;
  if (n->kind == NodeKind::variable) return size_of(static_cast<const Variable*>(n)->binding->tacit);
  if (n->kind == NodeKind::train) {
    const TrainNode& t = static_cast<const TrainNode&>(*n);
    return size_of(t.left) + size_of(t.middle) + size_of(t.right);
  }
  if (n->kind != NodeKind::derive) return 1;
  const DeriveNode& d = static_cast<const DeriveNode&>(*n);
  return size_of(d.modifier) + size_of(d.left) + size_of(d.right);
}

}  // namespace

bool is_written_out(Context& cx, const Node& function) {
  constexpr std::size_t most = 16;  // so that no call is much larger than a call
  return parts_of(function).kind != Parts::Kind::none && is_of_primitives(cx, function) && size_of(&function) <= most;
}

namespace {

bool is_constant(const Variable& v) { return v.body->layout != nullptr && place_of(v).kind == Place::Kind::constant; }

// What the parts of a function are that is put together from primitives, names and data.
struct PartsSurvey {
  bool known = true, only_computes = true;
  bool changes = false;  // from one evaluation to the next
};
PartsSurvey survey_of_parts(Context& cx, const Node& function) {
  PartsSurvey s;
  if (parts_of(function).kind == Parts::Kind::none) s.known = false;
  each_part(const_cast<Node&>(function), [&](const Node& part) {
    const bool is_name = part.kind == NodeKind::variable || part.kind == NodeKind::special;
    if (is_name) s.changes |= part.kind == NodeKind::special || !is_constant(static_cast<const Variable&>(part));
    if (part.role == Role::subject) {
      s.known &= part.kind != NodeKind::block;
      return;
    }
    s.known &= is_name || is_of_primitives(cx, part);
    s.only_computes &= part.kind == NodeKind::primitive && entry_of(static_cast<const Primitive&>(part).name).pervasive_dyad;
  });
  return s;
}

}  // namespace

bool is_called_for_few(Context& cx, const Node& function) {
  const PartsSurvey s = survey_of_parts(cx, function);
  return s.known && !s.only_computes;
}
bool computes_on_lists(Context& cx, const Node& function) {
  const PartsSurvey s = survey_of_parts(cx, function);
  return s.known && s.only_computes && s.changes;
}

bool is_folded_in_steps(Context& cx, const Node& function) {
  const Parts p = parts_of(function);
  if (p.kind == Parts::Kind::swap && p.g->kind == NodeKind::primitive) return false;
  return survey_of_parts(cx, function).known;
}

bool is_met_by_groups(const Call& call, const Node& mapped) {
  if (call.left != nullptr || call.right->kind != NodeKind::call || mapped.kind != NodeKind::train) return false;
  const auto entry = [](const Node& f) {
    return f.kind == NodeKind::primitive && f.role == Role::function ? &entry_of(static_cast<const Primitive&>(f).name) : nullptr;
  };
  const PrimitiveFunctionEntry* const maker = entry(*static_cast<const Call&>(*call.right).function);
  const TrainNode& t = static_cast<const TrainNode&>(mapped);
  const PrimitiveFunctionEntry *const by = entry(*t.middle), *const last = entry(*t.right);
  return maker != nullptr && maker->fold_parts != nullptr && maker->parts_of == Applies::to_elements && by != nullptr &&
         by->scalar == ScalarOp::divide && last != nullptr && last->scalar == ScalarOp::not_equal;
}

bool is_primitive_for_few(const Node& function, bool dyadic) {
  if (function.kind != NodeKind::primitive || function.role != Role::function) return false;
  const PrimitiveFunctionEntry& p = entry_of(static_cast<const Primitive&>(function).name);
  if (passes_on(p)) return false;
  return !p.is_pervasive(dyadic) && (dyadic ? p.on_each_pair == nullptr : p.on_each == nullptr);
}

bool is_name_of_work(Context& cx, const Node& function) {
  if (function.role != Role::function) return false;
  if (function.kind == NodeKind::special) return static_cast<const Special&>(function).name == SpecialName::s;
  if (function.kind != NodeKind::variable) return false;
  const BlockNode* const block = static_cast<const Variable&>(function).binding->block;
  return block != nullptr && block->type == BlockType::function && work_of(cx, *block).acts;
}

BlockWork work_of(Context& cx, const BlockNode& block) {
  Survey survey(cx);
  survey.block(block);
  return survey.work;
}
BlockWork work_of_choice(Context& cx, const DeriveNode& choice) {
  Survey survey(cx);
  survey.choice(choice);
  return survey.work;
}
bool chooses_blocks(const Node& n) {
  if (n.kind != NodeKind::derive) return false;
  const DirectCall choice = direct_choice(static_cast<const DeriveNode&>(n));
  const auto is_block = [](const Node* part) { return part->kind == NodeKind::block; };
  // An index that is computed, and no function, is computed once.
  return choice.kind == DirectCall::Kind::choose && is_plain(*choice.condition) &&
         (is_block(choice.condition) || std::ranges::any_of(choice.choices, is_block));
}

}  // namespace griddle
