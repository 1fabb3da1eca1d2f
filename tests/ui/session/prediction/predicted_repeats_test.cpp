#include "ui/session/prediction/predicted_repeats.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "tests/support/paths.h"

namespace stagelane::ui {
namespace {

Json toy() {
  auto read = readJsonFile(checkout::root() + "/resources/presets/toy.json");
  EXPECT_TRUE(read);
  (*read)["devices"] = {"cpu:0", "cpu:1"};
  return *read;
}

TEST(PredictedRepeats, AreThoseOfEveryPipelineAndOfNothingElse) {
  const auto seconds = predictedRepeats(toy(), ".");
  ASSERT_EQ(seconds.size(), 3U) << "tutorial, gpipe, 1f1b";
  for (const auto& [id, value] : seconds) {
    EXPECT_EQ(id.rfind("pipeline", 0), 0U) << id;
    EXPECT_GT(value, 0.0) << id;
  }
}

TEST(PredictedRepeats, CountAllBatchesOfARepeat) {
  Json more = toy();
  more["data"]["batches"] = 7;
  const auto one = predictedRepeats(toy(), ".");
  for (const auto& [id, value] : predictedRepeats(more, ".")) {
    EXPECT_DOUBLE_EQ(value, 7.0 * one.at(id)) << id;
  }
}

TEST(PredictedRepeats, OfWhatCannotBeReadThereAreNone) {
  EXPECT_TRUE(predictedRepeats(Json{{"stagelane", 1}}, ".").empty());
  EXPECT_TRUE(predictedRepeats(Json(), ".").empty());
}

TEST(PredictedRepeats, AreOfTheDevicesThatTheMachineHas) {
  Json document = toy();
  document["devices"] = Json::array({{{"auto", 2}}});
  const double onWorkers = predictedRepeats(document, ".").at("pipeline-gpipe");
  RepeatBasis basis;
  basis.machine.gpus = 2;
  EXPECT_NE(predictedRepeats(document, ".", basis).at("pipeline-gpipe"), onWorkers);
}

TEST(PredictedRepeats, EndWhereNobodyWaitsForThem) {
  RepeatBasis basis;
  basis.goesOn = [] { return false; };
  EXPECT_TRUE(predictedRepeats(toy(), ".", basis).empty());
}

}  // namespace
}  // namespace stagelane::ui
