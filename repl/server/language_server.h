// The language server: what an editor asks about BQN sources by the Language Server Protocol, and what it is told. Knows nothing
// of how messages travel, and runs nothing of the sources.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repl/server/json.h"
#include "repl/server/meanings.h"
#include "repl/server/workspace.h"

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
  using Handler = Answer (LanguageServer::*)(const Json& parameters, Document&);
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

  Answer hover(const Json&, Document&);
  Answer completion(const Json&, Document&);
  Answer definition(const Json&, Document&);
  Answer references(const Json&, Document&);
  Answer highlights(const Json&, Document&);
  Answer prepare_rename(const Json&, Document&);
  Answer rename(const Json&, Document&);
  Answer formatting(const Json&, Document&);
  Answer symbols(const Json&, Document&);
  Answer semantic_tokens(const Json&, Document&);

  // Gives the token at the place that a request is about, where there is one.
  std::optional<std::size_t> asked_token(const Json& parameters, Document&);
  // Gives what the name at that place means, in whichever source.
  std::optional<Meaning> asked_meaning(const Json& parameters, Document&);
  std::vector<Use> asked_uses(const Json& parameters, Document&);
  Json errors_of(OpenText&);
  void tell_errors_of_imports();

  Interpreter& interpreter_;
  std::function<void(const Json&)> send_;
  Workspace workspace_;
  Meanings meanings_{interpreter_, workspace_};
  std::vector<std::string> changed_;            // whose errors are to be told
  bool is_any_changed_ = false;                 // an open text, or perhaps a file
  std::map<std::string, std::string> imports_;  // the errors that were told of files that are not open, by path
  bool nests_symbols_ = false;
  bool is_initialized_ = false, is_shut_down_ = false, has_ended_ = false;
};

}  // namespace griddle::repl
