#include "runtime/system/data/time_zone.h"

#include <doctest/doctest.h>

#include <utility>

#include "runtime/system/data/calendar.h"

using griddle::TimeZone;
using griddle::ZoneRule;

namespace {

std::int64_t at(int year, int month, int day, int hour = 0) {
  return griddle::days_since_1970(year, month, day) * griddle::day_seconds + hour * 3600;
}

std::string big_endian(std::int64_t n, int size) {
  std::string bytes;
  for (int i = size - 1; i >= 0; i--) bytes += static_cast<char>(static_cast<std::uint64_t>(n) >> (8 * i));
  return bytes;
}

// A file of a zone that is at the second offset between two times, and at the first one else.
std::string block(int version, std::int64_t leaps = 0) {
  const int time_size = version == 1 ? 4 : 8;
  std::string bytes = "TZif";
  bytes += version == 1 ? '\0' : static_cast<char>('0' + version);
  bytes += std::string(15, '\0');
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{0}, leaps, std::int64_t{2}, std::int64_t{2}, std::int64_t{4}})
    bytes += big_endian(count, 4);
  bytes += big_endian(-1000, time_size) + big_endian(500'000, time_size);
  bytes += std::string("\1\0", 2);
  bytes += big_endian(600, 4) + std::string(2, '\0') + big_endian(4200, 4) + std::string("\1\0", 2);
  return bytes + std::string("ABC\0", 4) + std::string(static_cast<std::size_t>(leaps * (time_size + 4)), '\0');
}
std::string file(int version, const std::string& footer) {
  if (version == 1) return block(1);
  std::string first = block(1);
  first[4] = static_cast<char>('0' + version);
  return first + block(version) + "\n" + footer + "\n";
}

}  // namespace

TEST_CASE("files say when clocks were changed, in every version") {
  for (const int version : {1, 2, 3, 4}) {
    CAPTURE(version);
    const auto zone = TimeZone::parse(file(version, ""));
    REQUIRE(zone);
    for (const auto& [time, offset] :
         {std::pair{-100'000, 600}, {-1001, 600}, {-1000, 4200}, {499'999, 4200}, {500'000, 600}, {1 << 30, 600}})
      CHECK(zone->offset_at(time) == offset);
  }
  const auto zone = TimeZone::parse(file(2, "ABC-1"));
  REQUIRE(zone);
  CHECK(zone->offset_at(499'999) == 4200);
  CHECK(zone->offset_at(500'000) == 3600);
}

TEST_CASE("what clocks show twice is the first time, and what they leave out is before the change") {
  const auto zone = TimeZone::parse(file(1, ""));
  REQUIRE(zone);
  CHECK(zone->offset_at_local(-1000 + 599) == 600);
  CHECK(zone->offset_at_local(-1000 + 601) == 600);  // left out
  CHECK(zone->offset_at_local(-1000 + 4200) == 4200);
  CHECK(zone->offset_at_local(500'000 + 601) == 4200);  // the first of two
  CHECK(zone->offset_at_local(500'000 + 4200) == 600);
}

TEST_CASE("damaged files are none") {
  const std::string whole = file(2, "CET-1CEST,M3.5.0,M10.5.0/3");
  REQUIRE(TimeZone::parse(whole));
  for (std::size_t length = 0; length < whole.size(); length++) CHECK_FALSE(TimeZone::parse(whole.substr(0, length)));
  CHECK_FALSE(TimeZone::parse(file(2, "CET")));
  CHECK_FALSE(TimeZone::parse(block(1, 1)));
  std::string other = block(1);
  other[44 + 8] = 2;  // a change to a third offset
  CHECK_FALSE(TimeZone::parse(other));
}

TEST_CASE("rules have summers on either side of the equator, and days in three forms") {
  const auto offset = [](const char* text, std::int64_t time) {
    const auto rule = ZoneRule::parse(text);
    REQUIRE(rule);
    return rule->offset_at(time) / 60;
  };
  const char* berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
  CHECK(offset(berlin, at(2024, 3, 31, 1) - 1) == 60);
  CHECK(offset(berlin, at(2024, 3, 31, 1)) == 120);
  CHECK(offset(berlin, at(2024, 10, 27, 1) - 1) == 120);
  CHECK(offset(berlin, at(2024, 10, 27, 1)) == 60);
  const char* sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3";
  CHECK(offset(sydney, at(2024, 1, 1)) == 660);
  CHECK(offset(sydney, at(2024, 7, 1)) == 600);
  CHECK(offset("<-03>3", 0) == -180);
  CHECK(offset("LHST-10:30LHDT-11,M10.1.0,M4.1.0", at(2024, 1, 1)) == 660);
  CHECK(offset("AAA5BBB,J60/0,J61/0", at(2024, 3, 1, 5)) == -240);
  CHECK(offset("AAA5BBB,J60/0,J61/0", at(2024, 3, 1, 5) - 1) == -300);
  CHECK(offset("AAA5BBB,59/0,60/0", at(2024, 2, 29, 5)) == -240);
  CHECK(offset("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", at(2024, 3, 31, 1)) == -60);
  for (const char* text : {"", "A1", "ABC", "ABC1DEF", "ABC1DEF,M3.5.0", "ABC1DEF,M13.1.0,M10.1.0", "ABC1DEF,M3.6.0,M10.1.0",
                           "ABC1DEF,J0,J9", "ABC200", "<>1", "<AB1", "ABC1DEF,1,2x"}) {
    CAPTURE(text);
    CHECK_FALSE(ZoneRule::parse(text));
  }
}

TEST_CASE("names of zones lead nowhere else") {
  for (const char* name : {"UTC", "Europe/Berlin", "Etc/GMT+5", "America/Argentina/Buenos_Aires"})
    CHECK(griddle::names_zone(name));
  for (const char* name : {"", "/etc/passwd", "../x", "Europe/../x", "Europe//Berlin", "Europe/", "a b", "a.b"})
    CHECK_FALSE(griddle::names_zone(name));
  CHECK_FALSE(griddle::read_zone("No/Such_Zone"));
}
