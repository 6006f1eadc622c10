// Compiler: the walk over the tree that writes the code. Its parts lie in expression.cc, call.cc, assignment.cc and block.cc.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/bytecode/chunk.h"
#include "runtime/bytecode/direct_call.h"
#include "runtime/bytecode/emitter.h"
#include "runtime/bytecode/layout.h"
#include "runtime/value/fused_expression.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle {

// Where a value is after its expression was compiled. Constants and variables are not moved until someone needs them elsewhere.
struct Operand {
  enum class Kind : std::uint8_t { constant, variable, temporary };
  Kind kind;
  std::uint32_t slot = 0;  // of a variable or temporary
  Value value;             // of a constant

  static Operand constant(Value v) { return {Kind::constant, 0, std::move(v)}; }
  static Operand variable(std::uint32_t slot) { return {Kind::variable, slot, Value()}; }
  static Operand temporary(std::uint32_t slot) { return {Kind::temporary, slot, Value()}; }
  bool is_constant() const { return kind == Kind::constant; }
  bool is_variable() const { return kind == Kind::variable; }
  bool is_temporary() const { return kind == Kind::temporary; }
};

class Compiler {
 public:
  Compiler(Context& cx, Ref<Unit> unit, bool shared_root) : cx_(cx), unit_(std::move(unit)), shared_root_(shared_root) {}
  Ref<Code> program(const Program&, std::vector<struct OutlineLine>* outline);

 private:
  static constexpr std::uint32_t none = ~0u;

  // Says where the special names and variables of the body at hand are.
  struct BodyState {
    BodyLayout* layout = nullptr;
    const BlockNode* block = nullptr;                                 // whose frame this is; null for a root
    std::uint32_t special[6] = {none, none, none, none, none, none};  // slots by SpecialName; none: asked from the frame
    std::uint32_t locals_end = 0;                                     // the first temporary
    std::uint32_t first_local = 0;                                    // slots before it hold arguments
    std::uint32_t last_escape = 0;  // after the latest instruction that may leave for another body
    bool alone = false;             // no other body of the block needs the arguments
  };

  // --- expression.cc. `t` is the first free slot; a temporary result lands there.
  Operand expression(Node&, std::uint32_t t);
  // Compiles a statement whose value nobody needs.
  void effect(Node&, std::uint32_t t);
  // Brings the value into slot t. `needs_value`: fails at run time where it is Nothing.
  void into(Node&, std::uint32_t t, bool needs_value = false);
  void move_into(const Operand&, std::uint32_t t);
  // Gives an operand that a temporary or variable slot holds.
  Operand in_slot(Operand, std::uint32_t t);
  void check_value(Node&, const Operand&, std::uint32_t t);
  Operand variable(const Variable&, std::uint32_t t);
  Operand special(const Special&, std::uint32_t t);
  Operand list(const ListNode&, std::uint32_t t);
  Operand merge(const ListNode&, std::uint32_t t);
  // Makes a function that is known beforehand, once: those around it ask for it as well.
  template <class F>
  Operand constant_function(const Node&, F make);
  Operand train(const TrainNode&, std::uint32_t t);
  Operand derive(const DeriveNode&, std::uint32_t t);
  // The same where modifier and operands are constants: formed when the program is compiled.
  Operand derived_once(const DeriveNode&, std::uint32_t t);
  Operand field(const Field&, std::uint32_t t);
  void list_in_slots(std::span<Node* const> elements, Span, std::uint32_t t);
  void read_outer(const Variable&, std::uint32_t t);
  std::uint32_t hops_to(const BodyLayout& home) const;
  static bool may_assign(const Node&);
  // Tells whether the variable that a node leaves where it lies may get another value before it is read.
  bool is_changed(const Node&) const;
  // Gives a system value that knows the scope it stands in, if the resolver made it for this source: what a program put in its
  // place stays as it is.
  Operand scoped(Value, const System&, std::uint32_t t);
  // Asks the resolver. Fails with the place.
  Value system_value(std::string_view name, Span);

  // --- call.cc
  Operand call(const Call&, std::uint32_t t);
  // Gives one of two operands, and drops the other: what ⊣ and ⊢ do.
  Operand pass_on(Operand w, Operand x, bool left, std::uint32_t t);
  Operand call_primitive(const Call&, const PrimitiveFunctionEntry&, std::uint32_t t);
  // Lets the latest instruction do it all where f is ⊑ and takes what that one leaves in a slot.
  void note_first(const PrimitiveFunctionEntry& f, std::uint32_t slot);
  Operand call_monad(const Call&, const PrimitiveFunctionEntry&, std::uint32_t t);
  // Compiles two arguments; constants stay constants where `right_constant` or `left_constant` allow it.
  struct Arguments {
    Operand w, x;
    std::uint32_t depth;
  };
  Arguments arguments(const Call&, bool left_constant, bool right_constant, std::uint32_t t);
  // Compiles a predicate; gives the jump instruction that leaves where it is 0, and the word where its distance belongs.
  struct Escape {
    std::uint32_t instruction;
    std::uint32_t word;  // none: in the instruction
  };
  Escape predicate(Node&, std::uint32_t t);
  void land(Escape, std::uint32_t target);

  // Says how a function can be called without bringing it into a slot.
  struct Callee {
    enum class Kind : std::uint8_t { computed, constant, self, slot, outer, operand };
    Kind kind = Kind::computed;
    std::uint32_t a = 0, b = 0;  // slot; hops and slot; number of the operand
    Value value;
  };
  Callee callee(Node&);
  Callee variable_callee(const Variable&);
  // Calls with the arguments in t and, if dyadic, t+1.
  bool emit_bound(const Value& f, std::uint32_t t);
  // Lets the latest instruction do it all if it makes windows or groups that f folds, or the one before it where they are
  // transposed.
  void note_folded_parts(const Value& f, std::uint32_t t);
  void emit_call(const Callee&, bool dyadic, std::uint32_t t, Span);
  // Lets the first instruction from `start` on read all arguments of a call, and call, if they are variables of environments.
  void emit_reads_at_once(std::uint32_t start, bool dyadic, std::uint32_t function_hops);
  // Chooses the instruction for a primitive with two arguments, the left one in a slot.
  struct ScalarInstruction {
    Opcode op;
    bool takes_constant;  // the right argument is an immediate word
  };
  static ScalarInstruction scalar_instruction(const PrimitiveFunctionEntry&, bool right_constant);

  // --- fused.cc
  // Compiles a call also as one instruction that computes block by block, if it is such an expression.
  bool fuse(const Call&, std::uint32_t t, Operand& result);
  struct FusedBuilder;
  // --- in_place.cc
  Operand call_directly(const Call&, const DirectCall&, std::uint32_t t);
  void choose(const DirectCall&, bool dyadic, std::uint32_t t, Span);
  // Calls what an array of indices picks; the arguments are in t and, if dyadic, t+1, the index is in the slot after them.
  void choose_nested(Node& choices, bool dyadic, std::uint32_t t, Span);
  void repeat(const Call&, const DirectCall&, std::uint32_t t);
  // A loop of ⍟. Its slots: the count, the function (where it must be made), 𝕨 (if any), 𝕩, then what a call needs.
  struct Repeat {
    const DirectCall& direct;
    bool dyadic, made;
    Span span;
    std::uint32_t count;
    std::uint32_t w() const { return count + 1 + made; }
    std::uint32_t x() const { return w() + dyadic; }
  };
  // The same for a part, whose arguments lie at t; the result takes their place.
  void repeat_in_part(const DeriveNode&, bool dyadic, std::uint32_t t);
  // Runs it where 𝕨 and 𝕩 are there; the result takes the place of the count.
  void run_repeat(const Repeat&);
  // For a count that no loop may count: makes the derived function and calls it. The instruction at `step` jumps there.
  void repeat_by_value(const Repeat&, std::uint32_t step);
  void loop(const Call&, const DirectCall&, std::uint32_t t);
  void each(const Call&, const DirectCall&, std::uint32_t t);
  void fold(const Call&, const DirectCall&, std::uint32_t t);
  void run_fold(const Call&, const DirectCall&, std::uint32_t t);
  // Calls loop(slot) where a loop over the elements of the value in a slot may begin, once parts of its function are prepared.
  template <class Loop>
  void with_parts(Node& function, std::uint32_t t, Loop loop);
  // The same where ¨ is a part of a function, whose arguments are there.
  void each_in_part(DeriveNode&, bool dyadic, std::uint32_t t);
  // Prepares the slots of such a loop behind 𝕩, which is there; 𝕨 is there as well if it is null.
  void begin_element_loop(std::uint32_t t, bool dyadic, Node* w);
  // The loop, whose arguments are there; the result takes their place.
  void run_each(const DeriveNode&, bool dyadic, const DirectCall&, std::uint32_t t);
  // Calls the function as a value on the arguments.
  void call_whole(const DeriveNode&, bool dyadic, const DirectCall&, std::uint32_t t);
  // Calls a function with the arguments in t and, if dyadic, t+1; the result goes to t.
  void call_in_place(Node& f, bool dyadic, std::uint32_t t);
  void call_with_arguments(Node& f, bool dyadic, std::uint32_t t);
  void run_in_place(const BlockNode&, bool dyadic, std::uint32_t t);
  // Brings the index of ◶ into slot t; the arguments stay in x and, if dyadic, x+1.
  void choose_index(Node& condition, bool dyadic, std::uint32_t x, std::uint32_t t);
  void emit_primitive(const PrimitiveFunctionEntry&, std::uint32_t target, std::uint32_t w, std::uint32_t x, std::uint8_t flags);

  // --- parts.cc
  // Says where an argument lies, and whether nobody needs it after the call.
  struct Argument {
    Operand at;
    bool last;
  };
  Operand call_parts(const Call&, std::uint32_t t, bool unless_nothing);
  // Calls a function, of one argument where `w` is null. Slots from `free` on are free; the result goes to `target`, which is one
  // of them, or holds nothing or an argument that nobody needs afterwards.
  void apply(Node& f, const Argument* w, const Argument& x, std::uint32_t target, std::uint32_t free);
  void apply_whole(Node& f, const Argument* w, const Argument& x, std::uint32_t target, std::uint32_t free);
  void apply_primitive(const PrimitiveFunctionEntry&, const Argument* w, Argument x, std::uint32_t target, std::uint32_t free,
                       Span);
  // Gives what a part that is called for an argument of another gives: a constant as it is, all else in slot `free`.
  Operand tine(Node& f, const Argument* w, const Argument& x, std::uint32_t free);
  bool is_data(Node&);
  // Tells whether a function is better called as it is, though it has parts: there is a faster way for all of it.
  bool stays_whole(Node& f, bool dyadic);
  // Tells whether a part is F¨ that runs as a loop in the frame.
  bool is_looped_part(Node& f, bool dyadic);
  // Tells whether a function may be called by its parts where 𝕨 is there, and as a value where 𝕨 is Nothing; and calls it so.
  bool is_taken_apart(Node& f) const;
  Operand call_unless_nothing(const Call&, std::uint32_t t);
  // Tells whether a part is ⍟ by a function that is known, which a loop repeats.
  bool is_repeated_part(Node& f) const;
  // Brings arguments side by side to the end of the slots in use; gives the first slot.
  std::uint32_t side_by_side(const Argument* w, const Argument& x, std::uint32_t free);
  void bring(const Argument&, std::uint32_t slot);
  void drop(const Argument&);
  void reads(const Argument&, std::uint8_t flag);
  // Gives the parts of a function that have to be computed before it is called, and computes them, to slots from `t` on.
  std::vector<Node*> parts_to_prepare(Node& function) const;
  void prepare_parts(const std::vector<Node*>&, std::uint32_t t);
  // Empties the slots from `t` on that hold so many of them.
  void forget_parts(std::size_t count, std::uint32_t t);
  // Gives the slot that holds a part that was computed beforehand, or `none`.
  std::uint32_t prepared_slot(const Node&) const;

  // --- assignment.cc
  Operand assign(const Assign&, std::uint32_t t, bool needs_result);
  // Rewrites `a ↩ a F x` and `a ↩ F a` with a primitive F as `a F↩ x` and `a F↩`, which may reuse the value of a.
  bool as_modification(const Assign&, Assign& rewritten) const;
  // What `a ↩ k↓a` does to a variable of an environment, where the number k leaves the first elements, or the same with ↑: it
  // keeps its memory. Of `a ↩ k↓a∾x`, `a ∾↩ x` comes first. `a ↩ x∾a`, where x cannot change a, is `a ∾˜↩ x`.
  struct Shortening {
    Value f;  // k⊸↓ or ∾˜; absent for any other assignment
    const Call* joined = nullptr;
    Node* before = nullptr;
  };
  Shortening shortening(const Assign&) const;
  void shorten(const Assign&, const Shortening&, std::uint32_t t);
  // Gives the frame's slot of a target, or `none`.
  std::uint32_t slot_of_target(const Node& target) const;
  // Assigns to a target that lies in a slot, or to a variable of an environment.
  Operand assign_slot(const Assign&, std::uint32_t slot, std::uint32_t t);
  Operand assign_outer(const Assign&, std::uint32_t t, bool needs_result);
  Operand assign_compound(const Assign&, std::uint32_t t, bool needs_result);
  Operand define_constant(const Assign&, std::uint32_t t);
  // Brings the new value of `target F↩ x` into slot t by an ordinary call.
  void modified_value(const Assign&, std::uint32_t t);
  // Writes `target F↩ x` so that F may reuse the old value; gives false where F is not known to be pure.
  bool modify(const Assign&, std::uint32_t slot, std::uint32_t t);
  bool modify_by_computed(const Assign&, std::uint32_t slot, std::uint32_t t);
  // Gives k and F of F⌾(k⊸⊑), which changes one element; null for any other function.
  struct Picked {
    Node* index = nullptr;
    Node* change = nullptr;
  };
  Picked picked_by(const Node& function) const;
  void modify_slot(const Assign&, const PrimitiveFunctionEntry&, std::uint32_t slot, std::uint32_t t);
  // Lets the latest instruction write to another slot, if it wrote to `from`.
  bool retarget(std::uint32_t from, std::uint32_t to);

  // Stores what slot `source` holds in a target of any form; the source is consumed.
  struct Pattern {
    bool define;
    std::vector<Escape>* mismatches;  // where a header's pattern does not match; null for an assignment, which fails there
  };
  void store(Node& target, std::uint32_t source, std::uint32_t t, Pattern);
  void store_elements(const ListNode& targets, std::uint32_t source, std::uint32_t t, Pattern);
  void store_outer(const Variable&, std::uint32_t source, bool define, bool consume, std::uint32_t depth);
  // The same for a slot of the frame that holds an argument or a variable, which gives its value up if that is the last read.
  void store_variable_outer(const Variable&, std::uint32_t source, bool define, std::uint32_t depth);
  void emit_mismatch(std::uint32_t instruction, Pattern, std::uint32_t depth);

  // --- block.cc
  Operand block(const BlockExpression&, std::uint32_t t);
  Operand inlined_block(const BlockNode&, std::uint32_t t);
  Ref<Code> compile_block(const BlockNode&);
  struct BodyChain;
  // Fails at run time: no body takes the arguments in these slots (none: there is no such argument, or nobody asked for it).
  void emit_no_body(std::uint32_t x, std::uint32_t w);
  void compile_bodies(const BlockNode&, Code&, BodyChain&);
  void compile_body(const Body&, std::vector<Escape>& escapes, bool for_effect = false);
  void share_argument(const Body&, Node* pattern, SpecialName);
  void bind_arguments(const Body&, std::vector<Escape>& escapes);
  // Compiles the statements of the current body; gives the result.
  Operand statements(const Body&, std::uint32_t t, std::vector<Escape>& escapes, bool for_effect = false);
  // Gives slots from `from` on to the variables of a body; gives their end.
  std::uint32_t place_variables(const BodyLayout&, std::uint32_t from);
  std::uint32_t place_special(SpecialName, std::uint32_t slot);
  Ref<FieldTable> field_table(const Body&);

  // Notes the place of the latest instruction.
  void at(const Node& n, std::uint32_t depth) { emitter_->position(n.span, depth); }
  // Names an operand in a field of the latest instruction: temporaries are consumed at once, variables at their last read.
  void reads(const Operand& o, std::uint8_t flag);
  std::uint32_t claim(std::uint32_t t, std::uint32_t count = 1);
  [[noreturn]] void fail_at(Span, std::string message);
  void note_constant(const Node&, const Value&);

  Context& cx_;
  Ref<Unit> unit_;
  bool shared_root_;
  Arena arena_;
  std::unique_ptr<Layout> layout_;
  Emitter* emitter_ = nullptr;
  Code* code_ = nullptr;
  BodyState state_;
  // While the ordinary instructions of a fused expression are written: what was computed before it.
  std::vector<struct OutlineLine>* outline_ = nullptr;  // is told of constants, where somebody wants it
  bool fusing_ = false;
  struct Computed {
    const Node* node = nullptr;
    Operand operand = Operand::constant(Value());
  } computed_;
  // Parts of functions whose evaluation does more than to make their value: the slots that hold them.
  std::vector<std::pair<const Node*, std::uint32_t>> prepared_;
  std::vector<std::unique_ptr<Emitter>> spare_emitters_;
  std::unordered_map<const Node*, Value> constant_functions_;
  // Closed blocks as values: an expression may be looked at several times, but its blocks are compiled once.
  std::unordered_map<const BlockNode*, Value> closed_blocks_;
};

}  // namespace griddle
