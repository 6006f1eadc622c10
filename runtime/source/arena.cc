#include "runtime/source/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace griddle {
namespace {

constexpr std::size_t huge_page = 2 * 1024 * 1024;

}  // namespace

Arena::~Arena() {
  while (newest_ != nullptr) {
    Chunk* older = newest_->older;
    std::free(newest_);
    newest_ = older;
  }
}

// Asks for huge pages where a chunk fills some: a large tree costs more in page faults than in parsing.
void Arena::add_chunk(std::size_t bytes) {
  std::size_t size = std::max(bytes + sizeof(Chunk), chunk_size_);
  const bool large = size >= huge_page;
  if (large) size = (size + huge_page - 1) / huge_page * huge_page;
  watch_(taken_ + size);
  void* memory = large ? std::aligned_alloc(huge_page, size) : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (large) madvise(memory, size, MADV_HUGEPAGE);
#endif
  newest_ = new (memory) Chunk{newest_};
  next_ = reinterpret_cast<std::uintptr_t>(newest_ + 1);
  end_ = reinterpret_cast<std::uintptr_t>(memory) + size;
  taken_ += size;
  chunk_size_ = std::min(chunk_size_ * 2, largest_chunk);
}

}  // namespace griddle
