// Words of bits that stand at the same places of every row of a packed table, or of every other row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace griddle::kernels {

enum class RowBits {
  first_places,  // of each row
  odd_places,    // of each row
  odd_rows       // all bits of every other row, from the second on
};

// Gives them in turn, from the table's first word on.
class RowBitWords {
 public:
  RowBitWords(RowBits kind, std::size_t columns)
      : kind_(kind), columns_(columns), reach_(columns < 64 ? (64 + columns - 1) / columns * columns : columns) {
    for (std::size_t by = columns; by < 64; by *= 2) starts_ |= starts_ << by;
  }
  // Says after how many words they repeat.
  std::size_t period() const {
    if (kind_ == RowBits::odd_places && columns_ % 2 == 0) return 1;
    const std::size_t bits = kind_ == RowBits::first_places ? columns_ : 2 * columns_;
    return bits / std::gcd(bits, std::size_t{64});
  }
  std::uint64_t next() {
    constexpr std::uint64_t odd_of_word = 0xAAAAAAAAAAAAAAAA;
    const std::uint64_t starts = next_ < 64 ? starts_ << next_ : 0;
    if (next_ < 64) next_ += reach_;
    next_ -= 64;
    if (columns_ < 64 && next_ >= columns_) next_ -= columns_;
    if (kind_ == RowBits::first_places) return starts;
    const std::uint64_t rows = changed_at(starts);
    return kind_ == RowBits::odd_rows ? rows : columns_ % 2 == 0 ? odd_of_word : rows ^ odd_of_word;
  }

 private:
  // Gives bits that change wherever a row starts.
  std::uint64_t changed_at(std::uint64_t starts) {
    if (columns_ >= 64)  // one at most
      starts = 0 - starts;
    else
      for (unsigned shift = 1; shift < 64; shift *= 2) starts ^= starts << shift;
    starts ^= last_;
    last_ = 0 - (starts >> 63);
    return starts;
  }
  RowBits kind_;
  std::size_t columns_, reach_;
  std::size_t next_ = 0;  // places to the next start of a row
  std::uint64_t starts_ = 1, last_ = ~std::uint64_t{0};
};

// Calls use(first, count, these words) for blocks of the words of a table.
template <class Use>
inline void each_block_of_row_bits(RowBits kind, std::size_t columns, std::size_t words, Use use) {
  constexpr std::size_t most = 512;
  alignas(64) std::uint64_t kept[most];
  RowBitWords row_bits(kind, columns);
  const std::size_t period = row_bits.period(), block = period <= most ? most / period * period : most;
  for (std::size_t first = 0; first < words; first += block) {
    const std::size_t count = std::min(words - first, block);
    if (first == 0 || period > most) {
      const std::size_t own = std::min(count, period);
      for (std::size_t i = 0; i < own; i++) kept[i] = row_bits.next();
      for (std::size_t i = own; i < count; i *= 2) std::copy_n(kept, std::min(i, count - i), kept + i);
    }
    use(first, count, kept);
  }
}

}  // namespace griddle::kernels
