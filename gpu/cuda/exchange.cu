// Numbers of other libraries, which hold them in types that arrays do not have, or apart.
#include <cmath>
#include <type_traits>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;
constexpr double most_exact = 9007199254740992.0;  // 2⋆53

template <class From, class To>
__global__ void import(griddle_box box, std::uint64_t length, const From* in, To* out, std::uint32_t* bad) {
  bool wrong = false;
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < length; i += gridDim.x * std::uint64_t{threads}) {
    std::int64_t place = 0;
    std::uint64_t rest = i;
    for (std::uint32_t axis = box.axis_count; axis-- > 1;) {
      place += static_cast<std::int64_t>(rest % box.axes[axis].length) * box.axes[axis].step;
      rest /= box.axes[axis].length;
    }
    const From element = in[place + static_cast<std::int64_t>(rest) * box.axes[0].step];
    if constexpr (std::is_integral_v<From> && sizeof(From) == 8) wrong |= fabs(static_cast<double>(element)) > most_exact;
    out[i] = static_cast<To>(element);
  }
  if (wrong) *bad = 1;
}

}  // namespace

griddle_status import_numbers(griddle_device* d, griddle_foreign_type type, const griddle_box* box, const void* in, void* out,
                              int* bad) {
  std::uint64_t length = 1;
  for (std::uint32_t axis = 0; axis < box->axis_count; axis++) length *= box->axes[axis].length;
  griddle_status s = status_of(*d, cudaMemsetAsync(d->answer, 0, sizeof(double), d->stream));
  if (s != griddle_done) return s;
  const auto go = [&]<class From, class To>(From, To) {
    import <<<blocks_for(length, threads, d->multiprocessors * 16u), threads, 0, d->stream>>>(
        *box, length, static_cast<const From*>(in), static_cast<To*>(out), reinterpret_cast<std::uint32_t*>(d->answer));
    return launched(*d);
  };
  switch (type) {
    case griddle_foreign_i8: s = go(std::int8_t{}, std::int8_t{}); break;
    case griddle_foreign_i16: s = go(std::int16_t{}, std::int16_t{}); break;
    case griddle_foreign_i32: s = go(std::int32_t{}, std::int32_t{}); break;
    case griddle_foreign_i64: s = go(std::int64_t{}, double{}); break;
    case griddle_foreign_u8: s = go(std::uint8_t{}, std::int16_t{}); break;
    case griddle_foreign_u16: s = go(std::uint16_t{}, std::int32_t{}); break;
    case griddle_foreign_u32: s = go(std::uint32_t{}, double{}); break;
    case griddle_foreign_u64: s = go(std::uint64_t{}, double{}); break;
    case griddle_foreign_f32: s = go(float{}, double{}); break;
    case griddle_foreign_f64: s = go(double{}, double{}); break;
    default: return griddle_unsupported;
  }
  if (s != griddle_done) return s;
  return take_flag(*d, bad);
}

}  // namespace griddle::cuda
