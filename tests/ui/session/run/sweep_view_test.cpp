#include "ui/session/run/sweep_view.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <fstream>

#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/sweep_text.h"

namespace stagelane::ui {
namespace {

constexpr double kBatch = 8.0;

using sample::kForwardNs;

class SweepViewTest : public testing::Test {
 protected:
  void SetUp() override {
    plan::SweepSpec spec;
    spec.variant = "p";
    spec.splits = {2, 4};
    const auto jobs = plan::sweepJobs(sample::toyPipeline(2), spec);
    ASSERT_TRUE(jobs);
    auto made = workspace::createSweep(utf8(m_folder.path()), "t", *jobs);
    ASSERT_TRUE(made);
    m_sweep = std::move(*made);
  }
  /// The sweep's run so far, with its first point: predicted to take one second per step.
  void writeRun(record::RunStatus status, const std::string& reason) {
    const std::filesystem::path root = utf8(m_folder.filePath(QStringLiteral("run")));
    std::filesystem::create_directories(root);
    std::filesystem::copy_file(m_sweep.folder / m_sweep.tasks.front().experiment,
                               root / "experiment.json");
    auto writer = record::EventWriter::open({root}, false);
    ASSERT_TRUE(writer);
    record::RunResult planned;
    record::VariantResult variant;
    variant.id = firstPoint();
    variant.strategy = "pipeline";
    planned.variants = {variant};
    ASSERT_TRUE((*writer)->write("started", record::startedMembers(planned)));
    variant.status = status;
    variant.reason = reason;
    variant.predicted = record::PredictedResult{"calibrated", 1'000'000'000, {}, 0.0};
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
    if (status != record::RunStatus::Running) {
      ASSERT_TRUE((*writer)->write("finished", Json::object()));
    }
    m_sweep.tasks.front().run = root.string();
  }
  [[nodiscard]] std::string firstPoint() const {
    const auto document =
        readJsonFile((m_sweep.folder / m_sweep.tasks.front().experiment).string());
    const auto experiment = plan::readExperiment(*document, ".", {});
    for (const plan::Variant& variant : experiment->variants) {
      if (variant.include && variant.strategy == plan::Strategy::Pipeline) return variant.id;
    }
    return {};
  }
  SweepView viewed(SweepPredictions predictions = {}) { return viewOfSweep(m_sweep, predictions); }

  QTemporaryDir m_folder;
  workspace::Sweep m_sweep;
};

TEST_F(SweepViewTest, PointsAreEstimatedWithoutCostsAndPredictedByThemWithThem) {
  const SweepView estimated = viewed();
  ASSERT_EQ(estimated.points.size(), 2U);
  EXPECT_TRUE(estimated.points.front().estimated);
  SweepPredictions by;
  by.costs = sample::toyCosts(predict::Basis::Calibrated);
  const SweepView known = viewed(by);
  EXPECT_FALSE(known.points.front().estimated);
  EXPECT_GT(known.points.front().predictedS, 4 * 2 * 3 * 7e-3 / kBatch);
  EXPECT_LT(estimated.points.front().predictedS, 7e-3);
}

TEST_F(SweepViewTest, CostsThatLackABlockSayNothingOfIt) {
  SweepPredictions by;
  by.costs = sample::toyCosts(predict::Basis::Calibrated, "relu");
  EXPECT_TRUE(viewed(by).points.front().estimated);
  EXPECT_GT(viewed(by).points.front().predictedS, 0.0);
}

TEST_F(SweepViewTest, WhatARunWasPredictedToTakeComesFirst) {
  writeRun(record::RunStatus::Running, "");
  const SweepView view = viewed();
  ASSERT_EQ(view.points.size(), 2U);
  EXPECT_DOUBLE_EQ(view.points[0].predictedS, 1.0 / kBatch);
  EXPECT_FALSE(view.points[0].estimated);
  EXPECT_TRUE(view.points[1].estimated) << "the run has said nothing of it yet";
}

TEST_F(SweepViewTest, APointThatRanOutOfMemorySaysSoAndAsksForNoMoreRepeats) {
  writeRun(record::RunStatus::Failed, "cpu:0: out of memory: needs 3 GiB more");
  const SweepView view = viewed();
  EXPECT_EQ(view.state, SweepState::Done);
  ASSERT_FALSE(view.points.empty());
  EXPECT_EQ(view.points[0].reason.toStdString(), "cpu:0: out of memory: needs 3 GiB more");
  EXPECT_EQ(view.points[0].repeatsAsked, 0);
  EXPECT_FALSE(isMeasured(view.points[0]));
  EXPECT_EQ(view.repeatsAsked, view.repeatsDone);
}

TEST_F(SweepViewTest, ATaskThatCannotBeReadIsUnknownAndNamed) {
  m_sweep.tasks.push_back({"batch 40", "2.json", "", "", 0});
  std::ofstream(m_sweep.folder / "2.json") << R"({"name": )";
  const SweepView interrupted = viewed();
  EXPECT_EQ(interrupted.state, SweepState::Interrupted);
  EXPECT_EQ(interrupted.points.size(), 2U);
  EXPECT_EQ(interrupted.unknownRuns, 1);
  EXPECT_TRUE(interrupted.problem.startsWith(QStringLiteral("batch 40: ")))
      << utf8(interrupted.problem);
  EXPECT_TRUE(sweepProgressText(interrupted).endsWith(QStringLiteral(", points of 1 run unknown")));
  writeRun(record::RunStatus::Done, "");
  m_sweep.tasks.back().problem = "no JSON";
  const SweepView ended = viewed();
  EXPECT_EQ(ended.state, SweepState::Failed);
  EXPECT_TRUE(ended.over());
}

TEST_F(SweepViewTest, AFailedTaskIsNamed) {
  m_sweep.tasks.front().label = "batch 8";
  m_sweep.tasks.front().problem = "does not fit";
  EXPECT_EQ(viewed().problem.toStdString(), "batch 8: does not fit");
  EXPECT_EQ(viewed().unknownRuns, 0);
}

TEST_F(SweepViewTest, NothingIsKeptOfWhatNobodyWaitedFor) {
  SweepPredictions predictions;
  EXPECT_TRUE(viewOfSweep(m_sweep, predictions, [] { return false; }).points.empty());
  EXPECT_TRUE(predictions.points.empty());
  EXPECT_EQ(viewOfSweep(m_sweep, predictions).points.size(), 2U);
}

}  // namespace
}  // namespace stagelane::ui
