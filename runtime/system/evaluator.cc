// Evaluators with options: •ReBQN
#include <algorithm>

#include "runtime/bytecode/compiler.h"
#include "runtime/system/argument.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/value/utf8.h"
#include "runtime/vm/vm.h"

namespace griddle::system_functions {

namespace {

// Variables that texts which share their names can have in all, or eight times those of the first text where that is more.
constexpr std::size_t least_variables = std::size_t{1} << 10;

// What evaluated texts may use: what the maker of the evaluator may use, less or changed where the options say so.
struct Evaluator final : NativeObject, SystemValues {
  struct Named {
    std::string name;  // normalised
    Value value;       // absent: the parent's
  };
  SystemValues* parent = nullptr;
  Ref<NativeObject> parent_owner;  // null where the interpreter owns the parent
  bool safe = false;
  std::optional<HeapVector<Named>> named;          // the only system values; none: the parent's
  std::optional<GlyphSet> glyph_set;               // the only primitives; none: the parent's
  HeapVector<Value> glyph_values{Heap::of(this)};  // in the order of the glyph set
  std::optional<ImportCache> own_imports;          // none: shared with the parent
  OutsideMemory memory;                            // of the glyph set, the scope and what is around
  // A scope that the evaluated texts share; null where each has its own.
  std::unique_ptr<RootScope> scope;
  Ref<Environment> root;  // null until the first text
  // The caller's scope around the evaluated texts; none, null: they see none. The environment is null where it has no variables.
  std::optional<OuterScope> outer;
  Ref<Environment> around;

  const Named* find(std::string_view name) const {
    auto found = std::find_if(named->begin(), named->end(), [name](const Named& n) { return n.name == name; });
    return found == named->end() ? nullptr : &*found;
  }

  Value resolve(Context& cx, Unit& unit, std::string_view name) override {
    if (std::isalpha(static_cast<unsigned char>(name[0]))) {
      const Named* own = named ? find(name) : nullptr;
      if (named && !own) return Value();
      return own && !own->value.is_absent() ? own->value : parent->resolve(cx, unit, name);
    }
    if (!glyph_set) return parent->resolve(cx, unit, name);
    const char* start = name.data();
    const char32_t glyph = decode_utf8(start, start + name.size());
    return glyph_values[static_cast<std::size_t>(glyph_set->find(glyph) - glyph_set->entries.data())];
  }
  bool is_usual(std::string_view name) const override {
    const Named* own = named ? find(name) : nullptr;
    return (!named || (own && own->value.is_absent())) && parent->is_usual(name);
  }
  // Counts what lies outside of the heap by now.
  void count_memory() {
    std::size_t bytes = (glyph_set ? glyph_set->entries.capacity() * sizeof(GlyphSet::Entry) : 0) + (scope ? scope->bytes() : 0);
    if (outer)
      for (const OuterBody& body : *outer)
        for (const OuterName& name : body) bytes += sizeof name + name.name.capacity() + name.spelling.capacity();
    memory.hold(Heap::of(this), bytes);
  }
  const GlyphSet* glyphs() const override { return glyph_set ? &*glyph_set : parent->glyphs(); }
  bool permits(Reach reach) const override {
    return (!safe || reach == Reach::none || reach == Reach::read_clock) && parent->permits(reach);
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    if (named) {
      for (const Named& n : *named) names.push_back(n.name);
      return names;
    }
    for (std::string& name : parent->names()) {
      const SystemEntry* entry = find_system_entry(name);
      if (!entry || permits(entry->reach)) names.push_back(std::move(name));
    }
    return names;
  }

  Value primitives(Context& cx) override {
    if (!glyph_set) return parent->primitives(cx);
    std::vector<Value> pairs;
    for (std::size_t i = 0; i < glyph_values.size(); i++)
      pairs.push_back(make_pair(cx.heap, Value::character(glyph_set->entries[i].glyph), glyph_values[i]));
    return make_values(cx.heap, pairs);
  }

  ImportCache& imports() override { return own_imports ? *own_imports : parent->imports(); }

  void trace(ObjectVisitor& visitor) override {
    if (parent_owner) visitor.visit(parent_owner.get());
    if (root) visitor.visit(root.get());
    if (around) visitor.visit(around.get());
    if (own_imports) own_imports->trace(visitor);
    if (named)
      for (const Named& n : *named) visitor.visit(n.value);
    for (const Value& v : glyph_values) visitor.visit(v);
  }
  void clear() override {
    parent_owner = {};
    root = {};
    around = {};
    own_imports.reset();
    named.reset();
    glyph_values.clear();
  }
};

Value evaluate_with(Context& cx, const Function& self, const Value& w, const Value& x) {
  auto& evaluator = static_cast<Evaluator&>(*static_cast<const NativeFunction&>(self).state);
  Ref<Unit> unit = make_text_unit(cx, string_argument(cx, self, x), {});
  unit->resolver = &evaluator;
  unit->resolver_owner = Ref<NativeObject>::share(&evaluator);
  if (!w.is_mark()) locate(cx, self, *unit, w);
  ParseOptions options;
  if (evaluator.outer) options.outer = &*evaluator.outer;
  if (!evaluator.scope) {
    Ref<Code> code = load(cx, std::move(unit), options);
    return cx.vm->run(*code, evaluator.around.get());
  }
  Ref<Code> code = load(cx, std::move(unit), *evaluator.scope, options);
  evaluator.count_memory();
  if (evaluator.scope->body()->has_exports) fail_in(cx, self, "Texts that share their names cannot give a namespace");
  const std::size_t variables = evaluator.scope->body()->bindings.size();
  if (!evaluator.root)
    evaluator.root =
        Vm::make_root(cx.heap, static_cast<std::uint32_t>(std::max(least_variables, 8 * variables)), evaluator.around.get());
  Vm::grow(cx, *evaluator.root, variables);
  return cx.vm->run(*code, evaluator.root.get());
}

Value evaluator_monad(Context& cx, const Function& self, Value x) { return evaluate_with(cx, self, Value::nothing(), x); }
Value evaluator_dyad(Context& cx, const Function& self, Value w, Value x) { return evaluate_with(cx, self, w, x); }

// Gives the elements of a list of pairs.
std::pair<Value, Value> pair_of(Context& cx, const Function& self, const Value& v, const char* what) {
  if (!v.is_array() || !v.array().is_list() || v.array().length != 2)
    fail_in(cx, self, std::string(what) + " must consist of pairs (got a " + kind_text(v) + " in it)");
  return {element(v.array(), 0), element(v.array(), 1)};
}

std::string glyph_text(char32_t c) {
  std::string text;
  append_utf8(text, c);
  return text;
}

void choose_primitives(Context& cx, const Function& self, Evaluator& evaluator, const Value& chosen) {
  const Array& pairs = list_argument(cx, self, chosen, "primitives");
  evaluator.glyph_set.emplace();
  for (std::size_t i = 0; i < pairs.length; i++) {
    cx.check_interrupt();
    auto [glyph, value] = pair_of(cx, self, element(pairs, i), "primitives");
    if (!glyph.is_character()) fail_in(cx, self, "A primitive's glyph must be a character (got a " + kind_text(glyph) + ")");
    if (!value.is_operation())
      fail_in(cx, self,
              "A primitive must be an operation (got a " + kind_text(value) + " for " + glyph_text(glyph.character()) + ")");
    const char32_t c = glyph.character();
    if (!may_be_glyph(c)) fail_in(cx, self, "The grammar uses this character already (" + glyph_text(c) + ")");
    if (evaluator.glyph_set->find(c)) fail_in(cx, self, "Two primitives have the same glyph (" + glyph_text(c) + ")");
    const Role role = value.is_function() ? Role::function : value.is_modifier1() ? Role::modifier1 : Role::modifier2;
    evaluator.glyph_set->entries.push_back({c, role, glyph_of(value) == c});
    evaluator.glyph_values.push_back(std::move(value));
  }
}

void choose_system_values(Context& cx, const Function& self, Evaluator& evaluator, const Value& chosen) {
  if (is_string(chosen) && chosen.array().length > 0) {
    const std::string choice = to_utf8(chosen.array());
    if (choice == "all") return;
    if (choice == "safe") {
      evaluator.safe = true;
      return;
    }
    if (choice != "none") fail_in(cx, self, "system must be all, none, safe or a list of names (got " + choice + ")");
    evaluator.named.emplace(cx.heap);
    return;
  }
  const Array& list = list_argument(cx, self, chosen, "system");
  const std::vector<std::string> inherited = evaluator.parent->names();
  evaluator.named.emplace(cx.heap);
  for (std::size_t i = 0; i < list.length; i++) {
    Value entry = element(list, i);
    if (is_string(entry)) {
      std::string name = normalised_name(string_argument(cx, self, entry));
      if (std::find(inherited.begin(), inherited.end(), name) == inherited.end())
        fail_in(cx, self, "There is no system value with this name to hand on (" + name + ")");
      evaluator.named->push_back({std::move(name), Value()});
    } else {
      auto [name, value] = pair_of(cx, self, entry, "system");
      evaluator.named->push_back({normalised_name(string_argument(cx, self, name, "A name in system")), std::move(value)});
    }
  }
}

// Makes the names of a scope visible, and open to change, as a setting says.
void set_name(Context& cx, const Function& self, OuterName& name, const std::string& setting) {
  if (setting != "none" && setting != "read" && setting != "modify")
    fail_in(cx, self, "scope must be none, read or modify (got " + setting + ")");
  name.hidden = setting == "none";
  name.read_only = setting == "read";
}

// Leaves of a scope the names that are listed with a setting each.
void choose_names(Context& cx, const Function& self, OuterScope& scope, const Array& pairs) {
  const OuterScope whole = scope;
  for (OuterBody& body : scope)
    for (OuterName& name : body) name.hidden = true;
  for (std::size_t i = 0; i < pairs.length; i++) {
    auto [spelling, setting] = pair_of(cx, self, element(pairs, i), "scope");
    const std::string name = normalised_name(string_argument(cx, self, spelling, "A name in scope"));
    OuterName* found = nullptr;
    for (std::size_t level = 0; level < scope.size() && !found; level++) {
      for (std::size_t k = 0; k < scope[level].size(); k++)
        if (whole[level][k].name == name && !whole[level][k].hidden) found = &scope[level][k];
    }
    if (!found) fail_in(cx, self, "There is no variable with this name in the scope (" + name + ")");
    const bool fixed = found->read_only;
    set_name(cx, self, *found, string_argument(cx, self, setting, "A setting in scope"));
    found->read_only |= fixed;
  }
}

void choose_scope(Context& cx, const Function& self, Evaluator& evaluator, const CapturedScope& place, const Value& chosen) {
  OuterScope scope = place.visible->scope;
  if (is_string(chosen) && chosen.array().length > 0) {
    const std::string setting = string_argument(cx, self, chosen);
    for (OuterBody& body : scope) {
      for (OuterName& name : body) {
        const OuterName before = name;
        set_name(cx, self, name, setting);
        name.hidden |= before.hidden;
        name.read_only |= before.read_only;
      }
    }
    OuterName any{};
    set_name(cx, self, any, setting);
    if (setting == "none") return;
  } else {
    choose_names(cx, self, scope, list_argument(cx, self, chosen, "scope"));
  }
  evaluator.outer = std::move(scope);
  evaluator.around = place.environment;
}

}  // namespace

Value make_evaluator(Context& cx, const Function& self, Value x) {
  const Namespace& options = namespace_argument(cx, self, x);
  const auto& place = static_cast<const CapturedScope&>(*static_cast<const NativeFunction&>(self).state);
  const Unit& maker = *place.visible->unit;
  Ref<Evaluator> evaluator = make_native<Evaluator>(cx.heap);
  evaluator->parent = &values_of(maker);
  evaluator->parent_owner = maker.resolver_owner;
  for (const FieldTable::Field& option : options.table->fields) {
    Value chosen = options.environment->slots()[option.slot];
    if (option.name == "repl") {
      std::string repl = string_argument(cx, self, chosen, "repl");
      if (repl != "none" && repl != "loose" && repl != "strict")
        fail_in(cx, self, "repl must be none, loose or strict (got " + repl + ")");
      if (repl == "none") continue;
      evaluator->scope = std::make_unique<RootScope>(repl == "loose");
    } else if (option.name == "primitives") {
      choose_primitives(cx, self, *evaluator, chosen);
      evaluator->own_imports.emplace();
    } else if (option.name == "system") {
      choose_system_values(cx, self, *evaluator, chosen);
      if (evaluator->safe || evaluator->named) evaluator->own_imports.emplace();
    } else if (option.name == "scope") {
      choose_scope(cx, self, *evaluator, place, chosen);
    } else {
      fail_in(cx, self, "There is no option with this name (" + option.name + ")");
    }
  }
  evaluator->count_memory();
  return make_system_function(cx, "(evaluator)", evaluator_monad, evaluator_dyad, Ref<NativeObject>(evaluator.leak()));
}

}  // namespace griddle::system_functions
