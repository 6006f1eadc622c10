#include "runtime/system/files/name_text.h"

#include <doctest/doctest.h>

#include "runtime/value/heap.h"

using namespace griddle;

namespace {

// Spells a string as a host would.
std::string utf8_of(const Value& text) { return to_utf8(text.array()); }

}  // namespace

TEST_CASE("names come back as they were, whatever their bytes") {
  Heap heap;
  for (const std::string name :
       {"plain", "zwölf 𝕩", "\xFF", "a\xE9z", "\xE2\x82", "\xED\xB2\x80", "\xED\xA0\x80", "\xC3", "\xF5\x80", ""})
    CHECK(name_bytes(utf8_of(name_string(heap, name))) == name);
  for (int first = 1; first < 256; first++)
    for (int second = 1; second < 256; second++) {
      const std::string name = {static_cast<char>(first), static_cast<char>(second)};
      CHECK(name_bytes(utf8_of(name_string(heap, name))) == name);
    }
}

TEST_CASE("only what is no UTF-8 is written in another way") {
  Heap heap;
  const Value text = name_string(heap, "\xC3\xA9\xE9");
  REQUIRE(text.array().length == 2);
  CHECK(element(text.array(), 0).character() == 0xE9);
  CHECK(element(text.array(), 1).character() == 0xDCE9);
  CHECK(name_bytes("zwölf") == "zwölf");
}
