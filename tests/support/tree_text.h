// Trees of programs as text, for tests of the parser.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/primitive.h"
#include "runtime/source/parser.h"
#include "runtime/value/utf8.h"

namespace griddle::testing {

inline std::string utf8_text(std::u32string_view text) {
  std::string result;
  for (const char32_t c : text) append_utf8(result, c);
  return result;
}

// Prints trees: (F x), (F w x), [list], >[merge], (left middle right), name^hops and so on.
class TreePrinter {
 public:
  std::string print(const Body& body) {
    std::string result;
    for (const Statement& statement : body.statements) {
      if (!result.empty()) result += " ⋄ ";
      result += print(statement.expression) + (statement.predicate ? "?" : "");
    }
    return result;
  }

  std::string print(const Node* n) {
    if (n == nullptr) return "_";
    switch (n->kind) {
      case NodeKind::number: return number(static_cast<const Number*>(n)->value);
      case NodeKind::character: return "'" + utf8_text({&static_cast<const Character*>(n)->value, 1}) + "'";
      case NodeKind::string: return "\"" + utf8_text(static_cast<const String*>(n)->value) + "\"";
      case NodeKind::nothing: return "·";
      case NodeKind::constant_list: {
        const auto& list = *static_cast<const ConstantList*>(n);
        if (list.characters) return "c\"" + utf8_text(list.text) + "\"";
        std::string result = "#";
        for (const double x : list.numbers) result += (result.size() > 1 ? "," : "") + number(x);
        return result;
      }
      case NodeKind::primitive: {
        const auto place = static_cast<std::size_t>(static_cast<const Primitive*>(n)->name);
        const PrimitiveTable& table = primitive_table();
        const std::size_t functions = table.functions.size();
        return utf8_text({place < functions ? &table.functions[place].glyph : &table.modifiers[place - functions].glyph, 1});
      }
      case NodeKind::system: return "•" + std::string(static_cast<const System*>(n)->name);
      case NodeKind::variable: {
        const auto& v = *static_cast<const Variable*>(n);
        return std::string(v.binding->name) + (v.hops != 0 ? "^" + std::to_string(v.hops) : "");
      }
      case NodeKind::special:
        return std::string("𝕨𝕩𝕤𝕗𝕘𝕣").substr(4 * static_cast<std::size_t>(static_cast<const Special*>(n)->name), 4);
      case NodeKind::list: return "[" + elements(n) + "]";
      case NodeKind::merge: return ">[" + elements(n) + "]";
      case NodeKind::field:
        return print(static_cast<const Field*>(n)->object) + "." + std::string(static_cast<const Field*>(n)->name);
      case NodeKind::call: {
        const auto& call = *static_cast<const Call*>(n);
        return "(" + print(call.function) + (call.left ? " " + print(call.left) : "") + " " + print(call.right) + ")";
      }
      case NodeKind::train: {
        const auto& train = *static_cast<const TrainNode*>(n);
        return (train.left ? "fork(" + print(train.left) + " " : "atop(") + print(train.middle) + " " + print(train.right) + ")";
      }
      case NodeKind::derive: {
        const auto& d = *static_cast<const DeriveNode*>(n);
        return print(d.modifier) + "(" + print(d.left) + (d.right ? " " + print(d.right) : "") + ")";
      }
      case NodeKind::block: return block(*static_cast<const BlockExpression*>(n)->block);
      case NodeKind::assign: {
        const auto& a = *static_cast<const Assign*>(n);
        const char* const arrows[] = {"←", "↩", "⇐"};
        return "(" + print(a.target) + arrows[static_cast<int>(a.assign)] + (a.function ? print(a.function) + " " : "") +
               print(a.value) + ")";
      }
      case NodeKind::alias:
        return print(static_cast<const Alias*>(n)->target) + "⇐" + std::string(static_cast<const Alias*>(n)->name);
    }
    return "?";
  }

 private:
  static std::string number(double x) {
    std::ostringstream out;
    out.precision(17);
    out << x;
    return out.str();
  }
  std::string elements(const Node* n) {
    std::string result;
    for (const Node* element : static_cast<const ListNode*>(n)->elements) {
      if (!result.empty()) result += " ";
      result += print(element);
    }
    return result;
  }
  std::string block(const BlockNode& b) {
    const char* const types[] = {"", "f", "m", "c"};
    const char* const cases[] = {"", "1", "2", "12", "u", "uw", "us"};
    std::string result = std::string(types[static_cast<int>(b.type)]) + (b.deferred ? "d" : "") + "{";
    for (const Body* body : b.bodies) {
      if (body != b.bodies[0]) result += ";";
      std::string header = std::string(cases[static_cast<int>(body->body_case)]) + (body->undo_ambivalent ? "*" : "");
      const std::pair<const char*, const Node*> patterns[] = {
          {"w", body->pattern_w}, {"f", body->pattern_f}, {"g", body->pattern_g}, {"x", body->pattern_x}};
      for (const auto& [slot, pattern] : patterns) {
        if (pattern != nullptr) header += std::string(header.empty() ? "" : " ") + slot + "=" + print(pattern);
      }
      if (body->self != nullptr) header.append(header.empty() ? "" : " ").append(body->self->spelling);
      if (!header.empty()) result += header + ": ";
      result += print(*body);
    }
    return result + "}";
  }
};

// Gives the tree, or "message @ marked text".
inline std::string parsed(std::string_view program) {
  const SourceText source{std::string(program), "test", ""};
  Arena arena;
  try {
    return TreePrinter().print(*parse(source, arena).root);
  } catch (const SyntaxError& e) {
    CHECK(e.span.start <= e.span.end);
    CHECK(e.span.end <= program.size());
    return "! " + e.message + " @ " + std::string(program.substr(e.span.start, e.span.end - e.span.start));
  }
}

struct ParsedCase {
  const char* program;
  const char* tree;
};

inline void check_parsed(std::initializer_list<ParsedCase> cases) {
  for (const ParsedCase& c : cases) {
    CAPTURE(std::string(c.program));
    CHECK(parsed(c.program) == std::string(c.tree));
  }
}

}  // namespace griddle::testing
