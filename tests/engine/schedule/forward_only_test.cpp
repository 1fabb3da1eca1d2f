#include "engine/schedule/forward_only.h"

#include <gtest/gtest.h>

#include "engine/schedule/generators.h"
#include "engine/schedule/lowering.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::schedule {
namespace {

Schedule forwards(const std::string& name, const Sizes& sizes) {
  auto schedule = generate(name, sizes);
  EXPECT_TRUE(schedule) << name;
  return forwardOnly(std::move(*schedule));
}

std::size_t count(const LoweredSchedule& lowered, ActionKind kind) {
  std::size_t number = 0;
  for (const auto& row : lowered.actions) {
    for (const LoweredAction& action : row) number += action.kind == kind ? 1 : 0;
  }
  return number;
}

TEST(ForwardOnly, KeepsTheForwardsInTheirOrder) {
  EXPECT_EQ(toText(forwards("1f1b", {2, 3, 1})), "0F0 0F1 0F2\n1F0 1F1 1F2\n");
}

TEST(ForwardOnly, OfEveryScheduleIsSoundAndHasNothingButForwardsAndTheirTransfers) {
  for (const std::string& name : generatedScheduleNames()) {
    const bool pipeline = name != "single" && name != "model_parallel";
    const Sizes sizes = name == "single" ? Sizes{1, 4, 1}
                        : pipeline       ? Sizes{2, 4, 2}
                                         : Sizes{2, 1, 1};
    auto schedule = generate(name, sizes);
    if (!schedule) schedule = generate(name, {sizes.devices, sizes.microBatches, 1});
    ASSERT_TRUE(schedule) << name << ": " << describe(schedule.error());
    const LoweredSchedule lowered = lower(forwardOnly(*schedule));
    const Status sound = validate(lowered);
    EXPECT_TRUE(sound) << name << ": " << (sound ? "" : describe(sound.error()));
    const std::size_t transfers = 2 * count(lowered, ActionKind::SendForward);
    EXPECT_EQ(count(lowered, ActionKind::Forward) + transfers, lowered.actionCount) << name;
  }
}

TEST(ForwardOnly, IsUnsoundWithABackwardOrWithoutAForward) {
  LoweredSchedule lowered = lower(forwards("gpipe", {2, 2, 1}));
  LoweredSchedule trained = lowered;
  trained.actions[1].push_back({ActionKind::Backward, StageId{1}, MicroBatchId{0}, -1});
  ++trained.actionCount;
  ASSERT_FALSE(validate(trained));
  EXPECT_NE(validate(trained).error().message.find("forward-only"), std::string::npos);
  lowered.actions[1].pop_back();
  --lowered.actionCount;
  ASSERT_FALSE(validate(lowered));
  EXPECT_NE(validate(lowered).error().message.find("is missing"), std::string::npos);
}

}  // namespace
}  // namespace stagelane::schedule
