#include "primitives/arithmetic/operand.h"

#include <algorithm>

#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/convert.h"

namespace griddle::primitives {

namespace {

// Repeats bits first, first+1, ... of `from`, each `cell` times, from `skip` places into the first on; n bits in all.
void spread_bits(std::uint64_t* out, const std::uint64_t* from, std::size_t first, std::size_t cell, std::size_t skip,
                 std::size_t n) {
  std::fill_n(out, (n + 63) / 64, 0);
  const auto set = [out](std::size_t place) { out[place >> 6] |= std::uint64_t{1} << (place & 63); };
  std::size_t room = cell - skip;
  for (std::size_t place = 0; place < n; first++, room = cell) {
    const std::size_t end = place + std::min(room, n - place);
    if (from[first >> 6] >> (first & 63) & 1) {
      for (; place < end && (place & 63) != 0; place++) set(place);
      for (; place + 64 <= end; place += 64) out[place >> 6] = ~std::uint64_t{0};
      for (; place < end; place++) set(place);
    }
    place = end;
  }
}

}  // namespace

void store_single(const Value& v, ElementType type, void* out) {
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, Bit>) {
      std::memset(out, v.number() != 0 ? 0xFF : 0, 8);
    } else if constexpr (!std::is_same_v<T, Value>) {
      const T element = v.is_character() ? static_cast<T>(v.character()) : static_cast<T>(v.number());
      std::memcpy(out, &element, sizeof element);
    }
  });
}

Operand::Operand(const Value& v, bool single, std::size_t cell) : single_(single), cell_(single ? 1 : cell) {
  if (v.is_array()) {
    array_ = &v.array();
    type_ = array_->type();
    if (single) one_ = element(*array_, 0);
  } else {
    type_ = element_type_of(v);
    one_ = v;
  }
}

Value Operand::at_place(std::size_t place) const { return single_ ? one_ : element(*array_, place / cell_); }

bool Operand::want(ElementType wanted) {
  wanted_ = wanted;
  if (!single_) return true;
  if (is_integer(wanted) && !is_integer(element_type_of(one_))) return false;
  store_single(one_, wanted, alone_);
  return true;
}

const void* Operand::elements(std::size_t first, std::size_t count, void* buffer) const {
  const std::uint8_t* data = array_->data;
  if (type_ == ElementType::bit) {
    assert(wanted_ != ElementType::bit || first % 64 == 0);
    if (wanted_ == ElementType::bit) return data + first / 8;
    kernels::convert().expand[index_of(wanted_)](buffer, array_->as<std::uint64_t>(), first, count);
    return buffer;
  }
  data += first * (bits_of(type_) / 8);
  if (type_ == wanted_) return data;
  if (const kernels::Monad widen = kernels::convert().widen[index_of(type_)][index_of(wanted_)]) {
    widen(buffer, data, count);
    return buffer;
  }
  return kernels::convert().narrow[index_of(type_)][index_of(wanted_)](buffer, data, count) == count ? buffer : nullptr;
}

const void* Operand::read(std::size_t place, std::size_t count, Buffer& buffer) const {
  if (single_) return alone_;
  if (cell_ == 1) return elements(place, count, buffer);
  const std::size_t first = place / cell_, skip = place % cell_;
  if (wanted_ == ElementType::bit) {
    spread_bits(reinterpret_cast<std::uint64_t*>(buffer), array_->as<std::uint64_t>(), first, cell_, skip, count);
    return buffer;
  }
  alignas(64) Buffer few;
  const void* short_side = elements(first, (skip + count + cell_ - 1) / cell_, few);
  if (short_side == nullptr) return nullptr;
  if (skip == 0 && count % cell_ == 0) {
    kernels::repeat_each(bits_of(wanted_), buffer, short_side, count / cell_, cell_);
    return buffer;
  }
  kernels::spread(buffer, short_side, bits_of(wanted_) / 8, cell_, skip, count);
  return buffer;
}

}  // namespace griddle::primitives
