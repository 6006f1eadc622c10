#include "runtime/api/griddle_ffi.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/foreign/foreign_call.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

const BQNV missing = Value().bits();

// Runs f for the running foreign call. Where there is none, or f throws, gives what stands for failure.
template <class R, class F>
R guarded(R on_failure, F f) {
  ForeignCall* call = ForeignCall::innermost();
  if (!call) return on_failure;
  try {
    return f(*call);
  } catch (...) {
    call->keep_failure();
    return on_failure;
  }
}

// Likewise for what runs BQN code, which a failure ends.
template <class F>
BQNV evaluated(F f) {
  return guarded(missing, [&](ForeignCall& call) {
    if (call.has_failed()) return missing;
    std::fflush(stdout);  // keeps what C and BQN write in order
    Value result = f(call);
    call.cx.system->streams.flush();
    return result.leak();
  });
}

// A value that stays the caller's.
class Borrowed {
 public:
  Borrowed(ForeignCall& call, BQNV bits, const char* function) : value_(Value::from_bits(bits)) {
    const char* fault = value_.is_mark()                                                    ? "A value is missing"
                        : value_.is_object() && &Heap::of(value_.object()) != &call.cx.heap ? "A value is another interpreter's"
                                                                                            : nullptr;
    if (!fault) return;
    value_.leak();
    fail(call.cx, std::string(function) + ": " + fault);
  }
  ~Borrowed() { value_.leak(); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  const Value& operator*() const { return value_; }
  const Value* operator->() const { return &value_; }

 private:
  Value value_;
};

[[noreturn]] void refuse(ForeignCall& call, const char* function, const char* expected, const Value& got) {
  fail(call.cx, std::string(function) + ": Expected " + expected + " (got a " + kind_text(got) + ")");
}

const Array& array_of(ForeignCall& call, const Borrowed& v, const char* function) {
  if (!v->is_array()) refuse(call, function, "an array", *v);
  return v->array();
}

double read_number(BQNV v, const char* function) {
  return guarded(0.0, [&](ForeignCall& call) {
    Borrowed number(call, v, function);
    if (!number->is_number()) refuse(call, function, "a number", *number);
    return number->number();
  });
}

std::uint32_t read_character(BQNV v, const char* function) {
  return guarded(std::uint32_t{0}, [&](ForeignCall& call) {
    Borrowed character(call, v, function);
    if (!character->is_character()) refuse(call, function, "a character", *character);
    return static_cast<std::uint32_t>(character->character());
  });
}

template <class T>
void read_elements(BQNV array, T* to, ElementType type, const char* function) {
  guarded(0, [&](ForeignCall& call) {
    Borrowed v(call, array, function);
    const Array& a = array_of(call, v, function);
    if (a.length == 0) return 0;
    const ElementType held = a.type() == type ? type : narrowest(a);
    if (is_character(type) ? !is_character(held) || held > type : !is_number(held) || held > type) {
      std::fill_n(to, a.length, T{});
      fail(call.cx, std::string(function) + ": Not all elements are of this type");
    }
    Value converted_array = held == a.type() && held == type ? *v : converted(call.cx.heap, a, type);
    std::memcpy(to, converted_array.array().data, a.length * sizeof(T));
    return 0;
  });
}

std::span<const std::size_t> checked_shape(ForeignCall& call, std::size_t rank, const std::size_t* lengths,
                                           const char* function) {
  if (rank > max_rank) fail(call.cx, std::string(function) + ": There are too many axes (" + std::to_string(rank) + ")");
  std::span<const std::size_t> shape(lengths, rank);
  if (product(shape) > max_length) throw OutOfMemory(~std::size_t{0});
  return shape;
}

template <class T>
BQNV make_elements(std::size_t rank, const std::size_t* lengths, const T* data, ElementType type, const char* function) {
  return guarded(missing, [&](ForeignCall& call) {
    Ref<Array> a = make_array(call.cx.heap, type, checked_shape(call, rank, lengths, function));
    if (a->length > 0) std::memcpy(a->data, data, a->length * sizeof(T));
    if (type == ElementType::f64)
      for (double& d : std::span(a->as<double>(), a->length)) d = Value(d).number();  // one NaN only
    if (type == ElementType::c32)
      for (char32_t c : std::span(a->as<char32_t>(), a->length))
        if (c > 0x10FFFF)
          fail(call.cx, std::string(function) + ": There is no such character (" + std::to_string(std::uint32_t{c}) + ")");
    return to_value(std::move(a)).leak();
  });
}

BQNV make_objects(std::size_t rank, const std::size_t* lengths, const BQNV* data, const char* function) {
  return guarded(missing, [&](ForeignCall& call) {
    const std::span<const std::size_t> shape = checked_shape(call, rank, lengths, function);
    const std::size_t length = product(shape);
    // Looks at all of them first: they are taken together or not at all.
    for (std::size_t i = 0; i < length; i++) Borrowed(call, data[i], function);
    std::vector<Value> elements(length);
    for (std::size_t i = 0; i < length; i++) elements[i] = Value::from_bits(data[i]);
    Value list = make_values(call.cx.heap, elements);
    return with_shape(call.cx.heap, std::move(list), shape).leak();
  });
}

template <class T>
const T* direct_elements(BQNV array, ElementType type, const char* function) {
  return guarded(static_cast<const T*>(nullptr), [&](ForeignCall& call) {
    Borrowed v(call, array, function);
    const Array& a = array_of(call, v, function);
    if (a.type() != type) fail(call.cx, std::string(function) + ": The elements are not held in this type");
    return a.as<T>();
  });
}

// A C function with its object.
struct BoundFunction final : NativeObject {
  bqn_boundFn1 with_one = nullptr;
  bqn_boundFn2 with_two = nullptr;
  Value object;
  Ref<Unit> unit;

  void trace(ObjectVisitor& visitor) override {
    visitor.visit(object);
    if (unit) visitor.visit(unit.get());
  }
  void clear() override {
    object = Value();
    unit = {};
  }
};

template <class F>
Value call_bound(Context& cx, const Function& self, F f) {
  auto bound = Ref<BoundFunction>::share(&static_cast<BoundFunction&>(*static_cast<const NativeFunction&>(self).state));
  ForeignCall call(cx, *bound->unit);
  cx.system->streams.flush();
  Value object = bound->object;
  Value result = Value::from_bits(f(*bound, object.leak()));
  std::fflush(stdout);
  call.rethrow();
  if (result.is_mark()) fail_in(cx, self, "The function gave no value");
  return result;
}

Value call_bound_monad(Context& cx, const Function& self, Value x) {
  return call_bound(cx, self, [&x](const BoundFunction& bound, BQNV object) { return bound.with_one(object, x.leak()); });
}
Value call_bound_dyad(Context& cx, const Function& self, Value w, Value x) {
  return call_bound(cx, self,
                    [&](const BoundFunction& bound, BQNV object) { return bound.with_two(object, w.leak(), x.leak()); });
}

BQNV make_bound(bqn_boundFn1 with_one, bqn_boundFn2 with_two, BQNV object, const char* function) {
  return guarded(missing, [&](ForeignCall& call) {
    Borrowed v(call, object, function);
    Ref<BoundFunction> bound = make_native<BoundFunction>(call.cx.heap);
    bound->with_one = with_one;
    bound->with_two = with_two;
    bound->object = *v;
    bound->unit = Ref<Unit>::share(&call.unit);
    return make_system_function(call.cx, "(foreign function)", with_one ? call_bound_monad : nullptr,
                                with_two ? call_bound_dyad : nullptr, Ref<NativeObject>(bound.leak()))
        .leak();
  });
}

Value evaluate(ForeignCall& call, std::string source) {
  Ref<Unit> unit = make_text_unit(call.cx, std::move(source), {});
  share_system_values(*unit, call.unit);
  return run_unit(call.cx, std::move(unit));
}

std::string field_name(ForeignCall& call, const Borrowed& name, const char* function) {
  if (!is_string(*name)) refuse(call, function, "a name", *name);
  return normalised_name(to_utf8(name->array()));
}

const Namespace& namespace_of(ForeignCall& call, const Borrowed& v, const char* function) {
  if (!v->is_namespace()) refuse(call, function, "a namespace", *v);
  return v->name_space();
}

}  // namespace

}  // namespace griddle

using namespace griddle;

void bqn_init() {}

bool griddle_ffi_failed() {
  const ForeignCall* call = ForeignCall::innermost();
  return call && call->has_failed();
}

void bqn_free(BQNV v) {
  guarded(0, [&](ForeignCall& call) {
    if (v == missing) return 0;
    Borrowed(call, v, "bqn_free");
    Value::from_bits(v);
    return 0;
  });
}

BQNV bqn_copy(BQNV v) {
  return guarded(missing, [&](ForeignCall& call) { return Value(*Borrowed(call, v, "bqn_copy")).leak(); });
}

int bqn_type(BQNV bits) {
  return guarded(-1, [&](ForeignCall& call) {
    Borrowed v(call, bits, "bqn_type");
    return v->is_array()       ? 0
           : v->is_number()    ? 1
           : v->is_character() ? 2
           : v->is_function()  ? 3
           : v->is_modifier1() ? 4
           : v->is_modifier2() ? 5
                               : 6;
  });
}

double bqn_readF64(BQNV v) { return read_number(v, "bqn_readF64"); }
uint32_t bqn_readChar(BQNV v) { return read_character(v, "bqn_readChar"); }
double bqn_toF64(BQNV v) {
  const double number = read_number(v, "bqn_toF64");
  bqn_free(v);
  return number;
}
uint32_t bqn_toChar(BQNV v) {
  const std::uint32_t character = read_character(v, "bqn_toChar");
  bqn_free(v);
  return character;
}

BQNV bqn_call1(BQNV f, BQNV x) {
  return evaluated([&](ForeignCall& call) {
    Borrowed function(call, f, "bqn_call1"), right(call, x, "bqn_call1");
    return griddle::call(call.cx, *function, *right);
  });
}
BQNV bqn_call2(BQNV f, BQNV w, BQNV x) {
  return evaluated([&](ForeignCall& call) {
    Borrowed function(call, f, "bqn_call2"), left(call, w, "bqn_call2"), right(call, x, "bqn_call2");
    return griddle::call(call.cx, *function, *left, *right);
  });
}
BQNV bqn_eval(BQNV source) {
  return evaluated([&](ForeignCall& call) {
    Borrowed text(call, source, "bqn_eval");
    if (!is_string(*text)) refuse(call, "bqn_eval", "a string", *text);
    return evaluate(call, to_utf8(text->array()));
  });
}
BQNV bqn_evalCStr(const char* source) {
  return evaluated([&](ForeignCall& call) { return evaluate(call, source); });
}

size_t bqn_bound(BQNV array) {
  return guarded(std::size_t{0}, [&](ForeignCall& call) {
    Borrowed v(call, array, "bqn_bound");
    return array_of(call, v, "bqn_bound").length;
  });
}
size_t bqn_rank(BQNV array) {
  return guarded(std::size_t{0}, [&](ForeignCall& call) {
    Borrowed v(call, array, "bqn_rank");
    return std::size_t{array_of(call, v, "bqn_rank").rank()};
  });
}
void bqn_shape(BQNV array, size_t* lengths) {
  guarded(0, [&](ForeignCall& call) {
    Borrowed v(call, array, "bqn_shape");
    std::ranges::copy(array_of(call, v, "bqn_shape").shape(), lengths);
    return 0;
  });
}
BQNV bqn_pick(BQNV array, size_t index) {
  return guarded(missing, [&](ForeignCall& call) {
    Borrowed v(call, array, "bqn_pick");
    const Array& a = array_of(call, v, "bqn_pick");
    if (index >= a.length)
      fail(call.cx, "bqn_pick: There is no such element (" + std::to_string(index) + " of " + std::to_string(a.length) + ")");
    return element(a, index).leak();
  });
}

void bqn_readI8Arr(BQNV array, int8_t* to) { read_elements(array, to, ElementType::i8, "bqn_readI8Arr"); }
void bqn_readI16Arr(BQNV array, int16_t* to) { read_elements(array, to, ElementType::i16, "bqn_readI16Arr"); }
void bqn_readI32Arr(BQNV array, int32_t* to) { read_elements(array, to, ElementType::i32, "bqn_readI32Arr"); }
void bqn_readF64Arr(BQNV array, double* to) { read_elements(array, to, ElementType::f64, "bqn_readF64Arr"); }
void bqn_readC8Arr(BQNV array, uint8_t* to) { read_elements(array, to, ElementType::c8, "bqn_readC8Arr"); }
void bqn_readC16Arr(BQNV array, uint16_t* to) { read_elements(array, to, ElementType::c16, "bqn_readC16Arr"); }
void bqn_readC32Arr(BQNV array, uint32_t* to) { read_elements(array, to, ElementType::c32, "bqn_readC32Arr"); }
void bqn_readObjArr(BQNV array, BQNV* to) {
  guarded(0, [&](ForeignCall& call) {
    Borrowed v(call, array, "bqn_readObjArr");
    const Array& a = array_of(call, v, "bqn_readObjArr");
    for (std::size_t i = 0; i < a.length; i++) to[i] = element(a, i).leak();
    return 0;
  });
}

bool bqn_hasField(BQNV name_space, BQNV name) {
  return guarded(false, [&](ForeignCall& call) {
    Borrowed v(call, name_space, "bqn_hasField"), text(call, name, "bqn_hasField");
    return namespace_of(call, v, "bqn_hasField").table->find(field_name(call, text, "bqn_hasField")) != nullptr;
  });
}
BQNV bqn_getField(BQNV name_space, BQNV name) {
  return guarded(missing, [&](ForeignCall& call) {
    Borrowed v(call, name_space, "bqn_getField"), text(call, name, "bqn_getField");
    const std::string wanted = field_name(call, text, "bqn_getField");
    Value found = field(namespace_of(call, v, "bqn_getField"), wanted);
    if (found.is_absent()) fail(call.cx, "bqn_getField: There is no such field (" + wanted + ")");
    return found.leak();
  });
}

BQNV bqn_makeF64(double number) { return Value(number).leak(); }
BQNV bqn_makeChar(uint32_t code_point) {
  return guarded(missing, [&](ForeignCall& call) {
    if (code_point > 0x10FFFF) fail(call.cx, "bqn_makeChar: There is no such character (" + std::to_string(code_point) + ")");
    return Value::character(code_point).leak();
  });
}

BQNV bqn_makeI8Arr(size_t rank, const size_t* shape, const int8_t* data) {
  return make_elements(rank, shape, data, ElementType::i8, "bqn_makeI8Arr");
}
BQNV bqn_makeI16Arr(size_t rank, const size_t* shape, const int16_t* data) {
  return make_elements(rank, shape, data, ElementType::i16, "bqn_makeI16Arr");
}
BQNV bqn_makeI32Arr(size_t rank, const size_t* shape, const int32_t* data) {
  return make_elements(rank, shape, data, ElementType::i32, "bqn_makeI32Arr");
}
BQNV bqn_makeF64Arr(size_t rank, const size_t* shape, const double* data) {
  return make_elements(rank, shape, data, ElementType::f64, "bqn_makeF64Arr");
}
BQNV bqn_makeC8Arr(size_t rank, const size_t* shape, const uint8_t* data) {
  return make_elements(rank, shape, data, ElementType::c8, "bqn_makeC8Arr");
}
BQNV bqn_makeC16Arr(size_t rank, const size_t* shape, const uint16_t* data) {
  return make_elements(rank, shape, data, ElementType::c16, "bqn_makeC16Arr");
}
BQNV bqn_makeC32Arr(size_t rank, const size_t* shape, const uint32_t* data) {
  return make_elements(rank, shape, data, ElementType::c32, "bqn_makeC32Arr");
}
BQNV bqn_makeObjArr(size_t rank, const size_t* shape, const BQNV* data) {
  return make_objects(rank, shape, data, "bqn_makeObjArr");
}

BQNV bqn_makeI8Vec(size_t length, const int8_t* data) { return bqn_makeI8Arr(1, &length, data); }
BQNV bqn_makeI16Vec(size_t length, const int16_t* data) { return bqn_makeI16Arr(1, &length, data); }
BQNV bqn_makeI32Vec(size_t length, const int32_t* data) { return bqn_makeI32Arr(1, &length, data); }
BQNV bqn_makeF64Vec(size_t length, const double* data) { return bqn_makeF64Arr(1, &length, data); }
BQNV bqn_makeC8Vec(size_t length, const uint8_t* data) { return bqn_makeC8Arr(1, &length, data); }
BQNV bqn_makeC16Vec(size_t length, const uint16_t* data) { return bqn_makeC16Arr(1, &length, data); }
BQNV bqn_makeC32Vec(size_t length, const uint32_t* data) { return bqn_makeC32Arr(1, &length, data); }
BQNV bqn_makeObjVec(size_t length, const BQNV* data) { return bqn_makeObjArr(1, &length, data); }
BQNV bqn_makeUTF8Str(size_t bytes, const char* text) {
  return guarded(missing, [&](ForeignCall& call) { return make_string(call.cx.heap, std::string_view(text, bytes)).leak(); });
}

BQNV bqn_makeBoundFn1(bqn_boundFn1 f, BQNV object) { return make_bound(f, nullptr, object, "bqn_makeBoundFn1"); }
BQNV bqn_makeBoundFn2(bqn_boundFn2 f, BQNV object) { return make_bound(nullptr, f, object, "bqn_makeBoundFn2"); }

BQNElType bqn_directArrType(BQNV array) {
  return guarded(elt_unk, [&](ForeignCall& call) {
    Borrowed v(call, array, "bqn_directArrType");
    switch (array_of(call, v, "bqn_directArrType").type()) {
      case ElementType::i8: return elt_i8;
      case ElementType::i16: return elt_i16;
      case ElementType::i32: return elt_i32;
      case ElementType::f64: return elt_f64;
      case ElementType::c8: return elt_c8;
      case ElementType::c16: return elt_c16;
      case ElementType::c32: return elt_c32;
      case ElementType::bit:
      case ElementType::boxed: break;
    }
    return elt_unk;
  });
}
const int8_t* bqn_directI8(BQNV array) { return direct_elements<std::int8_t>(array, ElementType::i8, "bqn_directI8"); }
const int16_t* bqn_directI16(BQNV array) { return direct_elements<std::int16_t>(array, ElementType::i16, "bqn_directI16"); }
const int32_t* bqn_directI32(BQNV array) { return direct_elements<std::int32_t>(array, ElementType::i32, "bqn_directI32"); }
const double* bqn_directF64(BQNV array) { return direct_elements<double>(array, ElementType::f64, "bqn_directF64"); }
const uint8_t* bqn_directC8(BQNV array) { return direct_elements<std::uint8_t>(array, ElementType::c8, "bqn_directC8"); }
const uint16_t* bqn_directC16(BQNV array) { return direct_elements<std::uint16_t>(array, ElementType::c16, "bqn_directC16"); }
const uint32_t* bqn_directC32(BQNV array) { return direct_elements<std::uint32_t>(array, ElementType::c32, "bqn_directC32"); }
