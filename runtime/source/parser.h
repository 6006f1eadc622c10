// From source text to syntax tree. Roles, scopes and names are resolved on the way; every rule that needs no running program
// is checked here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/source/arena.h"
#include "runtime/source/ast.h"
#include "runtime/source/glyphs.h"
#include "runtime/source/text.h"

namespace griddle {

// Variables that a program finds around it, as the bodies of running code hold them: innermost first, each variable at the slot
// of its Environment that is its place here.
struct OuterName {
  std::string name;  // normalised
  std::string spelling;
  Role role;
  bool hidden = false, read_only = false;
};
using OuterBody = std::vector<OuterName>;
using OuterScope = std::vector<OuterBody>;

// A place where a program writes a name of its own.
struct NameMention {
  enum class How : std::uint8_t { definition, change, use, exporting };
  Span place;
  How how;
  const Binding* binding;    // null where `variable` has it
  const Variable* variable;  // of a use or change, which may mean what is defined further on
  const Binding& meant() const { return variable != nullptr ? *variable->binding : *binding; }
};

struct ParseOptions {
  // Lowest address that the parser's recursion may reach; deeper nesting is a SyntaxError. Null: 512 KiB below the caller.
  const char* stack_limit = nullptr;
  // Lets the program be empty, or end in a statement without a value: the tree then has no statements, or ends in such a one.
  bool value_optional = false;
  // Names that the root body holds from the start, in this order from index 0; the caller gives them values.
  std::span<const std::string_view> predeclared = {};
  // What counts as a primitive; null: the usual ones.
  const GlyphSet* glyphs = nullptr;
  // The scope that the root body lies in; null: none. The tree points into it.
  const OuterScope* outer = nullptr;
  // Takes the tree as lines of text (outline.h), where somebody wants it.
  std::vector<struct OutlineLine>* outline = nullptr;
  // Takes what the program defines, where somebody wants it.
  struct Definitions* definitions = nullptr;
  // Takes each place of a name, where somebody wants them. They are whole when the program is parsed.
  std::vector<NameMention>* mentions = nullptr;
  // Is told of the tokens of a statement, as long as they grow. The memory of the tree is the arena's to tell.
  Watch watch = {};
};

// A root scope that several sources share, one after the other, as the lines of a session do. All of its names are captured.
class RootScope {
 public:
  // `redefinition`: its names may be defined anew.
  explicit RootScope(bool redefinition = true);
  RootScope(const RootScope&) = delete;
  RootScope& operator=(const RootScope&) = delete;
  // Gives the body that every program of this scope has as its root; its statements and exports are those of the latest program.
  // Bindings keep their index; new ones are added at the end.
  Body* body();
  // Gives the binding of a name, which may be new, as a program would that defines the name and changes it. `name` is normalised.
  Binding& define(std::string_view name, std::string_view spelling, Role);
  // Gives the bytes that it takes.
  std::size_t bytes() const { return sizeof *this + arena_.bytes() + bindings_.capacity() * sizeof(Binding*); }

 private:
  friend class Scopes;
  // Most scopes have few names.
  Arena arena_{{}, 1024};
  struct ScopedBody* body_;
  std::vector<Binding*> bindings_;
  bool redefinition_;
};

// Parses a program with a scope of its own. The tree lives in the arena and points into the source. Throws SyntaxError.
Program parse(const SourceText&, Arena&, const ParseOptions& = {});
// Parses a program into a shared scope, which stays as it was where the program has an error.
Program parse(const SourceText&, Arena&, RootScope&, const ParseOptions& = {});

}  // namespace griddle
