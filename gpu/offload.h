// Decides what is computed on the device: the one implementation of Device. What its ways are: gpu/ways.h.
#pragma once

#include <chrono>
#include <future>

#include "gpu/parts.h"
#include "gpu/staying.h"

namespace griddle::gpu {

// Names a function as errors do; w is absent where it has one argument.
inline const char* name_of(Glyph glyph, const Value& w) {
  return w.is_absent() ? entry_of(glyph).monad_name : entry_of(glyph).dyad_name;
}

class Offload final : public Device {
 public:
  Offload(Context&, OffloadSettings);

  Value monad(Context&, Glyph glyph, const Value& x) override;
  Value dyad(Context&, Glyph glyph, const Value& w, const Value& x) override;
  Value reduce(Context&, Reduction, Glyph glyph, const Value& x) override;
  bool takes_range(double count, std::size_t functions, bool stays) override;
  void computes_here(std::size_t elements, double bytes) override;
  Value undo(Context&, Glyph glyph, const Value& x) override;
  Value real(Context&, const RealCall&, const Value& w, const Value& x) override;
  // products.cc
  Value multiply_matrices(Context&, const Value& w, const Value& x, std::span<const std::size_t> shape) override;
  Value fold_groups(Context&, Glyph glyph, const Value& x) override;
  Value repeat_cells(Context&, const Value& x, std::size_t frame, std::span<const std::size_t> extra) override;
  Value repeat(Context&, double count, const Value& list) override;
  Value random(Context&, const RandomNumbers&, ElementType, std::span<const std::size_t> shape) override;
  Value choose(Context&, const RandomChoice&, std::uint64_t& draws) override;
  Value draw_products(Context&, const ProductDraw&, const Value& first, const Value& second, const Value& first_rows,
                      const Value& second_rows) override;
  bool takes_change(const Value& x, std::size_t places) override;
  Value replace(Context&, const Value& x, const Value& places, const Value& v) override;
  Value replace_run(Context&, const Value& x, std::size_t first, std::size_t count, const Value& v) override;
  Value move_intervals(Context&, const IntervalMove&) override;
  Value cells(Context&, Glyph glyph, const Value& w, const Value& x, std::size_t frame) override;
  // exchange.cc
  Value adopt(Context&, const ForeignElements&) override;
  Value lend(Context&, const Value& x, const void** memory) override;
  void wait_for_all() override;
  Report report() override;
  Value put(Context&, const Value& x) override;
  bool sync(Context&) override;
  const std::vector<DeviceWork>& work() const override { return shop_.state()->record.rows(); }
  void trace(bool waits) override;
  void begin_here(ComputingHere&) override;
  void end_here(const ComputingHere&) noexcept override;
  // runs.cc
  Value runs(Context&, const Value& x) override;
  Value sum_runs(Context&, const Value& w, const Value& x) override;

  // Runs f, a part of the function of that name, where there is a device; gives the absent value where it is full.
  template <class F>
  Value on_device(const char* function, F f) {
    if (!is_open()) return Value();
    const Asking asking(*this, function);
    try {
      return asking.answered(f(shop_));
    } catch (const DeviceDeclines&) {
      return asking.answered(Value());
    }
  }
  Workshop& shop() { return shop_; }

 private:
  // A device that was opened, with what its work costs.
  struct Opened {
    std::shared_ptr<OpenDevice> device;
    std::optional<Costs> costs;
  };
  static Opened opened(const OffloadSettings&);
  // Opens the device, or waits until it is open.
  bool ready();
  // Begins to open the device on a thread of its own.
  void begin_to_open();
  // Tells whether the device is there for what it need not be opened for.
  bool is_open() { return shop_.is_open() || (settings_.forced && ready()); }
  // Tells whether work is better done there, sending what it needs. Opens the device where that, too, pays.
  bool pays(const Task&);
  // Tells whether functions of these arguments move there although nothing of them is there.
  bool moves(Glyph glyph, const Value& x);
  bool moves(Glyph glyph, const Value& w, const Value& x);
  // Notes what became of a function of large arrays: the host computes it, or the device has.
  void note(Glyph glyph, const Value& w, const Value& x, const Value& result);
  // Lets large arrays move from now on, or stay.
  void set_moving(bool);
  void settle_staying();
  // A call that the device is asked for.
  class Asking {
   public:
    Asking(Offload&, const char* function);
    ~Asking() { offload_.shop_.state()->asked.depth--; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    // Notes what became of it.
    Value answered(Value) const;

   private:
    Offload& offload_;
    const char* const function_;
  };
  // products.cc
  bool products_pay(const Task&, double bytes_there);

  OffloadSettings settings_;
  Workshop shop_;
  bool tried_ = false;
  std::future<Opened> opening_;
  std::chrono::steady_clock::time_point opening_since_;
  bool waits_ = false;         // after each call
  double unused_savings_ = 0;  // seconds that the device would have saved so far
  Staying staying_;
  double known_sent_ = 0, known_back_ = 0;  // bytes
  bool has_multiplied_ = false;
  double unmade_savings_ = 0;  // seconds that products there would have saved, had it multiplied before
};

}  // namespace griddle::gpu
