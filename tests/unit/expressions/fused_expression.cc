#include "runtime/value/fused_expression.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/bytecode/chunk.h"
#include "tests/support/program.h"

using namespace griddle;

namespace {

struct Random {
  std::uint32_t state = 7;
  std::uint32_t below(std::uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 9) % n;
  }
};

// Expressions of the variables a to f, which have one type each, and of numbers.
std::string operand_text(Random& r) {
  const char* atoms[] = {"3", "¯1", "0", "2.5", "100", "70000", "1"};
  return r.below(3) ? std::string(1, static_cast<char>('a' + r.below(6))) : atoms[r.below(7)];
}
std::string expression_text(Random& r, int depth) {
  const char* dyads[] = {"+", "-", "×", "÷", "⌊", "⌈", "|", "<", ">", "=", "≠", "≤", "≥", "∧", "∨", "-˜", "+○-", "-⟜×", "⌊⊸+"};
  const char* monads[] = {"-", "|", "⌊", "⌈", "¬", "÷", "×˜", "(1+2×⊢)", "(⊢-⌊)"};
  if (depth == 0) return operand_text(r);
  const std::string right = expression_text(r, depth - 1);
  if (r.below(4) == 0) return monads[r.below(9)] + right;
  const std::string left = r.below(3) == 0 ? std::string("(").append(expression_text(r, depth - 1)).append(")") : operand_text(r);
  return left + dyads[r.below(19)] + right;
}

// Six lists of n elements, of which piece i has different sizes of numbers: results fit narrow types for some thousands of
// elements, and then no longer. The first argument selects the variant.
const std::string lists =
    "n←20000 ⋄ i←↕n ⋄ h←7001 ⋄ a←2|i ⋄ b←(100|i)-50 ⋄ c←(250|i×7)×1+9×i>h ⋄ d←(i×11)-50000 ⋄ e←(i÷8)-1000 ⋄ "
    "f←(i×3)×1+60000×i>9000 ⋄ ";

// Tells whether two lists of numbers are the same, NaN for NaN.
const std::string same = "Same←{(𝕨≡○≢𝕩)∧∧´(𝕨=𝕩)∨(𝕨≠𝕨)∧𝕩≠𝕩} ⋄ ";

std::size_t fused_instructions(const std::string& program) {
  Machinery m;
  const std::string text = disassemble(*m.code(program));
  std::size_t count = 0;
  for (std::size_t at = text.find("\tfused"); at != std::string::npos; at = text.find("\tfused", at + 1)) count++;
  return count;
}

}  // namespace

TEST_CASE("expressions computed at once give what their pieces give") {
  Machinery m;
  Random r;
  for (int round = 0; round < 400; round++) {
    const std::string text = expression_text(r, 4);
    INFO(text);
    // Plans are made at once for the whole lists, for pieces and few elements when their types come again, and for those between
    // only if one function does two.
    const std::string program = lists + same + "Whole←{a‿b‿c‿d‿e‿f←𝕩 ⋄ n⥊" + text + "} ⋄ Piece←{a‿b‿c‿d‿e‿f←𝕩 ⋄ 500⥊" + text +
                                "} ⋄ Short←{a‿b‿c‿d‿e‿f←𝕩 ⋄ 50⥊" + text + "} ⋄ Few←{a‿b‿c‿d‿e‿f←𝕩 ⋄ 20⥊" + text +
                                "} ⋄ all←a‿b‿c‿d‿e‿f ⋄ " + "all1←Whole all ⋄ all2←∾{k←𝕩 ⋄ Piece {500↑(500×k)↓𝕩}¨all}¨↕40 ⋄ " +
                                "all3←∾{k←𝕩 ⋄ Short {50↑(50×k)↓𝕩}¨all}¨↕400 ⋄ all4←∾{k←𝕩 ⋄ Few {20↑(20×k)↓𝕩}¨all}¨↕1000 ⋄ " +
                                "(all1 Same all2)∧(all1 Same all3)∧all1 Same all4";
    CHECK(m(program) == "1");
  }
}

TEST_CASE("of every few elements expressions give what each element does") {
  Machinery m;
  const std::string same = "Same←{(𝕨≡○≢𝕩)∧∧´⥊𝕨=𝕩} ⋄ ";
  for (const char* text : {"2|1+𝕨×𝕩", "𝕨+𝕩×𝕨-𝕩", "(1+𝕨)⌊𝕩+𝕨≠𝕩", "(𝕨×3)⌈5-𝕩⋆2", "(𝕨>𝕩)∨𝕨<2", "𝕨-32×(2≤𝕩)∧𝕩≤5"}) {
    const std::string f = std::string("{") + text + "}";
    INFO(f);
    for (const char* lists : {"(9|i)", "(i÷4)", "(300×9|i)", "(1e5×9|i)"})
      CHECK(m(same + "F←" + f + " ⋄ ∧´{𝕊n: i←↕n ⋄ x←⌽" + lists + " ⋄ w←" + lists +
              " ⋄ all←{𝕊: w F x}¨↕5 ⋄ each←{(𝕩⊑w)F 𝕩⊑x}¨↕n ⋄ " + "∧´each⊸Same¨all}¨1+↕40") == "1");
  }
  // What does not fit is made anew, and types may change.
  CHECK(m("F←{1+2×𝕩-3} ⋄ {F¨𝕩}⎊\"fails\"⟨1‿2‿3‿4,1‿2‿3‿4,1‿2‿3‿4,100‿120‿127‿1,1‿2‿3‿4,0.5‿1‿2‿3,\"abcd\"⟩") == "\"fails\"");
  CHECK(m("F←{1+2×𝕩-3} ⋄ ⊑¨F¨⟨1‿2‿3‿4,1‿2‿3‿4,1‿2‿3‿4,100‿120‿127‿1,1‿2‿3‿4,0.5‿1‿2‿3⟩") == "⟨ ¯3 ¯3 ¯3 195 ¯3 ¯4 ⟩");
}

TEST_CASE("folds computed at once give what folds of lists give") {
  Machinery m;
  Random r;
  const char* folds[] = {"+´", "⌈´", "⌊´", "(+´÷≠)", "∧´", "∨´"};
  for (int round = 0; round < 400; round++) {
    const std::string text = expression_text(r, 3);
    const std::string fold = folds[r.below(6)];
    INFO(fold, text);
    const std::string program = lists + "t←" + text + " ⋄ s←" + fold + "t ⋄ u←" + fold + text + " ⋄ (s=u)∨(s≠s)∧u≠u";
    // Without a list there is nothing to fold.
    if (text.find_first_of("abcdef") != std::string::npos) CHECK(m(program) == "1");
  }
}

TEST_CASE("lists of other types and other atoms get other plans") {
  Machinery m;
  const std::string upper = "F←{𝕩-32×('a'≤𝕩)∧𝕩≤'z'} ⋄ t←100⥊\"abc, xyz! \" ⋄ u←F¨8⥊<t ⋄ ";
  CHECK(m(upper + "⟨∧´(⊑u)⊸≡¨u, 10↑⊑u⟩") == "⟨ 1 \"ABC, XYZ! \" ⟩");
  CHECK(m(upper + "⊑¨F¨⟨100⥊\"aλ\",t,100⥊\"zλ\",t⟩") == "\"AAZA\"");
  CHECK(m("F←{𝕨+2×𝕨-𝕩} ⋄ {⊑𝕩 F 100⥊1‿2}¨3‿3‿3‿100‿100‿100‿0.5‿0.5‿0.5‿3") == "⟨ 7 7 7 298 298 298 ¯0.5 ¯0.5 ¯0.5 7 ⟩");
  CHECK(m("F←{1+2×3-𝕩⌊4} ⋄ {⊑F 100⥊𝕩}¨¯5‿¯100‿¯5‿¯5‿¯20000‿¯1e9‿¯5‿0.5‿¯5") == "⟨ 17 207 17 17 40007 2000000007 17 6 17 ⟩");
  CHECK(m("F←{+´𝕨×𝕩} ⋄ {𝕩 F 100⥊2}¨(100⥊1)‿(100⥊1)‿(100⥊3)‿(100⥊1000)‿(100⥊0.5)‿(100⥊1)") == "⟨ 200 200 600 200000 100 200 ⟩");
  CHECK(m("F←{𝕨∧¬𝕩∨𝕨≠𝕩} ⋄ {≢𝕩 F 𝕩}¨⟨10‿10⥊1,10‿10⥊1,100⥊1,10‿10⥊1⟩") == "⟨ ⟨ 10 10 ⟩ ⟨ 10 10 ⟩ ⟨ 100 ⟩ ⟨ 10 10 ⟩ ⟩");
  CHECK(m("F←{𝕨-2×𝕨+𝕩} ⋄ G←{(100⥊1)F 𝕩⥊1} ⋄ G¨100‿100‿100 ⋄ G 99").substr(0, 6) == "! Add:");
}

TEST_CASE("tables of all results give what expressions give") {
  Machinery m;
  Random r;
  for (int round = 0; round < 600; round++) {
    // Up to three lists of booleans, or one of bytes; they come again until the plan is a table.
    const char* const lists[] = {"", "x-y", "3×x-z", "99+25×z-2×y", "(@+65)+3×x+z"};
    const std::uint32_t kind = r.below(5), variables = kind == 0 ? 1 + r.below(3) : 1;
    std::string text = expression_text(r, 3);
    for (char& c : text)
      if (c >= 'a' && c <= 'f') c = static_cast<char>('a' + static_cast<std::uint32_t>(c - 'a') % variables);
    const std::string program = "n←" + std::to_string(1 + r.below(200)) +
                                " ⋄ x←n⥊0‿0‿1‿1‿0‿1‿1 ⋄ y←n⥊1‿0‿0 ⋄ z←n⥊0‿1‿1‿1‿0 ⋄ all←" +
                                (kind == 0 ? "x‿y‿z" : "3⥊<" + std::string(lists[kind])) + " ⋄ F←{a‿b‿c←𝕩 ⋄ " + text +
                                "}⎊\"fails\" ⋄ Same←{(𝕨≡○≢𝕩)∧∧´⥊(𝕨=𝕩)∨(𝕨≠𝕨)∧𝕩≠𝕩} ⋄ first←F all ⋄ ∧´{𝕊: first Same F all}¨↕30";
    INFO(program);
    CHECK(m(program) == "1");
  }
}

TEST_CASE("a table does for other elements, too") {
  Machinery m;
  CHECK(m("F←{1+2×3-𝕩⌊4} ⋄ {𝕊: F 20⥊1}¨↕30 ⋄ F 9⥊¯128‿127‿0") == "⟨ 263 ¯1 7 263 ¯1 7 263 ¯1 7 ⟩");
  CHECK(m("F←{𝕩-32×('a'≤𝕩)∧𝕩≤'z'} ⋄ {𝕊: F 20⥊\"ab\"}¨↕30 ⋄ F \"Ünd so weiter\"") == "\"ÜND SO WEITER\"");
  CHECK(m("F←{𝕨∧¬𝕩∨𝕨≠𝕩} ⋄ {𝕊: (20⥊1)F 20⥊0}¨↕30 ⋄ (9⥊0‿0‿1‿1)F 9⥊0‿1") == "⟨ 0 0 0 0 0 0 0 0 0 ⟩");
  CHECK(m("F←{∧´(2≤𝕩)∧𝕩<5} ⋄ F¨⟨20⥊3,20⥊3,20⥊3‿4‿2,20⥊3‿6,9⥊4‿1,1e9+↕20,20⥊2‿4.5,20⥊2‿5.5⟩") == "⟨ 1 1 1 0 0 0 1 0 ⟩");
  CHECK(m("F←{∨´(2≤𝕩)∧𝕩<5} ⋄ F¨⟨20⥊9,20⥊9,20⥊7‿8,20⥊3‿6,9⥊4‿1,1e9+↕20,20⥊1‿4.5,20⥊1‿5.5⟩") == "⟨ 0 0 0 1 1 0 1 0 ⟩");
  CHECK(m("F←{(+´÷≠)(2≤𝕩)∧𝕩<5} ⋄ F¨⟨20⥊3,20⥊3,20⥊3‿9,20⥊3‿6,10⥊4‿1,1e9+↕20,20⥊2‿4.5,20⥊2‿5.5⟩") == "⟨ 1 1 0.5 0.5 0.5 0 1 0.5 ⟩");
  CHECK(m("F←{(+´𝕨∧¬𝕩∨𝕨≠𝕩)∾(∨´𝕨∧¬𝕩∨𝕨≠𝕩)∾∧´𝕨∨¬𝕩∨𝕨≠𝕩} ⋄ {𝕊: (20⥊1)F 20⥊0}¨↕30 ⋄ (9⥊1‿1‿1‿0)F 9⥊1‿1‿1‿0") == "⟨ 0 0 1 ⟩");
  CHECK(m("F←{+´(𝕩>3)∧2|𝕩} ⋄ {𝕊: F 20⥊1}¨↕30 ⋄ F ↕20") == "8");
}

TEST_CASE("tests for a range give what both comparisons give") {
  Machinery m;
  const std::string program =
      "Same←{a‿b←𝕨 ⋄ x←𝕩 ⋄ l1←a≤x ⋄ l2←a<x ⋄ h1←x≤b ⋄ h2←x<b ⋄ ⟨(a≤x)∧x≤b,(x>a)∧b≥x,(x<b)∧x≥a,(a<x)×b>x,(b>x)∧a≤x,(a<x)∧a<x⟩"
      "≡⟨l1∧h1,l2∧h1,h2∧l1,l2×h2,h2∧l1,l2⟩} ⋄ "
      "numbers←13000⊸⥊¨⟨↕2,¯128+↕256,¯32768‿32767‿0∾127×↕200,¯2147483648‿2147483647‿0∾7919×↕300,(÷0)‿(-÷0)‿(0÷0)‿0‿¯0‿0.5∾÷1+"
      "↕99⟩ "
      "⋄ "
      "ends←⟨0,1,¯1,¯128,127,128,¯129,100,32767,¯32768,2147483647,¯2147483648,2147483648,0.5,0.1,÷0,-÷0,0÷0,¯0⟩ ⋄ "
      "texts←13000⊸⥊¨⟨@+↕256,@+65535‿0∾7×↕200,@+1114111‿0∾7919×↕120⟩ ⋄ marks←@+0‿1‿97‿122‿255‿256‿65535‿65536‿1114111 ⋄ "
      "(∧´⥊(⥊⋈⌜˜ends)Same⌜numbers)∧∧´⥊(⥊⋈⌜˜marks)Same⌜texts";
  CHECK(m(program) == "1");
}

TEST_CASE("limits in one pass give what both functions give") {
  Machinery m;
  const std::string program =
      "ends←⟨0,¯0,1,¯1,¯128,127,128,¯1000,32767,70000,¯2147483648,0.5,÷0,-÷0,0÷0⟩ ⋄ Both←{w‿x 𝕊 l: a←w⌊l ⋄ b←l⌈w ⋄ c←l⌊w ⋄ "
      "⟨x⌈a,x⌊b,c⌈x⟩} ⋄ "
      "lists←⟨¯128+↕256,¯32768‿32767‿0∾127×↕200,¯2147483648‿2147483647‿0∾7919×↕300,(÷0)‿(-÷0)‿(0÷0)‿0‿¯0‿0.5∾÷1+↕99⟩ ⋄ "
      "Same←{∧´((÷𝕨)=÷𝕩)∨(𝕨≠𝕨)∧𝕩≠𝕩} ⋄ One←{w‿x 𝕊 l: ⟨x⌈w⌊l,x⌊l⌈w,(l⌊w)⌈x⟩} ⋄ "
      "∧´⥊(⥊⋈⌜˜ends){∧´(𝕨 Both 𝕩)Same¨𝕨 One 𝕩}⌜lists";
  CHECK(m(program) == "1");
  CHECK(m("F←{¯10⌈10⌊𝕩} ⋄ F¨⟨3,50,↕3,100⥊¯20‿20,'a'⟩").substr(0, 2) == "! ");
  CHECK(m("F←{¯10⌈10⌊𝕩} ⋄ F¨⟨3,50,5+3×↕3,9⥊¯20‿20⟩") == "⟨ 3 10 ⟨ 5 8 10 ⟩ ⟨ ¯10 10 ¯10 10 ¯10 10 ¯10 10 ¯10 ⟩ ⟩");
}

TEST_CASE("what comparisons hold for is kept as it is from their results") {
  Machinery m;
  const std::string program =
      "i←↕9000 ⋄ lists←⟨(256|i×7)-128,(65536|i×7919)-32768,(i×477218)-2147483648,(0÷0)‿∞‿¯∞∾(i-500)÷4,2|i⟩ ⋄ "
      "Where←{w𝕊x: ⟨/x<w,/x≤w,/x=w,/x≠w,/x≥w,/w<x⟩} ⋄ Keep←{w𝕊x: ⟨(x<w)/x,(x≤w)/x,(w=x)/x,(w≠x)/x,(w≤x)/x,(x>w)/x⟩} ⋄ "
      "By←{w𝕊x: b←⟨x<w,x≤w,x=w,x≠w,x≥w,x>w⟩ ⋄ ⟨/¨b,b/¨<x⟩} ⋄ Same←{(≡○≢)´𝕨‿𝕩? ∧´(𝕨=𝕩)∨(𝕨≠𝕨)∧𝕩≠𝕩; 0} ⋄ "
      "numbers←⟨0,1,¯1,5,100,127,¯128,128,3000,¯40000,1e9,2.5,∞⟩ ⋄ "
      "lengths←⟨1,15,16,17,64,128,129,200,1000,4096,4097,9000⟩ ⋄ Check←{w‿y: ⟨p,k⟩←w By y ⋄ (∧´p Same¨w Where y)∧∧´k Same¨w Keep "
      "y} ⋄ "
      "∧´{x←𝕩 ⋄ ∧´{y←𝕩↑x ⋄ ∧´{w←𝕩 ⋄ ∧´{𝕊: Check w‿y}¨↕3}¨numbers}¨lengths}¨lists";
  CHECK(m(program) == "1");
  const std::string texts =
      "F←{⟨(𝕩='b')/𝕩,(𝕩≠'b')/𝕩,('c'>𝕩)/𝕩,('c'≤𝕩)/𝕩,/𝕩='b',/𝕩≠'b',/𝕩>'c'⟩} ⋄ G←{b←⟨𝕩='b',𝕩≠'b','c'>𝕩,'c'≤𝕩⟩ ⋄ "
      "(b/¨<𝕩)∾/¨⟨𝕩='b',𝕩≠'b',𝕩>'c'⟩} ⋄ "
      "∧´⥊15‿16‿130‿1000{x←𝕨⥊𝕩 ⋄ ∧´{𝕊: (F≡G)x}¨↕4}⌜⟨\"abcd\",\"bλcd\",\"a😀bÿ\",'b'‿(@+200)⟩";
  CHECK(m(texts) == "1");
  CHECK(m("F←{(𝕩='a')/𝕩} ⋄ ∾F¨4⥊<30⥊\"abc\"") == "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"");
  CHECK(m("F←{(𝕩>2)/𝕩} ⋄ F¨3⥊<6‿6⥊↕36").substr(0, 2) == "! ");
  CHECK(m("F←{(𝕩>2)/𝕩} ⋄ {𝕊: F 30⥊1‿3}¨↕9 ⋄ F 5").substr(0, 2) == "! ");
  CHECK(m("F←{(𝕩>𝕨)/𝕩} ⋄ {𝕊: 2 F 30⥊1‿3}¨↕9 ⋄ (15⥊0‿7)F 15⥊3") == "⟨ 3 3 3 3 3 3 3 3 ⟩");
}

TEST_CASE("errors and their order stay as they are") {
  Machinery m;
  CHECK(m("a←20000⥊1 ⋄ b←19999⥊1 ⋄ 1+2×a-b").substr(0, 11) == "! Subtract:");
  CHECK(m("a←20000⥊'x' ⋄ b←20000⥊1 ⋄ 1+2×b-a").substr(0, 11) == "! Subtract:");
  CHECK(m("a←20000⥊'x' ⋄ 1+2×a+1").substr(0, 11) == "! Multiply:");
  CHECK(m("a←20000⥊1 ⋄ F←{l∾↩1⋄𝕩} ⋄ l←⟨⟩ ⋄ ≠l∾(1+a×F 2)∾l") == "20001");
  CHECK(m("l←⟨⟩ ⋄ F←{l∾↩𝕩 ⋄ 𝕩} ⋄ a←20000⥊'c' ⋄ {𝕊: 1+2×a×F 4}⎊{𝕊: l}@") == "⟨ 4 ⟩");
}

TEST_CASE("variables last until their last reading") {
  Machinery m;
  CHECK(m("{b←1+𝕩×2+𝕩×3+𝕩 ⋄ +´b}20000⥊1") == "140000");
  CHECK(m("{𝕩↩1+𝕩×2+𝕩×3+𝕩 ⋄ 𝕩↩1+𝕩×2+𝕩×3+𝕩 ⋄ ⊑𝕩}20000⥊1") == m("{𝕩↩1+𝕩×2+𝕩×3+𝕩 ⋄ 𝕩↩1+𝕩×2+𝕩×3+𝕩 ⋄ 𝕩}1"));
  CHECK(m("a←20000⥊1 ⋄ F←{s←(+´÷≠)𝕩 ⋄ (+´÷≠)×˜𝕩-s} ⋄ F a") == "0");
  CHECK(m("a←↕20000 ⋄ {(+´÷≠)×˜𝕩-(+´÷≠)𝕩}a") == m("a←↕20000 ⋄ s←(+´÷≠)a ⋄ t←a-s ⋄ t↩t×t ⋄ (+´t)÷≠t"));
}

TEST_CASE("ranges need no memory") {
  Machinery m;
  CHECK(m("n←20000 ⋄ a←n⥊↕10 ⋄ F←{((↕n)=2<𝕩)∧5<𝕩} ⋄ r←↕n ⋄ b←2<a ⋄ c←5<a ⋄ b↩r=b ⋄ (F a)≡b∧c") == "1");
  CHECK(m("+´↕1e8") == "4.99999995e15");
  CHECK(m("n←100000 ⋄ ¯3↑n-1-↕n") == "⟨ 199996 199997 199998 ⟩");
  CHECK(m("n←100000 ⋄ +´7|↕n") == m("n←100000 ⋄ t←7|↕n ⋄ +´t"));
  CHECK(m("+´×˜↕3e5") == m("r←↕3e5 ⋄ t←r×r ⋄ +´t"));
  CHECK(m("+´↕0") == "0");
  CHECK(m("+´∘↕¨0‿1‿5‿1e8") == "⟨ 0 0 10 4.99999995e15 ⟩");
  CHECK(m("⟨⌈´↕1e8,⌊´↕1e8,(+´÷≠)↕1e8⟩") == "⟨ 99999999 0 49999999.5 ⟩");
  CHECK(m("+´∘↕2‿3").substr(0, 7) == "! Fold:");
  CHECK(m("+´2×↕¯1").substr(0, 1) == "!");
  CHECK(m("≢2×↕2000‿1") == "⟨ 2000 1 ⟩");
}

TEST_CASE("sums of integers that grow beyond exact ones are rounded in order") {
  Machinery m;
  CHECK(m("l←2e9+↕4000000 ⋄ (+´l-1)≡0 +´(l-1)∾⟨⟩") == "1");
  CHECK(m("n←6000000 ⋄ r←2147483647-↕n ⋄ r↩r-1 ⋄ (+´2147483646-↕n)≡0 +´r∾⟨⟩") == "1");
}

TEST_CASE("what may be computed at once is compiled so") {
  CHECK(fused_instructions("{1+𝕩×2+𝕩×3+𝕩}") == 1);
  CHECK(fused_instructions("{(+´÷≠)×˜𝕩-(+´÷≠)𝕩}") == 1);
  CHECK(fused_instructions("{+´𝕨×𝕩}") == 1);
  CHECK(fused_instructions("{𝕨+´∘×𝕩}") == 1);
  CHECK(fused_instructions("{𝕨(+´=)𝕩}") == 1);
  CHECK(fused_instructions("{+´𝕩}") == 0);
  CHECK(fused_instructions("{𝕩+1}") == 0);
}
