// Products of matrices.
#include <algorithm>
#include <cmath>

#include "gpu/offload.h"

namespace griddle::gpu {

namespace {

// Where there are fewer products, sums of doubles keep the host's order: from here on, fetching takes longer.
constexpr double products_reordered_from = real_functions_from;

double most_of(const Bounds& b) { return std::max(std::fabs(b.low), std::fabs(b.high)); }

}  // namespace

// Tells whether the device had better multiply. Of what is there so many bytes would have to be fetched for the host. Before its
// first product, products must have been worth what loading the library takes.
bool Offload::products_pay(const Task& task, double bytes_there) {
  if (settings_.forced || settings_.from) return pays(task);
  Task loaded = task;
  loaded.seconds_there = 0;
  if (bytes_there == 0 && !pays(loaded)) return false;
  const double saved =
      task.host_seconds + (bytes_there + task.bytes_down) * shop_.costs().down - loaded.device_seconds(shop_.costs());
  if (saved <= 0) return false;
  unmade_savings_ += saved;
  return unmade_savings_ >= task.seconds_there;
}

Value Offload::multiply_matrices(Context&, const Value& w, const Value& x, std::span<const std::size_t> shape) {
  const std::size_t inner = x.array().cells(), columns = x.array().cell_length(), rows = w.array().length / inner;
  const bool w_is_there = static_cast<bool>(shop_.resident(w)), x_is_there = static_cast<bool>(shop_.resident(x));
  const auto bytes_of = [](const Value& v) { return static_cast<double>(bytes_for(v.array().type(), v.array().length)); };
  const double there = (w_is_there ? bytes_of(w) : 0) + (x_is_there ? bytes_of(x) : 0);
  const double up = bytes_of(w) + bytes_of(x) - there;
  const auto of = [](std::size_t n) { return static_cast<double>(n); };
  const double products = of(rows) * of(inner) * of(columns);
  if (!products_pay(product_task(of(rows), of(inner), of(columns), up, !has_multiplied_), there)) {
    if (there > 0) declined = Reason::little;
    if (there == 0) computes_here(std::max(w.array().length, x.array().length), up + 8 * of(rows) * of(columns));
    return Value();
  }
  return on_device("Rank", [&](Workshop& shop) -> Value {
    if (std::max({rows, inner, columns}) > most_places) return Value();
    Arg a = shop.operand(w, true), b = shop.operand(x, true);
    if (!a || !b) return Value();
    const auto known = [&] {
      const double most = most_of(a->bounds) * most_of(b->bounds) * of(inner);
      return Bounds{-most, most, a->bounds.integral && b->bounds.integral};
    };
    const auto is_exact = [&] { return known().integral && known().high < exact_limit; };
    if (a->bounds.integral && b->bounds.integral && !is_exact()) looked_at(shop, a), looked_at(shop, b);
    if (!is_exact() && (shop.strict() || products < products_reordered_from)) {
      shop.say_why(shop.strict() ? Device::Reason::strict : Device::Reason::little);
      return Value();
    }
    const Bounds bounds = sane(known());
    a = shop.as_doubles(std::move(a));
    b = shop.as_doubles(std::move(b));
    const auto *left = static_cast<const double*>(a->memory()), *right = static_cast<const double*>(b->memory());
    Arg d = shop.made(ElementType::f64, rows * columns, bounds, "Rank");
    double* to = static_cast<double*>(d->allocate());
    shop.run<&griddle_plugin::multiply_matrices>(d->maker, left, right, to, rows, inner, columns);
    has_multiplied_ = true;
    return shop.wrap(shop.in_type(d, std::max(type_for(bounds), ElementType::i8), d->maker), shape);
  });
}

}  // namespace griddle::gpu
