#include "runtime/bytecode/choices.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace griddle {

namespace {

// Tells whether calling a function gives a number where its arguments have numbers: ranks, lengths, matches and arithmetic.
bool calls_to_number(const Node& function, bool dyadic, bool of_numbers) {
  if (function.kind != NodeKind::primitive || function.role != Role::function) return false;
  const PrimitiveFunctionEntry& entry = entry_of(static_cast<const Primitive&>(function).name);
  return entry.facts(dyadic).number || (of_numbers && entry.is_pervasive(dyadic));
}

bool function_gives_number(const Node& n) {
  if (n.role == Role::subject) return gives_number(n);
  if (calls_to_number(n, false, false)) return true;
  if (n.kind != NodeKind::train) return false;
  const TrainNode& t = static_cast<const TrainNode&>(n);
  if (!t.left) return calls_to_number(*t.middle, false, function_gives_number(*t.right));
  return calls_to_number(*t.middle, true, function_gives_number(*t.left) && function_gives_number(*t.right));
}

// Copies trees with the names and blocks in them.
class Copier {
 public:
  Copier(Context& cx, Arena& arena, const BodyLayout& layout) : cx_(cx), arena_(arena), layout_(layout) {}

  Node* list(const ListNode& choices) {
    std::span<Node*> elements = arena_.copy(std::span<Node* const>(choices.elements));
    // The copies stand in a block of their own, which gets the values that they use.
    BlockNode* maker = arena_.make<BlockNode>();
    maker->span = choices.span;
    maker->type = BlockType::function;
    maker->parent = layout_.body;
    maker_ = arena_.make<Body>();
    maker_->block = maker;
    maker_->parent = layout_.body;
    maker_->span = choices.span;
    maker->bodies = arena_.copy(std::span<Body* const>(&maker_, 1));
    for (Node*& e : elements) e = copy(e);
    ListNode* result = arena_.make<ListNode>(ListNode{{choices}, elements});
    if (taken_.empty()) {
      for (Body* body : inner_) body->parent = layout_.body;
      for (BlockNode* block : blocks_) block->parent = layout_.body;
      return result;
    }
    maker_->body_case = BodyCase::monadic;
    maker_->bindings = arena_.copy(std::span<Binding* const>(bindings_));
    maker_->has_environment = true;
    maker_->pattern_x = names(choices.span, false);
    const Statement statement{result, false};
    maker_->statements = arena_.copy(std::span<const Statement>(&statement, 1));
    BlockExpression* function =
        arena_.make<BlockExpression>(BlockExpression{node(NodeKind::block, Role::function, choices.span), maker});
    return arena_.make<Call>(
        Call{node(NodeKind::call, Role::subject, choices.span), function, nullptr, names(choices.span, true)});
  }

 private:
  static Node node(NodeKind kind, Role role, Span span) { return {kind, role, false, false, span}; }

  // Lists the variables whose values are handed over, or what the maker calls them.
  Node* names(Span span, bool outside) {
    std::vector<Node*> all;
    for (std::size_t i = 0; i < taken_.size(); i++) {
      Variable* v = arena_.make<Variable>(*taken_[i]);
      v->constant = false;
      if (!outside) {
        v->binding = bindings_[i];
        v->body = maker_;
        v->hops = 0;
      }
      all.push_back(v);
    }
    return arena_.make<ListNode>(ListNode{node(NodeKind::list, Role::subject, span), arena_.copy(std::span<Node* const>(all))});
  }

  template <class T>
  T* copied(const Node* n) {
    T* result = arena_.make<T>(*static_cast<const T*>(n));
    result->constant = false;
    return result;
  }

  std::span<Node*> copies(std::span<Node* const> nodes) {
    std::span<Node*> result = arena_.copy(nodes);
    for (Node*& n : result) n = copy(n);
    return result;
  }

  Node* copy(const Node* n) {
    if (!n) return nullptr;
    cx_.check_stack();
    switch (n->kind) {
      case NodeKind::variable: return variable(static_cast<const Variable*>(n));
      case NodeKind::list:
      case NodeKind::merge: {
        ListNode* l = copied<ListNode>(n);
        l->elements = copies(l->elements);
        return l;
      }
      case NodeKind::field: {
        Field* f = copied<Field>(n);
        f->object = copy(f->object);
        return f;
      }
      case NodeKind::call: {
        Call* c = copied<Call>(n);
        c->function = copy(c->function);
        c->left = copy(c->left);
        c->right = copy(c->right);
        return c;
      }
      case NodeKind::train: {
        TrainNode* t = copied<TrainNode>(n);
        t->left = copy(t->left);
        t->middle = copy(t->middle);
        t->right = copy(t->right);
        return t;
      }
      case NodeKind::derive: {
        DeriveNode* d = copied<DeriveNode>(n);
        d->modifier = copy(d->modifier);
        d->left = copy(d->left);
        d->right = copy(d->right);
        // Only the branch is fast: copies of copies would double with every level.
        d->as_value = true;
        d->choices = nullptr;
        return d;
      }
      case NodeKind::block: {
        BlockExpression* b = copied<BlockExpression>(n);
        b->block = block(*b->block);
        return b;
      }
      case NodeKind::assign: {
        Assign* a = copied<Assign>(n);
        a->target = copy(a->target);
        a->function = copy(a->function);
        a->value = copy(a->value);
        return a;
      }
      case NodeKind::alias: {
        Alias* a = copied<Alias>(n);
        a->target = copy(a->target);
        return a;
      }
      default: return const_cast<Node*>(n);  // literals and the like, which hold nothing of their own
    }
  }

  Node* variable(const Variable* n) {
    Variable* v = copied<Variable>(n);
    if (auto own = bindings_of_copies_.find(v->binding); own != bindings_of_copies_.end()) {
      v->binding = own->second;
      v->body = bodies_.at(v->body);
      return v;
    }
    if (!is_handed_over(*n)) return v;
    auto known = std::find_if(taken_.begin(), taken_.end(), [&](const Variable* t) { return t->binding == n->binding; });
    const std::size_t index = static_cast<std::size_t>(known - taken_.begin());
    if (known == taken_.end()) {
      taken_.push_back(n);
      Binding* b = arena_.make<Binding>(
          Binding{n->binding->name, n->binding->spelling, n->binding->role, static_cast<std::uint32_t>(index)});
      b->captured = b->escapes = true;
      bindings_.push_back(b);
    }
    v->binding = bindings_[index];
    v->body = maker_;
    return v;
  }

  // What keeps its value may be handed over: the block itself, and what has a slot in the frame.
  bool is_handed_over(const Variable& v) const {
    if (v.body->layout == nullptr || v.binding->changed) return false;
    const Place& place = place_of(v);
    if (place.kind == Place::Kind::constant || place.kind == Place::Kind::environment) return false;
    return is_self(*v.binding, layout_) || v.body->layout->frame == layout_.frame;
  }

  BlockNode* block(const BlockNode& from) {
    BlockNode* b = arena_.make<BlockNode>(from);
    blocks_of_copies_[&from] = b;
    b->escapes = true;
    b->parent = parent_ ? parent_ : maker_;
    if (!parent_) blocks_.push_back(b);
    b->bodies = arena_.copy(std::span<Body* const>(from.bodies));
    for (Body*& each : b->bodies) each = body(*each, *b);
    return b;
  }

  Body* body(const Body& from, BlockNode& of) {
    Body* b = arena_.make<Body>(from);
    bodies_[&from] = b;
    b->block = &of;
    b->parent = of.parent;
    if (!parent_) inner_.push_back(b);
    b->layout = nullptr;
    b->bindings = arena_.copy(std::span<Binding* const>(from.bindings));
    for (Binding*& binding : b->bindings) {
      Binding* copy = arena_.make<Binding>(*binding);
      copy->escapes = true;
      if (auto known = blocks_of_copies_.find(copy->block); known != blocks_of_copies_.end()) copy->block = known->second;
      bindings_of_copies_[binding] = copy;
      binding = copy;
    }
    b->exports = arena_.copy(std::span<Binding* const>(from.exports));
    for (Binding*& e : b->exports) e = bindings_of_copies_.at(e);
    if (from.self) b->self = bindings_of_copies_.at(from.self);
    Body* outer = std::exchange(parent_, b);
    b->pattern_w = copy(from.pattern_w);
    b->pattern_x = copy(from.pattern_x);
    b->pattern_f = copy(from.pattern_f);
    b->pattern_g = copy(from.pattern_g);
    b->statements = arena_.copy(std::span<const Statement>(from.statements));
    for (Statement& s : b->statements) s.expression = copy(s.expression);
    // Blocks within have their copies now.
    for (Binding* binding : b->bindings)
      if (auto known = blocks_of_copies_.find(binding->block); known != blocks_of_copies_.end()) binding->block = known->second;
    parent_ = outer;
    return b;
  }

  Context& cx_;
  Arena& arena_;
  const BodyLayout& layout_;
  Body* maker_ = nullptr;
  Body* parent_ = nullptr;              // the copy that is being filled
  std::vector<const Variable*> taken_;  // handed over, as they are named outside
  std::vector<Binding*> bindings_;      // and inside
  std::vector<Body*> inner_;            // copies that stand right in the list
  std::vector<BlockNode*> blocks_;
  std::unordered_map<const Binding*, Binding*> bindings_of_copies_;
  std::unordered_map<const Body*, Body*> bodies_;
  std::unordered_map<const BlockNode*, BlockNode*> blocks_of_copies_;
};

}  // namespace

bool gives_number(const Node& n) {
  if (n.kind == NodeKind::number) return true;
  if (n.role != Role::subject) return function_gives_number(n);
  if (n.kind != NodeKind::call) return false;
  const Call& c = static_cast<const Call&>(n);
  return calls_to_number(*c.function, c.left != nullptr, (!c.left || gives_number(*c.left)) && gives_number(*c.right));
}

Node* choices_as_values(Context& cx, Arena& arena, const ListNode& choices, const BodyLayout& layout) {
  return Copier(cx, arena, layout).list(choices);
}

}  // namespace griddle
