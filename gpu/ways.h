// The table of what a device computes, beside the host's (primitives/table.h): for each function its ways there. A way that
// cannot be gone declines, by the absent value or by throwing DeviceDeclines; the host then does the work.
#pragma once

#include "gpu/parts.h"

namespace griddle::gpu {

struct Ways {
  // Of an array that is there: of any rank; of a list; of a table or more, as its cells.
  using Monad = Value (*)(Workshop&, const Arg& x, Lengths shape);
  // Of each of the cells that so many axes, not all, lead to.
  using OnCells = Value (*)(Workshop&, const Arg& x, Lengths shape, std::size_t frame);
  // Of what is given, which may be boxes.
  using Given = Value (*)(Workshop&, const Value& x);
  // Of two arguments, either of which is there, or both are sent.
  using Dyad = Value (*)(Workshop&, const Value& w, const Value& x, bool send);
  // Of an array that is there and what says how much, how far, or which: a number or a few.
  using ByAmount = Value (*)(Workshop&, const Value& w, const Arg& x, Lengths shape);
  // The same with each of the cells of x that so many axes, not all, lead to.
  using WithCells = Value (*)(Workshop&, const Value& w, const Arg& x, Lengths shape, std::size_t frame);
  // Of the cells of two arrays that so many axes of x lead to.
  using PairsOfCells = Value (*)(Workshop&, const Value& w, const Value& x, const Arg& there, std::size_t frame);

  // Elementwise functions of one and of two arguments become these links of chains; none: griddle_load.
  griddle_operation link_one = griddle_load, link_two = griddle_load;
  // Folds and scans by the function are these, of numbers and of bits; none: there are no kernels. Or a list is folded so.
  std::optional<griddle_fold> fold = {}, fold_of_bits = {};
  Value (*fold_list)(Workshop&, const Arg& x) = nullptr;
  Monad any = nullptr, list = nullptr, table = nullptr;
  OnCells cells = nullptr;
  Given given = nullptr;
  Dyad dyad = nullptr;
  ByAmount by_amount = nullptr;
  WithCells with_cells = nullptr;
  PairsOfCells pairs_of_cells = nullptr;
  // Groups that nobody has made need not be made for it.
  bool of_groups = false;
  // Makes arrays from a number.
  bool makes = false;

  bool has_monad() const {
    return link_one != griddle_load || any != nullptr || list != nullptr || table != nullptr || given != nullptr || makes ||
           of_groups;
  }
  bool has_dyad() const { return link_two != griddle_load || dyad != nullptr || by_amount != nullptr || of_groups; }
};

const Ways& ways_of(Glyph);

// Go the ways of a function. Arrays of the host are sent where all that has a way shall be, or where `moves` says that it pays.
Value monad_there(Workshop&, Glyph, const Value& x, bool moves);
Value dyad_there(Workshop&, Glyph, const Value& w, const Value& x, bool moves);
Value reduced_there(Workshop&, Device::Reduction, Glyph, const Value& x);
// Of cells; w is absent where there is one argument.
Value cells_there(Workshop&, Glyph, const Value& w, const Value& x, std::size_t frame);

}  // namespace griddle::gpu
