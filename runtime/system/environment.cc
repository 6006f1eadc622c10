// Variables of the process: •env
#include <cstdlib>

#include "runtime/system/argument.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"

extern char** environ;

namespace griddle::system_functions {

namespace {

// Gives a variable's text, or null. The bytes of names and texts are those of files: any but 0.
const char* variable(Context& cx, const Function& self, const Value& x) {
  const std::string name = name_bytes(string_argument(cx, self, x));
  return name.find('\0') == name.npos ? std::getenv(name.c_str()) : nullptr;
}

Value get_variable(Context& cx, const Function& self, Value x) {
  const char* const text = variable(cx, self, x);
  if (text == nullptr) fail_in(cx, self, "There is no such variable (" + string_argument(cx, self, x) + ")");
  return name_string(cx.heap, text);
}
Value get_variable_or(Context& cx, const Function& self, Value w, Value x) {
  const char* const text = variable(cx, self, x);
  return text != nullptr ? name_string(cx.heap, text) : std::move(w);
}

Value variable_names(Context& cx, const Function&, Value) {
  std::vector<Value> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; entry++) {
    const std::string_view text = *entry;
    names.push_back(name_string(cx.heap, text.substr(0, text.find('='))));
  }
  return make_values(cx.heap, names);
}

constexpr SystemEntry environment_entries[] = {
    function_in_unit("•env.Get", get_variable, get_variable_or).reaching(Reach::see_environment),
    function_in_unit("•env.Names", variable_names).reaching(Reach::see_environment),
};

}  // namespace

Value environment_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, environment_entries); }

}  // namespace griddle::system_functions
