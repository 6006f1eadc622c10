#include "runtime/source/text.h"

#include <doctest/doctest.h>

#include <string>

using namespace griddle;

TEST_CASE("LF, CR and CR LF end lines, and the end of the text belongs to the last") {
  const SourceText source("one\ntwo\r\nthree\rfour", "test");
  const auto line = [&](std::uint32_t offset) {
    const SourceText::Line found = source.line_at(offset);
    return std::to_string(found.number) + " " + std::to_string(found.start) + " " + std::string(found.text);
  };
  CHECK(line(0) == "1 0 one");
  CHECK(line(4) == "2 4 two");
  CHECK(line(9) == "3 9 three");
  CHECK(line(15) == "4 15 four");
  CHECK(line(19) == "4 15 four");
  CHECK(SourceText("", "empty").line_at(0).number == 1);
  CHECK(SourceText("a\n", "ends").line_at(2).number == 2);
}

TEST_CASE("code points are decoded one by one, and what is none stays where it is") {
  const auto decoded = [](std::string_view bytes) {
    const char* at = bytes.data();
    const char32_t c = decode_utf8(at, bytes.data() + bytes.size());
    CHECK(at - bytes.data() == (c == invalid_code_point ? 0 : static_cast<long>(bytes.size())));
    return c;
  };
  CHECK(decoded("a") == U'a');
  CHECK(decoded("é") == U'é');
  CHECK(decoded("⌽") == U'⌽');
  CHECK(decoded("𝕩") == U'𝕩');
  CHECK(decoded("\xED\xA0\x80") == 0xD800);  // as files may hold them
  for (const char* bytes : {"\xFF", "\xC0\x80", "\xE0\x80\x80", "\xF5\x80\x80\x80", "\xE2\x8C", "\x80"})
    CHECK_MESSAGE(decoded(bytes) == invalid_code_point, std::string(bytes));
}
