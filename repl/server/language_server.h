// The language server: what an editor asks about BQN sources by the Language Server Protocol, and what it is told. Knows nothing
// of how messages travel, and runs nothing of the sources.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "repl/server/json.h"
#include "repl/server/open_text.h"

namespace griddle::repl {

// Codes of errors, as the protocol numbers them.
enum RequestErrorCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  server_not_initialized = -32002,
  request_cancelled = -32800,
  request_failed = -32803
};

class LanguageServer {
 public:
  // Messages for the editor go to `send`.
  LanguageServer(Interpreter& interpreter, std::function<void(const Json&)> send)
      : interpreter_(interpreter), send_(std::move(send)) {}

  // Takes a message.
  void take(const Json&);
  // Tells the errors of texts that have changed. Called when no message waits: what is typed fast is read once.
  void tell_errors();
  // Answers a request by an error.
  void refuse(const Json& id, int code, std::string message);

  bool has_ended() const { return has_ended_; }
  // Gives 0 where the editor has asked for the end before it came.
  int exit_status() const { return is_shut_down_ ? 0 : 1; }

 private:
  // The answer to a request: a result, or a code with a message.
  struct Answer {
    Json result;
    int code = 0;
    std::string message = {};
  };
  using Handler = Answer (LanguageServer::*)(const Json& parameters, OpenText& text);
  struct Method {
    const char* name;
    Handler handler;
  };
  static const Method text_methods[];

  void notice(const std::string& method, const Json& parameters);
  Answer answer(const std::string& method, const Json& parameters);
  Json initialize(const Json& parameters);
  void open(const Json& document);
  void change(const Json& parameters);
  void close(const std::string& uri);
  void publish(const std::string& uri, Json errors);

  Answer hover(const Json&, OpenText&);
  Answer completion(const Json&, OpenText&);
  Answer definition(const Json&, OpenText&);
  Answer references(const Json&, OpenText&);
  Answer highlights(const Json&, OpenText&);
  Answer prepare_rename(const Json&, OpenText&);
  Answer rename(const Json&, OpenText&);
  Answer formatting(const Json&, OpenText&);
  Answer symbols(const Json&, OpenText&);
  Answer semantic_tokens(const Json&, OpenText&);

  // Gives the token at the place that a request is about, where there is one.
  std::optional<std::size_t> asked_token(const Json& parameters, OpenText&);
  std::optional<std::size_t> asked_definition(const Json& parameters, OpenText&);
  Json errors_of(OpenText&);

  Interpreter& interpreter_;
  std::function<void(const Json&)> send_;
  std::map<std::string, OpenText> texts_;
  std::vector<std::string> changed_;  // whose errors are to be told
  CodeUnits units_ = CodeUnits::utf16;
  bool nests_symbols_ = false;
  bool is_initialized_ = false, is_shut_down_ = false, has_ended_ = false;
};

}  // namespace griddle::repl
