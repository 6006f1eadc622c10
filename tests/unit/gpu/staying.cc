#include "gpu/staying.h"

#include <doctest/doctest.h>

using griddle::Costs;
using griddle::Staying;

namespace {

constexpr std::chrono::milliseconds step(10);

// Lets the host compute for 10 ms as often as that.
void compute_here(Staying& staying, int times, double bytes = 1e9) {
  Staying::Time now{};
  for (int i = 0; i < times; i++) {
    staying.begin(bytes, now);
    now += step;
    staying.end(now, Costs());
  }
}

}  // namespace

TEST_CASE(
    "a device is opened for what staying has cost, once that is half of what opening takes, and used from three tenths on") {
  Staying staying;
  CHECK(!staying.is_worth_opening(Costs()));
  CHECK(!staying.is_worth_moving(Costs()));
  compute_here(staying, 12);
  CHECK(!staying.is_worth_opening(Costs()));
  CHECK(staying.is_worth_moving(Costs()));
  compute_here(staying, 6);
  CHECK(staying.is_worth_opening(Costs()));
}

TEST_CASE("a device is opened for what loops are to lose, and not for what they have lost") {
  const int place = 0;
  const auto loop = [&](double left) { return std::vector<griddle::CountedLoop>{{&place, &place, left}}; };
  // Ten milliseconds a round.
  Staying longer, shorter;
  compute_here(longer, 1);
  CHECK(longer.wants_loops());
  longer.see(loop(100));
  CHECK(!longer.wants_loops());
  CHECK(!longer.is_worth_opening(Costs()));
  compute_here(longer, 1);
  longer.see(loop(100));
  CHECK(longer.is_worth_opening(Costs()));
  longer.see({});
  CHECK(longer.is_worth_opening(Costs()));
  for (int left = 35; left > 0; left--) {
    compute_here(shorter, 1);
    shorter.see(loop(left));
    CHECK(!shorter.is_worth_opening(Costs()));
  }
  shorter.see({});
  CHECK(!shorter.is_worth_opening(Costs()));
  compute_here(shorter, 18);
  CHECK(shorter.is_worth_opening(Costs()));
}

TEST_CASE("what is lost at many places of a program counts as much as there is of it yet") {
  const int program = 0, other = 0;
  // Ten milliseconds at each of so many places; opening takes 0.3 s.
  const auto opens_at = [&](int places) {
    Staying staying;
    for (int place = 1; place <= places; place++) {
      compute_here(staying, 1);
      staying.see({}, {&program, place / static_cast<double>(places)});
      if (staying.is_worth_opening(Costs())) return place;
    }
    return 0;
  };
  CHECK(opens_at(30) == 0);
  CHECK(opens_at(80) >= 15);
  CHECK(opens_at(80) <= 18);
  // At one place, much is lost.
  Staying at_one, line_by_line;
  for (int i = 0; i < 18; i++) {
    compute_here(at_one, 1);
    at_one.see({}, {&program, 0.9});
  }
  CHECK(at_one.is_worth_opening(Costs()));
  // Lines of a session are programs of their own, each of which ends soon.
  for (int i = 0; i < 18; i++) {
    compute_here(line_by_line, 1);
    line_by_line.see({}, {i % 2 == 0 ? &program : &other, 0.9});
  }
  CHECK(line_by_line.is_worth_opening(Costs()));
}

TEST_CASE("a loop that begins anew is another one") {
  const int place = 0;
  Staying staying;
  for (int times = 0; times < 8; times++)
    for (int left = 2; left > 0; left--) {
      compute_here(staying, 1);
      staying.see({{&place, &place, static_cast<double>(left)}});
      CHECK(!staying.is_worth_opening(Costs()));
    }
}

TEST_CASE("little work is not taken for much because time goes by") {
  Staying staying;
  compute_here(staying, 100, 1e4);
  CHECK(!staying.is_worth_opening(Costs()));
}

TEST_CASE("what moves and comes back again and again stays") {
  Staying staying;
  compute_here(staying, 20);
  staying.move();
  CHECK(staying.moves());
  staying.send(1e8, Costs());
  CHECK(!staying.is_in_vain());
  for (int i = 0; i < 20; i++) staying.compute_there(1e8);
  CHECK(!staying.is_in_vain());
  for (int i = 0; i < 20; i++) staying.come_back(1e8, Costs());
  CHECK(staying.is_in_vain());
  staying.stay();
  CHECK(!staying.moves());
  compute_here(staying, 60);
  CHECK(!staying.is_worth_moving(Costs()));
  compute_here(staying, 100);
  CHECK(staying.is_worth_moving(Costs()));
}
