#include "repl/server/language_server.h"

#include <algorithm>

#include "repl/server/explanations.h"
#include "repl/server/imports.h"
#include "repl/server/proposals.h"
#include "repl/server/renaming.h"
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
  if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles") is_any_changed_ = true;
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
    Document* const document = workspace_.opened(uri_of(parameters));
    if (document == nullptr) return {{}, invalid_params, "This text is not open: " + uri_of(parameters)};
    workspace_.look_anew();
    return (this->*known.handler)(parameters, *document);
  }
  return {{}, method_not_found, "Unknown method: " + method};
}

Json LanguageServer::initialize(const Json& parameters) {
  is_initialized_ = true;
  const Json& abilities = parameters["capabilities"];
  for (const Json& encoding : abilities["general"]["positionEncodings"].items())
    if (encoding.text() == "utf-8") workspace_.units = CodeUnits::utf8;
  workspace_.add_folder(parameters["rootUri"].text());
  for (const Json& folder : parameters["workspaceFolders"].items()) workspace_.add_folder(folder["uri"].text());
  nests_symbols_ = abilities["textDocument"]["documentSymbol"]["hierarchicalDocumentSymbolSupport"].is_true();
  constexpr int incremental = 2;
  Json server = Json::object({
      {"positionEncoding", workspace_.units == CodeUnits::utf8 ? "utf-8" : "utf-16"},
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
  workspace_.open(uri, OpenText(document["text"].text(), workspace_.units));
  changed_.push_back(uri);
}

void LanguageServer::change(const Json& parameters) {
  Document* const document = workspace_.opened(uri_of(parameters));
  if (document == nullptr) return;
  for (const Json& change : parameters["contentChanges"].items()) document->text.change(change);
  changed_.push_back(document->uri);
}

void LanguageServer::close(const std::string& uri) {
  if (!workspace_.close(uri)) return;
  publish(uri, Json::list({}));
  is_any_changed_ = true;
}

void LanguageServer::publish(const std::string& uri, Json errors) {
  send_(Json::object({{"jsonrpc", "2.0"},
                      {"method", "textDocument/publishDiagnostics"},
                      {"params", Json::object({{"uri", uri}, {"diagnostics", std::move(errors)}})}}));
}

void LanguageServer::tell_errors() {
  if (changed_.empty() && !is_any_changed_) return;
  is_any_changed_ = false;
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  for (const std::string& uri : std::exchange(changed_, {}))
    if (Document* const document = workspace_.opened(uri)) publish(uri, errors_of(document->text));
  tell_errors_of_imports();
}

// Errors of a file that is not open are told once, and again when they are others or nothing imports it any more.
void LanguageServer::tell_errors_of_imports() {
  workspace_.look_anew();
  std::map<std::string, std::string> told;
  for (const std::string& path : workspace_.files_imported(interpreter_)) {
    Document* const document = workspace_.find(path);
    if (document == nullptr) continue;
    Json errors = errors_of(document->text);
    if (errors.items().empty()) continue;
    const std::string written = errors.written();
    if (const auto before = imports_.find(path); before == imports_.end() || before->second != written)
      publish(document->uri, std::move(errors));
    told.emplace(path, written);
  }
  for (const auto& [path, errors] : imports_)
    if (const std::string uri = uri_of_path(path); !told.contains(path) && workspace_.opened(uri) == nullptr)
      publish(uri, Json::list({}));
  imports_ = std::move(told);
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

std::optional<std::size_t> LanguageServer::asked_token(const Json& parameters, Document& document) {
  return meanings_.reading(document).token_at(document.text.byte_of(parameters["position"]));
}

std::optional<Meaning> LanguageServer::asked_meaning(const Json& parameters, Document& document) {
  const std::optional<std::size_t> token = asked_token(parameters, document);
  if (!token) return std::nullopt;
  if (std::optional<Meaning> found = meanings_.of_token(document, *token)) return found;
  // Behind a name that a sign follows at once, the name is meant.
  const std::vector<NameToken>& tokens = meanings_.reading(document).tokens;
  const std::size_t byte = document.text.byte_of(parameters["position"]);
  const bool touches = *token > 0 && tokens[*token].start == byte && tokens[*token - 1].end == byte;
  return touches ? meanings_.of_token(document, *token - 1) : std::nullopt;
}

std::vector<Use> LanguageServer::asked_uses(const Json& parameters, Document& document) {
  const std::optional<Meaning> meaning = asked_meaning(parameters, document);
  return meaning ? meanings_.uses(*meaning) : std::vector<Use>{};
}

LanguageServer::Answer LanguageServer::hover(const Json& parameters, Document& document) {
  const std::optional<std::size_t> token = asked_token(parameters, document);
  if (!token) return {};
  const std::optional<Meaning> meaning = meanings_.of_token(document, *token);
  std::optional<std::string> about;
  if (meaning && meaning->document != &document)
    about = definition_markdown(meaning->document->text, meanings_.reading(*meaning->document), meaning->definition,
                                meaning->document->path);
  else
    about = explanation_of(interpreter_, document.text, *token);
  if (!about) return {};
  return {Json::object({{"contents", Json::object({{"kind", "markdown"}, {"value", *about}})},
                        {"range", document.text.range_of(meanings_.reading(document).tokens[*token])}})};
}

LanguageServer::Answer LanguageServer::completion(const Json& parameters, Document& document) {
  return {proposals_at(interpreter_, document.text, document.text.byte_of(parameters["position"]),
                       [&](std::size_t token, std::optional<std::size_t> definition) {
                         const std::optional<Meaning> object =
                             definition ? std::optional(Meaning{&document, *definition}) : meanings_.of_token(document, token);
                         return object ? meanings_.fields(meanings_.origin(*object)) : std::vector<Meaning>{};
                       })};
}

LanguageServer::Answer LanguageServer::definition(const Json& parameters, Document& document) {
  // The name of a file in an import leads there.
  const std::size_t byte = document.text.byte_of(parameters["position"]);
  for (const Import& import : imports_of(document.text, meanings_.reading(document)))
    if (Document* const other = import.place.holds({byte, byte}) ? workspace_.imported(document, import.path) : nullptr)
      return {Json::object({{"uri", other->uri}, {"range", other->text.range_of({0, 0})}})};
  const std::optional<Meaning> found = asked_meaning(parameters, document);
  if (!found) return {};
  const SourceReading& reading = meanings_.reading(*found->document);
  return {
      Json::object({{"uri", found->document->uri},
                    {"range", found->document->text.range_of(reading.tokens[reading.definitions[found->definition].token])}})};
}

LanguageServer::Answer LanguageServer::references(const Json& parameters, Document& document) {
  const std::optional<Meaning> meaning = asked_meaning(parameters, document);
  if (!meaning) return {};
  const bool with_definition = parameters["context"]["includeDeclaration"].is_true();
  Json list = Json::list({});
  for (const Use& use : meanings_.uses(*meaning)) {
    const NameToken& token = meanings_.reading(*use.document).tokens[use.token];
    if (!with_definition && use.document == meaning->document && token.use == griddle_use_definition) continue;
    list.push(Json::object({{"uri", use.document->uri}, {"range", use.document->text.range_of(token)}}));
  }
  return {std::move(list)};
}

LanguageServer::Answer LanguageServer::highlights(const Json& parameters, Document& document) {
  const std::vector<Use> uses = asked_uses(parameters, document);
  if (uses.empty()) return {};
  constexpr int read = 2, written = 3;
  Json list = Json::list({});
  for (const Use& use : uses) {
    if (use.document != &document) continue;
    const NameToken& token = meanings_.reading(document).tokens[use.token];
    const bool writes = token.use == griddle_use_definition || token.use == griddle_use_change;
    list.push(Json::object({{"range", document.text.range_of(token)}, {"kind", writes ? written : read}}));
  }
  return {std::move(list)};
}

LanguageServer::Answer LanguageServer::prepare_rename(const Json& parameters, Document& document) {
  const std::vector<Use> uses = asked_uses(parameters, document);
  if (uses.empty()) return {{}, request_failed, "No name that is defined in these sources stands here"};
  const std::size_t byte = document.text.byte_of(parameters["position"]);
  for (const Use& use : uses) {
    if (use.document != &document) continue;
    const NameToken& t = meanings_.reading(document).tokens[use.token];
    if (t.start > byte || byte > t.end) continue;
    return {Json::object({{"range", document.text.range_of(t)}, {"placeholder", document.text.piece(t)}})};
  }
  return {{}, request_failed, "No name stands here"};
}

LanguageServer::Answer LanguageServer::rename(const Json& parameters, Document& document) {
  const std::optional<Meaning> found = asked_meaning(parameters, document);
  if (!found) return {{}, request_failed, "No name that is defined in these sources stands here"};
  Renaming renaming(interpreter_, workspace_, meanings_);
  Json changes;
  for (const auto& [other, edits] : renaming.edits(*found, parameters["newName"].text()))
    if (!edits.empty() || other == &document) changes.add(other->uri, edits_json(other->text, edits));
  if (!renaming.problem.empty()) return {{}, request_failed, std::move(renaming.problem)};
  return {Json::object({{"changes", std::move(changes)}})};
}

LanguageServer::Answer LanguageServer::formatting(const Json&, Document& document) {
  OpenText& text = document.text;
  return {edits_json(text, spelling_edits(interpreter_, text.text(), text.reading(interpreter_)))};
}

LanguageServer::Answer LanguageServer::symbols(const Json& parameters, Document& document) {
  OpenText& text = document.text;
  const SourceReading& reading = text.reading(interpreter_);
  return {nests_symbols_ ? nested_symbols(text, reading) : listed_symbols(text, reading, uri_of(parameters))};
}

LanguageServer::Answer LanguageServer::semantic_tokens(const Json&, Document& document) {
  OpenText& text = document.text;
  return {Json::object({{"data", semantic_data(text, text.reading(interpreter_))}})};
}

}  // namespace griddle::repl
