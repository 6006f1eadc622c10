// Memory of the system, from which a heap takes its segments.
#pragma once

#include <cstddef>

namespace griddle {

// Gives memory that starts at a multiple of Segment::alignment; `bytes` is a multiple of that too. Null where there is none.
void* take_segments(std::size_t bytes) noexcept;
// Gives back what was taken, in whole.
void return_segments(void* start, std::size_t bytes) noexcept;
// Gives back the end of what was taken; false where the system takes back whole pieces alone.
bool return_end_of_segments(void* end, std::size_t bytes) noexcept;
// Asks for large pages, which take less time to be had and to be read, or for small ones.
void ask_for_huge_pages(void* start, std::size_t bytes, bool huge) noexcept;
// Has the system make all of these pages at once, which takes two thirds of the time of one by one. For memory that will be used.
void make_pages(void* start, std::size_t bytes) noexcept;
// Gives what this machine, or the part of it that a process may use, has.
std::size_t machine_memory() noexcept;

}  // namespace griddle
