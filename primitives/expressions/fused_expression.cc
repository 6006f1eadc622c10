// Evaluates expressions of pervasive primitives block by block: what lies between the primitives stays in the first-level cache.
//
// A plan (fused_plan.h) gives each primitive its kernel. Where a result does not fit, the plan is made anew from there on with
// the next wider kernel. What the plan has no kernel for is left to the ordinary way.
#include "runtime/value/fused_expression.h"

#include <algorithm>
#include <cmath>

#include "primitives/common/elements.h"
#include "primitives/common/number_lanes.h"
#include "primitives/common/plain.h"
#include "primitives/expressions/fused_plan.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/convert.h"

namespace griddle {

namespace primitives {

namespace {

using Sink = FusedExpression::Sink;
using Operation = FusedPlan::Operation;

std::size_t bytes_at(ElementType t, std::size_t place) { return (place << log2_bits_of(t)) / 8; }

// Leaves longer ranges to the functions one by one, which say that no memory holds them, where counting would take hours.
constexpr double longest_range = 17179869184.0;

class Evaluation {
 public:
  Evaluation(Context& cx, const FusedExpression& e) : cx_(cx), expression_(e) {}

  // Follows a plan that is there, for plain lists whose elements make one block.
  Value at_once(FusedPlan& plan, const Value* const* variables) {
    plan_ = &plan;
    if (!take_lists(variables) || !plan.takes_one_more()) return Value();
    if (plan.is_one_step()) return step(plan.operations().front());
    make_buffers();
    if (expression_.sink == Sink::elements) return store_block();
    if (!plan.sums_at_once()) return fold();
    return compute(0, length_, nullptr) < 0 ? sum_of(sum_of_block_) : Value();
  }

  Value run(const Value* const* variables, bool worth_a_plan) {
    if (!take_variables(variables)) return Value();
    if (expression_.nodes.back().function == nullptr) return fold_range();
    if (!find_plan(variables, worth_a_plan) || expression_.keeps_some()) return Value();
    make_buffers();
    return expression_.sink == Sink::elements ? store() : fold();
  }

 private:
  // --- sources

  // Takes atoms and lists as the plan was made for.
  bool take_lists(const Value* const* variables) {
    bool long_enough = false;
    for (std::size_t i = 0; i < expression_.variables; i++) {
      const Value& v = *variables[i];
      if (!plan_->is_for(i, v)) return false;
      if (!v.is_array()) continue;
      const Array& a = v.array();
      if (a.data.elsewhere()) return false;
      if (shaped_ == nullptr) {
        shaped_ = &a;
        length_ = a.length;
      } else if (a.length != length_) {
        return false;
      }
      long_enough |= !expression_.is_too_short(a);
      starts_[i] = a.data;
    }
    return long_enough && length_ <= plan_->block();
  }
  bool take_variables(const Value* const* variables) {
    const FusedExpression::Source* const sources = expression_.sources.data();
    for (std::size_t i = 0; i < expression_.variables; i++) {
      const Value& v = *variables[i];
      if (sources[i].range) {
        if (!take_range(v)) return false;
        kinds_[i] = kind_of_range(range_type(v.number()));
      } else if (v.is_array()) {
        const Array& a = v.array();
        if (!has_plain_fill(a) || a.rank() == 0) return false;
        if (shaped_ == nullptr)
          shaped_ = &a;
        else if (a.length != shaped_->length ||
                 ((a.rank() != 1 || shaped_->rank() != 1) && !same_shape(shaped_->shape(), a.shape())))
          return false;
        kinds_[i] = kind_of_array(a.type());
        starts_[i] = a.data;
      } else if (v.is_number() || v.is_character()) {
        kinds_[i] = v.bits();
      } else {
        return false;
      }
    }
    if (expression_.has_constant_range)
      for (std::size_t i = expression_.variables; i < expression_.sources.size(); i++)
        if (sources[i].range && !take_range(sources[i].constant)) return false;
    if (shaped_ != nullptr && range_length_ != 0 && (shaped_->rank() != 1 || shaped_->length != range_length_)) return false;
    length_ = shaped_ != nullptr ? shaped_->length : range_length_;
    return length_ != 0;
  }
  bool take_range(const Value& v) {
    if (!v.is_number() || !(v.number() >= 1 && v.number() <= longest_range) || v.number() != std::floor(v.number())) return false;
    const std::size_t n = static_cast<std::size_t>(v.number());
    if (range_length_ != 0 && n != range_length_) return false;
    range_length_ = n;
    return true;
  }

  // --- plan

  bool find_plan(const Value* const* variables, bool worth_a_plan) {
    plan_ = static_cast<FusedPlan*>(expression_.plan.get());
    if (plan_ == nullptr || !plan_->is_for(kinds_)) {
      if (!worth_a_plan && !comes_again()) return false;
      if (plan_ == nullptr) expression_.plan.reset(plan_ = new FusedPlan);
      return make_plan();
    }
    if (!plan_->wears_off()) return plan_->exists();
    return plan_->become_table(cx_, expression_, variables) || make_plan();
  }
  bool make_plan() {
    const bool made = plan_->make(cx_, expression_, kinds_);
    if (range_length_ != 0 || plan_->is_one_step() || plan_->may_become_table(expression_)) return made;
    expression_.choose_shortest(made && plan_->gains_early() ? FusedExpression::usual_shortest : 0, made);
    if (made && plan_->log2_widest_bits() == 0)
      expression_.shortest[index_of(ElementType::bit)] = FusedExpression::shortest_of_bits;
    return made;
  }
  // Tells whether sources of these kinds came so often that more are to be expected. Sources that change all the time are not.
  bool comes_again() {
    constexpr std::uint32_t longest_patience = 1024;
    std::uint64_t mixed = 0;
    for (std::size_t i = 0; i < expression_.variables; i++) mixed = (mixed ^ kinds_[i]) * 0x9E3779B97F4A7C15;
    const bool same = expression_.awaited == mixed;
    expression_.awaited = mixed;
    expression_.times_awaited = same ? expression_.times_awaited + 1 : 1;
    if (expression_.times_awaited < expression_.patience) return false;
    expression_.patience = std::min(2 * expression_.patience, longest_patience);
    return true;
  }
  static constexpr std::size_t line = 64, page = 4096, apart = 13 * line;
  static constexpr std::size_t few_bytes = 2 * (FusedPlan::block_bytes + apart);  // of buffers without memory of their own

  // Makes room for what lies between. Reading and writing the same places of two pages would hold each other up.
  void make_buffers() {
    constexpr std::size_t few_lines = 1024;
    const std::size_t whole = (length_ << plan_->log2_widest_bits()) / 8 + 1;
    std::size_t step = std::min(FusedPlan::block_bytes, (whole + line - 1) / line * line);
    if (step > few_lines) step = (step + page - 1) / page * page + apart;
    const std::size_t all = static_cast<std::size_t>(plan_->buffers()) * step;
    std::uint8_t* start = few_;
    if (all > sizeof few_) {
      scratch_ = Value(make_plain_list(cx_.heap, ElementType::i8, all));
      start = scratch_.array().data;
    }
    for (int b = 0; b < plan_->buffers(); b++, start += step) starts_[FusedPlan::first_buffer + b] = start;
  }

  // --- blocks

  // Computes one block; gives the node whose result does not fit, or -1.
  int compute(std::size_t place, std::size_t count, std::uint8_t* out) {
    const std::span<const Operation> operations = plan_->operations();
    const Operation* const last = &operations.back();
    const auto of = [&](const FusedPlan::Elements& e) -> const std::uint8_t* {
      return starts_[e.place] + (e.place < FusedPlan::first_buffer ? bytes_at(e.type, place) : 0);
    };
    for (const Operation& o : operations) {
      // Sums are kept apart.
      const bool has_place = o.kind != Operation::Kind::sum;
      std::uint8_t* to = out != nullptr && &o == last ? out : has_place ? starts_[o.out.place] : nullptr;
      std::size_t done = count;
      switch (o.kind) {
        case Operation::Kind::dyad:
          done = o.dyad(to, o.atom_left ? o.atom : of(o.w), o.atom_right ? o.atom : of(o.x), count);
          break;
        case Operation::Kind::pair:
          o.pair(to, of(o.w), o.atom_right ? o.atom : of(o.x), o.atom_third ? o.other : of(o.third), count);
          break;
        case Operation::Kind::map: o.map(to, of(o.w), plan_->table(), count); break;
        case Operation::Kind::truth: o.truth(to, of(o.w), of(o.x), of(o.third), plan_->table()[0], count); break;
        case Operation::Kind::monad: done = o.monad(to, of(o.x), count); break;
        case Operation::Kind::expand:
          kernels::convert().expand[index_of(o.out.type)](to, reinterpret_cast<const std::uint64_t*>(of(o.x)), 0, count);
          break;
        case Operation::Kind::choose:
          kernels::convert().choose[index_of(o.out.type)](to, reinterpret_cast<const std::uint64_t*>(of(o.x)), count, o.atom,
                                                          o.other);
          break;
        case Operation::Kind::sum:
          sum_of_block_ = o.sum(o.atom_left ? o.atom : of(o.w), o.atom_right ? o.atom : of(o.x), count);
          break;
        case Operation::Kind::range:
          kernels::convert().range[lane_above_bits(o.out.type)](to, static_cast<double>(place), count);
          break;
        case Operation::Kind::keep: break;  // never of blocks
      }
      if (done != count) return o.node;
    }
    return -1;
  }
  // Goes on by a plan with wider kernels. False where there is none.
  bool widen(int node) {
    if (!plan_->widen(cx_, expression_, node)) return false;
    make_buffers();
    return true;
  }

  Ref<Array> make_result() const {
    const ElementType type = plan_->result().type;
    if (shaped_ != nullptr && shaped_->rank() != 1) return make_like(cx_.heap, type, *shaped_);
    return Ref<Array>(make_plain_list(cx_.heap, type, length_));
  }
  // Makes a list of one block, or nothing where results do not fit.
  Value store_block() {
    Array* const result = make_list_of(cx_.heap, plain_lists[index_of(plan_->result().type)], length_);
    if (compute(0, length_, result->data.here()) < 0) return finished(Value(result));
    release(result);
    return Value();
  }
  Value sum_of(std::int64_t whole) const {
    const double sum = static_cast<double>(whole);
    return expression_.sink == Sink::mean ? Value(sum / static_cast<double>(length_)) : Value(sum);
  }

  // Follows a plan of one operation on lists of one block, which needs no buffers.
  Value step(const Operation& o) {
    if (o.kind == Operation::Kind::keep) return keep(o);
    if (o.kind == Operation::Kind::sum)
      return sum_of(o.sum(o.atom_left ? o.atom : starts_[o.w.place], o.atom_right ? o.atom : starts_[o.x.place], length_));
    if (expression_.sink == Sink::elements) return store_step(o);
    make_buffers();
    return fold();
  }
  // Makes a list of one block by one operation, whose results fit.
  Value store_step(const Operation& o) const {
    Array* const result = make_list_of(cx_.heap, plain_lists[index_of(plan_->result().type)], length_);
    std::uint8_t* const to = result->data.here();
    const std::uint8_t *const w = starts_[o.w.place], *const x = starts_[o.x.place], *const third = starts_[o.third.place];
    switch (o.kind) {
      case Operation::Kind::map: o.map(to, w, plan_->table(), length_); break;
      case Operation::Kind::truth: o.truth(to, w, x, third, plan_->table()[0], length_); break;
      default: o.pair(to, w, o.atom_right ? o.atom : x, o.atom_third ? o.other : third, length_);
    }
    return finished(Value(result));
  }
  // Keeps some elements of the list, or their places, in memory for all of them, if that is not much more than they need.
  Value keep(const Operation& o) {
    constexpr std::size_t spare = 64, most_unused = 4;
    const PlainList& plain = plain_lists[index_of(o.out.type)];
    const std::size_t width = std::size_t{1} << plain.log2_bits >> 3;
    Array* const result = make_list_of(cx_.heap, plain, length_ + spare / width);
    const std::size_t count = o.keep(result->data.here(), starts_[o.w.place], o.atom, length_);
    result->length = count;
    if (count * most_unused >= length_) return Value(result);
    const Value whole(result);
    Ref<Array> few = make_list_of(cx_.heap, plain, count);
    kernels::copy_bytes(few->data.here(), result->data.here(), count * width);
    return to_value(std::move(few));
  }
  Value store() {
    Ref<Array> result = make_result();
    for (std::size_t place = 0, blocks = 0; place < length_;) {
      if ((++blocks & 63) == 0) cx_.check_interrupt();
      const ElementType before = plan_->result().type;
      const bool streams = before != ElementType::bit && (length_ << log2_bits_of(before)) / 8 >= kernels::streamed_from_bytes;
      // Memory is written best a little at a time.
      const std::size_t count = std::min(streams ? plan_->block() / 4 : plan_->block(), length_ - place);
      std::uint8_t* const to = result->data + bytes_at(before, place);
      const int misfit = compute(place, count, streams ? nullptr : to);
      if (misfit < 0) {
        if (streams) kernels::stream_bytes(to, starts_[plan_->result().place], bytes_at(before, count));
        place += count;
        continue;
      }
      if (!widen(misfit)) return Value();
      const ElementType now = plan_->result().type;
      if (now == before) continue;
      Ref<Array> wider = make_result();
      if (place != 0) {
        const kernels::Monad convert = kernels::convert().widen[index_of(before)][index_of(now)];
        if (convert == nullptr) return Value();
        convert(wider->data, result->data, place);
      }
      result = std::move(wider);
    }
    kernels::finish_streaming();
    return finished(to_value(std::move(result)));
  }
  Value finished(Value result) const {
    const PrimitiveFunctionEntry* last = expression_.nodes.back().function;
    if (last->scalar == ScalarOp::modulus && plan_->result().type == ElementType::f64)
      return integers_if_whole(cx_.heap, std::move(result));
    const bool rounded = is_any(last->scalar, ScalarOp::minimum, ScalarOp::maximum);
    return rounded ? packed_if_boolean(cx_.heap, std::move(result)) : result;
  }

  // Gives what folding a range gives, from its length alone.
  Value fold_range() const {
    const double n = static_cast<double>(length_), sum = n * (n - 1) / 2;
    if (!expression_.sources[static_cast<std::size_t>(expression_.nodes.back().x)].range) return Value();
    switch (expression_.sink) {
      case Sink::sum: return sum <= exact_limit ? Value(sum) : Value();
      case Sink::mean: return sum <= exact_limit ? Value(sum / n) : Value();
      case Sink::least: return 0;
      case Sink::greatest: return n - 1;
      default: return Value();
    }
  }

  // Sums of doubles run from the right, block by block; all else in the direction in which memory is read fastest. Sums of
  // integers so large that they are rounded are left to the ordinary way.
  Value fold() {
    double so_far = 0;
    bool decided = false;
    for (std::size_t done = 0, blocks = 0; done < length_ && !decided;) {
      if ((++blocks & 63) == 0) cx_.check_interrupt();
      const std::size_t block = plan_->block();
      const bool backward = plan_->result().type == ElementType::f64;
      // Results may turn out to be doubles only while the direction does not matter yet.
      if (backward != backward_ && done != 0) return Value();
      backward_ = backward;
      const std::size_t place = backward ? (length_ - done - 1) / block * block : done;
      const std::size_t count = std::min(block, backward ? length_ - done - place : length_ - place);
      next_ = backward && place >= 2 * block ? doubles_at(place - 2 * block) : nullptr;
      if (const int misfit = compute(place, count, nullptr); misfit >= 0) {
        if (!widen(misfit)) return Value();
        continue;
      }
      if (!add_block(count, done != 0, so_far, decided)) return Value();
      done += count;
    }
    return expression_.sink == Sink::mean ? Value(so_far / static_cast<double>(length_)) : Value(so_far);
  }
  // Gives what a list of doubles has at a place, for fetching it ahead, or null.
  const double* doubles_at(std::size_t place) const {
    for (std::size_t i = 0; i < expression_.variables; i++)
      if (kinds_[i] == kind_of_array(ElementType::f64)) return reinterpret_cast<const double*>(starts_[i]) + place;
    return nullptr;
  }
  // Folds a block onto those before it. False where the ordinary way must do it.
  bool add_block(std::size_t count, bool begun, double& so_far, bool& decided) {
    const ElementType type = plan_->result().type;
    const std::uint8_t* const block = plan_->sums_at_once() ? nullptr : starts_[plan_->result().place];
    const auto* words = reinterpret_cast<const std::uint64_t*>(block);
    const auto* doubles = reinterpret_cast<const double*>(block);
    if (!is_number(type)) return false;
    switch (expression_.sink) {
      case Sink::sum:
      case Sink::mean:
        if (type == ElementType::bit) {
          so_far += static_cast<double>(kernels::bool_fold().count(words, count, 0));
        } else if (type != ElementType::f64) {
          if (std::fabs(so_far) > exact_limit / 2) return false;
          so_far += plan_->sums_at_once() ? static_cast<double>(sum_of_block_)
                                          : static_cast<double>(kernels::reduce().sum[lane_above_bits(type)](block, count));
        } else {
          const std::size_t others = begun ? count : count - 1;
          if (!begun) so_far = doubles[others];
          so_far = next_ != nullptr ? kernels::ordered_sum().from_right_fetching(doubles, others, so_far, next_)
                                    : kernels::ordered_sum().from_right(doubles, others, so_far);
        }
        return true;
      case Sink::least:
      case Sink::greatest: return extend(block, count, begun, so_far);
      case Sink::all:
        if (type != ElementType::bit) return false;
        so_far = kernels::first_zero(words, count) == count;
        decided = so_far == 0;
        return true;
      case Sink::any:
        if (type != ElementType::bit) return false;
        so_far = kernels::first_one(words, count) != count;
        decided = so_far != 0;
        return true;
      default: return false;
    }
  }
  bool extend(const std::uint8_t* block, std::size_t count, bool begun, double& so_far) {
    if (plan_->result().type == ElementType::bit) return false;
    const bool least = expression_.sink == Sink::least;
    const kernels::Fold* const lanes = least ? kernels::reduce().fold_minimum : kernels::reduce().fold_maximum;
    const double found = lanes[lane_above_bits(plan_->result().type)](block, count);
    const auto better = [least](double w, double x) { return (least ? w < x : w > x) ? w : x; };
    if (!begun)
      so_far = found;
    else if (found == found)
      so_far = better(found, so_far);
    else  // a NaN at the end of the block, which may hide numbers before it
      for (std::size_t i = count; i-- > 0;) so_far = better(reinterpret_cast<const double*>(block)[i], so_far);
    return true;
  }

  Context& cx_;
  const FusedExpression& expression_;
  FusedPlan* plan_ = nullptr;
  const Array* shaped_ = nullptr;
  std::size_t range_length_ = 0;
  std::size_t length_ = 0;
  bool backward_ = false;
  const double* next_ = nullptr;  // what the next block reads
  std::int64_t sum_of_block_ = 0;
  Value scratch_;
  SourceKind kinds_[FusedExpression::most_sources];
  std::uint8_t* starts_[FusedPlan::most_places];  // where the elements of sources and buffers are
  alignas(64) std::uint8_t few_[few_bytes];
};

}  // namespace

}  // namespace primitives

Value evaluate_again(Context& cx, const FusedExpression& e, const Value* const* variables) {
  auto* const plan = static_cast<primitives::FusedPlan*>(e.plan.get());
  if (plan == nullptr || !plan->exists()) return Value();
  return primitives::Evaluation(cx, e).at_once(*plan, variables);
}
Value evaluate(Context& cx, const FusedExpression& e, const Value* const* variables, bool worth_a_plan) {
  return primitives::Evaluation(cx, e).run(variables, worth_a_plan);
}

}  // namespace griddle
