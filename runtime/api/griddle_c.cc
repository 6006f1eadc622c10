#include "runtime/api/griddle_c.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/api/commit.h"
#include "runtime/api/griddle.h"

struct griddle_interpreter {
  explicit griddle_interpreter(griddle::Options options) : interpreter(std::move(options)) {}
  griddle::Interpreter interpreter;
  std::string error;
};

struct griddle_value {
  griddle::Any any;
};

namespace {

griddle_interpreter* make_interpreter(bool safe) {
  try {
    griddle::Options options;
    options.safe = safe;
    return new griddle_interpreter(std::move(options));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Hands a value to the caller. Running out of memory for the handle counts as a failure too.
griddle_value* hand_over(griddle::Any any) {
  return any.has_value() ? new (std::nothrow) griddle_value{std::move(any)} : nullptr;
}

griddle_value* hand_over(griddle_interpreter* interpreter, const griddle::Result& result) {
  const griddle::Failure& failure = result.failure();
  interpreter->error = failure.cause == griddle::Failure::Cause::exit
                           ? "The program ended itself (" + std::to_string(failure.exit_code) + ")\n"
                           : failure.report;
  return hand_over(result.value());
}

// A null pointer is no value: what is called says so.
const griddle::Any& any_of(const griddle_value* value) {
  static const griddle::Any none;
  return value != nullptr ? value->any : none;
}

std::size_t copy_text(const std::string& from, char* text, std::size_t room) {
  std::memcpy(text, from.data(), std::min(room, from.size()));
  return from.size();
}

}  // namespace

const char* griddle_version() { return griddle::version(); }
const char* griddle_commit() { return griddle::built_from; }

griddle_interpreter* griddle_new() { return make_interpreter(false); }
griddle_interpreter* griddle_new_safe() { return make_interpreter(true); }

void griddle_delete(griddle_interpreter* interpreter) { delete interpreter; }
void griddle_interrupt(griddle_interpreter* interpreter) { interpreter->interpreter.interrupt(); }
void griddle_clear_interrupt(griddle_interpreter* interpreter) { interpreter->interpreter.clear_interrupt(); }
const char* griddle_error(const griddle_interpreter* interpreter) { return interpreter->error.c_str(); }

griddle_value* griddle_eval(griddle_interpreter* interpreter, const char* source, size_t length) {
  return hand_over(interpreter, interpreter->interpreter.eval({source, length}));
}

griddle_value* griddle_import(griddle_interpreter* interpreter, const griddle_value* value) {
  return hand_over(interpreter, interpreter->interpreter.import(any_of(value)));
}

griddle_value* griddle_call(griddle_interpreter* interpreter, const griddle_value* function, const griddle_value* x) {
  return hand_over(interpreter, any_of(function)(any_of(x)));
}

griddle_value* griddle_call2(griddle_interpreter* interpreter, const griddle_value* function, const griddle_value* w,
                             const griddle_value* x) {
  return hand_over(interpreter, any_of(function)(any_of(w), any_of(x)));
}

griddle_value* griddle_make_number(griddle_interpreter* interpreter, double number) {
  return hand_over(interpreter->interpreter.number(number));
}

griddle_value* griddle_make_text(griddle_interpreter* interpreter, const char* text, size_t length) {
  return hand_over(interpreter->interpreter.text({text, length}));
}

griddle_value* griddle_make_numbers(griddle_interpreter* interpreter, const double* elements, const size_t* shape, size_t rank) {
  std::size_t length = 1;
  bool fits = true;
  for (std::size_t axis = 0; axis < rank; axis++) fits &= !__builtin_mul_overflow(length, shape[axis], &length);
  griddle_value* made =
      fits ? hand_over(interpreter->interpreter.array(std::span<const double>(elements, length), {shape, rank})) : nullptr;
  interpreter->error = made != nullptr ? "" : "Error: No array has such a shape, or memory is short\n";
  return made;
}

griddle_value* griddle_make_list(griddle_interpreter* interpreter, const griddle_value* const* elements, size_t length) {
  std::vector<griddle::Any> list;
  for (std::size_t i = 0; i < length; i++) list.push_back(any_of(elements[i]));
  return hand_over(interpreter->interpreter.list(std::span<const griddle::Any>(list)));
}

griddle_value* griddle_share(const griddle_value* value) { return hand_over(value->any); }
void griddle_release(griddle_value* value) { delete value; }

griddle_kind griddle_kind_of(const griddle_value* value) {
  return static_cast<griddle_kind>(static_cast<int>(value->any.kind()) - static_cast<int>(griddle::Kind::array));
}
double griddle_to_number(const griddle_value* value) { return value->any.number(); }
size_t griddle_rank(const griddle_value* value) { return value->any.rank(); }
size_t griddle_length(const griddle_value* value) { return value->any.length(); }

void griddle_shape(const griddle_value* value, size_t* shape) {
  for (std::size_t length : value->any.shape()) *shape++ = length;
}

int griddle_to_numbers(const griddle_value* value, double* elements) {
  std::optional<std::vector<double>> numbers = value->any.numbers();
  if (!numbers) return 0;
  std::copy(numbers->begin(), numbers->end(), elements);
  return 1;
}

griddle_value* griddle_element(const griddle_value* value, size_t index) { return hand_over(value->any[index]); }

size_t griddle_to_text(const griddle_value* value, char* text, size_t room) {
  std::optional<std::string> string = value->any.text();
  return string ? copy_text(*string, text, room) : static_cast<std::size_t>(-1);
}

size_t griddle_format(const griddle_value* value, char* text, size_t room) { return copy_text(value->any.format(), text, room); }
