// Finds expressions that may be computed block by block: pervasive primitives, alone or in trains and combinators, on variables
// and numbers. Such an expression is compiled twice: as one instruction that may do it all, and as the ordinary ones behind it,
// which it jumps over where it did.
#include <algorithm>

#include "runtime/bytecode/compiling.h"
#include "runtime/vm/wiring.h"

namespace griddle {

namespace {

using Step = FusedExpression::Node;
using Source = FusedExpression::Source;
using Sink = FusedExpression::Sink;

constexpr int deepest_function = 12;
constexpr std::size_t fewest_operations = 3;
// Bounds what is looked at in vain, so that compiling a long chain of calls stays linear.
constexpr std::size_t most_visits = 100;

bool has_kernels(const PrimitiveFunctionEntry& f, bool dyadic) {
  if (f.scalar == ScalarOp::span_not) return !dyadic;
  return dyadic ? f.dyad_rule != nullptr : f.monad_rule != nullptr;
}

// Tells whether products or comparisons are summed, which need not be made.
bool sums_at_once(const FusedExpression& e) {
  const PrimitiveFunctionEntry* const last = e.nodes.back().function;
  return (e.sink == Sink::sum || e.sink == Sink::mean) && last && e.nodes.back().w >= 0 &&
         (is_comparison(*last) || last->scalar == ScalarOp::multiply);
}

bool is_comparison(const FusedExpression::Node& n) { return n.function && n.w >= 0 && is_comparison(*n.function); }

// Tells whether two comparisons are likely to test for a range.
bool tests_range(const FusedExpression& e) {
  const auto compares = [&](const FusedExpression::Node& n) {
    return n.function && is_comparison(*n.function) && !is_any(n.function->scalar, ScalarOp::equal, ScalarOp::not_equal);
  };
  return std::ranges::any_of(e.nodes, [&](const FusedExpression::Node& both) {
    if (!both.function || both.w < 0 || !is_any(both.function->scalar, ScalarOp::logic_and, ScalarOp::multiply)) return false;
    const FusedExpression::Node &a = e.nodes[static_cast<std::size_t>(both.w)], &b = e.nodes[static_cast<std::size_t>(both.x)];
    return compares(a) && compares(b) && (a.w == b.w || a.w == b.x || a.x == b.w || a.x == b.x);
  });
}

// Tells whether elements are limited to a range: two functions, of which one kernel does both.
bool limits(const std::vector<FusedExpression::Node>& nodes) {
  std::size_t functions = 0, least = 0, greatest = 0;
  for (const FusedExpression::Node& n : nodes) {
    functions += n.function != nullptr;
    least += n.function && n.w >= 0 && n.function->scalar == ScalarOp::minimum;
    greatest += n.function && n.w >= 0 && n.function->scalar == ScalarOp::maximum;
  }
  return functions == 2 && least == 1 && greatest == 1;
}

// Tells whether there are two functions of one or two variables, of which one kernel may do both on lists of doubles.
bool makes_pair(const std::vector<FusedExpression::Node>& nodes, const std::vector<Source>& sources) {
  std::size_t functions = 0;
  for (const FusedExpression::Node& n : nodes) {
    if (!n.function) continue;
    functions++;
    if (n.w < 0 || !is_any(n.function->scalar, ScalarOp::add, ScalarOp::subtract, ScalarOp::multiply)) return false;
  }
  const auto is_in_slot = [](const Source& s) { return s.kind == Source::Kind::slot; };
  const auto is_elsewhere = [](const Source& s) { return s.kind == Source::Kind::outer; };
  return functions == 2 && std::ranges::count_if(sources, is_in_slot) <= 2 && !std::ranges::any_of(sources, is_elsewhere);
}

// Tells whether f folds with a primitive, and as which sink.
bool is_fold(const Value& f, Sink& sink) {
  if (reduces_by(f) != Reduces::folds) return false;
  switch (computed_by(static_cast<const Derived&>(f.function()).f)) {
    case ScalarOp::add: sink = Sink::sum; return true;
    case ScalarOp::minimum: sink = Sink::least; return true;
    case ScalarOp::maximum: sink = Sink::greatest; return true;
    case ScalarOp::logic_and: sink = Sink::all; return true;
    case ScalarOp::logic_or: sink = Sink::any; return true;
    default: return false;
  }
}
bool is_mean(const Value& f) {
  Sink sink;
  if (!f.is_function() || f.function().kind != ObjectKind::train) return false;
  const Train& t = static_cast<const Train&>(f.function());
  return is_fold(t.f, sink) && sink == Sink::sum && computed_by(t.g) == ScalarOp::divide &&
         computed_by(t.h) == ScalarOp::not_equal;
}
// Splits `f∘g` and `(f g)` where f is a fold.
bool split_fold(const Value& f, bool dyadic, Sink& sink, const Value*& before) {
  const Wiring wiring = wiring_of(f, dyadic);
  if (!wiring.is_sequence() || !is_fold(*wiring.last, sink)) return false;
  before = wiring.right.by;
  return true;
}

}  // namespace

// Collects the nodes. Every function gives the number of a node, or -1 where there is none for it.
struct Compiler::FusedBuilder {
  Compiler& compiler;
  std::vector<Source> sources = {};
  std::vector<Step> nodes = {};
  Node* first = nullptr;  // what is computed before all else, whatever it is; source 0
  std::size_t operations = 0;
  std::size_t visits = 0;
  bool ranges = false;

  int add(Step node) {
    if (nodes.size() >= FusedExpression::most_nodes) return -1;
    nodes.push_back(node);
    return static_cast<int>(nodes.size()) - 1;
  }
  int add(Source source) {
    for (std::size_t i = 0; i < nodes.size(); i++) {
      if (nodes[i].function) continue;
      const Source& s = sources[static_cast<std::size_t>(nodes[i].x)];
      if (s.kind == source.kind && s.range == source.range && s.a == source.a && s.b == source.b &&
          s.constant.same(source.constant))
        return static_cast<int>(i);
    }
    if (sources.size() >= FusedExpression::most_sources) return -1;
    sources.push_back(std::move(source));
    return add(Step{nullptr, -1, static_cast<std::int16_t>(sources.size() - 1)});
  }
  int constant(const Value& v) {
    return v.is_number() || v.is_character() ? add(Source{Source::Kind::constant, false, 0, 0, v}) : -1;
  }
  int apply(const PrimitiveFunctionEntry& f, int w, int x) {
    operations++;
    return add(Step{&f, static_cast<std::int16_t>(w), static_cast<std::int16_t>(x)});
  }

  // Applies a function to nodes; w is null for one argument.
  int apply(const Value& f, const int* w, int x, int depth) {
    if (depth > deepest_function) return -1;
    if (f.is_number() || f.is_character()) return constant(f);
    if (const PrimitiveFunctionEntry* p = primitive_entry(f)) {
      if (passes_on(*p)) return p->scalar == ScalarOp::left && w != nullptr ? *w : x;
      if (w == nullptr && p->name == Glyph::windows) return range(x);
      return has_kernels(*p, w != nullptr) ? apply(*p, w == nullptr ? -1 : *w, x) : -1;
    }
    if (applies_by(f) == Applies::never) return constant(static_cast<const Derived&>(f.function()).f);
    const Wiring wiring = wiring_of(f, w != nullptr);
    if (!wiring) return -1;
    const auto along = [&](const Value& g, const int* l, int r) { return apply(g, l, r, depth + 1); };
    return follow(wiring, w, x, along, [](int node) { return node >= 0; });
  }
  int range(int x) {
    const Step& node = nodes[static_cast<std::size_t>(x)];
    if (node.function || sources[static_cast<std::size_t>(node.x)].range) return -1;
    Source source = sources[static_cast<std::size_t>(node.x)];
    source.range = ranges = true;
    return add(std::move(source));
  }

  int variable(const Variable& v) {
    const Place& place = place_of(v);
    if (is_self(*v.binding, *compiler.state_.layout)) return -1;
    switch (place.kind) {
      case Place::Kind::constant: return constant(compiler.layout_->constants[place.slot]);
      case Place::Kind::slot: return add(Source{Source::Kind::slot, false, place.slot, 0, Value()});
      case Place::Kind::environment:
        return add(Source{Source::Kind::outer, false, compiler.hops_to(*v.body->layout), place.slot, Value()});
      default: return -1;
    }
  }
  // `may_be_first`: what stands here is computed before all else.
  int expression(Node& node, bool may_be_first) {
    if (++visits > most_visits) return -1;
    switch (node.kind) {
      case NodeKind::number: return constant(Value(static_cast<Number&>(node).value));
      case NodeKind::character: return constant(Value::character(static_cast<Character&>(node).value));
      case NodeKind::variable: return variable(static_cast<Variable&>(node));
      case NodeKind::special: {
        const std::uint32_t slot = compiler.state_.special[static_cast<int>(static_cast<Special&>(node).name)];
        return slot == none ? -1 : add(Source{Source::Kind::slot, false, slot, 0, Value()});
      }
      default: break;
    }
    if (node.constant) return constant(compiler.expression(node, 0).value);
    if (node.kind == NodeKind::call) {
      const std::size_t node_count = nodes.size(), source_count = sources.size(), operation_count = operations;
      if (const int result = call(static_cast<Call&>(node)); result >= 0) return result;
      nodes.resize(node_count), sources.resize(source_count), operations = operation_count;
    }
    // Blocks, assignments and the like.
    if (!may_be_first || node.may_be_nothing || node.role != Role::subject) return -1;
    first = &node;
    return add(Source{Source::Kind::slot, false, none, 0, Value()});
  }
  int call(const Call& n) { return call(n, nullptr); }
  // Takes `/` of one comparison, or of what is compared by it. Gives -1 for others.
  int kept(const Call& n, Sink& sink) {
    sink = n.left ? Sink::kept : Sink::places;
    const int x = expression(*n.right, true), root = x < 0 || !n.left ? x : expression(*n.left, false);
    if (root < 0 || operations != 1 || first) return -1;
    const Step& comparison = nodes[static_cast<std::size_t>(root)];
    if (!is_comparison(comparison)) return -1;
    return n.left && comparison.w != x && comparison.x != x ? -1 : root;
  }
  // Applies `f` instead of the call's own function, if given.
  int call(const Call& n, const Value* f) {
    if (n.left && n.left->kind == NodeKind::nothing) return -1;
    Callee callee;
    if (!f) {
      if (!n.function->constant) return -1;
      callee = compiler.callee(*n.function);
      if (callee.kind != Callee::Kind::constant || callee.value.function().kind == ObjectKind::block_function) return -1;
      f = &callee.value;
    }
    Node* const before = first;
    const int x = expression(*n.right, nodes.empty());
    if (x < 0) return -1;
    const int w = n.left ? expression(*n.left, false) : -1;
    const int result = n.left && w < 0 ? -1 : apply(*f, n.left ? &w : nullptr, x, 0);
    if (result < 0) first = before;
    return result;
  }
};

namespace {

// Gives an expression its nodes and sources, the variables first.
void take_sources(FusedExpression& e, std::vector<Source> sources, std::vector<Step> nodes) {
  std::vector<std::int16_t> place(sources.size());
  const auto take = [&](bool constants) {
    for (std::size_t i = 0; i < sources.size(); i++) {
      if ((sources[i].kind == Source::Kind::constant) != constants) continue;
      place[i] = static_cast<std::int16_t>(e.sources.size());
      e.has_constant_range |= constants && sources[i].range;
      e.sources.push_back(std::move(sources[i]));
    }
  };
  take(false);
  e.variables = e.sources.size();
  take(true);
  for (Step& step : nodes)
    if (step.function == nullptr) step.x = place[static_cast<std::size_t>(step.x)];
  e.nodes = std::move(nodes);
}

}  // namespace

bool Compiler::fuse(const Call& n, std::uint32_t t, Operand& result) {
  if (fusing_ || n.constant || !n.function->constant || n.function->kind == NodeKind::block) return false;
  Callee f = callee(*n.function);
  if (f.kind != Callee::Kind::constant) return false;
  const PrimitiveFunctionEntry* alone = primitive_entry(f.value);
  const bool keeps_some = alone && alone->name == Glyph::replicate;
  if (alone && !keeps_some && !has_kernels(*alone, n.left != nullptr)) return false;
  // One operation alone is too few.
  const auto computes = [](const Node* argument) { return argument && argument->kind == NodeKind::call && !argument->constant; };
  if (alone && !computes(n.left) && !computes(n.right)) return false;
  FusedBuilder builder{*this};
  builder.sources.reserve(FusedExpression::most_sources);
  builder.nodes.reserve(2 * fewest_operations);
  Sink sink = Sink::elements;
  const Value* before = nullptr;
  int root;
  if (keeps_some) {
    root = builder.kept(n, sink);
  } else if (!n.left && (is_fold(f.value, sink) || is_mean(f.value))) {
    if (is_mean(f.value)) sink = Sink::mean;
    root = builder.expression(*n.right, true);
  } else if (split_fold(f.value, n.left != nullptr, sink, before)) {
    root = builder.call(n, before);
  } else {
    root = builder.call(n);
  }
  const std::size_t enough = builder.ranges || sink != Sink::elements                              ? 1
                             : limits(builder.nodes) || makes_pair(builder.nodes, builder.sources) ? 2
                                                                                                   : fewest_operations;
  const bool folds_range = builder.ranges && sink != Sink::elements && sink != Sink::all && sink != Sink::any;
  if (root < 0 || (builder.operations < enough && !folds_range)) return false;
  if (builder.nodes[static_cast<std::size_t>(root)].function == nullptr && !folds_range) return false;

  const auto is_first = [](const Source& s) { return s.kind == Source::Kind::slot && s.a == none; };
  Operand first;
  if (builder.first) first = expression(*builder.first, t);
  // `⊢4` is no constant, but compiles to one: where nothing else varies, the steps one by one give a constant, too. A range of a
  // constant, as in `+´↕1e8`, is here only where it was too long for one.
  const auto is_known = [&](const Source& s) {
    return (s.kind == Source::Kind::constant && !s.range) || (is_first(s) && first.is_constant());
  };
  if (std::ranges::all_of(builder.sources, is_known)) return false;
  if (builder.first) {
    if (first.is_constant()) first = in_slot(std::move(first), t);
    for (Source& s : builder.sources)
      if (is_first(s)) s.a = first.slot;
    computed_ = {builder.first, std::move(first)};
  }
  Ref<FusedExpression> made = make_native<FusedExpression>(cx_.heap);
  builder.nodes.resize(static_cast<std::size_t>(root) + 1);
  take_sources(*made, std::move(builder.sources), std::move(builder.nodes));
  made->sink = sink;
  const bool is_one_step = sums_at_once(*made) || tests_range(*made) || limits(made->nodes);
  const std::uint32_t early = sink == Sink::places ? FusedExpression::shortest_of_places
                              : sink == Sink::kept ? FusedExpression::shortest_of_kept
                              : builder.ranges     ? FusedExpression::usual_shortest
                              : is_one_step        ? FusedExpression::shortest_of_one_step
                                                   : 0;
  made->choose_shortest(early, !builder.ranges, !builder.ranges && made->variables <= 3);
  claim(t);
  const bool holds_first = builder.first && computed_.operand.is_temporary();
  // One array tells whether it pays: where another one is longer, shapes differ.
  const auto in_reach = [](const Source& s) { return s.kind == Source::Kind::slot && !s.range && s.a < 65535; };
  const auto looked_at = std::ranges::find_if(made->sources, in_reach);
  const std::uint32_t slot = looked_at == made->sources.end() ? 0 : looked_at->a + 1;
  if (made->variables == 2 && in_reach(made->sources[0]) && in_reach(made->sources[1]) && !made->has_constant_range)
    made->other_slot = made->sources[1].a + 1;
  const std::uint32_t fused = emitter_->emit(Opcode::fused, t, 0, slot, holds_first ? Instruction::consume_b : 0);
  emitter_->immediate_pointer(made.get());
  emitter_->immediate(0);
  emitter_->own(made.get());
  emitter_->position(n.function->span, t + holds_first);
  fusing_ = true;
  result = call(n, t);
  fusing_ = false;
  computed_ = {};
  assert(result.is_temporary() && result.slot == t);
  emitter_->word(fused + 2) = emitter_->label() - fused;
  return true;
}

}  // namespace griddle
