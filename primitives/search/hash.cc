#include "primitives/search/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/search/flat_hash.h"
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
  const auto of_parts = [&](std::initializer_list<const Value*> parts) {
    cx.check_stack();
    std::uint64_t h = hash_keys.operation ^ static_cast<std::uint64_t>(v.object()->kind);
    for (const Value* part : parts) h = combine(h, part->is_absent() ? 0 : hash_value(cx, *part).bits);
    return h;
  };
  if (v.is_function()) switch (v.object()->kind) {
      case ObjectKind::train: {
        const auto& train = static_cast<const Train&>(v.function());
        return of_parts({&train.f, &train.g, &train.h});
      }
      case ObjectKind::derived: {
        const auto& derived = static_cast<const Derived&>(v.function());
        return of_parts({&derived.modifier, &derived.f, &derived.g});
      }
      case ObjectKind::derived_block: {
        const auto& derived = static_cast<const DerivedBlock&>(v.function());
        return of_parts({&derived.modifier, &derived.f, &derived.g});
      }
      default: break;
    }
  return mix(v.bits());
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
  std::uint64_t h = hash_keys.array;
  switch (a.type()) {
    case ElementType::bit: {
      const std::uint64_t of[2] = {hash_number(0), hash_number(1)};
      for (std::size_t i = 0; i < n; i++) h = combine(h, of[a.bit(start + i)]);
      return {h};
    }
    case ElementType::i8: return {hash_numbers(h, a.as<std::int8_t>() + start, n)};
    case ElementType::i16: return {hash_numbers(h, a.as<std::int16_t>() + start, n)};
    case ElementType::i32: return {hash_numbers(h, a.as<std::int32_t>() + start, n)};
    case ElementType::f64: {
      const double* p = a.as<double>() + start;
      bool ordered = true;
      for (std::size_t i = 0; i < n; i++) ordered &= p[i] == p[i];
      return {hash_numbers(h, p, n), ordered};
    }
    case ElementType::c8: return {hash_characters(h, a.as<std::uint8_t>() + start, n)};
    case ElementType::c16: return {hash_characters(h, a.as<std::uint16_t>() + start, n)};
    case ElementType::c32: return {hash_characters(h, a.as<char32_t>() + start, n)};
    case ElementType::boxed: break;
  }
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

namespace {

// Hashes `count` words that word(i) gives and a last one, in chains that do not wait for each other: four for many words.
template <class Word>
std::uint64_t hash_words(std::size_t count, Word word, std::uint64_t last) {
  std::uint64_t h = hash_keys.array ^ count, other = hash_keys.number;
  std::size_t i = 0;
  if (count >= 16) {
    std::uint64_t third = hash_keys.array, fourth = hash_keys.character;
    for (; i + 8 <= count; i += 8) {
      h = folded_product(h ^ word(i), word(i + 1) ^ hash_keys.character);
      other = folded_product(other ^ word(i + 2), word(i + 3) ^ hash_keys.operation);
      third = folded_product(third ^ word(i + 4), word(i + 5) ^ hash_keys.number);
      fourth = folded_product(fourth ^ word(i + 6), word(i + 7) ^ hash_keys.array);
    }
    h ^= std::rotl(third, 17);
    other ^= std::rotl(fourth, 23);
  }
  for (; i + 4 <= count; i += 4) {
    h = folded_product(h ^ word(i), word(i + 1) ^ hash_keys.character);
    other = folded_product(other ^ word(i + 2), word(i + 3) ^ hash_keys.operation);
  }
  for (; i < count; i++) h = folded_product(h ^ word(i), hash_keys.character);
  return mix(folded_product(h ^ last, hash_keys.operation) ^ std::rotl(other, 31));
}

}  // namespace

Hash hash_storage(const Array& a, std::size_t start, std::size_t count) {
  if (a.type() == ElementType::f64) {
    const double* p = a.as<double>() + start;
    if (kernels::equal_as_bits(p, count))
      return {hash_words(
          count, [p](std::size_t i) { return std::bit_cast<std::uint64_t>(p[i]); }, 0)};
    // A mask as wide as the elements vectorises.
    std::int64_t disordered = 0;
    for (std::size_t i = 0; i < count; i++) disordered |= p[i] != p[i] ? std::int64_t{-1} : std::int64_t{0};
    return {hash_words(
                count, [p](std::size_t i) { return std::bit_cast<std::uint64_t>(p[i] + 0.0); }, 0),
            disordered == 0};
  }
  if (a.type() == ElementType::bit) {
    const auto* words = a.as<std::uint64_t>();
    const std::size_t whole = count / 64, rest = count % 64;
    const auto word = [=](std::size_t i) { return kernels::read_bits(words, start + 64 * i, 64); };
    return {hash_words(whole, word, rest != 0 ? kernels::read_bits(words, start + 64 * whole, rest) : 0)};
  }
  const std::size_t width = bits_of(a.type()) / 8, bytes = count * width, whole = bytes / 8;
  const std::uint8_t* p = a.data + start * width;
  std::uint64_t last = 0;
  std::memcpy(&last, p + 8 * whole, bytes % 8);
  const auto word = [p](std::size_t i) {
    std::uint64_t w;
    std::memcpy(&w, p + 8 * i, 8);
    return w;
  };
  return {hash_words(whole, word, last)};
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

bool runs_match(Context& cx, const Array& a, std::size_t i, const Array& b, std::size_t j, std::size_t n) {
  bool boxed_a = a.type() == ElementType::boxed, boxed_b = b.type() == ElementType::boxed;
  if (boxed_a && boxed_b) {
    for (std::size_t k = 0; k < n; k++)
      if (!matches(cx, a.boxes()[i + k], b.boxes()[j + k])) return false;
    return true;
  }
  if (!boxed_a && a.type() == b.type() && a.type() != ElementType::bit && a.type() != ElementType::f64) {
    std::size_t width = bits_of(a.type()) / 8;
    return std::memcmp(a.data + i * width, b.data + j * width, n * width) == 0;
  }
  if (a.type() == ElementType::bit && b.type() == ElementType::bit) {
    for (std::size_t k = 0; k < n; k += 64) {
      const std::size_t count = std::min<std::size_t>(64, n - k);
      if (kernels::read_bits(a.as<std::uint64_t>(), i + k, count) != kernels::read_bits(b.as<std::uint64_t>(), j + k, count))
        return false;
    }
    return true;
  }
  if (a.type() == ElementType::f64 && b.type() == ElementType::f64) return equal_runs(a, i, b, j, n);
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
  if (of.type() != ElementType::boxed) return hash_storage(of, start, cell_length_);
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
