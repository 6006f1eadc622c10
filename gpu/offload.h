// Decides what is computed on the device, and says how: the one implementation of Device.
#pragma once

#include <chrono>
#include <future>

#include "gpu/costs.h"
#include "gpu/device_array.h"
#include "gpu/settings.h"
#include "gpu/staying.h"
#include "runtime/primitive.h"

namespace griddle {

// Places on the device are 32-bit integers.
constexpr std::size_t most_places = 0x7FFFFFFF;
// No array that fits anywhere is longer.
constexpr double most_elements = 4e12;
// Functions whose last bit differs between mathematical libraries are worth the device from here on.
constexpr std::size_t real_functions_from = 4096;

// Names a function as errors do; w is absent where it has one argument.
inline const char* name_of(Glyph glyph, const Value& w) {
  return w.is_absent() ? entry_of(glyph).monad_name : entry_of(glyph).dyad_name;
}
// Gives the fold that a primitive makes, of bits or of other numbers.
std::optional<griddle_fold> fold_for(Glyph glyph, bool bits);

class Offload final : public Device {
 public:
  Offload(Context&, OffloadSettings);
  ~Offload() override;

  Value monad(Context&, Glyph glyph, const Value& x) override;
  Value dyad(Context&, Glyph glyph, const Value& w, const Value& x) override;
  Value fold(Context&, Glyph glyph, const Value& x) override;
  Value insert(Context&, Glyph glyph, const Value& x) override;
  Value scan(Context&, Glyph glyph, const Value& x) override;
  Value fold_rows(Context&, Glyph glyph, const Value& x) override;
  Value scan_rows(Context&, Glyph glyph, const Value& x) override;
  bool takes_range(double count, std::size_t functions, bool stays) override;
  void computes_here(std::size_t elements, double bytes) override;
  Value undo(Context&, Glyph glyph, const Value& x) override;
  // real.cc
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
  const std::vector<DeviceWork>& work() const override { return state_->record.rows(); }
  void trace(bool waits) override;
  void begin_here(ComputingHere&) override;
  void end_here(const ComputingHere&) noexcept override;
  // runs.cc
  Value runs(Context&, const Value& x) override;
  Value sum_runs(Context&, const Value& w, const Value& x) override;
  // group.cc: the elements of groups, one group after the other; group k begins at starts[k].
  struct OrderedGroups {
    Ref<DeviceArray> elements;
    std::vector<std::size_t> starts;
  };
  std::optional<OrderedGroups> ordered_groups(const Value& keys, const Value& elements, std::size_t count);
  Value group_there(const OrderedGroups&, std::size_t k);

 private:
  using Arg = Ref<DeviceArray>;

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
  bool is_open() { return state_->open != nullptr || (settings_.forced && ready()); }
  // Tells whether work is better done there, sending what it needs. Opens the device where that, too, pays.
  bool pays(const Task&);
  // Tells whether functions of these arguments move there although nothing of them is there.
  bool moves(Glyph glyph, const Value& x);
  bool moves(Glyph glyph, const Value& w, const Value& x);
  const Costs& costs();
  // Notes what became of a function of large arrays: the host computes it, or the device has.
  void note(Glyph glyph, const Value& w, const Value& x, const Value& result);
  // Lets large arrays move from now on, or stay.
  void set_moving(bool);
  void settle_staying();
  // Runs f, a part of the function of that name, where there is a device; gives the absent value where it is full.
  template <class F>
  Value on_device(const char* function, F f) {
    if (!is_open()) return Value();
    const Asking asking(*this, function);
    try {
      return asking.answered(f());
    } catch (const DeviceDeclines&) {
      return asking.answered(Value());
    }
  }
  // Declines what is too little work, or not worth it.
  Value too_little() {
    state_->asked.why = Reason::little;
    return Value();
  }
  // A call that the device is asked for.
  class Asking {
   public:
    Asking(Offload&, const char* function);
    ~Asking() { offload_.state_->asked.depth--; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    // Notes what became of it.
    Value answered(Value) const;

   private:
    Offload& offload_;
    const char* const function_;
  };
  // Gives the array's copy on the device: the one there is, or, where `send`, a fresh one. Null for anything else.
  Arg resident(const Value&) const;
  // Tells whether an array is there so that what it meets had better be sent.
  bool is_there(const Value&) const;
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
  // Gives integers of 32 bits or fewer: as they are, or from numbers that all turn out to be such. Null for others.
  Arg integers(const Arg&, const char* maker);
  Arg as_keys(const Arg&);
  Arg first_of(const Arg&, std::size_t count);
  double one_element(DeviceArray&, std::size_t place);

  // elementwise.cc
  // Two arguments that agree, at least one of them an array, as a link of so many elements; what is known of either.
  struct Meeting {
    Link link;
    Bounds of_w, of_x;
    std::span<const std::size_t> shape;
    std::size_t length;
  };
  std::optional<Meeting> meeting(griddle_operation, const Value& w, const Value& x);
  Value pervasive_monad(Glyph glyph, const Value& x);
  Value pervasive_dyad(Glyph glyph, const Value& w, const Value& x);
  // Gives what shifting characters by integers makes; absent where some result is no character.
  Arg shifted_text(Link, Bounds, std::size_t length, const char* maker);
  // Learns the bounds of integers that came from the host, once.
  const Bounds& looked_at(const Arg&);
  Value range(double count);
  // folds.cc
  bool may_reorder(const DeviceArray&) const;
  double folded(griddle_fold, const Arg&, const char* maker);
  Value scan_columns(Glyph glyph, const Arg& x, std::span<const std::size_t> shape);
  Value fold_lines(Glyph glyph, const Value& x, bool rows);
  Value fold_pairs(Glyph glyph, const Arg& x, std::span<const std::size_t> shape, bool rows);
  // windows.cc
  Arg fold_axis(griddle_fold, const Arg& x, std::span<const std::size_t> shape, std::size_t axis, std::size_t width,
                std::size_t steps);
  Value fold_window_rows(griddle_fold, const Arg& x, std::size_t across);
  Value fold_window_columns(griddle_fold, const Arg& x);
  // structure.cc
  Value structural_monad(Glyph glyph, const Value& x, bool moves);
  Value structural_dyad(Glyph glyph, const Value& w, const Value& x, bool moves);
  Value matched(const Value& w, const Value& x, bool wanted);
  Value replicated(const Value& w, const Value& x, bool send);
  Arg kept(const Arg& mask, const Arg& x);
  Value list_or_empty(Arg list, ElementType);
  Value selected_in_cells(Glyph glyph, const Value& w, const Arg& x, std::span<const std::size_t> shape, std::size_t frame);
  std::uint64_t count_marks(const Arg& mask, const char* maker);
  Arg kept_if_any(const Arg& mask, const Arg& x);
  Value select(const Arg& w, const Arg& x, const Value& index, const Value& from);
  Arg gathered(const Arg& x, const Arg& at, std::size_t cells, std::size_t cell, const char* maker);
  // intervals.cc
  struct Ends {
    Arg sums;      // i32, or doubles where they may be more
    double total;  // not 0
  };
  void decline_negative(const Arg& counts, const char* maker);
  double last_sum(DeviceArray& sums);
  double written_up_to(const Arg& to, const Arg& counts, const char* maker);
  bool overlap(const griddle_intervals&, std::size_t length, const char* maker);
  Ends ends_of(const Arg& counts, const char* maker, double total = 0);
  griddle_intervals intervals_of(const Ends&);
  Arg expanded(const Arg& counts, const Arg& values, double total, const char* maker);
  Arg indices(const Arg& x);
  Arg repeated(const Arg& counts, const Arg& x, double total = 0);
  Value joined_lists(const Value& x);
  // replace.cc
  Arg filled(ElementType, const Value& atom, std::size_t length, const char* maker);
  Arg counted_from_start(const Arg& places, std::size_t cells, const char* maker);
  Arg places_from_start(const Value& places, std::size_t cells);
  double changing_seconds(const DeviceArray&);
  Arg to_change(const Arg& before, ElementType, const Bounds& added);
  Arg copy_to_change(const Arg& before, ElementType, const Bounds& added);
  // axes.cc
  Arg chosen(const Arg& x, std::int64_t from, std::vector<griddle_axis>, bool fills, const char* maker);
  Value reversed(const Arg& x, std::span<const std::size_t> shape);
  Value rotated(const Value& w, const Arg& x, std::span<const std::size_t> shape);
  Value transposed(const Arg& x, std::span<const std::size_t> shape);
  Value reordered(const Value& w, const Arg& x, std::span<const std::size_t> shape);
  Value taken(const Value& w, const Arg& x, std::span<const std::size_t> shape, bool drops);
  Value windows_of(const Value& w, const Arg& x, std::span<const std::size_t> shape);
  Value nudged(const Arg& x, std::span<const std::size_t> shape, double entering, bool back);
  Value reshaped(const Value& w, const Arg& x);
  struct Piece {
    Arg from;
    std::size_t start, count;
  };
  Arg put_together(std::vector<Piece>, const char* maker);
  Arg in_type(const Arg&, ElementType, const char* maker);
  Arg unit(const Value&);
  Value joined(const Value& w, const Value& x, bool send);
  Value coupled(const Value& w, const Value& x, bool send);
  Value coupled_cells(const Arg& a, const Arg& b, const Value& w, const Value& x, std::size_t frame);
  Value joined_cells(const Arg& a, const Arg& b, const Value& w, const Value& x, std::size_t frame);
  Value shifted(const Value& w, const Value& x, bool send, bool after);
  // search.cc
  struct Values {
    std::int64_t low;
    std::uint64_t count;
  };
  struct Runs {
    Arg order, starts, number;
  };
  Arg sorted(const Arg& x, bool down);
  Bounds extremes(const Arg&);
  std::optional<Values> sorting_values(const Arg&);
  Arg sorted_by_counts(const Arg&, const Values&, bool down, const char* maker);
  Arg sorted_bits(const Arg& x, bool down, const char* maker);
  Arg graded(const Arg& x, bool down);
  Arg graded_bits(const Arg& x, bool down, const char* maker);
  Arg one_zero(Arg);
  void decline_unordered(const Arg&);
  Arg counted_up(std::size_t length);
  Arg scattered(const Arg& x, const Arg& at, const char* maker);
  std::optional<Values> values_of(const Bounds&, ElementType, std::size_t length) const;
  Arg first_places(const Arg& x, const Values&);
  Arg looked_up(const Arg& sought, const Arg& table, const Values&, std::size_t absent);
  Runs runs_of(const Arg& x);
  Arg first_equals(const Arg& x);
  void find_first_equals(const Arg& x, void* marks, void* places, void* firsts);
  std::size_t first_marked(const Arg& marks, const char* maker);
  std::size_t first_of_other_kind(const Arg& bits, const char* maker);
  Arg marked_firsts_of_bits(const Arg& x, const char* maker);
  std::optional<Values> few_values_of(const Arg& x) const;
  Arg places_in(const Arg& table, std::size_t length, const char* maker);
  Arg marks_at(const Arg& places, std::size_t length, const char* maker);
  Arg marked_firsts(const Arg& x);
  Value deduplicated(const Arg& x);
  Arg classified(const Arg& x);
  Arg occurrences(const Arg& x);
  Arg found_or_length(const Arg& found, const Arg& place, double n, const char* maker);
  Value found(const Value& sought, const Value& among, bool send);
  Value found_atom(Glyph glyph, const Value& list, const Value& sought);
  Arg found_by_chain(const Array& sought, const Arg& x);
  Arg progressive_positions(const Arg& among, const Arg& sought);
  Arg members_of_few(const Value& w, const Value& x);
  Arg members(const Arg& w, const Arg& x);
  std::pair<Arg, Arg> comparable(const Arg& a, const Arg& b, const char* maker);
  Arg bin_places(const Arg& sorted, const Arg& sought, bool after, const char* maker);
  Arg positions(const Arg& among, const Arg& sought);
  Arg bins(const Arg& w, const Arg& x, std::size_t cells, bool down);
  // cells.cc
  Arg digests(const Arg& x, std::size_t cells);
  void decline_different(const Arg& x, const Arg& among, std::size_t among_cells, const Arg& at, const char* maker);
  Arg cells_as_list(const Arg& x, std::size_t cells);
  Arg column(const Arg& x, std::size_t cells, std::size_t k, const char* maker);
  Arg graded_cells(const Arg& x, std::size_t cells, bool down);
  Value ordered_rows(Glyph glyph, const Arg& x, std::span<const std::size_t> shape);
  Value cell_monad(Glyph glyph, const Arg& x, std::span<const std::size_t> shape);
  Value first_in_rows(const Arg& rows, const Arg& sought, std::span<const std::size_t> frame);
  Value searched_cells(Glyph glyph, const Value& among, const Value& sought, bool send);
  // random.cc
  Arg drawn(const RandomChoice&, std::size_t count);
  template <class Useful>
  Arg first_drawn(const RandomChoice&, std::size_t wanted, double share, Useful, std::uint64_t& draws);
  Arg marks_of(const Arg& places, std::size_t length);
  Arg random_marks(const RandomChoice&, unsigned chance);
  // group.cc
  Value grouped(const Value& w, const Value& x);
  Value counted(const Arg& x);
  Arg group_lengths(const Arg& keys, std::size_t count);
  Value fold_row_groups(griddle_fold, const Arg& keys, const Arg& rows, std::size_t count);
  Value of_groups(Glyph glyph, const Value& w, const Value& x);
  // products.cc
  bool products_pay(const Task&, double bytes_there);

  OffloadSettings settings_;
  std::shared_ptr<DeviceState> state_;
  bool tried_ = false;
  std::future<Opened> opening_;
  std::chrono::steady_clock::time_point opening_since_;
  std::optional<Costs> costs_;
  bool waits_ = false;         // after each call
  double unused_savings_ = 0;  // seconds that the device would have saved so far
  Staying staying_;
  double known_sent_ = 0, known_back_ = 0;  // bytes
  bool has_multiplied_ = false;
  double unmade_savings_ = 0;  // seconds that products there would have saved, had it multiplied before
};

}  // namespace griddle
