#include "runtime/system/data/npy_reader.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "runtime/system/data/decimal.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

// --- the header

class HeaderParser {
 public:
  HeaderParser(std::string_view text, NpyHeader& header) : text_(text), header_(header) {}

  std::string parse() {
    bool has_type = false, has_order = false, has_shape = false;
    if (!take('{')) return malformed;
    while (!take('}')) {
      std::string_view name, value;
      if (!string(name) || !take(':')) return malformed;
      if (name == "descr") {
        if (!string(value)) return "Elements of several parts, or with an object each, are not read";
        const std::optional<NpyType> type = npy_type(value);
        if (!type) return "Elements of the type " + std::string(value) + " are not read";
        header_.type = *type;
        has_type = true;
      } else if (name == "fortran_order") {
        header_.is_by_columns = word("True");
        if (!header_.is_by_columns && !word("False")) return malformed;
        has_order = true;
      } else if (name == "shape") {
        if (!shape()) return malformed;
        has_shape = true;
      } else {
        return malformed;
      }
      if (!take(',') && !looking_at('}')) return malformed;
    }
    skip_blanks();
    return has_type && has_order && has_shape && at_ == text_.size() ? "" : malformed;
  }

 private:
  static constexpr const char* malformed = "The header is malformed";

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) at_++;
  }
  bool looking_at(char c) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    const bool there = looking_at(c);
    at_ += there;
    return there;
  }
  bool word(std::string_view w) {
    skip_blanks();
    const bool there = text_.substr(at_).starts_with(w);
    if (there) at_ += w.size();
    return there;
  }
  bool string(std::string_view& out) {
    if (!looking_at('\'') && !looking_at('"')) return false;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == text_.npos) return false;
    out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  bool shape() {
    constexpr std::size_t most_axes = 255, longest = sizeof(std::size_t) == 8 ? std::size_t{max_length} << 6 : max_length;
    header_.shape.clear();
    if (!take('(')) return false;
    while (!take(')')) {
      std::size_t length = 0;
      skip_blanks();
      if (at_ == text_.size() || !is_digit(text_[at_]) || header_.shape.size() == most_axes) return false;
      for (; at_ < text_.size() && is_digit(text_[at_]); at_++) {
        length = length * 10 + static_cast<std::size_t>(text_[at_] - '0');
        if (length >= longest) return false;
      }
      word("L");  // which Python 2 wrote
      header_.shape.push_back(length);
      if (!take(',') && !looking_at(')')) return false;
    }
    return true;
  }

  std::string_view text_;
  NpyHeader& header_;
  std::size_t at_ = 0;
};

// --- elements

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

template <class T>
T swapped(T value) {
  if constexpr (sizeof(T) == 1) {
    return value;
  } else {
    using Bits =
        std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    Bits bits = std::bit_cast<Bits>(value);
    if constexpr (sizeof(T) == 2) bits = __builtin_bswap16(bits);
    if constexpr (sizeof(T) == 4) bits = __builtin_bswap32(bits);
    if constexpr (sizeof(T) == 8) bits = __builtin_bswap64(bits);
    return std::bit_cast<T>(bits);
  }
}

// Gives the element at a place that need not be aligned.
template <class T>
T stored(const char* bytes, std::size_t i, bool is_swapped) {
  T value;
  std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
  return is_swapped ? swapped(value) : value;
}

template <class T>
void swap_all(T* elements, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) elements[i] = swapped(elements[i]);
}

}  // namespace

std::string read_npy_header(std::string_view text, NpyHeader& header) { return HeaderParser(text, header).parse(); }

void NpyReader::fail(const std::string& message) const { fail_in(cx_, self_, message); }

NpyHeader NpyReader::read_header() {
  constexpr std::size_t version_bytes = 2;
  char start[npy_magic.size() + version_bytes];
  const auto require = [&](std::size_t bytes) {
    if (source_.left() < bytes) fail("This is no file of NumPy, or its beginning alone");
  };
  require(sizeof start);
  source_.read(start, sizeof start);
  if (!std::string_view(start, sizeof start).starts_with(npy_magic)) fail("This is no file of NumPy");
  const int version = start[npy_magic.size()];
  if (version < 1 || version > 3) fail("Files of version " + std::to_string(version) + " are not read");
  unsigned char size[4] = {};
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  require(size_bytes);
  source_.read(size, size_bytes);
  const std::size_t length = size[0] | std::size_t{size[1]} << 8 | std::size_t{size[2]} << 16 | std::size_t{size[3]} << 24;
  require(length);
  HeapText text(cx_.heap);
  text.resize(length);
  source_.read(text.data(), length);
  NpyHeader header;
  const std::string problem = read_npy_header(text, header);
  if (!problem.empty()) fail(problem);
  return header;
}

Value NpyReader::read() {
  const NpyHeader header = read_header();
  std::size_t count = 1, bytes = header.type.size;
  bool is_empty = std::ranges::find(header.shape, std::size_t{0}) != header.shape.end(), overflows = false;
  for (const std::size_t length : header.shape) overflows = overflows || __builtin_mul_overflow(count, length, &count);
  if (is_empty) {
    count = bytes = 0;
  } else if (overflows || __builtin_mul_overflow(count, header.type.size, &bytes) || bytes > source_.left()) {
    fail("There are fewer elements than the shape " + shape_text(header.shape) + " has");
  }
  // An array by columns is one of the reversed shape by rows, with its axes the other way round.
  std::vector<std::size_t> shape = header.shape;
  const bool turns = header.is_by_columns && shape.size() > 1;
  if (turns) std::ranges::reverse(shape);
  Value array = read_elements(header.type, shape, count);
  if (!turns) return array;
  HeapVector<double> axes(cx_.heap);
  for (std::size_t i = shape.size(); i > 0; i--) axes.push_back(static_cast<double>(i - 1));
  return call(cx_, primitive(cx_, U'⍉'), make_numbers(cx_.heap, std::span<const double>(axes)), std::move(array));
}

Value NpyReader::read_elements(const NpyType& type, std::span<const std::size_t> shape, std::size_t count) {
  if (const std::optional<ElementType> same = type.same_as()) {
    Ref<Array> array = make_array(cx_.heap, *same, shape);
    std::uint8_t* const elements = array->data;
    source_.read(elements, count * type.size);
    if (type.is_swapped && type.size == 2) swap_all(reinterpret_cast<std::uint16_t*>(elements), count);
    if (type.is_swapped && type.size == 4) swap_all(reinterpret_cast<std::uint32_t*>(elements), count);
    if (type.is_swapped && type.size == 8) swap_all(reinterpret_cast<std::uint64_t*>(elements), count);
    return to_value(std::move(array));
  }
  switch (type.kind) {
    case NpyType::Kind::boolean: return read_bits(type, shape, count);
    case NpyType::Kind::integer: return read_integers(type, shape, count);
    case NpyType::Kind::natural:
      if (type.size == 1) return read_as<std::uint8_t, std::int16_t>(type, ElementType::i16, shape, count);
      if (type.size == 2) return read_as<std::uint16_t, std::int32_t>(type, ElementType::i32, shape, count);
      return read_integers(type, shape, count);
    case NpyType::Kind::real:
      if (type.size == 4) return read_as<float, double>(type, ElementType::f64, shape, count);
      return read_halves(type, shape, count);
    case NpyType::Kind::bytes:
    case NpyType::Kind::text: return read_texts(type, shape, count);
  }
  __builtin_unreachable();
}

// Reads elements piece by piece: take(bytes, first, n).
template <class Take>
void NpyReader::read_pieces(const NpyType& type, std::size_t count, Take take) {
  const std::size_t at_once = std::max<std::size_t>(piece_bytes / type.size, 1);
  const HeapArray<char> bytes = make_heap_array<char>(cx_.heap, std::min(at_once, std::max<std::size_t>(count, 1)) * type.size);
  for (std::size_t first = 0; first < count;) {
    const std::size_t n = std::min(at_once, count - first);
    source_.read(bytes.get(), n * type.size);
    take(bytes.get(), first, n);
    first += n;
  }
}

template <class Stored, class To>
Value NpyReader::read_as(const NpyType& type, ElementType element, std::span<const std::size_t> shape, std::size_t count) {
  Ref<Array> array = make_array(cx_.heap, element, shape);
  To* const to = array->as<To>();
  read_pieces(type, count, [&](const char* bytes, std::size_t first, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) to[first + i] = static_cast<To>(stored<Stored>(bytes, i, type.is_swapped));
  });
  return to_value(std::move(array));
}

Value NpyReader::read_bits(const NpyType& type, std::span<const std::size_t> shape, std::size_t count) {
  Ref<Array> array = make_array(cx_.heap, ElementType::bit, shape);
  static_assert(piece_bytes % 64 == 0);
  read_pieces(type, count, [&](char* bytes, std::size_t first, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) bytes[i] = bytes[i] != 0;
    pack_bits(array->as<std::uint64_t>() + first / 64, reinterpret_cast<const std::uint8_t*>(bytes), n);
  });
  return to_value(std::move(array));
}

// Reads integers of which only some fit a double, or one of our integers.
Value NpyReader::read_integers(const NpyType& type, std::span<const std::size_t> shape, std::size_t count) {
  constexpr auto exact = static_cast<std::int64_t>(exact_limit);
  Ref<Array> array = make_array(cx_.heap, ElementType::f64, shape);
  double* const to = array->as<double>();
  bool are_small = true, are_exact = true;
  read_pieces(type, count, [&](const char* bytes, std::size_t first, std::size_t n) {
    const auto take = [&]<class T>(std::type_identity<T>) {
      for (std::size_t i = 0; i < n; i++) {
        const T value = stored<T>(bytes, i, type.is_swapped);
        are_small = are_small && std::in_range<std::int32_t>(value);
        are_exact = are_exact && std::cmp_less_equal(value, exact) && std::cmp_greater_equal(value, -exact);
        to[first + i] = static_cast<double>(value);
      }
    };
    if (type.size == 4) return take(std::type_identity<std::uint32_t>{});
    type.kind == NpyType::Kind::natural ? take(std::type_identity<std::uint64_t>{}) : take(std::type_identity<std::int64_t>{});
    if (!are_exact && fails_beyond_) fail("An integer is beyond 2⋆53");
  });
  Value read = to_value(std::move(array));
  return are_small && count > 0 ? converted(cx_.heap, read.array(), ElementType::i32) : read;
}

Value NpyReader::read_halves(const NpyType& type, std::span<const std::size_t> shape, std::size_t count) {
  Ref<Array> array = make_array(cx_.heap, ElementType::f64, shape);
  double* const to = array->as<double>();
  read_pieces(type, count, [&](const char* bytes, std::size_t first, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) to[first + i] = half_precision(stored<std::uint16_t>(bytes, i, type.is_swapped));
  });
  return to_value(std::move(array));
}

// Reads strings, or characters where each has one. Zeros at the end of a string are not part of it.
Value NpyReader::read_texts(const NpyType& type, std::span<const std::size_t> shape, std::size_t count) {
  const bool is_bytes = type.kind == NpyType::Kind::bytes;
  const std::size_t length = is_bytes ? type.size : type.size / sizeof(char32_t);
  const auto character = [&](const char* bytes, std::size_t i) {
    if (is_bytes) return static_cast<char32_t>(static_cast<unsigned char>(bytes[i]));
    const char32_t c = stored<char32_t>(bytes, i, type.is_swapped);
    if (c > 0x10FFFF) fail("A string holds what is no character (" + std::to_string(static_cast<std::uint32_t>(c)) + ")");
    return c;
  };
  if (length == 1) {
    Ref<Array> array = make_array(cx_.heap, ElementType::c32, shape);
    char32_t* const to = array->as<char32_t>();
    read_pieces(type, count, [&](const char* bytes, std::size_t first, std::size_t n) {
      for (std::size_t i = 0; i < n; i++) to[first + i] = character(bytes, i);
    });
    return narrowed(cx_.heap, to_value(std::move(array)));
  }
  Ref<Array> array = make_array(cx_.heap, ElementType::boxed, shape);
  Value* const to = array->as<Value>();
  HeapVector<char32_t> text(cx_.heap);
  read_pieces(type, count, [&](const char* bytes, std::size_t first, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) {
      text.clear();
      for (std::size_t k = 0; k < length; k++) text.push_back(character(bytes, i * length + k));
      while (!text.empty() && text.back() == 0) text.pop_back();
      to[first + i] = make_string(cx_.heap, std::u32string_view(text.data(), text.size()));
    }
  });
  return to_value(std::move(array));
}

}  // namespace griddle
