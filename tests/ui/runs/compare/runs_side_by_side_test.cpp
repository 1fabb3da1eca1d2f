#include "ui/runs/compare/runs_side_by_side.h"

#include <gtest/gtest.h>

#include "tests/support/marked_texts.h"
#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::ui {
namespace {

LoadedRun run(const QString& title, std::vector<double> seconds, const Json& experiment) {
  LoadedRun loaded;
  loaded.title = title;
  loaded.experiment = experiment;
  loaded.environment = Json{{"cpu", "Some"}};
  loaded.variantId = "pipe";
  record::VariantResult variant;
  variant.id = "pipe";
  variant.strategy = "pipeline";
  variant.schedule = "1f1b";
  variant.splitSize = 4;
  variant.seconds = std::move(seconds);
  record::fillStatistics(variant);
  variant.stepNs = static_cast<TimeNs>(variant.meanS * 1e9);
  variant.placement = Json{{"layer1", "cpu:0"}, {"layer2", "cpu:1"}};
  variant.devices = {{"cpu:0", 0, 0.8, {}, {}, 100, 1 << 20, {}}};
  loaded.result.variants = {variant};
  return loaded;
}

const SideBySideRow* rowOf(const std::vector<SideBySideRow>& rows, const QString& name) {
  for (const SideBySideRow& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const Json kExperiment =
    Json::parse(R"({"data": {"batch_size": 20}, "variants": [{"name": "a"}]})");

TEST(SideBySideTest, SaysWhichRunIsFasterAndWhetherTheSpreadExplainsIt) {
  const SideBySide clear =
      sideBySide({run(QStringLiteral("run 14"), {2.0, 2.02, 1.98}, kExperiment),
                  run(QStringLiteral("run 15"), {1.0, 1.01, 0.99}, kExperiment)});
  EXPECT_EQ(
      clear.sentence.toStdString(),
      "Run 15 is 1.00 s per repeat faster than run 14 (run 15: −50.0 %), beyond the spread of the "
      "repeats.");
  EXPECT_EQ(clear.tone, RunTone::Good);
  const SideBySide noise =
      sideBySide({run(QStringLiteral("run 14"), {1.0, 1.4, 0.7}, kExperiment),
                  run(QStringLiteral("run 15"), {1.1, 1.3, 0.6}, kExperiment)});
  EXPECT_TRUE(noise.sentence.contains(QStringLiteral("within the spread")));
  EXPECT_EQ(noise.tone, RunTone::Muted);
  EXPECT_EQ(rowOf(noise.figures, QStringLiteral("Time per repeat"))->tones[1], RunTone::Muted);
  EXPECT_EQ(rowOf(noise.figures, QStringLiteral("Step time"))->tones[1], RunTone::Muted);
  EXPECT_EQ(rowOf(clear.figures, QStringLiteral("Step time"))->tones[1], RunTone::Good);
}

TEST(SideBySideTest, SaysTheSamePercentageAsItsTable) {
  const SideBySide slower =
      sideBySide({run(QStringLiteral("run 14"), {0.8, 0.81, 0.79}, kExperiment),
                  run(QStringLiteral("run 15"), {0.9, 0.91, 0.89}, kExperiment)});
  EXPECT_TRUE(slower.sentence.contains(QStringLiteral("(run 15: +12.5 %)")))
      << slower.sentence.toStdString();
  EXPECT_TRUE(rowOf(slower.figures, QStringLiteral("Time per repeat"))
                  ->changes[1]
                  .startsWith(QStringLiteral("+12.5 %, p")));
  EXPECT_TRUE(slower.figuresNote.contains(QStringLiteral("Welch")));
}

TEST(SideBySideTest, AChangeThatItsDigitsDoNotShowIsNeitherGoodNorBad) {
  LoadedRun other = run(QStringLiteral("run 2"), {1.0, 1.0}, kExperiment);
  other.result.variants[0].devices[0].utilisation = 0.80049;
  LoadedRun first = run(QStringLiteral("run 1"), {1.0, 1.0}, kExperiment);
  first.result.variants[0].devices[0].utilisation = 0.80051;
  const SideBySide both = sideBySide({first, other});
  const SideBySideRow* idle = rowOf(both.figures, QStringLiteral("Idle cpu:0"));
  ASSERT_NE(idle, nullptr);
  EXPECT_EQ(idle->changes[1].toStdString(), "±0 points");
  EXPECT_EQ(idle->tones[1], RunTone::Muted);
}

TEST(SideBySideTest, OneRepeatSaysNothingAboutTheSpread) {
  const SideBySide one = sideBySide({run(QStringLiteral("run 1"), {2.0}, kExperiment),
                                     run(QStringLiteral("run 2"), {1.0}, kExperiment)});
  EXPECT_TRUE(one.sentence.contains(QStringLiteral("spread of a single repeat is unknown")));
  EXPECT_EQ(rowOf(one.figures, QStringLiteral("Time per repeat"))->values.first().toStdString(),
            "2.00 s, one repeat");
  EXPECT_EQ(one.tone, RunTone::Muted);
}

TEST(SideBySideTest, ARunWithoutAMeasurementIsNamed) {
  const SideBySide none = sideBySide({run(QStringLiteral("run 1"), {2.0, 2.0}, kExperiment),
                                      run(QStringLiteral("run 2"), {}, kExperiment)});
  EXPECT_EQ(none.sentence.toStdString(), "Run 2 has no repeat to compare.");
}

TEST(SideBySideTest, ARunWithoutAMeasurementDoesNotSilenceTheOthers) {
  const SideBySide three = sideBySide({run(QStringLiteral("run 1"), {2.0, 2.01}, kExperiment),
                                       run(QStringLiteral("run 2"), {}, kExperiment),
                                       run(QStringLiteral("run 3"), {1.0, 1.01}, kExperiment)});
  EXPECT_TRUE(
      three.sentence.startsWith(QStringLiteral("Run 3 is 1.00 s per repeat faster than run 1")))
      << three.sentence.toStdString();
  EXPECT_TRUE(three.sentence.endsWith(QStringLiteral("Run 2 has no repeat to compare.")))
      << three.sentence.toStdString();
}

TEST(SideBySideTest, ARunWithoutAMeasurementMayBeTheFirst) {
  const SideBySide three = sideBySide({run(QStringLiteral("run 1"), {}, kExperiment),
                                       run(QStringLiteral("run 2"), {2.0, 2.01}, kExperiment),
                                       run(QStringLiteral("run 3"), {1.0, 1.01}, kExperiment)});
  EXPECT_TRUE(
      three.sentence.startsWith(QStringLiteral("Run 3 is 1.00 s per repeat faster than run 2,")))
      << three.sentence.toStdString();
}

TEST(SideBySideTest, RunsOfOtherWorkSaySoFirstAndNothingIsGood) {
  Json toy = kExperiment;
  toy["model"] = {{"zoo", "toy"}};
  Json resnet = kExperiment;
  resnet["model"] = {{"zoo", "resnet50"}};
  resnet["data"]["batch_size"] = 256;
  const SideBySide other = sideBySide({run(QStringLiteral("run 22"), {3.0, 3.01}, resnet),
                                       run(QStringLiteral("run 20"), {0.1, 0.11}, toy)});
  EXPECT_TRUE(other.sentence.startsWith(QStringLiteral(
      "Different models and batch sizes: a repeat is not the same work in these runs. Run 20 is")))
      << other.sentence.toStdString();
  EXPECT_EQ(other.tone, RunTone::Warning);
  for (const SideBySideRow& row : other.figures) {
    EXPECT_EQ(row.tones[1], RunTone::Muted) << row.name.toStdString();
  }
}

TEST(SideBySideTest, SettingsAreWordsAndAnUnreadableExperimentHasNone) {
  Json many = kExperiment;
  many["devices"] = Json::parse(R"(["cpu:0", {"id": "sim:0", "like": "cpu:0", "speed": 2.0}])");
  many["baseline_sweep"] = true;
  Json few = kExperiment;
  few["devices"] = Json::parse(R"(["cpu:0"])");
  few["baseline_sweep"] = false;
  const SideBySide both = sideBySide({run(QStringLiteral("run 1"), {1.0, 1.0}, few),
                                      run(QStringLiteral("run 2"), {1.0, 1.0}, many)});
  EXPECT_EQ(
      rowOf(both.settings, QStringLiteral("devices"))->values,
      (QStringList{QStringLiteral("cpu:0"), QStringLiteral("cpu:0, sim:0 (like cpu:0, speed 2)")}));
  EXPECT_EQ(rowOf(both.settings, QStringLiteral("baseline sweep"))->values,
            (QStringList{QStringLiteral("no"), QStringLiteral("yes")}));
  const SideBySide lost = sideBySide({run(QStringLiteral("run 1"), {1.0, 1.0}, few),
                                      run(QStringLiteral("run 2"), {1.0, 1.0}, Json::object())});
  for (const SideBySideRow& row : lost.settings) {
    EXPECT_FALSE(row.name.isEmpty());
    EXPECT_FALSE(row.values.join(QChar(u' ')).contains(QChar(u'{'))) << row.name.toStdString();
  }
}

TEST(SideBySideTest, ListsSettingsThatDifferOnceForAllRuns) {
  Json larger = kExperiment;
  larger["data"]["batch_size"] = 40;
  LoadedRun third = run(QStringLiteral("run 3"), {1.0, 1.0}, kExperiment);
  third.result.variants[0].splitSize = 8;
  third.result.variants[0].placement["layer2"] = "cpu:0";
  third.environment["cpu"] = "Other";
  const SideBySide three = sideBySide({run(QStringLiteral("run 1"), {1.0, 1.0}, kExperiment),
                                       run(QStringLiteral("run 2"), {1.0, 1.0}, larger), third});
  ASSERT_EQ(three.settings.size(), 4U);
  EXPECT_EQ(rowOf(three.settings, QStringLiteral("split size"))->values,
            (QStringList{QStringLiteral("4"), QStringLiteral("4"), QStringLiteral("8")}));
  EXPECT_EQ(
      rowOf(three.settings, QStringLiteral("placement of layer2"))->values.last().toStdString(),
      "cpu:0");
  EXPECT_EQ(rowOf(three.settings, QStringLiteral("batch size"))->values,
            (QStringList{QStringLiteral("20"), QStringLiteral("40"), QStringLiteral("20")}));
  EXPECT_NE(rowOf(three.settings, QStringLiteral("machine › cpu")), nullptr);
  EXPECT_TRUE(three.same.isEmpty());
}

TEST(SideBySideTest, NamesSettingsInTheLanguageOfTheWindow) {
  const test::MarkedTexts marked;
  LoadedRun other = run(QStringLiteral("run 2"), {1.0, 1.0}, kExperiment);
  other.result.variants[0].strategy = "single";
  other.result.variants[0].schedule = "gpipe";
  other.result.variants[0].splitSize = 8;
  other.result.variants[0].placement["layer2"] = "cpu:0";
  const SideBySide both =
      sideBySide({run(QStringLiteral("run 1"), {1.0, 1.0}, kExperiment), other});
  for (const char* name : {"⟦strategy⟧", "⟦schedule⟧", "⟦split size⟧", "⟦placement of layer2⟧"}) {
    EXPECT_NE(rowOf(both.settings, QString::fromUtf8(name)), nullptr) << name;
  }
}

TEST(SideBySideTest, NamesWhatIsPlacedAndSaysBytesInWords) {
  Json small = kExperiment;
  small["devices"] = Json::parse(R"(["cpu:0", {"id": "cpu:1", "max_memory": 2621440}])");
  LoadedRun whole = run(QStringLiteral("run 2"), {1.0, 1.0}, small);
  whole.result.variants[0].placement = Json{{"", "cpu:0"}};
  const SideBySide both =
      sideBySide({run(QStringLiteral("run 1"), {1.0, 1.0}, kExperiment), whole});
  const SideBySideRow* placed =
      rowOf(both.settings, QStringLiteral("placement of the whole model"));
  ASSERT_NE(placed, nullptr);
  EXPECT_EQ(placed->values, (QStringList{QStringLiteral("–"), QStringLiteral("cpu:0")}));
  const SideBySideRow* devices = rowOf(both.settings, QStringLiteral("devices"));
  ASSERT_NE(devices, nullptr);
  EXPECT_EQ(devices->values.last().toStdString(), "cpu:0, cpu:1 (max 2.5 MiB)");
  for (const SideBySideRow& row : both.settings) EXPECT_FALSE(row.name.isEmpty());
}

TEST(SideBySideTest, AChangeIsGoodOrBadOnlyWhereThatIsClear) {
  LoadedRun better = run(QStringLiteral("run 2"), {1.0, 1.0}, kExperiment);
  better.result.variants[0].devices[0].utilisation = 0.9;
  better.result.variants[0].devices[0].peakBytes = 2 << 20;
  better.result.variants[0].devices[0].transferBytes = 200;
  const SideBySide both =
      sideBySide({run(QStringLiteral("run 1"), {1.0, 1.0}, kExperiment), better});
  const SideBySideRow* idle = rowOf(both.figures, QStringLiteral("Idle cpu:0"));
  ASSERT_NE(idle, nullptr);
  EXPECT_EQ(idle->changes[1].toStdString(), "−10.0 points");
  EXPECT_EQ(idle->tones[1], RunTone::Good);
  EXPECT_EQ(rowOf(both.figures, QStringLiteral("Peak cpu:0"))->tones[1], RunTone::Bad);
  EXPECT_EQ(rowOf(both.figures, QStringLiteral("Copied per step"))->tones[1], RunTone::Muted);
  EXPECT_EQ(both.same.toStdString(), "Same machine and build.");
  EXPECT_TRUE(rowOf(both.figures, QStringLiteral("Step time"))->changes[1].isEmpty());
}

TEST(SideBySideTest, AFolderThatIsNoRunIsAnError) {
  const test::TemporaryFolder folder;
  const auto loaded =
      loadRuns({{QString::fromStdString(folder.path().string()), QStringLiteral("run 1")}}, "");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::Invalid);
}

TEST(SideBySideTest, ARunStandsForItsFastestVariantThatHasAllRepeats) {
  const test::TemporaryFolder folder;
  test::writeCanceledRun(folder.path());
  const RunToLoad canceled{QString::fromStdString(folder.path().string()), QStringLiteral("run 1")};
  const auto loaded = loadRuns({canceled}, "");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->front().variantId, "whole");
  EXPECT_EQ(loadRuns({canceled}, "cut")->front().variantId, "cut") << "asked for by name";
}

}  // namespace
}  // namespace stagelane::ui
