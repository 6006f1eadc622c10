// What is made on the device for whoever computes there.
#include "gpu/workshop.h"

#include <algorithm>
#include <cstring>

namespace griddle::gpu {

const Costs& Workshop::costs() {
  if (!costs_) costs_ = remembered_costs(settings_.cost_file, nullptr).value_or(Costs());
  return *costs_;
}

Arg Workshop::resident(const Value& v) const {
  if (!v.is_array()) return {};
  const Array& a = v.array();
  if (!a.is_view() || a.owner()->kind != ObjectKind::native) return {};
  DeviceArray* d = dynamic_cast<DeviceArray*>(static_cast<NativeObject*>(a.owner()));
  if (d == nullptr || d->length != a.length || d->type != a.type()) return {};
  if (!a.data.elsewhere() && a.data.get() != d->host()) return {};
  if (!d->light) state_->asked.meet();
  return Arg::share(d);
}

bool Workshop::is_there(const Value& v) const {
  const Arg a = resident(v);
  return a && !a->light;
}

Arg Workshop::upload(const Value& v) {
  const Array& a = v.array();
  for (const auto& [host, copy] : state_->mirrors)
    if (&host.array() == &a) return copy;
  state_->forget_unused_mirrors();
  Arg d = made(a.type(), a.length, bounds_of(a.type()), "Copy to the device");
  const std::size_t bytes = bytes_for(a.type(), a.length);
  void* to = d->allocate();
  state_->send(to, a.data, bytes, d->maker);
  state_->mirrors.emplace_back(v, d);
  return d;
}

Arg Workshop::operand(const Value& v, bool send) {
  if (!v.is_array()) return {};
  const Array& a = v.array();
  if (a.type() == ElementType::boxed || a.length == 0) return {};
  const FillKind plain = is_character(a.type()) ? FillKind::space : FillKind::zero;
  if (a.fill_kind() != plain) return {};
  if (Arg d = resident(v)) return d;
  return send ? upload(v) : Arg();
}

Arg Workshop::made(ElementType type, std::size_t length, Bounds bounds, const char* maker) {
  return make_native<DeviceArray>(cx().heap, state_, type, length, bounds, maker);
}

Value Workshop::wrap(Arg d, std::span<const std::size_t> shape) {
  const ElementType type = d->type;
  return to_value(make_remote_array(cx().heap, Ref<RemoteElements>(d.leak()), type, shape));
}
Value Workshop::wrap_list(Arg d) {
  const std::size_t n = d->length;
  return wrap(std::move(d), {&n, 1});
}

Arg Workshop::linked(Link link, Bounds bounds, std::size_t length, const char* maker, bool to_bits) {
  Arg d = made(to_bits ? ElementType::bit : type_for(bounds), length, bounds, maker);
  d->set_link(std::move(link));
  return d;
}

Arg Workshop::spread(Arg a, std::uint64_t each, std::uint64_t period, std::size_t length) {
  if (each == 1 && (period == 0 || period >= length)) return a;
  Arg d = made(a->type, length, a->bounds, a->maker);
  d->set_displaced(std::move(a), {each, period});
  return d;
}

Arg Workshop::without_bits(Arg a) {
  if (a->type != ElementType::bit) return a;
  Arg d = made(ElementType::i8, a->length, a->bounds, a->maker);
  Link link{griddle_add, std::move(a), {}, 0, false, true};
  d->set_link(std::move(link));
  return d;
}

Arg Workshop::as_doubles(Arg a) {
  if (a->type == ElementType::f64) return a;
  Arg d = made(ElementType::f64, a->length, a->bounds, a->maker);
  Link link{griddle_add, std::move(a), {}, 0, false, true};
  d->set_link(std::move(link));
  return d;
}

Arg Workshop::in_type(const Arg& a, ElementType type, const char* maker) {
  if (a->type == type) return a;
  Arg d = made(type, a->length, a->bounds, maker);
  d->set_link({griddle_add, a, {}, 0, false, true});
  return d;
}

double Workshop::one_element(DeviceArray& a, std::size_t place) {
  alignas(8) unsigned char bytes[8] = {};
  const std::size_t width = bits_of(a.type) / 8;
  const char* from = static_cast<const char*>(a.memory());
  from += a.type == ElementType::bit ? place / 64 * 8 : place * width;
  waits();
  const griddle_status s = plugin().download(device(), bytes, from, a.type == ElementType::bit ? 8 : width);
  check(s, a.maker);
  const auto as = [&]<class T>(T t) {
    std::memcpy(&t, bytes, sizeof t);
    return static_cast<double>(t);
  };
  switch (a.type) {
    case ElementType::bit: return static_cast<double>(bytes[place % 64 / 8] >> place % 8 & 1);
    case ElementType::i8: return as(std::int8_t{});
    case ElementType::i16: return as(std::int16_t{});
    case ElementType::i32: return as(std::int32_t{});
    case ElementType::c8: return as(std::uint8_t{});
    case ElementType::c16: return as(std::uint16_t{});
    case ElementType::c32: return as(std::uint32_t{});
    default: return as(double{});
  }
}

}  // namespace griddle::gpu
