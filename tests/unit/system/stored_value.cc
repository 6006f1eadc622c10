#include "runtime/system/stored_value.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/format/format.h"
#include "runtime/value/namespace.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a stored value comes back, and what is no value is refused in the name of who reads") {
  Machinery m;
  const Value v = m.run("⟨1.5,\"añ𝕩\",2‿0‿3⥊0,↕300,⟨⟩,+´⟩");
  const HeapText bytes = stored_value(m.cx, v);
  CHECK(display_text(m.cx, value_of_stored(m.cx, bytes)) == display_text(m.cx, v));
  const auto refusal = [&](auto f) {
    try {
      f();
    } catch (const Error& e) {
      return to_utf8(e.message.array());
    }
    return std::string();
  };
  CHECK(refusal([&] { value_of_stored(m.cx, "no value", "F: "); }) == "F: The bytes hold no value, or one of another version");
  CHECK(refusal([&] { stored_value(m.cx, m.run("{𝕩}"), "F: "); }).starts_with("F: The value holds what has no source text"));
}

TEST_CASE("a namespace of many fields comes back in little time, and a name twice is refused") {
  Machinery m;
  std::string text = "{";
  constexpr std::size_t fields = 20000;
  for (std::size_t i = 0; i < fields; i++) {
    text += i == 0 ? "f" : ",f";
    text += std::to_string(i).append("⇐").append(std::to_string(i));
  }
  const Value v = m.run(text + "}");
  HeapText bytes = stored_value(m.cx, v);
  const Value back = value_of_stored(m.cx, bytes);
  CHECK(field(back.name_space(), "f19999").number() == 19999);
  bytes.replace(bytes.find("f19998"), 6, "f19999");
  CHECK_THROWS_AS(value_of_stored(m.cx, bytes), Error);
}
