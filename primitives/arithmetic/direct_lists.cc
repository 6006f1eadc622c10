#include "primitives/arithmetic/direct_lists.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/common/at_hand.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/common/tuning.h"

namespace griddle::primitives {

namespace {

// The memory of longer arrays that nobody else holds is worth more than the short way; the longest have ways of their own.
constexpr std::size_t always = longest_recent;
inline bool stays(const Array& a) { return a.length <= tuning().longest_direct && a.refs != 1; }

// Kernels of comparisons whose results are all one.
std::size_t every_zero(void* out, const void*, const void*, std::size_t n) {
  std::memset(out, 0, (n + 63) / 64 * sizeof(std::uint64_t));
  return n;
}
std::size_t every_one(void* out, const void*, const void*, std::size_t n) {
  std::memset(out, 0xFF, (n + 63) / 64 * sizeof(std::uint64_t));
  return n;
}

// Keeps compilers from working an address out anew for each part of what is there.
template <class T>
[[gnu::always_inline]] inline const T& here(const T& v) {
  const T* p = &v;
  asm("" : "+r"(p));
  return *p;
}

Value shared_value(const Array& a) { return Value::share(const_cast<Array*>(&a)); }

// Reads an atom that is an integer of 32 bits, or a character; false for any other, and for a negative zero.
inline bool read_atom_as_integer(const Value& atom, std::int32_t& integer) {
  if (atom.is_character()) {
    integer = static_cast<std::int32_t>(atom.character());
    return true;
  }
  integer = truncated(atom.number());
  return std::bit_cast<std::uint64_t>(static_cast<double>(integer)) == atom.bits();
}

// Gives an empty list with the fill that the function makes of fills.
std::uint64_t empty_list_result(Context& cx, FillKind w, FillKind x, const ListWays& ways) {
  const auto is_flat = [](FillKind kind) { return kind == FillKind::zero || kind == FillKind::space; };
  const FillKind fill = is_flat(w) && is_flat(x) ? ways.rule->fill(w, x) : FillKind::none;
  if (!is_flat(fill)) return Value::absent_bits;
  return Value(make_plain_list(cx.heap, fill == FillKind::zero ? ElementType::i8 : ElementType::c8, 0)).leak();
}

// Computes where there are only two results.
[[gnu::noinline]] std::uint64_t on_bits_and_number(Context& cx, const Array& bits, std::uint64_t atom, bool number_left,
                                                   const ListWays& ways, RecentDyad* site) {
  const Value& number = as_value(atom);
  if (!number.is_number()) return Value::absent_bits;
  if (!has_plain_fill(bits)) return Value::absent_bits;
  if (bits.length == 0) return Value::absent_bits;
  const ResultsOfBits results = results_of_bits(cx, *ways.rule, number, number_left);
  if (site != nullptr && bits.rank() - 1 < 2 && bits.length <= always)
    remember_bits(cx, *site, ways, number_left, bits, atom, results);
  if (results.are_bits_themselves()) return Value::share(const_cast<Array*>(&bits)).leak();
  return choose_by_bits(cx, bits, results.type, &results.of_zero, &results.of_one).leak();
}

// Computes on arrays of one shape with more axes than one, whose elements have a way.
[[gnu::noinline]] std::uint64_t on_two_tables(Context& cx, const Array& w, const Array& x, const ListWays& ways,
                                              RecentDyad* site) {
  const ListWays::Pair& pair = ways.pairs[index_of(w.type())][index_of(x.type())];
  if (pair.first.kernel == nullptr || w.length == 0 || w.length > always || w.data.elsewhere() || x.data.elsewhere() ||
      !has_plain_fill(w) || !has_plain_fill(x) || !std::ranges::equal(w.shape(), x.shape()))
    return Value::absent_bits;
  for (const ListWay& way : {pair.first, pair.wide}) {
    if (way.kernel == nullptr) break;
    Ref<Array> made = make_plain_like(cx.heap, way.results.type(), w);
    if (way.kernel(made->data.here(), w.data.here(), x.data.here(), w.length) == w.length) {
      const bool remembers = site != nullptr && w.rank() == 2 && way.kernel == pair.first.kernel;
      if (remembers) remember_tables(cx, *site, ways, way, w, x);
      return to_value(std::move(made)).leak();
    }
  }
  return Value::absent_bits;
}

[[gnu::noinline]] std::uint64_t on_cells(Context& cx, const Array& w, const Array& x, const ListWays& ways) {
  return w.data.elsewhere() || x.data.elsewhere() ? Value::absent_bits : on_short_cells(cx, *ways.rule, w, x).leak();
}

// Computes on arrays that no way is for: lists that are short or empty, and short cells. Only tells them apart, without a frame.
[[gnu::noinline]] std::uint64_t on_other_lists(Context& cx, const Array& w, const Array& x, const ListWays& ways,
                                               RecentDyad* site) {
  if (w.type() == ElementType::boxed || x.type() == ElementType::boxed) return Value::absent_bits;
  // What a number in an array without axes meets is met by the number.
  if (w.rank() == 0 && x.rank() != 0 && has_plain_fill(w))
    if (const std::uint64_t number = number_in_unit(bits_of_array(&w)); number != declined)
      return on_atom_and_list(cx, number, x, ways, nullptr);
  if (x.rank() == 0 && w.rank() != 0 && has_plain_fill(x))
    if (const std::uint64_t number = number_in_unit(bits_of_array(&x)); number != declined)
      return on_list_and_atom(cx, w, number, ways, nullptr);
  if (w.rank() != x.rank()) return on_cells(cx, w, x, ways);
  if (w.rank() >= 2) return on_two_tables(cx, w, x, ways, site);
  if (!w.is_list() || w.length != x.length) return Value::absent_bits;
  return w.length != 0 ? few_as_doubles(cx, bits_of_array(&w), bits_of_array(&x), ways)
                       : empty_list_result(cx, w.fill_kind(), x.fill_kind(), ways);
}

std::int32_t greatest_of(const ListWays::Atom& way) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(way.least) + way.span);
}
// Has a way serve the integers on that side of what a narrower one serves, from `least` or up to `greatest`.
void limit_beyond(AtomWay& way, std::int32_t integer, const ListWays::Atom& narrower, std::int32_t least, std::int32_t greatest) {
  const bool below = integer < narrower.least;
  if (!below) least = greatest_of(narrower) + 1;
  if (below) greatest = narrower.least - 1;
  way.least = least;
  way.span = static_cast<std::uint32_t>(greatest) - static_cast<std::uint32_t>(least);
}

// Gives the way in which elements of a type meet an atom; one without kernels where there is none.
AtomWay way_of_atom(const ListWays& ways, ElementType type, const Value& atom, bool atom_left) {
  const int of = index_of(type);
  std::int32_t integer;
  const bool whole = read_atom_as_integer(atom, integer);
  const auto for_integers = [&](const ListWays::Atom& way) -> AtomWay {
    const RecentDyad::Others others = way.as_word        ? RecentDyad::Others::none
                                      : atom.is_number() ? RecentDyad::Others::integers
                                                         : RecentDyad::Others::characters;
    const std::int64_t read = way.as_word ? -integer : integer;
    return {way.first, way.wide, read, read, others, way.least, way.span};
  };
  const auto holds = [&](const ListWays::Atom& way) {
    return way.list != ListWays::no_list &&
           static_cast<std::uint32_t>(integer) - static_cast<std::uint32_t>(way.least) <= way.span;
  };
  const ListWays::Atom& own = ways.atoms[atom_left][of][atom.is_number()];
  const ListWays::Real& real = ways.reals[atom_left][of];
  if (whole && holds(own)) return for_integers(own);
  if (!atom.is_number()) return {};
  if (is_integer(type) && type != ElementType::bit) {
    if (ways.rule->foreign != nullptr) {
      const ForeignNumber met = ways.rule->foreign(type, atom.number(), atom_left);
      if (!met.is_one_result) return {own.first, {}, static_cast<std::int64_t>(met.instead)};
      AtomWay way = {{met.result ? every_one : every_zero, PlainList(ElementType::bit)}, {}};
      if (!whole || own.list == ListWays::no_list) return way;
      // All integers on that side of what the type holds are alike.
      way.others = RecentDyad::Others::integers;
      limit_beyond(way, integer, own, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
      return way;
    }
    const ListWays::Atom* narrower = &own;
    for (const ListWays::Atom& wider : ways.wider[atom_left][of]) {
      if (whole && holds(wider)) {
        AtomWay way = for_integers(wider);
        limit_beyond(way, integer, *narrower, wider.least, greatest_of(wider));
        if (way.wide.kernel == nullptr) way.wide = real.first, way.wide_read = std::bit_cast<std::int64_t>(atom.number());
        return way;
      }
      if (wider.list != ListWays::no_list) narrower = &wider;
    }
  }
  if (real.list == ListWays::no_list) return {};
  // Integers have other ways to meet integers.
  const RecentDyad::Others others = type == ElementType::f64 ? RecentDyad::Others::numbers : RecentDyad::Others::none;
  return {real.first, {}, std::bit_cast<std::int64_t>(atom.number()), 0, others};
}

// Computes on an array that stays, and an atom, by such a way.
template <bool atom_left>
[[gnu::noinline]] std::uint64_t by_way_of_atom(Context& cx, const Array& a, const Value& atom, const ListWays& ways,
                                               RecentDyad* site) {
  const AtomWay way = way_of_atom(ways, a.type(), atom, atom_left);
  const void* const from = a.data.here();
  for (const bool wide : {false, true}) {
    const ListWay& by = wide ? way.wide : way.first;
    const std::int64_t one = wide ? way.wide_read : way.read;
    if (by.kernel == nullptr) break;
    Ref<Array> made = make_plain_like(cx.heap, by.results.type(), a);
    if (by.kernel(made->data.here(), atom_left ? &one : from, atom_left ? from : &one, a.length) != a.length) continue;
    if (site != nullptr && a.length <= always && a.rank() - 1 < 2)
      remember_atom(cx, *site, ways, way, wide, atom_left, a, atom.bits());
    return to_value(std::move(made)).leak();
  }
  return Value::absent_bits;
}

// Computes by a way, where there is one.
std::uint64_t by_way(Context& cx, const ListWay& way, const void* w, const void* x, std::size_t n) {
  if (way.kernel == nullptr) return Value::absent_bits;
  Value result(make_list_of(cx.heap, way.results, n));
  return way.kernel(result.array().data.here(), w, x, n) == n ? result.leak() : Value::absent_bits;
}

// Takes results that do not fit back, and computes all anew.
[[gnu::noinline, gnu::cold]] std::uint64_t anew(Context& cx, const Array& w, const Array& x, const ListWays& ways,
                                                RecentDyad* site, Array* narrow) {
  release(narrow);
  const ListWays::Pair& way = ways.pairs[index_of(w.type())][index_of(x.type())];
  const std::uint64_t result = by_way(cx, way.wide, w.data.here(), x.data.here(), w.length);
  if (result == Value::absent_bits) return on_other_lists(cx, w, x, ways, site);
  if (site != nullptr && w.length <= always) remember_lists(cx, *site, ways, way, true, w.length);
  return result;
}

// Gives such an atom as kernels read it, unless they read bits. Takes fewer steps than the integer itself.
inline std::int64_t as_read(const Value& atom) {
  if (atom.is_character()) return static_cast<std::int64_t>(atom.bits());
  // The lowest bits of the sum are those of the integer.
  constexpr double three_halves_of_2_to_52 = 6755399441055744.0;
  return std::bit_cast<std::int64_t>(atom.number() + three_halves_of_2_to_52);
}
inline bool way_holds(const ListWays::Atom& way, std::uint32_t list, std::int32_t integer) {
  return way.list == list && static_cast<std::uint32_t>(integer) - static_cast<std::uint32_t>(way.least) <= way.span;
}

template <bool atom_left>
std::uint64_t few_with_atom(Context& cx, const Array& a, std::uint64_t atom, const ListWays& ways) {
  const std::uint64_t list = bits_of_array(&a);
  return few_as_doubles(cx, atom_left ? atom : list, atom_left ? list : atom, ways);
}

// Does without the ways that take the fewest steps: the elements' type does not hold the atom, or the array is no plain list.
template <bool atom_left>
[[gnu::noinline]] std::uint64_t without_way(Context& cx, const Array& a, std::uint64_t bits, const ListWays& ways,
                                            RecentDyad* site) {
  const Value& atom = as_value(bits);
  if (a.type() == ElementType::boxed) return Value::absent_bits;
  if (a.data.elsewhere() || !has_plain_fill(a) || !(atom.is_number() || atom.is_character())) return Value::absent_bits;
  if (a.rank() == 0 && is_number(a.type()) && atom.is_number()) {
    const Value one = plain_element(a, 0);
    return enclose(cx.heap, atom_left ? ways.rule->atoms(cx, atom, one) : ways.rule->atoms(cx, one, atom)).leak();
  }
  if (a.rank() != 0 && a.length != 0 && (a.length <= always || stays(a)))
    if (const std::uint64_t result = by_way_of_atom<atom_left>(cx, a, atom, ways, site); result != Value::absent_bits)
      return result;
  if (ways.rule->one_result != nullptr) {
    const Value list = shared_value(a);
    const std::uint64_t result = ways.rule->one_result(cx, *ways.rule, atom_left ? atom : list, atom_left ? list : atom);
    if (result != Value::absent_bits) return result;
  }
  return few_with_atom<atom_left>(cx, a, bits, ways);
}

template <bool atom_left>
[[gnu::noinline, gnu::cold]] std::uint64_t anew(Context& cx, const Array& a, std::uint64_t bits, const ListWays& ways,
                                                RecentDyad* site, Array* narrow) {
  const Value& atom = as_value(bits);
  release(narrow);
  const AtomWay way = way_of_atom(ways, a.type(), atom, atom_left);
  const void* const data = a.data.here();
  const std::int64_t one = way.wide_read;
  const std::uint64_t result = by_way(cx, way.wide, atom_left ? &one : data, atom_left ? data : &one, a.length);
  if (result == Value::absent_bits) return few_with_atom<atom_left>(cx, a, bits, ways);
  if (site != nullptr && a.length <= always) remember_atom(cx, *site, ways, way, true, atom_left, a, bits);
  return result;
}

// Computes on an empty array.
template <bool atom_left>
[[gnu::noinline]] std::uint64_t beside_nothing(Context& cx, const Array& a, std::uint64_t bits, const ListWays& ways) {
  const Value& atom = as_value(bits);
  if (!a.is_list() || a.type() == ElementType::boxed || !(atom.is_number() || atom.is_character())) return Value::absent_bits;
  const FillKind one = atom.is_number() ? FillKind::zero : FillKind::space;
  return atom_left ? empty_list_result(cx, one, a.fill_kind(), ways) : empty_list_result(cx, a.fill_kind(), one, ways);
}

template <bool atom_left>
[[gnu::always_inline]] inline std::uint64_t with_atom(Context& cx, const Array& a, std::uint64_t bits, const ListWays& ways,
                                                      RecentDyad* site) {
  const Value& atom = as_value(bits);
  const std::size_t n = a.length;
  const void* data = a.data.here();
  const std::uint32_t list = PlainList::described(a);
  std::int64_t one;
  if (data == nullptr || (n - 1 >= always && (n == 0 || !stays(a)))) [[unlikely]]
    return n == 0 ? beside_nothing<atom_left>(cx, a, bits, ways) : without_way<atom_left>(cx, a, bits, ways, site);
  // What is needed only where results do not fit is found anew there, so that few registers need to be saved.
  const auto compute = [&](const ListWay& way) {
    Array* made = make_list_of(cx.heap, way.results, n);
    if (way.kernel(made->data.here(), atom_left ? &one : data, atom_left ? data : &one, n) != made->length) [[unlikely]]
      return anew<atom_left>(cx, a, bits, ways, site, made);
    if (site != nullptr && n <= always)
      remember_atom(cx, *site, ways, way_of_atom(ways, a.type(), atom, atom_left), false, atom_left, a, bits);
    return Value(made).leak();
  };
  if (a.type() == ElementType::f64) {
    const ListWays::Real& way = here(ways.reals[atom_left][index_of(ElementType::f64)]);
    one = static_cast<std::int64_t>(bits);
    if (way.list == list && atom.is_number()) [[likely]]
      return compute(way.first);
  }
  std::int32_t integer;
  if (read_atom_as_integer(atom, integer)) [[likely]] {
    const ListWays::Atom& way = here(ways.atoms[atom_left][index_of(a.type())][!atom.is_character()]);
    if (way_holds(way, list, integer)) [[likely]] {
      if (way.as_word) [[unlikely]]
        return by_way_of_atom<atom_left>(cx, a, atom, ways, site);
      one = as_read(atom);
      return compute(way.first);
    }
  }
  if (a.type() == ElementType::bit && atom.is_number()) return on_bits_and_number(cx, a, bits, atom_left, ways, site);
  return without_way<atom_left>(cx, a, bits, ways, site);
}

}  // namespace

std::uint64_t on_two_lists(Context& cx, const Array& a, const Array& b, const ListWays& ways, RecentDyad* site) {
  const ListWays::Pair& way = here(ways.pairs[index_of(a.type())][index_of(b.type())]);
  const std::size_t n = a.length;
  const void* from_w = a.data.here();
  const void* from_x = b.data.here();
  if (PlainList::described(a) != way.w) [[unlikely]]
    return on_other_lists(cx, a, b, ways, site);
  if (PlainList::described(b) != way.x) [[unlikely]]
    return on_other_lists(cx, a, b, ways, site);
  if (b.length != n || from_w == nullptr || from_x == nullptr) [[unlikely]]
    return Value::absent_bits;
  if (n - 1 >= always && (n == 0 || !stays(a) || !stays(b))) [[unlikely]]
    return on_other_lists(cx, a, b, ways, site);
  Array* made = make_list_of(cx.heap, way.first.results, n);
  if (way.first.kernel(made->data.here(), from_w, from_x, n) != made->length) [[unlikely]]
    return anew(cx, a, b, ways, site, made);
  if (site != nullptr && n <= always) remember_lists(cx, *site, ways, way, false, n);
  return Value(made).leak();
}

std::uint64_t on_list_and_atom(Context& cx, const Array& w, std::uint64_t x, const ListWays& ways, RecentDyad* site) {
  return with_atom<false>(cx, w, x, ways, site);
}
std::uint64_t on_atom_and_list(Context& cx, std::uint64_t w, const Array& x, const ListWays& ways, RecentDyad* site) {
  return with_atom<true>(cx, x, w, ways, site);
}

// Computes on an array of more axes, or on a list of nothing.
[[gnu::noinline]] static std::uint64_t on_other_list(Context& cx, const Array& a, const ListMonadWays& ways, RecentMonad* site) {
  if (!has_plain_fill(a)) return Value::absent_bits;
  if (a.length == 0) return a.is_list() ? shared_value(a).leak() : Value::absent_bits;
  const ListMonadWays::Way& way = ways.by_type[index_of(a.type())];
  if (way.x == ListWays::no_list || a.rank() < 2 || a.length > always || a.data.elsewhere()) return Value::absent_bits;
  Value result;
  if (way.first.kernel == nullptr) {
    result = shared_value(a);
  } else {
    result = to_value(make_plain_like(cx.heap, way.first.results.type(), a));
    if (way.first.kernel(result.array().data.here(), a.data.here(), a.length) != a.length) return Value::absent_bits;
  }
  if (site != nullptr && a.rank() == 2) remember_list(cx, *site, ways, way, a);
  return result.leak();
}

std::uint64_t on_list(Context& cx, std::uint64_t x, const ListMonadWays& ways, RecentMonad* site) {
  if (!as_value(x).is_array()) return Value::absent_bits;
  const Array& a = as_value(x).array();
  const ListMonadWays::Way& way = ways.by_type[index_of(a.type())];
  const std::size_t n = a.length;
  const void* data = a.data.here();
  if (PlainList::described(a) != way.x || data == nullptr || (n - 1 >= always && (n == 0 || !stays(a)))) [[unlikely]]
    return on_other_list(cx, a, ways, site);
  if (way.first.kernel == nullptr) {
    if (site != nullptr) remember_list(cx, *site, ways, way, a);
    return shared_value(a).leak();
  }
  Array* made = make_list_of(cx.heap, way.first.results, n);
  if (way.first.kernel(made->data.here(), data, n) == n) [[likely]] {
    if (site != nullptr && n <= always) remember_list(cx, *site, ways, way, a);
    return Value(made).leak();
  }
  release(made);
  return Value::absent_bits;
}

namespace {

ListWay way_of(kernels::Dyad kernel, ElementType result) { return {kernel, PlainList(result)}; }

// Gives what takes over where results of a kernel that reads these types do not fit, if it reads the same.
ListWay wider_way(const DyadRule& rule, kernels::Form form, ElementType w, ElementType x, ElementType narrow) {
  DyadStep step;
  if (!rule.step(w, x, 1, step) || step.w != w || step.x != x || step.result <= narrow) return {};
  return way_of(step.forms[form], step.result);
}

// Gives the type in which lists of a type meet integers (or characters), which it holds or has the width of.
ElementType type_of_atoms(ElementType list, bool numbers) {
  if (is_number(list) == numbers) return list;
  const int from = index_of(ElementType::i8), to = index_of(ElementType::c8);
  return static_cast<ElementType>(numbers ? index_of(list) - to + from : index_of(list) - from + to);
}

void limit(ListWays::Atom& way, ElementType atom) {
  const auto to = [&](std::int32_t least, std::int32_t greatest) {
    way.least = least;
    way.span = static_cast<std::uint32_t>(greatest) - static_cast<std::uint32_t>(least);
  };
  switch (atom) {
    case ElementType::bit: way.as_word = true; return to(0, 1);
    case ElementType::i8: return to(-128, 127);
    case ElementType::i16: return to(-32768, 32767);
    case ElementType::c8: return to(0, 0xFF);
    case ElementType::c16: return to(0, 0xFFFF);
    default: return to(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  }
}

auto is_rule(const auto& rule) {
  return [&rule](const auto& other) { return &rule == &other; };
}

}  // namespace

ListWays list_ways(const DyadRule& rule) {
  ListWays ways;
  ways.rule = &rule;
  ways.entry = entry_with(&PrimitiveFunctionEntry::dyad_rule, is_rule(rule));
  const DirectDyads& direct = rule.direct();
  for (int tw = 0; tw < flat_type_count; tw++) {
    const ElementType list = static_cast<ElementType>(tw);
    for (int tx = 0; tx < flat_type_count; tx++) {
      const ElementType x = static_cast<ElementType>(tx);
      const DirectDyad& way = direct.find(kernels::array_array, list, x);
      if (way.kernel != nullptr)
        ways.pairs[tw][tx] = {way_of(way.kernel, way.result), wider_way(rule, kernels::array_array, list, x, way.result),
                              PlainList::described(list), PlainList::described(x)};
    }
    for (bool left : {false, true}) {
      const kernels::Form form = left ? kernels::scalar_array : kernels::array_scalar;
      const auto find = [&](ElementType atom) -> const DirectDyad& {
        return left ? direct.find(form, atom, list) : direct.find(form, list, atom);
      };
      for (bool number : {false, true}) {
        // No characters have the width of bits or doubles.
        if (!number && (list == ElementType::bit || list == ElementType::f64)) continue;
        const ElementType atom = type_of_atoms(list, number);
        if (atom == ElementType::f64) continue;
        const DirectDyad& way = find(atom);
        if (way.kernel == nullptr || way.atom != atom) continue;
        ListWays::Atom& to = ways.atoms[left][tw][number];
        to.first = way_of(way.kernel, way.result);
        to.wide = left ? wider_way(rule, form, atom, list, way.result) : wider_way(rule, form, list, atom, way.result);
        to.list = PlainList::described(list);
        limit(to, atom);
      }
      const auto wider_atoms = [&](ElementType atom) -> ListWays::Atom {
        const DirectDyad& way = find(atom);
        if (!is_integer(list) || list == ElementType::bit || list >= atom || way.kernel == nullptr || way.atom != atom) return {};
        ListWays::Atom to;
        to.first = way_of(way.kernel, way.result);
        to.list = PlainList::described(list);
        limit(to, atom);
        return to;
      };
      ListWays::Atom(&wider)[2] = ways.wider[left][tw];
      wider[0] = wider_atoms(ElementType::i16);
      wider[1] = wider_atoms(ElementType::i32);
      // What does not fit 16 bits fits 32, in which the kernel reads the same integer.
      if (wider[0].list != ListWays::no_list && wider[1].list != ListWays::no_list) wider[0].wide = wider[1].first;
      const DirectDyad& real = find(ElementType::f64);
      if (is_number(list) && real.kernel != nullptr && real.atom == ElementType::f64)
        ways.reals[left][tw] = {way_of(real.kernel, real.result), PlainList::described(list)};
    }
  }
  return ways;
}

ListMonadWays list_ways(const MonadRule& rule) {
  ListMonadWays ways;
  ways.entry = entry_with(&PrimitiveFunctionEntry::monad_rule, is_rule(rule));
  for (int tx = 0; tx < flat_type_count; tx++) {
    const ElementType type = static_cast<ElementType>(tx);
    const bool changes = type >= rule.changes_from;
    const MonadStep step = changes ? rule.direct(type) : MonadStep{type, type, nullptr};
    if (!changes || step.kernel != nullptr)
      ways.by_type[tx] = {{step.kernel, PlainList(step.result)}, PlainList::described(type)};
  }
  return ways;
}

}  // namespace griddle::primitives
