// Functions of doubles that no glyph names, as links of chains.
#include "gpu/offload.h"

namespace griddle {

namespace {

#define OPERATION(name, function) griddle_##name,
constexpr griddle_operation operations[] = {griddle_load, GRIDDLE_REAL_MONADS(OPERATION) GRIDDLE_REAL_DYADS(OPERATION)};
#undef OPERATION
constexpr griddle_operation operation_of(RealFunction f) { return operations[static_cast<std::size_t>(f)]; }
#define IS_IN_PLACE(name, function) static_assert(operation_of(RealFunction::name) == griddle_##name);
GRIDDLE_REAL_MONADS(IS_IN_PLACE)
GRIDDLE_REAL_DYADS(IS_IN_PLACE)
#undef IS_IN_PLACE

bool is_numeric(const Value& v) { return v.is_array() ? is_number(v.array().type()) : v.is_number(); }

}  // namespace

Value Offload::real(Context&, const RealCall& call, const Value& w, const Value& x) {
  return on_device(call.name, [&]() -> Value {
    const griddle_operation operation = operation_of(call.function);
    if (w.is_absent()) {
      Arg a = operand(x, forced);
      if (!a || !is_number(a->type)) return Value();
      if (a->length < real_functions_from) return too_little();
      const std::size_t n = a->length;
      Link link{operation, {}, std::move(a)};
      link.real = &call;
      return wrap(linked(std::move(link), unbounded, n, call.name), x.array().shape());
    }
    if (!is_numeric(w) || !is_numeric(x)) return Value();
    std::optional<Meeting> m = meeting(operation, w, x);
    if (!m) return Value();
    if (m->length < real_functions_from) return too_little();
    m->link.real = &call;
    return wrap(linked(std::move(m->link), unbounded, m->length, call.name), m->shape);
  });
}

}  // namespace griddle
