// Time zones by name, as systems have them in /usr/share/zoneinfo: files in the format of RFC 8536, versions 1 to 4. A file lists
// when clocks were changed, and has a rule for the time after that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace griddle {

// A rule in the form of POSIX, such as CET-1CEST,M3.5.0,M10.5.0/3. Offsets are seconds ahead of UTC.
class ZoneRule {
 public:
  // Gives nothing where a text is no rule.
  static std::optional<ZoneRule> parse(std::string_view text);
  std::int64_t offset_at(std::int64_t seconds) const;

 private:
  friend class RuleParser;
  // A day of each year, and a time on it in seconds.
  struct Change {
    enum class Kind : std::uint8_t { weekday_of_month, day_without_leap_days, day };
    Kind kind = Kind::day;
    int month = 1, week = 1, day = 0;
    std::int64_t time = 7200;
    std::int64_t in_year(std::int64_t year) const;
  };
  std::int64_t standard_ = 0, summer_ = 0;
  bool has_summer_ = false;
  Change begin_, end_;
};

class TimeZone {
 public:
  // Reads the bytes of a file. Gives nothing where they are none of these files, or one that counts leap seconds.
  static std::optional<TimeZone> parse(std::string_view bytes);

  // Gives how many seconds the zone is ahead of UTC at a time.
  std::int64_t offset_at(std::int64_t seconds) const;
  // The same at a time that clocks in the zone show, given as if it were UTC. Of two such times it is the first one; where
  // clocks leave it out, the offset is that before.
  std::int64_t offset_at_local(std::int64_t seconds) const;

 private:
  std::int64_t first_offset_ = 0;
  std::vector<std::int64_t> times_, offsets_;  // of changes, and from then on
  std::optional<ZoneRule> rule_;
};

// Tells whether a name can be that of a zone: words with single slashes between them.
bool names_zone(std::string_view name);
// Reads a zone by its name; nothing where this machine has none of that name.
std::optional<TimeZone> read_zone(const std::string& name);

}  // namespace griddle
