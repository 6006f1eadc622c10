// Values as bytes and back: data, namespaces, and functions that have source text.
//
//   "griddle" and a byte, the version 1; then a value:
//   0  number       8 bytes, as a double
//   1  character    4 bytes, its code point
//   2  array        element type, rank and kind of fill, a byte each; the lengths, 8 bytes each; the elements, packed bits in
//   whole
//                   bytes, boxed ones as values; the fill as a value, where it is neither none, 0 nor a space
//   3  operation    8 bytes of length, source text
//   4  namespace    8 bytes of number of fields; for each the name as length and text, and its value
//
// Everything is little-endian. What comes from outside is trusted in nothing: lengths are compared with the bytes there are
// before memory is taken, and source text runs without system values.
#include "runtime/system/stored_value.h"

#include <cmath>
#include <cstring>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/format/format.h"
#include "runtime/format/growing_text.h"
#include "runtime/system/evaluate.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/fill.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

constexpr std::string_view magic("griddle\1", 8);
enum Tag : std::uint8_t { number_tag, character_tag, array_tag, operation_tag, namespace_tag };
enum FillTag : std::uint8_t { no_fill, zero_fill, space_fill, nested_fill };

// Of all that is not a number one is stored, as one is read: equal values have equal bytes.
void settle_not_numbers(char* doubles, std::size_t n) {
  in_pieces(n, [&](std::size_t from, std::size_t to) {
    for (char* at = doubles + from * sizeof(double); at < doubles + to * sizeof(double); at += sizeof(double)) {
      double d;
      std::memcpy(&d, at, sizeof d);
      if (d == d) continue;
      d = Value(d).number();
      std::memcpy(at, &d, sizeof d);
    }
  });
}

std::size_t stored_bytes(ElementType type, std::size_t n) { return type == ElementType::bit ? (n + 7) / 8 : bytes_for(type, n); }

class Writer {
 public:
  Writer(Context& cx, std::string_view who) : out_(magic, cx.heap), cx_(cx), growing_(cx), who_(who) {}
  void value(const Value& v) {
    cx_.check_stack();
    growing_.takes(out_);
    if (v.is_number()) {
      put(number_tag), put(v.number());
    } else if (v.is_character()) {
      put(character_tag), put(static_cast<std::uint32_t>(v.character()));
    } else if (v.is_array()) {
      array(v);
    } else if (v.is_namespace()) {
      name_space(v.name_space());
    } else {
      HeapText source(cx_.heap);
      if (append_source(cx_, source, v) != SourceProblem::none)
        fail(cx_, std::string(who_) + "The value holds what has no source text (a " + kind_text(v) + ")");
      put(operation_tag), text(source);
    }
  }
  HeapText out_;

 private:
  template <class T>
  void put(T t) {
    out_.append(reinterpret_cast<const char*>(&t), sizeof t);
  }
  void text(std::string_view s) { put(std::uint64_t{s.size()}), out_ += s; }
  void array(const Value& v) {
    const Array& a = v.array();
    const Value fill = fill_of(cx_.heap, v);
    const FillTag tag = fill.is_absent()                                  ? no_fill
                        : fill.is_number() && fill.number() == 0          ? zero_fill
                        : fill.is_character() && fill.character() == U' ' ? space_fill
                                                                          : nested_fill;
    put(array_tag), put(static_cast<std::uint8_t>(a.type())), put(static_cast<std::uint8_t>(a.rank())), put(tag);
    for (const std::size_t length : a.shape()) put(std::uint64_t{length});
    if (a.type() == ElementType::boxed) {
      for (std::size_t i = 0; i < a.length; i++) value(a.boxes()[i]);
    } else if (a.length > 0) {
      const std::size_t bytes = stored_bytes(a.type(), a.length);
      growing_.append(out_, {a.as<char>(), bytes});
      if (a.type() == ElementType::f64) settle_not_numbers(out_.data() + out_.size() - bytes, a.length);
      // What lies beyond the last bit is nobody's.
      if (a.type() == ElementType::bit && a.length % 8 != 0)
        out_.back() = static_cast<char>(static_cast<unsigned char>(out_.back()) & ((1u << a.length % 8) - 1));
    }
    if (tag == nested_fill) value(fill);
  }
  void name_space(const Namespace& n) {
    put(namespace_tag), put(std::uint64_t{n.table->fields.size()});
    for (const FieldTable::Field& f : n.table->fields) {
      text(f.name);
      const Value v = field(n, f.name);
      if (v.is_absent()) fail(cx_, std::string(who_) + "A field has no value (" + f.name + ")");
      value(v);
    }
  }
  Context& cx_;
  GrowingText growing_;
  std::string_view who_;
};

class Reader {
 public:
  Reader(Context& cx, std::string_view bytes, std::string_view who) : cx_(cx), rest_(bytes), who_(who) {}
  Value whole() {
    if (!rest_.starts_with(magic)) fail_of("The bytes hold no value, or one of another version");
    rest_.remove_prefix(magic.size());
    Value v = value();
    if (!rest_.empty()) fail_of("More bytes follow than the value has");
    return v;
  }

 private:
  [[noreturn]] void fail_of(const char* why) { fail(cx_, std::string(who_) + why); }
  [[noreturn]] void damaged() { fail_of("The bytes of the value are damaged"); }
  std::string_view take(std::size_t n) {
    if (n > rest_.size()) damaged();
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }
  template <class T>
  T get() {
    T t;
    std::memcpy(&t, take(sizeof t).data(), sizeof t);
    return t;
  }
  std::string_view text() { return take(get<std::uint64_t>()); }
  Value value() {
    cx_.check_stack();
    switch (get<std::uint8_t>()) {
      case number_tag: return Value(get<double>());
      case character_tag: return character(get<std::uint32_t>());
      case array_tag: return array();
      case operation_tag: return operation();
      case namespace_tag: return name_space();
      default: damaged();
    }
  }
  Value character(std::uint32_t c) {
    if (c > 0x10FFFF) damaged();
    return Value::character(c);
  }
  Value operation() {
    // Without system values source text does nothing but compute.
    Ref<Unit> unit = make_text_unit(cx_, std::string(text()), "");
    unit->resolver = nullptr;
    return run_unit(cx_, std::move(unit));
  }
  Value name_space() {
    const std::uint64_t count = get<std::uint64_t>();
    std::vector<std::pair<std::string, Value>> fields;
    std::unordered_set<std::string_view> names;
    for (std::uint64_t i = 0; i < count; i++) {
      const std::string_view name = text();
      if (!names.insert(name).second) damaged();
      fields.emplace_back(name, value());
    }
    return make_namespace(cx_.heap, std::move(fields));
  }
  Value array() {
    const std::uint8_t type_code = get<std::uint8_t>(), rank = get<std::uint8_t>(), fill = get<std::uint8_t>();
    if (type_code > static_cast<std::uint8_t>(ElementType::boxed) || rank > max_rank || fill > nested_fill) damaged();
    const ElementType type = static_cast<ElementType>(type_code);
    std::vector<std::size_t> shape(rank);
    std::size_t n = 1;
    for (std::size_t& length : shape) {
      length = get<std::uint64_t>();
      if (__builtin_mul_overflow(n, length, &n)) damaged();
    }
    // A box takes two bytes at least; no count of bytes can overflow then.
    if (n / 8 > rest_.size() || (type == ElementType::boxed && n > rest_.size())) damaged();
    const std::size_t bytes = type == ElementType::boxed ? 0 : stored_bytes(type, n);
    if (bytes > rest_.size()) damaged();
    Ref<Array> a = make_array(cx_.heap, type, shape);
    if (type == ElementType::boxed) {
      for (std::size_t i = 0; i < n; i++) a->as<Value>()[i] = value();
    } else if (n > 0) {
      std::memcpy(a->data, take(bytes).data(), bytes);
      settle(*a);
    }
    Value fill_value = fill == zero_fill     ? Value(0)
                       : fill == space_fill  ? Value::character(U' ')
                       : fill == nested_fill ? value()
                                             : Value();
    if (type != ElementType::boxed && fill == (is_character(type) ? space_fill : zero_fill)) return to_value(std::move(a));
    return with_fill(cx_.heap, to_value(std::move(a)), fill_value);
  }
  // Sees to it that elements are such as arrays hold: one NaN, and code points alone.
  void settle(Array& a) {
    if (a.type() == ElementType::f64)
      for (double& d : std::span(a.as<double>(), a.length)) d = Value(d).number();
    if (a.type() == ElementType::c32)
      for (const char32_t c : std::span(a.as<char32_t>(), a.length))
        if (c > 0x10FFFF) damaged();
  }
  Context& cx_;
  std::string_view rest_, who_;
};

}  // namespace

HeapText stored_value(Context& cx, const Value& v, std::string_view who) {
  Writer writer(cx, who);
  writer.value(v);
  return std::move(writer.out_);
}

Value value_of_stored(Context& cx, std::string_view bytes, std::string_view who) { return Reader(cx, bytes, who).whole(); }

}  // namespace griddle
