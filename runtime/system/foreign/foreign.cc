// Functions of other languages: •FFI
#ifdef __EMSCRIPTEN__

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"

namespace griddle::system_functions {

Value foreign_function(Context& cx, const Function& self, Value, Value) {
  fail_in(cx, self, "A browser has no libraries to call");
}

}  // namespace griddle::system_functions

#else

#include <dlfcn.h>
#include <ffi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/foreign/foreign_call.h"
#include "runtime/system/foreign/foreign_value.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

using Kind = ForeignType::Kind;
using Passing = ForeignArgument::Passing;

constexpr std::size_t most_arguments = 1000;

// What a call needs to know; libffi keeps pointers into it.
struct ForeignFunction final : NativeObject {
  void (*code)() = nullptr;
  std::string name;
  Ref<Unit> unit;               // the source that asked for it
  ForeignTypeRef result;        // null: none, or one of the arguments
  bool gives_argument = false;  // the result is the one argument that is returned
  std::vector<ForeignArgument> arguments;
  std::size_t from_left = 0;  // arguments that come from 𝕨
  bool whole_left = false;
  bool whole_right = false;
  ffi_cif call_interface;
  std::vector<ffi_type*> argument_types;
  // Structures as libffi wants to see them.
  std::deque<ffi_type> structures;
  std::deque<std::vector<ffi_type*> > members;

  void trace(ObjectVisitor& visitor) override {
    if (unit) visitor.visit(unit.get());
  }
  void clear() override { unit = {}; }

  ffi_type* type_of(const ForeignType& type) {
    switch (type.kind) {
      case Kind::integer:
        return type.size == 1   ? &ffi_type_sint8
               : type.size == 2 ? &ffi_type_sint16
               : type.size == 4 ? &ffi_type_sint32
                                : &ffi_type_sint64;
      case Kind::natural:
        return type.size == 1   ? &ffi_type_uint8
               : type.size == 2 ? &ffi_type_uint16
               : type.size == 4 ? &ffi_type_uint32
                                : &ffi_type_uint64;
      case Kind::real: return type.size == 4 ? &ffi_type_float : &ffi_type_double;
      case Kind::bqn_value: return &ffi_type_uint64;
      case Kind::pointer: return &ffi_type_pointer;
      case Kind::array: {
        std::vector<ffi_type*> elements(type.count, type_of(*type.element));
        return structure(std::move(elements));
      }
      case Kind::structure: {
        std::vector<ffi_type*> fields;
        for (const ForeignTypeRef& field : type.fields) fields.push_back(type_of(*field));
        return structure(std::move(fields));
      }
    }
    __builtin_unreachable();
  }

 private:
  ffi_type* structure(std::vector<ffi_type*> elements) {
    elements.push_back(nullptr);
    members.push_back(std::move(elements));
    structures.push_back({0, 0, FFI_TYPE_STRUCT, members.back().data()});
    return &structures.back();
  }
};

bool takes_pointer(const ForeignArgument& argument) {
  return argument.passing != Passing::value || argument.type->kind == Kind::array;
}

// One side's arguments: a list of them, or one that is the whole side.
class Side {
 public:
  Side(Context& cx, const Function& self, const char* which, const Value* v, std::size_t count, bool whole) : whole_(whole) {
    if (whole) {
      if (!v) fail_in(cx, self, std::string(which) + " is missing");
      value_ = *v;
      return;
    }
    if (!v && count == 0) return;
    const std::string expected = "a list of " + std::to_string(count) + (count == 1 ? " argument" : " arguments");
    if (!v) fail_in(cx, self, std::string(which) + " is missing: " + expected);
    if (!v->is_array() || !v->array().is_list() || v->array().length != count)
      fail_in(cx, self, std::string(which) + " must be " + expected + " (got a " + kind_text(*v) + ")");
    value_ = *v;
  }
  Value next() { return whole_ ? value_ : element(value_.array(), next_++); }

 private:
  Value value_;
  bool whole_;
  std::size_t next_ = 0;
};

// An argument that the called function may change, and how to read it back.
struct Returned {
  const ForeignArgument* argument;
  Value pointer;  // a pointer object, which is returned as it is; absent: memory
  std::uint8_t* memory;
  std::size_t length;
};

Value call_foreign(Context& cx, const Function& self, const Value* w, const Value& x) {
  const auto kept = Ref<NativeObject>::share(static_cast<const NativeFunction&>(self).state);
  auto& foreign = static_cast<ForeignFunction&>(*kept);
  const std::size_t count = foreign.arguments.size();
  Side left(cx, self, "𝕨", w, foreign.from_left, foreign.whole_left);
  Side right(cx, self, "𝕩", &x, count - foreign.from_left, foreign.whole_right);
  CallMemory memory;
  std::vector<void*> places(count);
  std::vector<Returned> returned;
  for (std::size_t i = 0; i < count; i++) {
    const ForeignArgument& argument = foreign.arguments[i];
    Value v = argument.from_left ? left.next() : right.next();
    std::uint8_t* place = memory.allocate(takes_pointer(argument) ? sizeof(void*) : argument.type->size);
    places[i] = place;
    auto point_to = [&](std::uint8_t* data) { std::memcpy(place, &data, sizeof data); };
    switch (argument.passing) {
      case Passing::value:
        if (takes_pointer(argument)) {
          std::uint8_t* elements = memory.allocate(argument.type->size);
          store_foreign(cx, self, *argument.type, v, elements, &memory);
          point_to(elements);
        } else {
          store_foreign(cx, self, *argument.type, v, place, &memory);
        }
        break;
      case Passing::changed: {
        Returned r{&argument, Value(), nullptr, 0};
        if (const ForeignPointer* pointer = foreign_pointer(v)) {
          if (!are_compatible(argument.type.get(), pointer->type.get()))
            fail_in(cx, self, "Expected a pointer for " + argument.text + " (got one to " + pointer->type->text + ")");
          point_to(pointer->address);
          r.pointer = std::move(v);
        } else {
          r.memory = store_foreign_list(cx, self, *argument.type, v, memory, false, r.length);
          point_to(r.memory);
        }
        if (argument.returned) returned.push_back(std::move(r));
        break;
      }
      case Passing::fresh: {
        const std::size_t n = natural_argument(cx, self, v, "A length");
        if (n > max_length / argument.type->size) throw OutOfMemory(~std::size_t{0});
        std::uint8_t* data = memory.allocate(n * argument.type->size);
        point_to(data);
        if (argument.returned) returned.push_back({&argument, Value(), data, n});
        break;
      }
    }
  }
  const std::size_t result_size = foreign.result ? foreign.result->size : 0;
  std::uint8_t* result = memory.allocate(std::max(result_size, sizeof(ffi_arg)));
  cx.system->streams.flush();
  memory.hand_over();
  ForeignCall call(cx, *foreign.unit);
  ffi_call(&foreign.call_interface, foreign.code, result, places.data());
  std::fflush(stdout);  // what C has written comes before what BQN writes next

  std::vector<Value> values;
  try {
    if (foreign.result) values.push_back(load_foreign(cx, self, foreign.result, result));
    for (Returned& r : returned)
      values.push_back(r.pointer.is_absent() ? load_foreign_list(cx, self, r.argument->type, r.memory, r.length)
                                             : std::move(r.pointer));
  } catch (...) {
    call.keep_failure();
  }
  call.rethrow();
  if (foreign.gives_argument) return values[0];
  if (!returned.empty()) return make_values(cx.heap, values);
  return values.empty() ? Value::character(0) : values[0];
}

Value foreign_monad(Context& cx, const Function& self, Value x) { return call_foreign(cx, self, nullptr, x); }
Value foreign_dyad(Context& cx, const Function& self, Value w, Value x) { return call_foreign(cx, self, &w, x); }

// Reads the types of a description ⟨result,name,argument…⟩.
void describe(Context& cx, const Function& self, ForeignFunction& foreign, const std::vector<std::string>& parts) {
  if (parts.size() < 2)
    fail_in(cx, self, "𝕩 must hold a result type and a name at least (got " + std::to_string(parts.size()) + " strings)");
  if (parts.size() - 2 > most_arguments)
    fail_in(cx, self, "There are too many arguments (" + std::to_string(parts.size() - 2) + ")");
  foreign.gives_argument = parts[0] == "&";
  if (!foreign.gives_argument && !parts[0].empty()) {
    foreign.result = parse_foreign_type(parts[0]);
    if (foreign.result->is_list_pointer())
      fail_in(cx, self, "A function cannot give a list of unknown length (" + parts[0] + ")");
    if (foreign.result->kind == Kind::array) fail_in(cx, self, "A function cannot give an array (" + parts[0] + ")");
  }
  std::size_t counts[2] = {}, wholes[2] = {}, returned = 0;
  for (std::size_t i = 2; i < parts.size(); i++) {
    ForeignArgument argument = parse_foreign_argument(parts[i]);
    counts[argument.from_left]++;
    wholes[argument.from_left] += argument.whole;
    returned += argument.returned;
    foreign.arguments.push_back(std::move(argument));
  }
  for (bool left : {false, true})
    if (wholes[left] != 0 && counts[left] != 1)
      fail_in(cx, self, std::string("An argument with > must be the only one from ") + (left ? "𝕨" : "𝕩"));
  if (foreign.gives_argument && returned != 1)
    fail_in(cx, self, "The result \"&\" needs one argument that is changed (got " + std::to_string(returned) + ")");
  foreign.from_left = counts[true];
  foreign.whole_left = wholes[true] != 0;
  foreign.whole_right = wholes[false] != 0;
}

// Opens a library. It stays open: nobody knows how long its functions and memory are in use.
void* open_library(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }

// Opens a library of the system by its file name, or by what the linker calls it: of libm.so.6 that is m.
void* open_system_library(const std::string& name) {
  constexpr int last_version = 99;
  if (void* library = open_library(name)) return library;
  const std::string stem = "lib" + name + ".so";
  if (void* library = open_library(stem)) return library;
  // Without its headers a library has a version in its name. There rarely is more than one; the latest counts.
  for (int version = last_version; version >= 0; version--)
    if (void* library = open_library(stem + "." + std::to_string(version))) return library;
  return open_library(name);  // for the message
}

// Opens what 𝕨 names: a file, or, if there is no such file and no slash in its name, a library of the system.
void* named_library(Context& cx, const Function& self, const Value& w) {
  const std::string name = name_bytes(string_argument(cx, self, w, "𝕨"));
  const bool may_be_system = !name.empty() && name.find('/') == name.npos && name.find('\0') == name.npos;
  if (may_be_system && cx.system->files == nullptr && cx.system->root.empty()) {
    const Unit& unit = unit_of(self);
    const bool is_file = unit.path && access(joined_path(directory_of(cx, unit), name).c_str(), F_OK) == 0;
    if (!is_file) return open_system_library(name);
  }
  return open_library(path_argument(cx, self, w, "𝕨"));
}

void find_code(Context& cx, const Function& self, ForeignFunction& foreign, const Value& w) {
  const bool in_program = w.is_character() && w.character() == 0;
  void* library = in_program ? dlopen(nullptr, RTLD_NOW | RTLD_LOCAL) : named_library(cx, self, w);
  if (!library) fail_in(cx, self, std::string("Cannot open the library (") + dlerror() + ")");
  void* symbol = dlsym(library, foreign.name.c_str());
  if (!symbol) fail_in(cx, self, "The library has no such function (" + foreign.name + ")");
  static_assert(sizeof symbol == sizeof foreign.code);
  std::memcpy(&foreign.code, &symbol, sizeof symbol);
}

}  // namespace

Value foreign_function(Context& cx, const Function& self, Value w, Value x) {
  const std::vector<std::string> parts = strings_argument(cx, self, x);
  Ref<ForeignFunction> foreign = make_native<ForeignFunction>(cx.heap);
  try {
    describe(cx, self, *foreign, parts);
  } catch (const ForeignTypeError& error) {
    fail_in(cx, self, error.message);
  }
  foreign->name = parts[1];
  foreign->unit = Ref<Unit>::share(&unit_of(self));
  find_code(cx, self, *foreign, w);
  for (const ForeignArgument& argument : foreign->arguments)
    foreign->argument_types.push_back(takes_pointer(argument) ? &ffi_type_pointer : foreign->type_of(*argument.type));
  ffi_type* result = foreign->result ? foreign->type_of(*foreign->result) : &ffi_type_void;
  if (ffi_prep_cif(&foreign->call_interface, FFI_DEFAULT_ABI, static_cast<unsigned>(foreign->argument_types.size()), result,
                   foreign->argument_types.data()) != FFI_OK)
    fail_in(cx, self, "This machine cannot call a function of these types");
  return make_system_function(cx, "(foreign function)", foreign_monad, foreign_dyad, Ref<NativeObject>(foreign.leak()));
}

}  // namespace griddle::system_functions

#endif
