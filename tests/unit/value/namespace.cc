#include "runtime/value/namespace.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/value/array.h"

using namespace griddle;

TEST_CASE("each of many fields is found by its name") {
  Heap heap;
  std::vector<std::pair<std::string, Value>> fields;
  for (int i = 0; i < 200; i++) fields.emplace_back("f" + std::to_string(i * 7 % 200), Value(i));
  const Value space = make_namespace(heap, std::move(fields));
  for (int i = 0; i < 200; i++) CHECK(field(space.name_space(), "f" + std::to_string(i * 7 % 200)).number() == i);
  for (const char* name : {"", "f", "f200", "g"}) CHECK(field(space.name_space(), name).is_absent());
}

TEST_CASE("fields are found by their names") {
  Heap heap;
  const Value space = make_namespace(heap, {{"aB", Value(1)}, {"c", make_string(heap, "text")}});
  const Namespace& n = space.name_space();
  REQUIRE(n.table->fields.size() == 2);
  CHECK(n.table->fields[0].spelling == "aB");
  CHECK(field(n, "ab").number() == 1);
  CHECK(to_utf8(field(n, "c").array()) == "text");
  CHECK(field(n, "d").is_absent());
  CHECK(n.table->find("c") == &n.table->fields[1]);
}
