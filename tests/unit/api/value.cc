#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Interpreter;
using griddle::Kind;
using griddle::Result;

TEST_CASE("values of C++ go in and come out as what they are") {
  Interpreter bqn;
  CHECK(bqn.eval("-")(5)->as<int>() == -5);
  CHECK(bqn.eval("-")(5.5, 2)->as<double>() == 3.5);
  CHECK(bqn.eval("≠")("añ")->as<std::size_t>() == 2);
  CHECK(bqn.eval("⌽")(std::string("abc"))->as<std::string>() == "cba");
  CHECK(bqn.eval("+´")(std::vector<std::int64_t>{1, 2, 3})->number() == 6);
  CHECK(bqn.eval("⌽")(std::vector<std::string>{"a", "bc"})->as<std::vector<std::string>>() ==
        std::vector<std::string>{"bc", "a"});
  CHECK(bqn.eval("≡")(std::vector<std::vector<int>>{{1, 2}, {3}})->as<int>() == 2);
  CHECK(bqn.eval("=⟜2")(std::vector<int>{1, 2})->as<std::vector<bool>>() == std::vector<bool>{false, true});
  CHECK(bqn.eval("5")->as<bool>() == std::nullopt);
  CHECK(bqn.eval("1")->as<bool>() == true);
  CHECK(bqn.eval("'a'")->as<char32_t>() == U'a');
  CHECK(bqn.eval("1.5")->as<int>() == std::nullopt);
  CHECK(bqn.eval("3⋆20")->as<std::int64_t>() == 3486784401);
  CHECK(bqn.make(U'x').character() == U'x');
  CHECK(bqn.make(true).number() == 1);
}

TEST_CASE("modifiers are given operands, values matched, and nothing is harmless") {
  Interpreter bqn;
  const Any each = *bqn.eval("⊑⟨¨⟩"), over = *bqn.eval("⊑⟨○⟩"), sum = *bqn.eval("+´"), length = *bqn.eval("≠");
  CHECK(each.kind() == Kind::modifier1);
  CHECK(over.kind() == Kind::modifier2);
  CHECK(each.derive(length)(*bqn.eval("\"ab\"‿\"c\""))->format() == "⟨ 2 1 ⟩");
  CHECK(over.derive(*bqn.eval("+"), length)("ab", "cde")->number() == 5);
  CHECK(!over.derive(sum));
  CHECK(!each.derive(sum, sum));
  CHECK(!sum.derive(sum));
  CHECK(bqn.list({1, 2}).matches(*bqn.eval("1‿2")));
  CHECK(!bqn.list({1, 2}).matches(*bqn.eval("1‿3")));
  const Any none;
  CHECK(none.kind() == Kind::none);
  CHECK(none.length() == 0);
  CHECK(none.format().empty());
  CHECK(none.shape().empty());
  CHECK(!none.text());
  CHECK(!none.numbers());
  CHECK(!none(none));
  CHECK(!sum(none));
  CHECK(!none.serialise());
  CHECK(!none.source());
  CHECK(!none[0].has_value());
  CHECK(!none.matches(none));
}

TEST_CASE("an interpreter can be moved, and one that is gone fails") {
  Interpreter first;
  CHECK(first.eval_in_session("a←1"));
  Interpreter second(std::move(first));
  CHECK(!first.ok());
  CHECK(!first.eval("1"));
  CHECK(!first.eval_in_session("1"));
  CHECK(!first.number(1).has_value());
  CHECK(!first.text("a").has_value());
  CHECK(first.session_names().empty());
  first.interrupt();
  first.stop();
  first.resume();
  CHECK(first.should_stop());
  CHECK(first.memory_in_use() == 0);
  CHECK(!first.set_deadline(1));
  CHECK(second.eval_in_session("a+1")->number() == 2);
  first = std::move(second);
  CHECK(first.eval_in_session("a+1")->number() == 2);
}
