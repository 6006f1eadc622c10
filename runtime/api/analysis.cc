// What a source text holds, for editors.
#include "runtime/source/analysis.h"

#include "runtime/api/interpreter_state.h"
#include "runtime/source/hint.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

static_assert(static_cast<int>(SourceKind::unknown) == griddle_token_unknown &&
              static_cast<int>(SourceKind::primitive) == griddle_token_primitive);
static_assert(static_cast<int>(NameUse::change) == griddle_use_change &&
              static_cast<int>(NameUse::exporting) == griddle_use_export);
static_assert(static_cast<int>(Role::modifier2) == griddle_role_modifier2);

// A namespace of lists, each of which holds one thing of all items.
class Columns {
 public:
  explicit Columns(Heap& heap) : heap_(heap) {}
  template <class Items, class Get>
  void add(const char* name, const Items& items, Get get) {
    std::vector<double> column;
    column.reserve(items.size());
    for (const auto& item : items) column.push_back(static_cast<double>(get(item)));
    fields_.emplace_back(name, make_numbers(heap_, std::span<const double>(column)));
  }
  // Adds where items begin and end.
  template <class Items, class Get>
  void add_span(const char* start, const char* end, const Items& items, Get get) {
    add(start, items, [&](const auto& item) { return get(item).start; });
    add(end, items, [&](const auto& item) { return get(item).end; });
  }
  void add_value(const char* name, Value value) { fields_.emplace_back(name, std::move(value)); }
  Value whole() { return make_namespace(heap_, std::move(fields_)); }

 private:
  Heap& heap_;
  std::vector<std::pair<std::string, Value>> fields_;
};

Value tokens_of(Heap& heap, const SourceAnalysis& found) {
  Columns columns(heap);
  columns.add_span("start", "end", found.tokens, [](const SourceToken& t) { return t.span; });
  columns.add("kind", found.tokens, [](const SourceToken& t) { return static_cast<int>(t.kind); });
  columns.add("role", found.tokens, [](const SourceToken& t) { return static_cast<int>(t.role); });
  columns.add("use", found.tokens, [](const SourceToken& t) { return static_cast<int>(t.use); });
  columns.add("definition", found.tokens,
              [&](const SourceToken& t) { return t.definition == no_definition ? found.definitions.size() : t.definition; });
  return columns.whole();
}

Value definitions_of(Heap& heap, const SourceAnalysis& found) {
  Columns columns(heap);
  columns.add("token", found.definitions, [](const SourceDefinition& d) { return d.token; });
  columns.add_span("scopestart", "scopeend", found.definitions, [](const SourceDefinition& d) { return d.scope; });
  columns.add_span("statementstart", "statementend", found.definitions, [](const SourceDefinition& d) { return d.statement; });
  columns.add_span("blockstart", "blockend", found.definitions, [](const SourceDefinition& d) { return d.block; });
  columns.add("exported", found.definitions, [](const SourceDefinition& d) { return d.exported; });
  columns.add("changed", found.definitions, [](const SourceDefinition& d) { return d.changed; });
  return columns.whole();
}

// Adds the system values that there are not, which the parser does not look at.
void add_unknown_system_values(SourceAnalysis& found, std::string_view text) {
  constexpr std::string_view dot = "•";
  for (const SourceToken& t : found.tokens) {
    if (t.kind != SourceKind::system) continue;
    const std::string_view name = text.substr(t.span.start, t.span.end - t.span.start);
    if (!name.starts_with(dot) || find_system_entry(normalised_name(name.substr(dot.size()))) != nullptr) continue;
    found.problems.push_back({"Unknown system value " + std::string(name), t.span});
  }
  std::stable_sort(found.problems.begin(), found.problems.end(),
                   [](const TextProblem& a, const TextProblem& b) { return a.span.start < b.span.start; });
}

// Gives the names that a hint may propose: those of the text, and the system values.
std::vector<KnownName> known_names(const SourceAnalysis& found, std::string_view text) {
  std::vector<KnownName> names;
  for (const SourceDefinition& d : found.definitions) {
    const SourceToken& t = found.tokens[d.token];
    names.push_back({text.substr(t.span.start, t.span.end - t.span.start), t.role});
  }
  constexpr Role roles[] = {Role::function, Role::modifier1, Role::modifier2, Role::subject};
  for (const SystemEntry& entry : system_table()) names.push_back({entry.spelling, roles[static_cast<std::size_t>(entry.kind)]});
  return names;
}

Value problems_of(Heap& heap, InterpreterState& state, const SourceAnalysis& found, std::string_view text) {
  const std::vector<KnownName> names = known_names(found, text);
  std::vector<std::string> messages, hints;
  for (const TextProblem& p : found.problems) {
    messages.push_back(p.message);
    hints.push_back(hint_for(p.message, text, p.span, names));
  }
  Columns columns(heap);
  columns.add_value("message", state.strings(messages));
  columns.add_value("hint", state.strings(hints));
  columns.add_span("start", "end", found.problems, [](const TextProblem& p) { return p.span; });
  columns.add_span("relatedstart", "relatedend", found.problems, [](const TextProblem& p) { return p.related; });
  return columns.whole();
}

Value analysed(InterpreterState& state, std::string_view text) {
  Context& cx = state.cx;
  // The limit of memory holds for the tree too, beside the text itself.
  struct Host {
    Context& cx;
    std::size_t text_bytes;
  } host{cx, text.size()};
  ParseOptions options;
  options.stack_limit = cx.stack_limit();
  options.watch = {[](void* of, std::size_t bytes) {
                     const Host& watching = *static_cast<Host*>(of);
                     watching.cx.check_interrupt();
                     watching.cx.heap.check_limit(watching.text_bytes + bytes);
                   },
                   &host};
  SourceAnalysis found = analyse(SourceText(std::string(text), ""), options);
  add_unknown_system_values(found, text);
  Columns columns(cx.heap);
  columns.add_value("tokens", tokens_of(cx.heap, found));
  columns.add_value("definitions", definitions_of(cx.heap, found));
  columns.add_value("problems", problems_of(cx.heap, state, found, text));
  return columns.whole();
}

}  // namespace

}  // namespace griddle

using namespace griddle;

griddle_value griddle_analyse(griddle_interpreter* bqn, griddle_text source, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter");
  return bqn->guarded(failure, [&] { return analysed(*bqn, view_of(source)); });
}
