#include "runtime/source/analysis.h"

#include <doctest/doctest.h>

using namespace griddle;

namespace {

std::string piece(const std::string& text, Span s) { return text.substr(s.start, s.end - s.start); }

// Lists the names of a text: how each one stands there, and the byte where what it means is defined.
std::string names_of(const std::string& text) {
  const SourceAnalysis found = analyse(SourceText(text, "test"), {});
  std::string list;
  for (const SourceToken& t : found.tokens) {
    if (t.kind != SourceKind::name) continue;
    constexpr const char* uses[] = {"?", "!", "~", "@", ">"};
    list.append(list.empty() ? "" : " ").append(piece(text, t.span)).append(uses[static_cast<int>(t.use)]);
    if (t.definition != no_definition) list += std::to_string(found.tokens[found.definitions[t.definition].token].span.start);
  }
  return list;
}

// Lists errors, each with the text that is marked.
std::string problems_of(const std::string& text) {
  std::string list;
  for (const TextProblem& p : analyse(SourceText(text, "test"), {}).problems)
    list.append(list.empty() ? "" : "; ").append(p.message).append(" [").append(piece(text, p.span)) += "]";
  return list;
}

// Lists the kinds of tokens, a letter each.
std::string kinds_of(const std::string& text) {
  std::string list;
  for (const SourceToken& t : analyse(SourceText(text, "test"), {}).tokens) list += "#0'nfxspN(;=_.?"[static_cast<int>(t.kind)];
  return list;
}

}  // namespace

TEST_CASE("each name knows its definition, by any spelling") {
  CHECK(names_of("a←1,A_+a") == "a!0 A_@0 a@0");
  CHECK(names_of("a←1,F←{a←𝕩,a},F a") == "a!0 F!6 a!11 a@11 F@6 a@0");
  CHECK(names_of("F←{𝕊b: b+c},c←2") == "F!0 b!9 b@9 c@17 c!17");
  CHECK(names_of("a‿b←1‿2,a+↩b,((b))") == "a!0 b!4 a~0 b@4 b@4");
  CHECK(names_of("a⇐1,b←2,b⇐,⟨c⇐d⟩←•this") == "a!0 b!6 b>6 c!20 d?");
  CHECK(names_of("F←{G x: {G↩𝕏},x}") == "F!0 G!5 x!7 G~5 x@7");
  CHECK(names_of("ns←{a⇐1},ns.a") == "ns!0 a!6 ns@0");
  CHECK(names_of("") == "");
}

TEST_CASE("a definition has its scope, its statement and its block") {
  const std::string text = "# what it does\nF←{\n  a⇐𝕩 # an argument\n  a↩2\n} ⋄ b←3";
  const SourceAnalysis found = analyse(SourceText(text, "test"), {});
  REQUIRE(found.definitions.size() == 3);
  const SourceDefinition &f = found.definitions[0], &a = found.definitions[1], &b = found.definitions[2];
  CHECK(piece(text, f.scope) == text);
  CHECK(piece(text, f.statement).starts_with("F←{"));
  CHECK(piece(text, f.block) == "{\n  a⇐𝕩 # an argument\n  a↩2\n}");
  CHECK(piece(text, a.statement) == "a⇐𝕩");
  CHECK((a.exported && a.changed && !f.exported && !f.changed));
  CHECK(a.scope.start > f.block.start);
  CHECK(piece(text, b.statement) == "b←3");
  CHECK(b.block.end == 0);
}

TEST_CASE("tokens have their kinds, also where there are none") {
  CHECK(kinds_of("a←1‿'x' # rest") == "n=0_'#");
  CHECK(kinds_of("{𝕩.f +´ •Out ·}") == "(x.fppsN(");
  CHECK(kinds_of("1⋄2,3\n4") == "0;0;00");
  CHECK(kinds_of("(1\n,2)") == "(0;0(");
  CHECK(kinds_of("a←\"open\nb€2") == "n='n?0");
  CHECK(kinds_of("𝕩") == "x");
  CHECK(kinds_of(")") == "(");
}

TEST_CASE("what surrounds an error is read all the same") {
  CHECK(names_of("a←1\nb←)\na") == "a!0 b!6 a@0");
  CHECK(names_of("a←1\nF←{𝕩 a 5}\nG←{F 𝕩}") == "a!0 F!6 a? G!21 F@6");
  CHECK(names_of("_m←{𝔽 2 3}\n+_m 4") == "_m!0 _m@0");
  CHECK(names_of("_m_←{(𝔾 2 3)𝔽4}\n+_m_- 4") == "_m_!0 _m_@0");
  CHECK(names_of("F←{\n  x←𝕩\n  x x\n  x+1\n}") == "F!0 x!8 x? x? x@8");
  CHECK(names_of("a←1 2\nF←{𝕩 𝕨)}\nF a") == "a!0 F!8 F@8 a@0");
  CHECK(names_of("F←+ 1 2\n_m←1 2\n_m2_←3 4 5\nF _m _m2_ F") == "F!0 _m!10 _m2_!19 F@0 _m@10 _m2_@19 F@0");
  CHECK(names_of("F←{x←𝕩 𝕩⋄x}\nF 1") == "F!0 x!5 x@5 F@0");
  CHECK(names_of("a←1\na←2 3\na") == "a!0 a? a@0");
  CHECK(names_of("a←\"open\nb←2⋄b") == "a!0 b!10 b@10");
}

TEST_CASE("errors are told one by one, without those that follow from others") {
  CHECK(problems_of("a←1\nb←)\nc←a+d") == "Closing bracket without an opening one [)]");
  CHECK(problems_of("a←1+\nb←a 2\nc←b+d") ==
        "Expected an argument right of the function [+]; Expected a function between two subjects (missing ‿?) [a 2]; Undefined "
        "identifier [d]");
  CHECK(problems_of("F←{\n  𝕩 2 3\n}\nF 4") == "Expected a function between two subjects (missing ‿?) [2 3]");
  CHECK(problems_of("a←€ 1 2\na+b") == "Unknown character: '€' [€]; Undefined identifier [b]");
  CHECK(problems_of("a←1 2\na+1") == "Expected a function between two subjects (missing ‿?) [1 2]");
  CHECK(problems_of("a+b⋄b←1") == "Undefined identifier [a]; Name used before its definition [b]");
  CHECK(problems_of("F←{(1+⋄2}") == "Parentheses may not hold a separator [⋄]");
  CHECK(problems_of("a←(1+2]\nb←c") == "Closing bracket does not match the opening one []]");
  CHECK(problems_of("{") == "Unclosed bracket [{]");
  CHECK(problems_of("a←1⋄a←2⋄a") == "Redefinition [a]");
  CHECK(problems_of("{}") == "Empty body []");
  CHECK(problems_of(std::string(10, '(')).find("Unclosed") == 0);
}

TEST_CASE("very many errors end") {
  std::string text;
  for (int i = 0; i < 1000; i++) text += "a b\n€\n";
  CHECK(analyse(SourceText(text, "test"), {}).problems.size() >= 50);
  CHECK(analyse(SourceText(std::string(100'000, '{'), "test"), {}).problems.size() >= 1);
}
