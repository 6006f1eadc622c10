// How the executable tells of an error: its report, in colour where a person reads it.
#pragma once

#include <string>
#include <string_view>

#include "repl/console.h"
#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Colours a report by what its lines are: the error, the places of calls, carets, a hint. `message_lines` of it are the message.
std::string coloured_report(std::string_view report, std::size_t message_lines);

// Writes why there is no value, or where it was interrupted, to standard error. Where that is a terminal, and NO_COLOR is not
// set, it is coloured.
void tell_failure(StandardConsole&, const Failure&);

}  // namespace griddle::repl
