// The front end: which programs are accepted, what tree they give, and where errors point.
#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <string>

#include "runtime/source/diagnostic.h"
#include "runtime/source/number_literal.h"
#include "runtime/source/parser.h"

using namespace griddle;

namespace {

std::string utf8(std::u32string_view text) {
  std::string result;
  for (const char32_t c : text) append_utf8(result, c);
  return result;
}

// Prints trees: (F x), (F w x), [list], >[merge], (left middle right), name^hops and so on.
class Printer {
 public:
  std::string print(const Body& body) {
    std::string result;
    for (const Statement& statement : body.statements) {
      if (!result.empty()) result += " ⋄ ";
      result += print(statement.expression) + (statement.predicate ? "?" : "");
    }
    return result;
  }

  std::string print(const Node* n) {
    if (n == nullptr) return "_";
    switch (n->kind) {
      case NodeKind::number: return number(static_cast<const Number*>(n)->value);
      case NodeKind::character: return "'" + utf8({&static_cast<const Character*>(n)->value, 1}) + "'";
      case NodeKind::string: return "\"" + utf8(static_cast<const String*>(n)->value) + "\"";
      case NodeKind::nothing: return "·";
      case NodeKind::constant_list: {
        const auto& list = *static_cast<const ConstantList*>(n);
        if (list.characters) return "c\"" + utf8(list.text) + "\"";
        std::string result = "#";
        for (const double x : list.numbers) result += (result.size() > 1 ? "," : "") + number(x);
        return result;
      }
      case NodeKind::primitive: return utf8({&static_cast<const Primitive*>(n)->glyph, 1});
      case NodeKind::system: return "•" + std::string(static_cast<const System*>(n)->name);
      case NodeKind::variable: {
        const auto& v = *static_cast<const Variable*>(n);
        return std::string(v.binding->name) + (v.hops != 0 ? "^" + std::to_string(v.hops) : "");
      }
      case NodeKind::special:
        return std::string("𝕨𝕩𝕤𝕗𝕘𝕣").substr(4 * static_cast<std::size_t>(static_cast<const Special*>(n)->name), 4);
      case NodeKind::list: return "[" + elements(n) + "]";
      case NodeKind::merge: return ">[" + elements(n) + "]";
      case NodeKind::field:
        return print(static_cast<const Field*>(n)->object) + "." + std::string(static_cast<const Field*>(n)->name);
      case NodeKind::call: {
        const auto& call = *static_cast<const Call*>(n);
        return "(" + print(call.function) + (call.left ? " " + print(call.left) : "") + " " + print(call.right) + ")";
      }
      case NodeKind::train: {
        const auto& train = *static_cast<const TrainNode*>(n);
        return (train.left ? "fork(" + print(train.left) + " " : "atop(") + print(train.middle) + " " + print(train.right) + ")";
      }
      case NodeKind::derive: {
        const auto& d = *static_cast<const DeriveNode*>(n);
        return print(d.modifier) + "(" + print(d.left) + (d.right ? " " + print(d.right) : "") + ")";
      }
      case NodeKind::block: return block(*static_cast<const BlockExpression*>(n)->block);
      case NodeKind::assign: {
        const auto& a = *static_cast<const Assign*>(n);
        const char* const arrows[] = {"←", "↩", "⇐"};
        return "(" + print(a.target) + arrows[static_cast<int>(a.assign)] + (a.function ? print(a.function) + " " : "") +
               print(a.value) + ")";
      }
      case NodeKind::alias:
        return print(static_cast<const Alias*>(n)->target) + "⇐" + std::string(static_cast<const Alias*>(n)->name);
    }
    return "?";
  }

 private:
  static std::string number(double x) {
    std::ostringstream out;
    out.precision(17);
    out << x;
    return out.str();
  }
  std::string elements(const Node* n) {
    std::string result;
    for (const Node* element : static_cast<const ListNode*>(n)->elements) {
      if (!result.empty()) result += " ";
      result += print(element);
    }
    return result;
  }
  std::string block(const BlockNode& b) {
    const char* const types[] = {"", "f", "m", "c"};
    const char* const cases[] = {"", "1", "2", "12", "u", "uw", "us"};
    std::string result = std::string(types[static_cast<int>(b.type)]) + (b.deferred ? "d" : "") + "{";
    for (const Body* body : b.bodies) {
      if (body != b.bodies[0]) result += ";";
      std::string header = std::string(cases[static_cast<int>(body->body_case)]) + (body->undo_ambivalent ? "*" : "");
      const std::pair<const char*, const Node*> patterns[] = {
          {"w", body->pattern_w}, {"f", body->pattern_f}, {"g", body->pattern_g}, {"x", body->pattern_x}};
      for (const auto& [slot, pattern] : patterns) {
        if (pattern != nullptr) header += std::string(header.empty() ? "" : " ") + slot + "=" + print(pattern);
      }
      if (body->self != nullptr) header.append(header.empty() ? "" : " ").append(body->self->spelling);
      if (!header.empty()) result += header + ": ";
      result += print(*body);
    }
    return result + "}";
  }
};

// Gives the tree, or "message @ marked text".
std::string parsed(std::string_view program) {
  const SourceText source{std::string(program), "test", ""};
  Arena arena;
  try {
    return Printer().print(*parse(source, arena).root);
  } catch (const SyntaxError& e) {
    CHECK(e.span.start <= e.span.end);
    CHECK(e.span.end <= program.size());
    return "! " + e.message + " @ " + std::string(program.substr(e.span.start, e.span.end - e.span.start));
  }
}

struct Case {
  const char* program;
  const char* tree;
};

void check_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    CAPTURE(std::string(c.program));
    CHECK(parsed(c.program) == std::string(c.tree));
  }
}

}  // namespace

TEST_CASE("Number literals have the value that their spelling says") {
  const std::pair<const char*, double> valid[] = {{"0", 0},
                                                  {"12", 12},
                                                  {"¯5", -5},
                                                  {"1_000", 1000},
                                                  {"1_000.5e¯2", 10.005},
                                                  {"πe2", 314.1592653589793},
                                                  {"π", 3.141592653589793},
                                                  {"1e400", INFINITY},
                                                  {"1e¯400", 0},
                                                  {"0e400", 0},
                                                  {"¯∞", -INFINITY},
                                                  {"1e22", 1e22},
                                                  {"9007199254740993", 9007199254740992.0},
                                                  {"0.1", 0.1},
                                                  {"5E2", 500},
                                                  {"123456789012", 123456789012.0}};
  for (const auto& literal : valid) {
    const auto& text = literal.first;
    const auto& value = literal.second;
    CAPTURE(text);
    REQUIRE(parse_number(text).has_value());
    CHECK(*parse_number(text) == value);
  }
  for (const char* text :
       {".5", "5.", "1e+3", "1e-3", "2π", "∞e2", "¯¯5", "3a", "0x1F", "1i2", "1.2.3", "1e", "1e2.5", "¯", "∞1", "π5"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text).has_value());
  }
}

TEST_CASE("Literals, lists and strands") {
  check_all({
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
  check_all({
      {".5", "! Malformed number (.5) @ .5"},
      {"5.", "! Expected an expression (found .) @ ."},
      {"1e+3", "! Malformed number (1e) @ 1e"},
      {"2π", "! Malformed number (2π) @ 2π"},
      {"¯ 5", "! Malformed number (¯) @ ¯"},
      {"_9", "! A name must begin with a letter after its underscores (found _9) @ _9"},
      {"a𝕣", "! 𝕣 may only stand as 𝕣, _𝕣 or _𝕣_ (found a𝕣) @ a𝕣"},
      {"()", "! Empty parentheses @ ()"},
      {"[]", "! Empty array notation @ []"},
      {"{}", "! Empty body @ "},
      {"", "! Empty program @ "},
      {"# only a comment", "! Empty program @ # only a comment"},
      {"(1⋄2)", "! Parentheses may not hold a separator @ ⋄"},
      {"⟨1;2⟩", "! Only a block may hold ; (found outside of braces) @ ;"},
      {"1‿", "! Expected an expression (found ‿) @ ‿"},
      {"‿1", "! Expected an element left of ‿ @ ‿"},
      {"‿‿2", "! Expected an expression (found ‿) @ ‿"},
      {"1‿‿2", "! Expected an expression (found ‿) @ ‿"},
      {"(1", "! Unclosed bracket @ ("},
      {"1)", "! Closing bracket without an opening one @ )"},
      {"(1]", "! Closing bracket does not match the opening one @ ]"},
      {"\"abc", "! Unclosed string @ \""},
      {"'ab'", "! Expected ' after one character @ 'a"},
      {"1$", "! Unknown character: '$' @ $"},
      {"\xEF\xBB\xBF"
       "1",
       "! Unknown character: U+FEFF @ \xEF\xBB\xBF"},
      {"1\xC2\xA0"
       "2",
       "! Unknown character: U+00A0 @ \xC2\xA0"},
      {"\xFF", "! Invalid UTF-8 @ \xFF"},
      {"\"a\xC0\x80\"", "! Invalid UTF-8 in a string @ \xC0"},
      {"•", "! Expected the name of a system value after • (found •) @ •"},
      {"⟨·⟩", "! Nothing (·) may not be an element @ ·"},
  });
}

TEST_CASE("Calls, trains and modifiers bind as the grammar says") {
  check_all({
      {"1-2-3", "(- 1 (- 2 3))"},
      {"- - 3", "(- (- 3))"},
      {"+-×÷", "atop(+ fork(- × ÷))"},
      {"(+´÷≠)1‿2", "(fork(´(+) ÷ ≠) #1,2)"},
      {"(1+⊢)5", "(fork(1 + ⊢) 5)"},
      {"·+-", "atop(+ -)"},
      {"·+·-×", "atop(+ atop(- ×))"},
      {"2-⊸×3", "(⊸(- ×) 2 3)"},
      {"-∘÷¨⌜", "⌜(¨(∘(- ÷)))"},
      {"1⊸-⟜2‿3", "⟜(⊸(1 -) #2,3)"},
      {"·-3", "(- 3)"},
      {"1-· ⋄ 2", "(- 1 ·) ⋄ 2"},
      {"(F ·)-3 ⋄ F←-", "! Name used before its definition @ F"},
      {"(-·)-3", "(- (- ·) 3)"},
      {"+⌾(∘-)", "! Expected a left operand of the modifier @ ∘"},
      {"¨", "¨"},
      {"_m←¨ ⋄ - _m 3", "(m←¨) ⋄ (m(-) 3)"},
      {"F←G←-", "(f←(g←-))"},
  });
  check_all({
      {"1 2", "! Expected a function between two subjects (missing ‿?) @ 1 2"},
      {"(⊢+1)5", "! Expected a function between two subjects (missing ‿?) @ (⊢+1)5"},
      {"F←1+", "! Expected an argument right of the function @ +"},
      {"F←1 2+-", "! Expected a function left of the train (found a subject) @ 1"},
      {"∘-", "! Expected a left operand of the modifier @ ∘"},
      {"-∘", "! Expected a right operand of the 2-modifier @ ∘"},
      {"¨-", "! Expected an operand of the modifier @ ¨"},
      {"·¨3", "! Nothing (·) may not be an operand @ ·"},
      {"-⟜·", "! Nothing (·) may not be an operand @ ·"},
      {"a←·", "! Nothing (·) may not be assigned @ ·"},
      {"·", "! Expected a value at the end (found Nothing) @ ·"},
      {"+F←-", "! The assignment of a function or modifier must be parenthesised here @ F←-"},
      {"f←-", "! Expected the same role on both sides of an assignment (found subject and function) @ f←"},
      {"{-}3", "! Expected a function between two subjects (missing ‿?) @ {-}3"},
  });
}

TEST_CASE("Assignments in every form") {
  check_all({
      {"2+a←3", "(+ 2 (a←3))"},
      {"a←3 ⋄ a-↩", "(a←3) ⋄ (a↩- _)"},
      {"a←3 ⋄ a(-÷)↩ 2", "(a←3) ⋄ (a↩atop(- ÷) 2)"},
      {"a←3 ⋄ a-⟜1↩", "(a←3) ⋄ (a↩⟜(- 1) _)"},
      {"a←3 ⋄ 2×a{𝕩}↩4", "(a←3) ⋄ (× 2 (a↩f{𝕩} 4))"},
      {"a‿·‿b←1‿2‿3", "([a · b]←#1,2,3)"},
      {"⟨a,⟨b⟩⟩←1", "([a [b]]←1)"},
      {"[a,b]←2‿3", "(>[a b]←#2,3)"},
      {"⟨x‿y⇐A_b,c⟩←1", "! Expected the same role on both sides of an alias @ x‿y⇐A_b"},
      {"⟨x‿y⇐a_b,c⟩←1", "([[x y]⇐ab c]←1)"},
      {"((a))←3", "(a←3)"},
      {"A‿b←-‿2 ⋄ A b", "([a b]←[- 2]) ⋄ (a b)"},
      {"·←5", "(·←5)"},
      {"a‿b←1‿2⋄[a,b]⌽↩", "([a b]←#1,2) ⋄ (>[a b]↩⌽ _)"},
      {"{𝕏↩-⋄𝕩}", "f{(𝕩↩-) ⋄ 𝕩}"},
  });
  check_all({
      {"5←3", "! A constant may only be a target in a header @ 5"},
      {"⟨a,1⟩←3", "! A constant may only be a target in a header @ 1"},
      {"n←1⋄n.a↩2", "! Expected a target: a name or a list of targets @ n.a"},
      {"{𝕩←3}", "! A special name may only be changed, by ↩ @ 𝕩"},
      {"a‿·⌽↩", "! Nothing (·) may not be an element @ ·"},
      {"F←-⋄F ¨↩", "! Expected a target left of the function (no assignment of this role) @ F ¨"},
      {"a←", "! Expected a value right of the arrow @ ←"},
      {"←1", "! Expected a target left of the arrow @ ←"},
      {"[a⇐b]←1", "! An alias may only stand in ⟨⟩ @ a⇐b"},
      {"-↩", "! Expected a target left of the function (no assignment of this role) @ -"},
  });
}

TEST_CASE("The kind of a block follows from its special names and headers") {
  check_all({
      {"{3}", "{3}"},
      {"{𝕩}", "f{𝕩}"},
      {"{{𝕩}}", "{f{𝕩}}"},
      {"{𝕗}", "m{𝕗}"},
      {"{𝕗𝕩}", "! Expected a function between two subjects (missing ‿?) @ 𝕗𝕩"},
      {"{𝔽𝕩}", "md{(𝕗 𝕩)}"},
      {"{𝔽𝔾}", "c{atop(𝕗 𝕘)}"},
      {"{𝔽𝔾𝕩}", "cd{(𝕗 (𝕘 𝕩))}"},
      {"{_𝕣}", "m{𝕣}"},
      {"{_𝕣_}", "c{𝕣}"},
      {"{F:3}", "f{F: 3}"},
      {"{𝕊:3}", "f{3}"},
      {"{_m:3}", "m{_m: 3}"},
      {"{_c_:3}", "c{_c_: 3}"},
      {"{x:3}", "{3}"},
      {"{F x:x}", "f{1 x=x F: x}"},
      {"{w F x:w}", "f{2 w=w x=x F: w}"},
      {"{𝕨F x:x}", "f{12 x=x F: x}"},
      {"{3:4;𝕩}", "f{1 x=3: 4;𝕩}"},
      {"{⟨a,'k',[q,·]⟩:a}", "f{1 x=[a 'k' >[q ·]]: a}"},
      {"{1‿2:3}", "f{1 x=#1,2: 3}"},
      {"{[1,2]:3}", "f{1 x=>[1 2]: 3}"},
      {"{·:3}", "f{1: 3}"},
      {"{𝕩:3}", "f{1: 3}"},
      {"{f _m:f}", "m{f=f _m: f}"},
      {"{F _m x:F x}", "md{1 f=f x=x _m: (f x)}"},
      {"{w F _c_ g x:g}", "cd{2 w=w f=f g=g x=x _c_: g}"},
      {"{\n 𝕊 𝕩 \n:\n𝕩\n}", "f{1: 𝕩}"},
      {"{𝕊⁼𝕩:𝕩;𝕩}", "f{u: 𝕩;𝕩}"},
      {"{𝕊⁼:𝕩;𝕩}", "f{u*: 𝕩;𝕩}"},
      {"{𝕨𝕊⁼𝕩:𝕩;𝕩}", "f{uw*: 𝕩;𝕩}"},
      {"{w𝕊⁼𝕩:𝕩;𝕩}", "f{uw w=w: 𝕩;𝕩}"},
      {"{𝕨𝕊˜⁼𝕩:𝕩;𝕩}", "f{us: 𝕩;𝕩}"},
      {"{𝕩;𝕨}", "f{1: 𝕩;2: 𝕨}"},
      {"{𝕩<3?1;𝕩}", "f{(< 𝕩 3)? ⋄ 1;𝕩}"},
      {"{a←𝕩 ⋄ a<3\n?1;𝕩;𝕨}", "f{(a←𝕩) ⋄ (< a 3)? ⋄ 1;1: 𝕩;2: 𝕨}"},
      {"{⇐}", "{(_⇐_)}"},
      {"{𝕊𝕩:𝕨-𝕩}", "f{1: (- 𝕩)}"},
      {"{𝕨-𝕩;𝕨-𝕩}", "f{1: (- 𝕩);2: (- 𝕨 𝕩)}"},
      {"{⟨⟨q⟩⇐ignored⟩⇐⋄q←2}", "{(_⇐_) ⋄ (q←2)}"},
  });
  check_all({
      {"𝕩", "! Special name outside of any block @ 𝕩"},
      {"{𝕊:𝕗}", "! The block holds special names that do not fit its kind @ {𝕊:𝕗}"},
      {"{𝕊:1;_m:2}", "! Expected headers of one kind in a block @ _m:"},
      {"{𝕨:1}", "! Special name at the wrong place in a header @ 𝕨"},
      {"{-:3}", "! A primitive may not stand in a header @ -"},
      {"{_m x:3}", "! Expected the operand left of the modifier in a header @ _m"},
      {"{w F:3}", "! Expected a right argument in a header with a left one @ F"},
      {"{𝕊˜⁼𝕩:3}", "! Expected a left argument in a header with ˜⁼ @ 𝕊"},
      {"{𝕩;𝕩:3}", "! A body without header or condition must come last @ 𝕩:3"},
      {"{𝕩;1;2}", "! At most two bodies without header or condition are allowed @ 2"},
      {"{1;2}", "! Body that is never reached @ 2"},
      {"{x:1;2}", "! Body that is never reached @ 2"},
      {"{𝕩?}", "! Expected a statement after the condition @ 𝕩"},
      {"{?𝕩}", "! Expected a condition before ? @ ?"},
      {"{𝕩;}", "! Empty body @ "},
      {"{·}", "! Expected a value at the end (found Nothing) @ ·"},
      {"{𝕊𝕩:𝕨}", "! Expected a value at the end (found Nothing) @ 𝕨"},
      {"{𝕊𝕩:𝕎𝕩}", "! 𝕎 may not be called in a body for one argument @ 𝕎"},
      {"{3:𝕨↩4}", "! 𝕨 may not be changed in a body for one argument @ 𝕨"},
      {"{o _m:𝕩}", "! Expected arguments in every header of a modifier that has some @ {o _m:𝕩}"},
      {"{a:b:1}", "! A body may have only one header @ :"},
  });
}

TEST_CASE("Names mean the definition that scope and order say") {
  check_all({
      {"a+a←3", "(+ a (a←3))"},
      {"(a←3)+a", "! Name used before its definition @ a"},
      {"⟨a←3,a⟩", "[(a←3) a]"},
      {"a‿(a←3)", "! Name used before its definition @ a"},
      {"a←a", "! Name used before its definition @ a"},
      {"b", "! Undefined identifier @ b"},
      {"{F←{a+𝕩}⋄a←4⋄F 1}", "{(f←f{(+ a^1 𝕩)}) ⋄ (a←4) ⋄ (f 1)}"},
      {"a←1 ⋄ {b←a ⋄ a←2 ⋄ b}", "(a←1) ⋄ {(b←a^1) ⋄ (a←2) ⋄ b}"},
      {"a←1 ⋄ {G←{a} ⋄ a←2 ⋄ G}", "! Expected the same role on both sides of an assignment (found function and subject) @ G←"},
      {"a←1 ⋄ {g←{a} ⋄ a←2 ⋄ g}", "(a←1) ⋄ {(g←{a^1}) ⋄ (a←2) ⋄ g}"},
      {"{{{a}}} ⋄ a←1", "{{{a^3}}} ⋄ (a←1)"},
      {"{𝕩?a←1;a}", "! Undefined identifier @ a"},
      {"{a←𝕩⋄a?1;a}", "! Undefined identifier @ a"},
      {"foo_Bar←1 ⋄ fOOBAR_", "(foobar←1) ⋄ foobar"},
      {"é←1 ⋄ É", "(é←1) ⋄ é"},
      {"a←1⋄A←-", "! Redefinition @ A"},
      {"a‿a←1‿2", "! Redefinition @ a"},
      {"{F F:1}", "! Expected a subject at this place of a header @ F"},
      {"{f F:1}", "! Expected a right argument in a header with a left one @ F"},
      {"{x F x:1}", "! Redefinition @ x"},
      {"{b:b}", "! A block's label may not be used as a name (b) @ b"},
      {"a↩1", "! Undefined identifier @ a"},
      {"{a⇐⋄a←3}", "{(_⇐_) ⋄ (a←3)}"},
      {"a←3⋄{a⇐}", "! Export of a name of an outer scope @ a"},
      {"{a⇐}", "! Export of a name that is not defined @ a"},
  });
}

TEST_CASE("Bindings know who uses them") {
  const SourceText source("a←1 ⋄ b←2 ⋄ F←{F a↩𝕩} ⋄ G←{𝕨 ⋄ c⇐𝕩 ⋄ d←c} ⋄ 1 G b ⋄ H←- ⋄ {𝕨F x: 𝕨 ; w F x: w+𝕨}", "test");
  Arena arena;
  const Body& root = *parse(source, arena).root;
  REQUIRE(root.bindings.size() == 5);
  const Binding &a = *root.bindings[0], &b = *root.bindings[1], &f = *root.bindings[2], &g = *root.bindings[3];
  CHECK(a.captured);
  CHECK(a.changed);
  CHECK_FALSE(b.captured);
  CHECK_FALSE(b.changed);
  CHECK(f.captured);
  REQUIRE(f.block != nullptr);
  CHECK(f.block->label == "F");
  CHECK(f.block->bodies[0]->specials == 1 << static_cast<int>(SpecialName::x));
  CHECK_FALSE(f.block->bodies[0]->has_environment);
  const Body& body = *g.block->bodies[0];
  CHECK(body.has_exports);
  REQUIRE(body.exports.size() == 1);
  CHECK(body.exports[0]->name == "c");
  CHECK(body.exports[0]->captured);
  CHECK_FALSE(body.bindings[1]->captured);
  CHECK(body.has_environment);
  CHECK(body.parent == &root);
  CHECK(body.statements[0].expression->may_be_nothing);
  CHECK(root.bindings[4]->block == nullptr);
  const BlockNode& cases = *static_cast<const BlockExpression*>(root.statements.back().expression)->block;
  CHECK(cases.bodies[0]->statements[0].expression->may_be_nothing);
  CHECK_FALSE(static_cast<const Call*>(cases.bodies[1]->statements[0].expression)->right->may_be_nothing);
}

TEST_CASE("A name that is changed is no constant block") {
  const SourceText source("F←{𝕩} ⋄ {F↩-}", "test");
  Arena arena;
  CHECK(parse(source, arena).root->bindings[0]->block == nullptr);
}

TEST_CASE("Sources share a root scope") {
  RootScope scope;
  const SourceText first("a←1 ⋄ F←{a+b} ⋄ b←2", "1"), bad("c←3 ⋄ d", "2"), second("A←{a} ⋄ c←a", "3");
  Arena arena;
  const auto error_of = [&](const SourceText& source) -> std::string {
    Arena failed;
    try {
      parse(source, failed, scope);
      return "";
    } catch (const SyntaxError& e) {
      return e.message;
    }
  };
  CHECK(error_of(first).substr(0, 17) == "Expected the same");
  CHECK(scope.body()->bindings.empty());
  const SourceText good("a←1 ⋄ f←{a+b} ⋄ b←2", "1");
  CHECK(Printer().print(*parse(good, arena, scope).root) == "(a←1) ⋄ (f←{(+ a^1 b^1)}) ⋄ (b←2)");
  CHECK(error_of(bad) == "Undefined identifier");
  CHECK(error_of(SourceText("c", "x")) == "Undefined identifier");
  REQUIRE(scope.body()->bindings.size() == 3);
  CHECK(error_of(second).substr(0, 17) == "Expected the same");
  Arena other;
  const Program program = parse(SourceText("a←{a} ⋄ c⇐a ⋄ a←5", "3"), other, scope);
  CHECK(program.root == scope.body());
  REQUIRE(scope.body()->bindings.size() == 4);
  CHECK(scope.body()->bindings[3]->name == "c");
  CHECK(scope.body()->bindings[3]->captured);
  CHECK(scope.body()->exports.size() == 1);
  Arena empty;
  CHECK(parse(SourceText("", "4"), empty, scope, {.value_optional = true}).root->statements.empty());
  CHECK(scope.body()->exports.empty());
}

TEST_CASE("Predeclared names come first") {
  const std::string_view names[] = {"w", "x"};
  Arena arena;
  const SourceText source("y←w+x", "test");
  const Body& root = *parse(source, arena, {.predeclared = names}).root;
  REQUIRE(root.bindings.size() == 3);
  CHECK(root.bindings[1]->name == "x");
  CHECK(root.bindings[1]->captured);
}

TEST_CASE("Deep nesting ends in an error") {
  const int depth = 100'000;
  const auto repeated = [](const char* text) {
    std::string result;
    for (int i = 0; i < depth; i++) result += text;
    return result;
  };
  for (const auto& brackets : {std::pair{"(", ")"}, {"⟨", "⟩"}, {"[", "]"}, {"{", "}"}, {"{𝕩:", "}"}, {"(a-", "↩)"}}) {
    const auto& open = brackets.first;
    const auto& close = brackets.second;
    CAPTURE(open);
    CHECK(parsed(repeated(open) + "1" + repeated(close)).substr(0, 18) == "! Nesting too deep");
    CHECK(parsed(repeated(open)).substr(0, 3) == "! U");
  }
  CHECK(parsed(repeated("⟨") + "a" + repeated("⟩") + "←1").substr(0, 18) == "! Nesting too deep");
  Arena arena;
  for (const char* chain : {"-", "1-", "-∘", "·-"}) parse(SourceText(repeated(chain) + (chain[1] ? "-1" : "1"), "test"), arena);
  for (const char* end : {"¨", "∘-", "×÷", "‿1", ".a"})
    parse(SourceText("a←1⋄" + std::string(end[0] == '.' ? "a" : "-") + repeated(end), "test"), arena);
}

TEST_CASE("Damaged programs end in an error or a tree") {
  std::mt19937 random(1);
  const std::string_view pieces[] = {"+", "¨",  "∘",   "𝕩", "𝕨",  "𝔽", "𝕣", "←",  "↩", "⇐",    "(", ")", "{",
                                     "}", "⟨",  "⟩",   "[", "]",  "‿", "·", ".",  "⋄", ";",    ":", "?", "a",
                                     "B", "_m", "_c_", "1", "\"", "'", "#", "\n", " ", "\xE2", "⁼", "˜"};
  for (int i = 0; i < 20'000; i++) {
    std::string program;
    const std::size_t length = random() % 20;
    for (std::size_t j = 0; j < length; j++) program += pieces[random() % std::size(pieces)];
    CAPTURE(program);
    parsed(program);
  }
}

TEST_CASE("Errors show name, line and carets") {
  const SourceText source("a←1\n\tb ← \"é\" + 𝕩xx\r\nc", "dir/x.bqn");
  const auto at = static_cast<std::uint32_t>(source.text.find("𝕩"));
  CHECK(render_place(source, {at, at + 5}) == "dir/x.bqn:2:\n  \tb ← \"é\" + 𝕩xx\n  \t          ^^\n");
  const auto end = static_cast<std::uint32_t>(source.text.size());
  CHECK(render_place(source, {end, end}) == "dir/x.bqn:3:\n  c\n   ^\n");
  CHECK(render_place(SourceText("1+c", ""), {2, 3}) == "at 1+c\n     ^\n");
  const SourceText wide(std::string(1000, '1') + "é$" + std::string(1000, '2'), "w");
  const std::string part = render_place(wide, {1002, 1003});
  CHECK(part == "w:1:\n  …" + std::string(98, '1') + "é$" + std::string(199, '2') + "…\n   " + std::string(99, ' ') + "^\n");
  CHECK(render_error("Bad", source, {0, end}) == "Error: Bad\ndir/x.bqn:1:\n  a←1\n  ^^^\n");
}
