// Taking values apart: patterns of headers and of destructuring.
#include <type_traits>

#include "runtime/vm/machine.h"

namespace griddle {

namespace {

bool unpack_namespace(Vm& vm, Value* base, const Instruction* i, const Namespace& n, const UnpackNames& names, bool may_fail) {
  for (std::size_t k = 0; k < names.names.size(); k++) {
    Value v;
    if (!names.names[k].empty()) v = field(n, names.names[k]);
    if (v.is_absent()) {
      Machine::clear(base, i->a, static_cast<std::uint32_t>(i->a + k));
      if (!may_fail)
        Machine::raise(vm, names.names[k].empty() ? "Destructuring: Taking fields of a namespace needs names"
                                                  : "Destructuring: The namespace has no field " + names.names[k]);
      return false;
    }
    put(base[i->a + k], std::move(v));
  }
  return true;
}

bool may_mismatch(const Instruction* i) { return std::bit_cast<Mismatch>(i->immediate(1)).distance != 0; }

}  // namespace

bool Machine::match(Vm& vm, Value* base, const Instruction* i) {
  const Value& expected = i->value(0);
  const Value& v = base[i->a];
  if (v.is_number() && expected.is_number()) return v.number() == expected.number();
  if (v.is_mark()) return false;
  return values_match(vm.cx_, v, expected);
}

bool Machine::unpack(Vm& vm, Value* base, const Instruction* i) {
  const UnpackNames& names = *i->pointer<const UnpackNames>(0);
  const Value& source = base[i->b];
  if (source.is_namespace()) {
    // Takes the value out only after success: a failing pattern leaves it to its frame.
    if (!unpack_namespace(vm, base, i, source.name_space(), names, may_mismatch(i))) return false;
    base[i->b] = Value();
    return true;
  }
  std::size_t count = i->c;
  if (!source.is_array() || source.array().rank() != 1 || source.array().length != count || names.namespace_only) {
    if (!may_mismatch(i))
      raise(vm, "Destructuring: Expected a " + (names.namespace_only ? "namespace" : "list of length " + std::to_string(count)) +
                    " (got a " + kind_text(source) + ")");
    return false;
  }
  Value list = std::move(base[i->b]);
  Array& a = list.array();
  bool take = a.type() == ElementType::boxed && a.writable();
  const auto numbers = [&]<class T>(std::type_identity<T>) {
    const T* from = a.as<T>();
    for (std::size_t k = 0; k < count; k++) put(base[i->a + k], Value(static_cast<double>(from[k])));
  };
  switch (a.type()) {
    case ElementType::i8: numbers(std::type_identity<std::int8_t>{}); break;
    case ElementType::i16: numbers(std::type_identity<std::int16_t>{}); break;
    case ElementType::i32: numbers(std::type_identity<std::int32_t>{}); break;
    case ElementType::f64: numbers(std::type_identity<double>{}); break;
    default:
      for (std::size_t k = 0; k < count; k++) put(base[i->a + k], take ? std::move(a.boxes()[k]) : element(a, k));
  }
  return true;
}

bool Machine::unpack_cells(Vm& vm, Value* base, const Instruction* i) {
  const Value& source = base[i->b];
  std::size_t count = i->c;
  if (!source.is_array() || source.array().rank() == 0 || source.array().cells() != count) {
    if (!may_mismatch(i))
      raise(vm, "Destructuring: Expected an array of " + std::to_string(count) + " cells (got a " + kind_text(source) + ")");
    return false;
  }
  Value array = std::move(base[i->b]);
  Shape cell(array.array().shape().subspan(1));
  std::size_t length = array.array().cell_length();
  std::size_t k = 0;
  try {
    for (; k < count; k++) {
      Value v =
          cell.size() == 0 ? enclose(vm.cx_.heap, element(array.array(), k)) : slice(vm.cx_.heap, array, k * length, cell.view());
      put(base[i->a + k], std::move(v));
    }
  } catch (...) {
    clear(base, i->a, static_cast<std::uint32_t>(i->a + k));
    throw;
  }
  return true;
}

void Machine::clear(Value* base, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t slot = from; slot < to; slot++) base[slot] = Value();
}

void Machine::fail_nothing(Vm& vm) { fail(vm.cx_, "Nothing (·) cannot be used as a value"); }

}  // namespace griddle
