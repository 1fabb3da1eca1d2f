#include "ui/runs/sweep/sweep_check.h"

#include <gtest/gtest.h>

#include "engine/plan/experiment.h"
#include "engine/plan/sweep_points.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

const Json kDocument = Json::parse(R"({"stagelane":1,"name":"t","model":{"zoo":"toy"},
  "input":{"shape":[10]},"data":{"labels":"normal","batch_size":20,"batches":1},
  "devices":["cpu:0","cpu:1"],"variants":[
  {"name":"single","strategy":"single","device":"cpu:0"},
  {"name":"pipe","strategy":"pipeline","schedule":["gpipe","1f1b"],"split_size":[5,10],
   "placement":{"net1":"cpu:0","relu":"cpu:0","net2":"cpu:1"}}]})");

struct Typed {
  const char* splits = "";
  const char* schedules = "";
  const char* placements = "";
  const char* recomputes = "";
  const char* batches = "";
};

TypedSweep sweepOf(const Typed& typed) {
  return {QStringLiteral("pipe"),
          {QString::fromUtf8(typed.splits), QString::fromUtf8(typed.schedules),
           QString::fromUtf8(typed.placements), QString::fromUtf8(typed.recomputes),
           QString::fromUtf8(typed.batches)},
          false};
}

SweepCheck check(const Typed& typed, const Json& document = kDocument) {
  return checkSweep(document, sweepOf(typed), {".", {}}, {});
}

std::string problemAt(SweepField field, const Typed& typed) {
  const SweepCheck found = check(typed);
  EXPECT_FALSE(found.sound());
  EXPECT_EQ(found.problem, QString());
  for (std::size_t other = 0; other < kSweepFields; ++other) {
    EXPECT_TRUE(other == static_cast<std::size_t>(field) || found.problems[other].isEmpty());
  }
  return utf8(found.problems[static_cast<std::size_t>(field)]);
}

TEST(SweepCheckTest, CountsWhatTheReaderMakesOfTheSweep) {
  for (const Typed& typed : {Typed{}, Typed{"4, 8"}, Typed{"4, 8", "zb-h1"},
                             Typed{"4", "", "optimal, balanced", "never, always", "20, 40"}}) {
    const SweepCheck found = check(typed);
    EXPECT_TRUE(found.sound()) << utf8(found.problem);
    const auto jobs = plan::sweepJobs(kDocument, sweepSpecOf(sweepOf(typed)));
    ASSERT_TRUE(jobs);
    EXPECT_EQ(found.runs, static_cast<std::int64_t>(jobs->size()));
    std::int64_t points = 0;
    for (const plan::SweepJob& job : *jobs) {
      const auto experiment = plan::readExperiment(job.experiment, ".", {});
      ASSERT_TRUE(experiment);
      for (const plan::Variant& variant : experiment->variants) {
        points += plan::isSweepPoint(variant) ? 1 : 0;
      }
    }
    EXPECT_EQ(found.points, points);
  }
  // Without input, the variant's own lists are used.
  EXPECT_EQ(utf8(sweepSizeText(check({}))), "4 points in 1 run");
  EXPECT_EQ(utf8(sweepSizeText(check({"4, 8, 10"}))), "6 points in 1 run");
}

TEST(SweepCheckTest, WhatIsNoListIsSaidAtItsField) {
  EXPECT_EQ(problemAt(SweepField::Splits, {"5, none"}), "\"none\": expected an integer ≥ 1");
  EXPECT_EQ(problemAt(SweepField::Splits, {"0"}), "\"0\": expected an integer ≥ 1");
  EXPECT_EQ(problemAt(SweepField::Batches, {"", "", "", "", "20, 020"}), "20 appears twice");
  EXPECT_EQ(problemAt(SweepField::Schedules, {"", "gpipe,,1f1b"}),
            "A value is missing between two commas");
  EXPECT_EQ(problemAt(SweepField::Placements, {"", "", "optimal, optimal"}),
            "optimal appears twice");
}

TEST(SweepCheckTest, WhatTheSweepWouldBeRefusedForIsSaidAtItsField) {
  EXPECT_EQ(problemAt(SweepField::Splits, {"5, 30"}),
            "30 is larger than the batch (20). Use 1 to 20");
  EXPECT_EQ(problemAt(SweepField::Splits, {"5, 50", "", "", "", "20, 40"}),
            "50 is larger than the batch (40). Use 1 to 40");
  EXPECT_EQ(problemAt(SweepField::Schedules, {"", "gpipe, 2f2b"}).substr(0, 23),
            "Unknown schedule \"2f2b\"");
  EXPECT_EQ(problemAt(SweepField::Placements, {"", "", "best"}).substr(0, 25),
            "\"best\" is not a placement");
  EXPECT_NE(problemAt(SweepField::Recomputes, {"", "", "", "sometimes"}), "");
  EXPECT_EQ(problemAt(SweepField::Schedules, {"5", "gpipe, zbv"}).substr(0, 44),
            "zbv, split 5: zbv places two stages on each ");
  // The variant's own split sizes, all above this batch.
  EXPECT_NE(problemAt(SweepField::Batches, {"", "", "", "", "20, 4"}), "");
}

TEST(SweepCheckTest, ASplitThatOnlySomeBatchesTakeIsLeftOutOfTheOthers) {
  const SweepCheck found = check({"10, 30", "gpipe", "", "", "20, 40"});
  EXPECT_EQ(utf8(sweepSizeText(found)),
            "3 points in 2 runs (omitted split sizes larger than the batch: 30 at batch 20)");
  // So are those of the variant's own list.
  EXPECT_EQ(utf8(sweepSizeText(check({"", "gpipe", "", "", "5, 20"}))),
            "3 points in 2 runs (omitted split sizes larger than the batch: 10 at batch 5)");
}

TEST(SweepCheckTest, WhatLiesOnAnImaginedDeviceIsRefused) {
  Json document = kDocument;
  document["devices"][1] = {{"id", "sim:0"}, {"like", "cpu:0"}, {"speed", 2.0}};
  document["variants"][1]["placement"]["net2"] = "sim:0";
  const SweepCheck found = check({"5"}, document);
  EXPECT_FALSE(found.sound());
  EXPECT_TRUE(found.problem.contains(QStringLiteral("imagined"))) << utf8(found.problem);
}

}  // namespace
}  // namespace stagelane::ui
