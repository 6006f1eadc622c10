// Chains of elementwise functions, folds, scans, runs and selection where the device is the host.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/gpu/host_elements.h"

namespace host_device {

inline double read_input(const griddle_chain& chain, unsigned i, std::uint64_t place, std::uint64_t length) {
  if (const griddle_view& v = chain.input_views[i]; v.axis_count != 0) {
    const std::int64_t at = source_of(v.axes, v.axis_count, v.from, v.fills, place);
    return at < 0 ? chain.input_fill[i] : read(chain.inputs[i], chain.input_types[i], static_cast<std::uint64_t>(at));
  }
  const std::uint64_t at = place / chain.input_each[i] + static_cast<std::uint64_t>(chain.input_shift[i]);
  if (chain.input_shift[i] != 0 && at >= length) return chain.input_fill[i];
  return read(chain.inputs[i], chain.input_types[i], chain.input_period[i] != 0 ? at % chain.input_period[i] : at);
}

// Powers of integers that are integers are exact.
inline double power_of(double w, double x) {
  if (x >= 0 && x <= 64 && w == std::floor(w) && x == std::floor(x)) {
    double product = 1;
    for (double i = x; i > 0 && std::fabs(product) <= 0x1p53; i--) product *= w;
    if (std::fabs(product) <= 0x1p53) return product;
  }
  return std::pow(w + 0.0, x);
}

// Exact for natural numbers, as far as doubles go.
inline double factorial_of(double x) {
  if (!(x >= 0 && x <= 170 && x == std::floor(x))) return std::tgamma(x + 1);
  long double product = 1;
  for (double i = 2; i <= x; i++) product *= i;
  return static_cast<double>(product);
}
inline double angle_of(double w, double x) { return std::atan2(x, w); }
inline double log_factorial_of(double x) {
  int sign;
  return lgamma_r(x + 1, &sign);
}

inline double modulus_of(double w, double x) {
  const double r = std::fmod(x, w);
  if (r == 0) return w == std::floor(w) && x == std::floor(x) ? 0.0 : r;
  return (r < 0) != (w < 0) ? r + w : r;
}

#define OF_TWO(name, function) \
  case griddle_##name:         \
    v = function(a, b);        \
    break;
#define OF_ONE(name, function) \
  case griddle_##name: v = function(v + 0.0); break;

// What one place has on the way through the steps.
struct Way {
  double v = 0, slots[griddle_most_made_slots] = {};
};

// Tells whether a kind of values, doubles apart, can hold one.
inline bool holds(std::uint8_t values, double v) {
  constexpr double low[] = {0, -2147483648.0, -32768, 0, -128, 0}, high[] = {0, 2147483647.0, 32767, 255, 127, 1};
  return v >= low[values] && v <= high[values] && v == static_cast<double>(static_cast<std::int32_t>(v));
}

inline void take_step(const griddle_chain& chain, const griddle_step& step, std::uint64_t place, std::uint64_t length, Way& way) {
  auto& [v, slots] = way;
  double y = 0;
  if (step.operation <= griddle_not_equal && step.operation != griddle_keep)
    y = step.source == griddle_from_input      ? read_input(chain, step.index, place, length)
        : step.source == griddle_from_constant ? chain.constants[step.index]
        : step.source == griddle_from_slot     ? slots[step.index]
        : step.source == griddle_from_value    ? v
                                               : static_cast<double>(place);
  const double a = step.swapped ? y : v, b = step.swapped ? v : y;
  switch (step.operation) {
    case griddle_load: v = y; break;
    case griddle_keep: slots[step.index] = v; break;
    case griddle_store: write(chain.outputs[step.index], chain.output_types[step.index], place, v); break;
    case griddle_add: v = a + b; break;
    case griddle_subtract: v = a - b; break;
    case griddle_multiply: v = a * b; break;
    case griddle_divide: v = a / (b + 0.0); break;
    case griddle_power: v = power_of(a, b); break;
    case griddle_root: v = a == 2 && b >= 0 ? std::sqrt(b) : std::pow(b + 0.0, 1 / (a + 0.0)); break;
    case griddle_minimum: v = a < b ? a : b; break;
    case griddle_maximum: v = a > b ? a : b; break;
    case griddle_modulus:
    case griddle_integer_modulus: v = modulus_of(a, b); break;
    case griddle_less: v = a < b; break;
    case griddle_less_equal: v = a <= b; break;
    case griddle_equal: v = a == b; break;
    case griddle_greater_equal: v = a >= b; break;
    case griddle_greater: v = a > b; break;
    case griddle_not_equal: v = a != b; break;
    case griddle_negate: v = 0 - v; break;
    case griddle_sign: v = (v > 0) - (v < 0); break;
    case griddle_reciprocal: v = 1 / (v + 0.0); break;
    case griddle_exponential: v = std::exp(v); break;
    case griddle_square_root: v = std::sqrt(v); break;
    case griddle_floor: v = std::floor(v); break;
    case griddle_ceiling: v = std::ceil(v); break;
    case griddle_magnitude: v = std::fabs(v); break;
    case griddle_complement:
      v = 1 - v;
      break;
      GRIDDLE_REAL_DYADS(OF_TWO)
      GRIDDLE_REAL_MONADS(OF_ONE)
  }
  if (chain.values != griddle_values_f64 && !(holds(chain.values, v) && holds(chain.values, y)))
    std::abort();  // the chain promised other values
}

#undef OF_TWO
#undef OF_ONE

inline double follow(const griddle_chain& chain, std::uint64_t place, std::uint64_t length) {
  Way way;
  for (std::uint32_t s = 0; s < chain.step_count; s++) take_step(chain, chain.steps[s], place, length, way);
  return way.v;
}

// Declines rows of some lengths, and outputs likewise, as a device does that has no kernel for them.
inline griddle_status map_rows(const griddle_chain& chain, void* out, uint64_t length) {
  const std::uint64_t row = chain.row_length;
  if (row % 5 == 0 || chain.result_type == griddle_device_bit) return griddle_unsupported;
  std::vector<Way> ways(row);
  for (std::uint64_t first = 0; first < length; first += row) {
    for (std::uint32_t s = 0; s < chain.step_count; s++) {
      const griddle_step& step = chain.steps[s];
      if (step.operation < griddle_row_sum || step.operation > griddle_row_maximum) {
        for (std::uint64_t i = 0; i < row; i++) take_step(chain, step, first + i, length, ways[i]);
        continue;
      }
      const griddle_fold f = step.operation == griddle_row_sum       ? griddle_fold_add
                             : step.operation == griddle_row_minimum ? griddle_fold_minimum
                                                                     : griddle_fold_maximum;
      double all = ways[0].v;
      for (std::uint64_t i = 1; i < row; i++) all = join(f, all, ways[i].v);
      for (Way& way : ways) way.v = all;
    }
    if (chain.row_results)
      write(out, chain.result_type, first / row, ways[0].v);
    else
      for (std::uint64_t i = 0; i < row; i++) write(out, chain.result_type, first + i, ways[i].v);
  }
  return griddle_done;
}
inline griddle_status map(griddle_device*, const griddle_chain* chain, void* out, uint64_t length) {
  if (chain->row_length != 0) return map_rows(*chain, out, length);
  if (chain->output_count != 0) {
    if (length % 5 == 0) return griddle_unsupported;
    for (std::uint64_t i = 0; i < length; i++) follow(*chain, i, length);
    return griddle_done;
  }
  for (std::uint64_t i = 0; i < length; i++) write(out, chain->result_type, i, follow(*chain, i, length));
  return griddle_done;
}
inline griddle_status fold(griddle_device*, const griddle_chain* chain, griddle_fold f, uint64_t length, double* result) {
  *result = follow(*chain, 0, length);
  for (std::uint64_t i = 1; i < length; i++) *result = join(f, *result, follow(*chain, i, length));
  return griddle_done;
}
inline griddle_status scan(griddle_device*, griddle_fold f, griddle_device_type from, griddle_device_type to, const void* in,
                           void* out, uint64_t rows, uint64_t length) {
  for (std::uint64_t r = 0; r < rows; r++) {
    double v = 0;
    for (std::uint64_t i = r * length; i < (r + 1) * length; i++) {
      v = i == r * length ? read(in, from, i) : join(f, v, read(in, from, i));
      write(out, to, i, v);
    }
  }
  return griddle_done;
}
// Follows the map bit by bit (gpu/cuda/bit_scan.cuh); the first bit stays as it is.
inline griddle_status scan_bits(griddle_device*, const griddle_bit_map* map, const void* in, void* out, uint64_t length) {
  bool before = false;
  for (std::uint64_t i = 0; i < length; i++) {
    const bool x = read(in, griddle_device_bit, i) != 0;
    const bool fixes = (x && map->fix_x) != (map->fix != 0), flips = (x && map->flip_x) != (map->flip != 0);
    before = i == 0 ? x : fixes ? flips : before != flips;
    write(out, griddle_device_bit, i, before);
  }
  return griddle_done;
}
// Folds lines that start `line_step` apart and whose elements are `step` apart.
inline griddle_status fold_lines(griddle_fold f, griddle_device_type type, const void* in, griddle_device_type out_type,
                                 void* out, uint64_t lines, uint64_t line_step, uint64_t length, uint64_t step) {
  if (f == griddle_fold_multiply) return griddle_unsupported;
  for (std::uint64_t line = 0; line < lines; line++) {
    double all = read(in, type, line * line_step);
    for (std::uint64_t i = 1; i < length; i++) all = join(f, all, read(in, type, line * line_step + i * step));
    write(out, out_type, line, all);
  }
  return griddle_done;
}
inline griddle_status fold_rows(griddle_device*, griddle_fold f, griddle_device_type type, const void* in,
                                griddle_device_type out_type, void* out, uint64_t rows, uint64_t length) {
  return fold_lines(f, type, in, out_type, out, rows, length, length, 1);
}
inline griddle_status fold_columns(griddle_device*, griddle_fold f, griddle_device_type type, const void* in, double* out,
                                   uint64_t rows, uint64_t length) {
  if (type == griddle_device_bit && length % 32 != 0) return griddle_unsupported;
  return fold_lines(f, type, in, griddle_device_f64, out, length, 1, rows, length);
}
// Declines columns of rows as map_rows does.
inline griddle_status fold_chain_columns(griddle_device*, const griddle_chain* chain, griddle_fold f, double* out,
                                         uint64_t rows) {
  const std::uint64_t row = chain->row_length, length = rows * row;
  if (f == griddle_fold_multiply || row % 5 == 0) return griddle_unsupported;
  for (std::uint64_t i = 0; i < length; i++) {
    const double v = follow(*chain, i, length);
    out[i % row] = i < row ? v : join(f, out[i % row], v);
  }
  return griddle_done;
}
inline griddle_status fold_windows(griddle_device*, const griddle_window_fold* w, const void* in, void* out) {
  if (w->fold == griddle_fold_multiply) return griddle_unsupported;
  const std::uint64_t row = (w->length - w->step * (w->width - 1)) * w->cell;
  for (std::uint64_t i = 0; i < w->outer * row; i++) {
    const std::uint64_t first = i / row * w->length * w->cell + i % row;
    double all = read(in, w->in_type, first);
    for (std::uint64_t j = 1; j < w->width; j++) all = join(w->fold, all, read(in, w->in_type, first + j * w->step * w->cell));
    write(out, w->out_type, i, all);
  }
  return griddle_done;
}
inline griddle_status multiply_matrices(griddle_device*, const double* w, const double* x, double* out, uint64_t rows,
                                        uint64_t inner, uint64_t columns) {
  for (std::uint64_t r = 0; r < rows; r++)
    for (std::uint64_t c = 0; c < columns; c++) {
      double sum = 0;
      for (std::uint64_t i = 0; i < inner; i++) sum += w[r * inner + i] * x[i * columns + c];
      out[r * columns + c] = sum;
    }
  return griddle_done;
}
inline griddle_status count_bits(griddle_device*, const void* mask, uint64_t length, uint64_t* count) {
  *count = 0;
  for (std::uint64_t i = 0; i < length; i++) *count += read(mask, griddle_device_bit, i) != 0;
  return griddle_done;
}
inline griddle_status select_if(griddle_device*, uint32_t width, const void* in, const void* mask, void* out, void* rest,
                                uint64_t length) {
  char *to = static_cast<char*>(out), *others = static_cast<char*>(rest);
  for (std::uint64_t i = 0; i < length; i++) {
    const bool is_kept = read(mask, griddle_device_bit, i) != 0;
    if (!is_kept && !others) continue;
    const int32_t place = static_cast<int32_t>(i);
    char*& next = is_kept ? to : others;
    std::memcpy(next, in ? static_cast<const char*>(in) + i * width : static_cast<const void*>(&place), width);
    next += width;
  }
  return griddle_done;
}
inline griddle_status select_bits(griddle_device*, const void* in, const void* mask, void* out, uint64_t, uint64_t length) {
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < length; i++) {
    if (read(mask, griddle_device_bit, i) == 0) continue;
    write(out, griddle_device_bit, at++, read(in, griddle_device_bit, i));
  }
  return griddle_done;
}
inline griddle_status runs(griddle_device*, uint32_t width, const void* in, void* firsts, int32_t* starts, uint64_t length,
                           uint64_t* count) {
  const char* keys = static_cast<const char*>(in);
  *count = 0;
  for (std::uint64_t i = 0; i < length; i++) {
    if (i != 0 && std::memcmp(keys + i * width, keys + (i - 1) * width, width) == 0) continue;
    std::memcpy(static_cast<char*>(firsts) + *count * width, keys + i * width, width);
    starts[(*count)++] = static_cast<int32_t>(i);
  }
  return griddle_done;
}
inline griddle_status fold_runs(griddle_device*, uint32_t width, const void* in, const double* values, void* firsts, double* sums,
                                uint64_t length, uint64_t* count) {
  const char* keys = static_cast<const char*>(in);
  *count = 0;
  for (std::uint64_t i = 0; i < length; i++) {
    if (i == 0 || std::memcmp(keys + i * width, keys + (i - 1) * width, width) != 0) {
      std::memcpy(static_cast<char*>(firsts) + *count * width, keys + i * width, width);
      sums[(*count)++] = 0;
    }
    sums[*count - 1] += values[i];
  }
  return griddle_done;
}

}  // namespace host_device
