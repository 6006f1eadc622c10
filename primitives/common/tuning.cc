#include "primitives/common/tuning.h"

#include <utility>

#include "primitives/kernels/shared/processor.h"

namespace griddle::primitives {

namespace {

// clang-format off
#define TUNED(name, ...) {#name, &Tuning::name, {__VA_ARGS__}}

// How each was measured stands in tests/bench/cases/sweeps.txt, and when and where in tests/bench/TUNING.md. NEON was not
// measured yet: it has the values of AVX2, whose vectors are nearer to its own.
constexpr TunedConstant table[] = {
    //                              AVX2    AVX-512       NEON
    TUNED(shared_boxes_ahead,            8,         8,         8),
    TUNED(boxes_ahead,                  12,        12,        12),
    TUNED(few_whole_doubles,            32,        32,        32),
    TUNED(short_repetition,         983040,    983040,    983040),
    TUNED(short_repeated_piece,      10000,     10000,     10000),
    TUNED(repeated_piece,            32768,     32768,     32768),

    TUNED(shortest_kept_row,             5,         5,         5),
    TUNED(short_bit_cell,               32,        32,        32),
    TUNED(long_kept_cell,              128,       512,       128),
    TUNED(most_repeats,                256,       256,       256),
    TUNED(few_reversed_boxes,            8,         8,         8),
    TUNED(short_rotated_row,           256,       256,       256),
    TUNED(few_taken_bytes,             512,       512,       512),
    TUNED(few_reversed_bit_rows,        12,        12,        12),
    TUNED(few_part_rows,                16,        16,        16),
    TUNED(rows_worth_columns,           32,        32,        32),
    TUNED(few_places,                   32,        32,        32),
    TUNED(few_selected_rows,            64,        64,        64),
    TUNED(places_at_once,            16384,     16384,     16384),
    TUNED(short_window_row,            256,       256,       256),
    TUNED(characters_matched,           32,        32,        32),
    TUNED(first_matched,                64,        64,        64),
    TUNED(few_matched_numbers,          16,        16,        16),
    TUNED(many_equal_doubles,            8,         8,         8),

    TUNED(long_cell,                   512,       512,       512),
    TUNED(short_new_list,              256,       256,       256),
    TUNED(longest_direct,          4194304,   4194304,   4194304),
    TUNED(shortest_table_row,           16,        16,        16),
    TUNED(most_table_columns,            8,         8,         8),
    TUNED(table_rows_a_column,          16,        16,        16),
    TUNED(few_table_rows,               16,        16,        16),
    TUNED(shortest_compared_cell,       32,        64,        32),
    TUNED(shortest_compared_bytes,     128,       256,       128),
    TUNED(worth_reusing,             65536,     16384,     65536),
    TUNED(longest_wide_dividend,     16384,     16384,     16384),
    TUNED(few_joined_by_or,          16384,     16384,     16384),
    TUNED(longest_rounded,           16384,     16384,     16384),

    TUNED(most_sorting_counts,      262144,    262144,    262144),
    TUNED(most_grading_counts,     1048576,   1048576,   1048576),
    TUNED(few_to_count,                256,      2048,       256),
    TUNED(least_in_networks,            17,        33,        17),
    TUNED(least_graded_in_networks,     48,        33,        48),
    TUNED(least_short_counts,        16384,     65536,     16384),
    TUNED(longest_insertion,             8,         8,         8),
    TUNED(most_counted,                128,        32,       128),
    TUNED(longest_counted_row,         128,        24,       128),
    TUNED(few_bounds,                    8,         8,         8),
    TUNED(halved_for_each,               2,         2,         2),
    TUNED(few_stepped_bounds,         2048,      8192,      2048),
    TUNED(least_bytes_in_table,       1024,       256,      1024),
    TUNED(bounds_for_each_lookup,       64,      1024,        64),
    TUNED(longest_sorted_row,          128,        96,       128),
    TUNED(longest_graded_row,         4096,      4096,      4096),

    TUNED(longest_merged_list,         256,       256,       256),

    TUNED(short_marked_list,           128,        64,       128),
    TUNED(elements_for_each_place,      16,        16,        16),
    TUNED(bits_for_each_place,         512,       512,       512),
    TUNED(most_counts_in_parts,       1024,      1024,      1024),
    TUNED(most_counted_in_bytes,        16,        16,        16),

    TUNED(most_lookups,                  8,         8,         8),
    TUNED(many_bytes,                 1024,      1024,      1024),
    TUNED(fewest_close_keys,            32,        32,        32),
    TUNED(least_run_cells,             256,       256,       256),
    TUNED(long_run,                      4,         4,         4),
    TUNED(long_folded_run,              32,        32,        32),
    TUNED(long_group,                  512,       128,       512),
    TUNED(near_groups,              524288,     32768,    524288),
    TUNED(copied_group_in_order,       128,       128,       128),
    TUNED(keys_of_part,               4096,      4096,      4096),
    TUNED(fewest_counted_near,         256,       256,       256),
    TUNED(most_placed,              524288,    524288,    524288),
    TUNED(most_looked_up,           262144,    262144,    262144),
    TUNED(least_in_slots,              512,       512,       512),
    TUNED(most_in_slots,              4096,      4096,      4096),
    TUNED(most_in_buckets,           65536,     65536,     65536),
    TUNED(most_bytes_for_each_key,      16,        32,        16),
    TUNED(most_bits_for_each_key,       64,        64,        64),
    TUNED(widest_gathered_range,  33554432,  33554432,  33554432),
    TUNED(matched_for_each_key,          2,         2,         2),
    TUNED(most_numbers_for_each_key,     4,         4,         4),
    TUNED(most_foretold,              2048,      2048,      2048),
    TUNED(longest_searched_bytes,      192,       192,       192),
};
// clang-format on
#undef TUNED

constexpr Tuning column(ChipFamily family) {
  Tuning values{};
  for (const TunedConstant& constant : table) values.*constant.field = constant.values[static_cast<std::size_t>(family)];
  return values;
}

// No field without a row: as many rows as fields, and no two of one field.
static_assert(std::size(table) * sizeof(std::size_t) == sizeof(Tuning));
static_assert([] {
  for (const TunedConstant& a : table)
    for (const TunedConstant& b : table)
      if (&a != &b && a.field == b.field) return false;
  return true;
}());

}  // namespace

constinit Tuning tuning_in_use = column(ChipFamily::avx2);

ChipFamily chip_family(std::string_view instruction_set) {
  if (instruction_set.starts_with("AVX3") || instruction_set.starts_with("AVX10")) return ChipFamily::avx512;
  return instruction_set.starts_with("NEON") || instruction_set.starts_with("SVE") ? ChipFamily::neon : ChipFamily::avx2;
}

void choose_tuning() { tuning_in_use = column(chip_family(kernels::instruction_sets().chosen)); }

std::span<const TunedConstant> tuned_constants() { return table; }

bool set_tuning(std::string_view name, std::size_t value) {
  for (const TunedConstant& constant : table)
    if (name == constant.name) return tuning_in_use.*constant.field = value, true;
  return false;
}

}  // namespace griddle::primitives
