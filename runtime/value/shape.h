// Shape: the lengths of an array's axes while a result is being planned. Up to 8 axes need no memory.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

namespace griddle {

inline constexpr std::size_t max_rank = 255;
inline constexpr std::size_t max_length = std::size_t{1} << 47;

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::size_t> l) : Shape(std::span<const std::size_t>(l.begin(), l.size())) {}
  Shape(std::span<const std::size_t> s) { append(s); }
  Shape(const Shape& o) : Shape(o.view()) {}
  Shape(Shape&& o) noexcept { take(o); }
  ~Shape() { delete[] more_; }
  Shape& operator=(const Shape& o) {
    if (this != &o) {
      size_ = 0;
      append(o.view());
    }
    return *this;
  }
  Shape& operator=(Shape&& o) noexcept {
    if (this != &o) {
      delete[] more_;
      take(o);
    }
    return *this;
  }

  std::size_t size() const { return size_; }
  const std::size_t* data() const { return more_ != nullptr ? more_ : few_; }
  std::size_t* data() { return more_ != nullptr ? more_ : few_; }
  std::size_t operator[](std::size_t i) const { return data()[i]; }
  std::size_t& operator[](std::size_t i) { return data()[i]; }
  std::span<const std::size_t> view() const { return {data(), size_}; }
  operator std::span<const std::size_t>() const { return view(); }
  const std::size_t* begin() const { return data(); }
  const std::size_t* end() const { return data() + size_; }

  void push_back(std::size_t n) {
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = n;
  }
  void append(std::span<const std::size_t> s) {
    if (size_ + s.size() > capacity_) grow(size_ + s.size());
    for (std::size_t n : s) data()[size_++] = n;
  }
  void resize(std::size_t n, std::size_t value = 1) {
    while (size_ < n) push_back(value);
    size_ = n;
  }

 private:
  void grow(std::size_t n) {
    std::size_t capacity = n < 2 * capacity_ ? 2 * capacity_ : n;
    std::size_t* bigger = new std::size_t[capacity];
    for (std::size_t i = 0; i < size_; i++) bigger[i] = data()[i];
    delete[] more_;
    more_ = bigger;
    capacity_ = capacity;
  }
  // Takes what another shape holds, whose memory it is no longer.
  void take(Shape& o) {
    more_ = o.more_;
    size_ = o.size_;
    capacity_ = o.capacity_;
    if (more_ == nullptr) {
      for (std::size_t i = 0; i < size_; i++) few_[i] = o.few_[i];
      return;
    }
    o.more_ = nullptr;
    o.size_ = 0;
    o.capacity_ = most_few;
  }
  static constexpr std::size_t most_few = 8;
  std::size_t few_[most_few];
  std::size_t* more_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = most_few;
};

inline bool same_shape(std::span<const std::size_t> a, std::span<const std::size_t> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); i++)
    if (a[i] != b[i]) return false;
  return true;
}

// Multiplies the lengths. Gives max_length + 1 where the product is larger than max_length.
inline std::size_t product(std::span<const std::size_t> s) {
  std::size_t p = 1;
  for (std::size_t n : s)
    if (n == 0) return 0;
  for (std::size_t n : s)
    if (__builtin_mul_overflow(p, n, &p) || p > max_length) return max_length + 1;
  return p;
}

}  // namespace griddle
