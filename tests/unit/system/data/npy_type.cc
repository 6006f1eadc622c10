#include "runtime/system/data/npy_type.h"

#include <doctest/doctest.h>

#include <cmath>

using griddle::ElementType;
using griddle::half_precision;
using griddle::npy_type;
using griddle::NpyType;

TEST_CASE("names of types say kind, size and order of bytes") {
  const auto is = [](std::string_view name, NpyType::Kind kind, std::size_t size, bool is_swapped) {
    const auto type = npy_type(name);
    return type && type->kind == kind && type->size == size && type->is_swapped == is_swapped;
  };
  CHECK(is("|b1", NpyType::Kind::boolean, 1, false));
  CHECK(is("<i4", NpyType::Kind::integer, 4, false));
  CHECK(is(">i4", NpyType::Kind::integer, 4, true));
  CHECK(is("=u8", NpyType::Kind::natural, 8, false));
  CHECK(is("f2", NpyType::Kind::real, 2, false));
  CHECK(is("|S5", NpyType::Kind::bytes, 5, false));
  CHECK(is(">U5", NpyType::Kind::text, 20, true));
  for (const std::string_view name : {"", "<", "i", "i3", "i16", "f1", "f16", "c8", "O", "|O8", "V4", "<M8[ns]", "b2", "S0", "U",
                                      "i4x", "i-4", "S99999999999999999999"}) {
    CAPTURE(name);
    CHECK(!npy_type(name));
  }
}

TEST_CASE("some types are stored as ours are") {
  CHECK(npy_type("<f8")->same_as() == ElementType::f64);
  CHECK(npy_type(">i2")->same_as() == ElementType::i16);
  CHECK(!npy_type("<u2")->same_as());
  CHECK(!npy_type("<i8")->same_as());
}

TEST_CASE("halves are doubles exactly") {
  CHECK(half_precision(0x3C00) == 1);
  CHECK(half_precision(0xC000) == -2);
  CHECK(half_precision(0x7BFF) == 65504);
  CHECK(half_precision(0x0001) == std::ldexp(1, -24));
  CHECK(half_precision(0x03FF) == std::ldexp(1023, -24));
  CHECK(half_precision(0x0400) == std::ldexp(1, -14));
  CHECK(std::signbit(half_precision(0x8000)));
  CHECK(half_precision(0xFC00) == -HUGE_VAL);
  CHECK(std::isnan(half_precision(0x7E00)));
}
