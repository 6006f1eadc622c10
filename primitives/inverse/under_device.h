// Under where the array lies on a device: what is selected and what is put back stays there.
#pragma once

#include <cstddef>

#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/remote.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

// Tells whether x is on the device and had better be changed there in so many places.
inline bool changes_there(const Context& cx, const Value& x, std::size_t places) {
  return cx.device != nullptr && belongs_to_device(cx, x) && cx.device->takes_change(x, places);
}

// Calls a primitive by its glyph, so that the device is asked.
inline Value called_there(Context& cx, Glyph glyph, Value w, Value x) {
  return call(cx, primitive(cx, glyph), std::move(w), std::move(x));
}

// Gives `count` cells of x from the first one on, or that one alone, without an axis of its own.
inline Value cells_there(Context& cx, const Value& x, std::size_t first, std::size_t count, bool alone) {
  if (alone) return called_there(cx, Glyph::select, Value(first), x);
  return called_there(cx, Glyph::take, Value(count), called_there(cx, Glyph::drop, Value(first), x));
}

}  // namespace griddle::primitives
