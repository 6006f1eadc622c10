#include "runtime/system/data/json_options.h"

#include "runtime/value/namespace.h"

namespace griddle {

namespace {

JsonOptions::Large large_option(Context& cx, const Function& self, const Value& v) {
  const std::string name = string_argument(cx, self, v, "The option large");
  if (name == "round") return JsonOptions::Large::round;
  if (name == "text") return JsonOptions::Large::text;
  if (name == "error") return JsonOptions::Large::error;
  fail_in(cx, self, "The option large must be \"round\", \"text\" or \"error\" (got \"" + name + "\")");
}

JsonOptions json_options(Context& cx, const Function& self, const Value& w, bool formats) {
  JsonOptions options;
  if (!formats) {
    options.yes = Value(1);
    options.no = Value(0);
    options.null = enclose(cx.heap, make_string(cx.heap, std::string_view("null")));
  }
  if (w.is_absent()) return options;
  const Namespace& given = namespace_argument(cx, self, w, "𝕨");
  for (const FieldTable::Field& f : given.table->fields) {
    const Value& v = given.environment->slots()[f.slot];
    if (f.name == "true") {
      options.yes = v;
    } else if (f.name == "false") {
      options.no = v;
    } else if (f.name == "null") {
      options.null = v;
    } else if (f.name == "large" && !formats) {
      options.large = large_option(cx, self, v);
    } else if (f.name == "indent" && formats) {
      options.indent = natural_argument(cx, self, v, "The option indent");
      if (options.indent > JsonOptions::most_indent)
        fail_in(cx, self, "The option indent must be at most 16 (got " + std::to_string(options.indent) + ")");
    } else {
      fail_in(cx, self, "There is no option with this name (" + f.spelling + ")");
    }
  }
  return options;
}

}  // namespace

JsonOptions json_parse_options(Context& cx, const Function& self, const Value& w) { return json_options(cx, self, w, false); }
JsonOptions json_format_options(Context& cx, const Function& self, const Value& w) { return json_options(cx, self, w, true); }

}  // namespace griddle
