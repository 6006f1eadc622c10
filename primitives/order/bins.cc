// Bins ⍋ ⍒: where values belong among sorted ones.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/sorted.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/search/bins.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/order/order.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {
namespace {

template <class T>
constexpr ElementType key_type = std::is_same_v<T, double> ? ElementType::f64 : ElementType::i32;

// Reads elements of any plain type from place `first` on as numbers of one type, turned round so that descending ones ascend.
template <class T>
void read_keys(const Array& a, std::size_t first, std::size_t n, bool down, T* to) {
  const kernels::ConvertKernels& convert = kernels::convert();
  const ElementType type = is_character(a.type()) ? ElementType::c32 : key_type<T>;
  if (a.type() == ElementType::bit)
    convert.expand[static_cast<int>(type)](to, a.as<std::uint64_t>(), first, n);
  else if (const std::uint8_t* from = a.data + first * bits_of(a.type()) / 8; a.type() == type || a.type() == ElementType::c32)
    std::memcpy(to, from, n * sizeof(T));
  else
    convert.widen[static_cast<int>(a.type())][static_cast<int>(type)](to, from, n);
  if (!down) return;
  for (std::size_t i = 0; i < n; i++) {
    if constexpr (std::is_same_v<T, double>)
      to[i] = -to[i];
    else
      to[i] = ~to[i];
  }
}

// Sorted numbers of one type, ascending, and how to look others up among them.
template <class T>
class SortedKeys {
 public:
  SortedKeys(Heap& heap, const Array& w, bool down, std::size_t count) : n_(w.length) {
    if (!down && w.type() == key_type<T> && take_as_they_are(w.as<T>(), count)) return;
    n_ = w.length;
    sorted_ = make_list(heap, key_type<T>, n_ + kernels::bins_margin);
    T* const keys = sorted_->template as<T>();
    read_keys(w, 0, n_, down, keys);
    first_ = keys;
    leave_out_nans(down);
    constexpr T greatest = std::is_same_v<T, double> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    std::fill_n(keys + before_ + n_, kernels::bins_margin, greatest);
    if (n_ <= tuning().few_bounds) return;
    if (bins_)
      bins_->move_to(first_);
    else
      bins_.emplace(first_, n_, count, tuning().halved_for_each);
    table_ = make_list(heap, ElementType::i32, bins_->places());
    bins_->fill(table_->template as<std::uint32_t>());
  }
  // Counts for each of some keys how many are at most as great, of those that are numbers.
  void count_at_most(const T* keys, std::size_t count, std::uint32_t* counts) const {
    if (bins_) return bins_->count_at_most(keys, count, counts);
    for (std::size_t i = 0; i < count; i++) {
      std::uint32_t at_most = 0;
      for (std::size_t k = 0; k < n_; k++) at_most += first_[k] <= keys[i];
      counts[i] = at_most;
    }
  }
  std::size_t before() const { return before_; }

 private:
  bool take_as_they_are(const T* keys, std::size_t count) {
    first_ = keys;
    leave_out_nans(false);
    if (n_ <= tuning().few_bounds) return true;
    bins_.emplace(first_, n_, count, tuning().halved_for_each);
    return bins_->keeps_within();
  }
  // Sets aside NaNs, which come last, or first going down.
  void leave_out_nans([[maybe_unused]] bool down) {
    if constexpr (std::is_same_v<T, double>) {
      while (!down && n_ && first_[n_ - 1] != first_[n_ - 1]) n_--;
      while (down && before_ < n_ && first_[before_] != first_[before_]) before_++;
      first_ += before_;
      n_ -= before_;
    }
  }
  std::size_t n_, before_ = 0;
  const T* first_ = nullptr;
  std::optional<std::conditional_t<std::is_same_v<T, double>, kernels::DoubleBins, kernels::IntegerBins>> bins_;
  Ref<Array> sorted_, table_;
};

// Looks up and writes a block at a time, so that what lies between stays in the nearest cache.
template <class T>
void flat_bins(Context& cx, const Array& w, const Array& x, bool down, Array& out) {
  const std::size_t count = x.length;
  const SortedKeys<T> sorted(cx.heap, w, down, count);
  const kernels::Monad narrow = kernels::convert().narrow[static_cast<int>(ElementType::i32)][static_cast<int>(out.type())];
  constexpr std::size_t block = 1024;
  T keys[block];
  std::uint32_t counts[block];
  kernels::ElementsDone done;
  for (std::size_t at = 0; at < count; at += block) {
    const std::size_t m = std::min(block, count - at);
    done.add(m);
    read_keys(x, at, m, down, keys);
    sorted.count_at_most(keys, m, counts);
    if constexpr (std::is_same_v<T, double>)
      for (std::size_t i = 0; i < m; i++)
        counts[i] = static_cast<std::uint32_t>(keys[i] == keys[i] ? counts[i] + sorted.before()
                                               : down             ? sorted.before()
                                                                  : w.length);
    std::uint8_t* to = out.data + at * bits_of(out.type()) / 8;
    if (out.type() == ElementType::i32)
      std::memcpy(to, counts, m * sizeof *counts);
    else
      narrow(to, counts, m);
  }
}

// Writes how many of sorted bytes each byte has at its place in order or before it.
template <class Byte, class Out>
void count_for_every_byte(const Byte* w, std::size_t n, bool down, Out table[256]) {
  // Steps through few and halves many.
  const std::size_t few = tuning().few_stepped_bounds;
  std::size_t at = 0;
  for (int k = 0; k < 256; k++) {
    const int least = std::numeric_limits<Byte>::min(), v = down ? least + 255 - k : least + k;
    const auto comes_first = [=](int other) { return down ? other >= v : other <= v; };
    if (n <= few)
      while (at < n && comes_first(w[at])) at++;
    else
      at = static_cast<std::size_t>(std::partition_point(w + at, w + n, comes_first) - w);
    table[static_cast<std::uint8_t>(v)] = static_cast<Out>(at);
  }
}

// Looks bytes up among sorted bytes of the same type by a table of all that there are; false where this does not suit.
bool byte_bins(const Array& w, const Array& x, bool down, Array& out) {
  if (w.type() != x.type() || bits_of(w.type()) != 8 || x.length < tuning().least_bytes_in_table) return false;
  const auto look_up = [&]<class Out>(Out* to) {
    Out table[256];
    if (w.type() == ElementType::i8)
      count_for_every_byte(w.as<std::int8_t>(), w.length, down, table);
    else
      count_for_every_byte(w.as<std::uint8_t>(), w.length, down, table);
    kernels::look_up_bytes(table, x.as<std::uint8_t>(), x.length, to);
  };
  switch (out.type()) {
    case ElementType::i8: look_up(out.as<std::uint8_t>()); return true;
    case ElementType::i16: look_up(out.as<std::int16_t>()); return true;
    case ElementType::i32: look_up(out.as<std::int32_t>()); return true;
    default: return false;
  }
}

// Counts by comparing cells, about log n times for each.
template <class Store>
void compare_bins(Context& cx, const Ordering& order, const Array& w, std::span<const std::size_t> cell_w, const Array& x,
                  std::span<const std::size_t> cell_x, std::size_t count, bool down, Store put) {
  std::size_t n = w.cells(), step_w = product(cell_w), step_x = product(cell_x);
  for (std::size_t i = 0; i < count; i++) {
    if (i % 4096 == 0) cx.check_interrupt();
    std::size_t low = 0, high = n;
    while (low < high) {
      std::size_t middle = low + (high - low) / 2;
      int c = order.compare_cells(w, middle * step_w, cell_w, x, i * step_x, cell_x);
      if (down ? c >= 0 : c <= 0)
        low = middle + 1;
      else
        high = middle;
    }
    put(i, low);
  }
}

bool cells_sorted(Context& cx, const Ordering& order, Array& w, bool down) {
  std::size_t cell = w.cell_length();
  if (w.type() != ElementType::boxed && w.type() != ElementType::bit && cell == 1) return is_in_order(w, down);
  for (std::size_t i = 1; i < w.cells(); i++) {
    if (i % 4096 == 0) cx.check_interrupt();
    int c = order.compare_runs(w, (i - 1) * cell, w, i * cell, cell);
    if (down ? c < 0 : c > 0) return false;
  }
  return true;
}

// The same for a list of bits.
bool bits_sorted(const Array& w, bool down, std::size_t ones) {
  const auto* words = w.as<std::uint64_t>();
  const std::size_t first = down ? ones : w.length - ones;
  for (std::size_t i = 0; i < w.length; i += 64) {
    const std::size_t count = std::min<std::size_t>(64, w.length - i), before = first <= i ? 0 : std::min(count, first - i);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - count), low = before == 0 ? 0 : ~std::uint64_t{0} >> (64 - before);
    if ((words[i / 64] & all) != (down ? low : all & ~low)) return false;
  }
  return true;
}

// Finds bits among sorted ones; absent for all else.
Value bins_of_bits(Context& cx, const Value& w, const Value& x, bool down) {
  const auto is_bits = [](const Value& v) {
    return v.is_array() && v.array().type() == ElementType::bit && v.array().length != 0;
  };
  if (!is_bits(w) || !is_bits(x) || w.array().rank() != 1) return Value();
  const Array& a = w.array();
  const std::size_t n = a.length, ones = kernels::count_ones(a.as<std::uint64_t>(), n);
  if (!bits_sorted(a, down, ones)) return Value();
  const Value all(static_cast<double>(n)), some(static_cast<double>(down ? ones : n - ones));
  return choose_by_bits(cx, x.array(), down ? all : some, down ? some : all);
}

// Gives numbers or characters in a flat form where a boxed array holds nothing else.
Value bins(Context& cx, const char* name, Value w, Value x, bool down) {
  if (rank_of(w) == 0) fail(cx, std::string(name) + ": 𝕨 must have a rank of at least 1 (got " + kind_text(w) + ")");
  if (rank_of(x) + 1 < rank_of(w))
    fail(cx, std::string(name) + ": The rank of 𝕩 must be at least that of the cells of 𝕨 (shapes " + shape_text(x) + " and " +
                 shape_text(w) + ")");
  if (Value found = bins_of_bits(cx, w, x, down); !found.is_absent()) return found;
  Ordering order(cx, name);
  w = flattened(cx.heap, std::move(w));
  x = flattened(cx.heap, as_array(cx.heap, std::move(x)));
  Array& a = w.array();
  const Array& b = x.array();
  std::size_t n = a.cells();
  std::span<const std::size_t> shape = b.shape(), frame = shape.first(shape.size() + 1 - a.rank());
  std::span<const std::size_t> cell_w = a.shape().subspan(1), cell_x = shape.subspan(frame.size());
  IndexList out(cx.heap, n, frame);
  if (out.length() > 0 && !cells_sorted(cx, order, a, down))
    fail_on(
        make_string(cx.heap, std::string(name) + ": 𝕨 must be sorted " + (down ? "down" : "up") + " (got " + kind_text(w) + ")"),
        w, x);
  if (n == 0) return out.all(0);
  bool flat = a.rank() == 1 && a.type() != ElementType::boxed && b.type() != ElementType::boxed &&
              is_character(a.type()) == is_character(b.type()) && n < (std::size_t{1} << 31);
  // Few lookups do not pay for a table of what they look in.
  if (!flat || out.length() <= 2 + n / tuning().bounds_for_each_lookup) {
    out.fill([&](auto* to) {
      compare_bins(cx, order, a, cell_w, b, cell_x, out.length(), down,
                   [to](std::size_t i, std::size_t v) { to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(v); });
    });
    return out.finish();
  }
  if (byte_bins(a, b, down, out.array())) return out.finish();
  if (common_type(a.type(), b.type()) == ElementType::f64)
    flat_bins<double>(cx, a, b, down, out.array());
  else
    flat_bins<std::int32_t>(cx, a, b, down, out.array());
  return out.finish();
}

}  // namespace

Value bins_up(Context& cx, Value w, Value x) { return bins(cx, "Bins Up", std::move(w), std::move(x), false); }
Value bins_down(Context& cx, Value w, Value x) { return bins(cx, "Bins Down", std::move(w), std::move(x), true); }

}  // namespace griddle::primitives
