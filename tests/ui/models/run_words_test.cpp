#include "ui/models/run_words.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

std::string ended(record::RunStatus status, const std::string& reason) {
  record::VariantResult variant;
  variant.status = status;
  variant.reason = reason;
  return endText(variant).toStdString();
}

TEST(RunWords, SayHowAVariantEndedOnce) {
  EXPECT_EQ(ended(record::RunStatus::Done, ""), "done");
  EXPECT_EQ(ended(record::RunStatus::NotRun, "does not fit: cpu:0"),
            "not run: does not fit: cpu:0");
  EXPECT_EQ(ended(record::RunStatus::Canceled, "canceled after 3 repeats"),
            "canceled after 3 repeats");
  EXPECT_EQ(ended(record::RunStatus::Failed, "cpu:1 is out of memory\n"),
            "failed: cpu:1 is out of memory");
}

TEST(RunWords, SayHowManyRepeatsThereAre) {
  record::VariantResult variant;
  variant.seconds = {1.0, 2.0};
  EXPECT_EQ(repeatsDoneText(variant, 3).toStdString(), "2 of 3");
  EXPECT_EQ(repeatsDoneText(variant, 2).toStdString(), "2");
  EXPECT_EQ(repeatsDoneText(variant, 0).toStdString(), "2");
}

}  // namespace
}  // namespace stagelane::ui
