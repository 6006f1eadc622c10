// Groups on the device: nobody makes the groups of ⊔ before somebody reads them, for most programs only count or fold each.
#include <algorithm>
#include <limits>
#include <utility>

#include "gpu/offload.h"
#include "gpu/on_host.h"
#include "runtime/primitive.h"

namespace griddle {

namespace {

constexpr double most_groups = 1 << 28;

// The groups of a list: boxes that the host makes when it reads them.
class Groups final : public RemoteElements {
 public:
  Groups(Context& cx, Value w, Value x) : cx_(cx), w_(std::move(w)), x_(std::move(x)) {}
  std::uint8_t* fetch() override {
    if (made_.is_absent()) {
      const OnHost on_host(cx_);
      const PrimitiveFunctionEntry& group = primitive_table().functions[static_cast<std::size_t>(primitive_index(U'⊔'))];
      made_ = w_.is_absent() ? group.monad(cx_, x_) : group.dyad(cx_, w_, x_);
    }
    return made_.array().data.get();
  }
  const Value& keys() const { return w_.is_absent() ? x_ : w_; }
  // Absent where the groups are of places.
  Value elements() const { return w_.is_absent() ? Value() : x_; }
  void trace(ObjectVisitor& visitor) override {
    for (const Value* v : {&w_, &x_, &made_}) visitor.visit(*v);
  }
  void clear() override { w_ = x_ = made_ = Value(); }

 private:
  Context& cx_;
  Value w_, x_, made_;
};

const Groups* groups_of(const Value& v) {
  if (!v.is_array() || v.array().type() != ElementType::boxed || !v.array().data.elsewhere()) return nullptr;
  return dynamic_cast<const Groups*>(static_cast<const NativeObject*>(v.array().owner()));
}

}  // namespace

// Groups x by w, or where x is absent the places of w.
Value Offload::grouped(const Value& w, const Value& x) {
  const bool send = settings_.forced || resident(w) || (!x.is_absent() && resident(x));
  Arg keys = operand(w, send);
  if (!keys || !keys->bounds.integral || keys->length > most_places || keys->type == ElementType::f64) return Value();
  Arg elements;
  if (!x.is_absent()) {
    elements = operand(x, send);
    if (!elements || elements->length != keys->length) return Value();
  }
  if (keys->bounds.low < -1 && folded(griddle_fold_minimum, keys, "Group") < -1) return Value();
  const double most = folded(griddle_fold_maximum, keys, "Group");
  if (most < 0 || most >= most_groups) return Value();
  const std::size_t count = static_cast<std::size_t>(most) + 1;
  const ElementType type = x.is_absent() ? ElementType::i8 : elements->type;
  Value empty = to_value(make_list(state_->cx.heap, type, 0));
  Ref<RemoteElements> groups(
      make_native<Groups>(state_->cx.heap, state_->cx, x.is_absent() ? Value() : w, x.is_absent() ? w : x).leak());
  return to_value(make_remote_boxes(state_->cx.heap, std::move(groups), count, empty));
}

Value Offload::fold_groups(Context&, char32_t glyph, const Value& x) {
  const Groups* groups = groups_of(x);
  if (groups == nullptr) return Value();
  return on_device([&]() -> Value {
    Arg keys = without_bits(operand(groups->keys(), true));
    const std::size_t count = x.array().length;
    const double n = static_cast<double>(keys->length);
    const auto& plugin = state_->plugin();
    const void* by = keys->memory();
    if (glyph == U'≠') {
      Arg d = made(ElementType::i32, count, {0, n, true}, "Length");
      void* to = d->allocate();
      state_->check(plugin.count_values(state_->device(), plugin_type(keys->type), by, keys->length, 0, count,
                                        static_cast<std::int32_t*>(to)),
                    d->maker);
      return wrap_list(std::move(d));
    }
    const std::optional<griddle_fold> f = fold_for(glyph, false);
    if (!f || f == griddle_fold_multiply) return Value();
    const Value shown = groups->elements();
    Arg elements = shown.is_absent() ? counted_up(keys->length) : operand(shown, true);
    if (!elements || !is_number(elements->type) || (f == griddle_fold_add && !may_reorder(*elements))) return Value();
    elements = without_bits(std::move(elements));
    const Bounds& b = elements->bounds;
    // Groups may be empty: their folds are the identity.
    const Bounds unknown{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), false};
    const Bounds r = f == griddle_fold_add ? sane({std::min(0.0, b.low * n), std::max(0.0, b.high * n), b.integral}) : unknown;
    const void* numbers = elements->memory();
    Arg d = made(ElementType::f64, count, r, "Fold");
    void* to = d->allocate();
    state_->check(plugin.fold_values(state_->device(), *f, plugin_type(keys->type), by, plugin_type(elements->type), numbers,
                                     keys->length, 0, count, static_cast<double*>(to)),
                  d->maker);
    return wrap_list(std::move(d));
  });
}

// Counts how often each natural number up to the largest occurs: what /⁼ gives.
Value Offload::counted(const Arg& x) {
  if (!x->bounds.integral || x->length > most_places || x->type == ElementType::f64) return Value();
  if (x->bounds.low < 0 && folded(griddle_fold_minimum, x, "Undo of Indices") < 0) return Value();
  const double most = folded(griddle_fold_maximum, x, "Undo of Indices");
  if (most >= most_groups) return Value();
  Arg keys = without_bits(x);
  const void* from = keys->memory();
  const std::size_t count = static_cast<std::size_t>(most) + 1;
  Arg d = made(ElementType::i32, count, {0, static_cast<double>(x->length), true}, "Undo of Indices");
  void* to = d->allocate();
  state_->check(state_->plugin().count_values(state_->device(), plugin_type(keys->type), from, keys->length, 0, count,
                                              static_cast<std::int32_t*>(to)),
                d->maker);
  return wrap_list(std::move(d));
}

Value Offload::undo(Context&, char32_t glyph, const Value& x) {
  return on_device([&]() -> Value {
    if (glyph != U'/' || rank_of(x) != 1) return Value();
    Arg a = operand(x, settings_.forced);
    return a && is_number(a->type) ? counted(a) : Value();
  });
}

}  // namespace griddle
