// Maps from any value to any value: •HashMap
//
// Entries stand in the order in which they came; a table of their places, searched step by step, finds them by hash.
#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/hash.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

class HashMap final : public NativeObject {
 public:
  std::size_t count() const { return count_; }

  // Gives the value of a key, or null.
  Value* find(Context& cx, const Value& key) {
    std::size_t place = search(cx, key, hash_of(cx, key));
    return place == none ? nullptr : &entries_[table_[place] - 1].value;
  }
  // Gives the key a value. Tells whether the key is new.
  bool set(Context& cx, Value key, Value value) {
    std::uint64_t hash = hash_of(cx, key);
    std::size_t place = search(cx, key, hash);
    if (place != none) {
      entries_[table_[place] - 1].value = std::move(value);
      return false;
    }
    if ((entries_.size() + 1) * 2 > table_.size()) rebuild(0);
    entries_.push_back({hash, std::move(key), std::move(value)});
    insert(hash, entries_.size());
    count_++;
    return true;
  }
  // Makes room for so many entries.
  void reserve(std::size_t count) {
    entries_.reserve(count);
    if (count * 2 > table_.size()) rebuild(count);
  }
  bool remove(Context& cx, const Value& key) {
    std::size_t place = search(cx, key, hash_of(cx, key));
    if (place == none) return false;
    Entry& entry = entries_[table_[place] - 1];
    entry.key = entry.value = Value();
    table_[place] = removed;
    count_--;
    return true;
  }
  template <class F>
  void each(F f) const {
    for (const Entry& entry : entries_)
      if (!entry.key.is_absent()) f(entry.key, entry.value);
  }

  // Fields of the map's namespace while it lives, so that functions can give the map itself.
  Environment* environment = nullptr;
  Ref<FieldTable> fields;

  void trace(ObjectVisitor& visitor) override {
    for (const Entry& entry : entries_) {
      visitor.visit(entry.key);
      visitor.visit(entry.value);
    }
  }
  void clear() override {
    entries_.clear();
    table_.clear();
    count_ = 0;
  }

 private:
  struct Entry {
    std::uint64_t hash;
    Value key;  // absent: removed
    Value value;
  };
  static constexpr std::size_t none = ~std::size_t{0};
  // The table holds places in entries_ from 1.
  static constexpr std::size_t empty = 0;
  static constexpr std::size_t removed = none;
  static constexpr std::size_t least_room = 16;

  std::size_t search(Context& cx, const Value& key, std::uint64_t hash) const {
    if (table_.empty()) return none;
    std::size_t mask = table_.size() - 1;
    for (std::size_t i = hash & mask; table_[i] != empty; i = (i + 1) & mask) {
      if (table_[i] == removed) continue;
      const Entry& entry = entries_[table_[i] - 1];
      if (entry.hash == hash && matches(cx, entry.key, key)) return i;
    }
    return none;
  }
  static bool matches(Context& cx, const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) return a.number() == b.number();
    if (a.same(b) && a.is_character()) return true;
    if (is_narrow_text(a) && is_narrow_text(b))
      return a.array().length == b.array().length && std::memcmp(a.array().data, b.array().data, a.array().length) == 0;
    return call(cx, primitive(cx, U'≡'), a, b).number() != 0;
  }
  static bool is_narrow_text(const Value& v) {
    return v.is_array() && v.array().is_list() && v.array().type() == ElementType::c8;
  }
  void insert(std::uint64_t hash, std::size_t place) {
    std::size_t mask = table_.size() - 1;
    std::size_t i = hash & mask;
    while (table_[i] != empty) i = (i + 1) & mask;
    table_[i] = place;
  }
  // Drops removed entries and makes room for as many again, or for `count` in all.
  void rebuild(std::size_t count) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.key.is_absent(); });
    std::size_t room = least_room;
    while (room < std::max(entries_.size() * 4, count * 2)) room *= 2;
    table_.assign(room, empty);
    for (std::size_t i = 0; i < entries_.size(); i++) insert(entries_[i].hash, i + 1);
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> table_;
  std::size_t count_ = 0;
};

// Lives in the environment of a map's namespace and tells the map when that goes.
struct Sentinel final : NativeObject {
  explicit Sentinel(Ref<HashMap> map) : map(std::move(map)) {}
  ~Sentinel() override {
    if (map) map->environment = nullptr;
  }
  void trace(ObjectVisitor& visitor) override {
    if (map) visitor.visit(map.get());
  }
  void clear() override {
    if (map) map->environment = nullptr;
    map = {};
  }
  Ref<HashMap> map;
};

HashMap& map_of(const Function& self) { return static_cast<HashMap&>(*static_cast<const NativeFunction&>(self).state); }

Value map_namespace(Context& cx, HashMap& map);

Value missing_key_message(Context& cx, const Function& self) {
  return make_string(cx.heap, std::string(name_of(self)) + ": 𝕩 is no key of the map");
}
Value missing_key_refusal(Context& cx, const Function& self, const Value& w, const Value& x) {
  return !w.is_absent() || map_of(self).find(cx, x) ? Value() : missing_key_message(cx, self);
}

Value get(Context& cx, const Function& self, Value x) {
  Value* value = map_of(self).find(cx, x);
  if (!value) fail_with(cx, missing_key_message(cx, self));
  return *value;
}
Value get_or(Context& cx, const Function& self, Value w, Value x) {
  Value* value = map_of(self).find(cx, x);
  return value ? *value : w;
}
Value has(Context& cx, const Function& self, Value x) { return map_of(self).find(cx, x) != nullptr; }
Value set(Context& cx, const Function& self, Value w, Value x) {
  HashMap& map = map_of(self);
  map.set(cx, std::move(w), std::move(x));
  return map_namespace(cx, map);
}
Value remove(Context& cx, const Function& self, Value x) {
  HashMap& map = map_of(self);
  if (!map.remove(cx, x)) fail_with(cx, missing_key_message(cx, self));
  return map_namespace(cx, map);
}
Value count(Context&, const Function& self, Value) { return map_of(self).count(); }
Value keys(Context& cx, const Function& self, Value) {
  std::vector<Value> list;
  map_of(self).each([&](const Value& key, const Value&) { list.push_back(key); });
  return make_values(cx.heap, list);
}
Value values(Context& cx, const Function& self, Value) {
  std::vector<Value> list;
  map_of(self).each([&](const Value&, const Value& value) { list.push_back(value); });
  return make_values(cx.heap, list);
}

constexpr std::uint32_t place_of_get = 0, place_of_delete = 3;
constexpr MethodEntry methods[] = {
    {"get", "•HashMap.Get", get, get_or},           {"has", "•HashMap.Has", has, nullptr},
    {"set", "•HashMap.Set", nullptr, set},          {"delete", "•HashMap.Delete", remove, nullptr},
    {"count", "•HashMap.Count", count, nullptr},    {"keys", "•HashMap.Keys", keys, nullptr},
    {"values", "•HashMap.Values", values, nullptr},
};

Value map_namespace(Context& cx, HashMap& map) {
  if (map.environment) return make_namespace(cx.heap, map.fields, Ref<Environment>::share(map.environment));
  std::uint32_t count = std::size(methods);
  Ref<HashMap> state = Ref<HashMap>::share(&map);
  if (!map.fields) {
    map.fields = make_native<FieldTable>(cx.heap);
    for (std::uint32_t i = 0; i < count; i++) map.fields->fields.push_back({methods[i].name, methods[i].name, i});
  }
  Ref<Environment> environment = make_environment(cx.heap, nullptr, count + 1);
  auto share = [&] { return Ref<NativeObject>::share(&map); };
  for (std::uint32_t i = 0; i < count; i++)
    environment->slots()[i] = make_system_function(cx, methods[i].spelling, methods[i].monad, methods[i].dyad, share());
  for (std::uint32_t i : {place_of_get, place_of_delete})
    static_cast<NativeFunction&>(environment->slots()[i].function()).refusal = missing_key_refusal;
  Ref<Sentinel> sentinel = make_native<Sentinel>(cx.heap, state);
  environment->slots()[count] = make_system_function(cx, "", nullptr, nullptr, Ref<NativeObject>(sentinel.leak()));
  map.environment = environment.get();
  return make_namespace(cx.heap, map.fields, std::move(environment));
}

const Array& list_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!v.is_array() || !v.array().is_list())
    fail_in(cx, self, std::string(which) + " must be a list (got a " + kind_text(v) + ")");
  return v.array();
}

}  // namespace

Value make_hash_map(Context& cx, const Function& self, Value w, Value x) {
  const Array& keys = list_argument(cx, self, w, "𝕨");
  const Array& values = list_argument(cx, self, x, "𝕩");
  if (keys.length != values.length)
    fail_in(cx, self,
            "𝕨 and 𝕩 must have the same length (" + std::to_string(keys.length) + " and " + std::to_string(values.length) + ")");
  Ref<HashMap> map = make_native<HashMap>(cx.heap);
  map->reserve(keys.length);
  for (std::size_t i = 0; i < keys.length; i++)
    if (!map->set(cx, element(keys, i), element(values, i))) fail_in(cx, self, "𝕨 must not hold a key twice");
  return map_namespace(cx, *map);
}

}  // namespace griddle::system_functions
