#include "primitives/common/tuning.h"

#include <doctest/doctest.h>

#include <string>

#include "primitives/kernels/shared/processor.h"
#include "tests/support/house.h"

using namespace griddle;
using primitives::ChipFamily;

TEST_CASE("each instruction set belongs to a chip family") {
  for (const char* name : {"SSE4", "AVX2", "SCALAR"}) CHECK(primitives::chip_family(name) == ChipFamily::avx2);
  for (const char* name : {"AVX3", "AVX3_DL", "AVX3_ZEN4", "AVX10_2"}) CHECK(primitives::chip_family(name) == ChipFamily::avx512);
  for (const char* name : {"NEON", "NEON_BF16", "SVE2_128"}) CHECK(primitives::chip_family(name) == ChipFamily::neon);
}

TEST_CASE("interpreters run with the constants of the instruction set that kernels chose") {
  const griddle::testing::House house;
  const auto family = static_cast<std::size_t>(primitives::chip_family(kernels::instruction_sets().chosen));
  for (const primitives::TunedConstant& constant : primitives::tuned_constants()) {
    INFO(std::string(constant.name));
    CHECK(primitives::tuning().*constant.field == constant.values[family]);
  }
}

TEST_CASE("a sweep sets constants by their names") {
  const std::size_t before = primitives::tuning().few_places;
  CHECK(primitives::set_tuning("few_places", before + 1));
  CHECK(primitives::tuning().few_places == before + 1);
  CHECK(primitives::set_tuning("few_places", before));
  CHECK_FALSE(primitives::set_tuning("no such constant", 1));
}
