#include "primitives/search/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/prefetch.h"
#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/structure/match.h"
#include "runtime/value/few.h"
#include "runtime/value/function.h"

namespace griddle::primitives {
namespace {

using kernels::hash_keys;

std::uint64_t hash_number(double d) {
  return folded_product(std::bit_cast<std::uint64_t>(d + 0.0) ^ hash_keys.number, hash_keys.factor);
}
std::uint64_t hash_character(char32_t c) { return folded_product(c ^ hash_keys.character, hash_keys.factor); }
// Adds a hash.
std::uint64_t combine(std::uint64_t h, std::uint64_t next) { return (std::rotl(h, 23) ^ next) * hash_keys.step; }
// Adds a word, whose difference from another one somebody may have chosen.
std::uint64_t add_word(std::uint64_t h, std::uint64_t word) { return folded_product(h ^ word, hash_keys.step); }

// Operations that are built alike may be equal without being the same object.
[[gnu::noinline]] std::uint64_t hash_operation(Context& cx, const Value& v) {
  const Value* parts[3];
  if (!v.is_function() || !parts_of(v.function(), parts)) return mix(v.bits());
  cx.check_stack();
  std::uint64_t h = hash_keys.operation ^ static_cast<std::uint64_t>(v.object()->kind);
  for (const Value* part : parts) h = combine(h, part->is_absent() ? 0 : hash_value(cx, *part).bits);
  return h;
}

template <class T>
std::uint64_t hash_numbers(std::uint64_t h, const T* p, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) h = combine(h, hash_number(static_cast<double>(p[i])));
  return h;
}
// Reads up to 8 characters below 256, the first as the lowest byte.
template <class T>
std::uint64_t text_word(const T* p, std::size_t n) {
  std::uint64_t word = 0;
  if constexpr (sizeof(T) == 1) {
    if (n == 8) {
      std::memcpy(&word, p, 8);
      return word;
    }
  }
  for (std::size_t i = 0; i < n; i++) word |= static_cast<std::uint64_t>(p[i]) << 8 * i;
  return word;
}
// Hashes characters below 256 eight at a time, and others one by one: equal texts of any type give the same.
template <class T>
std::uint64_t hash_characters(std::uint64_t h, const T* p, std::size_t n) {
  // Empty lists match whatever kind they are of.
  if (n == 0) return h;
  T all = 0;
  if constexpr (sizeof(T) > 1)
    for (std::size_t i = 0; i < n; i++) all |= p[i];
  if (all < 256) {
    h ^= hash_keys.character;
    for (; n >= 8; p += 8, n -= 8) h = add_word(h, text_word(p, 8));
    return n != 0 ? add_word(h, text_word(p, n)) : h;
  }
  for (std::size_t i = 0; i < n; i++) h = combine(h, hash_character(p[i]));
  return h;
}

}  // namespace

Hash hash_run(Context& cx, const Array& a, std::size_t start, std::size_t n) {
  const std::uint64_t h = hash_keys.array;
  if (a.type() != ElementType::boxed)
    return with_type(a.type(), [&]<class T>(std::type_identity<T>) -> Hash {
      if constexpr (std::is_same_v<T, Bit>) {
        const std::uint64_t of[2] = {hash_number(0), hash_number(1)};
        std::uint64_t all = h;
        for (std::size_t i = 0; i < n; i++) all = combine(all, of[a.bit(start + i)]);
        return {all};
      } else if constexpr (std::is_unsigned_v<T>) {
        return {hash_characters(h, a.as<T>() + start, n)};
      } else if constexpr (std::is_arithmetic_v<T>) {
        const T* const p = a.as<T>() + start;
        return {hash_numbers(h, p, n), std::none_of(p, p + n, [](T t) { return t != t; })};
      }
      return {h};
    });
  const std::span<const Value> values = a.boxes().subspan(start, n);
  // Characters that stand in boxes match a text, and are hashed like one.
  if (std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_character(); })) {
    Few<char32_t> text(n);
    for (std::size_t i = 0; i < n; i++) text[i] = values[i].character();
    return {hash_characters(h, text.data(), n)};
  }
  Hash all{h};
  for (const Value& v : values) {
    Hash one = hash_value(cx, v);
    all.bits = combine(all.bits, one.bits);
    all.matchable &= one.matchable;
  }
  return all;
}

Hash hash_value(Context& cx, const Value& v) {
  if (v.is_number()) return {hash_number(v.number()), v.number() == v.number()};
  if (v.is_character()) return {hash_character(v.character())};
  if (!v.is_array()) return {hash_operation(cx, v)};
  cx.check_stack();
  Hash h = hash_run(cx, v.array(), 0, v.array().length);
  for (std::size_t n : v.array().shape()) h.bits = combine(h.bits, n);
  h.bits = mix(h.bits);
  return h;
}

// --- flat arrays

namespace {

template <class Word>
std::uint64_t word_at(const std::uint8_t* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Reads one byte at least; the last ones may be read twice. What each pair of words adds does not wait for the others.
std::uint64_t hash_bytes(const std::uint8_t* bytes, std::size_t n) {
  std::uint64_t h = hash_keys.array ^ n * hash_keys.step, place = hash_keys.step;
  if (n < 4) return folded_product(h ^ (bytes[0] | bytes[n / 2] << 8 | bytes[n - 1] << 16), hash_keys.step);
  if (n < 8)
    return folded_product(h ^ word_at<std::uint32_t>(bytes), hash_keys.step ^ word_at<std::uint32_t>(bytes + n - 4) << 32);
  if (n < 16) return folded_product(h ^ word_at<std::uint64_t>(bytes), hash_keys.step ^ word_at<std::uint64_t>(bytes + n - 8));
  std::uint64_t sum = 0;
  const auto add = [&](const std::uint8_t* at) {
    sum += folded_product(word_at<std::uint64_t>(at) ^ h, word_at<std::uint64_t>(at + 8) ^ place);
    place += hash_keys.step;
  };
  for (std::size_t i = 0; i + 16 < n; i += 16) add(bytes + i);
  add(bytes + n - 16);
  return sum;
}

// Writes elements as T; gives false where one is NaN.
template <class T>
bool convert(const Array& a, std::size_t start, std::size_t count, T* to) {
  bool ordered = true;
  with_type(a.type(), [&]<class From>(std::type_identity<From>) {
    if constexpr (std::is_same_v<From, Bit>)
      for (std::size_t i = 0; i < count; i++) to[i] = static_cast<T>(a.bit(start + i));
    else if constexpr (std::is_arithmetic_v<From>)
      for (std::size_t i = 0; i < count; i++) {
        // There is no negative zero.
        to[i] = static_cast<T>(a.as<From>()[start + i] + From{0});
        ordered &= to[i] == to[i];
      }
  });
  return ordered;
}

// Hashes elements that are of another type, or of which equal ones may have different bytes.
Hash hash_converted(const Array& a, std::size_t start, std::size_t count, ElementType type) {
  constexpr std::size_t near = 64;
  const std::size_t words = bytes_for(type, count) / sizeof(std::uint64_t) + 1;
  std::uint64_t room[near];
  Few<std::uint64_t> more(words > near ? words : 0);
  std::uint64_t* const to = words > near ? more.data() : room;
  bool ordered = true;
  with_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit>) {
      for (std::size_t i = 0; i < count; i += 64)
        to[i / 64] = kernels::read_bits(a.as<std::uint64_t>(), start + i, std::min<std::size_t>(64, count - i));
    } else if constexpr (std::is_arithmetic_v<T>) {
      ordered = convert(a, start, count, reinterpret_cast<T*>(to));
    }
  });
  return {hash_bytes(reinterpret_cast<const std::uint8_t*>(to), bytes_for(type, count)), ordered};
}

}  // namespace

Hash hash_atoms(const Array& a, std::size_t start, std::size_t count, ElementType type) {
  if (count == 0) return {hash_keys.array};
  const bool by_bytes = a.type() == type && type != ElementType::bit &&
                        (type != ElementType::f64 || kernels::equal_as_bits(a.as<double>() + start, count));
  return by_bytes ? Hash{hash_bytes(a.data + start * (bits_of(type) / 8), bytes_for(type, count))}
                  : hash_converted(a, start, count, type);
}

ElementType held_type(std::span<const Value> values, ElementType before) {
  ElementType type = before;
  for (const Value& v : values) {
    fetch_ahead(&v, values.data() + values.size());
    if (!v.is_array() || v.array().type() == ElementType::boxed) return ElementType::boxed;
    const Array& a = v.array();
    // Arrays without elements match whatever their type.
    if (a.length == 0) continue;
    if (type == ElementType::boxed) type = a.type();
    if (is_character(a.type()) != is_character(type)) return ElementType::boxed;
    type = wider(type, a.type());
  }
  return type;
}

Hash hash_held(const Array& a, ElementType type) {
  Hash h = hash_atoms(a, 0, a.length, type);
  // The number of elements is hashed with them.
  if (a.rank() != 1)
    for (std::size_t n : a.shape()) h.bits = folded_product(h.bits ^ n, hash_keys.step);
  h.bits = folded_product(h.bits ^ a.rank(), hash_keys.array);
  return h;
}

// --- cells

bool runs_match(Context& cx, const Array& a, std::size_t i, const Array& b, std::size_t j, std::size_t n) {
  bool boxed_a = a.type() == ElementType::boxed, boxed_b = b.type() == ElementType::boxed;
  if (boxed_a && boxed_b) {
    for (std::size_t k = 0; k < n; k++)
      if (!matches(cx, a.boxes()[i + k], b.boxes()[j + k])) return false;
    return true;
  }
  if (!boxed_a && a.type() == b.type()) return equal_runs(a, i, b, j, n);
  for (std::size_t k = 0; k < n; k++)
    if (!equal_atoms(element(a, i + k), element(b, j + k))) return false;
  return true;
}

CellNumbers::CellNumbers(Context& cx, const Array& cells, std::size_t cell_length, std::size_t expected, ElementType held)
    : cx_(cx), cells_(cells), cell_length_(cell_length), held_(held), slots_(first_slots(expected), Slot{0, none}) {
  firsts_.reserve(slots_.size() / 2);
}

std::size_t CellNumbers::first_slots(std::size_t cells) { return std::bit_ceil(std::clamp<std::size_t>(2 * cells, 64, 1024)); }

bool CellNumbers::cells_match(std::size_t first, const Array& other, std::size_t start) const {
  if (held_ != ElementType::boxed) {
    const Array &a = cells_.as<Value>()[first].array(), &b = other.as<Value>()[start].array();
    const ElementType type = a.type();
    if (type == b.type() && type != ElementType::f64 && type != ElementType::bit && a.is_list() && b.is_list())
      return a.length == b.length && kernels::equal_bytes(a.data, b.data, a.length << (log2_bits_of(type) - 3));
  }
  return runs_match(cx_, cells_, first, other, start, cell_length_);
}

std::uint32_t CellNumbers::look(Hash hash, const Array& other, std::size_t start, std::size_t& slot) const {
  std::size_t mask = slots_.size() - 1;
  for (slot = hash.bits & mask; slots_[slot].number != none; slot = (slot + 1) & mask)
    if (slots_[slot].hash == hash.bits && cells_match(firsts_[slots_[slot].number], other, start)) return slots_[slot].number;
  return none;
}

Hash CellNumbers::hash_cell(const Array& of, std::size_t start) const {
  if (held_ != ElementType::boxed) return hash_held(of.boxes()[start].array(), held_);
  if (cell_length_ == 1 && of.type() == ElementType::boxed) return hash_value(cx_, of.boxes()[start]);
  if (of.type() != ElementType::boxed) return hash_atoms(of, start, cell_length_, of.type());
  Hash hash = hash_run(cx_, of, start, cell_length_);
  hash.bits = mix(hash.bits);
  return hash;
}

void CellNumbers::hash_cells(const Array& of, std::size_t first, std::size_t count, Hash* hashes) const {
  for (std::size_t i = 0; i < count; i++) {
    hashes[i] = hash_cell(of, (first + i) * cell_length_);
    __builtin_prefetch(&slots_[hashes[i].bits & (slots_.size() - 1)]);
  }
}

std::uint32_t CellNumbers::insert(std::size_t cell, Hash hash) {
  const std::size_t start = cell * cell_length_;
  auto next = static_cast<std::uint32_t>(firsts_.size());
  all_matchable_ &= hash.matchable;
  if (hash.matchable) {
    std::size_t slot;
    std::uint32_t found = look(hash, cells_, start, slot);
    if (found != none) return found;
    slots_[slot] = {hash.bits, next};
  }
  firsts_.push_back(start);
  if (2 * firsts_.size() > slots_.size()) grow();
  return next;
}

void CellNumbers::insert(std::size_t first, std::size_t count, std::uint32_t* numbers) {
  Hash hashes[at_once];
  for (std::size_t i = 0; i < count; i += at_once) {
    const std::size_t some = std::min(at_once, count - i);
    hash_cells(cells_, first + i, some, hashes);
    for (std::size_t k = 0; k < some; k++) numbers[i + k] = insert(first + i + k, hashes[k]);
  }
}

std::uint32_t CellNumbers::find(const Array& other, std::size_t start, Hash hash) const {
  std::size_t slot;
  return hash.matchable ? look(hash, other, start, slot) : none;
}

void CellNumbers::find(const Array& other, std::size_t first, std::size_t count, std::uint32_t* numbers) const {
  Hash hashes[at_once];
  for (std::size_t i = 0; i < count; i += at_once) {
    const std::size_t some = std::min(at_once, count - i);
    hash_cells(other, first + i, some, hashes);
    for (std::size_t k = 0; k < some; k++) numbers[i + k] = find(other, (first + i + k) * cell_length_, hashes[k]);
  }
}

void CellNumbers::grow() {
  std::vector<Slot> bigger(2 * slots_.size(), Slot{0, none});
  std::size_t mask = bigger.size() - 1;
  for (const Slot& s : slots_)
    if (s.number != none) {
      std::size_t i = s.hash & mask;
      while (bigger[i].number != none) i = (i + 1) & mask;
      bigger[i] = s;
    }
  slots_ = std::move(bigger);
}

}  // namespace griddle::primitives
