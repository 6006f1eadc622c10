// Moves, intervals and boxes where the device is the host.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/gpu/host_elements.h"

namespace host_device {

inline griddle_status move(griddle_device*, uint32_t bits_wide, const void* in, int64_t from, int64_t step, void* out, int64_t to,
                           uint64_t count) {
  if (bits_wide == 1) {
    for (std::uint64_t i = 0; i < count; i++)
      write(out, griddle_device_bit, static_cast<std::uint64_t>(to) + i,
            read(in, griddle_device_bit, static_cast<std::uint64_t>(from + static_cast<int64_t>(i) * step)));
    return griddle_done;
  }
  const int64_t width = bits_wide / 8;
  if (step == 1)
    std::memcpy(static_cast<char*>(out) + to * width, static_cast<const char*>(in) + from * width,
                count * static_cast<size_t>(width));
  else
    for (int64_t i = 0; i < static_cast<int64_t>(count); i++)
      std::memcpy(static_cast<char*>(out) + (to + i) * width, static_cast<const char*>(in) + (from + i * step) * width,
                  static_cast<size_t>(width));
  return griddle_done;
}
inline griddle_status tile(griddle_device* d, uint32_t bits_wide, const void* in, uint64_t period, void* out, uint64_t count) {
  for (std::uint64_t i = 0; i < count; i++)
    move(d, bits_wide, in, static_cast<int64_t>(i % period), 1, out, static_cast<int64_t>(i), 1);
  return griddle_done;
}
inline griddle_status gather(griddle_device* d, uint32_t bits_wide, const void* in, uint64_t cells, uint64_t cell,
                             griddle_device_type type, const void* index, void* out, uint64_t count, int* bad) {
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

inline std::uint64_t start_of(const griddle_intervals& in, std::uint64_t i) {
  return i == 0 ? 0 : static_cast<std::uint64_t>(read(in.ends, in.end_type, i - 1));
}
inline std::uint64_t end_of(const griddle_intervals& in, std::uint64_t i) {
  return static_cast<std::uint64_t>(read(in.ends, in.end_type, i));
}
inline griddle_status expand(griddle_device*, const griddle_intervals* in, uint32_t width, const void* from, void* out) {
  for (std::uint64_t i = 0; i < in->count; i++)
    for (std::uint64_t to = start_of(*in, i); to < end_of(*in, i); to++) {
      const int32_t number = static_cast<int32_t>(i);
      std::memcpy(static_cast<char*>(out) + to * width,
                  from ? static_cast<const char*>(from) + i * width : static_cast<const void*>(&number), width);
    }
  return griddle_done;
}
inline griddle_status sum_counts(griddle_device*, const int8_t* counts, uint64_t count, double* ends) {
  double sum = 0;
  for (std::uint64_t i = 0; i < count; i++) ends[i / griddle_count_group] = sum += counts[i];
  return griddle_done;
}
inline griddle_status expand_counts(griddle_device* d, const int8_t* counts, uint64_t count, const double*, uint32_t width,
                                    const void* from, void* out) {
  std::vector<double> ends;
  double sum = 0;
  for (std::uint64_t i = 0; i < count; i++) ends.push_back(sum += counts[i]);
  const griddle_intervals in{
      count, static_cast<std::uint64_t>(sum), griddle_device_f64, griddle_device_f64, ends.data(), nullptr, nullptr};
  return expand(d, &in, width, from, out);
}
inline griddle_status move_intervals(griddle_device* d, const griddle_intervals* in, uint32_t bits_wide, const void* from,
                                     void* out) {
  for (std::uint64_t i = 0; i < in->count; i++) {
    const std::uint64_t start = start_of(*in, i), length = end_of(*in, i) - start;
    const auto place = [&](const void* places) {
      return places ? static_cast<int64_t>(read(places, in->place_type, i)) : static_cast<int64_t>(start);
    };
    if (from || in->from)
      move(d, bits_wide, from, place(in->from), 1, out, place(in->to), length);
    else
      for (std::uint64_t k = 0; k < length; k++) write(out, griddle_device_bit, static_cast<std::uint64_t>(place(in->to)) + k, 1);
  }
  return griddle_done;
}
inline griddle_status check_intervals(griddle_device*, const griddle_intervals* in, uint64_t in_length, uint64_t out_length,
                                      int* bad) {
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
inline griddle_status box(griddle_device* d, const griddle_box* b, const void* in, void* out) {
  std::uint64_t length = 1;
  for (std::uint32_t a = 0; a < b->axis_count; a++) length *= b->axes[a].length;
  for (std::uint64_t k = 0; k < length; k++) {
    const std::int64_t at = source_of(b->axes, b->axis_count, b->from, b->fills, k);
    move(d, b->bits_wide, at < 0 ? &b->fill : in, at < 0 ? 0 : at, 1, out, static_cast<int64_t>(k), 1);
  }
  return griddle_done;
}
inline griddle_status scatter(griddle_device*, uint32_t width, const void* before, const void* in, const int32_t* index,
                              void* out, uint64_t count, uint64_t cells, int* repeated) {
  if (before) std::memcpy(out, before, cells * width);
  std::vector<bool> marks(cells);
  bool twice = false;
  for (std::uint64_t i = 0; i < count; i++) {
    const std::size_t at = static_cast<std::size_t>(index[i]);
    std::memcpy(static_cast<char*>(out) + at * width, static_cast<const char*>(in) + i * width, width);
    twice |= marks[at];
    marks[at] = true;
  }
  if (repeated) *repeated = twice;
  return griddle_done;
}

}  // namespace host_device
