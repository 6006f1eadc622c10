// A host that asks for no memory itself, for failing_memory.cc: it calls functions of griddle.h, each once more where it fails,
// and writes what they give. Where one fails twice, the status is 1, and standard error says why.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utility>

#include "runtime/api/arrow.h"
#include "runtime/api/dlpack.h"
#include "runtime/api/griddle.h"

namespace {

int failures = 0;
griddle_interpreter* bqn = nullptr;

void write_text(int file, griddle_text text) { [[maybe_unused]] const auto written = write(file, text.data, text.bytes); }
void write_line(const char* name, griddle_text text) {
  write_text(STDOUT_FILENO, griddle_string(name));
  write_text(STDOUT_FILENO, griddle_string(": "));
  write_text(STDOUT_FILENO, text);
  write_text(STDOUT_FILENO, griddle_string("\n"));
}

void note(const char* name, griddle_failure* failure) {
  failures++;
  write_text(STDERR_FILENO, griddle_string(name));
  write_text(STDERR_FILENO, griddle_string(": "));
  write_text(STDERR_FILENO, failure != nullptr ? griddle_failure_report(failure) : griddle_string("no memory to say why"));
  write_text(STDERR_FILENO, griddle_string("\n"));
}

// Gives what a call gives, the second time where it fails the first time.
template <class Call>
auto attempt(const char* name, Call call) {
  griddle_failure* failure = nullptr;
  auto result = call(&failure);
  if (failure == nullptr && result) return result;
  griddle_release_failure(failure);
  failure = nullptr;
  result = call(&failure);
  if (failure != nullptr || !result) note(name, failure);
  griddle_release_failure(failure);
  return result;
}

void release(griddle_value v) { griddle_release(v); }
void release(griddle_buffer b) { griddle_free(b); }
bool is_there(griddle_value v) { return v.interpreter != nullptr; }
bool is_there(griddle_buffer b) { return b.data != nullptr; }

// A value, or bytes, with their owner.
template <class T>
struct Owned {
  T value = {};
  Owned() = default;
  Owned(T v) : value(v) {}
  Owned(Owned&& o) noexcept : value(std::exchange(o.value, T{})) {}
  Owned& operator=(Owned&& o) noexcept {
    std::swap(value, o.value);
    return *this;
  }
  ~Owned() { release(value); }
  explicit operator bool() const { return is_there(value); }
};
using Held = Owned<griddle_value>;
using Bytes = Owned<griddle_buffer>;

template <class Call>
Held value_of(const char* name, Call call) {
  return attempt(name, [&](griddle_failure** why) { return Held(call(why)); });
}

// Shows a value; whoever shows one gets "(not shown: …)" where there is no memory, too.
void show(const char* name, const Held& held) {
  if (!held) return;
  const Bytes text = attempt(name, [&](griddle_failure**) {
    Bytes shown(griddle_format(held.value));
    if (shown && strncmp(shown.value.data, "(not shown", 10) == 0) return Bytes();
    return shown;
  });
  if (text) write_line(name, {text.value.data, text.value.bytes});
}
void evaluate(const char* source) {
  const Held result = value_of(source, [&](griddle_failure** why) {
    return griddle_eval_in_session(bqn, griddle_string(source), griddle_string("host"), why);
  });
  show(source, result);
}

griddle_value twice(void*, griddle_interpreter* at, const griddle_value*, griddle_value x, griddle_failure** failure) {
  return griddle_eval(at, griddle_number_of(x) < 0 ? griddle_string("!\"negative\"") : griddle_string("2×21"), griddle_string(""),
                      failure);
}

// How often the library got something that it is to drop, also by calls that failed; and how often it did.
int lent = 0, drops = 0;
void count_drop(void*) { drops++; }

// A text that is 0 bytes long counts as one, too.
void show_text(const char* name, griddle_buffer (*get)(griddle_failure**)) {
  const Bytes text = attempt(name, [&](griddle_failure** why) { return Bytes(get(why)); });
  if (text) write_line(name, {text.value.data, text.value.bytes});
}

void ask_about_sessions() {
  write_line("abi",
             griddle_string(griddle_abi() != 0 && *griddle_instruction_sets() != '\0' ? griddle_processor_problem() : "none"));
  const Held names = value_of("names of the session", [](griddle_failure** why) { return griddle_session_names(bqn, why); });
  show("names of the session", names);
  const Held all = value_of("names of the system", [](griddle_failure** why) { return griddle_system_names(bqn, why); });
  if (all) write_line("names of the system", griddle_string(griddle_length(all.value) > 20 ? "many" : "few"));
  show_text("explained", [](griddle_failure** why) {
    griddle_buffer text = {};
    griddle_release(griddle_explain(bqn, griddle_string("+´⌽a"), &text, why));
    if (*why == nullptr) return text;
    griddle_free(text);
    return griddle_buffer{};
  });
  // A failure has its report, its frames and its value, or as much of them as there is memory for.
  griddle_failure* failure = nullptr;
  griddle_release(griddle_eval(bqn, griddle_string("F←{!\"own error\"⊣𝕩} ⋄ F 1"), griddle_string("failing"), &failure));
  griddle_frame frame = {};
  frame.size = sizeof frame;
  for (size_t i = 0; griddle_failure_frame(failure, i, &frame) != 0; i++) write_text(STDERR_FILENO, frame.line_text);
  const Held message(griddle_failure_value(failure));
  griddle_failure* const again = message ? griddle_make_failure_of(message.value) : griddle_make_failure(griddle_string("none"));
  griddle_release_failure(again);
  griddle_release_failure(failure);
  const Held arguments[] = {value_of("modifier", [](griddle_failure** why) {
    return griddle_eval(bqn, griddle_string("_m←{𝔽¨𝕩} ⋄ ⟨_m⟩"), griddle_string(""), why);
  })};
  const Held modifier = arguments[0] ? Held(griddle_element(arguments[0].value, 0)) : Held();
  const Held negate =
      value_of("negate", [](griddle_failure** why) { return griddle_eval(bqn, griddle_string("-"), griddle_string(""), why); });
  if (modifier && negate)
    show("derived", value_of("derived", [&](griddle_failure** why) {
           return griddle_derive(modifier.value, negate.value, griddle_value{}, why);
         }));
}

void exchange() {
  const Held list = value_of(
      "numbers", [](griddle_failure** why) { return griddle_eval(bqn, griddle_string("÷1+↕5"), griddle_string(""), why); });
  if (!list) return;
  DLManagedTensor* tensor = attempt("tensor", [&](griddle_failure** why) { return griddle_to_dlpack(list.value, why); });
  // A tensor that is taken is gone, also after a failure: the second attempt needs another one.
  if (tensor != nullptr)
    show("from a tensor", value_of("from a tensor", [&](griddle_failure** why) {
           if (tensor == nullptr) tensor = griddle_to_dlpack(list.value, why);
           if (tensor == nullptr) return griddle_value{};
           DLManagedTensor* const given = tensor;
           tensor = nullptr;
           return griddle_from_dlpack(bqn, given, why);
         }));
  show("from Arrow", value_of("from Arrow", [&](griddle_failure** why) {
         ArrowSchema schema = {};
         ArrowArray array = {};
         if (griddle_to_arrow(list.value, &schema, &array, why) == 0) return griddle_value{};
         return griddle_from_arrow(bqn, &schema, &array, why);
       }));
}

void make_values() {
  const Held text =
      value_of("text", [](griddle_failure** why) { return griddle_make_text(bqn, griddle_string("αβγ abc"), why); });
  const double numbers[] = {1, 2.5, -3, 4e9};
  const size_t shape[] = {2, 2};
  const Held list = value_of("list", [&](griddle_failure** why) { return griddle_make_list(bqn, griddle_f64, numbers, 4, why); });
  const Held table =
      value_of("table", [&](griddle_failure** why) { return griddle_make_array(bqn, griddle_f64, numbers, shape, 2, why); });
  const Held borrowed = value_of("borrowed", [&](griddle_failure** why) {
    lent++;
    return griddle_borrow_array(bqn, griddle_f64, numbers, shape, 2, count_drop, nullptr, why);
  });
  const Held function = value_of("function", [](griddle_failure** why) {
    lent++;
    return griddle_make_function(bqn, griddle_string("Twice"), twice, nullptr, count_drop, why);
  });
  if (!text || !list || !table || !borrowed || !function) return;
  const griddle_value values[] = {text.value, list.value, table.value, function.value};
  const griddle_text names[] = {griddle_string("text"), griddle_string("list"), griddle_string("table"),
                                griddle_string("function")};
  const Held space =
      value_of("namespace", [&](griddle_failure** why) { return griddle_make_namespace(bqn, names, values, 4, why); });
  const Held boxes =
      value_of("boxes", [&](griddle_failure** why) { return griddle_make_list(bqn, griddle_any, values, 3, why); });
  if (!space || !boxes) return;
  for (const auto& [name, held] :
       {std::pair<const char*, const Held*>{"data", &boxes}, {"function", &function}, {"borrowed", &borrowed}})
    attempt(name, [&](griddle_failure** why) { return griddle_define(bqn, griddle_string(name), held->value, why) != 0; });
  show("boxes", boxes);
  show("names", value_of("names", [&](griddle_failure** why) { return griddle_fields(space.value, why); }));
  show("called", value_of("called", [&](griddle_failure** why) { return griddle_call(function.value, list.value, why); }));
  for (const char* line : {"≢¨data", "Function 5", "(Function⎊\"caught\")¯5", "+˝borrowed", "borrowed+↩1"}) evaluate(line);
  const Bytes source = attempt("source", [&](griddle_failure** why) { return Bytes(griddle_source(boxes.value, why)); });
  if (source) write_line("source", {source.value.data, source.value.bytes});
  const Bytes stored = attempt("stored", [&](griddle_failure** why) { return Bytes(griddle_serialise(boxes.value, why)); });
  if (stored)
    show("read again", value_of("read again", [&](griddle_failure** why) {
           return griddle_deserialise(bqn, stored.value.data, stored.value.bytes, why);
         }));
  const Bytes letters = attempt("letters", [&](griddle_failure** why) { return Bytes(griddle_text_of(text.value, why)); });
  if (letters) write_line("letters", {letters.value.data, letters.value.bytes});
  griddle_interpreter* other = attempt("another", [](griddle_failure** why) { return griddle_new(nullptr, why); });
  if (other == nullptr) return;
  show("imported", value_of("imported", [&](griddle_failure** why) { return griddle_import(other, boxes.value, why); }));
  griddle_delete(other);
}

}  // namespace

int main() {
  bqn = attempt("interpreter", [](griddle_failure** why) { return griddle_new(nullptr, why); });
  if (bqn != nullptr) {
    for (const char* line :
         {"1+2", "a←⌽↕10", "F←{𝕩∾⟨𝕨⟩}", "a F a", "⟨\"abc\",1‿2⟩ F˜ @", "∧⍷\"mississippi\"", "m←\"a\"‿\"b\"•HashMap 1‿2",
          "\"c\" m.Set 3", "•BQN \"+´↕9\"", "≠•Fmt a‿a", "{!𝕩}⎊\"caught\" 5", "n←{x⇐1⋄Y⇐{𝕩+x}}", "n.Y 4"})
      evaluate(line);
    make_values();
    ask_about_sessions();
    exchange();
    griddle_delete(bqn);
    write_line("dropped", griddle_string(drops == lent ? "all" : "not all"));
  }
  _exit(failures != 0);
}
