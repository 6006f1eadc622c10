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
    TUNED(few_shared_boxes,             32,        32,        32),
    TUNED(shared_boxes_ahead,            8,         8,         8),
    TUNED(boxes_ahead,                  12,        12,        12),
    TUNED(few_whole_doubles,            32,        32,        32),
    TUNED(bytes_tested_at_once,        128,        64,       128),
    TUNED(short_repetition,         983040,    983040,    983040),
    TUNED(short_repeated_piece,      10000,     10000,     10000),
    TUNED(repeated_piece,            32768,     32768,     32768),
    TUNED(few_copied_bytes,            128,       128,       128),

    TUNED(shortest_kept_row,             8,         8,         8),
    TUNED(short_bit_cell,               32,        32,        32),
    TUNED(long_kept_cell,              128,       128,       128),
    TUNED(most_repeats,                256,       256,       256),
    TUNED(few_reversed_boxes,            8,         8,         8),
    TUNED(short_rotated_row,           256,       256,       256),
    TUNED(few_taken_bytes,            2048,      2048,      2048),
    TUNED(few_places,                   32,        32,        32),
    TUNED(few_selected_rows,            64,        64,        64),
    TUNED(places_at_once,            16384,     16384,     16384),
    TUNED(short_grown_list,              8,         8,         8),
    TUNED(short_window_row,            256,       256,       256),
    TUNED(characters_matched,           32,        32,        32),
    TUNED(first_matched,                64,        64,        64),
    TUNED(few_matched_numbers,          16,        16,        16),
    TUNED(many_equal_doubles,            8,         8,         8),
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
