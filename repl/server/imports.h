// Which files a source imports, and which names have to do with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repl/server/open_text.h"

namespace griddle::repl {

// `•Import "file"`, as it stands in a source.
struct Import {
  Piece place;       // of the string
  std::string path;  // what the string says
};

std::vector<Import> imports_of(const OpenText&, const SourceReading&);

// How a definition takes what a file gives: as the namespace, or as the field of the same name.
enum class Taking { whole, field };
struct ImportedValue {
  std::string path;
  Taking taking;
};
// Gives what a definition takes from a file: of `lib←•Import "file"` all, of `⟨F,g⟩←•Import "file"` the fields F and g. Nothing
// for any other definition.
std::optional<ImportedValue> imported_value(const OpenText&, const SourceReading&, std::size_t definition);

// Gives the definitions that a source exports as a file: those at its top level.
std::vector<std::size_t> exported_names(const OpenText&, const SourceReading&);

// A path without `.`, `..` and doubled separators; one that is not absolute starts at a folder.
std::string joined_path(std::string_view folder, std::string_view path);
// Translate between paths and the URIs of files. What is no URI of a file stands for itself.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace griddle::repl
