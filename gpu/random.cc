// Random numbers that are made on the device, choices that follow from them, and draws by weights.
#include <bit>
#include <cmath>

#include "gpu/offload.h"

namespace griddle::gpu {

namespace {

static_assert(static_cast<int>(RandomNumbers::aliases) == static_cast<int>(griddle_random_aliases));

Bounds bounds_of(const RandomNumbers& r) {
  switch (r.kind) {
    case RandomNumbers::words: return {0, 1, true};
    case RandomNumbers::fractions: return {0, 1, false};
    case RandomNumbers::exponentials:
    case RandomNumbers::gammas:
    case RandomNumbers::normals: return unbounded;
    default: return sane({0, static_cast<double>(r.limit - 1), true});
  }
}

}  // namespace

Value Offload::random(Context&, const RandomNumbers& r, ElementType type, std::span<const std::size_t> shape) {
  const std::size_t n = griddle::product(shape);
  if (n == 0 || !pays(random_task(static_cast<double>(n)))) return Value();
  return on_device("•rand", [&](Workshop& shop) -> Value {
    griddle_random numbers{static_cast<griddle_random_kind>(r.kind), r.key, r.position, r.limit, 0, nullptr, 0};
    Arg table;
    if (r.table) {
      table = r.table->is_array() ? shop.operand(*r.table, true) : unit(shop, *r.table);
      if (!table || !is_number(table->type)) return Value();
      table = shop.as_doubles(table);
      numbers.table = table->memory();
      numbers.table_length = table->length;
    }
    if (r.kind == RandomNumbers::gammas) {
      const Arg& shapes = table;
      if (!(shapes->bounds.low > 0 && std::isfinite(shapes->bounds.high))) {
        const auto holds = [&](griddle_operation o, double limit) {
          return shop.linked({o, shapes, {}, limit, false, true}, {0, 1, true}, shapes->length, "•rand", true);
        };
        const Arg good = shop.linked({griddle_multiply, holds(griddle_greater, 0), holds(griddle_less, HUGE_VAL)}, {0, 1, true},
                                     shapes->length, "•rand", true);
        if (folded(shop, griddle_fold_minimum, good, "•rand") != 1) return Value();
      }
    }
    Arg d = shop.made(type, n, bounds_of(r), "•rand");
    void* to = d->allocate();
    const std::size_t count = r.kind == RandomNumbers::words ? (n + 63) / 64 : n;
    shop.run<&griddle_plugin::random>(d->maker, &numbers, to, count);
    if (r.scaled) {
      d = shop.linked({griddle_multiply, d, {}, r.factor, false, true}, unbounded, n, d->maker);
      d = shop.linked({griddle_add, {}, d, r.start, true, false}, unbounded, n, d->maker);
    }
    return shop.wrap(std::move(d), shape);
  });
}

// --- choices

// Gives that many of the integers that a choice draws.
static Arg drawn(Workshop& shop, const RandomChoice& c, std::size_t count) {
  if (count > most_places) throw DeviceDeclines();
  const bool narrow = c.bits == 32;
  const griddle_random numbers{
      narrow ? griddle_random_below_32 : griddle_random_below_64, c.key, c.draws_from, c.limit, 0, nullptr, 0};
  const ElementType type = narrow && c.limit <= std::size_t{1} << 15 ? ElementType::i16 : ElementType::i32;
  Arg d = shop.made(type, count, {0, static_cast<double>(c.limit - 1), true}, "•rand");
  void* to = d->allocate();
  shop.run<&griddle_plugin::random>(d->maker, &numbers, to, count);
  return d;
}

// Gives the first `wanted` of the drawn integers that are useful, each of which counts once. About a `share` of all integers is.
template <class Useful>
static Arg first_drawn(Workshop& shop, const RandomChoice& c, std::size_t wanted, double share, Useful useful,
                       std::uint64_t& draws) {
  const double all = static_cast<double>(c.limit) * share, some = static_cast<double>(wanted);
  // What is drawn twice counts once; some more, for luck.
  double enough = all / share * std::log(all / std::max(all - some, 0.5)) + 8 * std::sqrt(some / share) + 64;
  for (;; enough *= 2) {
    const Arg d = drawn(shop, c, static_cast<std::size_t>(std::min(enough, 4.0 * most_places)));
    const std::size_t n = d->length;
    const Arg marks = shop.linked({griddle_multiply, useful(d), marked_firsts(shop, d)}, {0, 1, true}, n, "•rand", true);
    const Arg at = kept(shop, marks, counted_up(shop, n));
    if (at->length < wanted) continue;
    draws = static_cast<std::uint64_t>(shop.one_element(*at, wanted - 1)) + 1;
    return gathered(shop, d, first_of(shop, at, wanted), n, 1, "•rand");
  }
}

static Arg marks_of(Workshop& shop, const Arg& places, std::size_t length) {
  const double count = static_cast<double>(places->length);
  const Arg table = first_places(shop, places, {0, length});
  return shop.linked({griddle_less, table, {}, count, false, true}, {0, 1, true}, length, "•rand", true);
}

// Gives bits, of which each is 1 with a chance of so many 256ths.
static Arg random_marks(Workshop& shop, const RandomChoice& c, unsigned chance) {
  constexpr unsigned digits = 8;
  Arg marks;
  std::uint32_t use = 0;
  for (unsigned digit = static_cast<unsigned>(std::countr_zero(chance)); digit < digits; digit++, use++) {
    const griddle_random words{griddle_random_words, c.key, c.position, 0, use, nullptr, 0};
    Arg d = shop.made(ElementType::bit, c.limit, {0, 1, true}, "•rand");
    void* to = d->allocate();
    shop.run<&griddle_plugin::random>(d->maker, &words, to, (c.limit + 63) / 64);
    const griddle_operation joined = (chance >> digit & 1) != 0 ? griddle_maximum : griddle_minimum;
    marks = marks ? shop.linked({joined, marks, d}, {0, 1, true}, c.limit, "•rand", true) : d;
  }
  marks->memory();
  return marks;
}

Value Offload::choose(Context&, const RandomChoice& c, std::uint64_t& draws) {
  if (c.limit > most_places || !pays(random_task(static_cast<double>(c.kind == RandomChoice::drawn ? c.count : c.limit))))
    return Value();
  return on_device("•rand", [&](Workshop& shop) -> Value {
    const Bounds truth{0, 1, true};
    if (c.kind == RandomChoice::shuffled) {
      Arg d = shop.made(ElementType::i32, c.limit, {0, static_cast<double>(c.limit - 1), true}, "•rand.Deal");
      auto* to = static_cast<std::int32_t*>(d->allocate());
      shop.run<&griddle_plugin::deal>(d->maker, c.key, c.position, c.limit, to);
      return shop.wrap_list(first_of(shop, d, c.count));
    }
    Arg marks;
    if (c.kind == RandomChoice::drawn) {
      const auto all = [&](const Arg& d) {
        return shop.linked({griddle_greater_equal, d, {}, 0, false, true}, truth, d->length, "•rand", true);
      };
      Arg some = first_drawn(shop, c, c.count, 1, all, draws);
      if (!c.in_order) return shop.wrap_list(std::move(some));
      if (!c.others) return shop.wrap_list(sorted(shop, some, false));
      marks = marks_of(shop, some, c.limit);
    } else {
      const unsigned chance = static_cast<unsigned>((static_cast<unsigned __int128>(c.count) << 8) / c.limit);
      marks = random_marks(shop, c, chance);
      const auto there = static_cast<std::size_t>(folded(shop, griddle_fold_add, marks, "•rand.Subset"));
      const bool add = there < c.count;
      if (there != c.count) {
        const auto useful = [&](const Arg& d) {
          const Arg now = gathered(shop, marks, d, c.limit, 1, "•rand");
          return shop.linked({griddle_equal, now, {}, add ? 0.0 : 1.0, false, true}, truth, d->length, "•rand", true);
        };
        const double share = static_cast<double>(add ? c.limit - there : there) / static_cast<double>(c.limit);
        const Arg changed = first_drawn(shop, c, add ? c.count - there : there - c.count, share, useful, draws);
        marks = shop.linked({griddle_not_equal, marks, marks_of(shop, changed, c.limit)}, truth, c.limit, "•rand", true);
      }
    }
    if (c.others) marks = shop.linked({griddle_equal, marks, {}, 0, false, true}, truth, c.limit, "•rand", true);
    marks->memory();
    return shop.wrap_list(indices(shop, marks));
  });
}

// --- draws by weights

namespace {

griddle_draw_method method_of(ProductDraw::Method m) {
  switch (m) {
    case ProductDraw::prefix_linear: return griddle_draw_prefix_linear;
    case ProductDraw::prefix_binary: return griddle_draw_prefix_binary;
    case ProductDraw::transposed: return griddle_draw_transposed;
    case ProductDraw::butterfly: return griddle_draw_butterfly;
    case ProductDraw::warp: return griddle_draw_warp;
    default: return griddle_draw_pieces;
  }
}

}  // namespace

Value Offload::draw_products(Context&, const ProductDraw& p, const Value& first, const Value& second, const Value& first_rows,
                             const Value& second_rows) {
  constexpr const char* name = "•rand.DrawProduct";
  const Value* const given[] = {&first, &second, &first_rows, &second_rows};
  double bytes_up = 0;
  for (const Value* v : given) {
    if (!v->is_array()) return Value();
    if (!shop_.resident(*v)) bytes_up += static_cast<double>(bytes_for(v->array().type(), v->array().length));
  }
  const std::size_t length = first.array().shape()[1], count = first_rows.array().length;
  if (length == 0 || count == 0 || length > most_places) return Value();
  // The host has no warps.
  if (p.method != ProductDraw::warp && !pays(draw_task(static_cast<double>(count), static_cast<double>(length), bytes_up)))
    return Value();
  return on_device("•rand.DrawProduct", [&](Workshop& shop) -> Value {
    Arg args[4];
    for (int k = 0; k < 4; k++) {
      args[k] = shop.operand(*given[k], true);
      if (!args[k] || !is_number(args[k]->type)) return Value();
      if (k >= 2 && !(args[k] = integers(shop, args[k], name))) return Value();
      args[k] = k < 2 ? shop.as_doubles(args[k]) : shop.in_type(args[k], ElementType::i32, name);
    }
    griddle_product_draws draws{};
    // In 24 bits what takes least time; in doubles what gives the same as the host.
    draws.method = p.method == ProductDraw::automatic && p.single ? griddle_draw_warp : method_of(p.method);
    draws.single = static_cast<int>(p.single);
    for (int k = 0; k < 2; k++) {
      draws.tables[k] = static_cast<const double*>(args[k]->memory());
      draws.at[k] = static_cast<const std::int32_t*>(args[2 + k]->memory());
      draws.rows[k] = given[k]->array().shape()[0];
    }
    draws.length = length;
    draws.count = count;
    draws.key = p.key;
    draws.position = p.position;
    Arg d = shop.made(ElementType::i32, count, {0, static_cast<double>(length - 1), true}, name);
    auto* const to = static_cast<std::int32_t*>(d->allocate());
    int fault = 0;
    shop.waits();
    shop.run<&griddle_plugin::draw_products>(name, &draws, to, &fault);
    if (fault) return Value();
    return shop.wrap(std::move(d), first_rows.array().shape());
  });
}

}  // namespace griddle::gpu
