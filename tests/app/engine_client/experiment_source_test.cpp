#include "app/engine_client/experiment_source.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/toy_document.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

class ExperimentSourceTest : public testing::Test {
 protected:
  ExperimentSourceTest() {
    std::ofstream(m_root / "x.json") << R"({"name":"x","repeat":3,"a/b":{"c":[1,2]}})";
  }
  [[nodiscard]] ErrorCode codeOf(const std::string& set) const {
    const auto loaded = loadExperiment((m_root / "x.json").string(), {set});
    EXPECT_FALSE(loaded) << set;
    return loaded ? ErrorCode::EngineFailure : loaded.error().code;
  }
  test::TemporaryFolder m_temporary;
  const fs::path& m_root = m_temporary.path();
};

TEST_F(ExperimentSourceTest, PresetsOfTheSourceTreeAreFoundByName) {
  const auto names = presetNames();
  EXPECT_NE(std::find(names.begin(), names.end(), "toy"), names.end());
  const auto toy = resolveExperiment("toy");
  ASSERT_TRUE(toy);
  EXPECT_EQ(toy->filename(), "toy.json");
  EXPECT_FALSE(presetFile("no-such-preset"));
}

TEST_F(ExperimentSourceTest, AMisspeltPresetIsAnErrorThatNamesTheNearest) {
  const auto resolved = resolveExperiment("toi");
  ASSERT_FALSE(resolved);
  EXPECT_EQ(resolved.error().code, ErrorCode::Invalid);
  EXPECT_NE(resolved.error().hint.find("did you mean toy"), std::string::npos);
}

TEST_F(ExperimentSourceTest, SetChangesValuesAndSaysSo) {
  const auto loaded =
      loadExperiment((m_root / "x.json").string(), {"/repeat=5", "/a~1b/c/1=\"two=2\""});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->changed);
  EXPECT_EQ(loaded->document["repeat"], 5);
  EXPECT_EQ(loaded->document["a/b"]["c"][1], "two=2");
}

TEST_F(ExperimentSourceTest, WithoutSetNothingIsChanged) {
  const auto loaded = loadExperiment((m_root / "x.json").string(), {});
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(loaded->changed);
  EXPECT_EQ(loaded->baseFolder, m_root.string());
}

TEST_F(ExperimentSourceTest, AMalformedSetIsUsageAndAnUnknownPlaceIsInvalid) {
  for (const char* text : {"", "repeat=5", "/repeat", "=5", "/a~2b=1"}) {
    EXPECT_EQ(codeOf(text), ErrorCode::Usage) << text;
  }
  for (const char* text : {"/nothing=5", "/repeat/x=1", "/a~1b/c/7=1"}) {
    EXPECT_EQ(codeOf(text), ErrorCode::Invalid) << text;
  }
}

TEST_F(ExperimentSourceTest, ReadingSearchesForNoStages) {
  Json document = toy();
  document["variants"][0].erase("stages");
  std::ofstream(m_root / "t.json") << document.dump();
  const auto loaded = readExperimentArgument((m_root / "t.json").string(), {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const plan::Variant* variant = loaded->experiment.variantById("p");
  ASSERT_NE(variant, nullptr);
  EXPECT_NE(variant->open, nullptr);
}

TEST_F(ExperimentSourceTest, ARunFolderStandsForItsExperiment) {
  EXPECT_FALSE(resolveExperiment(m_root.string()));
  fs::rename(m_root / "x.json", m_root / "experiment.json");
  const auto resolved = resolveExperiment(m_root.string());
  ASSERT_TRUE(resolved);
  EXPECT_EQ(*resolved, m_root / "experiment.json");
}

TEST_F(ExperimentSourceTest, ARunFolderStandsForThePlanThatWasRun) {
  std::ofstream(m_root / "experiment.json") << R"({
      "stagelane": 1, "name": "x", "model": {"zoo": "toy"}, "input": {"shape": [10]},
      "data": {"labels": "normal", "batch_size": 20}, "devices": ["cpu:0", "cpu:1"], "repeat": 3,
      "variants": [{"name": "v", "strategy": "pipeline", "schedule": "gpipe", "split_size": 5,
                    "placement": "optimal"}]})";
  const auto firstDevice = [this](const std::vector<std::string>& sets) {
    const auto loaded = readExperimentArgument(m_root.string(), sets);
    EXPECT_TRUE(loaded) << describe(loaded.error());
    if (!loaded) return std::string();
    const plan::Variant& variant = loaded->experiment.variants[0];
    return variant.open ? "open" : variant.stages.front().group.text();
  };
  EXPECT_EQ(firstDevice({}), "open") << "a run of an earlier version has no plan";
  std::ofstream(m_root / "plan.json") << R"({"stagelane_plan": 1, "variants": {"v": {
      "stages": [{"first": "net1", "device": "cpu:1"}, {"first": "net2", "device": "cpu:0"}]}}})";
  EXPECT_EQ(firstDevice({}), "cpu:1");
  EXPECT_EQ(firstDevice({"/repeat=5"}), "open");
  std::ofstream(m_root / "plan.json") << "{}";
  EXPECT_FALSE(readExperimentArgument(m_root.string(), {}));
}

TEST_F(ExperimentSourceTest, ACopyElsewhereKeepsItsRelativePaths) {
  const Json document = Json::parse(
      R"({"model":{"file":"m.json"},"variants":[{"schedule":{"csv":"s.csv"}},{"schedule":"1f1b"},3]})");
  const Json moved = withAbsolutePaths(document, "/base");
  EXPECT_EQ(moved["model"]["file"], "/base/m.json");
  EXPECT_EQ(moved["variants"][0]["schedule"]["csv"], "/base/s.csv");
  EXPECT_EQ(moved["variants"][1], document["variants"][1]);
  EXPECT_EQ(withAbsolutePaths(Json(3), "/base"), Json(3));
}

}  // namespace
}  // namespace stagelane::app
