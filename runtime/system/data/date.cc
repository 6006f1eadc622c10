// Dates and times of day: •date
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>

#include "runtime/system/argument.h"
#include "runtime/system/data/calendar.h"
#include "runtime/system/data/decimal.h"
#include "runtime/system/data/time_zone.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

constexpr int most_offset = 24 * 60 - 1;
constexpr double first_second = -static_cast<double>(days_before_1970 * day_seconds);
constexpr double end_second = static_cast<double>((days_before_year(last_year + 1) - days_before_1970) * day_seconds);

double checked_seconds(Context& cx, const Function& self, double seconds) {
  if (!(seconds >= first_second && seconds < end_second))
    fail_in(cx, self, "𝕩 must lie in the years 1 to 9999 (got " + number_text(seconds) + ")");
  return seconds;
}
double seconds_argument(Context& cx, const Function& self, const Value& v) {
  return checked_seconds(cx, self, number_argument(cx, self, v));
}

// --- zones

// What 𝕨 says of the zone: so many minutes ahead of UTC, or the name of a zone of this machine.
class ZoneArgument {
 public:
  ZoneArgument(Context& cx, const Function& self, const Value& w) {
    if (w.is_number()) {
      const double minutes = w.number();
      if (minutes != std::trunc(minutes) || std::abs(minutes) > most_offset)
        fail_in(cx, self, "𝕨 must be a number of minutes from ¯1439 to 1439 (got " + number_text(minutes) + ")");
      fixed_ = static_cast<std::int64_t>(minutes) * 60;
      return;
    }
    const std::string name = string_argument(cx, self, w, "𝕨");
    if (name == "UTC") return;
    // What zones a machine knows is part of its environment.
    if (!values_of(unit_of(self)).permits(Reach::see_environment)) fail_in(cx, self, "This is not permitted in safe mode");
    std::shared_ptr<const TimeZone>& kept = cx.system->time_zones[name];
    if (kept == nullptr) {
      std::optional<TimeZone> zone = read_zone(name);
      if (!zone) {
        cx.system->time_zones.erase(name);
        fail_in(cx, self, "This machine has no time zone of this name (" + name + ")");
      }
      kept = std::make_shared<const TimeZone>(std::move(*zone));
    }
    zone_ = kept;
  }

  // Give how many seconds the zone is ahead of UTC at a time, or at a time that its clocks show.
  std::int64_t offset_at(double seconds) const {
    return zone_ == nullptr ? fixed_ : zone_->offset_at(static_cast<std::int64_t>(std::floor(seconds)));
  }
  std::int64_t offset_at_local(double seconds) const {
    return zone_ == nullptr ? fixed_ : zone_->offset_at_local(static_cast<std::int64_t>(std::floor(seconds)));
  }

 private:
  std::shared_ptr<const TimeZone> zone_;  // null: the offset is fixed
  std::int64_t fixed_ = 0;
};

// --- from text

class DateReader {
 public:
  // `zone` is that of texts which name none.
  DateReader(Context& cx, const Function& self, const std::string& text, const ZoneArgument& zone)
      : cx_(cx), self_(self), text_(text), zone_(zone) {}

  // Reads a date, with a time of day and a zone perhaps.
  double read() {
    CivilTime t;
    t.year = digits(4, first_year, last_year);
    take('-');
    t.month = static_cast<int>(digits(2, 1, 12));
    take('-');
    t.day = static_cast<int>(digits(2, 1, days_of_month(t.year, t.month)));
    if (at_ == text_.size()) return in_zone(t);
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
    return at_ == text_.size() ? in_zone(t) : seconds_of(t) - zone();
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
  double in_zone(const CivilTime& t) const {
    const double local = seconds_of(t);
    return local - static_cast<double>(zone_.offset_at_local(local));
  }
  // Reads how many seconds the zone is ahead of UTC.
  int zone() {
    const char sign = text_[at_++];
    if (sign == 'Z' || sign == 'z') {
      if (at_ != text_.size()) refuse();
      return 0;
    }
    if (sign != '+' && sign != '-') refuse();
    auto seconds = static_cast<int>(3600 * digits(2, 0, 23));
    for (const int unit : {60, 1}) {
      if (at_ == text_.size()) break;
      if (text_[at_] == ':') at_++;
      seconds += static_cast<int>(unit * digits(2, 0, 59));
    }
    if (at_ != text_.size()) refuse();
    return sign == '-' ? -seconds : seconds;
  }

  Context& cx_;
  const Function& self_;
  const std::string& text_;
  const ZoneArgument& zone_;
  std::size_t at_ = 0;
};

Value parse_date_with(Context& cx, const Function& self, Value w, Value x) {
  const ZoneArgument zone(cx, self, w);
  const std::string text = string_argument(cx, self, x);
  return DateReader(cx, self, text, zone).read();
}
Value parse_date(Context& cx, const Function& self, Value x) { return parse_date_with(cx, self, Value(0), std::move(x)); }

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
  const ZoneArgument zone(cx, self, w);
  const double seconds = seconds_argument(cx, self, x);
  const std::int64_t offset = zone.offset_at(seconds), ahead = std::abs(offset);
  const double local = checked_seconds(cx, self, seconds + static_cast<double>(offset));
  char text[32];
  const auto hours = static_cast<int>(ahead / 3600), minutes = static_cast<int>(ahead / 60 % 60),
             rest = static_cast<int>(ahead % 60);
  int length = std::snprintf(text, sizeof text, "%c%02d:%02d", offset < 0 ? '-' : '+', hours, minutes);
  // Before there were zones, places went by the sun.
  if (rest != 0) length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length), ":%02d", rest);
  return date_text(cx, local, std::string(text, static_cast<std::size_t>(length)));
}

// --- fields

Value date_fields_in(Context& cx, const Function& self, Value w, Value x) {
  const ZoneArgument zone(cx, self, w);
  const double seconds = seconds_argument(cx, self, x);
  const CivilTime t = civil_time(checked_seconds(cx, self, seconds + static_cast<double>(zone.offset_at(seconds))));
  const double fields[] = {static_cast<double>(t.year), static_cast<double>(t.month),  static_cast<double>(t.day),
                           static_cast<double>(t.hour), static_cast<double>(t.minute), t.second};
  return make_numbers(cx.heap, std::span<const double>(fields));
}

Value date_fields(Context& cx, const Function& self, Value x) { return date_fields_in(cx, self, Value(0), std::move(x)); }

Value date_of_fields_in(Context& cx, const Function& self, Value w, Value x) {
  const ZoneArgument zone(cx, self, w);
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
  const double local = seconds_of(t);
  return local - static_cast<double>(zone.offset_at_local(local));
}
Value date_of_fields(Context& cx, const Function& self, Value x) { return date_of_fields_in(cx, self, Value(0), std::move(x)); }

Value offset_of_zone(Context& cx, const Function& self, Value w, Value x) {
  const ZoneArgument zone(cx, self, w);
  return static_cast<double>(zone.offset_at(seconds_argument(cx, self, x))) / 60;
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
    function_in_unit("•date.Parse", parse_date, parse_date_with),
    function_in_unit("•date.Format", format_date, format_date_with),
    function_in_unit("•date.Fields", date_fields, date_fields_in),
    function_in_unit("•date.OfFields", date_of_fields, date_of_fields_in),
    function_in_unit("•date.Offset", local_offset, offset_of_zone).reaching(Reach::see_environment),
};

}  // namespace

Value date_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, date_entries); }

}  // namespace griddle::system_functions
