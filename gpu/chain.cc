// Chains of functions that have not run, as steps of a kernel. A function whose result is used at several places of one chain is
// computed once and kept in a slot; where others want it too, it is run before.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "gpu/device_array.h"

namespace griddle {

namespace {

// One function of one array that is there takes no longer to be computed again than to be read.
bool is_cheap(griddle_operation operation) {
  switch (operation) {
    case griddle_add:
    case griddle_subtract:
    case griddle_multiply:
    case griddle_minimum:
    case griddle_maximum:
    case griddle_negate:
    case griddle_sign:
    case griddle_floor:
    case griddle_ceiling:
    case griddle_magnitude:
    case griddle_complement: return true;
    default: return operation >= griddle_less && operation <= griddle_not_equal;
  }
}

// A set of griddle_values, by a bit each.
using KindsOfValues = std::uint8_t;
constexpr KindsOfValues all_kinds = 0xFF;
constexpr KindsOfValues kind_of(griddle_values v) { return static_cast<KindsOfValues>(1 << v); }
constexpr KindsOfValues kinds_of_rows = kind_of(griddle_values_f64) | kind_of(griddle_values_i32);
constexpr griddle_values narrowest_first[] = {griddle_values_bit, griddle_values_i8,  griddle_values_u8,
                                              griddle_values_i16, griddle_values_i32, griddle_values_f64};

// Gives the kinds that hold all values within bounds.
KindsOfValues kinds_for(const Bounds& b) {
  KindsOfValues kinds = kind_of(griddle_values_f64);
  if (!b.integral) return kinds;
  const auto add = [&](griddle_values v, double low, double high) {
    if (b.low >= low && b.high <= high) kinds |= kind_of(v);
  };
  add(griddle_values_bit, 0, 1);
  add(griddle_values_i8, -128, 127);
  add(griddle_values_u8, 0, 255);
  add(griddle_values_i16, -32768, 32767);
  add(griddle_values_i32, -2147483648.0, 2147483647.0);
  return kinds;
}
// Gives the kinds whose kernels load and store elements of a type.
KindsOfValues kinds_with(ElementType type) {
  switch (type) {
    case ElementType::bit:
      return kinds_of_rows | kind_of(griddle_values_bit) | kind_of(griddle_values_i8) | kind_of(griddle_values_u8) |
             kind_of(griddle_values_i16);
    case ElementType::i8:
    case ElementType::c8:
      return kinds_of_rows | kind_of(griddle_values_i8) | kind_of(griddle_values_u8) | kind_of(griddle_values_i16);
    case ElementType::i16:
    case ElementType::c16: return kinds_of_rows | kind_of(griddle_values_i16);
    case ElementType::f64: return kind_of(griddle_values_f64);
    default: return kinds_of_rows;
  }
}
griddle_values narrowest(KindsOfValues kinds) {
  return *std::ranges::find_if(narrowest_first, [&](griddle_values v) { return (kinds & kind_of(v)) != 0; });
}
// Gives the kinds that have kernels for a function.
KindsOfValues kinds_of(const Link& l) {
  switch (l.operation) {
    case griddle_divide:
    case griddle_power:
    case griddle_root:
    case griddle_reciprocal:
    case griddle_exponential:
    case griddle_square_root:
    case griddle_floor:
    case griddle_ceiling: return kind_of(griddle_values_f64);
    default: return l.real != nullptr ? kind_of(griddle_values_f64) : all_kinds;
  }
}

}  // namespace

// Tells whether computing the elements again costs no more than reading them.
bool DeviceArray::is_soon_done() const {
  if (!link_ || !is_cheap(link_->operation)) return false;
  const Link& l = *link_;
  const bool of_one = !l.w || !l.x || &*l.w == &*l.x;
  return of_one && (l.w ? l.w : l.x)->is_leaf();
}

// The functions that lead to an array.
class DeviceArray::Functions {
 public:
  struct Function {
    const DeviceArray* array;
    unsigned uses;   // by other functions
    unsigned holds;  // references that these have
    int slot;        // where it is kept, or -1
    unsigned left;   // uses that are still to come
    bool serves;     // all places of rows, by an element for each
    int same_as;     // an earlier function that gives the same, or -1
    int output;      // where its result is stored besides, or -1 where it need not be, or has been
  };

  // Finds the functions, those that others use before them.
  explicit Functions(const DeviceArray& root) : are_all_different_(root.is_straight_) {
    if (root.shows_rows())
      use(root, 1);
    else
      enter(root);
  }
  explicit Functions(std::span<const Ref<DeviceArray>> roots) {
    for (const Ref<DeviceArray>& root : roots)
      if (entry_of(*root) == nullptr) enter(*root);
  }

  // Gives the first of the functions that give what this one does.
  Function* find(const DeviceArray& a) {
    Function* const f = entry_of(a);
    return f == nullptr || f->same_as < 0 ? f : &functions_[static_cast<std::size_t>(f->same_as)];
  }
  std::span<Function> all() { return {functions_.data(), count_}; }
  bool are_too_many() const { return too_many_; }
  // Gives the length of the rows that functions fold, or 0.
  std::size_t row() const { return row_; }

 private:
  // Gives where the number of an array's function is in the table, or would be.
  std::uint8_t& number_of(const DeviceArray& a) {
    std::size_t at = reinterpret_cast<std::uintptr_t>(&a) / alignof(DeviceArray) % numbers_.size();
    while (numbers_[at] != 0 && functions_[numbers_[at] - 1u].array != &a) at = (at + 1) % numbers_.size();
    return numbers_[at];
  }
  Function* entry_of(const DeviceArray& a) {
    const unsigned number = number_of(a);
    return number == 0 ? nullptr : &functions_[number - 1];
  }
  // Calls f with each array that a function takes, and how many references it has to it.
  template <class F>
  static void with_arguments(const DeviceArray& a, F f) {
    if (a.row_fold_) return f(*a.source_, 1u);
    const Link& l = *a.link_;
    const bool same = l.w && l.x && &*l.w == &*l.x;
    if (l.w) f(*l.w, same ? 2u : 1u);
    if (l.x && !same) f(*l.x, 1u);
  }
  void enter(const DeviceArray& a) {
    if (a.is_leaf()) return;
    if (a.row_fold_) row_ = a.row_;
    with_arguments(a, [&](const DeviceArray& b, unsigned holds) { use(b, holds); });
    if (count_ == functions_.size()) {
      too_many_ = true;
      return;
    }
    int same_as = -1;
    for (std::size_t i = 0; i < count_ && same_as < 0 && !are_all_different_; i++)
      if (functions_[i].same_as < 0 && gives_same(*functions_[i].array, a)) same_as = static_cast<int>(i);
    std::uint8_t& number = number_of(a);
    functions_[count_++] = {&a, 0, 0, -1, 0, false, same_as, -1};
    number = static_cast<std::uint8_t>(count_);
    // What is not computed again uses nothing.
    if (same_as >= 0)
      with_arguments(a, [&](const DeviceArray& b, unsigned) {
        if (Function* const f = find(b.through())) f->uses--;
      });
  }
  // Tells whether functions of the same arguments are the same.
  bool gives_same(const DeviceArray& a, const DeviceArray& b) {
    if (a.type != b.type || a.length != b.length || a.row_fold_.has_value() != b.row_fold_.has_value()) return false;
    if (a.row_fold_)
      return a.row_fold_->fold == b.row_fold_->fold && a.row_ == b.row_ && is_same(a.source_->through(), b.source_->through());
    const Link &l = *a.link_, &m = *b.link_;
    if (l.operation != m.operation) return false;
    const auto is_same_side = [&](const Ref<DeviceArray>& c, const Ref<DeviceArray>& d) {
      return c && d ? is_same(c->through(), d->through()) : !c && !d;
    };
    return l.real == m.real && l.constant_left == m.constant_left && l.constant_right == m.constant_right &&
           std::memcmp(&l.constant, &m.constant, sizeof l.constant) == 0 && is_same_side(l.w, m.w) && is_same_side(l.x, m.x);
  }
  bool is_same(const DeviceArray& a, const DeviceArray& b) {
    if (&a == &b) return true;
    if (a.is_leaf() || b.is_leaf())
      return !a.computed() && !b.computed() && a.is_displaced() && b.is_displaced() && &*a.source_ == &*b.source_ &&
             a.length == b.length && a.displacement_ == b.displacement_;
    const Function* const f = find(a);
    return f != nullptr && f == find(b);
  }
  void use(const DeviceArray& given, unsigned holds) {
    const DeviceArray& a = given.through();
    if (&a != &given) row_ = given.row_;
    if (a.is_leaf() || too_many_) return;
    if (entry_of(a) == nullptr) enter(a);
    Function* const known = entry_of(a);
    if (known == nullptr) return;
    known->holds += holds;
    known->serves |= &a != &given;
    find(a)->uses++;
  }

  std::array<Function, griddle_most_steps> functions_;
  std::array<std::uint8_t, 4 * griddle_most_steps> numbers_{};  // of functions, from 1 on, by the addresses of their arrays
  std::size_t count_ = 0, row_ = 0;
  bool too_many_ = false;
  const bool are_all_different_ = false;  // each takes what another gives
};

unsigned DeviceArray::different_steps() const {
  Functions functions(*this);
  constexpr unsigned too_many = ~0u;
  if (functions.are_too_many()) return too_many;
  unsigned steps = 1;
  for (const Functions::Function& f : functions.all()) {
    const DeviceArray& a = *f.array;
    if (f.same_as >= 0) continue;
    steps +=
        1 + (a.row_fold_ ? a.source_->is_leaf() : (a.link_->w && a.link_->w->is_leaf()) + (a.link_->x && a.link_->x->is_leaf()));
  }
  return steps;
}

bool DeviceArray::settled_chain(griddle_chain& chain, bool cut) { return settle(chain, cut, false); }
bool DeviceArray::settled_with_itself(griddle_chain& chain) { return settle(chain, false, true); }

// Runs the functions whose results others want too, and gives the steps of what is left.
bool DeviceArray::settle(griddle_chain& chain, bool cut, bool with_itself) {
  std::array<Ref<DeviceArray>, griddle_most_steps + 1> wanted;
  std::size_t count = 0;
  bool folds_rows = false;
  if (!is_leaf()) {
    Functions functions(*this);
    folds_rows = functions.row() != 0;
    for (const Functions::Function& f : functions.all()) {
      const DeviceArray& a = *f.array;
      // Whoever calls a function holds its arguments.
      const bool is_argument = link_ && ((link_->w && &a == &*link_->w) || (link_->x && &a == &*link_->x));
      if (&a != this && (a.uses > 1 || (cut && !is_argument)) && a.refs > f.holds && !a.is_soon_done())
        wanted[count++] = Ref<DeviceArray>::share(const_cast<DeviceArray*>(&a));
    }
  }
  if (with_itself && count != 0) wanted[count] = Ref<DeviceArray>::share(this);
  if (!folds_rows && compute_together({wanted.data(), count + with_itself}) && with_itself) return true;
  for (std::size_t i = 0; i < count; i++) wanted[i]->memory();
  return make_chain(chain);
}

// Gives the folds of rows that lead to the elements, and what serves the places of rows, each after those that it needs.
std::vector<Ref<DeviceArray>> DeviceArray::row_functions() {
  std::vector<Ref<DeviceArray>> found;
  Functions functions(*this);
  for (const Functions::Function& f : functions.all())
    if (f.array->row_fold_ || f.serves) found.push_back(Ref<DeviceArray>::share(const_cast<DeviceArray*>(f.array)));
  return found;
}

// Writes steps. Each function gives false where the chain cannot hold them.
class DeviceArray::ChainWriter {
 public:
  ChainWriter(const DeviceArray& root, griddle_chain& chain) : chain_(chain), functions_(root) {}
  ChainWriter(std::span<const Ref<DeviceArray>> roots, griddle_chain& chain) : chain_(chain), functions_(roots) {}

  bool write(const DeviceArray& root) {
    if (functions_.are_too_many()) return false;
    chain_.row_length = functions_.row();
    chain_.row_results = chain_.row_length != 0 && root.stands_for_rows_;
    places_ = root.places_of(chain_);
    if (chain_.row_length != 0) slots_ = griddle_most_made_slots;
    return value_of(root.through()) && hold_values(kinds_with(root.type));
  }
  // Writes the steps to elements whose columns are folded.
  bool write_columns(const DeviceArray& root, std::size_t row) {
    if (functions_.are_too_many() || functions_.row() != 0) return false;
    chain_.row_length = row;
    chain_.row_results = 0;
    places_ = root.length;
    slots_ = griddle_most_made_slots;
    return value_of(root) && hold_values(all_kinds);
  }
  // Writes steps that store several arrays, those that others need before them. They need not be computed by steps of their own.
  bool write_all(std::span<const Ref<DeviceArray>> roots) {
    if (functions_.are_too_many() || functions_.row() != 0) return false;
    places_ = roots[0]->length;
    slots_ = griddle_most_made_slots;
    chain_.output_count = static_cast<std::uint8_t>(roots.size());
    for (std::size_t i = 0; i < roots.size(); i++) {
      Function* const f = functions_.find(*roots[i]);
      if (f == nullptr || f->output >= 0 || roots[i]->length != places_) return false;
      f->output = static_cast<int>(i);
      chain_.output_types[i] = static_cast<std::uint8_t>(roots[i]->type);
    }
    // What leads to the last ones leads through others, as a rule.
    for (std::size_t i = roots.size(); i-- > 0;) {
      Function& f = *functions_.find(*roots[i]);
      if (f.output < 0) continue;
      if (!(f.uses > 1 ? keep(*roots[i], f) : compute(*roots[i]))) return false;
    }
    KindsOfValues kinds = all_kinds;
    for (const Ref<DeviceArray>& root : roots) kinds &= kinds_with(root->type);
    return hold_values(kinds);
  }

 private:
  using Function = Functions::Function;

  // Says what holds the values of the steps, of the kinds that can store the results.
  bool hold_values(KindsOfValues kinds) {
    chain_.values = static_cast<std::uint8_t>(narrowest(kinds & kinds_ & (chain_.row_length != 0 ? kinds_of_rows : all_kinds)));
    return true;
  }
  bool step(griddle_operation operation, griddle_device_source source, unsigned index, bool swapped = false) {
    if (chain_.step_count == griddle_most_steps) return false;
    chain_.steps[chain_.step_count++] = {static_cast<std::uint8_t>(operation), static_cast<std::uint8_t>(source),
                                         static_cast<std::uint8_t>(index), swapped};
    return true;
  }
  // Gives a slot, or slots_ where all are taken.
  unsigned take_slot() {
    unsigned slot = 0;
    while (slot < slots_ && taken_[slot]) slot++;
    if (slot < slots_) taken_[slot] = true;
    return slot;
  }
  // Gives a function whose result is kept for several uses; null for others.
  Function* shared(const DeviceArray& a) {
    Function* const f = a.is_leaf() || a.is_soon_done() ? nullptr : functions_.find(a);
    return f != nullptr && f->uses > 1 ? f : nullptr;
  }
  bool is_kept(const DeviceArray& a) {
    const Function* const f = shared(a);
    return f != nullptr && f->slot >= 0;
  }
  bool is_operand(const DeviceArray& a) { return a.is_leaf() || is_kept(a); }
  void use(Function& f) {
    if (--f.left == 0) taken_[f.slot] = false;
  }
  bool operand(griddle_operation operation, const DeviceArray& a, bool swapped) {
    if (a.is_leaf()) return leaf(operation, a, swapped);
    Function& f = *shared(a);
    const unsigned slot = static_cast<unsigned>(f.slot);
    use(f);
    return step(operation, griddle_from_slot, slot, swapped);
  }
  // Computes a function that several use, and keeps its result.
  bool keep(const DeviceArray& a, Function& f) {
    if (!compute(a)) return false;
    const unsigned slot = take_slot();
    if (slot == slots_) return false;
    f.slot = static_cast<int>(slot);
    f.left = f.uses;
    return step(griddle_keep, griddle_from_slot, slot);
  }
  // Makes an array's elements the value that steps work on.
  bool value_of(const DeviceArray& a) {
    if (a.is_leaf()) return leaf(griddle_load, a, false);
    Function* const f = shared(a);
    if (f == nullptr) return compute(a);
    if (f->slot >= 0) return operand(griddle_load, a, false);
    if (!keep(a, *f)) return false;
    use(*f);
    return true;
  }
  // Computes a function, and stores what is an output.
  bool compute(const DeviceArray& a) {
    if (!result_of(a)) return false;
    Function* const f = functions_.find(a);
    if (f == nullptr || f->output < 0) return true;
    const unsigned output = static_cast<unsigned>(f->output);
    f->output = -1;
    return step(griddle_store, griddle_from_slot, output);
  }
  bool result_of(const DeviceArray& a) {
    kinds_ &= kinds_for(a.bounds);
    if (a.row_fold_) return value_of(a.source_->through()) && step(folding(a.row_fold_->fold), griddle_from_slot, 0);
    const Link& l = *a.link_;
    kinds_ &= kinds_of(l);
    if (l.constant_left || l.constant_right) return value_of((l.constant_left ? l.x : l.w)->through()) && constant(l);
    const DeviceArray& x = l.x->through();
    if (!l.w) return value_of(x) && step(l.operation, griddle_from_slot, 0);
    const DeviceArray& w = l.w->through();
    if (&w == &x) return value_of(w) && step(l.operation, griddle_from_value, 0);
    if (is_operand(x)) return value_of(w) && operand(l.operation, x, false);
    if (is_operand(w)) return value_of(x) && operand(l.operation, w, true);
    if (Function* const f = shared(x)) return keep(x, *f) && value_of(w) && operand(l.operation, x, false);
    if (!value_of(x)) return false;
    if (is_kept(w)) return operand(l.operation, w, true);
    const unsigned slot = take_slot();
    if (slot == slots_) return false;
    if (!step(griddle_keep, griddle_from_slot, slot) || !value_of(w)) return false;
    taken_[slot] = false;
    return step(l.operation, griddle_from_slot, slot);
  }
  static griddle_operation folding(griddle_fold f) {
    return f == griddle_fold_add ? griddle_row_sum : f == griddle_fold_minimum ? griddle_row_minimum : griddle_row_maximum;
  }
  bool constant(const Link& l) {
    if (constants_ == griddle_most_constants) return false;
    kinds_ &= kinds_for({l.constant, l.constant, l.constant == std::floor(l.constant)});
    chain_.constants[constants_] = l.constant;
    return step(l.operation, griddle_from_constant, constants_++, l.constant_left);
  }
  // Uses an array that needs no steps of its own as an operand.
  bool leaf(griddle_operation operation, const DeviceArray& a, bool swapped) {
    const bool serves_rows = a.length != places_;
    kinds_ &= kinds_for(a.bounds);
    if (a.is_range_ && !a.computed()) {
      kinds_ &= kinds_of_rows;
      return !serves_rows && step(operation, griddle_from_place, 0, swapped);
    }
    const DeviceArray& source = a.computed() ? a : *a.source_;
    Displacement at = a.computed() ? Displacement() : a.displacement_;
    // Kernels that fold rows read no views.
    if (chain_.row_length != 0 && (at.shift != 0 || (!a.computed() && a.box_))) return false;
    if (serves_rows) at.each *= chain_.row_length;
    griddle_view view{};
    if (!a.computed() && a.box_) {
      if (!a.is_view()) return false;
      view.axis_count = static_cast<std::uint32_t>(a.box_->axes.size());
      view.fills = a.box_->fills;
      view.from = a.box_->from;
      std::copy(a.box_->axes.begin(), a.box_->axes.end(), view.axes);
      at.fill = is_number(a.type) ? 0 : ' ';
    }
    kinds_ &= kinds_with(source.type) & kinds_for({at.fill, at.fill, at.fill == std::floor(at.fill)});
    const auto is_input = [&](unsigned i) {
      return chain_.inputs[i] == source.memory_ && std::memcmp(&chain_.input_views[i], &view, sizeof view) == 0 &&
             Displacement{chain_.input_each[i], chain_.input_period[i], chain_.input_shift[i], chain_.input_fill[i]} == at;
    };
    unsigned i = 0;
    while (i < chain_.input_count && !is_input(i)) i++;
    if (i == griddle_most_inputs) return false;
    if (i == chain_.input_count) {
      chain_.inputs[i] = source.memory_;
      chain_.input_each[i] = at.each;
      chain_.input_period[i] = at.period;
      chain_.input_shift[i] = at.shift;
      chain_.input_fill[i] = at.fill;
      chain_.input_views[i] = view;
      chain_.input_types[i] = static_cast<std::uint8_t>(source.type);
      chain_.input_count++;
    }
    return step(operation, griddle_from_input, i, swapped);
  }

  griddle_chain& chain_;
  Functions functions_;
  KindsOfValues kinds_ = all_kinds;  // that hold all values so far
  std::array<bool, griddle_most_made_slots> taken_{};
  unsigned constants_ = 0, slots_ = griddle_most_slots;
  std::uint64_t places_ = 0;
};

// Computes several arrays by one kernel, the last of which may depend on others; false where there is none, or no memory.
bool DeviceArray::compute_together(std::span<const Ref<DeviceArray>> arrays) {
  if (arrays.size() < 2 || arrays.size() > griddle_most_outputs) return false;
  griddle_chain chain;
  chain.step_count = chain.input_count = 0;
  chain.row_length = chain.row_results = 0;
  chain.result_type = static_cast<std::uint8_t>(arrays[0]->type);
  if (!ChainWriter(arrays, chain).write_all(arrays)) return false;
  DeviceState& state = *arrays[0]->state_;
  std::size_t count = 0;
  griddle_status s = griddle_done;
  for (; count < arrays.size() && s == griddle_done; count += s == griddle_done)
    s = state.plugin().allocate(state.device(), bytes_for(arrays[count]->type, arrays[count]->length), &chain.outputs[count]);
  if (s == griddle_done) s = state.plugin().map(state.device(), &chain, nullptr, arrays[0]->length);
  if (s != griddle_done) {
    for (std::size_t i = 0; i < count; i++) state.release(chain.outputs[i]);
    if (s == griddle_failed) state.check(s, arrays[0]->maker);
    return false;
  }
  for (std::size_t i = 0; i < count; i++) arrays[i]->made_by_kernel(s, chain.outputs[i]);
  return true;
}

bool DeviceArray::make_chain(griddle_chain& chain) const {
  chain.step_count = 0;
  chain.input_count = 0;
  chain.output_count = 0;
  chain.result_type = static_cast<std::uint8_t>(type);
  return ChainWriter(*this, chain).write(*this);
}

bool DeviceArray::settled_columns(griddle_chain& chain, std::size_t row) {
  if (is_leaf() || shows_rows() || !settled_chain(chain) || chain.row_length != 0) return false;
  chain.step_count = chain.input_count = 0;
  return ChainWriter(*this, chain).write_columns(*this, row);
}

}  // namespace griddle
