// The loops of elementwise kernels, written once; the operation and the lanes are passed in. Included once per target.
#if defined(GRIDDLE_KERNELS_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_LOOPS_INL_H_
#undef GRIDDLE_KERNELS_LOOPS_INL_H_
#else
#define GRIDDLE_KERNELS_LOOPS_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Reads elements of type Memory into vectors of the wider type Compute, and back. A store narrows; values must fit.
template <class Memory_, class Compute = Memory_>
struct Lanes {
  using Memory = Memory_;
  using D = hn::ScalableTag<Compute>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;

  static HWY_INLINE std::size_t count() { return hn::Lanes(D()); }
  static HWY_INLINE V splat(Memory m) { return hn::Set(D(), static_cast<Compute>(m)); }
  static HWY_INLINE V load(const Memory* p) {
    const D d;
    if constexpr (std::is_same_v<Memory, Compute>) {
      return hn::LoadU(d, p);
    } else if constexpr (sizeof(Compute) == 8 && sizeof(Memory) < 4) {
      const hn::Rebind<std::int32_t, D> middle;
      return hn::PromoteTo(d, hn::PromoteTo(middle, hn::LoadU(hn::Rebind<Memory, D>(), p)));
    } else {
      return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Memory, D>(), p));
    }
  }
  static HWY_INLINE void store(V v, Memory* p) {
    const D d;
    if constexpr (std::is_same_v<Memory, Compute>) {
      hn::StoreU(v, d, p);
    } else if constexpr (sizeof(Compute) == 8 && sizeof(Memory) < 4) {
      const hn::Rebind<std::int32_t, D> middle;
      const hn::Rebind<Memory, D> narrow;
      hn::StoreU(hn::DemoteTo(narrow, hn::DemoteTo(middle, v)), narrow, p);
    } else {
      const hn::Rebind<Memory, D> narrow;
      hn::StoreU(hn::DemoteTo(narrow, v), narrow, p);
    }
  }
};

// An operation has `checked`, apply(d, a, b) and, if checked, bad(d, a, b, result): the lanes whose result does not fit.
template <class L, class Op, Form form>
std::size_t dyad_loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  using Memory = typename L::Memory;
  using V = typename L::V;
  const typename L::D d;
  const std::size_t lanes = L::count();
  Memory* out = static_cast<Memory*>(out_bytes);
  const Memory* w = static_cast<const Memory*>(w_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  const V one_w = L::splat(form == scalar_array ? *w : Memory{});
  const V one_x = L::splat(form == array_scalar ? *x : Memory{});
  const auto left = [&](std::size_t i) HWY_ATTR {
    if constexpr (form == scalar_array)
      return (void)i, one_w;
    else
      return L::load(w + i);
  };
  const auto right = [&](std::size_t i) HWY_ATTR {
    if constexpr (form == array_scalar)
      return (void)i, one_x;
    else
      return L::load(x + i);
  };
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const V a0 = left(i), a1 = left(i + lanes), a2 = left(i + 2 * lanes), a3 = left(i + 3 * lanes);
    const V b0 = right(i), b1 = right(i + lanes), b2 = right(i + 2 * lanes), b3 = right(i + 3 * lanes);
    const V r0 = Op::apply(d, a0, b0), r1 = Op::apply(d, a1, b1), r2 = Op::apply(d, a2, b2), r3 = Op::apply(d, a3, b3);
    if constexpr (Op::checked) {
      const auto bad =
          hn::Or(hn::Or(Op::bad(d, a0, b0, r0), Op::bad(d, a1, b1, r1)), hn::Or(Op::bad(d, a2, b2, r2), Op::bad(d, a3, b3, r3)));
      if (!hn::AllFalse(d, bad)) return i;
    }
    L::store(r0, out + i);
    L::store(r1, out + i + lanes);
    L::store(r2, out + i + 2 * lanes);
    L::store(r3, out + i + 3 * lanes);
  }
  for (; i + lanes <= n; i += lanes) {
    const V a = left(i), b = right(i), r = Op::apply(d, a, b);
    if constexpr (Op::checked)
      if (!hn::AllFalse(d, Op::bad(d, a, b, r))) return i;
    L::store(r, out + i);
  }
  if (i < n) {
    HWY_ALIGN Memory part_w[hn::MaxLanes(d)] = {}, part_x[hn::MaxLanes(d)] = {}, part[hn::MaxLanes(d)];
    const std::size_t rest = (n - i) * sizeof(Memory);
    // Repeats the last element, so that padding never fails where the elements do not.
    for (std::size_t k = 0; k < lanes; k++) {
      const std::size_t from = i + k < n ? i + k : n - 1;
      part_w[k] = form == scalar_array ? *w : w[from];
      part_x[k] = form == array_scalar ? *x : x[from];
    }
    const V a = L::load(part_w), b = L::load(part_x), r = Op::apply(d, a, b);
    if constexpr (Op::checked)
      if (!hn::AllFalse(d, Op::bad(d, a, b, r))) return i;
    L::store(r, part);
    std::memcpy(out + i, part, rest);
  }
  return n;
}

// Reads through In and writes through Out, which compute in the same type. An operation has `checked`, apply(d, a) and, if
// checked, bad(d, a, result).
template <class In, class Out, class Op>
std::size_t monad_loop(void* out_bytes, const void* x_bytes, std::size_t n) {
  static_assert(std::is_same_v<typename In::D, typename Out::D>);
  using V = typename In::V;
  const typename In::D d;
  const std::size_t lanes = In::count();
  auto* out = static_cast<typename Out::Memory*>(out_bytes);
  const auto* x = static_cast<const typename In::Memory*>(x_bytes);
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const V a0 = In::load(x + i), a1 = In::load(x + i + lanes);
    const V a2 = In::load(x + i + 2 * lanes), a3 = In::load(x + i + 3 * lanes);
    const V r0 = Op::apply(d, a0), r1 = Op::apply(d, a1), r2 = Op::apply(d, a2), r3 = Op::apply(d, a3);
    if constexpr (Op::checked) {
      const auto bad = hn::Or(hn::Or(Op::bad(d, a0, r0), Op::bad(d, a1, r1)), hn::Or(Op::bad(d, a2, r2), Op::bad(d, a3, r3)));
      if (!hn::AllFalse(d, bad)) return i;
    }
    Out::store(r0, out + i);
    Out::store(r1, out + i + lanes);
    Out::store(r2, out + i + 2 * lanes);
    Out::store(r3, out + i + 3 * lanes);
  }
  for (; i < n; i += lanes) {
    HWY_ALIGN typename In::Memory part_x[hn::MaxLanes(d)] = {};
    HWY_ALIGN typename Out::Memory part[hn::MaxLanes(d)];
    const std::size_t count = n - i < lanes ? n - i : lanes;
    for (std::size_t k = 0; k < lanes; k++) part_x[k] = x[k < count ? i + k : n - 1];
    const V a = In::load(part_x), r = Op::apply(d, a);
    if constexpr (Op::checked)
      if (!hn::AllFalse(d, Op::bad(d, a, r))) return i;
    Out::store(r, part);
    std::memcpy(out + i, part, count * sizeof(part[0]));
  }
  return n;
}

struct Keep {
  static constexpr bool checked = false;
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return a;
  }
};

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
