// Programs, bodies' statements and export statements.
#include "runtime/source/grammar.h"

namespace griddle {
namespace {

constexpr std::size_t default_stack = 512 * 1024;

}  // namespace

Grammar::Grammar(const SourceText& source, Arena& arena, RootScope* shared, const ParseOptions& options)
    : source_(source),
      arena_(arena),
      options_(options),
      stack_limit_(options.stack_limit),
      symbols_(arena),
      tokenizer_(source, symbols_, options.glyphs, options.watch),
      scopes_(arena, symbols_, shared, options.outer, options.mentions) {
  if (stack_limit_ == nullptr) {
    const char* const here = static_cast<const char*>(__builtin_frame_address(0));
    stack_limit_ = here - default_stack;
  }
}

void Grammar::fail(std::string message, Span span) const { throw SyntaxError{std::move(message), span}; }

void Grammar::check_depth(Span span) {
  if (static_cast<const char*>(__builtin_frame_address(0)) < stack_limit_) fail("Nesting too deep", span);
}

Program Grammar::parse_program() {
  ScopedBody& root = *scopes_.open_body();
  root.span = {0, static_cast<std::uint32_t>(source_.text.size())};
  for (const std::string_view name : options_.predeclared) {
    scopes_.define(symbols_.intern(name), name, Role::subject, {0, 0})->captured = true;
  }
  Operand last{nullptr, false};
  while (tokenizer_.next_statement()) {
    last = parse_statement({0, static_cast<std::uint32_t>(tokenizer_.tokens.size())});
    statements_.push_back({last.node, false});
  }
  finish_statements(root, 0);
  if (!options_.value_optional) require_value(root, last);
  scopes_.close_body();
  return {&root};
}

void Grammar::finish_statements(ScopedBody& body, std::size_t first) {
  body.statements = arena_.copy(std::span<const Statement>(statements_).subspan(first));
  statements_.resize(first);
}

// Checks that the body ends in a value, or returns a namespace.
void Grammar::require_value(const Body& body, Operand last) {
  if (last.node == nullptr) fail(body.block == nullptr ? "Empty program" : "Empty body", body.span);
  if (body.statements.back().predicate) fail("Expected a statement after the condition", last.node->span);
  if (!body.has_exports && last.nothing) fail("Expected a value at the end (found Nothing)", last.node->span);
}

Grammar::Operand Grammar::parse_statements(ScopedBody& body, TokenRange range) {
  Operand last{nullptr, false};
  const std::size_t first = statements_.size();
  for (std::uint32_t begin = range.begin; begin < range.end;) {
    const std::uint32_t end = separator_after(begin, range.end);
    std::uint32_t next = end;
    while (next < range.end && token(next).kind == TokenKind::separator) next++;
    const bool predicate = next < range.end && token(next).kind == TokenKind::question;
    if (begin != end) {
      last = parse_statement({begin, end});
      if (predicate && last.nothing) fail("Expected a condition before ?", last.node->span);
      statements_.push_back({last.node, predicate});
    } else if (predicate) {
      fail("Expected a condition before ?", span_of(token(next)));
    }
    begin = predicate ? next + 1 : std::max(next, begin + 1);
  }
  finish_statements(body, first);
  return last;
}

Grammar::Operand Grammar::parse_statement(TokenRange range) {
  if (token(range.end - 1).kind != TokenKind::exporting) return parse_expression(range);
  scopes_.current()->has_exports = true;
  const TokenRange target{range.begin, range.end - 1};
  if (!target.empty()) {
    if (item_end(target.begin, target.end) != target.end) fail("Expected a name or a list of names before ⇐", span_of(range));
    export_target(target);
  }
  Assign* node = make<Assign>(NodeKind::assign, Role::subject, span_of(range));
  node->assign = AssignKind::exporting;
  return {node, true};
}

// Gives where the target of `target⇐field` ends; for another entry, where that ends.
std::uint32_t Grammar::without_alias(std::uint32_t begin, std::uint32_t end) const {
  const bool has_alias = end - begin > 2 && token(end - 2).kind == TokenKind::exporting && token(end - 1).kind == TokenKind::name;
  return has_alias ? end - 2 : end;
}

// Exports every name in a target.
void Grammar::export_target(TokenRange range) {
  check_depth(span_of(token(range.begin)));
  const auto export_elements = [&](std::uint32_t begin, std::uint32_t end, auto element_end) {
    while (begin < end) {
      const std::uint32_t last = element_end(begin, end);
      if (begin != last) export_target({begin, without_alias(begin, last)});
      begin = last + 1;
    }
  };
  if (primary_end(range.begin, range.end) != range.end) {
    if (item_end(range.begin, range.end) != range.end) fail("Expected a name to export", span_of(range));
    return export_elements(range.begin, range.end, [&](auto begin, auto end) { return primary_end(begin, end); });
  }
  const Token& first = token(range.begin);
  switch (first.kind) {
    case TokenKind::name:
      if (range.end - range.begin == 1) return scopes_.request_export(first.payload, span_of(first));
      break;
    case TokenKind::nothing:
      if (range.end - range.begin == 1) return;
      break;
    case TokenKind::open_parenthesis:
    case TokenKind::open_list:
    case TokenKind::open_array:
      if (closing(range.begin) != range.end - 1) break;
      return export_elements(range.begin + 1, range.end - 1, [&](auto begin, auto end) { return separator_after(begin, end); });
    default: break;
  }
  fail("Expected a name to export", span_of(range));
}

Program parse(const SourceText& source, Arena& arena, const ParseOptions& options) {
  return Grammar(source, arena, nullptr, options).parse_program();
}

Program parse(const SourceText& source, Arena& arena, RootScope& scope, const ParseOptions& options) {
  return Grammar(source, arena, &scope, options).parse_program();
}

}  // namespace griddle
