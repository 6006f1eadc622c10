#include "runtime/system/data/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "runtime/system/files/file_contents.h"
#include "runtime/value/namespace.h"
#include "runtime/value/utf8.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

constexpr std::size_t check_after = std::size_t{1} << 14;

bool stands_for_itself(char32_t c) { return c >= ' ' && c != '"' && c != '\\' && (c < 0xD800 || c >= 0xE000); }

// Tells whether a table is an object: names over values.
bool is_object(const Array& a) {
  if (a.rank() != 2 || a.shape()[0] != 2) return false;
  if (a.length == 0) return true;
  if (a.type() != ElementType::boxed) return false;
  const auto names = a.boxes().first(a.shape()[1]);
  return std::all_of(names.begin(), names.end(), is_string);
}

}  // namespace

char* write_decimal(char* to, double number) {
  // What is an integer has its digits, and no exponent.
  if (std::abs(number) < exact_limit && number == std::trunc(number) && !(number == 0 && std::signbit(number)))
    return std::to_chars(to, to + most_number_bytes, static_cast<std::int64_t>(number)).ptr;
  return std::to_chars(to, to + most_number_bytes, number).ptr;
}

Value JsonWriter::text_of(const Value& v) {
  write(v, 0);
  return checked_text(cx_.heap, text_);
}

void JsonWriter::write(const Value& v, std::size_t level) {
  cx_.check_stack();
  if (++values_written_ % check_after == 0) cx_.check_interrupt();
  if (write_constant(v)) return;
  if (v.is_number()) return write_number(v.number());
  if (v.is_array()) return write_array(v, level);
  if (v.is_namespace()) return write_fields(v.name_space(), level);
  if (!v.is_character()) fail_in(cx_, self_, "JSON has nothing for a " + kind_text(v));
  text_ += '"';
  write_character(v.character());
  text_ += '"';
}

// Writes what stands for true, false or null, by the options or as an enclosed word. Tells whether the value does.
bool JsonWriter::write_constant(const Value& v) {
  const std::pair<const Value*, const char*> meanings[] = {
      {&options_.yes, "true"}, {&options_.no, "false"}, {&options_.null, "null"}};
  for (const auto& [meaning, word] : meanings) {
    if (meaning->is_absent()) continue;
    if (meaning->is_array() ? !v.is_array() || !values_match(cx_, *meaning, v) : !meaning->same(v)) continue;
    text_ += word;
    return true;
  }
  if (!v.is_array() || v.array().rank() != 0) return false;
  const Value enclosed = element(v.array(), 0);
  const std::string word = is_string(enclosed) && enclosed.array().length <= 5 ? to_utf8(enclosed.array()) : std::string();
  if (word != "true" && word != "false" && word != "null") return false;
  text_ += word;
  return true;
}

void JsonWriter::write_array(const Value& v, std::size_t level) {
  const Array& a = v.array();
  if (a.rank() == 0) fail_in(cx_, self_, "JSON has nothing for an enclosed value, but for \"true\", \"false\" and \"null\"");
  if (is_object(a)) return write_object(a, level);
  if (a.rank() > 1) return write_cells(a, level);
  if (is_text(a)) return write_string(a);
  if (options_.yes.is_absent() && options_.no.is_absent() && options_.null.is_absent() && write_plain(a)) return;
  // Lists of atoms take one line.
  const bool is_flat = a.type() != ElementType::boxed || std::all_of(a.boxes().begin(), a.boxes().end(), [](const Value& e) {
                         return e.is_atom() && !e.is_namespace();
                       });
  if (is_flat) {
    text_ += '[';
    for (std::size_t i = 0; i < a.length; i++) {
      if (i > 0) text_ += ',';
      write(element(a, i), level);
    }
    text_ += ']';
    return;
  }
  write_items('[', ']', a.length, level, [&](std::size_t i) { write(element(a, i), level + 1); });
}

// Writes a list of numbers of one type. Tells whether this is one.
bool JsonWriter::write_plain(const Array& a) {
  if (!is_number(a.type())) return false;
  text_ += '[';
  for (std::size_t i = 0; i < a.length; i++) {
    if (i > 0) text_ += ',';
    write_number(number_at(a, i));
    if (++values_written_ % check_after == 0) cx_.check_interrupt();
  }
  text_ += ']';
  return true;
}

void JsonWriter::write_cells(const Array& a, std::size_t level) {
  const std::size_t length = a.cell_length();
  const auto shape = a.shape().subspan(1);
  write_items('[', ']', a.cells(), level, [&](std::size_t i) {
    Ref<Array> cell = make_array(cx_.heap, a.type(), shape);
    copy_elements(*cell, 0, a, i * length, length);
    write(to_value(std::move(cell)), level + 1);
  });
}

void JsonWriter::write_object(const Array& table, std::size_t level) {
  const std::size_t count = table.shape()[1];
  write_items('{', '}', count, level, [&](std::size_t i) {
    write_string(table.boxes()[i].array());
    text_ += options_.indent > 0 ? ": " : ":";
    write(table.boxes()[count + i], level + 1);
  });
}

void JsonWriter::write_fields(const Namespace& given, std::size_t level) {
  const auto& fields = given.table->fields;
  write_items('{', '}', fields.size(), level, [&](std::size_t i) {
    write_name(fields[i].spelling);
    text_ += options_.indent > 0 ? ": " : ":";
    const Value value = given.environment->slots()[fields[i].slot];
    if (value.is_mark()) fail_in(cx_, self_, "The field " + fields[i].spelling + " has no value yet");
    write(value, level + 1);
  });
}

template <class Item>
void JsonWriter::write_items(char before, char after, std::size_t count, std::size_t level, Item item) {
  text_ += before;
  for (std::size_t i = 0; i < count; i++) {
    if (i > 0) text_ += ',';
    begin_line(level + 1);
    item(i);
  }
  if (count > 0) begin_line(level);
  text_ += after;
}

void JsonWriter::begin_line(std::size_t level) {
  if (options_.indent == 0) return;
  text_ += '\n';
  text_.append(level * options_.indent, ' ');
}

void JsonWriter::write_name(std::string_view utf8) {
  // Names of fields hold nothing that has to be escaped.
  text_ += '"';
  text_ += utf8;
  text_ += '"';
}

void JsonWriter::write_string(const Array& a) {
  text_ += '"';
  if (const std::optional<std::string_view> ascii = ascii_text(a)) {
    for (const char *at = ascii->data(), *const end = at + ascii->size(); at != end;) {
      const char* const stop = std::find_if_not(at, end, [](char c) { return stands_for_itself(static_cast<unsigned char>(c)); });
      text_.append(at, stop);
      at = stop;
      if (at != end) write_character(static_cast<unsigned char>(*at++));
    }
  } else {
    for (std::size_t i = 0; i < a.length; i++)
      write_character(a.type() == ElementType::boxed ? a.boxes()[i].character() : character_at(a, i));
  }
  text_ += '"';
}

void JsonWriter::write_character(char32_t c) {
  if (stands_for_itself(c)) return append_utf8(text_, c);
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt", digits = "0123456789abcdef";
  text_ += '\\';
  const std::size_t place = c < 0x80 ? escaped.find(static_cast<char>(c)) : escaped.npos;
  if (place != escaped.npos) {
    text_ += letters[place];
    return;
  }
  text_ += 'u';
  for (int shift = 12; shift >= 0; shift -= 4) text_ += digits[c >> shift & 15];
}

void JsonWriter::write_number(double number) {
  if (!std::isfinite(number)) fail_in(cx_, self_, "JSON has nothing for " + number_text(number));
  char text[most_number_bytes];
  text_.append(text, static_cast<std::size_t>(write_decimal(text, number) - text));
}

}  // namespace griddle
