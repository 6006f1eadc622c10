#include "runtime/source/hint.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "runtime/source/parser.h"

using namespace griddle;

namespace {

constexpr std::array<KnownName, 4> hint_names = {
    {{"•Show", Role::function}, {"•math.Sin", Role::function}, {"•math.Atan", Role::function}, {"Mean", Role::function}}};

// Gives the hint for what the parser says of a program; a word where the program has no error.
std::string hint_of(std::string_view source) {
  const SourceText text{std::string(source), "test"};
  Arena arena;
  try {
    parse(text, arena);
  } catch (const SyntaxError& e) {
    return hint_for(e.message, text.text, e.span, hint_names);
  }
  return "parsed";
}

// Gives the hint for an error at the first place of a text.
std::string hint_at(std::string_view message, std::string_view source, std::string_view marked) {
  const auto at = static_cast<std::uint32_t>(source.find(marked));
  return hint_for(message, source, {at, at + static_cast<std::uint32_t>(marked.size())}, hint_names);
}

}  // namespace

TEST_CASE("hints: undefined names") {
  CHECK(hint_of("lenght←5 ⋄ length+1") == "did you mean lenght?");
  CHECK(hint_of("⟨first,second⟩←1‿2\nfirsd") == "did you mean first?");
  CHECK(hint_of("{value F x: valeu}") == "did you mean value?");
  CHECK(hint_of("Maen 3") == "did you mean Mean?");
  CHECK(hint_of("shwo") == "did you mean •Show?");
  CHECK(hint_of("x=5") == "← gives a name its value: x←5");
  CHECK(hint_of("x <- y") == "← gives a name its value: x←y");
  CHECK(hint_of("x == 5") == "= compares: x=…");
  CHECK(hint_of("a != 5") == "≠ compares: a≠…");
  CHECK(hint_of("a <= 5") == "≤ and ≥ compare: a≤…");
  CHECK(hint_of("x += 1") == "↩ changes a name that has a value: x+↩…");
  CHECK(hint_of("x++") == "↩ changes a name that has a value: x+↩…");
  CHECK(hint_of("true") == "1 is true and 0 is false");
  CHECK(hint_of("1 // comment") == "a comment begins with #");
  CHECK(hint_of("length") == "≠x is the length of x");
  CHECK(hint_of("qqqqqq") == "");
}

TEST_CASE("hints: a function between two subjects") {
  CHECK(hint_of("print \"hello\"") == "•Show x shows a value, •Out \"text\" writes a text");
  CHECK(hint_of("print(\"hello\")") == "•Show x shows a value, •Out \"text\" writes a text");
  CHECK(hint_of("for i in range") == "F¨x calls F with each element of x; ↕n gives the numbers from 0 to n-1");
  CHECK(hint_of("•show 5") == "a function is called by a name with a capital letter: •Show");
  CHECK(hint_of("F←{𝕩} ⋄ f 3") == "a function is called by a name with a capital letter: F");
  CHECK(hint_of("mean 3") == "a function is called by a name with a capital letter: Mean");
  CHECK(hint_of("foo(3)") == "a function's name begins with a capital letter: Foo");
  CHECK(hint_of("list.append(5)") == "a∾b joins lists");
  CHECK(hint_of("list.first(5)") == "a field that is called is named with a capital letter: list.First");
  CHECK(hint_of("⟨1,2⟩[0]") == "i⊑x picks the element at index i, i‿j⊏x selects several");
  CHECK(hint_of("count←3 ⋄ count 5") == "");
  CHECK(hint_of("a[0]") == "i⊑x picks the element at index i, i‿j⊏x selects several");
  CHECK(hint_of("show 3") == "did you mean •Show?");
  CHECK(hint_of("value←3 ⋄ value 5") == "");
  CHECK(hint_of("1 2") == "‿ makes a list: 1‿2");
}

TEST_CASE("hints: roles and names") {
  CHECK(hint_of("inc←{𝕩+1}") == "a function's name begins with a capital letter: Inc");
  CHECK(hint_of("M←{𝔽𝕩}") == "a 1-modifier's name begins with an underscore: _m");
  CHECK(hint_of("m←{𝔽𝔾𝕩}") == "a 2-modifier's name begins and ends with an underscore: _m_");
  CHECK(hint_of("_m_←{𝕩}") == "a function's name begins with a capital letter: M");
  CHECK(hint_of("Foo←5") == "a value's name begins with a small letter: foo");
  CHECK(hint_of("Foo←{5}") == "a block is a function where it holds 𝕩, 𝕨 or 𝕤, or begins with 𝕊: or F:");
}

TEST_CASE("hints: characters, quotes and brackets") {
  CHECK(hint_of("3*4") == "× multiplies, ⋆ raises to a power");
  CHECK(hint_of("1 && 0") == "∧ is and");
  CHECK(hint_of("⍳5") == "↕ gives the numbers below n, ⊐ finds");
  CHECK(hint_of("€") == "");
  CHECK(hint_of("'hello'") == "a string stands between two \": \"hello\"");
  CHECK(hint_of("''") == "a string stands between two \": \"\" is the empty one");
  CHECK(hint_of("'ab") == "a character stands between two ', a string between two \"");
  CHECK(hint_of("s←\"abc\nt←\"def\"\nu←\"") == "the string that begins in line 1 ends in line 2; is a quote missing there?");
  CHECK(hint_of("# \"\nc←'\"' ⋄ s←\"a\"\"b\" ⋄ \"") == "");
  CHECK(hint_of("F(3,4)") == "⟨a, b⟩ is a list; a function takes one or two: F x, w F x");
  CHECK(hint_of("(1+2\n") == "parentheses close in the row where they open; is a ) missing?");
  CHECK(hint_of("x←5;") == "⋄, a comma or the end of a row ends a statement");
  CHECK(hint_of("1 ? 2 : 3") == "{𝕩>3 ? \"more\" ; \"less\"} chooses a body by a condition");
  CHECK(hint_of("1\u00A0+2") == "this is no usual blank, but one of those that texts are set with");
  CHECK(hint_of("x := 5") == "← gives a name its value: x←5");
  CHECK(hint_of("def f(x): x") == "{𝕩+1} is a function, and Name←{𝕩+1} gives it a name");
  CHECK(hint_of("x←5 ⋄ x←6") == "↩ changes the value of a name: x↩…");
  CHECK(hint_of("x←5 ⋄ x↩6") == "parsed");
  CHECK(hint_of("𝕩+1") == "𝕩 stands for something only within {…}, as in {𝕩+1}");
  CHECK(hint_of("0x1F") == "numbers are decimal");
  CHECK(hint_of("1e-3") == "¯ is the sign of a number: 1e¯3");
  CHECK(hint_of("2.5E-12+x") == "¯ is the sign of a number: 2.5E¯12");
  CHECK(hint_of("1e+3") == "a name begins with a letter; × multiplies: 1×e");
  CHECK(hint_of("2k") == "a name begins with a letter; × multiplies: 2×k");
  CHECK(hint_of("1.2.3") == "");
  CHECK(hint_of("F←-1") == "a value's name begins with a small letter: f; a function that has one argument already is -⟜1");
  CHECK(hint_of("F←5") == "a value's name begins with a small letter: f");
  CHECK(hint_of("(⊢-1)4") == "a train ends in a function: ˙ makes one of a value, as in (⊢-1˙)");
}

TEST_CASE("hints: what is found when a program runs") {
  CHECK(hint_at("Add: Expected numbers, or a character and a number (got character and character)", "\"ab\"+\"cd\"", "+") ==
        "∾ joins strings and lists");
  CHECK(hint_at("Add: One shape must begin the other", "1‿2+1‿2‿3", "+") == "");
  CHECK(hint_at("Replicate: 𝕩 must have a rank of at least 1 (got number)", "5/2", "/") == "÷ divides");
  CHECK(hint_at("Replicate: 𝕨 must have one count", "5/2", "/") == "");
  CHECK(hint_at("3", "3 != 4", "!") == "≠ tells whether values differ");
  CHECK(hint_at("Unknown system value •Shw", "•Shw 5", "•Shw") == "did you mean •Show?");
  CHECK(hint_at("Field .sine: The namespace has no such field", "•math.Sine 5", "•math.Sine") == "did you mean •math.Sin?");
  CHECK(hint_at("Field .sine: The namespace has no such field", "n.Sine 5", "n.Sine") == "");
  CHECK(hint_at("Field .length: Expected a namespace (got a number)", "n.length", "n.length") == "≠x is the length of x");
  CHECK(hint_at("Redefinition", "x←1⋄x←2", "x") == "↩ changes the value of a name: x↩…");
}

TEST_CASE("hints: places need not lie in the text") {
  CHECK(hint_for("Undefined identifier", "", {0, 0}) == "");
  CHECK(hint_for("Undefined identifier", "ab", {5, 9}) == "");
  CHECK(hint_for("Unclosed string", "", {3, 1}) == "");
  CHECK(hint_for("Expected ' after one character", "", {0, 0}) == "");
  CHECK(hint_for("Unknown character", "\n*", {1, 2}) == "× multiplies, ⋆ raises to a power");
}

TEST_CASE("hints: any place of any text gives one line, or none") {
  constexpr std::string_view messages[] = {"Undefined identifier",
                                           "Expected a function between two subjects",
                                           "Expected the same role on both sides of an assignment",
                                           "Expected the same role on both sides of an assignment (found subject and function)",
                                           "Unknown character",
                                           "Expected ' after one character",
                                           "Unclosed character literal",
                                           "Unclosed string",
                                           "Parentheses may not hold a separator",
                                           "Only a block may hold",
                                           "Redefinition",
                                           "Special name outside of any block",
                                           "Malformed number",
                                           "Unknown system value",
                                           "Field .",
                                           "Expected a function left of ↩",
                                           "Add: ",
                                           "Replicate: 𝕩 must have a rank",
                                           "Indices: 𝕩 must be a list",
                                           "The block holds special names",
                                           "any other"};
  constexpr std::string_view source = "x←é⟨\"'a'\n//#={(0x 𝕩..•_m_\r\n F x:=y ⋄ __ != 'b \"";
  std::size_t given = 0;
  for (const std::string_view message : messages) {
    for (std::uint32_t start = 0; start <= source.size(); start++) {
      for (std::uint32_t end = start; end <= source.size(); end++) {
        const std::string hint = hint_for(message, source, {start, end}, hint_names);
        REQUIRE(hint.find_first_of("\n\r") == std::string::npos);
        given += !hint.empty();
      }
    }
  }
  CHECK(given > 1000);
}
