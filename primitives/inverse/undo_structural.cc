#include "primitives/inverse/undo.h"

#include "primitives/common/elements.h"
#include "primitives/functions.h"
#include "primitives/structure/match.h"

namespace griddle::primitives {

Value undo_enclose(Context& cx, Value x) {
  if (x.is_atom() || rank_of(x) != 0) fail(cx, "Undo of Enclose: 𝕩 must be a rank-0 array (got " + kind_text(x) + ")");
  return element(x.array(), 0);
}

Value undo_range(Context& cx, Value x) {
  if (x.is_array()) {
    const Array& a = x.array();
    // A list of numbers, or an empty list, counts up; anything else shows the lengths in its shape.
    bool counts = a.is_list() && (a.length == 0 || a.type() != ElementType::boxed || a.boxes()[0].is_number());
    Value result = counts ? Value(a.length) : make_numbers(cx.heap, a.shape());
    if (counts || a.type() == ElementType::boxed || a.length == 0) {
      if (a.length == 0 || matches(cx, range(cx, result), x)) return result;
    }
  }
  fail(cx, "Undo of Range: 𝕩 must be a range (got " + kind_text(x) + ")");
}

namespace {

Value undo_pieces(Context& cx, const char* name, const Value& x, bool prefixes_of) {
  if (rank_of(x) == 1 && x.array().length > 0 && x.array().type() == ElementType::boxed) {
    Value whole = x.array().boxes()[prefixes_of ? x.array().length - 1 : 0];
    if (rank_of(whole) > 0 && whole.array().cells() + 1 == x.array().length &&
        matches(cx, prefixes_of ? prefixes(cx, whole) : suffixes(cx, whole), x))
      return whole;
  }
  fail(cx, std::string("Undo of ") + name + ": 𝕩 must be a list of all " + (prefixes_of ? "prefixes" : "suffixes") + " (got " +
               kind_text(x) + ")");
}

void check_couple(Context& cx, const Value& x) {
  if (rank_of(x) == 0 || x.array().cells() != 2) fail(cx, "Undo of Couple: 𝕩 must have two cells (shape " + shape_text(x) + ")");
}

// Splits two coupled values; gives the one of cells 0 and 1 that `known` leaves over.
Value undo_coupled(Context& cx, Value known, const Value& x, std::size_t wanted) {
  check_couple(cx, x);
  if (!matches(cx, as_array(cx.heap, std::move(known)), cell_at(cx.heap, x, 1 - wanted)))
    fail(cx, std::string("Undo of Couple: 𝕨 must match the ") + (wanted ? "first" : "second") + " cell of 𝕩 (shape " +
                 shape_text(x) + ")");
  return cell_at(cx.heap, x, wanted);
}

void check_pair(Context& cx, const Value& x) {
  if (rank_of(x) != 1 || x.array().length != 2)
    fail(cx, "Undo of Pair: 𝕩 must be a list of two elements (shape " + shape_text(x) + ")");
}

Value undo_paired(Context& cx, const Value& known, const Value& x, std::size_t wanted) {
  check_pair(cx, x);
  if (!matches(cx, known, element(x.array(), 1 - wanted)))
    fail(cx, std::string("Undo of Pair: 𝕨 must match the ") + (wanted ? "first" : "second") + " element of 𝕩 (" +
                 value_text(known) + " and " + value_text(element(x.array(), 1 - wanted)) + ")");
  return element(x.array(), wanted);
}

// Strips cells that match 𝕨 from one end of 𝕩.
Value undo_joined(Context& cx, Value w, const Value& x, bool front) {
  unsigned rank = rank_of(x);
  bool whole = rank_of(w) == rank, one_cell = rank_of(w) + 1 == rank;
  if (rank > 0 && (whole || one_cell)) {
    w = as_array(cx.heap, std::move(w));
    std::size_t n = x.array().cells(), count = whole ? w.array().cells() : 1;
    if (count <= n) {
      std::size_t at = front ? 0 : n - count;
      if (matches(cx, w, whole ? cells_from(cx.heap, x, at, count) : cell_at(cx.heap, x, at)))
        return cells_from(cx.heap, x, front ? count : 0, n - count);
    }
  }
  fail(cx, std::string("Undo of Join To: 𝕩 must ") + (front ? "begin" : "end") + " with 𝕨 (shapes " + shape_text(w) + " and " +
               shape_text(x) + ")");
}

}  // namespace

Value undo_prefixes(Context& cx, Value x) { return undo_pieces(cx, "Prefixes", x, true); }
Value undo_suffixes(Context& cx, Value x) { return undo_pieces(cx, "Suffixes", x, false); }

Value undo_solo(Context& cx, Value x) {
  if (rank_of(x) == 0 || x.array().cells() != 1) fail(cx, "Undo of Solo: 𝕩 must have one cell (shape " + shape_text(x) + ")");
  return cell_at(cx.heap, x, 0);
}
Value undo_couple(Context& cx, Value w, Value x) { return undo_coupled(cx, std::move(w), x, 1); }
Value undo_couple_swapped(Context& cx, Value w, Value x) { return undo_coupled(cx, std::move(w), x, 0); }
Value undo_couple_half(Context& cx, Value x) {
  check_couple(cx, x);
  return undo_coupled(cx, cell_at(cx.heap, x, 0), x, 0);
}

Value undo_enlist(Context& cx, Value x) {
  if (rank_of(x) != 1 || x.array().length != 1)
    fail(cx, "Undo of Enlist: 𝕩 must be a list of one element (shape " + shape_text(x) + ")");
  return element(x.array(), 0);
}
Value undo_pair(Context& cx, Value w, Value x) { return undo_paired(cx, w, x, 1); }
Value undo_pair_swapped(Context& cx, Value w, Value x) { return undo_paired(cx, w, x, 0); }
Value undo_pair_half(Context& cx, Value x) {
  check_pair(cx, x);
  return undo_paired(cx, element(x.array(), 0), x, 0);
}

Value undo_join_to(Context& cx, Value w, Value x) { return undo_joined(cx, std::move(w), x, true); }
Value undo_join_to_swapped(Context& cx, Value w, Value x) { return undo_joined(cx, std::move(w), x, false); }
Value undo_join_half(Context& cx, Value x) {
  if (rank_of(x) == 0 || x.array().cells() % 2)
    fail(cx, "Undo of Join To: 𝕩 must have an even number of cells (shape " + shape_text(x) + ")");
  std::size_t half = x.array().cells() / 2;
  Value result = cells_from(cx.heap, x, 0, half);
  if (!matches(cx, result, cells_from(cx.heap, x, half, half))) fail(cx, "Undo of Join To: Both halves of 𝕩 must match");
  return result;
}

}  // namespace griddle::primitives
