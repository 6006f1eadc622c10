// Values: what they are, what they hold, and calling them.
#include <bit>
#include <cmath>
#include <cstdlib>

#include "runtime/api/interpreter_state.h"
#include "runtime/format/format.h"
#include "runtime/system/argument.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

using namespace griddle;

namespace {

constexpr const char* no_value = "There is no value";

bool is_array(const griddle_value& v) { return v.interpreter != nullptr && Lent(v.bits)->is_array(); }

}  // namespace

void griddle_free(griddle_buffer buffer) { std::free(buffer.data); }

griddle_value griddle_share(griddle_value value) {
  if (value.interpreter == nullptr) return value;
  value.interpreter->handles++;
  Value(*Lent(value.bits)).leak();
  return value;
}

void griddle_release(griddle_value value) {
  if (value.interpreter == nullptr) return;
  Value::from_bits(value.bits);
  value.interpreter->drop_handle();
}

griddle_kind griddle_kind_of(griddle_value value) {
  if (value.interpreter == nullptr) return griddle_no_value;
  Lent v(value.bits);
  if (v->is_number()) return griddle_number;
  if (v->is_character()) return griddle_character;
  if (v->is_array()) return griddle_array;
  if (v->is_function()) return griddle_function;
  if (v->is_modifier1()) return griddle_modifier1;
  if (v->is_modifier2()) return griddle_modifier2;
  return v->is_namespace() ? griddle_namespace : griddle_no_value;
}

int griddle_is_text(griddle_value value) { return value.interpreter != nullptr && is_string(*Lent(value.bits)); }

double griddle_number_of(griddle_value value) {
  if (value.interpreter == nullptr) return std::nan("");
  Lent v(value.bits);
  return v->is_number() ? v->number() : std::nan("");
}

uint32_t griddle_character_of(griddle_value value) {
  if (value.interpreter == nullptr) return 0;
  Lent v(value.bits);
  return v->is_character() ? v->character() : 0;
}

size_t griddle_rank(griddle_value value) { return is_array(value) ? Lent(value.bits)->array().rank() : 0; }
size_t griddle_length(griddle_value value) {
  return is_array(value) ? Lent(value.bits)->array().length : value.interpreter != nullptr;
}
const size_t* griddle_shape(griddle_value value) {
  static const std::size_t none = 1;
  return is_array(value) && griddle_rank(value) > 0 ? Lent(value.bits)->array().shape().data() : &none;
}

griddle_type griddle_type_of(griddle_value value) {
  static_assert(griddle_any == static_cast<int>(ElementType::boxed) && griddle_bit == static_cast<int>(ElementType::bit));
  return is_array(value) ? static_cast<griddle_type>(Lent(value.bits)->array().type()) : griddle_any;
}

const void* griddle_elements(griddle_value value) {
  if (!is_array(value)) return nullptr;
  Lent v(value.bits);
  const Array& a = v->array();
  if (a.type() == ElementType::boxed) return nullptr;
  try {
    return a.data.get();
  } catch (...) {
    return nullptr;
  }
}

griddle_value griddle_element(griddle_value value, size_t index) {
  if (!is_array(value)) return index == 0 ? griddle_share(value) : griddle_value{};
  Lent v(value.bits);
  if (index >= v->array().length) return {};
  return value.interpreter->made(nullptr, [&] { return element(v->array(), index); });
}

griddle_value griddle_field(griddle_value value, griddle_text name) {
  if (griddle_kind_of(value) != griddle_namespace) return {};
  return value.interpreter->made(nullptr, [&] { return field(Lent(value.bits)->name_space(), normalised_name(view_of(name))); });
}

griddle_value griddle_fields(griddle_value value, griddle_failure** failure) {
  if (griddle_kind_of(value) != griddle_namespace) return nothing_to_call(failure, "The value is no namespace");
  return value.interpreter->made(failure, [&] {
    std::vector<std::string> names;
    for (const FieldTable::Field& f : Lent(value.bits)->name_space().table->fields) names.push_back(f.name);
    return value.interpreter->strings(names);
  });
}

griddle_buffer griddle_text_of(griddle_value value, griddle_failure** failure) {
  return text_from(value, failure, [](Context& cx, const Value& v) {
    if (!is_string(v)) fail(cx, "The value is no text (got a " + kind_text(v) + ")");
    HeapText text(cx.heap);
    if (v.array().length > 0) append_utf8(text, v.array());
    return text;
  });
}

griddle_buffer griddle_format(griddle_value value) {
  return shown_text(value, [&](Context& cx, const Value& v) {
    return text_within(cx, v, {}, nullptr, {value.interpreter->shown_style, {}});
  });
}

griddle_buffer griddle_source(griddle_value value, griddle_failure** failure) {
  return text_from(value, failure, [](Context& cx, const Value& v) {
    HeapText text(cx.heap);
    if (append_source(cx, text, v) != SourceProblem::none) fail(cx, "The value has no representation");
    return text;
  });
}

griddle_value griddle_call(griddle_value function, griddle_value x, griddle_failure** failure) {
  if (function.interpreter == nullptr || x.interpreter == nullptr)
    return nothing_to_call(failure, "A call needs a function and an argument");
  InterpreterState& state = *function.interpreter;
  return state.guarded(failure, [&] { return call(state.cx, *Lent(function.bits), state.share(x)); });
}

griddle_value griddle_call2(griddle_value function, griddle_value w, griddle_value x, griddle_failure** failure) {
  if (function.interpreter == nullptr || w.interpreter == nullptr || x.interpreter == nullptr)
    return nothing_to_call(failure, "A call needs a function and two arguments");
  InterpreterState& state = *function.interpreter;
  return state.guarded(failure, [&] { return call(state.cx, *Lent(function.bits), state.share(w), state.share(x)); });
}

griddle_value griddle_derive(griddle_value modifier, griddle_value f, griddle_value g, griddle_failure** failure) {
  if (modifier.interpreter == nullptr || f.interpreter == nullptr) return nothing_to_call(failure, "A modifier needs an operand");
  InterpreterState& state = *modifier.interpreter;
  return state.guarded(failure, [&]() -> Value {
    Lent m(modifier.bits);
    if (!m->is_modifier1() && !m->is_modifier2()) fail(state.cx, "The value is no modifier (got a " + kind_text(*m) + ")");
    const bool two = m->is_modifier2();
    if (two != (g.interpreter != nullptr))
      fail(state.cx, two ? "A 2-modifier needs two operands" : "A 1-modifier takes one operand");
    Modifier& code = m->modifier();
    return code.derive(state.cx, code, state.share(f), state.share(g));
  });
}

int griddle_match(griddle_value a, griddle_value b, griddle_failure** failure) {
  if (a.interpreter == nullptr || b.interpreter == nullptr) return nothing_to_call(failure, no_value), 0;
  InterpreterState& state = *a.interpreter;
  bool same = false;
  state.done(failure, [&] { same = values_match(state.cx, state.share(a), state.share(b)); });
  return same;
}

griddle_value griddle_make_number(griddle_interpreter* bqn, double number) {
  return bqn != nullptr ? bqn->wrap(number) : griddle_value{};
}

griddle_value griddle_make_character(griddle_interpreter* bqn, uint32_t c) {
  const bool is_code_point = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  return bqn != nullptr && is_code_point ? bqn->wrap(Value::character(c)) : griddle_value{};
}

griddle_value griddle_make_text(griddle_interpreter* bqn, griddle_text text, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter");
  return bqn->made(failure, [&] { return make_string(bqn->cx.heap, view_of(text)); });
}
