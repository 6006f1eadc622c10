// Which definition each name means. The parser reports definitions and uses in program order and opens and closes bodies.
//
// In its own body a name is visible after its definition; inner bodies see every definition of the bodies around them, wherever
// it stands. So a use that finds no definition in its own body, or in the one right around it, waits: when a body closes, it
// takes the waiting uses of its names that stand in inner bodies, and leaves those of its own level to the bodies further out.
// Each use is looked at no more than twice.
#pragma once

#include <vector>

#include "runtime/source/parser.h"
#include "runtime/source/symbol.h"

namespace griddle {

// A body while it is open and after.
struct ScopedBody : Body {
  ScopedBody* outer;
  std::uint32_t depth;
  std::uint32_t first_use;  // uses counted before it opened
  std::uint32_t binding_count = 0;
  std::uint32_t export_count = 0;
  ScopedBinding* first_binding = nullptr;
  ScopedBinding* last_binding = nullptr;
  struct ExportRequest* export_requests = nullptr;  // latest first

  // Puts a binding at the end.
  void add(ScopedBinding&);
};

struct ScopedBinding : Binding {
  std::uint32_t symbol;
  ScopedBody* body;         // where it is defined
  ScopedBinding* shadowed;  // the same name's binding in an outer body
  ScopedBinding* next;      // in the same body
  bool listed;              // among the exports of this program
  bool is_label;            // names an immediate block: holds no value and may not be used
};

struct PendingUse {
  Variable* node;
  ScopedBody* body;   // where it stands
  PendingUse* older;  // of the same symbol
  std::uint32_t number;
  bool changes;
  bool precedes_definition;  // its own body defines the name later
};

struct ExportRequest {
  std::uint32_t symbol;
  Span span;
  ExportRequest* older;
};

// What is said of a name that is defined nowhere.
inline constexpr const char* undefined_name = "Undefined identifier";

class Scopes {
 public:
  // `shared`, `outer` and `mentions` may be null. `shared` gets new names when the root closes, and not at all if that is never
  // reached.
  Scopes(Arena&, SymbolTable&, RootScope* shared, const OuterScope* outer, std::vector<NameMention>* mentions);
  ~Scopes();
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  // Opens a body inside the current one.
  ScopedBody* open_body();
  // Closes the current body: resolves uses and exports, and fills in its bindings, exports and has_environment. Closing the
  // root reports what has stayed undefined.
  void close_body();
  ScopedBody* current() { return current_; }

  ScopedBinding* define(std::uint32_t symbol, std::string_view spelling, Role, Span);
  void define_label(std::uint32_t symbol, std::string_view spelling, Span);
  // Makes the node for a use, or for a change by ↩.
  Variable* use(std::uint32_t symbol, Role, Span, bool changes);
  // Notes that the name is defined as this block, and names the block after it.
  void set_block(Binding&, BlockNode&);
  // Makes the variables of the current body and of those around it known by name when the program runs.
  void expose();
  // Exports a name of the current body, which may be defined later.
  void request_export(std::uint32_t symbol, Span);

 private:
  void open_outer();
  void open_shared(ScopedBody&);
  ScopedBody* open_inner();
  void close_outer();
  ScopedBinding* add(std::uint32_t symbol, std::string_view spelling, Role, Span, bool is_label);
  void resolve(Variable&, const ScopedBody& from, ScopedBinding&, bool changes);
  void resolve_pending(ScopedBody&, ScopedBinding&);
  void resolve_exports(ScopedBody&);
  void list_bindings(ScopedBody&);
  void check_all_defined();
  void mention(Span place, NameMention::How how, const Binding* binding, const Variable* variable = nullptr) {
    if (mentions_ != nullptr && place.start != place.end) mentions_->push_back({place, how, binding, variable});
  }
  bool redefinable(const ScopedBody& body) const { return shared_ != nullptr && &body == root_; }

  Arena& arena_;
  SymbolTable& symbols_;
  RootScope* shared_;
  const OuterScope* outer_;
  std::vector<NameMention>* const mentions_;
  ScopedBody* root_ = nullptr;  // of the program
  ScopedBody* current_ = nullptr;
  std::uint32_t use_count_ = 0;
  // What the shared root held before.
  ScopedBinding* last_known_ = nullptr;
  bool accepted_ = false;
};

}  // namespace griddle
