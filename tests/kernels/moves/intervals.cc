#include "primitives/kernels/moves/intervals.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "primitives/kernels/shared/bit_runs.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

using Numbers = std::vector<std::int32_t>;

IntegerList list_of(const Numbers& numbers) { return {ElementType::i32, numbers.data()}; }

// Counts of one kind: those that kernels treat apart, and those that change from one interval to the next.
Numbers counts_of(int kind, Random& random) {
  const auto any = [&](std::size_t n, std::uint32_t limit) {
    Numbers counts(n);
    for (auto& c : counts) c = static_cast<std::int32_t>(random.next() % limit);
    return counts;
  };
  switch (kind) {
    case 0: return {};
    case 1: return Numbers(3000, 0);
    case 2: return {5000};
    case 3: return any(1300, 4);
    case 4: return any(1300, 17);
    case 5: return any(511, 40);
    case 6: return any(200, 150);
    case 7: {  // few are long
      Numbers counts = any(1025, 3);
      for (std::size_t i = 0; i < counts.size(); i += 97) counts[i] = static_cast<std::int32_t>(random.next() % 4000);
      return counts;
    }
    default: {  // a long one between many empty ones
      Numbers counts(1100, 0);
      counts[600] = 3000;
      counts[1099] = 1;
      return counts;
    }
  }
}
constexpr int kinds = 9;

// Places of intervals in any order, with `gap` cells between them. Gives one more than the last place.
std::size_t lay_apart(const Numbers& counts, std::int32_t gap, Random& random, Numbers& places) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; i--) std::swap(order[i - 1], order[random.next() % i]);
  places.resize(counts.size());
  std::int32_t at = gap;
  for (const std::size_t i : order) {
    places[i] = at;
    at += counts[i] + gap;
  }
  return static_cast<std::size_t>(at);
}

struct Sample {
  Numbers counts, gather, scatter;
  std::size_t readable = 0, written;
  bool gathers, scatters;

  Sample(Numbers c, bool gathers, bool scatters, std::int32_t gap, Random& random)
      : counts(std::move(c)), gather(counts.size()), gathers(gathers), scatters(scatters) {
    const auto total = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0));
    readable = gathers ? std::max<std::size_t>(5000, total / 2) : total;
    std::exclusive_scan(counts.begin(), counts.end(), gather.begin(), 0);
    if (gathers)
      for (std::size_t i = 0; i < counts.size(); i++)
        gather[i] = static_cast<std::int32_t>(random.next() % (readable - static_cast<std::size_t>(counts[i]) + 1));
    written = total;
    scatter.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), scatter.begin(), 0);
    if (scatters) written = lay_apart(counts, gap, random, scatter);
  }
  Intervals intervals() const {
    Intervals all{counts.size(), list_of(counts), {}, {}};
    if (gathers) all.gather = list_of(gather);
    if (scatters) all.scatter = list_of(scatter);
    return all;
  }
  // Calls f(place, where it is read) for each cell.
  template <class F>
  void each_cell(F f) const {
    for (std::size_t i = 0; i < counts.size(); i++)
      for (std::int32_t k = 0; k < counts[i]; k++)
        f(static_cast<std::size_t>(scatter[i] + k), static_cast<std::size_t>(gather[i] + k));
  }
};

template <class F>
void for_samples(F f) {
  Random random;
  for (int kind = 0; kind < kinds; kind++)
    for (const auto& [gathers, scatters, gap] :
         {std::tuple(true, false, 0), std::tuple(false, true, 0), std::tuple(true, true, 0), std::tuple(true, true, 3)}) {
      const Sample s(counts_of(kind, random), gathers, scatters, gap, random);
      INFO("counts of kind ", kind, ", gathers ", gathers, ", scatters ", scatters, ", gap ", gap);
      f(s);
    }
}

void check_bytes(const Sample& s, std::size_t cell, std::size_t offset) {
  // No byte behind the source may be read: sanitizers see that.
  std::vector<std::uint8_t> from(s.readable * cell + offset);
  for (std::size_t i = 0; i < from.size(); i++) from[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  Guarded<std::uint8_t> to(s.written * cell, offset);
  std::vector<std::uint8_t> expected(s.written * cell, 0xA5);
  s.each_cell([&](std::size_t place, std::size_t at) {
    std::copy_n(from.data() + offset + at * cell, cell, expected.data() + place * cell);
  });
  const Intervals all = s.intervals();
  const IntervalSurvey found = interval_kernels().survey(all, s.readable, s.written);
  CHECK(found.first_wrong == all.n);
  interval_kernels().move(to.start(), from.data() + offset, s.readable, cell * 8, all, found);
  CHECK(std::equal(expected.begin(), expected.end(), to.start()));
  CHECK(to.kept_outside(s.written * cell));
}

}  // namespace

TEST_CASE("intervals of cells of any width are moved, and no byte beside them, on every target") {
  on_every_target([] {
    for_samples([](const Sample& s) {
      for (const std::size_t cell : {1, 2, 3, 4, 8, 24})
        for (const std::size_t offset : {0, 1, 9}) check_bytes(s, cell, offset);
    });
  });
}

TEST_CASE("intervals of bits are moved, and no bit beside them, on every target") {
  on_every_target([] {
    for_samples([](const Sample& s) {
      for (const std::size_t cell : {1, 3, 8, 70}) {
        Random random;
        std::vector<std::uint64_t> from((s.readable * cell + 63) / 64), to((s.written * cell + 63) / 64 + 1);
        for (auto* words : {&from, &to})
          for (std::uint64_t& word : *words)
            word = std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next();
        std::vector<std::uint64_t> expected = to;
        s.each_cell([&](std::size_t place, std::size_t at) {
          for (std::size_t k = 0; k < cell; k++)
            write_bit(expected.data(), place * cell + k, read_bit(from.data(), at * cell + k));
        });
        const Intervals all = s.intervals();
        interval_kernels().move(to.data(), from.data(), s.readable, cell, all,
                                interval_kernels().survey(all, s.readable, s.written));
        CHECK(to == expected);
      }
    });
  });
}

TEST_CASE("a million empty intervals move nothing, wherever they lie") {
  on_every_target([] {
    constexpr std::size_t n = 1000000;
    Numbers counts(n), places(n, -1);
    counts[n - 1] = 2;
    places[n - 1] = 1;
    const Intervals all{n, list_of(counts), list_of(places), {}};
    std::uint16_t from[3] = {1, 2, 3}, to[3] = {};
    const IntervalSurvey found = interval_kernels().survey(all, 3, 3);
    CHECK(found.first_wrong == n);
    CHECK(found.total == 2);
    interval_kernels().move(to, from, 3, 16, all, found);
    CHECK(to[0] == 2);
    CHECK(to[1] == 3);
    CHECK(to[2] == 0);
  });
}

TEST_CASE("numbers of intervals are read in every storage form") {
  on_every_target([] {
    Random random;
    for (const std::size_t n : {1, 63, 64, 511, 512, 513, 1500}) {
      std::vector<std::uint64_t> bits(n / 64 + 1);
      std::vector<std::int8_t> bytes(n);
      std::vector<std::int16_t> shorts(n);
      Numbers integers(n);
      std::vector<double> doubles(n);
      for (std::size_t i = 0; i < n; i++) {
        const bool bit = random.next() % 2;
        write_bit(bits.data(), i, bit);
        bytes[i] = bit, shorts[i] = bit, integers[i] = bit, doubles[i] = bit;
      }
      const auto total = static_cast<std::size_t>(std::accumulate(integers.begin(), integers.end(), 0));
      for (const IntegerList& list :
           {IntegerList{ElementType::bit, bits.data()}, IntegerList{ElementType::i8, bytes.data()},
            IntegerList{ElementType::i16, shorts.data()}, list_of(integers), IntegerList{ElementType::f64, doubles.data()}}) {
        const IntervalSurvey found = interval_kernels().survey({n, list, {}, list}, n, n + 1);
        CHECK(found.first_wrong == n);
        CHECK(found.total == total);
        CHECK(found.end == (total == 0 ? 0 : 2));
      }
    }
  });
}

TEST_CASE("the first interval that is wrong is found wherever it is, and sums say what all need") {
  on_every_target([] {
    for (const std::size_t n : {1, 2, 7, 8, 9, 100, 512, 513, 1100}) {
      Numbers counts(n, 3), gather(n, 7), scatter(n);
      for (std::size_t i = 0; i < n; i++) scatter[i] = static_cast<std::int32_t>(4 * i);
      const auto found = [&] {
        return interval_kernels().survey({n, list_of(counts), list_of(gather), list_of(scatter)}, 10, 4 * n);
      };
      CHECK(found().first_wrong == n);
      CHECK(found().total == 3 * n);
      CHECK(found().longest == 3);
      CHECK(found().end == 4 * n - 1);
      CHECK(found().ascending);
      bool right = true;
      for (std::size_t i = 0; i < n; i += 1 + n / 50) {
        const auto is_wrong = [&](Numbers& list, std::int32_t number, std::size_t first) {
          std::swap(list[i], number);
          right = right && found().first_wrong == first;
          std::swap(list[i], number);
        };
        is_wrong(counts, -1, i);
        is_wrong(counts, 4, i);
        is_wrong(gather, 8, i);
        is_wrong(gather, -1, i);
        is_wrong(gather, std::numeric_limits<std::int32_t>::max(), i);
        is_wrong(scatter, -1, i);
        is_wrong(scatter, static_cast<std::int32_t>(4 * n - 2), i);
        counts[i] = 0;
        is_wrong(gather, -1, n);
        is_wrong(scatter, 1000000, n);
        counts[i] = 3;
        if (i == 0) continue;
        std::swap(scatter[i], scatter[i - 1]);
        right = right && !found().ascending;
        std::swap(scatter[i], scatter[i - 1]);
      }
      CHECK(right);
    }
  });
}

TEST_CASE("the first interval that is written over an earlier one is found") {
  on_every_target([] {
    Random random;
    Numbers scatter;
    const Numbers counts = counts_of(7, random);
    const std::size_t cells = lay_apart(counts, 0, random, scatter);
    const auto first = [&] {
      std::vector<std::uint64_t> marks(cells / 64 + 1);
      const std::size_t found = interval_kernels().mark({counts.size(), list_of(counts), {}, list_of(scatter)}, marks.data());
      if (found < counts.size()) return found;
      for (std::size_t i = 0; i < cells + 10; i++) CHECK(read_bit(marks.data(), i) == (i < cells));
      return found;
    };
    CHECK(first() == counts.size());
    for (std::size_t i = 1; i < counts.size(); i += 13) {
      if (counts[i] == 0) continue;
      const std::int32_t kept = scatter[i];
      std::size_t other = 0;
      while (counts[other] == 0 || other == i) other++;
      scatter[i] = std::min(scatter[other] + counts[other] - 1, static_cast<std::int32_t>(cells) - counts[i]);
      CHECK(first() <= std::max(i, other));
      CHECK(first() < counts.size());
      scatter[i] = kept;
    }
  });
}
