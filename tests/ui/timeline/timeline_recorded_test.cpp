#include "ui/timeline/timeline_recorded.h"

#include <gtest/gtest.h>

#include "engine/trace/trace_builder.h"

namespace stagelane::ui {
namespace {

/// Three steps of 100 ns with an action each; operators in those that are named.
trace::TracePtr threeSteps(const std::vector<int>& withOperators) {
  trace::TraceBuilder builder;
  const auto device = builder.device("cpu:0");
  const auto actions = builder.track(device, trace::TrackKind::Compute, "compute");
  const auto operators = builder.track(device, trace::TrackKind::Operators, "operators");
  for (int step = 0; step < 3; ++step) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = step * 100;
    event.durationNs = 90;
    event.name = "F0";
    event.category = trace::Category::Forward;
    event.track = actions;
    builder.add(event);
    builder.addStep(
        {.repeat = step, .step = step % 2, .startNs = step * 100, .endNs = step * 100 + 100});
    if (std::count(withOperators.begin(), withOperators.end(), step) == 0) continue;
    event.startNs = step * 100 + 10;
    event.durationNs = 10;
    event.name = "aten::add";
    event.category = trace::Category::Operator;
    event.track = operators;
    builder.add(event);
  }
  return std::move(builder).build();
}

std::optional<std::size_t> answer(const std::vector<int>& withOperators, std::size_t shown) {
  const trace::TracePtr trace = threeSteps(withOperators);
  return stepWithOperators(*trace, trace->steps(), shown);
}

TEST(StepWithOperators, IsTheOtherOneWhereTheShownOneHasNone) {
  EXPECT_EQ(answer({2}, 0), 2U);
  EXPECT_EQ(answer({1}, 0), 1U);
}

TEST(StepWithOperators, PrefersTheSameStepOfItsRepeat) { EXPECT_EQ(answer({1, 2}, 0), 2U); }

TEST(StepWithOperators, IsNoneWhereTheShownOneHasThemOrNobody) {
  EXPECT_EQ(answer({0, 2}, 0), std::nullopt);
  EXPECT_EQ(answer({}, 1), std::nullopt);
}

}  // namespace
}  // namespace stagelane::ui
