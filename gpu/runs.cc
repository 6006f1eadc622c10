// Runs of equal neighbours, and sums over them.
#include <algorithm>

#include "gpu/offload.h"

namespace griddle::gpu {

// Gives elements such that equal ones have equal bytes, of at least 8 bits.
static Arg as_keys(Workshop& shop, const Arg& a) {
  if (a->type != ElementType::f64) return shop.without_bits(a);
  return shop.linked({griddle_add, a, {}, 0, false, true}, {a->bounds.low, a->bounds.high, false}, a->length, a->maker);
}

// Copies the first elements of a list, so that the memory of the others is free.
Arg first_of(Workshop& shop, const Arg& a, std::size_t count) {
  const void* from = a->memory();
  Arg d = shop.made(a->type, count, a->bounds, a->maker);
  void* to = d->allocate();
  shop.run<&griddle_plugin::move>(a->maker, bits_of(a->type), from, 0, 1, to, 0, count);
  return d;
}

Value Offload::runs(Context&, const Value& x) {
  constexpr const char* name = "•gpu.Runs";
  if (!ready()) return Value();
  return on_device("•gpu.Runs", [&](Workshop& shop) -> Value {
    const Arg a = shop.operand(x, true);
    if (!a || a->length > most_places) return Value();
    const Arg keys = as_keys(shop, a);
    const void* from = keys->memory();
    const Arg firsts = shop.made(keys->type, a->length, a->bounds, name);
    // One place more than there can be runs: for the end of the last.
    const std::int32_t end = static_cast<std::int32_t>(a->length);
    const Arg starts = shop.made(ElementType::i32, a->length + 1, {0, static_cast<double>(end), true}, name);
    void* first = firsts->allocate();
    std::int32_t* start = static_cast<std::int32_t*>(starts->allocate());
    std::uint64_t count = 0;
    shop.waits();
    shop.run<&griddle_plugin::runs>(name, bits_of(keys->type) / 8, from, first, start, a->length, &count);
    shop.run<&griddle_plugin::upload>(name, start + count, &end, sizeof end);
    const Arg ends = shop.made(ElementType::i32, count, {1, static_cast<double>(end), true}, name);
    shop.run<&griddle_plugin::move>(name, 32, start, 1, 1, ends->allocate(), 0, count);
    Arg lengths =
        shop.linked({griddle_subtract, ends, first_of(shop, starts, count)}, {1, static_cast<double>(end), true}, count, name);
    Value counts = shop.wrap_list(std::move(lengths));
    return make_pair(shop.cx().heap, std::move(counts), shop.wrap_list(first_of(shop, firsts, count)));
  });
}

Value Offload::sum_runs(Context&, const Value& w, const Value& x) {
  constexpr const char* name = "•gpu.SumRuns";
  if (!ready()) return Value();
  return on_device("•gpu.SumRuns", [&](Workshop& shop) -> Value {
    Arg keys = shop.operand(w, true), values = shop.operand(x, true);
    if (!keys || !values || keys->length > most_places || !may_reorder(shop, *values)) return Value();
    keys = as_keys(shop, keys);
    const ElementType wide = keys->type == ElementType::f64 ? ElementType::f64
                             : is_number(keys->type)        ? ElementType::i32
                                                            : ElementType::c32;
    if (keys->type != wide) {
      const Arg narrow = keys;
      keys = shop.made(wide, narrow->length, narrow->bounds, name);
      keys->set_link({griddle_add, narrow, {}, 0, false, true});
    }
    const double n = static_cast<double>(values->length);
    const Bounds b = sane({std::min(values->bounds.low, values->bounds.low * n),
                           std::max(values->bounds.high, values->bounds.high * n), values->bounds.integral});
    values = shop.as_doubles(values);
    const void* key = keys->memory();
    const double* value = static_cast<const double*>(values->memory());
    const Arg firsts = shop.made(wide, keys->length, keys->bounds, name);
    const Arg sums = shop.made(ElementType::f64, keys->length, b, name);
    void* first = firsts->allocate();
    double* sum = static_cast<double*>(sums->allocate());
    std::uint64_t count = 0;
    shop.waits();
    shop.run<&griddle_plugin::fold_runs>(name, bits_of(wide) / 8, key, value, first, sum, keys->length, &count);
    Value kept = shop.wrap_list(first_of(shop, firsts, count));
    return make_pair(shop.cx().heap, std::move(kept), shop.wrap_list(first_of(shop, sums, count)));
  });
}

}  // namespace griddle::gpu
