// Which functions under ¨ ´ ˘ run in the frame around them, one element or cell after the other.
//
// What is put together from other functions does so under ¨ for a few elements: then its data need no function to hold them, and
// its primitives have call sites. A block that only computes is a function of whole arrays, too, and may do better so: as a value
// it meets long arrays. Where that finds that it can but call the block for each element or cell, it notes so on the block's code
// (note_called_by_elements): then the loop is taken for a while. A block that branches may do better on arrays of numbers or
// characters, long or not. What changes variables or calls functions has no such form, also where it goes by a name.
#pragma once

#include "runtime/bytecode/parts.h"
#include "runtime/value/context.h"

namespace griddle {

struct BlockWork {
  bool acts = false;           // does one thing after another, so that no function of whole arrays does the same
  bool branches = false;       // has predicates or ◶
  bool reads_outer = false;    // uses variables of the bodies around it that are no constants
  bool changes_outer = false;  // changes such variables
};

// Looks into a block that is not laid out yet, but for the bodies around it.
BlockWork work_of(Context&, const BlockNode&);
// Looks into ◶ and its operands.
BlockWork work_of_choice(Context&, const DeriveNode&);
// Tells whether a function is ◶ that branches where it is called, to blocks or by one.
bool chooses_blocks(const Node&);

// Tells whether a function is formed of primitives and literal data alone, so that its calls run no code of the program.
bool is_of_primitives(Context&, const Node&);

// Tells whether a block does nothing but call such a function on 𝕩.
bool calls_alone(Context&, const BlockNode&);

// Tells whether a function that has a name is written out where that is called: it is put together from few primitives and data,
// which then have call sites of their own, and meet numbers without being called.
bool is_written_out(Context&, const Node& function);

// Tells whether a function under ¨ is worth a loop for a few elements: it is put together from primitives and data alone
// (parts.h), and does more than arithmetic, which takes all elements at once.
bool is_called_for_few(Context&, const Node& function);
// Tells whether one that is nothing but arithmetic, with what changes, is so for a few lists: a value of it would be made each
// time.
bool computes_on_lists(Context&, const Node& function);

// Tells whether a function under ¨ may be computed for groups that are not made, which a loop over them would need: a mean.
bool is_met_by_groups(const Call& call, const Node& mapped);
// Tells whether a primitive under ¨ is worth a loop for a few boxes: it has no way for all elements at once.
bool is_primitive_for_few(const Node& function, bool dyadic);

// Tells whether a function under ´ is worth a loop for a few elements: it is put together from primitives, names and data alone,
// and is no primitive with its arguments exchanged.
bool is_folded_in_steps(Context&, const Node& function);

// Tells whether a function under ¨ is a loop whatever it meets: a name for a block that does one thing after another, or 𝕊, which
// calls itself.
bool is_name_of_work(Context&, const Node& function);

}  // namespace griddle
