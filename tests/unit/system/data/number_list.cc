#include "runtime/system/data/number_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace griddle;

namespace {

// Makes a list of numbers with some expectation of how many there will be.
Value list_of(NumberList& list, const std::vector<double>& numbers, std::size_t expected) {
  for (const double n : numbers) {
    if (list.is_full()) list.make_room(expected);
    list.add(n);
  }
  CHECK(list.size() == numbers.size());
  return list.finish();
}

bool holds(const Value& list, const std::vector<double>& numbers) {
  if (list.array().length != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); i++)
    if (number_at(list.array(), i) != numbers[i]) return false;
  return true;
}

}  // namespace

TEST_CASE("a list is in its narrowest type, wherever the widest number stands and whatever is expected") {
  Heap heap;
  HugePages pages;
  NumberList list(heap, pages);
  struct Widest {
    double number;
    ElementType type;
  };
  const Widest widest[] = {{1, ElementType::bit},       {-7, ElementType::i8},    {300, ElementType::i16},
                           {100'000, ElementType::i32}, {1e10, ElementType::f64}, {0.5, ElementType::f64}};
  for (const std::size_t length : {0, 1, 63, 64, 65, 4095, 4096, 4097, 8192, 20'000, 50'001}) {
    for (const Widest& w : widest) {
      for (const std::size_t place : {std::size_t{0}, length / 2, length - 1}) {
        for (const std::size_t expected : {std::size_t{0}, length, 10 * length}) {
          std::vector<double> numbers(length);
          for (std::size_t i = 0; i < length; i++) numbers[i] = static_cast<double>(i % 3 == 0);
          if (length > 0) numbers[place] = w.number;
          const Value made = list_of(list, numbers, expected);
          CAPTURE(length);
          CHECK(holds(made, numbers));
          if (length > 0) CHECK(made.array().type() == w.type);
          CHECK(list.size() == 0);
        }
      }
    }
  }
}

TEST_CASE("numbers may become values among others, and be dropped") {
  Heap heap;
  HugePages pages;
  NumberList list(heap, pages);
  list.fill(5000, 7);
  HeapVector<Value> values(heap);
  values.push_back(Value(1));
  list.move_to(values);
  CHECK(values.size() == 5001);
  CHECK(values[5000].number() == 7);
  list.fill(5000, 7);
  list.drop();
  CHECK(list.size() == 0);
  list.fill(3, 0.5);
  CHECK(holds(list.finish(), {0.5, 0.5, 0.5}));
}

TEST_CASE("what is expected and does not fit is not asked for") {
  Heap heap;
  heap.set_limit(std::size_t{4} << 20);
  HugePages pages;
  NumberList list(heap, pages);
  std::vector<double> numbers(100'000, 1000);
  CHECK(holds(list_of(list, numbers, std::size_t{1} << 40), numbers));
}

TEST_CASE("long lists hold their numbers, whatever pages they get") {
  Heap heap;
  HugePages pages;
  NumberList list(heap, pages);
  constexpr std::size_t count = 4'000'000;
  std::vector<double> numbers(count);
  // Widened once, when several pages are full.
  for (std::size_t i = 0; i < count; i++) numbers[i] = i == 3'000'000 ? 0.5 : static_cast<double>(i);
  for (const std::size_t expected : {std::size_t{0}, count, 2 * count}) CHECK(holds(list_of(list, numbers, expected), numbers));
}

TEST_CASE("numbers of rows are added by columns") {
  Heap heap;
  constexpr std::size_t width = 3;
  for (const std::size_t rows : {0, 1, 63, 64, 65, 5000, 20'000}) {
    for (const double special : {0.0, 1.0, -128.0, 40'000.0, 0.5, -0.0, 1e300}) {
      std::vector<double> all(rows * width), column(rows);
      for (std::size_t i = 0; i < all.size(); i++) all[i] = static_cast<double>(i % 2);
      if (rows > 0) all[rows / 2 * width + 1] = special;
      for (std::size_t i = 0; i < rows; i++) column[i] = all[i * width + 1];
      HugePages pages;
      NumberList list(heap, pages);
      // In pieces, the last of which is shorter.
      for (std::size_t first = 0; first < rows; first += 700)
        list.add_every(all.data() + first * width + 1, width, std::min<std::size_t>(700, rows - first), rows);
      CAPTURE(rows);
      CAPTURE(special);
      const Value made = list.finish();
      CHECK(holds(made, column));
      CHECK(made.array().type() == make_numbers(heap, std::span<const double>(column)).array().type());
    }
  }
}
