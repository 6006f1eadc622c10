// Merge >.
#include <algorithm>

#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/side_by_side.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {
namespace {

std::uint64_t merge_itself(Heap&, List a) { return shared(a); }

std::uint64_t merge_boxes(Heap& heap, Boxes a) {
  const Array* const first = box_list(*words_of(a.array));
  // The fill of the first element, none, is that of all.
  if (first == nullptr || first->fill_kind() != FillKind::none || a->length * first->length > most_boxes_at_hand) return declined;
  for (std::size_t i = 1; i < a->length; i++) {
    const Array* const list = box_list(words_of(a.array)[i]);
    if (list == nullptr || list->length != first->length) return declined;
  }
  Array* const out = boxes_like(heap, *first, 0, a->length, first->length, true);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < a->length; i++)
    share_boxes(words_of(out) + i * first->length, words_of(array_of(words_of(a.array)[i])), first->length);
  return bits_of_array(out);
}

constexpr MonadWay merges[] = {{"plain", way<merge_itself>}, {"lists", way<merge_plainly>}, {"lists of boxes", way<merge_boxes>}};

}  // namespace

constexpr MonadWays merge_ways = monad_ways<merges>;

namespace {

Value merge_empty(Context& cx, Value x) {
  Value fill = fill_of(cx.heap, x);
  if (!fill.is_array()) return x;
  Shape shape(shape_of(x));
  shape.append(shape_of(fill));
  checked_length(cx, "Merge", shape);
  Ref<Array> out = make_array(cx.heap, fill.array().type(), shape);
  return with_fill_like(cx.heap, to_value(std::move(out)), fill);
}

// Merges an array of units that hold numbers, or characters; the absent value where it holds anything else.
Value merge_units(Context& cx, const Array& x) {
  const std::span<const Value> elements = x.boxes();
  const auto is_plain_unit = [](const Value& v) {
    return v.is_array() && v.array().rank() == 0 && v.array().type() != ElementType::boxed && has_plain_fill(v.array()) &&
           !v.array().data.elsewhere();
  };
  if (!is_plain_unit(elements[0])) return Value();
  ElementType type = elements[0].array().type();
  for (const Value& v : elements) {
    if (!is_plain_unit(v) || is_number(v.array().type()) != is_number(type)) return Value();
    type = std::max(type, v.array().type());
  }
  Ref<Array> result = make_like(cx.heap, type, x);
  if (type != ElementType::bit) {
    for (std::size_t i = 0; i < x.length; i++) store(*result, i, plain_element(elements[i].array(), 0));
    return to_value(std::move(result));
  }
  std::uint64_t* words = result->as<std::uint64_t>();
  for (std::size_t i = 0; i < x.length; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t k = i; k < std::min(x.length, i + 64); k++) word |= std::uint64_t{elements[k].array().bit(0)} << (k - i);
    words[i / 64] = word;
  }
  return to_value(std::move(result));
}

Value unequal_shapes(Context& cx, std::span<const std::size_t> cell, const Value& v) {
  return make_string(cx.heap, "Merge: Elements of 𝕩 must have equal shapes (" + shape_text(cell) + " and " + shape_text(v) + ")");
}

}  // namespace

Value merge_refusal(Context& cx, const Value& w, const Value& x) {
  if (!w.is_absent() || !x.is_array() || x.array().type() != ElementType::boxed || x.array().length == 0) return Value();
  std::span<const Value> elements = x.array().boxes();
  std::span<const std::size_t> cell = shape_of(elements[0]);
  kernels::ElementsDone done;
  for (const Value& v : elements) {
    done.add(1);
    if (!same_shape(shape_of(v), cell)) return unequal_shapes(cx, cell, v);
  }
  return Value();
}

Value merge_plainly(Context& cx, const Value& x) {
  if (!is_boxed(x) || x.array().length == 0 || x.array().rank() == max_rank || x.array().data.elsewhere()) return Value();
  const std::span<const Value> elements = x.array().boxes();
  const auto room = [&](const FlatLists& all) {
    if (x.array().is_list()) return Ref<Array>(make_plain_table(cx.heap, all.type, elements.size(), all.first));
    Shape shape(x.array().shape());
    shape.push_back(all.first);
    return make_array(cx.heap, all.type, shape);
  };
  FlatLists all;
  // Many do not stay near until they are read again, and are most often like the first ones.
  constexpr std::size_t few = 64, many = 8192;
  if (elements.size() > many) {
    if (!survey_flat_lists(elements.first(few), all)) return Value();
    if (all.of_one_type && all.of_equal_length && all.first <= max_length / elements.size())
      if (Ref<Array> out = room(all); lay_out_alike(*out, elements, all)) return to_value(std::move(out));
  }
  if (!survey_flat_lists(elements, all) || !all.of_equal_length) return Value();
  Ref<Array> out = room(all);
  lay_out(*out, elements, all);
  return to_value(std::move(out));
}

Value merge(Context& cx, Value x) {
  if (x.is_atom()) return x;
  const Array& a = x.array();
  if (a.length == 0) return merge_empty(cx, std::move(x));
  if (is_character(a.type())) return with_fill(cx.heap, std::move(x), Value::character(U' '));
  if (a.type() != ElementType::boxed) return x;
  if (uses_device(cx) && some_list_is_there(cx, a)) [[unlikely]]
    if (Value there = cx.device->monad(cx, Glyph::greater, x); !there.is_absent()) return there;
  if (Value units = merge_units(cx, a); !units.is_absent()) return units;
  std::span<const Value> elements = a.boxes();
  std::span<const std::size_t> cell = shape_of(elements[0]);
  Common common(cx.heap, true);
  bool atoms = true;
  kernels::ElementsDone done;
  for (const Value& v : elements) {
    done.add(1);
    if (!same_shape(shape_of(v), cell)) fail_on(unequal_shapes(cx, cell, v), Value(), x);
    atoms &= v.is_atom();
    common.add(v);
  }
  if (atoms) {
    x = narrowed(cx.heap, std::move(x));
    return is_character(x.array().type()) ? with_fill(cx.heap, std::move(x), Value::character(U' ')) : x;
  }
  Shape shape(a.shape());
  shape.append(cell);
  checked_length(cx, "Merge", shape);
  Ref<Array> out = make_array(cx.heap, common.type(), shape);
  std::size_t step = length_of(elements[0]);
  for (std::size_t i = 0; i < elements.size(); i++) {
    copy_value(*out, i * step, elements[i]);
    done.add(1 + step / 8);
  }
  return with_fill(cx.heap, to_value(std::move(out)), common.fill());
}

}  // namespace griddle::primitives
