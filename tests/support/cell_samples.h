// Sample arrays for functions that work on major cells: one value in every storage form, and plain models of sort and search.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "primitives/order/order.h"
#include "primitives/structure/match.h"
#include "runtime/value/array.h"
#include "runtime/vm/error.h"

namespace griddle::test {

using Lengths = std::vector<std::size_t>;

struct CellSamples {
  Context cx;
  CellSamples() { set_stack_limit(cx); }

  // Gives boxed arrays of one shape with many repeated elements: bits, integers of each width, fractions with ¯0 and ∞,
  // characters of each width, and a mixture with nested elements.
  std::vector<Value> samples(const Lengths& shape) {
    std::vector<Value> out;
    auto add = [&](auto element) {
      Ref<Array> a = make_array(cx.heap, ElementType::boxed, shape);
      for (std::size_t i = 0; i < a->length; i++) a->as<Value>()[i] = element((i * i * 31 + i * 7) % 97);
      out.push_back(to_value(std::move(a)));
    };
    add([](std::size_t k) { return Value(k % 3 == 0); });
    add([](std::size_t k) { return Value(static_cast<int>(k % 11) - 5); });
    add([](std::size_t k) { return Value(static_cast<int>(k) * 641 - 30000); });
    add([](std::size_t k) { return Value(static_cast<double>(k) * 40000000 - 2000000000); });
    add([](std::size_t k) { return Value(static_cast<int>(k % 23) + 1000000); });
    add([](std::size_t k) {
      return k % 7 == 0 ? Value(-0.0) : k % 7 == 1 ? Value(1e308 * 10) : Value(static_cast<double>(k) / 4 - 9);
    });
    add([](std::size_t k) { return Value::character(static_cast<char32_t>('a' + k % 26)); });
    add([](std::size_t k) { return Value::character(static_cast<char32_t>(0x2200 + k)); });
    add([](std::size_t k) { return Value::character(static_cast<char32_t>(0x1D400 + k % 31)); });
    add([this](std::size_t k) {
      if (k % 4 == 0) return Value(static_cast<int>(k % 5));
      if (k % 4 == 1) return Value::character(static_cast<char32_t>('x' + k % 3));
      return make_string(cx.heap, std::string(k % 3, static_cast<char>('p' + k % 2)));
    });
    return out;
  }

  // Gives a boxed array in every storage form that holds it, each also as a view into something larger.
  std::vector<Value> forms(const Value& boxed) {
    const Array& all = boxed.array();
    std::vector<Value> out;
    ElementType least = narrowest(all);
    for (int t = 0; t < element_type_count; t++) {
      auto type = static_cast<ElementType>(t);
      bool holds =
          type == ElementType::boxed || all.length == 0 || (least != ElementType::boxed && common_type(least, type) == type);
      if (!holds) continue;
      Ref<Array> a = make_array(cx.heap, type, all.shape());
      copy_elements(*a, 0, all, 0, all.length);
      out.push_back(to_value(std::move(a)));
      constexpr std::size_t margin = 2048;
      Ref<Array> larger = make_list(cx.heap, type, all.length + 2 * margin);
      if (type != ElementType::boxed) std::memset(larger->data, 0x55, bytes_for(type, larger->length));
      copy_elements(*larger, margin, all, 0, all.length);
      out.push_back(slice(cx.heap, to_value(std::move(larger)), margin, all.shape()));
    }
    return out;
  }

  std::vector<Value> cells(const Value& v) {
    const Array& a = v.array();
    std::vector<Value> out;
    for (std::size_t i = 0; i < a.cells(); i++) out.push_back(slice(cx.heap, v, i * a.cell_length(), a.shape().subspan(1)));
    return out;
  }
  Value numbers(const std::vector<std::size_t>& n) { return make_numbers(cx.heap, std::span<const std::size_t>(n)); }
  // Gives the cells of `v` at some places.
  Value cells_at(const Value& v, const std::vector<std::size_t>& places) {
    const Array& a = v.array();
    Shape shape(a.shape());
    shape[0] = places.size();
    Ref<Array> out = make_array(cx.heap, a.type(), shape);
    for (std::size_t i = 0; i < places.size(); i++)
      copy_elements(*out, i * a.cell_length(), a, places[i] * a.cell_length(), a.cell_length());
    return to_value(std::move(out));
  }
  bool same(const Value& a, const Value& b) { return primitives::matches(cx, a, b); }
};

inline const std::vector<Lengths> cell_shapes = {{0},    {1},    {2},    {7},     {33},    {64},    {65},     {300},
                                                 {2000}, {0, 3}, {3, 0}, {40, 2}, {70, 1}, {30, 9}, {9, 2, 3}};

}  // namespace griddle::test
