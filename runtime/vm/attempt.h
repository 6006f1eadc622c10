// Calls that may end in an error which the caller handles.
#pragma once

#include "runtime/value/context.h"
#include "runtime/value/function.h"
#include "runtime/vm/error.h"

namespace griddle {

// Gives the message with which a primitive or native function will fail, where that is quick to see; absent for all else.
Value refusal_of(Context&, const Function&, const Value& w, const Value& x);

// Calls a function; `w` is absent where there is one argument. Where the body of a block fails with a catchable error, or where
// a function says beforehand that it will fail, gives the absent value and stores the error's message. Errors from elsewhere are
// thrown as usual: throwing costs as much as a hundred calls, and these are the errors that programs expect most often.
Value attempt(Context&, const Value& f, Value w, Value x, Value& message);

// Gives what `way` computes, a short way to what a program computes step by step. Where it fails in a way that can be caught, or
// memory does not suffice, gives the absent value: the steps then find the error again, in its place.
template <class Way>
Value result_or_absent(Way way) {
  try {
    return way();
  } catch (const Error& error) {
    if (!error.catchable) throw;
  } catch (const OutOfMemory&) {
  }
  return Value();
}

}  // namespace griddle
