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

TEST_CASE("the C interface says why there is no value") {
  griddle_interpreter* bqn = griddle_new();
  griddle_value* one = griddle_make_number(bqn, 1);
  CHECK(griddle_call(bqn, nullptr, one) == nullptr);
  CHECK(std::string(griddle_error(bqn)).find("needs a function") != std::string::npos);
  CHECK(griddle_call2(bqn, one, nullptr, one) == nullptr);
  const std::size_t huge[] = {std::size_t{1} << 40, std::size_t{1} << 40};
  const double element = 0;
  CHECK(griddle_make_numbers(bqn, &element, huge, 2) == nullptr);
  CHECK(std::string(griddle_error(bqn)).find("shape") != std::string::npos);
  CHECK(griddle_eval(bqn, "•Exit 3", sizeof "•Exit 3" - 1) == nullptr);
  CHECK(std::string(griddle_error(bqn)) == "The program ended itself (3)\n");
  griddle_interpreter* other = griddle_new();
  griddle_value* theirs = griddle_make_text(other, "abc", 3);
  griddle_value* length = griddle_eval(bqn, "≠", sizeof "≠" - 1);
  CHECK(griddle_call(bqn, length, theirs) == nullptr);
  griddle_value* mine = griddle_import(bqn, theirs);
  griddle_value* three = griddle_call(bqn, length, mine);
  REQUIRE(three != nullptr);
  CHECK(griddle_to_number(three) == 3);
  griddle_interrupt(bqn);
  griddle_clear_interrupt(bqn);
  griddle_value* two = griddle_eval(bqn, "1+1", 3);
  CHECK(two != nullptr);
  for (griddle_value* value : {one, theirs, length, mine, three, two}) griddle_release(value);
  griddle_delete(other);
  griddle_delete(bqn);
}
