// Draws by weights on the device.
#include "gpu/offload.h"

namespace griddle {

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
    if (!resident(*v)) bytes_up += static_cast<double>(bytes_for(v->array().type(), v->array().length));
  }
  const std::size_t length = first.array().shape()[1], count = first_rows.array().length;
  if (length == 0 || count == 0 || length > most_places) return Value();
  // The host has no warps.
  if (p.method != ProductDraw::warp && !pays(draw_task(static_cast<double>(count), static_cast<double>(length), bytes_up)))
    return Value();
  return on_device("•rand.DrawProduct", [&]() -> Value {
    Arg args[4];
    for (int k = 0; k < 4; k++) {
      args[k] = operand(*given[k], true);
      if (!args[k] || !is_number(args[k]->type)) return Value();
      if (k >= 2 && !(args[k] = integers(args[k], name))) return Value();
      args[k] = k < 2 ? as_doubles(args[k]) : in_type(args[k], ElementType::i32, name);
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
    Arg d = made(ElementType::i32, count, {0, static_cast<double>(length - 1), true}, name);
    auto* const to = static_cast<std::int32_t*>(d->allocate());
    int fault = 0;
    state_->open->waits++;
    state_->check(state_->plugin().draw_products(state_->device(), &draws, to, &fault), name);
    if (fault) return Value();
    return wrap(std::move(d), first_rows.array().shape());
  });
}

}  // namespace griddle
