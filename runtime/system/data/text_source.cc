#include "runtime/system/data/text_source.h"

#include <algorithm>

#include "primitives/kernels/text/text.h"
#include "runtime/system/functions.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {}  // namespace

TextSource TextSource::of_string(Context& cx, const Function& self, const Value& x) {
  if (!is_string(x)) fail_in(cx, self, "𝕩 must be a string (got a " + kind_text(x) + ")");
  TextSource source(cx, self, {});
  source.kept_ = system_functions::to_utf8(cx, self, x);
  const Array& bytes = source.kept_.array();
  source.bytes_ = {bytes.as<char>(), bytes.length};
  return source;
}

TextSource TextSource::of_file(Context& cx, const Function& self, const Value& path) {
  TextSource source(cx, self, {});
  source.kept_ = system_functions::read_bytes(cx, self, path);
  const Array& bytes = source.kept_.array();
  source.bytes_ = {bytes.as<char>(), bytes.length};
  if (source.bytes_.starts_with(byte_order_mark)) source.bytes_.remove_prefix(byte_order_mark.size());
  source.require_utf8();
  return source;
}

void TextSource::require_utf8() const {
  const std::size_t good = kernels::text().utf8_length(reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size());
  if (good != bytes_.size()) fail_at(bytes_.data() + good, "This is no UTF-8");
}

void TextSource::fail_at(const char* at, const std::string& message) const {
  // Rows end as editors and •FLines have it: with LF, CR, or both.
  std::size_t row = first_row_;
  const char* start = bytes_.data();
  for (const char* p = start; p < at; p++) {
    if (*p != '\n' && (*p != '\r' || (p + 1 < bytes_.data() + bytes_.size() && p[1] == '\n'))) continue;
    row++;
    start = p + 1;
  }
  const auto column = 1 + std::count_if(start, at, [](char c) { return !continues_utf8(c); });
  fail_in(cx_, self_, message + " (row " + std::to_string(row) + ", column " + std::to_string(column) + ")");
}

std::string shown_character(const char* at, const char* end) {
  if (at == end) return "the end of the text";
  if (static_cast<unsigned char>(*at) < ' ' || *at == '\x7F') {
    if (*at == '\n') return "a line end";
    return "character @+" + std::to_string(static_cast<unsigned char>(*at));
  }
  const char* after = at + 1;
  while (after != end && continues_utf8(*after)) after++;
  return std::string(at, after);
}

}  // namespace griddle
