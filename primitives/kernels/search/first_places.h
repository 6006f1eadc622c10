// First places of equal keys, by a table of places that is written and read without a branch for each key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Keys are 32 or 64 bits wide, places 16 or 32. One bit of a place says more: of longer lists wider places are needed.
template <class Place>
inline constexpr std::size_t most_placed_keys = static_cast<Place>(-1) >> 1;

// Memory for the places of n keys, which needs no initial values.
template <class Place>
struct PlaceMemory {
  Place* slots;   // 2⋆slot_bits of them
  Place* second;  // as many for `prepare`, none for the others
  Place* others;  // n
  unsigned slot_bits;
};
// Gives how many bits number the slots for n keys.
unsigned place_slot_bits(std::size_t n);

// Where keys of a list stand first: each is looked up in `slots`, and in `second` where several belong to its slot.
template <class Key, class Place>
struct KeyPlaces {
  const Key* list;
  std::size_t n;
  PlaceMemory<Place> memory;
  unsigned second_bits;
};

template <class Key, class Place>
struct PlaceFunctions {
  using Memory = PlaceMemory<Place>;
  using Places = KeyPlaces<Key, Place>;
  // Writes a bit for each of n keys, set where no earlier one is equal.
  void (*mark_first)(const Key* x, std::size_t n, const Memory&, std::uint64_t* marks);
  // Numbers different keys in order of appearance; tells how many there are. Needs a bit for each key in `marks`, too.
  std::size_t (*classify)(const Key* x, std::size_t n, const Memory&, std::uint64_t* marks, Place* numbers);
  // Enters the list.
  void (*prepare)(Places&);
  // Writes a bit for each key that is in the list.
  void (*match)(const Places&, const Key* x, std::size_t n, std::uint64_t* out);
  // Writes the first place of each key in the list, or its length.
  void (*find)(const Places&, const Key* x, std::size_t n, Place* out);
};
const PlaceFunctions<std::uint32_t, std::uint16_t>& place_functions(std::uint32_t, std::uint16_t);
const PlaceFunctions<std::uint64_t, std::uint16_t>& place_functions(std::uint64_t, std::uint16_t);
const PlaceFunctions<std::uint32_t, std::uint32_t>& place_functions(std::uint32_t, std::uint32_t);
const PlaceFunctions<std::uint64_t, std::uint32_t>& place_functions(std::uint64_t, std::uint32_t);

}  // namespace griddle::kernels
