// The parser's rules. Expressions are read from right to left, the order in which they run, so that names are met in program
// order; lists, strands, statements and bodies from left to right. Only brackets recurse.
#pragma once

#include <vector>

#include "runtime/source/scope.h"
#include "runtime/source/tokenizer.h"

namespace griddle {

// Where the parts of a block header stand: token ranges [begin, end), empty where a part is missing.
struct TokenRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool empty() const { return begin == end; }
};

enum class HeaderKind : std::uint8_t { label, pattern, function, modifier1, modifier2 };  // label: `x:`; pattern: `3:`, `𝕩:`

struct Header {
  HeaderKind kind;
  TokenRange name;  // of the block itself
  TokenRange w, x, f, g;
  bool undo = false;     // ⁼
  bool swapped = false;  // ˜⁼
  bool has_arguments() const { return !w.empty() || !x.empty() || undo; }
};

class Grammar {
 public:
  Grammar(const SourceText&, Arena&, RootScope* shared, const ParseOptions&);
  Program parse_program();

 private:
  // A node, and whether it is Nothing as far as grammar can tell.
  struct Operand {
    Node* node;
    bool nothing;
    Role role() const { return node->role; }
  };
  // Reads the tokens [begin, position) from right to left. `ahead` has been parsed but not taken.
  struct Cursor {
    std::uint32_t begin;
    std::uint32_t position;
    Operand ahead{nullptr, false};
    std::uint32_t ahead_end = 0;
  };
  struct PendingModifier {
    Node* modifier;
    Node* right;  // null: 1-modifier
  };
  enum class Target : std::uint8_t { define, exporting, change, modify, match };

  // statement.cc
  Operand parse_statement(TokenRange);
  void export_target(TokenRange);
  std::uint32_t without_alias(std::uint32_t begin, std::uint32_t end) const;
  // Gives the last statement; a null node where there is none.
  Operand parse_statements(ScopedBody&, TokenRange);
  void finish_statements(ScopedBody&, std::size_t first_statement);
  void require_value(const Body&, Operand last);

  // expression.cc
  Operand parse_expression(TokenRange);
  Operand parse_right_end(Cursor&);
  Operand read_operand(Cursor&);
  bool peek(Cursor&);
  Operand take(Cursor&);
  Operand apply_functions(Cursor&, Operand right);
  Node* extend_train(Cursor&, Node* right);
  Node* assign(Cursor&, Operand value);
  Node* assign_modified(Cursor&, Node* value);
  bool at_arrow(const Cursor&) const;
  bool is_modified_assignment(const Cursor&, std::uint32_t item);
  Node* derive(Node* modifier, Node* left, Node* right);

  // item.cc
  Operand parse_item(TokenRange);
  Operand parse_primary(TokenRange);
  Operand parse_parentheses(TokenRange);
  Node* parse_token(const Token&);
  Node* parse_special(const Token&);
  Node* parse_string(const Token&);
  Node* parse_system(const Token&);
  Node* parse_strand(TokenRange);
  Node* parse_list(TokenRange);
  Node* finish_list(NodeKind, Span, std::size_t first_node);
  Node* fold_constants(TokenRange elements, TokenKind separator, Span);
  std::uint32_t primary_begin(std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t primary_end(std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t item_begin(std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t item_end(std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t separator_after(std::uint32_t begin, std::uint32_t end) const;
  Role item_role(TokenRange);
  Role expression_role(TokenRange);

  // target.cc
  Node* parse_target(TokenRange, Target);
  Node* parse_target_token(const Token&, Target);
  Node* parse_target_name(const Token&, Target);
  Node* parse_target_special(const Token&, Target);
  Node* parse_target_strand(TokenRange, Target);
  Node* parse_target_list(TokenRange, Target);
  Node* parse_target_entry(TokenRange, Target, bool in_array);

  // block.cc
  Node* parse_block(std::uint32_t open);
  Body* parse_body(BlockNode&, const BodyTokens&, BodyCase general_case);
  void parse_header(BlockNode&, ScopedBody&, const Header&);
  Node* parse_pattern(TokenRange);
  void decide_type(BlockTokens&);
  Span first_special(const BlockTokens&, int rows) const;
  std::size_t check_bodies(const BlockTokens&);

  // header.cc
  Header read_header(const BodyTokens&) const;
  Header read_modifier_header(std::span<const TokenRange> items, std::size_t name) const;
  Header read_function_header(std::span<const TokenRange> items, std::size_t name) const;
  void read_header_end(Header&, std::span<const TokenRange> items) const;
  void check_header_slots(const Header&) const;
  void check_slot(TokenRange, SpecialName, bool function_allowed) const;

  template <class T>
  T* make(NodeKind kind, Role role, Span span) {
    T* node = arena_.make<T>();
    node->kind = kind;
    node->role = role;
    node->span = span;
    return node;
  }
  const Token& token(std::uint32_t index) const { return tokenizer_.tokens[index]; }
  std::uint32_t closing(std::uint32_t open) const {
    const Token& t = token(open);
    return t.kind == TokenKind::open_brace ? tokenizer_.blocks[t.payload].close : t.payload;
  }
  // Give where the bracket, or single token, that ends before `end` begins, and where the one at `begin` ends.
  std::uint32_t bracket_begin(std::uint32_t end) const {
    const Token& last = token(end - 1);
    return last.kind >= TokenKind::close_parenthesis && last.kind <= TokenKind::close_brace ? last.payload : end - 1;
  }
  std::uint32_t bracket_end(std::uint32_t begin) const {
    const TokenKind kind = token(begin).kind;
    return (kind >= TokenKind::open_parenthesis && kind <= TokenKind::open_brace ? closing(begin) : begin) + 1;
  }
  Span span_of(TokenRange r) const { return {token(r.begin).start, token(r.end - 1).end}; }
  Span span_of(const Token& t) const { return {t.start, t.end}; }
  std::string_view text_of(Span s) const { return std::string_view(source_.text).substr(s.start, s.end - s.start); }
  std::span<Node*> pop_nodes(std::size_t first);
  // Throws where recursion has come too far down the stack.
  void check_depth(Span);
  [[noreturn]] void fail(std::string message, Span) const;

  const SourceText& source_;
  Arena& arena_;
  const ParseOptions options_;
  const char* stack_limit_;
  SymbolTable symbols_;
  Tokenizer tokenizer_;
  Scopes scopes_;
  // Stacks that nested rules share: each puts on top what it gathers and leaves them as it found them.
  std::vector<Node*> nodes_;
  std::vector<PendingModifier> modifiers_;
  std::vector<Statement> statements_;
  std::vector<Body*> block_bodies_;
};

}  // namespace griddle
