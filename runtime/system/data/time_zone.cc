#include "runtime/system/data/time_zone.h"

#include <algorithm>

#include "runtime/files.h"
#include "runtime/system/data/calendar.h"
#include "runtime/system/data/decimal.h"

namespace griddle {

// --- rules

class RuleParser {
 public:
  explicit RuleParser(std::string_view text) : text_(text) {}

  bool parse(ZoneRule& rule) {
    // Offsets of POSIX say how far a zone is behind.
    std::int64_t behind = 0;
    if (!name() || !time(behind)) return false;
    rule.standard_ = -behind;
    if (text_.empty()) return true;
    rule.has_summer_ = true;
    rule.summer_ = rule.standard_ + 3600;
    if (!name()) return false;
    if (!text_.empty() && text_[0] != ',') {
      if (!time(behind)) return false;
      rule.summer_ = -behind;
    }
    return take(',') && change(rule.begin_) && take(',') && change(rule.end_) && text_.empty();
  }

 private:
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool name() {
    if (take('<')) {
      const std::size_t end = text_.find('>');
      if (end == text_.npos || end == 0) return false;
      text_.remove_prefix(end + 1);
      return true;
    }
    const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
    const std::size_t before = text_.size();
    while (!text_.empty() && is_letter(text_[0])) text_.remove_prefix(1);
    return before - text_.size() >= 3;
  }
  bool number(int& n, int least, int most) {
    if (text_.empty() || !is_digit(text_[0])) return false;
    for (n = 0; !text_.empty() && is_digit(text_[0]); text_.remove_prefix(1)) n = std::min(n * 10 + (text_[0] - '0'), 10'000);
    return n >= least && n <= most;
  }
  // Reads hours, and perhaps minutes and seconds, up to a week.
  bool time(std::int64_t& seconds) {
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    int hours = 0, minutes = 0, rest = 0;
    if (!number(hours, 0, 167)) return false;
    if (take(':') && !number(minutes, 0, 59)) return false;
    if (take(':') && !number(rest, 0, 59)) return false;
    seconds = hours * 3600 + minutes * 60 + rest;
    if (is_negative) seconds = -seconds;
    return true;
  }
  bool change(ZoneRule::Change& change) {
    using Kind = ZoneRule::Change::Kind;
    bool is_right;
    if (take('M')) {
      change.kind = Kind::weekday_of_month;
      is_right = number(change.month, 1, 12) && take('.') && number(change.week, 1, 5) && take('.') && number(change.day, 0, 6);
    } else if (take('J')) {
      change.kind = Kind::day_without_leap_days;
      is_right = number(change.day, 1, 365);
    } else {
      change.kind = Kind::day;
      is_right = number(change.day, 0, 365);
    }
    return is_right && (!take('/') || time(change.time));
  }

  std::string_view text_;
};

std::optional<ZoneRule> ZoneRule::parse(std::string_view text) {
  ZoneRule rule;
  if (!RuleParser(text).parse(rule)) return std::nullopt;
  return rule;
}

// Gives the time of a change as clocks show it before.
std::int64_t ZoneRule::Change::in_year(std::int64_t year) const {
  std::int64_t days = 0;
  switch (kind) {
    case Kind::weekday_of_month: {
      const std::int64_t first = days_since_1970(year, month, 1);
      constexpr int thursday = 4;  // the first of 1970; the week begins with Sunday
      const auto weekday = static_cast<int>(((first + thursday) % 7 + 7) % 7);
      int of_month = (day - weekday + 7) % 7 + 7 * (week - 1);
      // The fifth is the last one, also where there are four.
      if (of_month >= days_of_month(year, month)) of_month -= 7;
      days = first + of_month;
      break;
    }
    case Kind::day_without_leap_days: {
      constexpr int last_of_february = 59;
      days = days_since_1970(year, 1, 1) + day - 1 + (is_leap(year) && day > last_of_february);
      break;
    }
    case Kind::day: days = days_since_1970(year, 1, 1) + day; break;
  }
  return days * day_seconds + time;
}

std::int64_t ZoneRule::offset_at(std::int64_t seconds) const {
  if (!has_summer_) return standard_;
  constexpr std::int64_t first = (days_before_year(first_year) - days_before_1970) * day_seconds;
  constexpr std::int64_t last = (days_before_year(last_year + 1) - days_before_1970) * day_seconds - 1;
  const std::int64_t year = civil_time(static_cast<double>(std::clamp(seconds + standard_, first, last))).year;
  const std::int64_t begin = begin_.in_year(year) - standard_, end = end_.in_year(year) - summer_;
  // South of the equator summer goes on over the turn of the year.
  const bool is_summer = begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end;
  return is_summer ? summer_ : standard_;
}

// --- files

namespace {

// Reads numbers whose first byte is the highest one.
class FileReader {
 public:
  explicit FileReader(std::string_view bytes) : bytes_(bytes) {}
  bool has(std::size_t n) const { return bytes_.size() >= n; }
  std::string_view take(std::size_t n) {
    const std::string_view taken = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return taken;
  }
  // `size` is 4 or 8.
  std::int64_t number(std::size_t size) {
    std::uint64_t n = 0;
    for (const char c : take(size)) n = n << 8 | static_cast<unsigned char>(c);
    return size == 4 ? static_cast<std::int32_t>(n) : static_cast<std::int64_t>(n);
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

struct ZoneHeader {
  int version = 1;
  std::size_t utc_marks = 0, standard_marks = 0, leaps = 0, times = 0, types = 0, letters = 0;
  // Gives how many bytes follow, where times have so many.
  std::size_t data_bytes(std::size_t time_size) const {
    return times * (time_size + 1) + types * 6 + letters + leaps * (time_size + 4) + standard_marks + utc_marks;
  }
};

bool read_zone_header(FileReader& reader, ZoneHeader& header) {
  constexpr std::size_t header_bytes = 44, unused_bytes = 15;
  if (!reader.has(header_bytes) || reader.take(4) != "TZif") return false;
  const char version = reader.take(1)[0];
  header.version = version == '\0' ? 1 : version - '0';
  reader.take(unused_bytes);
  for (std::size_t* const count :
       {&header.utc_marks, &header.standard_marks, &header.leaps, &header.times, &header.types, &header.letters})
    *count = static_cast<std::uint32_t>(reader.number(4));
  return true;
}

}  // namespace

std::optional<TimeZone> TimeZone::parse(std::string_view bytes) {
  FileReader reader(bytes);
  ZoneHeader header;
  std::size_t time_size = 4;
  if (!read_zone_header(reader, header) || !reader.has(header.data_bytes(time_size))) return std::nullopt;
  if (header.version >= 2) {
    // The same follows with times of 64 bits.
    reader.take(header.data_bytes(time_size));
    time_size = 8;
    if (!read_zone_header(reader, header) || !reader.has(header.data_bytes(time_size))) return std::nullopt;
  }
  if (header.types == 0 || header.leaps != 0) return std::nullopt;
  TimeZone zone;
  for (std::size_t i = 0; i < header.times; i++) zone.times_.push_back(reader.number(time_size));
  if (!std::ranges::is_sorted(zone.times_)) return std::nullopt;
  const std::string_view types = reader.take(header.times);
  std::vector<std::int64_t> offset_of_type;
  for (std::size_t i = 0; i < header.types; i++) {
    offset_of_type.push_back(reader.number(4));
    reader.take(2);  // whether it is summer, and what it is called
  }
  for (const char type : types) {
    const auto number = static_cast<unsigned char>(type);
    if (number >= offset_of_type.size()) return std::nullopt;
    zone.offsets_.push_back(offset_of_type[number]);
  }
  zone.first_offset_ = offset_of_type[0];
  reader.take(header.letters + header.standard_marks + header.utc_marks);
  if (header.version < 2) return zone;
  const std::string_view footer = reader.rest();
  if (footer.size() < 2 || footer[0] != '\n') return std::nullopt;
  const std::size_t end = footer.find('\n', 1);
  if (end == footer.npos) return std::nullopt;
  if (end == 1) return zone;  // no rule is known
  zone.rule_ = ZoneRule::parse(footer.substr(1, end - 1));
  if (!zone.rule_) return std::nullopt;
  return zone;
}

std::int64_t TimeZone::offset_at(std::int64_t seconds) const {
  const auto after = std::ranges::upper_bound(times_, seconds);
  if (after == times_.end() && rule_) return rule_->offset_at(seconds);
  return after == times_.begin() ? first_offset_ : offsets_[static_cast<std::size_t>(after - times_.begin()) - 1];
}

std::int64_t TimeZone::offset_at_local(std::int64_t seconds) const {
  // Zones differ from UTC by less than this, and change less often.
  const std::int64_t before = offset_at(seconds - day_seconds), after = offset_at(seconds + day_seconds);
  if (before == after || offset_at(seconds - before) == before) return before;
  return offset_at(seconds - after) == after ? after : before;
}

bool names_zone(std::string_view name) {
  char last = '/';
  for (const char c : name) {
    const bool is_word = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '-' || c == '+';
    if (!is_word && (c != '/' || last == '/')) return false;
    last = c;
  }
  return last != '/';
}

std::optional<TimeZone> read_zone(const std::string& name) {
  constexpr const char* folders[] = {"/usr/share/zoneinfo/", "/usr/lib/zoneinfo/", "/usr/share/lib/zoneinfo/", "/etc/zoneinfo/"};
  if (!names_zone(name)) return std::nullopt;
  for (const char* const folder : folders) {
    std::string bytes;
    if (read_file(folder + name, bytes)) return TimeZone::parse(bytes);
  }
  return std::nullopt;
}

}  // namespace griddle
