#include "runtime/system/data/npy_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/system/data/npy_reader.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

std::string name_of_type(const NpyType& type) {
  const std::string size = std::to_string(type.size);
  switch (type.kind) {
    case NpyType::Kind::boolean: return "|b1";
    case NpyType::Kind::integer: return (type.size == 1 ? "|i" : "<i") + size;
    case NpyType::Kind::natural: return (type.size == 1 ? "|u" : "<u") + size;
    case NpyType::Kind::real: return "<f" + size;
    case NpyType::Kind::bytes: return "|S" + size;
    case NpyType::Kind::text: return "<U" + std::to_string(type.size / sizeof(char32_t));
  }
  __builtin_unreachable();
}

NpyOptions npy_options(Context& cx, const Function& self, const Value& w, bool formats) {
  NpyOptions options;
  if (w.is_absent()) return options;
  const Namespace& given = namespace_argument(cx, self, w, "𝕨");
  for (const FieldTable::Field& f : given.table->fields) {
    const Value& v = given.environment->slots()[f.slot];
    if (f.name == "type" && formats) {
      const std::string name = string_argument(cx, self, v, "The option type");
      // The length of strings is found out.
      options.type = npy_type(name == "S" || name == "U" ? name + "1" : name);
      const bool is_written =
          options.type && !options.type->is_swapped && !(options.type->kind == NpyType::Kind::real && options.type->size == 2);
      if (!is_written)
        fail_in(cx, self,
                "The option type must be \"b1\", \"i1\", \"i2\", \"i4\", \"i8\", \"u1\" to \"u8\", \"f4\", \"f8\", \"S\" or "
                "\"U\" (got \"" +
                    name + "\")");
    } else if (f.name == "compress" && formats) {
      options.compresses = boolean_argument(cx, self, v, "The option compress");
    } else if (f.name == "large" && !formats) {
      const std::string name = string_argument(cx, self, v, "The option large");
      if (name != "round" && name != "error")
        fail_in(cx, self, "The option large must be \"round\" or \"error\" (got \"" + name + "\")");
      options.fails_beyond = name == "error";
    } else {
      fail_in(cx, self, "There is no option with this name (" + f.spelling + ")");
    }
  }
  return options;
}

}  // namespace

NpyOptions npy_parse_options(Context& cx, const Function& self, const Value& w) { return npy_options(cx, self, w, false); }
NpyOptions npy_format_options(Context& cx, const Function& self, const Value& w) { return npy_options(cx, self, w, true); }

Value NpyWriter::file_of(const Value& v) {
  Value kept = v.is_array() ? v : enclose(cx_.heap, v);
  if (kept.array().type() == ElementType::boxed) kept = narrowed(cx_.heap, kept);
  const Array& a = kept.array();
  const NpyType type = type_of(a);
  std::string header = "{'descr': '" + name_of_type(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t length : a.shape()) header += std::to_string(length) + ", ";
  // A tuple of one has a comma, one of several need not have it.
  if (a.rank() == 1) header.pop_back();
  if (a.rank() > 1) header.resize(header.size() - 2);
  header += "), }";
  // Elements begin at a multiple of 64 bytes. Only arrays of very many axes have a header for which two bytes are too few.
  constexpr std::size_t start = npy_magic.size() + 4, alignment = 64;
  while ((start + header.size() + 1) % alignment != 0) header += ' ';
  header += '\n';
  if (header.size() > std::numeric_limits<std::uint16_t>::max()) fail_in(cx_, self_, "The array has too many axes");
  const std::size_t first = start + header.size();
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(a.length, type.size, &bytes) || __builtin_add_overflow(bytes, first, &bytes))
    throw OutOfMemory(bytes);
  Ref<Array> file = make_list(cx_.heap, ElementType::c8, bytes);
  char* to = file->as<char>();
  std::memcpy(to, npy_magic.data(), npy_magic.size());
  to += npy_magic.size();
  *to++ = 1;  // the version
  *to++ = 0;
  *to++ = static_cast<char>(header.size() & 0xFF);
  *to++ = static_cast<char>(header.size() >> 8);
  std::memcpy(to, header.data(), header.size());
  write_elements(to + header.size(), a, type);
  return to_value(std::move(file));
}

// Gives the longest of strings; fails where some element is none.
std::size_t NpyWriter::longest_text(const Array& a) const {
  if (is_character(a.type())) return 1;
  std::size_t longest = 1;
  for (const Value& text : a.boxes()) {
    if (!is_string(text))
      fail_in(cx_, self_,
              "NumPy's files hold numbers, characters and strings alone, each array of one kind (got a " + kind_text(text) +
                  " in one)");
    longest = std::max(longest, text.array().length);
  }
  return longest;
}

NpyType NpyWriter::type_of(const Array& a) const {
  using Kind = NpyType::Kind;
  const bool is_text = is_character(a.type()) || (a.type() == ElementType::boxed && a.length > 0);
  if (options_.type && options_.type->is_text() != is_text && a.length > 0)
    fail_in(cx_, self_,
            std::string("The option type names one of ") +
                (is_text ? "numbers, but these are strings or characters" : "strings, but these are numbers"));
  if (is_text) {
    const bool is_bytes = options_.type && options_.type->kind == Kind::bytes;
    return {is_bytes ? Kind::bytes : Kind::text, longest_text(a) * (is_bytes ? 1 : sizeof(char32_t)), false};
  }
  if (options_.type) return *options_.type;
  switch (a.type()) {
    case ElementType::bit: return {Kind::boolean, 1, false};
    case ElementType::i8: return {Kind::integer, 1, false};
    case ElementType::i16: return {Kind::integer, 2, false};
    case ElementType::i32: return {Kind::integer, 4, false};
    default: return {Kind::real, sizeof(double), false};
  }
}

void NpyWriter::write_elements(char* to, const Array& a, const NpyType& type) const {
  if (a.length == 0) return;
  if (type.is_text()) return write_texts(to, a, type);
  if (type.same_as() == a.type()) {
    in_pieces(a.length, [&](std::size_t from, std::size_t end) {
      std::memcpy(to + from * type.size, a.as<char>() + from * type.size, (end - from) * type.size);
    });
    return;
  }
  if (type.kind == NpyType::Kind::boolean && a.type() == ElementType::bit)
    return unpack_bits(reinterpret_cast<std::uint8_t*>(to), a.as<std::uint64_t>(), a.length);
  write_numbers(to, a, type);
}

// Writes numbers in another type than they are stored in, where they fit.
template <class T>
void NpyWriter::write_numbers_as(char* to, const Array& a, const char* name) const {
  const Value kept = converted(cx_.heap, a, ElementType::f64);
  const double* const from = kept.array().as<double>();
  in_pieces(a.length, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i++) {
      T value;
      if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(from[i]);
      } else {
        // Both limits are exact, as powers of two.
        constexpr double least =
            std::is_signed_v<T> ? -0x1p0 * static_cast<double>(std::uint64_t{1} << (sizeof(T) * 8 - 1)) : 0.0;
        constexpr double end_of = static_cast<double>(std::uint64_t{1} << (sizeof(T) * 8 - 1)) * (std::is_signed_v<T> ? 1 : 2);
        const bool fits = from[i] >= least && from[i] < (std::is_same_v<T, bool> ? 2 : end_of) && from[i] == std::trunc(from[i]);
        if (!fits) fail_in(cx_, self_, std::string("A number does not fit the type ") + name + " (" + number_text(from[i]) + ")");
        value = static_cast<T>(from[i]);
      }
      std::memcpy(to + i * sizeof(T), &value, sizeof(T));
    }
  });
}

void NpyWriter::write_numbers(char* to, const Array& a, const NpyType& type) const {
  switch (type.kind) {
    case NpyType::Kind::boolean: return write_numbers_as<bool>(to, a, "b1");
    case NpyType::Kind::integer:
      if (type.size == 1) return write_numbers_as<std::int8_t>(to, a, "i1");
      if (type.size == 2) return write_numbers_as<std::int16_t>(to, a, "i2");
      if (type.size == 4) return write_numbers_as<std::int32_t>(to, a, "i4");
      return write_numbers_as<std::int64_t>(to, a, "i8");
    case NpyType::Kind::natural:
      if (type.size == 1) return write_numbers_as<std::uint8_t>(to, a, "u1");
      if (type.size == 2) return write_numbers_as<std::uint16_t>(to, a, "u2");
      if (type.size == 4) return write_numbers_as<std::uint32_t>(to, a, "u4");
      return write_numbers_as<std::uint64_t>(to, a, "u8");
    default: return type.size == sizeof(float) ? write_numbers_as<float>(to, a, "f4") : write_numbers_as<double>(to, a, "f8");
  }
}

void NpyWriter::write_texts(char* to, const Array& a, const NpyType& type) const {
  const bool is_bytes = type.kind == NpyType::Kind::bytes;
  std::memset(to, 0, a.length * type.size);
  const auto write = [&](char* at, char32_t c) {
    if (!is_bytes) {
      std::memcpy(at, &c, sizeof c);
    } else if (c < 0x100) {
      *at = static_cast<char>(c);
    } else {
      fail_in(cx_, self_, "A character does not fit the type S (@+" + std::to_string(static_cast<std::uint32_t>(c)) + ")");
    }
  };
  const std::size_t step = is_bytes ? 1 : sizeof(char32_t);
  in_pieces(a.length, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i++) {
      if (is_character(a.type())) {
        write(to + i * step, character_at(a, i));
        continue;
      }
      const Array& text = a.boxes()[i].array();
      for (std::size_t k = 0; k < text.length; k++) write(to + i * type.size + k * step, element(text, k).character());
    }
  });
}

}  // namespace griddle
