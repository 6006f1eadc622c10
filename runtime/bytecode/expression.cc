#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/bytecode/folding.h"
#include "runtime/bytecode/parts.h"

namespace griddle {

std::uint32_t Compiler::claim(std::uint32_t t, std::uint32_t count) {
  if (t + count > Emitter::most_slots) fail(cx_, "Compiler: Expression is nested too deeply");
  emitter_->use_slots(t + count);
  return t;
}

void Compiler::reads(const Operand& o, std::uint8_t flag) {
  if (o.is_temporary()) emitter_->at(emitter_->last()).flags |= flag;
  if (o.is_variable()) emitter_->read(o.slot, flag);
}

void Compiler::move_into(const Operand& o, std::uint32_t t) {
  claim(t);
  switch (o.kind) {
    case Operand::Kind::constant:
      if (o.value.is_nothing()) {
        emitter_->emit(Opcode::nothing, t);
      } else {
        emitter_->emit(Opcode::constant, t);
        emitter_->immediate_value(o.value);
      }
      break;
    case Operand::Kind::variable:
      emitter_->emit(Opcode::copy, t, o.slot);
      emitter_->read(o.slot, Instruction::consume_b);
      break;
    case Operand::Kind::temporary:
      if (o.slot != t) emitter_->emit(Opcode::move, t, o.slot);
      break;
  }
}

Operand Compiler::in_slot(Operand o, std::uint32_t t) {
  if (!o.is_constant()) return o;
  move_into(o, t);
  return Operand::temporary(t);
}

void Compiler::check_value(Node& node, const Operand& o, std::uint32_t t) {
  if (!node.may_be_nothing) return;
  Operand held = in_slot(o, t);
  emitter_->emit(Opcode::check, held.slot);
  if (held.is_variable()) emitter_->read(held.slot, 0);
  at(node, t + held.is_temporary());
}

void Compiler::into(Node& node, std::uint32_t t, bool needs_value) {
  move_into(expression(node, t), t);
  if (needs_value) check_value(node, Operand::temporary(t), t);
}

namespace {

// Gives the block that the function of a call is, or that it maps; null for any other function.
BlockNode* block_called(const Node& call) {
  if (call.kind != NodeKind::call) return nullptr;
  const Node* function = static_cast<const Call&>(call).function;
  if (function->kind == NodeKind::derive) {
    const DeriveNode& d = static_cast<const DeriveNode&>(*function);
    if (applies_of(d) == Applies::to_elements) function = d.left;
  }
  return function->kind == NodeKind::block ? static_cast<const BlockExpression&>(*function).block : nullptr;
}

// Tells whether the last thing that a block does is to change something, which gives a value by the way.
bool ends_in_effect(const BlockNode& block) {
  return std::ranges::any_of(block.bodies, [](const Body* b) {
    if (b->statements.empty()) return false;
    const Node& last = *b->statements.back().expression;
    if (last.kind == NodeKind::assign) return static_cast<const Assign&>(last).assign == AssignKind::change;
    const BlockNode* const called = block_called(last);
    return called != nullptr && ends_in_effect(*called);
  });
}

// Notes that nobody needs what the function of a statement gives. F¨𝕩 and 𝕨F¨𝕩 are how programs write loops: the results need no
// memory, and a block that makes them may end in loops of the same kind.
void note_effect(Node& statement) {
  if (statement.kind != NodeKind::call) return;
  Node& function = *static_cast<Call&>(statement).function;
  if (function.kind == NodeKind::derive) {
    DeriveNode& derived = static_cast<DeriveNode&>(function);
    derived.for_effect = applies_of(derived) == Applies::to_elements;
  }
  BlockNode* const block = block_called(statement);
  if (block == nullptr || !ends_in_effect(*block)) return;
  // A block that knows itself may call itself for what it gives.
  block->for_effect = std::ranges::none_of(
      block->bodies, [](const Body* b) { return b->self != nullptr || b->specials & bit_of(SpecialName::s); });
}

}  // namespace

void Compiler::effect(Node& node, std::uint32_t t) {
  if (node.kind == NodeKind::assign) {
    assign(static_cast<Assign&>(node), t, false);
    return;
  }
  // Programs name 𝕤 to say that a block is a function.
  if (node.kind == NodeKind::special) return;
  note_effect(node);
  if (expression(node, t).is_temporary()) emitter_->emit(Opcode::drop, t);
}

Operand Compiler::expression(Node& node, std::uint32_t t) {
  cx_.check_stack();
  if (&node == computed_.node) return computed_.operand;
  if (const std::uint32_t slot = prepared_slot(node); slot != none) {
    emitter_->emit(Opcode::copy, claim(t), slot);
    return Operand::temporary(t);
  }
  switch (node.kind) {
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list: return Operand::constant(literal_value(cx_, node));
    case NodeKind::nothing: return Operand::constant(Value::nothing());
    case NodeKind::primitive: return Operand::constant(primitive(cx_, static_cast<Primitive&>(node).name));
    case NodeKind::system: {
      const System& n = static_cast<System&>(node);
      Value v = system_value(n.name, n.span);
      return n.sees_scope() ? scoped(std::move(v), n, t) : Operand::constant(std::move(v));
    }
    case NodeKind::variable: return variable(static_cast<Variable&>(node), t);
    case NodeKind::special: return special(static_cast<Special&>(node), t);
    case NodeKind::list: return list(static_cast<ListNode&>(node), t);
    case NodeKind::merge: return merge(static_cast<ListNode&>(node), t);
    case NodeKind::field: return field(static_cast<Field&>(node), t);
    case NodeKind::call: {
      Operand result = call(static_cast<Call&>(node), t);
      if (outline_ != nullptr && result.is_constant()) [[unlikely]]
        note_constant(node, result.value);
      return result;
    }
    case NodeKind::train: return train(static_cast<TrainNode&>(node), t);
    case NodeKind::derive: return derive(static_cast<DeriveNode&>(node), t);
    case NodeKind::block: return block(static_cast<BlockExpression&>(node), t);
    case NodeKind::assign: return assign(static_cast<Assign&>(node), t, true);
    case NodeKind::alias: break;
  }
  assert(!"no expression");
  return Operand::constant(Value());
}

Operand Compiler::scoped(Value v, const System& n, std::uint32_t t) {
  if (!v.is_function() || v.function().kind != ObjectKind::native_function) return Operand::constant(std::move(v));
  const auto& made = static_cast<const NativeFunction&>(v.function());
  if (made.state != unit_.get()) return Operand::constant(std::move(v));
  Ref<VisibleNames> visible = make_native<VisibleNames>(cx_.heap);
  visible->unit = unit_;
  for (const BodyLayout* l = state_.layout; l; l = l->parent) {
    if (!l->has_environment) continue;
    OuterBody& body = visible->scope.emplace_back();
    for (const Binding* b : l->body->bindings)
      body.push_back({std::string(b->name), std::string(b->spelling), b->role, b->name.empty(), b->read_only});
  }
  emitter_->emit(Opcode::scoped, claim(t));
  emitter_->immediate_value(make_native_function(cx_.heap, made.name, made.monad, made.dyad, Ref<NativeObject>(visible.leak())));
  at(n, t);
  return Operand::temporary(t);
}

// --- names

std::uint32_t Compiler::hops_to(const BodyLayout& home) const {
  std::uint32_t hops = 0;
  for (const BodyLayout* l = state_.layout; l != &home; l = l->parent) hops += l->has_environment;
  return hops;
}

void Compiler::read_outer(const Variable& v, std::uint32_t t) {
  std::uint32_t slot = place_of(v).slot;
  claim(t);
  if (slot < 65536) {
    emitter_->emit(Opcode::outer, t, hops_to(*v.body->layout), slot);
  } else {
    emitter_->emit(Opcode::outer_wide, t, hops_to(*v.body->layout));
    emitter_->immediate(slot);
  }
  at(v, t);
}

Operand Compiler::variable(const Variable& v, std::uint32_t t) {
  const Place& place = place_of(v);
  // Comes first: a constant block has no value yet while its own body is compiled.
  if (is_self(*v.binding, *state_.layout)) {
    emitter_->emit(state_.block->type == BlockType::function ? Opcode::self : Opcode::modifier_self, claim(t));
    return Operand::temporary(t);
  }
  if (place.kind == Place::Kind::constant) return Operand::constant(layout_->constants[place.slot]);
  if (place.kind == Place::Kind::slot) return Operand::variable(place.slot);
  read_outer(v, t);
  return Operand::temporary(t);
}

Operand Compiler::special(const Special& n, std::uint32_t t) {
  std::uint32_t slot = state_.special[static_cast<int>(n.name)];
  if (slot != none) return Operand::variable(slot);
  claim(t);
  switch (n.name) {
    case SpecialName::s: emitter_->emit(Opcode::self, t); break;
    case SpecialName::r: emitter_->emit(Opcode::modifier_self, t); break;
    case SpecialName::f: emitter_->emit(Opcode::operand, t, 0); break;
    case SpecialName::g: emitter_->emit(Opcode::operand, t, 1); break;
    default: fail_at(n.span, "Compiler: An argument stands outside of a function");
  }
  return Operand::temporary(t);
}

bool Compiler::may_assign(const Node& n) {
  switch (n.kind) {
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list:
    case NodeKind::nothing:
    case NodeKind::primitive:
    case NodeKind::system:
    case NodeKind::variable:
    case NodeKind::special: return false;
    default: return !n.constant;
  }
}

bool Compiler::is_changed(const Node& n) const {
  if (n.kind == NodeKind::variable) return static_cast<const Variable&>(n).binding->changed;
  // Special names change seldom; asking the whole body is precise enough. What else leaves a variable where it lies, as an
  // assignment and ⊢ do, may have any name in it.
  return n.kind != NodeKind::special || specials_change(*state_.layout);
}

Value Compiler::system_value(std::string_view name, Span span) {
  Value v;
  try {
    if (unit_->resolver) v = unit_->resolver->resolve(cx_, *unit_, name);
  } catch (Error& error) {
    if (error.frames.empty()) error.frames.push_back({unit_->source, span.start, span.end});
    throw;
  }
  if (v.is_absent()) fail_at(span, "Unknown system value " + unit_->source->text.substr(span.start, span.end - span.start));
  return v;
}

// --- lists, trains, modifiers, fields

void Compiler::list_in_slots(std::span<Node* const> elements, Span span, std::uint32_t t) {
  // Longer lists are joined from pieces, so that a frame never holds very many elements.
  constexpr std::size_t piece = 4096;
  claim(t);
  for (std::size_t start = 0; start == 0 || start < elements.size(); start += piece) {
    std::size_t count = std::min(piece, elements.size() - start);
    std::uint32_t at_slot = t + (start > 0);
    for (std::uint32_t i = 0; i < count; i++) into(*elements[start + i], at_slot + i, true);
    claim(at_slot, static_cast<std::uint32_t>(count) + 1);
    emitter_->emit(Opcode::list, at_slot, static_cast<std::uint32_t>(count));
    emitter_->position(span, at_slot + static_cast<std::uint32_t>(count));
    if (start > 0) {
      emitter_->emit(Opcode::join_lists, t, t + 1);
      emitter_->position(span, t + 2);
    }
  }
}

Operand Compiler::list(const ListNode& n, std::uint32_t t) {
  if (n.constant) {
    std::vector<Value> values;
    values.reserve(n.elements.size());
    for (Node* e : n.elements) values.push_back(expression(*e, t).value);
    return Operand::constant(make_literal(cx_.heap, values));
  }
  list_in_slots(n.elements, n.span, t);
  return Operand::temporary(t);
}

Operand Compiler::merge(const ListNode& n, std::uint32_t t) {
  const PrimitiveFunctionEntry& entry = *primitive_entry(primitive(cx_, Glyph::greater));
  bool constant = std::all_of(n.elements.begin(), n.elements.end(), [](Node* e) { return e->constant; });
  if (constant && !n.elements.empty()) {
    std::vector<Value> values;
    for (Node* e : n.elements) values.push_back(expression(*e, t).value);
    try {
      return Operand::constant(griddle::call_primitive(cx_, entry, make_values(cx_.heap, values)));
    } catch (const Error&) {
      // Fails when its turn comes.
    }
  }
  list_in_slots(n.elements, n.span, t);
  emitter_->emit(Opcode::monad, t, t, 0, Instruction::consume_b);
  emitter_->immediate_pointer(&entry);
  at(n, t + 1);
  return Operand::temporary(t);
}

template <class F>
Operand Compiler::constant_function(const Node& n, F make) {
  if (const auto found = constant_functions_.find(&n); found != constant_functions_.end())
    return Operand::constant(found->second);
  Value made = make();
  constant_functions_.emplace(&n, made);
  return Operand::constant(std::move(made));
}

Operand Compiler::train(const TrainNode& n, std::uint32_t t) {
  if (n.constant)
    return constant_function(n, [&] {
      Value h = expression(*n.right, t).value, g = expression(*n.middle, t).value;
      if (!n.left) return make_atop(cx_, std::move(g), std::move(h));
      return make_fork(cx_, expression(*n.left, t).value, std::move(g), std::move(h));
    });
  into(*n.right, t, true);
  into(*n.middle, t + 1, true);
  // Nothing as left tine leaves it empty.
  if (n.left) into(*n.left, t + 2);
  emitter_->emit(n.left ? Opcode::fork : Opcode::atop, t);
  at(n, t + 2 + (n.left != nullptr));
  return Operand::temporary(t);
}

Operand Compiler::derived_once(const DeriveNode& n, std::uint32_t t) {
  return constant_function(n, [&] {
    Value g = n.right ? expression(*n.right, t).value : Value();
    Value modifier = expression(*n.modifier, t).value;
    Value f = expression(*n.left, t).value;
    return n.right ? derive2(cx_, modifier, std::move(f), std::move(g)) : derive1(cx_, modifier, std::move(f));
  });
}

Operand Compiler::derive(const DeriveNode& n, std::uint32_t t) {
  if (n.constant) return derived_once(n, t);
  std::uint32_t next = t;
  if (n.right) into(*n.right, next++, true);
  const Operand modifier = expression(*n.modifier, next);
  if (n.modifier->kind == NodeKind::primitive) {
    into(*n.left, next++, true);
    emitter_->emit(n.right ? Opcode::derive2_primitive : Opcode::derive1_primitive, t, 0, 0,
                   n.for_effect ? Instruction::for_effect : std::uint8_t{0});
    emitter_->immediate_value(modifier.value);
  } else {
    move_into(modifier, next);
    check_value(*n.modifier, Operand::temporary(next), next);
    next++;
    into(*n.left, next++, true);
    emitter_->emit(n.right ? Opcode::derive2 : Opcode::derive1, t);
  }
  at(n, next);
  return Operand::temporary(t);
}

Operand Compiler::field(const Field& n, std::uint32_t t) {
  Operand object = in_slot(expression(*n.object, t), t);
  code_->fields.push_back(std::make_unique<FieldCache>());
  code_->fields.back()->name = n.name;
  claim(t);
  emitter_->emit(Opcode::field, t, object.slot);
  emitter_->immediate_pointer(code_->fields.back().get());
  reads(object, Instruction::consume_b);
  at(n, t + object.is_temporary());
  return Operand::temporary(t);
}

}  // namespace griddle
