// Few: a list of plain values of which there are rarely more than eight, which need no memory then: numbers of axes above all.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace griddle::primitives {

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
  Few(std::size_t n, T value) : Few(n) {
    for (T& v : *this) v = value;
  }
  Few(Few&& other) noexcept { *this = std::move(other); }
  Few& operator=(Few&& other) noexcept {
    delete[] more_;
    more_ = std::exchange(other.more_, nullptr);
    size_ = other.size_;
    capacity_ = other.capacity_;
    if (more_ == nullptr)
      for (std::size_t i = 0; i < size_; i++) near_[i] = other.near_[i];
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
  operator std::span<const T>() const { return {data(), size_}; }

  void push_back(T v) {
    if (size_ == capacity_) grow(2 * size_);
    data()[size_++] = v;
  }

 private:
  void grow(std::size_t capacity) {
    T* bigger = new T[capacity];
    for (std::size_t i = 0; i < size_; i++) bigger[i] = data()[i];
    delete[] more_;
    more_ = bigger;
    capacity_ = capacity;
  }
  T near_[8];
  T* more_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 8;
};

}  // namespace griddle::primitives
