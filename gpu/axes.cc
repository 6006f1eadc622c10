// Places chosen axis by axis, and pieces put one after another: ⌽ ⍉ ↑ ↓ ↕ » « ⥊ ∾ ≍ on the device.
#include "gpu/axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/offload.h"
#include "runtime/primitive.h"
#include "runtime/vm/error.h"

namespace griddle {

Axes axes_of(std::span<const std::size_t> shape) {
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

namespace {

Shape shape_of_axes(const Axes& axes) {
  Shape shape;
  for (const griddle_axis& a : axes) shape.push_back(a.length);
  return shape;
}

// Reads integers from a number or a short list; nothing where they are none.
std::optional<std::vector<std::int64_t>> integers_of(const Value& v) {
  std::vector<std::int64_t> result;
  if (v.is_number() || !v.is_array()) {
    std::int64_t i;
    if (!v.to_integer(i)) return std::nullopt;
    return std::vector{i};
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

Offload::Arg Offload::chosen(const Arg& x, std::int64_t from, std::vector<griddle_axis> axes, bool fills, const char* maker) {
  double total = 1;
  for (const griddle_axis& a : axes) total *= static_cast<double>(a.length);
  if (total < 1 || total > most_elements) throw DeviceDeclines();
  simplify(axes, from);
  if (axes.size() > griddle_most_axes) throw DeviceDeclines();
  const double fill = is_number(x->type) ? 0 : ' ';
  const Bounds& b = x->bounds;
  Arg d = made(x->type, static_cast<std::size_t>(total), fills ? covering(b, {fill, fill, true}) : b, maker);
  d->set_box(x, {from, std::move(axes), fills});
  // A small part keeps nothing large.
  if (total <= static_cast<double>(x->length) / 4) d->memory();
  return d;
}

Value Offload::reversed(const Arg& x, std::span<const std::size_t> shape) {
  if (shape.empty()) return Value();
  Axes axes = axes_of(shape);
  const std::int64_t last = static_cast<std::int64_t>(axes[0].length - 1) * axes[0].step;
  axes[0].step = -axes[0].step;
  return wrap(chosen(x, last, axes, false, "Reverse"), shape);
}

Value Offload::rotated(const Value& w, const Arg& x, std::span<const std::size_t> shape) {
  const auto amounts = integers_of(w);
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
  return wrap(turned ? chosen(x, 0, axes, false, "Rotate") : x, shape);
}

Value Offload::transposed(const Arg& x, std::span<const std::size_t> shape) {
  if (shape.size() < 2) return wrap(x, shape);
  Axes axes = axes_of(shape);
  std::rotate(axes.begin(), axes.begin() + 1, axes.end());
  const Shape result = shape_of_axes(axes);
  return wrap(chosen(x, 0, axes, false, "Transpose"), result);
}

Value Offload::reordered(const Value& w, const Arg& x, std::span<const std::size_t> shape) {
  const auto given = integers_of(w);
  const std::size_t rank = shape.size();
  if (!given || given->size() > rank) return Value();
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
  return wrap(chosen(x, 0, axes, false, "Reorder Axes"), result);
}

Value Offload::taken(const Value& w, const Arg& x, std::span<const std::size_t> shape, bool drops) {
  const auto amounts = integers_of(w);
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
  return wrap(chosen(x, 0, axes, fills, drops ? "Drop" : "Take"), result);
}

Value Offload::windows_of(const Value& w, const Arg& x, std::span<const std::size_t> shape) {
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
  Arg d = chosen(x, 0, axes, false, "Windows");
  if (sizes->size() == shape.size() && !d->computed()) {
    WindowsOf windows{x, Shape(shape), {}};
    for (const std::int64_t size : *sizes) windows.sizes.push_back(static_cast<std::size_t>(size));
    d->windows = std::make_unique<const WindowsOf>(std::move(windows));
  }
  return wrap(std::move(d), result);
}

// What enters is an element for each place of a cell; the kernels of whatever follows read beside their place.
Value Offload::nudged(const Arg& x, std::span<const std::size_t> shape, double entering, bool back) {
  const std::int64_t cell = static_cast<std::int64_t>(x->length / shape[0]);
  const bool integral = entering == std::floor(entering) && std::fabs(entering) < exact_limit / 2;
  const Bounds b = covering(x->bounds, {entering, entering, integral});
  const ElementType type = !is_number(x->type)
                               ? wider(x->type, element_type_of(Value::character(static_cast<char32_t>(entering))))
                           : b.integral ? wider(x->type, type_for({entering, entering, true}))
                                        : ElementType::f64;
  Arg d = made(type, x->length, b, back ? "Nudge back" : "Nudge");
  d->set_displaced(x, {1, 0, back ? cell : -cell, entering});
  return wrap(std::move(d), shape);
}

// --- cells

Value Offload::cells(Context& cx, Glyph glyph, const Value& w, const Value& x, std::size_t frame) {
  return on_device(name_of(glyph, w), [&]() -> Value {
    Arg a = operand(x, forced);
    const std::span<const std::size_t> shape = shape_of(x);
    if (!a || frame > shape.size()) return Value();
    if (glyph == Glyph::couple && w.is_array()) return coupled_cells(operand(w, true), a, w, x, frame);
    if (glyph == Glyph::join && w.is_array()) return joined_cells(operand(w, true), a, w, x, frame);
    if (glyph == Glyph::index_of && w.is_array()) {
      Arg rows = operand(w, forced);
      const bool pairs = rank_of(w) == frame + 1 && rank_of(x) == frame && same_shape(shape_of(w).first(frame), shape);
      return rows && pairs && is_number(rows->type) == is_number(a->type) ? first_in_rows(rows, a, shape) : Value();
    }
    if (frame == shape.size()) return Value();
    if (!w.is_absent()) {
      std::int64_t n;
      if (glyph == Glyph::select && w.is_number() && w.to_integer(n)) {
        Axes axes = axes_of(shape);
        const griddle_axis axis = axes[frame];
        const std::int64_t length = static_cast<std::int64_t>(axis.length);
        if (n < -length || n >= length) return Value();
        axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(frame));
        const Shape result = shape_of_axes(axes);
        return wrap(chosen(a, (n < 0 ? n + length : n) * axis.step, axes, false, "Select"), result);
      }
      if (w.is_array() && (glyph == Glyph::select || glyph == Glyph::replicate))
        return selected_in_cells(glyph, w, a, shape, frame);
      if (!w.is_number() || !w.to_integer(n) || (glyph != Glyph::rotate && glyph != Glyph::take && glyph != Glyph::drop))
        return Value();
      // The axes before stay as they are.
      Ref<Array> amounts = make_list(cx.heap, ElementType::f64, frame + 1);
      for (std::size_t k = 0; k < frame; k++)
        amounts->as<double>()[k] = glyph == Glyph::take ? static_cast<double>(shape[k]) : 0.0;
      amounts->as<double>()[frame] = static_cast<double>(n);
      const Value all = to_value(std::move(amounts));
      return glyph == Glyph::rotate ? rotated(all, a, shape) : taken(all, a, shape, glyph == Glyph::drop);
    }
    Axes axes = axes_of(shape);
    griddle_axis& axis = axes[frame];
    switch (glyph) {
      case Glyph::shift_before:
      case Glyph::shift_after:
        axis.first = glyph == Glyph::shift_before ? -1 : 1;
        axis.limit = axis.length;
        return wrap(chosen(a, 0, axes, true, "Nudge"), shape);
      case Glyph::rotate: {
        const std::int64_t last = static_cast<std::int64_t>(axis.length - 1) * axis.step;
        axis.step = -axis.step;
        return wrap(chosen(a, last, axes, false, "Reverse"), shape);
      }
      case Glyph::reshape: {
        Shape result(shape.first(frame));
        result.push_back(a->length / griddle::product(shape.first(frame)));
        return wrap(a, result);
      }
      case Glyph::select: {
        axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(frame));
        const Shape result = shape_of_axes(axes);
        return wrap(chosen(a, 0, axes, false, "First Cell"), result);
      }
      default: break;
    }
    const bool orders = entry_of(glyph).one.orders != Orders::no;
    return orders && frame + 1 == shape.size() ? ordered_rows(glyph, a, shape) : Value();
  });
}

// --- pieces one after another

Offload::Arg Offload::put_together(std::vector<Piece> pieces, const char* maker) {
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
    p.from = in_type(p.from, type, maker);
    memory.push_back(p.from->memory());
  }
  Arg d = made(type, total, bounds, maker);
  void* to = d->allocate();
  std::int64_t at = 0;
  for (std::size_t i = 0; i < pieces.size(); i++) {
    state_->check(state_->plugin().move(state_->device(), bits_of(type), memory[i], static_cast<std::int64_t>(pieces[i].start), 1,
                                        to, at, pieces[i].count),
                  maker);
    at += static_cast<std::int64_t>(pieces[i].count);
  }
  return d;
}

Offload::Arg Offload::in_type(const Arg& a, ElementType type, const char* maker) {
  if (a->type == type) return a;
  Arg d = made(type, a->length, a->bounds, maker);
  d->set_link({griddle_add, a, {}, 0, false, true});
  return d;
}

// Gives an atom as an array of one element.
Offload::Arg Offload::unit(const Value& v) {
  const double code = v.is_number() ? v.number() : static_cast<double>(v.character());
  const bool integral = code == std::floor(code) && std::fabs(code) < exact_limit / 2;
  Arg one = made(ElementType::bit, 1, {0, 0, true}, "Join To");
  one->set_range();
  const ElementType type = element_type_of(v);
  Arg d = made(type, 1, {code, code, integral}, "Join To");
  d->set_link({griddle_add, one, {}, code, false, true, v.is_character()});
  return d;
}

Value Offload::joined(const Value& w, const Value& x, bool send) {
  const unsigned rank = std::max({rank_of(w), rank_of(x), 1u});
  if (rank - std::min(rank_of(w), rank_of(x)) > 1) return Value();
  const auto cell_of = [rank](const Value& v) { return rank_of(v) == rank ? shape_of(v).subspan(1) : shape_of(v); };
  if (!same_shape(cell_of(w), cell_of(x))) return Value();
  const auto part = [&](const Value& v) { return v.is_number() || v.is_character() ? unit(v) : operand(v, send); };
  Arg a = part(w), b = part(x);
  if (!a || !b) return Value();
  const auto count = [rank](const Value& v) { return rank_of(v) == rank ? v.array().cells() : std::size_t{1}; };
  Shape shape{count(w) + count(x)};
  shape.append(cell_of(w));
  return wrap(put_together({{a, 0, a->length}, {b, 0, b->length}}, "Join To"), shape);
}

Value Offload::coupled(const Value& w, const Value& x, bool send) {
  if (!w.is_array() || !x.is_array() || !same_shape(shape_of(w), shape_of(x))) return Value();
  Arg a = operand(w, send), b = operand(x, send);
  if (!a || !b) return Value();
  Shape shape{2};
  shape.append(shape_of(w));
  return wrap(put_together({{a, 0, a->length}, {b, 0, b->length}}, "Couple"), shape);
}

Value Offload::shifted(const Value& w, const Value& x, bool send, bool after) {
  if (rank_of(x) == 0) return Value();
  const bool one_cell = rank_of(w) + 1 == rank_of(x);
  if (!one_cell && rank_of(w) != rank_of(x)) return Value();
  if (!same_shape(one_cell ? shape_of(w) : shape_of(w).subspan(1), shape_of(x).subspan(1))) return Value();
  Arg a = operand(x, send);
  if (!a) return Value();
  if (rank_of(x) == 1 && (is_number(a->type) ? w.is_number() : w.is_character()))
    return nudged(a, x.array().shape(), w.is_number() ? w.number() : static_cast<double>(w.character()), after);
  Arg entering = w.is_number() || w.is_character() ? unit(w) : operand(w, send);
  if (!entering) return Value();
  const std::size_t count = std::min(entering->length, a->length), rest = a->length - count;
  const char* maker = after ? "Shift After" : "Shift Before";
  return wrap(after ? put_together({{a, count, rest}, {entering, entering->length - count, count}}, maker)
                    : put_together({{entering, 0, count}, {a, 0, rest}}, maker),
              x.array().shape());
}

// Repeats each cell after the first `frame` axes, for what extends arguments to each other.
Value Offload::repeat_cells(Context&, const Value& x, std::size_t frame, std::span<const std::size_t> extra) {
  return on_device("Repetition of cells", [&]() -> Value {
    Arg a = operand(x, true);
    if (!a) return Value();
    Shape shape(x.array().shape().first(frame));
    shape.append(extra);
    shape.append(x.array().shape().subspan(frame));
    const std::size_t frames = griddle::product(shape_of(x).first(frame)), times = griddle::product(extra),
                      cell = a->length / frames;
    const std::size_t n = a->length * times;
    if (n == 0) return Value();
    if (frames == 1) return wrap(spread(a, 1, cell, n), shape);
    if (cell == 1) return wrap(spread(a, times, 0, n), shape);
    const std::int64_t step = static_cast<std::int64_t>(cell);
    return wrap(chosen(a, 0, {{frames, step, 0, 0}, {times, 0, 0, 0}, {cell, 1, 0, 0}}, false, "Table"), shape);
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
  if (!plain || state_->open == nullptr || count > most_places || count != std::floor(count)) return Value();
  const auto n = static_cast<std::size_t>(count);
  const auto bytes = static_cast<double>(bytes_for(a.type(), n));
  if (n <= a.length || (a.length > 4096 && n / a.length < fewest_times) ||
      !(settings_.forced || settings_.from || repeating_is_long(costs(), bytes)))
    return Value();
  const auto repeated = [&]() -> Value {
    if (a.fill_kind() != (is_character(a.type()) ? FillKind::space : FillKind::zero)) return Value();
    Arg source = made(a.type(), a.length, bounds_of(a.type()), "Reshape");
    source->set_host(Ref<Array>::share(&list.array()));
    Arg d = made(a.type(), n, source->bounds, "Reshape");
    d->set_displaced(std::move(source), {1, a.length});
    d->light = true;
    return wrap_list(std::move(d));
  };
  // The caller has given nothing up: where this fails, the host does it, or finds the error again.
  try {
    return on_device("Reshape", repeated);
  } catch (const Error&) {
  } catch (const OutOfMemory&) {
  }
  return Value();
}

Value Offload::reshaped(const Value& w, const Arg& x) {
  const std::optional<Shape> shape = shape_argument(state_->cx, w, x->length);
  if (!shape) return Value();
  const std::size_t n = griddle::product(*shape);
  if (n == x->length) return wrap(x, *shape);
  const void* from = x->memory();
  Arg d = made(x->type, n, x->bounds, "Reshape");
  void* to = d->allocate();
  const auto& plugin = state_->plugin();
  state_->check(n < x->length ? plugin.move(state_->device(), bits_of(x->type), from, 0, 1, to, 0, n)
                              : plugin.tile(state_->device(), bits_of(x->type), from, x->length, to, n),
                d->maker);
  return wrap(std::move(d), *shape);
}

}  // namespace griddle
