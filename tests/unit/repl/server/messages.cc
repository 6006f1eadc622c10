#include "repl/server/messages.h"

#include <doctest/doctest.h>

using namespace griddle::repl;

TEST_CASE("messages are cut by their lengths, however they arrive") {
  const std::string both = with_header("{}") + "Content-Type: x\r\ncontent-length:  3\r\n\r\nabc" + with_header("");
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, both.size()}) {
    MessageReader reader;
    std::string list;
    for (std::size_t at = 0; at < both.size(); at += step) {
      reader.add(std::string_view(both).substr(at, step));
      while (const std::optional<std::string> message = reader.next()) list += "[" + *message + "]";
    }
    CHECK(list == "[{}][abc][]");
    CHECK(!reader.is_lost());
  }
}

TEST_CASE("what is no message ends the reading") {
  for (const char* bad : {"\r\n\r\n", "Length: 2\r\n\r\n{}", "Content-Length: two\r\n\r\n", "Content-Length: -1\r\n\r\n",
                          "Content-Length: 2x\r\n\r\n", "Content-Length: 9999999999\r\n\r\n",
                          "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length:\r\n\r\n"}) {
    MessageReader reader;
    reader.add(bad);
    CHECK(!reader.next());
    CHECK_MESSAGE(reader.is_lost(), bad);
    reader.add(with_header("{}"));
    CHECK(!reader.next());
  }
  MessageReader reader;
  reader.add("Content-Length: 2\r\n");
  CHECK((!reader.next() && !reader.is_lost()));
  reader.add(std::string(100'000, 'x'));
  CHECK((!reader.next() && reader.is_lost()));
}
