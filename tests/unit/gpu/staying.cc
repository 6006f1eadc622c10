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

TEST_CASE("a device is opened for what staying has cost, once that is three tenths of what opening takes") {
  Staying staying;
  CHECK(!staying.is_worth_opening(Costs()));
  compute_here(staying, 7);
  CHECK(!staying.is_worth_opening(Costs()));
  compute_here(staying, 5);
  CHECK(staying.is_worth_opening(Costs()));
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
  CHECK(!staying.is_worth_opening(Costs()));
  compute_here(staying, 100);
  CHECK(staying.is_worth_opening(Costs()));
}
