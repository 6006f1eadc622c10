#include "runtime/source/arena.h"

#include <sys/mman.h>

namespace griddle {
namespace {

constexpr std::size_t huge_page = 2 * 1024 * 1024;

}  // namespace

// Asks for huge pages where a chunk fills some: a large tree costs more in page faults than in parsing.
void Arena::add_chunk(std::size_t bytes) {
  std::size_t size = std::max(bytes, chunk_size_);
  const bool large = size >= huge_page;
  if (large) size = (size + huge_page - 1) / huge_page * huge_page;
  std::unique_ptr<void, Free> chunk(large ? std::aligned_alloc(huge_page, size) : std::malloc(size));
  if (chunk == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (large) madvise(chunk.get(), size, MADV_HUGEPAGE);
#endif
  next_ = reinterpret_cast<std::uintptr_t>(chunk.get());
  end_ = next_ + size;
  chunks_.push_back(std::move(chunk));
  chunk_size_ = std::min(chunk_size_ * 2, largest_chunk);
}

}  // namespace griddle
