#include "repl/server/serving.h"

#include <unistd.h>

#include <doctest/doctest.h>

#include "repl/server/messages.h"

using namespace griddle;
using namespace griddle::repl;

namespace {

// Gives what a server writes that gets this and then no more, and its exit status.
std::string served(const std::string& input, int& status) {
  int to[2], from[2];
  REQUIRE((pipe(to) == 0 && pipe(from) == 0));
  REQUIRE(write(to[1], input.data(), input.size()) == static_cast<ssize_t>(input.size()));
  close(to[1]);
  Interpreter bqn;
  status = serve_editor(bqn, to[0], from[1]);
  close(to[0]);
  close(from[1]);
  std::string output(100'000, ' ');
  output.resize(static_cast<std::size_t>(read(from[0], output.data(), output.size())));
  close(from[0]);
  return output;
}

}  // namespace

TEST_CASE("a server answers what came before the end, and says how it ended") {
  const std::string start = with_header(R"({"id":1,"method":"initialize","params":{}})");
  int status = 0;
  CHECK(served(start, status).find("capabilities") != std::string::npos);
  CHECK(status == 1);
  const std::string end = with_header(R"({"id":2,"method":"shutdown"})") + with_header(R"({"method":"exit"})");
  CHECK(served(start + end + "rest", status).ends_with(R"({"jsonrpc":"2.0","id":2,"result":null})"));
  CHECK(status == 0);
  served("", status);
  CHECK(status == 1);
}

TEST_CASE("a request that waits is cancelled") {
  int status = 0;
  const std::string asked = with_header(R"({"id":1,"method":"initialize","params":{}})") +
                            with_header(R"({"id":2,"method":"shutdown"})") +
                            with_header(R"({"method":"$/cancelRequest","params":{"id":2}})");
  CHECK(served(asked, status).find("-32800") != std::string::npos);
  CHECK(served(with_header("{"), status).find("-32700") != std::string::npos);
  CHECK(served(with_header("\"\xFF\""), status).find("-32700") != std::string::npos);
}
