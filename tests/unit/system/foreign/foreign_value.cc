#include "runtime/system/foreign/foreign_value.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("values go to memory of C and come back") {
  Machinery m;
  const Value self = make_native_function(m.cx.heap, "•test", nullptr, nullptr);
  const auto through = [&](const char* type, const char* source) {
    const ForeignTypeRef t = parse_foreign_type(type);
    CallMemory memory;
    std::uint8_t* room = memory.allocate(t->size);
    store_foreign(m.cx, self.function(), *t, m.run(source), room, &memory);
    return std::string(display_text(m.cx, load_foreign(m.cx, self.function(), t, room)));
  };
  CHECK(through("i8", "¯128") == "¯128");
  CHECK(through("u16", "65535") == "65535");
  CHECK(through("f64", "1.5") == "1.5");
  CHECK(through("{i8,f64}", "3‿0.5") == "⟨ 3 0.5 ⟩");
  CHECK(through("[3]i16", "1‿¯2‿3") == "⟨ 1 ¯2 3 ⟩");
  CHECK(through("i32:i8", "1‿1‿0‿0") == "⟨ 1 1 0 0 ⟩");
  CHECK_THROWS_AS(through("i8", "128"), Error);
  CHECK_THROWS_AS(through("u8", "0.5"), Error);
  CHECK_THROWS_AS(through("[3]i16", "1‿2"), Error);
}
