// An interpreter that compares each fast path with the general function.
#include <doctest/doctest.h>

#include <string>

#include "runtime/api/checked_ways.h"
#include "runtime/api/griddle.hpp"
#include "runtime/vm/error.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("an interpreter that checks fast paths counts those that served") {
  Options options;
  options.checked_ways = true;
  Interpreter checked(options), plain;
  CHECK(checked.eval("+´⌽1+↕10").value().number() == 55);
  const std::string taken = checked.taken_ways();
  CHECK(taken.find("⌽ (Reverse), list\t1\n") != std::string::npos);
  CHECK(taken.find("+ (Add), atom and array\t1\n") != std::string::npos);
  CHECK(taken.find("⌽ (Reverse), table\t0\n") != std::string::npos);
  CHECK(plain.taken_ways().empty());
}

namespace {

std::uint64_t seven(Context&, std::uint64_t, RecentMonad&) { return Value(7).bits(); }
std::uint64_t seven_of_two(Context&, std::uint64_t, std::uint64_t, RecentDyad&) { return Value(7).bits(); }
std::uint64_t nothing(Context&, std::uint64_t, MonadCall) { return Value::absent_bits; }
std::uint64_t nothing_of_two(Context&, std::uint64_t, std::uint64_t, DyadCall) { return Value::absent_bits; }
constexpr MonadWay wrong[] = {{"wrong", seven}};
constexpr DyadWay wrong_of_two[] = {{"wrong", seven_of_two}};
constexpr MonadWays wrong_ways{nothing, wrong};
constexpr DyadWays wrong_ways_of_two{nothing_of_two, wrong_of_two};

std::string message_of(Context& cx, auto call) {
  try {
    Value::from_bits(call());
  } catch (const Error& error) {
    return to_utf8(error.message.array());
  }
  return std::string(display_text(cx, Value()));
}

}  // namespace

TEST_CASE("a way that differs from the general one fails, and what was given is released") {
  Machinery machine;
  Context& cx = machine.cx;
  PrimitiveFunctionEntry entry = entry_of(Glyph::rotate);
  entry.monad_ways = &wrong_ways;
  entry.dyad_ways = &wrong_ways_of_two;
  CheckedWays checked;
  const Value x = make_string(cx.heap, "abc");
  CHECK(message_of(cx, [&] { return checked.monad(cx, entry, Value(x).leak(), {.gives_x = true}); }) ==
        "⌽ (Reverse), wrong: gives 7, where the general way gives \"cba\"");
  CHECK(message_of(cx, [&] { return checked.dyad(cx, entry, Value(1).bits(), Value(x).leak(), {.given = given_both}); }) ==
        "⌽ (Rotate), wrong: gives 7, where the general way gives \"bca\"");
  CHECK(message_of(cx, [&] { return checked.dyad(cx, entry, x.bits(), Value(x).leak(), {.given = given_x}); }) ==
        "⌽ (Rotate), wrong: gives 7, where the general way fails");
  CHECK(x.array().refs == 1);
}
