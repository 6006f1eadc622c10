#include "runtime/value/checkpoint.h"

#include <doctest/doctest.h>

#include <span>
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

// Has each primitive, with 𝕨 or nothing and 𝕩, interrupted.
void check_interrupts(const std::string& lists, std::span<const char* const[3]> cases) {
  Machinery m;
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

}  // namespace

TEST_CASE("primitives that take long end at an interrupt, and leave their arguments and no memory behind") {
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
                                  {"∧", "", "few+300"},
                                  {"∧", "", "70000+counts"},
                                  {"∨", "", "1e5×numbers"},
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
  check_interrupts(lists, cases);
}

TEST_CASE("primitives that only move elements, fold or scan end at an interrupt, too") {
  const std::string lists =
      "n←3×2⋆20⋄numbers←1000003|7919×↕n⋄reals←÷1+↕n⋄bytes←100|7919×↕n⋄letters←'a'+26|7919×↕n⋄bits←2|⌊numbers÷3⋄"
      "wide←2048‿∘⥊reals⋄narrow←∘‿3⥊reals⋄cube←128‿∘‿96⥊reals⋄turned←96‿∘⥊bytes⋄";
  const char* const cases[][3] = {{"⌽", "", "reals"},
                                  {"⌽", "", "narrow"},
                                  {"⌽˘", "", "turned"},
                                  {"⌽˘", "", "narrow"},
                                  {"⌽", "5", "reals"},
                                  {"⌽", "5", "letters"},
                                  {"⍉", "", "wide"},
                                  {"⍉", "", "narrow"},
                                  {"⍉", "", "turned"},
                                  {"⍉", "1‿2‿0", "cube"},
                                  {"⍉", "0‿2‿1", "cube"},
                                  {"⍉", "2‿0‿1", "cube"},
                                  {"↕", "2", "reals"},
                                  {"↕", "3", "bytes"},
                                  {"↕", "5", "reals"},
                                  {"»", "", "reals"},
                                  {"«", "0", "numbers"},
                                  {"∾", "reals", "reals"},
                                  {"≍", "reals", "reals"},
                                  {"≡", "reals", "reals÷1"},
                                  {"≡", "numbers", "numbers+0"},
                                  {"≡", "letters", "⌽⌽letters"},
                                  {"⥊", "9000000", "letters"},
                                  {"⥊", "9000000", "1.5"},
                                  {"↑", "9000000", "reals"},
                                  {"1500⊸↑˘", "", "wide"},
                                  {"2‿0⊸⊏˘", "", "narrow"},
                                  {"+`", "", "reals"},
                                  {"+`", "", "numbers"},
                                  {"⌈`", "", "reals"},
                                  {"⌊`", "", "-reals"},
                                  {"+`", "", "wide"},
                                  {"+`", "", "narrow"},
                                  {"⌈`", "", "turned"},
                                  {"+`˘", "", "narrow"},
                                  {"⌈`˘", "", "turned"},
                                  {"+´", "", "reals"},
                                  {"+´", "", "bytes"},
                                  {"⌈´", "", "reals"},
                                  {"⌊´", "", "numbers"},
                                  {"+˝", "", "narrow"},
                                  {"+˝", "", "wide"},
                                  {"+˝", "", "∘‿48⥊reals"},
                                  {"+˝", "", "∘‿192⥊reals"},
                                  {"+´˘", "", "narrow"},
                                  {"•MakeRand 5).Range", "n", "1000"}};
  check_interrupts(lists, std::span(cases).first(std::size(cases) - 1));
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

TEST_CASE("what only moves, folds or scans long arrays gives what indices, or their parts, say") {
  Machinery m;
  // Pieces have 1048576 elements or bytes.
  const std::string made =
      "n←2730035 ⋄ i←↕n ⋄ x←1000003|7919×i ⋄ r←x÷7 ⋄ b←2|⌊x÷5 ⋄ c←100|x ⋄ s←'a'+26|x ⋄ h←300×c ⋄ "
      "all←⟨x,r,b,c,s,h⟩ ⋄ Parts←{⟨1234567↑𝕩,1234567↓𝕩⟩} ⋄ cube←{35‿∘‿77⥊𝕩}¨all ⋄ ";
  for (const char* same : {"∧´{(⌽𝕩)≡((n-1)-i)⊏𝕩}¨all",
                           "∧´{(1234567⌽𝕩)≡∾⌽Parts 𝕩}¨all",
                           "∧´{t←5‿∘⥊𝕩 ⋄ (⥊⍉t)≡(⥊⍉5‿∘⥊i)⊏𝕩}¨all",
                           "∧´{(⍉⍉t)≡t←∘‿7⥊𝕩}¨all",
                           "∧´{(1‿0⍉t)≡⍉t←∘‿2695⥊𝕩}¨all",
                           "∧´∾{d←𝕩 ⋄ {(⥊𝕩⍉d)≡(⥊𝕩⍉35‿∘‿77⥊i)⊏⥊d}¨⟨0‿2‿1,1‿0‿2,1‿2‿0,2‿0‿1,2‿1‿0⟩}¨cube",
                           "∧´{(⌽˘𝕩)≡⍉⌽⍉𝕩}¨{∘‿7⥊𝕩}¨all",
                           "∧´{(3↑˘𝕩)≡⍉3↑⍉𝕩}¨{∘‿7⥊𝕩}¨all",
                           "∧´{(2‿0⊸⊏˘𝕩)≡⍉2‿0⊏⍉𝕩}¨{∘‿7⥊𝕩}¨all",
                           "∧´∾{d←𝕩 ⋄ {(𝕩↕d)≡(𝕩↕i)⊏d}¨2‿3‿4‿5}¨all",
                           "∧´{(5»𝕩)≡5∾¯1↓𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(6000001⥊𝕩)≡6000001↑∾𝕩‿𝕩‿𝕩}¨all",
                           "∧´{(6000001↑𝕩)≡𝕩∾(6000001-n)⥊⊑1↑0↑𝕩}¨all",
                           "∧´{(𝕩≍𝕩)≡2‿n⥊𝕩∾𝕩}¨all",
                           "∧´{¬𝕩≡(¯1↓𝕩)∾⊏𝕩+1}¨⟨x,r,c,h⟩",
                           "∧´{p‿q←Parts 𝕩 ⋄ (+`𝕩)≡u∾(¯1⊑u←+`p)+`q}¨⟨x,r,c,h⟩",
                           "∧´{p‿q←Parts 𝕩 ⋄ (⌈`𝕩)≡u∾(¯1⊑u←⌈`p)⌈`q}¨⟨x,r,c,h⟩",
                           "∧´{p‿q←Parts 𝕩 ⋄ (+´𝕩)≡(+´q)+´p}¨⟨x,r,c,h⟩",
                           "∧´{(+`t)≡⍉+`˘⍉t←∘‿7⥊𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(⌈`t)≡⍉⌈`˘⍉t←∘‿7⥊𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(+`t)≡⍉+`˘⍉t←∘‿2695⥊𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(+`t)≡⍉+`˘⍉t←∘‿35⥊𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(⌊`t)≡⍉⌊`˘⍉t←∘‿35⥊𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(+´˘t)≡+˝⍉t←∘‿7⥊𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(⌈´𝕩)≡(⌈´q)⌈⌈´p⊣p‿q←Parts 𝕩}¨⟨x,r,c,h⟩",
                           "∧´{(⌊´𝕩)≡(⌊´q)⌊⌊´p⊣p‿q←Parts 𝕩}¨⟨x,r,c,h⟩",
                           "∧´∾{t←∘‿𝕩⥊i ⋄ {(+˝t⊏𝕩)≡+´˘⍉t⊏𝕩}¨⟨x,r,c,h⟩}¨1‿5‿7‿35",
                           "∧´{(⌈˝𝕩)≡⌈´˘⍉𝕩}¨{∘‿𝕩⥊17500000⥊c}¨7‿35‿5000",
                           "∧´{(⌊˝𝕩)≡⌊´˘⍉𝕩}¨{∘‿𝕩⥊17500000⥊h-r}¨7‿5000",
                           "∧´{(+˝𝕩)≡+´˘⍉𝕩}¨{∘‿𝕩⥊17500000⥊h}¨7‿5000"}) {
    CAPTURE(same);
    CHECK(m(made + same) == "1");
  }
}
