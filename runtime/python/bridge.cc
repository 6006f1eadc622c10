#include "runtime/python/bridge.h"

#include "runtime/python/options.h"

namespace griddle::python {

namespace {

// Texts whose functions are kept. Programs have few; one that makes many up does not need them again.
constexpr std::size_t most_functions = 512;

griddle_text text_of(const std::string& s) { return {s.data(), s.size()}; }
std::string string_of(griddle_text t) { return {t.data, t.bytes}; }

}  // namespace

Held::~Held() {
  if (value_.interpreter != nullptr) bridge_->give_back(value_);
}

Bridge::Bridge(const py::kwargs& given) : streams_(std::make_unique<Streams>()), files_(std::make_unique<Files>()) {
  Options options(given, *streams_, *files_);
  griddle_failure* why = nullptr;
  bqn_ = griddle_new(options.get(), &why);
  if (bqn_ == nullptr) {
    griddle_release_failure(why);
    throw std::bad_alloc();
  }
}

Bridge::~Bridge() {
  for (auto& [source, function] : functions_) griddle_release(function);
  for (griddle_value v : returned_) griddle_release(v);
  griddle_delete(bqn_);
}

Bridge::Entered::Entered(Bridge& bridge) : bridge_(bridge) {
  if (!bridge_.mutex_.try_lock()) {
    py::gil_scoped_release others_run;
    bridge_.mutex_.lock();
  }
  if (bridge_.entered_++ == 0) bridge_.raised_ = py::object();
  std::vector<griddle_value> returned;
  {
    const std::lock_guard lock(bridge_.returned_mutex_);
    returned.swap(bridge_.returned_);
  }
  for (griddle_value v : returned) griddle_release(v);
}

Bridge::Entered::~Entered() {
  bridge_.entered_--;
  bridge_.mutex_.unlock();
}

void Bridge::give_back(griddle_value v) noexcept {
  if (mutex_.try_lock()) {
    griddle_release(v);
    mutex_.unlock();
    return;
  }
  const std::lock_guard lock(returned_mutex_);
  returned_.push_back(v);
}

griddle_value Bridge::function_of(const std::string& source) {
  if (const auto known = functions_.find(source); known != functions_.end()) return known->second;
  const griddle_value made =
      compute([&](griddle_failure** why) { return griddle_eval(bqn_, text_of(source), griddle_string("(Python)"), why); });
  if (functions_.size() >= most_functions) {
    for (auto& [text, function] : functions_) griddle_release(function);
    functions_.clear();
  }
  functions_.emplace(source, made);
  return made;
}

py::object Bridge::call(const griddle_value& function, const py::args& arguments, bool keep) {
  if (arguments.size() != 1 && arguments.size() != 2) throw py::type_error("A BQN function takes one argument, or two: 𝕨 and 𝕩");
  if (arguments.size() == 1) {
    const Sent x = to_bqn(*this, arguments[0]);
    return given(*this, compute([&](griddle_failure** why) { return griddle_call(function, x.get(), why); }), keep);
  }
  const Sent w = to_bqn(*this, arguments[0]), x = to_bqn(*this, arguments[1]);
  return given(*this, compute([&](griddle_failure** why) { return griddle_call2(function, w.get(), x.get(), why); }), keep);
}

py::object Bridge::eval(const std::string& source, const py::args& arguments, bool keep) {
  const Entered entered(*this);
  if (arguments.empty())
    return given(*this, compute([&](griddle_failure** why) {
      return griddle_eval(bqn_, text_of(source), griddle_string("(Python)"), why);
    }),
                 keep);
  // A function that it calls may drop it from those that are kept.
  const Sent function(griddle_share(function_of(source)));
  return call(function.get(), arguments, keep);
}

py::object Bridge::run(const std::string& source, const std::string& name, bool keep) {
  const Entered entered(*this);
  const griddle_value v =
      compute([&](griddle_failure** why) { return griddle_eval_in_session(bqn_, text_of(source), text_of(name), why); });
  return v.interpreter == nullptr ? py::none() : given(*this, v, keep);
}

void Bridge::define(const std::string& name, py::handle value) {
  const Entered entered(*this);
  const Sent v = to_bqn(*this, value);
  griddle_failure* why = nullptr;
  if (griddle_define(bqn_, text_of(name), v.get(), &why) == 0) raise(why);
}

griddle_failure* Bridge::take_exception(py::error_already_set& error) {
  raised_message_ = py::str(error.type().attr("__name__")).cast<std::string>();
  if (const std::string said = py::str(error.value()).cast<std::string>(); !said.empty()) raised_message_ += ": " + said;
  // What ends the program of Python ends that of BQN, which may not catch it.
  if (!PyErr_GivenExceptionMatches(error.type().ptr(), PyExc_Exception)) griddle_interrupt(bqn_);
  raised_ = error.value();
  if (error.trace()) PyException_SetTraceback(raised_.ptr(), error.trace().ptr());
  return griddle_make_failure(text_of(raised_message_));
}

void Bridge::raise(griddle_failure* why) {
  const std::unique_ptr<griddle_failure, decltype(&griddle_release_failure)> owned(why, griddle_release_failure);
  // Ctrl-C is an exception of Python.
  if (griddle_failure_cause(why) == griddle_interrupted && PyErr_CheckSignals() != 0) throw py::error_already_set();
  const py::module_ errors = py::module_::import("griddle.errors");
  py::list frames;
  for (std::size_t i = 0; i < griddle_failure_frames(why); i++) {
    griddle_frame frame;
    frame.size = sizeof frame;
    if (griddle_failure_frame(why, i, &frame) == 0) continue;
    frames.append(
        errors.attr("Frame")(string_of(frame.name), frame.line, frame.column, frame.length, string_of(frame.line_text)));
  }
  static constexpr const char* names[] = {"Error", "Interrupted", "TimedOut", "OutOfSteps", "Exited"};
  const griddle_cause cause = griddle_failure_cause(why);
  const std::string message = string_of(griddle_failure_message(why));
  const griddle_value value = griddle_failure_value(why);
  py::object error = errors.attr(names[cause])(message, string_of(griddle_failure_report(why)), frames);
  error.attr("value") = value.interpreter == nullptr ? py::none() : to_python(*this, value);
  if (cause == griddle_exited) error.attr("code") = griddle_failure_exit_code(why);
  if (raised_ && (cause == griddle_interrupted || message == raised_message_)) {
    // A Python function raised it: it comes out again, and tells by which way.
    const py::object again = std::exchange(raised_, py::object());
    if (again.attr("__cause__").is_none()) PyException_SetCause(again.ptr(), error.release().ptr());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(again.ptr())), again.ptr());
    throw py::error_already_set();
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw py::error_already_set();
}

}  // namespace griddle::python
