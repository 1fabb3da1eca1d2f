#include "ui/report/report_check.h"

#include <gtest/gtest.h>

#include "tests/ui/report/report_input.h"

namespace stagelane::ui {
namespace {

/// Two measured variants, whose gradients were checked on GPUs.
record::RunResult checkedOnGpus() {
  record::RunResult run = *test::run();
  run.variants[0].gradientCheck =
      record::GradientCheckResult{false, 1e-13, "plain autograd, in float64", {}, 3e-7};
  run.variants[1].gradientCheck =
      record::GradientCheckResult{true, 0.0, "plain autograd, in float64", {}, 2e-6};
  return run;
}

TEST(ReportCheck, GivesTheErrorInTheExperimentsOwnPrecision) {
  record::RunResult run = checkedOnGpus();
  EXPECT_EQ(checkSummary(run).toStdString(),
            "Gradients differ from plain autograd by at most 1e-13 (relative). In the "
            "experiment's own precision, they differ by at most 2e-06.");
  const auto sentences = checkDifferences(run);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0].toStdString(),
            "slow: largest relative error 1e-13, against plain autograd, in float64; 3e-07 in the "
            "experiment's own precision.");
  EXPECT_EQ(sentences[1].toStdString(),
            "<b>fast</b>: bit-equal, against plain autograd, in float64; 2e-06 in the "
            "experiment's own precision.");
  EXPECT_TRUE(summaryOf(run).text.contains(checkSummary(run)));
  run.variants[0].gradientCheck = run.variants[1].gradientCheck;
  EXPECT_EQ(checkSummary(run).toStdString(),
            "The gradients of 2 checked variants match plain autograd bit for bit. In the "
            "experiment's own precision, they differ by at most 2e-06.");
}

TEST(ReportCheck, OfCpuWorkersHasNoSecondError) {
  EXPECT_EQ(checkSummary(*test::run()).toStdString(),
            "The gradients of 2 checked variants match plain autograd bit for bit.");
  EXPECT_TRUE(checkDifferences(*test::run()).empty());
}

}  // namespace
}  // namespace stagelane::ui
