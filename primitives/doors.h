// How entries of the table of primitives are written, and the doors that they get: ways for operands that stay, a device, the
// general way.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "primitives/arithmetic/dispatch.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Lets an entry be written as a sentence: what has no word here keeps its default.
struct FunctionGlyph : PrimitiveFunctionEntry {
  Monad general_monad;  // takes any values
  // Whether there are other ways: with sanitizers, g++ takes no comparison of an address with null for constant.
  bool tries_monad = false, tries_dyad = false;

  constexpr FunctionGlyph(char32_t glyph, const char* page, const char* monad_name, Monad monad, const char* dyad_name, Dyad dyad)
      : PrimitiveFunctionEntry{glyph, monad_name, dyad_name, nullptr, nullptr, dyad}, general_monad(monad) {
    spec = page;
  }
  constexpr FunctionGlyph& pervasive(bool one, bool two, ScalarOp op) {
    pervasive_monad = one, pervasive_dyad = two, scalar = op;
    return *this;
  }
  constexpr FunctionGlyph& passing(ScalarOp side) {
    scalar = side;
    return *this;
  }
  constexpr FunctionGlyph& refusing(Value (*message)(Context&, const Value&, const Value&)) {
    refusal = message;
    return *this;
  }
  constexpr FunctionGlyph& only_refusing(Value (*message)(Context&, const Value&, const Value&)) {
    only_refuses = true;
    return refusing(message);
  }
  // Null where there are none.
  template <class One, class Two>
  constexpr FunctionGlyph& trying(One one, Two two) {
    monad_ways = one, dyad_ways = two;
    tries_monad = !std::is_null_pointer_v<One>, tries_dyad = !std::is_null_pointer_v<Two>;
    return *this;
  }
  constexpr FunctionGlyph& identity_of(double value) {
    has_identity = true, identity = value;
    return *this;
  }
  constexpr FunctionGlyph& on_booleans(std::uint8_t results) {
    truth = results;
    return *this;
  }
  constexpr FunctionGlyph& known(FunctionFacts with_one, FunctionFacts with_two) {
    one = with_one, two = with_two;
    return *this;
  }
  constexpr FunctionGlyph& ruled(const MonadRule* with_one, const DyadRule* with_two) {
    monad_rule = with_one, dyad_rule = with_two;
    return *this;
  }
  constexpr FunctionGlyph& on_each_cell(decltype(on_cells) alone, decltype(with_cells) with_data = nullptr,
                                        decltype(on_pairs_of_cells) pairs = nullptr) {
    on_cells = alone, with_cells = with_data, on_pairs_of_cells = pairs;
    return *this;
  }
  constexpr FunctionGlyph& under_each(decltype(on_each) boxes, decltype(on_each_pair) pairs = nullptr) {
    on_each = boxes, on_each_pair = pairs;
    return *this;
  }
  constexpr FunctionGlyph& composed_by(decltype(on_parts) parts) {
    on_parts = parts;
    return *this;
  }
  constexpr FunctionGlyph& first_alone(decltype(first_of_one) one, decltype(first_of_two) two = nullptr) {
    first_of_one = one, first_of_two = two;
    return *this;
  }
  constexpr FunctionGlyph& folding_parts(decltype(fold_parts) fold, Applies by) {
    fold_parts = fold, parts_of = by;
    return *this;
  }
  constexpr FunctionGlyph& undone(Monad one, Dyad two = nullptr) {
    undo = one, undo_dyad = two;
    return *this;
  }
  constexpr FunctionGlyph& undone_by_atoms() {
    undone_on_atoms = true;
    return *this;
  }
  constexpr FunctionGlyph& undone_swapped(Monad one, Dyad two = nullptr) {
    undo_swapped = one, undo_swapped_dyad = two;
    return *this;
  }
  constexpr FunctionGlyph& changed_under(decltype(under) alone, decltype(under_bound) bound = nullptr) {
    under = alone, under_bound = bound;
    return *this;
  }
};

// --- the doors

// Names the functions that a device may do.
constexpr std::u32string_view offered_monads = U"-×÷⋆√⌊⌈|¬∧∨>⥊∾↕⌽⍉/⍋⍒⊑⊏»«∊⍷⊐⊒⊔";
constexpr std::u32string_view offered_dyads = U"+-×÷⋆√⌊⌈|¬∧∨<>=≠≤≥≡≢⥊∾≍↑↓↕»«⌽⍉/⊏⊑⊐⊒∊⍷⍋⍒⊔";
constexpr bool is_offered(std::u32string_view glyphs, char32_t glyph) { return glyphs.find(glyph) != std::u32string_view::npos; }

// Names those of them that may be worth sending what is not there.
constexpr std::u32string_view moved_monads = U"∧∨⍋⍒", moved_dyads = U"∊⊐";

// Gives a value that the callee owns.
inline Value owned(std::uint64_t v, bool given) { return given ? Value::from_bits(v) : reinterpret_cast<const Value&>(v); }

// Tells whether an operand is a device's.
inline bool is_there(const Context& cx, std::uint64_t v) { return belongs_to_device(cx, reinterpret_cast<const Value&>(v)); }

// Releases what a call has given, after its result is there.
inline std::uint64_t released(std::uint64_t result, std::uint64_t x, MonadCall call) {
  if (call.gives_x) release_bits(x);
  return result;
}
inline std::uint64_t released(std::uint64_t result, std::uint64_t w, std::uint64_t x, DyadCall call) {
  if (call.gives_w()) release_bits(w);
  if (call.gives_x()) release_bits(x);
  return result;
}

// Tries ways, which run out of memory at most; then what is given is released.
[[gnu::always_inline]] inline std::uint64_t tried(const MonadWays& ways, Context& cx, std::uint64_t x, MonadCall call) {
  try {
    return ways.run(cx, x, call);
  } catch (...) {
    released(0, x, call);
    throw;
  }
}
[[gnu::always_inline]] inline std::uint64_t tried(const DyadWays& ways, Context& cx, std::uint64_t w, std::uint64_t x,
                                                  DyadCall call) {
  try {
    return ways.run(cx, w, x, call);
  } catch (...) {
    released(0, w, x, call);
    throw;
  }
}

// Asks the device, which then never throws, to repeat a list of the host where that is to be long.
inline Value repeated_there(Context& cx, const Value& count, const Value& list) {
  const bool long_enough = count.is_number() && list.is_array() && count.number() >= static_cast<double>(cx.device->from);
  return long_enough ? cx.device->repeat(cx, count.number(), list) : Value();
}

// Where there is a device: operands on the host go the ways of the host; then the device is asked. What the call site remembers
// serves lists on the host that are not long, so that programs without larger ones do not notice the device. Where all work is to
// be done there, nothing is remembered.
template <const auto& functions, std::size_t i, bool general>
[[gnu::noinline]] std::uint64_t monad_with_device(Context& cx, std::uint64_t x, MonadCall call) {
  constexpr const FunctionGlyph& function = functions[i];
  if (cx.device->forced) call.site = nullptr;
  if constexpr (!general && function.tries_monad)
    if (!is_there(cx, x))
      if (const std::uint64_t result = tried(*function.monad_ways, cx, x, call); result != Value::absent_bits)
        return released(result, x, call);
  Value argument = owned(x, call.gives_x);
  const bool counts = function.glyph == U'↕' && argument.is_number() && argument.number() >= static_cast<double>(cx.device->from);
  constexpr bool moves = is_offered(moved_monads, function.glyph);
  if (is_offered(offered_monads, function.glyph) &&
      (counts || (moves ? moves_to_device(cx, argument) : concerns_device(cx, argument))))
    if (Value r = cx.device->monad(cx, static_cast<Glyph>(i), argument); !r.is_absent()) return r.leak();
  const ComputingHere here(cx, function.monad_name);
  return function.general_monad(cx, std::move(argument)).leak();
}
template <const auto& functions, std::size_t i, bool general>
[[gnu::noinline]] std::uint64_t dyad_with_device(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  constexpr const FunctionGlyph& function = functions[i];
  if (cx.device->forced) call.site = nullptr;
  if constexpr (function.glyph == U'⥊')
    if (Value r = repeated_there(cx, reinterpret_cast<const Value&>(w), reinterpret_cast<const Value&>(x)); !r.is_absent())
      return released(r.leak(), w, x, call);
  if constexpr (!general && function.tries_dyad)
    if (!is_there(cx, w) && !is_there(cx, x))
      if (const std::uint64_t result = tried(*function.dyad_ways, cx, w, x, call); result != Value::absent_bits)
        return released(result, w, x, call);
  Value left = owned(w, call.gives_w()), right = owned(x, call.gives_x());
  constexpr bool moves = is_offered(moved_dyads, function.glyph);
  if (is_offered(offered_dyads, function.glyph) && (moves ? moves_to_device(cx, left, right) : concerns_device(cx, left, right)))
    if (Value r = cx.device->dyad(cx, static_cast<Glyph>(i), left, right); !r.is_absent()) return r.leak();
  const ComputingHere here(cx, function.dyad_name);
  return function.general_dyad(cx, std::move(left), std::move(right)).leak();
}

template <const auto& functions, std::size_t i, bool general>
[[gnu::flatten]] std::uint64_t monad_door(Context& cx, std::uint64_t x, MonadCall call) {
  constexpr const FunctionGlyph& function = functions[i];
  if (cx.device != nullptr) [[unlikely]]
    return monad_with_device<functions, i, general>(cx, x, call);
  if constexpr (!general && function.tries_monad) {
    if (const std::uint64_t result = tried(*function.monad_ways, cx, x, call); result != Value::absent_bits) [[likely]]
      return released(result, x, call);
  }
  return function.general_monad(cx, owned(x, call.gives_x)).leak();
}
template <const auto& functions, std::size_t i, bool general>
[[gnu::flatten]] std::uint64_t dyad_door(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  constexpr const FunctionGlyph& function = functions[i];
  if (cx.device != nullptr) [[unlikely]]
    return dyad_with_device<functions, i, general>(cx, w, x, call);
  if constexpr (!general && function.tries_dyad) {
    if (const std::uint64_t result = tried(*function.dyad_ways, cx, w, x, call); result != Value::absent_bits) [[likely]]
      return released(result, w, x, call);
  }
  return function.general_dyad(cx, owned(w, call.gives_w()), owned(x, call.gives_x())).leak();
}

template <const auto& functions, std::size_t i>
Value offered_undo(Context& cx, Value x) {
  constexpr const FunctionGlyph& function = functions[i];
  if (concerns_device(cx, x)) [[unlikely]]
    if (Value r = cx.device->undo(cx, static_cast<Glyph>(i), x); !r.is_absent()) return r;
  return function.undo(cx, std::move(x));
}

// What undoes a function is often another one, which the device is asked for as well.
template <const auto& functions, std::size_t i>
Value offered_monad(Context& cx, Value x) {
  if (moves_to_device(cx, x)) [[unlikely]]
    if (Value r = cx.device->monad(cx, static_cast<Glyph>(i), x); !r.is_absent()) return r;
  return functions[i].general_monad(cx, std::move(x));
}
template <const auto& functions, std::size_t i>
Value offered_dyad(Context& cx, Value w, Value x) {
  if (moves_to_device(cx, w, x)) [[unlikely]]
    if (Value r = cx.device->dyad(cx, static_cast<Glyph>(i), w, x); !r.is_absent()) return r;
  return functions[i].general_dyad(cx, std::move(w), std::move(x));
}
// Compared as types: builds that look for undefined behaviour compare no addresses of functions while they compile.
template <auto code>
struct CodeOf {};
template <auto one, auto other>
constexpr bool is_same_code = std::is_same_v<CodeOf<one>, CodeOf<other>>;
template <const auto& functions, Monad code, std::size_t... i>
constexpr Monad offered(std::index_sequence<i...>) {
  Monad found = code;
  ((is_same_code<functions[i].general_monad, code> && is_offered(offered_monads, functions[i].glyph)
        ? void(found = offered_monad<functions, i>)
        : void()),
   ...);
  return found;
}
template <const auto& functions, Dyad code, std::size_t... i>
constexpr Dyad offered(std::index_sequence<i...>) {
  Dyad found = code;
  ((is_same_code<functions[i].general_dyad, code> && is_offered(offered_dyads, functions[i].glyph)
        ? void(found = offered_dyad<functions, i>)
        : void()),
   ...);
  return found;
}

// Gives the table, or the one of general ways alone.
template <const auto& functions, bool general, std::size_t... i>
constexpr auto with_doors(std::index_sequence<i...>) {
  const auto entry = []<std::size_t k>(std::integral_constant<std::size_t, k>) {
    PrimitiveFunctionEntry e = functions[k];
    e.name = static_cast<Glyph>(k);
    e.monad = monad_door<functions, k, general>;
    e.dyad = dyad_door<functions, k, general>;
    constexpr auto all = std::make_index_sequence<std::size(functions)>{};
    constexpr const FunctionGlyph& of = functions[k];
    e.undo = e.glyph == U'/' ? offered_undo<functions, k> : offered<functions, of.undo>(all);
    e.undo_dyad = offered<functions, of.undo_dyad>(all);
    e.undo_swapped = offered<functions, of.undo_swapped>(all);
    e.undo_swapped_dyad = offered<functions, of.undo_swapped_dyad>(all);
    if (general) e.monad_ways = nullptr, e.dyad_ways = nullptr;
    return e;
  };
  return std::array{entry(std::integral_constant<std::size_t, i>{})...};
}

}  // namespace griddle::primitives
