// Layout: where every variable lives, decided before code is written.
//
// A walk over the tree in the order of evaluation finds
// - names that stay what a constant expression made them: they need no place at all, their value stands in the code;
// - names that an inner block uses: they live in the Environment of their body;
// - immediate blocks that can run inside the frame of the block around them;
// - blocks that use nothing from outside, which are constants themselves.
// All other names live in slots of the frame.
#pragma once

#include <vector>

#include "runtime/bytecode/parts.h"
#include "runtime/bytecode/unit.h"
#include "runtime/source/arena.h"
#include "runtime/source/ast.h"
#include "runtime/value/context.h"
#include "runtime/value/value.h"

namespace griddle {

struct PrimitiveFunctionEntry;

struct Place {
  enum class Kind : std::uint8_t { undecided, slot, environment, constant };
  static constexpr std::uint32_t no_slot = ~0u;  // until its body is compiled
  Kind kind = Kind::undecided;
  bool number = false;     // a constant that is a number
  std::uint32_t slot = 0;  // in frame or environment; of a constant: its index in Layout::constants
};

struct BodyLayout {
  Body* body;
  BodyLayout* parent;       // of the enclosing body; null for a root
  BodyLayout* frame;        // of the body whose frame it runs in: its own, unless it is inlined
  std::span<Place> places;  // by binding index
  bool has_environment = false;
  bool needs_scope = false;  // uses variables of enclosing frames
  std::uint32_t environment_count = 0;
};

// Tells whether an immediate block runs inside the frame around it.
inline bool is_inlined(const BlockNode& b) { return b.bodies[0]->layout->frame != b.bodies[0]->layout; }
// Tells whether a block uses nothing of the bodies around it.
bool is_closed(const BlockNode&);
// Tells whether all evaluations of a block may give the same value.
bool is_one_value(const BlockNode&);
// Tells whether a name is that of the very block whose code uses it, so that it means 𝕤 or 𝕣.
bool is_self(const Binding&, const BodyLayout& user);
// Tells whether special names may change in the code of a body and those around it that share its frame.
bool specials_change(const BodyLayout&);
// Tells whether a function block that is called where it stands runs in the frame around it.
bool is_laid_in_place(const Node&, bool dyadic);
inline Place& place_of(const Variable& v) { return v.body->layout->places[v.binding->index]; }

class Layout {
 public:
  // Fills in Body::layout for every body of the program. The layouts live in the arena.
  Layout(Context& cx, Arena& arena, const Program& program, const SystemResolver*, bool shared_root);

  // Values of constant places, which the compiler stores when it meets the definition, and of folded calls.
  std::vector<Value> constants;

 private:
  enum class Constness : std::uint8_t { none, value, number };
  Constness walk(Node*);
  Constness constness(Node*);
  Constness walk_assign(const Assign&);
  Constness walk_call(Call&);
  // Copies a function of primitives for a call of the name that it has.
  Node* written_out(const Node&, Span of_name);
  // Does so for all such names in what is called.
  void write_names_out(Node*& function);
  // Computes a call of a primitive on constants, if it is short and does not fail.
  Constness fold(Call&, const PrimitiveFunctionEntry&);
  // Gives the value of a constant before it is compiled; absent where it is not a literal nor made of these.
  Value known_value(const Node&);
  Constness walk_block(BlockNode&);
  // Lays out the bodies around the program: their variables lie where running code has put them.
  void open_outer(Body*);
  static void place_by_index(BodyLayout&);
  void walk_body(Body&, BodyLayout* frame);
  void note_while(Node& function);
  // Notes whether F¨ or F´ is a loop in the frame; tells whether that needs F as a value too.
  bool note_loop(const Call&);
  // Walks a call that needs no function value; gives false for any other call.
  bool walk_direct(const Call&);
  Constness walk_callable(Node*, bool dyadic);
  // Walks what a function that is taken apart is made of.
  Constness walk_parts(Node*, const Parts&, bool dyadic);
  void walk_choice(DeriveNode&, bool dyadic);
  void make_choices(DeriveNode&);
  // The same of what ⍟, ¨ or ´ repeat.
  void make_repeated(DeriveNode&);
  void walk_target(Node*, bool define);
  void define(const Variable&);
  void use(const Variable&);
  void to_environment(BodyLayout&, Binding&);

  Context& cx_;
  Arena& arena_;
  const SystemResolver* resolver_;
  BodyLayout* current_ = nullptr;
  bool shared_root_;
};

}  // namespace griddle
