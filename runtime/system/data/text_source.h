// The text that a reader of JSON or CSV goes through, as UTF-8, and where in it something is.
#pragma once

#include <string>
#include <string_view>

#include "runtime/system/argument.h"

namespace griddle {

// Other systems' editors put it before UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class TextSource {
 public:
  // A string that a program gives.
  static TextSource of_string(Context&, const Function& self, const Value& x);
  // The contents of a file; a byte order mark is skipped.
  static TextSource of_file(Context&, const Function& self, const Value& path);
  // Bytes that somebody else keeps, which begin with a row of this number.
  TextSource(Context& cx, const Function& self, std::string_view bytes, std::size_t first_row = 1)
      : bytes_(bytes), cx_(cx), self_(self), first_row_(first_row) {}

  std::string_view bytes() const { return bytes_; }
  // Fails with "•Name: message (row 2, column 5)".
  [[noreturn]] void fail_at(const char* at, const std::string& message) const;
  // Fails where the bytes are no UTF-8.
  void require_utf8() const;

 private:
  std::string_view bytes_;
  Value kept_;  // what the bytes lie in
  Context& cx_;
  const Function& self_;
  std::size_t first_row_ = 1;
};

// What readers of such a text have in common: how far they are, and interrupts after so many parts.
class SourceReader {
 protected:
  SourceReader(Context& cx, const TextSource& source)
      : cx_(cx), source_(source), at_(source.bytes().data()), end_(at_ + source.bytes().size()) {}
  void count_part() {
    constexpr std::size_t check_after = std::size_t{1} << 14;
    if (++parts_read_ % check_after == 0) cx_.check_interrupt();
  }

  Context& cx_;
  const TextSource& source_;
  const char* at_;
  const char* end_;

 private:
  std::size_t parts_read_ = 0;
};

// Gives a character as an error shows it.
std::string shown_character(const char* at, const char* end);

}  // namespace griddle
