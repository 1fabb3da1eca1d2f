#include "ui/session/run/run_ranks.h"

#include <gtest/gtest.h>

#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Json twoRanks() {
  return Json::parse(R"({"event": "ranks", "ranks": [
    {"rank": 1, "host": "labbox", "pid": 12, "devices": ["cuda:0", "cuda:1"], "state": "running",
     "doing": {"device": "cuda:1", "stage": 1, "micro_batch": 3, "action": "B"},
     "last_seen_ms": 200, "clock_error_ns": 14000},
    {"rank": 0, "host": "gpubox", "pid": 11, "devices": "cuda:0, cuda:0@1", "state": "running",
     "doing": {}, "last_seen_ms": 100}]})");
}

TEST(RunRanks, AnEventListsThemByRank) {
  const std::vector<RunRank> ranks = ranksFromEvent(twoRanks());
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[0].host, QStringLiteral("gpubox"));
  EXPECT_EQ(ranks[0].doing, QString());
  EXPECT_EQ(ranks[0].devices, QStringList({QStringLiteral("cuda:0"), QStringLiteral("cuda:0@1")}));
  EXPECT_EQ(clockText(ranks[0]), QStringLiteral("reference"));
  EXPECT_EQ(ranks[1].devices.size(), 2);
  EXPECT_EQ(ranks[1].doing, QStringLiteral("B of stage 1, micro-batch 3"));
  EXPECT_EQ(ranks[1].lastSeenMs, 200);
  EXPECT_TRUE(clockText(ranks[1]).startsWith(QStringLiteral("± 14")))
      << qPrintable(clockText(ranks[1]));
}

TEST(RunRanks, SayWhichRepeatTheyTakePartIn) {
  const auto ranks = ranksFromEvent(Json::parse(R"({"ranks": [
    {"rank": 0, "state": "running", "variant": "pipe", "repeat": 3},
    {"rank": 1, "state": "running", "variant": "pipe", "repeat": 0},
    {"rank": 2, "state": "running", "variant": "ddp", "repeat": 2},
    {"rank": 3, "state": "ended", "variant": "pipe", "repeat": 3},
    {"rank": 4, "state": "running", "variant": 5, "repeat": "x"}]})"));
  ASSERT_EQ(ranks.size(), 5U);
  const RunTurn turn{QStringLiteral("pipe"), 5};
  EXPECT_EQ(turnText(ranks[0], turn), QStringLiteral("3 of 5"));
  EXPECT_EQ(turnText(ranks[1], turn), QStringLiteral("warm-up"));
  EXPECT_EQ(turnText(ranks[2], turn), QStringLiteral("waiting"));
  EXPECT_EQ(turnText(ranks[3], turn), QString());
  EXPECT_EQ(turnText(ranks[4], turn), QString());
}

TEST(RunRanks, DamagedEventsAreReadAsFarAsTheyGo) {
  EXPECT_TRUE(ranksFromEvent(Json::array()).empty());
  EXPECT_TRUE(ranksFromEvent({{"ranks", 3}}).empty());
  const auto ranks = ranksFromEvent(Json::parse(
      R"({"ranks": [7, {"host": "a"}, {"rank": -1}, {"rank": 99999999999},
                    {"rank": 2, "host": 5, "devices": [1, "cpu:0"], "doing": "x",
                     "last_seen_ms": -3, "state": null}]})"));
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_EQ(ranks[0].rank, 2);
  EXPECT_EQ(ranks[0].host, QString());
  EXPECT_EQ(ranks[0].devices, QStringList(QStringLiteral("cpu:0")));
  EXPECT_EQ(ranks[0].lastSeenMs, std::nullopt);
}

TEST(RunRanks, AnActionOfAllMicroBatchesIsNamedWithoutOne) {
  const auto ranks = ranksFromEvent(Json::parse(
      R"({"ranks": [{"rank": 0, "last_seen_ms": -1,
                     "doing": {"stage": 2, "micro_batch": -1, "action": "OPT"}}]})"));
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_EQ(ranks[0].doing, QStringLiteral("OPT of stage 2"));
  EXPECT_EQ(ranks[0].lastSeenMs, std::nullopt);
}

TEST(RunRanks, ResultsListThoseOfTheLastVariantWithSeveral) {
  record::RunResult run;
  EXPECT_TRUE(ranksOf(run).empty());
  record::VariantResult several;
  several.ranks = {{1, "labbox", 12, "done", record::ClockResult{5, 900, 0.0}, {"cpu:0"}},
                   {0, "gpubox", 11, "done", std::nullopt, {"cpu:0"}}};
  run.variants = {several, record::VariantResult{}};
  const auto ranks = ranksOf(run);
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[0].host, QStringLiteral("gpubox"));
  EXPECT_EQ(ranks[1].clockErrorNs, 900);
  EXPECT_EQ(rankStateText(ranks[1]), QStringLiteral("done"));
}

TEST(RunRanks, ANewRunForgetsThoseOfTheLast) {
  Session session;
  session.runState().setPhase(RunPhase::Running);
  session.runState().setRanks(ranksFromEvent(twoRanks()));
  session.runState().setPhase(RunPhase::Canceling);
  EXPECT_EQ(session.runState().ranks().size(), 2U);
  session.runState().setPhase(RunPhase::Idle);
  session.runState().setPhase(RunPhase::Running);
  EXPECT_TRUE(session.runState().ranks().empty());
}

}  // namespace
}  // namespace stagelane::ui
