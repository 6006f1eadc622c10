// The entries that primitives/ fills in and the rest of the runtime reads: one per glyph.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

using Monad = Value (*)(Context&, Value x);
using Dyad = Value (*)(Context&, Value w, Value x);
// Do the same on arguments that stay where they are, for what they are made for. Give the bits of the result; those of the absent
// value for all else, Nothing above all: then the function itself decides.
using BorrowingMonad = std::uint64_t (*)(Context&, const Value& x);
using BorrowingDyad = std::uint64_t (*)(Context&, const Value& w, const Value& x);

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

struct PrimitiveFunctionEntry {
  char32_t glyph;
  const char* monad_name;  // as error messages call it: "Negate"
  const char* dyad_name;   // "Subtract"
  Monad monad;             // never null: a missing meaning is a function that fails
  Dyad dyad;
  ScalarOp scalar = ScalarOp::none;
  bool pervasive_monad = false;
  bool pervasive_dyad = false;
  bool has_identity = false;
  double identity = 0;
  // Undo; null where there is none.
  Monad undo = nullptr;                      // f⁼ x
  Dyad undo_dyad = nullptr;                  // w f⁼ x
  Monad undo_swapped = nullptr;              // f˜⁼ x
  Dyad undo_swapped_dyad = nullptr;          // w f˜⁼ x
  const char* spec = nullptr;                // page under spec/
  BorrowingMonad borrowing_monad = nullptr;  // for plain lists; null where there is none
  BorrowingDyad borrowing_dyad = nullptr;
  // Gives the message with which the function will fail (𝕨 is absent where there is one argument), or the absent value where it
  // will not, or where that is not quick to see. So an error that a program expects needs no exception. Null where there is none.
  Value (*refusal)(Context&, const Value& w, const Value& x) = nullptr;
  bool only_refuses = false;  // does nothing but to fail or to give 𝕩
  // `monad` and `dyad` without asking a device first.
  Monad host_monad = monad;
  Dyad host_dyad = dyad;
};

// Calls a primitive function. Atoms and short lists take a short way, and so does what only passes an argument on (vm/calls.cc).
Value call_primitive(Context&, const PrimitiveFunctionEntry&, Value&& x);
Value call_primitive(Context&, const PrimitiveFunctionEntry&, Value&& w, Value&& x);
// The same with arguments that others need afterwards.
Value call_primitive(Context&, const PrimitiveFunctionEntry&, const Value& x);
Value call_primitive(Context&, const PrimitiveFunctionEntry&, const Value& w, const Value& x);

struct PrimitiveModifierEntry {
  char32_t glyph;
  const char* name;
  int operands;     // 1 or 2
  MonadCode monad;  // code of the derived function; `self` is a Derived
  DyadCode dyad;
  // Looks at the operands when the derived function is formed and may put faster code into it. May be null.
  void (*attach)(Context&, Derived&) = nullptr;
  const char* spec = nullptr;
};

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

enum class GlyphRole : std::uint8_t { none, function, modifier1, modifier2 };
// Tells the role of a code point as a primitive. Constant time; needs no table (runtime/primitive.cc).
GlyphRole glyph_role(char32_t);
// Gives the place of a glyph in Context::primitives (functions in table order, then modifiers), or -1.
int primitive_index(char32_t);
// Fills Context::primitives.
void make_primitives(Context&);

}  // namespace griddle
