// The entries that primitives/ fills in and the rest of the runtime reads: one per glyph.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

using Monad = Value (*)(Context&, Value x);
using Dyad = Value (*)(Context&, Value w, Value x);

// How a primitive is called: what a call carries besides the context and the operands, which are bits. All of it travels in
// registers. Operands that are given are the callee's, which may reuse their memory and always releases them, also where it
// fails; others stay with the caller. The site remembers which way served, for the next call there; null where there is none.
enum Given : std::uint32_t { given_none = 0, given_w = 1, given_x = 2, given_both = 3 };
struct MonadCall {
  RecentMonad* site = nullptr;
  bool gives_x = false;
};
struct DyadCall {
  RecentDyad* site = nullptr;
  std::uint32_t given = given_none;
  bool gives_w() const { return given & given_w; }
  bool gives_x() const { return given & given_x; }
};
// The one door of a primitive for one argument, and that for two. Give the bits of the result.
using MonadDoor = std::uint64_t (*)(Context&, std::uint64_t x, MonadCall);
using DyadDoor = std::uint64_t (*)(Context&, std::uint64_t w, std::uint64_t x, DyadCall);

// A way that a primitive tries before its general way (primitives/common/ways.h), called by itself: it leaves operands where they
// are, and declines with the bits of the absent value.
struct MonadWay {
  const char* name;
  std::uint64_t (*run)(Context&, std::uint64_t x, RecentMonad& site);
};
struct DyadWay {
  const char* name;
  std::uint64_t (*run)(Context&, std::uint64_t w, std::uint64_t x, RecentDyad& site);
};
// All of them: tried in order, and the table of them for tests.
struct MonadWays {
  MonadDoor run;
  std::span<const MonadWay> table;
};
struct DyadWays {
  DyadDoor run;
  std::span<const DyadWay> table;
};

// Names the scalar operations that the virtual machine does itself on two atoms, and the functions that only pass an argument on.
enum class ScalarOp : std::uint8_t {
  none,
  add,
  subtract,
  multiply,
  divide,
  power,
  root,
  minimum,
  maximum,
  modulus,
  span_not,
  logic_and,
  logic_or,
  less,
  less_equal,
  equal,
  greater_equal,
  greater,
  not_equal,
  left,
  right,
};

// Names every primitive, in the order of the table: a function after what it does with two arguments.
// clang-format off
enum class Glyph : std::uint8_t {
  add, subtract, multiply, divide, power, root, minimum, maximum, modulus, span, logic_and, logic_or,
  less, greater, not_equal, equal, less_equal, greater_equal, match, not_match, left, right,
  reshape, join, couple, pair, take, drop, windows, shift_after, shift_before, rotate, transpose, replicate,
  grade_up, grade_down, select, pick, index_of, progressive_index, member, find, group, assert_that,
  constant, swap, cells, each, table, undo, fold, insert, scan,  // modifiers of one operand
  atop, over, before, after, under, valences, choose, rank, depth, repeat, catch_error,  // and of two
  none,
};
// clang-format on
template <class T>
constexpr bool is_any(T one, std::same_as<T> auto... of) {
  return ((one == of) || ...);
}

// Says what a function does with elements that it does not look at.
enum class Moves : std::uint8_t {
  no,              // it looks at elements, or computes with them
  shape,           // looks at the shape alone
  whole,           // puts arguments into an array as they are
  elements,        // gives elements of its argument, and fills; of two arguments those of 𝕩, as 𝕨 says
  inner_elements,  // gives elements of elements
  both,            // gives elements of both arguments
};
// Says whether a function puts a list in order, gives the places of what comes first in order, or finds places in what is in
// order.
enum class Orders : std::uint8_t { no, sorts, grades, finds_bins };
// Says what a function of one argument gives for a number or a character.
enum class OfAtom : std::uint8_t { unknown, itself, unit, list, zero, one };
// Says what tells how many elements a result has, where that is more than the arguments have: numbers in 𝕨, or in 𝕩 where that is
// the one argument; with 𝕨, each of so many for each element or cell of 𝕩, unless they are lengths.
enum class Sized : std::uint8_t { otherwise, by_number, by_sum, by_lengths, by_count };
// What is known of a function with one argument, or with two.
struct FunctionFacts {
  Moves moves = Moves::no;
  Orders orders = Orders::no;
  bool down = false;  // from the greatest on
  OfAtom of_atom = OfAtom::unknown;
  bool selects = false;  // gives a part of 𝕩 that its form, or 𝕨, names, and computes nothing that takes the place of 𝕩
  bool injective = false;  // selects no element of 𝕩 twice and adds none
  bool bounded = false;    // gives no more elements than its arguments have, or a few more
  bool number = false;     // gives a number, whatever its arguments are
  Sized sized = Sized::otherwise;
};

// Says how a function hands arguments on to others, computing nothing itself: trains do, and some modifiers.
enum class Combinator : std::uint8_t {
  none,
  atop,      // f of g
  fork,      // g of f and h
  over,      // f on each argument's g
  before,    // f⊸g
  after,     // f⟜g
  swap,      // f˜
  valences,  // f⊘g
};

// Says whether a modifier calls its operand with what it gave before: for one result of elements, or of cells, or for one at
// each.
enum class Reduces : std::uint8_t { no, folds, inserts, scans };

// Says what else a modifier calls its operand for.
enum class Applies : std::uint8_t {
  otherwise,
  never,           // gives it
  to_elements,     // one by one, or by pairs that agree
  to_cells,        // the same
  to_ranks,        // cells of the rank that the other operand tells
  to_pairs,        // each element with each
  to_selected,     // what the other operand selects, to be put back
  to_tell_choice,  // of the other operand
  repeatedly,      // as often as the other operand tells
};

namespace primitives {
struct DyadRule;
struct MonadRule;
struct Equation;
class Change;
class Positions;
struct Symbol;
class Composition;
struct Part;
}  // namespace primitives

struct PrimitiveFunctionEntry {
  char32_t glyph;
  const char* monad_name;  // as error messages call it: "Negate"
  const char* dyad_name;   // "Subtract"
  MonadDoor monad;         // never null: a missing meaning is a function that fails
  DyadDoor dyad;
  Dyad general_dyad;  // what the door comes to in the end
  ScalarOp scalar = ScalarOp::none;
  bool pervasive_monad = false;
  bool pervasive_dyad = false;
  bool has_identity = false;
  double identity = 0;
  // What it gives of two booleans, where that is one again: for 0 and 0 in the lowest bit, for 0 and 1, 1 and 0, 1 and 1; else 0.
  std::uint8_t truth = 0;
  // Undo; null where there is none.
  Monad undo = nullptr;              // f⁼ x
  Dyad undo_dyad = nullptr;          // w f⁼ x
  Monad undo_swapped = nullptr;      // f˜⁼ x
  Dyad undo_swapped_dyad = nullptr;  // w f˜⁼ x
  bool undone_on_atoms = false;      // undoing is arithmetic on each atom, whatever the atoms are
  // Give what ⌾ makes of x where it changes what the function selects, alone or with data on its left (inverse/under_routes.h).
  // They take x only where they give something. Null where there is no such route.
  std::optional<Value> (*under)(Context&, Value& x, const primitives::Change&) = nullptr;
  std::optional<Value> (*under_bound)(Context&, const Value& k, Value& x, const primitives::Change&) = nullptr;
  const char* spec = nullptr;  // page under spec/
  // Gives the message with which the function will fail (𝕨 is absent where there is one argument), or the absent value where it
  // will not, or where that is not quick to see. So an error that a program expects needs no exception. Null where there is none.
  Value (*refusal)(Context&, const Value& w, const Value& x) = nullptr;
  bool only_refuses = false;  // does nothing but to fail or to give 𝕩
  // Give the first element of the result, which is not made; the bits of the absent value where that is not quick. Null where it
  // never is.
  std::uint64_t (*first_of_one)(Context&, const Value& x) = nullptr;
  std::uint64_t (*first_of_two)(Context&, const Value& w, const Value& x) = nullptr;
  // Folds the parts that the function makes, without making them: gives what f makes of the result or, where that is `turned`, of
  // ⍉ of it (w is absent where there is one argument). f applies as `parts_of` says. Gives the absent value where the ordinary
  // way must be taken: nothing has happened then. Null where there is no such way.
  Value (*fold_parts)(Context&, const Value& f, bool turned, const Value& w, const Value& x) = nullptr;
  Applies parts_of = Applies::otherwise;
  // What the doors try first; null where there is nothing but the general way.
  const MonadWays* monad_ways = nullptr;
  const DyadWays* dyad_ways = nullptr;
  // --- what others need to know of it
  Glyph name = Glyph::none;  // its place in the table
  FunctionFacts one = {};
  FunctionFacts two = {};
  // How arrays of numbers are computed with (primitives/arithmetic); null where there is nothing.
  const primitives::MonadRule* monad_rule = nullptr;
  const primitives::DyadRule* dyad_rule = nullptr;
  // What it does to each of an array's cells, of which the first `frame` axes are the frame, to one array with each cell, and to
  // pairs of cells (primitives/mapping/cell_routes.h). They give the absent value where they are not made for the arguments.
  Value (*on_cells)(Context&, std::size_t frame, Value& x) = nullptr;
  Value (*with_cells)(Context&, const Value& w, std::size_t frame, Value& x) = nullptr;
  Value (*on_pairs_of_cells)(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) = nullptr;
  // What it does under ¨ without a call for each element: to an array of boxes, and to two arguments whose shapes agree
  // (primitives/mapping/each.h). They give the absent value where they are not made for the arguments.
  Value (*on_each)(Context&, const Array& boxes) = nullptr;
  Value (*on_each_pair)(Context&, const Value& w, const Value& x) = nullptr;

  // What it does to what two functions are on all cells (primitives/mapping/composition.h); null where that is what it does to
  // cells, none of which is an atom.
  primitives::Part (*on_parts)(primitives::Composition&, const Value& f, const primitives::Part& w,
                               const primitives::Part& x) = nullptr;

  const FunctionFacts& facts(bool dyadic) const { return dyadic ? two : one; }
  bool is_pervasive(bool dyadic) const { return dyadic ? pervasive_dyad : pervasive_monad; }
};

// Tells whether a function only passes an argument on.
inline bool passes_on(const PrimitiveFunctionEntry& entry) { return entry.scalar >= ScalarOp::left; }
inline bool is_comparison(const PrimitiveFunctionEntry& entry) {
  return entry.scalar >= ScalarOp::less && entry.scalar <= ScalarOp::not_equal;
}

// Computes on two numbers by the rule of a primitive that has one.
Value call_on_numbers(Context&, const PrimitiveFunctionEntry&, double w, double x);
// Calls a primitive on two operands. What the machine computes on two atoms itself needs no door (vm/calls.cc).
std::uint64_t call_on_atoms(Context&, const PrimitiveFunctionEntry&, std::uint64_t w, std::uint64_t x, DyadCall);
inline std::uint64_t call_dyad(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t w, std::uint64_t x,
                               DyadCall call) {
  const bool atoms = w >> 48 != Value::array_tag && x >> 48 != Value::array_tag;
  return atoms ? call_on_atoms(cx, entry, w, x, call) : entry.dyad(cx, w, x, call);
}

inline Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, Value&& x) {
  return Value::from_bits(entry.monad(cx, x.leak(), {.gives_x = true}));
}
inline Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, Value&& w, Value&& x) {
  return Value::from_bits(call_dyad(cx, entry, w.leak(), x.leak(), {.given = given_both}));
}
// The same with arguments that others need afterwards.
inline Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, const Value& x) {
  return Value::from_bits(entry.monad(cx, x.bits(), {}));
}
inline Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, const Value& w, const Value& x) {
  return Value::from_bits(call_dyad(cx, entry, w.bits(), x.bits(), {}));
}

struct PrimitiveModifierEntry {
  char32_t glyph;
  const char* words;  // what it is called: "Cells"
  int operands;       // 1 or 2
  MonadCode monad;    // code of the derived function; `self` is a Derived
  DyadCode dyad;
  // Looks at the operands when the derived function is formed and may put faster code into it. May be null.
  void (*attach)(Context&, Derived&) = nullptr;
  const char* spec = nullptr;
  Combinator combinator = Combinator::none;
  // Solves an equation for what the derived function f was given (primitives/inverse/undo.h). Null where nothing but the wiring
  // leads there.
  Value (*solve)(Context&, const Value& f, const primitives::Equation&, Value x) = nullptr;
  Reduces reduces = Reduces::no;
  // Gives what the derived function gives of places in an array (primitives/inverse/positions.h); w is absent where there is one
  // argument. Null where it is not known only to move elements, and for wiring.
  primitives::Symbol (*on_places)(primitives::Positions&, const Derived&, const primitives::Symbol& w,
                                  const primitives::Symbol& x) = nullptr;
  Applies applies = Applies::otherwise;
  Glyph name = Glyph::none;  // its place in the table
};

// Gives the table's entry of a primitive function, or null for any other value.
inline const PrimitiveFunctionEntry* primitive_entry(const Value& f) {
  if (!f.is_function() || f.object()->kind != ObjectKind::primitive_function) return nullptr;
  return static_cast<const PrimitiveFunction&>(f.function()).entry;
}

// Tells what a primitive computes of two numbers.
inline ScalarOp computed_by(const Value& f) {
  const PrimitiveFunctionEntry* const p = primitive_entry(f);
  return p != nullptr ? p->scalar : ScalarOp::none;
}
// Tells which argument a primitive gives back as it is: ScalarOp::left, ScalarOp::right, or none.
inline ScalarOp side_passed_by(const Value& f) {
  const ScalarOp op = computed_by(f);
  return op >= ScalarOp::left ? op : ScalarOp::none;
}

// Tell whether a primitive is ∾, which may grow its left argument in place, or ⊑.
inline bool is_join(const PrimitiveFunctionEntry& entry) { return entry.name == Glyph::join; }
inline bool is_pick(const PrimitiveFunctionEntry& entry) { return entry.name == Glyph::pick; }
inline bool is_join(const Value& f) { return primitive_entry(f) != nullptr && is_join(*primitive_entry(f)); }
inline bool is_pick(const Value& f) { return primitive_entry(f) != nullptr && is_pick(*primitive_entry(f)); }

// Gives the name of a primitive function or modifier, or `none` for any other value.
inline Glyph name_of(const Value& v) {
  if (!v.is_operation()) return Glyph::none;
  switch (v.object()->kind) {
    case ObjectKind::primitive_function: return static_cast<const PrimitiveFunction&>(v.function()).entry->name;
    case ObjectKind::primitive_modifier: return static_cast<const PrimitiveModifier&>(v.modifier()).entry->name;
    default: return Glyph::none;
  }
}
// Gives the name of the primitive modifier that made a function, or `none`.
inline Glyph modifier_of(const Value& f) {
  return f.is_function() && f.object()->kind == ObjectKind::derived ? name_of(static_cast<const Derived&>(f.function()).modifier)
                                                                    : Glyph::none;
}

// Tells how a modifier hands arguments on.
inline Combinator combinator_of(const Value& modifier) {
  if (!modifier.is_operation() || modifier.object()->kind != ObjectKind::primitive_modifier) return Combinator::none;
  return static_cast<const PrimitiveModifier&>(modifier.modifier()).entry->combinator;
}

// Gives a column of the primitive modifier that made a function; its default for any other function.
template <class T>
inline T fact_of_modifier(const Value& f, T PrimitiveModifierEntry::*column) {
  if (modifier_of(f) == Glyph::none) return T{};
  return static_cast<const PrimitiveModifier&>(static_cast<const Derived&>(f.function()).modifier.modifier()).entry->*column;
}
// Tell how the modifier that made a function hands arguments on or reduces, and what else it calls its operand for.
inline Combinator combinator_by(const Value& f) { return fact_of_modifier(f, &PrimitiveModifierEntry::combinator); }
inline Reduces reduces_by(const Value& f) { return fact_of_modifier(f, &PrimitiveModifierEntry::reduces); }
inline Applies applies_by(const Value& f) { return fact_of_modifier(f, &PrimitiveModifierEntry::applies); }

// Applies a primitive modifier to its operands; `g` is absent for a 1-modifier.
inline Value derive_primitive(Context& cx, Value&& modifier, Value&& f, Value&& g) {
  const PrimitiveModifierEntry& entry = *static_cast<const PrimitiveModifier&>(modifier.modifier()).entry;
  Derived* d = make_derived(cx.heap, std::move(modifier), std::move(f), std::move(g), entry.monad, entry.dyad);
  Value result(static_cast<Function*>(d));
  if (entry.attach) entry.attach(cx, *d);
  return result;
}

struct PrimitiveTable {
  std::span<const PrimitiveFunctionEntry> functions;
  std::span<const PrimitiveModifierEntry> modifiers;
};
// Gives the table (primitives/table.cc), or the one without fast paths (Context::general_ways).
const PrimitiveTable& primitive_table(bool general = false);
inline const PrimitiveFunctionEntry& entry_of(Glyph function) {
  return primitive_table().functions[static_cast<std::size_t>(function)];
}
inline const PrimitiveModifierEntry& modifier_entry_of(Glyph modifier) {
  const PrimitiveTable& table = primitive_table();
  return table.modifiers[static_cast<std::size_t>(modifier) - table.functions.size()];
}
// Finds the primitive whose entry holds what is looked for in a column of pointers; null where there is none.
template <class T>
const PrimitiveFunctionEntry* entry_with(const T* PrimitiveFunctionEntry::*column, const auto& is_it) {
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions)
    if (entry.*column != nullptr && is_it(*(entry.*column))) return &entry;
  return nullptr;
}

// Is called in place of the primitives of an interpreter, which it calls itself: the entries that it gets have the usual doors.
class PrimitiveObserver {
 public:
  virtual std::uint64_t monad(Context&, const PrimitiveFunctionEntry&, std::uint64_t x, MonadCall) = 0;
  virtual std::uint64_t dyad(Context&, const PrimitiveFunctionEntry&, std::uint64_t w, std::uint64_t x, DyadCall) = 0;
  // Is called in place of the direct way of a derived function, which it goes itself.
  virtual std::uint64_t direct(Context& cx, const Derived& derived, const Value& x) {
    return derived.direct(cx, derived, x, nullptr);
  }
  // Hears of what was computed at once in place of several calls: an expression (FusedExpression), or an instruction that folds
  // windows.
  virtual void computed([[maybe_unused]] const void* by, [[maybe_unused]] std::span<const Value* const> operands,
                        [[maybe_unused]] const Value& result) {}

 protected:
  ~PrimitiveObserver() = default;

 private:
  friend void observe_primitives(Context&, PrimitiveObserver&);
  friend void end_observation(Context&, PrimitiveObserver&);
  PrimitiveObserver* before_ = nullptr;
};
// Lets an observer see the calls of primitives, and those of code that is compiled from now on, in place of the one before it.
void observe_primitives(Context&, PrimitiveObserver&);
// Lets it see no more of them. Observers may end in any order: a host's functions end what began before they were called.
void end_observation(Context&, PrimitiveObserver&);
// Gives the table whose doors lead to the observer, where there is one (primitives/table.cc).
const PrimitiveTable& observed_primitive_table();

enum class GlyphRole : std::uint8_t { none, function, modifier1, modifier2 };
// Tells the role of a code point as a primitive. Constant time; needs no table (runtime/primitive.cc).
GlyphRole glyph_role(char32_t);
// Gives the name of a glyph, or `none`.
Glyph glyph_name(char32_t);
// Gives the place of a glyph in Context::primitives (functions in table order, then modifiers), or -1.
int primitive_index(char32_t);
// Fills Context::primitives.
void make_primitives(Context&);

}  // namespace griddle
