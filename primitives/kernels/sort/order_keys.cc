#include "primitives/kernels/sort/sort.h"

#include "hwy/highway.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace order_keys_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Writes f of each element, where f takes vectors.
template <class T, class F>
HWY_INLINE void map_keys(const T* from, T* to, std::size_t n, F f) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + i + lanes);
    hn::StoreU(f(d, a), d, to + i);
    hn::StoreU(f(d, b), d, to + i + lanes);
  }
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, from + i)), d, to + i);
  const hn::CappedTag<T, 1> one;
  for (; i < n; i++) hn::StoreU(f(one, hn::LoadU(one, from + i)), one, to + i);
}

template <class T>
void turn_integers(const void* from, void* to, std::size_t n, bool is_signed, bool down) {
  const T top = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  const T turned = static_cast<T>((is_signed ? top : 0) ^ (down ? T(~T{0}) : 0));
  map_keys(static_cast<const T*>(from), static_cast<T*>(to), n,
           [turned](auto d, auto v) HWY_ATTR { return hn::Xor(v, hn::Set(d, turned)); });
}

void order_keys_any(ElementType type, const void* x, std::size_t n, void* keys, bool down) {
  switch (bits_of(type)) {
    case 8: return turn_integers<std::uint8_t>(x, keys, n, type == ElementType::i8, down);
    case 16: return turn_integers<std::uint16_t>(x, keys, n, type == ElementType::i16, down);
    case 32: return turn_integers<std::uint32_t>(x, keys, n, type == ElementType::i32, down);
    default: break;
  }
  const std::uint64_t turn = down ? ~std::uint64_t{0} : 0;
  map_keys(static_cast<const std::uint64_t*>(x), static_cast<std::uint64_t*>(keys), n, [turn](auto d, auto v) HWY_ATTR {
    const hn::RebindToFloat<decltype(d)> doubles;
    const hn::RebindToSigned<decltype(d)> integers;
    const auto x = hn::Add(hn::BitCast(doubles, v), hn::Zero(doubles));  // 0 for ¯0
    const auto sign = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(integers, x)));
    const auto key = hn::Xor(hn::BitCast(d, x), hn::Or(sign, hn::Set(d, std::uint64_t{1} << 63)));
    return hn::Xor(hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(x)), hn::Set(d, ~std::uint64_t{0}), key), hn::Set(d, turn));
  });
}

void doubles_of_keys(const void* keys, std::size_t n, void* x, bool down) {
  const std::uint64_t turn = down ? ~std::uint64_t{0} : 0;
  map_keys(static_cast<const std::uint64_t*>(keys), static_cast<std::uint64_t*>(x), n, [turn](auto d, auto v) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> integers;
    const auto key = hn::Xor(v, hn::Set(d, turn)), all = hn::Set(d, ~std::uint64_t{0});
    const auto positive = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(integers, key)));
    const auto bits = hn::Xor(key, hn::Or(hn::AndNot(positive, all), hn::Set(d, std::uint64_t{1} << 63)));
    return hn::IfThenElse(hn::Eq(key, all), hn::Set(d, std::uint64_t{0x7FF8} << 48), bits);
  });
}

}  // namespace
}  // namespace order_keys_unit
using order_keys_unit::order_keys_any, order_keys_unit::doubles_of_keys;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(order_keys_any);
HWY_EXPORT(doubles_of_keys);

namespace {

// Calls change(from, n, to) for pieces of elements.
template <class Change>
void change_pieces(ElementType type, const void* from, std::size_t n, void* to, Change change) {
  const std::size_t width = bits_of(type) / 8;
  const auto* const elements = static_cast<const std::uint8_t*>(from);
  auto* const results = static_cast<std::uint8_t*>(to);
  in_pieces(
      n, [&](std::size_t i, std::size_t end) { change(elements + i * width, end - i, results + i * width); }, long_pass);
}

}  // namespace

void order_keys(ElementType type, const void* x, std::size_t n, void* keys, bool down) {
  change_pieces(type, x, n, keys, [=](const void* from, std::size_t count, void* to) {
    HWY_DYNAMIC_DISPATCH(order_keys_any)(type, from, count, to, down);
  });
}
void elements_of_keys(ElementType type, const void* keys, std::size_t n, void* x, bool down) {
  if (type != ElementType::f64) return order_keys(type, keys, n, x, down);
  change_pieces(type, keys, n, x, [=](const void* from, std::size_t count, void* to) {
    HWY_DYNAMIC_DISPATCH(doubles_of_keys)(from, count, to, down);
  });
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
