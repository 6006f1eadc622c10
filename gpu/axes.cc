// Places chosen axis by axis, and pieces put one after another: ⌽ ⍉ ↑ ↓ ↕ » « ⥊ ∾ ≍ on the device.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/offload.h"
#include "runtime/primitive.h"
#include "runtime/vm/error.h"

namespace griddle::gpu {

Axes axes_of(Lengths shape) {
  Axes axes(shape.size());
  std::int64_t step = 1;
  for (std::size_t k = shape.size(); k-- > 0; step *= static_cast<std::int64_t>(shape[k])) axes[k] = {shape[k], step, 0, 0};
  return axes;
}

void simplify(Axes& axes, std::int64_t& from) {
  Axes simple;
  for (griddle_axis a : axes) {
    if (a.limit != 0 && a.first >= 0 && static_cast<std::uint64_t>(a.first) + a.length <= a.limit) {
      from += a.first * a.step;
      a.first = 0;
      a.limit = 0;
    }
    if (a.length == 1 && a.limit == 0) continue;
    if (!simple.empty() && simple.back().limit == 0 && a.limit == 0 &&
        simple.back().step == a.step * static_cast<std::int64_t>(a.length)) {
      simple.back() = {simple.back().length * a.length, a.step, 0, 0};
    } else {
      simple.push_back(a);
    }
  }
  if (simple.empty()) simple.push_back({1, 1, 0, 0});
  axes = std::move(simple);
}

Shape shape_of_axes(const Axes& axes) {
  Shape shape;
  for (const griddle_axis& a : axes) shape.push_back(a.length);
  return shape;
}

namespace {

using Amounts = std::vector<std::int64_t>;

// Reads integers from a number or a short list; nothing where they are none.
std::optional<Amounts> integers_of(const Value& v) {
  Amounts result;
  if (v.is_number() || !v.is_array()) {
    std::int64_t i;
    if (!v.to_integer(i)) return std::nullopt;
    return Amounts{i};
  }
  const Array& a = v.array();
  if (a.rank() > 1 || !is_number(a.type()) || a.length > griddle_most_axes) return std::nullopt;
  for (std::size_t k = 0; k < a.length; k++) {
    std::int64_t i;
    if (!Value(number_at(a, k)).to_integer(i)) return std::nullopt;
    result.push_back(i);
  }
  return result;
}

std::size_t magnitude(std::int64_t i) { return static_cast<std::size_t>(i < 0 ? -i : i); }

}  // namespace

Arg chosen(Workshop& shop, const Arg& x, std::int64_t from, std::vector<griddle_axis> axes, bool fills, const char* maker) {
  double total = 1;
  for (const griddle_axis& a : axes) total *= static_cast<double>(a.length);
  if (total < 1 || total > most_elements) throw DeviceDeclines();
  simplify(axes, from);
  if (axes.size() > griddle_most_axes) throw DeviceDeclines();
  const double fill = is_number(x->type) ? 0 : ' ';
  const Bounds& b = x->bounds;
  Arg d = shop.made(x->type, static_cast<std::size_t>(total), fills ? covering(b, {fill, fill, true}) : b, maker);
  d->set_box(x, {from, std::move(axes), fills});
  // A small part keeps nothing large.
  if (total <= static_cast<double>(x->length) / 4) d->memory();
  return d;
}

static Value rotated_by(Workshop& shop, const std::optional<Amounts>& amounts, const Arg& x, Lengths shape) {
  if (!amounts || amounts->size() > shape.size()) return Value();
  Axes axes = axes_of(shape);
  bool turned = false;
  for (std::size_t k = 0; k < amounts->size(); k++) {
    const std::int64_t n = static_cast<std::int64_t>(shape[k]);
    const std::int64_t first = ((*amounts)[k] % n + n) % n;
    if (first == 0) continue;
    turned = true;
    axes[k].first = first;
    axes[k].limit = shape[k];
  }
  return shop.wrap(turned ? chosen(shop, x, 0, axes, false, "Rotate") : x, shape);
}
Value rotated(Workshop& shop, const Value& w, const Arg& x, Lengths shape) { return rotated_by(shop, integers_of(w), x, shape); }

Value cells_transposed(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  if (shape.size() < frame + 2) return shop.wrap(x, shape);
  Axes axes = axes_of(shape);
  const auto first = axes.begin() + static_cast<std::ptrdiff_t>(frame);
  std::rotate(first, first + 1, axes.end());
  const Shape result = shape_of_axes(axes);
  return shop.wrap(chosen(shop, x, 0, axes, false, "Transpose"), result);
}

Value transposed(Workshop& shop, const Arg& x, Lengths shape) { return cells_transposed(shop, x, shape, 0); }

Value reordered(Workshop& shop, const Value& w, const Arg& x, Lengths shape) {
  const auto given = integers_of(w);
  const std::size_t rank = shape.size();
  if (!given || given->size() > rank) return Value();
  if (rank == 0) return shop.wrap(x, shape);
  std::vector<std::size_t> order;
  std::vector<bool> used(rank, false);
  for (const std::int64_t k : *given) {
    if (k < 0 || static_cast<std::size_t>(k) >= rank) return Value();
    order.push_back(static_cast<std::size_t>(k));
    used[order.back()] = true;
  }
  for (std::size_t k = 0; order.size() < rank; k++)
    if (!used[k]) {
      order.push_back(k);
      used[k] = true;
    }
  // Where several axes go to one, the result is a diagonal.
  const std::size_t count = *std::max_element(order.begin(), order.end()) + 1;
  for (std::size_t k = 0; k < count; k++)
    if (!used[k]) return Value();
  Axes axes(count, griddle_axis{~std::uint64_t{0}, 0, 0, 0});
  const Axes of_x = axes_of(shape);
  for (std::size_t k = 0; k < rank; k++) {
    axes[order[k]].length = std::min(axes[order[k]].length, of_x[k].length);
    axes[order[k]].step += of_x[k].step;
  }
  const Shape result = shape_of_axes(axes);
  return shop.wrap(chosen(shop, x, 0, axes, false, "Reorder Axes"), result);
}

static Value taken_by(Workshop& shop, const std::optional<Amounts>& amounts, const Arg& x, Lengths shape, bool drops) {
  if (!amounts || amounts->size() > shape.size()) return Value();
  Axes axes = axes_of(shape);
  bool fills = false;
  for (std::size_t k = 0; k < amounts->size(); k++) {
    const std::int64_t n = (*amounts)[k], have = static_cast<std::int64_t>(shape[k]);
    const std::int64_t size = static_cast<std::int64_t>(magnitude(n));
    axes[k].length = static_cast<std::uint64_t>(drops ? std::max<std::int64_t>(have - size, 0) : size);
    axes[k].first = drops ? std::max<std::int64_t>(n, 0) : n < 0 ? have - size : 0;
    axes[k].limit = static_cast<std::uint64_t>(have);
    fills |= !drops && size > have;
    if (axes[k].length == 0) return Value();
  }
  const Shape result = shape_of_axes(axes);
  return shop.wrap(chosen(shop, x, 0, axes, fills, drops ? "Drop" : "Take"), result);
}
Value taken(Workshop& shop, const Value& w, const Arg& x, Lengths shape, bool drops) {
  return taken_by(shop, integers_of(w), x, shape, drops);
}

Value windows_of(Workshop& shop, const Value& w, const Arg& x, Lengths shape) {
  const auto sizes = integers_of(w);
  if (!sizes || sizes->empty() || sizes->size() > shape.size()) return Value();
  Axes inner = axes_of(shape), axes;
  for (std::size_t k = 0; k < sizes->size(); k++) {
    const std::int64_t size = (*sizes)[k];
    if (size < 1 || static_cast<std::size_t>(size) > shape[k]) return Value();
    axes.push_back({shape[k] - static_cast<std::size_t>(size) + 1, inner[k].step, 0, 0});
    inner[k].length = static_cast<std::uint64_t>(size);
  }
  axes.insert(axes.end(), inner.begin(), inner.end());
  const Shape result = shape_of_axes(axes);
  Arg d = chosen(shop, x, 0, axes, false, "Windows");
  if (sizes->size() == shape.size() && !d->computed()) {
    WindowsOf windows{x, Shape(shape), {}};
    for (const std::int64_t size : *sizes) windows.sizes.push_back(static_cast<std::size_t>(size));
    d->windows = std::make_unique<const WindowsOf>(std::move(windows));
  }
  return shop.wrap(std::move(d), result);
}

// What enters is an element for each place of a cell; the kernels of whatever follows read beside their place.
Value nudged(Workshop& shop, const Arg& x, Lengths shape, double entering, bool back) {
  const std::int64_t cell = static_cast<std::int64_t>(x->length / shape[0]);
  const bool integral = entering == std::floor(entering) && std::fabs(entering) < exact_limit / 2;
  const Bounds b = covering(x->bounds, {entering, entering, integral});
  const ElementType type = !is_number(x->type)
                               ? wider(x->type, element_type_of(Value::character(static_cast<char32_t>(entering))))
                           : b.integral ? wider(x->type, type_for({entering, entering, true}))
                                        : ElementType::f64;
  Arg d = shop.made(type, x->length, b, back ? "Nudge back" : "Nudge");
  d->set_displaced(x, {1, 0, back ? cell : -cell, entering});
  return shop.wrap(std::move(d), shape);
}

// --- of cells

Value cells_reversed(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  Axes axes = axes_of(shape);
  griddle_axis& axis = axes[frame];
  const std::int64_t last = static_cast<std::int64_t>(axis.length - 1) * axis.step;
  axis.step = -axis.step;
  return shop.wrap(chosen(shop, x, last, axes, false, "Reverse"), shape);
}

template <bool back>
Value cells_nudged(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  Axes axes = axes_of(shape);
  axes[frame].first = back ? 1 : -1;
  axes[frame].limit = axes[frame].length;
  return shop.wrap(chosen(shop, x, 0, axes, true, "Nudge"), shape);
}
template Value cells_nudged<false>(Workshop&, const Arg&, Lengths, std::size_t);
template Value cells_nudged<true>(Workshop&, const Arg&, Lengths, std::size_t);

Value cells_deshaped(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  Shape result(shape.first(frame));
  result.push_back(x->length / griddle::product(shape.first(frame)));
  return shop.wrap(x, result);
}

// Leaves out an axis, of which one place is taken.
static Value at_place(Workshop& shop, const Arg& x, Lengths shape, std::size_t axis, std::int64_t place, const char* maker) {
  Axes axes = axes_of(shape);
  const std::int64_t from = place * axes[axis].step;
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(axis));
  const Shape result = shape_of_axes(axes);
  return shop.wrap(chosen(shop, x, from, axes, false, maker), result);
}

Value first_of_cells(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  return at_place(shop, x, shape, frame, 0, "First Cell");
}

Value one_of_cells(Workshop& shop, const Value& w, const Arg& x, Lengths shape, std::size_t frame) {
  const std::int64_t length = static_cast<std::int64_t>(shape[frame]);
  std::int64_t n;
  if (!w.is_number() || !w.to_integer(n) || n < -length || n >= length) return Value();
  return at_place(shop, x, shape, frame, n < 0 ? n + length : n, "Select");
}

// Gives amounts for all axes up to one; nothing where that for it is no integer.
static std::optional<Amounts> amounts_of_cells(Amounts before, const Value& w) {
  std::int64_t n;
  if (!w.is_number() || !w.to_integer(n)) return std::nullopt;
  before.push_back(n);
  return before;
}

Value cells_rotated(Workshop& shop, const Value& w, const Arg& x, Lengths shape, std::size_t frame) {
  return rotated_by(shop, amounts_of_cells(Amounts(frame, 0), w), x, shape);
}

Value cells_taken(Workshop& shop, const Value& w, const Arg& x, Lengths shape, std::size_t frame, bool drops) {
  Amounts whole(frame, 0);
  if (!drops) std::ranges::copy(shape.first(frame), whole.begin());
  return taken_by(shop, amounts_of_cells(std::move(whole), w), x, shape, drops);
}

// --- pieces one after another

Arg put_together(Workshop& shop, std::vector<Piece> pieces, const char* maker) {
  std::erase_if(pieces, [](const Piece& p) { return p.count == 0; });
  ElementType type = pieces[0].from->type;
  Bounds bounds = pieces[0].from->bounds;
  std::size_t total = 0;
  for (const Piece& p : pieces) {
    if (is_number(type) != is_number(p.from->type)) throw DeviceDeclines();
    type = wider(type, p.from->type);
    bounds = covering(bounds, p.from->bounds);
    total += p.count;
  }
  std::vector<const void*> memory;
  for (Piece& p : pieces) {
    p.from = shop.in_type(p.from, type, maker);
    memory.push_back(p.from->memory());
  }
  Arg d = shop.made(type, total, bounds, maker);
  void* to = d->allocate();
  std::int64_t at = 0;
  for (std::size_t i = 0; i < pieces.size(); i++) {
    shop.run<&griddle_plugin::move>(maker, bits_of(type), memory[i], static_cast<std::int64_t>(pieces[i].start), 1, to, at,
                                    pieces[i].count);
    at += static_cast<std::int64_t>(pieces[i].count);
  }
  return d;
}

// Gives an atom as an array of one element.
Arg unit(Workshop& shop, const Value& v) {
  const double code = v.is_number() ? v.number() : static_cast<double>(v.character());
  const bool integral = code == std::floor(code) && std::fabs(code) < exact_limit / 2;
  Arg one = shop.made(ElementType::bit, 1, {0, 0, true}, "Join To");
  one->set_range();
  const ElementType type = element_type_of(v);
  Arg d = shop.made(type, 1, {code, code, integral}, "Join To");
  d->set_link({griddle_add, one, {}, code, false, true, v.is_character()});
  return d;
}

Value joined(Workshop& shop, const Value& w, const Value& x, bool send) {
  const unsigned rank = std::max({rank_of(w), rank_of(x), 1u});
  if (rank - std::min(rank_of(w), rank_of(x)) > 1) return Value();
  const auto cell_of = [rank](const Value& v) { return rank_of(v) == rank ? shape_of(v).subspan(1) : shape_of(v); };
  if (!same_shape(cell_of(w), cell_of(x))) return Value();
  const auto part = [&](const Value& v) { return v.is_number() || v.is_character() ? unit(shop, v) : shop.operand(v, send); };
  Arg a = part(w), b = part(x);
  if (!a || !b) return Value();
  const auto count = [rank](const Value& v) { return rank_of(v) == rank ? v.array().cells() : std::size_t{1}; };
  Shape shape{count(w) + count(x)};
  shape.append(cell_of(w));
  return shop.wrap(put_together(shop, {{a, 0, a->length}, {b, 0, b->length}}, "Join To"), shape);
}

Value coupled(Workshop& shop, const Value& w, const Value& x, bool send) {
  if (!w.is_array() || !x.is_array() || !same_shape(shape_of(w), shape_of(x))) return Value();
  Arg a = shop.operand(w, send), b = shop.operand(x, send);
  if (!a || !b) return Value();
  Shape shape{2};
  shape.append(shape_of(w));
  return shop.wrap(put_together(shop, {{a, 0, a->length}, {b, 0, b->length}}, "Couple"), shape);
}

Value shifted(Workshop& shop, const Value& w, const Value& x, bool send, bool after) {
  if (rank_of(x) == 0) return Value();
  const bool one_cell = rank_of(w) + 1 == rank_of(x);
  if (!one_cell && rank_of(w) != rank_of(x)) return Value();
  if (!same_shape(one_cell ? shape_of(w) : shape_of(w).subspan(1), shape_of(x).subspan(1))) return Value();
  Arg a = shop.operand(x, send);
  if (!a) return Value();
  if (rank_of(x) == 1 && (is_number(a->type) ? w.is_number() : w.is_character()))
    return nudged(shop, a, x.array().shape(), w.is_number() ? w.number() : static_cast<double>(w.character()), after);
  Arg entering = w.is_number() || w.is_character() ? unit(shop, w) : shop.operand(w, send);
  if (!entering) return Value();
  const std::size_t count = std::min(entering->length, a->length), rest = a->length - count;
  const char* maker = after ? "Shift After" : "Shift Before";
  return shop.wrap(after ? put_together(shop, {{a, count, rest}, {entering, entering->length - count, count}}, maker)
                         : put_together(shop, {{entering, 0, count}, {a, 0, rest}}, maker),
                   x.array().shape());
}

// Repeats each cell after the first `frame` axes, for what extends arguments to each other.
Value Offload::repeat_cells(Context&, const Value& x, std::size_t frame, std::span<const std::size_t> extra) {
  return on_device("Repetition of cells", [&](Workshop& shop) -> Value {
    Arg a = shop.operand(x, true);
    if (!a) return Value();
    Shape shape(x.array().shape().first(frame));
    shape.append(extra);
    shape.append(x.array().shape().subspan(frame));
    const std::size_t frames = griddle::product(shape_of(x).first(frame)), times = griddle::product(extra),
                      cell = a->length / frames;
    const std::size_t n = a->length * times;
    if (n == 0) return Value();
    if (frames == 1) return shop.wrap(shop.spread(a, 1, cell, n), shape);
    if (cell == 1) return shop.wrap(shop.spread(a, times, 0, n), shape);
    const std::int64_t step = static_cast<std::int64_t>(cell);
    return shop.wrap(chosen(shop, a, 0, {{frames, step, 0, 0}, {times, 0, 0, 0}, {cell, 1, 0, 0}}, false, "Table"), shape);
  });
}

// --- shapes

namespace {

// Reads a shape; one length may be ∘, which the number of elements settles. Nothing where it is no shape of elements.
std::optional<Shape> shape_argument(Context& cx, const Value& w, std::size_t length) {
  Shape shape;
  double total = 1;
  std::optional<std::size_t> computed;
  const auto add = [&](const Value& v) {
    if (v.same(cx.primitives[static_cast<std::size_t>(Glyph::atop)]) && !computed) {
      computed = shape.size();
      shape.push_back(1);
      return true;
    }
    if (!v.is_number() || v.number() != std::floor(v.number()) || !(v.number() >= 1) || v.number() > most_elements) return false;
    shape.push_back(static_cast<std::size_t>(v.number()));
    total *= v.number();
    return total <= most_elements;
  };
  if (!w.is_array()) {
    if (!add(w)) return std::nullopt;
  } else {
    if (w.array().rank() > 1 || w.array().length > max_rank) return std::nullopt;
    for (std::size_t i = 0; i < w.array().length; i++)
      if (!add(element(w.array(), i))) return std::nullopt;
  }
  if (computed) {
    const std::size_t others = static_cast<std::size_t>(total);
    if (length % others != 0) return std::nullopt;
    shape[*computed] = length / others;
  }
  return shape;
}

}  // namespace

Value Offload::repeat(Context&, double count, const Value& list) {
  constexpr std::size_t longest = 65536, fewest_times = 8;  // the list is sent, if the device comes to read it
  const Array& a = list.array();
  const bool plain =
      a.type() != ElementType::boxed && a.rank() == 1 && a.length >= 2 && a.length <= longest && !a.data.elsewhere();
  if (!plain || !shop_.is_open() || count > most_places || count != std::floor(count)) return Value();
  const auto n = static_cast<std::size_t>(count);
  const auto bytes = static_cast<double>(bytes_for(a.type(), n));
  if (n <= a.length || (a.length > 4096 && n / a.length < fewest_times) ||
      !(settings_.forced || settings_.from || repeating_is_long(shop_.costs(), bytes)))
    return Value();
  const auto repeated = [&](Workshop& shop) -> Value {
    if (a.fill_kind() != (is_character(a.type()) ? FillKind::space : FillKind::zero)) return Value();
    Arg source = shop.made(a.type(), a.length, bounds_of(a.type()), "Reshape");
    source->set_host(Ref<Array>::share(&list.array()));
    Arg d = shop.made(a.type(), n, source->bounds, "Reshape");
    d->set_displaced(std::move(source), {1, a.length});
    d->light = true;
    return shop.wrap_list(std::move(d));
  };
  // The caller has given nothing up: where this fails, the host does it, or finds the error again.
  try {
    return on_device("Reshape", repeated);
  } catch (const Error&) {
  } catch (const OutOfMemory&) {
  }
  return Value();
}

Value reshaped(Workshop& shop, const Value& w, const Arg& x, Lengths) {
  const std::optional<Shape> shape = shape_argument(shop.cx(), w, x->length);
  if (!shape) return Value();
  const std::size_t n = griddle::product(*shape);
  if (n == x->length) return shop.wrap(x, *shape);
  const void* from = x->memory();
  Arg d = shop.made(x->type, n, x->bounds, "Reshape");
  void* to = d->allocate();
  if (n < x->length) {
    shop.run<&griddle_plugin::move>(d->maker, bits_of(x->type), from, 0, 1, to, 0, n);
  } else {
    shop.run<&griddle_plugin::tile>(d->maker, bits_of(x->type), from, x->length, to, n);
  }
  return shop.wrap(std::move(d), *shape);
}

}  // namespace griddle::gpu
