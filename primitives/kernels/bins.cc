#include "primitives/kernels/bins.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace griddle::kernels {
namespace {

// Spreads values over buckets in ascending order.
struct IntegerBuckets {
  IntegerBuckets(const std::int32_t* w, std::size_t n, std::size_t size) : low(w[0]), high(w[n - 1]) {
    auto range = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    int spare = std::bit_width(range) - std::countr_zero(size);
    shift = spare > 0 ? static_cast<unsigned>(spare) : 0;
  }
  std::size_t operator()(std::int32_t v) const {
    std::int32_t within = std::min(std::max(v, low), high);
    return (static_cast<std::uint32_t>(within) - static_cast<std::uint32_t>(low)) >> shift;
  }
  std::int32_t low, high;
  unsigned shift;
};

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
    return static_cast<std::size_t>(at < last ? at : last);
  }
  double low = 0, scale = 0, last;
};

// Notes where each bucket starts, and gives the first step of a search through the fullest one.
template <class Buckets, class T>
std::size_t fill_buckets(const Buckets& bucket, const T* w, std::size_t n, std::uint32_t* starts, std::size_t size) {
  std::size_t next = 0, fullest = 0;
  for (std::size_t i = 0; i < n;) {
    std::size_t b = bucket(w[i]);
    while (next <= b) starts[next++] = static_cast<std::uint32_t>(i);
    std::size_t end = i + 1;
    while (end < n && bucket(w[end]) == b) end++;
    fullest = std::max(fullest, end - i);
    i = end;
  }
  while (next < size) starts[next++] = static_cast<std::uint32_t>(n);
  return std::bit_floor(fullest);
}

template <class Buckets, class T>
void search_buckets(const Buckets& bucket, const T* w, std::size_t n, const std::uint32_t* starts, std::size_t first_step,
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

std::size_t bucket_count(std::size_t n, std::size_t count) {
  return std::bit_ceil(std::clamp<std::size_t>(std::min(4 * n, 4 * count), 2, std::size_t{1} << 24));
}

// Writes the counts for consecutive values from `value` on, where w[i] is the first not counted yet; gives the first then.
std::size_t fill_counts(const std::int32_t* w, std::size_t n, std::size_t i, std::int64_t value, std::uint32_t* to,
                        std::uint32_t* end) {
  while (to < end) {
    while (i < n && w[i] <= value) i++;
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

IntegerBins::IntegerBins(const std::int32_t* w, std::size_t n, std::size_t count)
    : w_(w), n_(n), form_(Form::buckets), places_(bucket_count(n, count)) {
  base_ = w[0] > std::numeric_limits<std::int32_t>::min() ? w[0] - 1 : w[0];
  const auto range = static_cast<std::size_t>(std::int64_t{w[n - 1]} - base_) + 1;
  const std::size_t affordable = std::min(2 * count + 256, most_values);
  if (range <= 4 * affordable) {
    form_ = Form::values;
    places_ = range;
    return;
  }
  // Pages are short beside their number, since most of them hold none of w.
  page_bits_ = static_cast<unsigned>(std::bit_width(range)) / 2 - 2;
  const std::size_t pages = (range >> page_bits_) + 1;
  if (2 * pages > affordable || n > affordable) return;
  const std::size_t places = places_of_pages(pages);
  if (places > 2 * affordable) return;
  form_ = Form::pages;
  places_ = places;
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
    case Form::values: fill_counts(w_, n_, 0, base_, table, table + places_); break;
    case Form::pages: fill_pages(); break;
    case Form::buckets: first_step_ = fill_buckets(IntegerBuckets(w_, n_, places_), w_, n_, table, places_); break;
  }
}

void IntegerBins::count_at_most(const std::int32_t* x, std::size_t count, std::uint32_t* out) const {
  const std::int32_t low = base_, high = w_[n_ - 1];
  const auto distance = [low, high](std::int32_t v) {
    return static_cast<std::uint32_t>(std::min(std::max(v, low), high)) - static_cast<std::uint32_t>(low);
  };
  switch (form_) {
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
    case Form::buckets: search_buckets(IntegerBuckets(w_, n_, places_), w_, n_, table_, first_step_, x, count, out);
  }
}

DoubleBins::DoubleBins(const double* w, std::size_t n, std::size_t count) : w_(w), n_(n), places_(bucket_count(n, count)) {}

void DoubleBins::fill(std::uint32_t* table) {
  table_ = table;
  first_step_ = fill_buckets(DoubleBuckets(w_, n_, places_), w_, n_, table, places_);
}

void DoubleBins::count_at_most(const double* x, std::size_t count, std::uint32_t* out) const {
  search_buckets(DoubleBuckets(w_, n_, places_), w_, n_, table_, first_step_, x, count, out);
}

}  // namespace griddle::kernels
