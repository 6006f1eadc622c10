// ˙ ˜ ∘ ○ ⊸ ⟜ ⊘ ◶ ⍟ ⎊: modifiers that only decide which function meets which argument.
#include <algorithm>

#include "primitives/common/at_hand.h"
#include "primitives/common/indexing.h"
#include "primitives/folds/fold.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "runtime/value/heap_memory.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {
namespace {

const Derived& derived(const Function& self) { return static_cast<const Derived&>(self); }

// Computes with numbers where calls take longer than all else.
template <class... Arguments>
Value call_quickly(Context& cx, const Value& f, Arguments... arguments) {
  if (const double v = on_numbers(f, arguments...); v == v) return v;
  return call(cx, f, std::move(arguments)...);
}

// Calls an operand on arguments that are needed again. A constant gives itself and leaves them alone, so that they stay with one
// holder and may be reused in place.
template <class... Arguments>
Value call_keeping(Context& cx, const Value& f, const Arguments&... arguments) {
  if (f.is_function()) return call_quickly(cx, f, arguments...);
  return f.is_modifier() ? call_other(cx, f) : f;
}

}  // namespace

// --- ˙ ˜

Value constant_monad(Context&, const Function& self, Value) { return derived(self).f; }
Value constant_dyad(Context&, const Function& self, Value, Value) { return derived(self).f; }

Value swap_monad(Context& cx, const Function& self, Value x) {
  Value w = x;
  return call(cx, derived(self).f, std::move(w), std::move(x));
}
Value swap_dyad(Context& cx, const Function& self, Value w, Value x) {
  return call(cx, derived(self).f, std::move(x), std::move(w));
}

// --- ∘ ○

// Most operands are functions, which needs no look at each call; the stack is checked once.
void attach_atop(Context&, Derived& d) { d.b = d.f.is_function() && d.g.is_function(); }

template <class... Arguments>
static Value atop(Context& cx, const Function& self, Arguments... arguments) {
  const Derived& d = derived(self);
  if (!d.b) return call(cx, d.f, call(cx, d.g, std::move(arguments)...));
  cx.check_stack();
  return call_part(cx, d.f.function(), call_part(cx, d.g.function(), std::move(arguments)...));
}
Value atop_monad(Context& cx, const Function& self, Value x) { return atop(cx, self, std::move(x)); }
Value atop_dyad(Context& cx, const Function& self, Value w, Value x) { return atop(cx, self, std::move(w), std::move(x)); }

Value over_monad(Context& cx, const Function& self, Value x) { return atop(cx, self, std::move(x)); }
Value over_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Derived& d = derived(self);
  Value right = call(cx, d.g, std::move(x));
  Value left = call(cx, d.g, std::move(w));
  return call(cx, d.f, std::move(left), std::move(right));
}

// --- ⊸ ⟜

namespace {

void bind(Derived& d, const Value& number, const Value& f, bool right) {
  if (!number.is_number() || !f.is_function() || f.object()->kind != ObjectKind::primitive_function) return;
  d.a = static_cast<std::uint8_t>(static_cast<const PrimitiveFunction&>(f.function()).scalar());
  d.b = right;
}

}  // namespace

void attach_before(Context&, Derived& d) { bind(d, d.f, d.g, false); }
void attach_after(Context&, Derived& d) {
  bind(d, d.g, d.f, true);
  attach_fold_after(d);
}

namespace {

// Tells whether a primitive meets data, which stays where it is.
bool binds(const Value& f, const Value& data) {
  return f.is_function() && f.object()->kind == ObjectKind::primitive_function && !data.is_operation();
}

}  // namespace

Value before_monad(Context& cx, const Function& self, Value x) {
  const Derived& d = derived(self);
  if (binds(d.g, d.f))
    return Value::from_bits(call_dyad(cx, primitive_entry_of(d.g.function()), d.f.bits(), x.leak(), {.given = given_x}));
  Value left = call_keeping(cx, d.f, x);
  return call(cx, d.g, std::move(left), std::move(x));
}
Value before_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Derived& d = derived(self);
  Value left = call(cx, d.f, std::move(w));
  return call(cx, d.g, std::move(left), std::move(x));
}

Value after_monad(Context& cx, const Function& self, Value x) {
  const Derived& d = derived(self);
  if (binds(d.f, d.g))
    return Value::from_bits(call_dyad(cx, primitive_entry_of(d.f.function()), x.leak(), d.g.bits(), {.given = given_w}));
  Value right = call_keeping(cx, d.g, x);
  return call(cx, d.f, std::move(x), std::move(right));
}
Value after_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Derived& d = derived(self);
  Value right = call(cx, d.g, std::move(x));
  return call(cx, d.f, std::move(w), std::move(right));
}

// --- ⊘

Value valences_monad(Context& cx, const Function& self, Value x) { return call(cx, derived(self).f, std::move(x)); }
Value valences_dyad(Context& cx, const Function& self, Value w, Value x) {
  return call(cx, derived(self).g, std::move(w), std::move(x));
}

// --- ◶

namespace {

// Gives the chosen function or value, which stays in its list, where the index is a plain number; absent where it is not.
Bits chosen(const Derived& d, const Value& index) {
  std::int32_t i;
  if (!d.b || !read_integer(index.bits(), i)) return Value::absent_bits;
  const Array& choices = d.g.array();
  const std::size_t k = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(choices.length) : i);
  return k < choices.length && !choices.data.elsewhere() ? element_bits(choices, k) : Value::absent_bits;
}

// Gives what any other index chooses.
Value chosen_by_any(Context& cx, const Derived& d, Value index) {
  const Value& list = d.g;
  if (index.is_atom()) {
    if (!index.is_number()) fail(cx, "Choose: 𝔽 must give an index of a choice (got " + kind_text(index) + ")");
    if (rank_of(list) != 1) fail(cx, "Choose: 𝔾 must be a list where 𝔽 gives a number (got " + value_text(list) + ")");
    if (std::int64_t i; !index.to_integer(i))
      fail(cx, "Choose: 𝔽 must give an integer (got " + number_text(index.number()) + ")");
    const std::size_t count = list.array().length;
    if (index.number() < -static_cast<double>(count) || index.number() >= static_cast<double>(count))
      fail(cx, "Choose: Index out of range (index " + number_text(index.number()) + ", " + std::to_string(count) + " choices)");
  }
  return pick_for(cx, {"Choose", "what 𝔽 gives", "𝔾"}, std::move(index), list);
}

}  // namespace

void attach_choose(Context&, Derived& d) { d.b = d.g.is_array() && d.g.array().is_list(); }

namespace {

template <class... Arguments>
Value choose(Context& cx, const Function& self, Arguments... arguments) {
  const Derived& d = derived(self);
  Value index = call_keeping(cx, d.f, arguments...);
  if (const Bits f = chosen(d, index); f != Value::absent_bits) [[likely]]
    return call_quickly(cx, as_value(f), std::move(arguments)...);
  return call(cx, chosen_by_any(cx, d, std::move(index)), std::move(arguments)...);
}

}  // namespace

Value choose_monad(Context& cx, const Function& self, Value x) { return choose(cx, self, std::move(x)); }
Value choose_dyad(Context& cx, const Function& self, Value w, Value x) { return choose(cx, self, std::move(w), std::move(x)); }

// --- ⍟

namespace {

std::int64_t repeat_count(Context& cx, const Value& count) {
  if (!count.is_number()) fail(cx, "Repeat: counts from 𝔾 must be numbers (got " + kind_text(count) + ")");
  std::int64_t n;
  if (!count.to_integer(n)) fail(cx, "Repeat: counts from 𝔾 must be integers (got " + number_text(count.number()) + ")");
  return n;
}

// Applies f or its inverse |n| times.
Value applied_times(Context& cx, const Value& f, const Value& w, Value x, std::int64_t n) {
  if (n == 0) return x;
  Caller caller(cx, f);
  for (; n > 0; n--) {
    cx.step();
    x = w.is_absent() ? caller(std::move(x)) : caller(w, std::move(x));
  }
  for (; n < 0; n++) {
    cx.step();
    x = w.is_absent() ? undo_call(cx, f, std::move(x)) : undo_call(cx, f, w, std::move(x));
  }
  return x;
}

void collect_counts(Context& cx, const Value& counts, HeapVector<std::int64_t>& found) {
  cx.check_stack();
  if (counts.is_atom()) {
    found.push_back(repeat_count(cx, counts));
    return;
  }
  const Array& a = counts.array();
  if (a.type() == ElementType::bit) {
    if (kernels::count_ones(a.as<std::uint64_t>(), a.length) != 0) found.push_back(1);
    return;
  }
  for (std::size_t i = 0; i < a.length; i++) collect_counts(cx, element(a, i), found);
}

struct RepeatResults {
  explicit RepeatResults(Heap& heap) : counts(heap), values(heap) {}
  HeapVector<std::int64_t> counts;  // ascending, each once, with 0
  HeapVector<Value> values;
  const Value& at(std::int64_t n) const {
    // Counts without gaps, the common case, need no search.
    std::size_t guess = static_cast<std::size_t>(n - counts.front());
    if (guess < counts.size() && counts[guess] == n) return values[guess];
    return values[static_cast<std::size_t>(std::lower_bound(counts.begin(), counts.end(), n) - counts.begin())];
  }
};

Value spread_results(Context& cx, const Value& counts, const RepeatResults& results) {
  cx.check_stack();
  if (counts.is_atom()) return results.at(repeat_count(cx, counts));
  const Array& a = counts.array();
  if (a.length == 0) return with_fill(cx.heap, counts, Value());
  ArrayBuilder builder(cx.heap, a.length);
  if (a.type() == ElementType::bit) {
    for (std::size_t i = 0; i < a.length; i++) {
      if (i % 4096 == 0) cx.check_interrupt();
      builder.push(results.at(a.bit(i)));
    }
    return builder.finish(a.shape());
  }
  for (std::size_t i = 0; i < a.length; i++) builder.push(spread_results(cx, element(a, i), results));
  return builder.finish(a.shape());
}

// Tells whether counts go up one by one from a natural number.
bool goes_up_by_one(const Array& a) {
  if (a.type() < ElementType::i8 || a.type() > ElementType::i32 || a.length < 2 || number_at(a, 0) < 0) return false;
  for (std::size_t i = 1; i < a.length; i++)
    if (number_at(a, i) != number_at(a, i - 1) + 1) return false;
  return true;
}

// Gives the result of each application from the first count on.
Value successive_results(Context& cx, const Value& f, const Array& counts, const Value& w, Value x) {
  x = applied_times(cx, f, w, std::move(x), static_cast<std::int64_t>(number_at(counts, 0)));
  ArrayBuilder builder(cx.heap, counts.length);
  builder.push(x);
  Caller caller(cx, f);
  for (std::size_t i = 1; i < counts.length; i++) {
    cx.step();
    x = w.is_absent() ? caller(std::move(x)) : caller(w, std::move(x));
    builder.push(x);
  }
  return builder.finish(counts.shape());
}

// Most counts are conditions.
inline bool is_condition(const Value& counts) { return counts.is_number() && (counts.number() == 0 || counts.number() == 1); }

Value repeat(Context& cx, const Value& f, const Value& counts, const Value& w, Value x) {
  if (counts.is_atom()) return applied_times(cx, f, w, std::move(x), repeat_count(cx, counts));
  if (goes_up_by_one(counts.array())) return successive_results(cx, f, counts.array(), w, std::move(x));
  RepeatResults results(cx.heap);
  results.counts.push_back(0);
  collect_counts(cx, counts, results.counts);
  if (!std::is_sorted(results.counts.begin(), results.counts.end())) std::sort(results.counts.begin(), results.counts.end());
  results.counts.erase(std::unique(results.counts.begin(), results.counts.end()), results.counts.end());
  std::size_t n = results.counts.size();
  std::size_t zero =
      static_cast<std::size_t>(std::lower_bound(results.counts.begin(), results.counts.end(), 0) - results.counts.begin());
  results.values.resize(n);
  results.values[zero] = std::move(x);
  for (std::size_t i = zero; i > 0; i--)
    results.values[i - 1] = applied_times(cx, f, w, results.values[i], results.counts[i - 1] - results.counts[i]);
  for (std::size_t i = zero + 1; i < n; i++)
    results.values[i] = applied_times(cx, f, w, results.values[i - 1], results.counts[i] - results.counts[i - 1]);
  return spread_results(cx, counts, results);
}

}  // namespace

// `w` is nothing, or one argument.
template <class... Left>
static Value repeated(Context& cx, const Function& self, Value x, Left... w) {
  const Derived& d = derived(self);
  const Value counts = call_keeping(cx, d.g, w..., x);
  if (is_condition(counts)) {
    cx.check_interrupt();
    return counts.number() == 0 ? std::move(x) : call_quickly(cx, d.f, std::move(w)..., std::move(x));
  }
  return repeat(cx, d.f, counts, Value(std::move(w)...), std::move(x));
}
Value repeat_monad(Context& cx, const Function& self, Value x) { return repeated(cx, self, std::move(x)); }
Value repeat_dyad(Context& cx, const Function& self, Value w, Value x) { return repeated(cx, self, std::move(x), std::move(w)); }

// --- ⎊. The handler runs after unwinding has ended, so that its own errors meet no open exception.

namespace {

// Calls f, and `otherwise` if a catchable error ends it. `w` is absent where there is one argument.
template <class Otherwise>
Value with_handler(Context& cx, const Value& f, Value w, Value x, Otherwise otherwise) {
  Value message;
  try {
    Value result = attempt(cx, f, std::move(w), std::move(x), message);
    if (message.is_absent()) {
      cx.check_mapped_files();  // what f read of one that became shorter is its error
      return result;
    }
  } catch (Error& error) {
    if (!error.catchable) throw;
    message = std::move(error.message);
  } catch (OutOfMemory&) {
    message = make_string(cx.heap, std::string_view("Out of memory"));
  }
  CaughtError caught(cx, std::move(message));
  return otherwise();
}

}  // namespace

Value catch_error_monad(Context& cx, const Function& self, Value x) {
  const Derived& d = derived(self);
  return with_handler(cx, d.f, Value(), x, [&] { return call(cx, d.g, std::move(x)); });
}
Value catch_error_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Derived& d = derived(self);
  return with_handler(cx, d.f, w, x, [&] { return call(cx, d.g, std::move(w), std::move(x)); });
}

}  // namespace griddle::primitives
