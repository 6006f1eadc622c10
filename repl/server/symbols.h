// What an editor lists and colours: the definitions of a text, and its tokens by their roles.
#pragma once

#include "repl/server/open_text.h"

namespace griddle::repl {

// Gives the definitions as DocumentSymbol, those of a block below what the block defines; or as SymbolInformation, one by one.
Json nested_symbols(const OpenText&, const SourceReading&);
Json listed_symbols(const OpenText&, const SourceReading&, const std::string& uri);

// Gives the names of kinds of tokens that the protocol knows and the server uses, and the tokens of a text by them.
Json semantic_legend();
Json semantic_data(const OpenText&, const SourceReading&);

}  // namespace griddle::repl
