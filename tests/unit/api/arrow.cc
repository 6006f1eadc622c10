#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Interpreter;
using griddle::Result;

namespace {

// The structs of the Arrow C data interface, as other libraries see them.
struct Schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags, n_children;
  Schema** children;
  Schema* dictionary;
  void (*release)(Schema*);
  void* private_data;
};
struct Column {
  std::int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  Column** children;
  Column* dictionary;
  void (*release)(Column*);
  void* private_data;
};

int released = 0;

Result taken(Interpreter& bqn, Schema& schema, Column& column) {
  griddle_failure* why = nullptr;
  Any value = Any::adopt(
      griddle_from_arrow(bqn.handle(), reinterpret_cast<ArrowSchema*>(&schema), reinterpret_cast<ArrowArray*>(&column), &why));
  return Result(std::move(value), why);
}
Schema schema_of(const char* format, const char* name = "") {
  return {format, name, nullptr, 0, 0, nullptr, nullptr, [](Schema* s) { s->release = nullptr; }, nullptr};
}
Column column_of(std::int64_t length, std::int64_t offset, std::vector<const void*>& buffers) {
  return {length,         0,       offset,  static_cast<std::int64_t>(buffers.size()),           0,
          buffers.data(), nullptr, nullptr, [](Column* c) { released++, c->release = nullptr; }, nullptr};
}

}  // namespace

TEST_CASE("columns come in place, with offsets and missing numbers, and are released once") {
  Interpreter bqn;
  released = 0;
  const double doubles[] = {1, 2, 3, 4};
  const std::uint8_t present[] = {0b1101};
  std::vector<const void*> buffers = {nullptr, doubles};
  {
    Schema s = schema_of("g");
    Column c = column_of(3, 1, buffers);
    const Result list = taken(bqn, s, c);
    REQUIRE(list);
    CHECK(!c.release);
    CHECK(!s.release);
    CHECK(list->view<double>().data() == doubles + 1);
    CHECK(list->numbers() == std::vector<double>{2, 3, 4});
    CHECK(released == 0);
  }
  CHECK(released == 1);
  buffers[0] = present;
  Schema s = schema_of("g");
  Column c = column_of(4, 0, buffers);
  c.null_count = 1;
  const Result gaps = taken(bqn, s, c);
  REQUIRE(gaps);
  CHECK(std::isnan((*gaps)[1].number()));
  CHECK((*gaps)[2].number() == 3);
  const std::int32_t ends[] = {0, 2, 2, 5};
  buffers = {nullptr, ends, "abcde"};
  s = schema_of("u"), c = column_of(3, 0, buffers);
  CHECK(taken(bqn, s, c)->format() == "⟨ \"ab\" ⟨⟩ \"cde\" ⟩");
  s = schema_of("b");
  const std::uint8_t bits[] = {0b0110, 1};
  buffers = {nullptr, bits};
  c = column_of(7, 2, buffers);
  CHECK(taken(bqn, s, c)->numbers() == std::vector<double>{1, 0, 0, 0, 0, 0, 1});
  s = schema_of("tdD"), c = column_of(1, 0, buffers);
  CHECK(!taken(bqn, s, c));
  s = schema_of("g"), c = column_of(1, 0, buffers);
  c.n_buffers = 1;
  CHECK(!taken(bqn, s, c));
  CHECK(released == 6);
}

TEST_CASE("integers that BQN does not have fail") {
  Interpreter bqn;
  const std::int64_t large[] = {1, std::int64_t{1} << 60};
  std::vector<const void*> buffers = {nullptr, large};
  Schema s = schema_of("l");
  Column c = column_of(2, 0, buffers);
  const Result list = taken(bqn, s, c);
  REQUIRE(!list);
  CHECK(list.failure().message == "An integer is too large for a number of BQN (beyond 2⋆53)");
}

TEST_CASE("lists and tables go to others and come back") {
  Interpreter bqn;
  for (const char* code : {"↕9", "300×↕9", "1e6×↕9", "0.5+↕9", "70⥊0‿1‿1", "\"ab\"‿\"\"‿\"ñ𝕩\"", "⟨⟩",
                           "{a⇐↕3,names⇐\"x\"‿\"y\"‿\"z\"}", "{inner⇐{b⇐↕2},c⇐0‿1}"}) {
    CAPTURE(std::string(code));
    const Any value = *bqn.eval(code);
    Schema s;
    Column c;
    griddle_failure* why = nullptr;
    REQUIRE(griddle_to_arrow(value.handle(), reinterpret_cast<ArrowSchema*>(&s), reinterpret_cast<ArrowArray*>(&c), &why) == 1);
    const Result back = taken(bqn, s, c);
    REQUIRE_MESSAGE(back, back.failure().message);
    if (value.is_namespace()) {
      REQUIRE(back->fields() == value.fields());
      for (const std::string& name : value.fields())
        if (!value.field(name).is_namespace()) CHECK(back->field(name).matches(value.field(name)));
    } else {
      CHECK(back->matches(value));
    }
  }
  Schema s;
  Column c;
  for (const char* code : {"5", "\"text\"", "2‿2⥊1", "⟨1,\"a\"⟩", "{a⇐↕3,b⇐↕4}", "+"})
    CHECK(griddle_to_arrow(bqn.eval(code)->handle(), reinterpret_cast<ArrowSchema*>(&s), reinterpret_cast<ArrowArray*>(&c),
                           nullptr) == 0);
}

TEST_CASE("a part of a table is that part of all its columns, and of the tables among them") {
  Interpreter bqn;
  const std::int32_t numbers[] = {0, 10, 20, 30, 40, 50};
  std::vector<const void*> buffers = {nullptr, numbers}, none = {nullptr};
  Schema leaf = schema_of("i", "x"), inner = schema_of("+s", "t"), outer = schema_of("+s");
  Column x = column_of(5, 1, buffers), t = column_of(4, 1, none), all = column_of(2, 1, none);
  x.release = t.release = nullptr;
  leaf.release = inner.release = nullptr;
  Schema* inner_schemas[] = {&leaf};
  Schema* outer_schemas[] = {&inner};
  Column* inner_columns[] = {&x};
  Column* outer_columns[] = {&t};
  inner.n_children = t.n_children = outer.n_children = all.n_children = 1;
  inner.children = inner_schemas, outer.children = outer_schemas;
  t.children = inner_columns, all.children = outer_columns;
  const Result table = taken(bqn, outer, all);
  REQUIRE(table);
  CHECK(table->field("t").field("x").numbers() == std::vector<double>{30, 40});
  // More rows than a column has.
  outer = schema_of("+s"), outer.n_children = 1, outer.children = outer_schemas;
  all = column_of(4, 1, none), all.n_children = 1, all.children = outer_columns;
  CHECK(!taken(bqn, outer, all));
}

TEST_CASE("tables within each other without end are an error") {
  Interpreter bqn;
  Schema s;
  Column c;
  for (const char* code : {"n←{a⇐0 ⋄ Set⇐{a↩𝕩}} ⋄ n.Set n ⋄ n", "{a⇐𝕩}⍟1000000 ↕3"}) {
    CAPTURE(std::string(code));
    const Result table = bqn.eval(code);
    REQUIRE(table);
    CHECK(griddle_to_arrow(table->handle(), reinterpret_cast<ArrowSchema*>(&s), reinterpret_cast<ArrowArray*>(&c), nullptr) == 0);
  }
}
