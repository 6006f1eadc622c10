// First places of equal keys, by a table of places that is written and read without a branch for each key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Keys are 32 or 64 bits wide. Of up to so many, places fit 15 bits.
inline constexpr std::size_t most_placed_keys = 0x7FFF;

// Memory for the places of n keys, which needs no initial values.
struct PlaceMemory {
  static unsigned bits_for(std::size_t n);
  std::uint16_t* slots;   // 2⋆slot_bits of them
  std::uint16_t* second;  // as many for `prepare`, none for the others
  std::uint16_t* others;  // n
  unsigned slot_bits;     // what bits_for gives
};

// Where keys of a list stand first: each is looked up in `slots`, and in `second` where several belong to its slot.
template <class Key>
struct KeyPlaces {
  const Key* list;
  std::size_t n;
  PlaceMemory memory;
  unsigned second_bits;
};

template <class Key>
struct PlaceFunctions {
  // Writes a bit for each of n keys, set where no earlier one is equal.
  void (*mark_first)(const Key* x, std::size_t n, const PlaceMemory&, std::uint64_t* marks);
  // Numbers different keys in order of appearance; tells how many there are. Needs a bit for each key in `marks`, too.
  std::size_t (*classify)(const Key* x, std::size_t n, const PlaceMemory&, std::uint64_t* marks, std::uint16_t* numbers);
  // Enters the list.
  void (*prepare)(KeyPlaces<Key>&);
  // Writes a bit for each key that is in the list.
  void (*match)(const KeyPlaces<Key>&, const Key* x, std::size_t n, std::uint64_t* out);
  // Writes the first place of each key in the list, or its length.
  void (*find)(const KeyPlaces<Key>&, const Key* x, std::size_t n, std::uint16_t* out);
};
const PlaceFunctions<std::uint32_t>& place_functions(std::uint32_t);
const PlaceFunctions<std::uint64_t>& place_functions(std::uint64_t);

}  // namespace griddle::kernels
