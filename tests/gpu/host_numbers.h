// Chains of elementwise functions, folds, scans, runs and selection where the device is the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/gpu/host_elements.h"

namespace host_device {

// Reads elements from a place on, by an input's type.
inline void read_all(const void* p, unsigned type, std::uint64_t from, std::uint64_t count, double* out) {
  const auto all = [&](const auto* elements) {
    for (std::uint64_t i = 0; i < count; i++) out[i] = static_cast<double>(elements[from + i]);
  };
  switch (type) {
    case griddle_device_i8: return all(static_cast<const std::int8_t*>(p));
    case griddle_device_i16: return all(static_cast<const std::int16_t*>(p));
    case griddle_device_i32: return all(static_cast<const std::int32_t*>(p));
    case griddle_device_f64: return all(static_cast<const double*>(p));
    case griddle_device_bit:
      for (std::uint64_t i = 0; i < count; i++) out[i] = read(p, griddle_device_bit, from + i);
      return;
    default:
      for (std::uint64_t i = 0; i < count; i++) out[i] = read(p, type, from + i);
  }
}

inline void write_all(void* p, unsigned type, std::uint64_t from, std::uint64_t count, const double* v) {
  if (type == griddle_device_bit)
    for (std::uint64_t i = 0; i < count; i++) write(p, griddle_device_bit, from + i, v[i]);
  else
    for (std::uint64_t i = 0; i < count; i++) write(p, type, from + i, v[i]);
}

// Reads what the places from `first` on take of an input.
inline void read_input(const griddle_chain& chain, unsigned input, std::uint64_t first, std::uint64_t count, std::uint64_t length,
                       double* out) {
  const void* const from = chain.inputs[input];
  const unsigned type = chain.input_types[input];
  const griddle_view& view = chain.input_views[input];
  const std::uint64_t each = chain.input_each[input], period = chain.input_period[input];
  const std::int64_t shift = chain.input_shift[input];
  if (view.axis_count == 0 && each == 1 && period == 0 && shift == 0) return read_all(from, type, first, count, out);
  for (std::uint64_t i = 0; i < count; i++) {
    std::int64_t at = -1;
    if (view.axis_count != 0) {
      at = source_of(view.axes, view.axis_count, view.from, view.fills, first + i);
    } else if (const std::uint64_t place = (first + i) / each + static_cast<std::uint64_t>(shift); shift == 0 || place < length) {
      at = static_cast<std::int64_t>(period != 0 ? place % period : place);
    }
    out[i] = at < 0 ? chain.input_fill[input] : read(from, type, static_cast<std::uint64_t>(at));
  }
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
  const bool are_short = w != 0 && std::fabs(w) < 0x1p31 && std::fabs(x) < 0x1p31 && w == std::floor(w) && x == std::floor(x);
  const double r = are_short ? static_cast<double>(static_cast<std::int64_t>(x) % static_cast<std::int64_t>(w)) : std::fmod(x, w);
  if (r == 0) return w == std::floor(w) && x == std::floor(x) ? 0.0 : r;
  return (r < 0) != (w < 0) ? r + w : r;
}

// What places beside each other have on the way through the steps.
struct Ways {
  explicit Ways(std::uint64_t count) : v(count), y(count) {
    for (std::vector<double>& slot : slots) slot.resize(count);
  }
  std::vector<double> v, y, slots[griddle_most_made_slots];
};
// So many places go through the steps at once.
constexpr std::uint64_t places_at_once = 512;

// Tells whether a kind of values, doubles apart, can hold all.
inline bool holds(std::uint8_t values, const double* v, std::uint64_t count) {
  constexpr double lows[] = {0, -2147483648.0, -32768, 0, -128, 0}, highs[] = {0, 2147483647.0, 32767, 255, 127, 1};
  const double low = lows[values], high = highs[values];
  std::uint64_t others = 0;
  for (std::uint64_t i = 0; i < count; i++)
    others |= v[i] >= low && v[i] <= high && v[i] == std::trunc(v[i]) ? std::uint64_t{0} : std::uint64_t{1};
  return others == 0;
}

#define OF_TWO(name, function) \
  case griddle_##name:         \
    dyad(function);            \
    break;
#define OF_ONE(name, function) \
  case griddle_##name: monad([](double x) { return function(x + 0.0); }); break;

// Changes the values of `count` places by a function of them alone or with the other operand.
inline void compute(griddle_operation operation, bool swapped, std::uint64_t count, double* v, const double* y) {
  const auto monad = [&](auto f) {
    for (std::uint64_t i = 0; i < count; i++) v[i] = f(v[i]);
  };
  const auto dyad = [&](auto f) {
    if (swapped)
      for (std::uint64_t i = 0; i < count; i++) v[i] = f(y[i], v[i]);
    else
      for (std::uint64_t i = 0; i < count; i++) v[i] = f(v[i], y[i]);
  };
  switch (operation) {
    case griddle_load: std::copy_n(y, count, v); break;
    case griddle_add: dyad([](double a, double b) { return a + b; }); break;
    case griddle_subtract: dyad([](double a, double b) { return a - b; }); break;
    case griddle_multiply: dyad([](double a, double b) { return a * b; }); break;
    case griddle_divide: dyad([](double a, double b) { return a / (b + 0.0); }); break;
    case griddle_power: dyad(power_of); break;
    case griddle_root:
      dyad([](double a, double b) { return a == 2 && b >= 0 ? std::sqrt(b) : std::pow(b + 0.0, 1 / (a + 0.0)); });
      break;
    case griddle_minimum: dyad([](double a, double b) { return a < b ? a : b; }); break;
    case griddle_maximum: dyad([](double a, double b) { return a > b ? a : b; }); break;
    case griddle_modulus:
    case griddle_integer_modulus: dyad(modulus_of); break;
    case griddle_less: dyad([](double a, double b) -> double { return a < b; }); break;
    case griddle_less_equal: dyad([](double a, double b) -> double { return a <= b; }); break;
    case griddle_equal: dyad([](double a, double b) -> double { return a == b; }); break;
    case griddle_greater_equal: dyad([](double a, double b) -> double { return a >= b; }); break;
    case griddle_greater: dyad([](double a, double b) -> double { return a > b; }); break;
    case griddle_not_equal: dyad([](double a, double b) -> double { return a != b; }); break;
    case griddle_negate: monad([](double x) { return 0 - x; }); break;
    case griddle_sign: monad([](double x) -> double { return (x > 0) - !(x >= 0); }); break;
    case griddle_reciprocal: monad([](double x) { return 1 / (x + 0.0); }); break;
    case griddle_exponential: monad([](double x) { return std::exp(x); }); break;
    case griddle_square_root: monad([](double x) { return std::sqrt(x); }); break;
    case griddle_floor: monad([](double x) { return std::floor(x); }); break;
    case griddle_ceiling: monad([](double x) { return std::ceil(x); }); break;
    case griddle_magnitude: monad([](double x) { return std::fabs(x); }); break;
    case griddle_complement:
      monad([](double x) { return 1 - x; });
      break;
      GRIDDLE_REAL_DYADS(OF_TWO)
      GRIDDLE_REAL_MONADS(OF_ONE)
    default: break;  // steps that keep, store or fold
  }
}

#undef OF_TWO
#undef OF_ONE

// Takes one step with `count` places from `first` on.
inline void take_step(const griddle_chain& chain, const griddle_step& step, std::uint64_t first, std::uint64_t count,
                      std::uint64_t length, Ways& ways) {
  double *const v = ways.v.data(), *const y = ways.y.data();
  if (step.operation <= griddle_not_equal && step.operation != griddle_keep) {
    if (step.source == griddle_from_input)
      read_input(chain, step.index, first, count, length, y);
    else if (step.source == griddle_from_constant)
      std::fill_n(y, count, chain.constants[step.index]);
    else if (step.source == griddle_from_slot || step.source == griddle_from_value)
      std::copy_n(step.source == griddle_from_slot ? ways.slots[step.index].data() : v, count, y);
    else
      std::iota(y, y + count, static_cast<double>(first));
  } else {
    std::fill_n(y, count, 0);
  }
  if (step.operation == griddle_keep)
    std::copy_n(v, count, ways.slots[step.index].data());
  else if (step.operation == griddle_store)
    write_all(chain.outputs[step.index], chain.output_types[step.index], first, count, v);
  else
    compute(static_cast<griddle_operation>(step.operation), step.swapped, count, v, y);
  if (chain.values != griddle_values_f64 && !(holds(chain.values, v, count) && holds(chain.values, y, count)))
    std::abort();  // the chain promised other values
}

// Calls f(first, count, values) with what the places of a chain have after its steps, some places at a time.
template <class F>
inline void follow(const griddle_chain& chain, std::uint64_t length, F f) {
  Ways ways(std::min(length, places_at_once));
  for (std::uint64_t first = 0; first < length; first += places_at_once) {
    const std::uint64_t count = std::min(length - first, places_at_once);
    for (std::uint32_t s = 0; s < chain.step_count; s++) take_step(chain, chain.steps[s], first, count, length, ways);
    f(first, count, ways.v.data());
  }
}

// Declines rows of some lengths, and outputs likewise, as a device does that has no kernel for them.
inline griddle_status map_rows(const griddle_chain& chain, void* out, uint64_t length) {
  const std::uint64_t row = chain.row_length;
  if (row % 5 == 0 || chain.result_type == griddle_device_bit) return griddle_unsupported;
  Ways ways(row);
  std::vector<double>& v = ways.v;
  for (std::uint64_t first = 0; first < length; first += row) {
    for (std::uint32_t s = 0; s < chain.step_count; s++) {
      const griddle_step& step = chain.steps[s];
      if (step.operation < griddle_row_sum || step.operation > griddle_row_maximum) {
        take_step(chain, step, first, row, length, ways);
        continue;
      }
      const griddle_fold f = step.operation == griddle_row_sum       ? griddle_fold_add
                             : step.operation == griddle_row_minimum ? griddle_fold_minimum
                                                                     : griddle_fold_maximum;
      double all = v[0];
      for (std::uint64_t i = 1; i < row; i++) all = join(f, all, v[i]);
      std::fill(v.begin(), v.end(), all);
    }
    if (chain.row_results)
      write(out, chain.result_type, first / row, v[0]);
    else
      write_all(out, chain.result_type, first, row, v.data());
  }
  return griddle_done;
}
inline griddle_status map(griddle_device*, const griddle_chain* chain, void* out, uint64_t length) {
  if (chain->row_length != 0) return map_rows(*chain, out, length);
  if (chain->output_count != 0 && length % 5 == 0) return griddle_unsupported;
  follow(*chain, length, [&](std::uint64_t first, std::uint64_t count, const double* v) {
    if (chain->output_count == 0) write_all(out, chain->result_type, first, count, v);
  });
  return griddle_done;
}
inline griddle_status fold(griddle_device*, const griddle_chain* chain, griddle_fold f, uint64_t length, double* result) {
  follow(*chain, length, [&](std::uint64_t first, std::uint64_t count, const double* v) {
    if (first == 0) *result = v[0];
    for (std::uint64_t i = first == 0; i < count; i++) *result = join(f, *result, v[i]);
  });
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
  follow(*chain, length, [&](std::uint64_t first, std::uint64_t count, const double* v) {
    for (std::uint64_t i = 0; i < count; i++) {
      double& all = out[(first + i) % row];
      all = first + i < row ? v[i] : join(f, all, v[i]);
    }
  });
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
