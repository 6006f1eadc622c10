// Groups whose cells lie together, as words do in a text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/tuning.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/array.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/context.h"
#include "runtime/value/copy_few.h"

namespace griddle::primitives {

// Calls f with the numbers of a list of integers above bits, as a typed pointer.
template <class F>
decltype(auto) with_integers(const Array& numbers, F f) {
  switch (numbers.type()) {
    case ElementType::i8: return f(numbers.as<std::int8_t>());
    case ElementType::i16: return f(numbers.as<std::int16_t>());
    default: return f(numbers.as<std::int32_t>());
  }
}

// Looks at some of the first n numbers: most that are not in order show it.
bool may_be_in_order(const Array& numbers, std::size_t n);

// Marks those of the first `cells` numbers, at least one, that differ from the next.
Value ends_of_runs(Context&, const Array& numbers, std::size_t cells);

// Calls f(group, first cell, cells) for each run of cells that are kept, until it gives false; tells whether it never did.
template <class T, class F>
bool visit_runs(const T* numbers, std::size_t cells, const Array& ends, F f) {
  std::size_t from = 0;
  const auto run_up_to = [&](std::size_t end) {
    const std::size_t first = from;
    from = end;
    return numbers[first] < 0 || f(static_cast<std::size_t>(numbers[first]), first, end - first);
  };
  for (std::size_t i = 0; i < ends.length; i += 64)
    for (std::uint64_t word = kernels::read_bits(ends.as<std::uint64_t>(), i, std::min<std::size_t>(64, ends.length - i));
         word != 0; word &= word - 1)
      if (!run_up_to(i + static_cast<std::size_t>(std::countr_zero(word)) + 1)) return false;
  return run_up_to(cells);
}

// Makes lists of elements that lie together in another list.
class ListCutter {
 public:
  ListCutter(Heap& heap, const Value& list)
      : heap_(heap),
        list_(list),
        plain_(plain_lists[static_cast<int>(list.array().type())]),
        log2_bytes_(plain_.log2_bits - 3),
        elements_(list.array().data),
        end_(elements_ + (list.array().length << log2_bytes_)),
        most_at_hand_(std::min(tuning().copied_group_in_order, most_bytes_at_hand)) {}

  // Makes the piece of n elements, at least one, from a place on; gives its bits.
  [[gnu::always_inline]] std::uint64_t operator()(std::size_t place, std::size_t n) const {
    const std::size_t bytes = n << log2_bytes_;
    if (bytes > most_at_hand_) [[unlikely]]
      return longer(place, n);
    void* const memory = heap_.allocate_at_hand(sizeof(Array) + (bytes + 7) / 8 * 8);
    if (memory == nullptr) [[unlikely]]
      return longer(place, n);
    Array* const piece = place_array(memory, plain_.description(), n, static_cast<std::uint8_t*>(memory) + sizeof(Array));
    copy(piece->data.here(), elements_ + (place << log2_bytes_), bytes);
    return reinterpret_cast<std::uint64_t>(piece) | std::uint64_t{Value::array_tag} << 48;
  }

 private:
  // The same where that is shown where it is, or its memory is not at hand.
  [[gnu::noinline]] std::uint64_t longer(std::size_t place, std::size_t n) const {
    const std::size_t bytes = n << log2_bytes_;
    if (bytes > tuning().copied_group_in_order) return slice(heap_, list_, place, n).leak();
    Array* const piece = make_list_of(heap_, plain_, n);
    copy(piece->data.here(), elements_ + (place << log2_bytes_), bytes);
    return Value(piece).leak();
  }
  // Lists have whole words of memory, so that short pieces of different lengths need no branches.
  void copy(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) const {
    constexpr std::size_t word = sizeof(std::uint64_t);
    if (bytes > 2 * word || static_cast<std::size_t>(end_ - from) < 2 * word) [[unlikely]]
      return copy_few(to, from, bytes);
    const std::size_t last = std::max(bytes, word) - word;
    std::uint64_t first_word, last_word;
    std::memcpy(&first_word, from, word);
    std::memcpy(&last_word, from + last, word);
    std::memcpy(to, &first_word, word);
    std::memcpy(to + last, &last_word, word);
  }

  Heap& heap_;
  const Value& list_;
  const PlainList plain_;
  const std::size_t log2_bytes_;
  const std::uint8_t* const elements_;
  const std::uint8_t* const end_;
  const std::size_t most_at_hand_;
};

// Groups a list of plain elements of whole bytes by the first `cells` numbers of a list of integers, where those of each group
// stand side by side and the groups in order; what is dropped may stand between. `empty` is the group of none. Gives the absent
// value for anything else.
Value group_runs(Context&, const Array& numbers, std::size_t cells, std::size_t groups, const Value& list, const Value& empty);

// Gives the group of no cells. `fill` is that of their elements.
Value empty_group(Context&, const Array& cells, const Value& fill);

}  // namespace griddle::primitives
