#include "repl/server/language_server.h"

#include <algorithm>

#include "repl/server/explanations.h"
#include "repl/server/proposals.h"
#include "repl/server/spelling.h"
#include "repl/server/symbols.h"
#include "repl/version.h"

namespace griddle::repl {

namespace {

constexpr int severity_error = 1;

const std::string& uri_of(const Json& parameters) { return parameters["textDocument"]["uri"].text(); }

Json edits_json(const OpenText& text, const std::vector<TextEdit>& edits) {
  Json list = Json::list({});
  for (const TextEdit& edit : edits) list.push(Json::object({{"range", text.range_of(edit.place)}, {"newText", edit.text}}));
  return list;
}

}  // namespace

const LanguageServer::Method LanguageServer::text_methods[] = {
    {"textDocument/hover", &LanguageServer::hover},
    {"textDocument/completion", &LanguageServer::completion},
    {"textDocument/definition", &LanguageServer::definition},
    {"textDocument/references", &LanguageServer::references},
    {"textDocument/documentHighlight", &LanguageServer::highlights},
    {"textDocument/prepareRename", &LanguageServer::prepare_rename},
    {"textDocument/rename", &LanguageServer::rename},
    {"textDocument/formatting", &LanguageServer::formatting},
    {"textDocument/documentSymbol", &LanguageServer::symbols},
    {"textDocument/semanticTokens/full", &LanguageServer::semantic_tokens},
};

void LanguageServer::take(const Json& message) {
  const Json& id = message["id"];
  if (message.kind() != Json::Kind::object || !message["method"].is_text()) {
    // Answers to requests of the server's own would come here; it makes none.
    if (!message.has("result") && !message.has("error")) refuse(id, invalid_request, "This is no request");
    return;
  }
  const std::string& method = message["method"].text();
  if (!message.has("id")) return notice(method, message["params"]);
  Answer given = answer(method, message["params"]);
  if (given.code != 0) return refuse(id, given.code, std::move(given.message));
  send_(Json::object({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(given.result)}}));
}

void LanguageServer::refuse(const Json& id, int code, std::string message) {
  send_(
      Json::object({{"jsonrpc", "2.0"}, {"id", id}, {"error", Json::object({{"code", code}, {"message", std::move(message)}})}}));
}

void LanguageServer::notice(const std::string& method, const Json& parameters) {
  if (method == "exit") has_ended_ = true;
  if (!is_initialized_ || is_shut_down_) return;
  if (method == "textDocument/didOpen") open(parameters["textDocument"]);
  if (method == "textDocument/didChange") change(parameters);
  if (method == "textDocument/didClose") close(uri_of(parameters));
}

LanguageServer::Answer LanguageServer::answer(const std::string& method, const Json& parameters) {
  if (is_shut_down_) return {{}, invalid_request, "The server has been shut down"};
  if (method == "initialize") {
    if (is_initialized_) return {{}, invalid_request, "The server has been initialized already"};
    return {initialize(parameters)};
  }
  if (!is_initialized_) return {{}, server_not_initialized, "The server has not been initialized"};
  if (method == "shutdown") {
    is_shut_down_ = true;
    return {};
  }
  for (const Method& known : text_methods) {
    if (method != known.name) continue;
    const auto text = texts_.find(uri_of(parameters));
    if (text == texts_.end()) return {{}, invalid_params, "This text is not open: " + uri_of(parameters)};
    return (this->*known.handler)(parameters, text->second);
  }
  return {{}, method_not_found, "Unknown method: " + method};
}

Json LanguageServer::initialize(const Json& parameters) {
  is_initialized_ = true;
  const Json& abilities = parameters["capabilities"];
  for (const Json& encoding : abilities["general"]["positionEncodings"].items())
    if (encoding.text() == "utf-8") units_ = CodeUnits::utf8;
  nests_symbols_ = abilities["textDocument"]["documentSymbol"]["hierarchicalDocumentSymbolSupport"].is_true();
  constexpr int incremental = 2;
  Json server = Json::object({
      {"positionEncoding", units_ == CodeUnits::utf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync", Json::object({{"openClose", true}, {"change", incremental}})},
      {"completionProvider", Json::object({{"triggerCharacters", Json::list({"\\", ".", "•"})}})},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"documentFormattingProvider", true},
      {"renameProvider", Json::object({{"prepareProvider", true}})},
      {"semanticTokensProvider", Json::object({{"legend", semantic_legend()}, {"full", true}})},
  });
  return Json::object(
      {{"capabilities", std::move(server)}, {"serverInfo", Json::object({{"name", "Griddle"}, {"version", griddle_version()}})}});
}

void LanguageServer::open(const Json& document) {
  const std::string& uri = document["uri"].text();
  texts_.insert_or_assign(uri, OpenText(document["text"].text(), units_));
  changed_.push_back(uri);
}

void LanguageServer::change(const Json& parameters) {
  const auto text = texts_.find(uri_of(parameters));
  if (text == texts_.end()) return;
  for (const Json& change : parameters["contentChanges"].items()) text->second.change(change);
  changed_.push_back(text->first);
}

void LanguageServer::close(const std::string& uri) {
  if (texts_.erase(uri) > 0) publish(uri, Json::list({}));
}

void LanguageServer::publish(const std::string& uri, Json errors) {
  send_(Json::object({{"jsonrpc", "2.0"},
                      {"method", "textDocument/publishDiagnostics"},
                      {"params", Json::object({{"uri", uri}, {"diagnostics", std::move(errors)}})}}));
}

void LanguageServer::tell_errors() {
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  for (const std::string& uri : std::exchange(changed_, {})) {
    const auto text = texts_.find(uri);
    if (text != texts_.end()) publish(uri, errors_of(text->second));
  }
}

Json LanguageServer::errors_of(OpenText& text) {
  Json list = Json::list({});
  for (const TextError& error : text.reading(interpreter_).errors) {
    Json diagnostic = Json::object({{"range", text.range_of(error.place)},
                                    {"severity", severity_error},
                                    {"source", "bqn"},
                                    {"message", error.hint.empty() ? error.message : error.message + "\nHint: " + error.hint}});
    list.push(std::move(diagnostic));
  }
  return list;
}

std::optional<std::size_t> LanguageServer::asked_token(const Json& parameters, OpenText& text) {
  return text.reading(interpreter_).token_at(text.byte_of(parameters["position"]));
}

std::optional<std::size_t> LanguageServer::asked_definition(const Json& parameters, OpenText& text) {
  const SourceReading& reading = text.reading(interpreter_);
  const std::size_t byte = text.byte_of(parameters["position"]);
  const std::optional<std::size_t> token = reading.token_at(byte);
  if (!token) return std::nullopt;
  if (std::optional<std::size_t> found = reading.definition_of(text.text(), *token)) return found;
  // Behind a name that a sign follows at once, the name is meant.
  const bool touches = *token > 0 && reading.tokens[*token].start == byte && reading.tokens[*token - 1].end == byte;
  return touches ? reading.definition_of(text.text(), *token - 1) : std::nullopt;
}

LanguageServer::Answer LanguageServer::hover(const Json& parameters, OpenText& text) {
  const std::optional<std::size_t> token = asked_token(parameters, text);
  if (!token) return {};
  const std::optional<std::string> about = explanation_of(interpreter_, text, *token);
  if (!about) return {};
  return {Json::object({{"contents", Json::object({{"kind", "markdown"}, {"value", *about}})},
                        {"range", text.range_of(text.reading(interpreter_).tokens[*token])}})};
}

LanguageServer::Answer LanguageServer::completion(const Json& parameters, OpenText& text) {
  return {proposals_at(interpreter_, text, text.byte_of(parameters["position"]))};
}

LanguageServer::Answer LanguageServer::definition(const Json& parameters, OpenText& text) {
  const std::optional<std::size_t> found = asked_definition(parameters, text);
  if (!found) return {};
  const SourceReading& reading = text.reading(interpreter_);
  return {
      Json::object({{"uri", uri_of(parameters)}, {"range", text.range_of(reading.tokens[reading.definitions[*found].token])}})};
}

LanguageServer::Answer LanguageServer::references(const Json& parameters, OpenText& text) {
  const std::optional<std::size_t> found = asked_definition(parameters, text);
  if (!found) return {};
  const SourceReading& reading = text.reading(interpreter_);
  const bool with_definition = parameters["context"]["includeDeclaration"].is_true();
  Json list = Json::list({});
  for (const std::size_t use : reading.uses_of(text.text(), *found)) {
    if (!with_definition && reading.tokens[use].use == griddle_use_definition) continue;
    list.push(Json::object({{"uri", uri_of(parameters)}, {"range", text.range_of(reading.tokens[use])}}));
  }
  return {std::move(list)};
}

LanguageServer::Answer LanguageServer::highlights(const Json& parameters, OpenText& text) {
  const std::optional<std::size_t> found = asked_definition(parameters, text);
  if (!found) return {};
  const SourceReading& reading = text.reading(interpreter_);
  constexpr int read = 2, written = 3;
  Json list = Json::list({});
  for (const std::size_t use : reading.uses_of(text.text(), *found)) {
    const bool writes = reading.tokens[use].use == griddle_use_definition || reading.tokens[use].use == griddle_use_change;
    list.push(Json::object({{"range", text.range_of(reading.tokens[use])}, {"kind", writes ? written : read}}));
  }
  return {std::move(list)};
}

LanguageServer::Answer LanguageServer::prepare_rename(const Json& parameters, OpenText& text) {
  const std::optional<std::size_t> found = asked_definition(parameters, text);
  if (!found) return {{}, request_failed, "No name that this text defines stands here"};
  const SourceReading& reading = text.reading(interpreter_);
  const std::size_t byte = text.byte_of(parameters["position"]);
  for (const std::size_t use : reading.uses_of(text.text(), *found)) {
    const NameToken& t = reading.tokens[use];
    if (t.start > byte || byte > t.end) continue;
    return {Json::object({{"range", text.range_of(t)}, {"placeholder", text.piece(t)}})};
  }
  return {{}, request_failed, "No name stands here"};
}

LanguageServer::Answer LanguageServer::rename(const Json& parameters, OpenText& text) {
  const std::optional<std::size_t> found = asked_definition(parameters, text);
  if (!found) return {{}, request_failed, "No name that this text defines stands here"};
  std::string problem;
  const std::vector<TextEdit> edits =
      rename_edits(interpreter_, text.text(), text.reading(interpreter_), *found, parameters["newName"].text(), problem);
  if (!problem.empty()) return {{}, request_failed, std::move(problem)};
  Json changes;
  changes.add(uri_of(parameters), edits_json(text, edits));
  return {Json::object({{"changes", std::move(changes)}})};
}

LanguageServer::Answer LanguageServer::formatting(const Json&, OpenText& text) {
  return {edits_json(text, spelling_edits(interpreter_, text.text(), text.reading(interpreter_)))};
}

LanguageServer::Answer LanguageServer::symbols(const Json& parameters, OpenText& text) {
  const SourceReading& reading = text.reading(interpreter_);
  return {nests_symbols_ ? nested_symbols(text, reading) : listed_symbols(text, reading, uri_of(parameters))};
}

LanguageServer::Answer LanguageServer::semantic_tokens(const Json&, OpenText& text) {
  return {Json::object({{"data", semantic_data(text, text.reading(interpreter_))}})};
}

}  // namespace griddle::repl
