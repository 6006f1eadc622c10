// Crossovers that were measured: up to which size one method is quicker than another, how far ahead to fetch, how large a piece
// to work on. tuning.cc has a value of each for every chip family, and tests/bench/sweep makes these values.
//
// What does not belong here: room for arrays on the stack, limits of formats, and facts of mathematics. These are constants where
// they are used, as are those of kernels/.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace griddle::primitives {

struct Tuning {
  // --- common
  std::size_t few_shared_boxes;      // up to so many boxes are counted as shared without fetching ahead
  std::size_t shared_boxes_ahead;    // for more, how many boxes ahead the counts of objects are fetched
  std::size_t boxes_ahead;           // how many boxes ahead objects are fetched that are read
  std::size_t few_whole_doubles;     // fewer doubles that are all integers are left as they are
  std::size_t bytes_tested_at_once;  // for being 0 or 1, before it is seen that one of them is not
  std::size_t short_repetition;      // bytes of a result that stays in the near caches
  std::size_t short_repeated_piece;  // bytes from which the rest of a short repetition is copied,
  std::size_t repeated_piece;        // and of a longer one
  std::size_t few_copied_bytes;      // up to so many bytes are copied without a call
  // --- structure
  std::size_t shortest_kept_row;    // bytes; shorter rows are kept by marks for their elements, except powers of two
  std::size_t short_bit_cell;       // up to so many bits, cells of bits are kept by marks for each bit
  std::size_t long_kept_cell;       // bits; from here on cells are kept whole
  std::size_t most_repeats;         // up to so many times, elements are repeated without asking a device
  std::size_t few_reversed_boxes;   // up to so many boxes are reversed into new memory, even where theirs can be reused
  std::size_t short_rotated_row;    // elements; up to here all rows are moved as one run, however far they rotate
  std::size_t few_taken_bytes;      // of rows that are copied; more are taken as a view
  std::size_t few_places;           // up to so many, elements are selected one by one without a kernel
  std::size_t few_selected_rows;    // the same for rows
  std::size_t places_at_once;       // so many places are checked, and used while they are in the caches
  std::size_t short_grown_list;     // up to so many elements, joining makes a new list where it could grow the old one
  std::size_t short_window_row;     // bytes; up to here rows of windows are copied so that they overlap
  std::size_t characters_matched;   // so many characters of different types are compared before it is seen that some differ
  std::size_t first_matched;        // so many numbers are compared first, and then longer pieces
  std::size_t few_matched_numbers;  // up to so many numbers of different types are compared one by one
  std::size_t many_equal_doubles;   // from here on, runs of doubles are first compared as bytes
};

// Constants that stay constants.
// Elements; longer lists may be worth their memory, and have ways of their own. This is room on the stack, too.
inline constexpr std::size_t longest_at_hand = 16384;
// More boxes are worth code that fetches ahead. Where this is loaded, 1⌽x of two boxes takes 374 instructions, not 363.
inline constexpr std::size_t most_boxes_at_hand = 256;
// Of fewer elements, prefixes and suffixes are copied; of more they are views. Where this is loaded, and the compiler does not
// know that copies are short, ↑x of eight elements takes 1618 instructions, not 1562.
inline constexpr std::size_t few_prefixes = 64;

// The values in use: those for AVX2 until choose_tuning.
extern Tuning tuning_in_use;
inline const Tuning& tuning() { return tuning_in_use; }

// The chip families, which are the columns of the table.
enum class ChipFamily : unsigned char { avx2, avx512, neon };
inline constexpr std::array chip_families = {"AVX2", "AVX-512", "NEON"};
// Gives the family to which an instruction set belongs, by Highway's name of it.
ChipFamily chip_family(std::string_view instruction_set);

// Sets the values for the instruction set that kernels chose: before any interpreter runs.
void choose_tuning();

// What the table has for a constant.
struct TunedConstant {
  const char* name;
  std::size_t Tuning::*field;
  std::array<std::size_t, chip_families.size()> values;
};
std::span<const TunedConstant> tuned_constants();

// Sets one constant, and tells whether there is one of that name. For the sweep alone, while nothing else runs.
bool set_tuning(std::string_view name, std::size_t value);

}  // namespace griddle::primitives
