#include "primitives/kernels/folds/window_fold.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace window_fold_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint64_t;

// So many elements are worked on at a time, in the first-level cache.
template <class T>
constexpr std::size_t tile = 8192 / sizeof(T);

// Up to here each result is folded for itself.
constexpr std::size_t few = 8;

// Integers that wrap around where partial sums do not fit.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

// Calls store(i, v) for vectors of elements, the last of which may cover some of those before it again.
template <class D, class Store>
HWY_INLINE void for_vectors(D d, std::size_t from, std::size_t to, const Store& store) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = from;
  for (; i + lanes <= to; i += lanes) store(i);
  if (i < to) store(to - lanes);
}

// --- each result for itself

template <class T, class Op, std::size_t together>
HWY_INLINE void fold_some(T* out, const T* x, std::size_t size) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  hn::Vec<decltype(d)> so_far[together];
  const T* from = x + size - 1;
  HWY_UNROLL(8) for (std::size_t v = 0; v < together; v++) so_far[v] = hn::LoadU(d, from + v * lanes);
  while (from-- != x)
    HWY_UNROLL(8) for (std::size_t v = 0; v < together; v++) so_far[v] = Op::of(hn::LoadU(d, from + v * lanes), so_far[v]);
  HWY_UNROLL(8) for (std::size_t v = 0; v < together; v++) hn::StoreU(so_far[v], d, out + v * lanes);
}
template <class T, class Op>
HWY_INLINE T fold_one(const T* x, std::size_t size) {
  T so_far = x[size - 1];
  for (std::size_t k = size - 1; k-- > 0;) so_far = Op::of_two(x[k], so_far);
  return so_far;
}
template <class T, class Op>
void fold_each(T* out, const T* x, std::size_t n, std::size_t size) {
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>()), together = 8;
  const std::size_t results = n - size + 1;
  if (results < lanes) {
    for (std::size_t i = 0; i < results; i++) out[i] = fold_one<T, Op>(x + i, size);
    return;
  }
  in_pieces(
      results,
      [=](std::size_t i, std::size_t end) HWY_ATTR {
        for (; i + together * lanes <= end; i += together * lanes) fold_some<T, Op, together>(out + i, x + i, size);
        for (; i + lanes <= end; i += lanes) fold_some<T, Op, 1>(out + i, x + i, size);
        // A piece may end within a vector: at the end of all, the vector that ends there.
        if (i < end) {
          i = std::min(i, results - lanes);
          fold_some<T, Op, 1>(out + i, x + i, size);
        }
      },
      std::max<std::size_t>(long_pass / size, together * lanes));
}
template <class T, class Op>
void each(void* out, const void* x, std::size_t n, std::size_t size) {
  fold_each<T, Op>(static_cast<T*>(out), static_cast<const T*>(x), n, size);
}

// --- windows of a power of two

// Replaces each of `count` elements by what it and the `length`-1 behind it come to, for a power of two: those of half the length
// onto each other. There must be room for length + lanes more; these come to anything.
template <class Op, class D, class T = hn::TFromD<D>>
HWY_INLINE void lengthen(D d, T* elements, std::size_t count, std::size_t length) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t half = 1; half < length; half *= 2) {
    // What comes behind is read once more by longer ones.
    const std::size_t end = count + length - 2 * half;
    for (std::size_t i = 0; i < end; i += lanes)
      hn::StoreU(Op::of(hn::LoadU(d, elements + i), hn::LoadU(d, elements + i + half)), d, elements + i);
  }
}

// --- sums

// Sums all windows that begin within one vector.
template <class T>
HWY_INLINE void first_sums(T* out, const T* x, std::size_t results, std::size_t size) {
  using W = Wrapping<T>;
  W sum = 0;
  for (std::size_t k = 0; k < size; k++) sum = static_cast<W>(sum + static_cast<W>(x[k]));
  out[0] = static_cast<T>(sum);
  for (std::size_t i = 1; i < results; i++) {
    sum = static_cast<W>(sum + static_cast<W>(x[i + size - 1]) - static_cast<W>(x[i - 1]));
    out[i] = static_cast<T>(sum);
  }
}

// A window that begins `lanes` later has as many other elements at its end, and as many less at its start: the sum differs by
// `lanes` neighbours of the differences of elements that are `size` apart.
template <class T>
void sums_of_windows(void* results_bytes, const void* bytes, std::size_t n, std::size_t size) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  T* const out = static_cast<T*>(results_bytes);
  const T* const x = static_cast<const T*>(bytes);
  const std::size_t results = n - size + 1;
  if (size <= few && results >= lanes) return fold_each<T, Plus>(out, x, n, size);
  first_sums(out, x, std::min(results, lanes), size);
  HWY_ALIGN T differences[tile<T> + 3 * lanes] = {};
  ElementsDone done;
  for (std::size_t i = 0; i + lanes < results; i += tile<T>) {
    const std::size_t here = std::min(tile<T>, results - lanes - i), all = std::min(here + lanes, results - 1 - i);
    const T *const from = x + i, *const to = from + size;
    for_vectors(d, 0, all, [&](std::size_t j) HWY_ATTR {
      hn::StoreU(hn::Sub(hn::LoadU(d, to + j), hn::LoadU(d, from + j)), d, differences + j);
    });
    lengthen<Plus>(d, differences, here, lanes);
    T* const sums = out + i;
    auto sum = hn::LoadU(d, sums);
    std::size_t j = 0;
    for (; j + lanes <= here; j += lanes) {
      sum = hn::Add(sum, hn::Load(d, differences + j));
      hn::StoreU(sum, d, sums + j + lanes);
    }
    HWY_ALIGN T last[lanes];
    hn::Store(hn::Add(sum, hn::Load(d, differences + j)), d, last);
    std::copy_n(last, here - j, sums + j + lanes);
    done.add(here);
  }
}

// --- extremes

// Windows of `size` are folded from those of a power of two, `step`, that begin in rows of so many elements: of the whole rows in
// a window, some end a block of rows, and the others begin the next, so that each row is taken once on the way from the start of
// its block, and once from its end. What is left at the end of a window is in the last `step` elements.
template <class T, bool greatest>
class ExtremesOfWindows {
 public:
  static constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>()), vectors = 2, step = vectors * lanes;
  using Op = Best<greatest>;

  ExtremesOfWindows(T* out, const T* x, std::size_t n, std::size_t size) : out_(out), x_(x), n_(n), size_(size) {}

  // For sizes below two steps.
  void fold_short() {
    const std::size_t length = std::min(std::bit_floor(size_), step), rest = size_ - length, results = n_ - size_ + 1;
    for (std::size_t i = 0; i < results; i += tile<T>) {
      const std::size_t here = std::min(tile<T>, results - i);
      std::copy_n(x_ + i, std::min(here + size_ - 1, n_ - i), some_);
      lengthen<Op>(d_, some_, here + rest, length);
      const auto of = [&](std::size_t j) HWY_ATTR { return Op::of(hn::LoadU(d_, some_ + j), hn::LoadU(d_, some_ + j + rest)); };
      for (std::size_t j = 0; j < here; j += lanes) store(i + j, i + here, of(j));
      done_.add(here);
    }
  }

  void fold_long(T* memory) {
    const std::size_t rows = size_ / step, block = rows * step, results = n_ - size_ + 1;
    // The block from its end back, and right behind it the next block.
    T *const ends = memory, *const next = memory + block;
    fill(next, 0, block);
    fold_from_end(ends, next, rows);
    for (std::size_t i = 0; i < results; i += block) {
      fill(next, i + block, block);
      const std::size_t here = std::min(block, results - i);
      hn::Vec<D> begun[vectors];
      for (std::size_t j = 0; j < here; j += step) HWY_UNROLL(2)
      for (std::size_t v = 0; v < vectors; v++) {
        const std::size_t place = j + v * lanes;
        auto so_far = hn::LoadU(d_, ends + place);
        if (j != 0) {
          const auto row = hn::LoadU(d_, next + place - step);
          begun[v] = j == step ? row : Op::of(begun[v], row);
          so_far = Op::of(so_far, begun[v]);
        }
        store(i + place, results, Op::of(so_far, hn::LoadU(d_, ends + place + size_ - step)));
      }
      if (here == block) fold_from_end(ends, next, rows);
    }
  }

 private:
  using D = hn::ScalableTag<T>;

  // Writes the extremes of windows of `step` that begin at `first` and behind it, as far as there are any.
  void fill(T* to, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count && first + i < n_; i += tile<T>) {
      const std::size_t here = std::min(tile<T>, count - i);
      std::copy_n(x_ + first + i, std::min(here + step - 1, n_ - first - i), some_);
      lengthen<Op>(d_, some_, here, step);
      std::copy_n(some_, here, to + i);
      done_.add(here);
    }
  }

  void fold_from_end(T* ends, const T* rows, std::size_t count) {
    hn::Vec<D> so_far[vectors];
    for (std::size_t r = count; r-- > 0;) HWY_UNROLL(2)
    for (std::size_t v = 0; v < vectors; v++) {
      const auto row = hn::LoadU(d_, rows + r * step + v * lanes);
      so_far[v] = r + 1 == count ? row : Op::of(row, so_far[v]);
      hn::StoreU(so_far[v], d_, ends + r * step + v * lanes);
    }
  }

  HWY_INLINE void store(std::size_t i, std::size_t end, hn::Vec<D> v) {
    if (i + lanes <= end) {
      hn::StoreU(v, d_, out_ + i);
    } else if (i < end) {
      HWY_ALIGN T last[lanes];
      hn::Store(v, d_, last);
      std::copy_n(last, end - i, out_ + i);
    }
  }

  static constexpr D d_ = {};
  T* const out_;
  const T* const x_;
  const std::size_t n_, size_;
  HWY_ALIGN T some_[tile<T> + 3 * step] = {};
  ElementsDone done_ = {};
};

template <class T, bool greatest>
void extremes(void* results, const void* bytes, std::size_t n, std::size_t size, void* memory) {
  using Fold = ExtremesOfWindows<T, greatest>;
  T* const out = static_cast<T*>(results);
  const T* const x = static_cast<const T*>(bytes);
  if (size <= few && n - size + 1 >= Fold::lanes) return fold_each<T, Best<greatest>>(out, x, n, size);
  Fold fold(out, x, n, size);
  if (size < 2 * Fold::step)
    fold.fold_short();
  else
    fold.fold_long(static_cast<T*>(memory));
}

bool has_nan(const double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  bool found = false;
  const auto look = [&](std::size_t i, std::size_t end) HWY_ATTR {
    auto marks = hn::Zero(d);  // a NaN where there is one
    for (; i + lanes <= end; i += lanes) marks = hn::Or(marks, hn::VecFromMask(d, hn::IsNaN(hn::LoadU(d, x + i))));
    found |= !hn::AllTrue(d, hn::Eq(marks, hn::Zero(d)));
    for (; i < end; i++) found |= x[i] != x[i];
  };
  in_pieces(n, look, long_pass);
  return found;
}

// --- bits

// Combines each bit with the one `by` places behind it; behind the words there are zeros.
template <class Combine>
void combine_shifted(std::uint64_t* words, std::size_t count, std::size_t by, Combine combine) {
  const std::size_t whole = by / 64, left = by % 64;
  const auto word = [=](std::size_t i) { return i < count ? words[i] : 0; };
  std::size_t i = 0;
  if (left == 0) {
    for (; i + whole < count; i++) words[i] = combine(words[i], words[i + whole]);
  } else {
    for (; i + whole + 1 < count; i++)
      words[i] = combine(words[i], words[i + whole] >> left | words[i + whole + 1] << (64 - left));
  }
  for (; i < count; i++)
    words[i] = combine(words[i], left == 0 ? word(i + whole) : word(i + whole) >> left | word(i + whole + 1) << (64 - left));
}
template <bool all>
void bits_of_windows(std::uint64_t* out, const std::uint64_t* x, std::size_t n, std::size_t size) {
  const auto combine = [](std::uint64_t a, std::uint64_t b) { return all ? a & b : a | b; };
  const std::size_t count = (n + 63) / 64, length = std::bit_floor(size);
  std::copy_n(x, count, out);
  for (std::size_t half = 1; half < length; half *= 2) combine_shifted(out, count, half, combine);
  if (length != size) combine_shifted(out, count, size - length, combine);
}

const WindowFoldKernels* window_fold_kernels() {
  static constexpr WindowFoldKernels kernels = {
      .sum = {sums_of_windows<int8_t>, sums_of_windows<int16_t>, sums_of_windows<int32_t>, sums_of_windows<double>},
      .sum_in_order = each<double, Plus>,
      .minimum = {extremes<int8_t, false>, extremes<int16_t, false>, extremes<int32_t, false>, extremes<double, false>},
      .maximum = {extremes<int8_t, true>, extremes<int16_t, true>, extremes<int32_t, true>, extremes<double, true>},
      .has_nan = has_nan,
      .all_bits = bits_of_windows<true>,
      .any_bits = bits_of_windows<false>,
  };
  return &kernels;
}

}  // namespace
}  // namespace window_fold_unit
using window_fold_unit::window_fold_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(window_fold_kernels);
const WindowFoldKernels& window_fold() { return *HWY_DYNAMIC_DISPATCH(window_fold_kernels)(); }
}  // namespace griddle::kernels
#endif
