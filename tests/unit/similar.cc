#include "runtime/similar.h"

#include <doctest/doctest.h>

#include <array>

using namespace griddle;

TEST_CASE("names are compared without case, underscores, dots and •") {
  CHECK(compared_name("•Parse_Float.x") == "parsefloatx");
  CHECK(compared_name("é") == "é");
  CHECK(compared_name("") == "");
}

TEST_CASE("letters are changed, added, left out or exchanged") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("abc", "axc") == 1);
  CHECK(edit_distance("abc", "ab") == 1);
  CHECK(edit_distance("lenght", "length") == 1);
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest names come first, each once") {
  constexpr std::array<std::string_view, 6> known = {"total", "totals", "•Total", "x", "Xy", "total"};
  using Names = std::vector<std::string>;
  CHECK(similar_names("totals", known, 3) == Names{"totals", "total", "•Total"});
  CHECK(similar_names("totasl", known, 1) == Names{"total"});
  CHECK(similar_names("summer", known, 3).empty());
  // All are within four letters of it, one is nearer than others by more than one.
  constexpr std::array<std::string_view, 2> others = {"Replicate", "Deduplicate"};
  CHECK(similar_names("dedupliacte", others, 3) == Names{"Deduplicate"});
  // Of short names all letters count.
  CHECK(similar_names("y", known, 3).empty());
  CHECK(similar_names("xy", known, 3) == Names{"Xy"});
  CHECK(similar_names("", known, 3).empty());
  CHECK(similar_names(std::string(100, 't'), known, 3).empty());
}
