#include "runtime/system/foreign/foreign_type.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle;

TEST_CASE("a type knows its size and how its parts lie in memory") {
  const auto type = [](const char* text) { return parse_foreign_type(text); };
  CHECK(type("i32")->size == 4);
  CHECK(type("f64")->kind == ForeignType::Kind::real);
  CHECK(type("u8")->kind == ForeignType::Kind::natural);
  CHECK(type("*i16")->size == sizeof(void*));
  CHECK(type("[3]i16")->size == 6);
  const ForeignTypeRef structure = type("{i8,i32,f64}");
  CHECK(structure->size == 16);
  CHECK(structure->alignment == 8);
  CHECK(structure->offsets == std::vector<std::size_t>{0, 4, 8});
  CHECK(type("i32:c8")->converted);
  CHECK(type("i32:c8")->parts() == 4);
  CHECK(type("{i32,a}")->holds_values());
  CHECK(!type("{i32,*i8}")->holds_values());
}

TEST_CASE("what is no type is refused") {
  for (const char* text : {"", "i7", "{i32", "[x]i8", "i32:q", "{}", "*"}) {
    CAPTURE(std::string(text));
    if (std::string(text) == "*") {
      CHECK(parse_foreign_type(text)->kind == ForeignType::Kind::pointer);
    } else {
      CHECK_THROWS_AS(parse_foreign_type(text), ForeignTypeError);
    }
  }
}

TEST_CASE("an argument says where it comes from and what becomes of it") {
  CHECK(parse_foreign_argument("𝕨i32").from_left);
  CHECK(parse_foreign_argument("&i32").passing == ForeignArgument::Passing::changed);
  CHECK(parse_foreign_argument(">i32").whole);
  CHECK(parse_foreign_argument("&i32").returned);
  CHECK(are_compatible(nullptr, parse_foreign_type("i8").get()));
  CHECK(!are_compatible(parse_foreign_type("i16").get(), parse_foreign_type("i8").get()));
}
