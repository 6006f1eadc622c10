// Decides what is computed on the device, and says how: the one implementation of Device.
#pragma once

#include "gpu/costs.h"
#include "gpu/device_array.h"

namespace griddle {

// Settings from the environment: GRIDDLE_DEVICE=auto|cpu|cuda, GRIDDLE_OFFLOAD_FROM=number of elements.
struct OffloadSettings {
  bool forced = false;              // compute on the device whatever it can compute
  std::optional<std::size_t> from;  // how many elements are worth moving, whatever the costs
  std::string plugin;               // empty: no device
};
OffloadSettings offload_settings();

// Functions whose last bit differs between mathematical libraries are worth the device from here on.
constexpr std::size_t real_functions_from = 4096;

// Gives the device for an interpreter, or null where there is none to be had. The plug-in is loaded when a first array asks.
std::unique_ptr<Device> make_device(Context&);

class Offload final : public Device {
 public:
  Offload(Context&, OffloadSettings);
  ~Offload() override;

  Value monad(Context&, char32_t glyph, const Value& x) override;
  Value dyad(Context&, char32_t glyph, const Value& w, const Value& x) override;
  Value fold(Context&, char32_t glyph, const Value& x) override;
  Value insert(Context&, char32_t glyph, const Value& x) override;
  Value scan(Context&, char32_t glyph, const Value& x) override;
  Value fold_rows(Context&, char32_t glyph, const Value& x) override;
  Value scan_rows(Context&, char32_t glyph, const Value& x) override;
  bool takes_range(double count) override;
  Report report() override;
  Value put(Context&, const Value& x) override;
  bool sync(Context&) override;
  // runs.cc
  Value runs(Context&, const Value& x) override;
  Value sum_runs(Context&, const Value& w, const Value& x) override;

 private:
  using Arg = Ref<DeviceArray>;

  bool ready();
  // Tells whether the device is there for what it need not be opened for.
  bool is_open() { return state_->open != nullptr || (settings_.forced && ready()); }
  // Tells whether work is better done there, sending what it needs. Opens the device where that, too, pays.
  bool pays(const Task&);
  // Tells whether functions of these arguments move there although nothing of them is there.
  bool moves(char32_t glyph, const Value& x);
  bool moves(char32_t glyph, const Value& w, const Value& x);
  const Costs& costs();
  // Runs f where there is a device; gives the absent value where it is full.
  template <class F>
  Value on_device(F f) {
    if (!is_open()) return Value();
    try {
      return f();
    } catch (const DeviceDeclines&) {
      return Value();
    }
  }
  // Gives the array's copy on the device: the one there is, or, where `send`, a fresh one. Null for anything else.
  Arg resident(const Value&) const;
  Arg operand(const Value&, bool send);
  Arg upload(const Value&);
  Arg made(ElementType, std::size_t length, Bounds, const char* maker);
  Value wrap(Arg, std::span<const std::size_t> shape);
  Value wrap_list(Arg);
  Arg linked(Link, Bounds, std::size_t length, const char* maker, bool to_bits = false);
  // Lets each element serve `each` neighbouring places of an array of so many, over and over.
  Arg spread(Arg, std::uint64_t each, std::uint64_t period, std::size_t length);
  // Gives the same elements as bytes or wider instead of bits.
  Arg without_bits(Arg);
  Arg as_doubles(Arg);
  Arg as_keys(const Arg&);
  Arg first_of(const Arg&, std::size_t count);
  double one_element(DeviceArray&, std::size_t place);

  // elementwise.cc
  Value pervasive_monad(char32_t glyph, const Value& x);
  Value pervasive_dyad(char32_t glyph, const Value& w, const Value& x);
  // Gives what shifting characters by integers makes; absent where some result is no character.
  Arg shifted_text(Link, Bounds, std::size_t length, const char* maker);
  Value range(double count);
  // folds.cc
  bool may_reorder(const DeviceArray&) const;
  double folded(griddle_fold, const Arg&, const char* maker);
  Value fold_lines(char32_t glyph, const Value& x, bool rows);
  // structure.cc
  Value structural_monad(char32_t glyph, const Value& x, bool moves);
  Value structural_dyad(char32_t glyph, const Value& w, const Value& x, bool moves);
  Value indices(const Arg& x);
  Value replicate(const Arg& w, const Arg& x);
  Value repeat(const Arg& counts, const Arg& x);
  Value select(const Arg& w, const Arg& x, const Value& index, const Value& from);
  Value piece(const Arg& x, std::int64_t from, std::int64_t step, std::size_t count, const char* maker);
  Value rotate(const Arg& x, double by);
  Value join(const Arg& w, const Arg& x);
  Value reshape(const Value& w, const Arg& x, const Value& whole);
  Value sorted(const Arg& x, bool down);
  Arg graded(const Arg& x, bool down);
  Arg positions(const Arg& among, const Arg& sought);
  Value member(const Arg& w, const Arg& x);

  OffloadSettings settings_;
  std::shared_ptr<DeviceState> state_;
  bool tried_ = false;
  std::optional<Costs> costs_;
  bool costs_are_of_open_device_ = false;
  double unused_savings_ = 0;  // seconds that the device would have saved so far
};

}  // namespace griddle
