#include "runtime/value/append.h"

#include <algorithm>
#include <limits>

namespace griddle {

namespace {

// Tells whether T holds a number, and which value that is.
template <class T>
bool narrow(double d, T& out) {
  if (!(d >= std::numeric_limits<T>::min() && d <= std::numeric_limits<T>::max())) return false;
  out = static_cast<T>(d);
  return out == d;
}

FillKind fill_kind_of(const Value& item) {
  if (item.is_number()) return FillKind::zero;
  if (item.is_character()) return FillKind::space;
  return item.is_array() ? item.array().fill_kind() : FillKind::none;
}

// Stores an atom behind the last element, where there is room; gives false where the type does not hold it.
bool store_behind(Array& a, std::size_t n, Value& atom) {
  switch (a.type()) {
    case ElementType::bit: {
      // A negative zero is a zero too.
      if (!atom.is_number() || (atom.number() != 0 && atom.number() != 1)) return false;
      std::uint64_t& word = a.as<std::uint64_t>()[n >> 6];
      const std::uint64_t before = word & ((std::uint64_t{1} << (n & 63)) - 1);
      word = before | std::uint64_t{atom.number() == 1} << (n & 63);
      return true;
    }
    case ElementType::i8: return atom.is_number() && narrow(atom.number(), a.as<std::int8_t>()[n]);
    case ElementType::i16: return atom.is_number() && narrow(atom.number(), a.as<std::int16_t>()[n]);
    case ElementType::i32: return atom.is_number() && narrow(atom.number(), a.as<std::int32_t>()[n]);
    case ElementType::f64: a.as<std::uint64_t>()[n] = atom.bits(); return atom.is_number();
    case ElementType::c8:
      a.as<std::uint8_t>()[n] = static_cast<std::uint8_t>(atom.bits());
      return atom.is_character() && atom.character() < 0x100;
    case ElementType::c16:
      a.as<std::uint16_t>()[n] = static_cast<std::uint16_t>(atom.bits());
      return atom.is_character() && atom.character() < 0x10000;
    case ElementType::c32: a.as<char32_t>()[n] = static_cast<char32_t>(atom.bits()); return atom.is_character();
    case ElementType::boxed: a.as<std::uint64_t>()[n] = atom.leak(); return true;
  }
  __builtin_unreachable();
}

// Puts elements of boxes behind others, in raw memory; takes those that nobody else sees.
void take_boxes(Array& to, std::size_t at, Array& from) {
  if (from.length == 1) {
    const bool unseen = from.refs == 1 && !from.is_view();
    Value& v = *from.as<Value>();
    to.as<std::uint64_t>()[at] = unseen ? std::exchange(v, Value(0.0)).leak() : Value(v).leak();
    return;
  }
  const std::size_t bytes = from.length * sizeof(Value);
  std::memcpy(to.as<std::uint64_t>() + at, from.as<std::uint64_t>(), bytes);
  if (from.refs == 1 && !from.is_view()) {
    std::memset(from.as<std::uint64_t>(), 0, bytes);
    return;
  }
  for (const Value& v : from.boxes())
    if (v.is_object()) retain(v.object());
}

void put_behind(Array& to, std::size_t at, Value& item) {
  if (!item.is_array()) {
    store_behind(to, at, item);
    return;
  }
  Array& from = item.array();
  if (to.type() != ElementType::boxed)
    copy_elements(to, at, from, 0, from.length);
  else if (from.type() == ElementType::boxed)
    take_boxes(to, at, from);
  else
    for (std::size_t i = 0; i < from.length; i++) to.as<std::uint64_t>()[at + i] = element(from, i).bits();
}

// Gives the array whose memory a list ends in, where nobody else sees the memory; null where that is not so.
Array* memory_behind(Array& list) {
  if (!list.is_view()) return &list;
  if (list.owner()->kind != ObjectKind::array || list.type() == ElementType::bit) return nullptr;
  Array& owner = *static_cast<Array*>(list.owner());
  const std::uint8_t* end = list.data + bytes_for(list.type(), list.length);
  const bool ends_there = end == owner.data + bytes_for(owner.type(), owner.length);
  if (owner.refs != 1 || owner.type() != list.type() || !ends_there) return nullptr;
  // The owner is memory only: its length follows, whatever its shape was.
  owner.set_rank(1);
  return &owner;
}

// Tells whether two lists of text or of numbers have equal fills for their elements.
bool same_prototype(const Value& v, const Value& w) {
  if (!v.is_array() || !w.is_array()) return (v.is_number() && w.is_number()) || (v.is_character() && w.is_character());
  const Array& a = v.array();
  const Array& b = w.array();
  if (a.type() == ElementType::boxed || b.type() == ElementType::boxed || a.length == 0) return false;
  return same_shape(a.shape(), b.shape()) && is_number(a.type()) == is_number(b.type());
}

// Tells whether an item has the nested fill of a list, where that is quick to see.
bool has_nested_fill(const Array& list, const Value& item) {
  if (!item.is_array()) return false;
  const Array& a = item.array();
  if (a.fill_kind() == FillKind::nested) return same_prototype(list.nested_fill(), a.nested_fill());
  return a.fill_kind() == FillKind::of_first && a.length != 0 && same_prototype(list.nested_fill(), a.boxes()[0]);
}

// Appends elements of boxes to a list without a fill, where there is room.
bool stored_boxes(Array& a, Array& more) {
  if (more.type() != ElementType::boxed || more.rank() > 1) return false;
  const std::size_t total = a.length + more.length;
  if (total * sizeof(Value) > a.capacity_bytes()) return false;
  take_boxes(a, a.length, more);
  a.length = total;
  return true;
}

// Appends elements of the same type and fill, none of which is a box, where there is room.
bool stored_elements(Array& a, const Array& more) {
  constexpr std::uint8_t kinds = Array::fill_mask | Array::view_flag;
  if (more.type() != a.type() || more.rank() > 1 || (a.flags & kinds) != (more.flags & Array::fill_mask)) return false;
  if (a.type() == ElementType::bit || a.type() == ElementType::boxed || a.fill_kind() == FillKind::nested) return false;
  const std::size_t total = a.length + more.length;
  if (bytes_for(a.type(), total) > a.capacity_bytes()) return false;
  std::memcpy(a.data.here() + bytes_for(a.type(), a.length), more.data, bytes_for(a.type(), more.length));
  a.forget_order();
  a.length = total;
  return true;
}

// Does what needs more than a look: lists as items, other types, no room, fills.
[[gnu::noinline]] bool append_any(Heap& heap, Value& list, Value& item) {
  Array& a = list.array();
  const std::size_t n = a.length, more = length_of(item), total = n + more;
  if (rank_of(item) > 1 || total > max_length) return false;
  const FillKind kind = a.fill_kind();
  if (kind == FillKind::of_first) return false;
  const bool nested = kind == FillKind::nested;
  if (nested && !has_nested_fill(a, item)) return false;
  const ElementType item_type = item.is_array() ? item.array().type() : element_type_of(item);
  // What is empty has a type that says nothing.
  const ElementType type = more == 0 ? a.type() : n == 0 ? item_type : common_type(a.type(), item_type);
  // Where there are numbers, the fill is zero, whatever nothing had.
  const FillKind fill = nested || kind == fill_kind_of(item)     ? kind
                        : total != 0 && griddle::is_number(type) ? FillKind::zero
                                                                 : FillKind::none;
  if (type == a.type()) {
    Array* memory = memory_behind(a);
    if (memory != nullptr &&
        static_cast<std::size_t>(a.data - memory->data) + bytes_for(type, total) <= memory->capacity_bytes()) {
      a.forget_order();
      put_behind(a, n, item);
      memory->length += more;
      if (memory != &a) a.length = total;
      if (fill != kind) a.set_fill_kind(fill);
      return true;
    }
  }
  // An item that is longer than the list is no sign of many more.
  if (nested || more > n + 1) return false;
  constexpr std::size_t least_bytes = 32;
  Ref<Array> roomy = make_list_with_room(heap, type, total, std::max(total + total / 2, least_bytes * 8 / bits_of(type)));
  if (type != ElementType::boxed)
    copy_elements(*roomy, 0, a, 0, n);
  else if (a.type() != ElementType::boxed || a.is_view())
    copy_elements(*roomy, 0, a, 0, n);
  else
    std::swap_ranges(a.as<std::uint64_t>(), a.as<std::uint64_t>() + n, roomy->as<std::uint64_t>());
  put_behind(*roomy, n, item);
  roomy->set_fill_kind(fill);
  list = to_value(std::move(roomy));
  return true;
}

// Stores an atom behind a list, where its type and fill stay as they are, as in a loop that collects its results.
template <class HasRoom>
bool stored_atom(Array& a, Value& item, const HasRoom& has_room) {
  constexpr std::uint8_t kinds = Array::fill_mask | Array::view_flag;
  constexpr std::uint8_t zero = static_cast<std::uint8_t>(FillKind::zero), space = static_cast<std::uint8_t>(FillKind::space);
  const std::uint8_t kind = a.flags & kinds;
  const std::size_t n = a.length;
  const auto stored = [&]<class T>(std::type_identity<T>, T t) {
    T* const to = reinterpret_cast<T*>(a.data.here()) + n;
    if (!has_room(to)) return false;
    *to = t;
    a.forget_order();
    a.length = n + 1;
    return true;
  };
  const auto stored_integer = [&]<class T>(std::type_identity<T> type) {
    const double d = std::bit_cast<double>(item.bits());
    // Anything tagged is a NaN, which no comparison accepts.
    if (kind & ~zero || !(d >= -2147483648.0 && d <= 2147483647.0)) return false;
    const std::int32_t i = static_cast<std::int32_t>(d);
    return i == d && i == static_cast<T>(i) && stored(type, static_cast<T>(i));
  };
  const auto stored_character = [&]<class T>(std::type_identity<T> type) {
    if (kind & ~space || !item.is_character()) return false;
    const char32_t c = item.character();
    return c == static_cast<T>(c) && stored(type, static_cast<T>(c));
  };
  switch (a.type()) {
    case ElementType::bit: {
      const bool begins_word = n % 64 == 0;
      if (kind & ~zero || (begins_word && !has_room(a.as<std::uint64_t>() + n / 64)) || !store_behind(a, n, item)) return false;
      a.forget_order();
      a.length = n + 1;
      return true;
    }
    case ElementType::i8: return stored_integer(std::type_identity<std::int8_t>{});
    case ElementType::i16: return stored_integer(std::type_identity<std::int16_t>{});
    case ElementType::i32: return stored_integer(std::type_identity<std::int32_t>{});
    case ElementType::f64: return !(kind & ~zero) && item.is_number() && stored(std::type_identity<double>{}, item.number());
    case ElementType::c8: return stored_character(std::type_identity<std::uint8_t>{});
    case ElementType::c16: return stored_character(std::type_identity<std::uint16_t>{});
    case ElementType::c32: return stored_character(std::type_identity<char32_t>{});
    case ElementType::boxed:
      if (kind != 0 || !stored(std::type_identity<std::uint64_t>{}, item.bits())) return false;
      item.leak();
      return true;
    default: return false;
  }
}

bool is_open_list(const Value& list) { return list.is_array() && list.array().refs == 1 && list.array().rank() == 1; }

// Does what needs calls.
[[gnu::noinline]] bool append_with_calls(Heap& heap, Value& list, Value& item) {
  if (!is_open_list(list)) return false;
  Array& a = list.array();
  if (a.length != 0) {
    if (item.is_array()) {
      const Array& more = item.array();
      if (stored_elements(a, more)) return true;
      // One element that is no box has the fill that an atom has.
      if (more.length == 1 && more.rank() <= 1 && more.type() != ElementType::boxed && more.fill_kind() != FillKind::none)
        item = element(more, 0);
    }
    if (item.is_array()) {
      const bool plain_boxes = a.type() == ElementType::boxed && !(a.flags & (Array::fill_mask | Array::view_flag));
      if (plain_boxes && stored_boxes(a, item.array())) return true;
    } else {
      const std::uint8_t* end = reinterpret_cast<const std::uint8_t*>(&a) + Heap::usable_size(&a);
      if (stored_atom(a, item, [end](const auto* to) { return reinterpret_cast<const std::uint8_t*>(to + 1) <= end; }))
        return true;
    }
  }
  return append_any(heap, list, item);
}

// Appends few cells to a table, as elements to the list that it is in memory.
[[gnu::noinline]] bool append_cells(Heap& heap, Value& table, Value& item) {
  const Array& a = table.array();
  const Array& more = item.array();
  const bool one = more.rank() + 1 == a.rank();
  // More than that is no sign of growing step by step.
  constexpr std::size_t least_ratio = 8;
  if ((!one && more.rank() != a.rank()) || more.length == 0 || more.length > a.length / least_ratio ||
      !same_shape(more.shape().subspan(one ? 0 : 1), a.shape().subspan(1)))
    return false;
  const Shape before(a.shape());
  Shape after(before);
  after[0] += one ? 1 : more.shape()[0];
  Value elements = more.is_list() ? item : with_shape(heap, item, Shape{more.length});
  // Neither this way nor back memory is needed for the shape.
  Value list = with_shape(heap, std::move(table), Shape{a.length});
  bool appended;
  try {
    appended = append_with_calls(heap, list, elements);
  } catch (...) {
    table = with_shape(heap, std::move(list), before);
    throw;
  }
  table = with_shape(heap, std::move(list), appended ? after : before);
  return appended;
}

}  // namespace

bool append(Heap& heap, Value& list, Value& item) {
  if (item.is_array() && list.is_array() && list.array().rank() > 1 && list.array().refs == 1)
    return append_cells(heap, list, item);
  if (is_open_list(list) && list.array().length != 0 && !item.is_array()) {
    // Memory is handed out in whole granules: behind an element that does not end one there is room.
    const auto inside_granule = [](const auto* to) { return reinterpret_cast<std::uintptr_t>(to) % Heap::granule != 0; };
    if (stored_atom(list.array(), item, inside_granule)) return true;
  }
  return append_with_calls(heap, list, item);
}

bool prepend(Heap& heap, Value& item, Value& list) {
  // So much room is left for others: a part of what is copied.
  constexpr std::size_t room_ratio = 8;
  if (!list.is_array() || !list.array().unique() || !list.array().is_list()) return false;
  if (!is_prepended(length_of(item), list.array().length) || rank_of(item) > 1) return false;
  Array& a = list.array();
  const std::size_t more = length_of(item), total = a.length + more;
  const ElementType type = a.type();
  if (a.is_view() || a.data.elsewhere() || type == ElementType::bit || a.fill_kind() > FillKind::space || total > max_length ||
      (item.is_array() && item.array().data.elsewhere()))
    return false;
  const ElementType item_type = item.is_array() ? item.array().type() : element_type_of(item);
  if (more != 0 && common_type(type, item_type) != type) return false;
  const bool keeps_fill = a.fill_kind() == fill_kind_of(item);
  const std::size_t bytes = bytes_for(type, more);
  if (static_cast<std::size_t>(a.data.here() - reinterpret_cast<const std::uint8_t*>(&a + 1)) >= bytes) {
    new (&a.data) ElementPointer(a.data.here() - bytes);
    a.length = total;
    a.forget_order();
  } else {
    const std::size_t room = total / room_ratio;
    Ref<Array> roomy = make_list_with_room(heap, type, 0, room + total);
    new (&roomy->data) ElementPointer(roomy->data.here() + bytes_for(type, room));
    std::memcpy(roomy->data.here() + bytes, a.data.here(), bytes_for(type, a.length));
    roomy->length = total;
    roomy->set_fill_kind(a.fill_kind());
    // Boxes have moved.
    a.length = 0;
    list = to_value(std::move(roomy));
  }
  put_behind(list.array(), 0, item);
  if (!keeps_fill) list.array().set_fill_kind(FillKind::none);
  return true;
}

bool keep_first(Value& list, std::size_t count) {
  if (!list.is_array() || !list.array().unique() || !list.array().is_list()) return false;
  Array& a = list.array();
  if (a.is_view() || a.data.elsewhere() || count == 0 || count > a.length) return false;
  // So much memory may be left alone, or so many times of what is used.
  constexpr std::size_t short_bytes = 128, most_times = 4;
  const std::size_t bytes = bytes_for(a.type(), count);
  if (bytes_for(a.type(), a.length) > short_bytes && a.capacity_bytes() > most_times * bytes) return false;
  if (a.type() == ElementType::boxed)
    for (std::size_t i = count; i < a.length; i++) a.boxes()[i] = Value(0.0);
  a.length = count;
  return true;
}

}  // namespace griddle
