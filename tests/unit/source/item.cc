#include <doctest/doctest.h>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("Literals, lists and strands") {
  check_parsed({
      {"1_000.5e¯2", "10.005000000000001"},
      {"'a'", "'a'"},
      {"'''", "'''"},
      {"'\"'", "'\"'"},
      {"\"\"\"\"", "\"\"\""},
      {"\"a\nb\"", "\"a\nb\""},
      {"1‿2‿3", "#1,2,3"},
      {"⟨,1⋄,2,⟩", "#1,2"},
      {"⟨\n1\n2\r\n⟩", "#1,2"},
      {"⟨⋄⟩", "[]"},
      {"⟨5⟩", "#5"},
      {"[1,2]", "#1,2"},
      {"'a'‿'b'", "c\"ab\""},
      {"⟨1,'a'⟩", "[1 'a']"},
      {"+‿´", "[+ ´]"},
      {"a←1 ⋄ a‿(a)‿⟨a,1‿2⟩", "(a←1) ⋄ [a a [a #1,2]]"},
      {"[1‿2,3‿4]", ">[#1,2 #3,4]"},
      {"1 # ⟨(\"", "1"},
      {"\"#\"", "\"#\""},
      {"•Out_Put", "•output"},
      {"n←1 ⋄ n.a.b_C", "(n←1) ⋄ n.a.bc"},
      {"1.e3", "1.e3"},
  });
  check_parsed({
      {"5.", "! Expected an expression (found .) @ ."},
      {"()", "! Empty parentheses @ ()"},
      {"[]", "! Empty array notation @ []"},
      {"{}", "! Empty body @ "},
      {"", "! Empty program @ "},
      {"# only a comment", "! Empty program @ # only a comment"},
      {"(1⋄2)", "! Parentheses may not hold a separator @ ⋄"},
      {"1‿", "! Expected an expression (found ‿) @ ‿"},
      {"‿1", "! Expected an element left of ‿ @ ‿"},
      {"‿‿2", "! Expected an expression (found ‿) @ ‿"},
      {"1‿‿2", "! Expected an expression (found ‿) @ ‿"},
      {"⟨·⟩", "! Nothing (·) may not be an element @ ·"},
  });
}
