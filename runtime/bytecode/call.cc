// Calls: which instruction a call becomes, by what is known of the function and of its arguments.
#include "runtime/bytecode/compiling.h"
#include "runtime/bytecode/primitive_opcodes.h"

namespace griddle {

namespace {

bool is_nothing(const Node* n) { return n && n->kind == NodeKind::nothing; }

}  // namespace

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

void Compiler::note_folded_parts(const Value& f, std::uint32_t t) {
  const auto primitive = [&](std::uint32_t index) -> const PrimitiveFunctionEntry* {
    if (index == Emitter::no_instruction || emitter_->at(index).a != t) return nullptr;
    const Opcode op = emitter_->at(index).op;
    return op == Opcode::monad || op == Opcode::dyad ? emitter_->at(index).pointer<const PrimitiveFunctionEntry>(0) : nullptr;
  };
  std::uint32_t parts = emitter_->last();
  const PrimitiveFunctionEntry* maker = primitive(parts);
  const bool turned = maker != nullptr && maker->name == Glyph::transpose && emitter_->at(parts).op == Opcode::monad;
  if (turned) {
    parts = emitter_->at(parts).b == t ? emitter_->before_last() : Emitter::no_instruction;
    maker = primitive(parts);
  }
  if (maker == nullptr || maker->fold_parts == nullptr) return;
  if (turned) {
    if (reduces_by(f) != Reduces::inserts) return;
  } else {
    if (applies_by(f) != maker->parts_of) return;
    // Of primitives, lengths of groups alone are a fold.
    const PrimitiveFunctionEntry* const alone = primitive_entry(static_cast<const Derived&>(f.function()).f);
    if (alone != nullptr && (alone->scalar != ScalarOp::not_equal || maker->parts_of != Applies::to_elements)) return;
  }
  Opcode& op = emitter_->at(parts).op;
  op = op == Opcode::monad ? Opcode::monad_then_fold : Opcode::dyad_then_fold;
}

void Compiler::emit_call(const Callee& f, bool dyadic, std::uint32_t t, Span span) {
  claim(t, 2);
  if (f.kind == Callee::Kind::constant && !dyadic && emit_bound(f.value, t)) {
    emitter_->position(span, t);
    return;
  }
  if (f.kind == Callee::Kind::constant && !dyadic) note_folded_parts(f.value, t);
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
  if (left && left->may_be_nothing && !n.right->may_be_nothing && is_taken_apart(*n.function)) return call_unless_nothing(n, t);
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

namespace {

bool has_block(const Node& f) {
  switch (f.kind) {
    case NodeKind::block: return true;
    case NodeKind::train: {
      const TrainNode& t = static_cast<const TrainNode&>(f);
      return has_block(*t.right) || has_block(*t.middle) || (t.left && has_block(*t.left));
    }
    case NodeKind::derive: {
      const DeriveNode& d = static_cast<const DeriveNode&>(f);
      return has_block(*d.left) || (d.right && has_block(*d.right));
    }
    default: return false;
  }
}

}  // namespace

bool Compiler::is_taken_apart(Node& f) const {
  return !f.constant && (parts_of(f).kind != Parts::Kind::none || is_repeated_part(f)) && is_plain(f) && !has_block(f) &&
         parts_to_prepare(f).empty();
}

Operand Compiler::call_unless_nothing(const Call& n, std::uint32_t t) {
  into(*n.left, t + 1);
  const std::uint32_t nothing = emitter_->emit(Opcode::jump_nothing, t + 1);
  emitter_->label();
  const Argument w{Operand::temporary(t + 1), true};
  apply(*n.function, &w, {Operand::temporary(t), true}, t, t + 2);
  const std::uint32_t done = emitter_->emit(Opcode::jump);
  emitter_->land(nothing);
  into(*n.function, t + 1);
  claim(t, 2);
  emitter_->emit(Opcode::call1_value, t);
  at(*n.function, t + 2);
  emitter_->land(done);
  return Operand::temporary(t);
}

void Compiler::note_first(const PrimitiveFunctionEntry& f, std::uint32_t slot) {
  const std::uint32_t last = emitter_->last();
  if (!is_pick(f) || last == Emitter::no_instruction) return;
  Instruction& i = emitter_->at(last);
  if (i.a != slot || i.flags & (Instruction::modify | Instruction::maybe)) return;
  if (i.op == Opcode::dyad && i.pointer<const PrimitiveFunctionEntry>(0)->first_of_two != nullptr) i.op = Opcode::dyad_then_first;
  if (i.op == Opcode::monad && i.pointer<const PrimitiveFunctionEntry>(0)->first_of_one != nullptr)
    i.op = Opcode::monad_then_first;
}

Operand Compiler::call_monad(const Call& n, const PrimitiveFunctionEntry& entry, std::uint32_t t) {
  Operand x = expression(*n.right, t);
  if (passes_on(entry)) return x;
  if (x.is_constant() && x.value.is_number() && entry.pervasive_monad)
    return Operand::constant(griddle::call_primitive(cx_, entry, std::move(x.value)));
  x = in_slot(std::move(x), t);
  claim(t);
  if (x.is_temporary() && !n.right->may_be_nothing) note_first(entry, x.slot);
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

Operand Compiler::pass_on(Operand w, Operand x, bool left, std::uint32_t t) {
  const Operand &kept = left ? w : x, &other = left ? x : w;
  if (other.is_temporary()) emitter_->emit(Opcode::drop, other.slot);
  if (!kept.is_temporary() || kept.slot == t) return kept;
  move_into(kept, t);
  return Operand::temporary(t);
}

Operand Compiler::call_primitive(const Call& n, const PrimitiveFunctionEntry& entry, std::uint32_t t) {
  if (!n.left || is_nothing(n.left)) return call_monad(n, entry, t);
  ScalarOpcodes ops = scalar_opcodes(entry.scalar);
  if (n.constant) {
    Value x = expression(*n.right, t).value;  // may define what the left side reads
    Value w = expression(*n.left, t).value;
    return Operand::constant(griddle::call_primitive(cx_, entry, std::move(w), std::move(x)));
  }
  auto [w, x, depth] = arguments(n, ops.left_constant != no_opcode, ops.right_constant != no_opcode, t);
  claim(t);
  std::uint8_t maybe = n.right->may_be_nothing || n.left->may_be_nothing ? Instruction::maybe : 0;
  if (passes_on(entry) && maybe == 0) return pass_on(std::move(w), std::move(x), entry.scalar == ScalarOp::left, t);
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
      entry = primitive_entry(primitive(cx_, static_cast<Primitive*>(n.function)->name));
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

}  // namespace griddle
