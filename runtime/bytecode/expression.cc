#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/bytecode/folding.h"
#include "runtime/bytecode/primitive_opcodes.h"

namespace griddle {

namespace {

bool is_nothing(const Node* n) { return n && n->kind == NodeKind::nothing; }

}  // namespace

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

// Notes a statement F¨𝕩 or 𝕨F¨𝕩, which is how programs write loops: its results need no memory.
void note_loop(Node& statement) {
  if (statement.kind != NodeKind::call) return;
  Node& function = *static_cast<Call&>(statement).function;
  if (function.kind != NodeKind::derive) return;
  DeriveNode& derived = static_cast<DeriveNode&>(function);
  derived.for_effect = derived.modifier->kind == NodeKind::primitive && static_cast<Primitive*>(derived.modifier)->glyph == U'¨';
}

}  // namespace

void Compiler::effect(Node& node, std::uint32_t t) {
  if (node.kind == NodeKind::assign) {
    assign(static_cast<Assign&>(node), t, false);
    return;
  }
  // Programs name 𝕤 to say that a block is a function.
  if (node.kind == NodeKind::special) return;
  note_loop(node);
  if (expression(node, t).is_temporary()) emitter_->emit(Opcode::drop, t);
}

Operand Compiler::expression(Node& node, std::uint32_t t) {
  cx_.check_stack();
  if (&node == computed_.node) return computed_.operand;
  switch (node.kind) {
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list: return Operand::constant(literal_value(cx_, node));
    case NodeKind::nothing: return Operand::constant(Value::nothing());
    case NodeKind::primitive: return Operand::constant(primitive(cx_, static_cast<Primitive&>(node).glyph));
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
    case NodeKind::call: return call(static_cast<Call&>(node), t);
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
  // Special names change seldom; asking the whole body is precise enough.
  return n.kind == NodeKind::special ? specials_change(*state_.layout) : n.kind == NodeKind::assign;
}

Value Compiler::system_value(std::string_view name, Span span) {
  Value v;
  try {
    if (unit_->resolver) v = unit_->resolver->resolve(cx_, *unit_, name);
  } catch (Error& error) {
    if (error.frames.empty()) error.frames.push_back({unit_->source, span.start, span.end});
    throw;
  }
  if (v.is_absent()) fail_at(span, "Unknown system value •" + std::string(name));
  return v;
}

const PrimitiveFunctionEntry* Compiler::primitive_entry(const Value& f) const {
  if (!f.is_function() || f.function().kind != ObjectKind::primitive_function) return nullptr;
  return static_cast<const PrimitiveFunction&>(f.function()).entry;
}

// --- calls

Compiler::ScalarInstruction Compiler::scalar_instruction(const PrimitiveFunctionEntry& entry, bool right_constant) {
  ScalarOpcodes ops = scalar_opcodes(entry.scalar);
  if (right_constant && ops.right_constant != no_opcode) return {ops.right_constant, true};
  return {ops.slots == no_opcode ? Opcode::dyad : ops.slots, false};
}

Compiler::Callee Compiler::variable_callee(const Variable& v) {
  const Place& place = place_of(v);
  if (is_self(*v.binding, *state_.layout) && state_.block->type == BlockType::function)
    return {Callee::Kind::self, 0, 0, Value()};
  if (v.binding->changed) return {};
  if (place.kind == Place::Kind::slot) return {Callee::Kind::slot, place.slot, 0, Value()};
  // A session may give the name another value while the function runs.
  if (shared_root_ && is_root(*v.body)) return {};
  if (place.kind == Place::Kind::environment && place.slot < 65536)
    return {Callee::Kind::outer, hops_to(*v.body->layout), place.slot, Value()};
  return {};
}

Compiler::Callee Compiler::callee(Node& node) {
  if (node.constant) {
    Operand f = expression(node, 0);
    assert(f.is_constant());
    if (f.value.is_function()) return {Callee::Kind::constant, 0, 0, std::move(f.value)};
    return {};
  }
  if (node.kind == NodeKind::variable) return variable_callee(static_cast<Variable&>(node));
  if (node.kind == NodeKind::special && !is_changed(node)) {
    SpecialName name = static_cast<Special&>(node).name;
    std::uint32_t slot = state_.special[static_cast<int>(name)];
    if (slot != none) return {Callee::Kind::slot, slot, 0, Value()};
    if (name == SpecialName::s && state_.block && state_.block->type == BlockType::function)
      return {Callee::Kind::self, 0, 0, Value()};
    if (name == SpecialName::f || name == SpecialName::g) return {Callee::Kind::operand, name == SpecialName::g, 0, Value()};
  }
  return {};
}

// k⊸F and F⟜k are F with a constant.
bool Compiler::emit_bound(const Value& f, std::uint32_t t) {
  if (f.function().kind != ObjectKind::derived) return false;
  const Derived& d = static_cast<const Derived&>(f.function());
  if (d.bound() == ScalarOp::none) return false;
  const ScalarOpcodes ops = scalar_opcodes(d.bound());
  const Opcode op = d.b ? ops.right_constant : ops.left_constant;
  const PrimitiveFunctionEntry* entry = primitive_entry(d.b ? d.f : d.g);
  if (op == no_opcode || entry == nullptr) return false;
  emitter_->emit(op, t, t, 0, static_cast<std::uint8_t>(Instruction::consume_b | (d.b ? 0 : Instruction::swapped)));
  emitter_->immediate_pointer(entry);
  emitter_->immediate_value(d.b ? d.g : d.f);
  return true;
}

void Compiler::emit_call(const Callee& f, bool dyadic, std::uint32_t t, Span span) {
  claim(t, 2);
  if (f.kind == Callee::Kind::constant && !dyadic && emit_bound(f.value, t)) {
    emitter_->position(span, t);
    return;
  }
  auto pick = [&](Opcode one, Opcode two) { return dyadic ? two : one; };
  switch (f.kind) {
    case Callee::Kind::constant:
      if (f.value.function().kind == ObjectKind::block_function)
        emitter_->emit(pick(Opcode::call1_block, Opcode::call2_block), t);
      else
        emitter_->emit(pick(Opcode::call1_constant, Opcode::call2_constant), t);
      emitter_->immediate_value(f.value);
      break;
    case Callee::Kind::self: emitter_->emit(pick(Opcode::call1_self, Opcode::call2_self), t); break;
    case Callee::Kind::slot:
      emitter_->emit(pick(Opcode::call1_local, Opcode::call2_local), t, f.a);
      emitter_->read(f.a, 0);
      break;
    case Callee::Kind::outer: emitter_->emit(pick(Opcode::call1_outer, Opcode::call2_outer), t, f.a, f.b); break;
    case Callee::Kind::operand: emitter_->emit(pick(Opcode::call1_operand, Opcode::call2_operand), t, f.a); break;
    case Callee::Kind::computed: assert(!"call_value has its own layout"); break;
  }
  emitter_->position(span, t + 1 + dyadic);
}

void Compiler::emit_reads_at_once(std::uint32_t start, bool dyadic, std::uint32_t function_hops) {
  const std::uint32_t arguments = dyadic ? 2 : 1;
  if (emitter_->here() != start + arguments) return;
  bool one_scope = true;
  for (std::uint32_t i = 0; i < arguments; i++) {
    if (emitter_->at(start + i).op != Opcode::outer) return;
    one_scope = one_scope && emitter_->at(start + i).b == function_hops;
  }
  Instruction& first = emitter_->at(start);
  first.op = dyadic ? Opcode::call2_of_outer : Opcode::call1_of_outer;
  if (one_scope) first.flags |= Instruction::one_scope;
}

Operand Compiler::call(const Call& n, std::uint32_t t) {
  if (n.folded != Call::not_folded) return Operand::constant(layout_->constants[n.folded]);
  if (Operand result = Operand::constant(Value()); fuse(n, t, result)) return result;
  if (DirectCall direct = direct_call(n, specials_change(*state_.layout)); direct.kind != DirectCall::Kind::none)
    return call_directly(n, direct, t);
  Callee f = callee(*n.function);
  if (f.kind == Callee::Kind::constant)
    if (const PrimitiveFunctionEntry* entry = primitive_entry(f.value)) return call_primitive(n, *entry, t);
  Node* left = is_nothing(n.left) ? nullptr : n.left;
  bool maybe = n.right->may_be_nothing || (left && left->may_be_nothing);
  const std::uint32_t start = emitter_->here();
  into(*n.right, t);
  if (f.kind != Callee::Kind::computed && !(maybe && left)) {
    if (left) into(*left, t + 1);
    // Nothing is its own result, whatever the function.
    const std::uint32_t nothing = maybe ? emitter_->emit(Opcode::jump_nothing, t) : none;
    if (f.kind == Callee::Kind::outer && !maybe) emit_reads_at_once(start, left != nullptr, f.a);
    emit_call(f, left != nullptr, t, n.function->span);
    if (maybe) emitter_->land(nothing);
    return Operand::temporary(t);
  }
  // x, f, w side by side.
  into(*n.function, t + 1);
  if (left) into(*left, t + 2);
  claim(t, 3);
  if (maybe)
    emitter_->emit(Opcode::call_maybe, t, left != nullptr);
  else
    emitter_->emit(left ? Opcode::call2_value : Opcode::call1_value, t);
  at(*n.function, t + 2 + (left != nullptr));
  return Operand::temporary(t);
}

Operand Compiler::call_monad(const Call& n, const PrimitiveFunctionEntry& entry, std::uint32_t t) {
  Operand x = expression(*n.right, t);
  if (entry.glyph == U'⊢' || entry.glyph == U'⊣') return x;
  if (x.is_constant() && x.value.is_number() && entry.pervasive_monad)
    return Operand::constant(entry.monad(cx_, std::move(x.value)));
  x = in_slot(std::move(x), t);
  claim(t);
  emitter_->emit(monad_opcode(entry), t, x.slot, 0, n.right->may_be_nothing ? Instruction::maybe : 0);
  emitter_->immediate_pointer(&entry);
  reads(x, Instruction::consume_b);
  at(*n.function, t + x.is_temporary());
  return Operand::temporary(t);
}

Compiler::Arguments Compiler::arguments(const Call& n, bool left_constant, bool right_constant, std::uint32_t t) {
  Operand x = expression(*n.right, t);
  if (x.is_constant() && !right_constant) x = in_slot(std::move(x), t);
  if (x.is_variable() && is_changed(*n.right) && may_assign(*n.left)) {
    move_into(x, t);
    x = Operand::temporary(t);
  }
  Operand w = expression(*n.left, t + x.is_temporary());
  if (w.is_constant() && (x.is_constant() || !left_constant)) w = in_slot(std::move(w), t + x.is_temporary());
  std::uint32_t depth = t + x.is_temporary() + w.is_temporary();
  return {std::move(w), std::move(x), depth};
}

Operand Compiler::call_primitive(const Call& n, const PrimitiveFunctionEntry& entry, std::uint32_t t) {
  if (!n.left || is_nothing(n.left)) return call_monad(n, entry, t);
  ScalarOpcodes ops = scalar_opcodes(entry.scalar);
  if (n.constant) {
    Value x = expression(*n.right, t).value;  // may define what the left side reads
    Value w = expression(*n.left, t).value;
    return Operand::constant(entry.dyad(cx_, std::move(w), std::move(x)));
  }
  auto [w, x, depth] = arguments(n, ops.left_constant != no_opcode, ops.right_constant != no_opcode, t);
  claim(t);
  std::uint8_t maybe = n.right->may_be_nothing || n.left->may_be_nothing ? Instruction::maybe : 0;
  if (x.is_constant()) {
    emitter_->emit(ops.right_constant, t, w.slot, 0, maybe);
    emitter_->immediate_pointer(&entry);
    emitter_->immediate_value(x.value);
    reads(w, Instruction::consume_b);
  } else if (w.is_constant()) {
    emitter_->emit(ops.left_constant, t, x.slot, 0, static_cast<std::uint8_t>(maybe | Instruction::swapped));
    emitter_->immediate_pointer(&entry);
    emitter_->immediate_value(w.value);
    reads(x, Instruction::consume_b);
  } else {
    emitter_->emit(dyad_opcode(entry), t, w.slot, x.slot, maybe);
    emitter_->immediate_pointer(&entry);
    // The slow path takes 𝕨 before 𝕩: where both are one variable, only 𝕩 may consume it.
    if (w.slot != x.slot) reads(w, Instruction::consume_b);
    reads(x, Instruction::consume_c);
  }
  at(*n.function, depth);
  return Operand::temporary(t);
}

Compiler::Escape Compiler::predicate(Node& node, std::uint32_t t) {
  if (node.kind == NodeKind::call && !node.may_be_nothing) {
    const Call& n = static_cast<Call&>(node);
    ScalarOpcodes ops;
    const PrimitiveFunctionEntry* entry = nullptr;
    if (n.left && n.function->kind == NodeKind::primitive && !n.left->may_be_nothing && !node.constant) {
      entry = primitive_entry(primitive(cx_, static_cast<Primitive*>(n.function)->glyph));
      ops = scalar_opcodes(entry->scalar);
    }
    if (ops.test != no_opcode) {
      auto [w, x, depth] = arguments(n, true, true, t);
      std::uint32_t index;
      if (x.is_constant()) {
        index = emitter_->emit(ops.test_right_constant, 0, w.slot);
        emitter_->immediate_pointer(entry);
        emitter_->immediate_value(x.value);
        reads(w, Instruction::consume_b);
      } else if (w.is_constant()) {
        index = emitter_->emit(ops.test_left_constant, 0, x.slot, 0, Instruction::swapped);
        emitter_->immediate_pointer(entry);
        emitter_->immediate_value(w.value);
        reads(x, Instruction::consume_b);
      } else {
        index = emitter_->emit(ops.test, 0, w.slot, x.slot);
        emitter_->immediate_pointer(entry);
        if (w.slot != x.slot) reads(w, Instruction::consume_b);
        reads(x, Instruction::consume_c);
      }
      emitter_->immediate(0);
      at(node, depth);
      return {index, emitter_->here() - 1};
    }
  }
  Operand o = in_slot(expression(node, t), t);
  std::uint32_t index = emitter_->emit(Opcode::test, o.slot);
  emitter_->read(o.slot, 0);
  at(node, t + o.is_temporary());
  return {index, none};
}

void Compiler::land(Escape e, std::uint32_t target) {
  if (e.word == none)
    emitter_->at(e.instruction).set_distance(static_cast<std::int32_t>(target - e.instruction));
  else
    // The upper half may say which slots a mismatch releases.
    emitter_->word(e.word) = (emitter_->word(e.word) & ~std::uint64_t{0xFFFFFFFF}) | (target - e.instruction);
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
  const PrimitiveFunctionEntry& entry = *primitive_entry(primitive(cx_, U'>'));
  bool constant = std::all_of(n.elements.begin(), n.elements.end(), [](Node* e) { return e->constant; });
  if (constant && !n.elements.empty()) {
    std::vector<Value> values;
    for (Node* e : n.elements) values.push_back(expression(*e, t).value);
    try {
      return Operand::constant(entry.monad(cx_, make_values(cx_.heap, values)));
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

Operand Compiler::derive(const DeriveNode& n, std::uint32_t t) {
  if (n.constant)
    return constant_function(n, [&] {
      Value g = n.right ? expression(*n.right, t).value : Value();
      Value modifier = expression(*n.modifier, t).value;
      Value f = expression(*n.left, t).value;
      return n.right ? derive2(cx_, modifier, std::move(f), std::move(g)) : derive1(cx_, modifier, std::move(f));
    });
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
