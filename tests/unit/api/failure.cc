#include "runtime/api/griddle.h"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the C interface says why there is no value, and where") {
  griddle_failure* why = nullptr;
  griddle_interpreter* bqn = griddle_new(nullptr, &why);
  REQUIRE(bqn != nullptr);
  const griddle_text no_name = griddle_string("");
  const auto text = [](griddle_text t) { return std::string(t.data, t.bytes); };
  CHECK(griddle_eval(bqn, griddle_string("x←1\nx + \"ab\"‿3 + 'c'"), griddle_string("test"), &why).interpreter == nullptr);
  REQUIRE(why != nullptr);
  CHECK(griddle_failure_cause(why) == griddle_error);
  CHECK(griddle_failure_frames(why) == 1);
  griddle_frame frame;
  frame.size = sizeof frame;
  REQUIRE(griddle_failure_frame(why, 0, &frame) == 1);
  CHECK(text(frame.name) == "test");
  CHECK(frame.line == 2);
  CHECK(text(frame.line_text) == "x + \"ab\"‿3 + 'c'");
  CHECK(frame.column < 14);
  CHECK(griddle_failure_frame(why, 1, &frame) == 0);
  // One who knows the first field alone gets no more.
  frame = {};
  frame.size = offsetof(griddle_frame, line_text);
  REQUIRE(griddle_failure_frame(why, 0, &frame) == 1);
  CHECK(frame.line == 0);
  CHECK(text(frame.name) == "test");
  griddle_failure* shared = griddle_share_failure(why);
  griddle_release_failure(why);
  CHECK(text(griddle_failure_report(shared)).starts_with("Error: "));
  griddle_release_failure(shared);

  CHECK(griddle_call({}, {}, &why).interpreter == nullptr);
  CHECK(text(griddle_failure_message(why)).find("needs a function") != std::string::npos);
  griddle_release_failure(why);
  CHECK(griddle_eval(nullptr, no_name, no_name, &why).interpreter == nullptr);
  CHECK(text(griddle_failure_message(why)) == "There is no interpreter");
  griddle_release_failure(why);
  CHECK(griddle_eval(bqn, griddle_string("•Exit 3"), no_name, &why).interpreter == nullptr);
  CHECK(griddle_failure_cause(why) == griddle_exited);
  CHECK(griddle_failure_exit_code(why) == 3);
  griddle_release_failure(why);
  CHECK(griddle_eval(bqn, griddle_string("!1‿2"), no_name, &why).interpreter == nullptr);
  griddle_value value = griddle_failure_value(why);
  CHECK(griddle_length(value) == 2);
  griddle_release(value);
  // A failure may outlive its interpreter.
  griddle_delete(bqn);
  value = griddle_failure_value(why);
  CHECK(griddle_length(value) == 2);
  griddle_release(value);
  griddle_release_failure(why);
  // Nobody has to want to know.
  CHECK(griddle_eval(nullptr, no_name, no_name, nullptr).interpreter == nullptr);
  CHECK(griddle_failure_frames(nullptr) == 0);
  CHECK(griddle_failure_message(nullptr).bytes == 0);
  griddle_release_failure(nullptr);
}

namespace {

// Programs, and where the report of their error has carets.
struct Marked {
  const char *program, *carets;
};
constexpr Marked marked_programs[] = {
    // clang-format off
    {"1‿2‿3+1‿2",
     "     ^"},
    {"\"abc\"×2",
     "     ^"},
    {"5⊑1‿2‿3",
     " ^"},
    {"¯9⊑↕5",
     "  ^"},
    {"5⊏↕3",
     " ^"},
    {"2‿3⊏↕3",
     "   ^"},
    {"x=5",
     "^"},
    {"x <- 5",
     "^"},
    {"3*4",
     " ^"},
    {"3 != 4",
     "  ^"},
    {"1 && 0",
     "  ^"},
    {"'hello'",
     "^^"},
    {"\"hello",
     "^"},
    {"'a",
     "^^"},
    {"(1+2",
     "^"},
    {"{𝕩+1",
     "^"},
    {"(1+2]",
     "^   ^"},
    {"⟨1,2)",
     "^   ^"},
    {"1+2)",
     "   ^"},
    {"inc←{𝕩+1}",
     "^^^^"},
    {"Foo←5",
     "^^^^"},
    {"F←{𝕩} ⋄ f 3",
     "        ^^^"},
    {"_m←{𝕩}",
     "^^^"},
    {"M←{𝔽𝕩}",
     "^^"},
    {"undefinedname",
     "^^^^^^^^^^^^^"},
    {"lenght←5 ⋄ length+1",
     "           ^^^^^^"},
    {"for i in range",
     "      ^^^^^^^^"},
    {"print(\"hello\")",
     "^^^^^^^^^^^^^^"},
    {"•Shw 5",
     "^^^^"},
    {"•math.Sine 3",
     "^^^^^^^^^^"},
    {"x←3 ⋄ x.y",
     "      ^^^"},
    {"{a⇐3}.b",
     "^^^^^^^"},
    {"!0",
     "^"},
    {"\"msg\"!0",
     "     ^"},
    {"!\"text\"",
     "^"},
    {"1÷\"a\"",
     " ^"},
    {"⊑⟨⟩",
     "^"},
    {"↕¯1",
     "^"},
    {"↕1.5",
     "^"},
    {"↕\"a\"",
     "^"},
    {"3⥊⟨⟩",
     " ^"},
    {"2‿3⥊",
     "   ^"},
    {"1 2 3",
     "  ^^^"},
    {"1+",
     " ^"},
    {"+´5",
     "^^"},
    {"+˝5",
     "^^"},
    {">⟨1‿2,3‿4‿5⟩",
     "^"},
    {"1‿2≍1‿2‿3",
     "   ^"},
    {"1‿2∾˘3‿3⥊↕9",
     "   ^^"},
    {"¯1/3",
     "  ^"},
    {"1‿2/3‿4‿5",
     "   ^"},
    {"⊔¯2‿3",
     "^"},
    {"⊏5",
     "^"},
    {"∧5",
     "^"},
    {"⌈⁼5",
     "^^"},
    {"{𝕩}⁼5",
     "^^^^"},
    {"⟨1,2⟩ + ⟨1,2,⟨3,4⟩⟩ + 1‿2",
     "                    ^"},
    {"a‿b←1‿2‿3",
     "^^^"},
    {"⟨a,b⟩←5",
     "^^^^^"},
    {"a‿b←{x⇐1}",
     "^^^"},
    {"x←5 ⋄ x←6",
     "      ^"},
    {"𝕩+1",
     "^"},
    {"3 {𝕊𝕩: 𝕩} 4",
     "  ^^^^^^^"},
    {"0‿1◶⟨+,-⟩ 5",
     "^^^^^^^^^"},
    {"2◶⟨1,2⟩ 5",
     "^^^^^^^"},
    {"\"a\"◶⟨1,2⟩ 5",
     "^^^^^^^^^"},
    {"1⊸⍟\"a\" 5",
     " ^"},
    {"5⍟1.5 3",
     "^^^^^"},
    {"•ParseFloat \"12a\"",
     "^^^^^^^^^^^"},
    {"•BQN 5",
     "^^^^"},
    {"1e",
     "^^"},
    {"3.4.5",
     "^^^^^"},
    {"a←1 ⋄ a↩ ⋄ a",
     "      ^"},
    {"×'a'",
     "^"},
    {"\"ab\"-1‿2‿3",
     "    ^"},
    {"√\"a\"",
     "^"},
    {"(3‿3⥊↕9)+4‿4⥊↕16",
     "        ^"},
    {"m←3‿3⥊↕9 ⋄ 3‿0⊑m",
     "              ^"},
    {"m←3‿3⥊↕9 ⋄ 1‿0‿0⊑m",
     "                ^"},
    {"m←3‿3⥊↕9 ⋄ 5⊏m",
     "            ^"},
    {"l←↕1000 ⋄ l⊑˜1000",
     "           ^"},
    {"2⌽˘5",
     " ^^"},
    {"1‿2‿3⌽↕5",
     "     ^"},
    {"(↕3)↕5",
     "    ^"},
    {"¯1⍉↕5",
     "  ^"},
    {"+⎉\"a\" 5",
     "^^^^^"},
    {"+⚇1.5 5",
     "^^^^^"},
    {"⊢⌾(3⊸⊑) ↕2",
     "^^^^^^^"},
    {"f(3)",
     "^^^^"},
    {"a[0]",
     "^^^^"},
    {"let x = 3",
     "^^^^^"},
    {"x := 5",
     "  ^"},
    {"5%3",
     " ^"},
    {"5/2",
     " ^"},
    {"7 // 2",
     "   ^"},
    {"0x1F",
     "^^^^"},
    {"{𝕊:𝕗}",
     "   ^"},
    {"F←{𝕩 ← 3}",
     "   ^"},
    {"1+2 3×4",
     "  ^^^"},
    {"a←1 ⋄ a+b",
     "        ^"},
    {"+´\"abc\"",
     "^^"},
    {"⟨1,2⟩⊏\"a\"",
     "     ^"},
    {"5 {𝕨⊑𝕩} ↕3",
     "    ^"},
    // clang-format on
};

}  // namespace

TEST_CASE("carets stand under what is wrong, and under nothing else") {
  griddle_interpreter* bqn = griddle_new(nullptr, nullptr);
  REQUIRE(bqn != nullptr);
  for (const Marked& m : marked_programs) {
    griddle_failure* why = nullptr;
    const griddle_value value = griddle_eval(bqn, griddle_string(m.program), griddle_string("test"), &why);
    griddle_release(value);
    CAPTURE(m.program);
    REQUIRE(why != nullptr);
    const griddle_text text = griddle_failure_report(why);
    std::string report(text.data, text.bytes);
    const std::size_t place = report.find("\ntest:1:\n");
    REQUIRE(place != std::string::npos);
    // The row and the one with carets, without their indent.
    const std::size_t row = report.find("\n  ", place + 9) + 3;
    CHECK(report.substr(row, report.find('\n', row) - row) == m.carets);
    griddle_release_failure(why);
  }
  griddle_delete(bqn);
}
