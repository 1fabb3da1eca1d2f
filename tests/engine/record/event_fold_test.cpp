#include <gtest/gtest.h>

#include "engine/record/run_record.h"
#include "tests/engine/record/run_samples.h"

namespace stagelane::record {
namespace {

using samples::eventOf;
using samples::measured;

EventFold startedFold() {
  EventFold fold;
  fold.apply(eventOf("started", startedMembers(samples::plannedRun())));
  return fold;
}

TEST(EventFold, StartedNamesTheRunItsDevicesAndItsVariants) {
  const EventFold fold = startedFold();
  EXPECT_EQ(fold.result().name, "Toy");
  EXPECT_EQ(fold.result().timing, "steady");
  EXPECT_EQ(fold.result().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
  ASSERT_EQ(fold.result().variants.size(), 2u);
  EXPECT_EQ(fold.result().variants[1].splitSize, 5);
  EXPECT_EQ(fold.result().status, RunStatus::Running);
  EXPECT_FALSE(fold.isFinal());
}

TEST(EventFold, StartedTellsTheNumberOfProcessesIfOneWasAskedFor) {
  EXPECT_EQ(startedFold().result().ranks, 0);
  RunResult plan = samples::plannedRun();
  plan.ranks = 2;
  EventFold fold;
  fold.apply(eventOf("started", startedMembers(plan)));
  EXPECT_EQ(fold.result().ranks, 2);
  EXPECT_EQ(runResultFromJson(toJson(fold.result()))->ranks, 2);
  EventFold damaged;
  damaged.apply(Json::parse(R"({"event":"started","run":{"name":"a","ranks":"x"}})"));
  EXPECT_EQ(damaged.result().ranks, 0);
}

TEST(EventFold, MeasurementsAreKeptWithTheirStatisticsBeforeTheVariantIsDone) {
  EventFold fold = startedFold();
  fold.apply(measured("single", 1, 1.0));
  fold.apply(measured("single", 2, 3.0));
  EXPECT_EQ(fold.result().variants[0].seconds, (std::vector<double>{1.0, 3.0}));
  EXPECT_DOUBLE_EQ(fold.result().variants[0].meanS, 2.0);
  EXPECT_TRUE(fold.result().variants[1].seconds.empty());
}

TEST(EventFold, StatisticsOfManyRepeatsAreOfAllOfThemAtTheEnd) {
  constexpr int kRepeats = 1001;
  for (const char* last : {R"({"event":"canceled"})", R"({"event":"progress"})"}) {
    EventFold fold = startedFold();
    for (int repeat = 1; repeat <= kRepeats; ++repeat) {
      fold.apply(measured("single", repeat, 1.0 * repeat));
    }
    fold.apply(Json::parse(last));
    const RunResult result = fold.closed();
    EXPECT_DOUBLE_EQ(result.variants[0].medianS, 501.0) << last;
    EXPECT_DOUBLE_EQ(result.variants[0].meanS, 501.0) << last;
  }
}

TEST(EventFold, TheLastVariantDoneOfAVariantCounts) {
  EventFold fold = startedFold();
  VariantResult result = samples::full();
  result.speedup.reset();
  fold.apply(eventOf("variant_done", variantDoneMembers(result)));
  EXPECT_FALSE(fold.result().variants[1].speedup);
  result.speedup = 1.25;
  fold.apply(eventOf("variant_done", variantDoneMembers(result)));
  ASSERT_EQ(fold.result().variants.size(), 2u);
  EXPECT_EQ(fold.result().variants[1].speedup, 1.25);
  EXPECT_EQ(fold.result().variants[1].status, RunStatus::Done);
}

TEST(EventFold, ADoneVariantThatForgetsItsSecondsKeepsTheMeasuredOnes) {
  EventFold fold = startedFold();
  fold.apply(measured("single", 1, 2.0));
  fold.apply(eventOf("variant_done", {{"variant", "single"}, {"status", "done"}}));
  EXPECT_EQ(fold.result().variants[0].seconds, (std::vector<double>{2.0}));
  EXPECT_EQ(fold.result().variants[0].status, RunStatus::Done);
}

TEST(EventFold, WithoutAFinalEventTheRunReadsAsFailedWithWhatWasMeasured) {
  EventFold fold = startedFold();
  fold.apply(eventOf("variant_done", variantDoneMembers(samples::full())));
  fold.apply(measured("single", 1, 2.0));
  const RunResult closed = fold.closed();
  EXPECT_EQ(closed.status, RunStatus::Failed);
  EXPECT_FALSE(closed.reason.empty());
  ASSERT_TRUE(closed.failure);
  EXPECT_EQ(closed.failure->kind, FailureKind::Killed);
  EXPECT_EQ(closed.variants[0].failure, closed.failure);
  EXPECT_FALSE(closed.variants[1].failure);
  EXPECT_EQ(closed.variants[0].status, RunStatus::Failed);
  EXPECT_EQ(closed.variants[0].seconds, (std::vector<double>{2.0}));
  EXPECT_NE(closed.variants[0].reason.find("1 repeat"), std::string::npos);
  EXPECT_EQ(closed.variants[1].status, RunStatus::Done);
}

TEST(EventFold, AfterASigtermWithoutAFinalEventTheRunReadsAsCanceled) {
  EventFold fold = startedFold();
  fold.apply(eventOf("warning", {{"code", "canceling"}, {"message", "SIGTERM"}}));
  EXPECT_EQ(fold.closed().status, RunStatus::Canceled);
  EXPECT_EQ(fold.closed().variants[0].status, RunStatus::Canceled);
}

TEST(EventFold, CanceledEndsTheRunAndItsOpenVariants) {
  EventFold fold = startedFold();
  fold.apply(measured("single", 1, 2.0));
  fold.apply(eventOf("canceled"));
  EXPECT_TRUE(fold.isFinal());
  EXPECT_EQ(fold.result().status, RunStatus::Canceled);
  EXPECT_EQ(fold.result().variants[0].status, RunStatus::Canceled);
  EXPECT_EQ(fold.closed().status, RunStatus::Canceled);
}

TEST(EventFold, OfAKilledEngineItSaysWhoseTurnItWas) {
  EventFold fold = startedFold();
  fold.apply(eventOf("progress", {{"variant", "single"}}));
  EXPECT_EQ(fold.closed().failure, (Failure{FailureKind::Killed, "single"}));
  fold.apply(eventOf(
      "error", errorMembers({ErrorCode::EngineFailure, "gone", "", "", {FailureKind::Killed}})));
  EXPECT_EQ(fold.result().failure, (Failure{FailureKind::Killed, "single"}));
}

TEST(EventFold, ARunThatGoesOnHasNotFailed) {
  EventFold fold = startedFold();
  fold.apply(eventOf("error", errorMembers({ErrorCode::OutOfMemory, "full", "", ""})));
  fold.apply(eventOf("resumed"));
  EXPECT_FALSE(fold.result().failure);
  EXPECT_FALSE(fold.result().variants[0].failure);
}

TEST(EventFold, AnErrorGivesTheRunItsReason) {
  EventFold fold = startedFold();
  const Failure failure{FailureKind::OutOfMemory, "single", {"cpu:1"}, {1}, {3},
                        ActionKind::Forward};
  fold.apply(eventOf(
      "error", errorMembers({ErrorCode::OutOfMemory, "cpu:1 is full", "stage 1, micro-batch 3",
                             "Use smaller micro-batches", failure})));
  EXPECT_EQ(fold.result().failure, failure);
  EXPECT_EQ(fold.result().variants[0].failure, failure) << "it was still to be measured";
  EXPECT_EQ(fold.result().status, RunStatus::Failed);
  EXPECT_EQ(fold.result().reason,
            "cpu:1 is full (at stage 1, micro-batch 3). Use smaller micro-batches");
}

TEST(EventFold, AnErrorAfterFinishedMakesTheRunFailedAndFinishedAfterAnErrorDoesNotMakeItDone) {
  EventFold fold = startedFold();
  fold.apply(eventOf("variant_done", variantDoneMembers(samples::full())));
  fold.apply(eventOf("finished"));
  EXPECT_EQ(fold.result().status, RunStatus::Done);
  fold.apply(eventOf("error", errorMembers({ErrorCode::GradientMismatch, "not equal", "", ""})));
  EXPECT_EQ(fold.result().status, RunStatus::Failed);
  EXPECT_EQ(fold.result().variants[1].status, RunStatus::Done);
  fold.apply(eventOf("finished"));
  EXPECT_EQ(fold.result().status, RunStatus::Failed);
}

TEST(EventFold, FinishedMayBringTheWholeResult) {
  EventFold fold = startedFold();
  RunResult whole = samples::plannedRun();
  whole.status = RunStatus::Done;
  whole.variants = {samples::full()};
  fold.apply(eventOf("finished", {{"result", toJson(whole)}}));
  EXPECT_EQ(toJson(fold.result()), toJson(whole));
}

TEST(EventFold, DamagedAndUnknownEventsChangeNothing) {
  EventFold fold = startedFold();
  const Json before = toJson(fold.result());
  for (const char* text :
       {"3", "null", "[]", "{}", R"({"event":7})", R"({"event":"new"})",
        R"({"event":"measurement"})",
        R"({"event":"measurement","variant":"single","seconds":"fast"})",
        R"({"event":"measurement","variant":3,"seconds":1})", R"({"event":"variant_done"})",
        R"({"event":"progress","variant":"single"})"}) {
    fold.apply(Json::parse(text));
    EXPECT_EQ(toJson(fold.result()), before) << text;
  }
}

TEST(EventFold, AFoldWithoutEventsClosesAsFailedWithoutVariants) {
  const RunResult closed = EventFold{}.closed();
  EXPECT_EQ(closed.status, RunStatus::Failed);
  EXPECT_TRUE(closed.variants.empty());
}

TEST(EventFold, AnErrorSurvivesItsEvent) {
  const Error error{ErrorCode::DeviceMissing,
                    "no cuda:0",
                    "/devices/0",
                    "use cpu:0",
                    {FailureKind::DeviceMissing, "", {"cuda:0"}}};
  const Error read = errorFromEvent(errorMembers(error));
  EXPECT_EQ(read.failure, error.failure);
  EXPECT_EQ(read.code, error.code);
  EXPECT_EQ(read.message, error.message);
  EXPECT_EQ(read.context, error.context);
  EXPECT_EQ(read.hint, error.hint);
  EXPECT_EQ(errorFromEvent(Json::parse(R"({"code":99})")).code, ErrorCode::EngineFailure);
  EXPECT_EQ(errorFromEvent(Json(3)).code, ErrorCode::EngineFailure);
}

}  // namespace
}  // namespace stagelane::record
