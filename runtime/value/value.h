// Value: one BQN value in 64 bits. It owns what it points to.
//
//   63            48 47                                   0
//   any double that is not below            a number (every NaN is stored as 0x7FF8'0000'0000'0000)
//   1111111111111001 0000 0000 0000 0000 cccc ... cccc       a character, 21 bits
//   1111111111111010 0000 ...                       kkkk       a mark: absent, nothing, ... (never seen by a program)
//   1111111111111011 pppp pppp pppp ...                pppp    Array*
//   1111111111111100 pppp pppp pppp ...                pppp    Function*
//   1111111111111101 pppp pppp pppp ...                pppp    Modifier* (1-modifier)
//   1111111111111110 pppp pppp pppp ...                pppp    Modifier* (2-modifier)
//   1111111111111111 pppp pppp pppp ...                pppp    Namespace*
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>

#include "runtime/value/object.h"

namespace griddle {

// Doubles hold all integers up to here.
inline constexpr double exact_limit = 9007199254740992.0;

struct Array;
struct Function;
struct Modifier;
struct Namespace;

class Value {
 public:
  enum Tag : std::uint16_t {
    character_tag = 0xFFF9,
    mark_tag = 0xFFFA,
    array_tag = 0xFFFB,
    function_tag = 0xFFFC,
    modifier1_tag = 0xFFFD,
    modifier2_tag = 0xFFFE,
    namespace_tag = 0xFFFF,
  };
  static constexpr std::uint64_t first_tagged = std::uint64_t{character_tag} << 48;
  static constexpr std::uint64_t first_object = std::uint64_t{array_tag} << 48;
  static constexpr std::uint64_t pointer_mask = 0xFFFF'FFFF'FFFFull;
  static constexpr std::uint64_t absent_bits = std::uint64_t{mark_tag} << 48;
  static constexpr std::uint64_t nothing_bits = absent_bits | 1;

  // Makes the absent value: no value at all (an empty slot, a missing fill). A program never sees it.
  Value() : bits_(absent_bits) {}
  Value(double d) : bits_(d == d ? std::bit_cast<std::uint64_t>(d) : 0x7FF8'0000'0000'0000ull) {}
  Value(int i) : Value(static_cast<double>(i)) {}
  Value(std::size_t n) : Value(static_cast<double>(n)) {}
  Value(bool b) : Value(b ? 1.0 : 0.0) {}
  static Value character(char32_t c) { return from_bits(first_tagged | c); }
  static Value nothing() { return from_bits(nothing_bits); }  // BQN's Nothing: 𝕨 of a monadic call

  // Takes over one reference.
  explicit Value(Array* p) : bits_(tagged(array_tag, p)) {}
  explicit Value(Function* p) : bits_(tagged(function_tag, p)) {}
  explicit Value(Namespace* p) : bits_(tagged(namespace_tag, p)) {}
  static Value modifier1(Modifier* p) { return from_bits(tagged(modifier1_tag, p)); }
  static Value modifier2(Modifier* p) { return from_bits(tagged(modifier2_tag, p)); }
  template <class T>
  static Value share(T* p) {
    retain(reinterpret_cast<Object*>(p));
    return Value(p);
  }

  Value(const Value& o) : bits_(o.bits_) {
    if (is_object()) ++object()->refs;
  }
  Value(Value&& o) noexcept : bits_(o.bits_) { o.bits_ = absent_bits; }
  Value& operator=(const Value& o) {
    Value copy(o);
    std::swap(bits_, copy.bits_);
    return *this;
  }
  Value& operator=(Value&& o) noexcept {
    std::uint64_t old = bits_;
    bits_ = o.bits_;
    o.bits_ = absent_bits;
    if (old >= first_object) release(reinterpret_cast<Object*>(old & pointer_mask));
    return *this;
  }
  ~Value() {
    if (is_object()) release(object());
  }

  bool is_number() const { return bits_ < first_tagged; }
  bool is_character() const { return tag() == character_tag; }
  bool is_absent() const { return bits_ == absent_bits; }
  bool is_nothing() const { return bits_ == nothing_bits; }
  bool is_mark() const { return tag() == mark_tag; }
  bool is_array() const { return tag() == array_tag; }
  bool is_atom() const { return !is_array(); }
  bool is_function() const { return tag() == function_tag; }
  bool is_modifier1() const { return tag() == modifier1_tag; }
  bool is_modifier2() const { return tag() == modifier2_tag; }
  bool is_modifier() const { return tag() == modifier1_tag || tag() == modifier2_tag; }
  bool is_namespace() const { return tag() == namespace_tag; }
  bool is_operation() const { return tag() >= function_tag && tag() <= modifier2_tag; }
  bool is_object() const { return bits_ >= first_object; }

  double number() const { return std::bit_cast<double>(bits_); }
  char32_t character() const { return static_cast<char32_t>(bits_); }
  Object* object() const { return reinterpret_cast<Object*>(bits_ & pointer_mask); }
  Array& array() const { return *reinterpret_cast<Array*>(bits_ & pointer_mask); }
  Function& function() const { return *reinterpret_cast<Function*>(bits_ & pointer_mask); }
  Modifier& modifier() const { return *reinterpret_cast<Modifier*>(bits_ & pointer_mask); }
  Namespace& name_space() const { return *reinterpret_cast<Namespace*>(bits_ & pointer_mask); }

  // Tells whether this number is an integer that fits T, and stores it.
  template <class T>
  bool to_integer(T& out) const {
    if (!is_number()) return false;
    double d = number();
    if (!(d >= -exact_limit && d <= exact_limit)) return false;
    std::int64_t i = static_cast<std::int64_t>(d);
    if (static_cast<double>(i) != d) return false;
    out = static_cast<T>(i);
    return static_cast<double>(out) == d;
  }

  Tag tag() const { return static_cast<Tag>(bits_ >> 48); }
  std::uint64_t bits() const { return bits_; }
  // Adopts raw bits; an object's reference is taken over.
  static Value from_bits(std::uint64_t b) {
    Value v;
    v.bits_ = b;
    return v;
  }
  // Gives the bits away with the reference they own.
  std::uint64_t leak() {
    std::uint64_t b = bits_;
    bits_ = absent_bits;
    return b;
  }
  // Tells whether both are the very same atom or the very same object.
  bool same(const Value& o) const { return bits_ == o.bits_; }

 private:
  static std::uint64_t tagged(Tag t, const void* p) { return std::uint64_t{t} << 48 | reinterpret_cast<std::uint64_t>(p); }
  std::uint64_t bits_;
};
static_assert(sizeof(Value) == 8);

// Releases what the bits of a value own.
inline void release_bits(std::uint64_t v) {
  if (v >= Value::first_object) release(reinterpret_cast<Object*>(v & Value::pointer_mask));
}

}  // namespace griddle
