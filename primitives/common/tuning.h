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
  std::size_t shared_boxes_ahead;     // how many boxes ahead the counts of objects are fetched
  std::size_t boxes_ahead;            // how many boxes ahead objects are fetched that are read
  std::size_t few_whole_doubles;      // fewer doubles that are all integers are left as they are
  std::size_t short_repetition;       // bytes of a result that stays in the near caches
  std::size_t short_repeated_piece;   // bytes from which the rest of a short repetition is copied,
  std::size_t repeated_piece;         // and of a longer one
  std::size_t shortest_kept_row;      // bytes; shorter rows are kept by marks for their elements, except powers of two
  std::size_t short_bit_cell;         // up to so many bits, cells of bits are kept by marks for each bit
  std::size_t long_kept_cell;         // bits; from here on cells are kept whole
  std::size_t most_repeats;           // up to so many times, elements are repeated without asking a device
  std::size_t few_reversed_boxes;     // up to so many boxes are reversed into new memory, even where theirs can be reused
  std::size_t short_rotated_row;      // elements; up to here all rows are moved as one run, however far they rotate
  std::size_t few_taken_bytes;        // of rows that are copied; more are taken as a view
  std::size_t few_reversed_bit_rows;  // up to so many rows of bits are copied one by one; more are reversed by a kernel
  std::size_t few_part_rows;          // the same of rows of which a part is taken
  std::size_t rows_worth_columns;  // from so many short rows on, what has no kernel for rows folds the columns of their transpose
  std::size_t few_places;          // up to so many, elements are selected one by one without a kernel
  std::size_t few_selected_rows;   // the same for rows
  std::size_t places_at_once;      // so many places are checked, and used while they are in the caches
  std::size_t short_window_row;    // bytes; up to here rows of windows are copied so that they overlap
  std::size_t characters_matched;  // so many characters of different types are compared before it is seen that some differ
  std::size_t first_matched;       // so many numbers are compared first, and then longer pieces
  std::size_t few_matched_numbers;  // up to so many numbers of different types are compared one by one
  std::size_t many_equal_doubles;   // from here on, runs of doubles are first compared as bytes
  // --- arithmetic
  std::size_t long_cell;            // elements; from here on each cell that meets one element is worth a kernel call of its own
  std::size_t short_new_list;       // elements; up to here results of one argument get memory of their own, unasked
  std::size_t longest_direct;       // elements of a shared array; up to here results get new memory without asking a device
  std::size_t shortest_table_row;   // elements; shorter rows of a table are computed together, if they are not few
  std::size_t most_table_columns;   // so many results in a row, or fewer, are computed column by column
  std::size_t table_rows_a_column;  // where there are so many rows for each of them
  std::size_t few_table_rows;       // up to so many rows are computed one by one, however short
  std::size_t shortest_compared_cell;   // elements; from here on each cell is compared with its element by a kernel for that,
  std::size_t shortest_compared_bytes;  // if it has so many bytes, too
  std::size_t worth_reusing;  // elements; from here on a result of cells reuses the memory of an argument that nobody else holds
  std::size_t longest_wide_dividend;  // elements; up to here integers of 8 or 16 bits are divided after widening
  std::size_t few_joined_by_or;       // elements; up to here ∨ of integers is put together from sum and product
  std::size_t longest_rounded;        // elements; up to here doubles are rounded to the narrowest integers at once
  // --- order
  std::size_t most_sorting_counts;       // numbers there may be in a range, up to which sorting counts each of them,
  std::size_t most_grading_counts;       // and up to which grading does
  std::size_t few_to_count;              // elements; fewer are sorted in vectors, where the target can, whatever their range
  std::size_t least_in_networks;         // integers and characters from which they are sorted by networks, where the target can
  std::size_t least_graded_in_networks;  // and from which they are graded
  std::size_t least_short_counts;        // elements of 16 bits in a wide range from which they are sorted by counts of 16 bits
  std::size_t longest_insertion;         // elements; up to here lists are put in order by insertion; there is room for 32
  std::size_t most_counted;              // elements; up to here each element of a list is placed by how many come before it,
  std::size_t longest_counted_row;       // and those of rows that are graded; there is room for 128
  std::size_t few_bounds;                // up to so many sorted values, each other one is compared with all of them
  std::size_t halved_for_each;         // from so many for each of the others on, they are halved for it, as long as they are near
  std::size_t few_stepped_bounds;      // sorted bytes up to which a table of all bytes steps through them; it halves more
  std::size_t least_bytes_in_table;    // bytes from which they are looked up in a table of all bytes
  std::size_t bounds_for_each_lookup;  // sorted values for each value that is looked up, from which a table of them does not pay
  std::size_t longest_sorted_row;      // elements; up to here rows are sorted one after the other
  std::size_t longest_graded_row;      // elements; up to here rows are graded in vectors one after the other
  // --- mapping
  std::size_t
      longest_merged_list;  // elements; up to here equally long lists are copied side by side, which a function meets at once
  // --- inverse
  std::size_t short_marked_list;        // elements; up to here places of ones are looked for, however many there are
  std::size_t elements_for_each_place;  // in an array that nobody else holds, from which so few are replaced one by one,
  std::size_t bits_for_each_place;      // and the same of bits
  std::size_t most_counts_in_parts;     // different numbers up to which they are counted in four parts at once
  std::size_t most_counted_in_bytes;    // of each number in order, on an average, up to which they are counted in bytes
  // --- search
  std::size_t most_lookups;       // up to so many keys are looked for one after the other, without a table
  std::size_t many_bytes;         // bytes from which only the new ones among them are entered in a table
  std::size_t fewest_close_keys;  // keys from which it is found out whether they lie so close that bytes hold them
  std::size_t least_run_cells;    // cells from which runs of equal group numbers are looked for,
  std::size_t long_run;           // and the average length from which runs are moved as wholes
  std::size_t long_folded_run;    // average length from which runs of integers are folded one by one
  std::size_t long_group;   // bytes of a group, on an average, from which its elements are put in order before they are copied,
  std::size_t near_groups;  // bytes of all groups, up to which they are copied at once, however long each is
  std::size_t copied_group_in_order;      // bytes; up to here a group of numbers in order is copied
  std::size_t keys_of_part;               // how many keys make a part of many, which fits the second-level cache
  std::size_t fewest_counted_near;        // keys from which occurrences are counted in a table of their range
  std::size_t most_placed;                // keys up to which they are told apart by their first places,
  std::size_t most_looked_up;             // and up to which others are looked up by them
  std::size_t least_in_slots;             // keys from which a table that grows numbers them, where many are equal
  std::size_t most_in_slots;              // keys up to which such a table looks up many others,
  std::size_t most_in_buckets;            // and up to which a set of buckets matches many
  std::size_t most_bytes_for_each_key;    // so many numbers in a range for each key pay for a byte each,
  std::size_t most_bits_for_each_key;     // for a bit each,
  std::size_t widest_gathered_range;      // for a bit each, where only matches are wanted and each key has as many,
  std::size_t matched_for_each_key;       // or where keys are so few among those that are matched,
  std::size_t most_numbers_for_each_key;  // and for a number each
  std::size_t most_foretold;  // keys up to which a branch for each of them is faster than none: lists that come again foretell it
  std::size_t longest_searched_bytes;  // bytes up to which one after the other is looked at, without keys
};

// Constants that stay constants: short calls that were counted (tests/bench/short.py) get too dear where they are loaded.
// Elements; longer lists may be worth their memory, and have ways of their own. This is room on the stack, too.
inline constexpr std::size_t longest_at_hand = 16384;
// More boxes are worth code that fetches ahead. Where this is loaded, 1⌽x of two boxes takes 374 instructions, not 363.
inline constexpr std::size_t most_boxes_at_hand = 256;
// Of fewer elements, prefixes and suffixes are copied; of more they are views. Where this is loaded, and the compiler does not
// know that copies are short, ↑x of eight elements takes 1618 instructions, not 1562.
inline constexpr std::size_t few_prefixes = 64;
// So many bytes are copied without a call. Where this is loaded, 1⌽x of up to 32 elements takes 268 instructions, not 263.
inline constexpr std::size_t few_copied_bytes = 128;
// So many boxes are counted as shared without fetching ahead. From 8 to 128 every value takes equal time; where this is loaded,
// g⊔x of 32 boxes takes 12756 instructions, not 12564.
inline constexpr std::size_t few_shared_boxes = 32;

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
