// Dates and times of day: •date
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "runtime/system/argument.h"
#include "runtime/system/data/decimal.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

// Seconds count from the beginning of 1970 in UTC, as those of •UnixTime: each day has 86,400.
constexpr std::int64_t day_seconds = 86'400, first_year = 1, last_year = 9999;
constexpr int most_offset = 24 * 60 - 1;

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
constexpr std::int64_t days_before_1970 = days_before_year(1970);
constexpr double first_second = -static_cast<double>(days_before_1970 * day_seconds);
constexpr double end_second = static_cast<double>((days_before_year(last_year + 1) - days_before_1970) * day_seconds);

struct CivilTime {
  std::int64_t year = 1970;
  int month = 1, day = 1, hour = 0, minute = 0;
  double second = 0;
};

double seconds_of(const CivilTime& t) {
  std::int64_t days = days_before_year(t.year) - days_before_1970 + t.day - 1;
  for (int month = 1; month < t.month; month++) days += days_of_month(t.year, month);
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

double seconds_argument(Context& cx, const Function& self, const Value& v) {
  const double seconds = number_argument(cx, self, v);
  if (!(seconds >= first_second && seconds < end_second))
    fail_in(cx, self, "𝕩 must lie in the years 1 to 9999 (got " + number_text(seconds) + ")");
  return seconds;
}

// --- from text

class DateReader {
 public:
  DateReader(Context& cx, const Function& self, const std::string& text) : cx_(cx), self_(self), text_(text) {}

  // Reads a date, with a time of day and a zone perhaps.
  double read() {
    CivilTime t;
    t.year = digits(4, first_year, last_year);
    take('-');
    t.month = static_cast<int>(digits(2, 1, 12));
    take('-');
    t.day = static_cast<int>(digits(2, 1, days_of_month(t.year, t.month)));
    if (at_ == text_.size()) return seconds_of(t);
    if (text_[at_] != 'T' && text_[at_] != 't' && text_[at_] != ' ') refuse();
    at_++;
    t.hour = static_cast<int>(digits(2, 0, 23));
    take(':');
    t.minute = static_cast<int>(digits(2, 0, 59));
    if (at_ < text_.size() && text_[at_] == ':') {
      at_++;
      t.second = static_cast<double>(digits(2, 0, 59));
      if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == ',')) t.second += fraction();
    }
    return seconds_of(t) - 60.0 * zone();
  }

 private:
  [[noreturn]] void refuse() {
    fail_in(cx_, self_,
            "𝕩 must be a date such as 2024-02-29, with a time such as T23:59:58.5 and a zone such as Z or +01:00 (got \"" +
                text_ + "\")");
  }
  void take(char c) {
    if (at_ == text_.size() || text_[at_] != c) refuse();
    at_++;
  }
  std::int64_t digits(std::size_t count, std::int64_t least, std::int64_t most) {
    std::int64_t n = 0;
    for (std::size_t k = 0; k < count; k++, at_++) {
      if (at_ == text_.size() || !is_digit(text_[at_])) refuse();
      n = n * 10 + (text_[at_] - '0');
    }
    if (n < least || n > most) refuse();
    return n;
  }
  double fraction() {
    constexpr double most_exact = 1e15;
    at_++;
    if (at_ == text_.size() || !is_digit(text_[at_])) refuse();
    double parts = 0, scale = 1;
    for (; at_ < text_.size() && is_digit(text_[at_]); at_++) {
      if (scale >= most_exact) continue;
      parts = parts * 10 + (text_[at_] - '0');
      scale *= 10;
    }
    return parts / scale;
  }
  // Reads how many minutes the zone is ahead of UTC.
  int zone() {
    if (at_ == text_.size()) return 0;
    const char sign = text_[at_++];
    if (sign == 'Z' || sign == 'z') {
      if (at_ != text_.size()) refuse();
      return 0;
    }
    if (sign != '+' && sign != '-') refuse();
    int minutes = 60 * static_cast<int>(digits(2, 0, 23));
    if (at_ < text_.size()) {
      if (text_[at_] == ':') at_++;
      minutes += static_cast<int>(digits(2, 0, 59));
    }
    if (at_ != text_.size()) refuse();
    return sign == '-' ? -minutes : minutes;
  }

  Context& cx_;
  const Function& self_;
  const std::string& text_;
  std::size_t at_ = 0;
};

Value parse_date(Context& cx, const Function& self, Value x) {
  const std::string text = string_argument(cx, self, x);
  return DateReader(cx, self, text).read();
}

// --- to text

Value date_text(Context& cx, double seconds, const std::string& zone) {
  // Parts of a second finer than a microsecond are more than such a number holds today.
  constexpr double parts_of_second = 1e6;
  double whole = std::floor(seconds);
  auto parts = static_cast<int>(std::round((seconds - whole) * parts_of_second));
  if (parts == static_cast<int>(parts_of_second)) {
    whole++;
    parts = 0;
  }
  const CivilTime t = civil_time(whole);
  char text[64];
  int length = std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", static_cast<int>(t.year), t.month, t.day, t.hour,
                             t.minute, static_cast<int>(t.second));
  if (parts > 0) {
    length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length), ".%06d", parts);
    while (text[length - 1] == '0') length--;
  }
  return make_string(cx.heap, std::string(text, static_cast<std::size_t>(length)) + zone);
}

Value format_date(Context& cx, const Function& self, Value x) { return date_text(cx, seconds_argument(cx, self, x), "Z"); }

Value format_date_with(Context& cx, const Function& self, Value w, Value x) {
  const double offset = number_argument(cx, self, w, "𝕨");
  if (offset != std::trunc(offset) || std::abs(offset) > most_offset)
    fail_in(cx, self, "𝕨 must be a number of minutes from ¯1439 to 1439 (got " + number_text(offset) + ")");
  const double seconds = seconds_argument(cx, self, Value(seconds_argument(cx, self, x) + 60 * offset));
  const int minutes = std::abs(static_cast<int>(offset));
  char zone[16];
  std::snprintf(zone, sizeof zone, "%c%02d:%02d", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
  return date_text(cx, seconds, zone);
}

// --- fields

Value date_fields(Context& cx, const Function& self, Value x) {
  const CivilTime t = civil_time(seconds_argument(cx, self, x));
  const double fields[] = {static_cast<double>(t.year), static_cast<double>(t.month),  static_cast<double>(t.day),
                           static_cast<double>(t.hour), static_cast<double>(t.minute), t.second};
  return make_numbers(cx.heap, std::span<const double>(fields));
}

Value date_of_fields(Context& cx, const Function& self, Value x) {
  const Array& given = list_argument(cx, self, x, "𝕩");
  constexpr std::size_t least_fields = 3, most_fields = 6;
  if (given.length < least_fields || given.length > most_fields)
    fail_in(
        cx, self,
        "𝕩 must be year, month and day, and perhaps hour, minute and second (got " + std::to_string(given.length) + " numbers)");
  double f[most_fields] = {};
  for (std::size_t i = 0; i < given.length; i++) f[i] = number_argument(cx, self, element(given, i), "A field in 𝕩");
  const auto within = [&](std::size_t i, double least, double most, const char* name) {
    if (f[i] == std::trunc(f[i]) && f[i] >= least && f[i] <= most) return static_cast<int>(f[i]);
    fail_in(cx, self,
            std::string("The ") + name + " must be a number from " + number_text(least) + " to " + number_text(most) + " (got " +
                number_text(f[i]) + ")");
  };
  CivilTime t;
  t.year = within(0, first_year, last_year, "year");
  t.month = within(1, 1, 12, "month");
  t.day = within(2, 1, days_of_month(t.year, t.month), "day");
  t.hour = within(3, 0, 23, "hour");
  t.minute = within(4, 0, 59, "minute");
  t.second = f[5];
  if (!(t.second >= 0 && t.second < 60))
    fail_in(cx, self, "The second must be from 0 up to 60 (got " + number_text(t.second) + ")");
  return seconds_of(t);
}

// Gives how many minutes the time zone of the machine is ahead of UTC at some time.
Value local_offset(Context& cx, const Function& self, Value x) {
  const auto seconds = static_cast<time_t>(std::floor(seconds_argument(cx, self, x)));
  tm local = {};
  tzset();
  if (localtime_r(&seconds, &local) == nullptr) fail_in(cx, self, "The time zone of this machine is not known");
  return static_cast<double>(local.tm_gmtoff) / 60;
}

constexpr SystemEntry date_entries[] = {
    function_in_unit("•date.Parse", parse_date),
    function_in_unit("•date.Format", format_date, format_date_with),
    function_in_unit("•date.Fields", date_fields),
    function_in_unit("•date.OfFields", date_of_fields),
    function_in_unit("•date.Offset", local_offset).reaching(Reach::see_environment),
};

}  // namespace

Value date_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, date_entries); }

}  // namespace griddle::system_functions
