#include "runtime/api/griddle_c.h"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the interface for C") {
  griddle_interpreter* bqn = griddle_new();
  griddle_value* sum = griddle_eval(bqn, "+´", sizeof "+´" - 1);
  REQUIRE(sum != nullptr);
  double three[] = {1, 2, 3};
  std::size_t length = 3;
  griddle_value* list = griddle_make_numbers(bqn, three, &length, 1);
  griddle_value* six = griddle_call(bqn, sum, list);
  CHECK(griddle_to_number(six) == 6);
  CHECK(griddle_kind_of(six) == griddle_number);
  char text[16];
  CHECK(std::string(text, griddle_format(list, text, sizeof text)) == "⟨ 1 2 3 ⟩");
  CHECK(griddle_to_text(list, text, sizeof text) == static_cast<std::size_t>(-1));
  CHECK(griddle_eval(bqn, "1+", 2) == nullptr);
  CHECK(std::string(griddle_error(bqn)).starts_with("Error: "));
  griddle_delete(bqn);
  CHECK(griddle_length(list) == 3);
  for (griddle_value* value : {sum, list, six}) griddle_release(value);
}
