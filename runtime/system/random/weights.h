// What Draw and DrawProduct share: reading weights and the options of a call.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/system/argument.h"

namespace griddle::random_functions {

// Numbers that are drawn between two looks at whether the program is to stop.
inline constexpr std::size_t at_once = 1024;

// Gives an array of weights as doubles; fails for what is no weight. `which` names a weight.
Value weights_argument(Context&, const Function& self, const Value&, const std::string& which);

// Fails where a namespace of options has a name that is not among these.
void check_options(Context&, const Function& self, const Namespace&, std::span<const std::string_view> known);

// Gives the number of the method that the options name, among these; the first one where they name none.
std::size_t method_option(Context&, const Function& self, const Namespace&, std::span<const std::string_view> methods);

}  // namespace griddle::random_functions
