// Positions: an array under structural Under, seen as places instead of values. 𝔾 is run on numbers that name the places of 𝕩;
// what comes out says where each element of the new value belongs.
//
// A place is a number: 1 is 𝕩 itself, further ones are the elements of a place that was looked into (its children, numbered in
// one run). 0 is no place: primitives bring it in as a fill.
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>

#include "runtime/primitive.h"
#include "runtime/value/heap_memory.h"

namespace griddle::primitives {

// Thrown where a function looks at values, or does what is not known to only move elements.
struct NotStructural {};

// What a function meets: an ordinary value, or places.
struct Symbol {
  Value value;
  bool places;
  bool is_absent() const { return value.is_absent(); }
};

class Positions {
 public:
  // Borrows x until `replaced`.
  Positions(Context& cx, const Value& x);

  // Gives the places that g x consists of: a place, or an array of such. Throws NotStructural, or the error of a primitive.
  Value result_of(const Value& g);

  // Tells whether `v` has the shapes of the places, so that each place gets a value.
  static bool fits(const Value& places, const Value& v);
  // Puts `v`, which fits, into the places and gives x with them replaced. Fails if a place is met twice with values that do not
  // match, or if a fill would be replaced. Takes x, so that it may be changed in place.
  Value replaced(const Value& places, const Value& v, Value x);

  // --- for what the table of primitives says of modifiers; `w` is absent for one argument
  Context& context() const { return cx_; }
  Symbol apply(const Value& f, const Symbol& w, const Symbol& x);
  Symbol repeat(const Value& f, const Symbol& count, const Symbol& w, Symbol x);
  Symbol each(const Value& f, const Symbol& w, const Symbol& x);
  // Folds elements, or cells.
  Symbol reduce(const Value& f, bool by_cells, const Symbol& w, const Symbol& x);
  Symbol table(const Value& f, const Symbol& w, const Symbol& x);
  Symbol cells(const Value& f, double rank_w, const Symbol& w, double rank_x, const Symbol& x);
  Symbol levels(const Value& f, double level_w, const Symbol& w, double level_x, const Symbol& x);
  // Looks into `v` if it is one place.
  Value expanded(const Value& v);

 private:
  // A place that was looked into: its children are numbered from `first`. An ordinary value that was mixed in has place 0: its
  // elements cannot be replaced by anything else.
  struct Expansion {
    std::size_t place;
    std::size_t first;
    Value holder;            // keeps `array` alive, except for 𝕩
    const Array* array;      // an atom is enclosed
    Value children;          // their numbers, in the shape of the array
    HeapVector<Value> news;  // what replaces the children; empty while nothing does
  };

  Expansion* expansion_holding(std::size_t place);
  Value value_at(std::size_t place);
  // Gives the numbers of the children of a place.
  Value children_of(std::size_t place);
  // Gives the places of what a function meets, looked into; an ordinary value gets places of its own.
  Value opened(const Symbol& s);
  // Gives the places of what a function meets, as it is; an ordinary value gets one place of its own.
  Value named(const Symbol& s);
  // Gives the elements of what a function meets, and where they are places, what lies there.
  Value parts_of(const Symbol& s);
  bool is_atom(const Symbol& s);
  // Looks into every element too.
  Value expanded_twice(const Value& v);

  Symbol apply(const Value& f, const Symbol& x) { return apply(f, Symbol{Value(), false}, x); }
  Symbol apply_primitive(const Value& f, const PrimitiveFunctionEntry&, const Symbol& w, const Symbol& x);
  // One argument of a function on elements: its parts, or, where they are none, the whole of it for each part of the other one.
  struct Side {
    const Symbol& whole;
    Value parts;
  };
  template <class Apply>
  Symbol on_elements(const Side& w, const Side& x, Apply apply_to);

  // --- replacement
  void assign(const Value& places, const Value& v);
  void assign_place(std::size_t place, Value v);
  Value rebuilt(Expansion& e, Value array);
  // Replaces elements of x itself, without a list of what replaces all; takes x only then. Absent where a place is none of these.
  Value scattered(const Value& places, const Value& v, Value& x);

  Context& cx_;
  const Value& x_;
  std::deque<Expansion, HeapAllocator<Expansion>> expansions_;  // in order of `first`
  using PlaceAndNumber = std::pair<const std::size_t, std::size_t>;
  std::unordered_map<std::size_t, std::size_t, std::hash<std::size_t>, std::equal_to<>, HeapAllocator<PlaceAndNumber>>
      expansion_of_;
  std::size_t next_ = 2;
  Value new_root_;
};

// What modifiers make of places, for the column of the table that says so (runtime/primitive.h).
using OnPlaces = Symbol(Positions&, const Derived&, const Symbol& w, const Symbol& x);
OnPlaces constant_on_places, choose_on_places, repeat_on_places, each_on_places, table_on_places, fold_on_places,
    insert_on_places, cells_on_places, rank_on_places, depth_on_places, undo_on_places;

}  // namespace griddle::primitives
