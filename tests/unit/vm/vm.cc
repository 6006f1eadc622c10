#include "runtime/vm/vm.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("recursion is deep, and its end can be caught") {
  Machinery m;
  CHECK(m("{𝕩=0?0;1+𝕊𝕩-1}200000") == "200000");
  CHECK(m("{𝕊𝕩+1}⎊\"deep\" 0") == "\"deep\"");
  CHECK(m("F←{𝕩⊸+∘{F 𝕩}𝕩} ⋄ F⎊\"deep\" 1") == "\"deep\"");
}

TEST_CASE("a shared root keeps its variables") {
  Machinery m;
  RootScope scope;
  Ref<Environment> root = Vm::make_root(m.cx.heap);
  auto line = [&](std::string_view source) {
    Ref<Code> code = load(m.cx, m.unit(source), scope);
    Vm::grow(m.cx, *root, scope.body()->bindings.size());
    return std::string(display_text(m.cx, m.vm->run(*code, root.get())));
  };
  CHECK(line("a←5") == "5");
  CHECK(line("F←{a+𝕩}") == "(function block)");
  CHECK(line("a↩7") == "7");
  CHECK(line("F 1") == "8");
  CHECK(line("a←⟨1,2⟩") == "⟨ 1 2 ⟩");
  CHECK(line("F 1") == "⟨ 2 3 ⟩");
}
