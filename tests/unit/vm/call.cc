#include "runtime/vm/call.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/vm/attempt.h"
#include "runtime/vm/block_undo.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("undo headers") {
  Machinery m;
  CHECK(m("{𝕊⁼𝕩:𝕩-1;𝕩+1}⁼5") == "4");
  CHECK(m("Sc←{𝕨𝕊˜⁼𝕩:𝕩÷𝕨⋆2;𝕨×𝕩⋆2} ⋄ Sc⟜3⁼45") == "5");
  CHECK(m("{𝕩+1}⁼5").substr(0, 1) == "!");
}

TEST_CASE("modifier blocks run at once or keep their operands") {
  Machinery m;
  CHECK(m("3{𝕗+1}") == "4");
  CHECK(m("2{n _m x:n×x}4") == "8");
  CHECK(m("2 -{𝕩𝔽𝕨} 9") == "7");
  CHECK(m("_twice←{𝔽𝔽𝕩} ⋄ (+˜)_twice 3") == "12");
  CHECK(m("_c_←{𝔽𝔾𝕩} ⋄ (3⊸+) _c_ (2⊸×) 5") == "13");
  CHECK(m("_r_←{𝕩<1 ? 𝕩 ; 𝔽 _𝕣_ 𝔾 𝕩-1} ⋄ + _r_ - 5") == "0");
}

TEST_CASE("an error of a block that C++ calls can be had as a message") {
  Machinery m;
  Value message;
  CHECK(attempt(m.cx, m.run("{𝕩⋄!\"no\"}"), Value(), Value(1), message).is_absent());
  CHECK(to_utf8(message.array()) == "no");
  message = Value();
  CHECK(attempt(m.cx, m.run("{𝕨+𝕩}"), Value(2), Value(1), message).number() == 3);
  CHECK(message.is_absent());
  CHECK(attempt(m.cx, m.run("⊑"), Value(5), m.run("1‿2"), message).is_absent());
  CHECK(!message.is_absent());
}

TEST_CASE("a caller gives what single calls give") {
  Machinery m;
  for (const char* source : {"{𝕩×2}", "×⟜2", "{2:5;𝕩×2}", "-"}) {
    const Value f = m.run(source);
    Caller caller(m.cx, f);
    for (double x : {1.0, 2.0, 7.5}) CHECK(caller(Value(x)).number() == call(m.cx, f, Value(x)).number());
  }
  const Value f = m.run("{𝕨-𝕩×2}");
  Caller caller(m.cx, f);
  CHECK(caller(Value(9), Value(2)).number() == 5);
  CHECK(call(m.cx, Value(5), Value(1)).number() == 5);
}
