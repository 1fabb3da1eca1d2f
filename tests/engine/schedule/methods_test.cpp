#include "engine/schedule/methods.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/schedule/generators.h"

namespace stagelane::schedule {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Methods, HaveAllNamesThatExperimentFilesAlreadySay) {
  EXPECT_THAT(allScheduleNames(),
              IsSupersetOf({"single", "model_parallel", "tutorial", "gpipe", "1f1b",
                            "interleaved-1f1b", "looped-bfs", "zb-h1", "zb-h2",
                            "interleaved-zero-bubble", "zbv", "v-half", "v-min", "dualpipev"}));
  EXPECT_EQ(allScheduleNames().front(), "single");
  EXPECT_EQ(allScheduleNames().back(), "auto");
}

TEST(Methods, HaveANameOfTheirOwnAndADescriptionOfOneSentence) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.name);
    EXPECT_EQ(methodNamed(method.name), &method);
    EXPECT_THAT(std::string(method.description), Not(IsEmpty()));
    EXPECT_THAT(std::string(method.description), Not(EndsWith(".")));
    EXPECT_THAT(std::string(method.paper), AnyOf(IsEmpty(), StartsWith("arXiv:")));
  }
  EXPECT_EQ(methodNamed("zbx"), nullptr);
}

TEST(Methods, OfAGeneratorHaveALayoutThatItTakes) {
  for (const std::string& name : generatedScheduleNames()) {
    SCOPED_TRACE(name);
    const bool single = name == "single", whole = name == "model_parallel";
    EXPECT_TRUE(generate(name, {single ? 1 : 2, whole ? 1 : 4, {}}));
    EXPECT_TRUE(checkChunks(name, layoutOf(name).chunks));
  }
}

TEST(Methods, KeepAsManyMicroBatchesAsTheirRowSays) {
  constexpr int kDevices = 3, kMicroBatches = 5;
  for (const Method& method : methods()) {
    if (method.keeps == Keeps::Unknown) continue;
    SCOPED_TRACE(method.name);
    const auto schedule = generate(method.name, {kDevices, kMicroBatches, {}});
    ASSERT_TRUE(schedule);
    for (int stage = 0; stage < schedule->stages; ++stage) {
      int live = 0, most = 0;
      const auto row = static_cast<std::size_t>(schedule->rows.row(stage));
      for (const Action& action : schedule->actions[row]) {
        if (action.stage.value != stage) continue;
        live += action.kind == ActionKind::Forward ? 1 : -1;
        most = std::max(most, live);
      }
      EXPECT_EQ(most, method.keeps == Keeps::All ? kMicroBatches : kDevices - stage);
    }
  }
  EXPECT_EQ(keepsOf("tutorial"), Keeps::All);
  EXPECT_EQ(keepsOf("looped-bfs"), Keeps::All);
  EXPECT_EQ(keepsOf("csv:mine.csv"), Keeps::Unknown);
}

TEST(Methods, HaveOneForEachLayoutByWhichCutsAreCompared) {
  for (const StageLayout layout : {StageLayout::OnePerDevice, StageLayout::Loop, StageLayout::V}) {
    EXPECT_EQ(std::count_if(methods().begin(), methods().end(),
                            [&](const Method& method) {
                              return method.comparesCuts && method.layout.layout == layout;
                            }),
              1);
    EXPECT_EQ(layoutOf(cutsComparedBy(layout)).layout, layout);
  }
}

TEST(Methods, AreForThePipelineUnlessTheyAreStrategies) {
  EXPECT_EQ(pipelineScheduleNames().size() + 2, allScheduleNames().size());
  EXPECT_FALSE(isPipelineSchedule("single"));
  EXPECT_FALSE(isPipelineSchedule("model_parallel"));
  EXPECT_TRUE(isPipelineSchedule("auto"));
  EXPECT_TRUE(isPipelineSchedule("csv:mine.csv"));
}

}  // namespace
}  // namespace stagelane::schedule
