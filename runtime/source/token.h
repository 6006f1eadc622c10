// Tokens, and what the tokenizer learns about braces on the way.
#pragma once

#include <cstdint>

#include "runtime/source/ast.h"

namespace griddle {

enum class TokenKind : std::uint8_t {
  number,
  character,
  string,
  name,
  special,
  system,
  primitive,
  nothing,  // what an expression is made of
  open_parenthesis,
  open_list,
  open_array,
  open_brace,
  close_parenthesis,
  close_list,
  close_array,
  close_brace,
  dot,
  strand,
  define,
  change,
  exporting,  // ← ↩ ⇐
  separator,
  question,
  colon,
  semicolon,
};

struct Token {
  std::uint32_t start;  // bytes [start, end) of the source
  std::uint32_t end;
  TokenKind kind;
  Role role;  // of literals, names and primitives
  // number: index into Tokenizer::numbers. character, primitive: code point. name: symbol. special: SpecialName.
  // brackets: token index of the partner. open_brace: index into Tokenizer::blocks.
  std::uint32_t payload;
};

inline constexpr std::uint32_t no_token = 0xFFFFFFFF;

// Says which special names stand at a body's own level.
enum SpecialRow : std::uint8_t {
  argument_row = 1,    // 𝕨𝕩𝕤𝕎𝕏𝕊
  modifier1_row = 2,   // 𝕗𝔽𝕣
  modifier2_row = 4,   // 𝕘𝔾 _𝕣_
  modifier1_only = 8,  // _𝕣
};

struct BodyTokens {
  std::uint32_t first;  // tokens [first, end), header included
  std::uint32_t end = no_token;
  std::uint32_t colon = no_token;  // no_token: no header
  std::uint32_t next = no_token;   // index into Tokenizer::bodies of the block's next body
  std::uint8_t special_rows = 0;   // after the header
  bool has_predicate = false;
};

struct BlockTokens {
  std::uint32_t open;
  std::uint32_t close = no_token;
  std::uint32_t first_body;  // index into Tokenizer::bodies
  std::uint32_t last_body;
  // Filled in by the parser when it first asks.
  bool type_known = false;
  bool deferred = false;
  BlockType type = BlockType::immediate;
};

}  // namespace griddle
