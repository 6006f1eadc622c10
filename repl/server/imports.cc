#include "repl/server/imports.h"

#include <algorithm>

#include "runtime/names.h"

namespace griddle::repl {

namespace {

constexpr std::string_view file_scheme = "file://";
// What URIs hold as it is, beside letters and digits.
constexpr std::string_view plain_signs = "-._~/";

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Gives the value of a hexadecimal digit, -1 of any other character.
int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// Gives what a string says between its quotes; nothing where it does not end.
std::optional<std::string> contents_of_string(std::string_view written) {
  if (written.size() < 2 || !written.starts_with('"') || !written.ends_with('"')) return std::nullopt;
  std::string contents;
  for (std::size_t i = 1; i + 1 < written.size(); i++) {
    contents += written[i];
    i += written[i] == '"';
  }
  return contents;
}

// Gives the import whose string is this token.
std::optional<Import> import_at(const OpenText& text, const SourceReading& reading, std::size_t token) {
  if (token == 0) return std::nullopt;
  const NameToken &string = reading.tokens[token], &function = reading.tokens[token - 1];
  if (string.kind != griddle_token_text || function.kind != griddle_token_system) return std::nullopt;
  if (normalised_name(text.piece(function)) != normalised_name("•Import")) return std::nullopt;
  std::optional<std::string> path = contents_of_string(text.piece(string));
  if (!path || path->empty()) return std::nullopt;
  return Import{string, std::move(*path)};
}

bool opens(std::string_view written) { return written == "⟨" || written == "[" || written == "(" || written == "{"; }
bool closes(std::string_view written) { return written == "⟩" || written == "]" || written == ")" || written == "}"; }
bool separates(std::string_view written) { return written == "⋄" || written == ","; }

// Gives the token behind the statement that goes on with this one. Ends of lines are no tokens.
std::size_t end_of_statement(const OpenText& text, const std::vector<NameToken>& tokens, std::size_t token) {
  int depth = 0;
  for (; token < tokens.size(); token++) {
    const std::string_view written = text.piece(tokens[token]), before = text.piece({tokens[token - 1].end, tokens[token].start});
    const bool is_outside = depth == 0 && (separates(written) || closes(written) || before.find_first_of("\n\r") != before.npos);
    if (is_outside) break;
    depth += opens(written) ? 1 : closes(written) ? -1 : 0;
  }
  return token;
}

// The arrow that gives a name its value, and how.
struct Taken {
  std::size_t arrow;
  Taking how;
};

// Gives what stands in front of the arrow behind a name: the name alone, or a list of names that it is in. Nothing for a name in
// a list that gets another name, as in `⟨new⇐old⟩`.
std::optional<Taken> taken_by(const OpenText& text, const std::vector<NameToken>& tokens, std::size_t name) {
  int depth = 0;
  bool is_strand = name > 0 && text.piece(tokens[name - 1]) == "‿";
  for (std::size_t i = name + 1; i < tokens.size(); i++) {
    const std::string_view written = text.piece(tokens[i]);
    if (written == "←" || written == "⇐") {
      if (i == name + 1 && !is_strand) return Taken{i, Taking::whole};
      if (depth > 0 || (depth == 0 && !is_strand)) return std::nullopt;
      return Taken{i, Taking::field};
    }
    if (written == "‿")
      is_strand = is_strand || depth == 0;
    else if (opens(written))
      depth++;
    else if (closes(written))
      depth--;
    else if (tokens[i].kind != griddle_token_name && !separates(written))
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Import> imports_of(const OpenText& text, const SourceReading& reading) {
  std::vector<Import> imports;
  for (std::size_t i = 0; i < reading.tokens.size(); i++)
    if (std::optional<Import> import = import_at(text, reading, i)) imports.push_back(std::move(*import));
  return imports;
}

std::optional<ImportedValue> imported_value(const OpenText& text, const SourceReading& reading, std::size_t definition) {
  const std::vector<NameToken>& tokens = reading.tokens;
  const std::size_t name = reading.definitions[definition].token;
  const std::optional<Taken> taken = taken_by(text, tokens, name);
  if (!taken) return std::nullopt;
  // Between the arrow and the import stand at most arguments for the file, and the statement ends behind its name.
  std::size_t end = end_of_statement(text, tokens, taken->arrow + 1);
  while (end > name && tokens[end - 1].kind == griddle_token_comment) end--;
  std::optional<Import> import = import_at(text, reading, end - 1);
  if (!import) return std::nullopt;
  for (std::size_t i = taken->arrow + 1; i + 2 < end; i++)
    if (tokens[i].role != Role::subject) return std::nullopt;
  return ImportedValue{std::move(import->path), taken->how};
}

std::vector<std::size_t> exported_names(const OpenText& text, const SourceReading& reading) {
  std::vector<std::size_t> names;
  for (std::size_t i = 0; i < reading.definitions.size(); i++)
    if (const NameDefinition& d = reading.definitions[i]; d.exported && d.scope == Piece{0, text.text().size()})
      names.push_back(i);
  return names;
}

std::string joined_path(std::string_view folder, std::string_view path) {
  std::string whole = path.starts_with('/') ? std::string(path) : std::string(folder).append("/").append(path);
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.find('/', at), whole.size());
    const std::string_view part = std::string_view(whole).substr(at, end - at);
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    at = end + 1;
  }
  std::string joined;
  for (const std::string_view part : parts) joined.append("/").append(part);
  return joined.empty() ? "/" : joined;
}

std::string path_of_uri(std::string_view uri) {
  if (!uri.starts_with(file_scheme)) return std::string(uri);
  uri.remove_prefix(file_scheme.size());
  // A host may stand before the path, which is this one.
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));
  std::string path;
  for (std::size_t i = 0; i < uri.size(); i++) {
    const int high = uri[i] == '%' && i + 2 < uri.size() ? digit_value(uri[i + 1]) : -1;
    const int low = high >= 0 ? digit_value(uri[i + 2]) : -1;
    if (low < 0) {
      path += uri[i];
      continue;
    }
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return joined_path("", path);
}

std::string uri_of_path(std::string_view path) {
  if (!path.starts_with('/')) return std::string(path);
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri(file_scheme);
  for (const char c : path) {
    if (is_letter_or_digit(c) || plain_signs.find(c) != plain_signs.npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += digits[byte >> 4];
    uri += digits[byte & 15];
  }
  return uri;
}

}  // namespace griddle::repl
