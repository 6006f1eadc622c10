// The module _griddle: interpreters, and the classes of values. griddle/__init__.py is what programs see.
#include "runtime/python/bridge.h"

namespace griddle::python {

namespace {

// An interpreter as Python has it.
struct Interpreter {
  SharedBridge bridge;
  explicit Interpreter(const py::kwargs& options) : bridge(std::make_shared<Bridge>(options)) {}
};

py::object value_of(const Interpreter& i, py::handle object) {
  const Bridge::Entered entered(*i.bridge);
  return as_value(*i.bridge, to_bqn(*i.bridge, object).take());
}

py::object loaded(const Interpreter& i, const py::bytes& bytes, bool keep) {
  const Bridge::Entered entered(*i.bridge);
  const std::string_view view = bytes;
  return given(*i.bridge, i.bridge->compute([&](griddle_failure** why) {
    return griddle_deserialise(i.bridge->bqn(), view.data(), view.size(), why);
  }),
               keep);
}

py::object tensor(const Interpreter& i, py::handle object) {
  const Bridge::Entered entered(*i.bridge);
  return as_value(*i.bridge, from_dlpack(*i.bridge, object).take());
}

py::object names(const Interpreter& i) {
  const Bridge::Entered entered(*i.bridge);
  return py::list(to_python(*i.bridge, griddle_session_names(i.bridge->bqn(), nullptr)));
}

py::object system_names(const Interpreter& i) {
  const Bridge::Entered entered(*i.bridge);
  return py::list(to_python(*i.bridge, griddle_system_names(i.bridge->bqn(), nullptr)));
}

py::object analysed(const Interpreter& i, const std::string& source) {
  const Bridge::Entered entered(*i.bridge);
  return to_python(*i.bridge, i.bridge->compute([&](griddle_failure** why) {
    return griddle_analyse(i.bridge->bqn(), {source.data(), source.size()}, why);
  }));
}

void set_deadline(const Interpreter& i, const py::object& seconds) {
  const Bridge::Entered entered(*i.bridge);
  griddle_failure* why = nullptr;
  if (griddle_set_deadline(i.bridge->bqn(), seconds.is_none() ? 0 : seconds.cast<double>(), &why) == 0) i.bridge->raise(why);
}

}  // namespace

PYBIND11_MODULE(_griddle, m) {
  m.doc() = "BQN for Python: what griddle is made of.";
  define_values(m);
  py::class_<Interpreter>(m, "Interpreter")
      .def(py::init<const py::kwargs&>())
      .def(
          "eval",
          [](const Interpreter& i, const std::string& source, const py::args& a, bool keep) {
            return i.bridge->eval(source, a, keep);
          },
          py::arg("source"), py::kw_only(), py::arg("keep") = false)
      .def(
          "run",
          [](const Interpreter& i, const std::string& source, const std::string& name, bool keep) {
            return i.bridge->run(source, name, keep);
          },
          py::arg("source"), py::arg("name") = "", py::kw_only(), py::arg("keep") = false)
      .def("define", [](const Interpreter& i, const std::string& name, py::handle v) { i.bridge->define(name, v); })
      .def("names", names, "The names that lines of the session have defined.")
      .def("system_names", system_names, "The system values that programs may use, with •.")
      .def("analyse", analysed, py::arg("source"),
           "Reads a text and runs nothing: a namespace of tokens, definitions and problems, as griddle_analysis.h says.")
      .def("value", value_of, py::arg("object"), "Makes a value that stays in BQN.")
      .def("from_dlpack", tensor, py::arg("tensor"),
           "Takes a tensor of another library, on the host or on the device, where it lies.")
      .def("loads", loaded, py::arg("bytes"), py::arg("keep") = false, "Makes a value of the bytes that dumps gave.")
      .def(
          "interrupt", [](const Interpreter& i) { griddle_interrupt(i.bridge->bqn()); },
          "Ends the evaluation that runs, or the next one. From any thread.")
      .def(
          "stop", [](const Interpreter& i) { griddle_stop(i.bridge->bqn()); },
          "Ends the evaluation that runs and all that come, until resume(). From any thread.")
      .def(
          "resume",
          [](const Interpreter& i) {
            const Bridge::Entered entered(*i.bridge);
            griddle_resume(i.bridge->bqn());
          },
          "Lets evaluations go on after stop(); waits for one that still runs.")
      .def(
          "should_stop", [](const Interpreter& i) { return griddle_should_stop(i.bridge->bqn()) != 0; },
          "Tells a function that BQN called whether what called it is to end.")
      .def("set_deadline", set_deadline, py::arg("seconds"),
           "Ends all evaluations so many seconds from now; None takes that back.")
      .def_property_readonly("memory_in_use", [](const Interpreter& i) {
        const Bridge::Entered entered(*i.bridge);
        return griddle_memory_in_use(i.bridge->bqn());
      });
  m.attr("__version__") = griddle_version();
  m.attr("commit") = griddle_commit();
  m.attr("instruction_set") = griddle_instruction_set();
}

}  // namespace griddle::python
