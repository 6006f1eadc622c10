#include "primitives/kernels/replicate.h"

#include <algorithm>
#include <type_traits>

#include "primitives/kernels/bit_runs.h"

namespace griddle::kernels {
namespace {

// Calls f with a typed pointer to elements of a width above 1.
template <class F>
void with_width(unsigned width, void* to, const void* from, F f) {
  switch (width) {
    case 8: return f(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from));
    case 16: return f(static_cast<std::uint16_t*>(to), static_cast<const std::uint16_t*>(from));
    case 32: return f(static_cast<std::uint32_t*>(to), static_cast<const std::uint32_t*>(from));
    default: return f(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from));
  }
}

template <class F>
void with_places(ElementType type, void* to, F f) {
  switch (type) {
    case ElementType::i8: return f(static_cast<std::int8_t*>(to));
    case ElementType::i16: return f(static_cast<std::int16_t*>(to));
    case ElementType::i32: return f(static_cast<std::int32_t*>(to));
    default: return f(static_cast<double*>(to));
  }
}

// Calls f(place) for each one of a word whose first bit has the place `base`.
template <class F>
void for_ones(std::uint64_t word, std::size_t base, F f) {
  for (; word; word &= word - 1) f(base + static_cast<std::size_t>(__builtin_ctzll(word)));
}

std::uint64_t mask_word(const std::uint64_t* mask, std::size_t i, std::size_t n) { return mask[i / 64] & low_bits(n - i); }

template <class T>
void compress_elements(T* to, const T* from, const std::uint64_t* mask, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 64) {
    std::uint64_t word = mask_word(mask, i, n);
    if (word == ~std::uint64_t{0}) {
      to = std::copy_n(from + i, 64, to);
      continue;
    }
    for_ones(word, i, [&](std::size_t place) { *to++ = from[place]; });
  }
}

// Collects bits in a word and writes whole words.
class BitWriter {
 public:
  explicit BitWriter(std::uint64_t* to) : to_(to) {}
  // Appends `n` bits, 0 to 64; those of `bits` beyond them must be zero.
  void append(std::uint64_t bits, std::size_t n) {
    word_ |= bits << used_;
    used_ += n;
    if (used_ < 64) return;
    *to_++ = word_;
    used_ -= 64;
    word_ = used_ ? bits >> (n - used_) : 0;
  }
  void append_run(bool bit, std::size_t n) {
    std::uint64_t word = bit ? ~std::uint64_t{0} : 0;
    for (; n > 64; n -= 64) append(word, 64);
    append(word & (n ? low_bits(n) : 0), n);
  }
  void finish() {
    if (used_) *to_ = word_;
  }

 private:
  std::uint64_t* to_;
  std::uint64_t word_ = 0;
  std::size_t used_ = 0;  // below 64
};

// Gathers the bits of `v` that the mask selects at the low end.
std::uint64_t extract_bits(std::uint64_t v, std::uint64_t mask) {
  std::uint64_t out = 0;
  std::size_t at = 0;
  for_ones(mask, 0, [&](std::size_t place) { out |= (v >> place & 1) << at++; });
  return out;
}

void compress_bits(std::uint64_t* to, const std::uint64_t* from, const std::uint64_t* mask, std::size_t n) {
  BitWriter writer(to);
  for (std::size_t i = 0; i < n; i += 64) {
    std::uint64_t word = mask_word(mask, i, n);
    if (word) writer.append(extract_bits(from[i / 64], word), static_cast<std::size_t>(__builtin_popcountll(word)));
  }
  writer.finish();
}

template <class T>
void repeat_elements(T* to, const T* from, std::size_t n, std::size_t times) {
  switch (times) {
    case 2:
      for (std::size_t i = 0; i < n; i++) to[2 * i] = to[2 * i + 1] = from[i];
      return;
    case 3:
      for (std::size_t i = 0; i < n; i++) to[3 * i] = to[3 * i + 1] = to[3 * i + 2] = from[i];
      return;
    default:
      for (std::size_t i = 0; i < n; i++) to = std::fill_n(to, times, from[i]);
  }
}

}  // namespace

std::size_t count_ones(const std::uint64_t* bits, std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < n / 64; i++) sum += static_cast<std::size_t>(__builtin_popcountll(bits[i]));
  if (n % 64) sum += static_cast<std::size_t>(__builtin_popcountll(bits[n / 64] & low_bits(n % 64)));
  return sum;
}

std::size_t add_counts(ElementType type, const void* counts, std::size_t n, double* sum) {
  return with_counts(type, counts, [&]<class T>(const T* p) {
    constexpr std::size_t block = 256;
    double total = 0;
    for (std::size_t i = 0; i < n; i += block) {
      std::size_t end = std::min(n, i + block);
      bool bad = false;
      if constexpr (std::is_same_v<T, double>) {
        double part = 0;
        for (std::size_t j = i; j < end; j++) {
          bad |= !(p[j] >= 0 && p[j] <= 9007199254740992.0) || static_cast<double>(static_cast<std::int64_t>(p[j])) != p[j];
          part += p[j];
        }
        total += part;
      } else {
        std::int64_t part = 0;
        for (std::size_t j = i; j < end; j++) {
          bad |= p[j] < 0;
          part += p[j];
        }
        total += static_cast<double>(part);
      }
      if (bad)
        for (std::size_t j = i; j < end; j++)
          if (!(p[j] >= 0 && static_cast<double>(p[j]) <= 9007199254740992.0) ||
              static_cast<double>(static_cast<std::int64_t>(p[j])) != static_cast<double>(p[j]))
            return j;
    }
    *sum = total;
    return n;
  });
}

void compress(unsigned width, void* to, const void* from, const std::uint64_t* mask, std::size_t n) {
  if (width == 1) return compress_bits(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), mask, n);
  with_width(width, to, from, [=](auto* out, const auto* in) { compress_elements(out, in, mask, n); });
}

void repeat_each(unsigned width, void* to, const void* from, std::size_t n, std::size_t times) {
  if (width == 1) {
    BitWriter writer(static_cast<std::uint64_t*>(to));
    for (std::size_t i = 0; i < n; i++) writer.append_run(read_bit(static_cast<const std::uint64_t*>(from), i), times);
    writer.finish();
    return;
  }
  with_width(width, to, from, [=](auto* out, const auto* in) { repeat_elements(out, in, n, times); });
}

void repeat_by_counts(unsigned width, void* to, const void* from, ElementType type, const void* counts, std::size_t n) {
  with_counts(type, counts, [=](const auto* count) {
    if (width == 1) {
      BitWriter writer(static_cast<std::uint64_t*>(to));
      for (std::size_t i = 0; i < n; i++)
        writer.append_run(read_bit(static_cast<const std::uint64_t*>(from), i), static_cast<std::size_t>(count[i]));
      writer.finish();
      return;
    }
    with_width(width, to, from, [=](auto* out, const auto* in) {
      for (std::size_t i = 0; i < n; i++)
        for (auto c = static_cast<std::size_t>(count[i]); c > 0; c--) *out++ = in[i];
    });
  });
}

void places_of_ones(ElementType to_type, void* to, const std::uint64_t* bits, std::size_t n) {
  with_places(to_type, to, [=]<class T>(T* out) {
    for (std::size_t i = 0; i < n; i += 64)
      for_ones(mask_word(bits, i, n), i, [&](std::size_t place) { *out++ = static_cast<T>(place); });
  });
}

void places_by_counts(ElementType to_type, void* to, ElementType type, const void* counts, std::size_t n) {
  with_places(to_type, to, [=]<class T>(T* out) {
    with_counts(type, counts, [=](const auto* count) mutable {
      for (std::size_t i = 0; i < n; i++)
        for (auto c = static_cast<std::size_t>(count[i]); c > 0; c--) *out++ = static_cast<T>(i);
    });
  });
}

}  // namespace griddle::kernels
