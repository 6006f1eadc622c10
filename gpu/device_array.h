// Elements on a device: computed, or still a chain of elementwise functions that is run as one kernel when somebody needs them.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/loader.h"
#include "gpu/record.h"
#include "runtime/value/array.h"

namespace griddle {

// Thrown inside gpu/ where the device has no memory, even after trimming, or no kernel: the host then does the work.
struct DeviceDeclines {};

// What is known of all elements without looking at them. Types of results follow from it, so that nobody waits to learn them.
struct Bounds {
  double low, high;
  bool integral;
};
inline constexpr Bounds unbounded{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), false};
// Gives the bounds of what either have.
inline Bounds covering(const Bounds& a, const Bounds& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.integral && b.integral};
}
Bounds bounds_of(ElementType);
// Gives the narrowest type for numbers within bounds.
ElementType type_for(const Bounds&);
// Keeps bounds sane: what is unknown is unbounded, and integers too large to be exact are no longer integers.
Bounds sane(Bounds);

class DeviceArray;
class ForeignMemory;

// One function of a chain, with its arguments: arrays, or one constant in place of an array.
struct Link {
  griddle_operation operation;
  Ref<DeviceArray> w, x;  // w is null in a function of one argument
  double constant = 0;    // stands for the null one of w and x
  bool constant_left = false, constant_right = false;
  bool constant_is_text = false;
  const RealCall* real = nullptr;  // what computes it on the host where no primitive does
};

// Which element of its source each place of an array takes: see griddle_chain.
struct Displacement {
  std::uint64_t each = 1, period = 0;
  std::int64_t shift = 0;
  double fill = 0;
  bool operator==(const Displacement&) const = default;
};

// Elements chosen axis by axis (griddle_box). They are read where they are until somebody needs them in a row.
struct BoxOfAxes {
  std::int64_t from;
  std::vector<griddle_axis> axes;  // at least one, none of them empty
  bool fills;
};
// Folds of the rows of another array, each of so many elements: sums, least or greatest elements.
struct RowFold {
  griddle_fold fold;
  std::size_t row;
};
// The windows that an array has: those of these sizes of an array of this shape. Sizes may be 1.
struct WindowsOf {
  Ref<DeviceArray> whole;
  Shape shape;
  std::vector<std::size_t> sizes;  // one for each axis
};

// State that the arrays of one interpreter share.
struct DeviceState {
  explicit DeviceState(Context& cx) : cx(cx), record(cx) {}
  Context& cx;
  std::shared_ptr<OpenDevice> open;
  // Uploaded arrays and their copies, so that a variable is sent once.
  std::vector<std::pair<Value, Ref<DeviceArray>>> mirrors;
  // Folds of rows that have not been computed: those of late, since each keeps a larger array alive.
  std::vector<DeviceArray*> waiting_folds;

  const griddle_plugin& plugin() const { return *open->plugin; }
  griddle_device* device() const { return open->device; }
  // Throws DeviceDeclines, or a BQN error that names the primitive.
  void check(griddle_status, const char* primitive);
  void* allocate(std::size_t bytes, const char* primitive);
  void release(void* memory) { plugin().release(device(), memory); }
  void forget_unused_mirrors();
  // Is told before elements come to the host. Gives the row that notes it, where they are only read.
  std::optional<std::size_t> let_back(std::size_t bytes);
  // Sends elements to memory of the device.
  void send(void* to, const void* from, std::size_t bytes, const char* primitive);

  Record record;
  // The outermost call that the device was asked for.
  struct Asked {
    unsigned depth = 0;                              // how many calls stand within each other
    bool has_met = false;                            // something of it is there
    std::chrono::steady_clock::time_point since;     // that was found, or it began; none: nothing is to be timed
    double sent = 0;                                 // bytes
    Device::Reason why = Device::Reason::no_kernel;  // it declines, if it does
    void meet() {
      if (!std::exchange(has_met, true) && since == std::chrono::steady_clock::time_point())
        since = std::chrono::steady_clock::now();
    }
  } asked;
};

class DeviceArray final : public RemoteElements {
 public:
  DeviceArray(std::shared_ptr<DeviceState> state, ElementType type, std::size_t length, Bounds bounds, const char* maker)
      : type(type), length(length), bounds(bounds), maker(maker), state_(std::move(state)) {}
  ~DeviceArray() override;
  std::uint8_t* fetch() override;

  // Gives the elements' memory on the device; runs the chain where that has not been done.
  void* memory();
  bool computed() const { return memory_ != nullptr; }
  const std::uint8_t* host() const { return host_ ? host_->data.get() : nullptr; }
  // Gives fresh memory to an array that a kernel is about to fill.
  void* allocate();
  // Gives the elements as a list of the host.
  Value on_host();
  // Shares the memory of another array under another length or type of the same width: keeps that one alive.
  void alias(Ref<DeviceArray> other, void* at);
  // Takes memory of somebody else, who is told when nothing reads it any more.
  void adopt(const void* memory, std::shared_ptr<ForeignMemory> owner);

  void set_link(Link);
  void set_range() { is_range_ = true; }
  // Tells whether the elements are their places, and are nowhere yet.
  bool is_only_range() const { return is_range_ && !computed(); }
  void set_displaced(Ref<DeviceArray> source, Displacement);
  // Has the elements on the host, from where they are sent when they are needed.
  void set_host(Ref<Array> list) { host_ = std::move(list); }
  void set_box(Ref<DeviceArray> source, BoxOfAxes);
  void set_row_fold(Ref<DeviceArray> source, RowFold);
  // Writes the chain that computes the elements, running before what several functions use and others hold, or, where a chain is
  // to be cut, all that others hold; false where a chain cannot hold it.
  bool settled_chain(griddle_chain&, bool cut = false);
  // The same for elements that are about to be computed: they may be after it, with what others hold.
  bool settled_with_itself(griddle_chain&);
  // The same for elements that are a table with rows of so many, whose columns are folded; false also where there is no chain.
  bool settled_columns(griddle_chain&, std::size_t row);

  const ElementType type;
  const std::size_t length;
  Bounds bounds;
  const char* const maker;  // the primitive, as errors name it
  bool light = false;       // repeats a short list of the host, or is a chain of what does: each side can make it
  unsigned uses = 0;        // how often a chain that was not run has been part of another
  bool looked_at = false;   // whether bounds are as narrow as they can be
  std::unique_ptr<const WindowsOf> windows;  // where the array has windows and nothing else
  std::optional<std::uint64_t> ones;         // how many bits are set, once they were counted
  double changing_seconds = 0;               // what changing few places of this array, and of those it was made from, has taken

 private:
  // chain.cc
  class Functions;
  class ChainWriter;
  bool is_soon_done() const;
  unsigned different_steps() const;
  bool make_chain(griddle_chain&) const;
  bool settle(griddle_chain&, bool cut, bool with_itself);
  static bool compute_together(std::span<const Ref<DeviceArray>>);
  void make_operands();
  void count_needs();
  // Tells without writing it that a chain can hold the steps, if these are not too many.
  bool surely_fits() const { return is_straight_ && inputs_ <= griddle_most_inputs && constants_ <= griddle_most_constants; }
  // Takes an array as what the elements follow from.
  void lead_through(DeviceArray&);
  // row_folds.cc
  void follow_rows_of(DeviceArray&);
  bool shows_rows() const;
  const DeviceArray& through() const { return shows_rows() ? *source_ : *this; }
  std::vector<Ref<DeviceArray>> row_functions();
  void settle_row_folds();
  bool folds_narrow() const;
  void* fold_alone();
  void forget_fold();
  Value folds_on_host();
  Value by_primitives();
  // Makes the elements on the host.
  std::uint8_t* make_here();
  Value displaced_on_host();
  Value box_on_host();
  void* make_box();
  // Takes memory that a kernel has filled, if it could, in place of what led there.
  void* made_by_kernel(griddle_status, void* to);
  // Tells whether chains can read the box where it is.
  bool is_view() const;
  bool is_displaced() const { return displacement_ != Displacement(); }
  // An array that a step of a chain takes as it is.
  bool is_leaf() const { return computed() || is_range_ || (is_displaced() && !shows_rows()) || box_; }
  // How many places a chain for the elements has.
  std::uint64_t places_of(const griddle_chain& chain) const { return chain.row_results ? length * chain.row_length : length; }

  std::shared_ptr<DeviceState> state_;
  void* memory_ = nullptr;
  bool owns_memory_ = false;
  std::shared_ptr<ForeignMemory> foreign_;
  Ref<DeviceArray> source_;
  std::optional<Link> link_;
  bool is_range_ = false;
  Displacement displacement_;
  std::optional<BoxOfAxes> box_;
  std::optional<RowFold> row_fold_;
  // Where folds of rows lead to the elements, or did: the length of those rows, and whether an element here stands for a row.
  std::size_t row_ = 0;
  bool stands_for_rows_ = false;
  unsigned steps_ = 1;
  // What a chain to the elements takes, at most; straight where each of its functions has one argument or less that needs steps
  // of its own, and none folds rows.
  unsigned inputs_ = 0, constants_ = 0;
  bool is_straight_ = false;
  bool shares_ = false;  // whether a function is used more than once on the way to the elements, or was
  Ref<Array> host_;
};

inline griddle_device_type plugin_type(ElementType t) { return static_cast<griddle_device_type>(t); }

}  // namespace griddle
