// Griddle for C++20: evaluate BQN, pass data in and out, call functions both ways.
//
//   griddle::Interpreter bqn;
//   griddle::Result six = bqn.eval("+´")(bqn.list({1, 2, 3}));
//   if (six) std::printf("%g\n", six->number());
//   else     std::fputs(six.failure().report.c_str(), stderr);
//
// Evaluation throws nothing: what can fail gives a Result. An Interpreter, with all its values, is used by one thread at a time;
// only interrupt(), stop() and should_stop() may be called from anywhere. Many interpreters may live side by side.
//
// This is nothing but inline calls of griddle.h, which crosses no type of the C++ library: a host may be compiled by any
// compiler, with any options, also without exceptions and run-time types.
#pragma once

#include <algorithm>
#include <initializer_list>
#if __has_include(<stop_token>)
#include <stop_token>
#endif

#include "griddle_values.hpp"

namespace griddle {

// How a terminal shows what •plot draws; `asked`: as the console says; `png`: the bytes of a file.
enum class PictureForm : std::uint8_t { none, text, kitty, sixel, asked, png };

// Whether blocks that run often become machine code, on processors for which it is made; `always`: before they run, for tests.
enum class MachineCode : std::uint8_t { often, never, always };

// Where programs write to and read from. Each method has a default that does nothing.
class Console {
 public:
  virtual ~Console() = default;
  virtual void write(std::string_view) {}
  virtual void write_error(std::string_view) {}
  virtual void flush() {}
  // Reads a line without its end. Tells whether there was one.
  virtual bool read_line(std::string&) { return false; }
  // Gives the next byte; -1 at the end, and where none is there yet and `wait` is false.
  virtual int read_byte([[maybe_unused]] bool wait) { return -1; }
  // Hands over keys one by one, or lines again.
  virtual void set_raw(bool) {}
  // Tells whether output goes to a terminal, and how large that is.
  virtual bool terminal_size([[maybe_unused]] std::size_t& rows, [[maybe_unused]] std::size_t& columns) { return false; }
  // Says how the terminal shows pictures: asked once, before the first one, with PictureForm::asked.
  virtual PictureForm pictures() { return PictureForm::text; }
  // Gives how many columns the terminal has that errors go to, or 0 where they go to none: •_progress draws there.
  virtual std::size_t error_columns() { return 0; }

 private:
  friend class Interpreter;
  std::string line_;  // the last one that was read
};

// Files that the host makes up: •Import and what reads whole files ask it; all others that need a file fail.
class FileSource {
 public:
  virtual ~FileSource() = default;
  // Gives the contents of a file, or nothing. The path is absolute.
  virtual std::optional<std::string> read(std::string_view path) = 0;

 private:
  friend class Interpreter;
  std::string contents_;  // of the last one that was read
};

enum class DeviceUse : std::uint8_t { none, automatic, always, only };

// What griddle_options says of each.
struct Options {
  Console* console = nullptr;          // outlives the interpreter; null: nothing to read, and writing goes nowhere
  FileSource* files = nullptr;         // likewise; null: the machine's files
  std::vector<std::string> arguments;  // •args of what eval runs
  std::uint32_t capabilities = griddle_may_do_all;
  // Refuses programs all that reaches outside, but the clock. What they write and read through the console, and the files that
  // the host itself runs, are for the host to decide.
  bool safe = false;
  std::string root;                   // files are read and written in this folder alone, and below; empty: anywhere
  std::size_t memory_limit = 0;       // bytes; 0: what the machine has
  std::size_t output_limit = 0;       // bytes; 0: any number
  std::uint64_t step_limit = 0;       // calls of blocks; 0: any number
  std::size_t depth_limit = 0;        // calls of blocks within each other; 0: as many as there is room for
  std::size_t stack_bytes = 0;        // that an evaluation may use below its caller's frame; 0: what the thread has
  double time_limit = 0;              // seconds for each evaluation; 0: any number
  std::optional<std::uint64_t> seed;  // of •rand
  DeviceUse device = DeviceUse::none;
  std::string device_plugin;    // path; empty: where it is installed
  std::string device_cache;     // file that remembers how fast devices are; empty: none
  std::size_t device_from = 0;  // elements from which on a device gets all it can do; 0: where it is faster
  bool general_ways = false;    // for tests: computes by general functions alone, slower, and the same
  bool checked_ways = false;    // for tests: compares every fast path with the general function
  PictureForm pictures = PictureForm::none;
  MachineCode machine_code = MachineCode::often;
};

class Interpreter {
 public:
  // Where there is not even memory to begin with, ok() is false, and whatever is asked fails.
  explicit Interpreter(const Options& options = {}) { begin(options); }
  ~Interpreter() { griddle_delete(p_); }
  Interpreter(Interpreter&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Interpreter& operator=(Interpreter&& o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  bool ok() const noexcept { return p_ != nullptr; }
  griddle_interpreter* handle() const noexcept { return p_; }

  // Runs a program and gives the value of its last statement, or its namespace. Messages call it `name`.
  Result eval(std::string_view source, std::string_view name = "") {
    return result([&](griddle_failure** why) { return griddle_eval(p_, detail::text(source), detail::text(name), why); });
  }
#ifdef __cpp_lib_jthread
  // The same until somebody asks to stop.
  Result eval(std::string_view source, std::stop_token token) {
    Result r = Any();
    {
      std::stop_callback on_stop(token, [this] { stop(); });
      r = eval(source);
    }
    resume();
    return r;
  }
#endif
  // Runs a line of a session: names stay for the lines after it and may be defined anew. A line without a value gives no value.
  // `name` is what error messages call it.
  Result eval_in_session(std::string_view source, std::string_view name = "") {
    return result(
        [&](griddle_failure** why) { return griddle_eval_in_session(p_, detail::text(source), detail::text(name), why); });
  }
  // Runs a line of a session, slowly, and appends to a text what people may want to know: how the line is read, its instructions,
  // and for each call of a primitive on arrays whether a fast path served it. Gives what eval_in_session gives.
  // Where a window of so many columns has room for it, the tree is drawn below the source.
  Result explain(std::string_view source, std::string& text, std::size_t columns = 0) {
    griddle_buffer told = {};
    Result r =
        result([&](griddle_failure** why) { return griddle_explain_within(p_, detail::text(source), columns, &told, why); });
    text += detail::taken(told);
    return r;
  }
  // The same, and tells instead which blocks begin and end with which values, and what each call gives.
  Result trace(std::string_view source, std::string& text) {
    griddle_buffer told = {};
    Result r = result([&](griddle_failure** why) { return griddle_trace(p_, detail::text(source), &told, why); });
    text += detail::taken(told);
    return r;
  }
  // Lists the fast paths of primitives, with how often each one could serve: a line each, with a tab between. Nothing but with
  // Options::checked_ways.
  std::string taken_ways() const { return detail::taken(griddle_taken_ways(p_)); }
  // Gives a name of the session a value, whether it had one or not. Gives the value, or says why that is no name.
  template <class T>
  Result define(std::string_view name, const T& value) {
    const Any made = make(value);
    return result([&](griddle_failure** why) {
      return griddle_define(p_, detail::text(name), made.handle(), why) != 0 ? griddle_share(made.handle()) : griddle_value{};
    });
  }
  // Lists the names that lines of the session have defined, as they are spelled there; and the system values that programs may
  // use, with •.
  std::vector<std::string> session_names() const { return Any::strings(Any::adopt(griddle_session_names(p_, nullptr))); }
  std::vector<std::string> system_names() const { return Any::strings(Any::adopt(griddle_system_names(p_, nullptr))); }
  // Runs a line of a session, and tells what it defines.
  Result enter(std::string_view source, Entered& entered) {
    return entering(entered,
                    [&](griddle_entered* e, griddle_failure** why) { return griddle_enter(p_, detail::text(source), {}, e, why); });
  }
  // Runs a file as a line of the session, so that its names stay.
  Result enter_file(std::string_view path, std::span<const std::string> arguments, Entered& entered) {
    const std::vector<griddle_text> texts = texts_of(arguments);
    return entering(entered, [&](griddle_entered* e, griddle_failure** why) {
      return griddle_enter_file(p_, detail::text(path), texts.data(), texts.size(), e, why);
    });
  }
  // Gives the value of a name of the session, or no value.
  Any session_value(std::string_view name) const { return Any::adopt(griddle_session_value(p_, detail::text(name))); }
  // Lists the files that •Import has run; has it run them anew.
  std::vector<std::string> imported_files() const { return Any::strings(Any::adopt(griddle_imported_files(p_, nullptr))); }
  void forget_imports() { griddle_forget_imports(p_); }
  // Appends the instructions that a line would become to a text. Gives no value, or why there are none.
  Result bytecode(std::string_view source, std::string& text) {
    griddle_buffer told = {};
    Result r = result([&](griddle_failure** why) {
      told = griddle_bytecode(p_, detail::text(source), why);
      return griddle_value{};
    });
    text += detail::taken(told);
    return r;
  }
  // Reads a source text for an editor, and runs nothing: tokens, what names mean, and errors, as griddle_analyse gives them.
  Result analyse(std::string_view source) {
    return result([&](griddle_failure** why) { return griddle_analyse(p_, detail::text(source), why); });
  }
  griddle_memory memory() const noexcept {
    griddle_memory memory = {};
    memory.size = sizeof memory;
    griddle_memory_of(p_, &memory);
    return memory;
  }
  void forget_peak() noexcept { griddle_forget_peak(p_); }
  // Tells what the memory in use holds; all 0 where there is no memory for that.
  griddle_memory_kinds memory_kinds() const noexcept {
    griddle_memory_kinds kinds = {};
    kinds.size = sizeof kinds;
    griddle_memory_kinds_of(p_, &kinds);
    return kinds;
  }
  // Sets how many digits format() and format_within() write of a number at most; 0: as many as it needs.
  void set_precision(int digits) noexcept { griddle_set_precision(p_, digits); }
  // Where time goes: samples may be taken in a signal handler; the report is for samples that are so many seconds apart.
  bool start_profile() { return griddle_start_profile(p_, nullptr) != 0; }
  void sample() noexcept { griddle_sample(p_); }
  std::string end_profile(double seconds) { return detail::taken(griddle_end_profile(p_, seconds)); }
  Result run_file(std::string_view path, std::span<const std::string> arguments = {}) {
    const std::vector<griddle_text> texts = texts_of(arguments);
    return result(
        [&](griddle_failure** why) { return griddle_run_file(p_, detail::text(path), texts.data(), texts.size(), why); });
  }
  // Runs text as if it were in a file of the working directory, with these arguments.
  Result run(std::string_view source, std::string_view name, std::span<const std::string> arguments) {
    const std::vector<griddle_text> texts = texts_of(arguments);
    return result([&](griddle_failure** why) {
      return griddle_run(p_, detail::text(source), detail::text(name), texts.data(), texts.size(), why);
    });
  }

  Any number(double d) { return Any::adopt(griddle_make_number(p_, d)); }
  Any character(char32_t c) { return Any::adopt(griddle_make_character(p_, c)); }
  Any text(std::string_view utf8) { return Any::adopt(griddle_make_text(p_, detail::text(utf8), nullptr)); }
  // Makes a number, character, text or list of what C++ has: arithmetic types, strings, vectors of them, and vectors of vectors.
  template <class T>
  Any make(const T& value);
  Any list(std::span<const Any> elements) {
    std::size_t length = elements.size();
    return array(elements, {&length, 1});
  }
  Any list(std::initializer_list<double> elements) { return list(std::span(elements.begin(), elements.size())); }
  template <class = void>  // so that an empty list is one of numbers
  Any list(std::initializer_list<Any> elements) {
    return list(std::span(elements.begin(), elements.size()));
  }
  // Makes a list, or an array of the given shape; no value where the shape needs another number of elements, or an element is
  // what BQN does not have.
  template <detail::Elements T>
  Any list(const std::vector<T>& elements) {
    if constexpr (std::is_same_v<T, bool>) {
      const std::unique_ptr<bool[]> copy(new bool[elements.size()]);
      for (std::size_t i = 0; i < elements.size(); i++) copy[i] = elements[i];
      return list(std::span<const bool>(copy.get(), elements.size()));
    } else {
      return list(std::span<const T>(elements));
    }
  }
  template <detail::Elements T>
  Any list(std::span<const T> elements) {
    std::size_t length = elements.size();
    return array(elements, {&length, 1});
  }
  template <detail::Elements T>
  Any array(std::span<const T> elements, std::span<const std::size_t> shape) {
    return typed(elements.data(), static_cast<griddle_type>(detail::type_of<T>()), elements.size(), shape);
  }
  // Texts of code points; std::uint8_t stands for numbers elsewhere.
  Any characters(std::span<const std::uint8_t> code_points) {
    const std::size_t n = code_points.size();
    return typed(code_points.data(), griddle_c8, n, {&n, 1});
  }
  Any array(std::span<const Any> elements, std::span<const std::size_t> shape) {
    std::vector<griddle_value> handles;
    for (const Any& e : elements) handles.push_back(e.handle());
    return typed(handles.data(), griddle_any, handles.size(), shape);
  }
  // Makes an array of elements that stay where they are and do not change until `drop` is called, when the array is gone.
  template <detail::InPlace T, class Drop>
  Any borrow(std::span<const T> elements, std::span<const std::size_t> shape, Drop drop) {
    auto* held = new Drop(std::move(drop));
    return Any::adopt(griddle_borrow_array(
        p_, static_cast<griddle_type>(detail::form_of<T>()), elements.data(), shape.data(), shape.size(),
        [](void* data) {
          std::unique_ptr<Drop> owned(static_cast<Drop*>(data));
          (*owned)();
        },
        held, nullptr));
  }
  // The same of a vector, which the array takes.
  template <detail::InPlace T>
  Any borrow(std::vector<T>&& elements) {
    auto held = std::make_shared<std::vector<T>>(std::move(elements));
    const std::size_t length = held->size();
    return borrow(std::span<const T>(*held), {&length, 1}, [held] {});
  }
  Any name_space(std::initializer_list<std::pair<std::string_view, Any>> fields) {
    std::vector<griddle_text> names;
    std::vector<griddle_value> values;
    for (const auto& [name, value] : fields) {
      names.push_back(detail::text(name));
      values.push_back(value.handle());
    }
    return Any::adopt(griddle_make_namespace(p_, names.data(), values.data(), names.size(), nullptr));
  }
  // Makes a function of one or two arguments (𝕩, or 𝕨 and 𝕩) that are numbers, texts, vectors or Any, and whose result is such,
  // or a Result; or of (const Any* w, const Any& x), where w is null where there is one argument.
  template <class F>
  Any function(std::string_view name, F f);
  // Makes a modifier of (f, x), (f, w, x), (f, g, x) or (f, g, w, x); w is null where there is one argument:
  // (const Any& f, const Any* g, const Any* w, const Any& x) -> Result.
  template <class F>
  Any modifier(std::string_view name, int operands, F f);
  // Copies data of another interpreter, whose values no call here takes. Both are used by this thread meanwhile.
  Result import(const Any& value) {
    return result([&](griddle_failure** why) { return griddle_import(p_, value.handle(), why); });
  }
  Result deserialise(std::string_view bytes) {
    return result([&](griddle_failure** why) { return griddle_deserialise(p_, bytes.data(), bytes.size(), why); });
  }

  // Ends the running evaluation soon, with cause interrupt, or the next one where none runs. May be called from any thread and
  // from signal handlers.
  void interrupt() noexcept { griddle_interrupt(p_); }
  // Takes back a request that has ended nothing yet.
  void clear_interrupt() noexcept { griddle_clear_interrupt(p_); }
  // Ends the running evaluation and all that come, until resume().
  void stop() noexcept { griddle_stop(p_); }
  void resume() noexcept { griddle_resume(p_); }
  bool should_stop() const noexcept { return griddle_should_stop(p_) != 0; }
  // All evaluations end when so many seconds have passed; 0 takes that back.
  bool set_deadline(double seconds) { return griddle_set_deadline(p_, seconds, nullptr) != 0; }
  void set_memory_limit(std::size_t bytes) { griddle_set_memory_limit(p_, bytes); }
  std::size_t memory_in_use() const noexcept { return griddle_memory_in_use(p_); }
  std::uint64_t steps_left() const noexcept { return griddle_steps_left(p_); }
  void set_steps(std::uint64_t steps) noexcept { griddle_set_steps(p_, steps); }

  static griddle_options options_of(const Options&, griddle_console&, griddle_file_source&, std::vector<griddle_text>& arguments);

 private:
  void begin(const Options&);
  template <class F>
  static Result result(F f) {
    griddle_failure* why = nullptr;
    Any value = Any::adopt(f(&why));
    return Result(std::move(value), why);
  }
  template <class F>
  static Result entering(Entered& entered, F f) {
    griddle_entered told = {};
    told.size = sizeof told;
    Result r = result([&](griddle_failure** why) { return f(&told, why); });
    entered.ends_in_assignment = told.ends_in_assignment != 0;
    const std::vector<std::string> texts = Any::strings(Any::adopt(told.definitions));
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2) entered.definitions.emplace_back(texts[i], texts[i + 1]);
    return r;
  }
  static std::vector<griddle_text> texts_of(std::span<const std::string> strings) {
    std::vector<griddle_text> texts;
    for (const std::string& s : strings) texts.push_back(detail::text(s));
    return texts;
  }
  Any typed(const void* elements, griddle_type type, std::size_t count, std::span<const std::size_t> shape) {
    std::size_t length = 1;
    for (const std::size_t axis : shape)
      if (axis != 0 && length > ~std::size_t{0} / axis)
        return {};
      else
        length *= axis;
    return length == count ? Any::adopt(griddle_make_array(p_, type, elements, shape.data(), shape.size(), nullptr)) : Any();
  }
  griddle_interpreter* p_ = nullptr;
};

}  // namespace griddle

#include "griddle_inline.hpp"
