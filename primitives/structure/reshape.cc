// Deshape and Reshape ⥊.
#include <algorithm>

#include "primitives/functions.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- deshape and reshape: ways

namespace {

template <class A>
std::uint64_t list_of_table(Heap& heap, A a) {
  if (!holds_boxes<A>) return bits_of_array(piece_at_hand(heap, a, 0, a->length));
  if (a->length > most_copied)
    return a->fill_kind() != FillKind::nested ? bits_of_array(list_view_at_hand(heap, a, 0, a->length)) : declined;
  Array* const out = boxes_like(heap, a, 0, a->length, 1, false);
  if (out != nullptr) copy_elements_of(out, 0, a, 0, a->length);
  return bits_of_array(out);
}
std::uint64_t list_of_any(Heap& heap, AnyArray a) {
  if (a->is_list()) return shared(a);
  return a->length == 0 && !a->data.elsewhere() ? bits_of_array(piece_at_hand(heap, a, 0, 0)) : declined;
}

// Fills all of an array with a number or a character.
std::uint64_t filled_with(Array* out, const Value& atom) {
  if (out->type() == ElementType::bit)
    std::fill_n(words_of(out), (out->length + 63) / 64, atom.number() != 0 ? ~std::uint64_t{0} : 0);
  else
    fill_run(*out, 0, out->length, atom);
  return bits_of_array(out);
}
// Makes a list of equal elements.
std::uint64_t list_of(Heap& heap, std::int32_t length, std::uint64_t x) {
  const Value& atom = as_value(x);
  const std::size_t n = magnitude(length);
  if (length <= 0 || n > longest_at_hand || !(atom.is_number() || atom.is_character())) return declined;
  return filled_with(make_plain_list(heap, element_type_of(atom), n), atom);
}

std::uint64_t list_from(Heap& heap, std::int32_t length, List a) {
  const std::size_t n = magnitude(length), most = a->type() == ElementType::bit ? most_bits_moved : longest_at_hand;
  if (length < 0 || n > most) return declined;
  if (n <= a->length) return piece_of(heap, a, 0, n);
  const PlainList& plain = plain_of(a);
  Array* const out = make_list_of(heap, plain, n);
  copy_piece(out->data.here(), a->data.here(), ((a->length << plain.log2_bits) + 7) / 8);
  repeat_run(*out, a, n);
  return bits_of_array(out);
}

std::uint64_t boxes_from(Heap& heap, std::int32_t length, Boxes a) {
  const std::size_t n = magnitude(length);
  if (length < 0 || n > most_boxes_at_hand) return declined;
  if (n == 0) return slice(heap, Value::share(const_cast<Array*>(a.array)), 0, 0).leak();
  // One element is the fill of its copies, whatever the list has.
  const bool copies = a->length == 1 && n != 1;
  if (copies && (array_of(*words_of(a.array)) == nullptr || n * sizeof(Value) >= aligned_from_bytes)) return declined;
  Array* const out = copies ? new_boxes(heap, FillKind::of_first, n) : boxes_like(heap, a, 0, n, 1, false);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < n; i += a->length) copy_elements_of(out, i, a, 0, std::min(a->length, n - i));
  return bits_of_array(out);
}

// Says how the number of elements gives the length that 𝕨 leaves open: it must divide, what is over is left out or needs one
// more, which starts over or is filled up.
enum class OpenLength { none, exact, down, up, padded };
OpenLength open_length(const Value& length) {
  switch (name_of(length)) {
    case Glyph::atop: return OpenLength::exact;
    case Glyph::minimum: return OpenLength::down;
    case Glyph::rotate: return OpenLength::up;
    case Glyph::take: return OpenLength::padded;
    default: return OpenLength::none;
  }
}

// Reads two lengths, of which ∘ leaves one to so many elements, which must make whole rows then.
bool read_two_lengths(const Array& w, std::size_t given, std::size_t* lengths) {
  if (!w.is_list() || w.length != 2 || is_character(w.type()) || w.data.elsewhere()) return false;
  std::size_t computed = 2;
  for (std::size_t k = 0; k < 2; k++) {
    const Value length = element(w, k);
    std::int32_t n;
    if (is_small_integer(length, n) && n > 0)
      lengths[k] = static_cast<std::size_t>(n);
    else if (computed == 2 && open_length(length) == OpenLength::exact)
      computed = k;
    else
      return false;
  }
  if (computed == 2) return true;
  lengths[computed] = given / lengths[1 - computed];
  return lengths[0] * lengths[1] == given;
}

// Gives the first elements of a table.
std::uint64_t list_of_first(Heap& heap, std::int32_t length, Table a) {
  const bool fits = length > 0 && static_cast<std::size_t>(length) <= a->length;
  return fits ? bits_of_array(piece_at_hand(heap, a, 0, static_cast<std::size_t>(length))) : declined;
}

// Fill a table with the elements of a list or table, over and over.
template <class A>
std::uint64_t repeated_in_table(Heap& heap, A a, std::size_t rows, std::size_t columns) {
  const std::size_t length = rows * columns, bits = std::min(a->length, length) << log2_bits_of(a->type());
  // Long pieces stay where they are.
  if (length > longest_at_hand || (length < a->length && bits > 8 * copied_up_to_bytes)) return declined;
  Array* const out = make_plain_table(heap, a->type(), rows, columns);
  copy_piece(out->data.here(), a->data.here(), (bits + 7) / 8);
  repeat_run(*out, a, length);
  return bits_of_array(out);
}
template <>
std::uint64_t repeated_in_table(Heap& heap, Boxes a, std::size_t rows, std::size_t columns) {
  const std::size_t length = rows * columns;
  // One element is the fill of its copies, whatever the list has.
  if (length > most_boxes_at_hand || a->length == 1) return declined;
  Array* const out = boxes_like(heap, a, 0, rows, columns, true);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < length; i += a->length) copy_elements_of(out, i, a, 0, std::min(a->length, length - i));
  return bits_of_array(out);
}

// Gives the elements of an array as a table, or fills one with those of a list or another table.
std::uint64_t as_table(Heap& heap, AnyArray w, AnyArray a) {
  std::size_t lengths[2];
  if (!read_two_lengths(w, a->length, lengths)) return declined;
  const std::size_t rows = lengths[0], columns = lengths[1];
  if (rows * columns == a->length) return bits_of_array(table_view_at_hand(heap, a, 0, rows, columns));
  const std::uint64_t x = bits_of_array(a.array);
  if (const Array* const list = plain_list(x)) return repeated_in_table(heap, List{list}, rows, columns);
  if (const Array* const table = plain_table(x)) return repeated_in_table(heap, Table{table}, rows, columns);
  const Array* const boxes = box_list(x);
  return boxes != nullptr ? repeated_in_table(heap, Boxes{boxes}, rows, columns) : declined;
}

// Makes a table of equal elements.
std::uint64_t table_of(Heap& heap, AnyArray w, std::uint64_t x) {
  const Value& atom = as_value(x);
  std::size_t lengths[2];
  if (!(atom.is_number() || atom.is_character()) || !read_two_lengths(w, 1, lengths) || lengths[0] > longest_at_hand ||
      lengths[1] > longest_at_hand || lengths[0] * lengths[1] > longest_at_hand)
    return declined;
  return filled_with(make_plain_table(heap, element_type_of(atom), lengths[0], lengths[1]), atom);
}

constexpr MonadWay deshapings[] = {
    {"list", way<list_of_any>}, {"table", way<list_of_table<Table>>}, {"table of boxes", way<list_of_table<BoxTable>>}};
constexpr DyadWay reshapings[] = {
    {"list", way<list_from>}, {"list of boxes", way<boxes_from>},     {"table", way<as_table>},
    {"atom", way<list_of>},   {"first of table", way<list_of_first>}, {"atom in table", way<table_of>}};

}  // namespace

constexpr MonadWays deshape_ways = monad_ways<deshapings>;
constexpr DyadWays reshape_ways = dyad_ways<reshapings>;

// --- deshape and reshape: any arguments

Value deshape(Context& cx, Value x) { return ravel(cx.heap, std::move(x)); }

namespace {

// The result's shape as 𝕨 asks for it.
struct Target {
  Shape shape;
  std::size_t length;
  bool pads = false;  // fill elements follow the argument's
};

// Works out the one length that 𝕨 leaves to the argument's length n.
std::size_t computed_length(Context& cx, OpenLength how, std::size_t others, std::size_t n) {
  if (others == 0) fail(cx, "Reshape: 𝕨 with a computed length must not contain 0");
  if (how == OpenLength::exact && n % others != 0)
    fail(cx,
         "Reshape: 𝕨 with ∘ must divide the number of elements (" + std::to_string(n) + " by " + std::to_string(others) + ")");
  return n / others + (how >= OpenLength::up && n % others != 0);
}

Target read_target(Context& cx, const Value& w, std::size_t n) {
  if (rank_of(w) > 1) fail(cx, "Reshape: 𝕨 must be a length or a list of lengths (got shape " + shape_text(w) + ")");
  Target t;
  OpenLength how = OpenLength::none;
  std::size_t computed_axis = 0;
  std::size_t axes = length_of(w);
  if (axes > max_rank)
    fail(cx, "Reshape: Rank of the result would be above " + std::to_string(max_rank) + " (" + std::to_string(axes) + ")");
  for (std::size_t i = 0; i < axes; i++) {
    Value length = w.is_array() ? element(w.array(), i) : w;
    if (const OpenLength open = open_length(length); open != OpenLength::none) {
      if (how != OpenLength::none) fail(cx, "Reshape: 𝕨 must leave only one length to be computed");
      how = open;
      computed_axis = i;
      t.shape.push_back(1);
    } else {
      if (!length.is_number())
        fail(cx, "Reshape: 𝕨 must consist of natural numbers or one of ∘⌊⌽↑ (got " + offender(length) + ")");
      t.shape.push_back(read_natural(cx, "Reshape: 𝕨", length));
    }
  }
  if (how != OpenLength::none) {
    t.shape[computed_axis] = computed_length(cx, how, product(t.shape), n);
    t.pads = how == OpenLength::padded;
  }
  t.length = checked_length(cx, "Reshape", t.shape);
  return t;
}

}  // namespace

Value reshape(Context& cx, Value w, Value x) {
  std::size_t n = length_of(x);
  const Target target = on_operands(w, x, [&] { return read_target(cx, w, n); });
  Heap& heap = cx.heap;
  if (x.is_atom() && target.pads) x = enclose(heap, std::move(x));
  if (x.is_atom()) {
    Ref<Array> out = make_array(heap, element_type_of(x), target.shape);
    fill_run(*out, 0, target.length, x);
    return to_value(std::move(out));
  }
  if (target.length == n) return with_shape(heap, std::move(x), target.shape);
  if (target.length < n) return slice(heap, x, 0, target.shape);
  if (n == 0 && !target.pads) {
    const std::string shapes = shape_text(target.shape) + " from " + shape_text(x);
    fail_on(make_string(heap, "Reshape: 𝕩 is empty, but the result is not (" + shapes + ")"), w, x);
  }
  if (target.pads) {
    Value fill = fill_or_zero(heap, x);
    ElementType type = common_type(x.array().type(), element_type_of(fill));
    Ref<Array> out = make_array(heap, type, target.shape);
    copy_run(*out, 0, x.array(), 0, n);
    fill_run(*out, n, target.length - n, fill);
    return with_fill_like(heap, to_value(std::move(out)), x);
  }
  const Array& a = x.array();
  if (n == 1) return filled(heap, target.shape, element(a, 0));
  Ref<Array> out = make_array(heap, a.type(), target.shape);
  copy_run(*out, 0, a, 0, n);
  repeat_run(*out, a, target.length);
  // Whole copies of characters are text, wherever those came from.
  if (target.length >= 2 * n && is_character(a.type())) return to_value(std::move(out));
  return with_fill_like(heap, to_value(std::move(out)), x);
}

}  // namespace griddle::primitives
