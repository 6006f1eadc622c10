// Structural primitives on the device: which function does what, and selection.
#include <algorithm>
#include <cmath>

#include "gpu/parts.h"

namespace griddle::gpu {

Value matched(Workshop& shop, const Value& w, const Value& x, bool send, bool wanted) {
  if (!w.is_array() || !x.is_array()) return Value();
  Arg a = shop.operand(w, send), b = shop.operand(x, send);
  if (!a || !b) return Value();
  bool same = same_shape(shape_of(w), shape_of(x)) && is_number(a->type) == is_number(b->type);
  const std::size_t n = a->length;
  if (same)
    same =
        folded(shop, griddle_fold_maximum, shop.linked({griddle_not_equal, a, b}, {0, 1, true}, n, "Match", true), "Match") == 0;
  return Value(static_cast<double>(same == wanted));
}

// --- selection

Value replicated(Workshop& shop, const Value& w, const Value& x, bool send) {
  if (rank_of(x) == 0) return Value();
  Arg a = shop.operand(x, send);
  if (!a) return Value();
  const std::size_t cells = x.array().cells(), cell = x.array().cell_length();
  Shape shape(shape_of(x));
  if (std::int64_t n; !w.is_array()) {
    if (!w.to_integer(n) || n < 1) return Value();
    shape[0] = cells * static_cast<std::size_t>(n);
    const std::int64_t step = static_cast<std::int64_t>(cell);
    const std::vector<griddle_axis> axes{{cells, step, 0, 0}, {static_cast<std::uint64_t>(n), 0, 0, 0}, {cell, 1, 0, 0}};
    return shop.wrap(chosen(shop, a, 0, axes, false, "Replicate"), shape);
  }
  if (!is_list(w) || w.array().length != cells || !is_number(w.array().type())) return Value();
  Arg counts = shop.operand(w, send);
  if (!counts) return Value();
  if (x.array().rank() == 1) {
    if (counts->type != ElementType::bit) return shop.wrap_list(repeated(shop, counts, a));
    return list_or_empty(shop, kept_if_any(shop, counts, a), a->type);
  }
  Arg places = indices(shop, counts);
  if (!places) return Value();
  shape[0] = places->length;
  return shop.wrap(gathered(shop, a, places, cells, cell, "Replicate"), shape);
}

// Gives a list, or one without elements where it is null.
Value list_or_empty(Workshop& shop, Arg list, ElementType type) {
  return list ? shop.wrap_list(std::move(list)) : to_value(make_list(shop.cx().heap, type, 0));
}

std::uint64_t count_marks(Workshop& shop, const Arg& mask, const char* maker) {
  const void* bits = mask->memory();
  if (mask->ones) return *mask->ones;
  std::uint64_t count = 0;
  shop.waits();
  shop.run<&griddle_plugin::count_bits>(maker, bits, mask->length, &count);
  mask->ones = count;
  return count;
}

// Gives the elements that a mask marks; null where it marks none.
Arg kept_if_any(Workshop& shop, const Arg& mask, const Arg& x) {
  const std::uint64_t count = count_marks(shop, mask, "Replicate");
  if (count == 0) return {};
  const void* bits = mask->memory();
  const void* elements = x->is_only_range() && x->type == ElementType::i32 ? nullptr : x->memory();
  Arg d = shop.made(x->type, count, x->bounds, "Replicate");
  void* to = d->allocate();
  if (x->type == ElementType::bit) {
    shop.run<&griddle_plugin::select_bits>(d->maker, elements, bits, to, count, mask->length);
  } else {
    shop.run<&griddle_plugin::select_if>(d->maker, bits_of(x->type) / 8, elements, bits, to, nullptr, mask->length);
  }
  return d;
}

Arg kept(Workshop& shop, const Arg& mask, const Arg& x) {
  Arg some = kept_if_any(shop, mask, x);
  if (!some) throw DeviceDeclines();
  return some;
}

Value select(Workshop& shop, const Value& index, const Value& from, bool send) {
  if (!index.is_array() || rank_of(from) == 0) return Value();
  const Arg w = shop.operand(index, send), x = shop.operand(from, send);
  if (!w || !x || !is_number(w->type)) return Value();
  const std::size_t cells = from.array().cells(), cell = from.array().cell_length();
  const double n = static_cast<double>(cells);
  const bool safe = w->bounds.integral && w->bounds.low >= -n && w->bounds.high < n;
  Arg places = shop.without_bits(w);
  const void* at = places->memory();
  const void* elements = x->memory();
  Arg d = shop.made(x->type, w->length * cell, x->bounds, "Select");
  void* to = d->allocate();
  int bad = 0;
  if (!safe) shop.waits();
  shop.run<&griddle_plugin::gather>(d->maker, bits_of(x->type), elements, cells, cell, plugin_type(places->type), at, to,
                                    w->length, safe ? nullptr : &bad);
  if (bad) return Value();
  Shape shape(index.array().shape());
  shape.append(from.array().shape().subspan(1));
  return shop.wrap(std::move(d), shape);
}

// Selects the same places from each of the cells that `frame` axes lead to: by their numbers, or by how often each is taken.
Value selected_in_cells(Workshop& shop, Glyph glyph, const Value& w, const Arg& x, Lengths shape, std::size_t frame) {
  constexpr const char* name = "Select";
  const std::size_t outer = griddle::product(shape.first(frame)), length = shape[frame];
  const std::size_t cell = griddle::product(shape.subspan(frame + 1));
  Arg places = is_list(w) ? shop.operand(w, true) : Arg();
  if (!places || !(places = integers(shop, places, name)) || outer * length > most_places) return Value();
  if (glyph == Glyph::replicate) {
    if (places->length != length || !(places = indices(shop, places))) return Value();
  } else {
    const auto are_within = [&](const Bounds& b) {
      return b.low >= -static_cast<double>(length) && b.high < static_cast<double>(length);
    };
    const Bounds b = are_within(places->bounds) ? places->bounds : extremes(shop, places);
    if (!are_within(b)) return Value();
    if (b.low < 0) places = counted_from_start(shop, places, length, name);
  }
  const std::size_t count = places->length, all = outer * count;
  if (all > most_places) return Value();
  const double step = static_cast<double>(length), last = static_cast<double>(outer - 1) * step;
  const Arg starts =
      shop.linked({griddle_multiply, counted_up(shop, outer), {}, step, false, true}, {0, last, true}, outer, name);
  const Arg at = shop.linked({griddle_add, shop.spread(starts, count, 0, all), shop.spread(places, 1, count, all)},
                             {0, last + step - 1, true}, all, name);
  Shape result(shape);
  result[frame] = count;
  return shop.wrap(gathered(shop, x, shop.in_type(at, ElementType::i32, name), outer * length, cell, name), result);
}

// Takes cells from places that are known to be within bounds.
Arg gathered(Workshop& shop, const Arg& x, const Arg& at, std::size_t cells, std::size_t cell, const char* maker) {
  Arg places = shop.without_bits(at);
  const void* index = places->memory();
  const void* elements = x->memory();
  Arg d = shop.made(x->type, at->length * cell, x->bounds, maker);
  void* to = d->allocate();
  shop.run<&griddle_plugin::gather>(maker, bits_of(x->type), elements, cells, cell, plugin_type(places->type), index, to,
                                    at->length, nullptr);
  return d;
}

}  // namespace griddle::gpu
