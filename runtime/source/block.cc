// Blocks and their bodies.
#include "runtime/source/grammar.h"

namespace griddle {
namespace {

Role role_of(BlockType type) {
  switch (type) {
    case BlockType::immediate: return Role::subject;
    case BlockType::function: return Role::function;
    case BlockType::modifier1: return Role::modifier1;
    case BlockType::modifier2: return Role::modifier2;
  }
  return Role::subject;
}

BlockType type_of(HeaderKind kind) {
  switch (kind) {
    case HeaderKind::label: return BlockType::immediate;
    case HeaderKind::pattern:
    case HeaderKind::function: return BlockType::function;
    case HeaderKind::modifier1: return BlockType::modifier1;
    case HeaderKind::modifier2: return BlockType::modifier2;
  }
  return BlockType::immediate;
}

BlockType type_of(std::uint8_t special_rows) {
  if (special_rows & modifier2_row) return BlockType::modifier2;
  if (special_rows & (modifier1_row | modifier1_only)) return BlockType::modifier1;
  return special_rows & argument_row ? BlockType::function : BlockType::immediate;
}

// Gives the rows of special names that a block of this type has.
std::uint8_t allowed_rows(BlockType type) {
  switch (type) {
    case BlockType::immediate: return 0;
    case BlockType::function: return argument_row;
    case BlockType::modifier1: return argument_row | modifier1_row | modifier1_only;
    case BlockType::modifier2: return argument_row | modifier1_row | modifier2_row;
  }
  return 0;
}

SpecialRow row_of(const Token& special) {
  switch (static_cast<SpecialName>(special.payload)) {
    case SpecialName::f: return modifier1_row;
    case SpecialName::g: return modifier2_row;
    case SpecialName::r:
      return special.role == Role::modifier2 ? modifier2_row : special.role == Role::modifier1 ? modifier1_only : modifier1_row;
    default: return argument_row;
  }
}

bool runs_once(const BlockTokens& block) {
  return block.type == BlockType::immediate || (block.type != BlockType::function && !block.deferred);
}

BodyCase case_of(const Header& header, bool any_w) {
  if (header.undo) {
    if (header.swapped) return BodyCase::undo_swapped;
    return header.w.empty() ? BodyCase::undo : BodyCase::undo_dyadic;
  }
  if (header.x.empty()) return BodyCase::general;
  if (header.w.empty()) return BodyCase::monadic;
  return any_w ? BodyCase::ambivalent : BodyCase::dyadic;
}

}  // namespace

// Finds the type of a block from its headers and the special names in its bodies.
void Grammar::decide_type(BlockTokens& block) {
  if (block.type_known) return;
  bool has_header = false;
  bool has_arguments = false;
  bool only_operands = false;
  std::uint8_t rows = 0;
  for (std::uint32_t i = block.first_body; i != no_token; i = tokenizer_.bodies[i].next) {
    const BodyTokens& body = tokenizer_.bodies[i];
    rows |= body.special_rows;
    if (body.colon == no_token) continue;
    const Header header = read_header(body);
    const BlockType type = type_of(header.kind);
    if (has_header && type != block.type) {
      fail("Expected headers of one kind in a block", {token(body.first).start, token(body.colon).end});
    }
    has_header = true;
    has_arguments |= header.has_arguments();
    only_operands |= !header.f.empty() && !header.has_arguments();
    block.type = type;
  }
  if (!has_header) block.type = type_of(rows);
  if ((rows & ~allowed_rows(block.type)) != 0) {
    fail("The block holds special names that do not fit its kind", first_special(block, ~allowed_rows(block.type)));
  }
  block.deferred =
      role_of(block.type) != Role::subject && block.type != BlockType::function && (has_arguments || (rows & argument_row) != 0);
  if (block.deferred && only_operands) {
    fail("Expected arguments in every header of a modifier that has some", {token(block.open).start, token(block.close).end});
  }
  block.type_known = true;
}

// Gives the place of the first special name, behind headers and outside of inner blocks, that is of these rows.
Span Grammar::first_special(const BlockTokens& block, int rows) const {
  for (std::uint32_t i = block.first_body; i != no_token; i = tokenizer_.bodies[i].next) {
    const BodyTokens& body = tokenizer_.bodies[i];
    for (std::uint32_t t = body.colon == no_token ? body.first : body.colon + 1; t < body.end; t++) {
      if (token(t).kind == TokenKind::open_brace) t = closing(t);
      if (token(t).kind == TokenKind::special && (row_of(token(t)) & rows) != 0) return span_of(token(t));
    }
  }
  return {token(block.open).start, token(block.close).end};
}

// Checks the order of bodies; gives the number of general ones.
std::size_t Grammar::check_bodies(const BlockTokens& block) {
  const std::size_t most = runs_once(block) ? 1 : 2;
  std::size_t general_count = 0;
  bool done = false;
  for (std::uint32_t i = block.first_body; i != no_token; i = tokenizer_.bodies[i].next) {
    const BodyTokens& body = tokenizer_.bodies[i];
    const Span place{token(body.first).start, token(body.end).start};
    const bool general = body.colon == no_token && !body.has_predicate;
    if (general_count != 0 && !general) fail("A body without header or condition must come last", place);
    if (done) fail("Body that is never reached", place);
    general_count += general;
    if (general_count > most) fail("At most two bodies without header or condition are allowed", place);
    if (!runs_once(block) || body.has_predicate) continue;
    done = general || (read_header(body).f.empty());
  }
  return general_count;
}

Node* Grammar::parse_block(std::uint32_t open) {
  BlockTokens& tokens = tokenizer_.blocks[token(open).payload];
  const Span span{token(open).start, token(tokens.close).end};
  decide_type(tokens);
  const std::size_t general_count = check_bodies(tokens);
  BlockNode* block = arena_.make<BlockNode>();
  block->span = span;
  block->type = tokens.type;
  block->deferred = tokens.deferred;
  block->parent = scopes_.current();
  const std::size_t first = block_bodies_.size();
  std::size_t general_index = 0;
  for (std::uint32_t i = tokens.first_body; i != no_token; i = tokenizer_.bodies[i].next) {
    const BodyTokens& body = tokenizer_.bodies[i];
    BodyCase general_case = BodyCase::general;
    if (general_count == 2 && body.colon == no_token && !body.has_predicate) {
      general_case = general_index++ == 0 ? BodyCase::monadic : BodyCase::dyadic;
    }
    block_bodies_.push_back(parse_body(*block, body, general_case));
  }
  block->bodies = arena_.copy(std::span<Body* const>(block_bodies_).subspan(first));
  block_bodies_.resize(first);
  BlockExpression* node = make<BlockExpression>(NodeKind::block, role_of(block->type), span);
  node->block = block;
  return node;
}

Body* Grammar::parse_body(BlockNode& block, const BodyTokens& tokens, BodyCase general_case) {
  ScopedBody& body = *scopes_.open_body();
  body.block = &block;
  body.body_case = general_case;
  body.span = {token(tokens.first).start, token(tokens.end).start};
  std::uint32_t first = tokens.first;
  if (tokens.colon != no_token) {
    parse_header(block, body, read_header(tokens));
    first = tokens.colon + 1;
  }
  require_value(body, parse_statements(body, {first, tokens.end}));
  scopes_.close_body();
  return &body;
}

void Grammar::parse_header(BlockNode& block, ScopedBody& body, const Header& header) {
  const bool any_w = !header.w.empty() && token(header.w.begin).kind == TokenKind::special;
  body.body_case = case_of(header, any_w);
  body.undo_ambivalent = header.undo && (any_w || header.x.empty()) && !header.swapped;
  if (!header.name.empty() && token(header.name.begin).kind == TokenKind::name) {
    const Token& name = token(header.name.begin);
    const std::string_view spelling = text_of(span_of(name));
    if (header.kind == HeaderKind::label) {
      scopes_.define_label(name.payload, spelling, span_of(name));
    } else {
      body.self = scopes_.define(name.payload, spelling, name.role, span_of(name));
    }
    if (block.label.empty()) block.label = spelling;
  }
  body.pattern_w = parse_pattern(header.w);
  body.pattern_f = parse_pattern(header.f);
  body.pattern_g = parse_pattern(header.g);
  body.pattern_x = parse_pattern(header.x);
}

// Parses what a header's slot takes apart; gives null where it takes anything.
Node* Grammar::parse_pattern(TokenRange range) {
  if (range.empty()) return nullptr;
  const TokenKind kind = token(range.begin).kind;
  if (range.end - range.begin == 1 && (kind == TokenKind::special || kind == TokenKind::nothing)) return nullptr;
  return parse_target(range, Target::match);
}

}  // namespace griddle
