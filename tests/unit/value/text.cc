#include "runtime/value/array.h"

#include <doctest/doctest.h>

#include <string>

using namespace griddle;

TEST_CASE("text goes through UTF-8 and back") {
  Heap heap;
  for (const char* text : {"", "plain", "naïve", "𝕨⌾𝕩", "日本語"}) CHECK(to_utf8(make_string(heap, text).array()) == text);
  CHECK(character_at(make_string(heap,
                                 "a\xFF"
                                 "b")
                         .array(),
                     1) == 0xFFFD);
}
