// Calls a function with one element after the other.
#pragma once

#include "runtime/value/function.h"
#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

// As Caller does, but folds and scans remember from one element to the next which kernel served.
class ElementCaller {
 public:
  ElementCaller(Context& cx, const Value& f) : cx_(cx), caller_(cx, f) {
    if (cx.device != nullptr || !f.is_function() || f.function().kind != ObjectKind::derived) return;
    if (const Derived& d = static_cast<const Derived&>(f.function()); d.direct != nullptr) direct_ = &d;
  }
  Value operator()(Value x) {
    Value result = directly(x);
    return result.is_absent() ? caller_(std::move(x)) : result;
  }
  // With an element that its array keeps, and which may not be taken over.
  Value on_kept(const Value& x) {
    if (direct_ == nullptr) return caller_.on_kept(x);
    const Value held = x;
    Value result = directly(held);
    return result.is_absent() ? caller_.on_kept(x) : result;
  }

 private:
  Value directly(const Value& x) {
    if (direct_ == nullptr || !x.is_array()) return Value();
    if (recent_.function == reinterpret_cast<std::uintptr_t>(direct_->kernels))
      if (const std::uint64_t result = recent_.compute(cx_, x.bits(), recent_); result != Value::absent_bits)
        return Value::from_bits(result);
    return Value::from_bits(direct_->direct(cx_, *direct_, x, &recent_));
  }

  Context& cx_;
  Caller caller_;
  const Derived* direct_ = nullptr;
  RecentMonad recent_;
};

}  // namespace griddle::primitives
