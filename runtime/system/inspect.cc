// What things are and what they are made of: •Type •Glyph •Decompose •Cmp •Hash •primitives •listsys •platform •ns
#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/order/order.h"
#include "runtime/bytecode/chunk.h"
#include "runtime/format/format.h"
#include "runtime/primitive.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/hash.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

// The first element of what •Decompose gives.
enum Part { data = -1, primitive_part = 0, other = 1, atop = 2, fork = 3, with_operand = 4, with_operands = 5 };

template <class... Values>
Value parts_list(Context& cx, Part part, const Values&... values) {
  Value list[] = {Value(part), values...};
  return make_values(cx.heap, list);
}

Value derived_parts(Context& cx, const Value& modifier, const Value& f, const Value& g) {
  return g.is_absent() ? parts_list(cx, with_operand, f, modifier) : parts_list(cx, with_operands, f, modifier, g);
}

Value namespace_keys(Context& cx, const Function& self, Value x) {
  const auto& fields = namespace_argument(cx, self, x).table->fields;
  std::vector<Value> keys;
  keys.reserve(fields.size());
  for (const FieldTable::Field& f : fields) keys.push_back(make_string(cx.heap, f.name));
  return make_values(cx.heap, keys);
}

Value namespace_has(Context& cx, const Function& self, Value w, Value x) {
  const Namespace& n = namespace_argument(cx, self, w, "𝕨");
  return n.table->find(normalised_name(string_argument(cx, self, x))) != nullptr;
}

Value namespace_get(Context& cx, const Function& self, Value w, Value x) {
  const Namespace& n = namespace_argument(cx, self, w, "𝕨");
  std::string name = string_argument(cx, self, x);
  Value v = field(n, normalised_name(name));
  if (v.is_absent()) fail_in(cx, self, "𝕨 has no such field (" + name + ")");
  return v;
}

constexpr MethodEntry namespace_methods[] = {
    {"get", "•ns.Get", nullptr, namespace_get},
    {"has", "•ns.Has", nullptr, namespace_has},
    {"keys", "•ns.Keys", namespace_keys, nullptr},
};

// Tells whether arrays of plain elements are the same in memory; where they are not, they may still match.
bool same_bytes(const Array& a, const Array& b) {
  if (a.type() != b.type() || a.type() == ElementType::bit || a.type() == ElementType::boxed) return false;
  return std::ranges::equal(a.shape(), b.shape()) &&
         (a.length == 0 || std::memcmp(a.data, b.data, bytes_for(a.type(), a.length)) == 0);
}

Value hash_pair(Context& cx, std::uint64_t h) {
  Ref<Array> halves = make_list(cx.heap, ElementType::f64, 2);
  halves->as<double>()[0] = static_cast<double>(h >> 32);
  halves->as<double>()[1] = static_cast<double>(h & 0xFFFFFFFF);
  return to_value(std::move(halves));
}

}  // namespace

Value type_code(Context&, const Function&, Value x) {
  if (x.is_array()) return 0;
  if (x.is_number()) return 1;
  if (x.is_character()) return 2;
  if (x.is_function()) return 3;
  if (x.is_modifier1()) return 4;
  return x.is_modifier2() ? 5 : 6;
}

Value glyph(Context& cx, const Function& self, Value x) {
  char32_t found = glyph_of(x);
  if (!found) fail_in(cx, self, "𝕩 must be a primitive (got a " + kind_text(x) + ")");
  return Value::character(found);
}

Value block_source(Context& cx, const Function& self, Value x) {
  const Object* code = nullptr;
  if (x.is_operation()) {
    if (x.object()->kind == ObjectKind::block_function) code = static_cast<const BlockFunction&>(x.function()).code;
    if (x.object()->kind == ObjectKind::block_modifier) code = static_cast<const BlockModifier&>(x.modifier()).code;
  }
  if (!code) fail_in(cx, self, "𝕩 must be a block (got a " + kind_text(x) + ")");
  auto& block = static_cast<const Code&>(*code);
  return make_string(cx.heap,
                     std::string_view(block.unit->source->text).substr(block.span.start, block.span.end - block.span.start));
}

Value decompose(Context& cx, const Function&, Value x) {
  if (!x.is_operation()) return parts_list(cx, data, x);
  if (glyph_of(x)) return parts_list(cx, primitive_part, x);
  switch (x.object()->kind) {
    case ObjectKind::train: {
      auto& train = static_cast<const Train&>(x.function());
      return train.f.is_absent() ? parts_list(cx, atop, train.g, train.h) : parts_list(cx, fork, train.f, train.g, train.h);
    }
    case ObjectKind::derived: {
      auto& derived = static_cast<const Derived&>(x.function());
      return derived_parts(cx, derived.modifier, derived.f, derived.g);
    }
    case ObjectKind::derived_block: {
      auto& derived = static_cast<const DerivedBlock&>(x.function());
      return derived_parts(cx, derived.modifier, derived.f, derived.g);
    }
    default: return parts_list(cx, other, x);
  }
}

Value compare(Context& cx, const Function& self, Value w, Value x) {
  if (w.is_number() && x.is_number() && w.number() == w.number() && x.number() == x.number())
    return w.number() < x.number() ? -1 : static_cast<int>(w.number() > x.number());
  if (w.is_array() && x.is_array() && same_bytes(w.array(), x.array())) return 0.0;
  const int order = primitives::Ordering(cx, name_of(self).data()).compare(w, x);
  return (order > 0) - (order < 0);
}

Value hash(Context& cx, const Function&, Value x) { return hash_pair(cx, hash_of(cx, x)); }

Value seeded_hash(Context& cx, const Function& self, Value w, Value x) {
  return hash_pair(cx, hash_of(cx, x, std::bit_cast<std::uint64_t>(number_argument(cx, self, w, "𝕨"))));
}

Value primitive_pairs(Context& cx, Unit& unit) { return values_of(unit).primitives(cx); }

Value system_names(Context& cx, Unit& unit) {
  std::vector<Value> names;
  for (const std::string& name : values_of(unit).names()) names.push_back(make_string(cx.heap, name));
  return make_values(cx.heap, names);
}

Value platform_namespace(Context& cx, Unit&) {
  auto text = [&](const char* s) { return make_string(cx.heap, s); };
  auto fields = [&](std::vector<std::pair<std::string, Value>> f) { return make_namespace(cx.heap, std::move(f)); };
#if defined(__x86_64__)
  const char* architecture = "x86-64";
#elif defined(__aarch64__)
  const char* architecture = "aarch64";
#else
  const char* architecture = "other";
#endif
#if defined(__APPLE__)
  const char* system = "darwin";
#else
  const char* system = "linux";
#endif
  return fields({{"os", text(system)},
                 {"environment", text("native")},
                 {"cpu", fields({{"arch", text(architecture)}})},
                 {"bqn", fields({{"impl", text("Griddle")}, {"implVersion", text(GRIDDLE_VERSION)}})}});
}

Value namespace_functions(Context& cx, Unit&) { return make_method_namespace(cx, namespace_methods); }

}  // namespace griddle::system_functions
