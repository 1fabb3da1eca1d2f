#include "engine/run/ranks/rank_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "engine/trace/recorder.h"
#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

TEST(RankGroup, AllMembersPassABarrierTogether) {
  std::atomic<int> arrived{0};
  asRanks(3, [&](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    EXPECT_EQ(group->rank(), store.rank());
    EXPECT_EQ(group->size(), 3);
    if (store.rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++arrived;
    ASSERT_TRUE(group->barrier());
    EXPECT_EQ(arrived, 3);
  });
}

TEST(RankGroup, IsMadeByItsMembersAlone) {
  asRanks(4, [](RankStore& store) {
    const int replica = store.rank() % 2;
    const auto group =
        RankGroup::create(store, "replica" + std::to_string(replica), {replica + 2, replica}, {});
    ASSERT_TRUE(group) << describe(group.error());
    EXPECT_EQ((*group)->rank(), store.rank() >= 2 ? 0 : 1);
    EXPECT_TRUE((*group)->barrier());
  });
}

TEST(RankGroup, OneMemberIsEnough) {
  asRanks(1, [](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    EXPECT_TRUE(group->barrier());
    group->abort();
  });
}

TEST(RankGroup, RefusesARankThatIsNoMember) {
  const auto stores = RankStore::inProcess(2);
  const auto group = RankGroup::create(*stores[0], "other", {1}, {});
  ASSERT_FALSE(group);
  EXPECT_THAT(group.error().message, HasSubstr("rank 0 is not a member of group 'other'"));
}

TEST(RankGroup, AMissingMemberEndsTheCreationAfterTheLimit) {
  const auto stores = RankStore::inProcess(2);
  RankGroupOptions options;
  options.limitNs = 200 * kMillisecondNs;
  const auto group = RankGroup::create(*stores[0], "pair", {0, 1}, options);
  ASSERT_FALSE(group);
  EXPECT_THAT(group.error().message, HasSubstr("group 'pair' of ranks 0, 1"));
}

TEST(RankGroup, AStopEndsTheCreationWithAMissingMember) {
  const auto stores = RankStore::inProcess(2);
  RankGroupOptions options;
  options.limitNs = 2 * kSecondNs;
  const TimeNs startNs = trace::monotonicNs();
  const auto group = RankGroup::create(*stores[0], "pair", {0, 1}, options, [&] {
    return trace::monotonicNs() - startNs > 50 * kMillisecondNs;
  });
  EXPECT_LT(trace::monotonicNs() - startNs, options.limitNs);
  ASSERT_FALSE(group);
  EXPECT_THAT(group.error().message, HasSubstr("stopped"));
  // The thread that is left behind ends before the test program does.
  std::this_thread::sleep_for(std::chrono::nanoseconds(options.limitNs));
}

TEST(RankGroup, AStopEndsABarrierThatAMemberDoesNotReach) {
  asRanks(2, [](RankStore& store) {
    const auto group = groupOfAll(store, "all", 60 * kSecondNs);
    ASSERT_NE(group, nullptr);
    ASSERT_TRUE(group->barrier());
    if (store.rank() == 1) {
      EXPECT_TRUE(store.get("ended", 30 * kSecondNs));
      return;
    }
    const TimeNs startNs = trace::monotonicNs();
    const Status passed =
        group->barrier([&] { return trace::monotonicNs() - startNs > 50 * kMillisecondNs; });
    ASSERT_FALSE(passed);
    EXPECT_THAT(passed.error().message, HasSubstr("stopped"));
    EXPECT_TRUE(group->aborted());
    ASSERT_TRUE(store.set("ended", ""));
  });
}

TEST(RankGroup, AnAbortEndsTheOperationsOfAllMembers) {
  const TimeNs startNs = trace::monotonicNs();
  asRanks(3, [](RankStore& store) {
    const auto group = groupOfAll(store, "all", 60 * kSecondNs);
    ASSERT_NE(group, nullptr);
    ASSERT_TRUE(group->barrier());
    if (store.rank() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      group->abort();
    } else {
      EXPECT_FALSE(group->barrier());
    }
  });
  EXPECT_LT(trace::monotonicNs() - startNs, 30 * kSecondNs);
}

}  // namespace
}  // namespace stagelane::run
