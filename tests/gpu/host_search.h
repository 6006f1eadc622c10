// Search, order and tables by value where the device is the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/gpu/host_elements.h"

namespace host_device {

// Calls f with how far each place of a box is from the first.
template <class F>
inline void each_place(const griddle_axis* axes, std::uint32_t axis_count, F f) {
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
inline griddle_status find(griddle_device*, const griddle_find* f, const void* text, const void* pattern, void* out) {
  each_place(f->places, f->axis_count, [&](std::uint64_t place, std::uint64_t from) {
    bool same = true;
    each_place(f->pattern, f->axis_count, [&](std::uint64_t k, std::uint64_t beside) {
      same = same && read(text, f->type, from + beside) == read(pattern, f->type, k);
    });
    write(out, griddle_device_bit, place, same);
  });
  return griddle_done;
}

// Where asked to, gives few different numbers, so that different cells often have the same.
inline griddle_status digest(griddle_device*, griddle_device_type type, const void* in, uint64_t cells, uint64_t length,
                             double* out) {
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
inline griddle_status match_cells(griddle_device*, griddle_device_type type, const void* in, uint64_t cells, uint64_t length,
                                  const void* among, uint64_t among_cells, const int32_t* at, int* differ) {
  *differ = 0;
  for (std::uint64_t c = 0; c < cells; c++) {
    if (static_cast<std::uint64_t>(at[c]) >= among_cells) continue;
    for (std::uint64_t i = 0; i < length; i++)
      *differ |= read(in, type, c * length + i) != read(among, type, static_cast<std::uint64_t>(at[c]) * length + i);
  }
  return griddle_done;
}

inline griddle_status sort(griddle_device*, griddle_device_type type, const void* in, void* out, int32_t* order, uint64_t length,
                           int down) {
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
inline int order_of(griddle_device_type type, const void* a, std::uint64_t i, const void* b, std::uint64_t k,
                    std::uint64_t length) {
  for (std::uint64_t e = 0; e < length; e++) {
    const double x = read(a, type, i * length + e), y = read(b, type, k * length + e);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}
inline griddle_status bins(griddle_device*, griddle_device_type type, const void* sorted, uint64_t cells, uint64_t length,
                           const void* sought, int32_t* out, uint64_t count, int after, int down) {
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
inline griddle_status in_order(griddle_device*, griddle_device_type type, const void* in, uint64_t cells, uint64_t length,
                               int down, int* ordered) {
  *ordered = 1;
  for (std::uint64_t i = 1; i < cells; i++) *ordered &= order_of(type, in, i - 1, in, i, length) * (down ? -1 : 1) <= 0;
  return griddle_done;
}

// Gives places from the last to the first: any order is right.
inline griddle_status first_equals(griddle_device*, uint32_t width, const void* in, void* marks, int32_t* places, int32_t* firsts,
                                   uint64_t length) {
  std::unordered_map<std::string_view, std::uint64_t> known;
  for (std::uint64_t i = 0; i < length; i++) {
    const std::string_view bits(static_cast<const char*>(in) + i * width, width);
    const std::uint64_t first = known.emplace(bits, i).first->second;
    if (marks) {
      write(marks, griddle_device_bit, i, first == i);
    } else {
      places[length - 1 - i] = static_cast<std::int32_t>(i);
      firsts[length - 1 - i] = static_cast<std::int32_t>(first);
    }
  }
  return griddle_done;
}

// Calls f(i, value − low) for elements whose value is in the table.
template <class F>
inline void each_value(griddle_device_type type, const void* in, uint64_t length, int64_t low, uint64_t values, F f) {
  for (std::uint64_t i = 0; i < length; i++) {
    const double v = read(in, type, i) - static_cast<double>(low);
    if (v >= 0 && v < static_cast<double>(values) && v == std::floor(v)) f(i, static_cast<uint64_t>(v));
  }
}
inline griddle_status first_places(griddle_device*, griddle_device_type type, const void* in, uint64_t length, int64_t low,
                                   uint64_t values, int32_t* table) {
  std::fill_n(table, values, static_cast<int32_t>(length));
  each_value(type, in, length, low, values,
             [&](uint64_t i, uint64_t v) { table[v] = std::min(table[v], static_cast<int32_t>(i)); });
  return griddle_done;
}
inline griddle_status look_up(griddle_device*, griddle_device_type type, const void* in, uint64_t count, int64_t low,
                              uint64_t values, const int32_t* table, int32_t absent, int32_t* out) {
  std::fill_n(out, count, absent);
  each_value(type, in, count, low, values, [&](uint64_t i, uint64_t v) { out[i] = table[v]; });
  return griddle_done;
}
inline griddle_status count_values(griddle_device*, griddle_device_type type, const void* in, uint64_t length, int64_t low,
                                   uint64_t values, int32_t* counts) {
  std::fill_n(counts, values, 0);
  each_value(type, in, length, low, values, [&](uint64_t, uint64_t v) { counts[v]++; });
  return griddle_done;
}
inline griddle_status fold_values(griddle_device*, griddle_fold f, griddle_device_type type, const void* keys,
                                  griddle_device_type number_type, const void* numbers, uint64_t length, int64_t low,
                                  uint64_t values, double* out) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (f == griddle_fold_multiply) return griddle_unsupported;
  std::fill_n(out, values, f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? infinity : -infinity);
  each_value(type, keys, length, low, values,
             [&](uint64_t i, uint64_t v) { out[v] = join(f, out[v], read(numbers, number_type, i)); });
  return griddle_done;
}

}  // namespace host_device
