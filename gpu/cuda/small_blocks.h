// Memory for short arrays, which programs of small steps take and give back at each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace griddle::cuda {

// One piece of the device's memory is cut into pages, and a page into blocks of one size. All work goes on one stream: what is
// given back can be taken at once. Calls of CUDA for the same would take two microseconds for each array.
class SmallBlocks {
 public:
  static constexpr std::size_t page_bytes = std::size_t{64} << 10, all_bytes = std::size_t{32} << 20;

  bool has_memory() const { return begin_ != nullptr; }
  void use(void* memory) { begin_ = static_cast<char*>(memory); }

  // Gives null where the block would be too large, or none is left.
  void* take(std::size_t bytes) {
    if (begin_ == nullptr || bytes > largest) return nullptr;
    unsigned size = 0;
    while (smallest << size < bytes) size++;
    std::vector<char*>& free = free_[size];
    if (free.empty() && !cut_page(size)) return nullptr;
    char* const block = free.back();
    free.pop_back();
    return block;
  }
  // Tells whether it is one of these blocks.
  bool give_back(void* memory) {
    const std::size_t at = reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(begin_);
    if (begin_ == nullptr || at >= all_bytes) return false;
    free_[size_of_[at / page_bytes]].push_back(static_cast<char*>(memory));
    return true;
  }

 private:
  static constexpr std::size_t smallest = 1024, largest = page_bytes / 2, sizes = 6;
  static_assert(smallest << (sizes - 1) == largest);

  bool cut_page(unsigned size) {
    if (pages_ == all_bytes / page_bytes) return false;
    const std::size_t block = smallest << size;
    cut_[size] += page_bytes / block;
    free_[size].reserve(cut_[size]);  // so that nothing fails where blocks come back
    char* const page = begin_ + pages_ * page_bytes;
    for (std::size_t at = page_bytes; at > 0; at -= block) free_[size].push_back(page + at - block);
    size_of_[pages_++] = static_cast<std::uint8_t>(size);
    return true;
  }

  char* begin_ = nullptr;
  std::size_t pages_ = 0;
  std::uint8_t size_of_[all_bytes / page_bytes] = {};
  std::size_t cut_[sizes] = {};
  std::vector<char*> free_[sizes];
};

}  // namespace griddle::cuda
