// Few: a list of plain values of which there are rarely more than eight, which need no memory then: numbers and lengths of axes.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace griddle {

template <class T>
class Few {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Few() = default;
  // Holds `n` values that are still to be written.
  explicit Few(std::size_t n) {
    if (n > capacity_) grow(n);
    size_ = n;
  }
  Few(std::size_t n, T value) { resize(n, value); }
  Few(const Few& o) { append(o); }
  Few(Few&& o) noexcept { take(o); }
  Few& operator=(const Few& o) {
    if (this != &o) {
      size_ = 0;
      append(o);
    }
    return *this;
  }
  Few& operator=(Few&& o) noexcept {
    if (this != &o) {
      delete[] more_;
      take(o);
    }
    return *this;
  }
  ~Few() { delete[] more_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return more_ != nullptr ? more_ : near_; }
  const T* data() const { return more_ != nullptr ? more_ : near_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::span<const T> view() const { return {data(), size_}; }
  operator std::span<const T>() const { return view(); }

  void push_back(T v) {
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = v;
  }
  void append(std::span<const T> s) {
    if (size_ + s.size() > capacity_) grow(size_ + s.size());
    for (const T& v : s) data()[size_++] = v;
  }
  void resize(std::size_t n, T value) {
    if (n > capacity_) grow(n);
    for (std::size_t i = size_; i < n; i++) data()[i] = value;
    size_ = n;
  }

 private:
  void grow(std::size_t n) {
    std::size_t capacity = n < 2 * capacity_ ? 2 * capacity_ : n;
    T* bigger = new T[capacity];
    for (std::size_t i = 0; i < size_; i++) bigger[i] = data()[i];
    delete[] more_;
    more_ = bigger;
    capacity_ = capacity;
  }
  // Takes what another list holds, and leaves that one empty.
  void take(Few& o) {
    more_ = o.more_;
    size_ = o.size_;
    capacity_ = o.capacity_;
    if (more_ == nullptr)
      for (std::size_t i = 0; i < size_; i++) near_[i] = o.near_[i];
    o.more_ = nullptr;
    o.size_ = 0;
    o.capacity_ = nearby;
  }

  static constexpr std::size_t nearby = 8;
  T near_[nearby];
  T* more_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = nearby;
};

}  // namespace griddle
