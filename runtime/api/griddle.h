// Griddle for programs that embed it: evaluate BQN, pass data in and out, call functions both ways.
//
//   griddle::Interpreter bqn;
//   griddle::Result six = bqn.eval("+´")(bqn.list({1, 2, 3}));
//   if (six) std::printf("%g\n", six->number());
//   else     std::fputs(six.failure().report.c_str(), stderr);
//
// Evaluation throws nothing: what can fail gives a Result. An Interpreter, with all its values, is used by one thread
// at a time; only interrupt() may be called from anywhere. Many interpreters may live side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#if defined(__GNUC__)
#define GRIDDLE_API __attribute__((visibility("default")))
#else
#define GRIDDLE_API
#endif

namespace griddle {

struct InterpreterState;
class Interpreter;
class Result;

enum class Kind : std::uint8_t { none, array, number, character, function, modifier1, modifier2, name_space };

// How an array holds its elements: packed bits, integers, doubles, code points, or values of any kind.
enum class Element : std::uint8_t { bit, i8, i16, i32, f64, c8, c16, c32, any };

// A BQN value. Copying shares it; it keeps what it needs of its interpreter alive. The default is no value at all.
class GRIDDLE_API Any {
 public:
  Any() = default;
  Any(const Any&) noexcept;
  Any(Any&&) noexcept;
  Any& operator=(const Any&) noexcept;
  Any& operator=(Any&&) noexcept;
  ~Any();

  Kind kind() const noexcept;
  bool has_value() const noexcept { return kind() != Kind::none; }
  bool is_number() const noexcept { return kind() == Kind::number; }
  bool is_character() const noexcept { return kind() == Kind::character; }
  bool is_array() const noexcept { return kind() == Kind::array; }
  bool is_function() const noexcept { return kind() == Kind::function; }
  bool is_namespace() const noexcept { return kind() == Kind::name_space; }
  // Tells whether this is a list of characters; an empty list is one.
  bool is_text() const noexcept;

  // Atoms: NaN, or NUL, for what is no number, or no character.
  double number() const noexcept;
  char32_t character() const noexcept;

  // Arrays; an atom counts as an array of rank 0 that holds it.
  std::size_t rank() const noexcept;
  std::size_t length() const noexcept;  // number of elements
  std::vector<std::size_t> shape() const;
  Element element() const noexcept;
  // Gives an element in index order, or no value beyond the last.
  Any operator[](std::size_t index) const;
  // Gives the elements in place where the array holds them as T (std::int8_t to double, std::uint8_t to char32_t); else nothing.
  // They live as long as this value.
  template <class T>
  std::span<const T> view() const noexcept;
  // Gives all elements as doubles; nothing where one is no number.
  std::optional<std::vector<double>> numbers() const;
  // Gives the characters of a list in UTF-8; nothing where one is no character.
  std::optional<std::string> text() const;
  std::vector<Any> elements() const;

  // Namespaces: a field by any spelling of its name, or no value.
  Any field(std::string_view name) const;
  std::vector<std::string> fields() const;

  // Calls a value: functions run, anything else gives itself.
  Result operator()(const Any& x) const;
  Result operator()(const Any& w, const Any& x) const;

  // Gives the text that a session shows; where memory does not hold it, or an interrupt ends it, "(not shown: …)".
  std::string format() const;
  // Gives source text that recreates the value.
  Result source() const;

 private:
  friend struct InterpreterState;
  friend class Interpreter;
  const void* elements_as(Element) const noexcept;
  InterpreterState* state_ = nullptr;
  std::uint64_t bits_ = 0;
};

// Why an evaluation gave no value.
struct Failure {
  enum class Cause : std::uint8_t { error, interrupt, exit };
  Cause cause = Cause::error;
  std::string message;  // of the error, as text
  std::string report;   // message and place of each active call, as the executable prints it
  int exit_code = 1;    // of •Exit
  Any value;            // the message as a value, where it is any
};

class GRIDDLE_API Result {
 public:
  Result(Any value) : value_(std::move(value)) {}
  Result(Failure failure) : failure_(std::make_shared<Failure>(std::move(failure))) {}
  // Makes a failure with a message, for functions of the host.
  static Result error(std::string message);

  bool ok() const noexcept { return !failure_; }
  explicit operator bool() const noexcept { return ok(); }
  // The value; no value where there is a failure.
  const Any& value() const noexcept { return value_; }
  const Any& operator*() const noexcept { return value_; }
  const Any* operator->() const noexcept { return &value_; }
  // Calls the value; a failure stays what it is, so that calls can follow each other and be checked at the end.
  Result operator()(const Any& x) const { return failure_ ? *this : value_(x); }
  Result operator()(const Any& w, const Any& x) const { return failure_ ? *this : value_(w, x); }
  // The failure; an empty one where there is a value.
  const Failure& failure() const noexcept;

 private:
  Any value_;
  std::shared_ptr<const Failure> failure_;
};

// Where programs write to and read from. Each method has a default that does nothing.
class GRIDDLE_API Console {
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
};

struct Options {
  Console* console = nullptr;          // outlives the interpreter; null: nothing to read, and writing goes nowhere
  std::vector<std::string> arguments;  // •args of what eval runs
  std::size_t memory_limit = 0;        // bytes; 0: what the machine has
  // Refuses programs what reaches outside: files, other programs, foreign functions, the environment. What they write and read
  // through the console, and the files that the host itself runs, are for the host to decide.
  bool safe = false;
  // Computes by general functions alone, without their fast paths: slower, and the same results. For tests.
  bool general_ways = false;
  // Tries every fast path of a primitive at each call, and fails where one gives something else than the general function. For
  // tests.
  bool checked_ways = false;
};

// A function of the host. `w` is null where there is one argument.
using HostFunction = std::function<Result(const Any* w, const Any& x)>;

class GRIDDLE_API Interpreter {
 public:
  // Throws std::bad_alloc where there is not even memory to begin with.
  explicit Interpreter(Options = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Runs a program and gives the value of its last statement, or its namespace. Messages call it `name`.
  Result eval(std::string_view source, std::string_view name = "");
  // Runs a line of a session: names stay for the lines after it and may be defined anew. A line without a value gives no value.
  // `name` is what error messages call it.
  Result eval_in_session(std::string_view source, std::string_view name = "");
  // Runs a line of a session, slowly, and appends to a text what people may want to know: how the line is read, its instructions,
  // and for each call of a primitive on arrays whether a fast path served it. Gives what eval_in_session gives.
  Result explain(std::string_view source, std::string& text);
  // Lists the fast paths of primitives, with how often each one could serve: a line each, with a tab between. Nothing but with
  // Options::checked_ways.
  std::string taken_ways() const;
  // Gives a name of the session a value, whether it had one or not. Gives the value, or says why that is no name.
  Result define(std::string_view name, const Any& value);
  // Lists the names that lines of the session have defined, as they are spelled there; and the system values that programs may
  // use, with •.
  std::vector<std::string> session_names() const;
  std::vector<std::string> system_names() const;
  Result run_file(const std::string& path, std::span<const std::string> arguments = {});
  // Runs text as if it were in a file of the working directory, with these arguments.
  Result run(std::string_view source, std::string_view name, std::span<const std::string> arguments);

  Any number(double);
  Any character(char32_t);
  Any text(std::string_view utf8);
  Any list(std::span<const Any>);
  Any list(std::initializer_list<double>);
  template <class = void>  // so that an empty list is one of numbers
  Any list(std::initializer_list<Any> elements) {
    return list(std::span(elements.begin(), elements.size()));
  }
  // Makes a list, or an array of the given shape; no value where the shape needs another number of elements.
  // T: bool, std::int8_t, std::int16_t, std::int32_t, double; std::uint8_t, char16_t, char32_t for code points.
  template <class T>
  Any list(const std::vector<T>& elements) {
    return list(std::span<const T>(elements));
  }
  template <class T>
  Any list(std::span<const T> elements) {
    std::size_t length = elements.size();
    return array(elements, {&length, 1});
  }
  template <class T>
  Any array(std::span<const T> elements, std::span<const std::size_t> shape);
  Any array(std::span<const Any> elements, std::span<const std::size_t> shape);
  Any function(std::string name, HostFunction);
  // Copies data of another interpreter, whose values no call here takes. Both are used by this thread meanwhile.
  Result import(const Any& value);

  // Ends the running evaluation soon, with cause interrupt, or the next one where none runs. May be called from any thread and
  // from signal handlers.
  void interrupt() noexcept;
  // Takes back a request that has ended nothing yet.
  void clear_interrupt() noexcept;
  void set_memory_limit(std::size_t bytes);
  std::size_t memory_in_use() const noexcept;

 private:
  friend class Any;
  Any typed_array(Element, const void* elements, std::size_t count, std::span<const std::size_t> shape);
  InterpreterState* state_;
};

// Gives the version of the library: 0.2.0.
GRIDDLE_API const char* version() noexcept;

// What the library was built from, and which of its kernels run here.
struct BuildInfo {
  std::string version;
  std::string commit;                         // the first 12 digits; "unknown" where the sources lay in no repository
  bool modified = false;                      // the sources differed from the commit
  std::vector<std::string> instruction_sets;  // that kernels are compiled for, by Highway's names, from the simplest on
  std::string instruction_set;                // the best of them that this processor has
};
GRIDDLE_API BuildInfo build_info();
// Says why this library cannot run on this processor, or not as the environment variable GRIDDLE_TARGET wants it; empty where it
// can.
GRIDDLE_API std::string processor_problem();

// The device that large arrays may be computed on.
struct DeviceInfo {
  enum class State : std::uint8_t { no_plugin, not_wanted, none_found, found };
  State state = State::no_plugin;
  std::string plugin;  // path of the plug-in, where one is installed
  std::string name;    // of the device that was found
};
// Looks for a device and opens it, which may take a second; programs do so by themselves.
GRIDDLE_API DeviceInfo find_device();

// --- which T stands for which element
template <class T>
struct ElementOf;
template <>
struct ElementOf<std::int8_t> : std::integral_constant<Element, Element::i8> {};
template <>
struct ElementOf<std::int16_t> : std::integral_constant<Element, Element::i16> {};
template <>
struct ElementOf<std::int32_t> : std::integral_constant<Element, Element::i32> {};
template <>
struct ElementOf<double> : std::integral_constant<Element, Element::f64> {};
template <>
struct ElementOf<std::uint8_t> : std::integral_constant<Element, Element::c8> {};
template <>
struct ElementOf<char16_t> : std::integral_constant<Element, Element::c16> {};
template <>
struct ElementOf<char32_t> : std::integral_constant<Element, Element::c32> {};
template <>
struct ElementOf<bool> : std::integral_constant<Element, Element::bit> {};

template <class T>
std::span<const T> Any::view() const noexcept {
  static_assert(!std::is_same_v<T, bool>, "bits are packed; ask for numbers()");
  const void* data = elements_as(ElementOf<T>::value);
  return data ? std::span<const T>(static_cast<const T*>(data), length()) : std::span<const T>();
}

template <class T>
Any Interpreter::array(std::span<const T> elements, std::span<const std::size_t> shape) {
  return typed_array(ElementOf<T>::value, elements.data(), elements.size(), shape);
}

}  // namespace griddle
