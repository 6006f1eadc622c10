// The table: one entry a glyph. What a glyph means is written by its family; here it gets its name, its place and its inverse.
#include <array>
#include <limits>
#include <utility>

#include "primitives/common/indexing.h"
#include "primitives/common/tuning.h"
#include "primitives/doors.h"
#include "primitives/functions.h"
#include "primitives/inverse/positions.h"
#include "primitives/inverse/under_routes.h"
#include "primitives/inverse/undo.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/mapping/composition.h"
#include "primitives/mapping/each.h"
#include "primitives/modifiers.h"

namespace griddle {

namespace primitives {
namespace {

using Op = ScalarOp;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <Glyph function>
Value numbers_only(Context& cx, const Value& w, const Value& x) {
  return numbers_refusal(cx, entry_of(function), w, x);
}

// Undoes a function by another one of its arguments the other way round. Goes by the door, so that arrays on a device stay there.
template <Glyph by>
Value turned(Context& cx, Value w, Value x) {
  return call_primitive(cx, entry_of(by), std::move(x), std::move(w));
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
constexpr FunctionFacts ordering(Orders how, bool down) { return {.orders = how, .down = down, .bounded = true}; }
constexpr FunctionFacts sized(Sized by, FunctionFacts facts = {}) {
  facts.sized = by;
  return facts;
}
constexpr FunctionFacts chosen(FunctionFacts facts) {
  facts.selects = true;
  return facts;
}
constexpr FunctionFacts giving(OfAtom of_atom, FunctionFacts facts = {}) {
  facts.of_atom = of_atom;
  return facts;
}

// clang-format off
constexpr FunctionGlyph function_glyphs[] = {
    FunctionGlyph{U'+', arithmetic_page, "Conjugate", conjugate, "Add", add}
        .pervasive(true, true, Op::add).trying(nullptr, &add_ways).refusing(add_refusal).identity_of(0).undone(conjugate, turned<Glyph::subtract>).undone_by_atoms().undone_swapped(undo_add_swapped, turned<Glyph::subtract>)
        .ruled(nullptr, &add_rule),
    FunctionGlyph{U'-', arithmetic_page, "Negate", negate, "Subtract", subtract}
        .pervasive(true, true, Op::subtract).trying(&negate_ways, &subtract_ways).refusing(subtract_refusal).identity_of(0).undone(negate, subtract).undone_by_atoms().undone_swapped(nullptr, turned<Glyph::add>)
        .ruled(&negate_rule, &subtract_rule),
    FunctionGlyph{U'×', arithmetic_page, "Sign", sign, "Multiply", multiply}
        .pervasive(true, true, Op::multiply).on_booleans(0b1000).trying(&sign_ways, &multiply_ways).refusing(numbers_only<Glyph::multiply>).identity_of(1).undone(undo_sign, turned<Glyph::divide>).undone_swapped(square_root, turned<Glyph::divide>)
        .ruled(&sign_rule, &multiply_rule),
    FunctionGlyph{U'÷', arithmetic_page, "Reciprocal", reciprocal, "Divide", divide}
        .pervasive(true, true, Op::divide).trying(&reciprocal_ways, &divide_ways).refusing(numbers_only<Glyph::divide>).identity_of(1).undone(reciprocal, divide).undone_by_atoms().undone_swapped(nullptr, turned<Glyph::multiply>)
        .ruled(&reciprocal_rule, &divide_rule),
    FunctionGlyph{U'⋆', arithmetic_page, "Exponential", exponential, "Power", power}
        .pervasive(true, true, Op::power).refusing(numbers_only<Glyph::power>).identity_of(1).undone(undo_exponential, undo_power).undone_by_atoms().undone_swapped(nullptr, root),
    FunctionGlyph{U'√', arithmetic_page, "Square Root", square_root, "Root", root}
        .pervasive(true, true, Op::root).trying(&square_root_ways, nullptr).refusing(numbers_only<Glyph::root>).undone(undo_square_root, turned<Glyph::power>).undone_by_atoms().undone_swapped(nullptr, undo_root_swapped)
        .ruled(&square_root_rule, nullptr),
    FunctionGlyph{U'⌊', arithmetic_page, "Floor", floor_of, "Minimum", minimum}
        .pervasive(true, true, Op::minimum).on_booleans(0b1000).trying(&floor_ways, &minimum_ways).refusing(numbers_only<Glyph::minimum>).identity_of(infinity)
        .ruled(&floor_rule, &minimum_rule),
    FunctionGlyph{U'⌈', arithmetic_page, "Ceiling", ceiling, "Maximum", maximum}
        .pervasive(true, true, Op::maximum).on_booleans(0b1110).trying(&ceiling_ways, &maximum_ways).refusing(numbers_only<Glyph::maximum>).identity_of(-infinity)
        .ruled(&ceiling_rule, &maximum_rule),
    FunctionGlyph{U'|', arithmetic_page, "Magnitude", magnitude, "Modulus", modulus}
        .pervasive(true, true, Op::modulus).trying(&magnitude_ways, &modulus_ways).refusing(numbers_only<Glyph::modulus>)
        .ruled(&magnitude_rule, &modulus_rule),
    FunctionGlyph{U'¬', arithmetic_page, "Not", complement, "Span", span_not}.trying(&complement_ways, &span_ways)
        .pervasive(true, true, Op::span_not).identity_of(1).undone(complement, span_not).undone_swapped(nullptr, undo_span_not_swapped)
        .ruled(nullptr, &span_rule),
    FunctionGlyph{U'∧', arithmetic_page, "Sort Up", sort_up, "And", logic_and}
        .pervasive(false, true, Op::logic_and).on_booleans(0b1000).trying(&sort_up_ways, &logic_and_ways).refusing(numbers_only<Glyph::logic_and>).identity_of(1).undone(undo_sort_up, turned<Glyph::divide>).undone_swapped(square_root, turned<Glyph::divide>)
        .ruled(nullptr, &and_rule).known(ordering(Orders::sorts, false), nothing_known).on_each_cell(sort_cells_up),
    FunctionGlyph{U'∨', arithmetic_page, "Sort Down", sort_down, "Or", logic_or}
        .pervasive(false, true, Op::logic_or).on_booleans(0b1110).trying(&sort_down_ways, &logic_or_ways).refusing(numbers_only<Glyph::logic_or>).identity_of(0).undone(undo_sort_down, undo_logic_or).undone_swapped(undo_logic_or_swapped, undo_logic_or)
        .ruled(nullptr, &or_rule).known(ordering(Orders::sorts, true), nothing_known).on_each_cell(sort_cells_down),
    FunctionGlyph{U'<', compare_page, "Enclose", enclose_value, "Less Than", less}
        .pervasive(false, true, Op::less).on_booleans(0b0010).trying(&enclose_ways, &less_ways).undone(undo_enclose)
        .ruled(nullptr, &less_rule).known(giving(OfAtom::unit, boxing), nothing_known).on_each_cell(enclose_cells).changed_under(under_enclose),
    FunctionGlyph{U'>', compare_page, "Merge", merge, "Greater Than", greater}
        .pervasive(false, true, Op::greater).on_booleans(0b0100).trying(&merge_ways, &greater_ways).refusing(merge_refusal).identity_of(0)
        .ruled(nullptr, &greater_rule).known(merging, nothing_known),
    FunctionGlyph{U'≠', compare_page, "Length", length_cells, "Not Equal", not_equal}
        .pervasive(false, true, Op::not_equal).on_booleans(0b0110).trying(&length_ways, &not_equal_ways).identity_of(0).undone(nullptr, undo_not_equal).undone_swapped(nullptr, undo_not_equal)
        .ruled(nullptr, &not_equal_rule).known(giving(OfAtom::one, length), nothing_known).on_each_cell(lengths_of_cells).under_each(lengths_of_each),
    FunctionGlyph{U'=', compare_page, "Rank", rank_length, "Equal", equal}
        .pervasive(false, true, Op::equal).on_booleans(0b1001).trying(&rank_ways, &equal_ways).identity_of(1)
        .ruled(nullptr, &equal_rule).known(giving(OfAtom::zero, length), nothing_known).on_each_cell(ranks_of_cells).under_each(ranks_of_each),
    FunctionGlyph{U'≤', compare_page, "Less or Equal", no_monad_less_equal, "Less or Equal", less_equal}
        .pervasive(false, true, Op::less_equal).on_booleans(0b1011).trying(nullptr, &less_equal_ways)
        .ruled(nullptr, &less_equal_rule),
    FunctionGlyph{U'≥', compare_page, "Greater or Equal", no_monad_greater_equal, "Greater or Equal", greater_equal}
        .pervasive(false, true, Op::greater_equal).on_booleans(0b1101).trying(nullptr, &greater_equal_ways).identity_of(1)
        .ruled(nullptr, &greater_equal_rule),
    FunctionGlyph{U'≡', match_page, "Depth", depth, "Match", match}.trying(&depth_ways, &match_ways)
        .known(giving(OfAtom::zero, number), number).on_each_cell(depths_of_cells, nullptr, match_cells).under_each(depths_of_each, match_each).composed_by(match_parts),
    FunctionGlyph{U'≢', match_page, "Shape", shape, "Not Match", not_match}.trying(&shape_ways, &not_match_ways)
        .known(of_shape, number).on_each_cell(nullptr, nullptr, unlike_cells).under_each(nullptr, unlike_each).composed_by(match_parts),
    FunctionGlyph{U'⊣', match_page, "Identity", identity_left, "Left", left}
        .passing(ScalarOp::left).undone(identity_left, undo_left).undone_swapped(identity_left, right)
        .known(giving(OfAtom::itself), nothing_known).on_each_cell(same_cells).changed_under(under_identity),
    FunctionGlyph{U'⊢', match_page, "Identity", identity_right, "Right", right}
        .passing(ScalarOp::right).undone(identity_right, right).undone_swapped(identity_right, undo_left)
        .known(giving(OfAtom::itself), nothing_known).on_each_cell(same_cells).changed_under(under_identity),
    FunctionGlyph{U'⥊', shape_page, "Deshape", deshape, "Reshape", reshape}
        .trying(&deshape_ways, &reshape_ways)
        .known(giving(OfAtom::list, short_part), sized(Sized::by_lengths, selecting)).on_each_cell(ravel_cells).changed_under(under_deshape),
    FunctionGlyph{U'∾', join_page, "Join", join, "Join To", join_to}
        .trying(&join_ways, &join_to_ways).refusing(join_to_refusal).undone(nullptr, undo_join_to).undone_swapped(undo_join_half, undo_join_to_swapped)
        .known(merging, joining).on_each_cell(nullptr, nullptr, join_cells).under_each(nullptr, pair_each).composed_by(join_parts).changed_under(nullptr, under_join_to),
    FunctionGlyph{U'≍', join_page, "Solo", solo, "Couple", couple}
        .trying(&solo_ways, &couple_ways).refusing(couple_refusal).undone(undo_solo, undo_couple).undone_swapped(undo_couple_half, undo_couple_swapped)
        .known(giving(OfAtom::list, short_part), joining).on_each_cell(solo_cells, nullptr, couple_cells).under_each(nullptr, pair_each).composed_by(couple_parts),
    FunctionGlyph{U'⋈', join_page, "Enlist", enlist, "Pair", pair}.trying(&enlist_ways, &pair_ways)
        .undone(undo_enlist, undo_pair).undone_swapped(undo_pair_half, undo_pair_swapped)
        .known(giving(OfAtom::list, boxing), pairing).under_each(nullptr, pair_each_any).composed_by(pair_parts),
    FunctionGlyph{U'↑', take_page, "Prefixes", prefixes, "Take", take}.trying(&prefixes_ways, &take_ways).undone(undo_prefixes)
        .known(selecting, sized(Sized::by_lengths, chosen(part))).on_each_cell(nullptr, take_in_cells).changed_under(nullptr, under_kept_cells<true>),
    FunctionGlyph{U'↓', take_page, "Suffixes", suffixes, "Drop", drop}.first_alone(nullptr, first_of_rest).trying(&suffixes_ways, &drop_ways).undone(undo_suffixes)
        .known(selecting, chosen(short_part)).on_each_cell(nullptr, drop_in_cells).changed_under(nullptr, under_kept_cells<false>),
    FunctionGlyph{U'↕', shape_page, "Range", range, "Windows", windows}
        .trying(&range_ways, &windows_ways).refusing(range_refusal).undone(undo_range)
        .known(sized(Sized::by_number), selecting).on_each_cell(nullptr, windows_in_rows).folding_parts(fold_windows, Applies::to_cells),
    FunctionGlyph{U'«', rotate_page, "Nudge Back", nudge_back, "Shift After", shift_after}
        .trying(&nudge_back_ways, &shift_after_ways)
        .known(rearranging, joining).on_each_cell(nudge_cells_back, shift_after_rows),
    FunctionGlyph{U'»', rotate_page, "Nudge", nudge, "Shift Before", shift_before}
        .trying(&nudge_ways, &shift_before_ways)
        .known(rearranging, joining).on_each_cell(nudge_cells, shift_before_rows),
    FunctionGlyph{U'⌽', rotate_page, "Reverse", reverse, "Rotate", rotate}.first_alone(last_element)
        .trying(&reverse_ways, &rotate_ways).refusing(rotate_refusal).undone(reverse, undo_rotate)
        .known(short_part, rearranging).on_each_cell(reverse_cells, rotate_cells, rotate_each).changed_under(under_reverse),
    FunctionGlyph{U'⍉', transpose_page, "Transpose", transpose, "Reorder Axes", reorder_axes}
        .trying(&transpose_ways, &reorder_axes_ways).undone(undo_transpose, undo_reorder_axes)
        .known(short_part, selecting).on_each_cell(transpose_cells).changed_under(under_transpose),
    FunctionGlyph{U'/', replicate_page, "Indices", indices, "Replicate", replicate}.first_alone(first_index)
        .trying(&indices_ways, &replicate_ways).refusing(replicate_refusal).undone(undo_indices, undo_replicate)
        .known(sized(Sized::by_sum), sized(Sized::by_sum, chosen(selecting))).on_each_cell(nullptr, replicate_in_cells).changed_under(nullptr, under_replicate),
    FunctionGlyph{U'⍋', sort_page, "Grade Up", grade_up, "Bins Up", bins_up}.first_alone(place_of_least).trying(&grade_up_ways, &bins_up_ways).refusing(grade_up_refusal)
        .known(ordering(Orders::grades, false), ordering(Orders::finds_bins, false)).on_each_cell(grade_cells_up),
    FunctionGlyph{U'⍒', sort_page, "Grade Down", grade_down, "Bins Down", bins_down}.first_alone(place_of_greatest).trying(&grade_down_ways, &bins_down_ways).refusing(grade_down_refusal)
        .known(ordering(Orders::grades, true), ordering(Orders::finds_bins, true)).on_each_cell(grade_cells_down),
    FunctionGlyph{U'⊏', select_page, "First Cell", first_cell, "Select", select}
        .trying(&first_cell_ways, &select_ways).refusing(select_refusal)
        .known(chosen(short_part), sized(Sized::by_count, chosen(part))).on_each_cell(first_in_cells, select_in_cells, select_from_each).composed_by(select_parts).changed_under(under_first_cell, under_select),
    FunctionGlyph{U'⊑', select_page, "First", first, "Pick", pick}.trying(&first_ways, &pick_ways).refusing(pick_refusal)
        .known(giving(OfAtom::itself, chosen(short_part)), chosen(short_part)).on_each_cell(first_of_rows, pick_from_rows).under_each(firsts_of_each, pick_each).composed_by(pick_parts).changed_under(under_first, under_pick),
    FunctionGlyph{U'⊐', search_page, "Classify", classify, "Index of", index_of}.first_alone(nullptr, place_of_one).trying(&classify_ways, &index_of_ways)
        .known(bounded, bounded).composed_by(index_parts),
    FunctionGlyph{U'⊒', search_page, "Occurrence Count", occurrence_count, "Progressive Index of", progressive_index_of}.trying(&occurrence_count_ways, nullptr)
        .known(bounded, bounded),
    FunctionGlyph{U'∊', search_page, "Mark Firsts", mark_firsts, "Member of", member_of}.first_alone(nullptr, is_one_member).trying(&mark_firsts_ways, &member_of_ways)
        .known(bounded, bounded).composed_by(member_parts),
    FunctionGlyph{U'⍷', search_page, "Deduplicate", deduplicate, "Find", find}.trying(&deduplicate_ways, nullptr)
        .known(bounded, nothing_known),
    FunctionGlyph{U'⊔', group_page, "Group Indices", group_indices, "Group", group}.trying(&group_indices_ways, &group_ways)
        .undone(undo_group_indices, undo_group).folding_parts(fold_groups, Applies::to_elements)
        .known(nothing_known, selecting),
    FunctionGlyph{U'!', match_page, "Assert", assert_true, "Assert", assert_message}.only_refusing(assertion_refusal),
};

constexpr const char* combinators_page = "primitives/combinators";
constexpr const char* mapping_page = "primitives/mapping";
constexpr const char* folds_page = "primitives/folds";

constexpr PrimitiveModifierEntry modifier_entries[] = {
    {U'˙', "Constant", 1, constant_monad, constant_dyad, nullptr, combinators_page, Combinator::none, solve_constant, Reduces::no, constant_on_places, Applies::never},
    {U'˜', "Self/Swap", 1, swap_monad, swap_dyad, nullptr, combinators_page, Combinator::swap},
    {U'˘', "Cells", 1, cells_monad, cells_dyad, attach_cells, mapping_page, Combinator::none, solve_each, Reduces::no, cells_on_places, Applies::to_cells},
    {U'¨', "Each", 1, each_monad, each_dyad, attach_each, mapping_page, Combinator::none, solve_each, Reduces::no, each_on_places, Applies::to_elements},
    {U'⌜', "Table", 1, table_monad, table_dyad, nullptr, mapping_page, Combinator::none, solve_table, Reduces::no, table_on_places, Applies::to_pairs},
    {U'⁼', "Undo", 1, undo_monad, undo_dyad, nullptr, "primitives/undo", Combinator::none, solve_undo, Reduces::no, undo_on_places},
    {U'´', "Fold", 1, fold_monad, fold_dyad, attach_fold, folds_page, Combinator::none, nullptr, Reduces::folds, fold_on_places},
    {U'˝', "Insert", 1, insert_monad, insert_dyad, attach_insert, folds_page, Combinator::none, nullptr, Reduces::inserts, insert_on_places},
    {U'`', "Scan", 1, scan_monad, scan_dyad, attach_scan, folds_page, Combinator::none, solve_scan, Reduces::scans},
    {U'∘', "Atop", 2, atop_monad, atop_dyad, attach_atop, combinators_page, Combinator::atop},
    {U'○', "Over", 2, over_monad, over_dyad, nullptr, combinators_page, Combinator::over},
    {U'⊸', "Before", 2, before_monad, before_dyad, attach_before, combinators_page, Combinator::before},
    {U'⟜', "After", 2, after_monad, after_dyad, attach_after, combinators_page, Combinator::after},
    {U'⌾', "Under", 2, under_monad, under_dyad, attach_under, "primitives/under", Combinator::none, solve_under, Reduces::no, nullptr, Applies::to_selected},
    {U'⊘', "Valences", 2, valences_monad, valences_dyad, nullptr, combinators_page, Combinator::valences},
    {U'◶', "Choose", 2, choose_monad, choose_dyad, attach_choose, "primitives/choose", Combinator::none, nullptr, Reduces::no, choose_on_places, Applies::to_tell_choice},
    {U'⎉', "Rank", 2, rank_monad, rank_dyad, nullptr, mapping_page, Combinator::none, nullptr, Reduces::no, rank_on_places, Applies::to_ranks},
    {U'⚇', "Depth", 2, depth_map_monad, depth_map_dyad, nullptr, mapping_page, Combinator::none, nullptr, Reduces::no, depth_on_places},
    {U'⍟', "Repeat", 2, repeat_monad, repeat_dyad, nullptr, "primitives/repeat", Combinator::none, solve_repeat, Reduces::no, repeat_on_places, Applies::repeatedly},
    {U'⎊', "Catch", 2, catch_error_monad, catch_error_dyad, nullptr, "primitives/choose"},
};
// clang-format on

constexpr auto indices = std::make_index_sequence<std::size(function_glyphs)>{};
constexpr auto function_entries = with_doors<function_glyphs, false>(indices);
constexpr auto general_function_entries = with_doors<function_glyphs, true>(indices);

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
