// Which function has which ways on the device, and how one of them is gone.
#include "gpu/ways.h"

#include <array>

namespace griddle::gpu {

namespace {

Value as_element(ElementType type, double code) {
  return is_number(type) ? Value(code) : Value::character(static_cast<char32_t>(code));
}

// --- of one array

template <Value (*of_cells)(Workshop&, const Arg&, Lengths, std::size_t)>
Value as_one_cell(Workshop& shop, const Arg& x, Lengths shape) {
  return shape.empty() ? Value() : of_cells(shop, x, shape, 0);
}
template <Arg (*of_list)(Workshop&, const Arg&)>
Value list(Workshop& shop, const Arg& x, Lengths) {
  return shop.wrap_list(of_list(shop, x));
}
template <Arg (*of_list)(Workshop&, const Arg&)>
Value list_of_cells(Workshop& shop, const Arg& x, Lengths shape) {
  return shop.wrap_list(of_list(shop, cells_as_list(shop, x, shape[0])));
}
Value deshaped(Workshop& shop, const Arg& x, Lengths) { return shop.wrap_list(x); }
template <bool back>
Value nudged(Workshop& shop, const Arg& x, Lengths shape) {
  return shape.empty() ? Value() : nudged(shop, x, shape, is_number(x->type) ? 0 : ' ', back);
}
Value first_cell(Workshop& shop, const Arg& x, Lengths shape) {
  if (shape.empty()) return Value();
  return shop.wrap(put_together(shop, {{x, 0, griddle::product(shape.subspan(1))}}, "First Cell"), shape.subspan(1));
}
Value first_element(Workshop& shop, const Arg& x, Lengths) { return as_element(x->type, shop.one_element(*x, 0)); }
Value places_marked(Workshop& shop, const Arg& x, Lengths) {
  return is_number(x->type) ? list_or_empty(shop, indices(shop, x), ElementType::i8) : Value();
}
// ∧ ∨ ⍋ ⍒.
template <Glyph glyph>
Value in_order(Workshop& shop, const Arg& x, Lengths) {
  const FunctionFacts& facts = entry_of(glyph).one;
  return shop.wrap_list(facts.orders == Orders::sorts ? sorted(shop, x, facts.down) : graded(shop, x, facts.down));
}
template <Glyph glyph>
Value cells_in_order(Workshop& shop, const Arg& x, Lengths shape) {
  const PrimitiveFunctionEntry& entry = entry_of(glyph);
  const Arg order = graded_cells(shop, x, shape[0], entry.one.down);
  if (entry.one.orders == Orders::grades) return shop.wrap_list(order);
  return shop.wrap(gathered(shop, x, order, shape[0], x->length / shape[0], entry.monad_name), shape);
}
template <Glyph glyph>
Value rows_in_order(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  return frame + 1 == shape.size() ? ordered_rows(shop, glyph, x, shape) : Value();
}

// --- of what is given

Value lists_joined(Workshop& shop, const Value& x) {
  return is_list(x) && x.array().type() == ElementType::boxed ? joined_lists(shop, x) : Value();
}
Value places_grouped(Workshop& shop, const Value& x) { return is_list(x) ? grouped(shop, x, Value()) : Value(); }

// --- of two arguments

template <bool after>
Value shifted(Workshop& shop, const Value& w, const Value& x, bool send) {
  return shifted(shop, w, x, send, after);
}
template <bool wanted>
Value matched(Workshop& shop, const Value& w, const Value& x, bool send) {
  return matched(shop, w, x, send, wanted);
}
Value group_by(Workshop& shop, const Value& w, const Value& x, bool) {
  return is_list(w) && (is_list(x) || rank_of(x) == 2) ? grouped(shop, w, x) : Value();
}
Value found_among(Workshop& shop, const Value& w, const Value& x, bool send) {
  return w.is_array() && x.is_array() && send ? found(shop, w, x, send) : Value();
}
// ∊ ⊐ ⊒ ⍋ ⍒.
template <Glyph glyph>
Value searched(Workshop& shop, const Value& w, const Value& x, bool send) {
  const Value& list = glyph == Glyph::member ? x : w;
  const Value& sought = glyph == Glyph::member ? w : x;
  if (list.is_array() && sought.is_atom()) return found_atom(shop, glyph, list, sought);
  if (!list.is_array() || !sought.is_array()) return Value();
  if (!is_list(list)) return searched_cells(shop, glyph, list, sought, send);
  if (glyph == Glyph::member)
    if (Arg few = members_of_few(shop, sought, list)) return shop.wrap(std::move(few), sought.array().shape());
  Arg among = shop.operand(list, send), keys = shop.operand(sought, send);
  if (!among || !keys) return Value();
  Arg places = glyph == Glyph::member              ? members(shop, keys, among)
               : glyph == Glyph::index_of          ? positions(shop, among, keys)
               : glyph == Glyph::progressive_index ? progressive_positions(shop, among, keys)
                                                   : bins(shop, among, keys, among->length, entry_of(glyph).two.down);
  return shop.wrap(std::move(places), sought.array().shape());
}

// --- by an amount

template <bool drops>
Value taken(Workshop& shop, const Value& w, const Arg& x, Lengths shape) {
  return taken(shop, w, x, shape, drops);
}
template <bool picks>
Value one_place(Workshop& shop, const Value& w, const Arg& x, Lengths shape) {
  std::int64_t at;
  if (shape.empty() || !w.is_number() || !w.to_integer(at)) return Value();
  const std::int64_t n = static_cast<std::int64_t>(shape[0]);
  if (at < -n || at >= n || (picks && shape.size() != 1)) return Value();
  const std::size_t place = static_cast<std::size_t>(at < 0 ? at + n : at), cell = griddle::product(shape.subspan(1));
  if (picks) return as_element(x->type, shop.one_element(*x, place));
  return shop.wrap(put_together(shop, {{x, place * cell, cell}}, "Select"), shape.subspan(1));
}

// --- of cells

template <Glyph glyph>
Value selected_in_each(Workshop& shop, const Value& w, const Arg& x, Lengths shape, std::size_t frame) {
  if (w.is_array()) return selected_in_cells(shop, glyph, w, x, shape, frame);
  return glyph == Glyph::select ? one_of_cells(shop, w, x, shape, frame) : Value();
}
// ⊑ of each cell, whatever its rank; of each list, its element at a place.
Value first_of_each(Workshop& shop, const Arg& x, Lengths shape, std::size_t frame) {
  Shape lists(shape.first(frame));
  lists.push_back(griddle::product(shape.subspan(frame)));
  return first_of_cells(shop, x, lists.view(), frame);
}
Value picked_from_each(Workshop& shop, const Value& w, const Arg& x, Lengths shape, std::size_t frame) {
  return frame + 1 == shape.size() ? one_of_cells(shop, w, x, shape, frame) : Value();
}
template <bool drops>
Value taken_in_each(Workshop& shop, const Value& w, const Arg& x, Lengths shape, std::size_t frame) {
  return cells_taken(shop, w, x, shape, frame, drops);
}
template <Value (*of_pairs)(Workshop&, const Arg&, const Arg&, const Value&, const Value&, std::size_t)>
Value pairs(Workshop& shop, const Value& w, const Value& x, const Arg& there, std::size_t frame) {
  return of_pairs(shop, shop.operand(w, true), there, w, x, frame);
}
Value found_in_rows(Workshop& shop, const Value& w, const Value& x, const Arg& there, std::size_t frame) {
  const Arg rows = shop.operand(w);
  const bool agree = rank_of(w) == frame + 1 && rank_of(x) == frame && same_shape(shape_of(w).first(frame), shape_of(x));
  return rows && agree && is_number(rows->type) == is_number(there->type) ? first_in_rows(shop, rows, there, shape_of(x))
                                                                          : Value();
}

// --- the table

struct Row {
  Glyph glyph;
  Ways ways;
};

template <Glyph glyph>
constexpr Ways ordering(Ways ways = {}) {
  ways.list = in_order<glyph>, ways.table = cells_in_order<glyph>, ways.cells = rows_in_order<glyph>;
  return ways;
}

constexpr Row rows[] = {
    {Glyph::add, {.link_two = griddle_add, .fold = griddle_fold_add}},
    {Glyph::subtract, {.link_one = griddle_negate, .link_two = griddle_subtract, .fold_list = alternating_sum}},
    {Glyph::multiply,
     {.link_one = griddle_sign,
      .link_two = griddle_multiply,
      .fold = griddle_fold_multiply,
      .fold_of_bits = griddle_fold_minimum}},
    {Glyph::divide, {.link_one = griddle_reciprocal, .link_two = griddle_divide}},
    {Glyph::power, {.link_one = griddle_exponential, .link_two = griddle_power}},
    {Glyph::root, {.link_one = griddle_square_root, .link_two = griddle_root}},
    {Glyph::minimum, {.link_one = griddle_floor, .link_two = griddle_minimum, .fold = griddle_fold_minimum}},
    {Glyph::maximum, {.link_one = griddle_ceiling, .link_two = griddle_maximum, .fold = griddle_fold_maximum}},
    {Glyph::modulus, {.link_one = griddle_magnitude, .link_two = griddle_modulus}},
    {Glyph::span, {.link_one = griddle_complement, .link_two = griddle_subtract}},
    {Glyph::logic_and, ordering<Glyph::logic_and>(
                           {.link_two = griddle_multiply, .fold = griddle_fold_multiply, .fold_of_bits = griddle_fold_minimum})},
    {Glyph::logic_or, ordering<Glyph::logic_or>({.link_two = griddle_maximum, .fold_of_bits = griddle_fold_maximum})},
    {Glyph::less, {.link_two = griddle_less}},
    {Glyph::greater, {.link_two = griddle_greater, .given = merged}},
    {Glyph::not_equal, {.link_two = griddle_not_equal, .fold_list = parity<true>}},
    {Glyph::equal, {.link_two = griddle_equal, .fold_list = parity<false>}},
    {Glyph::less_equal, {.link_two = griddle_less_equal}},
    {Glyph::greater_equal, {.link_two = griddle_greater_equal}},
    {Glyph::match, {.dyad = matched<true>}},
    {Glyph::not_match, {.dyad = matched<false>}},
    {Glyph::reshape, {.any = deshaped, .cells = cells_deshaped, .by_amount = reshaped}},
    {Glyph::join, {.given = lists_joined, .dyad = joined, .pairs_of_cells = pairs<joined_cells>, .of_groups = true}},
    {Glyph::couple, {.dyad = coupled, .pairs_of_cells = pairs<coupled_cells>}},
    {Glyph::take, {.by_amount = taken<false>, .with_cells = taken_in_each<false>}},
    {Glyph::drop, {.by_amount = taken<true>, .with_cells = taken_in_each<true>}},
    {Glyph::windows, {.by_amount = windows_of, .makes = true}},
    {Glyph::shift_before, {.any = nudged<false>, .cells = cells_nudged<false>, .dyad = shifted<false>}},
    {Glyph::shift_after, {.any = nudged<true>, .cells = cells_nudged<true>, .dyad = shifted<true>}},
    {Glyph::rotate,
     {.any = as_one_cell<cells_reversed>, .cells = cells_reversed, .by_amount = rotated, .with_cells = cells_rotated}},
    {Glyph::transpose, {.any = transposed, .cells = cells_transposed, .by_amount = reordered}},
    {Glyph::replicate, {.list = places_marked, .dyad = replicated, .with_cells = selected_in_each<Glyph::replicate>}},
    {Glyph::grade_up,
     [] {
       Ways w = ordering<Glyph::grade_up>();
       w.dyad = searched<Glyph::grade_up>;
       return w;
     }()},
    {Glyph::grade_down,
     [] {
       Ways w = ordering<Glyph::grade_down>();
       w.dyad = searched<Glyph::grade_down>;
       return w;
     }()},
    {Glyph::select,
     {.any = first_cell,
      .cells = first_of_cells,
      .dyad = select,
      .by_amount = one_place<false>,
      .with_cells = selected_in_each<Glyph::select>}},
    {Glyph::pick,
     {.any = first_element,
      .cells = first_of_each,
      .by_amount = one_place<true>,
      .with_cells = picked_from_each,
      .of_groups = true}},
    {Glyph::index_of,
     {.list = list<classified>,
      .table = list_of_cells<classified>,
      .dyad = searched<Glyph::index_of>,
      .pairs_of_cells = found_in_rows}},
    {Glyph::progressive_index,
     {.list = list<occurrences>, .table = list_of_cells<occurrences>, .dyad = searched<Glyph::progressive_index>}},
    {Glyph::member, {.list = list<marked_firsts>, .table = list_of_cells<marked_firsts>, .dyad = searched<Glyph::member>}},
    {Glyph::find, {.list = deduplicated, .table = deduplicated_cells, .dyad = found_among}},
    {Glyph::group, {.given = places_grouped, .dyad = group_by}},
};

constexpr auto by_glyph = [] {
  std::array<Ways, static_cast<std::size_t>(Glyph::none) + 1> table{};
  for (const Row& row : rows) table[static_cast<std::size_t>(row.glyph)] = row.ways;
  return table;
}();

}  // namespace

const Ways& ways_of(Glyph glyph) { return by_glyph[static_cast<std::size_t>(glyph)]; }

Value monad_there(Workshop& shop, Glyph glyph, const Value& x, bool moves) {
  const Ways& ways = ways_of(glyph);
  if (Value r = of_groups(shop, glyph, Value(), x); !r.is_absent()) return r;
  if (Value r = pervasive_monad(shop, glyph, x); !r.is_absent()) return r;
  if (ways.given != nullptr) return ways.given(shop, x);
  const unsigned rank = rank_of(x);
  const Ways::Monad way = ways.any != nullptr ? ways.any : rank == 1 ? ways.list : rank > 1 ? ways.table : nullptr;
  if (way == nullptr) return Value();
  const Arg a = shop.operand(x, shop.forced() || moves);
  return a ? way(shop, a, x.array().shape()) : Value();
}

Value dyad_there(Workshop& shop, Glyph glyph, const Value& w, const Value& x, bool moves) {
  const Ways& ways = ways_of(glyph);
  if (Value r = of_groups(shop, glyph, w, x); !r.is_absent()) return r;
  if (Value r = pervasive_dyad(shop, glyph, w, x); !r.is_absent()) return r;
  if (ways.dyad != nullptr) {
    const bool send = shop.forced() || moves || shop.is_there(w) || shop.is_there(x);
    if (Value r = ways.dyad(shop, w, x, send); !r.is_absent()) return r;
  }
  if (ways.by_amount == nullptr) return Value();
  const Arg a = shop.operand(x);
  return a ? ways.by_amount(shop, w, a, x.array().shape()) : Value();
}

Value cells_there(Workshop& shop, Glyph glyph, const Value& w, const Value& x, std::size_t frame) {
  const Ways& ways = ways_of(glyph);
  const Arg a = shop.operand(x);
  const Lengths shape = shape_of(x);
  if (!a || frame > shape.size()) return Value();
  if (w.is_array() && ways.pairs_of_cells != nullptr) return ways.pairs_of_cells(shop, w, x, a, frame);
  if (frame == shape.size()) return Value();
  if (w.is_absent()) return ways.cells != nullptr ? ways.cells(shop, a, shape, frame) : Value();
  return ways.with_cells != nullptr ? ways.with_cells(shop, w, a, shape, frame) : Value();
}

}  // namespace griddle::gpu
