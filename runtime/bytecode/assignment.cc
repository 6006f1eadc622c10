#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/bytecode/loops.h"
#include "runtime/bytecode/parts.h"

namespace griddle {

namespace {

// Tells whether an instruction writes its result to slot `a` and nowhere else, whatever slots its operands have.
bool has_free_target(Opcode op) {
  switch (op) {
    case Opcode::constant:
    case Opcode::copy:
    case Opcode::move:
    case Opcode::self:
    case Opcode::modifier_self:
    case Opcode::operand:
    case Opcode::outer:
    case Opcode::outer_wide:
    case Opcode::monad:
    case Opcode::dyad:
    case Opcode::closure:
    case Opcode::scoped:
    case Opcode::field: return true;
    default: return op >= Opcode::add && op <= Opcode::length;
  }
}

// Tells whether forming a value does nothing but to read variables, or to compute with primitives as well, where it
// `may_compute`: nobody can tell when it happens.
bool only_reads(Context& cx, const Node& n, bool may_compute) {
  const auto reads = [&](const Node* e) { return only_reads(cx, *e, may_compute); };
  switch (n.kind) {
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list:
    case NodeKind::primitive:
    case NodeKind::variable: return true;
    case NodeKind::special: return !n.may_be_nothing;
    case NodeKind::list: return std::ranges::all_of(static_cast<const ListNode&>(n).elements, reads);
    case NodeKind::derive: {
      const DeriveNode& d = static_cast<const DeriveNode&>(n);
      return d.modifier->kind == NodeKind::primitive && reads(d.left) && (!d.right || reads(d.right));
    }
    case NodeKind::call: {
      const Call& c = static_cast<const Call&>(n);
      return may_compute && !n.may_be_nothing && is_of_primitives(cx, *c.function) && reads(c.right) &&
             (!c.left || reads(c.left));
    }
    default: return false;
  }
}

// Tells whether a function is formed of primitives and data, so that it may have a variable on loan. Calls of ⍟ and ◶ have ways
// of their own, and so have those of what the compiler takes apart, which forms no function around data that it computes.
bool may_borrow(Context& cx, const Node& function) {
  if (function.kind == NodeKind::primitive) return true;
  if (function.kind != NodeKind::derive) return false;
  const Applies applies = applies_of(static_cast<const DeriveNode&>(function));
  return !is_any(applies, Applies::repeatedly, Applies::to_tell_choice) &&
         only_reads(cx, function, applies == Applies::to_selected);
}

}  // namespace

bool Compiler::as_modification(const Assign& n, Assign& rewritten) const {
  if (n.assign != AssignKind::change || n.function || n.target->kind != NodeKind::variable || n.value->kind != NodeKind::call)
    return false;
  const Call& call = static_cast<const Call&>(*n.value);
  const Node* old = call.left ? call.left : call.right;
  if (!may_borrow(cx_, *call.function) || call.may_be_nothing || old->kind != NodeKind::variable) return false;
  if (static_cast<const Variable*>(old)->binding != static_cast<const Variable*>(n.target)->binding) return false;
  if (call.left && call.left->may_be_nothing) return false;
  rewritten = n;
  rewritten.function = call.function;
  rewritten.value = call.left ? call.right : nullptr;
  return true;
}

Compiler::Shortening Compiler::shortening(const Assign& n) const {
  if (n.assign != AssignKind::change || n.function || n.target->kind != NodeKind::variable || n.value->kind != NodeKind::call)
    return {};
  const Call& call = static_cast<const Call&>(*n.value);
  const auto is_target = [&](const Node* v) {
    return v->kind == NodeKind::variable &&
           static_cast<const Variable*>(v)->binding == static_cast<const Variable*>(n.target)->binding;
  };
  const auto is_primitive = [](const Node* f, Glyph glyph) {
    return f->kind == NodeKind::primitive && static_cast<const Primitive*>(f)->name == glyph;
  };
  const auto joins = [](const Node* f) {
    return f->kind == NodeKind::primitive && is_join(entry_of(static_cast<const Primitive*>(f)->name));
  };
  if (call.left && is_target(call.right) && !is_target(call.left) && joins(call.function) && !call.left->may_be_nothing &&
      only_reads(cx_, *call.left, true))
    return {derive_primitive(cx_, Value(primitive(cx_, Glyph::swap)), Value(primitive(cx_, Glyph::join)), Value()), nullptr,
            call.left};
  if (!call.left || call.left->kind != NodeKind::number) return {};
  const double k = static_cast<const Number*>(call.left)->value;
  const Glyph glyph = k > 0 && is_primitive(call.function, Glyph::take)   ? Glyph::take
                      : k < 0 && is_primitive(call.function, Glyph::drop) ? Glyph::drop
                                                                          : Glyph::none;
  const Call* joined = call.right->kind == NodeKind::call ? static_cast<const Call*>(call.right) : nullptr;
  if (joined != nullptr && (!joined->left || !is_target(joined->left) || !joins(joined->function) ||
                            joined->right->may_be_nothing || joined->folded != Call::not_folded))
    return {};
  if (glyph == Glyph::none || (joined == nullptr && !is_target(call.right))) return {};
  return {derive_primitive(cx_, Value(primitive(cx_, Glyph::before)), k, Value(primitive(cx_, glyph))), joined};
}

void Compiler::shorten(const Assign& n, const Shortening& shortening, std::uint32_t t) {
  const Variable& v = static_cast<const Variable&>(*n.target);
  if (shortening.joined != nullptr) {
    Assign append = n;
    append.function = shortening.joined->function;
    append.value = shortening.joined->right;
    assign_outer(append, t, false);
  }
  claim(t);
  if (shortening.before != nullptr) into(*shortening.before, t);
  const std::uint8_t flags = shortening.before != nullptr ? Instruction::dyadic : 0;
  emitter_->emit(Opcode::modify_outer, t, hops_to(*v.body->layout), place_of(v).slot, flags);
  emitter_->immediate_value(shortening.f);
  at(*n.value, t);
}

Compiler::Picked Compiler::picked_by(const Node& function) const {
  if (function.kind != NodeKind::derive) return {};
  const DeriveNode& under = static_cast<const DeriveNode&>(function);
  if (applies_of(under) != Applies::to_selected || under.right->kind != NodeKind::derive) return {};
  const DeriveNode& picks = static_cast<const DeriveNode&>(*under.right);
  if (combinator_of(picks) != Combinator::before || picks.right->kind != NodeKind::primitive) return {};
  if (!is_pick(entry_of(static_cast<const Primitive*>(picks.right)->name)) || picks.left->role != Role::subject) return {};
  return {picks.left, under.left};
}

bool Compiler::retarget(std::uint32_t from, std::uint32_t to) {
  if (emitter_->last() == Emitter::no_instruction) return false;
  Instruction& i = emitter_->at(emitter_->last());
  if (!has_free_target(i.op) || i.a != from || i.flags & Instruction::modify) return false;
  i.a = static_cast<std::uint16_t>(to);
  return true;
}

std::uint32_t Compiler::slot_of_target(const Node& target) const {
  if (target.kind == NodeKind::special) return state_.special[static_cast<int>(static_cast<const Special&>(target).name)];
  if (target.kind != NodeKind::variable) return none;
  const Place& place = place_of(static_cast<const Variable&>(target));
  return place.kind == Place::Kind::slot ? place.slot : none;
}

Operand Compiler::assign(const Assign& written, std::uint32_t t, bool needs_result) {
  if (!written.target) return Operand::constant(Value::nothing());
  Assign rewritten;
  const Assign& n = as_modification(written, rewritten) ? rewritten : written;
  if (n.target->kind == NodeKind::nothing) return assign_compound(n, t, needs_result);
  if (n.target->kind == NodeKind::variable && place_of(static_cast<const Variable&>(*n.target)).kind == Place::Kind::constant)
    return define_constant(n, t);
  std::uint32_t slot = slot_of_target(*n.target);
  if (slot != none) {
    // 𝕨 of a call with one argument cannot be changed.
    if (n.target->may_be_nothing) check_value(*n.target, Operand::variable(slot), t);
    return assign_slot(n, slot, t);
  }
  if (n.target->kind == NodeKind::variable) return assign_outer(n, t, needs_result);
  return assign_compound(n, t, needs_result);
}

Operand Compiler::define_constant(const Assign& n, std::uint32_t t) {
  Operand value = expression(*n.value, t);
  assert(value.is_constant());
  layout_->constants[place_of(static_cast<const Variable&>(*n.target)).slot] = value.value;
  return value;
}

Operand Compiler::assign_slot(const Assign& n, std::uint32_t slot, std::uint32_t t) {
  if (n.function) {
    if (modify(n, slot, t)) return Operand::variable(slot);
    modified_value(n, t);
    emitter_->emit(Opcode::assign, slot, t, 0, Instruction::consume_b);
    emitter_->read(slot, 0);
    return Operand::variable(slot);
  }
  Operand value = expression(*n.value, t);
  check_value(*n.value, value, t);
  if (n.assign != AssignKind::change) {
    if (!value.is_temporary() || !retarget(t, slot)) move_into(value, slot);
    return Operand::variable(slot);
  }
  value = in_slot(std::move(value), t);
  if (value.is_variable() && value.slot == slot) return value;
  emitter_->emit(Opcode::assign, slot, value.slot);
  reads(value, Instruction::consume_b);
  return Operand::variable(slot);
}

Operand Compiler::assign_outer(const Assign& n, std::uint32_t t, bool needs_result) {
  const Variable& v = static_cast<const Variable&>(*n.target);
  bool define = n.assign != AssignKind::change;
  if (const Shortening shortened = shortening(n); !shortened.f.is_absent() && place_of(v).slot < 65536) {
    shorten(n, shortened, t);
    if (needs_result) read_outer(v, t);
    return needs_result ? Operand::temporary(t) : Operand::constant(Value());
  }
  if (n.function) {
    if (modify(n, none, t)) {
      if (needs_result) read_outer(v, t);
      return needs_result ? Operand::temporary(t) : Operand::constant(Value());
    }
    modified_value(n, t);
    store_outer(v, t, define, !needs_result, t + 1);
    return needs_result ? Operand::temporary(t) : Operand::constant(Value());
  }
  Operand value = expression(*n.value, t);
  check_value(*n.value, value, t);
  value = in_slot(std::move(value), t);
  if (value.is_variable()) {
    if (!needs_result) {
      store_variable_outer(v, value.slot, define, t);
      return Operand::constant(Value());
    }
    emitter_->emit(Opcode::copy, claim(t), value.slot);
    emitter_->read(value.slot, Instruction::consume_b);
  }
  store_outer(v, t, define, !needs_result, t + 1);
  return needs_result ? Operand::temporary(t) : Operand::constant(Value());
}

void Compiler::store_outer(const Variable& v, std::uint32_t source, bool define, bool consume, std::uint32_t depth) {
  std::uint32_t slot = place_of(v).slot, hops = hops_to(*v.body->layout);
  std::uint8_t flags = static_cast<std::uint8_t>((consume ? Instruction::consume_b : 0) | (define ? 0 : Instruction::checked));
  if (slot < 65536) {
    emitter_->emit(Opcode::set_outer, source, hops, slot, flags);
  } else {
    emitter_->emit(Opcode::set_outer_wide, source, hops, 0, flags);
    emitter_->immediate(slot);
  }
  at(v, depth);
}

void Compiler::store_variable_outer(const Variable& v, std::uint32_t source, bool define, std::uint32_t depth) {
  store_outer(v, source, define, false, depth);
  emitter_->read(source, Instruction::consume_b);
}

void Compiler::modify_slot(const Assign& n, const PrimitiveFunctionEntry& entry, std::uint32_t slot, std::uint32_t t) {
  Operand x = Operand::constant(Value());
  std::uint32_t depth = t;
  if (!n.value) {
    // The fast path of an operation on numbers may overwrite the slot; others would leave an array behind.
    Opcode op = Opcode::monad;
    if (entry.scalar == ScalarOp::subtract) op = Opcode::negate;
    emitter_->emit(op, slot, slot, 0, Instruction::modify);
    emitter_->immediate_pointer(&entry);
  } else {
    x = expression(*n.value, t);
    ScalarInstruction chosen = scalar_instruction(entry, x.is_constant());
    if (!chosen.takes_constant) x = in_slot(std::move(x), t);
    depth += x.is_temporary();
    emitter_->emit(chosen.op, slot, slot, x.slot, Instruction::modify);
    emitter_->immediate_pointer(&entry);
    if (chosen.takes_constant) emitter_->immediate_value(x.value);
    reads(x, Instruction::consume_c);
  }
  emitter_->read(slot, 0);
  at(*n.function, depth);
}

bool Compiler::modify(const Assign& n, std::uint32_t slot, std::uint32_t t) {
  if (n.value && n.value->may_be_nothing) return false;
  if (n.target->may_be_nothing) return false;
  if (const Picked picked = picked_by(*n.function); picked.index && !n.value) {
    const Variable* outer = slot == none ? static_cast<const Variable*>(n.target) : nullptr;
    if (outer && place_of(*outer).slot >= 65536) return false;
    into(*picked.index, t, true);
    into(*picked.change, t + 1, true);
    if (outer)
      emitter_->emit(Opcode::change_outer, t, hops_to(*outer->body->layout), place_of(*outer).slot);
    else
      emitter_->emit(Opcode::change_local, t, slot);
    if (!outer) emitter_->read(slot, 0);
    at(*n.function, t + 2);
    return true;
  }
  if (!n.function->constant) return modify_by_computed(n, slot, t);
  Callee f = callee(*n.function);
  if (f.kind != Callee::Kind::constant || !f.value.function().is_pure()) return false;
  if (slot != none) {
    if (const PrimitiveFunctionEntry* entry = primitive_entry(f.value)) {
      modify_slot(n, *entry, slot, t);
      return true;
    }
  }
  std::uint8_t flags = n.value ? Instruction::dyadic : 0;
  claim(t);
  if (slot != none) {
    if (n.value) into(*n.value, t);
    emitter_->emit(Opcode::modify_local, t, slot, 0, flags);
    emitter_->read(slot, 0);
  } else {
    const Variable& v = static_cast<const Variable&>(*n.target);
    std::uint32_t place = place_of(v).slot;
    if (place >= 65536) return false;
    if (n.value) into(*n.value, t);
    const PrimitiveFunctionEntry* entry = primitive_entry(f.value);
    Opcode op = Opcode::modify_outer;
    if (n.value && entry && entry->scalar == ScalarOp::add) op = Opcode::add_outer;
    if (n.value && entry && is_join(*entry)) op = Opcode::append_outer;
    emitter_->emit(op, t, hops_to(*v.body->layout), place, flags);
  }
  emitter_->immediate_value(f.value);
  at(*n.function, t + (n.value != nullptr));
  return true;
}

// A function formed on the spot, such as `f⌾(i⊸⊑)`, may turn out to be pure: then it, too, gets the variable on loan.
bool Compiler::modify_by_computed(const Assign& n, std::uint32_t slot, std::uint32_t t) {
  if (n.function->kind != NodeKind::derive && n.function->kind != NodeKind::train) return false;
  bool dyadic = n.value != nullptr;
  std::uint8_t flags = static_cast<std::uint8_t>(Instruction::maybe | (dyadic ? Instruction::dyadic : 0));
  const Variable* outer = slot == none ? static_cast<const Variable*>(n.target) : nullptr;
  if (outer && place_of(*outer).slot >= 65536) return false;
  if (dyadic) into(*n.value, t);
  into(*n.function, t + dyadic);
  if (outer) {
    emitter_->emit(Opcode::modify_outer, t, hops_to(*outer->body->layout), place_of(*outer).slot, flags);
  } else {
    emitter_->emit(Opcode::modify_local, t, slot, 0, flags);
    emitter_->read(slot, 0);
  }
  emitter_->immediate_value(Value());
  at(*n.function, t + 1 + dyadic);
  return true;
}

void Compiler::modified_value(const Assign& n, std::uint32_t t) {
  Callee f = callee(*n.function);
  bool dyadic = n.value != nullptr;
  bool maybe = (n.value && n.value->may_be_nothing) || n.target->may_be_nothing;
  if (n.value) into(*n.value, t);
  if (!maybe && f.kind != Callee::Kind::computed) {
    into(*n.target, t + dyadic, true);
    emit_call(f, dyadic, t, n.function->span);
    return;
  }
  if (!dyadic) into(*n.target, t, true);
  into(*n.function, t + 1);
  if (dyadic) into(*n.target, t + 2, true);
  emitter_->emit(Opcode::call_maybe, t, dyadic);
  at(*n.function, t + 2 + dyadic);
  emitter_->emit(Opcode::check, t);
  at(n, t + 1);
}

Operand Compiler::assign_compound(const Assign& n, std::uint32_t t, bool needs_result) {
  Pattern pattern{n.assign != AssignKind::change, nullptr};
  if (!needs_result && !n.function && n.target->kind == NodeKind::list && n.value->kind == NodeKind::list && !n.value->constant) {
    // Goes without the list.
    const auto& targets = static_cast<const ListNode&>(*n.target).elements;
    const auto& values = static_cast<const ListNode&>(*n.value).elements;
    bool plain = targets.size() == values.size() && targets.size() < 1000;
    for (Node* target : targets) plain = plain && target->kind != NodeKind::alias;
    if (plain) {
      std::uint32_t count = static_cast<std::uint32_t>(targets.size());
      for (std::uint32_t i = 0; i < count; i++) into(*values[i], t + i, true);
      for (std::uint32_t i = 0; i < count; i++) store(*targets[i], t + i, t + count, pattern);
      return Operand::constant(Value());
    }
  }
  if (n.function)
    modified_value(n, t);
  else
    into(*n.value, t, true);
  if (!needs_result) {
    store(*n.target, t, t + 1, pattern);
    return Operand::constant(Value());
  }
  emitter_->emit(Opcode::copy, claim(t + 1), t);
  store(*n.target, t + 1, t + 2, pattern);
  return Operand::temporary(t);
}

void Compiler::emit_mismatch(std::uint32_t instruction, Pattern pattern, std::uint32_t depth) {
  Mismatch m{0, static_cast<std::uint16_t>(state_.locals_end), static_cast<std::uint16_t>(depth)};
  emitter_->immediate(std::bit_cast<std::uint64_t>(m));
  if (!pattern.mismatches) return;
  pattern.mismatches->push_back({instruction, emitter_->here() - 1});
  state_.last_escape = emitter_->here();
}

void Compiler::store_elements(const ListNode& targets, std::uint32_t source, std::uint32_t t, Pattern pattern) {
  std::uint32_t count = static_cast<std::uint32_t>(targets.elements.size());
  claim(t, count + 1);
  auto names = std::make_unique<UnpackNames>();
  for (Node* e : targets.elements) {
    std::string_view name;
    if (e->kind == NodeKind::variable) name = static_cast<Variable*>(e)->binding->name;
    if (e->kind == NodeKind::alias) {
      name = static_cast<Alias*>(e)->name;
      names->namespace_only = true;
    }
    names->names.emplace_back(name);
  }
  // New variables that lie side by side take the values at once.
  const std::uint32_t first = pattern.define && count != 0 ? slot_of_target(*targets.elements[0]) : none;
  bool together = first != none;
  for (std::uint32_t i = 0; together && i < count; i++)
    together = targets.elements[i]->kind == NodeKind::variable && slot_of_target(*targets.elements[i]) == first + i;
  std::uint32_t index =
      emitter_->emit(targets.kind == NodeKind::list ? Opcode::unpack : Opcode::unpack_cells, together ? first : t, source, count);
  emitter_->immediate_pointer(names.get());
  code_->unpacked.push_back(std::move(names));
  emit_mismatch(index, pattern, t);
  at(targets, t);
  for (std::uint32_t i = 0; !together && i < count; i++) store(*targets.elements[i], t + i, t + count, pattern);
}

void Compiler::store(Node& target, std::uint32_t source, std::uint32_t t, Pattern pattern) {
  cx_.check_stack();
  switch (target.kind) {
    case NodeKind::variable: {
      const Variable& v = static_cast<Variable&>(target);
      std::uint32_t slot = slot_of_target(target);
      if (slot == none) {
        store_outer(v, source, pattern.define, true, t);
      } else if (pattern.define) {
        emitter_->emit(Opcode::move, slot, source);
      } else {
        emitter_->emit(Opcode::assign, slot, source, 0, Instruction::consume_b);
        emitter_->read(slot, 0);
      }
      break;
    }
    case NodeKind::special: {
      std::uint32_t slot = slot_of_target(target);
      emitter_->emit(Opcode::assign, slot, source, 0, Instruction::consume_b);
      emitter_->read(slot, 0);
      break;
    }
    case NodeKind::nothing: emitter_->emit(Opcode::drop, source); break;
    case NodeKind::list:
    case NodeKind::merge: store_elements(static_cast<ListNode&>(target), source, t, pattern); break;
    case NodeKind::alias: store(*static_cast<Alias&>(target).target, source, t, pattern); break;
    default: {
      // A constant of a header.
      Operand expected = expression(target, t);
      if (!expected.is_constant()) fail_at(target.span, "Header: Expected a constant");
      std::uint32_t index = emitter_->emit(Opcode::match, source);
      emitter_->immediate_value(expected.value);
      emit_mismatch(index, pattern, t);
      at(target, t);
      emitter_->emit(Opcode::drop, source);
    }
  }
}

}  // namespace griddle
