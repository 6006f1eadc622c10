#include "repl/server/symbols.h"

#include <algorithm>

namespace griddle::repl {

namespace {

// Kinds of symbols, as the protocol numbers them.
enum SymbolKind { namespace_symbol = 3, function_symbol = 12, variable_symbol = 13, operator_symbol = 25 };

SymbolKind symbol_kind(const SourceReading& reading, std::size_t definition) {
  const Role role = reading.tokens[reading.definitions[definition].token].role;
  if (role == Role::function) return function_symbol;
  if (role != Role::subject) return operator_symbol;
  return reading.fields_of(definition).empty() ? variable_symbol : namespace_symbol;
}

// Tells whether a definition stands before an arrow; names in headers of blocks do not.
bool has_arrow(const SourceReading& reading, const NameDefinition& d) {
  for (std::size_t i = d.token; i < reading.tokens.size() && reading.tokens[i].end <= d.statement.end; i++)
    if (reading.tokens[i].kind == griddle_token_arrow) return true;
  return false;
}

// Adds the definitions that lie in a piece of the text, from an index on.
Json symbols_within(const OpenText& text, const SourceReading& reading, const Piece& piece, std::size_t& next) {
  Json list = Json::list({});
  while (next < reading.definitions.size()) {
    const NameDefinition& d = reading.definitions[next];
    const NameToken& name = reading.tokens[d.token];
    if (!piece.holds(name)) break;
    if (!has_arrow(reading, d)) {
      next++;
      continue;
    }
    Json symbol = Json::object({{"name", text.piece(name)},
                                {"kind", symbol_kind(reading, next)},
                                {"range", text.range_of(d.statement)},
                                {"selectionRange", text.range_of(name)}});
    next++;
    // Of several names that one statement defines, the last has what lies in it.
    const bool is_last = next == reading.definitions.size() || !(reading.definitions[next].statement == d.statement);
    if (is_last) symbol.add("children", symbols_within(text, reading, d.statement, next));
    list.push(std::move(symbol));
  }
  return list;
}

// The order of semantic_legend.
enum TokenType { comment, number, string, variable, function, macro, decorator, property, parameter, op, keyword, no_type };
constexpr int is_defined = 1, is_of_library = 2, is_read_only = 4;

TokenType type_of_role(Role role, TokenType subject) {
  switch (role) {
    case Role::function: return function;
    case Role::modifier1: return macro;
    case Role::modifier2: return decorator;
    default: return subject;
  }
}

TokenType type_of(const NameToken& t) {
  switch (t.kind) {
    case griddle_token_comment: return comment;
    case griddle_token_number: return number;
    case griddle_token_text: return string;
    case griddle_token_name:
    case griddle_token_system: return type_of_role(t.role, variable);
    case griddle_token_field: return type_of_role(t.role, property);
    case griddle_token_special: return type_of_role(t.role, parameter);
    case griddle_token_primitive: return type_of_role(t.role, function);
    case griddle_token_nothing: return keyword;
    case griddle_token_unknown: return no_type;
    default: return op;
  }
}

int modifiers_of(const SourceReading& reading, const NameToken& t) {
  int modifiers = t.use == griddle_use_definition ? is_defined : 0;
  if (t.kind == griddle_token_primitive || t.kind == griddle_token_system) modifiers |= is_of_library;
  if (t.definition < reading.definitions.size() && !reading.definitions[t.definition].changed) modifiers |= is_read_only;
  return modifiers;
}

}  // namespace

Json nested_symbols(const OpenText& text, const SourceReading& reading) {
  std::size_t next = 0;
  return symbols_within(text, reading, {0, text.text().size()}, next);
}

Json listed_symbols(const OpenText& text, const SourceReading& reading, const std::string& uri) {
  Json list = Json::list({});
  for (std::size_t i = 0; i < reading.definitions.size(); i++) {
    const NameDefinition& d = reading.definitions[i];
    if (!has_arrow(reading, d)) continue;
    list.push(Json::object({{"name", text.piece(reading.tokens[d.token])},
                            {"kind", symbol_kind(reading, i)},
                            {"location", Json::object({{"uri", uri}, {"range", text.range_of(d.statement)}})}}));
  }
  return list;
}

Json semantic_legend() {
  return Json::object({{"tokenTypes", Json::list({"comment", "number", "string", "variable", "function", "macro", "decorator",
                                                  "property", "parameter", "operator", "keyword"})},
                       {"tokenModifiers", Json::list({"definition", "defaultLibrary", "readonly"})}});
}

Json semantic_data(const OpenText& text, const SourceReading& reading) {
  Json data = Json::list({});
  std::size_t last_line = 0, last_character = 0;
  for (const NameToken& t : reading.tokens) {
    const TokenType type = type_of(t);
    if (type == no_type) continue;
    const int modifiers = modifiers_of(reading, t);
    // A string may have several lines, of which each one is told.
    for (std::size_t start = t.start; start < t.end;) {
      const std::size_t line = text.lines().line_of(start);
      const std::string_view whole = text.lines().line(text.text(), line);
      const std::size_t line_end = text.lines().line_start(line) + whole.size(), end = std::min(t.end, line_end);
      const Json from = text.position_of(start), to = text.position_of(end);
      const auto character = static_cast<std::size_t>(from["character"].number());
      const double length = to["character"].number() - from["character"].number();
      if (length > 0) {
        const std::size_t before = line == last_line ? last_character : 0;
        for (const double item : {static_cast<double>(line - last_line), static_cast<double>(character - before), length,
                                  static_cast<double>(type), static_cast<double>(modifiers)})
          data.push(Json(item));
        last_line = line;
        last_character = character;
      }
      if (end >= t.end || line + 1 >= text.lines().lines()) break;
      start = text.lines().line_start(line + 1);
    }
  }
  return data;
}

}  // namespace griddle::repl
