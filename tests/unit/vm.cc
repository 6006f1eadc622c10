#include "runtime/vm/vm.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("arguments and functions are evaluated from the right, lists from the left") {
  Machinery m;
  CHECK(m("a←1 ⋄ a+(a↩5)+a") == "11");
  CHECK(m("a←1 ⋄ a‿(a↩5)‿a") == "⟨ 1 5 5 ⟩");
  CHECK(m("a←2 ⋄ (a↩3)-a") == "1");
  CHECK(m("l←⟨⟩ ⋄ P←{l∾↩𝕩⋄𝕩} ⋄ x←(P 1)({P 2⋄+}{𝔽})P 3 ⋄ l") == "⟨ 3 2 1 ⟩");
}

TEST_CASE("Nothing passes through calls") {
  Machinery m;
  CHECK(m("{(5+𝕨)-𝕩}3") == "¯3");
  CHECK(m("{𝕨-𝕩}3") == "¯3");
  CHECK(m("4{𝕨-𝕩}3") == "1");
  CHECK(m("F←{𝕩} ⋄ {⊑⟨F 𝕨⟩}3").substr(0, 1) == "!");
  CHECK(m("F←{𝕩} ⋄ {1∾F 𝕨 ⋄ 5}3") == "5");
  CHECK(m("{⟨𝕨,𝕩⟩}3").substr(0, 1) == "!");
  CHECK(m("{(𝕨-⊢)𝕩}7") == "¯7");
  CHECK(m("{𝕨↩4⋄𝕩}3").substr(0, 1) == "!");
}

TEST_CASE("bodies are tried in turn and find the arguments as they were") {
  Machinery m;
  CHECK(m("{𝕩↩𝕩+1 ⋄ 𝕩<3 ? 𝕩 ; 10×𝕩}¨1‿5") == "⟨ 2 50 ⟩");
  CHECK(m("{⟨p,'k',[q,·]⟩:p∾q;\"no\"}⟨5,'k',2‿2⥊6⟩") == "⟨ 5 6 6 ⟩");
  CHECK(m("{⟨a,b⟩:a+b; w𝕊⟨a⟩:a-w; \"none\"}¨⟨1‿2,⟨7⟩,3⟩") == "⟨ 3 \"none\" \"none\" ⟩");
  CHECK(m("2{⟨a,b⟩:a+b; w𝕊⟨a⟩:a-w; \"none\"}⟨7⟩") == "5");
  CHECK(m("4{𝕊𝕩:1}3").substr(0, 1) == "!");
  CHECK(m("{𝕊n:n+↩2 ⋄ 𝕩+↩1 ⋄ n+𝕩}1") == "5");
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

TEST_CASE("undo headers") {
  Machinery m;
  CHECK(m("{𝕊⁼𝕩:𝕩-1;𝕩+1}⁼5") == "4");
  CHECK(m("Sc←{𝕨𝕊˜⁼𝕩:𝕩÷𝕨⋆2;𝕨×𝕩⋆2} ⋄ Sc⟜3⁼45") == "5");
  CHECK(m("{𝕩+1}⁼5").substr(0, 1) == "!");
}

TEST_CASE("a variable that is modified in place keeps its value when the function fails") {
  Machinery m;
  CHECK(m("a←↕4 ⋄ {𝕊: a+↩\"ab\"}⎊0 1 ⋄ a") == "⟨ 0 1 2 3 ⟩");
  CHECK(m("a←↕4 ⋄ b←a ⋄ a×↩2 ⋄ b") == "⟨ 0 1 2 3 ⟩");
  CHECK(m("a←↕3 ⋄ a∾↩a ⋄ a∾↩9 ⋄ a") == "⟨ 0 1 2 0 1 2 9 ⟩");
  CHECK(m("{a←𝕩 ⋄ F←{a∾𝕩} ⋄ a F↩ ⋄ a}1‿2") == "⟨ 1 2 1 2 ⟩");
  CHECK(m("a‿b←1‿2 ⋄ a‿b⌽↩ ⋄ a‿b") == "⟨ 2 1 ⟩");
}

TEST_CASE("appending one by one is linear") {
  Machinery m;
  CHECK(m("l←⟨⟩ ⋄ {l∾↩𝕩⋄0}¨↕200000 ⋄ ≠l") == "200000");
  CHECK(m("{𝕊: l←\"\" ⋄ {𝕊: l∾↩'a'}⍟200000 0 ⋄ ≠l}0") == "200000");
}

TEST_CASE("recursion is deep, and its end can be caught") {
  Machinery m;
  CHECK(m("{𝕩=0?0;1+𝕊𝕩-1}200000") == "200000");
  CHECK(m("{𝕊𝕩+1}⎊\"deep\" 0") == "\"deep\"");
  CHECK(m("F←{𝕩⊸+∘{F 𝕩}𝕩} ⋄ F⎊\"deep\" 1") == "\"deep\"");
}

TEST_CASE("errors carry a place for every call") {
  Machinery m;
  try {
    m.run("F←{1‿2+𝕩⥊0}\nG←{𝕊𝕩:F 𝕩}\nG 3");
    FAIL("ran");
  } catch (const Error& e) {
    REQUIRE(e.frames.size() == 3);
    CHECK(e.frames[0].source->text.substr(e.frames[0].start, 1) == "+");
    CHECK(e.frames[1].source->line_at(e.frames[1].start).number == 2);
    CHECK(e.frames[2].source->line_at(e.frames[2].start).number == 3);
  }
}

TEST_CASE("an interrupt ends a program and cannot be caught") {
  Machinery m;
  m.cx.interrupt = true;
  CHECK(m("{𝕊𝕩}⎊1 0") == "! Interrupted");
  CHECK(m("1+1") == "2");
}

TEST_CASE("a shared root keeps its variables") {
  Machinery m;
  RootScope scope;
  Ref<Environment> root = Vm::make_root(m.cx.heap);
  auto line = [&](std::string_view source) {
    Ref<Code> code = load(m.cx, m.unit(source), scope);
    Vm::grow(m.cx, *root, scope.body()->bindings.size());
    return display_text(m.cx, m.vm->run(*code, root.get()));
  };
  CHECK(line("a←5") == "5");
  CHECK(line("F←{a+𝕩}") == "(function block)");
  CHECK(line("a↩7") == "7");
  CHECK(line("F 1") == "8");
  CHECK(line("a←⟨1,2⟩") == "⟨ 1 2 ⟩");
  CHECK(line("F 1") == "⟨ 2 3 ⟩");
}

TEST_CASE("namespaces are live") {
  Machinery m;
  CHECK(m("n←{a⇐1⋄Set⇐{a↩𝕩}} ⋄ n.Set 9 ⋄ n.a") == "9");
  CHECK(m("⟨x‿y⇐a,b⟩←{a⇐1‿2,b⇐9} ⋄ x‿y‿b") == "⟨ 1 2 9 ⟩");
  CHECK(m("n←{late⇐ ⋄ F⇐{𝕊: late} ⋄ late←3} ⋄ n.F 0") == "3");
  CHECK(m("a←⟨{v⇐1},{w⇐0⋄v⇐2},{v⇐3}⟩ ⋄ {𝕩.v}¨a") == "⟨ 1 2 3 ⟩");
}

TEST_CASE("variables cannot be read before they are defined") {
  Machinery m;
  CHECK(m("{r←{late} ⋄ late←9 ⋄ r}").substr(0, 1) == "!");
  CHECK(m("{F←{late↩𝕩} ⋄ F 1 ⋄ late←9}").substr(0, 1) == "!");
  CHECK(m("{F←{a+𝕩}⋄a←4⋄F 1}") == "5");
}

TEST_CASE("◶ and ⍟ mean the same with and without a derived function") {
  Machinery m;
  for (const char* x : {"0", "1", "3", "¯1"}) {
    std::string value = x;
    CHECK(m("{(𝕩>0)◶⟨{𝕩-1},{𝕩×2}⟩𝕩}" + value) == m("G←(>⟜0)◶⟨{𝕩-1},{𝕩×2}⟩ ⋄ G " + value));
    CHECK(m("5{(𝕨>𝕩)◶⟨{𝕨-𝕩},{𝕩×𝕨}⟩𝕩}" + value) == m("G←>◶⟨{𝕨-𝕩},{𝕩×𝕨}⟩ ⋄ 5{(𝕨>𝕩)◶⟨{𝕨-𝕩},{𝕩×𝕨}⟩𝕩}" + value));
    CHECK(m("{¯1◶⟨-,{𝕩+𝕩}⟩𝕩}" + value) == m("G←¯1◶⟨-,{𝕩+𝕩}⟩ ⋄ G " + value));
  }
  CHECK(m("{2⊸×⍟3 𝕩}5") == "40");
  CHECK(m("2{𝕨+⍟3 𝕩}5") == "11");
  CHECK(m("{1⊸+⍟⟨¯1,⟨2⟩⟩𝕩}10") == "⟨ 9 ⟨ 12 ⟩ ⟩");
  CHECK(m("{k←𝕩 ⋄ {𝕩+k}⍟4 𝕩}2") == "10");
  CHECK(m("{k←𝕩 ⋄ 3{𝕨+𝕩×k}⍟2 1}2") == "13");
  CHECK(m("{5◶⟨-,+⟩𝕩}1").substr(0, 1) == "!");
}

TEST_CASE("leaf blocks start again where a value is no number") {
  Machinery m;
  CHECK(m("{𝕩+1}¨1‿'a'‿⟨2,3⟩") == "⟨ 2 'b' ⟨ 3 4 ⟩ ⟩");
  CHECK(m("{𝕨>𝕩?𝕨;𝕩}´3‿1‿4‿1‿5") == "5");
  CHECK(m("{𝕩÷0×𝕩}¨1‿¯1") == "⟨ ∞ ¯∞ ⟩");
  CHECK(m("1‿2{𝕨-𝕩}¨\"ab\"").substr(0, 1) == "!");
}

TEST_CASE("an error in a block that works on whole arrays is found in the block") {
  Machinery m;
  try {
    m.run("F←{𝕩+𝕩}\nF¨\"a string that is long enough\"");
    FAIL("ran");
  } catch (const Error& e) {
    REQUIRE(e.frames.size() == 2);
    CHECK(e.frames[0].source->line_at(e.frames[0].start).number == 1);
    CHECK(e.frames[1].source->line_at(e.frames[1].start).number == 2);
  }
}
