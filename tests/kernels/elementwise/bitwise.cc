#include "primitives/kernels/elementwise/bitwise.h"

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Compares a kernel with the operation on one piece after the other, for both forms, off the alignment, and in place.
template <class T, class F>
void check(CombinePieces both, CombinePieces one_w, F of) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (std::size_t offset : {0, 1, 5}) {
      std::vector<std::uint8_t> w(n * sizeof(T) + sizeof(T) + offset), x(w.size()), expected(n * sizeof(T));
      for (std::uint8_t& byte : w) byte = static_cast<std::uint8_t>(random.next());
      for (std::uint8_t& byte : x) byte = static_cast<std::uint8_t>(random.next());
      for (const bool one : {false, true}) {
        const CombinePieces kernel = one ? one_w : both;
        if (kernel == nullptr) continue;
        for (std::size_t i = 0; i < n; i++) {
          T a, b;
          std::memcpy(&a, w.data() + offset + (one ? 0 : i * sizeof(T)), sizeof(T));
          std::memcpy(&b, x.data() + offset + i * sizeof(T), sizeof(T));
          const T r = static_cast<T>(of(a, b));
          std::memcpy(expected.data() + i * sizeof(T), &r, sizeof(T));
        }
        Guarded<std::uint8_t> out(expected.size(), offset);
        kernel(out.start(), w.data() + offset, x.data() + offset, n);
        CHECK(out.kept_outside(expected.size()));
        CHECK(std::equal(expected.begin(), expected.end(), out.start()));
        std::vector<std::uint8_t> in_place(x);
        kernel(in_place.data() + offset, w.data() + offset, in_place.data() + offset, n);
        CHECK(std::equal(expected.begin(), expected.end(), in_place.begin() + static_cast<std::ptrdiff_t>(offset)));
      }
    }
  });
}

template <class T>
void check_sums(std::size_t size) {
  const BitwiseKernels& k = bitwise();
  check<T>(k.add[size].both, k.add[size].one_w, [](T a, T b) { return a + b; });
  check<T>(k.subtract[size].both, k.subtract[size].one_w, [](T a, T b) { return a - b; });
}

}  // namespace

TEST_CASE("pieces of bits are combined as each piece is, on every target") {
  on_every_target([] {
    using Word = std::uint64_t;
    const BitwiseKernels& k = bitwise();
    check<Word>(k.logic_not, nullptr, [](Word, Word x) { return ~x; });
    check<Word>(k.logic_and.both, k.logic_and.one_w, [](Word w, Word x) { return w & x; });
    check<Word>(k.logic_or.both, k.logic_or.one_w, [](Word w, Word x) { return w | x; });
    check<Word>(k.exclusive_or.both, k.exclusive_or.one_w, [](Word w, Word x) { return w ^ x; });
    check_sums<std::uint8_t>(0);
    check_sums<std::uint16_t>(1);
    check_sums<std::uint32_t>(2);
    check_sums<Word>(3);
  });
}
