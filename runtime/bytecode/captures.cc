#include "runtime/bytecode/captures.h"

#include <vector>

#include "runtime/bytecode/direct_call.h"
#include "runtime/bytecode/parts.h"

namespace griddle {

namespace {

class Captures {
 public:
  explicit Captures(Context& cx) : cx_(cx) {}

  // Gives the levels of the bodies around whose variables it uses, as bits.
  std::uint64_t body(Body& b) {
    cx_.check_stack();
    const std::size_t level = bodies_.size();
    bodies_.push_back({&b, false, std::vector<bool>(b.bindings.size())});
    for (Node* pattern : {b.pattern_w, b.pattern_x, b.pattern_f, b.pattern_g}) define(pattern);
    std::uint64_t used = 0;
    for (const Statement& s : b.statements) {
      used |= node(s.expression);
      // Whatever an expression defines may be used in it before.
      for (Node* target : bodies_.back().targets) define(target);
      bodies_.back().targets.clear();
    }
    // Roots, namespaces, and what texts see that are not known yet, are as the parser says.
    if (!is_root(b) && !b.has_exports && !b.exposed) b.has_environment = bodies_.back().captured;
    bodies_.pop_back();
    return level < most_levels ? used & ~(std::uint64_t{1} << level) : used;
  }

 private:
  struct Level {
    Body* body;
    bool captured;
    std::vector<bool> defined;     // by the index of a variable
    std::vector<Node*> targets{};  // of the statement that is looked at
  };
  // Deeper bodies are taken to be captured by all that uses them from inside.
  static constexpr std::size_t most_levels = 64;

  std::uint64_t variable(const Variable& v) {
    // Further out lie the bodies that the program was given.
    if (v.hops >= bodies_.size()) return 0;
    const std::size_t level = bodies_.size() - 1 - v.hops;
    // What is read before its definition must be found undefined, for which it has to lie in an environment.
    Level& home = bodies_[level];
    if (v.hops != 0 && !is_root(*home.body) && !home.defined[v.binding->index]) home.captured = true;
    if (level < most_levels) return std::uint64_t{1} << level;
    if (v.hops != 0) bodies_[level].captured = true;
    return 0;
  }

  std::uint64_t node(Node* n) {
    if (n == nullptr) return 0;
    cx_.check_stack();
    switch (n->kind) {
      case NodeKind::variable: return variable(*static_cast<const Variable*>(n));
      case NodeKind::list:
      case NodeKind::merge: {
        std::uint64_t used = 0;
        for (Node* e : static_cast<ListNode*>(n)->elements) used |= node(e);
        return used;
      }
      case NodeKind::field: return node(static_cast<Field*>(n)->object);
      case NodeKind::alias: return node(static_cast<Alias*>(n)->target);
      case NodeKind::call: return call(*static_cast<Call*>(n));
      case NodeKind::train: {
        const TrainNode& t = *static_cast<TrainNode*>(n);
        return node(t.left) | node(t.middle) | node(t.right);
      }
      case NodeKind::derive: {
        const DeriveNode& d = *static_cast<DeriveNode*>(n);
        return node(d.modifier) | node(d.left) | node(d.right);
      }
      case NodeKind::block: {
        const std::uint64_t used = block(*n);
        return can_be_inlined(block_of(*n)) ? used : captured(used);
      }
      case NodeKind::assign: {
        const Assign& a = *static_cast<Assign*>(n);
        if (a.assign != AssignKind::change) bodies_.back().targets.push_back(a.target);
        return node(a.target) | node(a.function) | node(a.value);
      }
      default: return 0;
    }
  }

  std::uint64_t call(Call& c) {
    const std::uint64_t arguments = node(c.left) | node(c.right);
    if (c.function->kind != NodeKind::block) return arguments | node(c.function);
    const std::uint64_t used = block(*c.function);
    return arguments | (direct_call(c, false).kind == DirectCall::Kind::block ? used : captured(used));
  }

  std::uint64_t block(const Node& n) {
    std::uint64_t used = 0;
    for (Body* b : block_of(n).bodies) used |= body(*b);
    return used;
  }

  // Notes that the variables of a target have values.
  void define(const Node* target) {
    if (target == nullptr) return;
    cx_.check_stack();
    switch (target->kind) {
      case NodeKind::variable:
        if (const Variable& v = *static_cast<const Variable*>(target); v.hops == 0)
          bodies_.back().defined[v.binding->index] = true;
        break;
      case NodeKind::list:
      case NodeKind::merge:
        for (const Node* e : static_cast<const ListNode*>(target)->elements) define(e);
        break;
      case NodeKind::alias: define(static_cast<const Alias*>(target)->target); break;
      default: break;
    }
  }

  // Notes that a block that lives longer than the frame uses variables of these levels.
  std::uint64_t captured(std::uint64_t levels) {
    for (std::size_t level = 0; level < bodies_.size() && level < most_levels; level++)
      if (levels >> level & 1) bodies_[level].captured = true;
    return 0;
  }

  Context& cx_;
  std::vector<Level> bodies_;
};

}  // namespace

void note_captures(Context& cx, const Program& program) { Captures(cx).body(*program.root); }

}  // namespace griddle
