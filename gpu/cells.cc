// Order and search of cells of several elements; cells put beside each other. For search each cell is first made one number, from
// a digest of its elements; that different cells had the same digest is found out, and then the host searches.
#include "gpu/parts.h"

namespace griddle::gpu {

namespace {

// Cells are put in order element by element from the last one on.
constexpr std::size_t most_columns = 256;

}  // namespace

static Arg digests(Workshop& shop, const Arg& x, std::size_t cells) {
  const void* from = x->memory();
  Arg d = shop.made(ElementType::f64, cells, bounds_of(ElementType::f64), "Search");
  double* to = static_cast<double*>(d->allocate());
  shop.run<&griddle_plugin::digest>(d->maker, plugin_type(x->type), from, cells, x->length / cells, to);
  return d;
}

// Throws DeviceDeclines where a cell is not the one of the others that it was taken for.
static void decline_different(Workshop& shop, const Arg& x, const Arg& among, std::size_t among_cells, const Arg& at,
                              const char* maker) {
  const void* in = x->memory();
  const void* others = among->memory();
  const Arg wide = shop.in_type(at, ElementType::i32, maker);
  const auto* places = static_cast<const std::int32_t*>(wide->memory());
  int differ = 0;
  shop.waits();
  shop.run<&griddle_plugin::match_cells>(maker, plugin_type(x->type), in, at->length, x->length / at->length, others, among_cells,
                                         places, &differ);
  if (differ) throw DeviceDeclines();
}

// Gives a list whose elements are equal where the cells are.
Arg cells_as_list(Workshop& shop, const Arg& x, std::size_t cells) {
  Arg a = shop.without_bits(x);
  if (cells == x->length) return a;
  Arg firsts = first_equals(shop, digests(shop, a, cells));
  decline_different(shop, a, a, cells, firsts, "Search");
  return firsts;
}

static Arg column(Workshop& shop, const Arg& x, std::size_t cells, std::size_t k, const char* maker) {
  const std::size_t across = x->length / cells;
  return chosen(shop, x, static_cast<std::int64_t>(k), {{cells, static_cast<std::int64_t>(across), 0, 0}}, false, maker);
}

Arg graded_cells(Workshop& shop, const Arg& x, std::size_t cells, bool down) {
  const std::size_t across = x->length / cells;
  const char* maker = down ? "Grade Down" : "Grade Up";
  if (across > most_columns) throw DeviceDeclines();
  Arg a = shop.without_bits(x);
  Arg order = graded(shop, column(shop, a, cells, across - 1, maker), down);
  for (std::size_t k = across - 1; k-- > 0;) {
    Arg elements = gathered(shop, column(shop, a, cells, k, maker), order, cells, 1, maker);
    order = gathered(shop, order, graded(shop, elements, down), cells, 1, maker);
  }
  return order;
}

Value deduplicated_cells(Workshop& shop, const Arg& x, Lengths shape) {
  const std::size_t cells = shape[0];
  const Arg places = kept(shop, marked_firsts(shop, cells_as_list(shop, x, cells)), counted_up(shop, cells));
  Shape result(shape);
  result[0] = places->length;
  return shop.wrap(gathered(shop, x, places, cells, x->length / cells, "Deduplicate"), result);
}

// ∊ ⊐ ⊒ ⍋ ⍒ of the cells of `sought` among the major cells of `among`, which are of rank 1 or more.
Value searched_cells(Workshop& shop, Glyph glyph, const Value& among, const Value& sought, bool send) {
  constexpr const char* maker = "Search";
  const unsigned cell_rank = rank_of(among) - 1;
  if (rank_of(among) < 2 || rank_of(sought) < cell_rank) return Value();
  const std::span<const std::size_t> frame = shape_of(sought).first(rank_of(sought) - cell_rank);
  if (!same_shape(shape_of(among).subspan(1), shape_of(sought).subspan(frame.size()))) return Value();
  Arg list = shop.operand(among, send), keys = shop.operand(sought, send);
  if (!list || !keys || is_number(list->type) != is_number(keys->type)) return Value();
  if (const FunctionFacts& facts = entry_of(glyph).two; facts.orders == Orders::finds_bins)
    return shop.wrap(bins(shop, list, keys, among.array().cells(), facts.down), frame);
  const ElementType type = std::max(wider(list->type, keys->type), is_number(list->type) ? ElementType::i8 : ElementType::c8);
  list = shop.in_type(list, type, maker);
  keys = shop.in_type(keys, type, maker);
  const std::size_t cells = among.array().cells(), count = product(frame);
  const Arg at = positions(shop, digests(shop, list, cells), digests(shop, keys, count));
  decline_different(shop, keys, list, cells, at, maker);
  if (glyph == Glyph::index_of) return shop.wrap(at, frame);
  if (glyph == Glyph::member) {
    const double n = static_cast<double>(cells);
    return shop.wrap(shop.linked({griddle_less, at, {}, n, false, true}, {0, 1, true}, count, "Member of", true), frame);
  }
  return shop.wrap(progressive_positions(shop, first_equals(shop, cells_as_list(shop, list, cells)), at), frame);
}

// Puts each row in order: grades all elements at once, and then their rows, whose elements stay in that order.
Value ordered_rows(Workshop& shop, Glyph glyph, const Arg& x, Lengths shape) {
  const PrimitiveFunctionEntry& entry = entry_of(glyph);
  const char* const maker = entry.monad_name;
  const std::size_t n = x->length;
  const double row = static_cast<double>(shape.back()), rows = static_cast<double>(n) / row;
  const Arg by_element = graded(shop, x, entry.one.down);
  const Arg quotients = shop.linked({griddle_divide, by_element, {}, row, false, true}, {0, rows, false}, n, maker);
  const Arg row_numbers = shop.linked({griddle_floor, {}, quotients}, {0, rows - 1, true}, n, maker);
  const Arg places = gathered(shop, by_element, graded(shop, row_numbers, false), n, 1, maker);
  if (entry.one.orders == Orders::sorts)
    return shop.wrap(gathered(shop, x->bounds.integral ? x : one_zero(shop, x), places, n, 1, maker), shape);
  return shop.wrap(shop.linked({griddle_integer_modulus, {}, places, row, true}, {0, row - 1, true}, n, maker), shape);
}

// Gives the place of an element in each row, the first one where it occurs, or the length of rows.
Value first_in_rows(Workshop& shop, const Arg& rows, const Arg& sought, std::span<const std::size_t> frame) {
  const std::size_t n = rows->length, across = n / sought->length;
  const double length = static_cast<double>(across);
  // From the end, so that the first place is the greatest and none is 0.
  const Arg from_end =
      shop.linked({griddle_subtract, {}, counted_up(shop, across), length, true}, {1, length, true}, across, "Index of");
  const Arg found = shop.linked({griddle_equal, rows, shop.spread(sought, across, 0, n)}, {0, 1, true}, n, "Index of", true);
  const Arg marked = shop.without_bits(
      shop.linked({griddle_multiply, found, shop.spread(from_end, 1, across, n)}, {0, length, true}, n, "Index of"));
  const void* const from = marked->memory();
  Arg last = shop.made(ElementType::f64, sought->length, {0, length, true}, "Index of");
  double* const to = static_cast<double*>(last->allocate());
  shop.run<&griddle_plugin::fold_rows>(last->maker, griddle_fold_maximum, plugin_type(marked->type), from, griddle_device_f64, to,
                                       sought->length, across);
  return shop.wrap(shop.linked({griddle_subtract, {}, last, length, true}, {0, length, true}, sought->length, "Index of"), frame);
}

// --- cells beside cells

// Puts each cell of w before that of x, one of which is here.
Value coupled_cells(Workshop& shop, const Arg& a, const Arg& b, const Value& w, const Value& x, std::size_t frame) {
  if (!a || !b || !same_shape(shape_of(w), shape_of(x))) return Value();
  const std::size_t n = b->length, frames = griddle::product(shape_of(x).first(frame)), cell = n / frames;
  const Arg both = put_together(shop, {{a, 0, n}, {b, 0, n}}, "Couple");
  Shape shape(shape_of(x).first(frame));
  shape.push_back(2);
  shape.append(shape_of(x).subspan(frame));
  const auto step = [](std::size_t m) { return static_cast<std::int64_t>(m); };
  const Axes axes{{frames, step(cell), 0, 0}, {2, step(n), 0, 0}, {cell, 1, 0, 0}};
  return shop.wrap(chosen(shop, both, 0, axes, false, "Couple"), shape);
}

// Joins each cell of w to that of x, along the first axis of the cells; where one has an axis less, it is one of those joined.
Value joined_cells(Workshop& shop, const Arg& a, const Arg& b, const Value& w, const Value& x, std::size_t frame) {
  // Of atoms, either makes a list of two.
  const Value pairs = coupled_cells(shop, a, b, w, x, frame);
  if (!pairs.is_absent() && rank_of(x) == frame) return pairs;
  Shape shape(shape_of(x).first(frame));
  if (!pairs.is_absent()) {
    shape.append(shape_of(x).subspan(frame));
    shape[frame] *= 2;
    return shop.wrap(shop.resident(pairs), shape);
  }
  const std::size_t rank = std::max<std::size_t>(rank_of(w), rank_of(x)), rest = rank - frame - 1;
  const bool agree = rank > frame && rank_of(w) >= frame && rank_of(w) + 1 >= rank && rank_of(x) + 1 >= rank &&
                     same_shape(shape_of(w).first(frame), shape.view()) &&
                     same_shape(shape_of(w).last(rest), shape_of(x).last(rest));
  if (!a || !b || !agree || a->length == 0 || b->length == 0) return Value();
  // As the columns of a table, they are one behind the other.
  const std::size_t frames = griddle::product(shape.view());
  const auto turned = [&](const Arg& from, std::size_t rows, std::size_t columns) {
    return chosen(shop, from, 0, {{columns, 1, 0, 0}, {rows, static_cast<std::int64_t>(columns), 0, 0}}, false, "Join to");
  };
  const Arg both = put_together(
      shop, {{turned(a, frames, a->length / frames), 0, a->length}, {turned(b, frames, b->length / frames), 0, b->length}},
      "Join to");
  const std::size_t across = both->length / frames;
  shape.push_back(across / griddle::product(shape_of(x).last(rest)));
  shape.append(shape_of(x).last(rest));
  return shop.wrap(turned(both, across, frames), shape);
}

}  // namespace griddle::gpu
