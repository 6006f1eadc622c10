// Inputs of chains that are boxes of another array: read where they are, never made.
#pragma once

#include "gpu/cuda/chains/groups.cuh"

namespace griddle::cuda {

// A view as kernels take it: what is asked of an axis comes in one piece. An axis that is not there has one place.
struct ReadyAxis {
  std::int64_t step;
  std::int32_t first, limit;
};
struct ReadyView {
  std::int64_t from;
  std::int32_t fills;
  std::uint32_t is_view;
  std::uint32_t length[griddle_most_view_axes];
  std::uint32_t same_axes;  // as the first view of the chain has
  ReadyAxis axes[griddle_most_view_axes];
};
// Where a place is along the axes of a result. Views of one chain have the same axes as a rule.
struct Indices {
  std::int32_t along[griddle_most_view_axes];
  std::int32_t left;  // places from here to the end of its row
};
__device__ __forceinline__ Indices indices_in(const ReadyView& view, std::uint32_t at) {
  constexpr int last = griddle_most_view_axes - 1;
  Indices indices;
#pragma unroll
  for (int a = last; a >= 0; a--) {
    const std::uint32_t length = view.length[a];
    const std::uint32_t next = a == 0 || length == 1 ? at : at / length;
    indices.along[a] = static_cast<std::int32_t>(a == 0 ? at : length == 1 ? 0 : at - next * length);
    if (a == last) indices.left = static_cast<std::int32_t>(length) - indices.along[a];
    at = next;
  }
  return indices;
}
// Where the element of a place is.
struct Found {
  std::int64_t row;    // the element that place 0 of the last axis would be
  std::int32_t place;  // on the last axis
  std::int32_t left;   // places of the result from here to the end of its row
  bool outside;        // by another axis
};
__device__ __forceinline__ Found find_in(const ReadyView& view, const Indices& indices) {
  constexpr int last = griddle_most_view_axes - 1;
  Found found{view.from, 0, indices.left, false};
#pragma unroll
  for (int a = 0; a <= last; a++) {
    const ReadyAxis axis = view.axes[a];
    std::int32_t place = indices.along[a];
    if (axis.limit != 0) {
      place += axis.first;
      if (!view.fills && place >= axis.limit) place -= axis.limit;
      if (view.fills && a != last) found.outside |= static_cast<std::uint32_t>(place) >= static_cast<std::uint32_t>(axis.limit);
    }
    if (a == last)
      found.place = place;
    else
      found.row += place * axis.step;
  }
  return found;
}
// Reads values from place to place, by pieces that lie together: where a row ends, or turns round.
template <class V>
__device__ __noinline__ void read_view(V* v, int count, const void* from, std::uint8_t type, const ReadyView& view,
                                       std::uint32_t at, std::uint64_t length, V fill) {
  constexpr int places = Packing<V>::places;
  const ReadyAxis last = view.axes[griddle_most_view_axes - 1];
  Found found = find_in(view, indices_in(view, at));
#pragma unroll 1
  for (int i = 0; i < count; i++)
    v[i] = in_pieces<V>([&](int& taken) {
      if (at >= length) return V{};
      taken = min(taken, found.left);
      const bool fills = view.fills && last.limit != 0;
      const bool outside = found.outside || (fills && (found.place < 0 || found.place >= last.limit));
      if (last.limit != 0 && found.place < last.limit)
        taken = min(taken, fills && found.place < 0 ? -found.place : last.limit - found.place);
      const std::int64_t here = found.row + found.place * last.step;
      V some = fill;
      if (!outside && last.step == 0)
        some = everywhere<V>(read_typed<PlaceOf<V>>(from, type, static_cast<std::uint64_t>(here)));
      else if (!outside && (places == 1 || last.step == 1))
        some = take_places<V>(from, type, here, taken);
      else if (!outside)
        some = Packing<V>::behind(Packing<V>::turned(take_places<V>(from, type, here - (taken - 1), taken)), places - taken);
      at += taken;
      found.place += taken;
      if ((found.left -= taken) == 0)
        found = find_in(view, indices_in(view, at));
      else if (found.place == last.limit && !view.fills)
        found.place = 0;
      return some;
    });
}
// `whole_view` is the same view, in memory: kernels that are made for a chain know most of `view` when they are compiled.
template <class V, int group>
__device__ __forceinline__ void load_view(V (&v)[group], const void* from, std::uint8_t type, const ReadyView& view,
                                          const ReadyView& whole_view, const Indices& indices, std::uint32_t at,
                                          std::uint64_t length, V fill) {
  constexpr int places = group * Packing<V>::places;
  const Found found = find_in(view, indices);
  const ReadyAxis last = view.axes[griddle_most_view_axes - 1];
  const bool whole =
      found.left >= places && !found.outside && (last.limit == 0 || (found.place >= 0 && found.place + places <= last.limit));
  if (!whole) {
    V by_pieces[group];
    read_view(by_pieces, group, from, type, whole_view, at, length, fill);
#pragma unroll
    for (int i = 0; i < group; i++) v[i] = by_pieces[i];
  } else if (last.step == 1) {
    load_run(v, from, type, found.row + found.place);
  } else if (last.step == 0) {
    const V one = everywhere<V>(read_typed<PlaceOf<V>>(from, type, static_cast<std::uint64_t>(found.row)));
#pragma unroll
    for (int i = 0; i < group; i++) v[i] = one;
  } else {
    load_run(v, from, type, found.row - found.place - (places - 1));
#pragma unroll
    for (int i = 0; i < group / 2; i++) {
      const V other = Packing<V>::turned(v[i]);
      v[i] = Packing<V>::turned(v[group - 1 - i]);
      v[group - 1 - i] = other;
    }
  }
}

}  // namespace griddle::cuda
