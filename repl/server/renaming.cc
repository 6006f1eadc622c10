#include "repl/server/renaming.h"

#include <algorithm>

#include "repl/server/imports.h"

namespace griddle::repl {

std::map<Document*, std::vector<TextEdit>> Renaming::edits(const Meaning& meaning, std::string_view new_name) {
  std::map<Document*, std::vector<TextEdit>> edits;
  // Who else uses an exported name is known where the editor says which folders belong together.
  const bool knows_importers = workspace_.has_folders() && meanings_.is_shared(meaning);
  Document& own = *meaning.document;
  edits[&own] =
      rename_edits(interpreter_, own.text.text(), meanings_.reading(own), meaning.definition, new_name, knows_importers, problem);
  if (!problem.empty() || !knows_importers) return edits;
  if (!fits_importers(meaning)) return edits;
  std::map<Document*, std::vector<std::size_t>> tokens;
  for (const Use& use : meanings_.uses(meaning))
    if (use.document != &own) tokens[use.document].push_back(use.token);
  for (const auto& [document, uses] : tokens) {
    edits[document] =
        respelling_edits(interpreter_, document->text.text(), meanings_.reading(*document), uses, new_name, problem);
    if (problem.empty()) continue;
    problem += " (" + document->path + ")";
    break;
  }
  return edits;
}

// Looks that sources which import the file have no field of this name of which nobody knows what it means.
bool Renaming::fits_importers(const Meaning& meaning) {
  const std::string name = meanings_.name_of(meaning);
  for (const std::string& path : workspace_.paths(interpreter_)) {
    Document* const document = workspace_.find(path);
    if (document == nullptr || document == meaning.document) continue;
    const SourceReading& reading = meanings_.reading(*document);
    const std::vector<Import> imports = imports_of(document->text, reading);
    const bool imports_it = std::any_of(imports.begin(), imports.end(), [&](const Import& import) {
      return workspace_.imported(*document, import.path) == meaning.document;
    });
    if (!imports_it) continue;
    for (std::size_t i = 0; i < reading.tokens.size(); i++) {
      const NameToken& t = reading.tokens[i];
      if (t.kind != griddle_token_field || normalised_name(document->text.piece(t)) != name || meanings_.of_token(*document, i))
        continue;
      problem = "It is not known what the same name in line " + std::to_string(line_number(document->text.text(), t.start)) +
                " means (" + path + ")";
      return false;
    }
  }
  return true;
}

}  // namespace griddle::repl
