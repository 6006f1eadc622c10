#include "gpu/cuda/small_blocks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace griddle::cuda {

TEST_CASE("blocks of memory for short arrays do not meet, and are taken again") {
  SmallBlocks blocks;
  CHECK(blocks.take(1) == nullptr);  // there is no memory yet
  CHECK_FALSE(blocks.give_back(&blocks));
  const std::unique_ptr<char[]> memory(new char[SmallBlocks::all_bytes]);
  blocks.use(memory.get());
  CHECK(blocks.take(SmallBlocks::page_bytes / 2 + 1) == nullptr);

  struct Extent {
    char *begin, *end;
  };
  std::vector<Extent> taken;
  constexpr std::size_t sizes[] = {1, 1024, 1025, 3000, 9000, SmallBlocks::page_bytes / 2};
  for (std::size_t i = 0;; i++) {
    const std::size_t size = sizes[i % std::size(sizes)];
    char* const block = static_cast<char*>(blocks.take(size));
    if (block == nullptr) break;
    taken.push_back({block, block + size});
  }
  REQUIRE(taken.size() > 1000);
  std::sort(taken.begin(), taken.end(), [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  CHECK(taken.front().begin >= memory.get());
  CHECK(taken.back().end <= memory.get() + SmallBlocks::all_bytes);
  CHECK(std::adjacent_find(taken.begin(), taken.end(), [](const Extent& a, const Extent& b) { return a.end > b.begin; }) ==
        taken.end());

  CHECK_FALSE(blocks.give_back(memory.get() + SmallBlocks::all_bytes));
  void* const last = taken.back().begin;
  CHECK(blocks.give_back(last));
  CHECK(blocks.take(static_cast<std::size_t>(taken.back().end - taken.back().begin)) == last);
}

}  // namespace griddle::cuda
