#include "runtime/value/heap.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <vector>

#include "runtime/value/array.h"

using namespace griddle;

TEST_CASE("allocations hold what they promise and never overlap") {
  Heap heap;
  std::mt19937 random(3);
  struct Piece {
    unsigned char* at;
    std::size_t size;
    unsigned char mark;
  };
  std::vector<Piece> pieces;
  for (int round = 0; round < 20000; round++) {
    if (pieces.size() > 200 || (!pieces.empty() && random() % 3 == 0)) {
      std::size_t i = random() % pieces.size();
      Piece p = pieces[i];
      REQUIRE(p.at[0] == p.mark);
      REQUIRE(p.at[p.size - 1] == p.mark);
      Heap::free(p.at);
      pieces[i] = pieces.back();
      pieces.pop_back();
      continue;
    }
    std::size_t size = 1 + random() % (std::size_t{1} << random() % 22);
    auto* at = static_cast<unsigned char*>(heap.allocate(size));
    REQUIRE(reinterpret_cast<std::uintptr_t>(at) % 16 == 0);
    REQUIRE(Heap::usable_size(at) >= size);
    REQUIRE(&Heap::of(at) == &heap);
    unsigned char mark = static_cast<unsigned char>(random());
    at[0] = at[size - 1] = mark;
    pieces.push_back({at, size, mark});
  }
}

TEST_CASE("a request beyond memory fails and leaves the heap usable") {
  Heap heap;
  CHECK_THROWS_AS(heap.allocate(std::size_t{1} << 50), OutOfMemory);
  heap.set_limit(64 << 20);
  CHECK_THROWS_AS(heap.allocate(std::size_t{100} << 20), OutOfMemory);
  void* p = heap.allocate(1 << 20);
  CHECK(p != nullptr);
  Heap::free(p);
}

TEST_CASE("large buffers are reused") {
  Heap heap;
  void* first = heap.allocate(8 << 20);
  Heap::free(first);
  CHECK(heap.allocate(8 << 20) == first);
}

TEST_CASE("freeing a million nested arrays takes bounded stack") {
  Heap heap;
  Value deep(1.0);
  for (int i = 0; i < 1000000; i++) {
    Ref<Array> a = make_list(heap, ElementType::boxed, 1);
    store(*a, 0, std::move(deep));
    deep = to_value(std::move(a));
  }
  deep = Value();
  CHECK(true);
}

TEST_CASE("memory that was one size serves another when the limit is reached") {
  Heap heap;
  constexpr std::size_t limit = std::size_t{64} << 20;
  heap.set_limit(limit);
  const auto fill = [&](std::size_t size) {
    std::vector<void*> all;
    try {
      for (;;) {
        all.push_back(heap.allocate(size));
        std::memset(all.back(), 0xAB, std::min<std::size_t>(size, 64));
      }
    } catch (const OutOfMemory&) {
    }
    return all;
  };
  std::mt19937 random(5);
  for (int round = 0; round < 3; round++) {
    for (const std::size_t size : {16, 100, 1000, 20000, 120000, 500000, 980000, 5 << 20}) {
      CAPTURE(size);
      std::vector<void*> all = fill(size);
      // Nearly all of the memory holds objects of this size, whatever it held before.
      CHECK(static_cast<double>(all.size() * size) > 0.7 * static_cast<double>(limit));
      CHECK(heap.bytes_in_use() <= limit);
      std::shuffle(all.begin(), all.end(), random);
      for (void* p : all) Heap::free(p);
    }
  }
  // Where some objects stay, their neighbours are left alone.
  std::vector<void*> small = fill(48), kept;
  for (std::size_t i = 0; i < small.size(); i++)
    if (i % 5000 == 0)
      kept.push_back(small[i]);
    else
      Heap::free(small[i]);
  for (std::size_t i = 0; i < kept.size(); i++) std::memset(kept[i], static_cast<int>(i % 251), 48);
  const std::vector<void*> others = fill(3000);
  CHECK(others.size() * 3000 > limit / 8);
  for (void* p : others) Heap::free(p);
  for (std::size_t i = 0; i < kept.size(); i++)
    for (std::size_t k = 0; k < 48; k++) REQUIRE(static_cast<unsigned char*>(kept[i])[k] == i % 251);
  for (void* p : kept) Heap::free(p);
}

TEST_CASE("boxes beyond those to be freed at once are put off, and go little by little") {
  if (Heap::verifies()) return;
  Heap heap;
  const Value shared = make_string(heap, "shared");
  const auto boxes_of = [&](std::size_t n) {
    Value v = to_value(make_list(heap, ElementType::boxed, n));
    for (std::size_t i = 0; i < n; i++) v.array().boxes()[i] = i % 2 == 0 ? shared : make_string(heap, "its own");
    return v;
  };
  const auto holders = [&] { return shared.object()->refs; };
  constexpr std::size_t many = Heap::many_boxes, refs = many / 2;
  heap.put_off_after(many + many / 2);
  { const Value first = boxes_of(many); }
  CHECK(heap.put_off.empty());
  CHECK(holders() == 1);
  { const Value second = boxes_of(many), third = boxes_of(many - 1); }
  CHECK(!heap.put_off.empty());
  CHECK(holders() == 1 + refs);
  free_put_off(heap, 100);
  CHECK(holders() == 1 + refs - 50);
  // Memory that is wanted frees the rest.
  std::vector<void*> taken;
  while (!heap.put_off.empty()) taken.push_back(heap.allocate(48));
  CHECK(holders() == 1);
  for (void* memory : taken) Heap::free(memory);
  heap.put_off_none();
  { const Value fourth = boxes_of(10 * many); }
  CHECK(heap.put_off.empty());
}

TEST_CASE("buffers that are freed after an interrupt are kept, and given back little by little") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const auto address_space = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * 4096 / mebibyte;
  };
  Heap heap;
  const auto free_three = [&] {
    void* buffers[3];
    for (void*& buffer : buffers) buffer = heap.allocate(700 * mebibyte);
    for (void* buffer : buffers) Heap::free(buffer);
  };
  const std::size_t before = address_space();
  free_three();
  CHECK(address_space() < before + 1100);
  heap.trim();
  heap.put_off_after(1);
  free_three();
  CHECK(address_space() >= before + 2100);
  CHECK(heap.bytes_in_use() < 10 * mebibyte);
  // Each buffer of 16 MiB that is wanted has some 32 given back; in the end a gigabyte is kept, as ever.
  std::size_t wanted = 0;
  for (std::size_t last = address_space(); last > before + 1100; wanted++) {
    REQUIRE(wanted < 100);
    Heap::free(heap.allocate(16 * mebibyte));
    const std::size_t now = address_space();
    CHECK(now + 64 >= last);
    last = now;
  }
  CHECK(wanted > 10);
  // What is kept serves again.
  heap.put_off_none();
  free_three();
  CHECK(address_space() < before + 1100);
}
