#include "runtime/source/arena.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace griddle;

TEST_CASE("pieces of any size and alignment lie apart, and keep what was copied") {
  Arena arena;
  std::vector<std::string_view> texts;
  std::vector<std::string> wanted;
  for (std::size_t n : {0, 1, 7, 100, 20'000, 3, 20'000'000, 5})
    for (char c : {'a', 'b'}) {
      wanted.push_back(std::string(n, c));
      texts.push_back(arena.copy(std::string_view(wanted.back())));
      CHECK(reinterpret_cast<std::uintptr_t>(arena.allocate(1, 16)) % 16 == 0);
      CHECK(reinterpret_cast<std::uintptr_t>(arena.make<double>(1.5)) % alignof(double) == 0);
    }
  for (std::size_t i = 0; i < texts.size(); i++) CHECK(texts[i] == wanted[i]);
}

TEST_CASE("spans hold copies, and none take no memory") {
  Arena arena;
  int three[] = {1, 2, 3};
  const std::span<int> copy = arena.copy(std::span<const int>(three));
  three[1] = 9;
  CHECK(copy[1] == 2);
  CHECK(arena.make_span<int>(0).empty());
}
