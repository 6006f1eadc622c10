// How a session shows values: as much as a screen holds, and what there is beyond it.
#pragma once

#include <string>

#include "repl/commands/session_state.h"

namespace griddle::repl {

// Says what a value is, in a few words: "10000‿10000 array of f64".
std::string description_of(const Any&);
// Shows a number of bytes in the unit that suits it: "8.0 MB".
std::string shown_bytes(std::size_t bytes);
// Shows a time with three digits or more in the unit that suits it: "12.34 ms".
std::string shown_time(double seconds);
// Gives a value's text on one row of so many columns, the rest left out; of what would take several rows, what it is.
std::string row_of(const Any&, std::size_t columns);

// Shows a value: on a terminal what a screen holds of it, and what was left out; elsewhere all of it. Of one that was given a
// name a single row.
void show(SessionState&, const Any&, bool is_assigned);
// Show all of what was shown last: at once, or a screen at a time.
void show_whole(SessionState&);
void show_in_pages(SessionState&);

}  // namespace griddle::repl
