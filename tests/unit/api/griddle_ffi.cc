#include "runtime/api/griddle_ffi.h"

#include <doctest/doctest.h>

#include <cstring>

#include "runtime/bytecode/unit.h"
#include "runtime/system/foreign/foreign_call.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a library reads and makes values while a foreign call runs") {
  Machinery m;
  const Ref<Unit> unit = m.unit("");
  ForeignCall call(m.cx, *unit);
  const double numbers[] = {1, 2.5, 3};
  BQNV list = bqn_makeF64Vec(3, numbers);
  CHECK(bqn_type(list) == 0);
  CHECK(bqn_bound(list) == 3);
  CHECK(bqn_rank(list) == 1);
  CHECK(bqn_toF64(bqn_pick(list, 1)) == 2.5);
  double back[3] = {};
  bqn_readF64Arr(list, back);
  CHECK(std::memcmp(back, numbers, sizeof back) == 0);
  bqn_free(list);
  CHECK(!griddle_ffi_failed());
}

TEST_CASE("the first failure is kept until the call is over, and what comes after it does nothing") {
  Machinery m;
  const Ref<Unit> unit = m.unit("");
  ForeignCall call(m.cx, *unit);
  const double numbers[] = {1, 2.5};
  BQNV list = bqn_makeF64Vec(2, numbers);
  std::int8_t bytes[2] = {9, 9};
  bqn_readI8Arr(list, bytes);
  CHECK(griddle_ffi_failed());
  CHECK(bytes[0] == 0);
  CHECK(bytes[1] == 0);
  bqn_free(list);
  CHECK_THROWS_AS(call.rethrow(), Error);
}
