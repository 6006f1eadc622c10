// What expressions are made of: literals, names, fields, parentheses, lists and strands.
#include "runtime/primitive.h"
#include "runtime/source/grammar.h"

namespace griddle {
namespace {

bool takes_one_argument(const Body& body) {
  return body.body_case == BodyCase::monadic || (body.body_case == BodyCase::undo && !body.undo_ambivalent);
}

bool takes_two_arguments(const Body& body) {
  return body.body_case == BodyCase::dyadic || (body.body_case == BodyCase::undo_dyadic && !body.undo_ambivalent) ||
         body.body_case == BodyCase::undo_swapped;
}

}  // namespace

std::uint32_t Grammar::primary_begin(std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t first = bracket_begin(end);
  while (first > begin && token(first - 1).kind == TokenKind::dot) {
    if (first - 1 == begin) fail("Expected a namespace left of .", span_of(token(begin)));
    first = bracket_begin(first - 1);
  }
  return first;
}

std::uint32_t Grammar::primary_end(std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t last = bracket_end(begin);
  while (last < end && token(last).kind == TokenKind::dot) last = std::min(last + 2, end);
  return last;
}

std::uint32_t Grammar::item_begin(std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t first = primary_begin(begin, end);
  while (first > begin && token(first - 1).kind == TokenKind::strand) {
    if (first - 1 == begin) fail("Expected an element left of ‿", span_of(token(begin)));
    first = primary_begin(begin, first - 1);
  }
  return first;
}

std::uint32_t Grammar::item_end(std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t last = primary_end(begin, end);
  while (last < end && token(last).kind == TokenKind::strand) {
    if (last + 1 == end) fail("Expected an element right of ‿", span_of(token(last)));
    last = primary_end(last + 1, end);
  }
  return last;
}

// Finds the separator or question mark that ends the statement or element at `begin`.
std::uint32_t Grammar::separator_after(std::uint32_t begin, std::uint32_t end) const {
  while (begin < end && token(begin).kind != TokenKind::separator && token(begin).kind != TokenKind::question) {
    begin = bracket_end(begin);
  }
  return begin;
}

// Tells an item's role without parsing it.
Role Grammar::item_role(TokenRange range) {
  if (primary_end(range.begin, range.end) != range.end) return Role::subject;
  const Token& last = token(range.end - 1);
  if (last.kind == TokenKind::close_parenthesis) return expression_role({last.payload + 1, range.end - 1});
  if (last.kind != TokenKind::close_brace) return last.role;
  BlockTokens& block = tokenizer_.blocks[token(last.payload).payload];
  decide_type(block);
  switch (block.type) {
    case BlockType::immediate: return Role::subject;
    case BlockType::function: return Role::function;
    case BlockType::modifier1: return Role::modifier1;
    case BlockType::modifier2: return Role::modifier2;
  }
  return Role::subject;
}

Role Grammar::expression_role(TokenRange range) {
  if (range.empty()) return Role::subject;
  check_depth(span_of(token(range.begin)));
  const auto begins_with_arrow = [&](std::uint32_t position) { return at_arrow({range.begin, position}); };
  if (begins_with_arrow(range.end)) return Role::subject;
  const std::uint32_t item = item_begin(range.begin, range.end);
  const Role role = item_role({item, range.end});
  const bool alone = item == range.begin || begins_with_arrow(item);
  if (alone || role == Role::function) return role;
  if (role != Role::subject) return Role::function;
  const Role before = item_role({item_begin(range.begin, item), item});
  return before == Role::modifier2 ? Role::function : Role::subject;
}

Grammar::Operand Grammar::parse_item(TokenRange range) {
  if (primary_end(range.begin, range.end) != range.end) return {parse_strand(range), false};
  return parse_primary(range);
}

Grammar::Operand Grammar::parse_primary(TokenRange range) {
  const std::uint32_t object_end = bracket_end(range.begin);
  Operand result{nullptr, false};
  switch (token(range.begin).kind) {
    case TokenKind::open_parenthesis: result = parse_parentheses({range.begin, object_end}); break;
    case TokenKind::open_list:
    case TokenKind::open_array: result.node = parse_list({range.begin, object_end}); break;
    case TokenKind::open_brace: result.node = parse_block(range.begin); break;
    default: result.node = parse_token(token(range.begin)); result.nothing = result.node->kind == NodeKind::nothing;
  }
  for (std::uint32_t dot = object_end; dot < range.end; dot += 2) {
    if (dot + 1 == range.end || token(dot + 1).kind != TokenKind::name) {
      fail("Expected a field name after .", span_of(token(dot)));
    }
    if (result.role() != Role::subject || result.nothing) fail("Expected a subject left of .", result.node->span);
    const Token& name = token(dot + 1);
    Field* field = make<Field>(NodeKind::field, name.role, {result.node->span.start, name.end});
    field->object = result.node;
    field->name = symbols_[name.payload].name;
    result.node = field;
  }
  return result;
}

Grammar::Operand Grammar::parse_parentheses(TokenRange range) {
  if (range.end - range.begin == 2) fail("Empty parentheses", span_of(range));
  const Operand result = parse_expression({range.begin + 1, range.end - 1});
  result.node->span = span_of(range);
  return result;
}

Node* Grammar::parse_token(const Token& t) {
  switch (t.kind) {
    case TokenKind::number: {
      Number* node = make<Number>(NodeKind::number, t.role, span_of(t));
      node->value = tokenizer_.numbers[t.payload];
      return node;
    }
    case TokenKind::character: {
      Character* node = make<Character>(NodeKind::character, t.role, span_of(t));
      node->value = t.payload;
      return node;
    }
    case TokenKind::string: return parse_string(t);
    case TokenKind::name: return scopes_.use(t.payload, t.role, span_of(t), false);
    case TokenKind::special: return parse_special(t);
    case TokenKind::system: return parse_system(t);
    case TokenKind::primitive: {
      Primitive* node = make<Primitive>(NodeKind::primitive, t.role, span_of(t));
      node->name = glyph_name(t.payload);
      return node;
    }
    case TokenKind::nothing: {
      Node* node = make<Node>(NodeKind::nothing, t.role, span_of(t));
      node->may_be_nothing = true;
      return node;
    }
    default: fail("Expected an expression (found " + std::string(text_of(span_of(t))) + ")", span_of(t));
  }
}

Node* Grammar::parse_special(const Token& t) {
  const auto name = static_cast<SpecialName>(t.payload);
  ScopedBody& body = *scopes_.current();
  const bool is_left = name == SpecialName::w;
  if (is_left && takes_one_argument(body)) {
    if (t.role != Role::subject) fail("𝕎 may not be called in a body for one argument", span_of(t));
    Node* node = make<Node>(NodeKind::nothing, Role::subject, span_of(t));
    node->may_be_nothing = true;
    return node;
  }
  Special* node = make<Special>(NodeKind::special, t.role, span_of(t));
  node->name = name;
  body.specials |= static_cast<std::uint8_t>(1u << t.payload);
  node->may_be_nothing = is_left && t.role == Role::subject && !takes_two_arguments(body);
  return node;
}

Node* Grammar::parse_string(const Token& t) {
  const char* p = source_.text.data() + t.start + 1;
  const char* const end = source_.text.data() + t.end - 1;
  const std::span<char32_t> buffer = arena_.make_span<char32_t>(static_cast<std::size_t>(end - p));
  std::size_t length = 0;
  while (p != end) {
    const char32_t c = decode_utf8(p, end);
    if (c == invalid_code_point) {
      const auto at = static_cast<std::uint32_t>(p - source_.text.data());
      fail("Invalid UTF-8 in a string", {at, at + 1});
    }
    if (c == U'"') p++;
    buffer[length++] = c;
  }
  String* node = make<String>(NodeKind::string, Role::subject, span_of(t));
  node->value = {buffer.data(), length};
  return node;
}

Node* Grammar::parse_system(const Token& t) {
  std::string_view spelling = text_of(span_of(t));
  if (spelling.starts_with("•")) spelling.remove_prefix(std::string_view("•").size());
  const std::span<char> name = arena_.make_span<char>(spelling.size());
  std::size_t length = 0;
  for (const char c : spelling) {
    if (c != '_') name[length++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  System* node = make<System>(NodeKind::system, t.role, span_of(t));
  node->name = {name.data(), length};
  if (node->sees_scope()) scopes_.expose();
  return node;
}

// Makes one constant of elements that are all numbers or all characters; gives null for any others.
Node* Grammar::fold_constants(TokenRange range, TokenKind separator, Span span) {
  std::uint32_t position = range.begin;
  if (separator == TokenKind::separator) {
    while (position < range.end && token(position).kind == separator) position++;
  }
  if (position == range.end) return nullptr;
  const TokenKind kind = token(position).kind;
  if (kind != TokenKind::number && kind != TokenKind::character) return nullptr;
  std::size_t count = 0;
  bool after_element = false;
  for (std::uint32_t i = position; i < range.end; i++) {
    const bool is_element = token(i).kind == kind;
    if (is_element ? after_element : token(i).kind != separator) return nullptr;
    if (!is_element && !after_element && separator == TokenKind::strand) return nullptr;
    after_element = is_element;
    count += is_element;
  }
  if (!after_element && separator == TokenKind::strand) return nullptr;
  ConstantList* node = make<ConstantList>(NodeKind::constant_list, Role::subject, span);
  node->characters = kind == TokenKind::character;
  std::size_t place = 0;
  if (node->characters) {
    const std::span<char32_t> text = arena_.make_span<char32_t>(count);
    for (; position < range.end; position++) {
      if (token(position).kind == kind) text[place++] = token(position).payload;
    }
    node->text = {text.data(), text.size()};
  } else {
    const std::span<double> numbers = arena_.make_span<double>(count);
    for (; position < range.end; position++) {
      if (token(position).kind == kind) numbers[place++] = tokenizer_.numbers[token(position).payload];
    }
    node->numbers = numbers;
  }
  return node;
}

Node* Grammar::parse_strand(TokenRange range) {
  if (Node* constant = fold_constants(range, TokenKind::strand, span_of(range))) return constant;
  const std::size_t first = nodes_.size();
  for (std::uint32_t begin = range.begin; begin < range.end;) {
    const std::uint32_t end = primary_end(begin, range.end);
    const Operand element = parse_primary({begin, end});
    if (element.nothing) fail("Nothing (·) may not be an element", element.node->span);
    nodes_.push_back(element.node);
    if (end + 1 == range.end) fail("Expected an element right of ‿", span_of(token(end)));
    begin = end + 1;
  }
  return finish_list(NodeKind::list, span_of(range), first);
}

Node* Grammar::parse_list(TokenRange range) {
  const bool is_array = token(range.begin).kind == TokenKind::open_array;
  const std::uint32_t last = range.end - 1;
  if (Node* constant = fold_constants({range.begin + 1, last}, TokenKind::separator, span_of(range))) {
    const ConstantList& list = static_cast<ConstantList&>(*constant);
    if (!is_array || !list.characters) return constant;
    // Characters that are merged are text.
    String* text = make<String>(NodeKind::string, Role::subject, list.span);
    text->value = list.text;
    return text;
  }
  const std::size_t first = nodes_.size();
  for (std::uint32_t begin = range.begin + 1; begin < last;) {
    const std::uint32_t end = separator_after(begin, last);
    if (begin != end) {
      const Operand element = parse_expression({begin, end});
      if (element.nothing) fail("Nothing (·) may not be an element", element.node->span);
      nodes_.push_back(element.node);
    }
    begin = end + 1;
  }
  if (is_array && nodes_.size() == first) fail("Empty array notation", span_of(range));
  return finish_list(is_array ? NodeKind::merge : NodeKind::list, span_of(range), first);
}

Node* Grammar::finish_list(NodeKind kind, Span span, std::size_t first) {
  ListNode* node = make<ListNode>(kind, Role::subject, span);
  node->elements = pop_nodes(first);
  return node;
}

std::span<Node*> Grammar::pop_nodes(std::size_t first) {
  const std::span<Node*> result = arena_.copy(std::span<Node* const>(nodes_).subspan(first));
  nodes_.resize(first);
  return result;
}

}  // namespace griddle
