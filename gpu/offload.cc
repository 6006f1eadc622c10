// What moves, and why; elementwise functions, folds and scans.
#include "gpu/offload.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include "runtime/vm/error.h"

namespace griddle {

namespace {

constexpr double exact_limit = 9007199254740992.0;
constexpr double infinity = std::numeric_limits<double>::infinity();
// Functions whose last bit differs between mathematical libraries are worth the device from here on.
constexpr std::size_t real_functions_from = 4096;
// Sums of doubles keep BQN's order below this length.
constexpr std::size_t reorder_from = std::size_t{1} << 20;

// Keeps bounds sane: what is unknown is unbounded, and integers too large to be exact are no longer integers.
Bounds sane(Bounds b) {
  if (!(b.low <= b.high)) return {-infinity, infinity, false};
  if (b.low < -exact_limit / 2 || b.high > exact_limit / 2) b.integral = false;
  return b;
}

Bounds bounds_of_number(double d) { return {d, d, d == std::floor(d) && std::fabs(d) <= exact_limit / 2}; }

Bounds product(const Bounds& a, const Bounds& b) {
  const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (double d : p)
    if (d != d) return {-infinity, infinity, false};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4), a.integral && b.integral};
}

struct Elementwise {
  char32_t glyph;
  griddle_operation operation;
  const char* name;
};
constexpr Elementwise monads[] = {
    {U'-', griddle_negate, "Negate"},           {U'×', griddle_sign, "Sign"},
    {U'÷', griddle_reciprocal, "Reciprocal"},   {U'⋆', griddle_exponential, "Exponential"},
    {U'√', griddle_square_root, "Square Root"}, {U'⌊', griddle_floor, "Floor"},
    {U'⌈', griddle_ceiling, "Ceiling"},         {U'|', griddle_magnitude, "Magnitude"},
    {U'¬', griddle_complement, "Not"},
};
constexpr Elementwise dyads[] = {
    {U'+', griddle_add, "Add"},
    {U'-', griddle_subtract, "Subtract"},
    {U'×', griddle_multiply, "Multiply"},
    {U'∧', griddle_multiply, "And"},
    {U'÷', griddle_divide, "Divide"},
    {U'⋆', griddle_power, "Power"},
    {U'√', griddle_root, "Root"},
    {U'⌊', griddle_minimum, "Minimum"},
    {U'⌈', griddle_maximum, "Maximum"},
    {U'∨', griddle_maximum, "Or"},
    {U'|', griddle_modulus, "Modulus"},
    {U'<', griddle_less, "Less Than"},
    {U'≤', griddle_less_equal, "Less or Equal"},
    {U'=', griddle_equal, "Equal"},
    {U'≥', griddle_greater_equal, "Greater or Equal"},
    {U'>', griddle_greater, "Greater Than"},
    {U'≠', griddle_not_equal, "Not Equal"},
};
template <std::size_t n>
const Elementwise* function_for(const Elementwise (&table)[n], char32_t glyph) {
  for (const Elementwise& f : table)
    if (f.glyph == glyph) return &f;
  return nullptr;
}
bool compares(griddle_operation o) { return o >= griddle_less && o <= griddle_not_equal; }

std::optional<griddle_fold> fold_for(char32_t glyph, bool bits) {
  switch (glyph) {
    case U'+': return griddle_fold_add;
    case U'⌊': return griddle_fold_minimum;
    case U'⌈': return griddle_fold_maximum;
    case U'×':
    case U'∧': return bits ? griddle_fold_minimum : griddle_fold_multiply;
    case U'∨':
      if (bits) return griddle_fold_maximum;
      return std::nullopt;
    default: return std::nullopt;
  }
}

struct BitScan {
  char32_t glyph;
  griddle_bit_map map;
};
constexpr std::uint32_t all = 0xFFFFFFFF;
constexpr BitScan bit_scans[] = {
    {U'≠', {0, 0, all, 0, 0, 0}},   {U'=', {0, 0, all, all, 1, 0}},     {U'∨', {all, 0, all, 0, 0, 0}},
    {U'⌈', {all, 0, all, 0, 0, 0}}, {U'∧', {all, all, 0, 0, 1, 0}},     {U'×', {all, all, 0, 0, 1, 0}},
    {U'⌊', {all, all, 0, 0, 1, 0}}, {U'<', {all, all, all, 0, 0, 0}},   {U'≤', {all, 0, 0, all, 1, 0}},
    {U'>', {all, 0, 0, 0, 1, 1}},   {U'≥', {all, all, all, all, 0, 1}},
};

}  // namespace

// --- settings

OffloadSettings offload_settings() {
  OffloadSettings s;
  const char* device = std::getenv("GRIDDLE_DEVICE");
  const std::string_view choice = device ? device : "auto";
  if (choice == "cpu") return s;
  s.forced = choice == "cuda";
  s.plugin = plugin_path();
  if (const char* from = std::getenv("GRIDDLE_OFFLOAD_FROM"); from != nullptr && *from != 0)
    s.from = static_cast<std::size_t>(std::strtoull(from, nullptr, 10));
  return s;
}

std::unique_ptr<Device> make_device(Context& cx) {
  OffloadSettings settings = offload_settings();
  if (settings.plugin.empty()) return nullptr;
  return std::make_unique<Offload>(cx, std::move(settings));
}

Offload::Offload(Context& cx, OffloadSettings settings)
    : settings_(std::move(settings)), state_(std::make_shared<DeviceState>(cx)) {
  from = settings_.from;
  forced = settings_.forced;
}

Offload::~Offload() { state_->mirrors.clear(); }

bool Offload::ready() {
  if (!tried_) {
    tried_ = true;
    state_->open = open_device(settings_.plugin);
    if (!state_->open) from = ~std::size_t{0};  // ask no more
  }
  return state_->open != nullptr;
}

// --- operands

template <class F>
Value Offload::on_device(F f) {
  if (!ready()) return Value();
  try {
    return f();
  } catch (const DeviceDeclines&) {
    return Value();
  }
}

Offload::Arg Offload::resident(const Value& v) const {
  if (!v.is_array()) return {};
  const Array& a = v.array();
  if (!a.is_view() || a.owner()->kind != ObjectKind::native) return {};
  DeviceArray* d = dynamic_cast<DeviceArray*>(static_cast<NativeObject*>(a.owner()));
  if (d == nullptr || d->length != a.length || d->type != a.type()) return {};
  if (!a.data.elsewhere() && a.data.get() != d->host()) return {};
  return Arg::share(d);
}

Offload::Arg Offload::upload(const Value& v) {
  const Array& a = v.array();
  for (const auto& [host, copy] : state_->mirrors)
    if (&host.array() == &a) return copy;
  state_->forget_unused_mirrors();
  Arg d = made(a.type(), a.length, bounds_of(a.type()), "Copy to the device");
  const std::size_t bytes = bytes_for(a.type(), a.length);
  void* to = d->allocate();
  state_->check(state_->plugin().upload(state_->device(), to, a.data, bytes), d->maker);
  state_->open->uploaded += bytes;
  state_->mirrors.emplace_back(v, d);
  return d;
}

Offload::Arg Offload::operand(const Value& v, bool send) {
  if (!v.is_array()) return {};
  const Array& a = v.array();
  if (a.type() == ElementType::boxed || a.length == 0) return {};
  const FillKind plain = is_character(a.type()) ? FillKind::space : FillKind::zero;
  if (a.fill_kind() != plain) return {};
  if (Arg d = resident(v)) return d;
  return send ? upload(v) : Arg();
}

Offload::Arg Offload::made(ElementType type, std::size_t length, Bounds bounds, const char* maker) {
  return make_native<DeviceArray>(state_->cx.heap, state_, type, length, bounds, maker);
}

Value Offload::wrap(Arg d, std::span<const std::size_t> shape) {
  const ElementType type = d->type;
  return to_value(make_remote_array(state_->cx.heap, Ref<RemoteElements>(d.leak()), type, shape));
}
Value Offload::wrap_list(Arg d) {
  const std::size_t n = d->length;
  return wrap(std::move(d), {&n, 1});
}

Offload::Arg Offload::linked(Link link, Bounds bounds, std::size_t length, const char* maker, bool to_bits) {
  Arg d = made(to_bits ? ElementType::bit : type_for(bounds), length, bounds, maker);
  d->set_link(std::move(link));
  return d;
}

Offload::Arg Offload::without_bits(Arg a) {
  if (a->type != ElementType::bit) return a;
  Arg d = made(ElementType::i8, a->length, a->bounds, a->maker);
  Link link{griddle_add, std::move(a), {}, 0, false, true};
  d->set_link(std::move(link));
  return d;
}

Offload::Arg Offload::as_doubles(Arg a) {
  if (a->type == ElementType::f64) return a;
  Arg d = made(ElementType::f64, a->length, a->bounds, a->maker);
  Link link{griddle_add, std::move(a), {}, 0, false, true};
  d->set_link(std::move(link));
  return d;
}

double Offload::one_element(DeviceArray& a, std::size_t place) {
  alignas(8) unsigned char bytes[8] = {};
  const std::size_t width = bits_of(a.type) / 8;
  const char* from = static_cast<const char*>(a.memory());
  from += a.type == ElementType::bit ? place / 64 * 8 : place * width;
  state_->open->waits++;
  const griddle_status s = state_->plugin().download(state_->device(), bytes, from, a.type == ElementType::bit ? 8 : width);
  state_->check(s, a.maker);
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

bool Offload::may_reorder(const DeviceArray& a) const {
  if (a.bounds.integral &&
      std::max(std::fabs(a.bounds.low), std::fabs(a.bounds.high)) * static_cast<double>(a.length) < exact_limit)
    return true;
  return !strict && a.length >= reorder_from;
}

// --- elementwise

Value Offload::range(double count) {
  const std::size_t n = static_cast<std::size_t>(count);
  Arg d = made(type_for({0, count - 1, true}), n, {0, count - 1, true}, "Range");
  d->set_range();
  return wrap_list(std::move(d));
}

Value Offload::pervasive_monad(char32_t glyph, const Value& x) {
  const Elementwise* f = function_for(monads, glyph);
  if (f == nullptr) return Value();
  Arg a = operand(x, settings_.forced);
  if (!a || is_character(a->type)) return Value();
  const Bounds& b = a->bounds;
  Bounds r = b;
  switch (f->operation) {
    case griddle_negate: r = {-b.high, -b.low, b.integral}; break;
    case griddle_complement: r = {1 - b.high, 1 - b.low, b.integral}; break;
    case griddle_sign: r = {-1, 1, b.integral}; break;
    case griddle_magnitude: r = {0, std::max(std::fabs(b.low), std::fabs(b.high)), b.integral}; break;
    case griddle_floor:
    case griddle_ceiling:
      if (b.integral) return wrap(a, x.array().shape());
      r = {std::floor(b.low), std::ceil(b.high), std::isfinite(b.low) && std::isfinite(b.high)};
      break;
    case griddle_square_root: r = {-infinity, infinity, false}; break;
    default:
      if (a->length < real_functions_from) return Value();
      r = {-infinity, infinity, false};
  }
  if (f->operation == griddle_complement && a->type == ElementType::bit) r = {0, 1, true};
  const std::size_t n = a->length;
  return wrap(linked({f->operation, {}, std::move(a)}, sane(r), n, f->name), x.array().shape());
}

Value Offload::pervasive_dyad(char32_t glyph, const Value& w, const Value& x) {
  const Elementwise* f = function_for(dyads, glyph);
  if (f == nullptr) return Value();
  griddle_operation op = f->operation;
  if (w.is_array() && x.is_array() && !same_shape(w.array().shape(), x.array().shape())) return Value();
  const bool send = settings_.forced || resident(w) || resident(x);
  Link link{op, operand(w, send), operand(x, send)};
  if ((w.is_array() && !link.w) || (x.is_array() && !link.x)) return Value();
  const auto is_text = [](const Value& v) { return v.is_array() ? is_character(v.array().type()) : v.is_character(); };
  const auto is_numeric = [](const Value& v) { return v.is_array() ? is_number(v.array().type()) : v.is_number(); };
  if (is_text(w) && is_text(x)) {
    if (!compares(op)) return Value();
  } else if (!is_numeric(w) || !is_numeric(x)) {
    return Value();
  }
  const auto side = [&](const Value& v, const Arg& a, bool& constant) {
    if (a) return a->bounds;
    constant = true;
    link.constant = v.is_number() ? v.number() : static_cast<double>(v.character());
    return bounds_of_number(link.constant);
  };
  const Bounds a = side(w, link.w, link.constant_left), b = side(x, link.x, link.constant_right);
  const std::size_t n = link.w ? link.w->length : link.x->length;
  Bounds r{-infinity, infinity, false};
  const bool integral = a.integral && b.integral;
  switch (op) {
    case griddle_add: r = {a.low + b.low, a.high + b.high, integral}; break;
    case griddle_subtract: r = {a.low - b.high, a.high - b.low, integral}; break;
    case griddle_multiply: r = product(a, b); break;
    case griddle_minimum: r = {std::min(a.low, b.low), std::min(a.high, b.high), integral}; break;
    case griddle_maximum:
      if (glyph == U'∨' && !(integral && a.low >= 0 && a.high <= 1 && b.low >= 0 && b.high <= 1)) return Value();
      r = {std::max(a.low, b.low), std::max(a.high, b.high), integral};
      break;
    case griddle_modulus:
      if (integral && link.constant_left && link.constant != 0) {
        const double m = link.constant;
        r = m > 0 ? Bounds{0, m - 1, true} : Bounds{m + 1, 0, true};
        link.operation = griddle_integer_modulus;
        if (m > 0 && b.low >= 0 && b.high < m) return wrap(link.x, x.array().shape());
      } else if (n < real_functions_from || (a.low <= 0 && a.high >= 0)) {
        return Value();
      }
      break;
    case griddle_power:
      if (link.constant_right && link.constant == 2) {
        Bounds square = product(a, a);
        if (a.integral) square.low = std::max(0.0, square.low);
        return wrap(linked({griddle_multiply, link.w, link.w}, sane(square), n, f->name), w.array().shape());
      }
      if (n < real_functions_from || integral) return Value();
      break;
    case griddle_root:
      if (n < real_functions_from) return Value();
      break;
    case griddle_divide: break;
    default: {
      const Value& shaped = w.is_array() ? w : x;
      return wrap(linked(std::move(link), {0, 1, true}, n, f->name, true), shaped.array().shape());
    }
  }
  const Value& shaped = w.is_array() ? w : x;
  return wrap(linked(std::move(link), sane(r), n, f->name), shaped.array().shape());
}

Value Offload::monad(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    if (glyph == U'↕') {
      if (!x.is_number() || x.number() != std::floor(x.number()) || !(x.number() >= 1) || x.number() > exact_limit / 2)
        return Value();
      return range(x.number());
    }
    if (Value r = pervasive_monad(glyph, x); !r.is_absent()) return r;
    return structural_monad(glyph, x);
  });
}

Value Offload::dyad(Context&, char32_t glyph, const Value& w, const Value& x) {
  return on_device([&]() -> Value {
    if (Value r = pervasive_dyad(glyph, w, x); !r.is_absent()) return r;
    return structural_dyad(glyph, w, x);
  });
}

// --- folds

std::optional<double> Offload::folded(griddle_fold f, const Arg& a, const char* maker) {
  griddle_chain chain;
  if (!a->make_chain(chain)) {
    a->memory();
    a->make_chain(chain);
  }
  double result = 0;
  state_->open->waits++;
  state_->check(state_->plugin().fold(state_->device(), &chain, f, a->length, &result), maker);
  return result;
}

Value Offload::fold(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    Arg a = operand(x, settings_.forced);
    if (!a || !is_number(a->type)) return Value();
    const bool bits = a->type == ElementType::bit;
    if (bits && (glyph == U'≠' || glyph == U'=')) {
      std::uint64_t count = 0;
      state_->open->waits++;
      state_->check(state_->plugin().count_bits(state_->device(), a->memory(), a->length, &count), "Fold");
      return Value(static_cast<double>(glyph == U'≠' ? count % 2 : count % 2 == a->length % 2));
    }
    const std::optional<griddle_fold> f = fold_for(glyph, bits);
    if (!f) return Value();
    if (f == griddle_fold_multiply && (strict || a->length < real_functions_from || a->bounds.integral)) return Value();
    if (f == griddle_fold_add && !may_reorder(*a)) return Value();
    return Value(*folded(*f, a, "Fold"));
  });
}

Value Offload::insert(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    Arg a = operand(x, settings_.forced);
    if (!a || !is_number(a->type)) return Value();
    const std::optional<griddle_fold> f = fold_for(glyph, a->type == ElementType::bit);
    if (!f || f == griddle_fold_multiply || (f == griddle_fold_add && !may_reorder(*a))) return Value();
    const std::size_t rows = x.array().cells(), across = x.array().cell_length();
    Bounds b = a->bounds;
    if (f == griddle_fold_add) {
      const double n = static_cast<double>(rows);
      b = sane({b.low * n, b.high * n, b.integral});
    }
    a = without_bits(std::move(a));
    Arg d = made(ElementType::f64, across, b, "Insert");
    void* to = d->allocate();
    state_->check(state_->plugin().fold_columns(state_->device(), *f, plugin_type(a->type), a->memory(), static_cast<double*>(to),
                                                rows, across),
                  d->maker);
    return wrap(std::move(d), x.array().shape().subspan(1));
  });
}

Value Offload::fold_rows(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    Arg a = operand(x, settings_.forced);
    if (!a || !is_number(a->type)) return Value();
    const std::optional<griddle_fold> f = fold_for(glyph, a->type == ElementType::bit);
    if (!f || f == griddle_fold_multiply || (f == griddle_fold_add && !may_reorder(*a))) return Value();
    const std::size_t rows = x.array().cells(), across = x.array().cell_length();
    Bounds b = a->bounds;
    if (f == griddle_fold_add) {
      const double n = static_cast<double>(across);
      b = sane({b.low * n, b.high * n, b.integral});
    }
    a = without_bits(std::move(a));
    Arg d = made(ElementType::f64, rows, b, "Fold");
    void* to = d->allocate();
    state_->check(state_->plugin().fold_rows(state_->device(), *f, plugin_type(a->type), a->memory(), static_cast<double*>(to),
                                             rows, across),
                  d->maker);
    return wrap_list(std::move(d));
  });
}

// --- scans

Value Offload::scan(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    Arg a = operand(x, settings_.forced);
    if (!a || !is_number(a->type)) return Value();
    if (a->type == ElementType::bit && glyph != U'+') {
      for (const BitScan& s : bit_scans) {
        if (s.glyph != glyph) continue;
        const void* from = a->memory();
        Arg d = made(ElementType::bit, a->length, {0, 1, true}, "Scan");
        void* to = d->allocate();
        state_->check(state_->plugin().scan_bits(state_->device(), &s.map, from, to, a->length), d->maker);
        return wrap_list(std::move(d));
      }
      return Value();
    }
    return scan_rows(state_->cx, glyph, x);
  });
}

Value Offload::scan_rows(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    Arg a = operand(x, settings_.forced);
    if (!a || !is_number(a->type)) return Value();
    const std::size_t rows = x.array().rank() == 1 ? 1 : x.array().cells();
    const std::size_t across = x.array().rank() == 1 ? x.array().length : x.array().cell_length();
    const std::optional<griddle_fold> f = fold_for(glyph, false);
    if (!f || f == griddle_fold_multiply) return Value();
    if (f == griddle_fold_add && !may_reorder(*a)) return Value();
    if (a->type == ElementType::bit && (rows > 1 || f != griddle_fold_add)) a = without_bits(std::move(a));
    Bounds b = a->bounds;
    ElementType out = a->type;
    if (f == griddle_fold_add) {
      const double n = static_cast<double>(across);
      b = sane({std::min(b.low, b.low * n), std::max(b.high, b.high * n), b.integral});
      const bool small = b.integral && b.low >= -2147483648.0 && b.high <= 2147483647.0 && a->type != ElementType::f64;
      out = small ? ElementType::i32 : ElementType::f64;
    }
    const void* from = a->memory();
    Arg d = made(out, a->length, b, "Scan");
    void* to = d->allocate();
    state_->check(state_->plugin().scan(state_->device(), *f, plugin_type(a->type), plugin_type(out), from, to, rows, across),
                  d->maker);
    return wrap(std::move(d), x.array().shape());
  });
}

// --- •gpu

Device::Report Offload::report() {
  Report r;
  if (!ready()) return r;
  const OpenDevice& o = *state_->open;
  r.present = true;
  r.name = o.info.name;
  r.memory_bytes = static_cast<double>(o.info.memory_bytes);
  r.kernels = static_cast<double>(o.kernels);
  r.waits = static_cast<double>(o.waits);
  r.uploaded = static_cast<double>(o.uploaded);
  r.downloaded = static_cast<double>(o.downloaded);
  return r;
}

Value Offload::put(Context&, const Value& x) {
  return on_device([&]() -> Value {
    Arg a = operand(x, true);
    return a ? wrap(std::move(a), x.array().shape()) : Value();
  });
}

bool Offload::sync(Context&) {
  if (!ready()) return false;
  state_->open->waits++;
  state_->check(state_->plugin().wait(state_->device()), "•gpu.Sync");
  return true;
}

}  // namespace griddle
