#include "primitives/common/elements.h"

#include <algorithm>

#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"

namespace griddle::primitives {
namespace {

constexpr double largest_integer = 9223372036854774784.0;  // the last double below 2^63

std::int64_t read_integer(Context& cx, const char* who, const Value& v) {
  double d = v.is_number() ? v.number() : NAN;
  if (!(std::fabs(d) <= largest_integer) || d != std::floor(d))
    fail(cx, std::string(who) + " must consist of integers (got " + offender(v) + ")");
  return static_cast<std::int64_t>(d);
}

}  // namespace

std::string offender(const Value& v) { return v.is_number() ? number_text(v.number()) : kind_text(v); }

Few<std::int64_t> read_integers(Context& cx, const char* who, const Value& v) {
  if (v.is_atom()) return Few<std::int64_t>(1, read_integer(cx, who, v));
  const Array& a = v.array();
  if (a.rank() > 1) fail(cx, std::string(who) + " must be an integer or a list of integers (got shape " + shape_text(v) + ")");
  if (a.length > max_rank)
    fail(cx, std::string(who) + " has more numbers than an array can have axes (got " + std::to_string(a.length) + ")");
  Few<std::int64_t> out(a.length);
  for (std::size_t i = 0; i < a.length; i++) out[i] = read_integer(cx, who, element(a, i));
  return out;
}

namespace {

// Gives a natural number; the greatest that there is, which no array is as long as, where addresses have too few bits for it.
std::size_t length_of_number(double d) {
  const double greatest = static_cast<double>(~std::size_t{0});
  return d < greatest ? static_cast<std::size_t>(d) : ~std::size_t{0};
}

}  // namespace

Few<std::size_t> read_naturals(Context& cx, const char* who, const Value& v) {
  const Few<std::int64_t> integers = read_integers(cx, who, v);
  for (std::int64_t i : integers)
    if (i < 0) fail(cx, std::string(who) + " must not be negative (got " + number_text(static_cast<double>(i)) + ")");
  Few<std::size_t> naturals(integers.size());
  std::transform(integers.begin(), integers.end(), naturals.begin(),
                 [](std::int64_t i) { return length_of_number(static_cast<double>(i)); });
  return naturals;
}

Value natural_refusal(Context& cx, const char* who, const Value& v) {
  const double d = v.is_number() ? v.number() : NAN;
  if (d >= 0 && d <= largest_integer && d == std::floor(d)) return Value();
  return make_string(cx.heap, std::string(who) + " must be a natural number (got " + offender(v) + ")");
}

std::size_t read_natural(Context& cx, const char* who, const Value& v) {
  if (Value message = natural_refusal(cx, who, v); !message.is_absent()) fail_with(cx, std::move(message));
  return length_of_number(v.number());
}

Value cells_refusal(Context& cx, const char* name, const Value& x) {
  if (rank_of(x) != 0) return Value();
  return make_string(cx.heap, std::string(name) + ": 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
}

std::size_t checked_length(Context& cx, const char* name, std::span<const std::size_t> shape) {
  if (shape.size() > max_rank)
    fail(cx, std::string(name) + ": Rank of the result would be above " + std::to_string(max_rank) + " (" +
                 std::to_string(shape.size()) + ")");
  std::size_t n = product(shape);
  if (n > max_length) fail(cx, std::string(name) + ": Result would have too many elements (shape " + shape_text(shape) + ")");
  return n;
}

void share_elements(Array& a, std::size_t start, std::size_t count) {
  const std::span<Value> values = a.boxes().subspan(start, count);
  if (count <= few_shared_boxes) {
    for (const Value& v : values)
      if (v.is_object()) retain(v.object());
    return;
  }
  const std::size_t ahead = tuning().shared_boxes_ahead;
  for (std::size_t i = 0; i < count; i++) {
    // Counting a reference waits for its object's line.
    if (i + ahead < count) __builtin_prefetch(reinterpret_cast<const void*>(values[i + ahead].bits() & Value::pointer_mask), 1);
    if (values[i].is_object()) retain(values[i].object());
  }
}

void CopiedElements::share_all() {
  while (left_ != 0) {
    const std::size_t count = std::min(left_, kernels::long_piece);
    share_elements(to_, start_, count);
    start_ += count;
    left_ -= count;
    if (left_ != 0) checkpoint();
  }
}

void copy_run(Array& to, std::size_t to_start, const Array& from, std::size_t from_start, std::size_t count) {
  if (count == 0) return;
  ElementType type = to.type();
  if (type != from.type())
    return (type == ElementType::boxed ? box_elements : copy_elements)(to, to_start, from, from_start, count);
  if (type == ElementType::bit)
    return kernels::copy_bits(to.as<std::uint64_t>(), to_start, from.as<std::uint64_t>(), from_start, count);
  std::size_t width = bits_of(type) / 8;
  const auto copy = [&] { copy_piece(to.data + to_start * width, from.data + from_start * width, count * width); };
  if (type != ElementType::boxed) return copy();
  CopiedElements copied(to, to_start, count);
  copy();
  copied.share();
}

namespace {

// Tells whether a box is written to places that follow each other.
bool fills_run(std::span<const BoxAxis> axes) {
  std::ptrdiff_t step = 1;
  for (std::size_t k = axes.size(); k-- > 0;) {
    if (axes[k].length != 1 && axes[k].to != step) return false;
    step *= static_cast<std::ptrdiff_t>(axes[k].length);
  }
  return true;
}

}  // namespace

void copy_box(Array& to, std::size_t to_start, const Array& from, std::size_t from_start, std::span<const BoxAxis> axes) {
  assert(to.type() == from.type());
  const auto copy = [&] { kernels::copy_box(bits_of(to.type()), to.data, to_start, from.data, from_start, axes); };
  if (to.type() != ElementType::boxed) return copy();
  if (fills_run(axes)) {
    std::size_t count = 1;
    for (const BoxAxis& axis : axes) count *= axis.length;
    CopiedElements copied(to, to_start, count);
    copy();
    return copied.share();
  }
  // What is copied to places all over is shared at once.
  const Evaluating none(nullptr);
  copy();
  kernels::visit_box(to_start, axes, [elements = to.as<Value>()](std::size_t i) {
    if (elements[i].is_object()) retain(elements[i].object());
  });
}

namespace {

// Gives an atom as the lowest bits of a word, in a type that holds it.
std::uint64_t stored(ElementType type, const Value& v) {
  if (is_character(type)) return v.character();
  if (type == ElementType::f64 || type == ElementType::boxed) return v.bits();
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v.number()));
}

}  // namespace

void fill_run(Array& to, std::size_t start, std::size_t count, const Value& v) {
  if (count == 0) return;
  const ElementType type = to.type();
  if (type == ElementType::bit) return kernels::set_bit_run(to.as<std::uint64_t>(), start, count, v.number() != 0);
  if (type == ElementType::boxed) return fill_boxes(to, start, count, v);
  const unsigned width = bits_of(type);
  std::uint8_t* const run = to.data + start * (width / 8);
  const std::uint64_t element = stored(type, v);
  kernels::in_pieces(
      count, [=](std::size_t i, std::size_t end) { kernels::fill(width, run + i * (width / 8), element, end - i); },
      kernels::long_pass);
}

bool store_atom(ElementType type, unsigned char* to, const Value& v) {
  if (is_character(type) ? !v.is_character() : !v.is_number()) return false;
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    const auto stored = [to](T element) { return std::memcpy(to, &element, sizeof element), true; };
    if constexpr (std::is_same_v<T, double>)
      return stored(v.number());
    else if constexpr (std::is_same_v<T, Bit> || std::is_same_v<T, Value>)
      return false;
    else if constexpr (std::is_unsigned_v<T>)  // characters
      return static_cast<T>(v.character()) == v.character() && stored(static_cast<T>(v.character()));
    else
      return static_cast<T>(truncated(v.number())) == v.number() && stored(static_cast<T>(truncated(v.number())));
  });
}

Value flattened(Heap& heap, Value v) {
  const Array& a = v.array();
  if (a.type() != ElementType::boxed || a.length == 0) return v;
  const ElementType type = narrowest(a);
  return type == ElementType::boxed ? v : converted(heap, a, type);
}

bool unbox_numbers(Heap& heap, Value& v) {
  if (!v.is_array() || v.array().type() != ElementType::boxed || v.array().length == 0) return false;
  for (const Value& element : v.array().boxes())
    if (!element.is_number()) return false;
  v = narrowed(heap, std::move(v));
  return v.array().type() != ElementType::boxed;
}

void repeat_bytes(std::uint8_t* to, std::size_t period, std::size_t count) {
  const Tuning& tuned = tuning();
  const bool is_short = count < tuned.short_repetition;
  const std::size_t piece = is_short ? tuned.short_repeated_piece : tuned.repeated_piece;
  std::size_t done = period;
  for (; done < count && done < piece; done *= 2) copy_piece(to + done, to, std::min(done, count - done));
  // Repeats from a piece that stays in the caches; to write it is slow only beyond them.
  const std::size_t run = done, whole = is_short ? run : count;
  for (; done < count; done += run) kernels::copy_part(to + done, to, std::min(run, count - done), whole);
}

namespace {

// Repeats the first `period` bits: until whole periods fill bytes, of which the rest are copies.
void repeat_bits(std::uint64_t* words, std::size_t period, std::size_t count) {
  std::size_t done = period;
  if (period <= 32) {
    std::uint64_t word = words[0] & kernels::low_bits(period);
    for (; done <= 32; done *= 2) word |= word << done;
    words[0] = word;
  }
  for (; done < count && done % 8 != 0; done *= 2) kernels::copy_bits(words, done, words, 0, std::min(done, count - done));
  auto* const bytes = reinterpret_cast<std::uint8_t*>(words);
  if (done < count) repeat_bytes(bytes, done / 8, (count + 7) / 8);
}

}  // namespace

void repeat_run(Array& to, const Array& from, std::size_t count) {
  const std::size_t period = from.length;
  if (count <= period) return;
  if (to.type() == ElementType::bit) return repeat_bits(to.as<std::uint64_t>(), period, count);
  const std::size_t width = bits_of(to.type()) / 8;
  CopiedElements copied(to, period, count - period);
  repeat_bytes(to.data, period * width, count * width);
  copied.share();
}

namespace {

// Tells whether bytes are 0 and 1 alone; looks no further than the piece in which another one stands.
bool are_zeros_and_ones(const std::uint8_t* x, std::size_t n) {
  constexpr std::size_t word_bytes = sizeof(std::uint64_t), block = 8 * word_bytes;
  constexpr std::uint64_t others = ~std::uint64_t{0x0101010101010101};
  const auto word_at = [&](std::size_t place) {
    std::uint64_t word;
    std::memcpy(&word, x + place, word_bytes);
    return word;
  };
  if (n < word_bytes) return std::all_of(x, x + n, [](std::uint8_t byte) { return byte <= 1; });
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < block; k += word_bytes) all |= word_at(i + k);
    if ((all & others) != 0) return false;
  }
  // The last word overlaps the one before.
  std::uint64_t all = word_at(n - word_bytes);
  for (; i + word_bytes < n; i += word_bytes) all |= word_at(i);
  return (all & others) == 0;
}

}  // namespace

Value packed_if_boolean(Heap& heap, Value v) {
  if (!v.is_array()) return v;
  const Array& a = v.array();
  if (a.type() != ElementType::i8 || a.length == 0 || !has_plain_fill(a) || !are_zeros_and_ones(a.data, a.length)) return v;
  const auto& differs = kernels::compare().compare[static_cast<int>(kernels::Comparison::not_equal)][kernels::compared_i8];
  const std::int8_t zero = 0;
  Ref<Array> bits = make_like(heap, ElementType::bit, a);
  differs[kernels::array_scalar](bits->data, a.data, &zero, a.length);
  return to_value(std::move(bits));
}

Value bits_if_boolean(Heap& heap, Value v) {
  if (!v.is_array() || !is_integer(v.array().type()) || !has_plain_fill(v.array())) return v;
  const Array& a = v.array();
  if (a.type() <= ElementType::i8) return packed_if_boolean(heap, std::move(v));
  Ref<Array> bytes = make_like(heap, ElementType::i8, a);
  const auto narrow = kernels::convert().narrow[static_cast<int>(a.type())][static_cast<int>(ElementType::i8)];
  if (narrow(bytes->data, a.data, a.length) != a.length) return v;
  Value packed = packed_if_boolean(heap, to_value(std::move(bytes)));
  return packed.array().type() == ElementType::bit ? packed : v;
}

bool has_whole_ends(const Array& a) {
  if (a.type() != ElementType::f64 || !has_plain_fill(a)) return false;
  const auto is_whole = [&](std::size_t i) { return a.as<double>()[i] == std::floor(a.as<double>()[i]); };
  return is_whole(0) && is_whole(a.length - 1) && is_whole(a.length / 2) && is_whole(a.length / 3);
}
Value narrowed_if_whole(Heap& heap, Value v) {
  const Array& a = v.array();
  ElementType type =
      std::max({element_type_of(a.as<double>()[0]), element_type_of(a.as<double>()[a.length - 1]), ElementType::i8});
  if (type == ElementType::f64) return v;
  const auto& k = kernels::convert();
  Ref<Array> integers = make_like(heap, type, a);
  for (std::size_t done = 0;;) {
    const auto at_place = [](const Array& of, std::size_t place) { return of.data + place * (bits_of(of.type()) / 8); };
    done += k.narrow[static_cast<int>(ElementType::f64)][static_cast<int>(type)](at_place(*integers, done), at_place(a, done),
                                                                                 a.length - done);
    if (done == a.length) break;
    // Goes on in the next wider type, where there is one.
    const ElementType before = type;
    if (type == ElementType::i32) return v;
    type = static_cast<ElementType>(static_cast<int>(type) + 1);
    Ref<Array> wider = make_like(heap, type, a);
    k.widen[static_cast<int>(before)][static_cast<int>(type)](wider->data, integers->data, done);
    integers = std::move(wider);
  }
  return packed_if_boolean(heap, to_value(std::move(integers)));
}

}  // namespace griddle::primitives
