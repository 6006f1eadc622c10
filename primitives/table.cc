// The table: one entry a glyph. What a glyph means is written by its family; here it gets its name, its place and its inverse.
#include <array>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/indexing.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/modifiers.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle {

namespace primitives {
namespace {

using Op = ScalarOp;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Lets an entry be written as a sentence: what has no word here keeps its default.
struct FunctionGlyph : PrimitiveFunctionEntry {
  // The general ways, which take any values.
  Monad general_monad;
  Dyad general_dyad;
  // Whether there are other ways: with sanitizers, g++ takes no comparison of an address with null for constant.
  bool tries_monad = false, tries_dyad = false;

  constexpr FunctionGlyph(char32_t glyph, const char* page, const char* monad_name, Monad monad, const char* dyad_name, Dyad dyad)
      : PrimitiveFunctionEntry{glyph, monad_name, dyad_name, nullptr, nullptr}, general_monad(monad), general_dyad(dyad) {
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
  constexpr FunctionGlyph& first_alone(decltype(first_of_one) one, decltype(first_of_two) two = nullptr) {
    first_of_one = one, first_of_two = two;
    return *this;
  }
  constexpr FunctionGlyph& undone(Monad one, Dyad two = nullptr) {
    undo = one, undo_dyad = two;
    return *this;
  }
  constexpr FunctionGlyph& undone_swapped(Monad one, Dyad two = nullptr) {
    undo_swapped = one, undo_swapped_dyad = two;
    return *this;
  }
};

template <Glyph function>
Value numbers_only(Context& cx, const Value& w, const Value& x) {
  return numbers_refusal(cx, entry_of(function), w, x);
}

constexpr const char* arithmetic_page = "primitives/arithmetic";
constexpr const char* compare_page = "primitives/compare";
constexpr const char* match_page = "primitives/match";
constexpr const char* shape_page = "primitives/shape";
constexpr const char* join_page = "primitives/join";
constexpr const char* take_page = "primitives/take";
constexpr const char* rotate_page = "primitives/rotate";
constexpr const char* transpose_page = "primitives/transpose";
constexpr const char* select_page = "primitives/select";
constexpr const char* replicate_page = "primitives/replicate";
constexpr const char* sort_page = "primitives/sort";
constexpr const char* search_page = "primitives/search";
constexpr const char* group_page = "primitives/group";

constexpr FunctionFacts nothing_known = {}, bounded = {.bounded = true}, number = {.bounded = true, .number = true},
                        of_shape = {.moves = Moves::shape, .bounded = true},
                        length = {.moves = Moves::shape, .bounded = true, .number = true}, selecting = {.moves = Moves::elements},
                        part = {.moves = Moves::elements, .injective = true},
                        short_part = {.moves = Moves::elements, .injective = true, .bounded = true},
                        rearranging = {.moves = Moves::elements, .bounded = true},
                        boxing = {.moves = Moves::whole, .injective = true, .bounded = true},
                        merging = {.moves = Moves::inner_elements, .bounded = true},
                        joining = {.moves = Moves::both, .bounded = true}, pairing = {.moves = Moves::whole, .bounded = true};

// clang-format off
constexpr FunctionGlyph function_glyphs[] = {
    FunctionGlyph{U'+', arithmetic_page, "Conjugate", conjugate, "Add", add}
        .pervasive(true, true, Op::add).trying(nullptr, &add_ways).refusing(add_refusal).identity_of(0).undone(conjugate, undo_add).undone_swapped(undo_add_swapped, undo_add)
        .ruled(nullptr, &add_rule),
    FunctionGlyph{U'-', arithmetic_page, "Negate", negate, "Subtract", subtract}
        .pervasive(true, true, Op::subtract).trying(&negate_ways, &subtract_ways).refusing(subtract_refusal).identity_of(0).undone(negate, subtract).undone_swapped(nullptr, undo_subtract_swapped)
        .ruled(&negate_rule, &subtract_rule),
    FunctionGlyph{U'×', arithmetic_page, "Sign", sign, "Multiply", multiply}
        .pervasive(true, true, Op::multiply).trying(&sign_ways, &multiply_ways).refusing(numbers_only<Glyph::multiply>).identity_of(1).undone(undo_sign, undo_multiply).undone_swapped(square_root, undo_multiply)
        .ruled(&sign_rule, &multiply_rule),
    FunctionGlyph{U'÷', arithmetic_page, "Reciprocal", reciprocal, "Divide", divide}
        .pervasive(true, true, Op::divide).trying(&reciprocal_ways, &divide_ways).refusing(numbers_only<Glyph::divide>).identity_of(1).undone(reciprocal, divide).undone_swapped(nullptr, undo_divide_swapped)
        .ruled(&reciprocal_rule, &divide_rule),
    FunctionGlyph{U'⋆', arithmetic_page, "Exponential", exponential, "Power", power}
        .pervasive(true, true, Op::power).refusing(numbers_only<Glyph::power>).identity_of(1).undone(undo_exponential, undo_power).undone_swapped(nullptr, undo_power_swapped),
    FunctionGlyph{U'√', arithmetic_page, "Square Root", square_root, "Root", root}
        .pervasive(true, true, Op::root).trying(&square_root_ways, nullptr).refusing(numbers_only<Glyph::root>).undone(undo_square_root, undo_root).undone_swapped(nullptr, undo_root_swapped)
        .ruled(&square_root_rule, nullptr),
    FunctionGlyph{U'⌊', arithmetic_page, "Floor", floor_of, "Minimum", minimum}
        .pervasive(true, true, Op::minimum).trying(&floor_ways, &minimum_ways).refusing(numbers_only<Glyph::minimum>).identity_of(infinity)
        .ruled(&floor_rule, &minimum_rule),
    FunctionGlyph{U'⌈', arithmetic_page, "Ceiling", ceiling, "Maximum", maximum}
        .pervasive(true, true, Op::maximum).trying(&ceiling_ways, &maximum_ways).refusing(numbers_only<Glyph::maximum>).identity_of(-infinity)
        .ruled(&ceiling_rule, &maximum_rule),
    FunctionGlyph{U'|', arithmetic_page, "Magnitude", magnitude, "Modulus", modulus}
        .pervasive(true, true, Op::modulus).trying(&magnitude_ways, &modulus_ways).refusing(numbers_only<Glyph::modulus>)
        .ruled(&magnitude_rule, &modulus_rule),
    FunctionGlyph{U'¬', arithmetic_page, "Not", complement, "Span", span_not}.trying(&complement_ways, &span_ways)
        .pervasive(true, true, Op::span_not).identity_of(1).undone(complement, span_not).undone_swapped(nullptr, undo_span_not_swapped)
        .ruled(nullptr, &span_rule),
    FunctionGlyph{U'∧', arithmetic_page, "Sort Up", sort_up, "And", logic_and}
        .pervasive(false, true, Op::logic_and).trying(&sort_up_ways, &logic_and_ways).refusing(numbers_only<Glyph::logic_and>).identity_of(1).undone(undo_sort_up, undo_multiply).undone_swapped(square_root, undo_multiply)
        .ruled(nullptr, &and_rule).known(bounded, nothing_known).on_each_cell(sort_cells_up),
    FunctionGlyph{U'∨', arithmetic_page, "Sort Down", sort_down, "Or", logic_or}
        .pervasive(false, true, Op::logic_or).trying(&sort_down_ways, &logic_or_ways).refusing(numbers_only<Glyph::logic_or>).identity_of(0).undone(undo_sort_down, undo_logic_or).undone_swapped(undo_logic_or_swapped, undo_logic_or)
        .ruled(nullptr, &or_rule).known(bounded, nothing_known).on_each_cell(sort_cells_down),
    FunctionGlyph{U'<', compare_page, "Enclose", enclose_value, "Less Than", less}
        .pervasive(false, true, Op::less).trying(&enclose_ways, &less_ways).undone(undo_enclose)
        .ruled(nullptr, &less_rule).known(boxing, nothing_known).on_each_cell(enclose_cells),
    FunctionGlyph{U'>', compare_page, "Merge", merge, "Greater Than", greater}
        .pervasive(false, true, Op::greater).trying(&merge_ways, &greater_ways).refusing(merge_refusal).identity_of(0)
        .ruled(nullptr, &greater_rule).known(merging, nothing_known),
    FunctionGlyph{U'≠', compare_page, "Length", length_cells, "Not Equal", not_equal}
        .pervasive(false, true, Op::not_equal).trying(&length_ways, &not_equal_ways).identity_of(0).undone(nullptr, undo_not_equal).undone_swapped(nullptr, undo_not_equal)
        .ruled(nullptr, &not_equal_rule).known(length, nothing_known).on_each_cell(lengths_of_cells),
    FunctionGlyph{U'=', compare_page, "Rank", rank_length, "Equal", equal}
        .pervasive(false, true, Op::equal).trying(&rank_ways, &equal_ways).identity_of(1)
        .ruled(nullptr, &equal_rule).known(length, nothing_known).on_each_cell(ranks_of_cells),
    FunctionGlyph{U'≤', compare_page, "Less or Equal", no_monad_less_equal, "Less or Equal", less_equal}
        .pervasive(false, true, Op::less_equal).trying(nullptr, &less_equal_ways)
        .ruled(nullptr, &less_equal_rule),
    FunctionGlyph{U'≥', compare_page, "Greater or Equal", no_monad_greater_equal, "Greater or Equal", greater_equal}
        .pervasive(false, true, Op::greater_equal).trying(nullptr, &greater_equal_ways).identity_of(1)
        .ruled(nullptr, &greater_equal_rule),
    FunctionGlyph{U'≡', match_page, "Depth", depth, "Match", match}.trying(&depth_ways, &match_ways)
        .known(number, number).on_each_cell(depths_of_cells, nullptr, match_cells),
    FunctionGlyph{U'≢', match_page, "Shape", shape, "Not Match", not_match}.trying(&shape_ways, &not_match_ways)
        .known(of_shape, number).on_each_cell(nullptr, nullptr, unlike_cells),
    FunctionGlyph{U'⊣', match_page, "Identity", identity_left, "Left", left}
        .passing(ScalarOp::left).undone(identity_left, undo_left).undone_swapped(identity_left, right)
        .on_each_cell(same_cells),
    FunctionGlyph{U'⊢', match_page, "Identity", identity_right, "Right", right}
        .passing(ScalarOp::right).undone(identity_right, right).undone_swapped(identity_right, undo_left)
        .on_each_cell(same_cells),
    FunctionGlyph{U'⥊', shape_page, "Deshape", deshape, "Reshape", reshape}
        .trying(&deshape_ways, &reshape_ways)
        .known(short_part, selecting).on_each_cell(ravel_cells),
    FunctionGlyph{U'∾', join_page, "Join", join, "Join To", join_to}
        .trying(&join_ways, &join_to_ways).refusing(join_to_refusal).undone(nullptr, undo_join_to).undone_swapped(undo_join_half, undo_join_to_swapped)
        .known(merging, joining).on_each_cell(nullptr, nullptr, join_cells),
    FunctionGlyph{U'≍', join_page, "Solo", solo, "Couple", couple}
        .trying(&solo_ways, &couple_ways).refusing(couple_refusal).undone(undo_solo, undo_couple).undone_swapped(undo_couple_half, undo_couple_swapped)
        .known(short_part, joining).on_each_cell(solo_cells, nullptr, couple_cells),
    FunctionGlyph{U'⋈', join_page, "Enlist", enlist, "Pair", pair}.trying(&enlist_ways, &pair_ways)
        .undone(undo_enlist, undo_pair).undone_swapped(undo_pair_half, undo_pair_swapped)
        .known(boxing, pairing),
    FunctionGlyph{U'↑', take_page, "Prefixes", prefixes, "Take", take}.trying(nullptr, &take_ways).undone(undo_prefixes)
        .known(selecting, part).on_each_cell(nullptr, take_in_cells),
    FunctionGlyph{U'↓', take_page, "Suffixes", suffixes, "Drop", drop}.first_alone(nullptr, first_of_rest).trying(nullptr, &drop_ways).undone(undo_suffixes)
        .known(selecting, short_part).on_each_cell(nullptr, drop_in_cells),
    FunctionGlyph{U'↕', shape_page, "Range", range, "Windows", windows}
        .trying(&range_ways, &windows_ways).refusing(range_refusal).undone(undo_range)
        .known(nothing_known, selecting).on_each_cell(nullptr, windows_in_rows),
    FunctionGlyph{U'«', rotate_page, "Nudge Back", nudge_back, "Shift After", shift_after}
        .trying(&nudge_back_ways, &shift_after_ways)
        .known(rearranging, joining).on_each_cell(nudge_cells_back, shift_after_rows),
    FunctionGlyph{U'»', rotate_page, "Nudge", nudge, "Shift Before", shift_before}
        .trying(&nudge_ways, &shift_before_ways)
        .known(rearranging, joining).on_each_cell(nudge_cells, shift_before_rows),
    FunctionGlyph{U'⌽', rotate_page, "Reverse", reverse, "Rotate", rotate}.first_alone(last_element)
        .trying(&reverse_ways, &rotate_ways).refusing(rotate_refusal).undone(reverse, undo_rotate)
        .known(short_part, rearranging).on_each_cell(reverse_cells, rotate_cells, rotate_each),
    FunctionGlyph{U'⍉', transpose_page, "Transpose", transpose, "Reorder Axes", reorder_axes}
        .trying(&transpose_ways, nullptr).undone(undo_transpose, undo_reorder_axes)
        .known(short_part, selecting).on_each_cell(transpose_cells),
    FunctionGlyph{U'/', replicate_page, "Indices", indices, "Replicate", replicate}.first_alone(first_index)
        .trying(&indices_ways, &replicate_ways).refusing(replicate_refusal).undone(undo_indices, undo_replicate)
        .known(nothing_known, selecting).on_each_cell(nullptr, replicate_in_cells),
    FunctionGlyph{U'⍋', sort_page, "Grade Up", grade_up, "Bins Up", bins_up}.first_alone(place_of_least).trying(&grade_up_ways, &bins_up_ways).refusing(grade_up_refusal)
        .known(bounded, bounded).on_each_cell(grade_cells_up),
    FunctionGlyph{U'⍒', sort_page, "Grade Down", grade_down, "Bins Down", bins_down}.first_alone(place_of_greatest).trying(&grade_down_ways, &bins_down_ways).refusing(grade_down_refusal)
        .known(bounded, bounded).on_each_cell(grade_cells_down),
    FunctionGlyph{U'⊏', select_page, "First Cell", first_cell, "Select", select}
        .trying(&first_cell_ways, &select_ways).refusing(select_refusal)
        .known(short_part, part).on_each_cell(first_in_cells, select_in_cells, select_from_each),
    FunctionGlyph{U'⊑', select_page, "First", first, "Pick", pick}.trying(&first_ways, &pick_ways).refusing(pick_refusal)
        .known(short_part, short_part).on_each_cell(first_of_rows, pick_from_rows),
    FunctionGlyph{U'⊐', search_page, "Classify", classify, "Index of", index_of}.first_alone(nullptr, place_of_one).trying(&classify_ways, &index_of_ways)
        .known(bounded, bounded),
    FunctionGlyph{U'⊒', search_page, "Occurrence Count", occurrence_count, "Progressive Index of", progressive_index_of}.trying(&occurrence_count_ways, nullptr)
        .known(bounded, bounded),
    FunctionGlyph{U'∊', search_page, "Mark Firsts", mark_firsts, "Member of", member_of}.first_alone(nullptr, is_one_member).trying(&mark_firsts_ways, &member_of_ways)
        .known(bounded, bounded),
    FunctionGlyph{U'⍷', search_page, "Deduplicate", deduplicate, "Find", find}.trying(&deduplicate_ways, nullptr)
        .known(bounded, nothing_known),
    FunctionGlyph{U'⊔', group_page, "Group Indices", group_indices, "Group", group}.trying(&group_indices_ways, &group_ways)
        .undone(undo_group_indices, undo_group)
        .known(nothing_known, selecting),
    FunctionGlyph{U'!', match_page, "Assert", assert_true, "Assert", assert_message}.only_refusing(assertion_refusal),
};

constexpr const char* combinators_page = "primitives/combinators";
constexpr const char* mapping_page = "primitives/mapping";
constexpr const char* folds_page = "primitives/folds";

constexpr PrimitiveModifierEntry modifier_entries[] = {
    {U'˙', "Constant", 1, constant_monad, constant_dyad, nullptr, combinators_page},
    {U'˜', "Self/Swap", 1, swap_monad, swap_dyad, nullptr, combinators_page},
    {U'˘', "Cells", 1, cells_monad, cells_dyad, attach_cells, mapping_page},
    {U'¨', "Each", 1, each_monad, each_dyad, attach_each, mapping_page},
    {U'⌜', "Table", 1, table_monad, table_dyad, nullptr, mapping_page},
    {U'⁼', "Undo", 1, undo_monad, undo_dyad, nullptr, "primitives/undo"},
    {U'´', "Fold", 1, fold_monad, fold_dyad, attach_fold, folds_page},
    {U'˝', "Insert", 1, insert_monad, insert_dyad, attach_insert, folds_page},
    {U'`', "Scan", 1, scan_monad, scan_dyad, attach_scan, folds_page},
    {U'∘', "Atop", 2, atop_monad, atop_dyad, attach_atop, combinators_page},
    {U'○', "Over", 2, over_monad, over_dyad, nullptr, combinators_page},
    {U'⊸', "Before", 2, before_monad, before_dyad, attach_before, combinators_page},
    {U'⟜', "After", 2, after_monad, after_dyad, attach_after, combinators_page},
    {U'⌾', "Under", 2, under_monad, under_dyad, nullptr, "primitives/under"},
    {U'⊘', "Valences", 2, valences_monad, valences_dyad, nullptr, combinators_page},
    {U'◶', "Choose", 2, choose_monad, choose_dyad, attach_choose, "primitives/choose"},
    {U'⎉', "Rank", 2, rank_monad, rank_dyad, nullptr, mapping_page},
    {U'⚇', "Depth", 2, depth_map_monad, depth_map_dyad, nullptr, mapping_page},
    {U'⍟', "Repeat", 2, repeat_monad, repeat_dyad, nullptr, "primitives/repeat"},
    {U'⎊', "Catch", 2, catch_error_monad, catch_error_dyad, nullptr, "primitives/choose"},
};
// clang-format on

// --- the doors: ways for operands that stay, a device, the general way

// Names the functions that a device may do.
constexpr std::u32string_view offered_monads = U"-×÷⋆√⌊⌈|¬∧∨⥊∾↕⌽⍉/⍋⍒⊑⊏»«∊⍷⊐⊒⊔";
constexpr std::u32string_view offered_dyads = U"+-×÷⋆√⌊⌈|¬∧∨<>=≠≤≥≡≢⥊∾≍↑↓↕»«⌽⍉/⊏⊑⊐⊒∊⍷⍋⍒⊔";
constexpr bool is_offered(std::u32string_view glyphs, char32_t glyph) { return glyphs.find(glyph) != std::u32string_view::npos; }

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
Value repeated_there(Context& cx, const Value& count, const Value& list) {
  const bool long_enough = count.is_number() && list.is_array() && count.number() >= static_cast<double>(cx.device->from);
  return long_enough ? cx.device->repeat(cx, count.number(), list) : Value();
}

// Where there is a device: operands on the host go the ways of the host; then the device is asked. What the call site remembers
// serves lists on the host that are not long, so that programs without larger ones do not notice the device. Where all work is to
// be done there, nothing is remembered.
template <std::size_t i, bool general>
[[gnu::noinline]] std::uint64_t monad_with_device(Context& cx, std::uint64_t x, MonadCall call) {
  constexpr const FunctionGlyph& function = function_glyphs[i];
  if (cx.device->forced) call.site = nullptr;
  if constexpr (!general && function.tries_monad)
    if (!is_there(cx, x))
      if (const std::uint64_t result = tried(*function.monad_ways, cx, x, call); result != Value::absent_bits)
        return released(result, x, call);
  Value argument = owned(x, call.gives_x);
  const bool counts = function.glyph == U'↕' && argument.is_number() && argument.number() >= static_cast<double>(cx.device->from);
  if (is_offered(offered_monads, function.glyph) && (counts || concerns_device(cx, argument)))
    if (Value r = cx.device->monad(cx, static_cast<Glyph>(i), argument); !r.is_absent()) return r.leak();
  const ComputingHere here(cx, function.monad_name);
  return function.general_monad(cx, std::move(argument)).leak();
}
template <std::size_t i, bool general>
[[gnu::noinline]] std::uint64_t dyad_with_device(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  constexpr const FunctionGlyph& function = function_glyphs[i];
  if (cx.device->forced) call.site = nullptr;
  if constexpr (function.glyph == U'⥊')
    if (Value r = repeated_there(cx, reinterpret_cast<const Value&>(w), reinterpret_cast<const Value&>(x)); !r.is_absent())
      return released(r.leak(), w, x, call);
  if constexpr (!general && function.tries_dyad)
    if (!is_there(cx, w) && !is_there(cx, x))
      if (const std::uint64_t result = tried(*function.dyad_ways, cx, w, x, call); result != Value::absent_bits)
        return released(result, w, x, call);
  Value left = owned(w, call.gives_w()), right = owned(x, call.gives_x());
  if (is_offered(offered_dyads, function.glyph) && (concerns_device(cx, left) || concerns_device(cx, right)))
    if (Value r = cx.device->dyad(cx, static_cast<Glyph>(i), left, right); !r.is_absent()) return r.leak();
  const ComputingHere here(cx, function.dyad_name);
  return function.general_dyad(cx, std::move(left), std::move(right)).leak();
}

template <std::size_t i, bool general>
[[gnu::flatten]] std::uint64_t monad_door(Context& cx, std::uint64_t x, MonadCall call) {
  constexpr const FunctionGlyph& function = function_glyphs[i];
  if (cx.device != nullptr) [[unlikely]]
    return monad_with_device<i, general>(cx, x, call);
  if constexpr (!general && function.tries_monad) {
    if (const std::uint64_t result = tried(*function.monad_ways, cx, x, call); result != Value::absent_bits) [[likely]]
      return released(result, x, call);
  }
  return function.general_monad(cx, owned(x, call.gives_x)).leak();
}
template <std::size_t i, bool general>
[[gnu::flatten]] std::uint64_t dyad_door(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  constexpr const FunctionGlyph& function = function_glyphs[i];
  if (cx.device != nullptr) [[unlikely]]
    return dyad_with_device<i, general>(cx, w, x, call);
  if constexpr (!general && function.tries_dyad) {
    if (const std::uint64_t result = tried(*function.dyad_ways, cx, w, x, call); result != Value::absent_bits) [[likely]]
      return released(result, w, x, call);
  }
  return function.general_dyad(cx, owned(w, call.gives_w()), owned(x, call.gives_x())).leak();
}

template <std::size_t i>
Value offered_undo(Context& cx, Value x) {
  constexpr const FunctionGlyph& function = function_glyphs[i];
  if (cx.device != nullptr && concerns_device(cx, x)) [[unlikely]]
    if (Value r = cx.device->undo(cx, static_cast<Glyph>(i), x); !r.is_absent()) return r;
  return function.undo(cx, std::move(x));
}

// What undoes a function is often another one, which the device is asked for as well.
template <std::size_t i>
Value offered_monad(Context& cx, Value x) {
  if (cx.device != nullptr && concerns_device(cx, x)) [[unlikely]]
    if (Value r = cx.device->monad(cx, static_cast<Glyph>(i), x); !r.is_absent()) return r;
  return function_glyphs[i].general_monad(cx, std::move(x));
}
template <std::size_t i>
Value offered_dyad(Context& cx, Value w, Value x) {
  if (cx.device != nullptr && (concerns_device(cx, w) || concerns_device(cx, x))) [[unlikely]]
    if (Value r = cx.device->dyad(cx, static_cast<Glyph>(i), w, x); !r.is_absent()) return r;
  return function_glyphs[i].general_dyad(cx, std::move(w), std::move(x));
}
// Compared as types: builds that look for undefined behaviour compare no addresses of functions while they compile.
template <auto code>
struct CodeOf {};
template <auto one, auto other>
constexpr bool is_same_code = std::is_same_v<CodeOf<one>, CodeOf<other>>;
template <Monad code, std::size_t... i>
constexpr Monad offered(std::index_sequence<i...>) {
  Monad found = code;
  ((is_same_code<function_glyphs[i].general_monad, code> && is_offered(offered_monads, function_glyphs[i].glyph)
        ? void(found = offered_monad<i>)
        : void()),
   ...);
  return found;
}
template <Dyad code, std::size_t... i>
constexpr Dyad offered(std::index_sequence<i...>) {
  Dyad found = code;
  ((is_same_code<function_glyphs[i].general_dyad, code> && is_offered(offered_dyads, function_glyphs[i].glyph)
        ? void(found = offered_dyad<i>)
        : void()),
   ...);
  return found;
}

// Gives the table, or the one of general ways alone.
template <bool general, std::size_t... i>
constexpr auto with_doors(std::index_sequence<i...>) {
  const auto entry = []<std::size_t k>(std::integral_constant<std::size_t, k>) {
    PrimitiveFunctionEntry e = function_glyphs[k];
    e.name = static_cast<Glyph>(k);
    e.monad = monad_door<k, general>;
    e.dyad = dyad_door<k, general>;
    constexpr auto all = std::make_index_sequence<std::size(function_glyphs)>{};
    constexpr const FunctionGlyph& of = function_glyphs[k];
    e.undo = e.glyph == U'/' ? offered_undo<k> : offered<of.undo>(all);
    e.undo_dyad = offered<of.undo_dyad>(all);
    e.undo_swapped = offered<of.undo_swapped>(all);
    e.undo_swapped_dyad = offered<of.undo_swapped_dyad>(all);
    if (general) e.monad_ways = nullptr, e.dyad_ways = nullptr;
    return e;
  };
  return std::array{entry(std::integral_constant<std::size_t, i>{})...};
}
constexpr auto indices = std::make_index_sequence<std::size(function_glyphs)>{};
constexpr auto function_entries = with_doors<false>(indices);
constexpr auto general_function_entries = with_doors<true>(indices);

// Lead to whoever observes the calls.
template <std::size_t i>
std::uint64_t observed_monad(Context& cx, std::uint64_t x, MonadCall call) {
  const PrimitiveFunctionEntry& entry = (cx.general_ways ? general_function_entries : function_entries)[i];
  return cx.observer == nullptr ? entry.monad(cx, x, call) : cx.observer->monad(cx, entry, x, call);
}
template <std::size_t i>
std::uint64_t observed_dyad(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  const PrimitiveFunctionEntry& entry = (cx.general_ways ? general_function_entries : function_entries)[i];
  return cx.observer == nullptr ? entry.dyad(cx, w, x, call) : cx.observer->dyad(cx, entry, w, x, call);
}
constexpr auto observed_function_entries = []<std::size_t... i>(std::index_sequence<i...>) {
  auto entries = function_entries;
  ((entries[i].monad = observed_monad<i>, entries[i].dyad = observed_dyad<i>), ...);
  for (PrimitiveFunctionEntry& e : entries) e.monad_ways = nullptr, e.dyad_ways = nullptr;
  return entries;
}
(indices);

constexpr auto named_modifiers = [] {
  auto entries = std::to_array(modifier_entries);
  for (std::size_t i = 0; i < entries.size(); i++) entries[i].name = static_cast<Glyph>(std::size(function_glyphs) + i);
  return entries;
}();
constexpr auto general_modifier_entries = [] {
  auto entries = named_modifiers;
  for (PrimitiveModifierEntry& e : entries) e.attach = nullptr;
  return entries;
}();

}  // namespace
}  // namespace primitives

const PrimitiveTable& primitive_table(bool general) {
  static constexpr PrimitiveTable table{primitives::function_entries, primitives::named_modifiers};
  static constexpr PrimitiveTable general_table{primitives::general_function_entries, primitives::general_modifier_entries};
  [[maybe_unused]] static const bool is_tuned = (primitives::choose_tuning(), true);
  return general ? general_table : table;
}

const PrimitiveTable& observed_primitive_table() {
  static constexpr PrimitiveTable table{primitives::observed_function_entries, primitives::named_modifiers};
  return table;
}

}  // namespace griddle
