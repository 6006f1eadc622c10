// Groups on the device: nobody makes the groups of ⊔ before somebody reads them, for most programs only count or fold each.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "gpu/offload.h"
#include "gpu/on_host.h"
#include "runtime/primitive.h"

namespace griddle::gpu {

namespace {

constexpr double most_groups = 1 << 28;
// Lists from this length on are put in order on the device, unless there are more groups; groups of so many elements on average
// stay there.
constexpr std::size_t ordered_from = 1 << 16, most_ordered_groups = 1 << 24, staying_elements = 1 << 17;
// Shorter groups are copied: they need no more memory than their elements.
constexpr std::size_t copied_bytes = 128;

// The elements of groups, one group after the other; group k begins at starts[k].
struct OrderedGroups {
  Arg elements;
  std::vector<std::size_t> starts;
};

}  // namespace

static Arg group_lengths(Workshop& shop, const Arg& keys, std::size_t count) {
  const void* by = keys->memory();
  Arg d = shop.made(ElementType::i32, count, {0, static_cast<double>(keys->length), true}, "Length");
  void* to = d->allocate();
  shop.run<&griddle_plugin::count_values>(d->maker, plugin_type(keys->type), by, keys->length, 0, count,
                                          static_cast<std::int32_t*>(to));
  return d;
}

static std::optional<OrderedGroups> ordered_groups(Workshop& shop, const Value& keys, const Value& elements, std::size_t count) {
  constexpr const char* maker = "Group";
  try {
    Arg numbers = shop.operand(keys, true);
    const std::size_t n = numbers->length;
    if ((n < ordered_from && !shop.settings().forced) || count > most_ordered_groups) return std::nullopt;
    numbers = shop.in_type(numbers, type_for({-1, static_cast<double>(count - 1), true}), maker);
    const Arg order = graded(shop, numbers, false);
    OrderedGroups groups;
    groups.elements =
        elements.is_absent() ? order : gathered(shop, shop.without_bits(shop.operand(elements, true)), order, n, 1, maker);
    const Arg lengths = group_lengths(shop, numbers, count);
    const Value counts = lengths->on_host();
    groups.starts.resize(count + 1);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; k++) kept += static_cast<std::size_t>(counts.array().as<std::int32_t>()[k]);
    groups.starts[0] = n - kept;  // those of group ¯1 come first
    for (std::size_t k = 0; k < count; k++)
      groups.starts[k + 1] = groups.starts[k] + static_cast<std::size_t>(counts.array().as<std::int32_t>()[k]);
    return groups;
  } catch (const DeviceDeclines&) {
    return std::nullopt;
  }
}

// Gives a group as an array of the device; absent where it is empty or does not fit.
static Value group_there(Workshop& shop, const OrderedGroups& groups, std::size_t k) {
  const std::size_t start = groups.starts[k], n = groups.starts[k + 1] - start;
  if (n == 0) return Value();
  return shop.wrap_list(put_together(shop, {{groups.elements, start, n}}, "Group"));
}

namespace {

// The groups of a list: boxes that are made when somebody reads them.
class Groups final : public RemoteElements {
 public:
  Groups(Context& cx, Value w, Value x, std::size_t count) : cx_(cx), w_(std::move(w)), x_(std::move(x)), count_(count) {}
  std::uint8_t* fetch() override {
    if (made_.is_absent() && rank_of(elements()) <= 1 && in_order()) made_ = cut();
    if (made_.is_absent()) {
      const OnHost on_host(cx_);
      const PrimitiveFunctionEntry& group = entry_of(Glyph::group);
      made_ = w_.is_absent() ? call_primitive(cx_, group, x_) : call_primitive(cx_, group, w_, x_);
    }
    return made_.array().data.get();
  }
  bool are_made() const { return !made_.is_absent(); }
  // Gives the elements, group by group; null where the host makes the groups.
  const OrderedGroups* in_order() {
    Offload* const device = offload();
    if (device != nullptr && !tried_) {
      tried_ = true;
      ordered_ = ordered_groups(device->shop(), keys(), elements(), count_);
    }
    return device != nullptr && ordered_ ? &*ordered_ : nullptr;
  }
  const Value& keys() const { return w_.is_absent() ? x_ : w_; }
  // Absent where the groups are of places.
  Value elements() const { return w_.is_absent() ? Value() : x_; }
  void trace(ObjectVisitor& visitor) override {
    for (const Value* v : {&w_, &x_, &made_}) visitor.visit(*v);
  }
  void clear() override { w_ = x_ = made_ = Value(); }

 private:
  Offload* offload() const { return dynamic_cast<Offload*>(cx_.device); }
  Value cut() const {
    Offload& device = *offload();
    const std::vector<std::size_t>& starts = ordered_->starts;
    Ref<Array> boxes = make_list(cx_.heap, ElementType::boxed, count_);
    const bool stay = (starts[count_] - starts[0]) / count_ >= staying_elements;
    const Value all = stay ? Value() : ordered_->elements->on_host();
    const ElementType type = ordered_->elements->type;
    const std::size_t width = bits_of(type) / 8;
    for (std::size_t k = 0; k < count_; k++) {
      if (k % 65536 == 0) cx_.check_interrupt();
      const std::size_t n = starts[k + 1] - starts[k];
      Value group;
      if (stay) {
        group = device.on_device("Group", [&](Workshop& shop) { return group_there(shop, *ordered_, k); });
      } else if (n * width <= copied_bytes) {
        Ref<Array> one = make_list(cx_.heap, type, n);
        if (n > 0) std::memcpy(one->data, all.array().data + starts[k] * width, n * width);
        group = to_value(std::move(one));
      }
      boxes->as<Value>()[k] = group.is_absent() ? slice(cx_.heap, ordered_->elements->on_host(), starts[k], n) : std::move(group);
    }
    return to_value(std::move(boxes));
  }

  Context& cx_;
  Value w_, x_, made_;
  std::size_t count_;
  bool tried_ = false;
  std::optional<OrderedGroups> ordered_;
};

Groups* groups_of(const Value& v) {
  if (!v.is_array() || v.array().type() != ElementType::boxed || !v.array().data.elsewhere()) return nullptr;
  return dynamic_cast<Groups*>(static_cast<NativeObject*>(v.array().owner()));
}

}  // namespace

// Folds the columns of groups of rows: a table with a row for each, as boxes.
static Value fold_row_groups(Workshop& shop, griddle_fold f, const Arg& keys, const Arg& rows, std::size_t count) {
  constexpr std::size_t most_results = 1 << 20;
  const std::size_t across = rows->length / keys->length;
  if (rows->length > most_places || count > most_results / across) return Value();
  const double width = static_cast<double>(across), most = width * static_cast<double>(count) - 1;
  const Bounds low{-width, most, true};
  const Arg first = shop.linked({griddle_multiply, keys, {}, width, false, true}, low, keys->length, "Insert");
  const Arg places = shop.linked(
      {griddle_add, shop.spread(first, across, 0, rows->length), shop.spread(counted_up(shop, across), 1, across, rows->length)},
      {-width, most, true}, rows->length, "Insert");
  const void* const by = places->memory();
  const void* const numbers = rows->memory();
  Arg d = shop.made(ElementType::f64, across * count, unbounded, "Insert");
  double* const to = static_cast<double*>(d->allocate());
  shop.run<&griddle_plugin::fold_values>(d->maker, f, plugin_type(places->type), by, plugin_type(rows->type), numbers,
                                         rows->length, 0, across * count, to);
  // A few numbers, which nobody here computes with.
  const ComputingHere read(shop.cx(), nullptr);
  const Value all = d->on_host();
  Ref<Array> boxes = make_list(shop.cx().heap, ElementType::boxed, count);
  for (std::size_t k = 0; k < count; k++) boxes->as<Value>()[k] = slice(shop.cx().heap, all, k * across, Shape{across});
  return to_value(std::move(boxes));
}

// What joins groups, or picks one, needs no others.
Value of_groups(Workshop& shop, Glyph glyph, const Value& w, const Value& x) {
  Groups* groups = groups_of(x);
  if (groups == nullptr || groups->are_made()) return Value();
  const std::size_t count = x.array().length;
  std::int64_t at = 0;
  if (glyph == Glyph::pick && !w.is_absent()) {
    if (!w.is_number() || !w.to_integer(at)) return Value();
    if (at < 0) at += static_cast<std::int64_t>(count);
    if (at < 0 || at >= static_cast<std::int64_t>(count)) return Value();
  } else if ((glyph != Glyph::pick && glyph != Glyph::join) || !w.is_absent()) {
    return Value();
  }
  const OrderedGroups* ordered = rank_of(groups->elements()) > 1 ? nullptr : groups->in_order();
  if (ordered == nullptr) return Value();
  if (glyph == Glyph::pick) return group_there(shop, *ordered, static_cast<std::size_t>(at));
  const std::size_t start = ordered->starts[0];
  return shop.wrap_list(start == 0 ? ordered->elements
                                   : put_together(shop, {{ordered->elements, start, ordered->starts[count] - start}}, "Join"));
}

// Groups x by w, or where x is absent the places of w.
Value grouped(Workshop& shop, const Value& w, const Value& x) {
  const bool send = shop.forced() || shop.resident(w) || (!x.is_absent() && shop.resident(x));
  Arg keys = shop.operand(w, send);
  if (!keys || keys->length > most_places) return Value();
  const Arg whole = integers(shop, keys, "Group");
  if (!whole) return Value();
  const Value by = whole.get() == keys.get() ? w : shop.wrap_list(whole);
  keys = whole;
  Arg elements;
  if (!x.is_absent()) {
    elements = shop.operand(x, send);
    if (!elements || x.array().cells() != keys->length) return Value();
  }
  if (keys->bounds.low < -1 && folded(shop, griddle_fold_minimum, keys, "Group") < -1) return Value();
  const double most = folded(shop, griddle_fold_maximum, keys, "Group");
  if (most < 0 || most >= most_groups) return Value();
  const std::size_t count = static_cast<std::size_t>(most) + 1;
  const ElementType type = x.is_absent() ? ElementType::i8 : elements->type;
  Shape none{0};
  if (!x.is_absent()) none.append(shape_of(x).subspan(1));
  Value empty = to_value(make_array(shop.cx().heap, type, none));
  Ref<RemoteElements> groups(
      make_native<Groups>(shop.cx().heap, shop.cx(), x.is_absent() ? Value() : by, x.is_absent() ? by : x, count).leak());
  return to_value(make_remote_boxes(shop.cx().heap, std::move(groups), count, empty));
}

Value Offload::fold_groups(Context&, Glyph glyph, const Value& x) {
  const Groups* groups = groups_of(x);
  if (groups == nullptr) return Value();
  return on_device("Each", [&](Workshop& shop) -> Value {
    Arg keys = shop.without_bits(shop.operand(groups->keys(), true));
    const std::size_t count = x.array().length;
    const double n = static_cast<double>(keys->length);
    if (glyph == Glyph::not_equal) {
      Arg lengths = group_lengths(shop, keys, count);
      if (rank_of(groups->elements()) <= 1) return shop.wrap_list(std::move(lengths));
      const ComputingHere read(shop.cx(), nullptr);  // they meet boxes
      return lengths->on_host();
    }
    const Value shown = groups->elements();
    if (glyph == Glyph::pick) {
      const Arg firsts = first_places(shop, keys, {0, count});
      if (rank_of(shown) > 1 || folded(shop, griddle_fold_maximum, firsts, "First") == n) return Value();  // some are empty
      return shop.wrap_list(shown.is_absent() ? firsts
                                              : gathered(shop, shop.operand(shown, true), firsts, keys->length, 1, "First"));
    }
    const std::optional<griddle_fold> f = fold_for(glyph, false);
    if (!f || f == griddle_fold_multiply) return Value();
    Arg elements = shown.is_absent() ? counted_up(shop, keys->length) : shop.operand(shown, true);
    if (!elements || !is_number(elements->type) || (f == griddle_fold_add && !may_reorder(shop, *elements))) return Value();
    elements = shop.without_bits(std::move(elements));
    if (rank_of(shown) > 1) return fold_row_groups(shop, *f, keys, elements, count);
    const Bounds& b = elements->bounds;
    // Groups may be empty: their folds are the identity.
    const Bounds r = f == griddle_fold_add ? sane({std::min(0.0, b.low * n), std::max(0.0, b.high * n), b.integral}) : unbounded;
    const void* by = keys->memory();
    const void* numbers = elements->memory();
    Arg d = shop.made(ElementType::f64, count, r, "Fold");
    void* to = d->allocate();
    shop.run<&griddle_plugin::fold_values>(d->maker, *f, plugin_type(keys->type), by, plugin_type(elements->type), numbers,
                                           keys->length, 0, count, static_cast<double*>(to));
    return shop.wrap_list(std::move(d));
  });
}

// Counts how often each natural number up to the largest occurs: what /⁼ gives.
static Value counted(Workshop& shop, const Arg& numbers) {
  const Arg x = numbers->length > most_places ? Arg() : integers(shop, numbers, "Undo of Indices");
  if (!x) return Value();
  if (x->bounds.low < 0 && folded(shop, griddle_fold_minimum, x, "Undo of Indices") < 0) return Value();
  const double most = folded(shop, griddle_fold_maximum, x, "Undo of Indices");
  if (most >= most_groups) return Value();
  Arg keys = shop.without_bits(x);
  const void* from = keys->memory();
  const std::size_t count = static_cast<std::size_t>(most) + 1;
  Arg d = shop.made(ElementType::i32, count, {0, static_cast<double>(x->length), true}, "Undo of Indices");
  void* to = d->allocate();
  shop.run<&griddle_plugin::count_values>(d->maker, plugin_type(keys->type), from, keys->length, 0, count,
                                          static_cast<std::int32_t*>(to));
  return shop.wrap_list(std::move(d));
}

Value Offload::undo(Context&, Glyph glyph, const Value& x) {
  return on_device("Undo", [&](Workshop& shop) -> Value {
    if (glyph != Glyph::replicate || rank_of(x) != 1) return Value();
    Arg a = shop.operand(x);
    return a && is_number(a->type) ? counted(shop, a) : Value();
  });
}

}  // namespace griddle::gpu
