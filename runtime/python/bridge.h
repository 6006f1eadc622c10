// What the parts of the module share: an interpreter as Python has it, and who may use it when.
//
// An interpreter is used by one thread at a time. Each function of the module holds its lock while it converts and computes; who
// has to wait for the lock does not keep Python's. While BQN computes, other threads of Python run. A Python function that BQN
// calls runs on the same thread, which has the lock already.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/api/griddle.h"

namespace griddle::python {

namespace py = pybind11;

class Bridge;
using SharedBridge = std::shared_ptr<Bridge>;

// Holds a value of BQN as long as Python does.
class Held {
 public:
  Held(SharedBridge bridge, griddle_value value) : bridge_(std::move(bridge)), value_(value) {}
  Held(Held&& o) noexcept : bridge_(std::move(o.bridge_)), value_(std::exchange(o.value_, griddle_value{})) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held();
  Bridge& bridge() const { return *bridge_; }
  const SharedBridge& shared() const { return bridge_; }
  const griddle_value& get() const { return value_; }

 private:
  SharedBridge bridge_;
  griddle_value value_;
};

// A value that goes to BQN: given up when this ends.
class Sent {
 public:
  Sent() = default;
  explicit Sent(griddle_value value) : value_(value) {}
  Sent(Sent&& o) noexcept : value_(std::exchange(o.value_, griddle_value{})) {}
  Sent& operator=(Sent&& o) noexcept {
    std::swap(value_, o.value_);
    return *this;
  }
  ~Sent() { griddle_release(value_); }
  const griddle_value& get() const { return value_; }
  griddle_value take() { return std::exchange(value_, griddle_value{}); }

 private:
  griddle_value value_ = {};
};

class Bridge : public std::enable_shared_from_this<Bridge> {
 public:
  // Fails where there is no memory.
  explicit Bridge(const py::kwargs& options);
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  griddle_interpreter* bqn() const { return bqn_; }

  // Has the interpreter for itself. Drops what was given back meanwhile.
  class Entered {
   public:
    explicit Entered(Bridge& bridge);
    ~Entered();
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    Bridge& bridge_;
  };

  // Calls f(&failure) while other threads of Python run. Raises the failure. Ctrl-C ends it.
  template <class F>
  auto compute(F f);
  // Gives a value back, as soon as nobody else uses the interpreter.
  void give_back(griddle_value) noexcept;

  // Evaluates text by itself; with arguments calls what it gives, which is kept for the next time.
  py::object eval(const std::string& source, const py::args&, bool keep);
  // Runs a line of the session.
  py::object run(const std::string& source, const std::string& name, bool keep);
  void define(const std::string& name, py::handle value);
  py::object call(const griddle_value& function, const py::args&, bool keep);

  // Takes an exception of a Python function that BQN called, and gives the failure to go on with.
  griddle_failure* take_exception(py::error_already_set&);
  // Raises a failure as an exception, and takes it over.
  [[noreturn]] void raise(griddle_failure*);

 private:
  griddle_value function_of(const std::string& source);

  griddle_interpreter* bqn_ = nullptr;
  std::recursive_mutex mutex_;
  int entered_ = 0;
  std::mutex returned_mutex_;
  std::vector<griddle_value> returned_;
  std::unordered_map<std::string, griddle_value> functions_;
  // The last exception of a Python function, and the message of the failure that it became.
  py::object raised_;
  std::string raised_message_;
  std::unique_ptr<struct Streams> streams_;
  std::unique_ptr<struct Files> files_;
};

// Lets Ctrl-C end an evaluation of the main thread while Python's own handler cannot run.
class Interruptible {
 public:
  explicit Interruptible(griddle_interpreter*);
  ~Interruptible();

 private:
  griddle_interpreter* bqn_ = nullptr;
};

template <class F>
auto Bridge::compute(F f) {
  griddle_failure* why = nullptr;
  auto result = [&] {
    py::gil_scoped_release others_run;
    const Interruptible interruptible(bqn_);
    return f(&why);
  }();
  if (why != nullptr) raise(why);
  return result;
}

// --- conversions; the interpreter is held

// Makes a value of a Python object. Raises TypeError, ValueError and OverflowError.
Sent to_bqn(Bridge&, py::handle);
// Makes a Python object of a value, and takes it over.
py::object to_python(Bridge&, griddle_value);
// Makes an object that keeps a value as it is.
py::object as_value(Bridge&, griddle_value);
inline py::object given(Bridge& bridge, griddle_value v, bool keep) { return keep ? as_value(bridge, v) : to_python(bridge, v); }
// Makes a value of an object that another library has, by its __dlpack__.
Sent from_dlpack(Bridge&, py::handle);
py::object to_dlpack(const Held&);

void define_values(py::module_&);

}  // namespace griddle::python
