// What values and primitives know of a device: that the elements of an array may be there, and whom to ask to compute there.
#pragma once

#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "runtime/value/context.h"
#include "runtime/value/element_type.h"
#include "runtime/value/function.h"

namespace griddle {

enum class Glyph : std::uint8_t;

// Owns the elements of arrays that were computed on a device, there, here, or in both places. Elements are immutable.
class RemoteElements : public NativeObject {
 public:
  // Waits for the elements and gives them in host memory that lives as long as this object does. Throws Error or OutOfMemory.
  virtual std::uint8_t* fetch() = 0;
};

// Random numbers that follow from a key and a place: spec/system/random.md. `below_b` are integers below the limit from pieces of
// b bits.
struct RandomNumbers {
  enum Kind : std::uint8_t { words, fractions, exponentials, normals, below_16, below_32, below_64, gammas, aliases } kind;
  std::uint64_t key, position, limit = 0;
  // A double d stands for start + factor×d.
  bool scaled = false;
  double start = 0, factor = 1;
  // Of gammas: shapes, a number or an array of them, for elements in turn. Of aliases: their table
  // (primitives/kernels/random/alias.h), as the bits of doubles; the limit is its length.
  const Value* table = nullptr;
};

// Some of the integers below a limit (spec/system/random.md: Deal and Subset): the first `count` of them shuffled; the first
// `count` different ones of those that are drawn; or as many, of which bits say which, and drawn ones what the bits have too few
// or too many. The blocks that drawn ones come from begin at `draws_from`.
struct RandomChoice {
  enum Kind : std::uint8_t { shuffled, drawn, marked } kind;
  std::uint64_t count, limit;
  bool in_order = false, others = false;  // gives them in order; gives the integers that are not chosen
  unsigned bits = 32;                     // that an integer is drawn from
  std::uint64_t key = 0, position = 0, draws_from = 0;
};

// Draws by weights that are products, one for each place: spec/system/random.md (DrawProduct). A method the device does not have,
// it declines.
struct ProductDraw {
  enum Method : std::uint8_t { automatic, pieces, prefix_linear, prefix_binary, transposed, butterfly, warp } method;
  bool single;  // products and sums may be rounded to 24 bits
  std::uint64_t key, position;
};

// Moves intervals of cells: for each interval a count, where it is read, and where it is written (both absent: one behind the
// other; all integers). What nothing is written to is the fill, or that of the target, unless that is absent.
struct IntervalMove {
  const Value &counts, &gather, &scatter, &source, &target;
};

// Functions of doubles that no glyph names: those of •math, and what undoes ⋆. The first are of one number, the others of two.
enum class RealFunction : std::uint8_t {
  none,
  logarithm,
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  inverse_hyperbolic_sine,
  inverse_hyperbolic_cosine,
  inverse_hyperbolic_tangent,
  cube_root,
  logarithm_2,
  logarithm_10,
  logarithm_plus_1,
  exponential_less_1,
  factorial,
  log_factorial,
  error_function,
  complementary_error_function,
  angle,
  distance,
};
// One of them, as errors name it, and the code that computes it on the host: with one argument or with two.
struct RealCall {
  RealFunction function;
  const char* name;
  Value (*monad)(Context&, Value x) = nullptr;
  Value (*dyad)(Context&, Value w, Value x) = nullptr;
};

// Numbers on the device that belong to another library.
struct ForeignElements {
  enum Type : std::uint8_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 } type;
  const void* start;  // of the element that all indices 0 lead to
  std::span<const std::size_t> shape;
  std::span<const std::int64_t> steps;  // elements between neighbours along each axis; empty: rows lie one behind the other
  void (*drop)(void*);                  // called once, when nothing reads them any more, also where they are not taken
  void* data;
};

class ComputingHere;
struct DeviceWork;  // vm/device_work.h

// Computes on a device what is worth it. Every function may decline by giving the absent value; its arguments are then as before,
// and the CPU does the work. `glyph` names the primitive.
class Device {
 public:
  virtual ~Device() = default;
  // Arrays of fewer elements are asked about only where they are on the device already; and where a function is never worth
  // sending them for by itself, those of fewer than `large_from`.
  std::size_t from = 0, large_from = 0;
  // Whether it is open, or was told to do what it can: else nothing is there.
  bool used = false;
  // Tells whether the elements of ↕count had better be made there, where so many elementwise functions follow at once and the
  // result stays, or is folded. Asked once for what is computed in one go: what the host then computes counts as a reason to ask
  // the device later.
  virtual bool takes_range(double count, std::size_t functions, bool stays) = 0;
  // Notes that the host begins to compute, in one go, functions of arrays of so many elements, none of them there, that each for
  // itself would read and write so many bytes in all.
  virtual void computes_here(std::size_t elements, double bytes) = 0;
  // Whether everything that a device can do shall be done there.
  bool forced = false;

  virtual Value monad(Context&, Glyph glyph, const Value& x) = 0;
  virtual Value dyad(Context&, Glyph glyph, const Value& w, const Value& x) = 0;
  // f´ on a list; f˝ on rank 2 or more; f` of rank 1 or more; f´˘ or f˝˘ on rank 2; f`˘ on rank 2.
  enum class Reduction : std::uint8_t { fold, insert, scan, fold_rows, scan_rows };
  virtual Value reduce(Context&, Reduction, Glyph glyph, const Value& x) = 0;
  virtual Value undo(Context&, Glyph glyph, const Value& x) = 0;  // f⁼
  // Of one argument where w is absent.
  virtual Value real(Context&, const RealCall&, const Value& w, const Value& x) = 0;
  // The products of each row of w, whose last axis is as long as x has cells, with x; the result has that shape.
  virtual Value multiply_matrices(Context&, const Value& w, const Value& x, std::span<const std::size_t> shape) = 0;
  // f´¨, or where the glyph is ≠ that, of the groups that ⊔ made there.
  virtual Value fold_groups(Context&, Glyph glyph, const Value& x) = 0;
  // f, or w⊸f where w is not absent, on the cells of x that its first `frame` axes, at least one, lead to.
  virtual Value cells(Context&, Glyph glyph, const Value& w, const Value& x, std::size_t frame) = 0;
  // Repeats the cells of x that its first `frame` axes lead to over `extra` axes. Asked where x or what the result meets is
  // there.
  virtual Value repeat_cells(Context&, const Value& x, std::size_t frame, std::span<const std::size_t> extra) = 0;
  // Gives as many elements as `count` of a short list on the host, over and over: what meets something that is there reads them
  // from the list, and where they are asked for on the host, the host makes them.
  virtual Value repeat(Context&, double count, const Value& list) = 0;
  // Makes an array of `type`, which holds such numbers, as the CPU does.
  virtual Value random(Context&, const RandomNumbers&, ElementType type, std::span<const std::size_t> shape) = 0;
  // Chooses as the CPU does, and sets how many integers were drawn.
  virtual Value choose(Context&, const RandomChoice&, std::uint64_t& draws) = 0;
  // For each pair of a row of one table and a row of the other draws a place. Declines where something is no weight, no row, or
  // has no sum to draw by.
  virtual Value draw_products(Context&, const ProductDraw&, const Value& first, const Value& second, const Value& first_rows,
                              const Value& second_rows) = 0;
  // Tells whether x, which is there, had better be changed there in so many places. Where few are changed again and again, it
  // soon pays to fetch it.
  virtual bool takes_change(const Value& x, std::size_t places) = 0;
  // Gives x with its cells at integer places, all of which it has, replaced by those of v, or by the atom v. Declines where two
  // for one place differ.
  virtual Value replace(Context&, const Value& x, const Value& places, const Value& v) = 0;
  // The same with `count` cells from the first one on; v may be a single cell.
  virtual Value replace_run(Context&, const Value& x, std::size_t first, std::size_t count, const Value& v) = 0;
  // Declines where counts or places are wrong.
  virtual Value move_intervals(Context&, const IntervalMove&) = 0;

  // Makes an array of what belongs to another library, which is not empty, where that is possible without a copy. Waits for all
  // that is done on the device.
  virtual Value adopt(Context&, const ForeignElements&) = 0;
  // Gives x, bits as bytes, and where its elements lie, where that is there; waits until they do.
  virtual Value lend(Context&, const Value& x, const void** memory) = 0;
  // Waits for all that anybody does on the device.
  virtual void wait_for_all() = 0;

  // •gpu
  struct Report {
    bool present = false;
    const char* name = "";  // lives as long as the device is open
    double memory_bytes = 0, kernels = 0, waits = 0, uploaded = 0, downloaded = 0;
    // What it costs: a call and its end, and a byte sent, fetched, or passed by a kernel.
    double call_seconds = 0, up_seconds = 0, down_seconds = 0, pass_seconds = 0;
  };
  virtual Report report() = 0;
  virtual Value put(Context&, const Value& x) = 0;  // absent where there is no device
  virtual bool sync(Context&) = 0;
  // Of a list: ⟨lengths of the runs of equal neighbours, their elements⟩.
  virtual Value runs(Context&, const Value& x) = 0;
  // Of lists of one length: ⟨elements of the runs of w, sums of x over them⟩.
  virtual Value sum_runs(Context&, const Value& w, const Value& x) = 0;
  // Keeps folds and scans of doubles on the host, where they are done in BQN's order.
  bool strict = false;
  // Whether elements that come back to be computed with are an error.
  bool keeps = false;

  // --- what ran where
  // Why a function computes on the host with what is on the device: there is no kernel for its arguments, no memory, sums are to
  // be in order, it is too little work, or the function never asks.
  enum class Reason : std::uint8_t { none, no_kernel, no_memory, strict, little, unasked };
  // Of the last call that was declined although something of it is there. Whoever then computes takes it.
  Reason declined = Reason::none;
  // What computes on the host now; null where nothing does.
  ComputingHere* computing = nullptr;
  // Gives a row for each function at each place of the program that met the device, in the order in which they first did.
  virtual const std::vector<DeviceWork>& work() const = 0;
  // Begins these rows anew. Where `waits`, each call from now on waits for the device, so that times are what the work takes.
  virtual void trace(bool waits) = 0;
  // Note that a function computes on the host with what is on the device, and that it has ended.
  virtual void begin_here(ComputingHere&) = 0;
  virtual void end_here(const ComputingHere&) noexcept = 0;
};

// Says, as long as it lives, that a function computes on the host, or, without a name, that elements are read for another reason.
class ComputingHere {
 public:
  ComputingHere(const Context& cx, const char* name) : name(name), device_(cx.device) {
    if (device_ == nullptr) return;
    before_ = std::exchange(device_->computing, this);
    if (device_->declined != Device::Reason::none && name != nullptr) [[unlikely]]
      device_->begin_here(*this);
  }
  ~ComputingHere() {
    if (device_ == nullptr) return;
    device_->computing = before_;
    if (row != no_row) [[unlikely]]
      device_->end_here(*this);
  }
  ComputingHere(const ComputingHere&) = delete;
  ComputingHere& operator=(const ComputingHere&) = delete;

  static constexpr std::size_t no_row = ~std::size_t{0};
  const char* const name;
  // The row of the device's work that it belongs to, once it has met something of the device; and since when.
  std::size_t row = no_row;
  std::chrono::steady_clock::time_point since;

 private:
  Device* const device_;
  ComputingHere* before_ = nullptr;
};

}  // namespace griddle
