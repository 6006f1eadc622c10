// The options of •csv, which a namespace on the left gives.
#pragma once

#include <string>

#include "runtime/system/argument.h"

namespace griddle {

struct CsvOptions {
  char separator = ',';
  char quote = '"';  // no character of a text where there is none: see has_quote
  bool has_quote = true;
  bool has_header = false;
  bool is_ragged = false;
  bool ends_with_cr = false;  // of what is formatted: CR LF at the ends of rows
  std::string types;          // a letter for each column; empty: all are found out
  Value missing;              // the number of an empty field in a column of numbers; absent: there is none
};

// Read the options of a function that parses, or of one that formats; 𝕨 may be absent.
CsvOptions csv_parse_options(Context&, const Function& self, const Value& w);
CsvOptions csv_format_options(Context&, const Function& self, const Value& w);

}  // namespace griddle
