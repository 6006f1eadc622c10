// Arithmetic on bits that lie in memory as pieces of 8 to 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Combines n pieces. Pieces may lie anywhere in memory; the result may lie where an argument does.
using CombinePieces = void (*)(std::uint8_t* out, const std::uint8_t* w, const std::uint8_t* x, std::size_t n);

struct BitwiseKernels {
  // On words of 64 bits: ~x; and two arguments, or one word for all of 𝕨.
  CombinePieces logic_not;
  struct Forms {
    CombinePieces both, one_w;
  };
  Forms logic_and, logic_or, exclusive_or;
  // By the logarithm of the bytes in a piece.
  Forms add[4], subtract[4];
};

const BitwiseKernels& bitwise();

}  // namespace griddle::kernels
