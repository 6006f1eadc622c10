#include "runtime/segment_memory.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

#include "runtime/value/heap.h"

using namespace griddle;

TEST_CASE("segments are aligned, may be written to, and may be shortened") {
  constexpr std::size_t bytes = 3 * Segment::alignment;
  char* const start = static_cast<char*>(take_segments(bytes));
  REQUIRE(start != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(start) % Segment::alignment == 0);
  std::memset(start, 1, bytes);
  CHECK(return_end_of_segments(start + 2 * Segment::alignment, Segment::alignment));
  CHECK(start[2 * Segment::alignment - 1] == 1);
  ask_for_huge_pages(start, 2 * Segment::alignment, true);
  ask_for_huge_pages(start, 2 * Segment::alignment, false);
  make_pages(start, 2 * Segment::alignment);
  CHECK(start[2 * Segment::alignment - 1] == 1);
  return_segments(start, 2 * Segment::alignment);
}

TEST_CASE("more memory than addresses reach is not there") { CHECK(take_segments(std::size_t{1} << 62) == nullptr); }

TEST_CASE("a machine has some memory") { CHECK(machine_memory() > Segment::alignment); }
