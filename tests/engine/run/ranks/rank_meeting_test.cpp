#include "engine/run/ranks/rank_meeting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/base/version.h"
#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RankMeeting, EachRankLearnsOfAllOthers) {
  asRanks(3, [](RankStore& store) {
    const RankHello own = ownHello(store.rank(), "cpu:" + std::to_string(store.rank()));
    ASSERT_TRUE(announce(store, own));
    const auto hellos = meet(store, 10 * kSecondNs);
    ASSERT_TRUE(hellos) << describe(hellos.error());
    ASSERT_EQ(hellos->size(), 3U);
    EXPECT_EQ((*hellos)[static_cast<std::size_t>(store.rank())], own);
    EXPECT_EQ((*hellos)[2].devices, "cpu:2");
    EXPECT_EQ((*hellos)[2].version, version());
    EXPECT_EQ((*hellos)[1].bootId.size(), 36U);
  });
}

TEST(RankMeeting, NamesTheRanksThatDidNotStart) {
  const auto stores = RankStore::inProcess(4);
  for (const int rank : {0, 2}) {
    ASSERT_TRUE(announce(*stores[static_cast<std::size_t>(rank)], ownHello(rank, "")));
  }
  const auto two = meet(*stores[0], 50 * kMillisecondNs);
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().message, HasSubstr("ranks 1, 3 did not start within 50.0 ms"));
  EXPECT_EQ(two.error().code, ErrorCode::EngineFailure);
  ASSERT_TRUE(announce(*stores[1], ownHello(1, "")));
  const auto one = meet(*stores[0], 50 * kMillisecondNs);
  ASSERT_FALSE(one);
  EXPECT_THAT(one.error().message, HasSubstr("rank 3 did not start within 50.0 ms"));
}

TEST(RankMeeting, NamesARankOfAnotherVersionWithBothVersions) {
  const auto stores = RankStore::inProcess(2);
  RankHello other = ownHello(1, "");
  other.version = "9.8.7";
  other.revision = "abcdef";
  ASSERT_TRUE(announce(*stores[0], ownHello(0, "")));
  ASSERT_TRUE(announce(*stores[1], other));
  for (const auto& store : stores) {
    const auto met = meet(*store, kSecondNs);
    ASSERT_FALSE(met);
    EXPECT_THAT(met.error().message, HasSubstr("rank 1"));
    EXPECT_THAT(met.error().message, HasSubstr("9.8.7 (abcdef)"));
    EXPECT_THAT(met.error().message, HasSubstr(std::string(version())));
  }
}

TEST(RankMeeting, AnotherRevisionIsAnotherProgram) {
  const auto stores = RankStore::inProcess(2);
  RankHello other = ownHello(1, "");
  other.revision += "-dirty";
  ASSERT_TRUE(announce(*stores[0], ownHello(0, "")));
  ASSERT_TRUE(announce(*stores[1], other));
  EXPECT_FALSE(meet(*stores[0], kSecondNs));
}

TEST(RankMeeting, AMalformedHelloIsAnErrorThatNamesTheRank) {
  const auto stores = RankStore::inProcess(2);
  ASSERT_TRUE(announce(*stores[0], ownHello(0, "")));
  ASSERT_TRUE(stores[1]->set("hello/1", "{}"));
  const auto met = meet(*stores[0], kSecondNs);
  ASSERT_FALSE(met);
  EXPECT_THAT(met.error().message, HasSubstr("hello of rank 1"));
}

TEST(RankMeeting, AgreesOnEqualTexts) {
  asRanks(3, [](RankStore& store) {
    EXPECT_TRUE(agree(store, "plan", "same", 10 * kSecondNs));
    EXPECT_TRUE(agree(store, "layout", "", 10 * kSecondNs));
  });
}

TEST(RankMeeting, NamesTheRanksWhoseTextDiffers) {
  asRanks(3, [](RankStore& store) {
    const Status agreed =
        agree(store, "plan", store.rank() == 1 ? "other" : "plans", 10 * kSecondNs);
    ASSERT_FALSE(agreed);
    EXPECT_EQ(agreed.error().message, "the plan of rank 1 differs from that of rank 0");
  });
}

TEST(RankMeeting, NamesTheRanksThatDoNotReport) {
  const auto stores = RankStore::inProcess(2);
  const Status agreed = agree(*stores[0], "plan", "x", 50 * kMillisecondNs);
  ASSERT_FALSE(agreed);
  EXPECT_THAT(agreed.error().message, HasSubstr("rank 1 did not report its plan within 50.0 ms"));
}

TEST(RankMeeting, AStopEndsTheWait) {
  const auto stores = RankStore::inProcess(2);
  const auto met = meet(*stores[0], 60 * kSecondNs, [] { return true; });
  ASSERT_FALSE(met);
  EXPECT_THAT(met.error().message, HasSubstr("stopped"));
  EXPECT_THAT(met.error().message, Not(HasSubstr("did not start")));
}

}  // namespace
}  // namespace stagelane::run
