#include "primitives/arithmetic/cached_lists.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "primitives/common/at_hand.h"
#include "primitives/common/small_integer.h"
#include "primitives/kernels/shared/convert.h"

namespace griddle::primitives {

namespace {

// Without its tag, an array is its address.
const Array& array_at(std::uint64_t address) { return *reinterpret_cast<const Array*>(address); }
std::uint64_t bits_of_list(const Array* a) { return reinterpret_cast<std::uint64_t>(a) | array_tag; }

// Makes the memory of results of the last length, or of another one.
template <class Recent>
[[gnu::always_inline]] inline Array* make_results(Heap& heap, Recent& recent, std::size_t n) {
  if (n != recent.results.length && (n > longest_recent || !recent.results.resize(n))) [[unlikely]]
    return nullptr;
  return recent.results.make(heap);
}

template <class Recent>
std::uint64_t forget(Recent& recent) {
  recent.entry = nullptr;
  recent.function = no_recent_function;
  return Value::absent_bits;
}
// Drops results that did not fit their type. What comes next may be alike: then it is quicker not to try.
template <class Recent>
[[gnu::noinline, gnu::cold]] std::uint64_t without(Recent& recent, Array* made) {
  release(made);
  return forget(recent);
}

// The same with the shape of an array: a table has two axes.
template <bool tables, class Recent>
[[gnu::always_inline]] inline Array* make_results_like(Heap& heap, Recent& recent, const Array& a) {
  if constexpr (!tables) return make_results(heap, recent, a.length);
  if (a.length == 0) [[unlikely]]
    return nullptr;
  return table_at_hand(heap, recent.results.plain, a.shape()[0], a.shape()[1]);
}
template <bool tables>
[[gnu::always_inline]] inline bool have_one_shape(const Array& w, const Array& x) {
  if constexpr (!tables) return w.length == x.length;
  return w.shape()[0] == x.shape()[0] && w.shape()[1] == x.shape()[1];
}

template <bool tables>
std::uint64_t two_lists_again(Context& cx, std::uint64_t left, std::uint64_t right, RecentDyad& recent) {
  left ^= array_tag, right ^= array_tag;
  if ((left | right) >> 48 != 0) [[unlikely]]
    return Value::absent_bits;
  const Array &w = array_at(left), &x = array_at(right);
  if (PlainList::described(w) != recent.w || PlainList::described(x) != recent.x) [[unlikely]]
    return Value::absent_bits;
  const void *from_w = w.data.here(), *from_x = x.data.here();
  if (!have_one_shape<tables>(w, x) || from_w == nullptr || from_x == nullptr) [[unlikely]]
    return Value::absent_bits;
  Array* made = make_results_like<tables>(cx.heap, recent, w);
  if (made == nullptr) [[unlikely]]
    return Value::absent_bits;
  if (recent.kernel(made->data.here(), from_w, from_x, made->length) != made->length) [[unlikely]]
    return without(recent, made);
  return bits_of_list(made);
}

// Reads another atom than the last one; gives false where that is for another kernel to do.
[[gnu::noinline]] bool read_other(RecentDyad& recent, std::uint64_t atom) {
  if ((atom >= Value::first_tagged) != (recent.others == RecentDyad::Others::characters)) return false;
  const auto is_in_span = [&](std::int32_t i) {
    return static_cast<std::uint32_t>(i) - static_cast<std::uint32_t>(recent.least) <= recent.span;
  };
  switch (recent.others) {
    case RecentDyad::Others::none: return false;
    case RecentDyad::Others::numbers: recent.read = static_cast<std::int64_t>(atom); break;
    case RecentDyad::Others::integers: {
      const std::int32_t integer = truncated(std::bit_cast<double>(atom));
      if (std::bit_cast<std::uint64_t>(static_cast<double>(integer)) != atom || !is_in_span(integer)) return false;
      recent.read = integer;
      break;
    }
    case RecentDyad::Others::characters: {
      const std::int32_t point = static_cast<std::int32_t>(static_cast<std::uint32_t>(atom));
      if (atom >> 48 != Value::character_tag || !is_in_span(point)) return false;
      recent.read = point;
    }
  }
  recent.atom = atom;
  return true;
}

template <bool atom_left, bool tables>
std::uint64_t atom_again(Context& cx, std::uint64_t left, std::uint64_t right, RecentDyad& recent) {
  const std::uint64_t atom = atom_left ? left : right, address = (atom_left ? right : left) ^ array_tag;
  if (address >> 48 != 0) [[unlikely]]
    return Value::absent_bits;
  const Array& a = array_at(address);
  const void* const data = a.data.here();
  if (PlainList::described(a) != recent.w || data == nullptr) [[unlikely]]
    return Value::absent_bits;
  if (atom != recent.atom && !read_other(recent, atom)) [[unlikely]]
    return Value::absent_bits;
  Array* made = make_results_like<tables>(cx.heap, recent, a);
  if (made == nullptr) [[unlikely]]
    return Value::absent_bits;
  const void* const read = &recent.read;
  if (recent.kernel(made->data.here(), atom_left ? read : data, atom_left ? data : read, made->length) != made->length)
      [[unlikely]]
    return without(recent, made);
  return bits_of_list(made);
}

// Computes what another number than the last one gives with bits; false where that is for another kernel to do.
[[gnu::noinline]] bool read_other_number(Context& cx, RecentDyad& recent, std::uint64_t atom, bool atom_left) {
  if (!as_value(atom).is_number()) return false;
  const ResultsOfBits results = results_of_bits(cx, *recent.entry->dyad_rule, as_value(atom), atom_left);
  if (results.type != recent.results.plain.type() || results.are_bits_themselves() != (recent.choose == nullptr)) return false;
  recent.atom = atom;
  recent.read = results.of_zero, recent.read_for_one = results.of_one;
  return true;
}

template <bool atom_left, bool tables>
std::uint64_t bits_again(Context& cx, std::uint64_t left, std::uint64_t right, RecentDyad& recent) {
  const std::uint64_t atom = atom_left ? left : right, address = (atom_left ? right : left) ^ array_tag;
  if (address >> 48 != 0 || (atom != recent.atom && !read_other_number(cx, recent, atom, atom_left))) [[unlikely]]
    return Value::absent_bits;
  const Array& a = array_at(address);
  if (PlainList::described(a) != recent.w || a.data.here() == nullptr) [[unlikely]]
    return Value::absent_bits;
  if (recent.choose == nullptr) return Value::share(const_cast<Array*>(&a)).leak();
  Array* made = make_results_like<tables>(cx.heap, recent, a);
  if (made == nullptr) [[unlikely]]
    return Value::absent_bits;
  recent.choose(made->data.here(), a.as<std::uint64_t>(), made->length, &recent.read, &recent.read_for_one);
  return bits_of_list(made);
}

template <RecentDyad::Compute compute>
std::uint64_t for_a_while(Context& cx, std::uint64_t left, std::uint64_t right, RecentDyad& recent) {
  if (--recent.uses_left == 0) [[unlikely]]
    return forget(recent);
  return compute(cx, left, right, recent);
}
constexpr std::uint32_t a_while = 32;

// Reads a list of the kind that is remembered, of which there are elements; null for any other value.
[[gnu::always_inline]] inline const Array* known_list(std::uint64_t x, const RecentMonad& recent) {
  const std::uint64_t address = x ^ array_tag;
  if (address >> 48 != 0) [[unlikely]]
    return nullptr;
  const Array& a = array_at(address);
  return PlainList::described(a) == recent.x && a.data.here() != nullptr ? &a : nullptr;
}

// Makes results with `run`, which tells whether they fit.
template <bool tables = false, class Run>
[[gnu::always_inline]] inline std::uint64_t results_again(Heap& heap, std::uint64_t x, RecentMonad& recent, Run run) {
  const Array* const a = known_list(x, recent);
  if (a == nullptr) [[unlikely]]
    return Value::absent_bits;
  Array* made = make_results_like<tables>(heap, recent, *a);
  if (made == nullptr) [[unlikely]]
    return Value::absent_bits;
  if (!run(made->data.here(), a->data.here(), made->length)) [[unlikely]]
    return without(recent, made);
  return bits_of_list(made);
}
template <bool tables>
std::uint64_t list_again(Context& cx, std::uint64_t x, RecentMonad& recent) {
  return results_again<tables>(cx.heap, x, recent,
                               [&](void* to, const void* from, std::size_t n) { return recent.kernel(to, from, n) == n; });
}
std::uint64_t itself_again(Context&, std::uint64_t x, RecentMonad& recent) {
  const Array* const a = known_list(x, recent);
  return a != nullptr ? Value::share(const_cast<Array*>(a)).leak() : Value::absent_bits;
}
std::uint64_t scan_again(Context& cx, std::uint64_t x, RecentMonad& recent) {
  return results_again(cx.heap, x, recent, [&](void* to, const void* from, std::size_t n) { return recent.scan(to, from, n); });
}

std::uint64_t fold_again(Context&, std::uint64_t x, RecentMonad& recent) {
  const Array* const a = known_list(x, recent);
  if (a == nullptr || a->length - 1 >= recent.most) [[unlikely]]
    return Value::absent_bits;
  return Value(recent.fold(a->data.here(), a->length)).bits();
}

// Enters what all kinds have in common. Gives null where nothing is to be remembered.
template <class Recent>
Recent* entered(Context& cx, Recent& place, const PrimitiveFunctionEntry* entry, const auto& way,
                typename Recent::Compute compute, std::size_t length) {
  Recent* const recent = &place;
  forget(*recent);
  recent->results.plain = way.results;
  if (entry == nullptr || length > longest_recent || !recent->results.resize(length)) return nullptr;
  recent->entry = entry;
  recent->function = cx.primitives[entry - primitive_table().functions.data()].bits();
  recent->compute = compute;
  recent->kernel = way.kernel;
  return recent;
}

RecentDyad* enter(Context& cx, RecentDyad& site, const ListWays& ways, const ListWay& way, RecentDyad::Compute compute,
                  const Array& list, std::uint64_t atom, std::int64_t read) {
  RecentDyad* recent = entered(cx, site, ways.entry, way, compute, list.length);
  if (recent == nullptr) return nullptr;
  recent->w = PlainList::described(list);
  recent->atom = atom;
  recent->read = read;
  recent->others = RecentDyad::Others::none;
  recent->uses_left = 0;
  return recent;
}

}  // namespace

void remember_lists(Context& cx, RecentDyad& site, const ListWays& ways, const ListWays::Pair& way, bool wide,
                    std::size_t length) {
  RecentDyad* recent = entered(cx, site, ways.entry, wide ? way.wide : way.first,
                               wide ? for_a_while<two_lists_again<false>> : two_lists_again<false>, length);
  if (recent != nullptr) recent->w = way.w, recent->x = way.x, recent->uses_left = wide ? a_while : 0;
}

void remember_tables(Context& cx, RecentDyad& site, const ListWays& ways, const ListWay& way, const Array& w, const Array& x) {
  RecentDyad* recent = entered(cx, site, ways.entry, way, two_lists_again<true>, w.length);
  if (recent != nullptr) recent->w = PlainList::described(w), recent->x = PlainList::described(x);
}

void remember_atom(Context& cx, RecentDyad& site, const ListWays& ways, const AtomWay& way, bool wide, bool atom_left,
                   const Array& a, std::uint64_t atom) {
  constexpr RecentDyad::Compute computes[2][2][2] = {
      {{atom_again<false, false>, atom_again<false, true>}, {atom_again<true, false>, atom_again<true, true>}},
      {{for_a_while<atom_again<false, false>>, for_a_while<atom_again<false, true>>},
       {for_a_while<atom_again<true, false>>, for_a_while<atom_again<true, true>>}}};
  const RecentDyad::Compute compute = computes[wide][atom_left][a.rank() == 2];
  RecentDyad* recent = enter(cx, site, ways, wide ? way.wide : way.first, compute, a, atom, wide ? way.wide_read : way.read);
  if (recent == nullptr) return;
  recent->uses_left = wide ? a_while : 0;
  // A kernel that reads a double instead reads no other integers.
  recent->others = wide && way.wide_read != way.read ? RecentDyad::Others::none : way.others;
  recent->least = way.least;
  recent->span = way.span;
}

namespace {

template <RecentDyad::Compute compute>
std::uint64_t narrowed_again(Context& cx, std::uint64_t left, std::uint64_t right, RecentDyad& recent) {
  const std::uint64_t results = compute(cx, left, right, recent);
  return results == Value::absent_bits ? results : with_whole_narrowed(cx.heap, Value::from_bits(results)).leak();
}

}  // namespace

void narrow_whole_results(RecentDyad& recent) {
  const auto replace = [&]<RecentDyad::Compute compute>() {
    if (recent.compute == compute) recent.compute = narrowed_again<compute>;
  };
  replace.template operator()<atom_again<false, false>>();
  replace.template operator()<atom_again<true, false>>();
  replace.template operator()<atom_again<false, true>>();
  replace.template operator()<atom_again<true, true>>();
}

ResultsOfBits results_of_bits(Context& cx, const DyadRule& rule, const Value& number, bool number_left) {
  const auto of = [&](double bit) { return number_left ? rule.atoms(cx, number, bit) : rule.atoms(cx, bit, number); };
  const Value zero = of(0), one = of(1);
  ResultsOfBits results{wider(element_type_of(zero), element_type_of(one))};
  store_single(zero, results.type, &results.of_zero);
  store_single(one, results.type, &results.of_one);
  return results;
}

void remember_bits(Context& cx, RecentDyad& site, const ListWays& ways, bool atom_left, const Array& bits, std::uint64_t atom,
                   const ResultsOfBits& results) {
  const ListWay way = {nullptr, PlainList(results.type)};
  constexpr RecentDyad::Compute computes[2][2] = {{bits_again<false, false>, bits_again<false, true>},
                                                  {bits_again<true, false>, bits_again<true, true>}};
  RecentDyad* recent = enter(cx, site, ways, way, computes[atom_left][bits.rank() == 2], bits, atom, results.of_zero);
  if (recent == nullptr) return;
  recent->read_for_one = results.of_one;
  recent->choose = results.are_bits_themselves() ? nullptr : kernels::convert().choose[index_of(results.type)];
}

void remember_list(Context& cx, RecentMonad& site, const ListMonadWays& ways, const ListMonadWays::Way& way, const Array& x) {
  const RecentMonad::Compute compute = way.first.kernel == nullptr ? itself_again
                                       : x.rank() == 2             ? list_again<true>
                                                                   : list_again<false>;
  RecentMonad* const recent = entered(cx, site, ways.entry, way.first, compute, x.length);
  if (recent != nullptr) recent->x = PlainList::described(x);
}

void remember_scan(RecentMonad& site, const Derived& self, kernels::Scan scan, const PlainList& results, const Array& x) {
  RecentMonad made;
  made.results.plain = results;
  if (x.length > longest_recent || !made.results.resize(x.length)) return;
  made.function = reinterpret_cast<std::uintptr_t>(self.kernels);
  made.compute = scan_again;
  made.scan = scan;
  made.x = PlainList::described(x);
  site = made;
}

void remember_fold(RecentMonad& site, const Derived& self, kernels::Fold fold, std::size_t most, const Array& x) {
  RecentMonad made;
  made.function = reinterpret_cast<std::uintptr_t>(self.kernels);
  made.compute = fold_again;
  made.fold = fold;
  made.most = static_cast<std::uint32_t>(std::min<std::size_t>(most, std::numeric_limits<std::uint32_t>::max()));
  made.x = PlainList::described(x);
  site = made;
}

}  // namespace griddle::primitives
