// Random numbers that are made on the device, and choices that follow from them.
#include <bit>
#include <cmath>

#include "gpu/offload.h"

namespace griddle {

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
  return on_device("•rand", [&]() -> Value {
    griddle_random numbers{static_cast<griddle_random_kind>(r.kind), r.key, r.position, r.limit, 0, nullptr, 0};
    Arg table;
    if (r.table) {
      table = r.table->is_array() ? operand(*r.table, true) : unit(*r.table);
      if (!table || !is_number(table->type)) return Value();
      table = as_doubles(table);
      numbers.table = table->memory();
      numbers.table_length = table->length;
    }
    if (r.kind == RandomNumbers::gammas) {
      const Arg& shapes = table;
      if (!(shapes->bounds.low > 0 && std::isfinite(shapes->bounds.high))) {
        const auto holds = [&](griddle_operation o, double limit) {
          return linked({o, shapes, {}, limit, false, true}, {0, 1, true}, shapes->length, "•rand", true);
        };
        const Arg good = linked({griddle_multiply, holds(griddle_greater, 0), holds(griddle_less, HUGE_VAL)}, {0, 1, true},
                                shapes->length, "•rand", true);
        if (folded(griddle_fold_minimum, good, "•rand") != 1) return Value();
      }
    }
    Arg d = made(type, n, bounds_of(r), "•rand");
    void* to = d->allocate();
    const std::size_t count = r.kind == RandomNumbers::words ? (n + 63) / 64 : n;
    state_->check(state_->plugin().random(state_->device(), &numbers, to, count), d->maker);
    if (r.scaled) {
      d = linked({griddle_multiply, d, {}, r.factor, false, true}, unbounded, n, d->maker);
      d = linked({griddle_add, {}, d, r.start, true, false}, unbounded, n, d->maker);
    }
    return wrap(std::move(d), shape);
  });
}

// --- choices

// Gives that many of the integers that a choice draws.
Offload::Arg Offload::drawn(const RandomChoice& c, std::size_t count) {
  if (count > most_places) throw DeviceDeclines();
  const bool narrow = c.bits == 32;
  const griddle_random numbers{
      narrow ? griddle_random_below_32 : griddle_random_below_64, c.key, c.draws_from, c.limit, 0, nullptr, 0};
  const ElementType type = narrow && c.limit <= std::size_t{1} << 15 ? ElementType::i16 : ElementType::i32;
  Arg d = made(type, count, {0, static_cast<double>(c.limit - 1), true}, "•rand");
  void* to = d->allocate();
  state_->check(state_->plugin().random(state_->device(), &numbers, to, count), d->maker);
  return d;
}

// Gives the first `wanted` of the drawn integers that are useful, each of which counts once. About a `share` of all integers is.
template <class Useful>
Offload::Arg Offload::first_drawn(const RandomChoice& c, std::size_t wanted, double share, Useful useful, std::uint64_t& draws) {
  const double all = static_cast<double>(c.limit) * share, some = static_cast<double>(wanted);
  // What is drawn twice counts once; some more, for luck.
  double enough = all / share * std::log(all / std::max(all - some, 0.5)) + 8 * std::sqrt(some / share) + 64;
  for (;; enough *= 2) {
    const Arg d = drawn(c, static_cast<std::size_t>(std::min(enough, 4.0 * most_places)));
    const std::size_t n = d->length;
    const Arg marks = linked({griddle_multiply, useful(d), marked_firsts(d)}, {0, 1, true}, n, "•rand", true);
    const Arg at = kept(marks, counted_up(n));
    if (at->length < wanted) continue;
    draws = static_cast<std::uint64_t>(one_element(*at, wanted - 1)) + 1;
    return gathered(d, first_of(at, wanted), n, 1, "•rand");
  }
}

Offload::Arg Offload::marks_of(const Arg& places, std::size_t length) {
  const double count = static_cast<double>(places->length);
  const Arg table = first_places(places, {0, length});
  return linked({griddle_less, table, {}, count, false, true}, {0, 1, true}, length, "•rand", true);
}

// Gives bits, of which each is 1 with a chance of so many 256ths.
Offload::Arg Offload::random_marks(const RandomChoice& c, unsigned chance) {
  constexpr unsigned digits = 8;
  Arg marks;
  std::uint32_t use = 0;
  for (unsigned digit = static_cast<unsigned>(std::countr_zero(chance)); digit < digits; digit++, use++) {
    const griddle_random words{griddle_random_words, c.key, c.position, 0, use, nullptr, 0};
    Arg d = made(ElementType::bit, c.limit, {0, 1, true}, "•rand");
    void* to = d->allocate();
    state_->check(state_->plugin().random(state_->device(), &words, to, (c.limit + 63) / 64), d->maker);
    const griddle_operation joined = (chance >> digit & 1) != 0 ? griddle_maximum : griddle_minimum;
    marks = marks ? linked({joined, marks, d}, {0, 1, true}, c.limit, "•rand", true) : d;
  }
  marks->memory();
  return marks;
}

Value Offload::choose(Context&, const RandomChoice& c, std::uint64_t& draws) {
  if (c.limit > most_places || !pays(random_task(static_cast<double>(c.kind == RandomChoice::drawn ? c.count : c.limit))))
    return Value();
  return on_device("•rand", [&]() -> Value {
    const Bounds truth{0, 1, true};
    if (c.kind == RandomChoice::shuffled) {
      Arg d = made(ElementType::i32, c.limit, {0, static_cast<double>(c.limit - 1), true}, "•rand.Deal");
      auto* to = static_cast<std::int32_t*>(d->allocate());
      state_->check(state_->plugin().deal(state_->device(), c.key, c.position, c.limit, to), d->maker);
      return wrap_list(first_of(d, c.count));
    }
    Arg marks;
    if (c.kind == RandomChoice::drawn) {
      const auto all = [&](const Arg& d) {
        return linked({griddle_greater_equal, d, {}, 0, false, true}, truth, d->length, "•rand", true);
      };
      Arg some = first_drawn(c, c.count, 1, all, draws);
      if (!c.in_order) return wrap_list(std::move(some));
      if (!c.others) return wrap_list(sorted(some, false));
      marks = marks_of(some, c.limit);
    } else {
      const unsigned chance = static_cast<unsigned>((static_cast<unsigned __int128>(c.count) << 8) / c.limit);
      marks = random_marks(c, chance);
      const auto there = static_cast<std::size_t>(folded(griddle_fold_add, marks, "•rand.Subset"));
      const bool add = there < c.count;
      if (there != c.count) {
        const auto useful = [&](const Arg& d) {
          const Arg now = gathered(marks, d, c.limit, 1, "•rand");
          return linked({griddle_equal, now, {}, add ? 0.0 : 1.0, false, true}, truth, d->length, "•rand", true);
        };
        const double share = static_cast<double>(add ? c.limit - there : there) / static_cast<double>(c.limit);
        const Arg changed = first_drawn(c, add ? c.count - there : there - c.count, share, useful, draws);
        marks = linked({griddle_not_equal, marks, marks_of(changed, c.limit)}, truth, c.limit, "•rand", true);
      }
    }
    if (c.others) marks = linked({griddle_equal, marks, {}, 0, false, true}, truth, c.limit, "•rand", true);
    marks->memory();
    return wrap_list(indices(marks));
  });
}

}  // namespace griddle
