// What ways consist of: the steps that several of them take, by the files that hold them. A step that cannot be taken declines:
// it throws DeviceDeclines, or gives the absent value, or null.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gpu/plugin_abi.h"
#include "gpu/workshop.h"
#include "runtime/primitive.h"

namespace griddle::gpu {

// Places on the device are 32-bit integers.
constexpr std::size_t most_places = 0x7FFFFFFF;
// No array that fits anywhere is longer.
constexpr double most_elements = 4e12;
// Functions whose last bit differs between mathematical libraries are worth the device from here on.
constexpr std::size_t real_functions_from = 4096;

using Lengths = std::span<const std::size_t>;

inline bool is_list(const Value& v) { return v.is_array() && v.array().rank() == 1; }

// elementwise.cc
// Gives the primitive that does on the host what an operation does on the device.
Glyph primitive_of(griddle_operation, bool of_one_argument);
inline bool compares(griddle_operation o) { return o >= griddle_less && o <= griddle_not_equal; }
Value range(Workshop&, double count);
// Absent, too, where the function is no elementwise one.
Value pervasive_monad(Workshop&, Glyph, const Value& x);
Value pervasive_dyad(Workshop&, Glyph, const Value& w, const Value& x);
Value real_function(Workshop&, const RealCall&, const Value& w, const Value& x);
// Gives integers of 32 bits or fewer: as they are, or from numbers that all turn out to be such. Null for others.
Arg integers(Workshop&, const Arg&, const char* maker);
// Learns the bounds of integers that came from the host, once.
const Bounds& looked_at(Workshop&, const Arg&);

// folds.cc
// Gives the fold that a primitive makes, of bits or of other numbers, where there is a kernel for it.
std::optional<griddle_fold> fold_for(Glyph, bool bits);
// Folds other than these: - from the right; ≠ and = of bits.
Value alternating_sum(Workshop&, const Arg& x);
template <bool odd>
Value parity(Workshop&, const Arg& x);
bool may_reorder(Workshop&, const DeviceArray&);
// Waits for the fold of a list.
double folded(Workshop&, griddle_fold, const Arg&, const char* maker);
// windows.cc
Value fold_window_rows(Workshop&, griddle_fold, const Arg& x, std::size_t across);
Value fold_window_columns(Workshop&, griddle_fold, const Arg& x);

// axes.cc: axes as griddle_box means them
using Axes = std::vector<griddle_axis>;
// Gives the axes of a whole array, each with its distance between neighbours.
Axes axes_of(Lengths shape);
Shape shape_of_axes(const Axes&);
// Leaves out axes of one place and makes one axis of two that follow each other in the source; at least one is left.
void simplify(Axes&, std::int64_t& from);
Arg chosen(Workshop&, const Arg& x, std::int64_t from, Axes, bool fills, const char* maker);
// Of each of the cells that `frame` axes, not all, lead to.
Value cells_reversed(Workshop&, const Arg& x, Lengths shape, std::size_t frame);
Value cells_transposed(Workshop&, const Arg& x, Lengths shape, std::size_t frame);
Value cells_deshaped(Workshop&, const Arg& x, Lengths shape, std::size_t frame);
Value first_of_cells(Workshop&, const Arg& x, Lengths shape, std::size_t frame);
template <bool back>
Value cells_nudged(Workshop&, const Arg& x, Lengths shape, std::size_t frame);
Value one_of_cells(Workshop&, const Value& w, const Arg& x, Lengths shape, std::size_t frame);
Value cells_rotated(Workshop&, const Value& w, const Arg& x, Lengths shape, std::size_t frame);
Value cells_taken(Workshop&, const Value& w, const Arg& x, Lengths shape, std::size_t frame, bool drops);
Value transposed(Workshop&, const Arg& x, Lengths shape);
Value nudged(Workshop&, const Arg& x, Lengths shape, double entering, bool back);
Value rotated(Workshop&, const Value& w, const Arg& x, Lengths shape);
Value reordered(Workshop&, const Value& w, const Arg& x, Lengths shape);
Value windows_of(Workshop&, const Value& w, const Arg& x, Lengths shape);
Value reshaped(Workshop&, const Value& w, const Arg& x, Lengths shape);
Value taken(Workshop&, const Value& w, const Arg& x, Lengths shape, bool drops);
// Elements of arrays, one piece after the other.
struct Piece {
  Arg from;
  std::size_t start, count;
};
Arg put_together(Workshop&, std::vector<Piece>, const char* maker);
// Gives an atom as an array of one element.
Arg unit(Workshop&, const Value&);
Value joined(Workshop&, const Value& w, const Value& x, bool send);
Value coupled(Workshop&, const Value& w, const Value& x, bool send);
Value shifted(Workshop&, const Value& w, const Value& x, bool send, bool after);

// structure.cc
Value matched(Workshop&, const Value& w, const Value& x, bool send, bool wanted);
Value replicated(Workshop&, const Value& w, const Value& x, bool send);
// Gives a list, or one without elements where it is null.
Value list_or_empty(Workshop&, Arg list, ElementType);
// Waits for how many are set.
std::uint64_t count_marks(Workshop&, const Arg& mask, const char* maker);
// Give the elements that a mask marks; where it marks none, null, or declines.
Arg kept_if_any(Workshop&, const Arg& mask, const Arg& x);
Arg kept(Workshop&, const Arg& mask, const Arg& x);
Value select(Workshop&, const Value& w, const Value& x, bool send);
// Selects the same places from each of the cells that `frame` axes lead to: by their numbers, or by how often each is taken.
Value selected_in_cells(Workshop&, Glyph, const Value& w, const Arg& x, Lengths shape, std::size_t frame);
// Takes cells from places that are known to be within bounds.
Arg gathered(Workshop&, const Arg& x, const Arg& at, std::size_t cells, std::size_t cell, const char* maker);

// intervals.cc
// Throws DeviceDeclines where there are none: the host makes empty arrays.
Arg indices(Workshop&, const Arg& x);
// Repeats by natural numbers, whose sum is given where it is known.
Arg repeated(Workshop&, const Arg& counts, const Arg& x, double total = 0);
// Joins lists, of which at least one is there.
Value joined_lists(Workshop&, const Value& x);
// Makes one array of arrays of one shape, of which at least one is there.
Value merged(Workshop&, const Value& x);
Value moved_intervals(Workshop&, const IntervalMove&);

// replace.cc
// Gives an atom over and over.
Arg filled(Workshop&, ElementType, const Value& atom, std::size_t length, const char* maker);
// Gives places of so many, of which some may count from the end, counted from the start.
Arg counted_from_start(Workshop&, const Arg& places, std::size_t cells, const char* maker);
// Gives a copy of what is there, to be changed, with the bounds of both.
Arg copy_to_change(Workshop&, const Arg& before, ElementType, const Bounds& added);

// search.cc
// Values that elements have: so many, from the lowest.
struct Values {
  std::int64_t low;
  std::uint64_t count;
};
Arg sorted(Workshop&, const Arg& x, bool down);
Arg graded(Workshop&, const Arg& x, bool down);
Arg counted_up(Workshop&, std::size_t length);
Arg scattered(Workshop&, const Arg& x, const Arg& at, const char* maker);
// Waits for the least and the greatest.
Bounds extremes(Workshop&, const Arg&);
// Both zeros are one number: adding 0 leaves the positive one. What is no number becomes the one that comes last.
Arg one_zero(Workshop&, Arg);
// What is no number is in no order. Where bounds do not rule it out, looks.
void decline_unordered(Workshop&, const Arg&);
Arg members_of_few(Workshop&, const Value& w, const Value& x);
Arg members(Workshop&, const Arg& w, const Arg& x);
// Gives for each sought element the first place among the others where it is, or their number.
Arg positions(Workshop&, const Arg& among, const Arg& sought);
// As positions, but each place is found once: the k-th of equal sought elements finds the k-th of those that equal it.
Arg progressive_positions(Workshop&, const Arg& among, const Arg& sought);
Value found(Workshop&, const Value& sought, const Value& among, bool send);
Value found_atom(Workshop&, Glyph, const Value& list, const Value& sought);
// Counts the cells of a sorted array that are not above (going down: not below) each of others.
Arg bins(Workshop&, const Arg& w, const Arg& x, std::size_t cells, bool down);

// equal.cc
// The values that elements may have, where a table of them is worth it.
std::optional<Values> values_of(const Bounds&, ElementType, std::size_t length);
Arg first_places(Workshop&, const Arg& x, const Values&);
Arg looked_up(Workshop&, const Arg& sought, const Arg& table, const Values&, std::size_t absent);
// Gives for each element the first place of one that equals it.
Arg first_equals(Workshop&, const Arg& x);
// Waits for the first place that is marked; the length where there is none.
std::size_t first_marked(Workshop&, const Arg& marks, const char* maker);
Arg marked_firsts(Workshop&, const Arg& x);
Arg classified(Workshop&, const Arg& x);
Arg occurrences(Workshop&, const Arg& x);
Value deduplicated(Workshop&, const Arg& x, Lengths);

// cells.cc
// Gives a list whose elements are equal where the cells are.
Arg cells_as_list(Workshop&, const Arg& x, std::size_t cells);
Arg graded_cells(Workshop&, const Arg& x, std::size_t cells, bool down);
Value deduplicated_cells(Workshop&, const Arg& x, Lengths shape);
// ∊ ⊐ ⊒ ⍋ ⍒ of the cells of `sought` among the major cells of `among`, which are of rank 1 or more.
Value searched_cells(Workshop&, Glyph, const Value& among, const Value& sought, bool send);
Value ordered_rows(Workshop&, Glyph, const Arg& x, Lengths shape);
Value first_in_rows(Workshop&, const Arg& rows, const Arg& sought, Lengths frame);
// Put each cell of w before that of x, or join them, along the first axis of the cells.
Value coupled_cells(Workshop&, const Arg& a, const Arg& b, const Value& w, const Value& x, std::size_t frame);
Value joined_cells(Workshop&, const Arg& a, const Arg& b, const Value& w, const Value& x, std::size_t frame);

// group.cc
// What joins groups, or picks one, needs no others. Absent for anything else.
Value of_groups(Workshop&, Glyph, const Value& w, const Value& x);
// Groups x by w, or where x is absent the places of w.
Value grouped(Workshop&, const Value& w, const Value& x);

// runs.cc
// Copies the first elements of a list, so that the memory of the others is free.
Arg first_of(Workshop&, const Arg&, std::size_t count);

}  // namespace griddle::gpu
