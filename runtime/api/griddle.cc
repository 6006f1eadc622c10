#include "runtime/api/griddle.h"

#include <pthread.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <new>

#include "gpu/offload.h"
#include "runtime/api/interpreter_state.h"
#include "runtime/format/format.h"
#include "runtime/system/argument.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/value/cycles.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

constexpr const char* out_of_memory = "Out of memory";

// Lends an Any's value without taking a reference.
class Lent {
 public:
  explicit Lent(std::uint64_t bits) : value_(Value::from_bits(bits)) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { value_.leak(); }
  const Value& operator*() const { return value_; }
  const Value* operator->() const { return &value_; }

 private:
  Value value_;
};

Failure plain_failure(std::string message) {
  Failure failure;
  failure.report = "Error: " + message + "\n";
  failure.message = std::move(message);
  return failure;
}

bool same_place(const Location& a, const Location& b) { return a.source == b.source && a.start == b.start && a.end == b.end; }

// Appends the places of the active calls, innermost first; a recursion's repeated place stands once, and of very many places the
// middle is left out.
void append_places(std::string& report, std::span<const Location> places) {
  constexpr std::size_t most_places = 40, last_places = 8;
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // first place, repetitions
  for (std::size_t i = 0; i < places.size(); i++) {
    if (!places[i].source) continue;
    if (!runs.empty() && same_place(places[runs.back().first], places[i]))
      runs.back().second++;
    else
      runs.emplace_back(i, 1);
  }
  for (std::size_t r = 0; r < runs.size(); r++) {
    if (runs.size() > most_places && r == most_places - last_places) {
      std::size_t left_out = runs.size() - most_places;
      report.append("(").append(std::to_string(left_out)).append(" more places)\n");
      r += left_out;
    }
    auto [first, count] = runs[r];
    report += render_place(*places[first].source, {places[first].start, places[first].end});
    if (count > 1) report += "(more calls from here)\n";
  }
}

}  // namespace

// --- the state

InterpreterState::InterpreterState(Options options) : streams(options.console), system(cx, streams), vm(cx) {
  cx.general_ways = options.general_ways;
  make_primitives(cx);
  if (options.checked_ways) observe_primitives(cx, &checked_ways.emplace());
  device = make_device(cx);
  cx.device = device.get();
  set_memory_limit(options.memory_limit);
  system.safe = options.safe;
  arguments = strings(options.arguments);
}

InterpreterState::~InterpreterState() {
  session = nullptr;
  session_root = {};
  arguments = Value();
  collect_cycles(cx.heap);
}

Value InterpreterState::strings(std::span<const std::string> texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(make_string(cx.heap, text));
  return make_values(cx.heap, values);
}

Any InterpreterState::wrap(Value v) {
  Any any;
  if (v.is_mark()) return any;
  any.state_ = this;
  any.bits_ = v.leak();
  handles++;
  return any;
}

Value InterpreterState::share(const Any& any) {
  if (any.state_ == nullptr) return Value();
  if (any.state_ != this) fail(cx, "The value belongs to another interpreter, and was not imported");
  return *Lent(any.bits_);
}

Value InterpreterState::imported(InterpreterState& from, const Value& v) {
  if (v.is_absent() || v.is_number() || v.is_character()) return v;
  if (!v.is_array()) fail(cx, "Only data can be imported (got " + kind_text(v) + ")");
  cx.check_stack();
  const Array& a = v.array();
  Ref<Array> copy = make_array(cx.heap, a.type(), a.shape());
  if (a.type() != ElementType::boxed) {
    std::memcpy(copy->data, a.data, bytes_for(a.type(), a.length));
  } else {
    for (std::size_t i = 0; i < a.length; i++) {
      if (i % 4096 == 0) cx.check_interrupt();
      copy->as<Value>()[i] = imported(from, a.boxes()[i]);
    }
  }
  return with_fill(cx.heap, to_value(std::move(copy)), imported(from, fill_of(from.cx.heap, v)));
}

Failure InterpreterState::failure_of(Error& error) {
  Failure failure;
  const Value& message = error.message;
  try {
    constexpr std::size_t most_characters = 65536;
    if (!is_string(message))
      failure.message = brief_text(cx, message);
    else if (message.array().length > most_characters)
      failure.message = to_utf8(message.array(), most_characters) + "…";
    else if (message.array().length > 0)
      failure.message = to_utf8(message.array());
  } catch (...) {
    failure.message = "The message cannot be shown";
  }
  failure.report = "Error: " + failure.message + "\n";
  append_places(failure.report, error.frames);
  if (!error.catchable) failure.cause = Failure::Cause::interrupt;
  failure.value = wrap(message);
  return failure;
}

template <class F>
Result InterpreterState::guarded(F f) {
  struct Running {
    InterpreterState& state;
    ~Running() { state.running--; }
  } running{*this};
  this->running++;
  if (!thread_known || !pthread_equal(thread, pthread_self())) {
    thread = pthread_self();
    thread_known = true;
    set_stack_limit(cx);
  }
  try {
    return wrap(f());
  } catch (const ExitRequest& request) {
    Failure failure;
    failure.cause = Failure::Cause::exit;
    failure.exit_code = request.code;
    return failure;
  } catch (Error& error) {
    return failure_of(error);
  } catch (const OutOfMemory&) {
    return plain_failure(out_of_memory);
  } catch (const std::bad_alloc&) {
    return plain_failure(out_of_memory);
  } catch (const std::exception& exception) {
    return plain_failure(exception.what());
  } catch (...) {
    return plain_failure("An exception of unknown type");
  }
}

// Makes a value or, where memory is short, none.
template <class F>
Any InterpreterState::made(F f) noexcept {
  try {
    return wrap(f());
  } catch (...) {
    return Any();
  }
}

// --- values

Any::Any(const Any& other) noexcept : state_(other.state_), bits_(other.bits_) {
  if (!state_) return;
  state_->handles++;
  Value(*Lent(bits_)).leak();
}

Any::Any(Any&& other) noexcept : state_(std::exchange(other.state_, nullptr)), bits_(std::exchange(other.bits_, 0)) {}

Any& Any::operator=(const Any& other) noexcept {
  Any copy(other);
  return *this = std::move(copy);
}

Any& Any::operator=(Any&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(bits_, other.bits_);
  return *this;
}

Any::~Any() {
  if (!state_) return;
  Value::from_bits(bits_);
  state_->drop_handle();
}

Kind Any::kind() const noexcept {
  if (!state_) return Kind::none;
  Lent v(bits_);
  if (v->is_number()) return Kind::number;
  if (v->is_character()) return Kind::character;
  if (v->is_array()) return Kind::array;
  if (v->is_function()) return Kind::function;
  if (v->is_modifier1()) return Kind::modifier1;
  if (v->is_modifier2()) return Kind::modifier2;
  return v->is_namespace() ? Kind::name_space : Kind::none;
}

bool Any::is_text() const noexcept { return state_ && is_string(*Lent(bits_)); }
double Any::number() const noexcept { return is_number() ? Lent(bits_)->number() : std::nan(""); }
char32_t Any::character() const noexcept { return is_character() ? Lent(bits_)->character() : U'\0'; }

std::size_t Any::rank() const noexcept { return is_array() ? Lent(bits_)->array().rank() : 0; }
std::size_t Any::length() const noexcept { return is_array() ? Lent(bits_)->array().length : has_value(); }

std::vector<std::size_t> Any::shape() const {
  if (!is_array()) return {};
  std::span<const std::size_t> s = Lent(bits_)->array().shape();
  return {s.begin(), s.end()};
}

Element Any::element() const noexcept {
  static_assert(static_cast<int>(Element::any) == static_cast<int>(ElementType::boxed));
  return is_array() ? static_cast<Element>(Lent(bits_)->array().type()) : Element::any;
}

Any Any::operator[](std::size_t index) const {
  if (!is_array()) return index == 0 ? *this : Any();
  Lent v(bits_);
  if (index >= v->array().length) return Any();
  return state_->wrap(griddle::element(v->array(), index));
}

const void* Any::elements_as(Element e) const noexcept {
  return is_array() && element() == e ? Lent(bits_)->array().data.get() : nullptr;
}

std::optional<std::vector<double>> Any::numbers() const {
  if (is_number()) return std::vector<double>{number()};
  if (!is_array()) return std::nullopt;
  Lent v(bits_);
  const Array& a = v->array();
  if (a.length > 0 && griddle::is_character(a.type())) return std::nullopt;
  std::vector<double> result(a.length);
  for (std::size_t i = 0; i < a.length; i++) {
    if (a.type() == ElementType::boxed && !a.boxes()[i].is_number()) return std::nullopt;
    result[i] = a.type() == ElementType::boxed ? a.boxes()[i].number() : number_at(a, i);
  }
  return result;
}

std::optional<std::string> Any::text() const {
  if (!is_text()) return std::nullopt;
  Lent v(bits_);
  return v->array().length == 0 ? std::string() : to_utf8(v->array());
}

std::vector<Any> Any::elements() const {
  std::vector<Any> result;
  for (std::size_t i = 0; i < length(); i++) result.push_back((*this)[i]);
  return result;
}

Any Any::field(std::string_view name) const {
  if (!is_namespace()) return Any();
  return state_->wrap(griddle::field(Lent(bits_)->name_space(), normalised_name(name)));
}

std::vector<std::string> Any::fields() const {
  std::vector<std::string> names;
  if (is_namespace())
    for (const FieldTable::Field& f : Lent(bits_)->name_space().table->fields) names.push_back(f.name);
  return names;
}

Result Any::operator()(const Any& x) const {
  if (!state_ || !x.state_) return Result::error("A call needs a function and an argument");
  return state_->guarded([&] { return call(state_->cx, state_->share(*this), state_->share(x)); });
}

Result Any::operator()(const Any& w, const Any& x) const {
  if (!state_ || !w.state_ || !x.state_) return Result::error("A call needs a function and two arguments");
  return state_->guarded([&] { return call(state_->cx, state_->share(*this), state_->share(w), state_->share(x)); });
}

std::string Any::format() const {
  if (!state_) return {};
  std::string text;
  Result result = state_->guarded([&] {
    text = display_text(state_->cx, *Lent(bits_));
    return Value(0);
  });
  return result ? text : "(not shown: " + result.failure().message + ")";
}

Result Any::source() const {
  if (!state_) return Result::error("There is no value");
  return state_->guarded([&] {
    std::string text;
    if (append_source(state_->cx, text, *Lent(bits_)) != SourceProblem::none) fail(state_->cx, "The value has no representation");
    return make_string(state_->cx.heap, text);
  });
}

// --- results

Result Result::error(std::string message) { return plain_failure(std::move(message)); }

const Failure& Result::failure() const noexcept {
  static const Failure none;
  return failure_ ? *failure_ : none;
}

// --- interpreters

Interpreter::Interpreter(Options options) {
  try {
    state_ = new InterpreterState(std::move(options));
  } catch (const OutOfMemory&) {
    throw std::bad_alloc();
  }
}
Interpreter::~Interpreter() {
  // Functions of the host that the session has may hold values, and these the interpreter.
  if (state_->session_root)
    for (Value& v : std::span(state_->session_root->slots(), state_->session_root->count)) v = Value();
  state_->drop_handle();
}

Result Interpreter::eval(std::string_view source, std::string_view name) {
  return state_->guarded([&] {
    Ref<Unit> unit = state_->unit(source, name);
    unit->args = state_->arguments;
    return run_unit(state_->cx, std::move(unit));
  });
}

Result Interpreter::run(std::string_view source, std::string_view name, std::span<const std::string> arguments) {
  return state_->guarded([&] {
    Ref<Unit> unit = state_->unit(source, name);
    unit->args = state_->strings(arguments);
    return run_unit(state_->cx, std::move(unit));
  });
}

Result Interpreter::eval_in_session(std::string_view source, std::string_view name) {
  return state_->guarded([&] { return state_->run_in_session(source, name); });
}

Result Interpreter::import(const Any& value) {
  if (!value.state_) return Result::error("There is no value");
  return state_->guarded([&] { return state_->imported(*value.state_, *Lent(value.bits_)); });
}

std::string Interpreter::taken_ways() const { return state_->checked_ways ? state_->checked_ways->taken() : ""; }

Result Interpreter::explain(std::string_view source, std::string& text) {
  return state_->guarded([&] { return state_->explain(source, text); });
}

Result Interpreter::define(std::string_view name, const Any& value) {
  return state_->guarded([&] { return state_->define(name, state_->share(value)); });
}

Result Interpreter::run_file(const std::string& path, std::span<const std::string> arguments) {
  return state_->guarded([&] {
    std::string text;
    if (!read_file(path, text)) fail(state_->cx, "Cannot read the file (" + path + ": " + std::strerror(errno) + ")");
    Ref<Unit> unit = make_file_unit(state_->cx, path, std::move(text), path);
    unit->args = state_->strings(arguments);
    return run_unit(state_->cx, std::move(unit));
  });
}

Any Interpreter::number(double d) { return state_->wrap(d); }
Any Interpreter::character(char32_t c) { return state_->wrap(Value::character(c)); }
Any Interpreter::text(std::string_view utf8) {
  return state_->made([&] { return make_string(state_->cx.heap, utf8); });
}

Any Interpreter::list(std::span<const Any> elements) {
  std::size_t length = elements.size();
  return array(elements, {&length, 1});
}
Any Interpreter::list(std::initializer_list<double> elements) { return list(std::span(elements.begin(), elements.size())); }

Any Interpreter::array(std::span<const Any> elements, std::span<const std::size_t> shape) {
  return state_->made([&] {
    if (shape.size() > max_rank || product(shape) != elements.size()) return Value();
    std::vector<Value> values;
    for (const Any& element : elements) {
      values.push_back(state_->share(element));
      if (values.back().is_absent()) return Value();
    }
    return with_shape(state_->cx.heap, make_values(state_->cx.heap, values), shape);
  });
}

Any Interpreter::typed_array(Element element, const void* elements, std::size_t count, std::span<const std::size_t> shape) {
  return state_->made([&] {
    if (shape.size() > max_rank || product(shape) != count) return Value();
    Ref<Array> a = make_array(state_->cx.heap, static_cast<ElementType>(element), shape);
    if (element == Element::bit) {
      std::memset(a->data, 0, bytes_for(ElementType::bit, count));
      for (std::size_t i = 0; i < count; i++)
        a->as<std::uint64_t>()[i / 64] |= std::uint64_t{static_cast<const bool*>(elements)[i]} << (i % 64);
    } else if (count > 0) {
      std::memcpy(a->data, elements, bytes_for(a->type(), count));
    }
    if (element == Element::f64)
      for (double& d : std::span(a->as<double>(), count)) d = Value(d).number();  // one NaN only
    return to_value(std::move(a));
  });
}

namespace {

// Holds a function of the host. Failures that it gives become errors of the program.
struct HostState final : NativeObject {
  HostState(InterpreterState& state, std::string name, HostFunction function)
      : state(state), name(std::move(name)), function(std::move(function)) {}
  InterpreterState& state;
  std::string name;
  HostFunction function;
};

Value call_host(Context& cx, const Function& self, const Any* w, const Any& x) {
  auto& host = static_cast<HostState&>(*static_cast<const NativeFunction&>(self).state);
  std::optional<Result> result;
  try {
    result.emplace(host.function(w, x));
  } catch (const std::exception& exception) {
    fail(cx, host.name + ": " + exception.what());
  } catch (...) {
    fail(cx, host.name + ": An exception of unknown type");
  }
  if (result->ok()) {
    Value value = host.state.share(result->value());
    if (value.is_absent()) fail(cx, host.name + ": The function gave no value");
    return value;
  }
  const Failure& failure = result->failure();
  if (failure.cause == Failure::Cause::exit) throw ExitRequest{failure.exit_code};
  Error error(failure.value.has_value() ? host.state.share(failure.value) : make_string(cx.heap, failure.message));
  error.catchable = failure.cause == Failure::Cause::error;
  throw error;
}

Value host_monad(Context& cx, const Function& self, Value x) {
  auto& state = static_cast<HostState&>(*static_cast<const NativeFunction&>(self).state).state;
  return call_host(cx, self, nullptr, state.wrap(std::move(x)));
}

Value host_dyad(Context& cx, const Function& self, Value w, Value x) {
  auto& state = static_cast<HostState&>(*static_cast<const NativeFunction&>(self).state).state;
  Any left = state.wrap(std::move(w));
  return call_host(cx, self, &left, state.wrap(std::move(x)));
}

}  // namespace

Any Interpreter::function(std::string name, HostFunction function) {
  return state_->made([&] {
    Ref<HostState> host = make_native<HostState>(state_->cx.heap, *state_, std::move(name), std::move(function));
    const char* shown = host->name.c_str();
    return make_native_function(state_->cx.heap, shown, host_monad, host_dyad, Ref<NativeObject>(host.leak()));
  });
}

void Interpreter::interrupt() noexcept { state_->cx.request_interrupt(); }
void Interpreter::clear_interrupt() noexcept { state_->cx.clear_interrupt(); }
void Interpreter::set_memory_limit(std::size_t bytes) { state_->set_memory_limit(bytes); }
std::size_t Interpreter::memory_in_use() const noexcept { return state_->cx.heap.bytes_in_use(); }

}  // namespace griddle
