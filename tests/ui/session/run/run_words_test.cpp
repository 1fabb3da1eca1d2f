#include "ui/session/run/run_words.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTranslator>

#include "engine/record/run_record.h"

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

/// A window in another language, whose words no reason has.
class Shouting final : public QTranslator {
 public:
  [[nodiscard]] bool isEmpty() const override { return false; }
  QString translate(const char*, const char* text, const char*, int) const override {
    return QString::fromUtf8(text).toUpper();
  }
};

TEST(RunWords, SayTheStatusOnceInAnyLanguage) {
  Shouting shouting;
  ASSERT_TRUE(QCoreApplication::installTranslator(&shouting));
  EXPECT_EQ(ended(record::RunStatus::Canceled, "canceled after 3 repeats"),
            "canceled after 3 repeats");
  EXPECT_EQ(ended(record::RunStatus::Failed, "cpu:1 is out of memory"),
            "FAILED: cpu:1 is out of memory");
  QCoreApplication::removeTranslator(&shouting);
}

TEST(RunWords, SayWithUnitsWhyAMemberOfASweepWasLeftOutEarly) {
  const auto stopped = [](const record::EarlyStop& stop) {
    record::VariantResult variant;
    variant.status = record::RunStatus::Canceled;
    variant.reason = "in the words of files";
    variant.earlyStop = stop;
    return endText(variant).toStdString();
  };
  EXPECT_EQ(stopped({4, 0.0162, 0.00298, "sweep-gpipe-s16"}),
            "left out early: 16.2 ms in 4 repeats; sweep-gpipe-s16 takes 2.98 ms");
  EXPECT_EQ(stopped({0, 1.2e-05, 4e-06, "sweep-gpipe-s16"}),
            "left out early: predicted 12.0 µs per step; sweep-gpipe-s16 takes 4.00 µs");
  EXPECT_EQ(stopped({}), "left out early");
}

TEST(RunWords, SayWhereARunFailedAsFarAsItIsKnown) {
  EXPECT_EQ(placeText({FailureKind::Stalled, "pipe", {"cpu:1"}, {1}, {2}, ActionKind::Backward})
                .toStdString(),
            "pipe, cpu:1, stage 1, micro-batch 2, B");
  EXPECT_EQ(placeText({FailureKind::OutOfMemory, "", {"cpu:0"}}).toStdString(), "cpu:0");
  EXPECT_TRUE(placeText({FailureKind::Killed}).isEmpty());
}

TEST(RunWords, SayHowManyRepeatsThereAre) {
  record::VariantResult variant;
  variant.seconds = {1.0, 2.0};
  EXPECT_EQ(repeatsDoneText(variant, 3).toStdString(), "2 of 3");
  EXPECT_EQ(repeatsDoneText(variant, 2).toStdString(), "2");
  EXPECT_EQ(repeatsDoneText(variant, 0).toStdString(), "2");
}

TEST(RunWords, GiveTheErrorInTheOwnPrecisionBesideTheOneThatWasJudged) {
  record::GradientCheckResult check{true, 0.0, "plain autograd", {}};
  EXPECT_EQ(checkText(check).toStdString(), "bit-equal");
  EXPECT_EQ(checkDetails(check).toStdString(), "Compared with plain autograd");
  check.bitEqual = false;
  check.maxRelError = 1e-13;
  EXPECT_EQ(checkText(check).toStdString(), "1e-13");
  check.ownPrecisionError = 2e-6;
  EXPECT_EQ(checkText(check).toStdString(), "1e-13 (own precision: 2e-06)");
  EXPECT_EQ(checkDetails(check).toStdString(),
            "Compared with plain autograd\n"
            "Relative error in the experiment's own precision: 2e-06");
}

}  // namespace
}  // namespace stagelane::ui
