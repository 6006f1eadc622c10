#include "runtime/system/argument.h"

#include "runtime/value/namespace.h"

namespace griddle {

std::string_view name_of(const Function& self) {
  if (self.kind == ObjectKind::native_function) return static_cast<const NativeFunction&>(self).name;
  const Modifier& modifier = static_cast<const Derived&>(self).modifier.modifier();
  return static_cast<const NativeModifier&>(modifier).name;
}

void fail_in(Context& cx, const Function& self, const std::string& message) {
  fail(cx, std::string(name_of(self)) + ": " + message);
}

bool is_string(const Value& v) {
  if (!v.is_array() || !v.array().is_list()) return false;
  const Array& a = v.array();
  if (a.length == 0 || is_character(a.type())) return true;
  if (a.type() != ElementType::boxed) return false;
  for (const Value& element : a.boxes())
    if (!element.is_character()) return false;
  return true;
}

std::string string_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!is_string(v)) fail_in(cx, self, std::string(which) + " must be a string (got a " + kind_text(v) + ")");
  if (v.array().length == 0) return {};
  cx.heap.check_limit(utf8_bytes(v.array()));
  return to_utf8(v.array());
}

std::vector<std::string> strings_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!v.is_array() || v.array().rank() > 1)
    fail_in(cx, self, std::string(which) + " must be a list of strings (got a " + kind_text(v) + ")");
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < v.array().length; i++) {
    Value s = element(v.array(), i);
    if (!is_string(s)) fail_in(cx, self, std::string(which) + " must be a list of strings (got a " + kind_text(s) + " in it)");
    strings.push_back(s.array().length == 0 ? std::string() : to_utf8(s.array()));
  }
  return strings;
}

std::string bytes_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  auto refuse = [&](const std::string& got) {
    fail_in(cx, self, std::string(which) + " must be a list of bytes (got " + got + ")");
  };
  if (!v.is_array() || !v.array().is_list()) refuse("a " + kind_text(v));
  const Array& a = v.array();
  std::string bytes(a.length, '\0');
  for (std::size_t i = 0; i < a.length; i++) {
    Value e = element(a, i);
    std::int64_t byte = 0;
    if (e.is_character())
      byte = e.character();
    else if (!e.to_integer(byte))
      refuse((e.is_number() ? number_text(e.number()) : "a " + kind_text(e)) + " in it");
    if (byte < -128 || byte > 255) refuse((e.is_number() ? number_text(e.number()) : std::to_string(byte)) + " in it");
    bytes[i] = static_cast<char>(byte);
  }
  return bytes;
}

void fail_no_number(Context& cx, const Function& self, const Value& v, const char* which) {
  fail_in(cx, self, std::string(which) + " must be a number (got a " + kind_text(v) + ")");
}

void fail_no_natural(Context& cx, const Function& self, const Value& v, const char* which) {
  fail_in(cx, self,
          std::string(which) + " must be a natural number (got " +
              (v.is_number() ? number_text(v.number()) : "a " + kind_text(v)) + ")");
}

bool boolean_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (v.is_number() && (v.number() == 0 || v.number() == 1)) [[likely]]
    return v.number() == 1;
  fail_in(cx, self,
          std::string(which) + " must be 0 or 1 (got " + (v.is_number() ? number_text(v.number()) : "a " + kind_text(v)) + ")");
}

const Array& list_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!v.is_array() || !v.array().is_list())
    fail_in(cx, self, std::string(which) + " must be a list (got a " + kind_text(v) + ")");
  return v.array();
}

const Namespace& namespace_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!v.is_namespace()) fail_in(cx, self, std::string(which) + " must be a namespace (got a " + kind_text(v) + ")");
  return v.name_space();
}

}  // namespace griddle
