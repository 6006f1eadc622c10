#include "runtime/source/outline.h"

#include <algorithm>

namespace griddle {

namespace {

const char* name_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::number: return "number";
    case NodeKind::character: return "character";
    case NodeKind::string: return "string";
    case NodeKind::nothing: return "Nothing";
    case NodeKind::constant_list: return "list of constants";
    case NodeKind::primitive: return "primitive";
    case NodeKind::system: return "system value";
    case NodeKind::variable: return "name";
    case NodeKind::special: return "special name";
    case NodeKind::list: return "list";
    case NodeKind::merge: return "array";
    case NodeKind::field: return "field";
    case NodeKind::call: return "call";
    case NodeKind::train: return "train";
    case NodeKind::derive: return "modifier with operands";
    case NodeKind::block: return "block";
    case NodeKind::assign: return "assignment";
    case NodeKind::alias: return "alias";
  }
  return "";
}

class Outline {
 public:
  explicit Outline(const SourceText& source) : source_(source) {}

  std::vector<OutlineLine> lines(const Body& root) {
    body(root, 0);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t column = 40, longest = 60;

  // Begins a line with a piece of the source, all on one line and not too much of it.
  void line(const Node* node, Span place, unsigned depth, const std::string& meaning) {
    const Span span = node->span;
    std::string piece;
    std::size_t width = 2 * depth;
    const char* at = source_.text.data() + span.start;
    const char* const end = source_.text.data() + span.end;
    while (at < end) {
      const char* const start = at;
      if (decode_utf8(at, end) == invalid_code_point) at++;
      if (++width > 2 * depth + longest) {
        piece += "…";
        break;
      }
      piece.append(*start == '\n' || *start == '\r' ? " " : std::string_view(start, static_cast<std::size_t>(at - start)));
    }
    out_.push_back({std::string(2 * depth, ' ') + piece + std::string(width < column ? column - width : 1, ' ') + "  " + meaning,
                    place,
                    node,
                    {},
                    depth,
                    span,
                    glyph_of(*node),
                    node->kind,
                    node->role});
  }

  std::uint32_t glyph_of(const Node& n) const {
    switch (n.kind) {
      case NodeKind::call: return glyph_of(*static_cast<const Call&>(n).function);
      case NodeKind::derive: return static_cast<const DeriveNode&>(n).modifier->span.start;
      case NodeKind::assign: {
        const auto& assignment = static_cast<const Assign&>(n);
        if (assignment.target == nullptr) return n.span.start;
        const std::size_t after = assignment.function != nullptr ? assignment.function->span.end : assignment.target->span.end;
        const std::size_t arrow =
            std::min({source_.text.find("←", after), source_.text.find("⇐", after), source_.text.find("↩", after)});
        return arrow < n.span.end ? static_cast<std::uint32_t>(arrow) : n.span.start;
      }
      default: return n.span.start;
    }
  }

  static Span place_of(const Node& n) {
    switch (n.kind) {
      case NodeKind::call: return static_cast<const Call&>(n).function->span;
      case NodeKind::list:
      case NodeKind::merge:
      case NodeKind::field: return n.span;
      case NodeKind::variable: return n.role == Role::subject ? n.span : Span{};
      default: return {};
    }
  }

  void body(const Body& b, unsigned depth) {
    for (const Node* pattern : {b.pattern_w, b.pattern_f, b.pattern_g, b.pattern_x}) node(pattern, depth);
    for (const Statement& s : b.statements) node(s.expression, depth);
  }

  void node(const Node* n, unsigned depth) {
    if (n == nullptr) return;
    line(n, place_of(*n), depth, std::string(name_of(n->kind)) + ", " + role_name(n->role));
    depth++;
    switch (n->kind) {
      case NodeKind::list:
      case NodeKind::merge:
        for (const Node* element : static_cast<const ListNode*>(n)->elements) node(element, depth);
        break;
      case NodeKind::field: node(static_cast<const Field*>(n)->object, depth); break;
      case NodeKind::call: {
        const auto& call = *static_cast<const Call*>(n);
        for (const Node* part : {call.left, call.function, call.right}) node(part, depth);
        break;
      }
      case NodeKind::train: {
        const auto& train = *static_cast<const TrainNode*>(n);
        for (const Node* part : {train.left, train.middle, train.right}) node(part, depth);
        break;
      }
      case NodeKind::derive: {
        const auto& derived = *static_cast<const DeriveNode*>(n);
        for (const Node* part : {derived.left, derived.modifier, derived.right}) node(part, depth);
        break;
      }
      case NodeKind::block:
        for (const Body* b : static_cast<const BlockExpression*>(n)->block->bodies) body(*b, depth);
        break;
      case NodeKind::assign: {
        const auto& assignment = *static_cast<const Assign*>(n);
        for (const Node* part : {assignment.target, assignment.function, assignment.value}) node(part, depth);
        break;
      }
      case NodeKind::alias: node(static_cast<const Alias*>(n)->target, depth); break;
      default: break;
    }
  }

  const SourceText& source_;
  std::vector<OutlineLine> out_;
};

}  // namespace

std::vector<OutlineLine> outline_lines(const SourceText& source, const Body& root) { return Outline(source).lines(root); }

std::string outline(const SourceText& source, const Body& root) {
  std::string text;
  for (const OutlineLine& line : outline_lines(source, root)) text += line.text + '\n';
  return text;
}

}  // namespace griddle
