#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/vm/loan.h"

namespace griddle {

bool append(Value& list, const Value& item) {
  if (!list.is_array()) return false;
  Array& a = list.array();
  if (a.refs != 1 || a.rank() != 1 || a.is_view() || !a.writable()) return false;
  FillKind fill = a.fill_kind();
  if (fill != FillKind::none && fill != (is_character(a.type()) ? FillKind::space : FillKind::zero)) return false;
  std::size_t n = a.length;
  if (item.is_array()) {
    const Array& more = item.array();
    if (more.type() != a.type() || more.rank() != 1 || more.fill_kind() != fill || a.type() == ElementType::bit ||
        a.type() == ElementType::boxed || &more == &a || bytes_for(a.type(), n + more.length) > a.capacity_bytes())
      return false;
    std::memcpy(a.data + bytes_for(a.type(), n), more.data, bytes_for(a.type(), more.length));
    a.length = n + more.length;
    return true;
  }
  if (bytes_for(a.type(), n + 1) > a.capacity_bytes()) return false;
  auto narrow = [&]<class T>(std::type_identity<T>) {
    if (!item.is_number()) return false;
    double d = item.number();
    if (!(d >= std::numeric_limits<T>::min() && d <= std::numeric_limits<T>::max()) || d != static_cast<T>(d)) return false;
    a.as<T>()[n] = static_cast<T>(d);
    return true;
  };
  bool stored = false;
  switch (a.type()) {
    case ElementType::i8: stored = narrow(std::type_identity<std::int8_t>{}); break;
    case ElementType::i16: stored = narrow(std::type_identity<std::int16_t>{}); break;
    case ElementType::i32: stored = narrow(std::type_identity<std::int32_t>{}); break;
    case ElementType::f64:
      stored = item.is_number();
      if (stored) a.as<double>()[n] = item.number();
      break;
    case ElementType::c8:
      stored = item.is_character() && item.character() < 256;
      if (stored) a.as<std::uint8_t>()[n] = static_cast<std::uint8_t>(item.character());
      break;
    case ElementType::c32:
      stored = item.is_character();
      if (stored) a.as<char32_t>()[n] = item.character();
      break;
    default: break;
  }
  if (stored) a.length = n + 1;
  return stored;
}

}  // namespace griddle
