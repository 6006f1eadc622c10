// The shape of a block's header: which part of it is what.
#include <array>

#include "runtime/source/grammar.h"

namespace griddle {
namespace {

constexpr std::size_t most_items = 7;  // w f _m_ g ˜ ⁼ x

}  // namespace

Header Grammar::read_header(const BodyTokens& body) const {
  std::uint32_t begin = body.first;
  std::uint32_t end = body.colon;
  while (begin < end && token(begin).kind == TokenKind::separator) begin++;
  while (begin < end && token(end - 1).kind == TokenKind::separator) end--;
  if (begin == end) fail("Expected a header before :", span_of(token(body.colon)));

  std::array<TokenRange, most_items> all;
  std::size_t count = 0;
  std::size_t name = most_items;
  bool is_modifier = false;
  for (std::uint32_t i = begin; i < end; count++) {
    const std::uint32_t item = item_end(i, end);
    if (count == most_items) fail("Malformed header", span_of(TokenRange{begin, end}));
    all[count] = {i, item};
    const Token& t = token(i);
    const bool is_name = item == i + 1 && (t.kind == TokenKind::name || t.kind == TokenKind::special) && t.role != Role::subject;
    const bool modifies = is_name && t.role != Role::function;
    if (modifies && !is_modifier) {
      is_modifier = true;
      name = count;
    } else if (is_name && name == most_items) {
      name = count;
    }
    i = item;
  }
  const std::span<const TokenRange> items(all.data(), count);
  Header header{};
  if (is_modifier) {
    header = read_modifier_header(items, name);
  } else if (name != most_items) {
    header = read_function_header(items, name);
  } else {
    if (count != 1) fail("Malformed header", span_of(TokenRange{begin, end}));
    const bool plain_name = end - begin == 1 && token(begin).kind == TokenKind::name;
    header.kind = plain_name ? HeaderKind::label : HeaderKind::pattern;
    (plain_name ? header.name : header.x) = items[0];
  }
  check_header_slots(header);
  return header;
}

Header Grammar::read_modifier_header(std::span<const TokenRange> items, std::size_t name) const {
  const Token& t = token(items[name].begin);
  Header header{};
  header.kind = t.role == Role::modifier1 ? HeaderKind::modifier1 : HeaderKind::modifier2;
  header.name = items[name];
  if (items.size() == 1) return header;
  if (name == 0) fail("Expected the operand left of the modifier in a header", span_of(t));
  if (name > 2) fail("Malformed header", span_of(t));
  header.f = items[name - 1];
  if (name == 2) header.w = items[0];
  items = items.subspan(name + 1);
  if (header.kind == HeaderKind::modifier2) {
    if (items.empty()) fail("Expected the operand right of the modifier in a header", span_of(t));
    header.g = items[0];
    items = items.subspan(1);
  }
  read_header_end(header, items);
  if (header.undo && header.x.empty()) fail("Expected the right argument in an undo header with operands", span_of(t));
  return header;
}

Header Grammar::read_function_header(std::span<const TokenRange> items, std::size_t name) const {
  const Token& t = token(items[name].begin);
  if (name > 1) fail("Malformed header", span_of(t));
  Header header{};
  header.kind = HeaderKind::function;
  header.name = items[name];
  if (name == 1) header.w = items[0];
  read_header_end(header, items.subspan(name + 1));
  return header;
}

// Reads what follows the name and operands: ˜, ⁼ and the right argument.
void Grammar::read_header_end(Header& header, std::span<const TokenRange> items) const {
  const auto is_glyph = [&](char32_t glyph) {
    return !items.empty() && token(items[0].begin).kind == TokenKind::primitive && token(items[0].begin).payload == glyph;
  };
  const Span place = span_of(header.name);
  if (is_glyph(U'˜')) {
    header.swapped = true;
    items = items.subspan(1);
  }
  if (is_glyph(U'⁼')) {
    header.undo = true;
    items = items.subspan(1);
  }
  if (header.swapped && !header.undo) fail("Expected ⁼ after ˜ in a header", place);
  if (items.size() > 1) fail("Malformed header", span_of(items[0]));
  if (!items.empty()) header.x = items[0];
  if (header.x.empty() && !header.w.empty()) fail("Expected a right argument in a header with a left one", place);
  if (header.swapped && !header.x.empty() && header.w.empty()) fail("Expected a left argument in a header with ˜⁼", place);
}

void Grammar::check_header_slots(const Header& header) const {
  if (!header.name.empty() && token(header.name.begin).kind == TokenKind::special) {
    const Token& t = token(header.name.begin);
    const SpecialName expected = header.kind == HeaderKind::function ? SpecialName::s : SpecialName::r;
    if (static_cast<SpecialName>(t.payload) != expected) fail("Special name at the wrong place in a header", span_of(t));
  }
  check_slot(header.w, SpecialName::w, false);
  check_slot(header.x, SpecialName::x, false);
  check_slot(header.f, SpecialName::f, true);
  check_slot(header.g, SpecialName::g, true);
}

void Grammar::check_slot(TokenRange range, SpecialName expected, bool function_allowed) const {
  if (range.end - range.begin != 1) return;
  const Token& t = token(range.begin);
  const bool may_be_special = t.kind == TokenKind::special && static_cast<SpecialName>(t.payload) == expected;
  if (t.kind == TokenKind::special && !may_be_special) fail("Special name at the wrong place in a header", span_of(t));
  if (t.kind == TokenKind::primitive) fail("A primitive may not stand in a header", span_of(t));
  if (t.role == Role::subject || (t.role == Role::function && function_allowed)) return;
  fail("Expected a subject at this place of a header", span_of(t));
}

}  // namespace griddle
