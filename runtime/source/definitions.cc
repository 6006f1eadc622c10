#include "runtime/source/definitions.h"

namespace griddle {

namespace {

// Visits the names of a target, which may be a list of targets.
void name_targets(const Node& target, const std::string& text, std::vector<Definitions::Definition>& names) {
  switch (target.kind) {
    case NodeKind::variable: names.push_back({std::string(static_cast<const Variable&>(target).binding->spelling), text}); break;
    case NodeKind::list:
    case NodeKind::merge:
      for (const Node* part : static_cast<const ListNode&>(target).elements) name_targets(*part, text, names);
      break;
    case NodeKind::alias: name_targets(*static_cast<const Alias&>(target).target, text, names); break;
    default: break;
  }
}

}  // namespace

Definitions definitions_of(const SourceText& source, const Body& root) {
  Definitions found;
  for (const Statement& s : root.statements) {
    found.ends_in_assignment = s.expression->kind == NodeKind::assign;
    if (!found.ends_in_assignment) continue;
    const auto& assignment = static_cast<const Assign&>(*s.expression);
    // `a F↩ x` says what becomes of a value, not what it is.
    if (assignment.target == nullptr || assignment.function != nullptr) continue;
    const Span span = s.expression->span;
    name_targets(*assignment.target, source.text.substr(span.start, span.end - span.start), found.names);
  }
  return found;
}

}  // namespace griddle
