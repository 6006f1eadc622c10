// A plug-in whose device is the host: plain loops behind the same table. It tests residency, chains and declining where there is
// no device; what it leaves unsupported the host must do.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "gpu/cuda/random_derivation.h"
#include "gpu/plugin_abi.h"

struct griddle_device {
  long allocations = 0;
};

namespace {

double read(const void* p, unsigned type, std::uint64_t i) {
  switch (type) {
    case griddle_bit: return static_cast<double>(static_cast<const std::uint64_t*>(p)[i / 64] >> i % 64 & 1);
    case griddle_i8: return static_cast<double>(static_cast<const std::int8_t*>(p)[i]);
    case griddle_i16: return static_cast<double>(static_cast<const std::int16_t*>(p)[i]);
    case griddle_i32: return static_cast<double>(static_cast<const std::int32_t*>(p)[i]);
    case griddle_c8: return static_cast<double>(static_cast<const std::uint8_t*>(p)[i]);
    case griddle_c16: return static_cast<double>(static_cast<const std::uint16_t*>(p)[i]);
    case griddle_c32: return static_cast<double>(static_cast<const std::uint32_t*>(p)[i]);
    default: return static_cast<const double*>(p)[i];
  }
}

void write(void* p, unsigned type, std::uint64_t i, double v) {
  switch (type) {
    case griddle_bit: {
      std::uint64_t& word = static_cast<std::uint64_t*>(p)[i / 64];
      word = (word & ~(std::uint64_t{1} << i % 64)) | std::uint64_t{v != 0} << i % 64;
      break;
    }
    case griddle_i8: static_cast<std::int8_t*>(p)[i] = static_cast<std::int8_t>(v); break;
    case griddle_i16: static_cast<std::int16_t*>(p)[i] = static_cast<std::int16_t>(v); break;
    case griddle_i32: static_cast<std::int32_t*>(p)[i] = static_cast<std::int32_t>(v); break;
    case griddle_c8: static_cast<std::uint8_t*>(p)[i] = static_cast<std::uint8_t>(v); break;
    case griddle_c16: static_cast<std::uint16_t*>(p)[i] = static_cast<std::uint16_t>(v); break;
    case griddle_c32: static_cast<std::uint32_t*>(p)[i] = static_cast<std::uint32_t>(v); break;
    default: static_cast<double*>(p)[i] = v;
  }
}

double read_input(const griddle_chain& chain, unsigned i, std::uint64_t place, std::uint64_t length) {
  const std::uint64_t at = place / chain.input_each[i] + static_cast<std::uint64_t>(chain.input_shift[i]);
  if (chain.input_shift[i] != 0 && at >= length) return chain.input_fill[i];
  return read(chain.inputs[i], chain.input_types[i], chain.input_period[i] != 0 ? at % chain.input_period[i] : at);
}

// Powers of integers that are integers are exact.
double power_of(double w, double x) {
  if (x >= 0 && x <= 64 && w == std::floor(w) && x == std::floor(x)) {
    double product = 1;
    for (double i = x; i > 0 && std::fabs(product) <= 0x1p53; i--) product *= w;
    if (std::fabs(product) <= 0x1p53) return product;
  }
  return std::pow(w + 0.0, x);
}

double modulus_of(double w, double x) {
  const double r = std::fmod(x, w);
  if (r == 0) return w == std::floor(w) && x == std::floor(x) ? 0.0 : r;
  return (r < 0) != (w < 0) ? r + w : r;
}

double follow(const griddle_chain& chain, std::uint64_t place, std::uint64_t length) {
  double v = 0, slots[griddle_most_slots] = {};
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    const griddle_step& step = chain.steps[s];
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
      case griddle_add: v = a + b; break;
      case griddle_subtract: v = a - b; break;
      case griddle_multiply: v = a * b; break;
      case griddle_divide: v = a / (b + 0.0); break;
      case griddle_power: v = power_of(a, b); break;
      case griddle_root: v = a == 2 && b >= 0 ? std::sqrt(b) : std::pow(b + 0.0, 1 / (a + 0.0)); break;
      case griddle_minimum: v = a != a || a < b ? a : b; break;
      case griddle_maximum: v = a != a || a > b ? a : b; break;
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
      case griddle_complement: v = 1 - v; break;
    }
    if (chain.in_i32 && v != static_cast<double>(static_cast<std::int32_t>(v))) std::abort();  // the chain promised integers
  }
  return v;
}

double join(griddle_fold f, double a, double b) {
  switch (f) {
    case griddle_fold_add: return a + b;
    case griddle_fold_minimum: return a < b ? a : b;
    case griddle_fold_maximum: return a > b ? a : b;
    default: return a * b;
  }
}

constexpr std::size_t most_bytes = std::size_t{1} << 30;

griddle_status open(griddle_device** d, griddle_device_info* info) {
  *d = new griddle_device;
  *info = {};
  std::strcpy(info->name, "The host");
  info->memory_bytes = most_bytes;
  return griddle_done;
}
void close(griddle_device* d) { delete d; }
const char* message(griddle_device*) { return ""; }

// Fails where much is wanted at once, and now and then where asked to, so that full devices are tested.
griddle_status allocate(griddle_device* d, size_t bytes, void** memory) {
  const char* every = std::getenv("GRIDDLE_TEST_FULL_EVERY");
  *memory = nullptr;
  if (every && ++d->allocations % std::atol(every) < 2) return griddle_no_memory;
  if (bytes > most_bytes) return griddle_no_memory;
  *memory = std::malloc(bytes + 512);
  std::memset(*memory, 0x5A, bytes + 512);
  return griddle_done;
}
void release(griddle_device*, void* p) { std::free(p); }
void trim(griddle_device*) {}
griddle_status copy(griddle_device*, void* to, const void* from, size_t bytes) {
  std::memcpy(to, from, bytes);
  return griddle_done;
}
griddle_status wait(griddle_device*) { return griddle_done; }

griddle_status map(griddle_device*, const griddle_chain* chain, void* out, uint64_t length) {
  for (std::uint64_t i = 0; i < length; i++) write(out, chain->result_type, i, follow(*chain, i, length));
  return griddle_done;
}
griddle_status fold(griddle_device*, const griddle_chain* chain, griddle_fold f, uint64_t length, double* result) {
  *result = follow(*chain, 0, length);
  for (std::uint64_t i = 1; i < length; i++) *result = join(f, *result, follow(*chain, i, length));
  return griddle_done;
}
griddle_status scan(griddle_device*, griddle_fold f, griddle_type from, griddle_type to, const void* in, void* out, uint64_t rows,
                    uint64_t length) {
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
griddle_status scan_bits(griddle_device*, const griddle_bit_map* map, const void* in, void* out, uint64_t length) {
  bool before = false;
  for (std::uint64_t i = 0; i < length; i++) {
    const bool x = read(in, griddle_bit, i) != 0;
    const bool fixes = (x && map->fix_x) != (map->fix != 0), flips = (x && map->flip_x) != (map->flip != 0);
    before = i == 0 ? x : fixes ? flips : before != flips;
    write(out, griddle_bit, i, before);
  }
  return griddle_done;
}
// Folds lines that start `line_step` apart and whose elements are `step` apart.
griddle_status fold_lines(griddle_fold f, griddle_type type, const void* in, double* out, uint64_t lines, uint64_t line_step,
                          uint64_t length, uint64_t step) {
  if (f == griddle_fold_multiply || type == griddle_bit) return griddle_unsupported;
  for (std::uint64_t line = 0; line < lines; line++) {
    out[line] = read(in, type, line * line_step);
    for (std::uint64_t i = 1; i < length; i++) out[line] = join(f, out[line], read(in, type, line * line_step + i * step));
  }
  return griddle_done;
}
griddle_status fold_rows(griddle_device*, griddle_fold f, griddle_type type, const void* in, double* out, uint64_t rows,
                         uint64_t length) {
  return fold_lines(f, type, in, out, rows, length, length, 1);
}
griddle_status fold_columns(griddle_device*, griddle_fold f, griddle_type type, const void* in, double* out, uint64_t rows,
                            uint64_t length) {
  return fold_lines(f, type, in, out, length, 1, rows, length);
}
griddle_status count_bits(griddle_device*, const void* mask, uint64_t length, uint64_t* count) {
  *count = 0;
  for (std::uint64_t i = 0; i < length; i++) *count += read(mask, griddle_bit, i) != 0;
  return griddle_done;
}
griddle_status select_if(griddle_device*, uint32_t width, const void* in, const void* mask, void* out, void*, uint64_t length) {
  char* to = static_cast<char*>(out);
  for (std::uint64_t i = 0; i < length; i++) {
    if (read(mask, griddle_bit, i) == 0) continue;
    std::memcpy(to, static_cast<const char*>(in) + i * width, width);
    to += width;
  }
  return griddle_done;
}
griddle_status runs(griddle_device*, uint32_t width, const void* in, void* firsts, int32_t* starts, uint64_t length,
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
griddle_status fold_runs(griddle_device*, uint32_t width, const void* in, const double* values, void* firsts, double* sums,
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
griddle_status move(griddle_device*, uint32_t bits_wide, const void* in, int64_t from, int64_t step, void* out, int64_t to,
                    uint64_t count) {
  if (bits_wide == 1) {
    for (std::uint64_t i = 0; i < count; i++)
      write(out, griddle_bit, static_cast<std::uint64_t>(to) + i,
            read(in, griddle_bit, static_cast<std::uint64_t>(from + static_cast<int64_t>(i) * step)));
    return griddle_done;
  }
  const int64_t width = bits_wide / 8;
  for (int64_t i = 0; i < static_cast<int64_t>(count); i++)
    std::memcpy(static_cast<char*>(out) + (to + i) * width, static_cast<const char*>(in) + (from + i * step) * width,
                static_cast<size_t>(width));
  return griddle_done;
}
griddle_status tile(griddle_device* d, uint32_t bits_wide, const void* in, uint64_t period, void* out, uint64_t count) {
  for (std::uint64_t i = 0; i < count; i++)
    move(d, bits_wide, in, static_cast<int64_t>(i % period), 1, out, static_cast<int64_t>(i), 1);
  return griddle_done;
}
griddle_status gather(griddle_device* d, uint32_t bits_wide, const void* in, uint64_t cells, uint64_t cell, griddle_type type,
                      const void* index, void* out, uint64_t count, int* bad) {
  for (std::uint64_t i = 0; i < count; i++) {
    double at = read(index, type, i);
    if (at < 0) at += static_cast<double>(cells);
    if (at != std::floor(at) || at < 0 || at >= static_cast<double>(cells)) {
      *bad = 1;
      return griddle_done;
    }
    move(d, bits_wide, in, static_cast<int64_t>(at) * static_cast<int64_t>(cell), 1, out, static_cast<int64_t>(i * cell), cell);
  }
  return griddle_done;
}

// --- intervals

std::uint64_t start_of(const griddle_intervals& in, std::uint64_t i) {
  return i == 0 ? 0 : static_cast<std::uint64_t>(read(in.ends, in.end_type, i - 1));
}
std::uint64_t end_of(const griddle_intervals& in, std::uint64_t i) {
  return static_cast<std::uint64_t>(read(in.ends, in.end_type, i));
}
griddle_status expand(griddle_device*, const griddle_intervals* in, uint32_t width, const void* from, void* out) {
  for (std::uint64_t i = 0; i < in->count; i++)
    for (std::uint64_t to = start_of(*in, i); to < end_of(*in, i); to++) {
      const int32_t number = static_cast<int32_t>(i);
      std::memcpy(static_cast<char*>(out) + to * width,
                  from ? static_cast<const char*>(from) + i * width : static_cast<const void*>(&number), width);
    }
  return griddle_done;
}
griddle_status sum_counts(griddle_device*, const int8_t* counts, uint64_t count, double* ends) {
  double sum = 0;
  for (std::uint64_t i = 0; i < count; i++) ends[i / griddle_count_group] = sum += counts[i];
  return griddle_done;
}
griddle_status expand_counts(griddle_device* d, const int8_t* counts, uint64_t count, const double*, uint32_t width,
                             const void* from, void* out) {
  std::vector<double> ends;
  double sum = 0;
  for (std::uint64_t i = 0; i < count; i++) ends.push_back(sum += counts[i]);
  const griddle_intervals in{count, static_cast<std::uint64_t>(sum), griddle_f64, griddle_f64, ends.data(), nullptr, nullptr};
  return expand(d, &in, width, from, out);
}
griddle_status move_intervals(griddle_device* d, const griddle_intervals* in, uint32_t bits_wide, const void* from, void* out) {
  for (std::uint64_t i = 0; i < in->count; i++) {
    const std::uint64_t start = start_of(*in, i), length = end_of(*in, i) - start;
    const auto place = [&](const void* places) {
      return places ? static_cast<int64_t>(read(places, in->place_type, i)) : static_cast<int64_t>(start);
    };
    if (from || in->from)
      move(d, bits_wide, from, place(in->from), 1, out, place(in->to), length);
    else
      for (std::uint64_t k = 0; k < length; k++) write(out, griddle_bit, static_cast<std::uint64_t>(place(in->to)) + k, 1);
  }
  return griddle_done;
}
griddle_status check_intervals(griddle_device*, const griddle_intervals* in, uint64_t in_length, uint64_t out_length, int* bad) {
  *bad = 0;
  for (std::uint64_t i = 0; i < in->count; i++) {
    const double start = i == 0 ? 0 : read(in->ends, in->end_type, i - 1), length = read(in->ends, in->end_type, i) - start;
    const auto within = [&](const void* places, uint64_t all) {
      if (!places) return true;
      const double place = read(places, in->place_type, i);
      return place >= 0 && place == std::floor(place) && place + length <= static_cast<double>(all);
    };
    if (!(length >= 0 && within(in->from, in_length) && within(in->to, out_length))) *bad = 1;
  }
  return griddle_done;
}
griddle_status box(griddle_device* d, const griddle_box* b, const void* in, void* out) {
  std::uint64_t length = 1;
  for (std::uint32_t a = 0; a < b->axis_count; a++) length *= b->axes[a].length;
  for (std::uint64_t k = 0; k < length; k++) {
    std::uint64_t rest = k;
    int64_t from = b->from;
    bool outside = false;
    for (std::uint32_t a = b->axis_count; a-- > 0;) {
      const griddle_axis& axis = b->axes[a];
      int64_t place = static_cast<int64_t>(rest % axis.length);
      rest /= axis.length;
      if (axis.limit != 0) {
        const int64_t limit = static_cast<int64_t>(axis.limit);
        place += axis.first;
        if (b->fills)
          outside |= place < 0 || place >= limit;
        else if (place >= limit)
          place -= limit;
      }
      from += place * axis.step;
    }
    if (outside)
      move(d, b->bits_wide, &b->fill, 0, 1, out, static_cast<int64_t>(k), 1);
    else
      move(d, b->bits_wide, in, from, 1, out, static_cast<int64_t>(k), 1);
  }
  return griddle_done;
}
griddle_status scatter(griddle_device*, uint32_t width, const void* in, const int32_t* index, void* out, uint64_t count) {
  for (std::uint64_t i = 0; i < count; i++)
    std::memcpy(static_cast<char*>(out) + static_cast<size_t>(index[i]) * width, static_cast<const char*>(in) + i * width, width);
  return griddle_done;
}

griddle_status random(griddle_device*, const griddle_random* r, void* out, uint64_t length) {
  namespace derivation = griddle::random_derivation;
  for (std::uint64_t i = 0; i < length; i++) {
    const auto below = [&]<int bits>(std::integral_constant<int, bits>) {
      constexpr std::uint64_t in_block = 128 / bits;
      const std::uint64_t position = r->position + i / in_block;
      return static_cast<double>(derivation::below<bits>(derivation::block_at(r->key, position, 0), r->key, position,
                                                         static_cast<int>(i % in_block), r->limit,
                                                         derivation::threshold_of<bits>(r->limit)));
    };
    const derivation::Block block = derivation::block_at(r->key, r->position + i / 2, 0, r->use);
    const std::uint64_t half = block.half(static_cast<int>(i % 2));
    switch (r->kind) {
      case griddle_random_words: static_cast<std::uint64_t*>(out)[i] = half; break;
      case griddle_random_fractions: write(out, griddle_f64, i, derivation::fraction(half)); break;
      case griddle_random_exponentials: write(out, griddle_f64, i, derivation::exponential(half)); break;
      case griddle_random_normals: write(out, griddle_f64, i, derivation::normals(block.half(0), block.half(1)).of[i % 2]); break;
      case griddle_random_below_16: write(out, griddle_i8, i, below(std::integral_constant<int, 16>())); break;
      case griddle_random_below_32:
        write(out, r->limit <= 1 << 15 ? griddle_i16 : griddle_i32, i, below(std::integral_constant<int, 32>()));
        break;
      case griddle_random_below_64:
        write(out, r->limit <= std::uint64_t{1} << 31 ? griddle_i32 : griddle_f64, i, below(std::integral_constant<int, 64>()));
        break;
      case griddle_random_gammas:
        write(out, griddle_f64, i,
              derivation::gamma(r->key, r->position + i, static_cast<const double*>(r->table)[i % r->table_length]));
        break;
      case griddle_random_aliases:
        write(out,
              r->limit <= 1 << 7    ? griddle_i8
              : r->limit <= 1 << 15 ? griddle_i16
                                    : griddle_i32,
              i, derivation::alias(static_cast<const std::uint64_t*>(r->table), r->limit, half));
        break;
    }
  }
  return griddle_done;
}

// Draws by the sums that the library makes on the host (primitives/kernels/random/draw_products.h), number by number.
double sum_of_8(const double* x) { return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7])); }
std::uint64_t first_above(const double* numbers, std::uint64_t n, double wanted, double& before) {
  double sum = before;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < n; i++) {
    sum += numbers[i];
    if (sum > wanted) return i;
    before = sum;
    if (numbers[i] > 0) last = i;
  }
  return last;
}
griddle_status draw_products(griddle_device*, const griddle_product_draws* p, int32_t* out, int* fault) {
  namespace derivation = griddle::random_derivation;
  *fault = 0;
  for (int k = 0; k < 2; k++)
    for (std::uint64_t i = 0; i < p->rows[k] * p->length; i++)
      if (!(p->tables[k][i] >= 0 && p->tables[k][i] < std::numeric_limits<double>::infinity())) *fault = 1;
  const std::uint64_t blocks = (p->length + 63) / 64;
  std::vector<double> products(blocks * 64), sums(blocks), pieces(8);
  for (std::uint64_t i = 0; i < p->count && *fault == 0; i++) {
    const double* rows[2];
    for (int k = 0; k < 2; k++) {
      if (p->at[k][i] < 0 || static_cast<std::uint64_t>(p->at[k][i]) >= p->rows[k]) {
        *fault = 1;
        return griddle_done;
      }
      rows[k] = p->tables[k] + static_cast<std::uint64_t>(p->at[k][i]) * p->length;
    }
    for (std::uint64_t k = 0; k < p->length; k++) products[k] = rows[0][k] * rows[1][k];
    const auto sums_of_pieces = [&](std::uint64_t block) {
      for (std::uint64_t k = 0; k < 8; k++) pieces[k] = sum_of_8(&products[block * 64 + k * 8]);
    };
    for (std::uint64_t b = 0; b < blocks; b++) {
      double added[8];
      for (std::uint64_t c = 0; c < 8; c++) {
        added[c] = products[b * 64 + c];
        for (std::uint64_t k = 1; k < 8; k++) added[c] += products[b * 64 + k * 8 + c];
      }
      sums[b] = sum_of_8(added);
    }
    sums_of_pieces(0);
    double total = 0, before = 0;
    for (std::uint64_t b = 0; b < (blocks > 1 ? blocks : 8); b++) total += blocks > 1 ? sums[b] : pieces[b];
    if (!(total > 0 && total < std::numeric_limits<double>::infinity())) *fault = 1;
    const std::uint64_t half = derivation::block_at(p->key, p->position + i / 2, 0).half(static_cast<int>(i % 2));
    const double wanted = derivation::fraction(half) * total;
    std::uint64_t place = 0;
    if (blocks > 1) {
      place = 64 * first_above(sums.data(), blocks, wanted, before);
      sums_of_pieces(place / 64);
    }
    place += 8 * first_above(pieces.data(), 8, wanted, before);
    place += first_above(&products[place], 8, wanted, before);
    out[i] = static_cast<int32_t>(place);
  }
  return griddle_done;
}

// Shuffles `length` of all integers, from `start` on, in the words of the specification.
void shuffle(std::uint64_t key, std::uint64_t position, std::uint32_t use, int32_t* all, std::uint64_t start,
             std::uint64_t length) {
  namespace derivation = griddle::random_derivation;
  int32_t* part = all + start;
  if (length <= 1 << 17) {
    for (std::uint64_t i = 0; i < length; i++) {
      const std::uint64_t piece = start + i, at = position + piece / 4, limit = length - i;
      const std::uint64_t r = derivation::below<32>(derivation::block_at(key, at, 0, use), key, at, static_cast<int>(piece % 4),
                                                    limit, derivation::threshold_of<32>(limit), use);
      std::swap(part[i], part[i + r]);
    }
    return;
  }
  std::vector<std::vector<int32_t>> parts(256);
  for (std::uint64_t i = 0; i < length; i++) {
    const std::uint64_t piece = start + i;
    parts[derivation::byte_of(derivation::block_at(key, position + piece / 16, 0, use), static_cast<int>(piece % 16))].push_back(
        part[i]);
  }
  for (const std::vector<int32_t>& p : parts) {
    std::copy(p.begin(), p.end(), all + start);
    shuffle(key, position, use + 1, all, start, p.size());
    start += p.size();
  }
}
griddle_status deal(griddle_device*, uint64_t key, uint64_t position, uint64_t limit, int32_t* out) {
  for (std::uint64_t i = 0; i < limit; i++) out[i] = static_cast<int32_t>(i);
  shuffle(key, position, 0, out, 0, limit);
  return griddle_done;
}

// Calls f with how far each place of a box is from the first.
template <class F>
void each_place(const griddle_axis* axes, std::uint32_t axis_count, F f) {
  std::uint64_t length = 1;
  for (std::uint32_t a = 0; a < axis_count; a++) length *= axes[a].length;
  for (std::uint64_t k = 0; k < length; k++) {
    std::uint64_t rest = k, from = 0;
    for (std::uint32_t a = axis_count; a-- > 0;) {
      from += rest % axes[a].length * static_cast<std::uint64_t>(axes[a].step);
      rest /= axes[a].length;
    }
    f(k, from);
  }
}
griddle_status find(griddle_device*, const griddle_find* f, const void* text, const void* pattern, void* out) {
  each_place(f->places, f->axis_count, [&](std::uint64_t place, std::uint64_t from) {
    bool same = true;
    each_place(f->pattern, f->axis_count, [&](std::uint64_t k, std::uint64_t beside) {
      same = same && read(text, f->type, from + beside) == read(pattern, f->type, k);
    });
    write(out, griddle_bit, place, same);
  });
  return griddle_done;
}

// Where asked to, gives few different numbers, so that different cells often have the same.
griddle_status digest(griddle_device*, griddle_type type, const void* in, uint64_t cells, uint64_t length, double* out) {
  const char* poor = std::getenv("GRIDDLE_TEST_POOR_DIGESTS");
  for (std::uint64_t c = 0; c < cells; c++) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < length; i++) {
      const double element = read(in, type, c * length + i) + 0.0;
      std::uint64_t bits;
      std::memcpy(&bits, &element, sizeof bits);
      sum = (sum ^ bits) * 0x9E3779B97F4A7C15 ^ sum >> 31;
    }
    out[c] = static_cast<double>(poor ? sum % 61 : sum >> 11);
  }
  return griddle_done;
}
griddle_status match_cells(griddle_device*, griddle_type type, const void* in, uint64_t cells, uint64_t length, const void* among,
                           uint64_t among_cells, const int32_t* at, int* differ) {
  *differ = 0;
  for (std::uint64_t c = 0; c < cells; c++) {
    if (static_cast<std::uint64_t>(at[c]) >= among_cells) continue;
    for (std::uint64_t i = 0; i < length; i++)
      *differ |= read(in, type, c * length + i) != read(among, type, static_cast<std::uint64_t>(at[c]) * length + i);
  }
  return griddle_done;
}

griddle_status sort(griddle_device*, griddle_type type, const void* in, void* out, int32_t* order, uint64_t length, int down) {
  std::vector<std::pair<double, int32_t>> all(length);
  for (std::uint64_t i = 0; i < length; i++) all[i] = {read(in, type, i), static_cast<int32_t>(i)};
  // What is no number comes last.
  const auto before = [](double a, double b) { return b != b ? a == a : a < b; };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return down ? before(b.first, a.first) : before(a.first, b.first); });
  for (std::uint64_t i = 0; i < length; i++)
    if (order)
      order[i] = all[i].second;
    else
      write(out, type, i, all[i].first);
  return griddle_done;
}
// Compares cells: below 0, 0 or above, as the first one is less, equal or greater.
int order_of(griddle_type type, const void* a, std::uint64_t i, const void* b, std::uint64_t k, std::uint64_t length) {
  for (std::uint64_t e = 0; e < length; e++) {
    const double x = read(a, type, i * length + e), y = read(b, type, k * length + e);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}
griddle_status bins(griddle_device*, griddle_type type, const void* sorted, uint64_t cells, uint64_t length, const void* sought,
                    int32_t* out, uint64_t count, int after, int down) {
  for (std::uint64_t i = 0; i < count; i++) {
    std::uint64_t low = 0, high = cells;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      const int order = order_of(type, sorted, middle, sought, i, length) * (down ? -1 : 1);
      if (after ? order <= 0 : order < 0)
        low = middle + 1;
      else
        high = middle;
    }
    out[i] = static_cast<int32_t>(low);
  }
  return griddle_done;
}
griddle_status in_order(griddle_device*, griddle_type type, const void* in, uint64_t cells, uint64_t length, int down,
                        int* ordered) {
  *ordered = 1;
  for (std::uint64_t i = 1; i < cells; i++) *ordered &= order_of(type, in, i - 1, in, i, length) * (down ? -1 : 1) <= 0;
  return griddle_done;
}

// Calls f(i, value − low) for elements whose value is in the table.
template <class F>
void each_value(griddle_type type, const void* in, uint64_t length, int64_t low, uint64_t values, F f) {
  for (std::uint64_t i = 0; i < length; i++) {
    const double v = read(in, type, i) - static_cast<double>(low);
    if (v >= 0 && v < static_cast<double>(values)) f(i, static_cast<uint64_t>(v));
  }
}
griddle_status first_places(griddle_device*, griddle_type type, const void* in, uint64_t length, int64_t low, uint64_t values,
                            int32_t* table) {
  std::fill_n(table, values, static_cast<int32_t>(length));
  each_value(type, in, length, low, values,
             [&](uint64_t i, uint64_t v) { table[v] = std::min(table[v], static_cast<int32_t>(i)); });
  return griddle_done;
}
griddle_status look_up(griddle_device*, griddle_type type, const void* in, uint64_t count, int64_t low, uint64_t values,
                       const int32_t* table, int32_t absent, int32_t* out) {
  std::fill_n(out, count, absent);
  each_value(type, in, count, low, values, [&](uint64_t i, uint64_t v) { out[i] = table[v]; });
  return griddle_done;
}
griddle_status count_values(griddle_device*, griddle_type type, const void* in, uint64_t length, int64_t low, uint64_t values,
                            int32_t* counts) {
  std::fill_n(counts, values, 0);
  each_value(type, in, length, low, values, [&](uint64_t, uint64_t v) { counts[v]++; });
  return griddle_done;
}
griddle_status fold_values(griddle_device*, griddle_fold f, griddle_type type, const void* keys, griddle_type number_type,
                           const void* numbers, uint64_t length, int64_t low, uint64_t values, double* out) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (f == griddle_fold_multiply) return griddle_unsupported;
  std::fill_n(out, values, f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? infinity : -infinity);
  each_value(type, keys, length, low, values,
             [&](uint64_t i, uint64_t v) { out[v] = join(f, out[v], read(numbers, number_type, i)); });
  return griddle_done;
}

constexpr griddle_plugin table = {
    GRIDDLE_PLUGIN_VERSION,
    sizeof(griddle_plugin),
    open,
    close,
    message,
    allocate,
    release,
    trim,
    copy,
    copy,
    wait,
    map,
    fold,
    scan,
    scan_bits,
    fold_rows,
    fold_columns,
    count_bits,
    select_if,
    runs,
    fold_runs,
    expand,
    sum_counts,
    expand_counts,
    move_intervals,
    check_intervals,
    move,
    tile,
    gather,
    box,
    scatter,
    random,
    draw_products,
    deal,
    digest,
    match_cells,
    find,
    sort,
    bins,
    in_order,
    first_places,
    look_up,
    count_values,
    fold_values,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const griddle_plugin* griddle_device_plugin() { return &table; }
