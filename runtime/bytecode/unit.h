// Unit: one source text that is compiled and run, and what its program may ask about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/source/glyphs.h"
#include "runtime/source/location.h"
#include "runtime/source/text.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

struct Unit;

// Gives system values to the compiler. Outlives every unit that names it.
struct SystemResolver {
  virtual ~SystemResolver() = default;
  // `name` is normalised and comes without •, or is a glyph of `glyphs` that is not usual. Gives the absent value where there is
  // no such thing; may throw an Error. What it gives may depend on the unit (•path, •args, •Import), which lives as long as the
  // code does.
  virtual Value resolve(Context&, Unit&, std::string_view name) = 0;
  // Tells whether a name means what it does where no program says otherwise, so that code may do the same without it.
  virtual bool is_usual([[maybe_unused]] std::string_view name) const { return false; }
  // Tells what counts as a primitive; null: the usual ones.
  virtual const GlyphSet* glyphs() const { return nullptr; }
  // Visits the values it keeps, for builds that verify reference counts.
  virtual void trace(ObjectVisitor&) {}
};

struct Unit : NativeObject {
  std::shared_ptr<const SourceText> source;
  OutsideMemory memory;             // of the text
  std::optional<std::string> path;  // directory of the source, absolute unless a program gave it
  std::optional<std::string> name;  // file name of the source
  Value args;                       // •args; absent: none
  SystemResolver* resolver = nullptr;
  Ref<NativeObject> resolver_owner;  // null where the interpreter owns the resolver
  // What the resolver made for this unit alone, by its own keys, while it is compiled: a name means one value all
  // through a program.
  std::vector<std::pair<const void*, Value>> resolved;

  void trace(ObjectVisitor& visitor) override {
    visitor.visit(args);
    if (resolver_owner) visitor.visit(resolver_owner.get());
    for (auto& [key, value] : resolved) visitor.visit(value);
  }
  void clear() override {
    args = Value();
    resolver_owner = {};
    resolved.clear();
  }
};

}  // namespace griddle
