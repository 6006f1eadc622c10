// Options of •Fmt and •Show: how much text is wanted, and how it is to look.
#pragma once

#include <vector>

#include "runtime/format/format.h"
#include "runtime/value/function.h"

namespace griddle {

// What 𝕨 asks for.
struct TextRequest {
  TextRoom room;
  TextStyle style;
  std::vector<TextStyle> columns;
  bool plain = false;

  HeapText text(Context& cx, const Value& v) const { return text_within(cx, v, room, nullptr, {style, columns, plain}); }
};

// Reads a number of columns, the numbers of rows and columns, or a namespace of options.
TextRequest text_request(Context&, const Function& self, const Value& w);

}  // namespace griddle
