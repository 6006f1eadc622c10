#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <pybind11/stl.h>

#include "runtime/api/dlpack.h"
#include "runtime/python/bridge.h"

namespace griddle::python {

const Held* held_of(py::handle);  // values.cc: null for what is no value of BQN

namespace {

constexpr long long most_exact = 1LL << 53;

// Keeps deep data from using up the stack of C.
class Deeper {
 public:
  Deeper() {
    if (Py_EnterRecursiveCall(" while converting a value of BQN") != 0) throw py::error_already_set();
  }
  ~Deeper() { Py_LeaveRecursiveCall(); }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};

Sent checked(Bridge& bridge, griddle_value v, griddle_failure* why) {
  if (why != nullptr) {
    // Elements that BQN does not have, or no memory.
    const griddle_text message = griddle_failure_message(why);
    const std::string text(message.data, message.bytes);
    if (text.starts_with("Out of memory")) bridge.raise(why);
    griddle_release_failure(why);
    throw py::value_error(text);
  }
  return Sent(v);
}

Sent from_integer(Bridge& bridge, py::handle object) {
  int overflow = 0;
  const long long n = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (n == -1 && overflow == 0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (overflow != 0 || n > most_exact || n < -most_exact) {
    PyErr_SetString(PyExc_OverflowError, "BQN has integers up to 2**53; write a float for a number near it");
    throw py::error_already_set();
  }
  return Sent(griddle_make_number(bridge.bqn(), static_cast<double>(n)));
}

Sent from_text(Bridge& bridge, py::handle object) {
  Py_ssize_t bytes = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &bytes);
  if (text == nullptr) throw py::error_already_set();
  griddle_failure* why = nullptr;
  const griddle_value v = griddle_make_text(bridge.bqn(), {text, static_cast<std::size_t>(bytes)}, &why);
  return checked(bridge, v, why);
}

// Gives values to BQN as an array.
Sent from_values(Bridge& bridge, const std::vector<Sent>& values, const std::vector<std::size_t>& shape) {
  std::vector<griddle_value> elements;
  elements.reserve(values.size());
  for (const Sent& v : values) elements.push_back(v.get());
  griddle_failure* why = nullptr;
  const griddle_value v = griddle_make_array(bridge.bqn(), griddle_any, elements.data(), shape.data(), shape.size(), &why);
  return checked(bridge, v, why);
}

// Gives the numbers of a sequence where it has nothing else.
std::optional<std::vector<double>> numbers_of(py::handle sequence) {
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence.ptr());
  PyObject** items = PySequence_Fast_ITEMS(sequence.ptr());
  std::vector<double> numbers;
  numbers.reserve(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; i++) {
    if (PyFloat_CheckExact(items[i])) {
      numbers.push_back(PyFloat_AS_DOUBLE(items[i]));
    } else if (PyLong_CheckExact(items[i])) {
      int overflow = 0;
      const long long k = PyLong_AsLongLongAndOverflow(items[i], &overflow);
      if (overflow != 0 || k > most_exact || k < -most_exact) return {};
      numbers.push_back(static_cast<double>(k));
    } else {
      return {};
    }
  }
  return numbers;
}

Sent from_sequence(Bridge& bridge, py::handle sequence) {
  if (const auto numbers = numbers_of(sequence)) {
    griddle_failure* why = nullptr;
    const griddle_value v = griddle_make_list(bridge.bqn(), griddle_f64, numbers->data(), numbers->size(), &why);
    return checked(bridge, v, why);
  }
  const Deeper deeper;
  std::vector<Sent> values;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); i++)
    values.push_back(to_bqn(bridge, PySequence_Fast_GET_ITEM(sequence.ptr(), i)));
  return from_values(bridge, values, {values.size()});
}

Sent from_dictionary(Bridge& bridge, const py::dict& dictionary) {
  const Deeper deeper;
  std::vector<std::string> names;
  std::vector<Sent> values;
  for (const auto& [key, value] : dictionary) {
    if (!py::isinstance<py::str>(key)) throw py::type_error("The keys of a namespace are names");
    names.push_back(key.cast<std::string>());
    values.push_back(to_bqn(bridge, value));
  }
  std::vector<griddle_text> texts;
  std::vector<griddle_value> fields;
  for (std::size_t i = 0; i < names.size(); i++) {
    texts.push_back({names[i].data(), names[i].size()});
    fields.push_back(values[i].get());
  }
  griddle_failure* why = nullptr;
  const griddle_value v = griddle_make_namespace(bridge.bqn(), texts.data(), fields.data(), texts.size(), &why);
  return checked(bridge, v, why);
}

// --- functions of Python

struct Callable {
  Bridge* bridge;  // outlives all that runs in its interpreter
  PyObject* function;
};

void drop_object(PyObject* object) {
  // At the very end of Python nothing is left to give back to.
  if (Py_IsInitialized() == 0) return;
  const py::gil_scoped_acquire held;
  Py_DECREF(object);
}

griddle_value call_python(void* data, griddle_interpreter*, const griddle_value* w, griddle_value x, griddle_failure** why) {
  const Callable& callable = *static_cast<Callable*>(data);
  const py::gil_scoped_acquire held;
  Bridge& bridge = *callable.bridge;
  try {
    const py::handle function(callable.function);
    const py::object right = to_python(bridge, griddle_share(x));
    const py::object result = w == nullptr ? function(right) : function(to_python(bridge, griddle_share(*w)), right);
    return to_bqn(bridge, result).take();
  } catch (py::error_already_set& error) {
    *why = bridge.take_exception(error);
  } catch (const py::builtin_exception& error) {
    error.set_error();
    py::error_already_set raised;
    *why = bridge.take_exception(raised);
  }
  return {};
}

Sent from_callable(Bridge& bridge, py::handle object) {
  const std::string name = py::hasattr(object, "__name__") ? py::str(object.attr("__name__")).cast<std::string>() : "Python";
  auto* callable = new Callable{&bridge, object.inc_ref().ptr()};
  griddle_failure* why = nullptr;
  const auto drop = [](void* data) {
    const std::unique_ptr<Callable> owned(static_cast<Callable*>(data));
    drop_object(owned->function);
  };
  const griddle_value v = griddle_make_function(bridge.bqn(), {name.data(), name.size()}, call_python, callable, drop, &why);
  return checked(bridge, v, why);
}

// A value of another interpreter comes as bytes, so that each of the two is used by itself.
Sent from_held(Bridge& bridge, const Held& held) {
  if (&held.bridge() == &bridge) return Sent(griddle_share(held.get()));
  griddle_buffer bytes = {};
  {
    const Bridge::Entered other(held.bridge());
    bytes = held.bridge().compute([&](griddle_failure** why) { return griddle_serialise(held.get(), why); });
  }
  const std::unique_ptr<char, void (*)(void*)> owned(bytes.data, std::free);
  return Sent(
      bridge.compute([&](griddle_failure** why) { return griddle_deserialise(bridge.bqn(), bytes.data, bytes.bytes, why); }));
}

// --- arrays of NumPy

std::optional<griddle_type> type_of(char kind, py::ssize_t bytes) {
  switch (kind) {
    case 'b': return griddle_bool;
    case 'i': return bytes == 1 ? griddle_i8 : bytes == 2 ? griddle_i16 : bytes == 4 ? griddle_i32 : griddle_i64;
    case 'u': return bytes == 1 ? griddle_u8 : bytes == 2 ? griddle_u16 : bytes == 4 ? griddle_u32 : griddle_u64;
    case 'f':
      if (bytes == 4) return griddle_f32;
      if (bytes == 8) return griddle_f64;
      return {};
    default: return {};
  }
}

// pybind11 before 2.12 reads what NumPy 2 has elsewhere.
py::ssize_t bytes_of_element(const py::array& array) { return array.attr("itemsize").cast<py::ssize_t>(); }

// Gives the steps of an array whose elements lie in order.
std::vector<py::ssize_t> steps_for(const std::vector<py::ssize_t>& shape, std::size_t bytes) {
  std::vector<py::ssize_t> steps(shape.size());
  auto step = static_cast<py::ssize_t>(bytes);
  for (std::size_t axis = shape.size(); axis-- > 0; step *= shape[axis]) steps[axis] = step;
  return steps;
}

Sent from_array(Bridge& bridge, py::array array) {
  const char kind = array.dtype().kind();
  std::vector<std::size_t> shape(array.shape(), array.shape() + array.ndim());
  griddle_failure* why = nullptr;
  if (kind == 'U' || kind == 'S' || kind == 'O') {
    const Deeper deeper;
    std::vector<Sent> values;
    for (const py::handle element : array.attr("ravel")().attr("tolist")()) values.push_back(to_bqn(bridge, element));
    return from_values(bridge, values, shape);
  }
  // Halves become singles; elements that lie apart, or in another order of bytes, are put in order.
  const bool half = kind == 'f' && bytes_of_element(array) == 2;
  constexpr int in_order = py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  const char order = array.dtype().byteorder();
  const bool native = order == '=' || order == '|' || order == (std::endian::native == std::endian::little ? '<' : '>');
  if (half || !native || (array.flags() & in_order) != in_order) {
    const py::object numpy = py::module_::import("numpy");
    const py::object wanted = half ? numpy.attr("dtype")("f4") : py::object(array.dtype().attr("newbyteorder")("="));
    array = numpy.attr("require")(array, wanted, "CA");
  }
  const std::optional<griddle_type> type = type_of(kind, bytes_of_element(array));
  if (!type) throw py::type_error("BQN has no elements for this dtype (" + py::str(array.dtype()).cast<std::string>() + ")");
  const void* data = array.data();
  if (*type < griddle_any && array.size() > 0) {
    // What NumPy has is used where it lies, as long as BQN has it.
    const auto drop = [](void* owner) { drop_object(static_cast<PyObject*>(owner)); };
    const griddle_value v =
        griddle_borrow_array(bridge.bqn(), *type, data, shape.data(), shape.size(), drop, array.inc_ref().ptr(), &why);
    return checked(bridge, v, why);
  }
  const griddle_value v = griddle_make_array(bridge.bqn(), *type, data, shape.data(), shape.size(), &why);
  return checked(bridge, v, why);
}

std::optional<py::dtype> dtype_of(griddle_type type) {
  switch (type) {
    case griddle_i8: return py::dtype::of<std::int8_t>();
    case griddle_i16: return py::dtype::of<std::int16_t>();
    case griddle_i32: return py::dtype::of<std::int32_t>();
    case griddle_f64: return py::dtype::of<double>();
    default: return {};
  }
}

std::vector<py::ssize_t> lengths_of(griddle_value v) {
  const std::size_t* lengths = griddle_shape(v);
  return {lengths, lengths + griddle_rank(v)};
}

// Copies all elements into an array of a dtype.
py::array copied(Bridge& bridge, griddle_value v, const py::dtype& dtype, std::size_t bytes, griddle_type type) {
  const std::vector<py::ssize_t> shape = lengths_of(v);
  py::array array(dtype, shape, steps_for(shape, bytes));
  griddle_failure* why = nullptr;
  if (array.size() > 0 && griddle_copy(v, type, array.mutable_data(), &why) == 0) bridge.raise(why);
  return array;
}

py::object from_boxes(Bridge& bridge, griddle_value v) {
  const Deeper deeper;
  const std::size_t n = griddle_length(v);
  if (griddle_rank(v) == 1) {
    py::list list(n);
    for (std::size_t i = 0; i < n; i++) list[i] = to_python(bridge, griddle_element(v, i));
    return list;
  }
  const py::object array = py::module_::import("numpy").attr("empty")(py::cast(lengths_of(v)), "object");
  auto** elements = static_cast<PyObject**>(py::array(array).mutable_data());
  for (std::size_t i = 0; i < n; i++) Py_XSETREF(elements[i], to_python(bridge, griddle_element(v, i)).release().ptr());
  return array;
}

py::object from_elements(Bridge& bridge, griddle_value given) {
  Held held(bridge.shared_from_this(), given);
  const griddle_value& v = held.get();
  const griddle_type type = griddle_type_of(v);
  if (griddle_length(v) > 0 ? type >= griddle_c8 && type <= griddle_c32 && griddle_rank(v) == 1
                            : griddle_rank(v) == 1 && type != griddle_any && griddle_is_text(v) != 0 && type >= griddle_c8) {
    const griddle_buffer text = griddle_text_of(v, nullptr);
    const std::unique_ptr<char, void (*)(void*)> owned(text.data, std::free);
    // Half of a surrogate pair has no UTF-8, and BQN may have one.
    return py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.bytes), "surrogatepass"));
  }
  if (type == griddle_any) return from_boxes(bridge, v);
  if (type == griddle_bit) return copied(bridge, v, py::dtype::of<bool>(), 1, griddle_bool);
  const std::vector<py::ssize_t> shape = lengths_of(v);
  const std::optional<py::dtype> dtype = dtype_of(type);
  if (!dtype) return copied(bridge, v, py::dtype("U1"), sizeof(char32_t), griddle_c32);
  const std::vector<py::ssize_t> steps =
      steps_for(shape, type == griddle_f64 ? sizeof(double) : std::size_t{1} << (type - griddle_i8));
  if (griddle_length(v) == 0) return py::array(*dtype, shape, steps);
  const void* elements = bridge.compute([&](griddle_failure**) { return griddle_elements(v); });
  if (elements == nullptr) throw std::bad_alloc();
  // The array of NumPy shows what the array of BQN has, and keeps it.
  auto* keeps = new Held(std::move(held));
  const py::capsule owner(keeps, [](void* data) { delete static_cast<Held*>(data); });
  py::array array(*dtype, shape, steps, elements, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

// --- DLPack

constexpr const char *waiting = "dltensor", *used = "used_dltensor";

}  // namespace

Sent from_dlpack(Bridge& bridge, py::handle object) {
  const py::object capsule = object.attr("__dlpack__")();
  void* tensor = PyCapsule_GetPointer(capsule.ptr(), waiting);
  if (tensor == nullptr) throw py::error_already_set();
  PyCapsule_SetName(capsule.ptr(), used);
  griddle_failure* why = nullptr;
  const griddle_value v = griddle_from_dlpack(bridge.bqn(), static_cast<DLManagedTensor*>(tensor), &why);
  return checked(bridge, v, why);
}

py::object to_dlpack(const Held& held) {
  Bridge& bridge = held.bridge();
  DLManagedTensor* tensor = bridge.compute([&](griddle_failure** why) { return griddle_to_dlpack(held.get(), why); });
  return py::reinterpret_steal<py::object>(PyCapsule_New(tensor, waiting, [](PyObject* capsule) {
    // Whoever took it has renamed it.
    if (PyCapsule_IsValid(capsule, waiting) == 0) return;
    auto* left = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, waiting));
    left->deleter(left);
  }));
}

Sent to_bqn(Bridge& bridge, py::handle object) {
  PyObject* const o = object.ptr();
  if (PyFloat_Check(o)) return Sent(griddle_make_number(bridge.bqn(), PyFloat_AS_DOUBLE(o)));
  if (py::isinstance<py::array>(object)) return from_array(bridge, py::reinterpret_borrow<py::array>(object));
  if (PyLong_Check(o)) return from_integer(bridge, object);
  if (PyUnicode_Check(o)) return from_text(bridge, object);
  if (const Held* held = held_of(object)) return from_held(bridge, *held);
  if (PyList_Check(o) || PyTuple_Check(o)) return from_sequence(bridge, object);
  if (PyDict_Check(o)) return from_dictionary(bridge, py::reinterpret_borrow<py::dict>(object));
  if (PyBytes_Check(o) || PyByteArray_Check(o) || PyMemoryView_Check(o)) {
    const py::object numpy = py::module_::import("numpy");
    return to_bqn(bridge, PyMemoryView_Check(o) ? numpy.attr("asarray")(object) : numpy.attr("frombuffer")(object, "u1"));
  }
  if (py::hasattr(object, "__dlpack__")) return from_dlpack(bridge, object);
  if (py::isinstance(object, py::module_::import("numpy").attr("generic"))) {
    const py::object item = object.attr("item")();
    if (py::isinstance(item, py::module_::import("numpy").attr("generic")))
      throw py::type_error("BQN has no numbers of this dtype");
    return to_bqn(bridge, item);
  }
  if (py::hasattr(object, "__array__") || PyRange_Check(o))
    return from_array(bridge, py::module_::import("numpy").attr("asarray")(object));
  if (PyCallable_Check(o) != 0) return from_callable(bridge, object);
  if (PyIter_Check(o) != 0 || PyAnySet_Check(o)) return to_bqn(bridge, py::list(py::reinterpret_borrow<py::object>(object)));
  throw py::type_error("BQN has no value for an object of this type (" + std::string(Py_TYPE(o)->tp_name) + ")");
}

py::object to_python(Bridge& bridge, griddle_value v) {
  switch (griddle_kind_of(v)) {
    case griddle_no_value: return py::none();
    case griddle_number: {
      const double number = griddle_number_of(v);
      griddle_release(v);
      if (number == std::floor(number) && std::fabs(number) <= static_cast<double>(most_exact))
        return py::int_(static_cast<long long>(number));
      return py::float_(number);
    }
    case griddle_character: {
      const std::uint32_t c = griddle_character_of(v);
      griddle_release(v);
      return py::reinterpret_steal<py::object>(PyUnicode_FromOrdinal(static_cast<int>(c)));
    }
    case griddle_array: return from_elements(bridge, v);
    default: return as_value(bridge, v);
  }
}

}  // namespace griddle::python
