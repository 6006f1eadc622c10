#include "repl/keys.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace griddle::repl;
using Kind = Key::Kind;

namespace {

std::vector<Kind> keys(std::string_view bytes) {
  KeyDecoder decoder;
  std::vector<Kind> found;
  for (char byte : bytes)
    if (const std::optional<Key> key = decoder.feed(static_cast<unsigned char>(byte))) found.push_back(key->kind);
  return found;
}

}  // namespace

TEST_CASE("bytes of a terminal make keys, and what means nothing is one unknown key") {
  CHECK(keys("a\r\t\x7F") == std::vector<Kind>{Kind::character, Kind::enter, Kind::tab, Kind::backspace});
  CHECK(keys("\x1b[A\x1b[B\x1bOC\x1b[D") == std::vector<Kind>{Kind::up, Kind::down, Kind::right, Kind::left});
  CHECK(keys("\x1b[3~\x1b[1;5D\x1b[1;5C") == std::vector<Kind>{Kind::erase, Kind::word_left, Kind::word_right});
  CHECK(keys("\x1b[H\x1b[F\x01\x05") == std::vector<Kind>{Kind::row_start, Kind::row_end, Kind::row_start, Kind::row_end});
  CHECK(keys("\x1b[200~\x1b[201~") == std::vector<Kind>{Kind::paste_begins, Kind::paste_ends});
  CHECK(keys("\x1bOP\x1b[11~\x1bh") == std::vector<Kind>{Kind::describe, Kind::describe, Kind::describe});
  CHECK(keys("\x1b[9;9Q") == std::vector<Kind>{Kind::unknown});
  CHECK(keys("\x03\x04\x07") == std::vector<Kind>{Kind::cancel, Kind::erase_or_end, Kind::leave});
}

TEST_CASE("a character of several bytes is one key") {
  KeyDecoder decoder;
  std::optional<Key> key;
  for (char byte : std::string_view("⌽")) {
    CHECK(!key);
    key = decoder.feed(static_cast<unsigned char>(byte));
  }
  REQUIRE(key);
  CHECK(key->character == U'⌽');
}
