#include "runtime/system/data/calendar.h"

#include <doctest/doctest.h>

using griddle::civil_time;
using griddle::CivilTime;
using griddle::days_since_1970;
using griddle::seconds_of;

TEST_CASE("days are counted from 1970 in both directions") {
  CHECK(days_since_1970(1970, 1, 1) == 0);
  CHECK(days_since_1970(1969, 12, 31) == -1);
  CHECK(days_since_1970(2000, 3, 1) == 11017);
  CHECK(days_since_1970(1900, 3, 1) - days_since_1970(1900, 2, 28) == 1);
  CHECK(days_since_1970(1, 1, 1) == -719162);
}

TEST_CASE("each day is that of its seconds") {
  std::int64_t days = days_since_1970(1896, 1, 1);
  for (int year = 1896; year <= 2104; year++) {
    for (int month = 1; month <= 12; month++) {
      for (int day = 1; day <= griddle::days_of_month(year, month); day++, days++) {
        const CivilTime t = civil_time(static_cast<double>(days * griddle::day_seconds) + 3661.5);
        if (t.year == year && t.month == month && t.day == day && t.hour == 1 && t.minute == 1 && t.second == 1.5 &&
            seconds_of(t) == static_cast<double>(days * griddle::day_seconds) + 3661.5)
          continue;
        FAIL(year, "-", month, "-", day);
      }
    }
  }
}
