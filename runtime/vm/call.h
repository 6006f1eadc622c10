// The one door for calling any value and for building derived functions.
#pragma once

#include <cmath>

#include "runtime/primitive.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

// Tells whether ≡ finds two values alike.
inline bool values_match(Context& cx, const Value& w, const Value& x) {
  return call_primitive(cx, entry_of(Glyph::match), w, x).number() == 1;
}

// What is no function calls as a constant; a modifier fails.
Value call_other(Context&, const Value& f);

inline const PrimitiveFunctionEntry& primitive_entry_of(const Function& primitive) {
  return *static_cast<const PrimitiveFunction&>(primitive).entry;
}

// Call what is known to be a function, for callers that have checked the stack. They leave what is moved from to its owner.
inline Value call_function(Context& cx, const Function& f, Value&& x) {
  if (f.kind == ObjectKind::primitive_function) return call_primitive(cx, primitive_entry_of(f), std::move(x));
  return f.monad(cx, f, std::move(x));
}
inline Value call_function(Context& cx, const Function& f, Value&& w, Value&& x) {
  if (f.kind == ObjectKind::primitive_function) return call_primitive(cx, primitive_entry_of(f), std::move(w), std::move(x));
  return f.dyad(cx, f, std::move(w), std::move(x));
}

// The same with arguments that others need afterwards: primitives leave them where they are.
inline Value call_function(Context& cx, const Function& f, const Value& x) {
  if (f.kind == ObjectKind::primitive_function) return call_primitive(cx, primitive_entry_of(f), x);
  return f.monad(cx, f, x);
}
inline Value call_function(Context& cx, const Function& f, const Value& w, const Value& x) {
  if (f.kind == ObjectKind::primitive_function) return call_primitive(cx, primitive_entry_of(f), w, x);
  return f.dyad(cx, f, w, x);
}

// Call what others are made of, such as a part of a train: a derived function by the way that it has for the arrays met most, if
// it has one. That may take over an array that nobody else sees.
inline bool has_direct_way(const Function& f, const Value& x) {
  return f.kind == ObjectKind::derived && x.is_array() && static_cast<const Derived&>(f).direct != nullptr;
}
inline Value call_part(Context& cx, const Function& f, Value&& x) {
  if (has_direct_way(f, x)) {
    const Derived& derived = static_cast<const Derived&>(f);
    const std::uint64_t result =
        cx.observer != nullptr ? cx.observer->direct(cx, derived, x) : derived.direct(cx, derived, x, nullptr);
    if (result != Value::absent_bits) return Value::from_bits(result);
  }
  return call_function(cx, f, std::move(x));
}
// The same with an argument that others need afterwards.
inline Value call_part(Context& cx, const Function& f, const Value& x) {
  return has_direct_way(f, x) ? call_part(cx, f, Value(x)) : call_function(cx, f, x);
}
inline Value call_part(Context& cx, const Function& f, Value&& w, Value&& x) {
  return call_function(cx, f, std::move(w), std::move(x));
}

// Every recursion through functions, however they were derived, passes here: so here the stack is checked.
inline Value call(Context& cx, const Value& f, Value&& x) {
  cx.check_stack();
  if (f.is_function()) [[likely]]
    return call_function(cx, f.function(), std::move(x));
  return call_other(cx, f);
}
inline Value call(Context& cx, const Value& f, const Value& x) {
  cx.check_stack();
  if (f.is_function()) [[likely]]
    return call_function(cx, f.function(), x);
  return call_other(cx, f);
}

// `w` must be a value; see call_maybe.
inline Value call(Context& cx, const Value& f, Value&& w, Value&& x) {
  cx.check_stack();
  if (f.is_function()) [[likely]]
    return call_function(cx, f.function(), std::move(w), std::move(x));
  return call_other(cx, f);
}
inline Value call(Context& cx, const Value& f, const Value& w, Value&& x) { return call(cx, f, Value(w), std::move(x)); }
inline Value call(Context& cx, const Value& f, Value&& w, const Value& x) { return call(cx, f, std::move(w), Value(x)); }
inline Value call(Context& cx, const Value& f, const Value& w, const Value& x) {
  cx.check_stack();
  if (f.is_function()) [[likely]]
    return call_function(cx, f.function(), w, x);
  return call_other(cx, f);
}

// Calls with one argument where `w` is Nothing or absent.
inline Value call_maybe(Context& cx, const Value& f, Value w, Value x) {
  return w.is_mark() ? call(cx, f, std::move(x)) : call(cx, f, std::move(w), std::move(x));
}

struct Code;
struct Frame;

// Calls one function many times. For a block, what all calls have in common is done once. Lives on the stack of the C++ code that
// makes the calls; `f` outlives it. Callers check for interrupts.
class Caller {
 public:
  Caller(Context&, const Value& f);
  Value operator()(Value x) { return code_ ? call_block(std::move(x)) : call(cx_, f_, std::move(x)); }
  // With arguments that others need afterwards.
  Value on_kept(const Value& x) { return code_ ? call_block(x) : call(cx_, f_, x); }
  Value on_kept(const Value& w, const Value& x) { return code_ ? call_block(w, x) : call(cx_, f_, w, x); }
  Value operator()(Value w, Value x) {
    return code_ ? call_block(std::move(w), std::move(x)) : call(cx_, f_, std::move(w), std::move(x));
  }

 private:
  Value call_block(Value x);
  Value call_block(Value w, Value x);

  Context& cx_;
  const Value& f_;
  const Code* code_ = nullptr;  // null where f is no block
  Environment* scope_ = nullptr;
  Frame* frame_ = nullptr;
  Value* base_ = nullptr;
};

// Gives the function of whole arrays that a block of plain arithmetic is equal to element by element; absent for any other
// function. For `dyadic`, both arguments must have one shape. Whatever it fails at, the block itself has to tell.
Value elementwise_form(Context&, const Value& f, bool dyadic);

// Compute what a function made of primitives and constants does to numbers, where these alone suffice (vm/scalar.h). NaN stands
// for what has no number as its result, or is too rare to matter here: the function itself has to be called.
double arithmetic(const Function&, double x);
double arithmetic(const Function&, double w, double x);
// The same for any values.
inline double on_numbers(const Value& f, const Value& x) {
  return f.is_function() && x.is_number() ? arithmetic(f.function(), x.number()) : NAN;
}
inline double on_numbers(const Value& f, const Value& w, const Value& x) {
  return f.is_function() && w.is_number() && x.is_number() ? arithmetic(f.function(), w.number(), x.number()) : NAN;
}

// Gives a train of pure functions that does what a block does to one argument, or to two, with the variables around the block as
// they are now; absent where it does anything else than to call such functions, or fails whatever its arguments are: that is the
// block's to tell. With `choices`, branches are ◶ (bytecode/composition.h).
Value composed_by_block(Context&, const Value& f, bool dyadic, bool choices = false);

// What a block is called for one after the other.
enum class CalledFor : std::uint8_t { elements, boxes, cells };
// Notes on a block that ¨ or ˘ found no other way than such calls, for loops that can run it themselves.
void note_called_by_elements(const Value& f, CalledFor);

// Applies a modifier; `g` is absent for a 1-modifier. Fails for what is no modifier of that kind.
Value derive1(Context&, const Value& modifier, Value f);
Value derive2(Context&, const Value& modifier, Value f, Value g);
Value make_atop(Context&, Value&& g, Value&& h);
Value make_fork(Context&, Value&& f, Value&& g, Value&& h);

// Gives a primitive as a value.
inline const Value& primitive(Context& cx, Glyph name) { return cx.primitives[static_cast<int>(name)]; }
inline const Value& primitive(Context& cx, char32_t glyph) { return cx.primitives[primitive_index(glyph)]; }
// Gives the glyph of a primitive function or modifier, or 0 for any other value.
char32_t glyph_of(const Value&);

}  // namespace griddle
