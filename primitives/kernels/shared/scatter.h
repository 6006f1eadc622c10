// Elements written to places that follow one another for each key: what sorts, grades and parts of tables are made of.
#pragma once

#include <cstddef>

#include "primitives/kernels/shared/pieces.h"

namespace griddle::kernels {

template <class Element>
struct Keyed {
  std::size_t key;
  Element element;
};

// Writes the elements of at(0), at(1), ... up to at(n - 1), which gives each with its key; `next` holds the next place of each
// key. Reads some before it writes any, since a load that comes after stores to places not yet known waits for them; so equal
// neighbours cost less, too. Where results do not stay in near caches, it asks for the line that each key comes to next.
template <class At, class Place, class Out>
inline void scatter(std::size_t n, At at, Place* next, Out* out) {
  constexpr std::size_t many_bytes = std::size_t{3} << 20, line = 64 / sizeof(Out);
  const auto all = [=](auto put) {
    in_pieces(n, [=](std::size_t i, std::size_t end) {
      for (; i + 4 <= end; i += 4) {
        const auto a = at(i), b = at(i + 1), c = at(i + 2), d = at(i + 3);
        put(a), put(b), put(c), put(d);
      }
      for (; i < end; i++) put(at(i));
    });
  };
  if (n * sizeof(Out) < many_bytes)
    all([=](Keyed<Out> v) { out[next[v.key]++] = v.element; });
  else
    all([=](Keyed<Out> v) {
      const Place place = next[v.key]++;
      out[place] = v.element;
      __builtin_prefetch(out + place + line, 1);
    });
}

}  // namespace griddle::kernels
