// Lists from and to tables of other programs, through the Arrow C data interface.
#include "runtime/api/arrow.h"

#include <cmath>
#include <string>
#include <vector>

#include "runtime/api/interpreter_state.h"
#include "runtime/system/argument.h"
#include "runtime/value/namespace.h"

using namespace griddle;

namespace {

template <class T>
void drop_arrow(T* given) {
  if (given != nullptr && given->release != nullptr) given->release(given);
}

bool bit_at(const void* bits, std::size_t i) { return static_cast<const std::uint8_t*>(bits)[i / 8] >> (i % 8) & 1; }

// --- in

// Keeps an array of Arrow while lists show its memory: only the outermost one has a release function that may be called.
struct KeptArray final : NativeObject {
  explicit KeptArray(const ArrowArray& a) : array(a) {}
  ~KeptArray() override { drop_arrow(&array); }
  ArrowArray array;
};

class ArrowReader {
 public:
  ArrowReader(griddle_interpreter& bqn, Ref<KeptArray> kept) : bqn_(bqn), cx_(bqn.cx), kept_(std::move(kept)) {}

  Value list(const ArrowSchema& schema, const ArrowArray& array) {
    cx_.check_stack();
    if (schema.format == nullptr || array.length < 0 || array.offset < 0) fail(cx_, "Arrow: The array is damaged");
    if (schema.dictionary != nullptr) fail(cx_, "Arrow: Arrays with a dictionary cannot be taken");
    const std::string_view format = schema.format;
    if (format == "+s") return columns(schema, array);
    if (format == "+l") return nested<std::int32_t>(schema, array);
    if (format == "+L") return nested<std::int64_t>(schema, array);
    if (format == "u" || format == "z") return texts<std::int32_t>(array);
    if (format == "U" || format == "Z") return texts<std::int64_t>(array);
    if (format == "b") return bits(array);
    if (format == "c") return numbers<std::int8_t>(array, griddle_i8);
    if (format == "C") return numbers<std::uint8_t>(array, griddle_u8);
    if (format == "s") return numbers<std::int16_t>(array, griddle_i16);
    if (format == "S") return numbers<std::uint16_t>(array, griddle_u16);
    if (format == "i") return numbers<std::int32_t>(array, griddle_i32);
    if (format == "I") return numbers<std::uint32_t>(array, griddle_u32);
    if (format == "l") return numbers<std::int64_t>(array, griddle_i64);
    if (format == "L") return numbers<std::uint64_t>(array, griddle_u64);
    if (format == "f") return numbers<float>(array, griddle_f32);
    if (format == "g") return numbers<double>(array, griddle_f64);
    fail(cx_, "Arrow: There are no values for this type (" + std::string(format) + ")");
  }

 private:
  static std::size_t length(const ArrowArray& a) { return static_cast<std::size_t>(a.length); }
  static std::size_t offset(const ArrowArray& a) { return static_cast<std::size_t>(a.offset); }
  const void* buffer(const ArrowArray& a, std::int64_t i) {
    if (i >= a.n_buffers || (a.buffers[i] == nullptr && a.length > 0)) fail(cx_, "Arrow: The array lacks a buffer");
    return a.buffers[i];
  }
  static bool has_missing(const ArrowArray& a) {
    if (a.null_count == 0 || a.n_buffers < 1 || a.buffers[0] == nullptr) return false;
    for (std::size_t i = 0; i < length(a); i++)
      if (!bit_at(a.buffers[0], offset(a) + i)) return true;
    return false;
  }
  void require_all(const ArrowArray& a) {
    if (has_missing(a)) fail(cx_, "Arrow: An element is missing, and only a number can be (NaN)");
  }
  Value taken(griddle_value v, griddle_failure* why) {
    if (why != nullptr) bqn_.throw_failure(why);
    bqn_.handles--;
    return Value::from_bits(v.bits);
  }

  template <class T>
  Value numbers(const ArrowArray& a, griddle_type type) {
    const T* start = static_cast<const T*>(buffer(a, 1)) + offset(a);
    const std::size_t n = length(a);
    if (has_missing(a)) {
      Ref<Array> list = make_list(cx_.heap, ElementType::f64, n);
      for (std::size_t i = 0; i < n; i++)
        list->as<double>()[i] =
            Value(bit_at(a.buffers[0], offset(a) + i) ? static_cast<double>(start[i]) : std::nan("")).number();
      return to_value(std::move(list));
    }
    griddle_failure* why = nullptr;
    if (type >= griddle_any || n == 0) {
      const griddle_value v = griddle_make_list(&bqn_, type, start, n, &why);
      return taken(v, why);
    }
    auto* held = new Ref<KeptArray>(kept_);
    const griddle_value v = griddle_borrow_array(
        &bqn_, type, start, &n, 1, [](void* data) { delete static_cast<Ref<KeptArray>*>(data); }, held, &why);
    return taken(v, why);
  }
  Value bits(const ArrowArray& a) {
    require_all(a);
    Ref<Array> list = make_list(cx_.heap, ElementType::bit, length(a));
    const void* from = buffer(a, 1);
    std::uint64_t* words = list->as<std::uint64_t>();
    for (std::size_t i = 0; i < (length(a) + 63) / 64; i++) words[i] = 0;
    for (std::size_t i = 0; i < length(a); i++) words[i / 64] |= std::uint64_t{bit_at(from, offset(a) + i)} << (i % 64);
    return to_value(std::move(list));
  }
  template <class Offset>
  Value texts(const ArrowArray& a) {
    require_all(a);
    const Offset* ends = static_cast<const Offset*>(buffer(a, 1)) + offset(a);
    const char* characters = a.n_buffers > 2 ? static_cast<const char*>(a.buffers[2]) : nullptr;
    std::vector<Value> values;
    values.reserve(length(a));
    for (std::size_t i = 0; i < length(a); i++) {
      if (ends[i] < 0 || ends[i + 1] < ends[i]) fail(cx_, "Arrow: The places of texts are damaged");
      values.push_back(make_string(cx_.heap, {characters + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i])}));
    }
    return make_values(cx_.heap, values);
  }
  template <class Offset>
  Value nested(const ArrowSchema& schema, const ArrowArray& a) {
    require_all(a);
    if (schema.n_children != 1 || a.n_children != 1) fail(cx_, "Arrow: The array is damaged");
    const Offset* ends = static_cast<const Offset*>(buffer(a, 1)) + offset(a);
    const Value all = list(*schema.children[0], *a.children[0]);
    if (!all.is_array()) fail(cx_, "Arrow: Lists of structs cannot be taken");
    std::vector<Value> values;
    for (std::size_t i = 0; i < length(a); i++) {
      if (ends[i] < 0 || ends[i + 1] < ends[i] || static_cast<std::size_t>(ends[i + 1]) > all.array().length)
        fail(cx_, "Arrow: The places of lists are damaged");
      values.push_back(slice(cx_.heap, all, static_cast<std::size_t>(ends[i]), static_cast<std::size_t>(ends[i + 1] - ends[i])));
    }
    return make_values(cx_.heap, values);
  }
  // Gives the part of a column that its table shows: the table's own offset comes on top of the column's.
  ArrowArray rows(const ArrowArray& column, const ArrowArray& table) {
    ArrowArray part = column;
    if (column.length < 0 || column.length - table.offset < table.length ||
        __builtin_add_overflow(column.offset, table.offset, &part.offset))
      fail(cx_, "Arrow: The array is damaged");
    part.length = table.length;
    return part;
  }
  Value columns(const ArrowSchema& schema, const ArrowArray& a) {
    require_all(a);
    if (schema.n_children != a.n_children) fail(cx_, "Arrow: The array is damaged");
    std::vector<std::pair<std::string, Value>> fields;
    for (std::int64_t i = 0; i < a.n_children; i++) {
      const char* given = schema.children[i]->name;
      std::string name = normalised_name(given != nullptr ? given : "");
      if (name.empty()) name = "column" + std::to_string(i);
      for (const auto& [other, v] : fields)
        if (other == name) fail(cx_, "Arrow: Two columns have the same name (" + name + ")");
      fields.emplace_back(std::move(name), list(*schema.children[i], rows(*a.children[i], a)));
    }
    return make_namespace(cx_.heap, std::move(fields));
  }

  griddle_interpreter& bqn_;
  Context& cx_;
  Ref<KeptArray> kept_;
};

// --- out

// What a given array or schema keeps until it is released.
struct GivenArray {
  griddle_value value = {};
  std::vector<std::int64_t> ends;
  std::string characters;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
};
struct GivenSchema {
  std::string format, name;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> child_pointers;
};

void release_given(ArrowArray* a) {
  const std::unique_ptr<GivenArray> given(static_cast<GivenArray*>(a->private_data));
  for (const auto& child : given->children) drop_arrow(child.get());
  griddle_release(given->value);
  a->release = nullptr;
}
void release_given(ArrowSchema* s) {
  const std::unique_ptr<GivenSchema> given(static_cast<GivenSchema*>(s->private_data));
  for (const auto& child : given->children) drop_arrow(child.get());
  s->release = nullptr;
}

class ArrowWriter {
 public:
  explicit ArrowWriter(griddle_interpreter& bqn) : bqn_(bqn), cx_(bqn.cx) {}

  void value(const Value& v, std::string name, ArrowSchema& schema, ArrowArray& array) {
    cx_.check_stack();
    auto s = std::make_unique<GivenSchema>();
    auto a = std::make_unique<GivenArray>();
    s->name = std::move(name);
    try {
      std::size_t n = 0;
      if (v.is_namespace())
        n = columns(v.name_space(), *s, *a);
      else if (v.is_array() && v.array().is_list())
        n = list(v, *s, *a);
      else
        fail(cx_, "Arrow: Only lists, and namespaces of them, can be given (got a " + kind_text(v) + ")");
      for (const auto& child : s->children) s->child_pointers.push_back(child.get());
      for (const auto& child : a->children) a->child_pointers.push_back(child.get());
      const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
      schema = {s->format.c_str(),        s->name.c_str(), nullptr,       0,      count(s->children),
                s->child_pointers.data(), nullptr,         release_given, nullptr};
      array = {static_cast<std::int64_t>(n),
               0,
               0,
               count(a->buffers),
               count(a->children),
               a->buffers.data(),
               a->child_pointers.data(),
               nullptr,
               release_given,
               nullptr};
    } catch (...) {
      for (const auto& child : s->children) drop_arrow(child.get());
      for (const auto& child : a->children) drop_arrow(child.get());
      griddle_release(a->value);
      throw;
    }
    schema.private_data = s.release();
    array.private_data = a.release();
  }

 private:
  std::size_t columns(const Namespace& n, GivenSchema& s, GivenArray& a) {
    s.format = "+s";
    a.buffers = {nullptr};
    std::optional<std::size_t> rows;
    for (const FieldTable::Field& f : n.table->fields) {
      s.children.push_back(std::make_unique<ArrowSchema>());
      a.children.push_back(std::make_unique<ArrowArray>());
      value(field(n, f.name), f.name, *s.children.back(), *a.children.back());
      const auto length = static_cast<std::size_t>(a.children.back()->length);
      if (rows.value_or(length) != length)
        fail(cx_, "Arrow: The columns of a table have one length (" + f.name + " has another)");
      rows = length;
    }
    return rows.value_or(0);
  }
  std::size_t list(const Value& v, GivenSchema& s, GivenArray& a) {
    const Array& list = v.array();
    switch (list.type()) {
      case ElementType::bit: s.format = "b"; break;
      case ElementType::i8: s.format = "c"; break;
      case ElementType::i16: s.format = "s"; break;
      case ElementType::i32: s.format = "i"; break;
      case ElementType::f64: s.format = "g"; break;
      case ElementType::boxed: return boxes(list, s, a);
      default:
        if (list.length == 0) return boxes(list, s, a);
        fail(cx_, "Arrow: A text is no column; a list of texts is (got a " + kind_text(v) + ")");
    }
    a.value = bqn_.wrap(v);
    a.buffers = {nullptr, list.data.get()};
    return list.length;
  }
  // Texts, or numbers of many kinds.
  std::size_t boxes(const Array& list, GivenSchema& s, GivenArray& a) {
    const std::span<const Value> values = list.length > 0 ? list.boxes() : std::span<const Value>();
    s.format = "U";
    a.ends.push_back(0);
    for (const Value& v : values) {
      if (!is_string(v)) fail(cx_, "Arrow: The elements of a column are numbers, or texts (got a " + kind_text(v) + ")");
      if (v.array().length > 0) {
        cx_.heap.check_limit(a.characters.size() + utf8_bytes(v.array()));
        append_utf8(a.characters, v.array());
      }
      a.ends.push_back(static_cast<std::int64_t>(a.characters.size()));
    }
    a.buffers = {nullptr, a.ends.data(), a.characters.data()};
    return values.size();
  }
  griddle_interpreter& bqn_;
  Context& cx_;
};

}  // namespace

griddle_value griddle_from_arrow(griddle_interpreter* bqn, ArrowSchema* schema, ArrowArray* array, griddle_failure** failure) {
  struct Schema {
    ArrowSchema* schema;
    ~Schema() { drop_arrow(schema); }
  } owned{schema};
  if (bqn == nullptr || schema == nullptr || array == nullptr || array->release == nullptr || schema->release == nullptr) {
    drop_arrow(array);
    return nothing_to_call(failure, bqn == nullptr ? "There is no interpreter" : "Arrow: There is no array");
  }
  return bqn->guarded(failure, [&] {
    Ref<KeptArray> kept;
    try {
      kept = make_native<KeptArray>(bqn->cx.heap, *array);
    } catch (...) {
      drop_arrow(array);
      throw;
    }
    array->release = nullptr;  // moved
    return ArrowReader(*bqn, kept).list(*schema, kept->array);
  });
}

int griddle_to_arrow(griddle_value value, ArrowSchema* schema, ArrowArray* array, griddle_failure** failure) {
  if (value.interpreter == nullptr) return nothing_to_call(failure, "There is no value"), 0;
  return value.interpreter->done(failure, [&] { ArrowWriter(*value.interpreter).value(*Lent(value.bits), "", *schema, *array); });
}
