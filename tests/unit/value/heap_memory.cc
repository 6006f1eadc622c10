#include "runtime/value/heap_memory.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace griddle;

TEST_CASE("vectors and text in the heap count, until they are gone") {
  Heap heap;
  constexpr std::size_t many = std::size_t{8} << 20;
  const std::size_t before = heap.bytes_in_use();
  {
    HeapVector<std::uint64_t> numbers(many / 8, 7, heap);
    CHECK(heap.bytes_in_use() >= before + many);
    HeapVector<std::uint64_t> taken = std::move(numbers);
    CHECK(taken.back() == 7);
    const HeapText text(many, 'a', heap);
    const HeapArray<char> array = make_heap_array<char>(heap, many);
    CHECK(heap.bytes_in_use() >= before + 3 * many);
  }
  CHECK(heap.bytes_in_use() < before + many);
}

TEST_CASE("what grows in the heap ends at its limit") {
  Heap heap;
  heap.set_limit(std::size_t{16} << 20);
  HeapText text(heap);
  CHECK_THROWS_AS(text.resize(std::size_t{32} << 20), OutOfMemory);
  CHECK_THROWS_AS(HeapVector<std::uint64_t>(~std::size_t{0} / 64, heap), OutOfMemory);
  CHECK_THROWS_AS(HeapAllocator<std::uint64_t>(heap).allocate(~std::size_t{0} / 2), OutOfMemory);
  text.append("short");
  CHECK(text == "short");
}

TEST_CASE("memory that lies elsewhere counts as long as it is held") {
  Heap heap;
  heap.set_limit(std::size_t{64} << 20);
  const std::size_t before = heap.bytes_in_use();
  OutsideMemory memory;
  {
    OutsideMemory first;
    first.hold(heap, std::size_t{8} << 20);
    CHECK(heap.bytes_in_use() == before + (std::size_t{8} << 20));
    first.hold(heap, std::size_t{4} << 20);
    CHECK(heap.bytes_in_use() == before + (std::size_t{4} << 20));
    CHECK_THROWS_AS(first.hold(heap, std::size_t{80} << 20), OutOfMemory);
    memory = std::move(first);
  }
  CHECK(heap.bytes_in_use() == before + (std::size_t{4} << 20));
  memory.drop();
  CHECK(heap.bytes_in_use() == before);
}
