#include "ui/models/sweep_view.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>

#include "engine/record/run_record.h"
#include "engine/workspace/calibration_store.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr TimeNs kForwardNs = 7'000'000;
constexpr double kBatch = 8.0;

Json toy() {
  return Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1}, "repeat": 2,
    "devices": ["cpu:0", "cpu:1"],
    "variants": [{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
      "stages": [{"first": "net1", "device": "cpu:0"}, {"first": "net2", "device": "cpu:1"}]}]})");
}

/// 7 ms a forward of each block.
std::shared_ptr<const predict::CostTable> slowCosts() {
  auto table = std::make_shared<predict::CostTable>();
  table->basis = predict::Basis::Calibrated;
  for (const char* name : {"net1", "relu", "net2"}) {
    predict::BlockCosts block;
    block.name = name;
    predict::CostPoint point;
    point.samples = 2;
    point.forward = point.backwardInput = point.backwardWeight = kForwardNs;
    point.backward = 2 * kForwardNs;
    block.points = {point};
    table->blocks.push_back(std::move(block));
  }
  return table;
}

class SweepViewTest : public testing::Test {
 protected:
  void SetUp() override {
    plan::SweepSpec spec;
    spec.variant = "p";
    spec.splits = {2, 4};
    const auto jobs = plan::sweepJobs(toy(), spec);
    ASSERT_TRUE(jobs);
    auto made = workspace::createSweep(utf8(m_folder.path()), "t", *jobs);
    ASSERT_TRUE(made);
    m_sweep = std::move(*made);
    const auto experiment = plan::readExperiment(toy(), ".", {});
    m_key = workspace::calibrationKey(*experiment);
  }
  /// The run of the sweep, which has predicted one second a step for its first point.
  void predictInTheRun() {
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
    variant.predicted = record::PredictedResult{"calibrated", 1'000'000'000, {}, 0.0};
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
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
  std::string m_key;
};

TEST_F(SweepViewTest, PointsAreEstimatedWithoutCostsAndPredictedByThemWithThem) {
  const SweepView estimated = viewed();
  ASSERT_EQ(estimated.points.size(), 2U);
  EXPECT_TRUE(estimated.points.front().estimated);
  SweepPredictions by;
  by.costs = slowCosts();
  by.costsKey = m_key;
  const SweepView known = viewed(by);
  EXPECT_FALSE(known.points.front().estimated);
  EXPECT_GT(known.points.front().predictedS, 4 * 2 * 3 * 7e-3 / kBatch);
  EXPECT_LT(estimated.points.front().predictedS, 7e-3);
}

TEST_F(SweepViewTest, CostsOfAnotherModelSayNothingOfIt) {
  SweepPredictions by;
  by.costs = slowCosts();
  by.costsKey = "another";
  EXPECT_TRUE(viewed(by).points.front().estimated);
}

TEST_F(SweepViewTest, WhatARunWasPredictedToTakeComesFirst) {
  predictInTheRun();
  const SweepView view = viewed();
  ASSERT_EQ(view.points.size(), 2U);
  EXPECT_DOUBLE_EQ(view.points[0].predictedS, 1.0 / kBatch);
  EXPECT_FALSE(view.points[0].estimated);
  EXPECT_TRUE(view.points[1].estimated) << "the run has said nothing of it yet";
}

TEST_F(SweepViewTest, NothingIsKeptOfWhatNobodyWaitedFor) {
  SweepPredictions predictions;
  EXPECT_TRUE(viewOfSweep(m_sweep, predictions, [] { return false; }).points.empty());
  EXPECT_TRUE(predictions.points.empty());
  EXPECT_EQ(viewOfSweep(m_sweep, predictions).points.size(), 2U);
}

}  // namespace
}  // namespace stagelane::ui
