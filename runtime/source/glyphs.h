// Which code points a source may use as primitives, where these are not the usual ones.
#pragma once

#include <vector>

#include "runtime/source/ast.h"

namespace griddle {

struct GlyphSet {
  struct Entry {
    char32_t glyph;
    Role role;
    bool usual;  // means the primitive that it means everywhere; what others mean is for the resolver of system values to say
  };
  std::vector<Entry> entries;

  const Entry* find(char32_t c) const {
    for (const Entry& e : entries)
      if (e.glyph == c) return &e;
    return nullptr;
  }
};

// Tells whether a code point has no meaning of its own in the grammar, so that it can stand for a primitive (tokenizer.cc).
bool may_be_glyph(char32_t);

}  // namespace griddle
