// Memory for a syntax tree: handed out by moving a pointer, given back all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "runtime/source/watch.h"

namespace griddle {

class Arena {
 public:
  static constexpr std::size_t usual_chunk = 16 * 1024;
  explicit Arena(Watch watch = {}, std::size_t first_chunk = usual_chunk) : chunk_size_(first_chunk), watch_(watch) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // Gives the bytes that it has taken.
  std::size_t bytes() const { return taken_; }

  // Gives uninitialised memory, aligned to `alignment` (a power of two, at most 16). Throws std::bad_alloc.
  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::uintptr_t start = (next_ + (alignment - 1)) & ~(std::uintptr_t{alignment} - 1);
    if (start + bytes > end_) [[unlikely]] {
      add_chunk(bytes);
      start = next_;
    }
    next_ = start + bytes;
    return reinterpret_cast<void*>(start);
  }

  // Makes a T from its aggregate initialiser. No destructor will run.
  template <class T, class... Parts>
  T* make(Parts&&... parts) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 16);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Parts>(parts)...};
  }

  // Gives room for `count` items, uninitialised.
  template <class T>
  std::span<T> make_span(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 16);
    if (count == 0) return {};
    return {static_cast<T*>(allocate(count * sizeof(T), alignof(T))), count};
  }

  template <class T>
  std::span<T> copy(std::span<const T> items) {
    std::span<T> result = make_span<T>(items.size());
    if (!items.empty()) std::memcpy(result.data(), items.data(), items.size_bytes());
    return result;
  }

  std::string_view copy(std::string_view text) {
    const std::span<char> result = copy(std::span<const char>(text));
    return {result.data(), result.size()};
  }

 private:
  static constexpr std::size_t largest_chunk = 8 * 1024 * 1024;

  void add_chunk(std::size_t bytes);
  // Stands at the start of every chunk.
  struct alignas(16) Chunk {
    Chunk* older;
  };

  Chunk* newest_ = nullptr;
  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t chunk_size_;
  std::size_t taken_ = 0;  // bytes of all chunks
  Watch watch_;
};

}  // namespace griddle
