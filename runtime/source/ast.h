// The syntax tree. The parser resolves roles, scopes and names; the compiler only walks it.
//
// Nodes live in an Arena and are never freed one by one. Texts are views into the source (SourceText outlives the tree).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/names.h"

namespace griddle {

enum class Glyph : std::uint8_t;

struct Span {  // bytes [start, end) of the source
  std::uint32_t start;
  std::uint32_t end;
};

inline const char* role_name(Role role) {
  switch (role) {
    case Role::subject: return "subject";
    case Role::function: return "function";
    case Role::modifier1: return "1-modifier";
    case Role::modifier2: return "2-modifier";
  }
  return "";
}

enum class NodeKind : std::uint8_t {
  number,
  character,
  string,
  nothing,        // literals; nothing is `·`, or 𝕨 in a body for one argument
  constant_list,  // list or strand of only numbers, or of only characters: folded by the parser
  primitive,
  system,
  variable,
  special,
  list,
  merge,   // ⟨…⟩ or a‿b, and […]
  field,   // ns.name
  call,    // w F x, F x
  train,   // f G h, G h
  derive,  // f _m, f _m_ g
  block,
  assign,  // ← ↩ ⇐ in every form
  alias,   // name⇐target inside a destructuring target: `target⇐name`
};

// 𝕨 𝕩 𝕤 𝕗 𝕘 𝕣
enum class SpecialName : std::uint8_t { w, x, s, f, g, r };
constexpr std::uint8_t bit_of(SpecialName n) { return static_cast<std::uint8_t>(1u << static_cast<int>(n)); }

struct Node {
  NodeKind kind;
  Role role;
  // Tells whether evaluating may give Nothing: `·`, 𝕨 in a body that may be called with one argument, a call whose right
  // argument may be Nothing, or a parenthesised such thing.
  bool may_be_nothing = false;
  bool constant = false;  // the compiler's note: code for it is a constant (bytecode/layout.h)
  Span span;
};

struct Number : Node {
  double value;
};
struct Character : Node {
  char32_t value;
};
struct String : Node {
  std::u32string_view value;  // decoded, doubled quotes made single; in the arena
};
// Holds doubles, or code points where `characters`.
struct ConstantList : Node {
  bool characters;
  std::span<const double> numbers;
  std::u32string_view text;
};
struct Primitive : Node {
  Glyph name;
};
struct System : Node {
  std::string_view name;  // normalised: lower case, no underscores, without •
  // •ReBQN knows the scope that it stands in. Only it does: other programs pay nothing.
  bool sees_scope() const { return name == "rebqn"; }
};

// One variable of one body.
struct Binding {
  std::string_view name;      // normalised
  std::string_view spelling;  // at its definition
  Role role;
  std::uint32_t index;    // position in Body::bindings
  bool captured = false;  // used by an inner block, or exported, or living in a REPL scope: it lives in an Environment
  bool changed = false;   // target of ↩ anywhere
  bool exported = false;
  bool read_only = false;  // of a scope given from outside: ↩ may not change it
  bool escapes = false;    // the compiler's note: may be used for more than calls (bytecode/escape.h)
  // The block that the name is defined as, where its only definition is `Name ← {block}` of function or modifier role,
  // directly and not in a compound target, and it is never changed. Lets recursion by name become recursion by 𝕤.
  struct BlockNode* block = nullptr;
  struct Node* tacit = nullptr;  // the compiler's note: the function of primitives that the constant is (bytecode/layout.h)
};

struct Body;
// `body` is where the binding belongs. `hops` bodies lie between: 0 means the body this node stands in.
struct Variable : Node {
  std::uint32_t hops;
  Binding* binding;
  Body* body;
};
struct Special : Node {
  SpecialName name;
};
struct ListNode : Node {  // list and merge
  std::span<Node*> elements;
};
struct Field : Node {
  Node* object;
  std::string_view name;  // normalised
};
struct Call : Node {
  Node* function;
  Node* left;  // null: one argument
  Node* right;
  static constexpr std::uint32_t not_folded = ~0u;
  std::uint32_t folded = not_folded;  // the compiler's note: which of its constants the call gives (bytecode/layout.h)
};
struct TrainNode : Node {
  Node* left;  // null: atop
  Node* middle;
  Node* right;
};
struct DeriveNode : Node {
  Node* modifier;
  Node* left;
  Node* right;  // null: 1-modifier
  // The compiler's notes on ◶ ⍟ ¨ ´ (bytecode/choices.h, loops.h): whether it is no branch or loop, and what it calls as values.
  bool as_value = false;
  Node* choices = nullptr;
  bool branches = false;    // the compiler's note on ¨: its block has predicates or ◶
  bool is_closed = false;   // and whether that block reads no variables around it, so that its value is a constant
  bool for_effect = false;  // the compiler's note on ¨: the function is called once, and nobody needs its results
  bool loops = false;  // the compiler's note on •_while_, which means what it usually does, and on ¨: is a loop in the frame
};
struct BlockExpression : Node {
  struct BlockNode* block;
};

enum class AssignKind : std::uint8_t { define, change, exporting };  // ← ↩ ⇐
struct Assign : Node {
  AssignKind assign;
  Node* target;    // variable, special, list/merge of targets, nothing; null for an export statement (`⇐`, `a⇐`), which only
                   // leaves its mark in Body::exports and has no value
  Node* function;  // `a F↩ x`, `a F↩`; else null
  Node* value;     // null for `a F↩` and for an export statement
};
struct Alias : Node {
  Node* target;           // takes the field
  std::string_view name;  // normalised field name
};

enum class BlockType : std::uint8_t { immediate, function, modifier1, modifier2 };
enum class BodyCase : std::uint8_t {
  general,  // any arity: no header (with or without predicates), or a label only; also every body of an immediate block
  monadic,
  dyadic,
  ambivalent,    // by header: F x, w F x, 𝕨 F x (either arity); of two general bodies the first is monadic,
                 // the second dyadic
  undo,          // 𝕊⁼𝕩
  undo_dyadic,   // 𝕨𝕊⁼𝕩
  undo_swapped,  // 𝕨𝕊˜⁼𝕩
};

struct Statement {
  Node* expression;
  bool predicate;  // `expression ?`
};

struct Body {
  struct BlockNode* block;  // null for a root
  Body* parent;             // enclosing body; null for a root, unless it lies in a scope given from outside
  Span span;
  BodyCase body_case = BodyCase::general;
  bool undo_ambivalent = false;  // `𝕊⁼:` and `𝕨𝕊⁼𝕩:`: serves one argument and two
  // Header patterns; null where the slot is only a special name, `·` or missing. Variables (to define), constants (to match:
  // number, character, string, constant_list), lists, merges, nothing and alias inside lists.
  Node* pattern_w = nullptr;
  Node* pattern_x = nullptr;
  Node* pattern_f = nullptr;
  Node* pattern_g = nullptr;
  Binding* self = nullptr;  // the name that the header gives the block itself
  std::span<Statement> statements;
  std::span<Binding*> bindings;       // by index
  bool has_exports = false;           // some ⇐ stands at this level: the body returns a namespace
  std::span<Binding*> exports;        // in order of first export
  std::uint8_t specials = 0;          // bit per SpecialName used in this body's own level (headers aside)
  std::uint8_t changed_specials = 0;  // bit per SpecialName that ↩ changes
  bool has_environment = false;       // some binding is captured
  // Texts that are not known yet see the variables by name: all live in an Environment, at the slot of their index.
  bool exposed = false;
  struct BodyLayout* layout = nullptr;  // the compiler's notes (bytecode/layout.h)
};

inline bool is_root(const Body& body) { return body.block == nullptr; }

struct BlockNode {
  Span span;
  BlockType type;
  bool deferred = false;    // modifiers only
  bool escapes = false;     // the compiler's note: values of several evaluations may be compared (bytecode/escape.h)
  bool for_effect = false;  // the compiler's note: it is called where it stands alone, and nobody needs its results
  Body* parent;             // the body it stands in
  std::span<Body*> bodies;
  std::string_view label;  // spelling of the name it is given by a header or its definition, for messages; may be empty
};

// A whole program: one root body.
struct Program {
  Body* root;
};

}  // namespace griddle
