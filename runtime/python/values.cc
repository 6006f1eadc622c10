// The classes of values that stay in BQN: Value, and Function, Modifier and Namespace, which are such.
#include <pybind11/stl.h>

#include "runtime/api/dlpack.h"
#include "runtime/python/bridge.h"

namespace griddle::python {

namespace {

struct Value {
  Held held;
  explicit Value(Held h) : held(std::move(h)) {}
};
struct Function : Value {
  using Value::Value;
};
struct Modifier : Value {
  using Value::Value;
};
struct Namespace : Value {
  using Value::Value;
};

std::string taken(griddle_buffer buffer) {
  std::string s(buffer.data == nullptr ? "" : buffer.data, buffer.bytes);
  griddle_free(buffer);
  return s;
}

py::object python_of(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  return to_python(v.held.bridge(), griddle_share(v.held.get()));
}

std::string shown(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  return taken(v.held.bridge().compute([&](griddle_failure**) { return griddle_format(v.held.get()); }));
}

std::string shown_within(const Value& v, std::size_t rows, std::size_t columns) {
  const Bridge::Entered entered(v.held.bridge());
  griddle_text_room room = {};
  room.size = sizeof room;
  room.rows = rows, room.columns = columns, room.alone = rows * columns;
  return taken(v.held.bridge().compute([&](griddle_failure**) { return griddle_format_within(v.held.get(), &room, nullptr); }));
}

py::object picture_of(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  const std::string bytes = taken(griddle_picture(v.held.get()));
  return bytes.empty() ? py::object(py::none()) : py::object(py::bytes(bytes));
}

std::string source_of(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  return taken(v.held.bridge().compute([&](griddle_failure** why) { return griddle_source(v.held.get(), why); }));
}

py::tuple shape_of(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  const std::size_t* lengths = griddle_shape(v.held.get());
  py::tuple shape(griddle_rank(v.held.get()));
  for (std::size_t axis = 0; axis < shape.size(); axis++) shape[axis] = py::int_(lengths[axis]);
  return shape;
}

py::bytes bytes_of(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  return taken(v.held.bridge().compute([&](griddle_failure** why) { return griddle_serialise(v.held.get(), why); }));
}

bool match(const Value& v, py::handle other) {
  Bridge& bridge = v.held.bridge();
  const Bridge::Entered entered(bridge);
  const Sent x = to_bqn(bridge, other);
  return bridge.compute([&](griddle_failure** why) { return griddle_match(v.held.get(), x.get(), why); }) != 0;
}

py::tuple device_of(const Value& v) {
  const Bridge::Entered entered(v.held.bridge());
  const py::capsule tensor = to_dlpack(v.held);
  const DLDevice device = tensor.get_pointer<DLManagedTensor>()->dl_tensor.device;
  return py::make_tuple(device.device_type, device.device_id);
}

py::object called(const Value& f, const py::args& arguments, bool keep) {
  const Bridge::Entered entered(f.held.bridge());
  return f.held.bridge().call(f.held.get(), arguments, keep);
}

// A modifier with its operands; a 1-modifier has one.
py::object derived(const Modifier& m, const py::args& operands) {
  if (operands.size() != 1 && operands.size() != 2) throw py::type_error("A BQN modifier takes one operand, or two");
  Bridge& bridge = m.held.bridge();
  const Bridge::Entered entered(bridge);
  const Sent f = to_bqn(bridge, operands[0]), g = operands.size() == 2 ? to_bqn(bridge, operands[1]) : Sent();
  return to_python(bridge,
                   bridge.compute([&](griddle_failure** why) { return griddle_derive(m.held.get(), f.get(), g.get(), why); }));
}

std::vector<std::string> fields_of(const Namespace& n) {
  const Bridge::Entered entered(n.held.bridge());
  const Sent names(n.held.bridge().compute([&](griddle_failure** why) { return griddle_fields(n.held.get(), why); }));
  std::vector<std::string> all;
  for (std::size_t i = 0; i < griddle_length(names.get()); i++) {
    const Sent name(griddle_element(names.get(), i));
    all.push_back(taken(griddle_text_of(name.get(), nullptr)));
  }
  return all;
}

// Gives a null object where there is no such field.
py::object field_of(const Namespace& n, const std::string& name) {
  const Bridge::Entered entered(n.held.bridge());
  const griddle_value v = griddle_field(n.held.get(), {name.data(), name.size()});
  return v.interpreter == nullptr ? py::object() : to_python(n.held.bridge(), v);
}

}  // namespace

py::object as_value(Bridge& bridge, griddle_value v) {
  Held held(bridge.shared_from_this(), v);
  switch (griddle_kind_of(v)) {
    case griddle_function: return py::cast(Function(std::move(held)));
    case griddle_modifier1:
    case griddle_modifier2: return py::cast(Modifier(std::move(held)));
    case griddle_namespace: return py::cast(Namespace(std::move(held)));
    default: return py::cast(Value(std::move(held)));
  }
}

const Held* held_of(py::handle object) { return py::isinstance<Value>(object) ? &object.cast<Value&>().held : nullptr; }

void define_values(py::module_& m) {
  py::class_<Value>(m, "Value", "A value that stays in BQN, such as one that was asked for with keep=True.")
      .def("python", python_of, "The value as an object of Python.")
      .def("source", source_of, "BQN text that makes the value anew.")
      .def("matches", match, py::arg("other"), "Whether BQN takes the two for the same, as ≡ does.")
      .def_property_readonly("shape", shape_of)
      .def("__len__", [](const Value& v) { return griddle_rank(v.held.get()) == 0 ? 1 : griddle_shape(v.held.get())[0]; })
      .def("__repr__", shown)
      .def(
          "__array__",
          [](const Value& v, py::object dtype, py::object copy) {
            static_cast<void>(copy);
            const py::object array = py::module_::import("numpy").attr("asarray")(python_of(v));
            return dtype.is_none() ? array : array.attr("astype")(dtype);
          },
          py::arg("dtype") = py::none(), py::arg("copy") = py::none())
      .def("__dlpack__",
           [](const Value& v, const py::kwargs&) {
             const Bridge::Entered entered(v.held.bridge());
             return to_dlpack(v.held);
           })
      .def("__dlpack_device__", device_of)
      .def("dumps", bytes_of, "Bytes that griddle.loads makes the value of.")
      .def("__reduce__", [](const Value& v) {
        return py::make_tuple(py::module_::import("griddle").attr("loads"), py::make_tuple(bytes_of(v), true));
      });
  // No methods: a namespace may have fields of these names.
  m.def("shown", shown_within, py::arg("value"), py::arg("rows") = 0, py::arg("columns") = 0,
        "A Value as BQN shows it, with an ellipsis for what has no room; only what is shown is formatted.");
  m.def("picture", picture_of, py::arg("value"),
        "What •plot drew, if it gave this Value last, as Interpreter(pictures=…) says; else None.");
  py::class_<Function, Value>(m, "Function", "A function of BQN: f(x), or f(w, x).")
      .def("__call__", called, py::kw_only(), py::arg("keep") = false);
  py::class_<Modifier, Value>(m, "Modifier", "A modifier of BQN: m(f), or m(f, g), gives what it derives.")
      .def("__call__", derived);
  py::class_<Namespace, Value>(m, "Namespace", "A namespace of BQN; its fields are attributes.")
      .def("__dir__", fields_of)
      .def("keys", fields_of)
      .def("__getitem__",
           [](const Namespace& n, const std::string& name) {
             py::object v = field_of(n, name);
             if (!v) throw py::key_error(name);
             return v;
           })
      .def("__getattr__", [](const Namespace& n, const std::string& name) {
        py::object v = name.starts_with("__") ? py::object() : field_of(n, name);
        if (!v) throw py::attribute_error("The namespace has no field " + name);
        return v;
      });
}

}  // namespace griddle::python
