// Evaluates expressions of pervasive primitives block by block: what lies between the primitives stays in the first-level cache.
//
// A plan gives each primitive its kernel, found by types as ever. Where a result does not fit, the plan is made anew from there
// on with the next wider kernel. What the plan has no kernel for is left to the ordinary way.
#include "runtime/value/fused_expression.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "primitives/dispatch.h"
#include "primitives/elements.h"
#include "primitives/functions.h"
#include "primitives/kernels/bool_fold.h"
#include "primitives/kernels/compare.h"
#include "primitives/kernels/convert.h"
#include "primitives/kernels/dot.h"
#include "primitives/kernels/ordered_sum.h"
#include "primitives/kernels/reduce.h"
#include "primitives/operand.h"

namespace griddle {

namespace {

using namespace primitives;
using kernels::Form;
using Node = FusedExpression::Node;
using Source = FusedExpression::Source;
using Sink = FusedExpression::Sink;

constexpr double exact_limit = 9007199254740992.0;  // integers up to here are exact doubles
constexpr std::size_t block_bytes = 8192;
constexpr int most_buffers = 8;
constexpr int most_operations = 48;  // with conversions of operands

int at(ElementType t) { return static_cast<int>(t); }
int lane_of(ElementType t) { return at(t) - at(ElementType::i8); }
std::size_t bytes_at(ElementType t, std::size_t place) { return t == ElementType::bit ? place / 8 : place * (bits_of(t) / 8); }

// Where the elements of a block are: in an array, in a buffer, or a single one.
struct Elements {
  std::uint8_t* start;
  std::uint64_t atom;  // a single number or character; else the absent value
  ElementType type;
  bool moves;  // along an array
  std::int8_t buffer;

  static Elements of_atom(const Value& v) { return {nullptr, v.bits(), element_type_of(v), false, -1}; }
  static Elements of_memory(ElementType type, std::uint8_t* start, bool moves, int buffer) {
    return {start, Value::absent_bits, type, moves, static_cast<std::int8_t>(buffer)};
  }
  bool single() const { return atom != Value::absent_bits; }
  Value one() const { return Value::from_bits(atom); }
  std::uint8_t* at_place(std::size_t place) const { return moves ? start + bytes_at(type, place) : start; }
};

struct Operation {
  enum class Kind : std::uint8_t { dyad, monad, expand, choose, range, dot } kind;
  bool atom_left, atom_right;  // a single operand lies in `atom`
  int node;                    // whose result may not fit
  Elements w, x, out;
  kernels::Dyad dyad;
  kernels::Monad monad;
  alignas(8) unsigned char atom[8];
  alignas(8) unsigned char other[8];  // of a choice by bits: `atom` for 0, this for 1
};

// Leaves longer ranges to the functions one by one, which say that no memory holds them, where counting would take hours.
constexpr double longest_range = 17179869184.0;

class Evaluation {
 public:
  Evaluation(Context& cx, const FusedExpression& e) : cx_(cx), expression_(e) {}

  Value run(std::span<const Value* const> values) {
    if (!take_sources(values)) return Value();
    if (expression_.nodes.back().function == nullptr) return sum_of_range();
    scratch_ = make_list(cx_.heap, ElementType::i8, most_buffers * block_bytes);
    if (!plan()) return Value();
    return expression_.sink == Sink::elements ? store() : fold();
  }

 private:
  // --- sources

  bool take_sources(std::span<const Value* const> values) {
    const Array* shaped = nullptr;
    std::size_t range_length = 0;
    bool ranges = false;
    for (std::size_t i = 0; i < values.size(); i++) {
      const Value& v = *values[i];
      Elements& elements = sources_[i];
      if (expression_.sources[i].range) {
        if (!v.is_number() || !(v.number() >= 1 && v.number() <= longest_range) || v.number() != std::floor(v.number()))
          return false;
        const std::size_t n = static_cast<std::size_t>(v.number());
        if (ranges && n != range_length) return false;
        ranges = true;
        range_length = n;
        const ElementType type = n <= 32768 ? ElementType::i16 : n <= 2147483648 ? ElementType::i32 : ElementType::f64;
        elements = Elements::of_memory(type, nullptr, false, -1);
      } else if (v.is_number() || v.is_character()) {
        elements = Elements::of_atom(v);
      } else if (v.is_array()) {
        Array& a = v.array();
        if (!has_plain_fill(a) || a.rank() == 0) return false;
        if (shaped != nullptr && !same_shape(shaped->shape(), a.shape())) return false;
        shaped = &a;
        elements = Elements::of_memory(a.type(), a.data, true, -1);
      } else {
        return false;
      }
    }
    if (shaped != nullptr && ranges && (shaped->rank() != 1 || shaped->length != range_length)) return false;
    shaped_ = shaped;
    length_ = shaped != nullptr ? shaped->length : range_length;
    return length_ != 0;
  }

  // --- plan

  int take_buffer() {
    for (int b = 0; b < most_buffers; b++)
      if (uses_[b] == 0) return b;
    return -1;
  }
  // Gives room for the results of an operation, to be read `uses` times.
  bool make_room(ElementType type, int uses, Elements& out) {
    const int b = take_buffer();
    if (b < 0) return false;
    uses_[b] = std::max(uses, 1);
    out = Elements::of_memory(type, scratch_->data + static_cast<std::size_t>(b) * block_bytes, false, b);
    widest_ = std::max(widest_, bits_of(type) / 8);
    return true;
  }
  void release(const Elements& e) {
    if (e.buffer >= 0) uses_[e.buffer]--;
  }
  Operation* add(Operation::Kind kind, int node) {
    if (count_ == most_operations) return nullptr;
    Operation& o = operations_[count_++];
    o.kind = kind;
    o.node = node;
    o.atom_left = o.atom_right = false;
    return &o;
  }
  // Brings the elements to a type that they all have a value in.
  bool convert(Elements& e, ElementType wanted, int node) {
    if (e.type == wanted) return true;
    const bool expands = e.type == ElementType::bit;
    const auto& k = kernels::convert();
    if (expands ? k.expand[at(wanted)] == nullptr : k.widen[at(e.type)][at(wanted)] == nullptr) return false;
    Operation* o = add(expands ? Operation::Kind::expand : Operation::Kind::monad, node);
    if (o == nullptr) return false;
    o->x = e;
    o->monad = k.widen[at(e.type)][at(wanted)];
    if (!make_room(wanted, 1, o->out)) return false;
    release(e);
    e = o->out;
    return true;
  }
  // Puts a single operand where the kernel reads it.
  bool place_atom(Operation& o, const Elements& e, ElementType wanted) {
    if (wanted < e.type || is_number(wanted) != is_number(e.type)) return false;
    store_single(e.one(), wanted, o.atom);
    return true;
  }

  bool plan_dyad(const DyadRule& rule, Elements w, Elements x, int node, int uses, Elements& out) {
    if (w.single() && x.single()) {
      if (!w.one().is_number() || !x.one().is_number()) return false;
      out = Elements::of_atom(rule.atoms(cx_, w.one(), x.one()));
      return true;
    }
    if ((w.single() ? x : w).type == ElementType::bit && (w.single() ? w.one().is_number() : x.single() && x.one().is_number()))
      return plan_choice(rule, w, x, node, uses, out);
    // Doubles are never read as anything else.
    if (w.single() && x.type == ElementType::f64 && w.one().is_number()) w.type = ElementType::f64;
    if (x.single() && w.type == ElementType::f64 && x.one().is_number()) x.type = ElementType::f64;
    const Form form = w.single() ? kernels::scalar_array : x.single() ? kernels::array_scalar : kernels::array_array;
    const DirectDyad& way = rule.direct().find(form, w.type, x.type);
    DyadStep step = {w.type, x.type, way.result, {}};
    kernels::Dyad kernel = form == kernels::array_array && attempts_[node] == 0 ? way.kernel : nullptr;
    if (kernel == nullptr) {
      if (!rule.step(w.type, x.type, attempts_[node], step)) return false;
      kernel = step.forms[form];
      if (kernel == nullptr) return false;
    }
    if (!w.single() && !convert(w, step.w, node)) return false;
    if (!x.single() && !convert(x, step.x, node)) return false;
    Operation* o = add(Operation::Kind::dyad, node);
    if (o == nullptr) return false;
    o->w = w, o->x = x;
    o->dyad = kernel;
    o->atom_left = w.single(), o->atom_right = x.single();
    if (o->atom_left && !place_atom(*o, w, step.w)) return false;
    if (o->atom_right && !place_atom(*o, x, step.x)) return false;
    if (!make_room(step.result, uses, o->out)) return false;
    release(w);
    release(x);
    out = o->out;
    return true;
  }

  // Gives the type that just holds the remainders of integers by a number, or doubles.
  static ElementType remainder_type(const Elements& w, const Elements& x) {
    if (!w.single() || x.single() || !w.one().is_number() || !is_integer(x.type)) return ElementType::f64;
    const double by = w.one().number();
    if (!(by >= 2 && by <= 32768) || by != std::floor(by)) return ElementType::f64;
    return by == 2 ? ElementType::bit : by <= 128 ? ElementType::i8 : ElementType::i16;
  }
  // Brings remainders to the type that just holds them.
  bool plan_narrowing(ElementType narrow, int node, int uses, Elements& e) {
    Operation* o = add(narrow == ElementType::bit ? Operation::Kind::dyad : Operation::Kind::monad, node);
    if (o == nullptr || !is_integer(e.type) || e.type == ElementType::bit) return false;
    if (narrow == ElementType::bit) {
      const int lane = kernels::compared_i8 + lane_of(e.type);
      o->dyad = kernels::compare().compare[static_cast<int>(kernels::Comparison::not_equal)][lane][kernels::array_scalar];
      o->w = e;
      o->atom_right = true;
      store_single(0.0, e.type, o->atom);
    } else {
      o->monad = kernels::convert().narrow[at(e.type)][at(narrow)];
      o->x = e;
      if (o->monad == nullptr) return false;
    }
    if (!make_room(narrow, uses, o->out)) return false;
    release(e);
    e = o->out;
    return true;
  }

  // Chooses one of two results by each bit.
  bool plan_choice(const DyadRule& rule, const Elements& w, const Elements& x, int node, int uses, Elements& out) {
    const Elements& bits = w.single() ? x : w;
    const auto of = [&](double bit) { return w.single() ? rule.atoms(cx_, w.one(), bit) : rule.atoms(cx_, bit, x.one()); };
    const Value zero = of(0), one = of(1);
    if (element_type_of(zero) == ElementType::bit && element_type_of(one) == ElementType::bit)
      return plan_bits(bits, zero.number() != 0, one.number() != 0, node, uses, out);
    const ElementType type = std::max(wider(element_type_of(zero), element_type_of(one)), ElementType::i8);
    Operation* o = add(Operation::Kind::choose, node);
    if (o == nullptr) return false;
    o->x = bits;
    store_single(zero, type, o->atom);
    store_single(one, type, o->other);
    if (!make_room(type, uses, o->out)) return false;
    release(bits);
    out = o->out;
    return true;
  }

  // Makes bits of bits, so that what follows works on bits as well.
  bool plan_bits(const Elements& bits, bool zero, bool one, int node, int uses, Elements& out) {
    if (!zero && one) {
      if (bits.buffer >= 0) uses_[bits.buffer] += uses - 1;
      out = bits;
      return true;
    }
    Operation* o = add(Operation::Kind::dyad, node);
    if (o == nullptr) return false;
    using F = kernels::BitFunction;
    const F f = zero == one ? (one ? F::or_ : F::and_) : F::not_equal;
    o->dyad = kernels::compare().bits[static_cast<int>(f)][kernels::array_scalar];
    o->w = bits;
    o->atom_right = true;
    std::memset(o->atom, zero ? 0xFF : 0, sizeof o->atom);
    if (!make_room(ElementType::bit, uses, o->out)) return false;
    release(bits);
    out = o->out;
    return true;
  }

  // Sums products of small integers without making them.
  bool plan_dot(const Node& n, const Elements& w, const Elements& x, int node, Elements& out) {
    if (n.function->glyph != U'×' || (expression_.sink != Sink::sum && expression_.sink != Sink::mean)) return false;
    if (w.single() || x.single() || w.type != ElementType::i8 || x.type != ElementType::i8) return false;
    Operation* o = add(Operation::Kind::dot, node);
    if (o == nullptr) return false;
    o->w = w, o->x = x;
    out = o->out = Elements::of_memory(ElementType::i32, nullptr, false, -1);
    return true;
  }

  bool plan_monad(char32_t glyph, Elements x, int node, int uses, Elements& out) {
    if (glyph == U'¬') return plan_dyad(complement_from_one(), Elements::of_atom(1.0), x, node, uses, out);
    const MonadRule* rule = monad_rule(glyph);
    if (rule == nullptr) return false;
    if (x.single()) {
      if (!x.one().is_number()) return false;
      out = Elements::of_atom(rule->atom(cx_, x.one()));
      return true;
    }
    const bool same = glyph == U'|' ? x.type == ElementType::bit : (glyph == U'⌊' || glyph == U'⌈') && is_integer(x.type);
    if (same) {
      if (x.buffer >= 0) uses_[x.buffer] += uses - 1;
      out = x;
      return true;
    }
    MonadStep step;
    if (!rule->step(x.type, attempts_[node], step) || !convert(x, step.x, node)) return false;
    Operation* o = add(Operation::Kind::monad, node);
    if (o == nullptr) return false;
    o->x = x;
    o->monad = step.kernel;
    if (!make_room(step.result, uses, o->out)) return false;
    release(x);
    out = o->out;
    return true;
  }

  bool plan() {
    const std::vector<Node>& nodes = expression_.nodes;
    Elements made[FusedExpression::most_nodes];
    int uses[FusedExpression::most_nodes] = {};
    for (const Node& n : nodes) {
      if (n.function == nullptr) continue;
      if (n.w >= 0) uses[n.w]++;
      uses[n.x]++;
    }
    count_ = 0;
    widest_ = 1;
    std::fill(std::begin(uses_), std::end(uses_), 0);
    for (std::size_t i = 0; i < nodes.size(); i++) {
      const Node& n = nodes[i];
      const int node = static_cast<int>(i);
      if (n.function == nullptr) {
        made[i] = sources_[n.x];
        widest_ = std::max(widest_, bits_of(made[i].type) / 8);
        if (!expression_.sources[static_cast<std::size_t>(n.x)].range) continue;
        Operation* o = add(Operation::Kind::range, node);
        if (o == nullptr || !make_room(sources_[n.x].type, uses[i], o->out)) return false;
        made[i] = o->out;
      } else if (n.w >= 0) {
        if (i + 1 == nodes.size() && plan_dot(n, made[n.w], made[n.x], node, made[i])) continue;
        const DyadRule* rule = dyad_rule(n.function->glyph);
        if (rule == nullptr) return false;
        const ElementType narrow = n.function->glyph == U'|' ? remainder_type(made[n.w], made[n.x]) : ElementType::f64;
        const bool narrows = narrow < made[n.x].type;
        if (!plan_dyad(*rule, made[n.w], made[n.x], node, narrows ? 1 : uses[i], made[i])) return false;
        if (narrows && !plan_narrowing(narrow, node, uses[i], made[i])) return false;
      } else if (!plan_monad(n.function->glyph, made[n.x], node, uses[i], made[i])) {
        return false;
      }
    }
    result_ = made[nodes.size() - 1];
    // The last operation writes the result itself.
    block_ = block_bytes / widest_;
    sums_products_ = count_ != 0 && operations_[count_ - 1].kind == Operation::Kind::dot;
    if (sums_products_) return true;
    if (result_.single() || count_ == 0 || operations_[count_ - 1].out.buffer != result_.buffer || result_.buffer < 0)
      return false;
    return true;
  }

  // --- blocks

  // Computes one block; gives the node whose result does not fit, or -1.
  int compute(std::size_t place, std::size_t count, std::uint8_t* out) {
    for (int i = 0; i < count_; i++) {
      const Operation& o = operations_[i];
      std::uint8_t* to = out != nullptr && i == count_ - 1 ? out : o.out.start;
      std::size_t done = count;
      switch (o.kind) {
        case Operation::Kind::dyad:
          done = o.dyad(to, o.atom_left ? o.atom : o.w.at_place(place), o.atom_right ? o.atom : o.x.at_place(place), count);
          break;
        case Operation::Kind::monad: done = o.monad(to, o.x.at_place(place), count); break;
        case Operation::Kind::expand:
          kernels::convert().expand[at(o.out.type)](to, reinterpret_cast<const std::uint64_t*>(o.x.at_place(place)), 0, count);
          break;
        case Operation::Kind::choose:
          kernels::convert().choose[at(o.out.type)](to, reinterpret_cast<const std::uint64_t*>(o.x.at_place(place)), count,
                                                    o.atom, o.other);
          break;
        case Operation::Kind::dot: products_ = kernels::dot_i8(o.w.at_place(place), o.x.at_place(place), count); break;
        case Operation::Kind::range: kernels::convert().range[lane_of(o.out.type)](to, static_cast<double>(place), count); break;
      }
      if (done != count) return o.node;
    }
    return -1;
  }
  // Makes a plan with the next wider kernel for a node, and the narrowest for those after it. False where there is none.
  bool widen(int node) {
    attempts_[node]++;
    for (std::size_t i = static_cast<std::size_t>(node) + 1; i < expression_.nodes.size(); i++) attempts_[i] = 0;
    return plan();
  }

  Ref<Array> make_result() const {
    return shaped_ != nullptr ? make_like(cx_.heap, result_.type, *shaped_) : make_list(cx_.heap, result_.type, length_);
  }
  Value store() {
    Ref<Array> result = make_result();
    for (std::size_t place = 0, blocks = 0; place < length_;) {
      if ((++blocks & 63) == 0) cx_.check_interrupt();
      const std::size_t count = std::min(block_, length_ - place);
      const int misfit = compute(place, count, result->data + bytes_at(result_.type, place));
      if (misfit < 0) {
        place += count;
        continue;
      }
      const ElementType before = result_.type;
      if (!widen(misfit)) return Value();
      if (result_.type == before) continue;
      Ref<Array> wider = make_result();
      if (place != 0) {
        const kernels::Monad convert = kernels::convert().widen[at(before)][at(result_.type)];
        if (convert == nullptr) return Value();
        convert(wider->data, result->data, place);
      }
      result = std::move(wider);
    }
    const PrimitiveFunctionEntry* last = expression_.nodes.back().function;
    const bool rounded = last->glyph == U'⌊' || last->glyph == U'⌈';
    return rounded ? packed_if_boolean(cx_.heap, to_value(std::move(result))) : to_value(std::move(result));
  }

  Value sum_of_range() const {
    const double n = static_cast<double>(length_), sum = n * (n - 1) / 2;
    return expression_.sink == Sink::sum && expression_.sources[static_cast<std::size_t>(expression_.nodes.back().x)].range &&
                   sum <= exact_limit
               ? Value(sum)
               : Value();
  }

  // Sums of doubles run from the right, block by block; all else in the direction in which memory is read fastest.
  Value fold() {
    double so_far = 0;
    bool decided = false;
    for (std::size_t done = 0, blocks = 0; done < length_ && !decided;) {
      if ((++blocks & 63) == 0) cx_.check_interrupt();
      const bool backward = result_.type == ElementType::f64;
      // Results may turn out to be doubles only while the direction does not matter yet.
      if (backward != backward_ && done != 0) return Value();
      backward_ = backward;
      const std::size_t place = backward ? (length_ - done - 1) / block_ * block_ : done;
      const std::size_t count = std::min(block_, backward ? length_ - done - place : length_ - place);
      if (const int misfit = compute(place, count, nullptr); misfit >= 0) {
        if (!widen(misfit)) return Value();
        continue;
      }
      if (!add_block(result_.start, count, done != 0, so_far, decided)) return Value();
      done += count;
    }
    return expression_.sink == Sink::mean ? Value(so_far / static_cast<double>(length_)) : Value(so_far);
  }
  // Folds a block onto those before it. False where the ordinary way must do it.
  bool add_block(const std::uint8_t* block, std::size_t count, bool begun, double& so_far, bool& decided) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(block);
    const auto* doubles = reinterpret_cast<const double*>(block);
    const ElementType type = result_.type;
    if (!is_number(type)) return false;
    switch (expression_.sink) {
      case Sink::sum:
      case Sink::mean:
        if (type == ElementType::bit) {
          so_far += static_cast<double>(kernels::bool_fold().count(words, count, 0));
        } else if (type != ElementType::f64) {
          if (std::fabs(so_far) > exact_limit / 2) return false;
          so_far += sums_products_ ? static_cast<double>(products_)
                                   : static_cast<double>(kernels::reduce().sum[lane_of(type)](block, count));
        } else if (begun) {
          so_far = kernels::ordered_sum().from_right(doubles, count, so_far);
        } else {
          so_far = kernels::ordered_sum().from_right(doubles, count - 1, doubles[count - 1]);
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
      case Sink::elements: break;
    }
    return false;
  }
  bool extend(const std::uint8_t* block, std::size_t count, bool begun, double& so_far) {
    if (result_.type == ElementType::bit) return false;
    const bool least = expression_.sink == Sink::least;
    const int lane = lane_of(result_.type);
    alignas(8) unsigned char best[8];
    (least ? kernels::reduce().minimum : kernels::reduce().maximum)[lane](best, block, count);
    const double found = with_type(result_.type, [&](auto tag) -> double {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_arithmetic_v<T>) {
        T t;
        std::memcpy(&t, best, sizeof t);
        return static_cast<double>(t);
      } else {
        return 0;
      }
    });
    if (!begun)
      so_far = found;
    else if (found != found || so_far != so_far)
      so_far = NAN;
    else
      so_far = least ? std::min(found, so_far) : std::max(found, so_far);
    return true;
  }

  Context& cx_;
  const FusedExpression& expression_;
  Elements sources_[FusedExpression::most_sources];
  const Array* shaped_ = nullptr;
  std::size_t length_ = 0;
  Ref<Array> scratch_;
  int uses_[most_buffers] = {};  // reads to come of each buffer
  int attempts_[FusedExpression::most_nodes] = {};
  Operation operations_[most_operations];
  int count_ = 0;
  unsigned widest_ = 1;
  std::size_t block_ = 0;
  bool backward_ = false;
  bool sums_products_ = false;  // of the last operation: the results are not made
  std::int64_t products_ = 0;   // of a block
  Elements result_;
};

}  // namespace

Value evaluate(Context& cx, const FusedExpression& e, std::span<const Value* const> sources) {
  return Evaluation(cx, e).run(sources);
}

}  // namespace griddle
