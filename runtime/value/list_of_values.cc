// Lists of given values, in the narrowest type that holds them.
#include <algorithm>
#include <bit>

#include "runtime/value/array_layout.h"

namespace griddle {

namespace {

// Keeps words apart that were written one by one just now: a vector that spans several of them waits until they have left the
// store buffer.
template <class T>
inline T alone(T word) {
  asm("" : "+r"(word));
  return word;
}

}  // namespace

Value make_numbers(Heap& heap, std::span<const std::size_t> numbers) {
  std::size_t widest = 0;
  for (std::size_t n : numbers) widest = std::max(widest, n);
  ElementType t = widest < 128          ? ElementType::i8
                  : widest < 32768      ? ElementType::i16
                  : widest < (1u << 31) ? ElementType::i32
                                        : ElementType::f64;
  Ref<Array> a = make_list(heap, t, numbers.size());
  with_type(t, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_arithmetic_v<T>)
      std::transform(numbers.begin(), numbers.end(), a->as<T>(), [](std::size_t n) { return static_cast<T>(n); });
  });
  return to_value(std::move(a));
}

Value make_numbers(Heap& heap, std::span<const double> numbers) {
  Ref<Array> a = make_list(heap, ElementType::f64, numbers.size());
  std::copy(numbers.begin(), numbers.end(), a->as<double>());
  return narrowed(heap, to_value(std::move(a)));
}

namespace {

// Gives the bits in which an integer differs from its sign, and more than the lowest one for a negative one.
inline std::uint32_t width_of(std::int32_t i) {
  return static_cast<std::uint32_t>(i ^ (i >> 31)) | (static_cast<std::uint32_t>(i) >> 31 << 1);
}

inline Ref<Array> make_short_list(Heap& heap, ElementType type, std::size_t length) {
  Array* const made = make_list_at_hand(heap, type, length);
  return Ref<Array>(made != nullptr ? made : make_list(heap, type, length).leak());
}

}  // namespace

Ref<Array> make_few_integers(Heap& heap, std::span<const std::int32_t> integers) {
  std::uint32_t wide = 0;
  for (const std::int32_t i : integers) wide |= width_of(alone(i));
  const auto list_of = [&](ElementType type) { return make_short_list(heap, type, integers.size()); };
  const auto list = [&]<class T>(ElementType type, T) {
    Ref<Array> a = list_of(type);
    T* to = a->as<T>();
    for (const std::int32_t i : integers) *to++ = static_cast<T>(alone(i));
    return a;
  };
  if (wide >= 0x8000) return list(ElementType::i32, std::int32_t{});
  if (wide >= 0x80) return list(ElementType::i16, std::int16_t{});
  if (wide >= 2) return list(ElementType::i8, std::int8_t{});
  Ref<Array> bits = list_of(ElementType::bit);
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < integers.size(); k++) word |= static_cast<std::uint64_t>(integers[k]) << k;
  *bits->as<std::uint64_t>() = word;
  return bits;
}

namespace {

constexpr std::size_t most_integers = 32;

// Makes a list of so few integers; null where some value is none.
Ref<Array> make_integers(Heap& heap, std::span<const Value> values) {
  std::int32_t integers[most_integers];
  std::uint64_t bytes = 0;  // of the last eight
  std::uint32_t wide = 0;
  for (std::size_t k = values.size(); k-- > 0;) {
    // Anything tagged is a NaN, which no comparison accepts.
    const double d = std::bit_cast<double>(alone(values[k].bits()));
    if (!(d >= -2147483648.0 && d <= 2147483647.0)) return {};
    const std::int32_t i = static_cast<std::int32_t>(d);
    if (i != d) return {};
    wide |= width_of(i);
    bytes = bytes << 8 | static_cast<std::uint8_t>(i);
    integers[k] = i;
  }
  if (values.size() > sizeof bytes || wide >= 0x80 || wide < 2) return make_few_integers(heap, {integers, values.size()});
  Ref<Array> list = make_short_list(heap, ElementType::i8, values.size());
  // The memory of short lists has whole words.
  *list->as<std::uint64_t>() = bytes;
  return list;
}

// Makes a list of numbers as doubles, or of characters below 256; null for any other values.
Ref<Array> make_atoms(Heap& heap, std::span<const Value> values) {
  if (std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_number(); })) {
    Ref<Array> a = make_list(heap, ElementType::f64, values.size());
    std::transform(values.begin(), values.end(), a->as<double>(), [](const Value& v) { return v.number(); });
    return a;
  }
  if (std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_character() && v.character() < 0x100; })) {
    Ref<Array> a = make_list(heap, ElementType::c8, values.size());
    std::transform(values.begin(), values.end(), a->as<std::uint8_t>(),
                   [](const Value& v) { return static_cast<std::uint8_t>(v.character()); });
    return a;
  }
  return {};
}

[[gnu::always_inline]] inline Array* make_list_of_two(Heap& heap, ElementType type) {
  Array* const made = make_list_at_hand(heap, type, 2);
  return made != nullptr ? made : make_list(heap, type, 2).leak();
}

// Makes a list of two integers. `wide` has the bits in which one of them differs from its sign, and more than these where one is
// negative.
[[gnu::always_inline]] inline Array* make_integer_pair(Heap& heap, std::int32_t i, std::int32_t j, std::uint32_t wide) {
  std::uint64_t both;
  ElementType type;
  if (wide < 2) {
    type = ElementType::bit;
    both = static_cast<std::uint64_t>(i | j << 1);
  } else {
    static constexpr ElementType types[] = {ElementType::i8, ElementType::i16, ElementType::i32};
    const unsigned log = wide < 128 ? 0 : wide < 32768 ? 1 : 2, bits = 8u << log;
    type = types[log];
    both = (static_cast<std::uint64_t>(i) & (~std::uint64_t{0} >> (64 - bits))) | static_cast<std::uint64_t>(j) << bits;
  }
  Array* const pair = make_list_of_two(heap, type);
  // The memory of short lists has whole words.
  std::memcpy(pair->data.here(), &both, sizeof both);
  return pair;
}

// Makes a list of two integers from 0 to 2⋆31, as most pairs are; null for others.
inline Array* make_natural_pair(Heap& heap, const Value& one, const Value& other) {
  const std::uint64_t first = alone(one.bits()), second = alone(other.bits());
  // As words, numbers from 0 on are in order, and come before all others.
  constexpr std::uint64_t greatest = std::bit_cast<std::uint64_t>(2147483647.0);
  if (first > greatest || second > greatest) return nullptr;
  const double d = std::bit_cast<double>(first), e = std::bit_cast<double>(second);
  const std::int32_t i = static_cast<std::int32_t>(d), j = static_cast<std::int32_t>(e);
  if (i != d || j != e) return nullptr;
  return make_integer_pair(heap, i, j, static_cast<std::uint32_t>(i | j));
}

// Makes a list of two numbers of which one is no such integer.
[[gnu::noinline]] Array* make_other_pair(Heap& heap, double first, double second) {
  const auto is_integer = [](double d) { return d >= -2147483648.0 && d <= 2147483647.0 && static_cast<std::int32_t>(d) == d; };
  if (!is_integer(first) || !is_integer(second)) {
    Array* const pair = make_list_of_two(heap, ElementType::f64);
    pair->as<double>()[0] = first;
    pair->as<double>()[1] = second;
    return pair;
  }
  const std::int32_t i = static_cast<std::int32_t>(first), j = static_cast<std::int32_t>(second);
  const std::uint32_t negative = static_cast<std::uint32_t>(i | j) >> 31;
  return make_integer_pair(heap, i, j, static_cast<std::uint32_t>((i ^ (i >> 31)) | (j ^ (j >> 31))) | negative << 1);
}

// Makes a list of two characters below 256; null for other values.
inline Array* make_character_pair(Heap& heap, const Value& one, const Value& other) {
  const std::uint64_t first = alone(one.bits()), second = alone(other.bits());
  constexpr std::uint64_t tag = std::uint64_t{Value::character_tag} << 48;
  if (((first ^ tag) | (second ^ tag)) > 0xFF) return nullptr;
  Array* made = make_list_at_hand(heap, ElementType::c8, 2);
  if (made == nullptr) made = make_list(heap, ElementType::c8, 2).leak();
  const std::uint64_t both = (first & 0xFF) | (second & 0xFF) << 8;
  std::memcpy(made->data.here(), &both, sizeof both);
  return made;
}

// Makes a list of one number or character.
inline Array* make_single(Heap& heap, const Value& v) {
  const ElementType type = type_of_atom(v);
  Array* list = make_list_at_hand(heap, type, 1);
  if (list == nullptr) list = make_list(heap, type, 1).leak();
  // The first bytes of an integer are the narrower integer, and the memory of short lists has whole words.
  const std::uint64_t word = type == ElementType::f64 ? v.bits()
                             : v.is_character()       ? v.character()
                                                      : static_cast<std::uint64_t>(static_cast<std::int64_t>(v.number()));
  std::memcpy(list->data.here(), &word, sizeof word);
  return list;
}

// Tells whether atoms are numbers and characters together.
bool are_mixed(std::span<const Value> atoms) {
  return std::any_of(atoms.begin() + 1, atoms.end(), [&](const Value& v) { return v.is_number() != atoms[0].is_number(); });
}

// Makes a list of few values, one of which is no atom, or which are no atoms of one kind.
Value make_few_boxes(Heap& heap, std::span<Value> values) {
  Array* a = make_unset_boxes(heap, values.size());
  std::uint64_t* boxes = reinterpret_cast<std::uint64_t*>(a->data.here());
  for (std::size_t i = 0; i < values.size(); i++) boxes[i] = alone(values[i].leak());
  return Value(a);
}

// Makes lists of any length.
[[gnu::noinline]] Value make_any_values(Heap& heap, std::span<Value> values) {
  if (values.empty()) {
    Ref<Array> a = make_list(heap, ElementType::f64, 0);
    a->set_fill_kind(FillKind::none);
    return to_value(std::move(a));
  }
  if (values.size() <= most_integers && values[0].is_number())
    if (Ref<Array> integers = make_integers(heap, values)) return to_value(std::move(integers));
  if (values.size() <= most_unset_boxes) {
    bool objects = false;
    for (const Value& v : values) objects |= alone(v.bits()) >= Value::first_object;
    if (objects || are_mixed(values)) return make_few_boxes(heap, values);
  }
  if (values.size() <= most_integers) {
    if (Ref<Array> atoms = make_atoms(heap, values)) return to_value(std::move(atoms));
  }
  ElementType t = element_type_of(values[0]);
  for (std::size_t i = 1; i < values.size() && t != ElementType::boxed; i++) t = common_type(t, element_type_of(values[i]));
  Ref<Array> a = make_list(heap, t, values.size());
  if (t == ElementType::boxed) {
    // The zeros there need no release.
    for (std::size_t i = 0; i < values.size(); i++) new (a->as<Value>() + i) Value(std::move(values[i]));
  } else {
    for (std::size_t i = 0; i < values.size(); i++) store(*a, i, std::move(values[i]));
  }
  return to_value(std::move(a));
}

}  // namespace

Value make_values(Heap& heap, std::span<Value> values) {
  // Most lists are of one or two.
  if (values.size() == 1) {
    if (values[0].is_object()) return make_few_boxes(heap, values);
    if (values[0].bits() < Value::absent_bits) return Value(make_single(heap, values[0]));
  }
  if (values.size() == 2) {
    if (values[0].is_object() || values[1].is_object()) return make_few_boxes(heap, values);
    if (Array* const pair = make_natural_pair(heap, values[0], values[1])) return Value(pair);
    if (values[0].is_number() && values[1].is_number())
      return Value(make_other_pair(heap, values[0].number(), values[1].number()));
    if (Array* const pair = make_character_pair(heap, values[0], values[1])) return Value(pair);
  }
  return make_any_values(heap, values);
}

Value make_literal(Heap& heap, std::span<Value> values) {
  Value list = make_values(heap, values);
  if (is_character(list.array().type())) list.array().set_fill_kind(FillKind::none);
  return list;
}

Value make_pair(Heap& heap, Value first, Value second) {
  Value both[2] = {std::move(first), std::move(second)};
  return make_values(heap, both);
}

}  // namespace griddle
