#include "runtime/python/options.h"

#include <pybind11/stl.h>

#include <cstring>
#include <utility>

namespace griddle::python {

namespace {

// --- streams: each call comes from BQN, while other threads of Python may run

// Calls a method of a stream; what goes wrong there is nobody's to hear of.
template <class F>
void on_stream(const py::object& own, const char* usual, F f) {
  const py::gil_scoped_acquire held;
  try {
    const py::object stream = own ? own : py::object(py::module_::import("sys").attr(usual));
    if (!stream.is_none()) f(stream);
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("writing output of BQN");
  }
}

void write_to(const py::object& own, const char* usual, griddle_text text) {
  on_stream(own, usual, [&](const py::object& to) {
    to.attr("write")(
        py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.bytes), "replace")));
  });
}
void write(void* data, griddle_text text) { write_to(static_cast<Streams*>(data)->output, "stdout", text); }
void write_error(void* data, griddle_text text) { write_to(static_cast<Streams*>(data)->errors, "stderr", text); }
void flush(void* data) {
  on_stream(static_cast<Streams*>(data)->output, "stdout", [](const py::object& to) {
    if (py::hasattr(to, "flush")) to.attr("flush")();
  });
}

// Reads a line with its end into `line`; gives false at the end.
bool take_line(Streams& streams) {
  streams.line.clear();
  on_stream(streams.input, "stdin", [&](const py::object& from) { streams.line = from.attr("readline")().cast<std::string>(); });
  return !streams.line.empty();
}
int read_line(void* data, griddle_text* line) {
  Streams& streams = *static_cast<Streams*>(data);
  if (!streams.rest.empty())
    streams.line = std::exchange(streams.rest, {});
  else if (!take_line(streams))
    return 0;
  if (streams.line.ends_with('\n')) streams.line.pop_back();
  *line = {streams.line.data(), streams.line.size()};
  return 1;
}
int read_byte(void* data, int wait) {
  Streams& streams = *static_cast<Streams*>(data);
  if (streams.rest.empty() && (wait == 0 || !take_line(streams))) return -1;
  if (streams.rest.empty()) streams.rest = streams.line;
  const auto byte = static_cast<unsigned char>(streams.rest.front());
  streams.rest.erase(0, 1);
  return byte;
}

// --- files

int read_file(void* data, griddle_text path, griddle_text* contents) {
  Files& files = *static_cast<Files*>(data);
  const py::gil_scoped_acquire held;
  try {
    const py::str name(path.data, path.bytes);
    const py::object found = PyCallable_Check(files.source.ptr()) != 0 ? files.source(name) : files.source.attr("get")(name);
    if (found.is_none()) return 0;
    files.contents = found.cast<std::string>();
    *contents = {files.contents.data(), files.contents.size()};
    return 1;
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("reading a file for BQN");
    return 0;
  }
}

// --- choices

constexpr std::pair<const char*, griddle_capability> capabilities[] = {
    {"read_files", griddle_may_read_files},           {"write_files", griddle_may_write_files},
    {"run_programs", griddle_may_run_programs},       {"call_foreign", griddle_may_call_foreign},
    {"see_environment", griddle_may_see_environment}, {"read_clock", griddle_may_read_clock},
};
constexpr std::pair<const char*, griddle_device_use> device_uses[] = {{"none", griddle_device_none},
                                                                      {"auto", griddle_device_automatic},
                                                                      {"always", griddle_device_always},
                                                                      {"only", griddle_device_only}};
constexpr std::pair<const char*, griddle_pictures> pictures[] = {
    {"none", griddle_pictures_none}, {"text", griddle_pictures_text}, {"png", griddle_pictures_png}};

constexpr std::pair<const char*, std::int32_t> machine_codes[] = {{"often", 0}, {"never", 1}, {"always", 2}};

template <class Choices>
auto chosen(const Choices& choices, const std::string& what, const py::handle& value) {
  const auto name = value.cast<std::string>();
  std::string all;
  for (const auto& [known, choice] : choices) {
    if (name == known) return choice;
    all.append(all.empty() ? "" : ", ").append(known);
  }
  throw py::value_error(what + " is one of " + all + " (got " + name + ")");
}

}  // namespace

Options::Options(const py::kwargs& given, Streams& streams, Files& files) {
  console_.size = sizeof console_;
  console_.data = &streams;
  console_.write = write;
  console_.write_error = write_error;
  console_.flush = flush;
  console_.read_line = read_line;
  console_.read_byte = read_byte;
  options_.console = &console_;
  for (const auto& [name, value] : given)
    if (!value.is_none() || name.cast<std::string>().starts_with("std")) choose(name.cast<std::string>(), value, streams, files);
  for (const std::string& argument : arguments_) argument_texts_.push_back({argument.data(), argument.size()});
  options_.arguments = argument_texts_.data();
  options_.argument_count = argument_texts_.size();
}

void Options::choose(const std::string& name, const py::handle& value, Streams& streams, Files& files) {
  const auto text = [&](std::string& keeps) {
    keeps = py::str(value).cast<std::string>();
    return keeps.c_str();
  };
  const auto size = [&] {
    const double n = value.cast<double>();
    if (!(n >= 0 && n < 1e18)) throw py::value_error(name + " must be a natural number");
    return static_cast<std::size_t>(n);
  };
  if (name == "memory_limit")
    options_.memory_limit = size();
  else if (name == "output_limit")
    options_.output_limit = size();
  else if (name == "step_limit")
    options_.step_limit = size();
  else if (name == "depth_limit")
    options_.depth_limit = size();
  else if (name == "stack_bytes")
    options_.stack_bytes = size();
  else if (name == "time_limit")
    options_.time_limit = value.cast<double>();
  else if (name == "seed")
    options_.seed = value.cast<std::uint64_t>(), options_.has_seed = 1;
  else if (name == "root")
    options_.root = text(root_);
  else if (name == "device")
    options_.device = chosen(device_uses, name, value);
  else if (name == "pictures")
    options_.pictures = chosen(pictures, name, value);
  else if (name == "machine_code")
    options_.machine_code = chosen(machine_codes, name, value);
  else if (name == "device_plugin")
    options_.device_plugin = text(plugin_);
  else if (name == "device_cache")
    options_.device_cache = text(cache_);
  else if (name == "device_from")
    options_.device_from = size();
  else if (name == "arguments")
    arguments_ = value.cast<std::vector<std::string>>();
  else if (name == "stdout")
    streams.output = py::reinterpret_borrow<py::object>(value);
  else if (name == "stderr")
    streams.errors = py::reinterpret_borrow<py::object>(value);
  else if (name == "stdin")
    streams.input = py::reinterpret_borrow<py::object>(value);
  else if (name == "safe") {
    if (value.cast<bool>()) options_.capabilities = griddle_may_read_clock;
  } else if (name == "capabilities") {
    options_.capabilities = 0;
    for (const py::handle capability : value) options_.capabilities |= chosen(capabilities, "A capability", capability);
  } else if (name == "files") {
    files.source = py::reinterpret_borrow<py::object>(value);
    files_ = {sizeof files_, &files, read_file};
    options_.files = &files_;
  } else {
    throw py::type_error("Interpreter() has no option " + name);
  }
}

}  // namespace griddle::python
