// Calls a function with one element after the other.
#pragma once

#include "primitives/common/pervasive.h"
#include "runtime/value/function.h"
#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

// As Caller does, but remembers from one element to the next which way of a primitive served, or which kernel of a fold or scan:
// as a call site does. So lists of lists need no loops of their own for what primitives do to short lists.
class ElementCaller {
 public:
  ElementCaller(Context& cx, const Value& f) : cx_(cx), caller_(cx, f) {
    const ObjectKind kind = f.is_function() ? f.function().kind : ObjectKind::block_function;
    if (kind == ObjectKind::block_function || cx.device != nullptr || cx.observer != nullptr) return;
    entry_ = primitive_entry(f);
    if (kind != ObjectKind::derived) return;
    if (const Derived& d = static_cast<const Derived&>(f.function()); d.direct != nullptr) direct_ = &d;
  }
  [[gnu::always_inline]] Value operator()(Value&& x) {
    if (const std::uint64_t result = remembered(x); result != Value::absent_bits) return Value::from_bits(result);
    return entry_ == nullptr ? caller_(std::move(x)) : Value::from_bits(entry_->monad(cx_, x.leak(), {&recent_, true}));
  }
  // With an element that its array keeps, and which may not be taken over.
  [[gnu::always_inline]] Value on_kept(const Value& x) {
    if (const std::uint64_t result = remembered(x); result != Value::absent_bits) [[likely]]
      return Value::from_bits(result);
    return entry_ == nullptr ? caller_.on_kept(x) : Value::from_bits(entry_->monad(cx_, x.bits(), {&recent_, false}));
  }

 private:
  // Gives the bits of the absent value where nothing is remembered that serves.
  [[gnu::always_inline]] std::uint64_t remembered(const Value& x) {
    if (recent_.entry != nullptr) return recent_.compute(cx_, x.bits(), recent_);
    return direct_ == nullptr || !x.is_array() ? Value::absent_bits : directly(x);
  }
  [[gnu::noinline]] std::uint64_t directly(const Value& x) {
    const Value held = x;  // a list that nobody else holds could be written over
    if (recent_.function == reinterpret_cast<std::uintptr_t>(direct_->kernels))
      if (const std::uint64_t result = recent_.compute(cx_, x.bits(), recent_); result != Value::absent_bits) return result;
    return direct_->direct(cx_, *direct_, x, &recent_);
  }

  Context& cx_;
  Caller caller_;
  const PrimitiveFunctionEntry* entry_ = nullptr;
  const Derived* direct_ = nullptr;
  RecentMonad recent_;  // has no entry but for primitives
};

// The same with pairs of elements, for primitives alone.
class PairCaller {
 public:
  // Tells whether it is for a function.
  static bool remembers(const Context& cx, const Value& f) {
    return cx.device == nullptr && cx.observer == nullptr && primitive_entry(f) != nullptr;
  }
  PairCaller(Context& cx, const Value& f) : cx_(cx), entry_(*primitive_entry(f)) {}
  Value operator()(Value&& w, Value&& x) {
    if (const std::uint64_t result = remembered(w, x); result != Value::absent_bits) return Value::from_bits(result);
    return Value::from_bits(call_dyad(cx_, entry_, w.leak(), x.leak(), {&recent_, given_both}));
  }
  [[gnu::always_inline]] Value on_kept(const Value& w, const Value& x) {
    if (const std::uint64_t result = remembered(w, x); result != Value::absent_bits) [[likely]]
      return Value::from_bits(result);
    return Value::from_bits(call_dyad(cx_, entry_, w.bits(), x.bits(), {&recent_, given_none}));
  }

 private:
  [[gnu::always_inline]] std::uint64_t remembered(const Value& w, const Value& x) {
    return recent_.entry != nullptr ? recent_.compute(cx_, w.bits(), x.bits(), recent_) : Value::absent_bits;
  }

  Context& cx_;
  const PrimitiveFunctionEntry& entry_;
  RecentDyad recent_;
};

}  // namespace griddle::primitives
