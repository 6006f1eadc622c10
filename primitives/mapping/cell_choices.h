// Choices among functions for many elements at once: which of them take which, and the results in one array.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Says which elements take one of several choices, by what has been computed for all of them: a list of natural numbers.
class CellChoices {
 public:
  static constexpr std::size_t most = 8;
  CellChoices(Context& cx, std::size_t length) : cx_(cx), length_(length) {}

  // Gives false where something else is there than numbers of choices.
  bool divide(const Value& index, std::size_t choices);
  std::size_t count(std::size_t choice) const { return counts_[choice]; }
  bool is_only(std::size_t choice) const { return counts_[choice] == length_; }
  // Gives the elements of a list that take a choice.
  Value taken_by(std::size_t choice, const Value& list) const;
  // Puts the results of each choice, a list, or an atom for all its elements, where they belong; gives the absent value where
  // they are not of one kind. What nobody has chosen is absent.
  Value merged(std::span<const Value> results) const;

 private:
  Value merged_atoms(std::span<const Value> results) const;

  Context& cx_;
  std::size_t length_;
  Value index_;
  Value masks_[most];
  std::size_t counts_[most] = {};
};

}  // namespace griddle::primitives
