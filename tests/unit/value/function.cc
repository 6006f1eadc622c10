#include "runtime/value/function.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("functions of primitives and data alone are pure, those that run blocks are not") {
  Machinery m;
  for (const char* source : {"+", "+´", "1⊸+", "(+´÷≠)", "(⌽∘⍋⊸⊏)", "-⌾⊑"}) {
    CAPTURE(std::string(source));
    const Value f = m.run(source);
    CHECK(f.function().is_pure());
    CHECK(f.function().is_pure());  // asked again, it is known
  }
  for (const char* source : {"{𝕩}", "{𝕩}¨", "(+´÷{𝕩})", "1⊸{𝕨}", "(⌽∘{𝕩})"}) {
    CAPTURE(std::string(source));
    CHECK(!m.run(source).function().is_pure());
  }
}

TEST_CASE("native functions and modifiers carry their code, name and state") {
  Heap heap;
  const auto monad = [](Context&, const Function&, Value x) { return x; };
  const auto dyad = [](Context&, const Function&, Value w, Value) { return w; };
  const Value f = make_native_function(heap, "•name", monad, dyad, Ref<NativeObject>(make_native<UndoCodes>(heap).leak()));
  const auto& native = static_cast<const NativeFunction&>(f.function());
  CHECK(std::string(native.name) == "•name");
  CHECK(native.state != nullptr);
  CHECK(!native.refusal);
  const Value modifier = make_native_modifier(heap, 2, "•_m_", monad, dyad);
  CHECK(modifier.modifier().a == 2);
}
