#include "runtime/bytecode/escape.h"

#include "runtime/bytecode/parts.h"
#include "runtime/primitive.h"

namespace griddle {

namespace {

class Escapes {
 public:
  explicit Escapes(Context& cx) : cx_(cx) {}

  void body(Body& body, bool called, bool once) {
    cx_.check_stack();
    for (std::size_t i = 0; i < body.statements.size(); i++) {
      // Values of all statements but the last are dropped.
      const bool returned = i + 1 == body.statements.size() && !body.has_exports;
      node(body.statements[i].expression, !returned || called, once);
    }
  }

 private:
  // `called`: the value is called at most, or dropped. `once`: no other evaluation of the node can meet this one's value.
  void node(Node* n, bool called, bool once) {
    if (!n) return;
    cx_.check_stack();
    switch (n->kind) {
      case NodeKind::variable:
        if (!called) static_cast<Variable*>(n)->binding->escapes = true;
        break;
      case NodeKind::list:
      case NodeKind::merge:
        for (Node* e : static_cast<ListNode*>(n)->elements) node(e, called, once);
        break;
      case NodeKind::field: node(static_cast<Field*>(n)->object, false, once); break;
      case NodeKind::call: {
        const Call& c = *static_cast<Call*>(n);
        node(c.function, true, once);
        node(c.left, false, once);
        node(c.right, false, once);
        break;
      }
      case NodeKind::train: {
        const TrainNode& t = *static_cast<TrainNode*>(n);
        node(t.left, called, once);
        node(t.middle, called, once);
        node(t.right, called, once);
        break;
      }
      case NodeKind::derive: {
        const DeriveNode& d = *static_cast<DeriveNode*>(n);
        node(d.modifier, called, once);
        operand(d, d.left, called, once);
        operand(d, d.right, called, once);
        break;
      }
      case NodeKind::block: block(*static_cast<BlockExpression*>(n)->block, called, once); break;
      case NodeKind::assign: assign(*static_cast<Assign*>(n), called, once); break;
      default: break;
    }
  }

  // A modifier calls its operands and chooses from a list of them; it passes on what else it is given as data.
  void operand(const DeriveNode& d, Node* n, bool called, bool once) {
    const bool chooses = applies_of(d) == Applies::to_tell_choice;
    const bool data = n && n->role == Role::subject && n->kind != NodeKind::variable && !(chooses && n == d.right);
    node(n, called && !data, once);
  }

  void block(BlockNode& b, bool called, bool once) {
    const bool immediate = b.type == BlockType::immediate;
    if (!immediate && !called && !once) b.escapes = true;
    for (Body* each : b.bodies) body(*each, immediate && called, immediate && once);
  }

  void assign(const Assign& a, bool called, bool once) {
    node(a.function, true, once);
    if (!a.value) return;
    const Variable* name = a.target->kind == NodeKind::variable ? static_cast<Variable*>(a.target) : nullptr;
    const bool kept = name != nullptr && a.assign == AssignKind::define && !name->binding->exported && !name->binding->escapes;
    node(a.value, called && kept, once);
  }

  Context& cx_;
};

}  // namespace

void note_escapes(Context& cx, const Program& program) {
  // A name is used after its definition: the second time all notes on names are there.
  for (int pass = 0; pass < 2; pass++) Escapes(cx).body(*program.root, false, true);
}

}  // namespace griddle
