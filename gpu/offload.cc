// What moves, and why.
#include "gpu/offload.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "gpu/ways.h"

namespace griddle::gpu {

namespace {

// Arrays of fewer elements are done before a device has heard of them.
constexpr std::size_t fewest_elements = std::size_t{1} << 14;
// Nothing stops a device before it is done: ranges that keep it busy for long are left to the host, which has no memory for them.
constexpr double longest_range = 0x1p36;
// The device is begun to be opened when it would have saved so many times what that takes, and waited for by work that saves so
// many times what is left of it.
constexpr double worth_opening = 1.5, worth_waiting = 1.5;
// Arrays that move because others like them cost much are no shorter.
constexpr std::size_t fewest_moving = std::size_t{1} << 17;
// Functions that the device has for all arrays, and whose results are arrays.
constexpr std::u32string_view noted = U"+-×÷⋆√⌊⌈|¬∧∨<>=≠≤≥»«⌽⍉/⊏";

}  // namespace

Offload::Offload(Context& cx, OffloadSettings settings) : settings_(std::move(settings)), shop_(cx, settings_, *this) {
  from = settings_.from.value_or(fewest_elements);
  large_from = settings_.from.value_or(settings_.forced ? fewest_elements : fewest_moving);
  forced = settings_.forced;
  used = settings_.forced || settings_.from;
}

Offload::Opened Offload::opened(const OffloadSettings& settings) {
  Opened o{open_device(settings.plugin), std::nullopt};
  if (const std::size_t folder = settings.cost_file.rfind('/'); o.device && folder != std::string::npos)
    o.device->plugin->keep_kernels(o.device->device, (settings.cost_file.substr(0, folder) + "/kernels").c_str());
  if (o.device) o.costs = remembered_costs(settings.cost_file, o.device.get());
  if (o.costs) remember_opening(settings.cost_file, *o.device, *o.costs);
  if (o.device && !o.costs) o.costs = measured_costs(settings.cost_file, *o.device);
  return o;
}

void Offload::begin_to_open() {
  // Signals are for the thread that evaluates.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    opening_since_ = std::chrono::steady_clock::now();
    opening_ = std::async(std::launch::async, opened, settings_);
  } catch (const std::system_error&) {
    unused_savings_ = 0;  // no thread is to be had: asks again later
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool Offload::ready() {
  if (!tried_) {
    Opened o = opening_.valid() ? opening_.get() : opened(settings_);
    tried_ = true;
    shop_.state()->open = std::move(o.device);
    if (shop_.is_open()) shop_.set_costs(o.costs);
    used = shop_.is_open();
    if (!used) from = large_from = ~std::size_t{0};  // ask no more
  }
  return shop_.is_open();
}

// --- what pays

bool Offload::pays(const Task& task) {
  if (tried_ && !shop_.is_open()) return false;
  if (settings_.forced || settings_.from) return task.elements >= static_cast<double>(from) && ready();
  const double saved = task.host_seconds - task.device_seconds(shop_.costs());
  if (saved <= 0) return false;
  if (shop_.is_open()) return true;
  // The device is opened beside the program, where work has come that it would have been worth. Savings are guesses, and a
  // process that has a device open takes longer to end: so little is not enough.
  double left = shop_.costs().open;
  if (opening_.valid()) {
    using namespace std::chrono_literals;
    left -= std::chrono::duration<double>(std::chrono::steady_clock::now() - opening_since_).count();
    if (opening_.wait_for(0s) == std::future_status::ready) left = 0;
  }
  if (saved >= worth_waiting * left) return ready() && task.host_seconds > task.device_seconds(shop_.costs());
  unused_savings_ += saved;
  if (!opening_.valid() && unused_savings_ >= worth_opening * left) begin_to_open();
  return false;
}

bool Offload::takes_range(double count, std::size_t functions, bool stays) {
  return count >= 1 && count <= longest_range && pays(range_task(count, functions, stays));
}

bool Offload::moves(Glyph glyph, const Value& x) {
  if (glyph == Glyph::windows) return x.is_number() && takes_range(x.number(), 0, true);
  const Orders orders = entry_of(glyph).one.orders;
  if (orders == Orders::no) return false;
  if (!x.is_array() || x.array().rank() != 1 || x.array().type() == ElementType::boxed) return false;
  return pays(order_task(x.array().type(), x.array().length, orders == Orders::grades));
}

bool Offload::moves(Glyph glyph, const Value& w, const Value& x) {
  if ((glyph != Glyph::member && glyph != Glyph::index_of) || !w.is_array() || !x.is_array()) return false;
  const Array& a = w.array();
  const Array& b = x.array();
  // Doubles are searched there only where they are known to be integers.
  const auto fits = [](const Array& list) {
    return list.rank() == 1 && list.type() != ElementType::boxed && list.type() != ElementType::f64;
  };
  if (!fits(a) || !fits(b) || is_number(a.type()) != is_number(b.type())) return false;
  const ElementType type = wider(a.type(), b.type());
  return pays(glyph == Glyph::member ? search_task(type, b.length, a.length) : search_task(type, a.length, b.length));
}

// --- what is asked

void Offload::note(Glyph glyph, const Value& w, const Value& x, const Value& result) {
  if (settings_.forced || settings_.from || (tried_ && !shop_.is_open())) return;
  const auto is_large = [](const Value& v) {
    return v.is_array() && v.array().length >= fewest_moving && v.array().type() != ElementType::boxed;
  };
  if (!is_large(w) && !is_large(x)) return;
  const auto bytes_of = [](const Value& v) {
    return v.is_array() ? static_cast<double>(bytes_for(v.array().type(), v.array().length)) : 0.0;
  };
  const double bytes = bytes_of(w) + bytes_of(x) + std::max(bytes_of(w), bytes_of(x));
  if (!result.is_absent()) {
    if (!staying_.moves()) return;
    staying_.compute_there(bytes);
    const double sent = static_cast<double>(shop_.open().uploaded), back = static_cast<double>(shop_.open().downloaded);
    staying_.send(sent - std::exchange(known_sent_, sent), shop_.costs());
    staying_.come_back(back - std::exchange(known_back_, back), shop_.costs());
    if (staying_.is_in_vain()) set_moving(false);
    return;
  }
  if (staying_.moves() || noted.find(entry_of(glyph).glyph) == std::u32string_view::npos) return;
  staying_.begin(bytes, std::chrono::steady_clock::now());
}

void Offload::computes_here(std::size_t elements, double bytes) {
  if (elements < fewest_moving || settings_.forced || settings_.from || (tried_ && !shop_.is_open())) return;
  if (staying_.is_under_way()) settle_staying();
  if (!staying_.moves()) staying_.begin(bytes, std::chrono::steady_clock::now());
}

void Offload::set_moving(bool moving) {
  if (moving) {
    staying_.move();
    known_sent_ = static_cast<double>(shop_.open().uploaded);
    known_back_ = static_cast<double>(shop_.open().downloaded);
  } else {
    staying_.stay();
  }
  forced = moving;
  from = moving ? fewest_moving : fewest_elements;
  large_from = fewest_moving;
}

// The host has done what it began.
void Offload::settle_staying() {
  using namespace std::chrono_literals;
  if (staying_.moves()) return;
  staying_.end(std::chrono::steady_clock::now(), shop_.costs());
  if (shop_.is_open()) {
    if (staying_.is_worth_moving(shop_.costs())) set_moving(true);
    return;
  }
  if (staying_.wants_loops()) staying_.see(counted_loops(shop_.cx()), progress(shop_.cx()));
  if (!staying_.is_worth_opening(shop_.costs())) return;
  if (!tried_) {
    if (!opening_.valid()) begin_to_open();
    if (!opening_.valid() || opening_.wait_for(0s) != std::future_status::ready) return;
  }
  if (ready()) set_moving(true);
}

Value Offload::monad(Context&, Glyph glyph, const Value& x) {
  if (staying_.is_under_way()) settle_staying();
  const bool send = moves(glyph, x);
  Value result = on_device(name_of(glyph, Value()), [&](Workshop& shop) -> Value {
    if (glyph != Glyph::windows) return monad_there(shop, glyph, x, send);
    if (!send || !x.is_number() || x.number() != std::floor(x.number()) || !(x.number() >= 1) || x.number() > exact_limit / 2)
      return Value();
    return range(shop, x.number());
  });
  note(glyph, Value(), x, result);
  return result;
}

Value Offload::dyad(Context&, Glyph glyph, const Value& w, const Value& x) {
  if (staying_.is_under_way()) settle_staying();
  const bool send = moves(glyph, w, x);
  Value result = on_device(name_of(glyph, w), [&](Workshop& shop) { return dyad_there(shop, glyph, w, x, send); });
  note(glyph, w, x, result);
  return result;
}

Value Offload::reduce(Context&, Reduction how, Glyph glyph, const Value& x) {
  static constexpr const char* makers[] = {"Fold", "Insert", "Scan", "Cells", "Cells"};
  return on_device(makers[static_cast<int>(how)], [&](Workshop& shop) { return reduced_there(shop, how, glyph, x); });
}

Value Offload::cells(Context&, Glyph glyph, const Value& w, const Value& x, std::size_t frame) {
  return on_device(name_of(glyph, w), [&](Workshop& shop) { return cells_there(shop, glyph, w, x, frame); });
}

Value Offload::real(Context&, const RealCall& call, const Value& w, const Value& x) {
  return on_device(call.name, [&](Workshop& shop) { return real_function(shop, call, w, x); });
}

// --- what ran where

Offload::Asking::Asking(Offload& offload, const char* function) : offload_(offload), function_(function) {
  DeviceState::Asked& asked = offload.shop_.state()->asked;
  if (asked.depth++ > 0) return;
  asked.has_met = false;
  asked.sent = 0;
  asked.why = Reason::no_kernel;
  asked.since = offload.waits_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
}

Value Offload::Asking::answered(Value result) const {
  DeviceState& state = *offload_.shop_.state();
  const DeviceState::Asked& asked = state.asked;
  if (asked.depth > 1) return result;
  offload_.declined = Reason::none;
  if (result.is_absent()) {
    if (asked.has_met) offload_.declined = asked.why;
    return result;
  }
  if (offload_.waits_) state.plugin().wait(state.device());
  DeviceWork& row = state.record[state.record.row_of(function_)];
  row.there++;
  row.sent += asked.sent;
  if (asked.since != std::chrono::steady_clock::time_point())
    row.seconds_there += std::chrono::duration<double>(std::chrono::steady_clock::now() - asked.since).count();
  return result;
}

void Offload::begin_here(ComputingHere& scope) {
  scope.row = shop_.state()->record.row_of(scope.name);
  const Reason why = std::exchange(declined, Reason::none);
  shop_.state()->record[scope.row].reason = why == Reason::none ? Reason::unasked : why;
  scope.since = std::chrono::steady_clock::now();
}

void Offload::end_here(const ComputingHere& scope) noexcept {
  if (!shop_.state()->record.holds(scope.row, scope.name)) return;
  DeviceWork& row = shop_.state()->record[scope.row];
  row.here++;
  row.seconds_here += std::chrono::duration<double>(std::chrono::steady_clock::now() - scope.since).count();
}

void Offload::trace(bool waits) {
  shop_.state()->record.clear();
  waits_ = waits;
}

// --- •gpu

Device::Report Offload::report() {
  Report r;
  if (!ready()) return r;
  const OpenDevice& o = shop_.open();
  r.present = true;
  r.name = o.info.name;
  r.memory_bytes = static_cast<double>(o.info.memory_bytes);
  r.kernels = static_cast<double>(o.kernels);
  r.waits = static_cast<double>(o.waits);
  r.uploaded = static_cast<double>(o.uploaded);
  r.downloaded = static_cast<double>(o.downloaded);
  const Costs& c = shop_.costs();
  r.call_seconds = c.call;
  r.up_seconds = c.up;
  r.down_seconds = c.down;
  r.pass_seconds = c.pass;
  return r;
}

Value Offload::put(Context&, const Value& x) {
  if (!ready()) return Value();
  return on_device("•gpu.Put", [&](Workshop& shop) -> Value {
    Arg a = shop.operand(x, true);
    return a ? shop.wrap(std::move(a), x.array().shape()) : Value();
  });
}

bool Offload::sync(Context&) {
  if (!ready()) return false;
  shop_.waits();
  shop_.run<&griddle_plugin::wait>("•gpu.Sync");
  return true;
}

}  // namespace griddle::gpu

namespace griddle {

std::unique_ptr<Device> make_device(Context& cx, OffloadSettings settings) {
  if (settings.plugin.empty()) return nullptr;
  return std::make_unique<gpu::Offload>(cx, std::move(settings));
}

}  // namespace griddle
