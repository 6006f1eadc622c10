#include "gpu/cuda/chains/chain_source.h"

#include <doctest/doctest.h>

using griddle::cuda::ChainEnd;
using griddle::cuda::ChainSource;

namespace {

// 2 - input 0 + input 1, both of 16 bits.
griddle_chain model() {
  static const int memory[2] = {};
  griddle_chain chain{};
  chain.step_count = 3;
  chain.input_count = 2;
  chain.result_type = griddle_device_i32;
  chain.values = griddle_values_i32;
  chain.steps[0] = {griddle_load, griddle_from_input, 0, 0};
  chain.steps[1] = {griddle_subtract, griddle_from_constant, 0, 1};
  chain.steps[2] = {griddle_add, griddle_from_input, 1, 0};
  chain.constants[0] = 2;
  for (int i = 0; i < 2; i++) {
    chain.inputs[i] = memory + i;
    chain.input_each[i] = 1;
    chain.input_types[i] = griddle_device_i16;
  }
  return chain;
}
std::string key(const griddle_chain& chain, ChainEnd end = ChainEnd::stored) {
  return griddle::cuda::key_of(griddle::cuda::shape_of(chain), end);
}
std::string text(const griddle_chain& chain, ChainEnd end = ChainEnd::stored) {
  const griddle_chain shape = griddle::cuda::shape_of(chain);
  return ChainSource(shape, end).text();
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a kernel serves chains that differ in constants, memory and distances") {
  griddle_chain other = model();
  other.constants[0] = 7;
  other.inputs[0] = other.inputs[1];
  other.input_fill[1] = 9;
  CHECK(key(other) == key(model()));
  other.input_each[1] = 5;
  griddle_chain farther = other;
  farther.input_each[1] = 6;
  CHECK(key(other) != key(model()));
  CHECK(key(farther) == key(other));
}

TEST_CASE("chains that differ in anything else have kernels of their own") {
  const auto differs = [](auto change) {
    griddle_chain other = model();
    change(other);
    return key(other) != key(model());
  };
  CHECK(differs([](griddle_chain& c) { c.steps[2].operation = griddle_multiply; }));
  CHECK(differs([](griddle_chain& c) { c.steps[1].swapped = 0; }));
  CHECK(differs([](griddle_chain& c) { c.input_types[1] = griddle_device_i8; }));
  CHECK(differs([](griddle_chain& c) { c.result_type = griddle_device_f64; }));
  CHECK(differs([](griddle_chain& c) { c.values = griddle_values_f64; }));
  CHECK(differs([](griddle_chain& c) { c.input_shift[1] = 1; }));
  CHECK(differs([](griddle_chain& c) { c.input_period[1] = 4; }));
  CHECK(differs([](griddle_chain& c) { c.input_views[1] = {1, 0, 0, {{8, 1, 0, 0}}}; }));
  CHECK(key(model(), ChainEnd::added) != key(model()));
}

TEST_CASE("a view's lengths are in its kernel, where it begins is not") {
  griddle_chain chain = model(), other = chain;
  chain.input_views[1] = {2, 0, 3, {{4, 8, 1, 4}, {8, 1, 0, 0}}};
  other.input_views[1] = {2, 0, 5, {{4, 8, 2, 4}, {8, 1, 0, 0}}};
  CHECK(key(chain) == key(other));
  other.input_views[1].axes[0].length = 5;
  CHECK(key(chain) != key(other));
  CHECK(holds(text(chain), "{1, 4, 8}, 1, {{0, 0, 0}, {8, plan.views[1].axes[1].first, 4}, {1, 0, 0}}"));
}

TEST_CASE("steps follow each other in the source") {
  const std::string source = text(model());
  const std::size_t load = source.find("load_typed(y, chain.inputs[0], 2, at)");
  const std::size_t subtract =
      source.find("const V a = everywhere<V>(chain.constants[0]), b = v[i];\n      v[i] = static_cast<V>(a - b)");
  const std::size_t add = source.find("const V a = v[i], b = y[i];\n      v[i] = static_cast<V>(a + b)");
  CHECK(load < subtract);
  CHECK(subtract < add);
  CHECK(add < source.size());
  CHECK(holds(source, "store_typed(v, out, 3, at"));
  CHECK(holds(text(model(), ChainEnd::added), "FoldSoFar<V, true>"));
  CHECK(holds(text(model(), ChainEnd::folded), "FoldSoFar<V, false>"));
}

TEST_CASE("a kernel for rows has their length, and loads each input once") {
  griddle_chain chain = model();
  chain.step_count = 6;
  chain.row_length = 240;
  chain.input_each[1] = 240;
  chain.steps[3] = {griddle_row_maximum, griddle_from_slot, 0, 0};
  chain.steps[4] = {griddle_subtract, griddle_from_input, 0, 1};
  chain.steps[5] = {griddle_row_sum, griddle_from_slot, 0, 0};
  const std::string source = text(chain);
  CHECK(holds(source, "RowPart<V, 240>"));
  CHECK(holds(source, "row.load_runs(in0, chain.inputs[0], 2)"));
  CHECK(source.find("row.load_runs(") == source.rfind("row.load_runs("));
  CHECK(holds(source, "row.load_one(in1, chain.inputs[1], 2)"));
  CHECK(holds(source, "row.fold(static_cast<griddle_fold>(2), v)"));
  CHECK(holds(source, "row.store(v, out, 3)"));
  griddle_chain results = chain, longer = chain;
  results.row_results = 1;
  longer.row_length = 241;
  CHECK(holds(text(results), "row.store_one(v, out, 3)"));
  CHECK(key(results) != key(chain));
  CHECK(key(longer) != key(chain));
}

TEST_CASE("kernels for rows leave registers for the elements that are kept at once") {
  griddle_chain chain = model();
  chain.values = griddle_values_f64;
  chain.row_length = 240;
  chain.step_count = 4;
  chain.steps[2] = {griddle_row_sum, griddle_from_slot, 0, 0};
  chain.steps[3] = {griddle_subtract, griddle_from_input, 0, 1};
  CHECK(holds(text(chain), "__launch_bounds__(256, 5)"));
  griddle_chain more = chain;
  more.step_count = 5;
  more.steps[1] = {griddle_keep, griddle_from_slot, 0, 0};
  more.steps[2] = {griddle_add, griddle_from_input, 1, 0};
  more.steps[3] = {griddle_row_sum, griddle_from_slot, 0, 0};
  more.steps[4] = {griddle_subtract, griddle_from_slot, 0, 1};
  CHECK(holds(text(more), "__launch_bounds__(256, 3)"));
  more.row_length = 5000;
  CHECK(holds(text(more), "__launch_bounds__(512, 1)"));
}

TEST_CASE("a kernel for columns has their number, and what folds them") {
  griddle_chain chain = model();
  chain.row_length = 240;
  chain.input_period[1] = 240;
  const std::string source = text(chain, ChainEnd::column_maxima);
  CHECK(holds(source, "ColumnPart<V, 240>"));
  CHECK(holds(source, "static_cast<griddle_fold>(2);"));
  CHECK(holds(source, "row.load(in1, chain.inputs[1], 2, [&](int i) { return row.along(i); })"));
  CHECK(holds(source, "row.take(f, v, all)"));
  CHECK(key(chain, ChainEnd::column_maxima) != key(chain, ChainEnd::column_sums));
  CHECK(key(chain, ChainEnd::column_maxima) != key(chain));
}

TEST_CASE("a kernel stores outputs where their steps stand") {
  griddle_chain chain = model();
  chain.step_count = 5;
  chain.output_count = 2;
  chain.output_types[0] = griddle_device_i16;
  chain.output_types[1] = griddle_device_bit;
  chain.steps[2] = {griddle_store, griddle_from_slot, 0, 0};
  chain.steps[3] = {griddle_less, griddle_from_constant, 0, 0};
  chain.steps[4] = {griddle_store, griddle_from_slot, 1, 0};
  const std::string source = text(chain);
  CHECK(source.find("store_typed(v, chain.outputs[0], 2, at") < source.find("a < b"));
  CHECK(source.find("a < b") < source.find("store_typed(v, chain.outputs[1], 0, at"));
  CHECK(!holds(source, "v, out"));
  griddle_chain other = chain;
  other.output_types[1] = griddle_device_i8;
  CHECK(key(other) != key(chain));
}

TEST_CASE("what holds a chain's values is in its kernel") {
  griddle_chain chain = model();
  const char* const names[] = {"using V = double;",
                               "using V = std::int32_t;",
                               "using V = Lanes<std::int16_t>;",
                               "using V = Lanes<std::uint8_t>;",
                               "using V = Lanes<std::int8_t>;",
                               "using V = Bits;"};
  for (int values = griddle_values_f64; values <= griddle_values_bit; values++) {
    chain.values = static_cast<std::uint8_t>(values);
    CHECK(holds(text(chain), names[values]));
    CHECK((key(chain) == key(model())) == (values == griddle_values_i32));
  }
  CHECK(holds(text(chain), "const V a = everywhere<V>(chain.constants[0])"));
}

TEST_CASE("every operation has an expression") {
  for (int doubles = 0; doubles < 2; doubles++) {
    for (unsigned operation = griddle_add; operation < griddle_operation_count; operation++) {
      griddle_chain chain = model();
      chain.values = doubles == 0 ? griddle_values_i32 : griddle_values_f64;
      chain.steps[2].operation = static_cast<std::uint8_t>(operation);
      CHECK(text(chain).size() > 100);
    }
  }
}
