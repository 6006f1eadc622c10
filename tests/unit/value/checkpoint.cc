#include "runtime/value/checkpoint.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/vm/call.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a checkpoint ends the evaluation that the thread is in the middle of, and no other") {
  Context cx, other;
  checkpoint();
  cx.request_interrupt();
  checkpoint();
  {
    const Evaluating outer(&other);
    checkpoint();
    {
      const Evaluating inner(&cx);
      const Evaluating host(nullptr);
      checkpoint();
    }
    checkpoint();
  }
  CHECK(cx.interrupt_requested());
}

namespace {

// Calls a primitive after an interrupt was asked for. Tells how that ended. The arguments are lent: it may change them in place.
std::string interrupted(Machinery& m, const Value& f, Value w, Value x) {
  for (const Value* v : {&w, &x})
    if (v->is_array()) v->array().flags |= Object::lent;
  const Evaluating now(&m.cx);
  m.cx.request_interrupt();
  try {
    w.is_absent() ? call_function(m.cx, f.function(), std::move(x))
                  : call_function(m.cx, f.function(), std::move(w), std::move(x));
  } catch (const Error& e) {
    return to_utf8(e.message.array());
  }
  m.cx.clear_interrupt();
  return "went on";
}

}  // namespace

TEST_CASE("primitives that take long end at an interrupt, and leave their arguments and no memory behind") {
  Machinery m;
  const std::string lists =
      "n←300000⋄numbers←1000003|7919×↕n⋄few←100|7919×↕n⋄reals←1|0.6180339887498949×↕n⋄far←reals×1e300⋄counts←3|↕n⋄"
      "letters←'a'+26|7919×↕n⋄greek←'α'+letters-'a'⋄boxes←{𝕩‿1}¨numbers⋄rows←∘‿2⥊numbers⋄"
      "wide←∘‿3⥊reals⋄marks←2|⌊numbers÷3⋄";
  // The primitive, 𝕨 or nothing, 𝕩.
  const char* const cases[][3] = {{"∧", "", "numbers"},
                                  {"∨", "", "far"},
                                  {"⍋", "", "numbers"},
                                  {"⍒", "", "reals"},
                                  {"⍋", "", "far"},
                                  {"⍋", "", "rows"},
                                  {"∧", "", "boxes"},
                                  {"⍋", "", "boxes"},
                                  {"/", "", "n⥊100"},
                                  {"/", "20×counts", "numbers"},
                                  {"/", "counts", "boxes"},
                                  {"/", "100", "numbers"},
                                  {"/", "2", "boxes"},
                                  {"⊏", "n|7919×↕n", "reals"},
                                  {"⊏", "n|7919×↕n", "boxes"},
                                  {"⊏", "(n÷2)|7919×↕n", "rows"},
                                  {"⊐", "⌽numbers", "numbers"},
                                  {"⊐", "⌽far", "far"},
                                  {"∊", "far", "⌽far"},
                                  {"⊐", "", "numbers"},
                                  {"⊐", "", "far"},
                                  {"⍷", "", "far"},
                                  {"∊", "", "far"},
                                  {"⊒", "", "numbers"},
                                  {"⊒", "numbers", "⌽numbers"},
                                  {"⍋", "∧reals", "reals"},
                                  {"⊔", "few", "numbers"},
                                  {"⊔", "", "numbers"},
                                  {"⊔", "few", "boxes"},
                                  {"⊐", "", "boxes"},
                                  {"⌽", "", "boxes"},
                                  {"3⊸⌽", "", "boxes"},
                                  {"∾", "boxes", "boxes"},
                                  {"≡", "⟨boxes⟩", "⟨{𝕩‿1}¨numbers⟩"},
                                  {"∾", "", "boxes"},
                                  {">", "", "boxes"},
                                  {"⍉", "", "⟨n÷2,2⟩⥊boxes"}};
  for (const auto& [function, w, x] : cases) {
    const std::string text = std::string(w) + function + x;
    CAPTURE(text);
    const std::string left = *w == '\0' ? "@" : w;
    const Value made = m.run(lists + "⟨" + function + "," + left + "," + x + "," + left + "," + x + "⟩");
    const Value* const part = made.array().boxes().data();
    m.cx.heap.trim();
    const std::size_t before = m.cx.heap.bytes_in_use();
    CHECK(interrupted(m, part[0], *w == '\0' ? Value() : part[1], part[2]) == "Interrupted");
    for (int k : {1, 2})
      if (part[k].is_array()) part[k].array().flags &= static_cast<std::uint8_t>(~Object::lent);
    m.cx.heap.trim();
    CHECK(m.cx.heap.bytes_in_use() == before);
    CHECK(call(m.cx, m.run("{f‿a‿b‿c‿d: (a≡c)∧b≡d}"), made).number() == 1);
  }
}

TEST_CASE("long arrays, which go in pieces, give what their parts give") {
  Machinery m;
  // Pieces have 131072 elements, or 4194304 results.
  const std::string made =
      "n←300001 ⋄ m←150000 ⋄ "
      "x←1000003|7919×↕n ⋄ r←x÷7 ⋄ b←2|⌊x÷5 ⋄ c←5|x ⋄ s←'a'+26|x ⋄ "
      "boxes←{⟨𝕩,1⟩}¨x ⋄ "
      "Parts←{⟨m↑𝕩,m↓𝕩⟩} ⋄ "
      "w←n|x×3 ⋄ "
      "long←(5×8⋆7)⥊x ⋄ keep←0=7|↕≠long ⋄ ";
  for (const char* same : {"∧´{(w⊏𝕩)≡∾(Parts w)⊏¨<𝕩}¨⟨x,r,b,s,boxes,∘‿1⥊x,n‿3⥊x,n‿3⥊b⟩",
                           "∧´{(c/𝕩)≡∾(Parts c)/¨Parts 𝕩}¨⟨x,r,b,s,boxes⟩",
                           "∧´{(b/𝕩)≡∾(Parts b)/¨Parts 𝕩}¨⟨x,r,b,s,boxes⟩",
                           "∧´{(20/𝕩)≡∾20/¨Parts 𝕩}¨⟨x,r,b,s,boxes⟩",
                           "(/20×c)≡20/c/↕n",
                           "(/64↑6000000)≡6000000⥊0",
                           "(/50×1=c)≡50/(1=c)/↕n",
                           "(keep/long)≡(7×↕+´keep)⊏long",
                           "(∾boxes)≡⥊>boxes",
                           "(∾{⟨𝕩⟩}¨x)≡x",
                           "(∾c↑¨<x)≡∾c{𝕨↑x}¨c",
                           "(⌽boxes)≡(⌽↕n)⊏boxes",
                           "(⍋x)≡⍋boxes",
                           "((⍋r)⊏r)≡∧r",
                           "((⍒r)⊏r)≡∨r",
                           "(∧x)≡⌽∨x",
                           "(x⊐x)≡(⊐x)⊏(∊x)/↕n",
                           "(⍷x)≡(∊x)/x",
                           "(⊒c)≡∾⟨(⊒m↑c),m↓⊒c⟩",
                           "(c⊔x)≡{(c=𝕩)/x}¨↕5",
                           "(⊔c)≡{/c=𝕩}¨↕5",
                           "(/⁼c)≡+´˘(↕5)=⌜c"}) {
    CAPTURE(same);
    CHECK(m(made + same) == "1");
  }
}
