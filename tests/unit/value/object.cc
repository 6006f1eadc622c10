#include "runtime/value/object.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "runtime/value/function.h"
#include "runtime/value/namespace.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("whatever a value holds is freed with it") {
  Machinery m;
  m.run("1");
  collect_cycles(m.cx.heap);
  const std::size_t before = m.cx.heap.bytes_in_use();
  for (const char* source : {"⟨\"ab\",⟨1,\"cd\"⟩⟩", "(\"abc\"⊸∾)", "(⌽\"ab\"∾⊢)", "{a⇐\"text\",B⇐{𝕩}}", "{k←\"x\"∾𝕩⋄{𝕩∾k}}\"y\"",
                             "<<<\"deep\"", "2‿2⥊⟨\"p\"⟩"}) {
    CAPTURE(std::string(source));
    m.run(source);
    collect_cycles(m.cx.heap);
    CHECK(m.cx.heap.bytes_in_use() == before);
  }
}

TEST_CASE("every reference that an object holds is visited once") {
  Machinery m;
  struct Counter final : ObjectVisitor {
    void visit(Object*) override { count++; }
    using ObjectVisitor::visit;
    int count = 0;
  };
  const auto references = [&](const char* source) {
    const Value v = m.run(source);
    Counter counter;
    trace(v.object(), counter);
    return counter.count;
  };
  CHECK(references("⟨\"ab\",1,\"cd\"⟩") == 2);
  CHECK(references("1‿2‿3") == 0);
  CHECK(references("⌽∘⍉") == 3);
  CHECK(references("(⌽+⍉)") == 3);
  CHECK(references("5⊸+") == 2);
}
