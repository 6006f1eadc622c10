#include "runtime/source/symbol.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle;

TEST_CASE("each name gets one symbol, however many there are") {
  Arena arena;
  SymbolTable symbols(arena);
  std::vector<std::uint32_t> numbers;
  for (int i = 0; i < 1000; i++) numbers.push_back(symbols.intern("name" + std::to_string(i)));
  CHECK(symbols.all().size() == 1000);
  for (int i = 0; i < 1000; i++) {
    const std::string name = "name" + std::to_string(i);
    CHECK(symbols.intern(name) == numbers[i]);
    CHECK(symbols[numbers[i]].name == name);
  }
  CHECK(symbols.all().size() == 1000);
}

TEST_CASE("a hash made byte by byte finds what was added by its text") {
  Arena arena;
  SymbolTable symbols(arena);
  const std::uint32_t number = symbols.intern("abc");
  std::uint32_t hash = hash_start;
  for (char c : std::string("abc")) hash = hash_byte(hash, c);
  CHECK(symbols.intern("abc", hash) == number);
}
