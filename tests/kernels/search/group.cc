#include "primitives/kernels/search/group.h"

#include <limits>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Folds one element after the other, from the right.
template <class T>
std::vector<T> folded(GroupFold fold, const std::vector<std::int64_t>& groups, const std::vector<T>& x, std::vector<T> to) {
  for (std::size_t i = groups.size(); i-- > 0;) {
    if (groups[i] < 0) continue;
    T& so_far = to[static_cast<std::size_t>(groups[i])];
    so_far = fold == GroupFold::add       ? x[i] + so_far
             : fold == GroupFold::minimum ? std::min(x[i], so_far)
                                          : std::max(x[i], so_far);
  }
  return to;
}

template <class Group, class T, class Fold>
void check_folds(Random& random, std::size_t n, std::size_t count, bool drops, bool in_runs, Fold fold_groups_of) {
  INFO(n, " elements of ", count, " groups, ", sizeof(Group), " and ", sizeof(T), " bytes, dropped: ", drops,
       ", in runs: ", in_runs);
  std::vector<std::int64_t> groups(n);
  for (std::size_t i = 0; i < n; i++) groups[i] = static_cast<std::int64_t>(in_runs ? i * count / n : random.next() % count);
  if (drops)
    for (std::size_t i = 0; i < n; i += 3) groups[i] = -1;
  const std::vector<Group> numbers(groups.begin(), groups.end());
  for (GroupFold fold : {GroupFold::add, GroupFold::minimum, GroupFold::maximum}) fold_groups_of(fold, groups, numbers);
}

template <class Group, class T>
void check_integers(ElementType group_type, ElementType type, Random& random, std::size_t n, std::size_t count, bool drops,
                    bool in_runs) {
  std::vector<T> x(n);
  for (T& v : x) v = static_cast<T>(random.next());
  const std::vector<std::int64_t> wide(x.begin(), x.end()), begin(count, 3);
  check_folds<Group, T>(random, n, count, drops, in_runs, [&](GroupFold fold, const auto& groups, const auto& numbers) {
    std::vector<std::int64_t> found = begin;
    fold_groups(fold, group_type, numbers.data(), n, in_runs, type, x.data(), found.data());
    CHECK(found == folded(fold, groups, wide, begin));
  });
}

template <class Group>
void check_doubles(ElementType group_type, Random& random, std::size_t n, std::size_t count, bool drops, bool in_runs) {
  std::vector<double> x(n);
  for (double& v : x) v = static_cast<double>(random.next() % 1000) / 7 - 50;
  const std::vector<double> begin(count, -0.0);
  check_folds<Group, double>(random, n, count, drops, in_runs, [&](GroupFold fold, const auto& groups, const auto& numbers) {
    std::vector<double> found = begin;
    fold_groups(fold, group_type, numbers.data(), n, in_runs, x.data(), found.data());
    CHECK(found == folded(fold, groups, x, begin));
  });
}

template <class Group>
void check_all(ElementType type, Random& random, std::size_t n, std::size_t count, bool drops, bool in_runs) {
  check_integers<Group, std::int8_t>(type, ElementType::i8, random, n, count, drops, in_runs);
  check_integers<Group, std::int16_t>(type, ElementType::i16, random, n, count, drops, in_runs);
  check_integers<Group, std::int32_t>(type, ElementType::i32, random, n, count, drops, in_runs);
  check_doubles<Group>(type, random, n, count, drops, in_runs);
}

}  // namespace

TEST_CASE("elements of groups are folded from right to left") {
  Random random;
  // Beyond a block as well.
  for (std::size_t n : {1, 2, 7, 64, 4095, 4096, 4097, 9000})
    for (std::size_t count : {1, 2, 100})
      for (bool drops : {false, true})
        for (bool in_runs : {false, true}) {
          check_all<std::int8_t>(ElementType::i8, random, n, count, drops, in_runs);
          check_all<std::int16_t>(ElementType::i16, random, n, count, drops, in_runs);
          check_all<std::int32_t>(ElementType::i32, random, n, count, drops, in_runs);
        }
}
