#pragma once

#include <optional>

#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

// As Caller does, but primitives, alone or with data bound to them, folds and scans remember from one element to the next what
// served.
class ElementCaller {
 public:
  ElementCaller(Context& cx, const Value& f) : cx_(cx), caller_(cx, f) {
    if (uses_device(cx) || cx.observer != nullptr || !f.is_function()) return;
    if (f.function().kind == ObjectKind::primitive_function) remember(f);
    if (f.function().kind != ObjectKind::derived) return;
    const Derived& d = static_cast<const Derived&>(f.function());
    if (d.direct != nullptr) direct_ = &d;
    if (combinator_of(d.modifier) == Combinator::before) bind(d.g, d.f, true);
    if (combinator_of(d.modifier) == Combinator::after) bind(d.f, d.g, false);
  }
  Value operator()(Value x) {
    if (entry_ != nullptr) {
      if (const std::uint64_t result = again(x.bits()); result != Value::absent_bits) return Value::from_bits(result);
      if (data_ == nullptr) return Value::from_bits(entry_->monad(cx_, x.leak(), {&recent_, true}));
      return data_left_ ? dyad(data_->bits(), x.leak(), given_x) : dyad(x.leak(), data_->bits(), given_w);
    }
    Value result = directly(x);
    return result.is_absent() ? caller_(std::move(x)) : result;
  }
  Value operator()(Value w, Value x) {
    // What ∾ is given may grow where it is.
    if (entry_ == nullptr || data_ != nullptr || is_join(*entry_)) return caller_(std::move(w), std::move(x));
    if (const std::uint64_t result = again(w.bits(), x.bits()); result != Value::absent_bits) return Value::from_bits(result);
    return dyad(w.leak(), x.leak(), given_both);
  }
  // With an element that its array keeps, and which may not be taken over.
  [[gnu::always_inline]] Value on_kept(const Value& x) {
    if (const std::uint64_t result = again(x.bits()); result != Value::absent_bits) return Value::from_bits(result);
    return anew(x);
  }
  [[gnu::always_inline]] Value on_kept(const Value& w, const Value& x) {
    if (data_ == nullptr)
      if (const std::uint64_t result = again(w.bits(), x.bits()); result != Value::absent_bits) return Value::from_bits(result);
    return anew(w, x);
  }
  // Give the bits of what a primitive gives by what served the last time; those of the absent value where that does not serve.
  [[gnu::always_inline]] std::uint64_t again(std::uint64_t x) {
    if (data_ != nullptr) return data_left_ ? again(data_->bits(), x) : again(x, data_->bits());
    return entry_ != nullptr && recent_.entry == entry_ ? recent_.compute(cx_, x, recent_) : Value::absent_bits;
  }
  [[gnu::always_inline]] std::uint64_t again(std::uint64_t w, std::uint64_t x) {
    return site_ && site_->entry == entry_ ? site_->compute(cx_, w, x, *site_) : Value::absent_bits;
  }

 private:
  void remember(const Value& primitive) { entry_ = &primitive_entry_of(primitive.function()); }
  void bind(const Value& f, const Value& data, bool left) {
    if (data.is_operation() || !f.is_function() || f.function().kind != ObjectKind::primitive_function) return;
    remember(f);
    data_ = &data;
    data_left_ = left;
  }
  // The same where nothing that is remembered serves.
  [[gnu::noinline]] Value anew(const Value& x) {
    if (entry_ != nullptr) {
      if (data_ == nullptr) return Value::from_bits(entry_->monad(cx_, x.bits(), {&recent_, false}));
      return data_left_ ? dyad(data_->bits(), x.bits(), given_none) : dyad(x.bits(), data_->bits(), given_none);
    }
    if (direct_ == nullptr) return caller_.on_kept(x);
    const Value held = x;
    Value result = directly(held);
    return result.is_absent() ? caller_.on_kept(x) : result;
  }
  [[gnu::noinline]] Value anew(const Value& w, const Value& x) {
    if (entry_ == nullptr || data_ != nullptr) return caller_.on_kept(w, x);
    return dyad(w.bits(), x.bits(), given_none);
  }
  Value dyad(std::uint64_t w, std::uint64_t x, std::uint32_t given) {
    cx_.check_stack();
    if (!site_) site_.emplace();
    return Value::from_bits(call_dyad(cx_, *entry_, w, x, {&*site_, given}));
  }
  Value directly(const Value& x) {
    if (direct_ == nullptr || !x.is_array()) return Value();
    if (direct_->kernels != nullptr && recent_.function == reinterpret_cast<std::uintptr_t>(direct_->kernels))
      if (const std::uint64_t result = recent_.compute(cx_, x.bits(), recent_); result != Value::absent_bits)
        return Value::from_bits(result);
    return Value::from_bits(direct_->direct(cx_, *direct_, x, &recent_));
  }

  Context& cx_;
  Caller caller_;
  const Derived* direct_ = nullptr;
  RecentMonad recent_;
  // Where the function is a primitive, or one with data.
  const PrimitiveFunctionEntry* entry_ = nullptr;
  const Value* data_ = nullptr;
  bool data_left_ = false;
  std::optional<RecentDyad> site_;
};

}  // namespace griddle::primitives
