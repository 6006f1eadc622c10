// Calls of functions that are taken apart (parts.h).
#include "runtime/bytecode/parts.h"

#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/bytecode/loops.h"
#include "runtime/bytecode/primitive_opcodes.h"

namespace griddle {

void Compiler::reads(const Argument& a, std::uint8_t flag) {
  if (a.at.is_temporary() && !a.last) return;
  reads(a.at, flag);
}

void Compiler::drop(const Argument& a) {
  if (a.at.is_temporary() && a.last) emitter_->emit(Opcode::drop, a.at.slot);
}

void Compiler::bring(const Argument& a, std::uint32_t slot) {
  if (a.at.is_temporary() && !a.last)
    emitter_->emit(Opcode::copy, claim(slot), a.at.slot);
  else
    move_into(a.at, slot);
}

std::uint32_t Compiler::side_by_side(const Argument* w, const Argument& x, std::uint32_t free) {
  const auto lies_at = [](const Argument& a, std::uint32_t slot) { return a.at.is_temporary() && a.last && a.at.slot == slot; };
  const std::uint32_t count = 1 + (w != nullptr);
  if (free >= count && lies_at(x, free - count) && (!w || lies_at(*w, free - 1))) return free - count;
  claim(free, count);
  bring(x, free);
  if (w) bring(*w, free + 1);
  return free;
}

std::uint32_t Compiler::prepared_slot(const Node& n) const {
  for (const auto& [node, slot] : prepared_)
    if (node == &n) return slot;
  return none;
}

bool Compiler::is_data(Node& n) {
  switch (n.kind) {
    case NodeKind::number:
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list:
    case NodeKind::list:
    case NodeKind::merge: return true;
    default: return n.constant && !expression(n, 0).value.is_operation();
  }
}

bool Compiler::stays_whole(Node& f, bool dyadic) {
  if (!f.constant) return false;
  const Operand o = expression(f, 0);
  if (!o.value.is_function()) return false;
  const Function& function = o.value.function();
  if (function.kind != ObjectKind::derived) return false;
  const Derived& d = static_cast<const Derived&>(function);
  if (d.rule != nullptr || d.direct != nullptr || (!dyadic && d.bound() != ScalarOp::none)) return true;
  const PrimitiveModifierEntry& entry = *static_cast<const PrimitiveModifier&>(d.modifier.modifier()).entry;
  return d.monad != entry.monad || d.dyad != entry.dyad;
}

bool Compiler::is_looped_part(Node& f, bool dyadic) {
  if (f.kind != NodeKind::derive || prepared_slot(f) != none) return false;
  const DeriveNode& d = static_cast<const DeriveNode&>(f);
  return applies_of(d) == Applies::to_elements && (is_called_for_few(cx_, *d.left) || is_name_of_work(cx_, *d.left)) &&
         parts_to_prepare(*d.left).empty() && !stays_whole(f, dyadic);
}

bool Compiler::is_repeated_part(Node& f) const {
  if (f.kind != NodeKind::derive || prepared_slot(f) != none) return false;
  const DeriveNode& d = static_cast<const DeriveNode&>(f);
  return applies_of(d) == Applies::repeatedly && d.right->role == Role::function && d.right->constant &&
         d.left->role == Role::function && d.left->kind != NodeKind::block && is_plain(*d.left);
}

std::vector<Node*> Compiler::parts_to_prepare(Node& function) const {
  const bool specials = specials_change(*state_.layout);
  std::vector<Node*> first;
  each_part(function, [&](Node& part) {
    if (!part.constant && (!is_plain(part) || (specials && part.kind == NodeKind::special))) first.push_back(&part);
  });
  return first;
}

void Compiler::prepare_parts(const std::vector<Node*>& parts, std::uint32_t t) {
  for (Node* part : parts) {
    into(*part, t, true);
    prepared_.emplace_back(part, t++);
  }
}

void Compiler::forget_parts(std::size_t count, std::uint32_t t) {
  prepared_.resize(prepared_.size() - count);
  if (count != 0) emitter_->emit(Opcode::clear, t, static_cast<std::uint32_t>(count));
}

Operand Compiler::call_parts(const Call& n, std::uint32_t t, bool unless_nothing) {
  const std::vector<Node*> first = parts_to_prepare(*n.function);
  claim(t, 2);
  Argument x{in_slot(expression(*n.right, t), t), true};
  if (x.at.is_variable() && (is_changed(*n.right) || !first.empty() || unless_nothing)) {
    move_into(x.at, t);
    x.at = Operand::temporary(t);
  }
  const std::uint32_t nothing = unless_nothing ? emitter_->emit(Opcode::jump_nothing, t) : none;
  std::uint32_t next = t + x.at.is_temporary();
  prepare_parts(first, next);
  next += static_cast<std::uint32_t>(first.size());
  Argument w{Operand::constant(Value()), true};
  if (n.left) {
    w.at = expression(*n.left, next);
    if (w.at.is_variable() && is_changed(*n.left)) {
      move_into(w.at, next);
      w.at = Operand::temporary(next);
    }
    next += w.at.is_temporary();
  }
  apply(*n.function, n.left ? &w : nullptr, x, t, next);
  forget_parts(first.size(), t + 1);
  if (unless_nothing) emitter_->land(nothing);
  return Operand::temporary(t);
}

void Compiler::apply(Node& f, const Argument* w, const Argument& x, std::uint32_t target, std::uint32_t free) {
  using Kind = Parts::Kind;
  cx_.check_stack();
  claim(free, 2);
  const bool dyadic = w != nullptr;
  const Parts p = parts_of(f);
  if (p.kind == Kind::none || stays_whole(f, dyadic)) return apply_whole(f, w, x, target, free);
  const auto result = [](std::uint32_t slot) { return Argument{Operand::temporary(slot), true}; };
  // What a tine gave; slots in use after it.
  const auto given = [&](const Operand& o, std::uint32_t slot) {
    const bool new_slot = o.is_temporary() && o.slot == slot;
    return std::pair(Argument{o, new_slot}, slot + new_slot);
  };
  const Argument kept_x{x.at, false};
  const Argument kept_w = w ? Argument{w->at, false} : kept_x;
  switch (p.kind) {
    case Kind::atop:
      apply(*p.h, w, x, target, free);
      return apply(*p.g, nullptr, result(target), target, std::max(free, target + 1));
    case Kind::fork: {
      if (is_data(*p.f)) {
        apply(*p.h, w, x, target, free);
        const std::uint32_t after = std::max(free, target + 1);
        const auto [left, next] = given(expression(*p.f, after), after);
        return apply(*p.g, &left, result(target), target, next);
      }
      apply(*p.h, dyadic ? &kept_w : nullptr, kept_x, free, free);
      const auto [left, next] = given(tine(*p.f, w, x, free + 1), free + 1);
      return apply(*p.g, &left, result(free), target, next);
    }
    case Kind::over:
      if (!dyadic) {
        apply(*p.h, nullptr, x, target, free);
        return apply(*p.g, nullptr, result(target), target, std::max(free, target + 1));
      } else {
        apply(*p.h, nullptr, x, free, free);
        apply(*p.h, nullptr, *w, free + 1, free + 1);
        const Argument left = result(free + 1);
        return apply(*p.g, &left, result(free), target, free + 2);
      }
    case Kind::before: {
      const auto [left, next] = given(tine(*p.f, nullptr, dyadic ? *w : kept_x, free), free);
      return apply(*p.g, &left, x, target, next);
    }
    case Kind::after: {
      const auto [right, next] = given(tine(*p.g, nullptr, dyadic ? x : kept_x, free), free);
      return apply(*p.f, dyadic ? w : &x, right, target, next);
    }
    case Kind::swap: {
      if (dyadic) return apply(*p.g, &x, *w, target, free);
      if (!x.at.is_temporary() || p.g->kind == NodeKind::primitive) return apply(*p.g, &kept_x, x, target, free);
      bring(kept_x, free);
      const Argument left = result(free);
      return apply(*p.g, &left, x, target, free + 1);
    }
    case Kind::valences: return apply(dyadic ? *p.g : *p.f, w, x, target, free);
    case Kind::none: break;
  }
}

Operand Compiler::tine(Node& f, const Argument* w, const Argument& x, std::uint32_t free) {
  if (is_data(f)) {
    if (w) drop(*w);
    drop(x);
    const std::uint32_t slot = prepared_slot(f);
    return slot == none ? expression(f, free) : Operand::temporary(slot);
  }
  apply(f, w, x, free, free);
  return Operand::temporary(free);
}

void Compiler::apply_whole(Node& f, const Argument* w, const Argument& x, std::uint32_t target, std::uint32_t free) {
  const bool dyadic = w != nullptr;
  const auto bring_result = [&](std::uint32_t slot) {
    if (slot != target) emitter_->emit(Opcode::move, claim(target), slot);
  };
  // A block releases its arguments where they lie. Below slots in use, an error that comes later would release 𝕨 again.
  const auto taken = [&](std::uint32_t slot) {
    if (dyadic && slot + 1 < free) move_into(Operand::constant(0), slot + 1);
    bring_result(slot);
  };
  claim(free, 4);
  if (is_looped_part(f, dyadic)) {
    const std::uint32_t at_slot = side_by_side(w, x, free);
    each_in_part(static_cast<DeriveNode&>(f), dyadic, at_slot);
    return taken(at_slot);
  }
  if (is_repeated_part(f)) {
    const std::uint32_t at_slot = side_by_side(w, x, free);
    repeat_in_part(static_cast<DeriveNode&>(f), dyadic, at_slot);
    return taken(at_slot);
  }
  Callee known;
  std::uint32_t slot = prepared_slot(f);
  if (f.constant) {
    Value value = expression(f, free).value;
    if (!value.is_operation()) {
      if (w) drop(*w);
      drop(x);
      return move_into(Operand::constant(std::move(value)), target);
    }
    if (const PrimitiveFunctionEntry* entry = primitive_entry(value)) return apply_primitive(*entry, w, x, target, free, f.span);
    if (value.is_function()) known = {Callee::Kind::constant, 0, 0, std::move(value)};
  } else if (slot == none && is_laid_in_place(f, dyadic)) {
    const std::uint32_t at_slot = side_by_side(w, x, free);
    run_in_place(block_of(f), dyadic, at_slot);
    return taken(at_slot);
  } else if (f.role == Role::subject) {
    // Most are data, which give themselves.
    if (slot == none)
      into(f, free);
    else
      emitter_->emit(Opcode::copy, free, slot);
    const std::uint32_t data = emitter_->emit(Opcode::jump_data, free);
    emitter_->label();
    bring({x.at, false}, free + 1);
    if (w) bring({w->at, false}, free + 2);
    emit_call({Callee::Kind::slot, free, 0, Value()}, dyadic, free + 1, f.span);
    emitter_->emit(Opcode::assign, free, free + 1, 0, Instruction::consume_b);
    emitter_->land(data);
    if (w) drop(*w);
    drop(x);
    return bring_result(free);
  } else if (slot != none) {
    known = {Callee::Kind::slot, slot, 0, Value()};
  } else {
    known = callee(f);
  }
  if (known.kind != Callee::Kind::computed) {
    const std::uint32_t at_slot = side_by_side(w, x, free);
    emit_call(known, dyadic, at_slot, f.span);
    return taken(at_slot);
  }
  // x, f, w side by side.
  bring(x, free);
  into(f, free + 1, true);
  if (w) bring(*w, free + 2);
  emitter_->emit(dyadic ? Opcode::call2_value : Opcode::call1_value, free);
  at(f, free + 2 + dyadic);
  bring_result(free);
}

void Compiler::apply_primitive(const PrimitiveFunctionEntry& entry, const Argument* w, Argument x, std::uint32_t target,
                               std::uint32_t free, Span span) {
  const ScalarOpcodes ops = scalar_opcodes(entry.scalar);
  // Where both are one slot, only 𝕩 may give it up.
  const bool same = w && w->at.is_temporary() && x.at.is_temporary() && w->at.slot == x.at.slot;
  const bool takes_w = entry.scalar == ScalarOp::left && w != nullptr && !same;
  if (takes_w || passes_on(entry)) {
    if (w) drop(takes_w ? x : *w);
    return bring(takes_w ? *w : x, target);
  }
  const auto to_slot = [&](Argument& a) {
    bring(a, free);
    a = {Operand::temporary(free++), true};
  };
  Argument left = w ? *w : x;
  if (x.at.is_constant() && (!w || left.at.is_constant() || ops.right_constant == no_opcode)) to_slot(x);
  if (w && left.at.is_constant() && (x.at.is_constant() || ops.left_constant == no_opcode)) to_slot(left);
  claim(target), claim(free);
  if (!w) {
    if (x.at.is_temporary() && x.last) note_first(entry, x.at.slot);
    emitter_->emit(monad_opcode(entry), target, x.at.slot);
    emitter_->immediate_pointer(&entry);
    reads(x, Instruction::consume_b);
  } else if (x.at.is_constant()) {
    emitter_->emit(ops.right_constant, target, left.at.slot);
    emitter_->immediate_pointer(&entry);
    emitter_->immediate_value(x.at.value);
    reads(left, Instruction::consume_b);
  } else if (left.at.is_constant()) {
    emitter_->emit(ops.left_constant, target, x.at.slot, 0, Instruction::swapped);
    emitter_->immediate_pointer(&entry);
    emitter_->immediate_value(left.at.value);
    reads(x, Instruction::consume_b);
  } else {
    emitter_->emit(dyad_opcode(entry), target, left.at.slot, x.at.slot);
    emitter_->immediate_pointer(&entry);
    // The slow path takes 𝕨 before 𝕩: where both are one slot, only 𝕩 may consume it.
    if (left.at.slot != x.at.slot) reads(left, Instruction::consume_b);
    reads(x, Instruction::consume_c);
  }
  emitter_->position(span, free);
}

}  // namespace griddle
