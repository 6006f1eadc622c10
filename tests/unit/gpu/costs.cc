#include "gpu/costs.h"

#include <doctest/doctest.h>

using namespace griddle;

TEST_CASE("work goes where it takes less time by the costs") {
  Costs free{0, 0, 0, 0, 0}, dear;
  dear.call = 10;
  const Task sort = order_task(ElementType::i32, 1'000'000, true);
  CHECK(sort.elements == 1'000'000);
  CHECK(sort.device_seconds(free) == 0);
  CHECK(sort.device_seconds(dear) >= 10);
  CHECK(sort.host_seconds > order_task(ElementType::i32, 1'000, true).host_seconds);
  CHECK(range_task(1e6, 3, true).host_seconds > range_task(1e6, 1, false).host_seconds);
  const Task first = product_task(100, 200, 300, 0, true), later = product_task(100, 200, 300, 0, false);
  CHECK(first.host_seconds == later.host_seconds);
  CHECK(first.device_seconds(free) > later.device_seconds(free));
  CHECK(product_task(200, 200, 300, 0, false).host_seconds > first.host_seconds);
  CHECK(search_task(ElementType::f64, 1'000'000, 1'000'000).bytes_up >
        search_task(ElementType::i8, 1'000'000, 1'000'000).bytes_up);
}

TEST_CASE("what opening takes follows what it took, and one that was quick by chance changes little") {
  OpenDevice device;
  Costs costs;
  const auto after = [&](double seconds, int times) {
    device.open_seconds = seconds;
    for (int i = 0; i < times; i++) remember_opening("", device, costs);
    return costs.open;
  };
  costs.open = 0.25;
  CHECK(after(0.13, 1) > 0.2);
  CHECK(after(0.25, 8) > 0.23);
  CHECK(after(0.6, 1) < 0.33);
  CHECK(after(0.13, 12) < 0.14);
}
