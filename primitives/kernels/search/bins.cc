#include "primitives/kernels/search/bins.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "primitives/kernels/search/bucket_search.h"
#include "primitives/kernels/shared/pieces.h"

namespace griddle::kernels {
namespace {

IntegerBuckets integer_buckets(const std::int32_t* w, std::size_t n, std::size_t size) {
  const std::int32_t low = w[0], high = w[n - 1];
  const int spare = std::bit_width(static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low)) - std::countr_zero(size);
  return {low, high, spare > 0 ? static_cast<unsigned>(spare) : 0};
}

struct DoubleBuckets {
  DoubleBuckets(const double* w, std::size_t n, std::size_t size) : last(static_cast<double>(size - 1)) {
    std::size_t first = 0, end = n;
    while (first < end && std::isinf(w[first]) && w[first] < 0) first++;
    while (end > first && std::isinf(w[end - 1])) end--;
    double high = 0;
    if (first < end) {
      low = w[first];
      high = w[end - 1];
    }
    double range = high - low;
    scale = range > 0 && std::isfinite(range) ? static_cast<double>(size) / range : 0;
    if (!std::isfinite(scale)) scale = 0;
  }
  std::size_t operator()(double v) const {
    double at = (v - low) * scale;
    at = at > 0 ? at : 0;  // also where it is no number
    // There are not so many that 32 bits do not hold them, to which vectors convert.
    return static_cast<std::size_t>(static_cast<std::int32_t>(at < last ? at : last));
  }
  double low = 0, scale = 0, last;
};

// Notes where each bucket starts, and gives how many the fullest one holds. Buckets up to that of an element start there: always
// writes a few, of which the next element sets right what comes behind its bucket, so that few jumps depend on what is where.
constexpr std::size_t few_buckets = 8;
template <class Buckets, class T>
std::size_t fill_buckets(const Buckets& bucket, const T* w, std::size_t n, std::uint32_t* starts, std::size_t size) {
  std::size_t next = 0, run = 0, fullest = 0;
  in_pieces(n, [&](std::size_t i, std::size_t piece_end) {
    for (; i < piece_end; i++) {
      const std::size_t end = bucket(w[i]) + 1, first = next;
      for (std::size_t k = 0; k < few_buckets; k++) starts[first + k] = static_cast<std::uint32_t>(i);
      if (end > first + few_buckets) std::fill(starts + first + few_buckets, starts + end, static_cast<std::uint32_t>(i));
      run = end > first ? 1 : run + 1;
      fullest = std::max(fullest, run);
      next = end;
    }
  });
  std::fill(starts + next, starts + size, static_cast<std::uint32_t>(n));
  return fullest;
}

// Counts in the bucket one by one, as often as the fullest one holds: what comes behind the bucket is greater than x.
template <std::size_t steps, class Buckets, class T>
void search_short_buckets(const Buckets& bucket, const T* w, std::size_t n, const std::uint32_t* starts, const T* x,
                          std::size_t count, std::uint32_t* out) {
  const auto count_from = [=](std::size_t at, T v) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < steps; k++) at += w[at] <= v;
    return static_cast<std::uint32_t>(v != v ? n : std::min(at, n));  // greatest ones behind the last count, too
  };
  // What lies beyond the second-level cache is asked for before, a group at a time.
  constexpr std::size_t far = std::size_t{1} << 15, group = 32;
  std::size_t i = 0;
  if (n > far) {
    std::size_t at[group];
    for (; i + group <= count; i += group) {
      for (std::size_t j = 0; j < group; j++) __builtin_prefetch(starts + (at[j] = bucket(x[i + j])));
      for (std::size_t j = 0; j < group; j++) __builtin_prefetch(w + (at[j] = starts[at[j]]));
      for (std::size_t j = 0; j < group; j++) out[i + j] = count_from(at[j], x[i + j]);
    }
  }
  // Elsewhere buckets are found in vectors, some at a time.
  std::uint32_t bucket_of[group];
  for (; i + group <= count; i += group) {
    for (std::size_t j = 0; j < group; j++) bucket_of[j] = static_cast<std::uint32_t>(bucket(x[i + j]));
    for (std::size_t j = 0; j < group; j++) out[i + j] = count_from(starts[bucket_of[j]], x[i + j]);
  }
  for (; i < count; i++) out[i] = count_from(starts[bucket(x[i])], x[i]);
}

template <class Buckets, class T>
void search_long_buckets(const Buckets& bucket, const T* w, std::size_t n, const std::uint32_t* starts, std::size_t first_step,
                         const T* x, std::size_t count, std::uint32_t* out) {
  // Works on a group at a time, so that the memory accesses of a group overlap.
  constexpr std::size_t group = 32;
  std::size_t at[group];
  for (std::size_t i = 0; i < count; i += group) {
    std::size_t m = std::min(group, count - i);
    for (std::size_t j = 0; j < m; j++) {
      at[j] = bucket(x[i + j]);
      __builtin_prefetch(starts + at[j]);
    }
    for (std::size_t j = 0; j < m; j++) {
      at[j] = starts[at[j]];
      __builtin_prefetch(w + at[j]);
    }
    for (std::size_t step = first_step; step; step >>= 1)
      for (std::size_t j = 0; j < m; j++) {
        std::size_t candidate = std::min(at[j] + step, n);
        at[j] = w[candidate - 1] <= x[i + j] ? candidate : at[j];
      }
    for (std::size_t j = 0; j < m; j++) out[i + j] = static_cast<std::uint32_t>(x[i + j] != x[i + j] ? n : at[j]);
  }
}

template <class Buckets, class T>
void search_buckets(const Buckets& bucket, const T* w, std::size_t n, const std::uint32_t* starts, std::size_t fullest,
                    const T* x, std::size_t count, std::uint32_t* out) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    const std::size_t done = search_in_vectors(bucket, {w, n, starts, fullest}, x, count, out);
    x += done, count -= done, out += done;
  }
  static_assert(bins_margin == 8);
  if (fullest <= 2) return search_short_buckets<2>(bucket, w, n, starts, x, count, out);
  if (fullest <= 4) return search_short_buckets<4>(bucket, w, n, starts, x, count, out);
  if (fullest <= 6) return search_short_buckets<6>(bucket, w, n, starts, x, count, out);
  if (fullest <= 8) return search_short_buckets<8>(bucket, w, n, starts, x, count, out);
  search_long_buckets(bucket, w, n, starts, std::bit_floor(fullest), x, count, out);
}

// Halves what is left of w for a few keys at a time, whose loads overlap.
constexpr std::size_t halved_at_once = 8;
template <class T>
void search_few_by_halves(const T* w, std::size_t n, const T* x, std::uint32_t* out) {
  const T* at[halved_at_once];
  T v[halved_at_once];
  std::copy_n(x, halved_at_once, v);
  std::fill_n(at, halved_at_once, w);
  for (std::size_t left = n; left > 1;) {
    const std::size_t half = left / 2;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < halved_at_once; j++) {
      const T* const next = at[j] + half;
      at[j] = next[-1] <= v[j] ? next : at[j];
    }
    left -= half;
  }
  for (std::size_t j = 0; j < halved_at_once; j++)
    out[j] = static_cast<std::uint32_t>(v[j] != v[j] ? n : static_cast<std::size_t>(at[j] - w) + (*at[j] <= v[j]));
}
template <class T>
void search_by_halves(const T* w, std::size_t n, const T* x, std::size_t count, std::uint32_t* out) {
  std::size_t i = 0;
  for (; i + halved_at_once <= count; i += halved_at_once) search_few_by_halves(w, n, x + i, out + i);
  if (i == count) return;
  T last[halved_at_once] = {};
  std::uint32_t found[halved_at_once];
  std::copy_n(x + i, count - i, last);
  search_few_by_halves(w, n, last, found);
  std::copy_n(found, count - i, out + i);
}

// Tells whether lookups are so few that noting where buckets start takes longer than halving w for each of them. Halves of more
// than what is near wait for memory, and of what is far for pages, too.
bool are_few(std::size_t n, std::size_t count, std::size_t values_for_each) {
  constexpr std::size_t near = std::size_t{1} << 18, for_each_of_more = 8, far = std::size_t{1} << 21, for_each_of_far = 64;
  return count <= n / (n <= near ? values_for_each : n <= far ? for_each_of_more : for_each_of_far);
}

std::size_t bucket_count(std::size_t n, std::size_t count) {
  const std::size_t each = n <= std::size_t{1} << 12 ? 4 : 2;  // all stay in the nearest cache
  return std::bit_ceil(std::clamp<std::size_t>(each * std::min(n, count), 2, std::size_t{1} << 24));
}

// Gives the first place from i on where w is above a value: steps, and then by leaps.
std::size_t first_above(const std::int32_t* w, std::size_t n, std::size_t i, std::int64_t value) {
  constexpr std::size_t steps = 8;
  for (const std::size_t end = std::min(n, i + steps); i < end; i++)
    if (w[i] > value) return i;
  std::size_t leap = steps;
  for (; i + leap <= n && w[i + leap - 1] <= value; leap *= 2) i += leap;
  const auto is_at_most = [value](std::int32_t v) { return v <= value; };
  return static_cast<std::size_t>(std::partition_point(w + i, w + std::min(n, i + leap), is_at_most) - w);
}

// Writes the counts for consecutive values from `value` on, where w[i] is the first not counted yet; gives the first then.
std::size_t fill_counts(const std::int32_t* w, std::size_t n, std::size_t i, std::int64_t value, std::uint32_t* to,
                        std::uint32_t* end) {
  while (to < end) {
    i = first_above(w, n, i, value);
    const std::size_t rest = static_cast<std::size_t>(end - to);
    const std::size_t same = i < n ? std::min(rest, static_cast<std::size_t>(w[i] - value)) : rest;
    std::fill_n(to, same, static_cast<std::uint32_t>(i));
    to += same;
    value += static_cast<std::int64_t>(same);
  }
  return i;
}

// What a page of values has in the table: where its counts start there, and which bits of a value tell one of them from another.
// A page without any of w borrows the last count of the page before.
struct Page {
  std::uint32_t start, within;
};
static_assert(sizeof(Page) == 2 * sizeof(std::uint32_t));

constexpr std::size_t most_values = std::size_t{1} << 20;

}  // namespace

std::size_t IntegerBins::buckets() const { return places_ - few_buckets; }
std::size_t DoubleBins::buckets() const { return places_ - few_buckets; }

IntegerBins::IntegerBins(const std::int32_t* w, std::size_t n, std::size_t count, std::size_t halved_for_each)
    : w_(w), n_(n), form_(Form::buckets), places_(bucket_count(n, count) + few_buckets) {
  base_ = w[0] > std::numeric_limits<std::int32_t>::min() ? w[0] - 1 : w[0];
  const auto range = static_cast<std::size_t>(std::int64_t{w[n - 1]} - base_) + 1;
  const std::size_t affordable = std::min(2 * count + 256, most_values);
  // A table that stays near is quicker than many values in registers.
  constexpr std::size_t most_quickest = 127, near = std::size_t{1} << 12;
  const bool is_near = n > most_quickest && range <= near && range <= affordable;
  if (n <= most_in_registers() && !is_near) {
    form_ = Form::registers;
    places_ = 0;
    return;
  }
  if (range <= 4 * affordable) {
    form_ = Form::values;
    places_ = range;
    return;
  }
  // Pages are short beside their number, since most of them hold none of w.
  page_bits_ = static_cast<unsigned>(std::bit_width(range)) / 2 - 2;
  const std::size_t pages = (range >> page_bits_) + 1;
  if (2 * pages <= affordable && n <= affordable) {
    const std::size_t places = places_of_pages(pages);
    if (places <= 2 * affordable) {
      form_ = Form::pages;
      places_ = places;
      return;
    }
  }
  if (are_few(n, count, halved_for_each)) {
    form_ = Form::halves;
    places_ = 0;
  }
}

std::size_t IntegerBins::places_of_pages(std::size_t pages) const {
  std::size_t inhabited = 1, last = 0;  // the first page, from which those without any may borrow
  for (std::size_t i = 0; i < n_; i++) {
    const auto page = static_cast<std::size_t>(std::int64_t{w_[i]} - base_) >> page_bits_;
    inhabited += page != last;
    last = page;
  }
  return 2 * pages + (inhabited << page_bits_);
}

void IntegerBins::fill_pages() {
  auto* page = reinterpret_cast<Page*>(table_);
  const std::size_t pages = (static_cast<std::size_t>(std::int64_t{w_[n_ - 1]} - base_) >> page_bits_) + 1;
  const std::size_t length = std::size_t{1} << page_bits_;
  std::uint32_t* to = table_ + 2 * pages;
  for (std::size_t p = 0, i = 0; p < pages; p++) {
    const std::int64_t first = base_ + static_cast<std::int64_t>(p << page_bits_);
    const bool inhabited = p == 0 || (i < n_ && w_[i] < first + static_cast<std::int64_t>(length));
    if (inhabited) {
      page[p] = {static_cast<std::uint32_t>(to - table_), static_cast<std::uint32_t>(length - 1)};
      i = fill_counts(w_, n_, i, first, to, to + length);
      to += length;
    } else {
      page[p] = {static_cast<std::uint32_t>(to - 1 - table_), 0};
    }
  }
}

void IntegerBins::fill(std::uint32_t* table) {
  table_ = table;
  switch (form_) {
    case Form::registers:
    case Form::halves: break;
    case Form::values: fill_counts(w_, n_, 0, base_, table, table + places_); break;
    case Form::pages: fill_pages(); break;
    case Form::buckets: fullest_ = fill_buckets(integer_buckets(w_, n_, buckets()), w_, n_, table, buckets()); break;
  }
}

void IntegerBins::count_at_most(const std::int32_t* x, std::size_t count, std::uint32_t* out) const {
  const std::int32_t low = base_, high = w_[n_ - 1];
  const auto distance = [low, high](std::int32_t v) {
    return static_cast<std::uint32_t>(std::min(std::max(v, low), high)) - static_cast<std::uint32_t>(low);
  };
  switch (form_) {
    case Form::registers: return count_in_registers(w_, n_, x, count, out);
    case Form::halves: return search_by_halves(w_, n_, x, count, out);
    case Form::values:
      for (std::size_t i = 0; i < count; i++) out[i] = table_[distance(x[i])];
      return;
    case Form::pages: {
      const unsigned page_bits = page_bits_;
      for (std::size_t i = 0; i < count; i++) {
        const std::uint32_t d = distance(x[i]);
        Page page;
        std::memcpy(&page, table_ + 2 * (d >> page_bits), sizeof page);
        out[i] = table_[page.start + (d & page.within)];
      }
      return;
    }
    case Form::buckets: search_buckets(integer_buckets(w_, n_, buckets()), w_, n_, table_, fullest_, x, count, out);
  }
}

DoubleBins::DoubleBins(const double* w, std::size_t n, std::size_t count, std::size_t halved_for_each)
    : w_(w), n_(n), places_(are_few(n, count, halved_for_each) ? 0 : bucket_count(n, count) + few_buckets) {}

void DoubleBins::fill(std::uint32_t* table) {
  table_ = table;
  if (places_ == 0) return;
  fullest_ = fill_buckets(DoubleBuckets(w_, n_, buckets()), w_, n_, table, buckets());
}

void DoubleBins::count_at_most(const double* x, std::size_t count, std::uint32_t* out) const {
  if (places_ == 0) return search_by_halves(w_, n_, x, count, out);
  search_buckets(DoubleBuckets(w_, n_, buckets()), w_, n_, table_, fullest_, x, count, out);
}

}  // namespace griddle::kernels
