#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "primitives/functions.h"
#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/value/recent_call.h"
#include "runtime/vm/error.h"
#include "tests/support/same_elements.h"

using namespace griddle;
using namespace griddle::primitives;
using griddle::testing::same_elements;

namespace {

using Type = ElementType;

struct Named {
  const char* name;
  Dyad of;
};
const Named dyads[] = {{"add", add},           {"subtract", subtract},
                       {"multiply", multiply}, {"divide", divide},
                       {"power", power},       {"root", root},
                       {"minimum", minimum},   {"maximum", maximum},
                       {"modulus", modulus},   {"span_not", span_not},
                       {"and", logic_and},     {"or", logic_or},
                       {"less", less},         {"less_equal", less_equal},
                       {"equal", equal},       {"greater_equal", greater_equal},
                       {"greater", greater},   {"not_equal", not_equal}};
struct NamedMonad {
  const char* name;
  Monad of;
};
const NamedMonad monads[] = {{"conjugate", conjugate},   {"negate", negate},           {"sign", sign},
                             {"reciprocal", reciprocal}, {"exponential", exponential}, {"square root", square_root},
                             {"floor", floor_of},        {"ceiling", ceiling},         {"magnitude", magnitude},
                             {"complement", complement}};

struct Interpreter {
  Context cx;
  std::uint32_t seed = 1;
  Interpreter() { set_stack_limit(cx); }

  std::uint32_t random() { return seed = seed * 1664525u + 1013904223u; }
  double number_of(Type t) {
    const std::uint32_t r = random() >> 8;
    switch (t) {
      case Type::bit: return r & 1;
      case Type::i8: return static_cast<int>(r % 256) - 128;
      case Type::i16: return static_cast<int>(r % 65536) - 32768;
      case Type::i32: return r % 7 == 0 ? -2147483648.0 : static_cast<double>(static_cast<std::int32_t>(r * 2654435761u));
      default: return r % 11 == 0 ? 3e9 : r % 37 == 0 ? NAN : r % 41 == 0 ? INFINITY : (static_cast<double>(r % 4000) - 2000) / 4;
    }
  }
  Value atom_of(Type t) {
    if (t == Type::boxed) t = static_cast<Type>(random() >> 9 & 7);
    if (t == Type::c8) return Value::character('a' + (random() >> 9) % 26);
    if (t == Type::c16) return Value::character(300 + (random() >> 9) % 60000);
    if (t == Type::c32) return Value::character((random() >> 9) % 1114112);
    return number_of(t);
  }
  Value list_of(Type t, std::size_t n, bool small = false) {
    Ref<Array> a = make_list(cx.heap, t, n);
    for (std::size_t i = 0; i < n; i++)
      store(*a, i, small && t != Type::boxed && is_number(t) ? Value(number_of(Type::bit)) : atom_of(t));
    return to_value(std::move(a));
  }
  Value shaped(std::vector<std::size_t> shape, Value v) { return with_shape(cx.heap, std::move(v), shape); }
};

// Applies a function to each pair of atoms; `failed` tells whether that failed anywhere.
template <class F>
Value by_atoms(Interpreter& in, std::span<const std::size_t> shape, std::size_t n, bool& failed, F of) {
  std::vector<Value> results;
  failed = false;
  for (std::size_t i = 0; i < n && !failed; i++) {
    try {
      results.push_back(of(i));
    } catch (const Error&) {
      failed = true;
    }
  }
  return failed ? Value() : with_shape(in.cx.heap, make_values(in.cx.heap, results), shape);
}

Value atom_at(const Value& v, std::size_t i) { return v.is_array() ? element(v.array(), i) : v; }

void check_dyad(Interpreter& in, const Named& f, const Value& w, const Value& x) {
  const Value& longer = rank_of(w) > rank_of(x) || !x.is_array() ? w : x;
  const std::size_t n = length_of(longer);
  const std::size_t cell_w = length_of(w) ? n / length_of(w) : 1, cell_x = length_of(x) ? n / length_of(x) : 1;
  bool failed;
  const Value expected = by_atoms(in, shape_of(longer), n, failed,
                                  [&](std::size_t i) { return f.of(in.cx, atom_at(w, i / cell_w), atom_at(x, i / cell_x)); });
  const auto form = [](const Value& v) { return std::string(v.is_array() ? name_of(v.array().type()) : "atom") + shape_text(v); };
  INFO(std::string(f.name), " ", form(w), " ", form(x));
  for (int own = 0; own < 2; own++) {
    // Once with arguments that nobody else holds, so that they may be overwritten.
    const auto argument = [&](const Value& v) {
      if (own == 0 || !v.is_array()) return v;
      Ref<Array> copy = make_like(in.cx.heap, v.array().type(), v.array());
      copy_elements(*copy, 0, v.array(), 0, v.array().length);
      return to_value(std::move(copy));
    };
    if (failed) {
      CHECK_THROWS_AS(f.of(in.cx, argument(w), argument(x)), Error);
    } else {
      CHECK(same_elements(in.cx, f.of(in.cx, argument(w), argument(x)), expected));
    }
  }
}

const std::size_t lengths[] = {0, 1, 2, 7, 31, 32, 33, 64, 65, 130, 1000, 2049};

// Gives the same primitive without its specific ways.
const PrimitiveFunctionEntry& general_entry(const PrimitiveFunctionEntry& entry) {
  return primitive_table(true).functions[static_cast<std::size_t>(&entry - primitive_table().functions.data())];
}

}  // namespace

TEST_CASE("dyads on arrays of every pair of types do what they do on atoms") {
  Interpreter in;
  for (const Named& f : dyads)
    for (int tw = 0; tw < element_type_count; tw++)
      for (int tx = 0; tx < element_type_count; tx++)
        for (std::size_t n : lengths) {
          const Value w = in.list_of(static_cast<Type>(tw), n), x = in.list_of(static_cast<Type>(tx), n);
          check_dyad(in, f, w, x);
          if (n > 130) continue;
          check_dyad(in, f, in.atom_of(static_cast<Type>(tw)), x);
          check_dyad(in, f, w, in.atom_of(static_cast<Type>(tx)));
          // Values that rarely overflow.
          check_dyad(in, f, in.list_of(static_cast<Type>(tw), n, true), in.list_of(static_cast<Type>(tx), n, true));
          check_dyad(in, f, in.list_of(static_cast<Type>(tw), n, true), x);
        }
}

TEST_CASE("the way without owning lists does what the primitive does, or declines") {
  Interpreter in;
  int served = 0;
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions) {
    if (!entry.dyad_ways) continue;
    const PrimitiveFunctionEntry& general = general_entry(entry);
    const auto check = [&](const Value& w, const Value& x) {
      const Value result = Value::from_bits(entry.dyad_ways->run(in.cx, w.bits(), x.bits(), {}));
      if (result.is_absent()) return;
      served++;
      INFO(std::string(entry.dyad_name), " ", length_of(w), " ", length_of(x));
      const Value expected = call_primitive(in.cx, general, w, x);
      CHECK(same_elements(in.cx, result, expected));
      REQUIRE(result.is_array() == expected.is_array());
      if (result.is_array()) CHECK(result.array().fill_kind() == expected.array().fill_kind());
    };
    for (int tw = 0; tw < element_type_count; tw++)
      for (int tx = 0; tx < element_type_count; tx++)
        for (std::size_t n = 0; n < 67; n++)
          for (bool small : {false, true}) {
            const Value w = in.list_of(static_cast<Type>(tw), n, small), x = in.list_of(static_cast<Type>(tx), n, small);
            check(w, x);
            check(in.atom_of(static_cast<Type>(tw)), x);
            check(w, in.atom_of(static_cast<Type>(tx)));
            check(Value(1), x);
            check(w, Value(0.5));
            check(w, in.list_of(static_cast<Type>(tx), n + 1));
            // Counts and indices.
            check(Value(-static_cast<int>(n % 9)), x);
            check(make_numbers(in.cx.heap, std::vector<double>{2, -2, static_cast<double>(n % 7)}), x);
            if (n % 3 == 0) check(with_fill(in.cx.heap, in.list_of(static_cast<Type>(tw), n, small), Value()), x);
            if (n % 3 == 1) check(Value(2), with_fill(in.cx.heap, in.list_of(static_cast<Type>(tx), n, small), Value()));
            // A view starts at any element.
            if (n > 5 && tw != 0) check(slice(in.cx.heap, w, 3, std::vector<std::size_t>{n - 3}), w);
          }
  }
  CHECK(served > 50000);
  const auto sum = [&](const Value& w, const Value& x) { return Value::from_bits(add_ways.run(in.cx, w.bits(), x.bits(), {})); };
  CHECK(sum(in.list_of(Type::i8, 4, true), Value(100)).array().type() == Type::i8);
  CHECK(sum(make_numbers(in.cx.heap, std::vector<double>{1, 127}), Value(1)).array().type() == Type::i16);
}

TEST_CASE("what was remembered of other arguments does what the primitive does, or declines") {
  Interpreter in;
  make_primitives(in.cx);
  std::vector<Value> values;
  for (int t = 0; t < static_cast<int>(Type::boxed); t++) {
    const Type type = static_cast<Type>(t);
    for (std::size_t n : {0, 1, 5, 5, 63, 64, 200, 1000, 16384, 16385})
      for (bool small : {false, true}) values.push_back(in.list_of(type, n, small));
    values.push_back(in.shaped({5, 2}, in.list_of(type, 10, true)));
    values.push_back(with_fill(in.cx.heap, in.list_of(type, 5, true), Value()));
    values.push_back(in.atom_of(type));
  }
  values.push_back(in.list_of(Type::boxed, 5));
  for (double atom : {0.0, -0.0, 1.0, 2.0, -1.0, 127.0, 128.0, -129.0, 40000.0, 2147483648.0, 0.5, double(NAN), double(INFINITY)})
    values.push_back(Value(atom));
  values.push_back(Value::character('a'));
  values.push_back(Value::character(0x1F600));
  values.push_back(Value::nothing());
  values.push_back(in.cx.primitives[0]);
  int served = 0, wider = 0;
  const auto check = [&](const Value& result, bool wide, const auto& plainly, const auto& called) {
    if (result.is_absent()) return;
    served++;
    const Value direct = plainly();
    if (!wide && direct.is_array() && result.is_array()) wider += direct.array().type() < result.array().type();
    const Value expected = called();
    CHECK(same_elements(in.cx, result, expected));
    REQUIRE(result.is_array() == expected.is_array());
    if (result.is_array()) CHECK(result.array().fill_kind() == expected.array().fill_kind());
  };
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions) {
    if (entry.dyad_ways) {
      for (std::size_t first = 0; first < values.size() * 9; first++) {
        const Value &w = values[in.random() >> 8 & 1 ? first % values.size() : in.random() % values.size()],
                    &x = values[in.random() % values.size()];
        RecentDyad recent;
        try {
          Value::from_bits(entry.dyad_ways->run(in.cx, w.bits(), x.bits(), {.site = &recent}));
        } catch (const Error&) {
        }
        for (int i = 0; i < 40 && recent.entry != nullptr; i++) {
          REQUIRE(recent.entry == &entry);
          REQUIRE(recent.function == in.cx.primitives[&entry - primitive_table().functions.data()].bits());
          // Mostly an argument like the first one.
          const auto other = [&](const Value& like) -> const Value& {
            if (in.random() >> 8 & 1) return like;
            return values[in.random() >> 10 & 1 ? (&like - values.data() + in.random() % 20) % values.size()
                                                : in.random() % values.size()];
          };
          const Value &left = other(w), &right = other(x);
          INFO(std::string(entry.dyad_name), " ", length_of(left), " ", length_of(right));
          const bool wide = recent.uses_left != 0;
          check(
              Value::from_bits(recent.compute(in.cx, left.bits(), right.bits(), recent)), wide,
              [&] { return Value::from_bits(entry.dyad_ways->run(in.cx, left.bits(), right.bits(), {})); },
              [&] { return call_primitive(in.cx, general_entry(entry), left, right); });
        }
      }
    }
    if (!entry.monad_ways) continue;
    for (const Value& x : values) {
      RecentMonad recent;
      try {
        Value::from_bits(entry.monad_ways->run(in.cx, x.bits(), {.site = &recent}));
      } catch (const Error&) {
      }
      for (const Value& y : values) {
        if (recent.entry == nullptr) break;
        REQUIRE(recent.entry == &entry);
        INFO(std::string(entry.monad_name), " ", length_of(x), " ", length_of(y));
        check(
            Value::from_bits(recent.compute(in.cx, y.bits(), recent)), false,
            [&] { return Value::from_bits(entry.monad_ways->run(in.cx, y.bits(), {})); },
            [&] { return call_primitive(in.cx, general_entry(entry), y); });
      }
    }
  }
  CHECK(wider == 0);
  // Results that did not fit are made wide at once, but not for ever.
  const PrimitiveFunctionEntry& sum = primitive_table().functions[static_cast<std::size_t>(primitive_index(U'+'))];
  const Value large = make_numbers(in.cx.heap, std::vector<double>{100, 3, 100}), few = in.list_of(Type::i8, 3, true);
  RecentDyad recent;
  CHECK(Value::from_bits(sum.dyad_ways->run(in.cx, large.bits(), large.bits(), {.site = &recent})).array().type() == Type::i16);
  int times = 0;
  while (times < 100 && recent.entry != nullptr) {
    const Value sums = Value::from_bits(recent.compute(in.cx, few.bits(), few.bits(), recent));
    times++;
    if (!sums.is_absent()) CHECK(sums.array().type() == Type::i16);
  }
  CHECK(times > 1);
  CHECK(times < 100);
  if (!Heap::verifies()) CHECK(served > 5000);
}

TEST_CASE("the shorter shape meets whole cells") {
  Interpreter in;
  for (const Named& f : dyads)
    for (int tw = 0; tw < element_type_count; tw++)
      for (int tx = 0; tx < element_type_count; tx++)
        for (std::size_t cell : {1, 3, 8, 64, 600})
          for (std::size_t n : {0, 1, 5, 70}) {
            if (n * cell > 5000) continue;
            const Type types[] = {static_cast<Type>(tw), static_cast<Type>(tx)};
            const Value few = in.list_of(types[0], n, cell != 3);
            const Value many = in.shaped({n, cell}, in.list_of(types[1], n * cell, cell != 8));
            check_dyad(in, f, few, many);
            check_dyad(in, f, many, few);
            if (n == 1) check_dyad(in, f, in.shaped({}, few), many);
          }
}

TEST_CASE("monads on arrays of every type do what they do on atoms") {
  Interpreter in;
  for (const NamedMonad& f : monads)
    for (int t = 0; t < element_type_count; t++)
      for (std::size_t n : lengths)
        for (bool small : {false, true}) {
          const Value x = in.list_of(static_cast<Type>(t), n, small);
          bool failed;
          const Value expected = by_atoms(in, shape_of(x), n, failed, [&](std::size_t i) { return f.of(in.cx, atom_at(x, i)); });
          INFO(std::string(f.name), " ", std::string(name_of(static_cast<Type>(t))), " ", n);
          if (failed) {
            CHECK_THROWS_AS(f.of(in.cx, x), Error);
          } else {
            CHECK(same_elements(in.cx, f.of(in.cx, x), expected));
            Value own = in.list_of(static_cast<Type>(t), 0);
            own = x;
            CHECK(same_elements(in.cx, f.of(in.cx, std::move(own)), expected));
          }
        }
}

TEST_CASE("results are narrow") {
  Interpreter in;
  const auto type_of = [](const Value& v) { return v.array().type(); };
  const Value bits = in.list_of(Type::bit, 100), bytes = in.list_of(Type::i8, 100, true);
  CHECK(type_of(less(in.cx, bytes, Value(3))) == Type::bit);
  CHECK(type_of(add(in.cx, bits, bits)) == Type::i8);
  CHECK(type_of(multiply(in.cx, bits, bits)) == Type::bit);
  CHECK(type_of(add(in.cx, bytes, bits)) == Type::i8);
  CHECK(type_of(complement(in.cx, bits)) == Type::bit);
  CHECK(type_of(modulus(in.cx, Value(2), bytes)) == Type::bit);
  CHECK(type_of(modulus(in.cx, Value(7), in.list_of(Type::i32, 3000))) == Type::i8);
  CHECK(type_of(modulus(in.cx, Value(300), in.list_of(Type::i32, 3000))) == Type::i16);
  CHECK(type_of(subtract(in.cx, make_string(in.cx.heap, "abc"), Value::character('a'))) == Type::i8);
  const std::vector<double> halves = {0.5, 1.5, 0, 1}, wide = {0.5, 127.5, -128}, wider = {0.5, 128.5}, widest = {3e9, 0.5};
  CHECK(type_of(floor_of(in.cx, make_numbers(in.cx.heap, halves))) == Type::bit);
  CHECK(type_of(floor_of(in.cx, make_numbers(in.cx.heap, wide))) == Type::i8);
  CHECK(type_of(floor_of(in.cx, make_numbers(in.cx.heap, wider))) == Type::i16);
  CHECK(type_of(ceiling(in.cx, make_numbers(in.cx.heap, wider))) == Type::i16);
  CHECK(type_of(floor_of(in.cx, make_numbers(in.cx.heap, widest))) == Type::f64);
  std::vector<double> even(100, 2), odd(100, 2);
  even[50] = 512, odd[50] = 511;
  CHECK(type_of(divide(in.cx, make_numbers(in.cx.heap, even), Value(2))) == Type::i16);
  CHECK(type_of(divide(in.cx, make_numbers(in.cx.heap, odd), Value(2))) == Type::f64);
}

TEST_CASE("arithmetic goes into nested arrays") {
  Interpreter in;
  std::vector<Value> both;
  both.push_back(make_string(in.cx.heap, "ab"));
  both.push_back(Value(3));
  Value nested = make_values(in.cx.heap, both);
  const std::vector<double> offsets = {1, 2};
  CHECK_THROWS_AS(multiply(in.cx, nested, make_numbers(in.cx.heap, offsets)), Error);
  const Value sums = add(in.cx, nested, make_numbers(in.cx.heap, offsets));
  CHECK(matches(in.cx, element(sums.array(), 0), make_string(in.cx.heap, "bc")));
  CHECK(element(sums.array(), 1).number() == 5);
  const Value unit = add(in.cx, enclose(in.cx.heap, Value(1)), Value(2));
  CHECK(unit.is_array());
  CHECK(unit.array().rank() == 0);
}

TEST_CASE("a failed call leaves its argument as it was") {
  Interpreter in;
  Value text = in.list_of(Type::c32, 500);
  store(text.array(), 400, Value::character(1114111));
  const Value before = in.list_of(Type::c32, 0);
  std::vector<char32_t> codes(text.array().as<char32_t>(), text.array().as<char32_t>() + 500);
  CHECK_THROWS_AS(add(in.cx, text, Value(1)), Error);
  CHECK(std::equal(codes.begin(), codes.end(), text.array().as<char32_t>()));
}

TEST_CASE("fills are the function of the fills") {
  Interpreter in;
  const Value text = make_string(in.cx.heap, "");
  CHECK(fill_of(in.cx.heap, add(in.cx, text, Value(1))).is_character());
  CHECK(fill_of(in.cx.heap, subtract(in.cx, text, Value::character('a'))).is_number());
  CHECK(fill_of(in.cx.heap, multiply(in.cx, text, Value(1))).is_absent());
  CHECK(fill_of(in.cx.heap, equal(in.cx, text, Value(1))).is_number());
}
