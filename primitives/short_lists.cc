// Works on words of 64 bits that hold 8, 4, 2 or 1 elements side by side (lanes), with the ordinary instructions of the
// processor: no kernel to look up, nothing to set up. Lists have at most `most_bytes` bytes in the wider of the two types.
#include "primitives/short_lists.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "primitives/long_lists.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

namespace {

using Word = std::uint64_t;
constexpr std::size_t most_bytes = 64;
constexpr std::size_t most_words = most_bytes / sizeof(Word);
constexpr std::size_t page_bytes = 4096;

Word load(const void* p) {
  Word w;
  std::memcpy(&w, p, sizeof w);
  return w;
}

// Repeats a pattern of `bits` bits.
constexpr Word repeated(Word pattern, unsigned bits) {
  for (; bits < 64; bits *= 2) pattern |= pattern << bits;
  return pattern;
}
template <class T>
constexpr Word lowest = repeated(1, 8 * sizeof(T));
template <class T>
constexpr Word highest = lowest<T> << (8 * sizeof(T) - 1);

template <class T>
constexpr ElementType type_of = sizeof(T) == 8   ? ElementType::f64
                                : sizeof(T) == 4 ? ElementType::i32
                                : sizeof(T) == 2 ? ElementType::i16
                                                 : ElementType::i8;

// One argument as words of lanes; an atom is one word that stands for all.
struct Words {
  const unsigned char* at;
  std::size_t step;  // bytes from one word to the next
  Word operator[](std::size_t i) const { return load(at + i * step); }
};

// --- operations on lanes. Those on integers set the highest bit of a lane in `wrong` where the result does not fit.

template <class T>
Word sum(Word w, Word x, Word& wrong) {
  constexpr Word top = highest<T>;
  const Word r = ((w & ~top) + (x & ~top)) ^ ((w ^ x) & top);
  wrong = (w ^ r) & (x ^ r) & top;
  return r;
}
template <class T>
Word difference(Word w, Word x, Word& wrong) {
  constexpr Word top = highest<T>;
  const Word r = ((w | top) - (x & ~top)) ^ ((w ^ ~x) & top);
  wrong = (w ^ x) & (w ^ r) & top;
  return r;
}
template <class T>
Word product_of(Word w, Word x, Word& wrong) {
  T a[8 / sizeof(T)], b[8 / sizeof(T)], r[8 / sizeof(T)];
  T bad[8 / sizeof(T)];
  std::memcpy(a, &w, 8);
  std::memcpy(b, &x, 8);
  for (std::size_t i = 0; i < 8 / sizeof(T); i++) {
    const std::int64_t p = std::int64_t{a[i]} * b[i];
    r[i] = static_cast<T>(p);
    bad[i] = p == r[i] ? 0 : std::numeric_limits<T>::min();
  }
  wrong = load(bad);
  return load(r);
}
// Sets the highest bit of each lane where w < x.
template <class T>
Word below(Word w, Word x) {
  Word wrong;
  return (difference<T>(w, x, wrong) ^ wrong) & highest<T>;
}
template <class T>
Word unlike(Word w, Word x) {
  const Word z = w ^ x;
  return (((z & ~highest<T>)+~highest<T>) | z) & highest<T>;
}
// Makes whole lanes of highest bits.
template <class T>
Word spread(Word marks) {
  return (marks - (marks >> (8 * sizeof(T) - 1))) | marks;
}
// Gathers the highest bits of the lanes.
template <class T>
Word gathered(Word marks) {
  if constexpr (sizeof(T) == 1) return ((marks >> 7) * 0x0102040810204080u) >> 56;
  if constexpr (sizeof(T) == 2) return ((marks >> 15) * 0x0001000200040008u) >> 48 & 15;
  if constexpr (sizeof(T) == 4) return (marks >> 31 | marks >> 62) & 3;
  return marks >> 63;
}

constexpr bool is_comparison(ScalarOp op) { return op >= ScalarOp::less && op <= ScalarOp::not_equal; }

template <ScalarOp op, class T>
Word compared(Word w, Word x) {
  if constexpr (sizeof(T) == 8) {
    const double a = std::bit_cast<double>(w), b = std::bit_cast<double>(x);
    switch (op) {
      case ScalarOp::less: return a < b;
      case ScalarOp::less_equal: return a <= b;
      case ScalarOp::equal: return a == b;
      case ScalarOp::greater_equal: return a >= b;
      case ScalarOp::greater: return a > b;
      default: return a != b;
    }
  } else {
    switch (op) {
      case ScalarOp::less: return gathered<T>(below<T>(w, x));
      case ScalarOp::less_equal: return gathered<T>(~below<T>(x, w) & highest<T>);
      case ScalarOp::equal: return gathered<T>(~unlike<T>(w, x) & highest<T>);
      case ScalarOp::greater_equal: return gathered<T>(~below<T>(w, x) & highest<T>);
      case ScalarOp::greater: return gathered<T>(below<T>(x, w));
      default: return gathered<T>(unlike<T>(w, x));
    }
  }
}

template <ScalarOp op, class T>
Word computed(Word w, Word x, Word& wrong) {
  if constexpr (sizeof(T) == 8) {
    const double a = std::bit_cast<double>(w), b = std::bit_cast<double>(x);
    double r = 0;
    if constexpr (op == ScalarOp::add) r = a + b;
    if constexpr (op == ScalarOp::subtract) r = a - b;
    if constexpr (op == ScalarOp::multiply) r = a * b;
    if constexpr (op == ScalarOp::divide) r = a / (b + 0.0);
    if constexpr (op == ScalarOp::minimum) r = a < b ? a : b;
    if constexpr (op == ScalarOp::maximum) r = a > b ? a : b;
    // Leaves what is no number to those who know which comes first.
    wrong = r != r || __builtin_isunordered(a, b) ? highest<T> : 0;
    return std::bit_cast<Word>(r);
  } else {
    if constexpr (op == ScalarOp::add) return sum<T>(w, x, wrong);
    if constexpr (op == ScalarOp::subtract) return difference<T>(w, x, wrong);
    if constexpr (op == ScalarOp::multiply) return product_of<T>(w, x, wrong);
    const Word take = spread<T>(op == ScalarOp::minimum ? below<T>(w, x) : below<T>(x, w));
    wrong = 0;
    return (w & take) | (x & ~take);
  }
}

// --- arguments

// Tells whether this is a list that may be served: flat, with the plain fill or none, and short.
bool is_short(const Array& a) {
  const FillKind plain = is_number(a.type()) ? FillKind::zero : FillKind::space;
  return a.rank() == 1 && a.length - 1 < most_bytes && a.type() <= ElementType::c8 &&
         (a.fill_kind() == plain || a.fill_kind() == FillKind::none);
}

bool has_no_fill(const Value& v) { return v.is_array() && v.array().fill_kind() == FillKind::none; }

// Tells whether words may be read up to the end of the last one. Lists lie in memory of whole words; views may end anywhere.
bool readable(const Array& a, std::size_t bytes) {
  return !a.is_view() ||
         reinterpret_cast<std::uintptr_t>(a.data.get()) % page_bytes + ((bytes + 7) & ~std::size_t{7}) <= page_bytes;
}

ElementType atom_type(double d) {
  if (!(d >= -2147483648.0 && d <= 2147483647.0)) return ElementType::f64;
  const std::int32_t i = static_cast<std::int32_t>(d);
  if (i != d || (i == 0 && std::signbit(d))) return ElementType::f64;
  if (i == static_cast<std::int8_t>(i)) return ElementType::i8;
  return i == static_cast<std::int16_t>(i) ? ElementType::i16 : ElementType::i32;
}

template <class From, class To>
void convert(unsigned char* to, const From* from, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) {
    const To v = static_cast<To>(from[i]);
    std::memcpy(to + i * sizeof(To), &v, sizeof(To));
  }
}

// Brings an argument to lanes of type T, in `buffer` where it is not so already.
template <class T>
Words words_of(const Value& v, std::size_t n, unsigned char* buffer) {
  if (v.is_number()) {
    Word w;
    if constexpr (sizeof(T) == 8)
      w = v.bits();
    else
      w = lowest<T> * static_cast<std::make_unsigned_t<T>>(static_cast<std::int32_t>(v.number()));
    std::memcpy(buffer, &w, sizeof w);
    return {buffer, 0};
  }
  const Array& a = v.array();
  if (a.type() == type_of<T>) return {a.data, 8};
  switch (a.type()) {
    case ElementType::bit:
      for (std::size_t i = 0; i < n; i++) {
        const T one = a.bit(i);
        std::memcpy(buffer + i * sizeof(T), &one, sizeof(T));
      }
      break;
    case ElementType::i8: convert<std::int8_t, T>(buffer, a.as<std::int8_t>(), n); break;
    case ElementType::i16: convert<std::int16_t, T>(buffer, a.as<std::int16_t>(), n); break;
    default: convert<std::int32_t, T>(buffer, a.as<std::int32_t>(), n); break;
  }
  return {buffer, 8};
}

Value bits_result(Heap& heap, Word bits, std::size_t n) {
  Ref<Array> result = make_list(heap, ElementType::bit, n);
  result->as<Word>()[0] = bits;
  return to_value(std::move(result));
}

template <ScalarOp op, class T>
Value on_words(Heap& heap, Words w, Words x, std::size_t n) {
  constexpr std::size_t lanes = 8 / sizeof(T);
  if constexpr (is_comparison(op)) {
    Word bits = 0;
    for (std::size_t i = 0, at = 0; at < n; i++, at += lanes) bits |= compared<op, T>(w[i], x[i]) << at;
    return bits_result(heap, bits, n);
  } else {
    Ref<Array> result = make_list(heap, type_of<T>, n);
    const std::size_t count = (n + lanes - 1) / lanes;
    const std::size_t rest = n * sizeof(T) % 8;
    Word wrong = 0, any = 0;
    for (std::size_t i = 0; i < count; i++) {
      any |= wrong;
      const Word r = computed<op, T>(w[i], x[i], wrong);
      std::memcpy(result->data + 8 * i, &r, sizeof r);
    }
    // What follows the last element is nobody's.
    if constexpr (sizeof(T) < 8)
      if (rest != 0) wrong &= ~Word{0} >> (64 - 8 * rest);
    return (any | wrong) != 0 ? Value() : to_value(std::move(result));
  }
}

template <ScalarOp op, class T>
Value in_type(Heap& heap, const Value& w, const Value& x, std::size_t n) {
  if (n * sizeof(T) > most_bytes) return Value();
  alignas(8) unsigned char buffer_w[most_bytes], buffer_x[most_bytes];
  if ((w.is_array() && w.array().type() == type_of<T> && !readable(w.array(), n * sizeof(T))) ||
      (x.is_array() && x.array().type() == type_of<T> && !readable(x.array(), n * sizeof(T))))
    return Value();
  const Words left = words_of<T>(w, n, buffer_w), right = words_of<T>(x, n, buffer_x);
  return on_words<op, T>(heap, left, right, n);
}

// --- two lists of one type, the commonest of all, without calls

// Tells apart what an array is but for its shape and elements: kind, element type, rank, place, fill.
std::uint32_t plain_list(const Array& a) {
  constexpr std::uint32_t kept = 0x00FFFFFF | std::uint32_t{Array::fill_mask | Array::view_flag} << 24;
  return static_cast<std::uint32_t>(load(&a) >> 32) & kept;
}
// Gives the same for a list of numbers with memory of its own and the plain fill.
constexpr std::uint32_t plain_list_of(ElementType type) {
  return static_cast<std::uint32_t>(ObjectKind::array) | static_cast<std::uint32_t>(type) << 8 | 1u << 16 |
         static_cast<std::uint32_t>(FillKind::zero) << 24;
}

// Computes on n elements, at least one. Declines where memory is not at hand, too.
template <ScalarOp op, class T>
Value alike(Heap& heap, const unsigned char* left, const unsigned char* right, std::size_t n) {
  constexpr std::size_t lanes = 8 / sizeof(T);
  const ElementType type = is_comparison(op) ? ElementType::bit : type_of<T>;
  Array* result = make_list_at_hand(heap, type, n);
  if (result == nullptr) [[unlikely]]
    return Value();
  unsigned char* to = result->data.here();
  std::size_t rest = n;
  if constexpr (is_comparison(op)) {
    Word bits = 0;
    for (unsigned at = 0;; at += lanes, left += 8, right += 8) {
      bits |= compared<op, T>(load(left), load(right)) << at;
      if (rest <= lanes) break;
      rest -= lanes;
    }
    std::memcpy(to, &bits, sizeof bits);
    return Value(result);
  } else {
    Word any = 0;
    for (;; to += 8, left += 8, right += 8) {
      Word wrong;
      const Word r = computed<op, T>(load(left), load(right), wrong);
      std::memcpy(to, &r, sizeof r);
      if (rest <= lanes) {
        // What follows the last element is nobody's.
        any |= wrong << (64 - 8 * sizeof(T) * rest);
        break;
      }
      any |= wrong;
      rest -= lanes;
    }
    if (any == 0) [[likely]]
      return Value(result);
    Heap::free(result);
    return Value();
  }
}

template <ScalarOp op, class T>
Value alike(Heap& heap, const Array& w, const Array& x) {
  if (w.length - 1 >= most_bytes / sizeof(T)) return Value();
  return alike<op, T>(heap, w.data.here(), x.data.here(), w.length);
}

// Two plain lists of different types of integers, the shortest alone: the narrower is brought to the wider type.
constexpr std::size_t most_converted = 8;

void widen(std::int32_t* to, const Array& a) {
  const auto copy = [&](const auto* from) {
    for (std::size_t i = 0; i < a.length; i++) to[i] = from[i];
  };
  switch (a.type()) {
    case ElementType::i8: return copy(reinterpret_cast<const std::int8_t*>(a.data.here()));
    case ElementType::i16: return copy(reinterpret_cast<const std::int16_t*>(a.data.here()));
    default: return copy(reinterpret_cast<const std::int32_t*>(a.data.here()));
  }
}

template <ScalarOp op>
Value unlike_integers(Heap& heap, const Array& w, const Array& x) {
  const std::size_t n = w.length;
  if (n - 1 >= most_converted) return Value();
  std::int32_t wide_w[most_converted], wide_x[most_converted];
  widen(wide_w, w);
  widen(wide_x, x);
  const auto as = [](const void* p) { return static_cast<const unsigned char*>(p); };
  if (wider(w.type(), x.type()) == ElementType::i32) return alike<op, std::int32_t>(heap, as(wide_w), as(wide_x), n);
  std::int16_t narrow_w[most_converted], narrow_x[most_converted];
  for (std::size_t i = 0; i < n; i++) {
    narrow_w[i] = static_cast<std::int16_t>(wide_w[i]);
    narrow_x[i] = static_cast<std::int16_t>(wide_x[i]);
  }
  return alike<op, std::int16_t>(heap, as(narrow_w), as(narrow_x), n);
}

// Two lists of booleans, or one and 0 or 1, whose results are booleans.
template <ScalarOp op>
Value on_bits(Heap& heap, Word w, Word x, std::size_t n) {
  Word r;
  switch (op) {
    case ScalarOp::multiply:
    case ScalarOp::minimum:
    case ScalarOp::logic_and: r = w & x; break;
    case ScalarOp::maximum:
    case ScalarOp::logic_or: r = w | x; break;
    case ScalarOp::less: r = ~w & x; break;
    case ScalarOp::less_equal: r = ~w | x; break;
    case ScalarOp::equal: r = ~(w ^ x); break;
    case ScalarOp::greater_equal: r = w | ~x; break;
    case ScalarOp::greater: r = w & ~x; break;
    default: r = w ^ x; break;
  }
  return bits_result(heap, r, n);
}

constexpr bool has_bits(ScalarOp op) { return op != ScalarOp::add && op != ScalarOp::subtract && op != ScalarOp::divide; }
constexpr bool has_numbers(ScalarOp op) { return op != ScalarOp::logic_and && op != ScalarOp::logic_or; }
constexpr bool has_characters(ScalarOp op) { return op == ScalarOp::equal || op == ScalarOp::not_equal; }

template <ScalarOp op>
Value on_short_lists(Context& cx, const Value& w, const Value& x) {
  std::size_t n;
  ElementType type_w, type_x;
  if (w.is_array()) {
    const Array& a = w.array();
    if (!is_short(a)) return Value();
    n = a.length;
    type_w = a.type();
    if (x.is_array()) {
      const Array& b = x.array();
      if (b.length != n || !is_short(b)) return Value();
      type_x = b.type();
    } else {
      if (!x.is_number()) return Value();
      type_x = atom_type(x.number());
    }
  } else {
    if (!w.is_number() || !x.is_array() || !is_short(x.array())) return Value();
    n = x.array().length;
    type_w = atom_type(w.number());
    type_x = x.array().type();
  }
  if constexpr (has_bits(op)) {
    if ((type_w == ElementType::bit || (w.is_number() && (w.number() == 0 || w.number() == 1))) &&
        (type_x == ElementType::bit || (x.is_number() && (x.number() == 0 || x.number() == 1)))) {
      const auto bits = [](const Value& v) {
        return v.is_number() ? (v.number() == 0 ? Word{0} : ~Word{0}) : load(v.array().data);
      };
      if ((w.is_array() && !readable(w.array(), 8)) || (x.is_array() && !readable(x.array(), 8))) return Value();
      return on_bits<op>(cx.heap, bits(w), bits(x), n);
    }
  }
  ElementType type = wider(type_w, type_x);
  if (type == ElementType::c8) {
    if constexpr (has_characters(op))
      if (type_w == type_x && w.is_array() && x.is_array() && n <= most_bytes && readable(w.array(), n) && readable(x.array(), n))
        return on_words<op, std::int8_t>(cx.heap, {w.array().data, 8}, {x.array().data, 8}, n);
    return Value();
  }
  if constexpr (has_numbers(op)) {
    if constexpr (op == ScalarOp::divide) type = ElementType::f64;
    switch (type) {
      case ElementType::f64: return in_type<op, double>(cx.heap, w, x, n);
      case ElementType::i32:
        if constexpr (op != ScalarOp::divide) return in_type<op, std::int32_t>(cx.heap, w, x, n);
        break;
      case ElementType::i16:
        if constexpr (op != ScalarOp::divide) return in_type<op, std::int16_t>(cx.heap, w, x, n);
        break;
      default:
        if constexpr (op != ScalarOp::divide) return in_type<op, std::int8_t>(cx.heap, w, x, n);
        break;
    }
  }
  return Value();
}

constexpr char32_t glyph_of_operation(ScalarOp op) {
  switch (op) {
    case ScalarOp::add: return U'+';
    case ScalarOp::subtract: return U'-';
    case ScalarOp::multiply: return U'×';
    case ScalarOp::divide: return U'÷';
    case ScalarOp::minimum: return U'⌊';
    case ScalarOp::maximum: return U'⌈';
    case ScalarOp::logic_and: return U'∧';
    case ScalarOp::logic_or: return U'∨';
    case ScalarOp::less: return U'<';
    case ScalarOp::less_equal: return U'≤';
    case ScalarOp::equal: return U'=';
    case ScalarOp::greater_equal: return U'≥';
    case ScalarOp::greater: return U'>';
    default: return U'≠';
  }
}

}  // namespace

template <ScalarOp op>
[[gnu::noinline]] Value unlike_lists(Context& cx, const Value& w, const Value& x) {
  Value result = on_short_lists<op>(cx, w, x);
  if (result.is_absent()) return pervade_borrowed(cx, *dyad_rule(glyph_of_operation(op)), w, x);
  if (result.array().length == 0 && (has_no_fill(w) || has_no_fill(x)))
    result.array().flags &= static_cast<std::uint8_t>(~Array::fill_mask);
  return result;
}

template <ScalarOp op>
[[gnu::noinline]] Value lists_of_few_words(Context& cx, const Value& w, const Value& x) {
  if (w.is_array() && x.is_array() && w.array().length == x.array().length) {
    const std::uint32_t description = plain_list(w.array());
    if (description == plain_list(x.array())) {
      Value result;
      if constexpr (has_numbers(op)) {
        if constexpr (op != ScalarOp::divide) {
          if (description == plain_list_of(ElementType::i8)) result = alike<op, std::int8_t>(cx.heap, w.array(), x.array());
          if (description == plain_list_of(ElementType::i16)) result = alike<op, std::int16_t>(cx.heap, w.array(), x.array());
          if (description == plain_list_of(ElementType::i32)) result = alike<op, std::int32_t>(cx.heap, w.array(), x.array());
        }
        if (description == plain_list_of(ElementType::f64)) result = alike<op, double>(cx.heap, w.array(), x.array());
      }
      if (!result.is_absent()) [[likely]]
        return result;
    } else if constexpr (has_numbers(op) && op != ScalarOp::divide) {
      const auto integers = [](std::uint32_t d) {
        return d == plain_list_of(ElementType::i8) || d == plain_list_of(ElementType::i16) ||
               d == plain_list_of(ElementType::i32);
      };
      if (integers(description) && integers(plain_list(x.array()))) {
        Value result = unlike_integers<op>(cx.heap, w.array(), x.array());
        if (!result.is_absent()) return result;
      }
    }
  }
  return unlike_lists<op>(cx, w, x);
}

template <ScalarOp op>
Value longer_lists(Context& cx, const Value& w, const Value& x, const LongListRule& rule) {
  if (!w.is_array()) return atom_and_long_list(cx, w, x, rule);
  return (x.is_array() ? long_lists : long_list_and_atom)(cx, w, x, rule);
}
// Stands apart, so that later calls need no frame.
template <ScalarOp op>
[[gnu::noinline]] Value first_longer_lists(Context& cx, const Value& w, const Value& x, std::atomic<const LongListRule*>& found) {
  static const LongListRule rule = {*dyad_rule(glyph_of_operation(op)), dyad_rule(glyph_of_operation(op))->direct()};
  found.store(&rule, std::memory_order_release);
  return longer_lists<op>(cx, w, x, rule);
}

template <ScalarOp op>
Value short_lists(Context& cx, const Value& w, const Value& x) {
  // Set once, to what never changes.
  static constinit std::atomic<const LongListRule*> found{nullptr};
  if ((w.is_array() ? w : x).array().length <= most_bytes) return lists_of_few_words<op>(cx, w, x);
  const LongListRule* rule = found.load(std::memory_order_acquire);
  return rule != nullptr ? longer_lists<op>(cx, w, x, *rule) : first_longer_lists<op>(cx, w, x, found);
}

template Value short_lists<ScalarOp::add>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::subtract>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::multiply>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::divide>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::minimum>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::maximum>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::logic_and>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::logic_or>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::less>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::less_equal>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::equal>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::greater_equal>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::greater>(Context&, const Value&, const Value&);
template Value short_lists<ScalarOp::not_equal>(Context&, const Value&, const Value&);

}  // namespace griddle::primitives
