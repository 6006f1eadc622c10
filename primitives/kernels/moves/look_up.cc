#include "primitives/kernels/moves/look_up.h"

#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"

#if HWY_TARGET == HWY_AVX3_DL
#include "primitives/kernels/moves/look_up_512-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace look_up_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

// Calls f with the start of each vector of a list; the last one may begin within the one before. False where there are fewer
// elements than that.
template <class F>
HWY_INLINE bool for_vectors(std::size_t count, std::size_t lanes, F f) {
  if (count < lanes) return false;
  for (std::size_t i = 0; i + lanes <= count; i += lanes) f(i);
  if (count % lanes != 0) f(count - lanes);
  return true;
}

// Looks elements up in a table of at most 16, which is a table of bytes for each byte of an element.
template <class T>
bool look_up_16(T* to, const T* from, std::size_t n, const std::int8_t* index, std::size_t count) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::ScalableTag<std::int8_t> signed_d;
  HWY_ALIGN std::uint8_t table[sizeof(T)][16] = {};
  for (std::size_t k = 0; k < n; k++)
    for (std::size_t byte = 0; byte < sizeof(T); byte++) table[byte][k] = static_cast<std::uint8_t>(from[k] >> (8 * byte));
  const auto length = hn::Set(signed_d, static_cast<std::int8_t>(n));
  const std::size_t lanes = hn::Lanes(d);
  const auto values = [&](std::size_t byte, auto v) HWY_ATTR { return hn::TableLookupBytes(hn::LoadDup128(d, table[byte]), v); };
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    auto places = hn::LoadU(signed_d, index + i);
    places = hn::Add(places, hn::IfThenElseZero(hn::Lt(places, hn::Zero(signed_d)), length));
    const auto v = hn::BitCast(d, places);
    if constexpr (sizeof(T) == 1)
      hn::StoreU(values(0, v), d, to + i);
    else if constexpr (sizeof(T) == 2)
      hn::StoreInterleaved2(values(0, v), values(1, v), d, reinterpret_cast<std::uint8_t*>(to + i));
    else
      hn::StoreInterleaved4(values(0, v), values(1, v), values(2, v), values(3, v), d, reinterpret_cast<std::uint8_t*>(to + i));
  });
}

// Looks bytes up in a table of at most 128, of which each shuffle knows 16.
bool look_up_128(std::uint8_t* to, const std::uint8_t* from, std::size_t n, const std::int8_t* index, std::size_t count) {
  const hn::ScalableTag<std::uint8_t> d;
  HWY_ALIGN std::uint8_t table[128] = {};
  std::memcpy(table, from, n);
  const std::size_t lanes = hn::Lanes(d), shuffles = (n + 15) / 16;
  const auto length = hn::Set(d, static_cast<std::uint8_t>(n)), sixteen = hn::Set(d, 16), out_of_reach = hn::Set(d, 0x70);
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    auto place = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(index + i));
    const auto sign = hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<decltype(d)>(), place));
    place = hn::Add(place, hn::And(hn::BitCast(d, sign), length));
    auto found = hn::Zero(d);
    for (std::size_t k = 0; k < shuffles; k++, place = hn::Sub(place, sixteen)) {
      // Places beyond the sixteen get a high bit, for which a shuffle gives 0.
      const auto within = hn::SaturatedAdd(place, out_of_reach);
      found = hn::Or(found, hn::TableLookupBytesOr0(hn::LoadDup128(d, table + 16 * k), within));
    }
    hn::StoreU(found, d, to + i);
  });
}

bool look_up_any(unsigned width, void* to, const void* from, std::size_t, std::size_t n, const Indices& indices) {
  if (indices.type != ElementType::i8 || n > 128) return false;
  const auto* index = static_cast<const std::int8_t*>(indices.data);
  const auto elements = [&]<class T>(T) HWY_ATTR {
    return n <= 16 && look_up_16(static_cast<T*>(to), static_cast<const T*>(from), n, index, indices.count);
  };
  switch (width) {
    case 8:
      return elements(std::uint8_t{}) ||
             look_up_128(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), n, index, indices.count);
    case 16: return elements(std::uint16_t{});
    case 32: return elements(std::uint32_t{});
    default: return false;
  }
}

#elif HWY_TARGET != HWY_AVX3_DL

bool look_up_any(unsigned, void*, const void*, std::size_t, std::size_t, const Indices&) { return false; }

#else

bool look_up_any(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  return look_up_in_registers(width, to, from, from_bit, n, indices);
}

#endif

}  // namespace
}  // namespace look_up_unit
using look_up_unit::look_up_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(look_up_any);
bool look_up(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  if (indices.type == ElementType::bit || indices.type == ElementType::f64) return false;
  return HWY_DYNAMIC_DISPATCH(look_up_any)(width, to, from, from_bit, n, indices);
}
}  // namespace griddle::kernels
#endif
