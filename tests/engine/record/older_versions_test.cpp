#include "engine/record/older_versions.h"

#include <gtest/gtest.h>

#include "engine/record/left_out.h"

namespace stagelane::record {
namespace {

TEST(OlderVersions, AFailureIsFoundInItsSentence) {
  EXPECT_EQ(
      failureInSentence("cpu:1: out of memory: needs 2.0 GiB more (at variant pipe, cpu:1, "
                        "SEND_F of stage 1, micro-batch 12). Use smaller micro-batches"),
      (Failure{FailureKind::OutOfMemory, "pipe", {"cpu:1"}, {1}, {12}, ActionKind::SendForward}));
  EXPECT_EQ(
      failureInSentence("cuda:0/1of4 does not end its OPT of stage 0; no action has ended "
                        "anywhere for 30 s (at variant zb-h1, cuda:0/1of4, OPT of stage 0)"),
      (Failure{FailureKind::Stalled, "zb-h1", {"cuda:0/1of4"}, {0}, {}, ActionKind::Optimizer}));
  EXPECT_EQ(failureInSentence("gradient check failed for variant 'pipe-2': conv1.weight differs"),
            (Failure{FailureKind::GradientsDiffer, "pipe-2"}));
  EXPECT_EQ(failureInSentence("does not fit: needs 9 GiB, has 8 GiB (cpu:0)"),
            (Failure{FailureKind::DoesNotFit, "", {"cpu:0"}}));
}

TEST(OlderVersions, WhoWasKilledDidNotRunOutOfMemory) {
  EXPECT_EQ(failureInSentence("the engine was killed by signal 9 (SIGKILL), by hand or because "
                              "the machine ran out of memory"),
            Failure{FailureKind::Killed});
  EXPECT_EQ(failureInSentence("cannot write standard output: Broken pipe").kind,
            FailureKind::ReaderGone);
  EXPECT_EQ(failureInSentence("device 'cuda:7' is not on this machine").kind,
            FailureKind::DeviceMissing);
}

TEST(OlderVersions, AnUnknownOrHostileSentenceIsOfNoKind) {
  EXPECT_EQ(failureInSentence(""), Failure{});
  EXPECT_EQ(failureInSentence("variant " + std::string(3'000'000, 'a')).kind, FailureKind::Unknown);
}

VariantResult read(const char* text) {
  const auto variant = variantResultFromJson(Json::parse(text));
  return variant ? *variant : VariantResult{};
}

TEST(OlderVersions, AVariantsReasonIsReadOnceForItsCodes) {
  EXPECT_FALSE(read(R"({"id":"a","status":"not_run","reason":"not included"})").included);
  const auto stopped = read(R"({"id":"a","status":"canceled","reason":
      "early_stop after 4 repeats: 0.0162 s against 0.00298 s of sweep-gpipe-s16"})");
  ASSERT_TRUE(stopped.earlyStop);
  EXPECT_EQ(stopped.earlyStop->repeats, 4);
  EXPECT_EQ(stopped.earlyStop->seconds, 0.0162);
  EXPECT_EQ(stopped.earlyStop->bestSeconds, 0.00298);
  EXPECT_EQ(stopped.earlyStop->best, "sweep-gpipe-s16");
  const auto predicted = read(R"({"id":"a","status":"not_run","reason":
      "early_stop: predicted 1.2e-05 s a step against 4e-06 s of b"})");
  ASSERT_TRUE(predicted.earlyStop);
  EXPECT_EQ(predicted.earlyStop->repeats, 0);
  EXPECT_EQ(predicted.earlyStop->seconds, 1.2e-05);
  const auto other =
      read(R"({"id":"a","status":"canceled","reason":"early_stop of another build"})");
  ASSERT_TRUE(other.earlyStop);
  EXPECT_TRUE(other.earlyStop->best.empty());
  EXPECT_EQ(read(R"({"id":"a","status":"not_run","reason":"does not fit: cpu:0"})").failure,
            (Failure{FailureKind::DoesNotFit, "", {"cpu:0"}}));
  EXPECT_FALSE(read(R"({"id":"a","status":"done","reason":"out of memory"})").failure);
}

TEST(OlderVersions, WhereCodesAreWrittenTheReasonIsNotRead) {
  const auto variant = read(R"({"id":"a","status":"failed","reason":"out of memory",
      "failure":{"kind":"stalled","device":7,"stage":"x","action":"none","new":1}})");
  EXPECT_EQ(variant.failure, Failure{FailureKind::Stalled});
}

TEST(OlderVersions, TheCodeOfAnErrorEventCountsMoreThanItsSentence) {
  const auto kindOf = [](const char* text) {
    return failureOf(errorFromEvent(Json::parse(text))).kind;
  };
  EXPECT_EQ(kindOf(R"({"event":"error","code":5,"message":"the engine was killed"})"),
            FailureKind::OutOfMemory);
  EXPECT_EQ(kindOf(R"({"event":"error","code":6,"message":"the engine was killed by signal 9"})"),
            FailureKind::Killed);
  EXPECT_EQ(kindOf(R"({"event":"error","code":6,"message":"something else"})"),
            FailureKind::EngineFailure);
  EXPECT_EQ(kindOf(R"({"event":"error","code":8,"message":"cannot write: Broken pipe"})"),
            FailureKind::ReaderGone);
}

}  // namespace
}  // namespace stagelane::record
