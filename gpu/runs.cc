// Runs of equal neighbours, and sums over them.
#include <algorithm>

#include "gpu/offload.h"

namespace griddle {

// Gives elements such that equal ones have equal bytes, of at least 8 bits.
Offload::Arg Offload::as_keys(const Arg& a) {
  if (a->type != ElementType::f64) return without_bits(a);
  return linked({griddle_add, a, {}, 0, false, true}, {a->bounds.low, a->bounds.high, false}, a->length, a->maker);
}

// Copies the first elements of a list, so that the memory of the others is free.
Offload::Arg Offload::first_of(const Arg& a, std::size_t count) {
  const void* from = a->memory();
  Arg d = made(a->type, count, a->bounds, a->maker);
  void* to = d->allocate();
  state_->check(state_->plugin().move(state_->device(), bits_of(a->type), from, 0, 1, to, 0, count), a->maker);
  return d;
}

Value Offload::runs(Context&, const Value& x) {
  constexpr const char* name = "•gpu.Runs";
  if (!ready()) return Value();
  return on_device("•gpu.Runs", [&]() -> Value {
    const Arg a = operand(x, true);
    if (!a || a->length > most_places) return Value();
    const Arg keys = as_keys(a);
    const void* from = keys->memory();
    const Arg firsts = made(keys->type, a->length, a->bounds, name);
    // One place more than there can be runs: for the end of the last.
    const std::int32_t end = static_cast<std::int32_t>(a->length);
    const Arg starts = made(ElementType::i32, a->length + 1, {0, static_cast<double>(end), true}, name);
    void* first = firsts->allocate();
    std::int32_t* start = static_cast<std::int32_t*>(starts->allocate());
    std::uint64_t count = 0;
    state_->open->waits++;
    const auto& plugin = state_->plugin();
    state_->check(plugin.runs(state_->device(), bits_of(keys->type) / 8, from, first, start, a->length, &count), name);
    state_->check(plugin.upload(state_->device(), start + count, &end, sizeof end), name);
    const Arg ends = made(ElementType::i32, count, {1, static_cast<double>(end), true}, name);
    state_->check(plugin.move(state_->device(), 32, start, 1, 1, ends->allocate(), 0, count), name);
    Arg lengths = linked({griddle_subtract, ends, first_of(starts, count)}, {1, static_cast<double>(end), true}, count, name);
    Value counts = wrap_list(std::move(lengths));
    return make_pair(state_->cx.heap, std::move(counts), wrap_list(first_of(firsts, count)));
  });
}

Value Offload::sum_runs(Context&, const Value& w, const Value& x) {
  constexpr const char* name = "•gpu.SumRuns";
  if (!ready()) return Value();
  return on_device("•gpu.SumRuns", [&]() -> Value {
    Arg keys = operand(w, true), values = operand(x, true);
    if (!keys || !values || keys->length > most_places || !may_reorder(*values)) return Value();
    keys = as_keys(keys);
    const ElementType wide = keys->type == ElementType::f64 ? ElementType::f64
                             : is_number(keys->type)        ? ElementType::i32
                                                            : ElementType::c32;
    if (keys->type != wide) {
      const Arg narrow = keys;
      keys = made(wide, narrow->length, narrow->bounds, name);
      keys->set_link({griddle_add, narrow, {}, 0, false, true});
    }
    const double n = static_cast<double>(values->length);
    const Bounds b = sane({std::min(values->bounds.low, values->bounds.low * n),
                           std::max(values->bounds.high, values->bounds.high * n), values->bounds.integral});
    values = as_doubles(values);
    const void* key = keys->memory();
    const double* value = static_cast<const double*>(values->memory());
    const Arg firsts = made(wide, keys->length, keys->bounds, name);
    const Arg sums = made(ElementType::f64, keys->length, b, name);
    void* first = firsts->allocate();
    double* sum = static_cast<double*>(sums->allocate());
    std::uint64_t count = 0;
    state_->open->waits++;
    state_->check(state_->plugin().fold_runs(state_->device(), bits_of(wide) / 8, key, value, first, sum, keys->length, &count),
                  name);
    Value kept = wrap_list(first_of(firsts, count));
    return make_pair(state_->cx.heap, std::move(kept), wrap_list(first_of(sums, count)));
  });
}

}  // namespace griddle
