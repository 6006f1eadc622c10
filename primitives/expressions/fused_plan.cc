#include "primitives/expressions/fused_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "primitives/arithmetic/operand.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/folds/dot.h"
#include "primitives/kernels/shared/convert.h"

namespace griddle::primitives {

namespace {

using kernels::Form;
using Node = FusedExpression::Node;
using Source = FusedExpression::Source;
using Sink = FusedExpression::Sink;

constexpr std::size_t most_operations = 48;  // with conversions of operands
constexpr unsigned uses_of_wide = 64, uses_before_table = 12;

}  // namespace

struct FusedPlan::Maker {
  Context& cx;
  const FusedExpression& expression;
  FusedPlan& plan;
  int uses[most_buffers] = {};  // reads to come of each buffer

  void widen_to(ElementType type) { plan.log2_widest_bits_ = std::max(plan.log2_widest_bits_, log2_bits_of(type)); }
  // Gives room for the results of an operation, to be read so many times.
  bool make_room(ElementType type, int reads, Elements& out) {
    const auto free = std::find(std::begin(uses), std::end(uses), 0);
    if (free == std::end(uses)) return false;
    *free = std::max(reads, 1);
    const int buffer = static_cast<int>(free - uses);
    out = {Value::absent_bits, type, static_cast<std::int8_t>(first_buffer + buffer)};
    plan.buffers_ = std::max(plan.buffers_, buffer + 1);
    widen_to(type);
    return true;
  }
  int* uses_of(const Elements& e) { return e.single() || e.place < first_buffer ? nullptr : &uses[e.place - first_buffer]; }
  void release(const Elements& e) {
    if (int* count = uses_of(e)) --*count;
  }
  // Lets the results of a node be those of another one.
  void pass_on(const Elements& e, int reads, Elements& out) {
    if (int* count = uses_of(e)) *count += reads - 1;
    out = e;
  }
  // Adds an operation that reads x, and w if it has two operands, which are arrays until told otherwise.
  Operation& add(Operation::Kind kind, int node, const Elements& x, const Elements& w = {}) {
    Operation& o = plan.operations_.emplace_back();
    o.kind = kind;
    o.node = static_cast<std::int8_t>(node);
    o.w = w, o.x = x;
    return o;
  }
  // Gives its results room, and what it read free.
  bool finish(Operation& o, ElementType type, int reads, Elements& out) {
    if (!make_room(type, reads, o.out)) return false;
    release(o.w);
    release(o.x);
    out = o.out;
    return true;
  }
  // Brings the elements to a type that they all have a value in.
  bool convert(Elements& e, ElementType wanted, int node) {
    if (e.type == wanted) return true;
    const bool expands = e.type == ElementType::bit;
    const auto& k = kernels::convert();
    if (expands ? k.expand[index_of(wanted)] == nullptr : k.widen[index_of(e.type)][index_of(wanted)] == nullptr) return false;
    Operation& o = add(expands ? Operation::Kind::expand : Operation::Kind::monad, node, e);
    o.monad = k.widen[index_of(e.type)][index_of(wanted)];
    return finish(o, wanted, 1, e);
  }
  // Puts a single operand where the kernel reads it.
  static bool place_atom(Operation& o, const Elements& e, ElementType wanted) {
    if (wanted < e.type || is_number(wanted) != is_number(e.type)) return false;
    store_single(e.one(), wanted, o.atom);
    return true;
  }

  bool dyad(const DyadRule& rule, Elements w, Elements x, int node, int reads, Elements& out) {
    return dyad(rule, w, x, node, plan.attempts_[node], reads, out);
  }
  bool dyad(const DyadRule& rule, Elements w, Elements x, int node, int attempt, int reads, Elements& out) {
    if (w.single() && x.single()) {
      if (!w.one().is_number() || !x.one().is_number()) return false;
      out = Elements::of_atom(rule.atoms(cx, w.one(), x.one()));
      return true;
    }
    if ((w.single() ? x : w).type == ElementType::bit && (w.single() ? w.one().is_number() : x.single() && x.one().is_number()))
      return choice(rule, w, x, node, reads, out);
    // Doubles are never read as anything else.
    if (w.single() && x.type == ElementType::f64 && w.one().is_number()) w.type = ElementType::f64;
    if (x.single() && w.type == ElementType::f64 && x.one().is_number()) x.type = ElementType::f64;
    const Form form = w.single() ? kernels::scalar_array : x.single() ? kernels::array_scalar : kernels::array_array;
    const DirectDyad& way = rule.direct().find(form, w.type, x.type);
    DyadStep step = {w.type, x.type, way.result, {}};
    kernels::Dyad kernel = form == kernels::array_array && attempt == 0 ? way.kernel : nullptr;
    if (kernel == nullptr) {
      if (!rule.step(w.type, x.type, attempt, step)) return false;
      kernel = step.forms[form];
      if (kernel == nullptr) return false;
    }
    if (!w.single() && !convert(w, step.w, node)) return false;
    if (!x.single() && !convert(x, step.x, node)) return false;
    Operation& o = add(Operation::Kind::dyad, node, x, w);
    o.dyad = kernel;
    o.atom_left = w.single(), o.atom_right = x.single();
    if (o.atom_left && !place_atom(o, w, step.w)) return false;
    if (o.atom_right && !place_atom(o, x, step.x)) return false;
    return finish(o, step.result, reads, out);
  }

  // Gives the type that just holds the remainders of integers by a number, or doubles.
  static ElementType remainder_type(const Elements& w, const Elements& x) {
    if (!w.single() || x.single() || !w.one().is_number() || !is_number(x.type)) return ElementType::f64;
    const double by = w.one().number();
    if (!(by >= 2 && by <= 2147483648) || by != std::floor(by)) return ElementType::f64;
    if (by == 2 && is_integer(x.type)) return ElementType::bit;
    return by <= 128 ? ElementType::i8 : by <= 32768 ? ElementType::i16 : ElementType::i32;
  }
  // Takes remainders. Those of doubles by an integer are integers again, as long as they turn out to be whole.
  bool modulus(const DyadRule& rule, const Elements& w, const Elements& x, int node, int reads, Elements& out) {
    const ElementType narrow = remainder_type(w, x);
    const bool of_doubles = x.type == ElementType::f64 && narrow != ElementType::f64, is_whole = plan.attempts_[node] == 0;
    const bool narrows = narrow < x.type && (is_whole || !of_doubles);
    const int attempt = plan.attempts_[node] - (of_doubles && !is_whole);
    return dyad(rule, w, x, node, attempt, narrows ? 1 : reads, out) && (!narrows || narrowing(narrow, node, reads, out));
  }
  // Brings remainders to the type that just holds them.
  bool narrowing(ElementType narrow, int node, int reads, Elements& e) {
    if (!is_number(e.type) || e.type == ElementType::bit) return false;
    if (narrow != ElementType::bit) {
      Operation& o = add(Operation::Kind::monad, node, e);
      o.monad = kernels::convert().narrow[index_of(e.type)][index_of(narrow)];
      return o.monad != nullptr && finish(o, narrow, reads, e);
    }
    const int lane = kernels::compared_i8 + lane_above_bits(e.type);
    Operation& o = add(Operation::Kind::dyad, node, Elements::of_atom(0.0), e);
    o.dyad = kernels::compare().compare[static_cast<int>(kernels::Comparison::not_equal)][lane][kernels::array_scalar];
    o.atom_right = true;
    store_single(0.0, e.type, o.atom);
    return finish(o, narrow, reads, e);
  }

  // Chooses one of two results by each bit.
  bool choice(const DyadRule& rule, const Elements& w, const Elements& x, int node, int reads, Elements& out) {
    const Elements& bits = w.single() ? x : w;
    const auto of = [&](double bit) { return w.single() ? rule.atoms(cx, w.one(), bit) : rule.atoms(cx, bit, x.one()); };
    const Value zero = of(0), one = of(1);
    if (element_type_of(zero) == ElementType::bit && element_type_of(one) == ElementType::bit)
      return bits_of_bits(bits, zero.number() != 0, one.number() != 0, node, reads, out);
    const ElementType type = std::max(wider(element_type_of(zero), element_type_of(one)), ElementType::i8);
    Operation& o = add(Operation::Kind::choose, node, bits);
    store_single(zero, type, o.atom);
    store_single(one, type, o.other);
    return finish(o, type, reads, out);
  }

  // Makes bits of bits, so that what follows works on bits as well.
  bool bits_of_bits(const Elements& bits, bool zero, bool one, int node, int reads, Elements& out) {
    if (!zero && one) return pass_on(bits, reads, out), true;
    Operation& o = add(Operation::Kind::dyad, node, Elements::of_atom(zero), bits);
    using F = kernels::BitFunction;
    const F f = zero == one ? (one ? F::or_ : F::and_) : F::not_equal;
    o.dyad = kernels::compare().bits[static_cast<int>(f)][kernels::array_scalar];
    o.atom_right = true;
    std::memset(o.atom, zero ? 0xFF : 0, sizeof o.atom);
    return finish(o, ElementType::bit, reads, out);
  }

  static constexpr std::size_t most_summed_at_once = std::size_t{1} << 16;

  // Gives the kernel that sums the results of a function without making them, or null.
  static kernels::Count summing(const PrimitiveFunctionEntry& f, Form form, ElementType type) {
    if (f.scalar == ScalarOp::multiply) {
      if (form != kernels::array_array) return nullptr;
      return type == ElementType::i8 ? kernels::dot_i8 : type == ElementType::i16 ? kernels::dot_i16 : nullptr;
    }
    const int lane = is_comparison(f) ? kept_lane(type, f) : -1;
    return lane < 0 ? nullptr : kernels::count_compared().count[static_cast<int>(comparison_of(f, false))][lane][form];
  }
  // Sums the results of the last function without making them.
  bool sum_at_once(const Node& n, const Elements& w, const Elements& x, int node, Elements& out) {
    if (expression.sink != Sink::sum && expression.sink != Sink::mean) return false;
    if (w.single() && x.single()) return false;
    const Form form = w.single() ? kernels::scalar_array : x.single() ? kernels::array_scalar : kernels::array_array;
    const ElementType type = w.single() ? x.type : w.type;
    const Elements& other = w.single() ? w : x;
    if (other.single() ? is_number(other.type) != is_number(type) || other.type > type : other.type != type) return false;
    const kernels::Count kernel = summing(*n.function, form, type);
    if (kernel == nullptr) return false;
    Operation& o = add(Operation::Kind::sum, node, x, w);
    o.sum = kernel;
    o.atom_left = w.single(), o.atom_right = x.single();
    if (other.single()) store_single(other.one(), type, o.atom);
    out = o.out = {Value::absent_bits, ElementType::i32, -1};
    return true;
  }

  // Keeps what a comparison with a number holds for, or its places. False where no kernel does.
  bool keep(const Node& n, const Elements& w, const Elements& x, int node) {
    const Elements &list = w.single() ? x : w, &one = w.single() ? w : x;
    const ElementType type = list.type;
    const int lane = kept_lane(type, *n.function);
    if (list.single() || !one.single() || lane < 0 || is_number(one.type) != is_number(type) || one.type > type) return false;
    const auto& ways = expression.sink == Sink::kept ? kernels::keep_compared().elements : kernels::keep_compared().places;
    const int comparison = static_cast<int>(comparison_of(*n.function, w.single()));
    Operation& o = add(Operation::Kind::keep, node, one, list);
    if ((o.keep = ways[comparison][lane]) == nullptr) return false;
    store_single(one.one(), type, o.atom);
    plan.result_ = o.out = {Value::absent_bits, expression.sink == Sink::kept ? type : ElementType::i16, -1};
    plan.block_ = most_kept_bytes / std::max<std::size_t>(sizeof(std::int16_t), bits_of(type) / 8);
    plan.is_one_step_ = plan.gains_early_ = true;
    plan.sums_at_once_ = false;
    return true;
  }
  // Gives the lanes that compare elements as numbers with a sign, or -1.
  static int kept_lane(ElementType type, const PrimitiveFunctionEntry& f) {
    if (type == ElementType::bit || type == ElementType::boxed) return -1;
    const bool ordered = !is_any(f.scalar, ScalarOp::equal, ScalarOp::not_equal);
    return ordered && (type == ElementType::c8 || type == ElementType::c16) ? -1 : lane_of_elements(type);
  }
  // Gives the comparison that a function is, or the one that it is with its arguments swapped.
  static kernels::Comparison comparison_of(const PrimitiveFunctionEntry& f, bool swapped) {
    const auto comparison = static_cast<kernels::Comparison>(static_cast<int>(f.scalar) - static_cast<int>(ScalarOp::less));
    return swapped ? kernels::mirrored(comparison) : comparison;
  }
  static_assert(static_cast<int>(ScalarOp::not_equal) - static_cast<int>(ScalarOp::less) ==
                static_cast<int>(kernels::Comparison::not_equal));

  bool monad(const PrimitiveFunctionEntry& f, Elements x, int node, int reads, Elements& out) {
    if (f.scalar == ScalarOp::span_not) return dyad(complement_rule, Elements::of_atom(1.0), x, node, reads, out);
    const MonadRule* rule = f.monad_rule;
    if (rule == nullptr) return false;
    if (x.single()) {
      if (!x.one().is_number()) return false;
      out = Elements::of_atom(rule->atom(cx, x.one()));
      return true;
    }
    const bool same = f.scalar == ScalarOp::modulus
                          ? x.type == ElementType::bit
                          : is_any(f.scalar, ScalarOp::minimum, ScalarOp::maximum) && is_integer(x.type);
    if (same) return pass_on(x, reads, out), true;
    MonadStep step;
    if (!rule->step(x.type, plan.attempts_[node], step) || !convert(x, step.x, node)) return false;
    Operation& o = add(Operation::Kind::monad, node, x);
    o.monad = step.kernel;
    return finish(o, step.result, reads, out);
  }

  // Gives the elements of a source.
  Elements elements_of(int source) const {
    const SourceKind kind = plan.kinds_[source];
    const auto in_array = [&](SourceKind type) {
      return Elements{Value::absent_bits, static_cast<ElementType>(type), static_cast<std::int8_t>(source)};
    };
    if (kind - kind_of_range(ElementType::bit) < element_type_count) return in_array(kind - kind_of_range(ElementType::bit));
    if (kind - kind_of_array(ElementType::bit) < element_type_count) return in_array(kind - kind_of_array(ElementType::bit));
    return Elements::of_atom(Value::from_bits(kind));
  }

  bool has_ranges() const {
    return std::ranges::any_of(expression.sources, [](const Source& s) { return s.range; });
  }
  bool make() {
    const std::vector<Node>& nodes = expression.nodes;
    Elements made[FusedExpression::most_nodes] = {};
    int reads[FusedExpression::most_nodes] = {};
    for (const Node& n : nodes) {
      if (n.function == nullptr) continue;
      if (n.w >= 0) reads[n.w]++;
      reads[n.x]++;
    }
    plan.operations_.clear();
    plan.log2_widest_bits_ = 0;
    plan.buffers_ = 0;
    for (std::size_t i = 0; i < nodes.size() && plan.operations_.size() <= most_operations; i++) {
      const Node& n = nodes[i];
      const int node = static_cast<int>(i);
      if (n.function == nullptr) {
        made[i] = elements_of(n.x);
        widen_to(made[i].type);
        if (!expression.sources[static_cast<std::size_t>(n.x)].range) continue;
        if (!finish(add(Operation::Kind::range, node, {}), made[i].type, reads[i], made[i])) return false;
      } else if (expression.keeps_some()) {
        return keep(n, made[n.w], made[n.x], node);
      } else if (n.w >= 0) {
        if (i + 1 == nodes.size() && sum_at_once(n, made[n.w], made[n.x], node, made[i])) continue;
        const DyadRule* rule = n.function->dyad_rule;
        if (rule == nullptr) return false;
        const bool made_it = n.function->scalar == ScalarOp::modulus
                                 ? modulus(*rule, made[n.w], made[n.x], node, reads[i], made[i])
                                 : dyad(*rule, made[n.w], made[n.x], node, reads[i], made[i]);
        if (!made_it) return false;
      } else if (!monad(*n.function, made[n.x], node, reads[i], made[i])) {
        return false;
      }
    }
    plan.block_ = 8 * block_bytes >> plan.log2_widest_bits_;
    plan.result_ = made[nodes.size() - 1];
    if (plan.operations_.empty() || plan.operations_.size() > most_operations) return false;
    const bool merged = merge_neighbours(expression, plan.operations_, reads);
    const Operation& last = plan.operations_.back();
    plan.sums_at_once_ = last.kind == Operation::Kind::sum;
    plan.gains_early_ = merged || plan.sums_at_once_;
    const bool pairs_elements = last.kind == Operation::Kind::pair && one_step_does(expression.sink, last.out.type);
    plan.is_one_step_ = plan.operations_.size() == 1 && (plan.sums_at_once_ || pairs_elements) && !has_ranges();
    // Where nothing lies between, nothing needs to stay in the first-level cache.
    if (plan.sums_at_once_ && plan.buffers_ == 0) plan.block_ = most_summed_at_once;
    // The last operation writes the result itself.
    return plan.sums_at_once_ ||
           (!plan.result_.single() && plan.result_.place >= first_buffer && last.out.place == plan.result_.place);
  }
};

bool FusedPlan::make(Context& cx, const FusedExpression& expression, const SourceKind* variables) {
  tried_table_ &= is_for(variables);
  variable_count_ = expression.variables;
  std::copy(variables, variables + variable_count_, kinds_);
  for (std::size_t i = variable_count_; i < expression.sources.size(); i++) {
    const Source& source = expression.sources[i];
    kinds_[i] = source.range ? kind_of_range(range_type(source.constant.number())) : source.constant.bits();
  }
  std::fill(std::begin(attempts_), std::end(attempts_), std::uint8_t{0});
  for (std::size_t i = 0; i < variable_count_; i++) {
    const SourceKind type = kinds_[i] - kind_of_array(ElementType::bit);
    lists_[i] = type < element_type_count ? PlainList::described(static_cast<ElementType>(type)) : 0;
  }
  exists_ = Maker{cx, expression, *this}.make();
  uses_left_ = may_become_table(expression) ? uses_before_table : ~0u;
  return exists_;
}
bool FusedPlan::widen(Context& cx, const FusedExpression& expression, int node) {
  attempts_[node]++;
  std::fill(attempts_ + node + 1, std::end(attempts_), std::uint8_t{0});
  uses_left_ = uses_of_wide;
  return exists_ = Maker{cx, expression, *this}.make();
}

}  // namespace griddle::primitives
