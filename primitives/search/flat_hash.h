// Hashes of flat arrays that are compared with each other alone: of the bytes of their elements, in one type that holds them all.
#pragma once

#include <span>

#include "primitives/search/hash.h"

namespace griddle::primitives {

// What flat arrays among values hold; `type` is boxed where there are no elements, or none but arrays without elements.
struct HeldElements {
  ElementType type = ElementType::boxed;
  bool of_one_type = true;
  std::size_t longest = 0;
};

// Looks over values, after others; false where they cannot be hashed in one type.
bool add_held(std::span<const Value> values, HeldElements& held);

// Hashes the elements and shape of such an array.
Hash hash_held(const Array&, ElementType type);

}  // namespace griddle::primitives
