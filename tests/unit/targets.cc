#include <doctest/doctest.h>

#include "tests/support/structure_model.h"
#include "tests/support/targets.h"

using namespace griddle;
using namespace griddle::testing;

namespace {

// Runs every structural primitive that has a kernel, over types and lengths round the edges of vectors and words.
std::vector<Value> results_of_kernels(Bench& b) {
  Context& cx = b.cx;
  std::vector<Value> out;
  for (std::size_t n : {1ul, 17ul, 64ul, 129ul, 1000ul, 4097ul}) {
    for (const Model& m : samples({n})) {
      Value x = narrowed(cx.heap, b.boxed(m));
      std::vector<double> mask, counts, places;
      for (std::size_t i = 0; i < n; i++) {
        mask.push_back(i * i % 7 < 3);
        counts.push_back(static_cast<double>(i * 31 % 6));
        places.push_back(static_cast<double>(i * 7919 % (2 * n)) - static_cast<double>(n));
      }
      out.push_back(p::reverse(cx, x));
      out.push_back(p::nudge(cx, x));
      out.push_back(p::nudge_back(cx, x));
      out.push_back(p::rotate(cx, Value(5), x));
      out.push_back(p::select(cx, list_of(cx, places), x));
      out.push_back(p::replicate(cx, list_of(cx, mask), x));
      out.push_back(p::replicate(cx, list_of(cx, counts), x));
      for (int k : {2, 3, 7, 20, 70}) out.push_back(p::replicate(cx, Value(k), x));
      for (std::size_t k : {2ul, 3ul, 4ul, 5ul, 8ul, 10ul}) {
        Value table = p::reshape(cx, list_of(cx, {static_cast<double>(n), static_cast<double>(k)}), x);
        out.push_back(p::transpose(cx, table));
        out.push_back(p::undo_transpose(cx, std::move(table)));
      }
      out.push_back(p::transpose(cx, p::reshape(cx, list_of(cx, {100, 70}), x)));
      out.push_back(p::indices(cx, list_of(cx, mask)));
      out.push_back(p::indices(cx, list_of(cx, counts)));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("every instruction set gives the same results") {
  Bench b;
  std::vector<Value> expected = results_of_kernels(b);
  griddle::testing::on_every_target([&] {
    std::vector<Value> results = results_of_kernels(b);
    REQUIRE(results.size() == expected.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < results.size(); i++) different += !p::matches(b.cx, results[i], expected[i]);
    CHECK(different == 0);
  });
}
