#include "runtime/value/cycles.h"

#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a million recursive closures need constant memory") {
  Machinery m;
  const char* program = "{𝕊k: F←{𝕩≤k ? 0 ; G 𝕩-1} ⋄ G←{F 𝕩} ⋄ F k+2}¨↕";
  m(std::string(program) + "1000");
  collect_cycles(m.cx.heap);
  std::size_t before = m.cx.heap.bytes_in_use();
  // Results are dropped one by one.
  CHECK(m("n←0 ⋄ {𝕊k: F←{𝕩≤k ? n+↩1 ⋄ 0 ; G 𝕩-1} ⋄ G←{F 𝕩} ⋄ F 2}⍟1e6 0 ⋄ n") == "1000000");
  CHECK(m.cx.heap.bytes_in_use() < before + (std::size_t{64} << 20));
}

TEST_CASE("a collection frees what only cycles refer to and nothing else") {
  Machinery m;
  // Without a state there is nothing to collect.
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles == nullptr);
  cycles_begin(m.cx.heap);
  collect_cycles(m.cx.heap);
  std::size_t live = m.cx.heap.cycles->live();
  Value kept = m.run("{a←↕3 ⋄ F←{𝕩=0 ? a ; G 𝕩-1} ⋄ G←{F 𝕩} ⋄ F}");
  m.run("{a←↕3 ⋄ F←{𝕩=0 ? a ; G 𝕩-1} ⋄ G←{F 𝕩} ⋄ F}");
  CHECK(m.cx.heap.cycles->live() == live + 2);
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->live() == live + 1);
  CHECK(display_text(m.cx, call(m.cx, kept, Value(4))) == "⟨ 0 1 2 ⟩");
  kept = Value();
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->live() == live);
}

TEST_CASE("every collection makes what it keeps old") {
  Machinery m;
  cycles_begin(m.cx.heap);
  Value kept = m.run("{a⇐𝕩 ⋄ Get⇐{𝕊: a}}¨↕10");
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->young == 0);
  std::size_t old = m.cx.heap.cycles->old;
  kept = m.run("{a⇐𝕩 ⋄ Get⇐{𝕊: a}}¨↕10");
  collect_young_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->young == 0);
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->old == old);
}

TEST_CASE("garbage that holds the last reference to what is old frees it") {
  Machinery m;
  cycles_begin(m.cx.heap);
  m.run("1");
  collect_cycles(m.cx.heap);
  std::size_t live = m.cx.heap.cycles->live();
  Value old = m.run("{v←0 ⋄ {v↩𝕩}}");
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->live() == live + 1);
  // What is young, and in use only as long as what is old.
  call(m.cx, old, m.run("{𝕊k: {k+𝕩}}4"));
  Value garbage = call(m.cx, m.run("{𝕊a: G←{𝕩=0 ? a ; G 𝕩-1} ⋄ G}"), std::move(old));
  CHECK(m.cx.heap.cycles->live() == live + 3);
  garbage = Value();
  collect_young_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->live() == live);
}

TEST_CASE("namespaces whose functions refer to them are freed") {
  Machinery m;
  cycles_begin(m.cx.heap);
  m.run("1");
  collect_cycles(m.cx.heap);
  std::size_t live = m.cx.heap.cycles->live();
  m.run("{a⇐𝕩 ⋄ Get⇐{𝕊: a} ⋄ Set⇐{a↩𝕩}}¨↕100");
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.cycles->live() == live);
}
