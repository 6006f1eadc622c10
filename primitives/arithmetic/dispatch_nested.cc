// Dispatch of pervasive functions on arrays of boxes: element by element, in the memory of an argument that nobody else will see.
#include "primitives/arithmetic/dispatch.h"

#include <algorithm>
#include <optional>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/common/element_reader.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/recent_call.h"

namespace griddle::primitives {

namespace {

Value unboxed_if_flat(Context& cx, Value boxed) {
  for (const Value& v : boxed.array().boxes())
    if (!v.is_number() && !v.is_character()) return boxed;
  return narrowed(cx.heap, std::move(boxed));
}

// Tells whether the boxes of an array may be taken out of it, and others put in, because nobody will see it again, not even
// where a later element fails.
bool gives_boxes_away(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.refs == 1 && a.type() == ElementType::boxed && !a.is_view();
}

// Reads the elements of an argument, each of which meets `cell` elements of the other, one after another.
class Meeting {
 public:
  Meeting(const Value& v, std::size_t cell) : value_(v), reader_(v), cell_(cell) {
    if (cell == 1) reader_.take_if_unseen(v);
    boxes_ = !v.is_array() ? &v : v.array().type() == ElementType::boxed ? v.array().boxes().data() : nullptr;
    if (!v.is_array()) cell_ = ~std::size_t{0};
  }
  // Shows the element, which stays where it is. Atoms are read in blocks.
  const Value& here() {
    if (boxes_ != nullptr) return boxes_[place_];
    if (place_ - block_ >= ElementReader::block_size) {
      block_ = place_;
      reader_.read_atoms(place_, value_.array().length, atoms_);
    }
    return reinterpret_cast<const Value&>(atoms_[place_ - block_]);
  }
  // Gives the element, out of an array that nobody else will see.
  Value take() const { return value_.is_array() ? reader_[place_] : value_; }
  void go_on() {
    if (++met_ == cell_) place_++, met_ = 0;
  }

 private:
  const Value& value_;
  ElementReader reader_;
  const Value* boxes_;
  std::size_t cell_, place_ = 0, met_ = 0, block_ = std::size_t{0} - ElementReader::block_size;
  std::uint64_t atoms_[ElementReader::block_size];  // bits of values that own nothing
};

// Computes on lists that stay, by a rule that has a way for them. Lists inside others are often alike: what was done last, with
// whichever arrays, is remembered.
class InnerLists {
 public:
  InnerLists(Context& cx, const DyadRule& rule)
      : cx_(cx), rule_(rule), recent_(cx.inner_lists != nullptr ? *cx.inner_lists : own_.emplace()) {}
  // Gives the bits of the result; those of the absent value where there is no such way.
  std::uint64_t operator()(const Value& w, const Value& x) {
    if (recent_.entry != nullptr && recent_.entry->dyad_rule == &rule_)
      if (const std::uint64_t result = recent_.compute(cx_, w.bits(), x.bits(), recent_); result != Value::absent_bits)
        return result;
    return rule_.lists(cx_, w.bits(), x.bits(), {.site = &recent_});
  }

 private:
  Context& cx_;
  const DyadRule& rule_;
  std::optional<RecentDyad> own_;  // where there is no machine
  RecentDyad& recent_;
};

// An argument of a function that meets few lists: the elements of a short list, or one that meets them all.
class FewElements {
 public:
  // Gives false for what is something else, or has a fill that its first element does not say.
  bool read(const Value& v) {
    if (!v.is_array()) {
      first_ = &v;
      return v.is_number() || v.is_character();
    }
    const Array& a = v.array();
    if (a.rank() > 1 || a.length - 1 >= most_unset_boxes || a.data.elsewhere()) return false;
    count = a.rank() == 1 ? a.length : 0;
    step_ = a.rank();
    if (a.type() != ElementType::boxed) {
      ElementReader(v).read_atoms(0, a.length, atoms_);
      first_ = reinterpret_cast<const Value*>(atoms_);
      return has_plain_fill(a);
    }
    first_ = a.boxes().data();
    is_filled = a.fill_kind() == FillKind::of_first;
    return is_filled || a.fill_kind() == FillKind::none;
  }
  const Value& operator[](std::size_t i) const { return first_[i * step_]; }

  std::size_t count = 0;  // 0 for one that meets all
  bool is_filled = true;

 private:
  const Value* first_ = nullptr;
  std::size_t step_ = 0;
  std::uint64_t atoms_[most_unset_boxes];  // bits of values that own nothing
};

// Gives the bits of what a function makes of an element that stays.
std::uint64_t result_on(Context& cx, const MonadRule& rule, const Value& element) {
  std::uint64_t result = Value::absent_bits;
  if (rule.lists != nullptr && element.is_array()) result = rule.lists(cx, element.bits(), {});
  return result != Value::absent_bits ? result : rule.self(cx, element).leak();
}

// Tells whether results may take the memory of a list inside others, which is worth more than a short way.
bool is_long(const Value& v) { return v.is_array() && v.array().length > longest_recent; }

}  // namespace

Value pervade_few(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  FewElements from_w, from_x;
  if (rule.lists == nullptr || uses_device(cx) || !from_w.read(w) || !from_x.read(x)) return Value();
  const std::size_t length = std::max(from_w.count, from_x.count);
  if (length == 0 || (from_w.count != length && from_w.count != 0) || (from_x.count != length && from_x.count != 0))
    return Value();
  cx.check_stack();
  Ref<Array> results = make_unset_boxes(cx.heap, length);
  std::fill_n(reinterpret_cast<std::uint64_t*>(results->data.here()), length, 0);  // all bits 0 are the number 0
  results->set_fill_kind(from_w.is_filled && from_x.is_filled ? FillKind::of_first : FillKind::none);
  InnerLists on_lists(cx, rule);
  bool has_lists = false;
  for (std::size_t i = 0; i < length; i++) {
    const Value &left = from_w[i], &right = from_x[i];
    const bool of_atoms = !left.is_array() && !right.is_array();
    std::uint64_t result = of_atoms ? rule.atoms(cx, left, right).leak() : on_lists(left, right);
    if (result == Value::absent_bits) {
      if (is_long(left) || is_long(right)) return Value();
      result = rule.self(cx, left, right).leak();
    }
    has_lists |= !of_atoms;
    new (results->as<Value>() + i) Value(Value::from_bits(result));
  }
  return has_lists ? to_value(std::move(results)) : Value();
}

Value pervade_nested(Context& cx, const DyadRule& rule, Value& w, Value& x, const Array& shaped, std::size_t cell_w,
                     std::size_t cell_x) {
  cx.check_stack();
  Meeting from_w(w, cell_w), from_x(x, cell_x);
  Value* reused = w.is_array() && &w.array() == &shaped && gives_boxes_away(w)   ? &w
                  : x.is_array() && &x.array() == &shaped && gives_boxes_away(x) ? &x
                                                                                 : nullptr;
  Value made = reused == nullptr ? to_value(make_like(cx.heap, ElementType::boxed, shaped)) : Value();
  Value* results = (reused == nullptr ? made : *reused).array().as<Value>();
  const std::size_t length = shaped.length;
  const bool borrows = rule.lists != nullptr;
  InnerLists on_lists(cx, rule);
  const auto stays = [&](const Value& l, const Value& r) { return !belongs_to_device(cx, l, r); };
  for (std::size_t i = 0; i < length; i++, from_w.go_on(), from_x.go_on()) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    std::uint64_t result = Value::absent_bits;
    if (borrows) {
      const Value &l = from_w.here(), &r = from_x.here();
      if ((l.is_array() || r.is_array()) && stays(l, r)) result = on_lists(l, r);
    }
    if (result == Value::absent_bits) {
      Value left = from_w.take();
      result = rule.self(cx, std::move(left), from_x.take()).leak();
    }
    results[i] = Value::from_bits(result);
  }
  return unboxed_if_flat(cx, reused == nullptr ? std::move(made) : std::move(*reused));
}

Value pervade_nested(Context& cx, const MonadRule& rule, Value& x) {
  cx.check_stack();
  const Array& a = x.array();
  const bool reuses = gives_boxes_away(x);
  Value made = reuses ? Value() : to_value(make_like(cx.heap, ElementType::boxed, a));
  Value* results = reuses ? x.array().as<Value>() : made.array().as<Value>();
  const ElementReader elements = ElementReader(x).take_if_unseen(x);
  const Value* const stay = !uses_device(cx) && a.type() == ElementType::boxed ? a.boxes().data() : nullptr;
  for (std::size_t i = 0; i < a.length; i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    const bool stays = stay != nullptr && stay[i].is_array() && !is_long(stay[i]);
    results[i] = stays ? Value::from_bits(result_on(cx, rule, stay[i])) : rule.self(cx, elements[i]);
  }
  return unboxed_if_flat(cx, reuses ? std::move(x) : std::move(made));
}

}  // namespace griddle::primitives
