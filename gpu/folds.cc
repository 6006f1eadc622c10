// Folds and scans: of lists, of rows and of columns.
#include <algorithm>
#include <cmath>

#include "gpu/ways.h"

namespace griddle::gpu {

namespace {

// Sums of doubles keep BQN's order below this length: from here on, fetching them takes longer than adding them there.
constexpr std::size_t reorder_from = real_functions_from;

// Says how a scan by a function of booleans goes on from the bit before: at an element x the result is fixed, or is that bit, and
// either may be flipped. It starts so that the first result is the first element.
griddle_bit_map map_of_scan(std::uint8_t truth) {
  const auto of = [truth](unsigned w, unsigned x) { return (truth >> (2 * w + x) & 1) != 0; };
  const auto all_if = [](bool b) { return b ? 0xFFFFFFFF : 0; };
  const bool zero_fixes = of(0, 0) == of(1, 0), one_fixes = of(0, 1) == of(1, 1);
  griddle_bit_map map = {
      all_if(zero_fixes != one_fixes), all_if(zero_fixes), all_if(of(0, 0) != of(0, 1)), all_if(of(0, 0)), 0, 0};
  const auto starts = [&of](unsigned start) { return of(start, 0) != of(start, 1); };
  const auto keeps = [&](unsigned start) { return starts(start) && of(start, 1); };
  map.start = keeps(0) ? 0 : keeps(1) ? 1 : starts(0) ? 0 : 1;
  map.first_flips = !keeps(map.start);
  return map;
}

}  // namespace

std::optional<griddle_fold> fold_for(Glyph glyph, bool bits) {
  const Ways& ways = ways_of(glyph);
  return bits && ways.fold_of_bits ? ways.fold_of_bits : ways.fold;
}

bool may_reorder(Workshop& shop, const DeviceArray& a) {
  if (a.bounds.integral &&
      std::max(std::fabs(a.bounds.low), std::fabs(a.bounds.high)) * static_cast<double>(a.length) < exact_limit)
    return true;
  if (!shop.strict() && a.length >= reorder_from) return true;
  shop.say_why(shop.strict() ? Device::Reason::strict : Device::Reason::little);
  return false;
}

double folded(Workshop& shop, griddle_fold f, const Arg& a, const char* maker) {
  griddle_chain chain;
  if (!a->settled_chain(chain)) {
    a->memory();
    a->settled_chain(chain);
  }
  if (chain.row_length != 0) {
    a->memory();
    a->settled_chain(chain);
  }
  double result = 0;
  shop.waits();
  shop.run<&griddle_plugin::fold>(maker, &chain, f, a->length, &result);
  return result;
}

Value alternating_sum(Workshop& shop, const Arg& x) {
  if (!may_reorder(shop, *x)) return Value();
  const Value odd = pervasive_dyad(shop, Glyph::modulus, Value(2.0), range(shop, static_cast<double>(x->length)));
  const Value signs = pervasive_dyad(shop, Glyph::subtract, Value(1.0), pervasive_dyad(shop, Glyph::multiply, Value(2.0), odd));
  const Arg turned = shop.resident(pervasive_dyad(shop, Glyph::multiply, signs, shop.wrap_list(x)));
  return turned ? Value(folded(shop, griddle_fold_add, turned, "Fold")) : Value();
}

template <bool odd>
Value parity(Workshop& shop, const Arg& x) {
  if (x->type != ElementType::bit) return Value();
  const std::uint64_t count = count_marks(shop, x, "Fold");
  return Value(static_cast<double>(odd ? count % 2 : count % 2 == x->length % 2));
}
template Value parity<false>(Workshop&, const Arg&);
template Value parity<true>(Workshop&, const Arg&);

static Value fold_list(Workshop& shop, Glyph glyph, const Arg& a) {
  if (const Ways& ways = ways_of(glyph); ways.fold_list != nullptr) return ways.fold_list(shop, a);
  const bool are_bits = a->type == ElementType::bit || (a->bounds.integral && a->bounds.low >= 0 && a->bounds.high <= 1);
  const std::optional<griddle_fold> f = fold_for(glyph, are_bits);
  if (!f) return Value();
  if (f == griddle_fold_multiply && (shop.strict() || a->length < real_functions_from || a->bounds.integral)) return Value();
  if (f == griddle_fold_add && !may_reorder(shop, *a)) return Value();
  return Value(folded(shop, *f, a, "Fold"));
}

// Tells of bits whether sums of them are odd.
static Value odd_ones(Workshop& shop, const Value& sums) {
  return sums.is_absent() ? sums : pervasive_dyad(shop, Glyph::modulus, Value(2.0), sums);
}

// Calls the function once on all pairs: the columns of a table, or its two cells.
static Value fold_pairs(Workshop& shop, Glyph glyph, const Arg& x, Lengths shape, bool rows) {
  const std::size_t count = x->length / 2, one[] = {count};
  const std::span<const std::size_t> result = rows ? std::span<const std::size_t>(one) : shape.subspan(1);
  const Arg from = x->windows ? x->windows->whole : x;
  const auto part = [&](std::int64_t first, std::int64_t step) {
    return shop.wrap(chosen(shop, from, first, {{count, step, 0, 0}}, false, rows ? "Fold" : "Insert"), result);
  };
  const std::int64_t apart = static_cast<std::int64_t>(count);
  if (!rows) return x->windows ? Value() : pervasive_dyad(shop, glyph, part(0, 1), part(apart, 1));
  return pervasive_dyad(shop, glyph, part(0, x->windows ? 1 : 2), part(1, x->windows ? 1 : 2));
}

// Folds each row, or each column, of the table that the cells of x are.
static Value fold_lines(Workshop& shop, Glyph glyph, Arg a, const Value& x, bool rows) {
  if ((rows ? x.array().cell_length() : x.array().cells()) == 2) return fold_pairs(shop, glyph, a, x.array().shape(), rows);
  if (rows && a->type == ElementType::bit && glyph == Glyph::not_equal)
    return odd_ones(shop, fold_lines(shop, Glyph::add, std::move(a), x, rows));
  const std::optional<griddle_fold> f = fold_for(glyph, a->type == ElementType::bit);
  if (!f || f == griddle_fold_multiply || (f == griddle_fold_add && !may_reorder(shop, *a))) return Value();
  const std::size_t down = x.array().cells(), across = x.array().cell_length();
  if (a->windows) {
    Value folds = rows ? fold_window_rows(shop, *f, a, across) : fold_window_columns(shop, *f, a);
    if (!folds.is_absent()) return folds;
  }
  Bounds b = a->bounds;
  if (f == griddle_fold_add) {
    const double n = static_cast<double>(rows ? across : down);
    b = sane({b.low * n, b.high * n, b.integral});
  }
  if (rows) {
    Arg d = shop.made(std::max(type_for(b), ElementType::i8), down, b, "Fold");
    d->set_row_fold(std::move(a), {*f, across});
    return shop.wrap_list(std::move(d));
  }
  Arg d = shop.made(ElementType::f64, across, b, "Insert");
  double* to = static_cast<double*>(d->allocate());
  griddle_chain chain;
  // Narrow columns that lie in words are folded several at once, once they are there.
  const bool is_narrow = a->type <= ElementType::i16 && across * bits_of(a->type) % 32 == 0;
  if (!is_narrow) a = shop.without_bits(std::move(a));
  griddle_status s = griddle_unsupported;
  if (!is_narrow && a->settled_columns(chain, across)) s = shop.plugin().fold_chain_columns(shop.device(), &chain, *f, to, down);
  if (s == griddle_unsupported) {
    const void* from = a->memory();
    s = shop.plugin().fold_columns(shop.device(), *f, plugin_type(a->type), from, to, down, across);
  }
  shop.check(s, d->maker);
  return shop.wrap(shop.in_type(d, std::max(type_for(b), ElementType::i8), d->maker), x.array().shape().subspan(1));
}

// --- scans

static Value scan_lines(Workshop& shop, Glyph glyph, Arg a, const Value& x) {
  const std::size_t rows = x.array().rank() == 1 ? 1 : x.array().cells();
  const std::size_t across = x.array().rank() == 1 ? x.array().length : x.array().cell_length();
  if (rows > 1 && a->type == ElementType::bit && glyph == Glyph::not_equal)
    return odd_ones(shop, scan_lines(shop, Glyph::add, std::move(a), x));
  const std::optional<griddle_fold> f = fold_for(glyph, false);
  if (!f || (f == griddle_fold_add && !may_reorder(shop, *a))) return Value();
  if (f == griddle_fold_multiply) {
    // Other integers soon leave those that are exact.
    const bool signs = a->bounds.integral && a->bounds.low >= -1 && a->bounds.high <= 1;
    if (!signs && (a->bounds.integral || shop.strict() || a->length < reorder_from)) return Value();
    const Bounds known = signs ? Bounds{-1, 1, true} : unbounded;
    Arg d = shop.made(ElementType::f64, a->length, known, "Scan");
    a = shop.as_doubles(std::move(a));
    const void* from = a->memory();
    void* to = d->allocate();
    shop.run<&griddle_plugin::scan>(d->maker, *f, griddle_device_f64, griddle_device_f64, from, to, rows, across);
    return shop.wrap(std::move(d), x.array().shape());
  }
  if (a->type == ElementType::bit && (rows > 1 || f != griddle_fold_add)) a = shop.without_bits(std::move(a));
  Bounds b = a->bounds;
  ElementType out = a->type;
  if (f == griddle_fold_add) {
    const double n = static_cast<double>(across);
    b = sane({std::min(b.low, b.low * n), std::max(b.high, b.high * n), b.integral});
    const bool small = b.integral && b.low >= -2147483648.0 && b.high <= 2147483647.0 && a->type != ElementType::f64;
    out = small ? ElementType::i32 : ElementType::f64;
  }
  const void* from = a->memory();
  Arg d = shop.made(out, a->length, b, "Scan");
  void* to = d->allocate();
  shop.run<&griddle_plugin::scan>(d->maker, *f, plugin_type(a->type), plugin_type(out), from, to, rows, across);
  return shop.wrap(std::move(d), x.array().shape());
}

// Turns columns into rows and back.
static Value scan_columns(Workshop& shop, Glyph glyph, const Arg& x, Lengths shape) {
  const std::size_t rows = shape[0], columns = x->length / rows, turned[] = {columns, rows};
  const auto step = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  Arg lines = chosen(shop, x, 0, {{columns, 1, 0, 0}, {rows, step(columns), 0, 0}}, false, "Scan");
  const Value table = shop.wrap(lines, turned), scanned = scan_lines(shop, glyph, std::move(lines), table);
  if (scanned.is_absent()) return scanned;
  return shop.wrap(chosen(shop, shop.resident(scanned), 0, {{rows, 1, 0, 0}, {columns, step(rows), 0, 0}}, false, "Scan"), shape);
}

static Value scan_list(Workshop& shop, Glyph glyph, Arg a, const Value& x) {
  if (x.array().rank() > 1) return scan_columns(shop, glyph, a, x.array().shape());
  if (a->type == ElementType::bit && glyph != Glyph::add) {
    const std::uint8_t truth = entry_of(glyph).truth;
    if (truth == 0) return Value();
    const griddle_bit_map map = map_of_scan(truth);
    const void* from = a->memory();
    Arg d = shop.made(ElementType::bit, a->length, {0, 1, true}, "Scan");
    void* to = d->allocate();
    shop.run<&griddle_plugin::scan_bits>(d->maker, &map, from, to, a->length);
    return shop.wrap_list(std::move(d));
  }
  return scan_lines(shop, glyph, std::move(a), x);
}

Value reduced_there(Workshop& shop, Device::Reduction how, Glyph glyph, const Value& x) {
  using enum Device::Reduction;
  Arg a = shop.operand(x);
  if (!a || !is_number(a->type)) return Value();
  switch (how) {
    case fold: return fold_list(shop, glyph, a);
    case scan: return scan_list(shop, glyph, std::move(a), x);
    case scan_rows: return scan_lines(shop, glyph, std::move(a), x);
    default: return fold_lines(shop, glyph, std::move(a), x, how == fold_rows);
  }
}

}  // namespace griddle::gpu
