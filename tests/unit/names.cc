#include "runtime/names.h"

#include <doctest/doctest.h>

using namespace griddle;

TEST_CASE("names that differ in case or underscores alone are one") {
  CHECK(normalised_name("Some_Name") == "somename");
  CHECK(normalised_name("_é_") == normalised_name("É"));
  CHECK(normalised_name("π") == "π");
  CHECK(normalised_name("ÄÖ×x") == "äö×x");
}

TEST_CASE("the spelling of a name is its role") {
  CHECK(role_of_word("name") == Role::subject);
  CHECK(role_of_word("Name") == Role::function);
  CHECK(role_of_word("É") == Role::function);
  CHECK(role_of_word("é") == Role::subject);
  CHECK(role_of_word("_x") == Role::modifier1);
  CHECK(role_of_word("_x_") == Role::modifier2);
}

TEST_CASE("a name is spelled for each role") {
  CHECK(spelled("fooBar", Role::function) == "FooBar");
  CHECK(spelled("FooBar", Role::subject) == "fooBar");
  CHECK(spelled("_Foo_bar_", Role::subject) == "foo_bar");
  CHECK(spelled("Foo", Role::modifier1) == "_Foo");
  CHECK(spelled("foo", Role::modifier2) == "_foo_");
  CHECK(spelled("étude", Role::function) == "Étude");
  CHECK(spelled("Étude", Role::subject) == "étude");
  CHECK(spelled("•_timed", Role::function) == "•Timed");
  CHECK(spelled("__", Role::function).empty());
}
