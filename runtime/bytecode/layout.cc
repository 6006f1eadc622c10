#include "runtime/bytecode/layout.h"

#include <algorithm>
#include <cassert>

#include "runtime/bytecode/captures.h"
#include "runtime/bytecode/choices.h"
#include "runtime/bytecode/direct_call.h"
#include "runtime/bytecode/escape.h"
#include "runtime/bytecode/folding.h"
#include "runtime/bytecode/left_argument.h"
#include "runtime/bytecode/loops.h"
#include "runtime/primitive.h"
#include "runtime/value/fill.h"

namespace griddle {

namespace {

// Environments of more slots than instructions can name directly work too; frames of more do not.
constexpr std::size_t most_frame_variables = 30'000;

const PrimitiveFunctionEntry* scalar_entry(const Context& cx, Node* node) {
  if (node->kind != NodeKind::primitive || node->role != Role::function) return nullptr;
  const Value& f = cx.primitives[static_cast<int>(static_cast<Primitive*>(node)->name)];
  return static_cast<const PrimitiveFunction&>(f.function()).entry;
}

}  // namespace

bool is_closed(const BlockNode& block) {
  return std::none_of(block.bodies.begin(), block.bodies.end(), [](Body* b) { return b->layout->needs_scope; });
}

bool is_one_value(const BlockNode& block) { return !block.escapes && is_closed(block); }

bool is_self(const Binding& binding, const BodyLayout& user) {
  const Body& body = *user.frame->body;
  return body.block && (binding.block == body.block || &binding == body.self) && binding.role != Role::subject &&
         (binding.role == Role::function) == (body.block->type == BlockType::function);
}

bool specials_change(const BodyLayout& layout) {
  for (const BodyLayout* l = &layout;; l = l->parent) {
    if (l->body->changed_specials) return true;
    if (l == l->frame) return false;
  }
}

bool is_laid_in_place(const Node& n, bool dyadic) {
  if (!runs_in_place(n, dyadic)) return false;
  const auto& bodies = block_of(n).bodies;
  return std::any_of(bodies.begin(), bodies.end(), [](const Body* b) { return b->layout && b->layout->frame != b->layout; });
}

Layout::Layout(Context& cx, Arena& arena, const Program& program, const SystemResolver* resolver, bool shared_root)
    : cx_(cx), arena_(arena), resolver_(resolver), shared_root_(shared_root) {
  note_escapes(cx, program);
  note_captures(cx, program);
  open_outer(program.root->parent);
  walk_body(*program.root, nullptr);
}

void Layout::open_outer(Body* body) {
  if (!body) return;
  cx_.check_stack();
  open_outer(body->parent);
  BodyLayout* layout = arena_.make<BodyLayout>();
  layout->body = body;
  layout->parent = current_;
  layout->frame = layout;
  layout->places = arena_.make_span<Place>(body->bindings.size());
  place_by_index(*layout);
  body->layout = layout;
  current_ = layout;
}

void Layout::place_by_index(BodyLayout& layout) {
  layout.has_environment = true;
  layout.environment_count = static_cast<std::uint32_t>(layout.places.size());
  for (std::uint32_t i = 0; i < layout.places.size(); i++) layout.places[i] = {Place::Kind::environment, false, i};
}

void Layout::walk_body(Body& body, BodyLayout* frame) {
  cx_.check_stack();
  BodyLayout* layout = arena_.make<BodyLayout>();
  layout->body = &body;
  layout->parent = current_;
  layout->frame = frame ? frame : layout;
  layout->places = arena_.make_span<Place>(body.bindings.size());
  std::fill(layout->places.begin(), layout->places.end(), Place{});
  body.layout = layout;
  current_ = layout;
  if ((is_root(body) && shared_root_) || (body.exposed && !body.bindings.empty())) place_by_index(*layout);
  // Namespaces show what is exported, and a root of very many variables would outgrow its frame.
  for (std::uint32_t i = 0; i < body.bindings.size(); i++)
    if (body.bindings[i]->exported || i >= most_frame_variables) to_environment(*layout, *body.bindings[i]);
  if (body.has_exports) layout->has_environment = true;
  for (Node* pattern : {body.pattern_w, body.pattern_x, body.pattern_f, body.pattern_g})
    if (pattern) walk_target(pattern, true);
  for (Statement& s : body.statements) walk(s.expression);
  current_ = layout->parent;
}

Layout::Constness Layout::walk_block(BlockNode& block) {
  BodyLayout* frame = can_be_inlined(block) ? current_->frame : nullptr;
  for (Body* body : block.bodies) walk_body(*body, frame);
  return block.type != BlockType::immediate && is_one_value(block) ? Constness::value : Constness::none;
}

void Layout::to_environment(BodyLayout& layout, Binding& binding) {
  Place& place = layout.places[binding.index];
  if (place.kind == Place::Kind::environment) return;
  place = {Place::Kind::environment, false, layout.environment_count++};
  layout.has_environment = true;
}

void Layout::use(const Variable& v) {
  BodyLayout& home = *v.body->layout;
  Place& place = home.places[v.binding->index];
  if (place.kind == Place::Kind::constant) return;
  if (is_self(*v.binding, *current_)) return;
  // What an inlined block reads before its definition must be found undefined.
  if (home.frame != current_->frame || place.kind == Place::Kind::undecided) to_environment(home, *v.binding);
  for (BodyLayout* l = current_; l->frame != home.frame; l = l->parent) l->needs_scope = true;
}

void Layout::define(const Variable& v) {
  Place& place = place_of(v);
  if (place.kind == Place::Kind::undecided) place = {Place::Kind::slot, false, Place::no_slot};
}

void Layout::walk_target(Node* target, bool defining) {
  switch (target->kind) {
    case NodeKind::variable: {
      const Variable& v = *static_cast<Variable*>(target);
      if (defining)
        define(v);
      else
        use(v);
      break;
    }
    case NodeKind::list:
    case NodeKind::merge:
      for (Node* e : static_cast<ListNode*>(target)->elements) walk_target(e, defining);
      break;
    case NodeKind::alias: walk_target(static_cast<Alias*>(target)->target, defining); break;
    default: break;  // special names, `·`, and the constants of a header
  }
}

Layout::Constness Layout::walk_assign(const Assign& n) {
  if (!n.target) return Constness::none;
  Constness value = n.value ? walk(n.value) : Constness::none;
  if (n.function) walk(n.function);
  bool defining = n.assign != AssignKind::change;
  if (defining && n.target->kind == NodeKind::variable && value != Constness::none) {
    const Variable& v = *static_cast<Variable*>(n.target);
    Place& place = place_of(v);
    if (place.kind == Place::Kind::undecided && !v.binding->changed) {
      place = {Place::Kind::constant, value == Constness::number, static_cast<std::uint32_t>(constants.size())};
      constants.push_back(known_value(*n.value));
      if (v.role == Role::function && is_written_out(cx_, *n.value)) v.binding->tacit = n.value;
      return value;
    }
  }
  walk_target(n.target, defining);
  return Constness::none;
}

Layout::Constness Layout::walk_callable(Node* f, bool dyadic) {
  cx_.check_stack();
  if (const Parts parts = parts_of(*f); parts.kind != Parts::Kind::none) {
    const Constness c = walk_parts(f, parts, dyadic);
    f->constant = c != Constness::none;
    return c;
  }
  if (!runs_in_place(*f, dyadic)) return walk(f);
  for (Body* body : block_of(*f).bodies)
    if (accepts_call(*body, dyadic)) walk_body(*body, current_->frame);
  return Constness::none;
}

Layout::Constness Layout::walk_parts(Node* f, const Parts& p, bool dyadic) {
  using Kind = Parts::Kind;
  bool all = true;
  // The right one first, as they are evaluated. `calls`: the part is called in one place, which has so many arguments.
  const auto part = [&](Node* n, bool two, bool calls = true) {
    all &= (calls ? walk_callable(n, two) : walk(n)) != Constness::none;
  };
  if (f->kind == NodeKind::derive) walk(static_cast<DeriveNode*>(f)->modifier);
  switch (p.kind) {
    case Kind::atop: part(p.h, dyadic), part(p.g, false); break;
    case Kind::fork: part(p.h, dyadic), part(p.g, true), part(p.f, dyadic); break;
    case Kind::over: part(p.h, false, !dyadic), part(p.g, dyadic); break;
    case Kind::before: part(p.g, true), part(p.f, false); break;
    case Kind::after: part(p.g, false), part(p.f, true); break;
    case Kind::swap: part(p.g, true); break;
    case Kind::valences: part(p.g, true, dyadic), part(p.f, false, !dyadic); break;
    case Kind::none: break;
  }
  return all ? Constness::value : Constness::none;
}

// A nested index makes an array of the choices, which takes their values.
void Layout::make_choices(DeriveNode& choose) {
  if (gives_number(*choose.left)) return;
  choose.choices = choices_as_values(cx_, arena_, static_cast<ListNode&>(*choose.right), *current_);
  walk(choose.choices);
}

void Layout::walk_choice(DeriveNode& choose, bool dyadic) {
  const DirectCall direct = direct_choice(choose);
  walk_callable(direct.condition, dyadic);
  for (Node* choice : direct.choices) walk_callable(choice, dyadic);
  make_choices(choose);
}

void Layout::make_repeated(DeriveNode& repeat) {
  ListNode* one = arena_.make<ListNode>(ListNode{{NodeKind::list, Role::subject, false, false, repeat.left->span},
                                                 arena_.copy(std::span<Node* const>(&repeat.left, 1))});
  repeat.choices = choices_as_values(cx_, arena_, *one, *current_);
  // Where the block is a constant, so is the function that calls it for each element.
  if (repeat.is_closed) {
    assert(repeat.choices->kind == NodeKind::list);  // which nothing is handed over to
    Node* const copy = static_cast<ListNode*>(repeat.choices)->elements[0];
    // Nobody sees the copy but that function.
    if (copy->kind == NodeKind::block) static_cast<BlockExpression*>(copy)->block->escapes = block_of(*repeat.left).escapes;
    DeriveNode derive{{NodeKind::derive, Role::function, false, false, repeat.span}, repeat.modifier, copy, nullptr};
    derive.as_value = true;
    repeat.choices = arena_.make<DeriveNode>(derive);
  }
  walk(repeat.choices);
}

// Notes whether a function is made by the usual •_while_.
void Layout::note_while(Node& function) {
  if (function.kind != NodeKind::derive) return;
  DeriveNode& d = static_cast<DeriveNode&>(function);
  d.loops = d.modifier->kind == NodeKind::system && static_cast<const System*>(d.modifier)->name == "while" &&
            resolver_ != nullptr && resolver_->is_usual("while");
}

bool Layout::note_loop(const Call& n) {
  if (n.function->kind != NodeKind::derive) return false;
  DeriveNode& d = static_cast<DeriveNode&>(*n.function);
  if (d.as_value || d.modifier->kind != NodeKind::primitive) return false;
  const bool maps = applies_of(d) == Applies::to_elements, folds = reduces_of(d) == Reduces::folds;
  if (applies_of(d) == Applies::to_cells) {
    // What only calls a function of primitives is met as that function.
    d.as_value = n.left != nullptr || d.left->kind != NodeKind::block || work_of(cx_, block_of(*d.left)).acts ||
                 calls_alone(cx_, block_of(*d.left));
    d.is_closed = !d.as_value && !work_of(cx_, block_of(*d.left)).reads_outer;
    return !d.as_value;
  }
  if (!maps && !folds) return false;
  const bool chooses = maps && chooses_blocks(*d.left);
  if (d.left->kind != NodeKind::block && !chooses) {
    d.loops = folds ? is_folded_in_steps(cx_, *d.left)
              : is_met_by_groups(n, *d.left)
                  ? false
                  : is_called_for_few(cx_, *d.left) || computes_on_lists(cx_, *d.left) || is_name_of_work(cx_, *d.left) ||
                        is_primitive_for_few(*d.left, n.left != nullptr);
    return false;
  }
  const BlockWork work = chooses ? work_of_choice(cx_, static_cast<const DeriveNode&>(*d.left)) : work_of(cx_, block_of(*d.left));
  d.loops = chooses;
  d.as_value = folds && work.changes_outer;
  d.branches = work.branches;
  d.is_closed = !work.reads_outer;
  return folds || !work.acts;
}

bool Layout::walk_direct(const Call& n) {
  note_while(*n.function);
  const bool also_as_value = note_loop(n);
  DirectCall direct = direct_call(n, specials_change(*current_));
  bool dyadic = n.left != nullptr;
  switch (direct.kind) {
    case DirectCall::Kind::none: return false;
    case DirectCall::Kind::block:
      walk(n.right);
      if (n.left) walk(n.left);
      if (dyadic) note_left_argument(cx_, const_cast<BlockNode&>(block_of(*n.function)));
      walk_callable(n.function, dyadic);
      break;
    case DirectCall::Kind::choose:
      walk(n.right);
      if (n.left) walk(n.left);
      walk_choice(static_cast<DeriveNode&>(*n.function), dyadic);
      break;
    case DirectCall::Kind::parts:
      walk(n.right);
      walk_callable(n.function, dyadic);
      if (n.left) walk(n.left);
      break;
    case DirectCall::Kind::repeat:
      walk(n.right);
      if (n.left) walk(n.left);
      if (direct.condition->role == Role::function)
        walk_callable(direct.condition, dyadic);
      else
        walk(direct.condition);
      if (direct.in_place) {
        walk_callable(direct.repeated, dyadic);
        if (!direct.is_counted()) make_repeated(static_cast<DeriveNode&>(*n.function));
      } else {
        walk(direct.repeated);
      }
      break;
    case DirectCall::Kind::loop:
      walk(n.right);
      if (n.left) walk(n.left);
      walk_callable(direct.condition, dyadic);
      walk_callable(direct.repeated, dyadic);
      break;
    case DirectCall::Kind::each:
    case DirectCall::Kind::fold:
      walk(n.right);
      if (n.left) walk(n.left);
      dyadic |= direct.kind == DirectCall::Kind::fold;
      if (dyadic && direct.repeated->kind == NodeKind::block)
        note_left_argument(cx_, const_cast<BlockNode&>(block_of(*direct.repeated)));
      if (chooses_blocks(*direct.repeated))
        walk_choice(static_cast<DeriveNode&>(*direct.repeated), dyadic);
      else
        walk_callable(direct.repeated, dyadic);
      if (also_as_value) make_repeated(static_cast<DeriveNode&>(*n.function));
      break;
  }
  return true;
}

Node* Layout::written_out(const Node& n, Span span) {
  const auto copy = [&](Node* part) { return part != nullptr ? written_out(*part, span) : nullptr; };
  const auto like = [&]<class T>(const T& node) {
    T* const made = arena_.make<T>(node);
    made->span = span;
    return made;
  };
  switch (n.kind) {
    case NodeKind::train: {
      TrainNode* const t = like(static_cast<const TrainNode&>(n));
      t->left = copy(t->left), t->middle = copy(t->middle), t->right = copy(t->right);
      return t;
    }
    case NodeKind::derive: {
      DeriveNode* const d = like(static_cast<const DeriveNode&>(n));
      d->modifier = copy(d->modifier), d->left = copy(d->left), d->right = copy(d->right);
      return d;
    }
    case NodeKind::variable: return written_out(*static_cast<const Variable&>(n).binding->tacit, span);
    case NodeKind::primitive: return like(static_cast<const Primitive&>(n));
    case NodeKind::number: return like(static_cast<const Number&>(n));
    default: return const_cast<Node*>(&n);  // literal data
  }
}

void Layout::write_names_out(Node*& f) {
  cx_.check_stack();
  if (f == nullptr || f->role != Role::function) return;
  if (f->kind == NodeKind::variable) {
    const Node* const tacit = static_cast<const Variable*>(f)->binding->tacit;
    if (tacit != nullptr) f = written_out(*tacit, f->span);
  } else if (f->kind == NodeKind::train) {
    TrainNode& t = *static_cast<TrainNode*>(f);
    for (Node** part : {&t.left, &t.middle, &t.right}) write_names_out(*part);
  } else if (f->kind == NodeKind::derive) {
    DeriveNode& d = *static_cast<DeriveNode*>(f);
    if (parts_of(d).kind != Parts::Kind::none) {
      write_names_out(d.left);
      write_names_out(d.right);
    } else if (applies_of(d) == Applies::to_elements && d.left->kind == NodeKind::variable) {
      Node* called = d.left;
      write_names_out(called);
      if (is_called_for_few(cx_, *called)) d.left = called;
    }
  }
}

Layout::Constness Layout::walk_call(Call& n) {
  write_names_out(n.function);
  if (walk_direct(n)) return Constness::none;
  Constness right = walk(n.right);
  Constness function = walk(n.function);
  Constness left = n.left ? walk(n.left) : Constness::number;
  if (right == Constness::none || left == Constness::none || function == Constness::none) return Constness::none;
  const PrimitiveFunctionEntry* entry = scalar_entry(cx_, n.function);
  if (!entry) return Constness::none;
  const bool numbers = right == Constness::number && left == Constness::number;
  if (numbers && (n.left ? entry->pervasive_dyad : entry->pervasive_monad)) return Constness::number;
  return fold(n, *entry);
}

Layout::Constness Layout::fold(Call& n, const PrimitiveFunctionEntry& entry) {
  const Value x = known_value(*n.right);
  const Value w = n.left ? known_value(*n.left) : Value();
  if (x.is_absent() || (n.left && w.is_absent())) return Constness::none;
  Value result = folded_call(cx_, entry, w, x);
  if (result.is_absent()) return Constness::none;
  // What meets 2⋆↕5 meets integers.
  if (result.is_array() && result.array().type() == ElementType::f64) result = narrowed(cx_.heap, std::move(result));
  n.folded = static_cast<std::uint32_t>(constants.size());
  constants.push_back(std::move(result));
  return constants.back().is_number() ? Constness::number : Constness::value;
}

Value Layout::known_value(const Node& node) {
  cx_.check_stack();
  if (!node.constant) return Value();
  switch (node.kind) {
    case NodeKind::variable: {
      const Place& place = place_of(static_cast<const Variable&>(node));
      return place.kind == Place::Kind::constant ? constants[place.slot] : Value();
    }
    case NodeKind::list: {
      std::vector<Value> values;
      for (const Node* e : static_cast<const ListNode&>(node).elements)
        if (values.push_back(known_value(*e)); values.back().is_absent()) return Value();
      return make_literal(cx_.heap, values);
    }
    case NodeKind::call: {
      const Call& n = static_cast<const Call&>(node);
      if (n.folded != Call::not_folded) return constants[n.folded];
      const Value x = known_value(*n.right), w = n.left ? known_value(*n.left) : Value();
      if (x.is_absent() || (n.left && w.is_absent())) return Value();
      return folded_call(cx_, *scalar_entry(cx_, n.function), w, x);
    }
    default: return literal_value(cx_, node);
  }
}

// Notes on every node whether it is a constant.
Layout::Constness Layout::walk(Node* node) {
  cx_.check_stack();
  Constness c = constness(node);
  node->constant = c != Constness::none;
  return c;
}

Layout::Constness Layout::constness(Node* node) {
  auto both = [](Constness a, Constness b) {
    return a != Constness::none && b != Constness::none ? Constness::value : Constness::none;
  };
  switch (node->kind) {
    case NodeKind::number: return Constness::number;
    case NodeKind::character:
    case NodeKind::string:
    case NodeKind::constant_list:
    case NodeKind::primitive: return Constness::value;
    case NodeKind::system:
      if (!static_cast<System*>(node)->sees_scope()) return Constness::value;
      for (BodyLayout* l = current_; l; l = l->parent) l->needs_scope = true;
      return Constness::none;
    case NodeKind::nothing:
    case NodeKind::special: return Constness::none;
    case NodeKind::variable: {
      const Variable& v = *static_cast<Variable*>(node);
      use(v);
      const Place& place = place_of(v);
      if (place.kind != Place::Kind::constant) return Constness::none;
      return place.number ? Constness::number : Constness::value;
    }
    case NodeKind::list: {
      Constness all = Constness::value;
      for (Node* e : static_cast<ListNode*>(node)->elements) all = both(walk(e), all);
      return all;
    }
    case NodeKind::merge:
      for (Node* e : static_cast<ListNode*>(node)->elements) walk(e);
      return Constness::none;
    case NodeKind::field: walk(static_cast<Field*>(node)->object); return Constness::none;
    case NodeKind::call: return walk_call(*static_cast<Call*>(node));
    case NodeKind::train: {
      const TrainNode& n = *static_cast<TrainNode*>(node);
      Constness right = walk(n.right), middle = walk(n.middle);
      Constness left = n.left ? walk(n.left) : Constness::value;
      return both(both(right, middle), left);
    }
    case NodeKind::derive: {
      const DeriveNode& n = *static_cast<DeriveNode*>(node);
      Constness right = n.right ? walk(n.right) : Constness::value;
      walk(n.modifier);
      Constness left = walk(n.left);
      // A block as modifier may run code; it is applied when its turn comes.
      return n.modifier->kind == NodeKind::primitive ? both(right, left) : Constness::none;
    }
    case NodeKind::block: return walk_block(*static_cast<BlockExpression*>(node)->block);
    case NodeKind::assign: return walk_assign(*static_cast<Assign*>(node));
    case NodeKind::alias: return Constness::none;
  }
  return Constness::none;
}

}  // namespace griddle
