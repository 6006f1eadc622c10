// How values are kept, for the tests of programs and of runtimes: •internal
//
// Nothing here changes what a value means; it shows and chooses storage. Names and codes are those of the reference, so that
// test programs written for it run.
#include <fcntl.h>

#include <array>
#include <cmath>
#include <cstring>

#include "runtime/files.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/cycles.h"
#include "runtime/value/fill.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

// Holds what `Inc` forms share, until ClearRefs.
struct KeptValues final : NativeObject {
  std::vector<Value> values;
  void trace(ObjectVisitor& visitor) override {
    for (const Value& v : values) visitor.visit(v);
  }
  void clear() override { values.clear(); }
};

KeptValues& kept(const Function& self) { return static_cast<KeptValues&>(*static_cast<const NativeFunction&>(self).state); }

constexpr std::array<const char*, element_type_count> short_names = {"b", "i8", "i16", "i32", "f64", "c8", "c16", "c32", "h"};
constexpr std::array<const char*, element_type_count> long_names = {"bit", "i8", "i16", "i32", "f64", "c8", "c16", "c32", "h"};

std::string storage_name(const Value& v) {
  if (v.is_number()) return "tagged f64";
  if (v.is_character()) return "tagged c32";
  if (v.is_array()) {
    const Array& a = v.array();
    const bool slice = a.is_view() && a.owner()->kind == ObjectKind::array;
    return std::string(long_names[static_cast<int>(a.type())]) + (slice ? "slice" : "arr");
  }
  switch (v.object()->kind) {
    case ObjectKind::block_function: return "funBl";
    case ObjectKind::derived_block:
    case ObjectKind::derived: {
      const Value& g = v.object()->kind == ObjectKind::derived ? static_cast<const Derived&>(v.function()).g
                                                               : static_cast<const DerivedBlock&>(v.function()).g;
      return g.is_absent() ? "md1D" : "md2D";
    }
    case ObjectKind::train: return static_cast<const Train&>(v.function()).f.is_absent() ? "atop" : "fork";
    case ObjectKind::primitive_modifier:
    case ObjectKind::native_modifier: return v.is_modifier1() ? "md1BI" : "md2BI";
    case ObjectKind::block_modifier: return v.is_modifier1() ? "md1Bl" : "md2Bl";
    case ObjectKind::name_space: return "ns";
    default: return "funBI";
  }
}

Value storage(Context& cx, const Function&, Value x) { return make_string(cx.heap, storage_name(x)); }

Value element_code(Context&, const Function&, Value x) {
  return static_cast<int>(x.is_array() ? x.array().type() : element_type_of(x));
}

// The argument itself is one of the references.
Value references(Context& cx, const Function&, Value x) {
  if (!x.is_object()) return make_string(cx.heap, "(not heap-allocated)");
  return static_cast<double>(x.object()->refs);
}

Value described(Context& cx, const Function&, Value x) {
  std::string text = storage_name(x);
  if (x.is_object()) text += ", references " + std::to_string(x.object()->refs);
  if (x.is_array()) text += ", length " + std::to_string(x.array().length);
  return make_string(cx.heap, text);
}
Value described_in_detail(Context& cx, const Function& self, Value, Value x) { return described(cx, self, std::move(x)); }

// Narrows even what then loses a fill of its own, as the tests of the reference expect.
Value squeezed_array(Context& cx, Value x) {
  const ElementType type = narrowest(x.array());
  return type == x.array().type() ? x : converted(cx.heap, x.array(), type);
}
Value squeezed(Context& cx, const Function&, Value x) { return x.is_array() ? squeezed_array(cx, std::move(x)) : x; }

Value deeply_squeezed(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  if (!x.is_array()) return x;
  if (x.array().type() == ElementType::boxed) {
    Ref<Array> a = make_writable(cx.heap, std::move(x));
    for (Value& v : a->boxes()) v = deeply_squeezed(cx, self, std::move(v));
    x = to_value(std::move(a));
  }
  return narrowed(cx.heap, std::move(x));
}

bool pure(Context& cx, const Value& v) {
  cx.check_stack();
  if (v.is_number() || v.is_character()) return true;
  if (v.is_array()) {
    if (v.array().type() != ElementType::boxed) return true;
    for (const Value& e : v.array().boxes())
      if (!pure(cx, e)) return false;
    return true;
  }
  if (v.is_function()) return v.function().is_pure();
  return v.object()->kind == ObjectKind::primitive_modifier;
}
Value is_pure(Context& cx, const Function&, Value x) { return pure(cx, x); }

Value keep(Context&, const Function&, Value x) { return x; }

Value has_fill(Context& cx, const Function&, Value x) { return !fill_of(cx.heap, x).is_absent(); }

const Array& array_argument(Context& cx, const Function& self, const Value& x) {
  if (!x.is_array()) fail_in(cx, self, "𝕩 must be an array (got a " + kind_text(x) + ")");
  return x.array();
}

Value own_copy(Context& cx, const Array& a, ElementType type) {
  Ref<Array> copy = make_array(cx.heap, type, a.shape());
  copy_elements(*copy, 0, a, 0, a.length);
  return to_value(std::move(copy));
}

Value unshared(Context& cx, const Function&, Value x) {
  if (!x.is_array()) return x;
  return with_fill_like(cx.heap, own_copy(cx, x.array(), x.array().type()), x);
}

// A form is its kind, A for memory of its own or S for a slice of another array's; the element type, of which f keeps boxes with
// a fill; and Inc where another reference is to be held.
// Options ask for more: i for Inc, f for boxes without a fill.
Value forms_with(Context& cx, const Function& self, Value w, Value x) {
  const Array& a = array_argument(cx, self, x);
  const std::string options = string_argument(cx, self, w, "𝕨");
  if (options.find_first_not_of("if") != std::string::npos)
    fail_in(cx, self, "𝕨 must consist of options i and f (got " + options + ")");
  const ElementType narrow = narrowest(a);
  std::vector<Value> names;
  const auto add = [&](const std::string& type, bool slices) {
    for (const char* sharing : {"", "Inc"}) {
      if (*sharing != 0 && options.find('i') == std::string::npos) break;
      for (const char* kind : {"A", "S"})
        if (*kind == 'A' || slices) names.push_back(make_string(cx.heap, kind + type + sharing));
    }
  };
  if (narrow != ElementType::boxed) {
    const ElementType last = is_number(narrow) ? ElementType::f64 : ElementType::c32;
    for (int t = static_cast<int>(narrow); t <= static_cast<int>(last); t++)
      add(short_names[static_cast<std::size_t>(t)], t != static_cast<int>(ElementType::bit));
  }
  if (options.find('f') != std::string::npos) add("h", true);
  add("f", true);
  return make_values(cx.heap, names);
}
Value forms(Context& cx, const Function& self, Value x) { return forms_with(cx, self, make_string(cx.heap, "if"), std::move(x)); }

// Brings numbers into the range of an integer type.
Value clamped(Context& cx, Value x, ElementType type) {
  const double bits = static_cast<double>(bits_of(type) - 1);
  const double least = type == ElementType::bit ? 0 : -std::exp2(bits), most = type == ElementType::bit ? 1 : std::exp2(bits) - 1;
  x = call(cx, primitive(cx, Glyph::maximum), Value(least), std::move(x));
  const Value& minimum = primitive(cx, Glyph::minimum);
  return call(cx, minimum, Value(most), call(cx, minimum, std::move(x)));
}

Value keep_form(Context& cx, const Function& self, Value x, ElementType wanted, bool sliced, bool shared) {
  const Array& a = x.array();
  Value result;
  if (sliced) {
    // One element stands before the slice, and one behind; a slice that is copied for being short keeps the meaning.
    Ref<Array> longer = make_list(cx.heap, wanted, a.length + 2);
    if (wanted != ElementType::boxed) std::memset(longer->data, 0, bytes_for(wanted, a.length + 2));
    copy_elements(*longer, 1, a, 0, a.length);
    result = slice(cx.heap, to_value(std::move(longer)), 1, a.shape());
  } else {
    result = own_copy(cx, a, wanted);
  }
  result = with_fill_like(cx.heap, std::move(result), x);
  if (shared) kept(self).values.push_back(result);
  return result;
}

Value variation(Context& cx, const Function& self, Value w, Value x) {
  const Array& a = array_argument(cx, self, x);
  const std::string form = string_argument(cx, self, w, "𝕨");
  std::string_view type = form;
  const bool sliced = type.starts_with("S"), shared = type.ends_with("Inc");
  if (!sliced && !type.starts_with("A")) type = {};
  if (!type.empty()) type.remove_prefix(1);
  if (shared) type.remove_suffix(3);
  std::size_t found = 0;
  while (found < short_names.size() && type != short_names[found]) found++;
  if (type == "f") found = static_cast<std::size_t>(ElementType::boxed);
  if (found == short_names.size()) fail_in(cx, self, "𝕨 must be a form that ListVariations names (got " + form + ")");
  const ElementType wanted = static_cast<ElementType>(found);
  const bool widens = a.type() != ElementType::boxed && a.type() <= wanted && is_number(a.type()) == is_number(wanted);
  const ElementType narrow = widens ? a.type() : narrowest(a);
  const bool same_family = narrow != ElementType::boxed && is_number(narrow) == is_number(wanted);
  if (a.length != 0 && wanted != ElementType::boxed && !same_family)
    fail_in(cx, self, "𝕨 must be a form that holds 𝕩 (got " + form + ")");
  if (a.length != 0 && wanted < narrow && wanted != ElementType::boxed) {
    if (!is_integer(wanted)) fail_in(cx, self, "𝕨 must be a form that holds 𝕩 (got " + form + ")");
    x = clamped(cx, std::move(x), wanted);
  }
  return keep_form(cx, self, std::move(x), wanted, sliced, shared);
}
Value forget_kept(Context&, const Function& self, Value) {
  std::vector<Value> values;
  values.swap(kept(self).values);
  return static_cast<double>(values.size());
}

// Tells whether two values are the same to every program: NaN is itself, and the types of elements do not count.
bool same(Context& cx, const Value& w, const Value& x) {
  cx.check_stack();
  if (w.is_array() != x.is_array()) return false;
  if (w.is_operation() && x.is_operation()) return call(cx, primitive(cx, Glyph::equal), w, x).number() == 1;
  if (!w.is_array())
    return w.is_number() && x.is_number() ? w.number() == x.number() || (w.number() != w.number() && x.number() != x.number())
                                          : w.same(x);
  const Array& a = w.array();
  const Array& b = x.array();
  if (!std::ranges::equal(a.shape(), b.shape())) return false;
  for (std::size_t i = 0; i < a.length; i++)
    if (!same(cx, element(a, i), element(b, i))) return false;
  return true;
}
Value are_same(Context& cx, const Function&, Value w, Value x) { return same(cx, w, x); }

// Tells whether values that are the same have the same fills as well, and so have their elements.
bool fills_agree(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array()) return true;
  cx.check_stack();
  if (fill_of(cx.heap, w).is_absent() ? !fill_of(cx.heap, x).is_absent() : common_fill(cx.heap, w, x).is_absent()) return false;
  const Array& a = w.array();
  for (std::size_t i = 0; a.type() == ElementType::boxed && i < a.length; i++)
    if (!fills_agree(cx, a.boxes()[i], element(x.array(), i))) return false;
  return true;
}
Value are_indistinguishable(Context& cx, const Function&, Value w, Value x) { return same(cx, w, x) && fills_agree(cx, w, x); }

Value collect(Context& cx, const Function&, Value) {
  collect_cycles(cx.heap);
  return 1;
}

// What is known of an array, a bit each: that it has the narrowest type, and that it ascends or descends.
constexpr int is_narrowest = 1, ascends = 2, descends = 4, all_known = 7;

Value known_order(Context& cx, const Function& self, Value x) {
  const Array& a = array_argument(cx, self, x);
  return (narrowest(a) == a.type() ? is_narrowest : 0) + (a.has_noted_order(false) ? ascends : 0) +
         (a.has_noted_order(true) ? descends : 0);
}
// Gives a copy of which just that order is known; whether it is true is the caller's word. The type is looked up, not remembered.
Value with_known_order(Context& cx, const Function& self, Value w, Value x) {
  const Array& a = array_argument(cx, self, x);
  const std::size_t known = natural_argument(cx, self, w, "𝕨");
  if (known > all_known) fail_in(cx, self, "𝕨 must be a sum of 1, 2 and 4 (got " + std::to_string(known) + ")");
  Value copy = own_copy(cx, a, a.type());
  copy.array().forget_order();
  if (known & ascends) copy.array().note_order(false);
  if (known & descends) copy.array().note_order(true);
  return with_fill_like(cx.heap, std::move(copy), x);
}

// Gives the bits of a length, and that none of the reference's tests for builds of its own apply.
Value properties(Context& cx, const Function&, Value, Value) {
  Value list[7] = {static_cast<double>(8 * sizeof(std::size_t))};
  std::fill(std::begin(list) + 1, std::end(list), Value(0.0));
  return make_values(cx.heap, list);
}

Value heap_sizes(Context& cx, const Function&, Value) {
  Value sizes[] = {static_cast<double>(cx.heap.bytes_in_use()), static_cast<double>(cx.heap.bytes_in_use())};
  return make_values(cx.heap, sizes);
}

// Writes the memory of the heap to a file: for each piece its address and its length, then what it holds.
Value write_heap(Context& cx, const Function& self, Value x) {
  const std::string path =
      is_string(x) && x.array().length > 0 ? path_argument(cx, self, x) : joined_path(starting_directory(cx), "GriddleHeapDump");
  constexpr mode_t for_the_owner = 0600;
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, for_the_owner));
  bool good = static_cast<bool>(file);
  cx.heap.see_memory([&](const char* start, std::size_t bytes) {
    const std::array<std::uint64_t, 2> head = {reinterpret_cast<std::uint64_t>(start), bytes};
    good = good && file.write_all({reinterpret_cast<const char*>(head.data()), sizeof head}) && file.write_all({start, bytes});
  });
  if (!good || !file.close()) fail_system(cx, self, "Cannot write the file", path);
  return x;
}
constexpr SystemEntry heap_dump = function_in_unit("•internal.HeapDump", write_heap).reaching(Reach::write_files);

constexpr MethodEntry internal_methods[] = {
    {"type", "•internal.Type", storage, nullptr},
    {"eltype", "•internal.ElType", element_code, nullptr},
    {"refc", "•internal.Refc", references, nullptr},
    {"info", "•internal.Info", described, described_in_detail},
    {"squeeze", "•internal.Squeeze", squeezed, nullptr},
    {"deepsqueeze", "•internal.DeepSqueeze", deeply_squeezed, nullptr},
    {"ispure", "•internal.IsPure", is_pure, nullptr},
    {"keep", "•internal.Keep", keep, nullptr},
    {"purekeep", "•internal.PureKeep", keep, nullptr},
    {"hasfill", "•internal.HasFill", has_fill, nullptr},
    {"unshare", "•internal.Unshare", unshared, nullptr},
    {"listvariations", "•internal.ListVariations", forms, forms_with},
    {"variation", "•internal.Variation", nullptr, variation},
    {"clearrefs", "•internal.ClearRefs", forget_kept, nullptr},
    {"eequal", "•internal.EEqual", nullptr, are_same},
    {"indistinguishable", "•internal.Indistinguishable", nullptr, are_indistinguishable},
    {"validate", "•internal.Validate", keep, nullptr},
    {"temp", "•internal.Temp", keep, nullptr},
    {"gc", "•internal.GC", collect, nullptr},
    {"objflags", "•internal.ObjFlags", known_order, with_known_order},
    {"properties", "•internal.Properties", nullptr, properties},
    {"heapstats", "•internal.HeapStats", heap_sizes, nullptr},
};

}  // namespace

Value internal_namespace(Context& cx, Unit& unit) {
  const Ref<NativeObject> state(make_native<KeptValues>(cx.heap).leak());
  std::vector<std::pair<std::string, Value>> fields;
  for (const MethodEntry& m : internal_methods) {
    Value method = make_system_function(cx, m.spelling, m.monad, m.dyad, state);
    if (std::string_view(m.name) == "purekeep") method.object()->flags |= Function::pure;
    fields.emplace_back(m.name, std::move(method));
  }
  fields.emplace_back("heapdump", make_system_value(cx, unit, heap_dump));
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace griddle::system_functions
