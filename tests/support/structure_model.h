// Arrays as nested lists of values, to say slowly what structural primitives give.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/structure/match.h"
#include "runtime/format/format.h"
#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"

namespace griddle::testing {

namespace p = griddle::primitives;

using Lengths = std::vector<std::size_t>;

// A value as plainly as can be: a shape and elements in order.
struct Model {
  Lengths shape;
  std::vector<Value> elements;
};

inline std::size_t product_of(const Lengths& shape) { return product(shape); }

// Makes a model of a shape whose element at each index list is what `f` gives.
inline Model make_model(const Lengths& shape, const std::function<Value(const Lengths&)>& f) {
  Model m{shape, {}};
  Lengths index(shape.size(), 0);
  for (std::size_t i = 0; i < product_of(shape); i++) {
    m.elements.push_back(f(index));
    for (std::size_t k = shape.size(); k-- > 0 && ++index[k] == shape[k];) index[k] = 0;
  }
  return m;
}

inline Value at(const Model& m, const Lengths& index) {
  std::size_t i = 0;
  for (std::size_t k = 0; k < index.size(); k++) i = i * m.shape[k] + index[k];
  return m.elements[i];
}

struct Bench {
  Context cx;
  Bench() { set_stack_limit(cx); }

  Value boxed(const Model& m) {
    Ref<Array> a = make_array(cx.heap, ElementType::boxed, m.shape);
    for (std::size_t i = 0; i < m.elements.size(); i++) a->as<Value>()[i] = m.elements[i];
    return to_value(std::move(a));
  }
  Value number_list(std::vector<double> v) {
    Ref<Array> a = make_list(cx.heap, ElementType::f64, v.size());
    for (std::size_t i = 0; i < v.size(); i++) a->as<double>()[i] = v[i];
    return to_value(std::move(a));
  }
  Value text(const char* s) { return make_string(cx.heap, s); }

  // Gives the model in every storage form that holds it, each also as a view into something larger.
  std::vector<Value> forms(const Model& m) {
    Value all = boxed(m);
    std::vector<Value> out;
    ElementType least = narrowest(all.array());
    for (int t = 0; t < element_type_count; t++) {
      auto type = static_cast<ElementType>(t);
      bool holds =
          type == ElementType::boxed || m.elements.empty() || (least != ElementType::boxed && common_type(least, type) == type);
      if (!holds) continue;
      Ref<Array> a = make_array(cx.heap, type, m.shape);
      copy_elements(*a, 0, all.array(), 0, all.array().length);
      out.push_back(to_value(std::move(a)));
      constexpr std::size_t margin = 2048;
      Ref<Array> larger = make_list(cx.heap, type, m.elements.size() + 2 * margin);
      if (type != ElementType::boxed) std::memset(larger->data, 0x55, bytes_for(type, larger->length));
      copy_elements(*larger, margin, all.array(), 0, all.array().length);
      out.push_back(slice(cx.heap, to_value(std::move(larger)), margin, m.shape));
    }
    return out;
  }
};

using Call = std::function<Value(Context&, Value)>;

// Checks that the call gives the expected model for every form, that it leaves a shared argument alone, and that it gives the
// same where it may reuse its argument.
inline void check(const Model& argument, const Call& call, const Model& expected) {
  Bench b;
  Value wanted = b.boxed(expected);
  for (const Value& form : b.forms(argument)) {
    CAPTURE(name_of(form.array().type()));
    CAPTURE(form.array().is_view());
    CAPTURE(display_text(b.cx, form));
    Value before = b.boxed(argument);
    Value result = call(b.cx, form);
    CAPTURE(display_text(b.cx, result));
    CAPTURE(display_text(b.cx, wanted));
    CHECK(p::matches(b.cx, result, wanted));
    CHECK(p::matches(b.cx, before, form));
    Value own = converted(b.cx.heap, form.array(), form.array().type());
    CHECK(p::matches(b.cx, call(b.cx, std::move(own)), wanted));
  }
}

// Arguments of one shape: bits, small and large integers, fractions, characters and nested elements.
inline std::vector<Model> samples(const Lengths& shape) {
  static Heap heap;
  std::size_t n = product_of(shape);
  std::vector<Model> out;
  auto add = [&](const std::function<Value(std::size_t)>& f) {
    Model m{shape, {}};
    for (std::size_t i = 0; i < n; i++) m.elements.push_back(f(i));
    out.push_back(std::move(m));
  };
  add([](std::size_t i) { return Value((i * 7 + i / 5) % 3 == 0); });
  add([](std::size_t i) { return Value(static_cast<int>(i * 37 % 256) - 128); });
  add([](std::size_t i) { return Value(static_cast<int>(i * 7919 % 65536) - 32768); });
  add([](std::size_t i) { return Value(static_cast<double>(i * 2654435761u % 4294967296u) - 2147483648.0); });
  add([](std::size_t i) { return Value(static_cast<double>(i) + 0.5); });
  add([](std::size_t i) { return Value::character(static_cast<char32_t>('a' + i % 26)); });
  add([](std::size_t i) { return Value::character(static_cast<char32_t>(0x10000 + i)); });
  add([](std::size_t i) { return i % 3 ? make_string(heap, std::string(i % 4, 'x')) : Value(i); });
  return out;
}

const std::vector<std::size_t> lengths = {0, 1, 2, 3, 7, 63, 64, 65, 130, 300};
const std::vector<Lengths> tables = {{0, 3}, {3, 0}, {1, 5}, {5, 1}, {2, 3}, {8, 8}, {7, 65}, {65, 3}, {70, 130}, {16, 64}};
const std::vector<Lengths> cubes = {{2, 3, 4}, {3, 1, 5}, {1, 2, 64}, {8, 3, 8}, {4, 0, 2}, {2, 65, 3}};

inline Value number(double d) { return Value(d); }

inline Value list_of(Context& cx, const std::vector<double>& v) { return make_numbers(cx.heap, std::span<const double>(v)); }

}  // namespace griddle::testing
