// Hashes of any values, equal for values that match whatever their storage forms; and a table of cells by hash.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Scrambles 64 bits.
constexpr std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ull;
  return h ^ h >> 32;
}

// Multiplies, and folds both halves of the product into one.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// A hash, and whether the value can match anything: what holds a NaN does not even match itself.
struct Hash {
  std::uint64_t bits;
  bool matchable = true;
};

Hash hash_value(Context&, const Value&);
// Hashes a run of elements. The shape is not hashed.
Hash hash_run(Context&, const Array&, std::size_t start, std::size_t count);

// --- flat arrays that are compared with each other alone, by the bytes of their elements in one type that holds them all

// Hashes a run of atoms as elements of that type: equal runs have equal hashes.
Hash hash_atoms(const Array&, std::size_t start, std::size_t count, ElementType type);

// Gives the type in which values can be hashed that are flat arrays, after others with that type; boxed where there is none, or
// where there are no elements.
ElementType held_type(std::span<const Value> values, ElementType before = ElementType::boxed);

// Hashes the elements and shape of such an array.
Hash hash_held(const Array&, ElementType type);

// Tells whether two runs of elements match one by one.
bool runs_match(Context&, const Array& a, std::size_t start_a, const Array& b, std::size_t start_b, std::size_t count);

// Numbers the different cells of one array, or of several of the same type with cells of the same length, in order of appearance.
class CellNumbers {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  // `expected` cells at least have room from the start. Where all boxes hash as arrays of one type, `held` is it.
  CellNumbers(Context& cx, const Array& cells, std::size_t cell_length, std::size_t expected,
              ElementType held = ElementType::boxed);
  // Give the number of a cell of the array; a new one gets the next number.
  std::uint32_t insert(std::size_t cell) { return insert(cell, hash_cell(cells_, cell * cell_length_)); }
  void insert(std::size_t first, std::size_t count, std::uint32_t* numbers);
  // Give the number of an equal cell that was inserted, or `none`.
  std::uint32_t find(const Array& other, std::size_t start) const { return find(other, start, hash_cell(other, start)); }
  void find(const Array& other, std::size_t first, std::size_t count, std::uint32_t* numbers) const;
  // Tells how many different cells were inserted.
  std::size_t size() const { return firsts_.size(); }
  // Tells whether every cell that was inserted matches itself.
  bool all_matchable() const { return all_matchable_; }

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint32_t number;
  };
  static std::size_t first_slots(std::size_t cells);
  // Cells that are hashed before the first of them is looked up, so that none waits for another's slot.
  static constexpr std::size_t at_once = 16;
  Hash hash_cell(const Array& of, std::size_t start) const;
  void hash_cells(const Array& of, std::size_t first, std::size_t count, Hash* hashes) const;
  std::uint32_t insert(std::size_t cell, Hash);
  std::uint32_t find(const Array& other, std::size_t start, Hash) const;
  void grow();
  bool cells_match(std::size_t first, const Array& other, std::size_t start) const;
  std::uint32_t look(Hash, const Array&, std::size_t start, std::size_t& slot) const;
  Context& cx_;
  const Array& cells_;
  std::size_t cell_length_;
  ElementType held_;
  bool all_matchable_ = true;
  std::vector<Slot> slots_;
  std::vector<std::size_t> firsts_;  // start of the first cell of each number
};

}  // namespace griddle::primitives
