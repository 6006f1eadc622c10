// Maps from any value to any value: •HashMap
//
// Entries stand in the order in which they came; slots, searched step by step, find them by hash.
#include <algorithm>
#include <cstring>

#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/hash.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/heap_memory.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

// Nobody can choose keys whose hashes agree.
std::uint64_t hash_of_key(Context& cx, const Value& key) {
  const std::uint64_t h = kernels::hash_keys.of_maps;
  return key.is_number() ? hashing::hash_number(h, key.number()) : hash_from(cx, key, h);
}

// The elements of a list, of which numbers are read from doubles.
class Elements {
 public:
  Elements(Context& cx, const Value& list)
      : list_(is_number(list.array().type()) ? converted(cx.heap, list.array(), ElementType::f64) : list) {}
  Value operator[](std::size_t i) const {
    const Array& a = list_.array();
    if (a.type() == ElementType::f64) return a.as<double>()[i];
    return a.type() == ElementType::boxed ? a.boxes()[i] : element(a, i);
  }

 private:
  Value list_;
};

class HashMap final : public ChangeableObject {
 public:
  explicit HashMap(Context& cx) : ChangeableObject(cx.system->changeable), entries_(cx.heap), slots_(cx.heap) {}

  std::size_t count() const { return count_; }

  // Gives the value of a key, or null.
  Value* find(Context& cx, const Value& key) {
    const std::size_t place = search(cx, key, hash_of_key(cx, key)).entry;
    return place == none ? nullptr : &entries_[place].value;
  }
  // Gives the key a value. Tells whether the key is new.
  bool set(Context& cx, Value key, Value value) {
    const std::uint64_t hash = hash_of_key(cx, key);
    if ((entries_.size() + 1) * 2 > slots_.size()) rebuild(0);
    const Found found = search(cx, key, hash);
    values_ = Value();
    if (found.entry != none) {
      entries_[found.entry].value = std::move(value);
      return false;
    }
    if (entries_.size() >= most_entries) throw OutOfMemory(entries_.size() * sizeof(Entry));
    keys_ = Value();
    slots_[found.slot] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(entries_.size() + 1)};
    entries_.push_back({std::move(key), std::move(value)});
    count_++;
    return true;
  }
  // Fills an empty map with lists of equal length. Gives false where a key comes twice.
  bool fill(Context& cx, const Value& keys, const Value& values) {
    const std::size_t n = keys.array().length;
    if (n > most_entries) throw OutOfMemory(n * sizeof(Entry));
    entries_.reserve(n);
    rebuild(n);
    const Elements key(cx, keys), value(cx, values);
    const std::size_t mask = slots_.size() - 1;
    constexpr std::size_t step = 1 << 14;
    for (std::size_t i = 0; i < n; i++) {
      if (i % step == 0) cx.check_interrupt();
      Value k = key[i];
      const std::uint64_t hash = hash_of_key(cx, k);
      std::size_t slot = hash & mask;
      // Numbers are compared at once, and most keys meet no other.
      for (; slots_[slot].place != 0; slot = (slot + 1) & mask)
        if (slots_[slot].hash == static_cast<std::uint32_t>(hash) && matches(cx, entries_[slots_[slot].place - 1].key, k))
          return false;
      slots_[slot] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(i + 1)};
      entries_.push_back({std::move(k), value[i]});
    }
    count_ = n;
    keys_ = keys;
    values_ = values;
    return true;
  }
  bool remove(Context& cx, const Value& key) {
    const Found found = search(cx, key, hash_of_key(cx, key));
    if (found.entry == none) return false;
    keys_ = values_ = Value();
    empty_slot(found.slot);
    entries_[found.entry].key = entries_[found.entry].value = Value();
    while (!entries_.empty() && entries_.back().key.is_absent()) entries_.pop_back();
    count_--;
    return true;
  }
  // Give lists of all keys, and of their values, in the order in which the keys came.
  Value keys(Context& cx) { return listed(cx, keys_, &Entry::key); }
  Value values(Context& cx) { return listed(cx, values_, &Entry::value); }

  // Fields of the map's namespace while it lives, so that functions can give the map itself.
  Environment* environment = nullptr;

  void trace(ObjectVisitor& visitor) override {
    for (const Entry& entry : entries_) {
      visitor.visit(entry.key);
      visitor.visit(entry.value);
    }
    visitor.visit(keys_);
    visitor.visit(values_);
  }
  void clear() override {
    entries_.clear();
    slots_.clear();
    keys_ = values_ = Value();
    count_ = 0;
  }

 private:
  struct Entry {
    Value key;  // absent: removed
    Value value;
  };
  // Says where an entry is: the lower half of its key's hash, and its place in entries_ from 1; 0: nothing.
  struct Slot {
    std::uint32_t hash, place;
  };
  struct Found {
    std::size_t slot, entry;
  };
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t least_room = 16, most_entries = 0xFFFFFFFE;

  // Finds an entry, or the slot that it would take.
  Found search(Context& cx, const Value& key, std::uint64_t hash) const {
    if (slots_.empty()) return {none, none};
    const std::size_t mask = slots_.size() - 1;
    const auto half = static_cast<std::uint32_t>(hash);
    std::size_t i = half & mask;
    for (; slots_[i].place != 0; i = (i + 1) & mask)
      if (slots_[i].hash == half && matches(cx, entries_[slots_[i].place - 1].key, key)) return {i, slots_[i].place - 1};
    return {i, none};
  }
  static bool matches(Context& cx, const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) return a.number() == b.number();
    if (a.same(b) && a.is_character()) return true;
    if (are_lists_of_bytes(a, b)) {
      const Array &p = a.array(), &q = b.array();
      return p.length == q.length && kernels::equal_bytes(p.data, q.data, p.length << (log2_bits_of(p.type()) - 3));
    }
    return values_match(cx, a, b);
  }
  // Tells whether both are lists of one type, whose elements match where their bytes do.
  static bool are_lists_of_bytes(const Value& a, const Value& b) {
    if (!a.is_array() || !b.is_array() || !a.array().is_list() || !b.array().is_list()) return false;
    const ElementType type = a.array().type();
    return type == b.array().type() && type != ElementType::bit && type != ElementType::f64 && type != ElementType::boxed;
  }
  // Moves back what stands behind a slot and would rather be in it, so that no search ends too early.
  void empty_slot(std::size_t gap) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = (gap + 1) & mask; slots_[i].place != 0; i = (i + 1) & mask) {
      const std::size_t wanted = slots_[i].hash & mask;
      if (((i - wanted) & mask) < ((i - gap) & mask)) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap] = {0, 0};
  }
  // Drops removed entries and makes room for as many again, or for `count` in all.
  void rebuild(std::size_t count) {
    HeapVector<std::uint32_t> hashes(entries_.size(), entries_.get_allocator());
    for (const Slot& slot : slots_)
      if (slot.place != 0) hashes[slot.place - 1] = slot.hash;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); i++) {
      if (entries_[i].key.is_absent()) continue;
      hashes[kept] = hashes[i];
      if (kept != i) entries_[kept] = std::move(entries_[i]);
      kept++;
    }
    entries_.resize(kept);
    std::size_t room = least_room;
    while (room < std::max(kept * 4, count * 2)) room *= 2;
    slots_.assign(room, {0, 0});
    for (std::size_t i = 0; i < kept; i++) {
      std::size_t at = hashes[i] & (room - 1);
      while (slots_[at].place != 0) at = (at + 1) & (room - 1);
      slots_[at] = {hashes[i], static_cast<std::uint32_t>(i + 1)};
    }
  }
  // Gives one side of all entries, and keeps the list until that side changes.
  Value listed(Context& cx, Value& kept, Value Entry::*side) {
    if (kept.is_absent()) {
      ArrayBuilder list(cx.heap, count_);
      for (const Entry& entry : entries_)
        if (!entry.key.is_absent()) list.push(entry.*side);
      kept = list.finish();
    }
    return kept;
  }

  HeapVector<Entry> entries_;
  HeapVector<Slot> slots_;
  std::size_t count_ = 0;
  Value keys_, values_;  // as lists; absent where they are not known
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

Value value_of_key(Context& cx, const Function& self, Value x) {
  Value* value = map_of(self).find(cx, x);
  if (!value) fail_with(cx, missing_key_message(cx, self));
  return *value;
}
Value value_of_key_or(Context& cx, const Function& self, Value w, Value x) {
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
Value keys(Context& cx, const Function& self, Value) { return map_of(self).keys(cx); }
Value values(Context& cx, const Function& self, Value) { return map_of(self).values(cx); }

constexpr std::uint32_t place_of_get = 0, place_of_delete = 3;
constexpr MethodEntry map_methods[] = {
    {"get", "•HashMap.Get", value_of_key, value_of_key_or},
    {"has", "•HashMap.Has", has, nullptr},
    {"set", "•HashMap.Set", nullptr, set},
    {"delete", "•HashMap.Delete", remove, nullptr},
    {"count", "•HashMap.Count", count, nullptr},
    {"keys", "•HashMap.Keys", keys, nullptr},
    {"values", "•HashMap.Values", values, nullptr},
};

Value map_namespace(Context& cx, HashMap& map) {
  if (map.environment) return make_namespace(cx.heap, method_fields(cx, map_methods), Ref<Environment>::share(map.environment));
  const std::uint32_t count = std::size(map_methods);
  Ref<HashMap> state = Ref<HashMap>::share(&map);
  Ref<Environment> environment = make_environment(cx.heap, nullptr, count + 1);
  auto share = [&] { return Ref<NativeObject>::share(&map); };
  for (std::uint32_t i = 0; i < count; i++)
    environment->slots()[i] =
        make_system_function(cx, map_methods[i].spelling, map_methods[i].monad, map_methods[i].dyad, share());
  for (std::uint32_t i : {place_of_get, place_of_delete})
    static_cast<NativeFunction&>(environment->slots()[i].function()).refusal = missing_key_refusal;
  Ref<Sentinel> sentinel = make_native<Sentinel>(cx.heap, state);
  environment->slots()[count] = make_system_function(cx, "", nullptr, nullptr, Ref<NativeObject>(sentinel.leak()));
  map.environment = environment.get();
  return make_namespace(cx.heap, method_fields(cx, map_methods), std::move(environment));
}

}  // namespace

Value make_hash_map(Context& cx, const Function& self, Value w, Value x) {
  const Array& keys = list_argument(cx, self, w, "𝕨");
  const Array& values = list_argument(cx, self, x, "𝕩");
  if (keys.length != values.length)
    fail_in(cx, self,
            "𝕨 and 𝕩 must have the same length (" + std::to_string(keys.length) + " and " + std::to_string(values.length) + ")");
  Ref<HashMap> map = make_native<HashMap>(cx.heap, cx);
  if (!map->fill(cx, w, x)) fail_in(cx, self, "𝕨 must not hold a key twice");
  return map_namespace(cx, *map);
}

}  // namespace griddle::system_functions
