// Days and seconds of the calendar of today, in the years 1 to 9999.
#pragma once

#include <cstdint>

namespace griddle {

// Seconds count from the beginning of 1970 in UTC, as those of •UnixTime: each day has 86,400.
inline constexpr std::int64_t day_seconds = 86'400, first_year = 1, last_year = 9999;

constexpr bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
constexpr int days_of_month(std::int64_t year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month - 1] + (month == 2 && is_leap(year));
}
// Gives the days from the first of the year 1 to the first of another one.
constexpr std::int64_t days_before_year(std::int64_t year) {
  const std::int64_t past = year - 1;
  return past * 365 + past / 4 - past / 100 + past / 400;
}
inline constexpr std::int64_t days_before_1970 = days_before_year(1970);
// Gives the days from the beginning of 1970 to a day.
constexpr std::int64_t days_since_1970(std::int64_t year, int month, int day) {
  std::int64_t days = days_before_year(year) - days_before_1970 + day - 1;
  for (int m = 1; m < month; m++) days += days_of_month(year, m);
  return days;
}

struct CivilTime {
  std::int64_t year = 1970;
  int month = 1, day = 1, hour = 0, minute = 0;
  double second = 0;
};
double seconds_of(const CivilTime&);
// `seconds` lie in the years 1 to 9999.
CivilTime civil_time(double seconds);

}  // namespace griddle
