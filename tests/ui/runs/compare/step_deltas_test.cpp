#include "ui/runs/compare/step_deltas.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/tracks/timeline_sample.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

using trace::Category;

analysis::StepComparison compare(const trace::Trace& left, const trace::Trace& right) {
  return analysis::compareSteps(left, analysis::stepsOf(left)[0], right,
                                analysis::stepsOf(right)[0]);
}

/// F0 on two workers and B0 back; the second worker's F takes `forwardNs`, all after it waits.
trace::TracePtr chain(TimeNs forwardNs, bool extra = false) {
  const TimeNs later = 12'000 + forwardNs;
  std::vector<sample::Slice> first{{0, 10'000, Category::Forward, 0, 0},
                                   {later + 15'000, 15'000, Category::Backward, 0, 0}};
  if (extra) first.push_back({later + 30'000, 5'000, Category::Optimizer, 0, -1});
  return sample::traceOf(
      {first,
       {{12'000, forwardNs, Category::Forward, 1, 0}, {later, 15'000, Category::Backward, 1, 0}}},
      later + 35'000);
}

TEST(StepDeltas, SayWhatGotSlowerAndWhere) {
  const StepDeltas deltas = stepDeltas(compare(*chain(10'000), *chain(30'000)),
                                       QStringLiteral("run 3"), QStringLiteral("run 7"));
  EXPECT_TRUE(deltas.sentence.startsWith(QStringLiteral("The step of run 7 is 35.1 % slower")))
      << deltas.sentence.toStdString();
  EXPECT_TRUE(deltas.sentence.contains(QStringLiteral("F of stage 1 by 20.0 µs")))
      << deltas.sentence.toStdString();
  EXPECT_TRUE(deltas.sentence.contains(QStringLiteral("cpu:0 is idle for longer")));
  ASSERT_FALSE(deltas.causes.empty());
  EXPECT_EQ(deltas.causes[0].change, QStringLiteral("+20.0 µs"));
  EXPECT_EQ(deltas.causes[0].tone, RunTone::Bad);
  const auto starved = std::find_if(
      deltas.causes.begin(), deltas.causes.end(),
      [](const StepDeltaRow& row) { return row.name == QStringLiteral("cpu:0 starved"); });
  ASSERT_NE(starved, deltas.causes.end());
  EXPECT_EQ(starved->change, QStringLiteral("+20.0 µs"));
  ASSERT_EQ(deltas.groups.size(), 1U) << "only the forward of stage 1 took another time";
  EXPECT_EQ(deltas.groups[0].name, QStringLiteral("F of stage 1"));
  ASSERT_EQ(deltas.actions.size(), 1U);
  EXPECT_EQ(deltas.actions[0].name, QStringLiteral("F0 of stage 1"));
  EXPECT_EQ(deltas.actions[0].left, QStringLiteral("10.0 µs"));
  EXPECT_EQ(deltas.actions[0].right, QStringLiteral("30.0 µs"));
  EXPECT_EQ(deltas.note, QStringLiteral("4 actions in both"));
}

TEST(StepDeltas, TheOtherWayRoundAreGood) {
  const StepDeltas deltas = stepDeltas(compare(*chain(30'000), *chain(10'000)),
                                       QStringLiteral("run 3"), QStringLiteral("run 7"));
  EXPECT_TRUE(deltas.sentence.contains(QStringLiteral("faster")));
  EXPECT_EQ(deltas.actions[0].change.front(), QChar(u'\u2212'));
  EXPECT_EQ(deltas.actions[0].tone, RunTone::Good);
}

TEST(StepDeltas, SayWhatOnlyOneSideDoes) {
  const StepDeltas deltas = stepDeltas(compare(*chain(10'000), *chain(30'000, true)),
                                       QStringLiteral("run 3"), QStringLiteral("run 7"));
  EXPECT_TRUE(deltas.sentence.contains(QStringLiteral("Only run 7 does work of 5.00 µs")))
      << deltas.sentence.toStdString();
  EXPECT_EQ(deltas.note, QStringLiteral("4 actions in both, 1 in run 7 only"));
}

TEST(StepDeltas, OfTheSameStepAreNone) {
  const auto trace = sample::twoWorkers();
  const StepDeltas deltas =
      stepDeltas(compare(*trace, *trace), QStringLiteral("run 3"), QStringLiteral("run 7"));
  EXPECT_TRUE(deltas.sentence.startsWith(QStringLiteral("Both steps take")));
  EXPECT_TRUE(deltas.causes.empty());
  EXPECT_TRUE(deltas.groups.empty());
  EXPECT_TRUE(deltas.actions.empty());
}

TEST(StepDeltas, AreNoMoreThanCanBeRead) {
  std::vector<sample::Slice> left, right;
  for (int i = 0; i < 40; ++i) {
    left.push_back({i * 1'000, 100, Category::Forward, i, i});
    right.push_back({i * 1'000, 100 + i * 10, Category::Forward, i, i});
  }
  const StepDeltas deltas =
      stepDeltas(compare(*sample::traceOf({left}, 50'000), *sample::traceOf({right}, 50'000)),
                 QStringLiteral("run 3"), QStringLiteral("run 7"));
  ASSERT_EQ(deltas.actions.size(), kMostDeltaRows);
  EXPECT_EQ(deltas.actions[0].name, QStringLiteral("F39 of stage 39")) << "the largest first";
  EXPECT_EQ(deltas.groups.size(), kMostDeltaRows);
}

}  // namespace
}  // namespace stagelane::ui
