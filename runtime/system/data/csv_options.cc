#include "runtime/system/data/csv_options.h"

#include "runtime/value/namespace.h"

namespace griddle {

namespace {

// Reads a character that may stand between fields or around them: what numbers and names are made of, and what ends lines, may
// not.
char mark_option(Context& cx, const Function& self, const std::string& name, const Value& v) {
  Value c = v;
  if (is_string(v) && v.array().length == 1) c = element(v.array(), 0);
  constexpr std::string_view marks = "\t !\"#$%&'()*,/:;<=>?@[\\]^_`{|}~";
  if (!c.is_character() || c.character() >= 0x80 || marks.find(static_cast<char>(c.character())) == marks.npos)
    fail_in(cx, self,
            "The option " + name + " must be a tab, a blank, or an ASCII sign other than + - . (got a " + kind_text(v) + ")");
  return static_cast<char>(c.character());
}

CsvOptions csv_options(Context& cx, const Function& self, const Value& w, bool formats) {
  CsvOptions options;
  if (w.is_absent()) return options;
  const Namespace& given = namespace_argument(cx, self, w, "𝕨");
  for (const FieldTable::Field& f : given.table->fields) {
    const Value& v = given.environment->slots()[f.slot];
    if (f.name == "separator") {
      options.separator = mark_option(cx, self, f.name, v);
    } else if (f.name == "quote") {
      options.has_quote = !(is_string(v) && v.array().length == 0);
      if (options.has_quote) options.quote = mark_option(cx, self, f.name, v);
    } else if (f.name == "missing") {
      options.missing = Value(number_argument(cx, self, v, "The option missing"));
    } else if (f.name == "header" && !formats) {
      options.has_header = boolean_argument(cx, self, v, "The option header");
    } else if (f.name == "ragged" && !formats) {
      options.is_ragged = boolean_argument(cx, self, v, "The option ragged");
    } else if (f.name == "types" && !formats) {
      options.types = string_argument(cx, self, v, "The option types");
      if (options.types.find_first_not_of("ans-") != std::string::npos)
        fail_in(cx, self, "The option types must consist of a, n, s and - (got \"" + options.types + "\")");
    } else if (f.name == "crlf" && formats) {
      options.ends_with_cr = boolean_argument(cx, self, v, "The option crlf");
    } else {
      fail_in(cx, self, "There is no option with this name (" + f.spelling + ")");
    }
  }
  if (options.has_quote && options.quote == options.separator) fail_in(cx, self, "The options separator and quote must differ");
  return options;
}

}  // namespace

CsvOptions csv_parse_options(Context& cx, const Function& self, const Value& w) { return csv_options(cx, self, w, false); }
CsvOptions csv_format_options(Context& cx, const Function& self, const Value& w) { return csv_options(cx, self, w, true); }

}  // namespace griddle
