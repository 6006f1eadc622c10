#include "runtime/standard_gaps.h"

#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <bit>

using namespace griddle;

namespace {

std::vector<double> numbers() {
  std::vector<double> all = {0,
                             -0.0,
                             1,
                             -1,
                             0.1,
                             1.5,
                             100,
                             1e15,
                             1e16,
                             123456789012345680000.0,
                             1e21,
                             1e22,
                             1e23,
                             1e300,
                             5e-324,
                             1.7976931348623157e308,
                             0.3,
                             2.0 / 3,
                             1e-5,
                             1e-4,
                             0.0001234,
                             4503599627370496.5,
                             9007199254740993.0};
  std::mt19937_64 random(7);
  for (int i = 0; i < 3000; i++)
    if (const double d = std::bit_cast<double>(random()); std::isfinite(d)) all.push_back(d);
  for (int i = 0; i < 3000; i++) all.push_back(static_cast<double>(random() % 100000) / 1000);
  return all;
}

template <class... Format>
std::string ours(double number, Format... format) {
  char text[2048];
  const auto end = standard_gaps::write_double(text, text + sizeof text, number, format...);
  CHECK(end.ec == std::errc());
  return {text, end.ptr};
}
template <class... Format>
std::string library(double number, Format... format) {
  char text[2048];
  return {text, std::to_chars(text, text + sizeof text, number, format...).ptr};
}

}  // namespace

TEST_CASE("numbers are written as the standard library writes them") {
  for (const double number : numbers()) {
    CAPTURE(number);
    CHECK(ours(number) == library(number));
    CHECK(ours(number, std::chars_format::scientific) == library(number, std::chars_format::scientific));
    CHECK(ours(number, std::chars_format::fixed) == library(number, std::chars_format::fixed));
    for (const int digits : {0, 3, 17}) {
      CHECK(ours(number, std::chars_format::fixed, digits) == library(number, std::chars_format::fixed, digits));
      CHECK(ours(number, std::chars_format::scientific, digits) == library(number, std::chars_format::scientific, digits));
    }
  }
}

TEST_CASE("what has no room is not written") {
  char text[3];
  CHECK(standard_gaps::write_double(text, text + 3, 12345).ec == std::errc::value_too_large);
}

TEST_CASE("numbers are read as the standard library reads them") {
  std::vector<std::string> texts = {"",
                                    "-",
                                    ".",
                                    "1",
                                    "-1.5",
                                    "+1",
                                    " 1",
                                    "1e",
                                    "1e5",
                                    "1e+5x",
                                    "1e-",
                                    ".5",
                                    "5.",
                                    "1..2",
                                    "1e999",
                                    "1e-999",
                                    "0e-999",
                                    "0.000",
                                    "0x10",
                                    "1e5.5",
                                    "abc",
                                    "1,5",
                                    "-0",
                                    "00012",
                                    "123456789012345678901234567890",
                                    std::string(5000, '1'),
                                    "0." + std::string(5000, '0') + "1"};
  for (const double number : numbers()) texts.push_back(library(number));
  for (const std::string& text : texts) {
    CAPTURE(text);
    double got = 7, wanted = 7;
    const auto end = standard_gaps::read_double(text.data(), text.data() + text.size(), got);
    const auto standard = std::from_chars(text.data(), text.data() + text.size(), wanted);
    CHECK(end.ec == standard.ec);
    CHECK(end.ptr - text.data() == standard.ptr - text.data());
    CHECK(std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(wanted));
  }
}
