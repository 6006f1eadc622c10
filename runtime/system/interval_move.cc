// Moves of intervals of cells: •gpu.Move
#include <algorithm>
#include <cmath>
#include <vector>

#include "primitives/kernels/moves/intervals.h"
#include "primitives/kernels/moves/move.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/value/array.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/fill.h"

namespace griddle::system_functions {

namespace {

// What 𝕨 and 𝕩 say.
struct Moved {
  Value counts, gather, scatter;  // lists in storage forms of numbers; places one behind the other are absent
  Value source, target;           // the target may be absent
};

// Gives a list of numbers, none of which has a fractional part.
Value integers_argument(Context& cx, const Function& self, Value v, const char* which) {
  if (!v.is_array() || !v.array().is_list())
    fail_in(cx, self, std::string(which) + " must be a list (got a " + kind_text(v) + ")");
  if (v.array().length == 0) return to_value(make_list(cx.heap, ElementType::bit, 0));
  if (v.array().type() == ElementType::boxed) v = narrowed(cx.heap, std::move(v));
  const Array& a = v.array();
  const auto refuse = [&](std::size_t i, const std::string& got) {
    fail_in(cx, self, std::string(which) + " must be integers (got " + got + " for interval " + std::to_string(i) + ")");
  };
  if (!is_number(a.type()))
    for (std::size_t i = 0; i < a.length; i++)
      if (const Value e = element(a, i); !e.is_number()) refuse(i, "a " + kind_text(e));
  constexpr double limit = 0x1p53;
  if (a.type() == ElementType::f64)
    for (std::size_t i = 0; i < a.length; i++)
      if (const double d = a.as<double>()[i]; !(std::fabs(d) < limit) || d != std::floor(d)) refuse(i, number_text(d));
  return v;
}

Moved moved_argument(Context& cx, const Function& self, const Value& w, const Value& x) {
  constexpr std::size_t most = 4;
  const Array& parts = list_argument(cx, self, w, "𝕨");
  if (parts.length == 0 || parts.length > most)
    fail_in(cx, self, "𝕨 must be ⟨counts,gather,scatter,target⟩ or the first of these (got a " + kind_text(w) + ")");
  if (rank_of(x) == 0) fail_in(cx, self, "𝕩 must have cells (got a " + kind_text(x) + ")");
  Moved m;
  m.source = x;
  m.counts = integers_argument(cx, self, element(parts, 0), "Counts");
  const auto places = [&](std::size_t part, const char* which) {
    if (part >= parts.length) return Value();
    Value v = element(parts, part);
    if (v.is_character() && v.character() == 0) return Value();
    v = integers_argument(cx, self, std::move(v), which);
    if (v.array().length != m.counts.array().length)
      fail_in(cx, self,
              std::string(which) + " must be as many as counts (got " + std::to_string(v.array().length) + " and " +
                  std::to_string(m.counts.array().length) + ")");
    return v;
  };
  m.gather = places(1, "Places to read");
  m.scatter = places(2, "Places to write");
  if (parts.length < most) return m;
  m.target = element(parts, most - 1);
  if (rank_of(m.target) == 0 || !same_shape(m.target.array().shape().subspan(1), x.array().shape().subspan(1)))
    fail_in(cx, self, "The target must have cells like 𝕩 (got " + shape_text(m.target) + " and " + shape_text(x) + ")");
  return m;
}

std::int64_t integer_at(const Value& list, std::size_t i) { return static_cast<std::int64_t>(number_at(list.array(), i)); }

// Says what the first interval that is wrong does, by numbers that are known to be wrong.
[[noreturn]] void fail_interval(Context& cx, const Function& self, const Moved& m, std::size_t i, std::size_t writable) {
  const std::int64_t count = integer_at(m.counts, i);
  const std::string interval = "Interval " + std::to_string(i);
  if (count < 0)
    fail_in(cx, self, interval + " must have a natural number of cells (got " + number_text(static_cast<double>(count)) + ")");
  const std::size_t readable = m.source.array().cells();
  const auto check = [&](const Value& places, const char* does, const std::string& whose, std::size_t cells) {
    std::int64_t place = 0;
    if (!places.is_absent())
      place = integer_at(places, i);
    else
      for (std::size_t k = 0; k < i; k++) place += integer_at(m.counts, k);
    if (place >= 0 && place <= static_cast<std::int64_t>(cells) - count) return;
    fail_in(cx, self,
            interval + " " + does + std::to_string(count) + " cells from " + number_text(static_cast<double>(place)) +
                " on, outside of " + whose + std::to_string(cells) + ")");
  };
  check(m.gather, "reads ", "𝕩 (which has ", readable);
  check(m.scatter, "writes ", m.target.is_absent() ? "the result (which can have " : "the target (which has ", writable);
  fail_in(cx, self, interval + " is wrong");
}

// Gives the first interval that reaches beyond so many cells where they lie one behind the other.
std::size_t first_beyond(const Array& counts, std::size_t cells) {
  std::size_t i = 0;
  for (double sum = 0; i < counts.length; i++)
    if ((sum += number_at(counts, i)) > static_cast<double>(cells)) break;
  return i;
}

[[noreturn]] void fail_overlap(Context& cx, const Function& self, const Moved& m, std::size_t second) {
  const std::int64_t start = integer_at(m.scatter, second), end = start + integer_at(m.counts, second);
  for (std::size_t i = 0; i < second; i++) {
    const std::int64_t place = std::max(start, integer_at(m.scatter, i)),
                       last = std::min(end, integer_at(m.scatter, i) + integer_at(m.counts, i));
    if (place < last)
      fail_in(cx, self,
              "Intervals " + std::to_string(i) + " and " + std::to_string(second) + " write the same place (" +
                  std::to_string(place) + ")");
  }
  fail_in(cx, self, "Two intervals write the same place");
}

// Gives room for so many cells like those of an array.
Ref<Array> make_cells(Context& cx, const Function& self, ElementType type, const Array& like, std::size_t cells) {
  Shape shape(like.shape());
  shape[0] = cells;
  if (product(shape) > max_length) fail_in(cx, self, "The result would have too many elements (shape " + shape_text(shape) + ")");
  return make_array(cx.heap, type, shape);
}

// Writes a value, of which the array can hold copies, to elements from one on. Boxes hold nothing yet.
void fill_from(Array& to, std::size_t start, const Value& v) {
  const std::size_t n = to.length - start;
  switch (to.type()) {
    case ElementType::bit: return kernels::fill(64, to.data, v.number() != 0 ? ~std::uint64_t{0} : 0, (to.length + 63) / 64);
    case ElementType::f64:
    case ElementType::boxed: return kernels::fill(64, to.as<std::uint64_t>() + start, v.bits(), n);
    default: break;
  }
  const unsigned width = bits_of(to.type());
  const std::uint64_t element =
      v.is_character() ? v.character() : static_cast<std::uint64_t>(static_cast<std::int64_t>(v.number()));
  kernels::fill(width, to.data + start * (width / 8), element, n);
}

Value moved_on_host(Context& cx, const Function& self, Moved& m) {
  const kernels::IntervalKernels& kernels = kernels::interval_kernels();
  const Array& counts = m.counts.array();
  const std::size_t readable = m.source.array().cells();
  const std::size_t writable = m.target.is_absent() ? max_length : m.target.array().cells();
  const auto list = [](const Value& v) {
    return v.is_absent() ? kernels::IntegerList() : kernels::IntegerList{v.array().type(), v.array().data.get()};
  };
  const kernels::Intervals all{counts.length, list(m.counts), list(m.gather), list(m.scatter)};
  const kernels::IntervalSurvey found = kernels.survey(all, readable, writable);
  if (found.first_wrong < counts.length) fail_interval(cx, self, m, found.first_wrong, writable);
  if (m.gather.is_absent() && found.total > readable) fail_interval(cx, self, m, first_beyond(counts, readable), writable);
  if (m.scatter.is_absent() && found.total > writable) fail_interval(cx, self, m, first_beyond(counts, writable), writable);
  if (!found.ascending) {
    Ref<Array> marks = make_list(cx.heap, ElementType::bit, found.end);
    std::memset(marks->data, 0, bytes_for(ElementType::bit, found.end));
    if (const std::size_t i = kernels.mark(all, marks->as<std::uint64_t>()); i < counts.length) fail_overlap(cx, self, m, i);
  }

  const std::size_t cells = m.target.is_absent() ? found.end : writable;
  const bool fills = found.total < cells;
  Value fill;
  ElementType type = m.source.array().type();
  if (!m.target.is_absent()) {
    type = common_type(type, m.target.array().type());
  } else if (fills) {
    fill = fill_of(cx.heap, m.source);
    if (fill.is_absent()) fill = Value(0);
    type = common_type(type, element_type_of(fill));
  }
  const Value source = widened(cx.heap, m.source, type),
              target = m.target.is_absent() ? Value() : widened(cx.heap, m.target, type);
  const Array& from = source.array();
  Ref<Array> out = make_cells(cx, self, type, from, cells);
  const std::size_t cell = from.cell_length();
  // Boxes are moved as words, which own nothing before they are shared: nothing may end the evaluation until then.
  const Evaluating whole(type == ElementType::boxed ? nullptr : evaluating);
  if (fills) {
    // What is written from the first place on needs nothing before.
    const std::size_t start = found.ascending && found.end == found.total ? found.end * cell : 0;
    if (target.is_absent())
      fill_from(*out, start, fill);
    else if (type == ElementType::boxed)
      kernels::copy_bytes(out->as<Value>() + start, target.array().as<Value>() + start, (out->length - start) * sizeof(Value));
    else
      copy_elements(*out, start, target.array(), start, out->length - start);
  }
  kernels.move(out->data, from.data, readable, cell * bits_of(type), all, found);
  if (type == ElementType::boxed)
    for (const Value& v : out->boxes())
      if (v.is_object()) retain(v.object());
  return with_fill_like(cx.heap, to_value(std::move(out)), m.target.is_absent() ? m.source : m.target);
}

}  // namespace

Value move_intervals(Context& cx, const Function& self, Value w, Value x) {
  Moved m = moved_argument(cx, self, w, x);
  if (cx.device != nullptr)
    if (Value there = cx.device->move_intervals(cx, {m.counts, m.gather, m.scatter, m.source, m.target}); !there.is_absent())
      return there;
  return moved_on_host(cx, self, m);
}

}  // namespace griddle::system_functions
