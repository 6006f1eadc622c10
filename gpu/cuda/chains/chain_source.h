// Writes the source of a kernel that computes one chain and no other: the same functions as in chain.cuh and groups.cuh, called
// one after the other. Knows no CUDA, so that tests of the host can read what it writes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "gpu/cuda/chains/row_layout.h"
#include "gpu/cuda/chains/steps.h"
#include "gpu/plugin_abi.h"

namespace griddle::cuda {

// What a kernel does with a chain's values.
enum class ChainEnd { stored, added, folded, column_sums, column_minima, column_maxima };
inline bool folds_columns(ChainEnd end) { return end >= ChainEnd::column_sums; }

// Stands for an element that serves a whole row, and for a list that meets each row.
constexpr std::uint64_t each_row = 3;

// What kernels are made for: a chain without what may differ from call to call. Constants, memory, fills, distances, periods, and
// where views begin are read when the kernel runs; of those only is kept whether they are there.
inline griddle_chain shape_of(const griddle_chain& chain) {
  griddle_chain shape;
  std::memset(&shape, 0, sizeof shape);
  shape.step_count = chain.step_count;
  shape.input_count = chain.input_count;
  shape.result_type = chain.result_type;
  shape.values = chain.values;
  shape.row_length = chain.row_length;
  shape.row_results = chain.row_results;
  shape.output_count = chain.output_count;
  std::memcpy(shape.output_types, chain.output_types, chain.output_count);
  std::memcpy(shape.steps, chain.steps, chain.step_count * sizeof *chain.steps);
  for (std::uint32_t i = 0; i < chain.input_count; i++) {
    shape.input_types[i] = chain.input_types[i];
    shape.input_each[i] = chain.input_each[i] == 1 ? 1 : chain.input_each[i] == chain.row_length ? each_row : 2;
    shape.input_period[i] = chain.input_period[i] == 0 ? 0 : chain.input_period[i] == chain.row_length ? each_row : 1;
    const std::int64_t shift = chain.input_shift[i];
    shape.input_shift[i] = shift >= -1 && shift <= 1 ? shift : 2;
    const griddle_view& view = chain.input_views[i];
    shape.input_views[i].axis_count = view.axis_count;
    shape.input_views[i].fills = view.fills;
    for (std::uint32_t a = 0; a < view.axis_count; a++)
      shape.input_views[i].axes[a] = {view.axes[a].length, view.axes[a].step, 0, view.axes[a].limit};
  }
  return shape;
}

// Gives what tells one shape from another.
inline std::string key_of(const griddle_chain& shape, ChainEnd end) {
  std::string key;
  const auto add = [&](const void* from, std::size_t bytes) { key.append(static_cast<const char*>(from), bytes); };
  const unsigned char counts[] = {static_cast<unsigned char>(shape.step_count), static_cast<unsigned char>(shape.input_count),
                                  shape.result_type, shape.values, static_cast<unsigned char>(end)};
  add(counts, sizeof counts);
  if (shape.row_length != 0) add(&shape.row_length, sizeof shape.row_length), add(&shape.row_results, 1);
  if (shape.output_count != 0) add(&shape.output_count, 1), add(shape.output_types, shape.output_count);
  add(shape.steps, shape.step_count * sizeof *shape.steps);
  for (std::uint32_t i = 0; i < shape.input_count; i++) {
    const griddle_view& view = shape.input_views[i];
    const unsigned char input[] = {
        shape.input_types[i], static_cast<unsigned char>(shape.input_each[i]), static_cast<unsigned char>(shape.input_period[i]),
        static_cast<unsigned char>(shape.input_shift[i] + 1), static_cast<unsigned char>(view.axis_count)};
    add(input, sizeof input);
    if (view.axis_count != 0) add(&view, sizeof view);
  }
  return key;
}

struct StepExpression {
  griddle_operation operation;
  const char* text;
};
#define GRIDDLE_EXPRESSION(name, expression) {griddle_##name, #expression},
#define GRIDDLE_CALL_OF_ONE(name, function) {griddle_##name, #function "(a + 0.0)"},
#define GRIDDLE_CALL_OF_TWO(name, function) {griddle_##name, #function "(a, b)"},
inline constexpr StepExpression step_expressions[] = {
    GRIDDLE_STEPS_OF_TWO(GRIDDLE_EXPRESSION) GRIDDLE_STEPS_OF_ONE(GRIDDLE_EXPRESSION)
        GRIDDLE_DOUBLE_STEPS_OF_TWO(GRIDDLE_EXPRESSION) GRIDDLE_DOUBLE_STEPS_OF_ONE(GRIDDLE_EXPRESSION)
            GRIDDLE_HEAVY_STEPS_OF_TWO(GRIDDLE_EXPRESSION) GRIDDLE_HEAVY_STEPS_OF_ONE(GRIDDLE_EXPRESSION)
                GRIDDLE_REAL_MONADS(GRIDDLE_CALL_OF_ONE) GRIDDLE_REAL_DYADS(GRIDDLE_CALL_OF_TWO)};
#undef GRIDDLE_EXPRESSION
#undef GRIDDLE_CALL_OF_ONE
#undef GRIDDLE_CALL_OF_TWO

// Gives a step's expression of a and b, or of a alone; nothing where there is none.
inline const char* expression_of(std::uint8_t operation) {
  for (const StepExpression& step : step_expressions)
    if (step.operation == operation) return step.text;
  return "";
}
inline bool folds_row(const griddle_step& step) {
  return step.operation >= griddle_row_sum && step.operation <= griddle_row_maximum;
}
inline bool takes_operand(const griddle_step& step) {
  return step.operation <= griddle_not_equal && step.operation != griddle_keep;
}

class ChainSource {
 public:
  ChainSource(const griddle_chain& shape, ChainEnd end) : shape_(shape), end_(end) {}

  // Gives the function `made`, of the arguments of map_kernel or of fold_kernel; where columns are folded, of the plan, the rows,
  // how many of them a block has, and where results go.
  std::string text() { return folds_columns(end_) ? of_columns() : shape_.row_length != 0 ? of_rows() : of_groups(); }

 private:
  // What folds rows: some threads have a row, and each step takes all of it.
  std::string of_rows() {
    const RowLayout layout = layout_of_rows(shape_.row_length);
    text_ = "namespace griddle::cuda {\nusing V = ";
    text_ += values_name();
    text_ += "using Row = RowPart<V, " + std::to_string(shape_.row_length) + ">;\nconstexpr int group = Row::items;\n";
    text_ += "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(layout.block) + ", " +
             std::to_string(blocks_of_rows(layout)) +
             ") made(const __grid_constant__ Plan plan, void* out, std::uint64_t length) {\n"
             "  const griddle_chain& chain = plan.chain;\n"
             "  const std::uint64_t rows = length / " +
             std::to_string(shape_.row_length) +
             ";\n"
             "  for (std::uint64_t first = blockIdx.x * std::uint64_t{Row::at_once}; first < rows; first += gridDim.x * "
             "std::uint64_t{Row::at_once}) {\n"
             "    const Row row(first, rows);\n    V v[group], slots[griddle_most_made_slots][group];\n";
    for (std::uint32_t s = 0; s < shape_.step_count; s++) step(shape_.steps[s]);
    text_ += std::string("    row.store") + (shape_.row_results ? "_one" : "") + "(v, out, " +
             std::to_string(shape_.result_type) + ");\n  }\n}\n}\n";
    return text_;
  }

  // Ends the line that says what values are.
  const char* values_name() const {
    switch (shape_.values) {
      case griddle_values_i32: return "std::int32_t;\n";
      case griddle_values_i16: return "Lanes<std::int16_t>;\n";
      case griddle_values_u8: return "Lanes<std::uint8_t>;\n";
      case griddle_values_i8: return "Lanes<std::int8_t>;\n";
      case griddle_values_bit: return "Bits;\n";
      default: return "double;\n";
    }
  }
  // Gives how many blocks a multiprocessor is to hold: as many as leave registers for the elements that are kept at once. With
  // five, of 256 threads, softmax goes at the speed of memory; with three, at .88 of it (one H200, 2026-11-29).
  int blocks_of_rows(const RowLayout& layout) const {
    const int kept = most_kept() * layout.items / (shape_.values == griddle_values_f64 ? 1 : 2);
    const int blocks = kept <= 16 ? 5 : kept <= 24 ? 3 : 2;
    return layout.block > 256 ? blocks / 2 : blocks;
  }
  // Gives how many arrays of a row's elements are there at once, at most: what the steps have come to, slots, and inputs, from
  // where they are first met to where they are last.
  int most_kept() const {
    int most = 0;
    for (std::uint32_t s = 0; s < shape_.step_count; s++) {
      bool slots[griddle_most_made_slots] = {}, inputs[griddle_most_inputs] = {}, later_slots[griddle_most_made_slots] = {},
           later_inputs[griddle_most_inputs] = {};
      for (std::uint32_t t = 0; t < shape_.step_count; t++) {
        const griddle_step& step = shape_.steps[t];
        const bool from_slot = takes_operand(step) && step.source == griddle_from_slot;
        const bool from_input = takes_operand(step) && step.source == griddle_from_input;
        if (t <= s && step.operation == griddle_keep) slots[step.index] = true;
        if (t <= s && from_input) inputs[step.index] = true;
        if (t >= s && from_slot) later_slots[step.index] = true;
        if (t >= s && from_input) later_inputs[step.index] = true;
      }
      int kept = 1;
      for (std::uint32_t i = 0; i < griddle_most_made_slots; i++) kept += slots[i] && later_slots[i];
      for (std::uint32_t i = 0; i < griddle_most_inputs; i++) kept += inputs[i] && later_inputs[i];
      most = kept > most ? kept : most;
    }
    return most;
  }

  std::string of_columns() {
    const int fold = end_ == ChainEnd::column_sums     ? griddle_fold_add
                     : end_ == ChainEnd::column_minima ? griddle_fold_minimum
                                                       : griddle_fold_maximum;
    text_ = "namespace griddle::cuda {\nusing V = ";
    text_ += values_name();
    text_ += "using Row = ColumnPart<V, " + std::to_string(shape_.row_length) + ">;\nconstexpr int group = Row::items;\n";
    text_ += "constexpr griddle_fold f = static_cast<griddle_fold>(" + std::to_string(fold) + ");\n";
    text_ += "extern \"C\" __global__ void __launch_bounds__(threads, " + std::string(takes_many_registers() ? "2" : "3") +
             ") made(const __grid_constant__ Plan plan, std::uint64_t rows, std::uint64_t strip, double* out) {\n"
             "  const griddle_chain& chain = plan.chain;\n"
             "  Row row(rows, strip);\n"
             "  Row::Folded all = Row::identity(f);\n"
             "  for (; row.has_more(); row.go_on()) {\n    V v[group], slots[griddle_most_made_slots][group];\n";
    for (std::uint32_t s = 0; s < shape_.step_count; s++) step(shape_.steps[s]);
    return text_ + "    row.take(f, v, all);\n  }\n  row.finish(f, all, out);\n}\n}\n";
  }

  std::string of_groups() {
    const bool stores = end_ == ChainEnd::stored, adds = end_ == ChainEnd::added;
    text_ = "namespace griddle::cuda {\nusing V = ";
    text_ += values_name();
    text_ += "constexpr int group = group_of<V>, places = places_of<V>;\n";
    text_ += "extern \"C\" __global__ void __launch_bounds__(threads, " +
             std::string(takes_many_registers()                ? "2"
                         : shape_.values == griddle_values_bit ? "6"
                         : shape_.values > griddle_values_i32  ? "4"
                                                               : "3") +
             ") made(const __grid_constant__ Plan plan, ";
    text_ += stores ? "void* out, std::uint64_t length) {\n"
                    : "griddle_fold f, std::uint64_t length, double* partials, std::uint32_t* arrivals, double* answer) {\n";
    text_ += "  const griddle_chain& chain = plan.chain;\n";
    views();
    if (!stores) text_ += std::string("  FoldSoFar<V, ") + (adds ? "true" : "false") + "> so_far{identity_of(f)};\n";
    text_ +=
        "  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * places;\n"
        "  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * places; at < length; at += "
        "stride) {\n"
        "    V v[group], y[group], slots[griddle_most_made_slots][group];\n";
    if (first_view_ < shape_.input_count)
      text_ +=
          "    const Indices indices = indices_in(view" + std::to_string(first_view_) + ", static_cast<std::uint32_t>(at));\n";
    for (std::uint32_t s = 0; s < shape_.step_count; s++) step(shape_.steps[s]);
    if (stores)
      text_ += (shape_.output_count == 0 ? stored("out", shape_.result_type) : std::string()) + "  }\n";
    else
      text_ += "    so_far.take(f, v, length - at);\n  }\n  finish_fold(f, so_far.value(), partials, arrivals, answer);\n";
    return text_ + "}\n}\n";
  }

  // Blocks of a multiprocessor are as many as leave each the registers that it needs.
  bool takes_many_registers() const {
    for (std::uint32_t s = 0; s < shape_.step_count; s++) {
      const std::uint8_t operation = shape_.steps[s].operation;
      if (operation > griddle_complement || operation == griddle_angle || operation == griddle_distance ||
          operation == griddle_power || operation == griddle_root || operation == griddle_exponential ||
          operation == griddle_modulus)
        return true;
    }
    return false;
  }
  // Names the views, whose lengths and steps the compiler then knows.
  void views() {
    constexpr std::uint32_t axes = griddle_most_view_axes;
    first_view_ = shape_.input_count;
    for (std::uint32_t i = 0; i < shape_.input_count; i++) {
      const griddle_view& view = shape_.input_views[i];
      if (view.axis_count == 0) continue;
      if (first_view_ == shape_.input_count) first_view_ = i;
      const std::string in_memory = "plan.views[" + std::to_string(i) + "]";
      std::string lengths, places;
      for (std::uint32_t a = 0; a < axes; a++) {
        const bool there = a + view.axis_count >= axes;
        const griddle_axis axis = there ? view.axes[a + view.axis_count - axes] : griddle_axis{1, 0, 0, 0};
        const std::string limit = std::to_string(axis.limit);
        lengths += (a ? ", " : "") + std::to_string(axis.length);
        places += (a ? ", {" : "{") + std::to_string(axis.step) + ", " +
                  (axis.limit ? in_memory + ".axes[" + std::to_string(a) + "].first" : "0") + ", " + limit + "}";
      }
      text_ += "  const ReadyView view" + std::to_string(i) + "{" + in_memory + ".from, " + std::to_string(view.fills) +
               ", 1, {" + lengths + "}, 1, {" + places + "}};\n";
    }
  }
  bool has_first_axes(const griddle_view& view) const {
    const griddle_view& first = shape_.input_views[first_view_];
    if (view.axis_count != first.axis_count) return false;
    for (std::uint32_t a = 0; a < view.axis_count; a++)
      if (view.axes[a].length != first.axes[a].length) return false;
    return true;
  }

  // Gives what stores the values of a group.
  static std::string stored(const std::string& to, std::uint8_t type) {
    return "    store_typed(v, " + to + ", " + std::to_string(type) +
           ", at, at - threadIdx.x % 32 * places + 32 * places <= length);\n";
  }
  // Loads an input into an array of its own, where later steps find it.
  std::string load_for_row(std::uint32_t i) {
    const std::string k = std::to_string(i), name = "in" + k;
    if (!is_loaded_[i]) {
      is_loaded_[i] = true;
      const std::string from = "(" + name + ", chain.inputs[" + k + "], " + std::to_string(shape_.input_types[i]);
      const bool each = shape_.input_each[i] != 1, repeats = shape_.input_period[i] != 0;
      std::string place = "row.place(i)";
      if (each) place += " / chain.input_each[" + k + "]";
      if (repeats) place = "(" + place + ") % chain.input_period[" + k + "]";
      if (!each && shape_.input_period[i] == each_row) place = "row.along(i)";
      text_ += "    V " + name + "[group];\n    row.";
      if (!each && !repeats && !folds_columns(end_))
        text_ += "load_runs" + from + ");\n";
      else if (shape_.input_each[i] == each_row && !repeats)
        text_ += "load_one" + from + ");\n";
      else
        text_ += "load" + from + ", [&](int i) { return " + place + "; });\n";
    }
    return name + "[i]";
  }
  // Loads an input, and gives where its elements are.
  std::string load(std::uint32_t i) {
    if (shape_.row_length != 0) return load_for_row(i);
    const std::string k = std::to_string(i), type = std::to_string(shape_.input_types[i]);
    const std::string from = "chain.inputs[" + k + "], " + type + ", ";
    const griddle_view& view = shape_.input_views[i];
    const std::string fill = "everywhere<V>(chain.input_fill[" + k + "])";
    if (view.axis_count != 0) {
      const std::string place = "static_cast<std::uint32_t>(at)";
      text_ += "    load_view(y, " + from + "view" + k + ", plan.views[" + k + "], " +
               (has_first_axes(view) ? "indices" : "indices_in(view" + k + ", " + place + ")") + ", " + place + ", length, " +
               fill + ");\n";
    } else if (shape_.input_each[i] != 1) {
      text_ += "    load_long_spread(y, " + from + "at, chain.input_each[" + k + "], " +
               (shape_.input_period[i] == 0 ? "0" : "chain.input_period[" + k + "]") + ");\n";
    } else if (shape_.input_period[i] != 0) {
      text_ += "    load_repeated(y, " + from + "at, chain.input_period[" + k + "]);\n";
    } else if (const std::int64_t shift = shape_.input_shift[i]; shift != 0) {
      text_ += "    load_shifted(y, " + from + "at, " + (shift == 2 ? "chain.input_shift[" + k + "]" : std::to_string(shift)) +
               ", " + fill + ", length);\n";
    } else {
      text_ += "    load_typed(y, " + from + "at);\n";
    }
    return "y[i]";
  }

  std::string expression(const griddle_step& step) const {
    const bool constant = step.source == griddle_from_constant, of_doubles = shape_.values == griddle_values_f64;
    const std::string divisor = "plan.divisors[" + std::to_string(step.index) + "]";
    if (step.operation == griddle_integer_modulus && of_doubles)
      return "integer_modulus_of(a, " + (constant && step.swapped ? divisor + ".inverse" : std::string("1 / a")) + ", b)";
    if (step.operation == griddle_modulus || step.operation == griddle_integer_modulus)
      return constant && step.swapped && !of_doubles ? "modulus_by_constant(a, " + divisor + ", b)" : "modulus_of(a, b)";
    return expression_of(step.operation);
  }

  void step(const griddle_step& step) {
    const std::string k = std::to_string(step.index);
    const std::string each = "#pragma unroll\n    for (int i = 0; i < group; i++) ";
    if (step.operation == griddle_keep) {
      text_ += each + "slots[" + k + "][i] = v[i];\n";
      return;
    }
    if (step.operation == griddle_store) {
      text_ += stored("chain.outputs[" + k + "]", shape_.output_types[step.index]);
      return;
    }
    if (folds_row(step)) {
      const int fold = step.operation == griddle_row_sum       ? griddle_fold_add
                       : step.operation == griddle_row_minimum ? griddle_fold_minimum
                                                               : griddle_fold_maximum;
      text_ += "    row.fold(static_cast<griddle_fold>(" + std::to_string(fold) + "), v);\n";
      return;
    }
    const bool takes = takes_operand(step);
    std::string operand;
    if (takes) switch (step.source) {
        case griddle_from_input: operand = load(step.index); break;
        case griddle_from_constant: operand = "everywhere<V>(chain.constants[" + k + "])"; break;
        case griddle_from_slot: operand = "slots[" + k + "][i]"; break;
        case griddle_from_value: operand = "v[i]"; break;
        default: operand = shape_.row_length != 0 ? "static_cast<V>(row.place(i))" : "static_cast<V>(at + i)";
      }
    if (step.operation == griddle_load) {
      text_ += each + "v[i] = " + operand + ";\n";
      return;
    }
    text_ += each + "{\n      const V a = " + (takes && step.swapped ? operand : "v[i]");
    if (takes) text_ += std::string(", b = ") + (step.swapped ? "v[i]" : operand);
    text_ += ";\n      v[i] = static_cast<V>(" + expression(step) + ");\n    }\n";
  }

  const griddle_chain& shape_;
  const ChainEnd end_;
  std::string text_;
  std::uint32_t first_view_ = 0;
  bool is_loaded_[griddle_most_inputs] = {};
};

}  // namespace griddle::cuda
