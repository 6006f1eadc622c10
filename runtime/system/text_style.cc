#include "runtime/system/text_style.h"

#include <limits>
#include <string>

#include "runtime/system/argument.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

// Gives the most rows and columns that 𝕨 allows: ⟨rows,columns⟩, or a number of columns alone.
TextRoom room_argument(Context& cx, const Function& self, const Value& w) {
  auto limit = [&](const Value& v) {
    if (v.is_number() && v.number() == std::numeric_limits<double>::infinity()) return ~std::size_t{0};
    const std::size_t n = natural_argument(cx, self, v, "A limit in 𝕨");
    if (n == 0) fail_in(cx, self, "A limit in 𝕨 must be at least 1 (got 0)");
    return n;
  };
  TextRoom room;
  if (!w.is_array()) {
    room.columns = room.alone = limit(w);
    return room;
  }
  if (!w.array().is_list() || w.array().length != 2)
    fail_in(cx, self, "𝕨 must be a number of columns, or of rows and of columns (got a " + kind_text(w) + ")");
  room.rows = limit(element(w.array(), 0));
  room.columns = room.alone = limit(element(w.array(), 1));
  return room;
}

[[noreturn]] void fail_option(Context& cx, const Function& self, const std::string& name, const std::string& wanted,
                              const Value& got) {
  fail_in(cx, self, "The option " + name + " must be " + wanted + " (got " + brief_text(cx, got) + ")");
}

std::size_t number_option(Context& cx, const Function& self, const std::string& name, const Value& v, std::size_t least,
                          std::size_t most) {
  std::int64_t n;
  if (!v.to_integer(n) || n < static_cast<std::int64_t>(least) || n > static_cast<std::int64_t>(most))
    fail_option(cx, self, name, "a number from " + std::to_string(least) + " to " + std::to_string(most), v);
  return static_cast<std::size_t>(n);
}

// Reads a character, or a string of one; an empty string is no character.
char32_t character_option(Context& cx, const Function& self, const std::string& name, const Value& v) {
  if (v.is_character()) return v.character();
  if (v.is_array() && v.array().is_list() && v.array().length == 0) return 0;
  if (is_string(v) && v.array().length == 1) return element(v.array(), 0).character();
  fail_option(cx, self, name, "a character", v);
}

TextAlign align_option(Context& cx, const Function& self, const Value& v) {
  const std::string name = is_string(v) ? string_argument(cx, self, v) : std::string();
  if (name == "left") return TextAlign::left;
  if (name == "right") return TextAlign::right;
  if (name == "center") return TextAlign::center;
  fail_option(cx, self, "align", "\"left\", \"right\" or \"center\"", v);
}

// Changes a style as an option says. Tells whether it is an option of styles.
bool take_style_option(Context& cx, const Function& self, const std::string& name, const Value& v, TextStyle& style) {
  if (name == "precision") {
    style.precision = static_cast<int>(number_option(cx, self, name, v, 1, TextStyle::most_precision));
    style.decimals = -1;
  } else if (name == "decimals") {
    style.decimals = static_cast<int>(number_option(cx, self, name, v, 0, TextStyle::most_decimals));
    style.precision = 0;
  } else if (name == "width") {
    style.width = number_option(cx, self, name, v, 0, TextStyle::most_width);
  } else if (name == "align") {
    style.align = align_option(cx, self, v);
  } else if (name == "thousands") {
    style.thousands = character_option(cx, self, name, v);
  } else if (name == "minus") {
    style.minus = character_option(cx, self, name, v);
    if (style.minus == 0) fail_option(cx, self, name, "a character", v);
  } else {
    return false;
  }
  return true;
}

[[noreturn]] void fail_unknown(Context& cx, const Function& self, const FieldTable::Field& option) {
  fail_in(cx, self, "There is no option with this name (" + option.spelling + ")");
}

TextStyle column_style(Context& cx, const Function& self, const Value& v, TextStyle style) {
  // @ stands for a column without wishes of its own.
  if (v.is_character() && v.character() == 0) return style;
  const Namespace& options = namespace_argument(cx, self, v, "The style of a column");
  for (const FieldTable::Field& option : options.table->fields)
    if (!take_style_option(cx, self, option.name, options.environment->slots()[option.slot], style))
      fail_unknown(cx, self, option);
  return style;
}

}  // namespace

TextRequest text_request(Context& cx, const Function& self, const Value& w) {
  TextRequest request;
  if (!w.is_namespace()) {
    request.room = room_argument(cx, self, w);
    return request;
  }
  const Namespace& options = w.name_space();
  for (const FieldTable::Field& option : options.table->fields) {
    const Value& v = options.environment->slots()[option.slot];
    if (option.name == "room")
      request.room = room_argument(cx, self, v);
    else if (option.name == "plain")
      request.plain = boolean_argument(cx, self, v, "The option plain");
    else if (option.name != "columns" && !take_style_option(cx, self, option.name, v, request.style))
      fail_unknown(cx, self, option);
  }
  if (const Value columns = field(options, "columns"); !columns.is_absent()) {
    const Array& styles = list_argument(cx, self, columns, "The option columns");
    for (std::size_t i = 0; i < styles.length; i++)
      request.columns.push_back(column_style(cx, self, element(styles, i), request.style));
  }
  return request;
}

}  // namespace griddle
