#include "repl/server/meanings.h"

#include <algorithm>

#include "repl/server/imports.h"

namespace griddle::repl {

namespace {

// Files may import each other in circles.
constexpr int deepest = 16;

}  // namespace

std::optional<Meaning> Meanings::of_token(Document& document, std::size_t token) { return of_token(document, token, 0); }

std::optional<Meaning> Meanings::of_token(Document& document, std::size_t token, int depth) {
  const SourceReading& read = reading(document);
  std::optional<std::size_t> known = read.definition_of(document.text.text(), token);
  // The object of a field counts by its letters where its statement is still being typed.
  if (!known && depth > 0 && read.tokens[token].kind == griddle_token_name)
    known = read.visible_definition(document.text.text(), token);
  if (known) return origin({&document, *known}, depth);
  if (depth > deepest || read.tokens[token].kind != griddle_token_field || token < 2) return std::nullopt;
  const std::optional<Meaning> object = of_token(document, token - 2, depth + 1);
  if (!object) return std::nullopt;
  const std::optional<Meaning> found = field(*object, normalised_name(document.text.piece(read.tokens[token])));
  if (!found) return std::nullopt;
  return origin(*found, depth + 1);
}

Meaning Meanings::origin(Meaning meaning) { return origin(meaning, 0); }

Meaning Meanings::origin(Meaning meaning, int depth) {
  for (; depth < deepest; depth++) {
    Document& document = *meaning.document;
    const std::optional<ImportedValue> import = imported_value(document.text, reading(document), meaning.definition);
    if (!import || import->taking != Taking::field) return meaning;
    Document* const other = workspace_.imported(document, import->path);
    if (other == nullptr) return meaning;
    const std::string name = name_of(meaning);
    std::optional<Meaning> found;
    for (const std::size_t i : exported_names(other->text, reading(*other)))
      if (name_of({other, i}) == name) found = Meaning{other, i};
    if (!found) return meaning;
    meaning = *found;
  }
  return meaning;
}

std::vector<Meaning> Meanings::fields(const Meaning& object) {
  Document* document = object.document;
  const SourceReading& read = reading(*document);
  const std::optional<ImportedValue> import = imported_value(document->text, read, object.definition);
  std::vector<std::size_t> found;
  if (import) {
    document = import->taking == Taking::whole ? workspace_.imported(*document, import->path) : nullptr;
    if (document != nullptr) found = exported_names(document->text, reading(*document));
  } else {
    found = read.fields_of(object.definition);
  }
  std::vector<Meaning> fields;
  for (const std::size_t definition : found) fields.push_back({document, definition});
  return fields;
}

std::optional<Meaning> Meanings::field(const Meaning& object, std::string_view name) {
  for (const Meaning& each : fields(object))
    if (name_of(each) == name) return each;
  return std::nullopt;
}

std::string Meanings::name_of(const Meaning& meaning) {
  const SourceReading& read = reading(*meaning.document);
  return normalised_name(meaning.document->text.piece(read.tokens[read.definitions[meaning.definition].token]));
}

bool Meanings::is_shared(const Meaning& meaning) {
  const std::vector<std::size_t> names = exported_names(meaning.document->text, reading(*meaning.document));
  return std::find(names.begin(), names.end(), meaning.definition) != names.end();
}

std::vector<Use> Meanings::uses(const Meaning& meaning) {
  const std::string name = name_of(meaning);
  std::vector<std::string> paths = {meaning.document->path};
  // Names in a block that a file exports are seen from other files as well.
  if (reading(*meaning.document).definitions[meaning.definition].exported)
    for (std::string& path : workspace_.paths(interpreter_))
      if (path != meaning.document->path) paths.push_back(std::move(path));
  std::vector<Use> uses;
  for (const std::string& path : paths) {
    Document* const document = path == meaning.document->path ? meaning.document : workspace_.find(path);
    if (document == nullptr) continue;
    const std::vector<NameToken>& tokens = reading(*document).tokens;
    for (std::size_t i = 0; i < tokens.size(); i++) {
      if (tokens[i].kind != griddle_token_name && tokens[i].kind != griddle_token_field) continue;
      if (normalised_name(document->text.piece(tokens[i])) == name && of_token(*document, i) == meaning)
        uses.push_back({document, i});
    }
  }
  return uses;
}

}  // namespace griddle::repl
