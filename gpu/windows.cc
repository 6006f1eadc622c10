// Folds of windows, which are read where they overlap and never made.
#include <algorithm>
#include <cmath>

#include "gpu/parts.h"

namespace griddle::gpu {

namespace {

// Wider windows are folded in several passes: folds of so many elements are folded in turn.
constexpr std::size_t widest_pass = 32;
// Of so many columns each is folded by itself.
constexpr std::size_t most_columns = 16;

ElementType type_of_fold(ElementType type, const Bounds& b) { return std::max({type, type_for(b), ElementType::i8}); }

Bounds bounds_of_sum(const Bounds& b, std::size_t count) {
  const double n = static_cast<double>(count);
  return sane({b.low * n, b.high * n, b.integral});
}

}  // namespace

// Gives the folds of all windows of `width` cells, which are so many `steps` apart, along an axis.
static Arg fold_axis(Workshop& shop, griddle_fold f, const Arg& x, Lengths shape, std::size_t axis, std::size_t width,
                     std::size_t steps) {
  if (width == 1) return x;
  const std::size_t outer = product(shape.first(axis)), cell = product(shape.subspan(axis + 1));
  const auto reduced = [&](std::size_t count, std::size_t apart) {
    Shape s(shape);
    s[axis] -= apart * (count - 1);
    return s;
  };
  if (width > widest_pass) {
    const std::size_t passes = width / widest_pass, rest = width % widest_pass, done = width - rest;
    const Shape of_pass = reduced(widest_pass, steps), of_done = reduced(done, steps), result = reduced(width, steps);
    Arg all =
        fold_axis(shop, f, fold_axis(shop, f, x, shape, axis, widest_pass, steps), of_pass, axis, passes, steps * widest_pass);
    if (rest == 0) return all;
    Arg last = fold_axis(shop, f, x, shape, axis, rest, steps);
    const auto part = [&](const Arg& a, const Shape& s, std::size_t from) {
      Axes axes = axes_of(s);
      axes[axis].length = result[axis];
      const std::int64_t first = static_cast<std::int64_t>(from) * axes[axis].step;
      return chosen(shop, a, first, std::move(axes), false, "Fold");
    };
    const Arg one = part(all, of_done, 0), other = part(last, reduced(rest, steps), done * steps);
    const griddle_operation join = f == griddle_fold_add       ? griddle_add
                                   : f == griddle_fold_minimum ? griddle_minimum
                                                               : griddle_maximum;
    const Bounds b = f == griddle_fold_add ? bounds_of_sum(x->bounds, width) : x->bounds;
    return shop.linked({join, one, other}, b, product(result), "Fold");
  }
  const Bounds b = f == griddle_fold_add ? bounds_of_sum(x->bounds, width) : x->bounds;
  const Arg from = shop.without_bits(x);
  const void* const in = from->memory();
  const Shape result = reduced(width, steps);
  Arg d = shop.made(type_of_fold(from->type, b), product(result.view()), b, "Fold");
  const griddle_window_fold fold{f, plugin_type(from->type), plugin_type(d->type), outer, shape[axis], cell, width, steps};
  void* const to = d->allocate();
  shop.run<&griddle_plugin::fold_windows>(d->maker, &fold, in, to);
  return d;
}

// Folds the last axes of windows, which have so many elements: of rows that are windows, or, as windows of folds, of their own
// last axes.
Value fold_window_rows(Workshop& shop, griddle_fold f, const Arg& x, std::size_t across) {
  const WindowsOf windows{x->windows->whole, x->windows->shape, x->windows->sizes};
  std::size_t first = windows.sizes.size(), length = 1;
  while (first > 0 && length * windows.sizes[first - 1] <= across) length *= windows.sizes[--first];
  if (length != across) return Value();
  Arg folds = windows.whole;
  Shape shape(windows.shape);
  std::vector<std::size_t> sizes(windows.sizes);
  for (std::size_t k = sizes.size(); k-- > first;) {
    folds = fold_axis(shop, f, folds, shape.view(), k, sizes[k], 1);
    shape[k] -= sizes[k] - 1;
    sizes[k] = 1;
  }
  if (std::all_of(sizes.begin(), sizes.end(), [](std::size_t size) { return size == 1; }))
    return shop.wrap_list(std::move(folds));
  Ref<Array> widths = make_list(shop.cx().heap, ElementType::f64, sizes.size());
  for (std::size_t k = 0; k < sizes.size(); k++) widths->as<double>()[k] = static_cast<double>(sizes[k]);
  const Value result = windows_of(shop, to_value(std::move(widths)), folds, shape.view());
  return shop.wrap_list(shop.resident(result));
}

// Folds the columns of windows of a list. They have nearly all elements in common, and differ in a few at either end.
Value fold_window_columns(Workshop& shop, griddle_fold f, const Arg& x) {
  const Arg whole = x->windows->whole;
  const std::size_t width = x->windows->sizes[0], count = x->length / width;
  if (x->windows->sizes.size() != 1 || width > most_columns || count < width) return Value();
  const std::int64_t first = static_cast<std::int64_t>(width) - 1;
  const Arg common = chosen(shop, whole, first, {{count - width + 1, 1, 0, 0}}, false, "Insert");
  const auto join = [&](double a, double b) {
    if (f == griddle_fold_add) return a + b;
    return a != a || (f == griddle_fold_minimum ? a < b : a > b) ? a : b;
  };
  Ref<Array> folds = make_list(shop.cx().heap, ElementType::f64, width);
  double* const to = folds->as<double>();
  std::fill(to, to + width, folded(shop, f, common, "Insert"));
  for (std::size_t i = 0; i + 1 < width; i++) {
    const double before = shop.one_element(*whole, i), after = shop.one_element(*whole, count + i);
    for (std::size_t j = 0; j < width; j++)
      if (j <= i) to[j] = join(before, to[j]);
    for (std::size_t j = i + 1; j < width; j++) to[j] = join(to[j], after);
  }
  return to_value(std::move(folds));
}

}  // namespace griddle::gpu
