// Reading the arguments of system functions. Each fails with the function's name, the argument's, and what was expected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"
#include "runtime/vm/error.h"

namespace griddle {

// Gives the name of a native function, or of the native modifier that a derived function was made with.
std::string_view name_of(const Function& self);
// Fails with "•Name: message".
[[noreturn]] void fail_in(Context&, const Function& self, const std::string& message);

// Tells whether a value is a list of characters only; an empty list is one.
bool is_string(const Value&);

// `which` is "𝕩" or "𝕨", or names a part of it.
std::string string_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");
std::vector<std::string> strings_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");
// Gives a list of bytes from characters @ to @+255 or numbers 0 to 255.
std::string bytes_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");
[[noreturn]] void fail_no_number(Context&, const Function& self, const Value&, const char* which);
inline double number_argument(Context& cx, const Function& self, const Value& v, const char* which = "𝕩") {
  if (!v.is_number()) [[unlikely]]
    fail_no_number(cx, self, v, which);
  return v.number();
}
[[noreturn]] void fail_no_natural(Context&, const Function& self, const Value&, const char* which);
inline std::size_t natural_argument(Context& cx, const Function& self, const Value& v, const char* which = "𝕩") {
  std::int64_t n;
  if (!v.to_integer(n) || n < 0) [[unlikely]]
    fail_no_natural(cx, self, v, which);
  return static_cast<std::size_t>(n);
}
bool boolean_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");
const Array& list_argument(Context&, const Function& self, const Value&, const char* which);
const Namespace& namespace_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");

}  // namespace griddle
