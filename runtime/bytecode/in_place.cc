// Calls that need no function value (direct_call.h).
#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/bytecode/loops.h"

namespace griddle {

Operand Compiler::call_directly(const Call& n, const DirectCall& direct, std::uint32_t t) {
  bool dyadic = n.left != nullptr;
  claim(t, 4);
  switch (direct.kind) {
    case DirectCall::Kind::parts: return call_parts(n, t, direct.unless_nothing);
    case DirectCall::Kind::repeat: repeat(n, direct, t); break;
    case DirectCall::Kind::loop: loop(n, direct, t); break;
    case DirectCall::Kind::each: each(n, direct, t); break;
    case DirectCall::Kind::fold: fold(n, direct, t); break;
    case DirectCall::Kind::choose:
      into(*n.right, t);
      if (dyadic) into(*n.left, t + 1);
      choose(direct, dyadic, t, n.function->span);
      break;
    default:
      into(*n.right, t);
      if (dyadic) into(*n.left, t + 1);
      run_in_place(block_of(*n.function), dyadic, t);
  }
  return Operand::temporary(t);
}

void Compiler::emit_primitive(const PrimitiveFunctionEntry& entry, std::uint32_t target, std::uint32_t w, std::uint32_t x,
                              std::uint8_t flags) {
  if (w == none)
    emitter_->emit(Opcode::monad, target, x, 0, flags & Instruction::consume_c ? Instruction::consume_b : std::uint8_t{0});
  else
    emitter_->emit(scalar_instruction(entry, false).op, target, w, x, flags);
  emitter_->immediate_pointer(&entry);
}

void Compiler::call_in_place(Node& f, bool dyadic, std::uint32_t t) {
  if (runs_in_place(f, dyadic)) {
    run_in_place(block_of(f), dyadic, t);
    return;
  }
  call_with_arguments(f, dyadic, t);
}

void Compiler::call_with_arguments(Node& f, bool dyadic, std::uint32_t t) {
  if (parts_of(f).kind != Parts::Kind::none) {
    const Argument w{Operand::temporary(t + 1), true};
    apply(f, dyadic ? &w : nullptr, {Operand::temporary(t), true}, t, t + 1 + dyadic);
    return;
  }
  if (f.constant) {
    Operand value = expression(f, t);
    if (!value.value.is_operation()) {
      // Data gives itself.
      emitter_->emit(Opcode::clear, t, 1 + dyadic);
      move_into(value, t);
      return;
    }
    if (const PrimitiveFunctionEntry* entry = primitive_entry(value.value)) {
      emit_primitive(*entry, t, dyadic ? t + 1 : none, t, Instruction::consume_c | Instruction::consume_b);
      at(f, t + 1 + dyadic);
      return;
    }
  }
  Callee known = callee(f);
  if (known.kind != Callee::Kind::computed) {
    emit_call(known, dyadic, t, f.span);
    return;
  }
  claim(t, 3);
  if (dyadic) {
    // x, f, w: the function's slot is absent while it is computed.
    emitter_->emit(Opcode::move, t + 2, t + 1);
    into(f, t + 3);
    emitter_->emit(Opcode::move, t + 1, t + 3);
  } else {
    into(f, t + 1);
  }
  emitter_->emit(dyadic ? Opcode::call2_value : Opcode::call1_value, t);
  at(f, t + 2 + dyadic);
}

void Compiler::choose_index(Node& condition, bool dyadic, std::uint32_t x, std::uint32_t t) {
  if (condition.role == Role::subject) {
    into(condition, t, true);
    return;
  }
  claim(t, 2);
  if (condition.constant) {
    Value f = expression(condition, t).value;
    if (const PrimitiveFunctionEntry* entry = primitive_entry(f)) {
      emit_primitive(*entry, t, dyadic ? x + 1 : none, x, 0);
      at(condition, t);
      return;
    }
  }
  if (parts_of(condition).kind != Parts::Kind::none) {
    const Argument w{Operand::temporary(x + 1), false};
    apply(condition, dyadic ? &w : nullptr, {Operand::temporary(x), false}, t, t);
    return;
  }
  emitter_->emit(Opcode::copy, t, x);
  if (dyadic) emitter_->emit(Opcode::copy, t + 1, x + 1);
  call_in_place(condition, dyadic, t);
}

void Compiler::choose(const DirectCall& direct, bool dyadic, std::uint32_t t, Span span) {
  std::uint32_t index = t + 1 + dyadic;
  choose_index(*direct.condition, dyadic, t, index);
  std::uint32_t count = static_cast<std::uint32_t>(direct.choices.size());
  const bool nested = direct.values != nullptr;
  emitter_->emit(Opcode::choose, index, count, 0, nested ? Instruction::maybe : std::uint8_t{0});
  emitter_->position(span, index + 1);
  std::uint32_t table = emitter_->here();
  for (std::uint32_t i = 0; i < count + nested; i++) emitter_->emit(Opcode::jump);
  std::vector<std::uint32_t> ends;
  if (nested) {
    // Stands before the choices: their uses of variables are the last ones.
    emitter_->land(table + count);
    choose_nested(*direct.values, dyadic, t, span);
    ends.push_back(emitter_->emit(Opcode::jump));
  }
  for (std::uint32_t i = 0; i < count; i++) {
    emitter_->land(table + i);
    call_in_place(*direct.choices[i], dyadic, t);
    if (i + 1 < count) ends.push_back(emitter_->emit(Opcode::jump));
  }
  for (std::uint32_t end : ends) emitter_->land(end);
}

void Compiler::choose_nested(Node& choices, bool dyadic, std::uint32_t t, Span span) {
  const std::uint32_t index = t + 1 + dyadic, list = index + 1;
  claim(list, 3);
  into(choices, list);
  emitter_->emit(Opcode::move, list + 1, index);
  emitter_->emit(Opcode::derive2_primitive, list);
  emitter_->immediate_value(primitive(cx_, Glyph::choose));
  emitter_->position(span, list + 2);
  if (dyadic) emitter_->emit(Opcode::move, t + 2, t + 1);
  emitter_->emit(Opcode::move, t + 1, list);
  emitter_->emit(dyadic ? Opcode::call2_value : Opcode::call1_value, t);
  emitter_->position(span, t + 2 + dyadic);
}

void Compiler::repeat(const Call& n, const DirectCall& direct, std::uint32_t t) {
  const bool dyadic = n.left != nullptr;
  const bool made = !direct.in_place && !direct.repeated->constant && callee(*direct.repeated).kind == Callee::Kind::computed;
  const Repeat r{direct, dyadic, made, n.function->span, t};
  const std::uint32_t w = r.w(), x = r.x();
  claim(t, 9);
  emitter_->emit(Opcode::absent, t, x - t);
  into(*n.right, x);
  if (dyadic) {
    into(*n.left, x + 1);
    emitter_->emit(Opcode::move, w, x + 1);
  }
  if (made) {
    into(*direct.repeated, x + 1);
    emitter_->emit(Opcode::move, t + 1, x + 1);
  }
  run_repeat(r);
}

void Compiler::repeat_in_part(const DeriveNode& d, bool dyadic, std::uint32_t t) {
  const bool made = !d.left->constant && prepared_slot(*d.left) == none && callee(*d.left).kind == Callee::Kind::computed;
  const DirectCall direct{DirectCall::Kind::repeat, d.right, d.left, {}};
  const Repeat r{direct, dyadic, made, d.span, t + 1 + dyadic};
  claim(t, 9 + 2);
  emitter_->emit(Opcode::absent, r.count, r.x() - r.count);
  emitter_->emit(Opcode::move, r.x(), t);
  if (dyadic) emitter_->emit(Opcode::move, r.w(), t + 1);
  if (made) {
    into(*d.left, r.x() + 1);
    emitter_->emit(Opcode::move, r.count + 1, r.x() + 1);
  }
  run_repeat(r);
  emitter_->emit(Opcode::move, t, r.count);
}

void Compiler::run_repeat(const Repeat& r) {
  const DirectCall& direct = r.direct;
  const std::uint32_t t = r.count, w = r.w(), x = r.x();
  claim(x, 6);
  if (direct.condition->role == Role::function) {
    emitter_->emit(Opcode::copy, x + 1, x);
    if (r.dyadic) emitter_->emit(Opcode::copy, x + 2, w);
    call_in_place(*direct.condition, r.dyadic, x + 1);
  } else {
    into(*direct.condition, x + 1, true);
  }
  emitter_->emit(Opcode::move, t, x + 1);

  std::uint32_t outer = emitter_->enter_loop(t);
  std::uint32_t step = emitter_->emit(Opcode::repeat, t);
  emitter_->immediate(0);
  std::uint32_t start = emitter_->label();
  if (r.dyadic) emitter_->emit(Opcode::copy, x + 1, w);
  if (r.made)
    emit_call({Callee::Kind::slot, t + 1, 0, Value()}, r.dyadic, x, direct.repeated->span);
  else if (direct.in_place)
    run_in_place(block_of(*direct.repeated), r.dyadic, x);
  else
    call_with_arguments(*direct.repeated, r.dyadic, x);
  std::uint32_t again = emitter_->emit(Opcode::repeat_again, t);
  emitter_->at(again).set_distance(static_cast<std::int32_t>(start - again));
  emitter_->position(r.span, x + 1);
  emitter_->leave_loop(outer);
  if (direct.in_place && direct.is_counted())
    emitter_->land(step);
  else
    repeat_by_value(r, step);
  emitter_->emit(Opcode::move, t, x);
  if (x > t + 1) emitter_->emit(Opcode::clear, t + 1, x - t - 1);
}

void Compiler::repeat_by_value(const Repeat& r, std::uint32_t step) {
  const DirectCall& direct = r.direct;
  const std::uint32_t t = r.count, w = r.w(), x = r.x(), f = x + 1;
  const std::uint32_t done = emitter_->emit(Opcode::jump);
  emitter_->word(step + 1) = emitter_->label() - step;
  emitter_->emit(Opcode::move, f, t);
  move_into(Operand::constant(primitive(cx_, Glyph::repeat)), f + 1);
  if (r.made) {
    emitter_->emit(Opcode::copy, f + 2, t + 1);
  } else if (direct.in_place) {
    into(*direct.values, f + 2);
    emit_primitive(entry_of(Glyph::pick), f + 2, none, f + 2, Instruction::consume_c);
  } else {
    into(*direct.repeated, f + 2);
  }
  emitter_->emit(Opcode::derive2, f);
  emitter_->position(r.span, f + 3);
  if (r.dyadic) emitter_->emit(Opcode::move, f + 1, w);
  emitter_->emit(r.dyadic ? Opcode::call2_value : Opcode::call1_value, x);
  emitter_->position(r.span, f + 1 + r.dyadic);
  emitter_->land(step);
  emitter_->land(done);
}

void Compiler::loop(const Call& n, const DirectCall& direct, std::uint32_t t) {
  // Slots: w (if any), x, then what a call needs.
  const bool dyadic = n.left != nullptr;
  const std::uint32_t w = t, x = t + dyadic;
  claim(t, 6);
  if (dyadic) emitter_->emit(Opcode::absent, w, 1);
  into(*n.right, x);
  if (dyadic) {
    into(*n.left, x + 1);
    emitter_->emit(Opcode::move, w, x + 1);
  }
  const std::uint32_t outer = emitter_->enter_loop(x);
  const std::uint32_t start = emitter_->label();
  emitter_->emit(Opcode::copy, x + 1, x);
  if (dyadic) emitter_->emit(Opcode::copy, x + 2, w);
  call_in_place(*direct.condition, dyadic, x + 1);
  const std::uint32_t end = emitter_->emit(Opcode::goes_on, x + 1);
  emitter_->position(n.function->span, x + 2);
  if (dyadic) emitter_->emit(Opcode::copy, x + 1, w);
  call_in_place(*direct.repeated, dyadic, x);
  const std::uint32_t again = emitter_->emit(Opcode::again);
  emitter_->at(again).set_distance(static_cast<std::int32_t>(start - again));
  emitter_->position(n.function->span, x + 1);
  emitter_->leave_loop(outer);
  emitter_->land(end);
  if (!dyadic) return;
  emitter_->emit(Opcode::clear, w, 1);
  emitter_->emit(Opcode::move, t, x);
}

void Compiler::begin_element_loop(std::uint32_t t, bool dyadic, Node* w) {
  claim(t, ElementLoop::slots + 2);
  if (w != nullptr) into(*w, t + ElementLoop::w);
  emitter_->emit(Opcode::absent, t + 1 + dyadic, ElementLoop::slots - 1 - dyadic);
}

void Compiler::call_whole(const DeriveNode& d, bool dyadic, const DirectCall& direct, std::uint32_t t) {
  const std::uint32_t f = t + 2;
  // What is known now is formed once.
  const bool is_known = direct.values == nullptr && direct.repeated->constant && !d.for_effect;
  const bool is_derived = is_known || (direct.values != nullptr && direct.values->kind == NodeKind::derive);
  if (is_known)
    move_into(derived_once(d, f), f);
  else
    into(direct.values != nullptr ? *direct.values : *direct.repeated, f);
  if (!is_derived) {
    if (direct.values != nullptr) emit_primitive(entry_of(Glyph::pick), f, none, f, Instruction::consume_c);
    emitter_->emit(Opcode::derive1_primitive, f, 0, 0, d.for_effect ? Instruction::for_effect : std::uint8_t{0});
    emitter_->immediate_value(primitive(cx_, static_cast<const Primitive*>(d.modifier)->name));
    emitter_->position(d.span, f + 1);
  }
  if (dyadic) {
    // x, f, w side by side.
    emitter_->emit(Opcode::move, f + 1, f);
    emitter_->emit(Opcode::move, t + 2, t + 1);
    emitter_->emit(Opcode::move, t + 1, f + 1);
  } else {
    emitter_->emit(Opcode::move, t + 1, f);
  }
  emitter_->emit(dyadic ? Opcode::call2_value : Opcode::call1_value, t);
  emitter_->position(d.span, t + 2 + dyadic);
}

template <class Loop>
void Compiler::with_parts(Node& function, std::uint32_t t, Loop loop) {
  const std::vector<Node*> parts = parts_to_prepare(function);
  if (parts.empty()) return loop(t);
  // Slots: x, parts of the function, then those of the loop.
  const std::uint32_t behind = t + 1 + static_cast<std::uint32_t>(parts.size());
  prepare_parts(parts, t + 1);
  emitter_->emit(Opcode::move, claim(behind), t);
  loop(behind);
  forget_parts(parts.size(), t + 1);
  emitter_->emit(Opcode::move, t, behind);
}

void Compiler::each(const Call& n, const DirectCall& direct, std::uint32_t t) {
  const DeriveNode& d = static_cast<const DeriveNode&>(*n.function);
  const bool dyadic = n.left != nullptr;
  into(*n.right, t);
  with_parts(*direct.repeated, t, [&](std::uint32_t loop) {
    begin_element_loop(loop, dyadic, n.left);
    run_each(d, dyadic, direct, loop);
  });
}

void Compiler::each_in_part(DeriveNode& d, bool dyadic, std::uint32_t t) {
  begin_element_loop(t, dyadic, nullptr);
  run_each(d, dyadic, {DirectCall::Kind::each, nullptr, d.left, {}}, t);
}

namespace {

const Code* code_of_block(const Value& f) {
  return static_cast<const Code*>(static_cast<const NativeObject*>(static_cast<const BlockFunction&>(f.function()).code));
}

// Gives the code of the block that instructions of call_whole make a value of: it is part of F¨, or alone in a block that gives
// it for the values around it.
const Code* block_made(const Instruction* i) {
  while (i->op == Opcode::move || i->op == Opcode::copy || i->op == Opcode::list || i->op == Opcode::outer) i = i->next();
  if (i->op == Opcode::constant) return code_of_block(static_cast<const Derived&>(i->value(0).function()).f);
  const Code* made = nullptr;
  const auto note = [&made](const Code& inner) { made = &inner; };
  if (i->op == Opcode::closure) each_inner_block(*i->pointer<const Code>(0), note);
  if (i->op == Opcode::call1_block) each_inner_block(*code_of_block(i->value(0)), note);
  return made;
}

}  // namespace

void Compiler::run_each(const DeriveNode& d, bool dyadic, const DirectCall& direct, std::uint32_t t) {
  const bool runs_block = direct.repeated->kind == NodeKind::block;
  const bool chooses = chooses_blocks(*direct.repeated);
  const bool has_value = direct.values != nullptr || !(runs_block || chooses || is_name_of_work(cx_, *direct.repeated));
  const std::uint32_t call = t + ElementLoop::slots;
  const bool is_block = runs_block || chooses;
  const unsigned longest = !has_value    ? 0
                           : !is_block   ? ElementLoop::longest_for_parts
                           : d.branches  ? ElementLoop::longest_for_branches
                           : d.is_closed ? ElementLoop::longest_for_closed
                                         : ElementLoop::longest_for_block;
  const bool whole_if_flat =
      !is_block && (is_primitive_for_few(*direct.repeated, dyadic) || computes_on_lists(cx_, *direct.repeated));
  const unsigned over = applies_of(d) == Applies::to_cells ? ElementLoop::cells : dyadic ? ElementLoop::two : ElementLoop::one;
  const unsigned limit = longest << ElementLoop::longest_shift | (d.branches ? ElementLoop::flat_alone : 0u) |
                         (whole_if_flat ? ElementLoop::flat_always : 0u);
  const std::uint32_t begin = emitter_->emit(Opcode::each_begin, t, over, limit | (d.for_effect ? ElementLoop::for_effect : 0u));
  for (int i = 0; i < immediates_of(Opcode::each_begin); i++) emitter_->immediate(0);
  emitter_->position(d.span, call);
  const std::uint32_t outer = emitter_->enter_loop(call);
  const std::uint32_t next = emitter_->label();
  emitter_->emit(Opcode::each_next, t, over);
  emitter_->immediate(0);
  emitter_->position(d.span, call);
  if (runs_block) {
    run_in_place(block_of(*direct.repeated), dyadic, call);
  } else if (chooses) {
    choose(direct_choice(static_cast<const DeriveNode&>(*direct.repeated)), dyadic, call, direct.repeated->span);
  } else {
    const Argument w{Operand::temporary(call + 1), true};
    apply(*direct.repeated, dyadic ? &w : nullptr, {Operand::temporary(call), true}, call, call + 1 + dyadic);
  }
  const std::uint32_t again = emitter_->emit(Opcode::each_again, t);
  emitter_->at(again).set_distance(static_cast<std::int32_t>(next - again));
  emitter_->position(d.span, call + 1);
  emitter_->leave_loop(outer);
  emitter_->word(next + 1) = emitter_->label() - next;
  emitter_->emit(Opcode::each_end, t, over);
  emitter_->position(d.span, call);
  if (has_value) {
    const std::uint32_t done = emitter_->emit(Opcode::jump);
    const std::uint32_t whole = emitter_->label();
    emitter_->word(begin + 2) = whole - begin;
    call_whole(d, dyadic, direct, t);
    if (runs_block) emitter_->word(begin + 3) = reinterpret_cast<std::uint64_t>(block_made(&emitter_->at(whole)));
    emitter_->land(done);
  }
  emitter_->word(begin + 1) = emitter_->label() - begin;
}

void Compiler::fold(const Call& n, const DirectCall& direct, std::uint32_t t) {
  into(*n.right, t);
  if (n.left == nullptr && direct.repeated->kind != NodeKind::block && direct.repeated->constant) {
    const Value folding = derived_once(static_cast<const DeriveNode&>(*n.function), t + 1).value;
    if (static_cast<const Derived&>(folding.function()).direct != nullptr)
      return emit_call({Callee::Kind::constant, 0, 0, folding}, false, t, n.function->span);
  }
  with_parts(*direct.repeated, t, [&](std::uint32_t loop) {
    begin_element_loop(loop, n.left != nullptr, n.left);
    run_fold(n, direct, loop);
  });
}

void Compiler::run_fold(const Call& n, const DirectCall& direct, std::uint32_t t) {
  const std::uint32_t call = t + ElementLoop::slots;
  const std::uint32_t begin = emitter_->emit(Opcode::fold_begin, t, n.left != nullptr);
  emitter_->immediate(0);
  emitter_->position(n.function->span, call);
  const std::uint32_t outer = emitter_->enter_loop(call);
  const std::uint32_t next = emitter_->label();
  emitter_->emit(Opcode::fold_next, t);
  emitter_->position(n.function->span, call + 1);
  if (direct.repeated->kind == NodeKind::block) {
    run_in_place(block_of(*direct.repeated), true, call);
  } else {
    const Argument w{Operand::temporary(call + 1), true};
    apply(*direct.repeated, &w, {Operand::temporary(call), true}, call, call + 2);
  }
  const std::uint32_t again = emitter_->emit(Opcode::again);
  emitter_->at(again).set_distance(static_cast<std::int32_t>(next - again));
  emitter_->position(n.function->span, call + 1);
  emitter_->leave_loop(outer);
  emitter_->land(next);
  emitter_->emit(Opcode::clear, t, ElementLoop::slots);
  emitter_->emit(Opcode::move, t, call);
  const std::uint32_t done = emitter_->emit(Opcode::jump);
  emitter_->word(begin + 1) = emitter_->label() - begin;
  call_whole(static_cast<const DeriveNode&>(*n.function), n.left != nullptr, direct, t);
  emitter_->land(done);
}

void Compiler::run_in_place(const BlockNode& block, bool dyadic, std::uint32_t t) {
  BodyState outer = state_;
  std::vector<const Body*> bodies;
  bool left = dyadic;
  for (const Body* b : block.bodies) {
    if (!accepts_call(*b, dyadic)) continue;
    bodies.push_back(b);
    left |= uses_left(*b);
  }
  std::uint32_t first = t + 1 + left;
  claim(t, 2);
  if (left && !dyadic) emitter_->emit(Opcode::nothing, t + 1);
  std::vector<std::uint32_t> ends;
  std::vector<Escape> escapes;
  for (std::size_t i = 0; i < bodies.size(); i++) {
    const Body& body = *bodies[i];
    bool last = i + 1 == bodies.size();
    escapes.clear();
    state_.layout = body.layout;
    state_.special[static_cast<int>(SpecialName::x)] = t;
    state_.special[static_cast<int>(SpecialName::w)] = left ? t + 1 : none;
    state_.last_escape = 0;
    emitter_->watch(t, 1 + left);
    share_argument(body, body.pattern_x, SpecialName::x);
    share_argument(body, body.pattern_w, SpecialName::w);
    std::uint32_t end = place_variables(*body.layout, first);
    state_.locals_end = end;
    bind_arguments(body, escapes);
    Operand result = statements(body, end, escapes, block.for_effect);
    if (result.is_constant() || (result.is_variable() && result.slot < t)) {
      move_into(result, end);
      result = Operand::temporary(end);
    }
    emitter_->emit(Opcode::leave, t, end - t, result.slot);
    if (result.is_variable()) emitter_->read(result.slot, 0);
    emitter_->consume(t, 1 + left, state_.last_escape);
    emitter_->consume(first, end - first);
    if (!last || !escapes.empty()) ends.push_back(emitter_->emit(Opcode::jump));
    if (escapes.empty()) break;
    std::uint32_t label = emitter_->label();
    for (Escape e : escapes) land(e, label);
    if (end > first) emitter_->emit(Opcode::clear, first, end - first);
    if (last) {
      emit_no_body(t, left ? t + 1 : none);
      emitter_->position(block.span, first);
    }
  }
  for (std::uint32_t jump : ends) emitter_->land(jump);
  state_ = outer;
}

}  // namespace griddle
