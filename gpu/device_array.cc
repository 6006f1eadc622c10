#include "gpu/device_array.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/on_host.h"
#include "gpu/parts.h"
#include "runtime/primitive.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

// Chains of more steps are run before they grow.
constexpr unsigned longest_chain = 48;
// Chains read boxes where they are whose rows are no shorter: each row costs them a group of elements that are read one by one.
constexpr std::uint64_t shortest_row = 64;
// Kernels count places along the axes of such boxes in 32 bits.
constexpr std::uint32_t most_viewed = 1u << 30;

}  // namespace

Bounds bounds_of(ElementType t) {
  switch (t) {
    case ElementType::bit: return {0, 1, true};
    case ElementType::i8: return {-128, 127, true};
    case ElementType::i16: return {-32768, 32767, true};
    case ElementType::i32: return {-2147483648.0, 2147483647.0, true};
    case ElementType::c8: return {0, 255, true};
    case ElementType::c16: return {0, 65535, true};
    case ElementType::c32: return {0, 1114111, true};
    default: return unbounded;
  }
}

ElementType type_for(const Bounds& b) {
  if (!b.integral) return ElementType::f64;
  for (ElementType t : {ElementType::bit, ElementType::i8, ElementType::i16, ElementType::i32})
    if (b.low >= bounds_of(t).low && b.high <= bounds_of(t).high) return t;
  return ElementType::f64;
}

Bounds sane(Bounds b) {
  if (!(b.low <= b.high)) return unbounded;
  if (b.low < -exact_limit / 2 || b.high > exact_limit / 2) b.integral = false;
  return b;
}

// --- the state

void DeviceState::check(griddle_status s, const char* primitive) {
  if (s == griddle_done) [[likely]] {
    open->kernels++;
    return;
  }
  if (s != griddle_failed) throw DeviceDeclines();
  const char* why = plugin().message(device());
  fail(cx, std::string(primitive) + ": The device failed (" + (why != nullptr ? why : "it does not say why") + ")");
}

void DeviceState::forget_unused_mirrors() {
  std::erase_if(mirrors, [](const auto& m) { return m.first.array().refs == 1; });
}

void* DeviceState::allocate(std::size_t bytes, const char* primitive) {
  void* memory = nullptr;
  griddle_status s = plugin().allocate(device(), bytes, &memory);
  if (s == griddle_no_memory) {
    mirrors.clear();
    plugin().trim(device());
    s = plugin().allocate(device(), bytes, &memory);
  }
  if (s == griddle_no_memory) {
    asked.why = Device::Reason::no_memory;
    throw DeviceDeclines();
  }
  check(s, primitive);
  return memory;
}

void DeviceState::send(void* to, const void* from, std::size_t bytes, const char* primitive) {
  check(plugin().upload(device(), to, from, bytes), primitive);
  open->uploaded += bytes;
  asked.sent += static_cast<double>(bytes);
}

// --- an array

DeviceArray::~DeviceArray() {
  if (owns_memory_) state_->release(memory_);
  forget_fold();
}

void* DeviceArray::allocate() {
  memory_ = state_->allocate(bytes_for(type, length), maker);
  owns_memory_ = true;
  return memory_;
}

void DeviceArray::alias(Ref<DeviceArray> other, void* at) {
  memory_ = at;
  source_ = std::move(other);
}

void DeviceArray::lead_through(DeviceArray& a) {
  if (!a.computed() && !a.is_view()) {
    a.uses++;
    if (a.steps_ >= longest_chain || a.box_) a.memory();
  }
  follow_rows_of(a);
  steps_ += a.computed() ? 1 : a.steps_;
  shares_ |= !a.computed() && (a.uses > 1 || a.shares_);
}

void DeviceArray::set_link(Link link) {
  if (link.w) lead_through(*link.w);
  if (link.x && (!link.w || &*link.w != &*link.x)) lead_through(*link.x);
  light = (!link.w || link.w->light) && (!link.x || link.x->light);
  link_ = std::move(link);
  count_needs();
  if (shares_ && steps_ > longest_chain) steps_ = different_steps();
  if (steps_ <= longest_chain && surely_fits()) return;
  griddle_chain chain;
  if (steps_ <= longest_chain && make_chain(chain)) return;
  // What the program keeps is a better place to cut a chain than its last function.
  if (settled_chain(chain, true) && different_steps() <= longest_chain) {
    steps_ = different_steps();
    return;
  }
  make_operands();
}

// Writing the whole chain at each of its functions would take time that grows with the square of their number.
void DeviceArray::count_needs() {
  const Link& l = *link_;
  constants_ = l.constant_left || l.constant_right;
  inputs_ = 0;
  unsigned with_steps = 0;
  is_straight_ = row_ == 0;
  const auto count = [&](const DeviceArray& a) {
    inputs_ += a.is_leaf() ? 1 : a.inputs_;
    constants_ += a.is_leaf() ? 0 : a.constants_;
    with_steps += !a.is_leaf();
    is_straight_ &= a.is_leaf() || a.is_straight_;
  };
  if (l.w) count(*l.w);
  if (l.x && (!l.w || &*l.w != &*l.x)) count(*l.x);
  is_straight_ &= with_steps <= 1;
}

// Runs the chains that lead to what the elements are computed of.
void DeviceArray::make_operands() {
  if (link_) {
    for (Ref<DeviceArray>* a : {&link_->w, &link_->x})
      if (*a) (*a)->memory();
  } else {
    source_->memory();
  }
  steps_ = 3;
  shares_ = false;
}

void DeviceArray::set_displaced(Ref<DeviceArray> source, Displacement displacement) {
  displacement_ = displacement;
  const bool serves_rows = source->row_ != 0 && source->stands_for_rows_ && displacement == Displacement{source->row_};
  if (!source->computed() && serves_rows) {
    lead_through(*source);
    stands_for_rows_ = false;
  } else {
    source->memory();
  }
  source_ = std::move(source);
}

void DeviceArray::set_box(Ref<DeviceArray> source, BoxOfAxes box) {
  source->memory();
  source_ = std::move(source);
  box_ = std::move(box);
}

bool DeviceArray::is_view() const {
  if (!box_ || computed() || box_->axes.size() > griddle_most_view_axes) return false;
  const auto is_near = [](const griddle_axis& a) {
    return a.limit <= most_viewed && a.first <= std::int64_t{most_viewed} && a.first >= -std::int64_t{most_viewed};
  };
  if (length > most_viewed || !std::all_of(box_->axes.begin(), box_->axes.end(), is_near)) return false;
  const griddle_axis& last = box_->axes.back();
  return last.step >= -1 && last.step <= 1 && last.length >= std::min<std::uint64_t>(shortest_row, length);
}

void* DeviceArray::memory() {
  if (memory_ != nullptr) return memory_;
  if (host_) {  // the device was full when it was computed
    void* to = allocate();
    state_->send(to, host_->data, bytes_for(type, length), maker);
    return to;
  }
  if (box_) return make_box();
  if (folds_narrow()) return fold_alone();
  griddle_chain chain;
  const auto run = [&](void* to) { return state_->plugin().map(state_->device(), &chain, to, places_of(chain)); };
  const auto write = [&] {
    if (settled_with_itself(chain)) return;
    make_operands();
    [[maybe_unused]] const bool whole = make_chain(chain);
    assert(whole);
  };
  write();
  if (computed()) return memory_;
  void* to = state_->allocate(bytes_for(type, length), maker);
  griddle_status s = run(to);
  if (s == griddle_unsupported && chain.row_length != 0) {
    state_->release(to);
    settle_row_folds();
    if (!computed()) write();
    if (computed()) return memory_;
    to = state_->allocate(bytes_for(type, length), maker);
    s = run(to);
  }
  return made_by_kernel(s, to);
}

void* DeviceArray::made_by_kernel(griddle_status s, void* to) {
  if (s != griddle_done) {
    state_->release(to);
    state_->check(s, maker);
  }
  state_->open->kernels++;
  memory_ = to;
  owns_memory_ = true;
  forget_fold();
  link_.reset();
  box_.reset();
  source_ = {};
  windows.reset();
  return memory_;
}

void* DeviceArray::make_box() {
  const BoxOfAxes& b = *box_;
  const griddle_plugin& plugin = state_->plugin();
  griddle_device* const device = state_->device();
  const unsigned bits = bits_of(type);
  const void* const in = source_->memory();
  void* const to = state_->allocate(bytes_for(type, length), maker);
  const auto move = [&](std::int64_t from, std::size_t at, std::size_t count) {
    return plugin.move(device, bits, in, from, 1, to, static_cast<std::int64_t>(at), count);
  };
  const griddle_axis& first = b.axes[0];
  const std::size_t cell = static_cast<std::size_t>(first.step);
  const bool in_rows = (b.axes.size() == 1 && first.step == 1) ||
                       (b.axes.size() == 2 && b.axes[1].step == 1 && b.axes[1].limit == 0 && b.axes[1].length == cell);
  griddle_status s;
  if (in_rows && first.limit == 0) {
    s = move(b.from, 0, length);
  } else if (in_rows && !b.fills && b.from == 0 && first.length == first.limit) {  // whole cells are rotated
    const std::size_t cut = static_cast<std::size_t>(first.first) * cell;
    s = move(first.first * first.step, 0, length - cut);
    if (s == griddle_done) s = move(0, length - cut, cut);
  } else {
    griddle_box box{};
    box.bits_wide = bits;
    box.axis_count = static_cast<std::uint32_t>(b.axes.size());
    box.fills = b.fills;
    box.from = b.from;
    box.fill = is_number(type) ? 0 : ' ';
    std::copy(b.axes.begin(), b.axes.end(), box.axes);
    s = plugin.box(device, &box, in, to);
  }
  return made_by_kernel(s, to);
}

Value DeviceArray::on_host() {
  fetch();
  return Value(Ref<Array>(host_).leak());
}

Value DeviceArray::displaced_on_host() {
  const Value source = source_->on_host();
  const Displacement& d = displacement_;
  if (d.each == 1 && d.shift == 0 && d.period == source_->length)
    return call_primitive(state_->cx, entry_of(Glyph::reshape), Value(static_cast<double>(length)), source);
  const Value fill = is_number(type) ? Value(d.fill) : Value::character(static_cast<char32_t>(d.fill));
  Ref<Array> list = make_list(state_->cx.heap, type, length);
  for (std::size_t i = 0; i < length; i++) {
    if ((i & 0xFFFF) == 0) state_->cx.check_interrupt();
    const std::size_t group = i / d.each, at = (d.period != 0 ? group % d.period : group) + static_cast<std::size_t>(d.shift);
    store(*list, i, d.shift != 0 && at >= length ? fill : element(source.array(), at));
  }
  return to_value(std::move(list));
}

Value DeviceArray::box_on_host() {
  const Value source = source_->on_host();
  const Value fill = is_number(type) ? Value(0.0) : Value::character(U' ');
  Ref<Array> list = make_list(state_->cx.heap, type, length);
  for (std::size_t i = 0; i < length; i++) {
    if ((i & 0xFFFF) == 0) state_->cx.check_interrupt();
    std::size_t rest = i;
    std::int64_t at = box_->from;
    bool outside = false;
    for (std::size_t k = box_->axes.size(); k-- > 0;) {
      const griddle_axis& axis = box_->axes[k];
      std::int64_t place = static_cast<std::int64_t>(rest % axis.length);
      const std::int64_t limit = static_cast<std::int64_t>(axis.limit);
      rest /= axis.length;
      if (limit != 0) place += axis.first;
      if (limit != 0 && box_->fills)
        outside |= place < 0 || place >= limit;
      else if (limit != 0 && place >= limit)
        place -= limit;
      at += place * axis.step;
    }
    store(*list, i, outside ? fill : element(source.array(), static_cast<std::size_t>(at)));
  }
  return to_value(std::move(list));
}

// Computes with the host's primitives, for a device that is full.
Value DeviceArray::by_primitives() {
  Context& cx = state_->cx;
  const OnHost on_host(cx);
  if (is_range_) return call_primitive(cx, entry_of(Glyph::windows), Value(static_cast<double>(length)));
  if (is_displaced()) return displaced_on_host();
  if (box_) return box_on_host();
  if (row_fold_) return folds_on_host();
  const auto side = [&](const Ref<DeviceArray>& a) -> Value {
    if (a) return a->on_host();
    return link_->constant_is_text ? Value::character(static_cast<char32_t>(link_->constant)) : Value(link_->constant);
  };
  const RealCall* const real = link_->real;
  if (real != nullptr) return real->dyad ? real->dyad(cx, side(link_->w), side(link_->x)) : real->monad(cx, side(link_->x));
  if (!link_->w && !link_->constant_left)
    return call_primitive(cx, entry_of(gpu::primitive_of(link_->operation, true)), side(link_->x));
  Value w = side(link_->w);
  return call_primitive(cx, entry_of(gpu::primitive_of(link_->operation, false)), std::move(w), side(link_->x));
}

// Notes why elements come back; fails where they are not to.
std::optional<std::size_t> DeviceState::let_back(std::size_t bytes) {
  Device* const device = cx.device;
  ComputingHere* const by = device != nullptr ? device->computing : nullptr;
  const bool computes = by != nullptr && by->name != nullptr;
  if (computes && device->keeps)
    fail(cx,
         std::string(by->name) + ": " + std::to_string(bytes) + " bytes would come back from the device, which does not do this");
  if (computes && !record.holds(by->row, by->name)) device->begin_here(*by);
  const std::size_t row = computes ? by->row : record.row_of("");
  record[row].times_back++;
  record[row].back += static_cast<double>(bytes);
  return computes ? std::nullopt : std::optional(row);
}

std::uint8_t* DeviceArray::make_here() {
  const Value elements = by_primitives();
  const Value in_type = converted(state_->cx.heap, elements.array(), type);
  host_ = Ref<Array>::share(&in_type.array());
  return host_->data;
}

std::uint8_t* DeviceArray::fetch() {
  if (host_) return host_->data;
  if (light && !computed()) return make_here();
  const std::optional<std::size_t> reading = state_->let_back(bytes_for(type, length));
  const auto start = std::chrono::steady_clock::now();
  try {
    const void* from = memory();
    Ref<Array> list = make_list(state_->cx.heap, type, length);
    const std::size_t bytes = bytes_for(type, length);
    state_->open->waits++;
    state_->open->downloaded += bytes;
    const griddle_status s = state_->plugin().download(state_->device(), list->data, from, bytes);
    // Nobody else has the elements any more.
    state_->check(s == griddle_done ? s : griddle_failed, maker);
    host_ = std::move(list);
  } catch (const DeviceDeclines&) {
    make_here();
  }
  if (reading && state_->record.holds(*reading, ""))
    state_->record[*reading].seconds_there += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return host_->data;
}

}  // namespace griddle
