#include "runtime/system/data/calendar.h"

#include <cmath>

namespace griddle {

double seconds_of(const CivilTime& t) {
  const std::int64_t days = days_since_1970(t.year, t.month, t.day);
  return static_cast<double>(days * day_seconds + t.hour * 3600 + t.minute * 60) + t.second;
}

CivilTime civil_time(double seconds) {
  double whole = std::floor(seconds), part = seconds - whole;
  // What lies so little before a second that its part is rounded to 1.
  if (part == 1) {
    whole++;
    part = 0;
  }
  const auto count = static_cast<std::int64_t>(whole) + days_before_1970 * day_seconds;
  std::int64_t days = count / day_seconds;
  const auto of_day = static_cast<int>(count % day_seconds);
  CivilTime t;
  // The mean year is a little shorter than 366 days, so that the guess is never too late.
  t.year = days / 366 + 1;
  while (days_before_year(t.year + 1) <= days) t.year++;
  days -= days_before_year(t.year);
  while (days >= days_of_month(t.year, t.month)) days -= days_of_month(t.year, t.month++);
  t.day = static_cast<int>(days) + 1;
  t.hour = of_day / 3600;
  t.minute = of_day / 60 % 60;
  t.second = of_day % 60 + part;
  return t;
}

}  // namespace griddle
