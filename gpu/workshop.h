// What all that computes on the device works with: operands, fresh arrays, links of chains, and the plug-in.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "gpu/costs.h"
#include "gpu/device_array.h"
#include "gpu/settings.h"
#include "runtime/value/remote.h"

namespace griddle::gpu {

using Arg = Ref<DeviceArray>;

class Workshop {
 public:
  Workshop(Context& cx, const OffloadSettings& settings, const Device& asked)
      : settings_(settings), asked_(asked), state_(std::make_shared<DeviceState>(cx)) {}
  ~Workshop() { state_->mirrors.clear(); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  Context& cx() const { return state_->cx; }
  const std::shared_ptr<DeviceState>& state() const { return state_; }
  const OffloadSettings& settings() const { return settings_; }
  // What work costs: as measured, or as it was when a device was last open.
  const Costs& costs();
  void set_costs(std::optional<Costs> costs) { costs_ = std::move(costs); }
  // Whether arrays of the host are sent for whatever can be computed there; whether doubles are added in the host's order.
  bool forced() const { return asked_.forced; }
  bool strict() const { return asked_.strict; }

  // --- the plug-in, once it is open
  bool is_open() const { return state_->open != nullptr; }
  OpenDevice& open() const { return *state_->open; }
  const griddle_plugin& plugin() const { return state_->plugin(); }
  griddle_device* device() const { return state_->device(); }
  // Throws DeviceDeclines, or a BQN error that names the primitive.
  void check(griddle_status s, const char* maker) const { state_->check(s, maker); }
  // Calls a function of the plug-in; throws as check does.
  template <auto function, class... Arguments>
  void run(const char* maker, Arguments... arguments) const {
    check((plugin().*function)(device(), arguments...), maker);
  }
  // Notes that the host waits for what comes next.
  void waits() const { state_->open->waits++; }
  // Says why what is declined is.
  void say_why(Device::Reason why) const { state_->asked.why = why; }
  // Declines what is too little work, or not worth it.
  Value too_little() const {
    say_why(Device::Reason::little);
    return Value();
  }

  // --- operands
  // Gives the array's copy on the device: the one there is, or, where `send`, a fresh one. Null for anything else.
  Arg operand(const Value&, bool send);
  Arg operand(const Value& v) { return operand(v, forced()); }
  Arg resident(const Value&) const;
  // Tells whether an array is there so that what it meets had better be sent.
  bool is_there(const Value&) const;

  // --- results
  Arg made(ElementType, std::size_t length, Bounds, const char* maker);
  Value wrap(Arg, std::span<const std::size_t> shape);
  Value wrap_list(Arg);
  Arg linked(Link, Bounds, std::size_t length, const char* maker, bool to_bits = false);
  // Lets each element serve `each` neighbouring places of an array of so many, over and over.
  Arg spread(Arg, std::uint64_t each, std::uint64_t period, std::size_t length);
  // Gives the same elements as bytes or wider instead of bits.
  Arg without_bits(Arg);
  Arg as_doubles(Arg);
  Arg in_type(const Arg&, ElementType, const char* maker);
  // Waits for an element.
  double one_element(DeviceArray&, std::size_t place);

 private:
  Arg upload(const Value&);

  const OffloadSettings& settings_;
  const Device& asked_;
  std::shared_ptr<DeviceState> state_;
  std::optional<Costs> costs_;
};

}  // namespace griddle::gpu
