// Intervals of cells moved: each from where it is read to where it is written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Integers in any storage form of numbers, doubles below 2^53 in magnitude. Without data: the sums of all counts before.
struct IntegerList {
  ElementType type = ElementType::bit;
  const void* data = nullptr;
};

// For each of n intervals, how many cells it has, at which one it is read, and at which one it is written.
struct Intervals {
  std::size_t n;
  IntegerList counts, gather, scatter;
};

struct IntervalSurvey {
  std::size_t first_wrong;  // n where none is
  // Where an interval is wrong, these say nothing.
  std::size_t total;    // of cells, 2^62 if there are more
  std::size_t longest;  // count
  std::size_t end;      // one more than the last place that is written
  bool ascending;       // each interval is written behind the one before
};

struct IntervalKernels {
  // Finds the first interval with a count below 0, or one not empty that is not read below `readable` or not written below
  // `writable`, which are at most 2^48; where an empty one lies does not matter. Asks nothing of places that are not given.
  IntervalSurvey (*survey)(const Intervals&, std::size_t readable, std::size_t writable);
  // Sets a bit for each place that is written. Gives the first interval with a place that an earlier one has, after which it
  // stops; n if there is none. No interval may be wrong.
  std::size_t (*mark)(const Intervals&, std::uint64_t* marks);
  // Moves cells of so many bits, a multiple of 8 or elements that are bits. No interval may be wrong, and no two may be written
  // to one place. Reads nothing from `readable` cells on, and writes to places of intervals alone. No overlap.
  void (*move)(void* to, const void* from, std::size_t readable, std::size_t cell_bits, const Intervals&, const IntervalSurvey&);
};

const IntervalKernels& interval_kernels();

}  // namespace griddle::kernels
