#include "primitives/search/key_search.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "primitives/common/tuning.h"
#include "primitives/kernels/search/first_places.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/kernels/search/short_set.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/search/close_sets.h"
#include "primitives/search/key_memory.h"
#include "primitives/search/parted_search.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {
namespace {

CloseRange close_range(const CellKeys& keys, std::size_t lookups, std::size_t places_for_each) {
  if (keys.width != 32 || keys.range != 0 || keys.count == 0) return {0, keys.width == 32 ? keys.range : 0};
  const kernels::Bounds bounds = kernels::bounds_of(ElementType::i32, keys.data, keys.count);
  const std::size_t range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
  if (range > places_for_each * (keys.count + lookups)) return {};
  return {static_cast<std::uint32_t>(bounds.low), range};
}

// Places are short ones up to so many.
constexpr std::size_t most_near = kernels::most_placed_keys<std::uint16_t>;

// A bit for each key in a range waits for those beside it: first places do not.
std::size_t most_for_each(const CellKeys& keys) {
  return keys.count <= most_near ? tuning().most_bytes_for_each_key : tuning().most_bits_for_each_key;
}

// The same for keys among which others are matched. Vectors gather bits from a wider range sooner than keys are found by hashes,
// as long as it stays in the caches.
CloseRange range_for_matching(const KeyPair& keys) {
  const CellKeys& principal = keys.principal;
  const CloseRange range = close_range(principal, keys.other.count, tuning().most_bits_for_each_key);
  const std::size_t sure = most_for_each(principal) * (principal.count + keys.other.count);
  return range.range <= std::max(tuning().widest_gathered_range, sure) ? range : CloseRange{};
}

// Calls f(x, place) with keys as a typed pointer, and a number of the type of their places.
template <class F>
void with_hashed_keys(const CellKeys& keys, F f) {
  const auto choose = [&](const auto* x) { keys.count <= most_near ? f(x, std::uint16_t{}) : f(x, std::uint32_t{}); };
  if (keys.width == 32)
    choose(keys.as<std::uint32_t>());
  else
    choose(keys.as<std::uint64_t>());
}

// Tells whether others are looked up in a table of the keys and not by their first places.
bool are_looked_up_in_slots(const KeyPair& keys) {
  const std::size_t n = keys.principal.count;
  if (n > tuning().most_looked_up) return true;
  return keys.principal.width == 32 && n <= tuning().most_in_slots && keys.other.count >= BucketSet::lookups_for_each * n;
}

// So many keys have room in a table at first.
constexpr std::size_t first_room = 128, first_room_of_list = std::size_t{1} << 16;

// Writes the number of a key whose first place is known: `next` if that is its own; tells whether it is.
template <class Out>
[[gnu::always_inline]] inline bool write_class(Out* to, std::size_t i, std::size_t first, std::size_t next) {
  to[i] = static_cast<Out>(next);
  to[i] = to[first];
  return first == i;
}

// --- few keys

kernels::FewKeys kind_of(const CellKeys& keys) {
  using kernels::FewKeys;
  return keys.width == 8    ? FewKeys::bits8
         : keys.width == 16 ? FewKeys::bits16
         : keys.width == 32 ? FewKeys::bits32
                            : FewKeys::bits64;
}
bool is_found_by_comparing(const CellKeys& few, std::size_t lookups) {
  return few.count <= kernels::most_few_keys && kernels::are_found_by_comparing(kind_of(few), few.count, lookups);
}
bool is_marked_by_comparing(const CellKeys& few, std::size_t lookups) {
  return few.count <= kernels::most_few_keys && kernels::are_marked_by_comparing(kind_of(few), few.count, lookups);
}

// --- keys of 16 bits

class ShortSet {
 public:
  ShortSet() { std::memset(bits, 0, sizeof bits); }
  alignas(64) std::uint8_t bits[kernels::short_set_bytes];
};

// Marks new keys in a range, of which there are not much more than keys.
template <class Key>
std::size_t mark_new_close(Context& cx, const Key* x, std::size_t n, Key low, std::size_t range, std::uint64_t* marks) {
  Ref<Array> is_new = make_list(cx.heap, ElementType::i8, range);
  std::memset(is_new->data.here(), 1, range);
  return kernels::mark_new_close(x, n, low, is_new->data, range, marks);
}

std::size_t mark_new_shorts(Context& cx, const std::uint16_t* x, std::size_t n, std::uint64_t* marks) {
  const kernels::Bounds bounds = kernels::bounds_of(ElementType::i16, x, n);
  const auto range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
  if (range <= 2 * n) return mark_new_close(cx, x, n, static_cast<std::uint16_t>(bounds.low), range, marks);
  ShortSet set;
  return kernels::mark_new_shorts(x, n, set.bits, range, marks);
}

// Tells whether keys are so few that others are compared with all of them faster than looked up.
bool is_filtered(const CellKeys& few) {
  if (few.count > kernels::PairFilter::most_keys) return false;
  return kernels::match_pairs(kernels::PairFilter(few.as<std::uint16_t>(), few.count), nullptr, 0, nullptr);
}

// Calls found(i) for each key that may be among few, until many of a block are; tells how many keys it has looked at.
template <class F>
std::size_t each_candidate(const CellKeys& few, const std::uint16_t* x, std::size_t n, F found) {
  constexpr std::size_t block = 4096, enough = 256, one_in = 8;
  if (few.count > kernels::PairFilter::most_keys || n < enough) return 0;
  const kernels::PairFilter filter(few.as<std::uint16_t>(), few.count);
  std::uint64_t candidates[block / 64];
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t count = std::min(block, n - i);
    if (!kernels::match_pairs(filter, x + i, count, candidates)) return 0;
    std::size_t all = 0;
    for (std::size_t k = 0; k < count; k += 64)
      for (std::uint64_t word = candidates[k / 64]; word != 0; word &= word - 1, all++)
        found(i + k + static_cast<std::size_t>(std::countr_zero(word)));
    if (all > count / one_in) return i + count;
  }
  return n;
}

// Calls f with the first places of keys.
template <class F>
void with_first_places(Context& cx, const CellKeys& keys, F f) {
  if (keys.count <= 0xFFFF)
    f(FirstPlaces<std::uint16_t>(cx.heap, keys.as<std::uint16_t>(), keys.count));
  else
    f(FirstPlaces<std::uint32_t>(cx.heap, keys.as<std::uint16_t>(), keys.count));
}

// Numbers keys by the first place of each: a new key stands at its own; others have the number that was written there.
template <class Place, class Out>
[[gnu::noinline]] std::size_t classify_by_places(const Place* places, const std::uint16_t* x, std::size_t n, Out* to) {
  std::size_t next = 0;
  kernels::in_pieces(n, [=, &next](std::size_t i, std::size_t end) {
    std::size_t number = next;
#pragma GCC unroll 4
    for (; i < end; i++) number += write_class(to, i, places[x[i]], number);
    next = number;
  });
  return next;
}

// Fills numbers of keys in a range in; gives how many there are.
template <class Key>
std::size_t classify_close(Context& cx, const Key* x, std::size_t n, Key low, std::size_t range, IndexList& out) {
  std::size_t count = 0;
  out.fill([&]<class Out>(Out* to) {
    if constexpr (std::is_integral_v<Out>) {
      Ref<Array> numbers = make_list(cx.heap, ElementType::i8, range * sizeof(Out));
      std::memset(numbers->data.here(), 0xFF, range * sizeof(Out));
      Out* start = numbers->template as<Out>();
      count = n <= tuning().most_foretold ? number_foretold(start, low, x, n, to) : number_close(start, low, x, n, to);
    }
  });
  return count;
}

// Numbers bytes of a list so short that branches are foretold.
Value classify_few_bytes(Context& cx, const CellKeys& keys) {
  constexpr std::size_t range = 256;
  constexpr auto lowest = static_cast<std::uint8_t>(INT8_MIN);
  const std::size_t n = keys.count;
  IndexList out(cx.heap, std::min(n, range) - 1, {&n, 1});
  out.limit(classify_close(cx, keys.as<std::uint8_t>(), n, lowest, range, out));
  return out.finish();
}

Value classify_shorts(Context& cx, const CellKeys& keys) {
  const std::uint16_t* x = keys.as<std::uint16_t>();
  const std::size_t n = keys.count;
  const kernels::Bounds bounds = kernels::bounds_of(ElementType::i16, x, n);
  const auto range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
  IndexList out(cx.heap, std::min(n, range) - 1, {&n, 1});
  std::size_t next = 0;
  // A wide range pays where all of it has come soon.
  constexpr std::size_t many_for_each = 8;
  if (range <= 2 * n && (range <= kernels::short_set_bytes || range <= n / many_for_each))
    next = classify_close(cx, x, n, static_cast<std::uint16_t>(bounds.low), range, out);
  else
    out.fill([&]<class Out>(Out* to) {
      if constexpr (std::is_integral_v<Out>)
        with_first_places(cx, keys, [&](const auto& first) { next = classify_by_places(first.places(), x, n, to); });
    });
  out.limit(next);
  return out.finish();
}

// So many keys of 16 bits there can be.
constexpr std::size_t every_short = 1 << 16;

// Writes the place of each key, or `missing`. All but the results stay in registers, which they could otherwise be written over.
template <class Key, class Place, class Out>
[[gnu::noinline]] void look_up_places(const Place* places, Key low, std::size_t range, Place missing, const Key* keys,
                                      std::size_t n, Out* to) {
  if (sizeof(Key) == 2 && range == every_short) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; i++) to[i] = static_cast<Out>(places[keys[i]]);
    return;
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < n; i++) {
    const std::size_t at = static_cast<Key>(keys[i] - low);
    to[i] = static_cast<Out>(at < range ? places[at] : missing);
  }
}

// Stores the first place of each key.
template <class Key, class Out>
[[gnu::noinline]] void store_places(Out* places, Key low, const Key* keys, std::size_t n) {
  // The first of equal keys comes last.
  kernels::in_pieces(n, [=](std::size_t i, std::size_t end) {
#pragma GCC unroll 8
    for (i++; i <= end; i++) places[static_cast<Key>(keys[n - i] - low)] = static_cast<Out>(n - i);
  });
}

// Finds keys that lie close together, or are short, by a table of first places, as wide as the results.
template <class Key>
void index_by_places(Context& cx, const Key* list, const KeyPair& keys, IndexList& out) {
  const std::size_t n = keys.principal.count, count = keys.other.count;
  const Key* others = keys.other.as<Key>();
  Key low = 0;
  std::size_t range = 256;
  if constexpr (sizeof(Key) > 1) {
    constexpr ElementType type = sizeof(Key) == 2 ? ElementType::i16 : ElementType::i32;
    const kernels::Bounds bounds = kernels::bounds_of(type, list, n);
    low = static_cast<Key>(bounds.low);
    range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
    // A place for every key that there can be needs no look at the range, where it is not much more to clear.
    if (sizeof(Key) == 2 && (count >= every_short || range == every_short)) {
      low = 0;
      range = every_short;
    }
  }
  out.fill([&]<class Out>(Out* to) {
    using Place = std::conditional_t<std::is_integral_v<Out>, Out, std::uint32_t>;
    Ref<Array> memory = make_list(cx.heap, ElementType::i8, range * sizeof(Place));
    Place* places = memory->template as<Place>();
    std::fill_n(places, range, static_cast<Place>(n));
    if (sizeof(Key) == 1 && n >= tuning().many_bytes) {
      std::vector<std::uint64_t> marks((n + 63) / 64);
      std::uint64_t found[4];
      const std::size_t end = kernels::mark_new_bytes(reinterpret_cast<const std::uint8_t*>(list), n, marks.data(), found);
      for (std::size_t i = 0; i < end; i += 64)
        for (std::uint64_t left = marks[i / 64]; left != 0; left &= left - 1) {
          const std::size_t place = i + static_cast<std::size_t>(std::countr_zero(left));
          places[list[place]] = static_cast<Place>(place);
        }
    } else {
      store_places(places, low, list, n);
    }
    cx.check_interrupt();
    if constexpr (sizeof(Key) == 1 && sizeof(Out) > 1 && std::is_integral_v<Out>)
      kernels::look_up_bytes(places, others, count, to);
    else
      kernels::in_pieces(count, [&](std::size_t i, std::size_t end) {
        look_up_places(places, low, range, static_cast<Place>(n), others + i, end - i, to + i);
      });
  });
}

// Finds first places by hashes, or in a table of which few places are written; false for keys that lie close together.
bool find_first_places(Context& cx, const KeyPair& keys, IndexList& out) {
  const std::size_t n = keys.principal.count, count = keys.other.count;
  if (keys.principal.width == 16) {
    // More are better looked up in a table without gaps.
    constexpr std::size_t most = 1 << 13;
    if (n + count > most && !is_filtered(keys.principal)) return false;
    const auto* others = keys.other.as<std::uint16_t>();
    with_first_places(cx, keys.principal, [&](const auto& first) {
      out.fill([&]<class Out>(Out* to) {
        std::fill_n(to, count, static_cast<Out>(n));
        const std::size_t done =
            each_candidate(keys.principal, others, count, [&](std::size_t i) { first.find(others + i, 1, to + i); });
        first.find(others + done, count - done, to + done);
      });
    });
    return true;
  }
  if (keys.principal.width == 8 || close_range(keys.principal, count, tuning().most_numbers_for_each_key).range != 0)
    return false;
  const bool in_slots = are_looked_up_in_slots(keys);
  if (n > tuning().most_looked_up && suits_parts(keys.principal)) {
    find_in_parts(cx, keys, out);
    return true;
  }
  with_hashed_keys(keys.principal, [&]<class Key, class Place>(const Key* x, Place) {
    if (in_slots) {
      SlotTable<Key> table(cx.heap, n, first_room_of_list);
      table.add(0, n,
                [=](const auto& functions, auto& view, std::size_t i) { return functions.number_places(view, x + i, n - i, i); });
      fill_by_blocks<std::uint32_t>(out, count, [&](std::size_t i, std::size_t length, std::uint32_t* to) {
        table.find(keys.other.as<Key>() + i, length, static_cast<std::uint32_t>(n), to);
      });
    } else {
      const PlaceTable<Key, Place> table(cx.heap, x, n);
      fill_by_blocks<Place>(
          out, count, [&](std::size_t i, std::size_t length, Place* to) { table.find(keys.other.as<Key>() + i, length, to); });
    }
  });
  return true;
}

}  // namespace

std::size_t mark_new_keys(Context& cx, const CellKeys& keys, std::uint64_t* marks) {
  const std::size_t n = keys.count;
  if (is_marked_by_comparing(keys, n / 2)) {
    std::uint64_t few[2];
    kernels::mark_first_of_few(kind_of(keys), keys.data, n, few);
    std::copy_n(few, (n + 63) / 64, marks);
    return n;
  }
  if (keys.width == 16) return mark_new_shorts(cx, keys.as<std::uint16_t>(), n, marks);
  if (const CloseRange range = close_range(keys, 0, most_for_each(keys)); range.range != 0) {
    if (range.range <= tuning().most_bytes_for_each_key * n)
      return mark_new_close(cx, keys.as<std::uint32_t>(), n, range.low, range.range, marks);
    BitSet(cx.heap, range).mark_new(keys.as<std::uint32_t>(), n, marks);
    return n;
  }
  const bool many = n > tuning().most_placed;
  if (many && suits_parts(keys)) {
    mark_new_in_parts(cx, keys, marks);
    return n;
  }
  with_hashed_keys(keys, [&]<class Key, class Place>(const Key* x, Place place) {
    if (many) {
      SlotTable<Key> table(cx.heap, n, first_room);
      table.add(0, n, [=](const auto& functions, auto& view, std::size_t i) {
        return functions.mark_new(view, x + i, n - i, marks + i / 64);
      });
    } else {
      const KeyMemory<Place> memory(cx.heap, n, false);
      kernels::place_functions(*x, place).mark_first(x, n, memory.view(), marks);
    }
  });
  return n;
}

void match_keys(Context& cx, const KeyPair& keys, std::uint64_t* marks) {
  const std::size_t n = keys.principal.count, count = keys.other.count;
  if (is_marked_by_comparing(keys.principal, count))
    return kernels::mark_among_few(kind_of(keys.principal), keys.principal.data, n, keys.other.data, count, marks);
  if (keys.principal.width == 16) {
    ShortSet set;
    kernels::add_shorts(keys.principal.as<std::uint16_t>(), n, set.bits);
    const auto* others = keys.other.as<std::uint16_t>();
    // Marks are 0 at first.
    const std::size_t done = each_candidate(keys.principal, others, count, [&](std::size_t i) {
      marks[i / 64] |= (std::uint64_t{set.bits[others[i] / 8]} >> others[i] % 8 & 1) << i % 64;
    });
    if (done != count) kernels::match_shorts(set.bits, others + done, count - done, marks + done / 64);
    return;
  }
  const bool in_buckets = keys.principal.width == 32 && n <= tuning().most_in_buckets && count >= BucketSet::lookups_for_each * n;
  if (const CloseRange range = range_for_matching(keys);
      range.range != 0 && !(in_buckets && range.range > BucketSet::widest_near)) {
    const auto search = [&](auto set) {
      set.add_all(keys.principal.as<std::uint32_t>(), n);
      set.match(keys.other.as<std::uint32_t>(), count, marks);
    };
    // Few keys hardly wait for each other.
    const bool by_bits =
        n <= count / tuning().matched_for_each_key || range.range > tuning().most_bytes_for_each_key * (n + count);
    return by_bits ? search(BitSet(cx.heap, range)) : search(CloseSet(cx.heap, range));
  }
  if (n > tuning().most_looked_up && suits_parts(keys.principal)) return match_in_parts(cx, keys, marks);
  if (in_buckets)
    if (const BucketSet set(cx.heap, keys.principal.as<std::uint32_t>(), n); set.has_all())
      return set.match(keys.other.as<std::uint32_t>(), count, marks);
  with_hashed_keys(keys.principal, [&]<class Key, class Place>(const Key* x, Place) {
    if (n > tuning().most_looked_up) {
      SlotTable<Key> table(cx.heap, n, first_room_of_list);
      table.add(0, n, [=](const auto& f, auto& view, std::size_t i) { return f.mark_new(view, x + i, n - i, nullptr); });
      table.match(keys.other.as<Key>(), count, marks);
    } else {
      PlaceTable<Key, Place>(cx.heap, x, n).match(keys.other.as<Key>(), count, marks);
    }
  });
}

// Numbers keys in a table that grows. Where they are not too many to be told apart by first places, ends after some of which so
// few are equal that each key comes twice at most, on an average: places are faster then.
template <class Key>
bool classify_in_slots(Context& cx, const Key* x, std::size_t n, IndexList& out, std::size_t& next) {
  constexpr std::size_t fewest_tried = 128, one_in = 64;
  SlotTable<Key> table(cx.heap, n, first_room);
  bool goes_on = true;
  fill_by_blocks<std::uint32_t>(out, n, [&](std::size_t start, std::size_t count, std::uint32_t* to) {
    const auto add = [&](std::size_t from, std::size_t some) {
      table.add(start + from, some, [=](const auto& functions, auto& view, std::size_t i) {
        return functions.classify(view, x + start + from + i, some - i, to + from + i);
      });
    };
    std::size_t tried = 0;
    if (start == 0 && n <= tuning().most_placed) {
      tried = std::min(std::max(fewest_tried, n / one_in), count);
      add(0, tried);
      goes_on = tried - table.used() >= tried * tried / n;
    }
    if (goes_on) add(tried, count - tried);
  });
  next = table.used();
  return goes_on;
}

Value classify_keys(Context& cx, const CellKeys& keys) {
  const std::size_t n = keys.count;
  if (is_found_by_comparing(keys, n / 2)) {
    std::uint8_t first[kernels::most_few_keys];
    kernels::first_of_few(kind_of(keys), keys.data, n, first);
    Ref<Array> numbers = make_list(cx.heap, ElementType::i8, n);
    number_by_first_places(first, n, numbers->as<std::uint8_t>());
    return to_value(std::move(numbers));
  }
  if (keys.width == 8) return classify_few_bytes(cx, keys);
  if (keys.width == 16) return classify_shorts(cx, keys);
  std::size_t next = 0;
  if (const CloseRange range = close_range(keys, 0, tuning().most_numbers_for_each_key); range.range != 0) {
    IndexList out(cx.heap, std::min(n, range.range) - 1, {&n, 1});
    out.limit(classify_close(cx, keys.as<std::uint32_t>(), n, range.low, range.range, out));
    return out.finish();
  }
  IndexList out(cx.heap, n - 1, {&n, 1});
  with_hashed_keys(keys, [&]<class Key, class Place>(const Key* x, Place place) {
    if (n >= tuning().least_in_slots && classify_in_slots(cx, x, n, out, next)) return;
    const KeyMemory<Place> memory(cx.heap, n, false);
    Ref<Array> marks = make_list(cx.heap, ElementType::bit, n);
    // Lists so short that their places fit 8 bits are one block.
    fill_by_blocks<Place>(out, n, [&](std::size_t, std::size_t, Place* to) {
      next = kernels::place_functions(*x, place).classify(x, n, memory.view(), marks->template as<std::uint64_t>(), to);
    });
  });
  out.limit(next);
  return out.finish();
}

void index_keys(Context& cx, const KeyPair& keys, IndexList& out) {
  const CellKeys& list = keys.principal;
  if (is_found_by_comparing(list, keys.other.count) && out.array().type() == ElementType::i8)
    return kernels::find_among_few(kind_of(list), list.data, list.count, keys.other.data, keys.other.count,
                                   out.array().as<std::uint8_t>());
  if (find_first_places(cx, keys, out)) return;
  with_keys(list, [&]<class Key>(const Key* x) {
    // Longer keys are hashed.
    if constexpr (sizeof(Key) <= 4) index_by_places(cx, x, keys, out);
  });
}

}  // namespace griddle::primitives
