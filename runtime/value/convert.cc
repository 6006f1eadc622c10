// Conversions between the storage forms of arrays.
#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "runtime/value/array.h"
#include "runtime/value/fill.h"

namespace griddle {

namespace {

template <class T>
constexpr bool is_character_type =
    std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> || std::is_same_v<T, char32_t>;

template <class To, class From>
void convert_span(To* to, const From* from, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = static_cast<To>(from[i]);
}

// Tells whether every double of a span is an integer within [low, high]; ¯0 counts as 0.
bool all_within(const double* d, std::size_t n, double low, double high) {
  bool good = true;
  for (std::size_t i = 0; i < n; i += 512) {
    std::size_t end = std::min(n, i + 512);
    for (std::size_t j = i; j < end; j++) {
      double v = d[j];
      bool in = v >= low && v <= high;
      good &= in && static_cast<double>(static_cast<std::int32_t>(in ? v : 0)) == v;
    }
    if (!good) return false;
  }
  return true;
}

template <class T>
ElementType narrowest_integer(const T* p, std::size_t n) {
  T low = 0, high = 0;
  for (std::size_t i = 0; i < n; i++) {
    low = std::min(low, p[i]);
    high = std::max(high, p[i]);
  }
  if (low >= 0 && high <= 1) return ElementType::bit;
  if (low >= -128 && high <= 127) return ElementType::i8;
  if (low >= -32768 && high <= 32767) return ElementType::i16;
  return ElementType::i32;
}

template <class T>
ElementType narrowest_character(const T* p, std::size_t n) {
  char32_t all = 0;
  for (std::size_t i = 0; i < n; i++) all |= p[i];
  return all < 0x100 ? ElementType::c8 : all < 0x10000 ? ElementType::c16 : ElementType::c32;
}

ElementType narrowest_double(const double* d, std::size_t n) {
  if (!all_within(d, n, -2147483648.0, 2147483647.0)) return ElementType::f64;
  double low = 0, high = 0;
  for (std::size_t i = 0; i < n; i++) {
    low = std::min(low, d[i]);
    high = std::max(high, d[i]);
  }
  if (low >= 0 && high <= 1) return ElementType::bit;
  if (low >= -128 && high <= 127) return ElementType::i8;
  if (low >= -32768 && high <= 32767) return ElementType::i16;
  return ElementType::i32;
}

}  // namespace

ElementType element_type_of(const Value& v) {
  if (v.is_number()) {
    double d = v.number();
    if (d >= -2147483648.0 && d <= 2147483647.0) {
      std::int32_t i = static_cast<std::int32_t>(d);
      if (i == d) {
        if (i == 0 || i == 1) return ElementType::bit;
        if (i >= -128 && i <= 127) return ElementType::i8;
        if (i >= -32768 && i <= 32767) return ElementType::i16;
        return ElementType::i32;
      }
    }
    return ElementType::f64;
  }
  if (v.is_character()) {
    char32_t c = v.character();
    return c < 0x100 ? ElementType::c8 : c < 0x10000 ? ElementType::c16 : ElementType::c32;
  }
  return ElementType::boxed;
}

ElementType common_type(ElementType a, ElementType b) {
  if (is_number(a) == is_number(b) && is_character(a) == is_character(b)) return wider(a, b);
  return ElementType::boxed;
}

void copy_bits(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t count) {
  to += to_bit >> 6;
  to_bit &= 63;
  from += from_bit >> 6;
  from_bit &= 63;
  auto read = [&](std::size_t bit, std::size_t n) -> std::uint64_t {  // n bits, 1..64, from `bit` on
    std::uint64_t w = from[bit >> 6] >> (bit & 63);
    if ((bit & 63) + n > 64) w |= from[(bit >> 6) + 1] << (64 - (bit & 63));
    return n == 64 ? w : w & ((std::uint64_t{1} << n) - 1);
  };
  std::size_t done = 0;
  if (to_bit && count) {
    std::size_t n = std::min<std::size_t>(64 - to_bit, count);
    std::uint64_t mask = (n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1) << to_bit;
    *to = (*to & ~mask) | (read(from_bit, n) << to_bit);
    to++;
    done = n;
  }
  if (((from_bit + done) & 63) == 0) {
    std::size_t words = (count - done) / 64;
    if (words) std::memmove(to, from + ((from_bit + done) >> 6), words * 8);
    to += words;
    done += words * 64;
  } else {
    // Both shifts are between 1 and 63 here; the loop is written so that it vectorises.
    const std::uint64_t* in = from + ((from_bit + done) >> 6);
    unsigned shift = (from_bit + done) & 63;
    std::size_t words = (count - done) / 64;
    for (std::size_t i = 0; i < words; i++) to[i] = in[i] >> shift | in[i + 1] << (64 - shift);
    to += words;
    done += words * 64;
  }
  if (done < count) {
    std::size_t n = count - done;
    std::uint64_t mask = (std::uint64_t{1} << n) - 1;
    *to = (*to & ~mask) | read(from_bit + done, n);
  }
}

namespace {

// For each byte, its bits as bytes 0 and 1.
constexpr std::array<std::uint64_t, 256> spread_bytes = [] {
  std::array<std::uint64_t, 256> all{};
  for (unsigned byte = 0; byte < 256; byte++)
    for (unsigned k = 0; k < 8; k++) all[byte] |= std::uint64_t{byte >> k & 1} << (8 * k);
  return all;
}();

// Give bits as bytes 0 and 1, and back.
void spread_bits(std::uint8_t* to, std::uint64_t word) {
  for (unsigned k = 0; k < 8; k++, word >>= 8) std::memcpy(to + 8 * k, &spread_bytes[word & 0xFF], 8);
}
std::uint64_t gathered_bits(const std::uint8_t* from) {
  std::uint64_t word = 0;
#ifdef __SSE2__
  for (unsigned k = 0; k < 4; k++) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16 * k));
    // Brings the lowest bit of each byte up to its highest.
    word |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 7)))) << (16 * k);
  }
#else
  for (unsigned k = 0; k < 8; k++) {
    std::uint64_t bytes;
    std::memcpy(&bytes, from + 8 * k, 8);
    word |= bytes * 0x0102'0408'1020'4080 >> 56 << 8 * k;
  }
#endif
  return word;
}

}  // namespace

void pack_bits(std::uint64_t* to, const std::uint8_t* from, std::size_t n) {
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) to[i / 64] = gathered_bits(from + i);
  if (i == n) return;
  std::uint8_t rest[64] = {};
  std::copy(from + i, from + n, rest);
  to[i / 64] = gathered_bits(rest);
}

void unpack_bits(std::uint8_t* to, const std::uint64_t* from, std::size_t n) {
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) spread_bits(to + i, from[i / 64]);
  if (i == n) return;
  std::uint8_t rest[64];
  spread_bits(rest, from[i / 64]);
  std::copy(rest, rest + (n - i), to + i);
}

void copy_elements(Array& to, std::size_t ti, const Array& from, std::size_t fi, std::size_t n) {
  assert(fi + n <= from.length);
  if (n == 0) return;
  if (to.type() == from.type() && to.type() != ElementType::boxed) {
    if (to.type() == ElementType::bit) {
      copy_bits(to.as<std::uint64_t>(), ti, from.as<std::uint64_t>(), fi, n);
      return;
    }
    std::size_t size = bits_of(to.type()) / 8;
    std::memmove(to.data + ti * size, from.data + fi * size, n * size);
    return;
  }
  with_type(to.type(), [&](auto to_tag) {
    using T = typename decltype(to_tag)::type;
    if constexpr (std::is_same_v<T, Value>) {
      for (std::size_t i = 0; i < n; i++) to.as<Value>()[ti + i] = element(from, fi + i);
    } else {
      with_type(from.type(), [&](auto from_tag) {
        // The bits of a number are those of the double.
        using Held = typename decltype(from_tag)::type;
        using F = std::conditional_t<std::is_same_v<Held, Value> && !is_character_type<T>, double, Held>;
        if constexpr (std::is_same_v<F, Value>) {
          for (std::size_t i = 0; i < n; i++) store(to, ti + i, from.boxes()[fi + i]);
        } else if constexpr (is_character_type<T> != is_character_type<F>) {
          assert(false && "characters and numbers do not convert");
        } else if constexpr (std::is_same_v<T, Bit>) {
          std::uint64_t* bits = to.as<std::uint64_t>();
          std::size_t i = 0;
          if constexpr (!std::is_same_v<F, Bit>) {
            if (ti % 64 == 0)
              for (; i + 64 <= n; i += 64) {
                const F* source = from.as<F>() + fi + i;
                if constexpr (std::is_same_v<F, std::int8_t>) {
                  bits[(ti + i) / 64] = gathered_bits(reinterpret_cast<const std::uint8_t*>(source));
                } else {
                  alignas(16) std::uint8_t bytes[64];
                  for (unsigned j = 0; j < 64; j++) bytes[j] = source[j] != 0;
                  bits[(ti + i) / 64] = gathered_bits(bytes);
                }
              }
          }
          for (; i < n; i++) {
            std::uint64_t one;
            if constexpr (std::is_same_v<F, Bit>)
              one = from.bit(fi + i);
            else
              one = from.as<F>()[fi + i] != 0;
            std::uint64_t& word = bits[(ti + i) >> 6];
            word = (word & ~(std::uint64_t{1} << ((ti + i) & 63))) | one << ((ti + i) & 63);
          }
        } else if constexpr (std::is_same_v<F, Bit>) {
          const std::uint64_t* bits = from.as<std::uint64_t>();
          T* out = to.as<T>() + ti;
          const unsigned shift = fi % 64;
          std::size_t i = 0;
          for (; i + 64 <= n; i += 64) {
            const std::uint64_t* at = bits + (fi + i) / 64;
            const std::uint64_t word = shift == 0 ? *at : at[0] >> shift | at[1] << (64 - shift);
            if constexpr (std::is_same_v<T, std::int8_t>) {
              spread_bits(reinterpret_cast<std::uint8_t*>(out + i), word);
            } else {
              std::uint8_t bytes[64];
              spread_bits(bytes, word);
              for (unsigned j = 0; j < 64; j++) out[i + j] = static_cast<T>(bytes[j]);
            }
          }
          for (; i < n; i++) out[i] = static_cast<T>(from.bit(fi + i));
        } else {
          convert_span(to.as<T>() + ti, from.as<F>() + fi, n);
        }
      });
    }
  });
}

void box_elements(Array& to, std::size_t ti, const Array& from, std::size_t fi, std::size_t n) {
  assert(fi + n <= from.length);
  std::uint64_t* out = to.as<std::uint64_t>() + ti;
  with_type(from.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit>) {
      for (std::size_t i = 0; i < n; i++) out[i] = Value(static_cast<int>(from.bit(fi + i))).bits();
    } else if constexpr (std::is_same_v<T, Value>) {
      const Value* values = from.as<Value>() + fi;
      for (std::size_t i = 0; i < n; i++) {
        // Counting a reference waits for its object's line.
        constexpr std::size_t ahead = 8;
        if (i + ahead < n) __builtin_prefetch(reinterpret_cast<const void*>(values[i + ahead].bits() & Value::pointer_mask), 1);
        new (to.as<Value>() + ti + i) Value(values[i]);
      }
    } else if constexpr (is_character_type<T>) {
      for (std::size_t i = 0; i < n; i++) out[i] = Value::character(from.as<T>()[fi + i]).bits();
    } else {
      for (std::size_t i = 0; i < n; i++) out[i] = Value(static_cast<double>(from.as<T>()[fi + i])).bits();
    }
  });
}

void store(Array& to, std::size_t i, Value v) {
  with_type(to.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, Bit>) {
      std::uint64_t& word = to.as<std::uint64_t>()[i >> 6];
      std::uint64_t one = v.number() != 0;
      word = (word & ~(std::uint64_t{1} << (i & 63))) | one << (i & 63);
    } else if constexpr (std::is_same_v<T, Value>) {
      to.as<Value>()[i] = std::move(v);
    } else if constexpr (is_character_type<T>) {
      to.as<T>()[i] = static_cast<T>(v.character());
    } else {
      to.as<T>()[i] = static_cast<T>(v.number());
    }
  });
}

bool try_store(Array& to, std::size_t i, Value& v) {
  return with_type(to.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Value>) {
      to.as<Value>()[i] = std::move(v);
      return true;
    } else if constexpr (is_character_type<T>) {
      if (!v.is_character() || v.character() != static_cast<T>(v.character())) return false;
      to.as<T>()[i] = static_cast<T>(v.character());
      return true;
    } else {
      // Anything tagged is a NaN, which no comparison accepts.
      const double d = std::bit_cast<double>(v.bits());
      if constexpr (std::is_same_v<T, double>) {
        if (!v.is_number()) return false;
        to.as<double>()[i] = d;
        return true;
      } else if constexpr (std::is_same_v<T, Bit>) {
        if (!(d == 0 || d == 1)) return false;
        const std::uint64_t one = std::uint64_t{1} << (i & 63);
        std::uint64_t& word = to.as<std::uint64_t>()[i >> 6];
        word = d == 0 ? word & ~one : word | one;
        return true;
      } else {
        if (!(d >= std::numeric_limits<T>::min() && d <= std::numeric_limits<T>::max())) return false;
        const T integer = static_cast<T>(d);
        if (integer != d) return false;
        to.as<T>()[i] = integer;
        return true;
      }
    }
  });
}

ElementType narrowest(const Array& a) {
  switch (a.type()) {
    case ElementType::bit: return ElementType::bit;
    case ElementType::i8: return narrowest_integer(a.as<std::int8_t>(), a.length);
    case ElementType::i16: return narrowest_integer(a.as<std::int16_t>(), a.length);
    case ElementType::i32: return narrowest_integer(a.as<std::int32_t>(), a.length);
    case ElementType::f64: return narrowest_double(a.as<double>(), a.length);
    case ElementType::c8: return ElementType::c8;
    case ElementType::c16: return narrowest_character(a.as<std::uint16_t>(), a.length);
    case ElementType::c32: return narrowest_character(a.as<char32_t>(), a.length);
    case ElementType::boxed: break;
  }
  if (a.length == 0) return ElementType::boxed;
  const std::span<const Value> boxes = a.boxes();
  if (boxes[0].is_number()) {
    bool numbers = true;
    for (const Value& v : boxes) numbers &= v.is_number();
    return numbers ? narrowest_double(a.as<double>(), a.length) : ElementType::boxed;
  }
  ElementType t = element_type_of(boxes[0]);
  for (std::size_t i = 1; i < a.length && t != ElementType::boxed; i++) t = common_type(t, element_type_of(boxes[i]));
  return t;
}

Value converted(Heap& heap, const Array& a, ElementType t) {
  Ref<Array> r = make_like(heap, t, a);
  if (t == ElementType::boxed)
    box_elements(*r, 0, a, 0, a.length);
  else
    copy_elements(*r, 0, a, 0, a.length);
  FillKind kind = a.fill_kind();
  if (kind != FillKind::nested && !(kind == FillKind::of_first && t != ElementType::boxed)) {
    r->set_fill_kind(kind);
  }
  return to_value(std::move(r));
}

Value widened(Heap& heap, Value v, ElementType t) {
  const Array& a = v.array();
  if (a.type() == t) return v;
  return converted(heap, a, t);
}

Value narrowed(Heap& heap, Value v) {
  const Array& a = v.array();
  if (a.fill_kind() == FillKind::nested) return v;
  ElementType t = narrowest(a);
  if (t == a.type()) return v;
  return converted(heap, a, t);
}

Ref<Array> make_writable(Heap& heap, Value v) {
  if (v.array().fill_kind() == FillKind::of_first) {
    // The first element may change; the fill must not.
    Value fill = fill_of(heap, v);
    v = with_fill(heap, std::move(v), fill);
  }
  Array& a = v.array();
  if (a.writable()) {
    v.leak();
    return Ref<Array>(&a);
  }
  if (a.fill_kind() == FillKind::nested) {
    // A copy keeps its nested fill through a view of fresh elements; only that view and its owner exist, so it is writable.
    Ref<Array> copy = make_like(heap, a.type(), a);
    copy_elements(*copy, 0, a, 0, a.length);
    Value nested = a.nested_fill();
    Value r = with_fill(heap, to_value(std::move(copy)), nested);
    return Ref<Array>(reinterpret_cast<Array*>(r.leak() & Value::pointer_mask));
  }
  Value r = converted(heap, a, a.type());
  return Ref<Array>(reinterpret_cast<Array*>(r.leak() & Value::pointer_mask));
}

}  // namespace griddle
