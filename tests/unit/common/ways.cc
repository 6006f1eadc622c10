// The ways of primitives: each one, called by itself, does what the general way does or declines; and each one serves something.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "primitives/structure/match.h"
#include "runtime/format/format.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

using namespace griddle;

namespace {

struct Operands {
  Context cx;
  std::vector<Value> operands;

  Operands() {
    set_stack_limit(cx);
    make_primitives(cx);
    for (double d : {0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 7.0, 100.0, 0.5, -1e300}) operands.push_back(Value(d));
    operands.push_back(Value::character('a'));
    operands.push_back(cx.primitives[0]);
    for (std::size_t length : {0, 1, 2, 3, 6, 8, 17, 40, 65, 200})
      for (int t = 0; t <= static_cast<int>(ElementType::boxed); t++) add_lists(static_cast<ElementType>(t), length);
    add_places();
    add_nested();
  }

  Value list_of(ElementType type, std::size_t length) {
    Ref<Array> a = make_list(cx.heap, type, length);
    for (std::size_t i = 0; i < length; i++) {
      const int n = static_cast<int>(i * 7 + length) % (type == ElementType::bit ? 2 : 100);
      if (type == ElementType::boxed)
        a->as<Value>()[i] = i % 3 == 2 ? Value(n) : make_string(cx.heap, std::string(i % 3 + 1, 'x'));
      else
        store(*a, i, is_character(type) ? Value::character(static_cast<char32_t>('a' + n)) : Value(n));
    }
    return to_value(std::move(a));
  }
  // Adds a list, the same without a fill, as a table where it has two rows, and a piece of a longer one.
  void add_lists(ElementType type, std::size_t length) {
    const Value list = list_of(type, length);
    operands.push_back(list);
    operands.push_back(with_fill(cx.heap, list_of(type, length), Value()));
    if (length % 2 == 0 && length != 0) operands.push_back(with_shape(cx.heap, list_of(type, length), Shape{2, length / 2}));
    if (length == 6) operands.push_back(with_shape(cx.heap, list_of(type, length), Shape{3, 1, 2}));
    if (length > 3) operands.push_back(slice(cx.heap, list, 2, length - 3));
    if (length == 1) operands.push_back(with_shape(cx.heap, list_of(type, 1), Shape{}));
  }
  void add_places() {
    const std::vector<std::vector<double>> all = {
        {0, 1}, {1, 0}, {2, 1, 0}, {-1, 0, 1}, {0},   {1, 1, 0, 1, 0, 1}, {0, 3, 0, 1, 2, 0, 1, 1},
        {2, 3}, {3, 2}, {1, 8},    {4, 4},     {9, 0}};
    for (const std::vector<double>& places : all) operands.push_back(make_numbers(cx.heap, std::span<const double>(places)));
    operands.push_back(with_shape(cx.heap, make_numbers(cx.heap, std::span<const double>(all[5])), Shape{2, 3}));
    Value lengths[2] = {Value(1), primitive(cx, U'∘')};
    operands.push_back(make_values(cx.heap, lengths));
    Value in_order = make_numbers(cx.heap, std::span<const double>(all[0]));
    in_order.array().note_order(false);
    operands.push_back(in_order);
    Value descending = make_numbers(cx.heap, std::span<const double>(all[2]));
    descending.array().note_order(true);
    operands.push_back(descending);
  }
  // Adds lists of equal and of unequal lists, lists of boxes, their table, and values in boxes of their own.
  void add_nested() {
    for (ElementType type : {ElementType::bit, ElementType::i8, ElementType::c16, ElementType::boxed}) {
      for (std::size_t step : {0, 1}) {
        std::vector<Value> lists;
        for (std::size_t i = 0; i < 4; i++)
          lists.push_back(
              with_fill(cx.heap, list_of(type, 3 + step * i), type == ElementType::boxed ? Value() : prototype_of(type)));
        std::vector<Value> copy = lists;
        operands.push_back(make_values(cx.heap, copy));
        if (step == 0) operands.push_back(with_shape(cx.heap, make_values(cx.heap, lists), Shape{2, 2}));
      }
      operands.push_back(enclose(cx.heap, list_of(type, 3)));
    }
  }
  Value prototype_of(ElementType type) { return is_character(type) ? Value::character(' ') : Value(0); }

  // Checks a result against the general way; gives whether there is one.
  template <class Call>
  bool check(std::uint64_t bits, Call general) {
    const Value result = Value::from_bits(bits);
    if (result.is_absent()) return false;
    const Value expected = general();
    CAPTURE(display_text(cx, result));
    CAPTURE(display_text(cx, expected));
    // What is no number matches nothing, but is shown alike.
    const bool alike = primitives::matches(cx, result, expected) || display_text(cx, result) == display_text(cx, expected);
    CHECK(alike);
    const Value fill = fill_of(cx.heap, result), wanted = fill_of(cx.heap, expected);
    CHECK(fill.is_absent() == wanted.is_absent());
    if (!fill.is_absent() && !wanted.is_absent()) CHECK(primitives::matches(cx, fill, wanted));
    return true;
  }
};

}  // namespace

TEST_CASE("every way of a primitive serves, and does what the general way does") {
  Operands b;
  const std::span<const PrimitiveFunctionEntry> functions = primitive_table().functions,
                                                general = primitive_table(true).functions;
  RecentMonad monad_site;
  RecentDyad dyad_site;
  for (std::size_t k = 0; k < functions.size(); k++) {
    const PrimitiveFunctionEntry& f = functions[k];
    if (f.monad_ways != nullptr)
      for (const MonadWay& way : f.monad_ways->table) {
        INFO(std::string(f.monad_name), ": ", std::string(way.name));
        int served = 0;
        for (const Value& x : b.operands) {
          CAPTURE(display_text(b.cx, x));
          served += b.check(way.run(b.cx, x.bits(), monad_site), [&] { return call_primitive(b.cx, general[k], x); });
        }
        if (!Heap::verifies()) CHECK(served > 0);
      }
    if (f.dyad_ways == nullptr) continue;
    for (const DyadWay& way : f.dyad_ways->table) {
      INFO(std::string(f.dyad_name), ": ", std::string(way.name));
      int served = 0;
      for (const Value& w : b.operands)
        for (const Value& x : b.operands)
          served += b.check(way.run(b.cx, w.bits(), x.bits(), dyad_site), [&] { return call_primitive(b.cx, general[k], w, x); });
      if (!Heap::verifies()) CHECK(served > 0);
    }
  }
}
