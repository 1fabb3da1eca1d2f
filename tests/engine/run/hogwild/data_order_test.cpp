#include "engine/run/hogwild/data_order.h"

#include <gtest/gtest.h>

#include <set>

namespace stagelane::run {
namespace {

std::vector<std::size_t> taken(DataOrder order, std::size_t count) {
  std::vector<std::size_t> batches;
  for (std::size_t i = 0; i < count; ++i) batches.push_back(order.next());
  return batches;
}

TEST(DataOrder, HasEveryBatchOnceInAPass) {
  const std::vector<std::size_t> batches = taken(DataOrder(7, 0, 0, 10), 30);
  for (std::size_t pass = 0; pass < 3; ++pass) {
    const std::set<std::size_t> seen(batches.begin() + static_cast<std::ptrdiff_t>(pass * 10),
                                     batches.begin() + static_cast<std::ptrdiff_t>(pass * 10 + 10));
    EXPECT_EQ(seen.size(), 10U) << pass;
    EXPECT_EQ(*seen.rbegin(), 9U);
  }
}

TEST(DataOrder, IsTheSameForTheSameArguments) {
  EXPECT_EQ(taken(DataOrder(7, 2, 1, 16), 48), taken(DataOrder(7, 2, 1, 16), 48));
}

TEST(DataOrder, DiffersBetweenProcessesRepeatsAndSeeds) {
  const auto one = taken(DataOrder(7, 2, 1, 16), 48);
  EXPECT_NE(one, taken(DataOrder(7, 3, 1, 16), 48));
  EXPECT_NE(one, taken(DataOrder(7, 2, 2, 16), 48));
  EXPECT_NE(one, taken(DataOrder(8, 2, 1, 16), 48));
  EXPECT_NE(one, taken(DataOrder(7 + (std::uint64_t{1} << 32U), 2, 1, 16), 48));
}

TEST(DataOrder, OfOneBatchIsThatBatch) {
  EXPECT_EQ(taken(DataOrder(0, 0, 0, 1), 3), (std::vector<std::size_t>{0, 0, 0}));
}

}  // namespace
}  // namespace stagelane::run
