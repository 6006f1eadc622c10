// Occurrence count and Progressive index of ⊒.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/search/cell_keys.h"
#include "primitives/search/key_table.h"
#include "primitives/search/searching.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

namespace {

// Of each bit, how many of its kind came before: of the others before it, those that are no ones are zeros.
Value count_bits(Context& cx, const Array& bits) {
  const std::size_t n = bits.length;
  IndexList out(cx.heap, n - 1, bits.shape());
  const auto* words = bits.as<std::uint64_t>();
  out.fill([&]<class Out>(Out* to) {
    if constexpr (std::is_integral_v<Out>) {
      constexpr std::size_t block = 1024;
      // The last one of all may be one too many for the type.
      using Count = std::make_unsigned_t<Out>;
      Count ones[block + 1] = {};
      kernels::ElementsDone done;
      for (std::size_t i = 0; i < n; i += block) {
        const std::size_t count = std::min(block, n - i);
        done.add(count);
        kernels::bit_sums().sums[sizeof(Out) / 2](ones + 1, words + i / 64, count, static_cast<std::int32_t>(ones[0]));
        for (std::size_t k = 0; k < count; k++) {
          const auto zeros = static_cast<Count>(i + k - ones[k]), is_one = static_cast<Count>(ones[k] - ones[k + 1]);
          to[i + k] = static_cast<Out>(zeros ^ ((zeros ^ ones[k]) & is_one));
        }
        ones[0] = ones[count];
      }
    } else {
      std::size_t ones = 0;
      for (std::size_t i = 0; i < n; i++) {
        const bool one = words[i >> 6] >> (i & 63) & 1;
        to[i] = static_cast<Out>(one ? ones : i - ones);
        ones += one;
      }
    }
  });
  return out.finish();
}

// Keys that lie in a range no longer than their list. A range of 0 stands for any others.
template <class Key>
struct Near {
  Key low = 0;
  std::size_t range = 0;
  std::size_t place(Key k) const { return static_cast<std::size_t>(static_cast<Key>(k - low)); }
};
template <class Key>
Near<Key> range_of(const Key* keys, std::size_t n) {
  if (sizeof(Key) > 4 || n < tuning().fewest_counted_near) return {};
  if constexpr (sizeof(Key) == 1) return {0, 256};
  constexpr ElementType type = sizeof(Key) == 2 ? ElementType::i16 : ElementType::i32;
  const kernels::Bounds bounds = kernels::bounds_of(type, keys, n);
  const auto range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
  if (range > n) return {};
  return {static_cast<Key>(bounds.low), range};
}

// Tells whether neighbours among some keys are often equal, so that one count would wait for the other.
template <class Key>
bool often_repeats(const Key* keys, std::size_t n) {
  constexpr std::size_t looks = 64, many = 16;
  std::size_t equal = 0;
  for (std::size_t k = 0; k < looks; k++) {
    const Key* some = keys + k * (n - 3) / looks;
    equal += (some[0] == some[1]) + (some[0] == some[2]);
  }
  return equal >= many;
}

template <class Key, class Out>
[[gnu::noinline]] void count_all(const Key* keys, std::size_t n, Key low, std::uint32_t* counts, Out* to) {
  const auto count_one = [=](std::size_t i) {
    std::uint32_t& count = counts[sizeof(Key) == 1 ? keys[i] : static_cast<Key>(keys[i] - low)];
    return static_cast<std::make_unsigned_t<Out>>(count++);
  };
  // Stores bind this: results are stored a word at a time.
  constexpr std::size_t in_word = sizeof(std::uint64_t) / sizeof(Out);
  kernels::in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i + in_word <= end; i += in_word) {
      std::uint64_t word = 0;
#pragma GCC unroll 8
      for (std::size_t k = 0; k < in_word; k++) word |= std::uint64_t{count_one(i + k)} << 8 * sizeof(Out) * k;
      std::memcpy(to + i, &word, sizeof word);
    }
    for (; i < end; i++) to[i] = static_cast<Out>(count_one(i));
  });
}

// Guesses how often the most usual key comes, from some of them.
template <class Key>
std::size_t most_expected(const Key* keys, std::size_t n, std::size_t range) {
  constexpr std::size_t looks = 256, places = 256, doubtful = 8;
  if (n < 8 * looks) return 4 * (n / range) + 16;
  std::uint16_t counts[places] = {}, most = 0;
  for (std::size_t k = 0; k < looks; k++) most = std::max(most, ++counts[static_cast<std::uint8_t>(keys[k * (n / looks)])]);
  return (most + doubtful) * (n / looks);
}

// Counts how often each key came before in one pass, where counts can be expected to fit so narrow a type; absent if they do not.
template <class Out, class Key>
Value count_at_once(Context& cx, const Key* keys, std::size_t n, Near<Key> near) {
  Ref<Array> counts = make_list(cx.heap, ElementType::i32, near.range);
  std::uint32_t* count = counts->as<std::uint32_t>();
  std::memset(count, 0, near.range * sizeof(std::uint32_t));
  IndexList out(cx.heap, std::numeric_limits<Out>::max(), {&n, 1});
  count_all(keys, n, near.low, count, out.array().as<Out>());
  const auto end = static_cast<std::size_t>(kernels::bounds_of(ElementType::i32, count, near.range).high);
  if (end > static_cast<std::size_t>(std::numeric_limits<Out>::max()) + 1) return Value();
  out.limit(end);
  return out.finish();
}
template <class Key>
Value count_at_once(Context& cx, const Key* keys, std::size_t n) {
  const Near<Key> near = range_of(keys, n);
  if (near.range == 0 || often_repeats(keys, n)) return Value();
  const std::size_t expected = most_expected(keys, n, near.range);
  if (expected < 127)
    if (Value found = count_at_once<std::int8_t>(cx, keys, n, near); !found.is_absent()) return found;
  if (expected < 32767) return count_at_once<std::int16_t>(cx, keys, n, near);
  return n >> 31 == 0 ? count_at_once<std::int32_t>(cx, keys, n, near) : Value();
}

// Counts the same where keys repeat: four parts of the list go on at once, each with counts of its own, because equal keys wait
// for each other. False where keys are few or far from each other.
template <class Key>
bool count_in_parts(Context& cx, const Key* keys, std::size_t n, IndexList& out) {
  constexpr std::size_t parts = 4;
  const Near<Key> near = range_of(keys, n);
  const std::size_t range = near.range;
  if (range == 0) return false;
  Ref<Array> memory = make_list(cx.heap, ElementType::i32, parts * range);
  std::uint32_t* counts[parts];
  for (std::size_t p = 0; p < parts; p++) counts[p] = memory->as<std::uint32_t>() + p * range;
  std::memset(counts[0], 0, parts * range * sizeof(std::uint32_t));
  const std::size_t part = n / parts;
  kernels::in_pieces(part, [&](std::size_t i, std::size_t end) {
    for (; i < end; i++)
      for (std::size_t p = 1; p < parts; p++) counts[p][near.place(keys[(p - 1) * part + i])]++;
  });
  for (std::size_t p = 2; p < parts; p++)
    for (std::size_t k = 0; k < range; k++) counts[p][k] += counts[p - 1][k];
  out.fill([&](auto* to) {
    using Out = std::remove_pointer_t<decltype(to)>;
    kernels::in_pieces(part, [&](std::size_t i, std::size_t end) {
      for (; i < end; i++)
        for (std::size_t p = 0; p < parts; p++) to[p * part + i] = static_cast<Out>(counts[p][near.place(keys[p * part + i])]++);
    });
    for (std::size_t i = parts * part; i < n; i++) to[i] = static_cast<Out>(counts[parts - 1][near.place(keys[i])]++);
  });
  out.limit(*std::max_element(counts[parts - 1], counts[parts - 1] + range));
  return true;
}

}  // namespace

Value occurrence_count(Context& cx, Value x) {
  need_cells(cx, "Occurrence Count", "𝕩", x);
  if (is_list_of_bits(x) && x.array().length != 0) return count_bits(cx, x.array());
  std::size_t n = x.array().cells();
  CellKeys keys = keys_of_cells(cx, x);
  if (Value found = with_keys(keys, [&](const auto* data) { return count_at_once(cx, data, n); }); !found.is_absent())
    return found;
  IndexList out(cx.heap, n ? n - 1 : 0, {&n, 1});
  with_keys(keys, [&](const auto* data) {
    if (count_in_parts(cx, data, n, out)) return;
    with_table(cx, keys, data, 0, [&](auto&& table) {
      std::uint32_t most = 0;
      out.fill([&](auto* to) {
        using Out = std::remove_pointer_t<decltype(to)>;
        visit_keys(cx, table, data, n, [&](std::size_t i, auto k) {
          std::uint32_t count = ++table[k];  // wraps from `no_number` to 0
          to[i] = static_cast<Out>(count);
          most = std::max(most, count);
          return true;
        });
      });
      out.limit(most + 1);
    });
  });
  return out.finish();
}

Value progressive_index_of(Context& cx, Value w, Value x) {
  on_operands(w, x, [&] { check_cell_ranks(cx, "Progressive Index of", "𝕨", w, "𝕩", x); });
  std::size_t n = w.array().cells();
  IndexList out(cx.heap, n, frame_of(w, x));
  KeyPair keys = keys_of_both(cx, w, x);
  if (keys.never_match) return out.all(n);
  // Links the places of each key, the first one in the table.
  Ref<Array> links = make_list(cx.heap, ElementType::i32, n);
  auto* later = links->as<std::uint32_t>();
  auto missing = static_cast<std::uint32_t>(n);
  with_keys(keys.principal, [&](const auto* data) {
    using Key = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
    with_table(cx, keys.principal, data, keys.other.count, [&](auto&& table) {
      for (std::size_t i = n; i-- > 0;) {
        if (i % (1 << 18) == 0) cx.check_interrupt();
        std::uint32_t& first = table[data[i]];
        later[i] = first == no_number ? missing : first;
        first = static_cast<std::uint32_t>(i);
      }
      out.fill([&](auto* to) {
        using Out = std::remove_pointer_t<decltype(to)>;
        visit_keys(cx, table, keys.other.as<Key>(), keys.other.count, [&](std::size_t i, Key k) {
          std::uint32_t* next = table.find_slot(k);
          std::uint32_t at = next ? *next : missing;
          to[i] = static_cast<Out>(at);
          if (at != missing) *next = later[at];
          return true;
        });
      });
    });
  });
  return out.finish();
}

}  // namespace griddle::primitives
