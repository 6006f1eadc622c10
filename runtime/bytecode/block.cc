#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/source/outline.h"

namespace griddle {

namespace {

enum class BodyClass { normal, undo, undo_swapped };

BodyClass class_of(const Body& b) {
  switch (b.body_case) {
    case BodyCase::undo:
    case BodyCase::undo_dyadic: return BodyClass::undo;
    case BodyCase::undo_swapped: return BodyClass::undo_swapped;
    default: return BodyClass::normal;
  }
}

bool accepts(const Body& b, bool dyadic) {
  switch (b.body_case) {
    case BodyCase::general:
    case BodyCase::ambivalent: return true;
    case BodyCase::monadic: return !dyadic;
    case BodyCase::dyadic: return dyadic;
    case BodyCase::undo: return !dyadic || b.undo_ambivalent;
    case BodyCase::undo_dyadic: return dyadic || b.undo_ambivalent;
    case BodyCase::undo_swapped: return dyadic || b.undo_ambivalent;
  }
  return true;
}

// Tells whether a block is called with arguments.
bool takes_arguments(const BlockNode& b) { return b.type == BlockType::function || b.deferred; }

// Tells whether 𝕨 needs a slot: a body uses it, or it decides which body is next.
bool uses_left_argument(const BlockNode& block) {
  return std::any_of(block.bodies.begin(), block.bodies.end(),
                     [](const Body* b) { return uses_left(*b) || b->body_case != BodyCase::general; });
}

constexpr std::size_t no_body = ~std::size_t{0};
constexpr BodyClass body_classes[] = {BodyClass::normal, BodyClass::undo, BodyClass::undo_swapped};

// Which bodies of each class are tried first, with one argument and with two.
struct FirstBodies {
  std::size_t of[std::size(body_classes)][2] = {{no_body, no_body}, {no_body, no_body}, {no_body, no_body}};
  std::size_t& find(BodyClass body_class, bool dyadic) { return of[static_cast<int>(body_class)][dyadic]; }
};

}  // namespace

// Jumps between the bodies of one block.
struct Compiler::BodyChain {
  std::vector<std::uint32_t> labels;                           // by body; known once it is written
  std::vector<std::pair<std::uint32_t, std::size_t>> jumps;    // instruction, body
  std::vector<std::pair<std::uint32_t, std::size_t>> entries;  // Entry, body
  std::uint32_t entry_words[entry_count];                      // none where the entry is a body or missing
  std::vector<std::size_t> next[2];  // by body: which one takes over where it does not apply, with one argument and with two
};

// --- variables of a body

std::uint32_t Compiler::place_variables(const BodyLayout& layout, std::uint32_t from) {
  std::uint32_t end = from;
  for (Place& place : layout.places)
    if (place.kind == Place::Kind::slot && place.slot == none) place.slot = end++;
  if (end > from) {
    claim(from, end - from);
    emitter_->emit(Opcode::absent, from, end - from);
    emitter_->watch(from, end - from);
  }
  return end;
}

Ref<FieldTable> Compiler::field_table(const Body& body) {
  Ref<FieldTable> table = make_native<FieldTable>(cx_.heap);
  for (const Binding* b : body.exports)
    table->fields.push_back({std::string(b->name), std::string(b->spelling), body.layout->places[b->index].slot});
  return table;
}

Operand Compiler::statements(const Body& body, std::uint32_t t, std::vector<Escape>& escapes, bool for_effect) {
  bool value_wanted = !body.has_exports || (shared_root_ && is_root(body));
  for (std::size_t i = 0; i < body.statements.size(); i++) {
    const Statement& s = body.statements[i];
    if (s.predicate) {
      escapes.push_back(predicate(*s.expression, t));
      state_.last_escape = emitter_->label();
    } else if (i + 1 < body.statements.size() || !value_wanted || (for_effect && !s.expression->may_be_nothing)) {
      effect(*s.expression, t);
#ifdef GRIDDLE_VERIFY
      if (is_root(body)) emitter_->emit(Opcode::verify, t, body.layout->has_environment && !shared_root_);
#endif
    } else {
      Operand result = expression(*s.expression, t);
      if (!is_root(body)) check_value(*s.expression, result, t);
      return result;
    }
  }
  if (value_wanted) return Operand::constant(for_effect ? Value(0.0) : Value::nothing());
  Ref<FieldTable> table = field_table(body);
  emitter_->emit(Opcode::name_space, claim(t));
  emitter_->immediate_pointer(table.get());
  emitter_->own(table.get());
  emitter_->position(body.span, t);
  return Operand::temporary(t);
}

// --- blocks that run where they stand

Operand Compiler::inlined_block(const BlockNode& block, std::uint32_t t) {
  BodyState outer = state_;
  std::vector<std::uint32_t> ends;
  std::vector<Escape> escapes;
  bool single = block.bodies.size() == 1;
  for (std::size_t i = 0; i < block.bodies.size(); i++) {
    const Body& body = *block.bodies[i];
    state_.layout = body.layout;
    escapes.clear();
    claim(t);
    std::uint32_t end = place_variables(*body.layout, t);
    Operand result = statements(body, end, escapes);
    bool plain = single && escapes.empty();
    if (end > t) {
      if (!result.is_temporary() && !(result.is_variable() && result.slot >= t)) {
        move_into(result, end);
        result = Operand::temporary(end);
      }
      emitter_->emit(Opcode::leave, t, end - t, result.slot);
      if (result.is_variable()) emitter_->read(result.slot, 0);
      emitter_->consume(t, end - t);
      result = Operand::temporary(t);
    } else if (!plain) {
      move_into(result, t);
    }
    if (plain) {
      state_ = outer;
      return result;
    }
    if (i + 1 < block.bodies.size() || !escapes.empty()) ends.push_back(emitter_->emit(Opcode::jump));
    if (escapes.empty()) break;
    std::uint32_t label = emitter_->label();
    for (Escape e : escapes) land(e, label);
    if (end > t) emitter_->emit(Opcode::clear, t, end - t);
    if (i + 1 == block.bodies.size()) {
      emit_no_body(none, none);
      emitter_->position(block.span, t);
    }
  }
  for (std::uint32_t jump : ends) emitter_->land(jump);
  state_ = outer;
  return Operand::temporary(t);
}

Operand Compiler::block(const BlockExpression& n, std::uint32_t t) {
  const BlockNode& block = *n.block;
  if (block.type == BlockType::immediate) {
    if (is_inlined(block)) return inlined_block(block, t);
    Ref<Code> code = compile_block(block);
    emitter_->emit(Opcode::run_block, claim(t));
    emitter_->immediate_pointer(code.get());
    emitter_->own(code.get());
    at(n, t);
    return Operand::temporary(t);
  }
  if (is_one_value(block)) {
    auto known = closed_blocks_.find(&block);
    if (known == closed_blocks_.end())
      known = closed_blocks_.emplace(&block, make_closure(cx_.heap, *compile_block(block), nullptr)).first;
    return Operand::constant(known->second);
  }
  Ref<Code> code = compile_block(block);
  emitter_->emit(Opcode::closure, claim(t));
  emitter_->immediate_pointer(code.get());
  emitter_->own(code.get());
  at(n, t);
  return Operand::temporary(t);
}

// --- blocks with frames of their own

std::uint32_t Compiler::place_special(SpecialName name, std::uint32_t slot) {
  std::uint32_t& place = state_.special[static_cast<int>(name)];
  Operand now = special(Special{{}, name}, slot);
  move_into(now, claim(slot));
  place = slot;
  return slot + 1;
}

// A plain name for an argument is the argument's slot, where neither of them changes.
void Compiler::share_argument(const Body& body, Node* pattern, SpecialName name) {
  if (!pattern || pattern->kind != NodeKind::variable) return;
  const Variable& v = *static_cast<Variable*>(pattern);
  Place& place = place_of(v);
  std::uint32_t slot = state_.special[static_cast<int>(name)];
  if (place.kind == Place::Kind::slot && slot != none && !v.binding->changed && !(body.changed_specials & bit_of(name)))
    place.slot = slot;
}

namespace {

bool is_name(const Node* pattern) {
  return !pattern || pattern->kind == NodeKind::variable || pattern->kind == NodeKind::nothing;
}

// Tells whether a body takes its argument apart at once, and neither reads it again nor may leave it to another body after that.
bool only_unpacks_argument(const Body& body) {
  const Node* x = body.pattern_x;
  if (!x || x->kind != NodeKind::list || body.specials & bit_of(SpecialName::x)) return false;
  for (const Node* other : {body.pattern_w, body.pattern_f, body.pattern_g})
    if (!is_name(other)) return false;
  for (const Node* element : static_cast<const ListNode*>(x)->elements)
    if (!is_name(element)) return false;
  for (const Statement& s : body.statements)
    if (s.predicate) return false;
  return true;
}

}  // namespace

void Compiler::bind_arguments(const Body& body, std::vector<Escape>& escapes) {
  const BodyLayout& layout = *body.layout;
  std::uint32_t t = state_.locals_end;
  if (body.self && layout.places[body.self->index].kind == Place::Kind::environment) {
    emitter_->emit(state_.block->type == BlockType::function ? Opcode::self : Opcode::modifier_self, claim(t));
    Variable v{};
    v.binding = body.self;
    v.body = body.layout->body;
    v.span = body.span;
    store_outer(v, t, true, true, t + 1);
  }
  auto bind = [&](Node* pattern, SpecialName name) {
    if (!pattern) return;
    std::uint32_t slot = state_.special[static_cast<int>(name)];
    if (pattern->kind == NodeKind::variable && slot != none) {
      const std::uint32_t target = slot_of_target(*pattern);
      if (target == slot) return;
      if (target == none) return store_variable_outer(static_cast<Variable&>(*pattern), slot, true, t);
    }
    if (name == SpecialName::x && slot != none && only_unpacks_argument(body))
      return store_elements(static_cast<ListNode&>(*pattern), slot, t, {true, &escapes});
    Special argument{{}, name};
    argument.span = pattern->span;
    move_into(special(argument, t), t);
    store(*pattern, t, t + 1, {true, &escapes});
  };
  bind(body.pattern_x, SpecialName::x);
  bind(body.pattern_w, SpecialName::w);
  bind(body.pattern_f, SpecialName::f);
  bind(body.pattern_g, SpecialName::g);
}

void Compiler::compile_body(const Body& body, std::vector<Escape>& escapes, bool for_effect) {
  const BodyLayout& layout = *body.layout;
  std::uint32_t first = state_.first_local;
  state_.layout = body.layout;
  state_.last_escape = 0;
  bool root = is_root(body);
  emitter_->watch(0, first);
  if (layout.has_environment && !(root && shared_root_)) {
    Instruction& i = emitter_->at(emitter_->emit(Opcode::environment));
    i.set_distance(static_cast<std::int32_t>(layout.environment_count));
    emitter_->position(body.span, first);
    emitter_->set_environment(true);
  }
  share_argument(body, body.pattern_x, SpecialName::x);
  share_argument(body, body.pattern_w, SpecialName::w);
  share_argument(body, body.pattern_f, SpecialName::f);
  share_argument(body, body.pattern_g, SpecialName::g);
  std::uint32_t end = place_variables(layout, first);
  for (SpecialName name : {SpecialName::w, SpecialName::x, SpecialName::s, SpecialName::f, SpecialName::g, SpecialName::r}) {
    bool argument = state_.special[static_cast<int>(name)] != none;
    if (body.changed_specials & bit_of(name) && !(argument && state_.alone)) {
      emitter_->watch(end, 1);
      end = place_special(name, end);
    }
  }
  state_.locals_end = end;
  bind_arguments(body, escapes);
  Operand result = statements(body, end, escapes, for_effect);
  if (result.is_constant()) result = in_slot(std::move(result), end);
  bool own = layout.has_environment && !(root && shared_root_);
  emitter_->emit(own ? Opcode::return_environment : Opcode::return_value, result.slot, end);
  if (result.is_variable()) emitter_->read(result.slot, 0);
  emitter_->consume(0, first, state_.last_escape);
  emitter_->consume(first, end - first);
  emitter_->set_environment(false);
}

void Compiler::emit_no_body(std::uint32_t x, std::uint32_t w) {
  const std::uint8_t given = (x == none ? 0 : Instruction::maybe) | (w == none ? 0 : Instruction::dyadic);
  emitter_->emit(Opcode::no_body, x == none ? 0 : x, w == none ? 0 : w, 0, given);
}

void Compiler::compile_bodies(const BlockNode& block, Code& code, BodyChain& chain) {
  std::uint32_t first = state_.first_local;
  const bool arguments = takes_arguments(block), left = state_.special[static_cast<int>(SpecialName::w)] != none;
  for (std::size_t i = 0; i < block.bodies.size(); i++) {
    const Body& body = *block.bodies[i];
    BodyState before = state_;
    chain.labels[i] = emitter_->label();
    std::vector<Escape> escapes;
    compile_body(body, escapes, block.for_effect);
    std::uint32_t end = state_.locals_end;
    bool own = body.layout->has_environment;
    state_ = before;
    if (escapes.empty()) continue;
    std::uint32_t label = emitter_->label();
    for (Escape e : escapes) land(e, label);
    if (end > first) emitter_->emit(Opcode::clear, first, end - first);
    if (own) emitter_->emit(Opcode::leave_environment);
    auto go = [&](std::size_t next) {
      if (next == no_body) {
        emit_no_body(arguments ? 0 : none, arguments && left ? 1 : none);
        emitter_->position(block.span, first);
      } else {
        chain.jumps.emplace_back(emitter_->emit(Opcode::jump), next);
      }
    };
    const std::size_t following = i + 1 < block.bodies.size() ? i + 1 : no_body;
    const std::size_t monadic = arguments ? chain.next[0][i] : following, dyadic = arguments ? chain.next[1][i] : following;
    if (dyadic != monadic) {
      std::uint32_t split = emitter_->emit(Opcode::jump_dyadic, 1);
      go(monadic);
      emitter_->land(split);
      go(dyadic);
    } else {
      go(monadic);
    }
  }
  for (auto [jump, body] : chain.jumps) emitter_->at(jump).set_distance(static_cast<std::int32_t>(chain.labels[body] - jump));
  for (auto [entry, body] : chain.entries) chain.entry_words[entry] = chain.labels[body];
  emitter_->finish(code);
  for (int e = 0; e < entry_count; e++)
    if (chain.entry_words[e] != none)
      code.entry[e] = reinterpret_cast<const Instruction*>(code.words.get() + chain.entry_words[e]);
  find_leaf(code);
}

Ref<Code> Compiler::compile_block(const BlockNode& block) {
  cx_.check_stack();
  Ref<Code> code = make_native<Code>(cx_.heap);
  code->unit = unit_;
  code->type = block.type;
  code->deferred = block.deferred;
  code->span = block.span;
  code->label = block.label;

  std::unique_ptr<Emitter> emitter;
  if (spare_emitters_.empty()) {
    emitter = std::make_unique<Emitter>();
  } else {
    emitter = std::move(spare_emitters_.back());
    spare_emitters_.pop_back();
  }
  BodyState outer_state = std::exchange(state_, BodyState{});
  Emitter* outer_emitter = std::exchange(emitter_, emitter.get());
  Code* outer_code = std::exchange(code_, code.get());

  state_.block = &block;
  state_.alone = block.bodies.size() == 1;
  BodyChain chain;
  chain.labels.resize(block.bodies.size());
  std::fill(std::begin(chain.entry_words), std::end(chain.entry_words), none);
  auto special = [&](SpecialName n) -> std::uint32_t& { return state_.special[static_cast<int>(n)]; };
  if (takes_arguments(block)) {
    const bool left = uses_left_argument(block);
    FirstBodies first_bodies;
    for (std::vector<std::size_t>& next : chain.next) next.resize(block.bodies.size());
    for (std::size_t i = block.bodies.size(); i-- > 0;) {
      const Body& body = *block.bodies[i];
      for (const bool dyadic : {false, true}) {
        std::size_t& first = first_bodies.find(class_of(body), dyadic);
        chain.next[dyadic][i] = first;
        if (accepts(body, dyadic)) first = i;
      }
    }
    special(SpecialName::x) = 0;
    if (left) special(SpecialName::w) = 1;
    state_.first_local = 1 + left;
    claim(0, 2);
    for (BodyClass body_class : body_classes) {
      for (bool dyadic : {true, false}) {
        std::uint32_t entry = static_cast<std::uint32_t>(body_class) * 2 + dyadic;
        std::size_t body = first_bodies.find(body_class, dyadic);
        if (body == no_body && body_class != BodyClass::normal) continue;
        if (body != no_body && dyadic == left) {
          // The arguments are as the bodies expect them.
          chain.entries.emplace_back(entry, body);
          continue;
        }
        chain.entry_words[entry] = emitter_->label();
        if (body == no_body) {
          emit_no_body(0, dyadic ? 1 : none);
          emitter_->position(block.span, 1 + dyadic);
          continue;
        }
        emitter_->emit(dyadic ? Opcode::drop : Opcode::nothing, 1);
        chain.jumps.emplace_back(emitter_->emit(Opcode::jump), body);
      }
    }
    // The last jump is not needed where it leads to what follows.
    if (!chain.jumps.empty() && chain.jumps.back().second == 0 && chain.jumps.back().first + 1 == emitter_->here()) {
      emitter_->remove_last();
      chain.jumps.pop_back();
    }
  } else {
    if (block.type != BlockType::immediate) {
      special(SpecialName::f) = 0;
      if (block.type == BlockType::modifier2) special(SpecialName::g) = 1;
      state_.first_local = block.type == BlockType::modifier2 ? 2 : 1;
    }
    claim(0, 2);
    chain.entries.emplace_back(static_cast<std::uint32_t>(Entry::monad), 0);
  }
  compile_bodies(block, *code, chain);

  state_ = outer_state;
  emitter_ = outer_emitter;
  code_ = outer_code;
  spare_emitters_.push_back(std::move(emitter));
  return code;
}

void Compiler::note_constant(const Node& node, const Value& value) {
  for (OutlineLine& line : *outline_)
    if (line.node == &node) line.constant = value;
}

Ref<Code> Compiler::program(const Program& p, std::vector<OutlineLine>* outline) {
  layout_ = std::make_unique<Layout>(cx_, arena_, p, unit_->resolver, shared_root_);
  outline_ = outline;
  if (outline != nullptr)
    for (OutlineLine& line : *outline)
      if (line.node->kind == NodeKind::call)
        if (const auto& call = static_cast<const Call&>(*line.node); call.folded != Call::not_folded)
          line.constant = layout_->constants[call.folded];
  Ref<Code> code = make_native<Code>(cx_.heap);
  code->unit = unit_;
  code->span = p.root->span;
  Emitter emitter;
  emitter_ = &emitter;
  code_ = code.get();
  claim(0, 2);
  std::vector<Escape> escapes;
  state_.alone = true;
  compile_body(*p.root, escapes);
  emitter.finish(*code);
  code->entry[0] = reinterpret_cast<const Instruction*>(code->words.get());
  return code;
}

}  // namespace griddle
