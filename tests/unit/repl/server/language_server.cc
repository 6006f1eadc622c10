#include "repl/server/language_server.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

// A server with what it has sent. tests/lsp asks the same over a pair of files, and much more.
struct Spoken {
  Interpreter bqn;
  std::vector<Json> sent;
  LanguageServer server{bqn, [this](const Json& message) { sent.push_back(message); }};
  void say(const char* text) { server.take(*Json::read(text)); }
  std::string last() { return sent.empty() ? "" : sent.back().written(); }
};

constexpr const char* start = R"({"id":1,"method":"initialize","params":{}})";

}  // namespace

TEST_CASE("requests are answered by their ids, notices not at all") {
  Spoken spoken;
  spoken.say(R"({"id":"x","method":"shutdown"})");
  CHECK(spoken.last().find("-32002") != std::string::npos);
  spoken.say(start);
  CHECK(spoken.sent.back()["result"]["capabilities"]["hoverProvider"].is_true());
  const std::size_t count = spoken.sent.size();
  spoken.say(R"({"method":"initialized"})");
  spoken.say(R"({"method":"unknown/notice"})");
  spoken.say(R"({"id":4,"result":null})");
  CHECK(spoken.sent.size() == count);
  spoken.say(R"({"id":[5],"method":"unknown"})");
  CHECK(spoken.last() == R"({"jsonrpc":"2.0","id":[5],"error":{"code":-32601,"message":"Unknown method: unknown"}})");
}

TEST_CASE("errors are told once for all changes that came together") {
  Spoken spoken;
  spoken.say(start);
  spoken.say(R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","text":"]"}}})");
  spoken.say(R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"u"},"contentChanges":[{"text":"1 2"}]}})");
  CHECK(spoken.sent.size() == 1);
  spoken.server.tell_errors();
  spoken.server.tell_errors();
  CHECK(spoken.sent.size() == 2);
  CHECK(spoken.last().find("missing ‿") != std::string::npos);
}

TEST_CASE("the end has a status") {
  Spoken spoken;
  spoken.say(R"({"method":"exit"})");
  CHECK((spoken.server.has_ended() && spoken.server.exit_status() == 1));
  Spoken polite;
  polite.say(start);
  polite.say(R"({"id":2,"method":"shutdown"})");
  CHECK(!polite.server.has_ended());
  polite.say(R"({"method":"exit"})");
  CHECK((polite.server.has_ended() && polite.server.exit_status() == 0));
}
