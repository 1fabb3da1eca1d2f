#include "ui/models/predicted_repeats.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"

namespace stagelane::ui {
namespace {

Json toy() {
  auto read = readJsonFile(STAGELANE_SOURCE_DIR "/resources/presets/toy.json");
  EXPECT_TRUE(read);
  (*read)["devices"] = {"cpu:0", "cpu:1"};
  return *read;
}

TEST(PredictedRepeats, AreThoseOfEveryPipelineAndOfNothingElse) {
  const auto seconds = predictedRepeats(toy(), ".", nullptr);
  ASSERT_EQ(seconds.size(), 3U) << "tutorial, gpipe, 1f1b";
  for (const auto& [id, value] : seconds) {
    EXPECT_EQ(id.rfind("pipeline", 0), 0U) << id;
    EXPECT_GT(value, 0.0) << id;
  }
}

TEST(PredictedRepeats, CountAllBatchesOfARepeat) {
  Json more = toy();
  more["data"]["batches"] = 7;
  const auto one = predictedRepeats(toy(), ".", nullptr);
  for (const auto& [id, value] : predictedRepeats(more, ".", nullptr)) {
    EXPECT_DOUBLE_EQ(value, 7.0 * one.at(id)) << id;
  }
}

TEST(PredictedRepeats, OfWhatCannotBeReadThereAreNone) {
  EXPECT_TRUE(predictedRepeats(Json{{"stagelane", 1}}, ".", nullptr).empty());
  EXPECT_TRUE(predictedRepeats(Json(), ".", nullptr).empty());
}

}  // namespace
}  // namespace stagelane::ui
