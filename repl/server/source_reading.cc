#include "repl/server/source_reading.h"

#include <algorithm>

namespace griddle::repl {

namespace {

// A table of an analysis, whose columns are read by their names.
class Table {
 public:
  Table(const Any& analysis, std::string_view name) : table_(analysis.field(name)) {}
  std::vector<std::size_t> column(std::string_view name) const {
    std::vector<std::size_t> column;
    for (const double number : table_.field(name).numbers().value_or(std::vector<double>{}))
      column.push_back(static_cast<std::size_t>(number));
    return column;
  }
  std::vector<Piece> pieces(const std::string& name) const {
    const std::vector<std::size_t> starts = column(name + "start"), ends = column(name + "end");
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < starts.size(); i++) pieces.push_back({starts[i], ends[i]});
    return pieces;
  }
  std::string text(std::string_view name, std::size_t row) const { return table_.field(name)[row].text().value_or(""); }

 private:
  Any table_;
};

void read_tokens(const Table& table, std::vector<NameToken>& tokens) {
  const std::vector<Piece> places = table.pieces("");
  const std::vector<std::size_t> kinds = table.column("kind"), roles = table.column("role"), uses = table.column("use"),
                                 definitions = table.column("definition");
  for (std::size_t i = 0; i < places.size(); i++)
    tokens.push_back({places[i], static_cast<griddle_token_kind>(kinds[i]), static_cast<Role>(roles[i]),
                      static_cast<griddle_name_use>(uses[i]), definitions[i]});
}

void read_definitions(const Table& table, std::vector<NameDefinition>& definitions) {
  const std::vector<std::size_t> tokens = table.column("token"), exported = table.column("exported"),
                                 changed = table.column("changed");
  const std::vector<Piece> scopes = table.pieces("scope"), statements = table.pieces("statement"), blocks = table.pieces("block");
  for (std::size_t i = 0; i < tokens.size(); i++)
    definitions.push_back({tokens[i], scopes[i], statements[i], blocks[i], exported[i] != 0, changed[i] != 0});
}

}  // namespace

SourceReading read_source(Interpreter& interpreter, std::string_view text) {
  SourceReading reading;
  const Result found = interpreter.analyse(text);
  if (!found) {
    reading.errors.push_back({found.failure().message, "", {}, {}});
    return reading;
  }
  read_tokens({*found, "tokens"}, reading.tokens);
  read_definitions({*found, "definitions"}, reading.definitions);
  const Table problems(*found, "problems");
  const std::vector<Piece> places = problems.pieces(""), related = problems.pieces("related");
  for (std::size_t i = 0; i < places.size(); i++)
    reading.errors.push_back({problems.text("message", i), problems.text("hint", i), places[i], related[i]});
  return reading;
}

std::optional<std::size_t> SourceReading::token_at(std::size_t byte) const {
  const auto found = std::partition_point(tokens.begin(), tokens.end(), [&](const NameToken& t) { return t.end <= byte; });
  const auto index = static_cast<std::size_t>(found - tokens.begin());
  if (index < tokens.size() && tokens[index].start <= byte) return index;
  // An editor's cursor stands behind the name that was just typed.
  if (index > 0 && tokens[index - 1].end == byte) return index - 1;
  return std::nullopt;
}

std::optional<std::size_t> SourceReading::definition_of(std::string_view text, std::size_t token) const {
  if (tokens[token].definition < definitions.size()) return tokens[token].definition;
  if (tokens[token].kind != griddle_token_field || token < 2) return std::nullopt;
  const std::optional<std::size_t> object = definition_of(text, token - 2);
  if (!object) return std::nullopt;
  const auto name_of = [&](const Piece& p) { return normalised_name(text.substr(p.start, p.end - p.start)); };
  for (const std::size_t field : fields_of(*object))
    if (name_of(tokens[definitions[field].token]) == name_of(tokens[token])) return field;
  return std::nullopt;
}

std::optional<std::size_t> SourceReading::visible_definition(std::string_view text, std::size_t token) const {
  const auto name_of = [&](const Piece& p) { return normalised_name(text.substr(p.start, p.end - p.start)); };
  const std::string name = name_of(tokens[token]);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < definitions.size(); i++) {
    const NameDefinition& d = definitions[i];
    if (!d.scope.holds(tokens[token]) || name_of(tokens[d.token]) != name) continue;
    if (!best || definitions[*best].scope.holds(d.scope)) best = i;
  }
  return best;
}

std::vector<std::size_t> SourceReading::fields_of(std::size_t definition) const {
  const Piece block = definitions[definition].block;
  std::vector<std::size_t> fields;
  Piece body;
  for (std::size_t i = 0; i < definitions.size(); i++) {
    const NameDefinition& d = definitions[i];
    if (block.end == 0 || !block.holds(d.scope)) continue;
    // Names of blocks within it are in smaller scopes.
    if (body.end != 0 && body.holds(d.scope) && !(body == d.scope)) continue;
    if (d.scope.holds(body) || body.end == 0) {
      if (!(body == d.scope)) fields.clear();
      body = d.scope;
    }
    if (d.exported) fields.push_back(i);
  }
  return fields;
}

std::vector<std::size_t> SourceReading::uses_of(std::string_view text, std::size_t definition) const {
  std::vector<std::size_t> uses;
  for (std::size_t i = 0; i < tokens.size(); i++)
    if ((tokens[i].kind == griddle_token_name || tokens[i].kind == griddle_token_field) && definition_of(text, i) == definition)
      uses.push_back(i);
  return uses;
}

}  // namespace griddle::repl
