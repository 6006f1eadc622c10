// The structural primitives over every storage form of the same value, against plain models of what they do.
#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <vector>

#include "primitives/functions.h"
#include "primitives/inverse/undo_structural.h"
#include "primitives/structure/match.h"
#include "runtime/format/format.h"
#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"
#include "tests/support/targets.h"

using namespace griddle;
namespace p = griddle::primitives;

namespace {

using Lengths = std::vector<std::size_t>;

// A value as plainly as can be: a shape and elements in order.
struct Model {
  Lengths shape;
  std::vector<Value> elements;
};

std::size_t product_of(const Lengths& shape) { return product(shape); }

// Makes a model of a shape whose element at each index list is what `f` gives.
Model make_model(const Lengths& shape, const std::function<Value(const Lengths&)>& f) {
  Model m{shape, {}};
  Lengths index(shape.size(), 0);
  for (std::size_t i = 0; i < product_of(shape); i++) {
    m.elements.push_back(f(index));
    for (std::size_t k = shape.size(); k-- > 0 && ++index[k] == shape[k];) index[k] = 0;
  }
  return m;
}

Value at(const Model& m, const Lengths& index) {
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
void check(const Model& argument, const Call& call, const Model& expected) {
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
std::vector<Model> samples(const Lengths& shape) {
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

Value number(double d) { return Value(d); }

Value list_of(Context& cx, const std::vector<double>& v) { return make_numbers(cx.heap, std::span<const double>(v)); }

}  // namespace

TEST_CASE("reverse exchanges the cells of every storage form") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      check(m, p::reverse, make_model(m.shape, [&](const Lengths& i) { return at(m, {n - 1 - i[0]}); }));
  for (const Lengths& s : tables)
    for (const Model& m : samples(s))
      check(m, p::reverse, make_model(s, [&](const Lengths& i) { return at(m, {s[0] - 1 - i[0], i[1]}); }));
}

TEST_CASE("rotate moves places round along one or more axes") {
  for (int by : {0, 1, -1, 5, -64, 1000}) {
    auto round = [](std::size_t i, int k, std::size_t n) {
      auto length = static_cast<std::ptrdiff_t>(n);
      return static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(i) + k) % length + length) % length);
    };
    for (std::size_t n : lengths)
      for (const Model& m : samples({n})) {
        Model wanted = make_model(m.shape, [&](const Lengths& i) { return at(m, {round(i[0], by, n)}); });
        check(
            m, [&](Context& cx, Value x) { return p::rotate(cx, number(by), std::move(x)); }, wanted);
        check(
            wanted, [&](Context& cx, Value x) { return p::undo_rotate(cx, number(by), std::move(x)); }, m);
      }
    for (const Lengths& s : tables)
      for (const Model& m : samples(s))
        check(
            m,
            [&](Context& cx, Value x) {
              return p::rotate(cx, list_of(cx, {static_cast<double>(by), 3}), std::move(x));
            },
            make_model(s, [&](const Lengths& i) {
              return at(m, {round(i[0], by, s[0]), round(i[1], 3, s[1])});
            }));
  }
}

TEST_CASE("transpose moves the first axis to the end, and its undo moves it back") {
  for (const Lengths& s : tables)
    for (const Model& m : samples(s)) {
      Model wanted = make_model({s[1], s[0]}, [&](const Lengths& i) { return at(m, {i[1], i[0]}); });
      check(m, p::transpose, wanted);
      check(wanted, p::undo_transpose, m);
    }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      Model wanted = make_model({s[1], s[2], s[0]}, [&](const Lengths& i) { return at(m, {i[2], i[0], i[1]}); });
      check(m, p::transpose, wanted);
      check(wanted, p::undo_transpose, m);
    }
}

TEST_CASE("reorder axes takes any order and diagonals") {
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      auto order = [&](std::vector<double> w) {
        return [w](Context& cx, Value x) { return p::reorder_axes(cx, list_of(cx, w), std::move(x)); };
      };
      check(m, order({1}), make_model({s[1], s[0], s[2]}, [&](const Lengths& i) { return at(m, {i[1], i[0], i[2]}); }));
      check(m, order({2, 0}), make_model({s[1], s[2], s[0]}, [&](const Lengths& i) { return at(m, {i[2], i[0], i[1]}); }));
      check(m, order({2, 1, 0}), make_model({s[2], s[1], s[0]}, [&](const Lengths& i) { return at(m, {i[2], i[1], i[0]}); }));
      check(m, order({0, 0}), make_model({std::min(s[0], s[1]), s[2]}, [&](const Lengths& i) {
              return at(m, {i[0], i[0], i[1]});
            }));
      check(m, order({0, 0, 0}), make_model({std::min({s[0], s[1], s[2]})}, [&](const Lengths& i) {
              return at(m, {i[0], i[0], i[0]});
            }));
      check(
          make_model({s[1], s[2], s[0]},
                     [&](const Lengths& i) {
                       return at(m, {i[2], i[0], i[1]});
                     }),
          [](Context& cx, Value x) {
            return p::undo_reorder_axes(cx, list_of(cx, {2, 0}), std::move(x));
          },
          m);
    }
}

TEST_CASE("take keeps places from either end and pads with fills") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      for (std::size_t k : {0ul, 1ul, 5ul, 64ul, 200ul, 301ul}) {
        bool text = !m.elements.empty() && m.elements[0].is_character();
        if (n == 0 && k) continue;  // an empty model has no type that would tell its fill
        Value fill = text ? Value::character(' ') : Value(0);
        if (k > n && !m.elements.empty() && narrowest(Bench().boxed(m).array()) == ElementType::boxed) continue;
        auto from_front = make_model({k}, [&](const Lengths& i) { return i[0] < n ? at(m, i) : fill; });
        auto from_back = make_model({k}, [&](const Lengths& i) { return i[0] + n >= k ? at(m, {i[0] + n - k}) : fill; });
        auto typed = [&](double w) {
          return [=](Context& cx, Value x) { return p::take(cx, number(w), with_fill(cx.heap, std::move(x), fill)); };
        };
        check(m, typed(static_cast<double>(k)), from_front);
        check(m, typed(-static_cast<double>(k)), from_back);
      }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      Value fill = !m.elements.empty() && m.elements[0].is_character() ? Value::character(' ') : Value(0);
      Model wanted = make_model({3, 2, s[2]}, [&](const Lengths& i) {
        bool inside = i[0] < s[0] && i[1] + s[1] >= 2;
        return inside ? at(m, {i[0], i[1] + s[1] - 2, i[2]}) : fill;
      });
      check(
          m,
          [&](Context& cx, Value x) {
            return p::take(cx, list_of(cx, {3, -2}), with_fill(cx.heap, std::move(x), fill));
          },
          wanted);
    }
}

TEST_CASE("drop leaves out places at either end and never pads") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      for (std::size_t k : {0ul, 1ul, 5ul, 64ul, 301ul}) {
        std::size_t rest = n - std::min(n, k);
        check(
            m, [&](Context& cx, Value x) { return p::drop(cx, Value(k), std::move(x)); },
            make_model({rest}, [&](const Lengths& i) { return at(m, {i[0] + k}); }));
        check(
            m, [&](Context& cx, Value x) { return p::drop(cx, Value(-static_cast<double>(k)), std::move(x)); },
            make_model({rest}, [&](const Lengths& i) { return at(m, i); }));
      }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      auto less = [](std::size_t n) { return n ? n - 1 : 0; };
      check(
          m,
          [&](Context& cx, Value x) {
            return p::drop(cx, list_of(cx, {1, 0, -1}), std::move(x));
          },
          make_model({less(s[0]), s[1], less(s[2])}, [&](const Lengths& i) {
            return at(m, {i[0] + 1, i[1], i[2]});
          }));
    }
}

TEST_CASE("nudge and shift let cells enter at one end") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n})) {
      if (n == 0) continue;
      Value enters = m.elements[n / 2];
      check(
          m, [&](Context& cx, Value x) { return p::shift_before(cx, enclose(cx.heap, enters), std::move(x)); },
          make_model({n}, [&](const Lengths& i) { return i[0] ? at(m, {i[0] - 1}) : enters; }));
      check(
          m, [&](Context& cx, Value x) { return p::shift_after(cx, enclose(cx.heap, enters), std::move(x)); },
          make_model({n}, [&](const Lengths& i) { return i[0] + 1 < n ? at(m, {i[0] + 1}) : enters; }));
      Value fill = m.elements[0].is_character() ? Value::character(' ') : Value(0);
      check(
          m, [&](Context& cx, Value x) { return p::nudge(cx, with_fill(cx.heap, std::move(x), fill)); },
          make_model({n}, [&](const Lengths& i) { return i[0] ? at(m, {i[0] - 1}) : fill; }));
      check(
          m, [&](Context& cx, Value x) { return p::nudge_back(cx, with_fill(cx.heap, std::move(x), fill)); },
          make_model({n}, [&](const Lengths& i) { return i[0] + 1 < n ? at(m, {i[0] + 1}) : fill; }));
    }
}

TEST_CASE("windows overlap along leading axes") {
  for (std::size_t n : {5ul, 65ul, 130ul})
    for (const Model& m : samples({n}))
      for (std::size_t w : {0ul, 1ul, 2ul, 3ul, 5ul, n})
        if (w <= n)
          check(
              m, [&](Context& cx, Value x) { return p::windows(cx, Value(w), std::move(x)); },
              make_model({n - w + 1, w}, [&](const Lengths& i) { return at(m, {i[0] + i[1]}); }));
  for (const Model& m : samples({4, 5, 3}))
    check(
        m,
        [&](Context& cx, Value x) {
          return p::windows(cx, list_of(cx, {2, 3}), std::move(x));
        },
        make_model({3, 3, 2, 3, 3}, [&](const Lengths& i) {
          return at(m, {i[0] + i[2], i[1] + i[3], i[4]});
        }));
}

TEST_CASE("reshape repeats or truncates") {
  for (std::size_t n : {1ul, 2ul, 3ul, 7ul, 8ul, 13ul, 31ul, 32ul, 33ul, 63ul, 64ul, 65ul, 100ul, 101ul, 200ul})
    for (const Model& m : samples({n}))
      for (const Lengths& s : std::vector<Lengths>{{}, {1}, {5}, {64, 3}, {700}, {2, 0}, {1000, 40}})
        check(
            m,
            [&](Context& cx, Value x) {
              std::vector<double> w(s.begin(), s.end());
              return p::reshape(cx, list_of(cx, w), std::move(x));
            },
            [&] {
              Model out{s, {}};
              for (std::size_t i = 0; i < product_of(s); i++) out.elements.push_back(m.elements[i % n]);
              return out;
            }());
}

TEST_CASE("select takes cells by indices of every storage form") {
  Bench b;
  for (std::size_t n : {1ul, 2ul, 65ul, 130ul})
    for (const Model& m : samples({n})) {
      Model w{{3, 50}, {}};
      for (int i = 0; i < 150; i++)
        w.elements.push_back(Value(static_cast<double>(static_cast<std::size_t>(i) * 31 % (2 * n)) - static_cast<double>(n)));
      Model wanted = make_model({3, 50}, [&](const Lengths& i) {
        double k = at(w, i).number();
        return at(m, {static_cast<std::size_t>(k < 0 ? k + static_cast<double>(n) : k)});
      });
      for (const Value& indices : b.forms(w)) {
        Context& other = b.cx;
        check(
            m, [&](Context&, Value x) { return p::select(other, indices, std::move(x)); }, wanted);
      }
    }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      if (product_of(s) == 0) continue;
      check(
          m,
          [&](Context& cx, Value x) {
            return p::select(cx, list_of(cx, {-1, 0}), std::move(x));
          },
          make_model({2, s[1], s[2]}, [&](const Lengths& i) {
            return at(m, {i[0] ? 0 : s[0] - 1, i[1], i[2]});
          }));
      check(
          m,
          [&](Context& cx, Value x) {
            Value axes[2] = {list_of(cx, {0, -1, 0}), list_of(cx, {-1})};
            return p::select(cx, make_values(cx.heap, axes), std::move(x));
          },
          make_model({3, 1, s[2]}, [&](const Lengths& i) {
            return at(m, {i[0] == 1 ? s[0] - 1 : 0, s[1] - 1, i[2]});
          }));
    }
}

TEST_CASE("replicate repeats by mask, counts and constants") {
  Bench b;
  auto repeat = [](const Model& m, const std::vector<std::size_t>& counts) {
    Model out{{0}, {}};
    for (std::size_t i = 0; i < counts.size(); i++)
      for (std::size_t k = 0; k < counts[i]; k++) out.elements.push_back(m.elements[i]);
    out.shape[0] = out.elements.size();
    return out;
  };
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      for (std::size_t most : {2ul, 4ul, 70ul}) {
        std::vector<std::size_t> counts;
        Model w{{n}, {}};
        for (std::size_t i = 0; i < n; i++) counts.push_back(i * 13 % 7 * i % most), w.elements.push_back(Value(counts.back()));
        if (n == 0) continue;
        for (const Value& form : b.forms(w))
          check(
              m, [&](Context&, Value x) { return p::replicate(b.cx, form, std::move(x)); }, repeat(m, counts));
        check(
            m, [&](Context& cx, Value x) { return p::replicate(cx, Value(most), std::move(x)); },
            repeat(m, std::vector<std::size_t>(n, most)));
      }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      check(
          m, [&](Context& cx, Value x) { return p::replicate(cx, Value(3), std::move(x)); },
          make_model({3 * s[0], s[1], s[2]}, [&](const Lengths& i) {
            return at(m, {i[0] / 3, i[1], i[2]});
          }));
      check(
          m,
          [&](Context& cx, Value x) {
            std::vector<double> once(s[0], 1), twice(s[1], 2);
            Value axes[2] = {list_of(cx, once), list_of(cx, twice)};
            return p::replicate(cx, make_values(cx.heap, axes), std::move(x));
          },
          make_model({s[0], 2 * s[1], s[2]}, [&](const Lengths& i) {
            return at(m, {i[0], i[1] / 2, i[2]});
          }));
    }
}

TEST_CASE("indices repeat each place as often as its count says, and undo counts them") {
  for (std::size_t n : lengths) {
    Model m{{n}, {}}, wanted{{0}, {}};
    for (std::size_t i = 0; i < n; i++) {
      std::size_t count = i * 7 % 4 + (i + 1 == n);
      m.elements.push_back(Value(count));
      for (std::size_t k = 0; k < count; k++) wanted.elements.push_back(Value(i));
    }
    wanted.shape[0] = wanted.elements.size();
    check(m, p::indices, wanted);
    check(wanted, p::undo_indices, m);
    Model bits{{n}, {}}, places{{0}, {}};
    for (std::size_t i = 0; i < n; i++) {
      bits.elements.push_back(Value(i * i % 3 == 1));
      if (i * i % 3 == 1) places.elements.push_back(Value(i));
    }
    places.shape[0] = places.elements.size();
    check(bits, p::indices, places);
  }
}

TEST_CASE("join to puts cells one after the other, in place where the list is unshared") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n})) {
      if (n == 0) continue;
      Model wanted{{2 * n + 1}, m.elements};
      wanted.elements.insert(wanted.elements.end(), m.elements.begin(), m.elements.end());
      wanted.elements.push_back(m.elements[0]);
      check(
          m, [&](Context& cx, Value x) { return p::join_to(cx, p::join_to(cx, x, x), enclose(cx.heap, m.elements[0])); }, wanted);
    }
  Bench b;
  for (const Model& m : samples({300})) {
    Value grown = make_values(b.cx.heap, {});
    for (const Value& v : m.elements) grown = p::join_to(b.cx, std::move(grown), enclose(b.cx.heap, v));
    CHECK(p::matches(b.cx, grown, b.boxed(m)));
  }
}

TEST_CASE("join and merge widen to the common type") {
  Bench b;
  Value parts[4] = {b.number_list({1, 0}), b.number_list({300, 5}), b.number_list({0.5, 2}), b.number_list({7, 8})};
  Value list = make_values(b.cx.heap, parts);
  CHECK(p::matches(b.cx, p::join(b.cx, list), b.number_list({1, 0, 300, 5, 0.5, 2, 7, 8})));
  Value merged = p::merge(b.cx, list);
  CHECK(same_shape(merged.array().shape(), Lengths{4, 2}));
  CHECK(p::matches(b.cx, p::deshape(b.cx, merged), b.number_list({1, 0, 300, 5, 0.5, 2, 7, 8})));
}

TEST_CASE("equal values match in every pair of storage forms") {
  Bench b;
  for (const Lengths& s : std::vector<Lengths>{{0}, {5}, {64}, {300}, {3, 5}})
    for (const Model& m : samples(s)) {
      std::vector<Value> forms = b.forms(m);
      for (const Value& w : forms)
        for (const Value& x : forms) CHECK(p::matches(b.cx, w, x));
      if (m.elements.empty()) continue;
      Model changed = m;
      changed.elements.back() = Value(77.25);
      for (const Value& w : forms)
        for (const Value& x : b.forms(changed)) CHECK(!p::matches(b.cx, w, x));
    }
}

TEST_CASE("not a number matches nothing, not even itself in the same array") {
  Bench b;
  Value nan = b.number_list({1, std::numeric_limits<double>::quiet_NaN()});
  CHECK(!p::matches(b.cx, nan, nan));
  CHECK(p::matches(b.cx, b.number_list({-0.0}), b.number_list({0.0})));
}

TEST_CASE("deep nesting neither overflows the stack in match nor in depth") {
  Bench b;
  auto nested = [&] {
    Value v = b.text("x");
    for (int i = 0; i < 200000; i++) {
      Ref<Array> a = make_list(b.cx.heap, ElementType::boxed, 1);
      a->as<Value>()[0] = std::move(v);
      v = to_value(std::move(a));
    }
    return v;
  };
  Value w = nested(), x = nested();
  CHECK(p::matches(b.cx, w, x));
  CHECK(p::depth(b.cx, w).number() == 200001);
}

namespace {

// Runs every structural primitive that has a kernel, over types and lengths round the edges of vectors and words.
std::vector<Value> results_of_kernels(Bench& b) {
  Context& cx = b.cx;
  std::vector<Value> out;
  for (std::size_t n : {1ul, 17ul, 64ul, 129ul, 1000ul, 4097ul}) {
    for (const Model& m : samples({n})) {
      Value x = narrowed(cx.heap, b.boxed(m));
      std::vector<double> mask, counts, places;
      for (std::size_t i = 0; i < n; i++) {
        mask.push_back(i * i % 7 < 3);
        counts.push_back(static_cast<double>(i * 31 % 6));
        places.push_back(static_cast<double>(i * 7919 % (2 * n)) - static_cast<double>(n));
      }
      out.push_back(p::reverse(cx, x));
      out.push_back(p::nudge(cx, x));
      out.push_back(p::nudge_back(cx, x));
      out.push_back(p::rotate(cx, Value(5), x));
      out.push_back(p::select(cx, list_of(cx, places), x));
      out.push_back(p::replicate(cx, list_of(cx, mask), x));
      out.push_back(p::replicate(cx, list_of(cx, counts), x));
      for (int k : {2, 3, 7, 20, 70}) out.push_back(p::replicate(cx, Value(k), x));
      for (std::size_t k : {2ul, 3ul, 4ul, 5ul, 8ul, 10ul}) {
        Value table = p::reshape(cx, list_of(cx, {static_cast<double>(n), static_cast<double>(k)}), x);
        out.push_back(p::transpose(cx, table));
        out.push_back(p::undo_transpose(cx, std::move(table)));
      }
      out.push_back(p::transpose(cx, p::reshape(cx, list_of(cx, {100, 70}), x)));
      out.push_back(p::indices(cx, list_of(cx, mask)));
      out.push_back(p::indices(cx, list_of(cx, counts)));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("every instruction set gives the same results") {
  Bench b;
  std::vector<Value> expected = results_of_kernels(b);
  griddle::testing::on_every_target([&] {
    std::vector<Value> results = results_of_kernels(b);
    REQUIRE(results.size() == expected.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < results.size(); i++) different += !p::matches(b.cx, results[i], expected[i]);
    CHECK(different == 0);
  });
}
