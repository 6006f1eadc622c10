#include "runtime/system/data/decimal.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>
#include <string>

using griddle::Decimal;
using griddle::DecimalForm;

namespace {

// Gives how many bytes the number at the front of a text takes, 0 where none is; with so many bytes behind it in memory.
template <DecimalForm form>
std::size_t decimal_length(const std::string& text, double& number, std::size_t behind) {
  const std::string room = text + std::string(behind, ',');
  Decimal decimal;
  const char* const end = griddle::read_decimal<form>(room.data(), room.data() + room.size(), decimal);
  number = decimal.number;
  return end == nullptr ? 0 : static_cast<std::size_t>(end - room.data());
}

}  // namespace

TEST_CASE("numbers are those of the C library, however near the end of memory they stand") {
  for (const char* text : {"0",
                           "7",
                           "-7",
                           "42",
                           "1234567",
                           "12345678",
                           "123456789",
                           "1234567890123456",
                           "9007199254740993",
                           "18446744073709551616",
                           "0.5",
                           "-0.25",
                           "1.1",
                           "123.456789",
                           "3.1415926535897932",
                           "1234567.1234567",
                           "1234567.12345678",
                           "0.000001",
                           "1e5",
                           "1E5",
                           "1e+5",
                           "1e-5",
                           "12.5e2",
                           "1e22",
                           "1e23",
                           "123456789e-30",
                           "5e-324",
                           "2.2250738585072014e-308",
                           "1.7976931348623157e308",
                           "0.1e1",
                           "100000000000000000000000",
                           "0.00000000000000000000000000000000000001"}) {
    CAPTURE(text);
    for (std::size_t behind = 0; behind < 24; behind++) {
      double json = 0, loose = 0;
      CHECK(decimal_length<DecimalForm::json>(text, json, behind) == std::string_view(text).size());
      CHECK(decimal_length<DecimalForm::loose>(text, loose, behind) == std::string_view(text).size());
      CHECK(json == std::strtod(text, nullptr));
      CHECK(loose == std::strtod(text, nullptr));
    }
  }
}

TEST_CASE("many digits are rounded once, to the nearest double or the even one of two") {
  std::uint64_t state = 1;
  const auto next = [&] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 11;
  };
  const auto is_exact = [](const std::string& text) {
    double json = 0, loose = 0;
    const double wanted = std::strtod(text.c_str(), nullptr);
    return decimal_length<DecimalForm::json>(text, json, 40) == text.size() && json == wanted &&
           decimal_length<DecimalForm::loose>(text, loose, 0) == text.size() && loose == wanted;
  };
  for (int round = 0; round < 20'000; round++) {
    const std::string digits = std::to_string(next()) + std::to_string(next());
    const std::size_t whole = 1 + next() % 9, parts = 1 + next() % 22;
    std::string text =
        digits.substr(0, whole) + "." + std::string(next() % 4 == 0 ? next() % 12 : 0, '0') + digits.substr(9, parts);
    if (next() % 2 == 0) text = "0" + text.substr(text.find('.'));
    CAPTURE(text);
    CHECK(is_exact(text));
    CHECK(is_exact("-" + text + "e-" + std::to_string(next() % 30)));
    // Right between two doubles: an odd number of 54 bits, halved some times.
    const std::uint64_t odd = (std::uint64_t{1} << 53 | next()) | 1;
    const std::string half = std::to_string(odd) + "e0", tie = std::to_string(odd >> 1) + ((odd & 1) != 0 ? ".5" : ".0");
    CAPTURE(odd);
    CHECK(is_exact(half));
    CHECK(is_exact(tie));
    const std::uint64_t quarters = (odd >> 1) * 4 + 2;
    CHECK(is_exact(std::to_string(quarters / 8) + (quarters % 8 == 2 ? ".25" : ".75")));
  }
}

TEST_CASE("what is too large is infinite, and what is too small is zero") {
  double number;
  for (const char* text : {"1e400", "1e99999999999999999999", "123456789012345678901234567890e300"}) {
    CHECK(decimal_length<DecimalForm::json>(text, number, 0) > 0);
    CHECK(number == std::numeric_limits<double>::infinity());
  }
  for (const char* text : {"1e-400", "1e-99999999999999999999", "0.00000000000000000000001e-310", "0e999999999999"}) {
    CHECK(decimal_length<DecimalForm::json>(text, number, 0) > 0);
    CHECK(number == 0);
  }
  const std::string many_zeros = "0." + std::string(400, '0') + "25e401";
  CHECK(decimal_length<DecimalForm::json>(many_zeros, number, 0) == many_zeros.size());
  CHECK(number == 2.5);
}

TEST_CASE("what is no number of a form is refused") {
  double number;
  for (std::size_t behind : {0, 30}) {
    for (const char* text : {"", "-", "007", "-01", "1.e5", "1.", ".5", "+1", "1e", "1e+", "e5", "--1", "x"}) {
      CAPTURE(text);
      CHECK(decimal_length<DecimalForm::json>(text, number, behind) == 0);
    }
    for (const char* text : {"", "-", "+", ".", "007", "1e", "e5", "+-1", "x"}) {
      CAPTURE(text);
      CHECK(decimal_length<DecimalForm::loose>(text, number, behind) == 0);
    }
  }
  CHECK(decimal_length<DecimalForm::loose>("+1.", number, 0) == 3);
  CHECK(number == 1);
  CHECK(decimal_length<DecimalForm::loose>("-.5", number, 0) == 3);
  CHECK(number == -0.5);
}

TEST_CASE("integers beyond those that doubles hold are told") {
  const auto is_large = [](std::string_view text) {
    Decimal decimal;
    CHECK(griddle::read_decimal<DecimalForm::json>(text.data(), text.data() + text.size(), decimal) != nullptr);
    return decimal.is_large;
  };
  CHECK(!is_large("9007199254740992"));
  CHECK(is_large("9007199254740993"));
  CHECK(is_large("-12345678901234567890"));
  CHECK(!is_large("9007199254740993.0"));
  CHECK(!is_large("1e300"));
}

TEST_CASE("digits are read eight at a time") {
  const griddle::FewDigits some = griddle::read_few_digits("123,5678");
  CHECK(some.count == 3);
  CHECK(some.number == 123);
  const griddle::FewDigits all = griddle::read_few_digits("90817263");
  CHECK(all.count == 8);
  CHECK(all.number == 90817263);
  CHECK(griddle::read_few_digits("/2345678").count == 0);
  CHECK(griddle::read_few_digits("1:345678").count == 1);
  CHECK(griddle::read_few_digits("12\xFF\xFF\xFF\xFF\xFF\xFF").count == 2);
}

TEST_CASE("the plain form has zeros in front, and no plus") {
  double number;
  CHECK(decimal_length<DecimalForm::plain>("007", number, 20) == 3);
  CHECK(number == 7);
  CHECK(decimal_length<DecimalForm::plain>("-00.50e1", number, 0) == 8);
  CHECK(number == -5);
  CHECK(decimal_length<DecimalForm::plain>("0000000000000000000000000012", number, 0) == 28);
  CHECK(number == 12);
  CHECK(decimal_length<DecimalForm::plain>("+1", number, 20) == 0);
  CHECK(decimal_length<DecimalForm::plain>(".", number, 20) == 0);
  CHECK(decimal_length<DecimalForm::plain>(".e5", number, 20) == 0);
}
