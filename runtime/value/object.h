// The header that every reference-counted heap object starts with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace griddle {

class Heap;

enum class ObjectKind : std::uint8_t {
  array,
  primitive_function,  // PrimitiveFunction
  primitive_modifier,  // PrimitiveModifier
  derived,             // Derived: a primitive or native modifier with its operands
  train,               // Train: atop or fork
  derived_block,       // DerivedBlock: a deferred modifier closure with its operands
  block_function,      // BlockFunction: a closure
  block_modifier,      // BlockModifier: a modifier closure
  native_function,     // NativeFunction: a system function
  native_modifier,     // NativeModifier
  environment,         // Environment: the variables that inner blocks capture
  name_space,          // Namespace
  native,              // NativeObject: C++ state behind a virtual destructor (code, hash maps, ...)
};

//  byte 0..3   4      5      6      7
//      refs    kind   a      b      flags        a, b: element type and rank of an array; free for other kinds
struct alignas(8) Object {
  std::uint32_t refs;
  ObjectKind kind;
  std::uint8_t a;
  std::uint8_t b;
  std::uint8_t flags;

  // Marks an object of which one reference is on loan: the lender still holds it, but allows the borrower to reuse it in place.
  static constexpr std::uint8_t lent = 0x80;
  // Marks of the cycle collector while it runs (cycles.cc): what it has found, and what of it is in use.
  static constexpr std::uint8_t gc_visited = 0x40;
  static constexpr std::uint8_t gc_in_use = 0x20;
  // Marks what survived a collection; the next ones leave it alone until many such objects have come together.
  static constexpr std::uint8_t gc_old = 0x10;

  // What stands behind the count, as one number: kind in the lowest byte, then a, b and flags. Whoever changes a part writes all
  // of it, because a load of the whole soon after a store of one byte waits until the store has reached the cache.
  static constexpr unsigned a_shift = 8, b_shift = 16, flags_shift = 24;
  std::uint32_t description() const {
    std::uint32_t all;
    std::memcpy(&all, reinterpret_cast<const unsigned char*>(this) + sizeof refs, sizeof all);
    return all;
  }
  void describe(std::uint32_t all) { std::memcpy(reinterpret_cast<unsigned char*>(this) + sizeof refs, &all, sizeof all); }
  void change_flags(std::uint8_t dropped, std::uint8_t added) {
    describe((description() & ~(std::uint32_t{dropped} << flags_shift)) | std::uint32_t{added} << flags_shift);
  }

  // Tells whether the holder of a reference may change the object: nobody else would see it.
  bool unique() const { return refs == 1u + (flags >> 7); }
};
static_assert(sizeof(Object) == 8);

// Frees an object whose count reached zero, and what only it held. Takes bounded stack however deep the object is nested.
void destroy(Object* object) noexcept;
// Frees so many boxes of arrays that were put off (heap.h), or fewer where there are no more.
void free_put_off(Heap&, std::size_t boxes) noexcept;

// Frees the memory of an object whose references somebody else has dealt with.
void free_emptied(Object* object) noexcept;

inline void retain(Object* o) { ++o->refs; }
inline void release(Object* o) noexcept {
  if (--o->refs == 0) destroy(o);
}

// Owns one reference to an object of type T.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(T* adopted) : p_(adopted) {}  // takes over the reference
  Ref(const Ref& o) : p_(o.p_) {
    if (p_) retain(p_);
  }
  Ref(Ref&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  Ref& operator=(Ref o) noexcept {
    T* t = p_;
    p_ = o.p_;
    o.p_ = t;
    return *this;
  }
  ~Ref() {
    if (p_) release(p_);
  }
  static Ref share(T* p) {
    if (p) retain(p);
    return Ref(p);
  }
  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  // Hands the reference to the caller.
  T* leak() {
    T* t = p_;
    p_ = nullptr;
    return t;
  }

 private:
  T* p_ = nullptr;
};

}  // namespace griddle
