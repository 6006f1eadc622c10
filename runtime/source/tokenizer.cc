#include "runtime/source/tokenizer.h"

#include <array>
#include <optional>

#include "runtime/primitive.h"
#include "runtime/source/number_literal.h"

namespace griddle {
namespace {

enum CharacterClass : std::uint8_t {
  other,
  blank,
  newline,
  digit,
  lower,
  upper,
  underscore,
  comment,
  quote,
  double_quote,
  multibyte
};

constexpr std::array<CharacterClass, 256> make_classes() {
  std::array<CharacterClass, 256> classes{};
  classes[' '] = classes['\t'] = blank;
  classes['\n'] = classes['\r'] = newline;
  for (int c = '0'; c <= '9'; c++) classes[c] = digit;
  for (int c = 'a'; c <= 'z'; c++) classes[c] = lower;
  for (int c = 'A'; c <= 'Z'; c++) classes[c] = upper;
  classes['_'] = underscore;
  classes['#'] = comment;
  classes['\''] = quote;
  classes['"'] = double_quote;
  for (int c = 0x80; c < 0x100; c++) classes[c] = multibyte;
  return classes;
}
constexpr std::array<CharacterClass, 256> classes = make_classes();

CharacterClass class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
bool is_letter(CharacterClass c) { return c == lower || c == upper; }

// Tells whether c is one of the letters À–Þ or à–þ, which also form names.
bool is_latin1_letter(char32_t c) { return c >= 0xC0 && c <= 0xFE && c != 0xD7 && c != 0xDF && c != 0xF7; }
bool is_latin1_upper(char32_t c) { return is_latin1_letter(c) && c < 0xDF; }

constexpr char32_t macron = U'¯', infinity = U'∞', pi = U'π', modifier_self = U'𝕣', system_dot = U'•';

bool is_word_code_point(char32_t c) {
  return c == macron || c == infinity || c == pi || c == modifier_self || is_latin1_letter(c);
}

char32_t peek(const char* p, const char* end) { return p == end ? invalid_code_point : decode_utf8(p, end); }

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() > longest) {
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) cut--;
    return std::string(text.substr(0, cut)) + "…";
  }
  return std::string(text);
}

std::string code_point_name(char32_t c) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (int shift = c > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) result += digits[c >> shift & 15];
  return "U+" + result;
}

}  // namespace

bool may_be_glyph(char32_t c) {
  constexpr std::u32string_view taken = U"@·.‿←↩⇐()⟨⟩[]{},⋄?:;𝕨𝕩𝕤𝕎𝕏𝕊𝕗𝔽𝕘𝔾𝕣¯∞π•";
  if (c <= 0x20 || c == 0x7F || (c < 0x80 && classes[c] != other)) return false;
  return !is_latin1_letter(c) && taken.find(c) == taken.npos;
}

Tokenizer::Tokenizer(const SourceText& source, SymbolTable& symbols, const GlyphSet* glyphs, Watch watch)
    : symbols_(symbols),
      glyphs_(glyphs),
      begin_(source.text.data()),
      end_(begin_ + source.text.size()),
      position_(begin_),
      watch_(watch) {
  if (source.text.size() >= no_token) throw SyntaxError{"Source text is too long (4 GiB or more)", {0, 0}};
}

bool Tokenizer::next_statement() {
  tokens.clear();
  numbers.clear();
  blocks.clear();
  bodies.clear();
  while (position_ != end_) {
    switch (class_of(*position_)) {
      case blank: position_++; break;
      case newline:
        if (brackets_.empty()) {
          position_++;
          if (!tokens.empty()) return true;
        } else {
          separate(TokenKind::separator, position_ + 1);
        }
        break;
      case digit:
      case lower:
      case upper:
      case underscore: read_word(); break;
      case comment: skip_comment(); break;
      case quote: read_character(); break;
      case double_quote: read_string(); break;
      case other:
      case multibyte: {
        const bool at_root = brackets_.empty();
        if (at_root && (*position_ == ',' || peek(position_, end_) == U'⋄')) {
          position_ += *position_ == ',' ? 1 : 3;
          if (!tokens.empty()) return true;
        } else {
          read_other();
        }
      }
    }
  }
  if (!brackets_.empty()) fail_at_bracket("Unclosed bracket", brackets_.back());
  return !tokens.empty();
}

void Tokenizer::push(TokenKind kind, Role role, const char* end, std::uint32_t payload) {
  constexpr std::size_t step = 4096;
  // While tokens move to a larger memory, both are there.
  if (tokens.size() % step == step - 1) [[unlikely]]
    watch_(3 * sizeof(Token) * tokens.size());
  tokens.push_back({offset(position_), offset(end), kind, role, payload});
  position_ = end;
}

const char* Tokenizer::word_end(const char* p) const {
  for (;;) {
    if (p == end_) return p;
    switch (class_of(*p)) {
      case digit:
      case lower:
      case upper:
      case underscore: p++; continue;
      case multibyte: {
        const char* next = p;
        if (!is_word_code_point(decode_utf8(next, end_))) return p;
        p = next;
        continue;
      }
      default:
        if (*p != '.' || p + 1 == end_ || class_of(p[1]) != digit) return p;
        p++;
    }
  }
}

void Tokenizer::read_word() {
  const char* const start = position_;
  // Takes the common short integer without a detour.
  std::uint32_t value = 0;
  const char* p = start;
  while (p != end_ && p - start < 9 && class_of(*p) == digit) value = value * 10 + static_cast<std::uint32_t>(*p++ - '0');
  if (p != start) {
    const CharacterClass next = p == end_ ? blank : class_of(*p);
    if (next == blank || next == newline || next == comment || (next == other && *p != '.') ||
        (next == multibyte && !is_word_code_point(peek(p, end_)))) {
      numbers.push_back(value);
      push(TokenKind::number, Role::subject, p, static_cast<std::uint32_t>(numbers.size() - 1));
      return;
    }
    return read_number(start, word_end(p));
  }
  read_identifier(start, word_end(start));
}

void Tokenizer::read_number(const char* start, const char* end) {
  const std::string_view text(start, static_cast<std::size_t>(end - start));
  const std::optional<double> value = parse_number(text);
  if (!value) fail("Malformed number (" + quoted(text) + ")", start, end);
  numbers.push_back(*value);
  push(TokenKind::number, Role::subject, end, static_cast<std::uint32_t>(numbers.size() - 1));
}

void Tokenizer::read_identifier(const char* start, const char* end) {
  const std::string_view word(start, static_cast<std::size_t>(end - start));
  std::uint32_t hash = hash_start;
  // Takes a name that is its own normal form as it stands.
  const char* same = start;
  for (; same != end && (class_of(*same) == lower || class_of(*same) == digit); same++) hash = hash_byte(hash, *same);
  if (same == end) return push(TokenKind::name, Role::subject, end, symbols_.intern(word, hash));
  hash = hash_start;
  normalised_.clear();
  for (const char* p = start; p != end;) {
    switch (class_of(*p)) {
      case lower:
      case digit: normalised_ += *p++; break;
      case upper: normalised_ += static_cast<char>(*p++ + ('a' - 'A')); break;
      case underscore: p++; continue;
      case multibyte: {
        char32_t c = decode_utf8(p, end);
        if (c == modifier_self) {
          if (word == "_𝕣") return special(SpecialName::r, Role::modifier1, modifier1_only, end);
          if (word == "_𝕣_") return special(SpecialName::r, Role::modifier2, modifier2_row, end);
          fail("𝕣 may only stand as 𝕣, _𝕣 or _𝕣_ (found " + quoted(word) + ")", start, end);
        }
        if (is_latin1_upper(c)) c += 0x20;
        const std::size_t before = normalised_.size();
        append_utf8(normalised_, c);
        for (std::size_t i = before; i + 1 < normalised_.size(); i++) hash = hash_byte(hash, normalised_[i]);
        break;
      }
      default: fail("A name may not hold . before a digit (found " + quoted(word) + ")", start, end);
    }
    hash = hash_byte(hash, normalised_.back());
  }
  const char* first = start;
  while (first != end && *first == '_') first++;
  if (first == end || !(is_letter(class_of(*first)) || is_latin1_letter(peek(first, end)))) {
    fail("A name must begin with a letter after its underscores (found " + quoted(word) + ")", start, end);
  }
  push(TokenKind::name, role_of_word(word), end, symbols_.intern(normalised_, hash));
}

void Tokenizer::read_system(const char* start) {
  const char* const end = word_end(start);
  const char* first = start;
  while (first != end && *first == '_') first++;
  const std::string_view word(position_, static_cast<std::size_t>(end - position_));
  if (first == end || !is_letter(class_of(*first)) || word.find("𝕣") != std::string_view::npos ||
      word.find('.') != std::string_view::npos) {
    fail("Expected the name of a system value after • (found " + quoted(word) + ")", position_, end);
  }
  push(TokenKind::system, role_of_word({start, static_cast<std::size_t>(end - start)}), end, 0);
}

void Tokenizer::read_character() {
  const char* p = position_ + 1;
  if (p == end_) fail("Unclosed character literal", position_, p);
  const char* const content = p;
  const char32_t c = decode_utf8(p, end_);
  if (c == invalid_code_point) fail("Invalid UTF-8 in a character literal", content, content + 1);
  if (p == end_ || *p != '\'') fail("Expected ' after one character", position_, p);
  push(TokenKind::character, Role::subject, p + 1, c);
}

void Tokenizer::read_string() {
  const char* p = position_ + 1;
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end_ - p)));
    if (p == nullptr) fail("Unclosed string", position_, position_ + 1);
    p++;
    if (p == end_ || *p != '"') break;
    p++;
  }
  push(TokenKind::string, Role::subject, p, 0);
}

void Tokenizer::skip_comment() {
  while (position_ != end_ && class_of(*position_) != newline) position_++;
}

void Tokenizer::special(SpecialName name, Role role, SpecialRow row, const char* end) {
  if (braces_.empty()) fail("Special name outside of any block", position_, end);
  bodies[blocks[braces_.back()].last_body].special_rows |= row;
  push(TokenKind::special, role, end, static_cast<std::uint32_t>(name));
}

void Tokenizer::read_other() {
  const char* end = position_;
  const char32_t c = decode_utf8(end, end_);
  const auto plain = [&](TokenKind kind) { push(kind, Role::subject, end, 0); };
  switch (c) {
    case U'@': return push(TokenKind::character, Role::subject, end, 0);
    case U'·': return plain(TokenKind::nothing);
    case U'.':
      if (end != end_ && class_of(*end) == digit) return read_number(position_, word_end(position_));
      return plain(TokenKind::dot);
    case U'‿': return plain(TokenKind::strand);
    case U'←': return plain(TokenKind::define);
    case U'↩': return plain(TokenKind::change);
    case U'⇐': return plain(TokenKind::exporting);
    case U'(': return open(TokenKind::open_parenthesis, end);
    case U'⟨': return open(TokenKind::open_list, end);
    case U'[': return open(TokenKind::open_array, end);
    case U'{': return open(TokenKind::open_brace, end);
    case U')': return close(TokenKind::close_parenthesis, end);
    case U'⟩': return close(TokenKind::close_list, end);
    case U']': return close(TokenKind::close_array, end);
    case U'}': return close(TokenKind::close_brace, end);
    case U',':
    case U'⋄': return separate(TokenKind::separator, end);
    case U'?': return separate(TokenKind::question, end);
    case U':': return separate(TokenKind::colon, end);
    case U';': return separate(TokenKind::semicolon, end);
    case U'𝕨': return special(SpecialName::w, Role::subject, argument_row, end);
    case U'𝕩': return special(SpecialName::x, Role::subject, argument_row, end);
    case U'𝕤': return special(SpecialName::s, Role::subject, argument_row, end);
    case U'𝕎': return special(SpecialName::w, Role::function, argument_row, end);
    case U'𝕏': return special(SpecialName::x, Role::function, argument_row, end);
    case U'𝕊': return special(SpecialName::s, Role::function, argument_row, end);
    case U'𝕗': return special(SpecialName::f, Role::subject, modifier1_row, end);
    case U'𝔽': return special(SpecialName::f, Role::function, modifier1_row, end);
    case U'𝕘': return special(SpecialName::g, Role::subject, modifier2_row, end);
    case U'𝔾': return special(SpecialName::g, Role::function, modifier2_row, end);
    case macron:
    case infinity:
    case pi: return read_number(position_, word_end(position_));
    case modifier_self:
      if (word_end(end) != end) fail("𝕣 may only stand as 𝕣, _𝕣 or _𝕣_", position_, word_end(end));
      return special(SpecialName::r, Role::subject, modifier1_row, end);
    case system_dot: return read_system(end);
    case invalid_code_point: fail("Invalid UTF-8", position_, position_ + 1);
    default: break;
  }
  if (is_latin1_letter(c)) return read_identifier(position_, word_end(position_));
  if (read_glyph(c, end)) return;
  const bool visible = c > 0x20 && c != 0x7F && c != 0xA0 && c != 0xFEFF && !(c >= 0x80 && c < 0xA0);
  std::string shown = visible ? std::string(1, '\'').append(position_, end).append(1, '\'') : code_point_name(c);
  fail("Unknown character: " + shown, position_, end);
}

bool Tokenizer::read_glyph(char32_t c, const char* end) {
  if (glyphs_ != nullptr) {
    const GlyphSet::Entry* entry = glyphs_->find(c);
    if (entry == nullptr) return false;
    push(entry->usual ? TokenKind::primitive : TokenKind::system, entry->role, end, entry->usual ? c : 0);
    return true;
  }
  switch (glyph_role(c)) {
    case GlyphRole::function: push(TokenKind::primitive, Role::function, end, c); return true;
    case GlyphRole::modifier1: push(TokenKind::primitive, Role::modifier1, end, c); return true;
    case GlyphRole::modifier2: push(TokenKind::primitive, Role::modifier2, end, c); return true;
    case GlyphRole::none: return false;
  }
  __builtin_unreachable();
}

void Tokenizer::open(TokenKind kind, const char* end) {
  const auto index = static_cast<std::uint32_t>(tokens.size());
  brackets_.push_back(index);
  push(kind, Role::subject, end, no_token);
  if (kind != TokenKind::open_brace) return;
  tokens.back().payload = static_cast<std::uint32_t>(blocks.size());
  braces_.push_back(static_cast<std::uint32_t>(blocks.size()));
  const auto body = static_cast<std::uint32_t>(bodies.size());
  bodies.push_back({.first = index + 1});
  blocks.push_back({.open = index, .first_body = body, .last_body = body});
}

void Tokenizer::close(TokenKind kind, const char* end) {
  if (brackets_.empty()) fail("Closing bracket without an opening one", position_, end);
  const std::uint32_t opener = brackets_.back();
  const int distance = static_cast<int>(TokenKind::close_parenthesis) - static_cast<int>(TokenKind::open_parenthesis);
  if (static_cast<int>(kind) - static_cast<int>(tokens[opener].kind) != distance) {
    throw SyntaxError{"Closing bracket does not match the opening one",
                      {offset(position_), offset(end)},
                      {tokens[opener].start, tokens[opener].end}};
  }
  const auto index = static_cast<std::uint32_t>(tokens.size());
  brackets_.pop_back();
  if (kind == TokenKind::close_brace) {
    end_body(no_token);
    blocks[braces_.back()].close = index;
    braces_.pop_back();
  } else {
    tokens[opener].payload = index;
  }
  push(kind, Role::subject, end, opener);
}

void Tokenizer::end_body(std::uint32_t next_first) {
  BlockTokens& block = blocks[braces_.back()];
  BodyTokens& body = bodies[block.last_body];
  body.end = static_cast<std::uint32_t>(tokens.size());
  if (next_first == no_token) return;
  block.last_body = body.next = static_cast<std::uint32_t>(bodies.size());
  bodies.push_back({.first = next_first});
}

void Tokenizer::separate(TokenKind kind, const char* end) {
  const TokenKind inside = brackets_.empty() ? TokenKind::separator : tokens[brackets_.back()].kind;
  if (kind == TokenKind::separator) {
    if (inside == TokenKind::open_parenthesis) {
      const Token& opener = tokens[brackets_.back()];
      throw SyntaxError{"Parentheses may not hold a separator", {offset(position_), offset(end)}, {opener.start, opener.end}};
    }
    return push(kind, Role::subject, end, 0);
  }
  if (inside != TokenKind::open_brace) {
    fail("Only a block may hold " + std::string(position_, end) + " (found outside of braces)", position_, end);
  }
  const auto index = static_cast<std::uint32_t>(tokens.size());
  BodyTokens& body = bodies[blocks[braces_.back()].last_body];
  if (kind == TokenKind::question) {
    body.has_predicate = true;
  } else if (kind == TokenKind::semicolon) {
    end_body(index + 1);
  } else if (body.colon != no_token) {
    fail("A body may have only one header", position_, end);
  } else {
    body.colon = index;
    body.special_rows = 0;
  }
  push(kind, Role::subject, end, 0);
}

void Tokenizer::fail(std::string message, const char* start, const char* end) const {
  throw SyntaxError{std::move(message), {offset(start), offset(end)}};
}

void Tokenizer::fail_at_bracket(std::string message, std::uint32_t token) const {
  throw SyntaxError{std::move(message), {tokens[token].start, tokens[token].end}};
}

}  // namespace griddle
