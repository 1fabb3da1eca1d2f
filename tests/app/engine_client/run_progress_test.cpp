#include "app/engine_client/run_progress.h"

#include <gtest/gtest.h>

namespace stagelane::app {
namespace {

const Json kStarted = Json::parse(
    R"({"event":"started","variants":[{"id":"a","name":"Variant A"}],"devices":["cpu:0","cpu:1"]})");
const Json kProgress =
    Json::parse(R"({"event":"progress","variant":"a","repeat":2,"of":10,"eta_s":12.4})");
const Json kMeasurement =
    Json::parse(R"({"event":"measurement","variant":"a","repeat":2,"seconds":1.5})");

TEST(RunProgress, ALogGetsPlainLinesWithoutControlCharacters) {
  RunProgress progress(ProgressStyle::Lines);
  EXPECT_EQ(progress.textFor(kStarted), "1 variant on cpu:0, cpu:1\n");
  EXPECT_EQ(progress.textFor(kProgress), "");
  EXPECT_EQ(progress.textFor(kMeasurement), "Variant A: repeat 2, 1.5 s\n");
  EXPECT_EQ(progress.end(), "");
}

TEST(RunProgress, NamesCannotCommandTheTerminalOrForgeALine) {
  RunProgress progress(ProgressStyle::Lines);
  const Json variant{{"id", "a"}, {"name", "x\033[2J\nforged"}};
  const Json started{{"event", "started"},
                     {"variants", Json::array({variant})},
                     {"devices", Json::array({"cpu:0\a"})}};
  EXPECT_EQ(progress.textFor(started), "1 variant on cpu:0␇\n");
  EXPECT_EQ(progress.textFor(kMeasurement), "x␛[2J␊forged: repeat 2, 1.5 s\n");
  EXPECT_EQ(progress.textFor(Json{{"event", "warning"}, {"message", "a\nb"}}),
            "stagelane: warning: a␊b\n");
}

TEST(RunProgress, ACalibrationWritesALineInALogForEachTenth) {
  RunProgress progress(ProgressStyle::Lines);
  int lines = 0;
  for (int done = 0; done <= 50; ++done) {
    const std::string text = progress.textFor(
        Json{{"event", "calibrating"}, {"done", done}, {"of", 50}, {"t_ns", done * 2e8}});
    lines += text.empty() ? 0 : 1;
    if (done == 25) {
      EXPECT_EQ(text, "measuring costs: 50 %, about 5 s left\n");
    }
  }
  EXPECT_EQ(lines, 11);
  EXPECT_EQ(progress.end(), "");
}

TEST(RunProgress, ATerminalHasOneLineThatIsRewrittenAndClearedAtTheEnd) {
  RunProgress progress(ProgressStyle::Terminal);
  EXPECT_EQ(progress.textFor(kStarted), "1 variant on cpu:0, cpu:1\n");
  EXPECT_EQ(progress.textFor(kProgress), "\r\033[KVariant A: repeat 2 of 10, about 12 s left");
  EXPECT_EQ(progress.end(), "\r\033[K");
  EXPECT_EQ(progress.end(), "");
}

TEST(RunProgress, TellsWhatIsDoneBesideRepeats) {
  RunProgress progress(ProgressStyle::Terminal);
  EXPECT_EQ(progress.textFor(Json::parse(
                R"({"event":"started","devices":["cpu:0"],"variants":[{"id":"a","name":"A"},
                    {"id":"b","name":"B","status":"not_run","included":false}]})")),
            "1 variant on cpu:0\n");
  EXPECT_EQ(progress.textFor(Json::parse(
                R"({"event":"progress","variant":"a","repeat":1,"of":2,"eta_s":null})")),
            "\r\033[KA: repeat 1 of 2");
  EXPECT_EQ(progress.textFor(Json::parse(
                R"({"event":"progress","variant":"a","repeat":2,"of":2,"phase":"gradients"})")),
            "\r\033[KA: checking gradients");
}

TEST(RunProgress, AWarningStaysAboveTheLineThatIsRewritten) {
  RunProgress progress(ProgressStyle::Terminal);
  static_cast<void>(progress.textFor(kMeasurement));
  EXPECT_EQ(progress.textFor(Json::parse(R"({"event":"warning","code":"x","message":"hot"})")),
            "\r\033[Kstagelane: warning: hot\na: repeat 2, 1.5 s");
}

TEST(RunProgress, AListOfRanksLeavesTheLineAsItIs) {
  RunProgress progress(ProgressStyle::Terminal);
  static_cast<void>(progress.textFor(kMeasurement));
  EXPECT_EQ(progress.textFor(Json::parse(
                R"({"event":"ranks","ranks":[{"rank":0,"host":"a","state":"running"}]})")),
            "");
  EXPECT_EQ(progress.end(), "\r\033[K");
}

TEST(RunProgress, EventsOfAnyShapeAreNoError) {
  RunProgress progress(ProgressStyle::Lines);
  for (const char* text :
       {"{}", R"({"event":"started","variants":7,"devices":[1]})", R"({"event":"progress"})",
        R"({"event":"measurement","variant":3,"seconds":"x"})", R"({"event":"warning"})",
        R"({"event":"started","variants":[3]})"}) {
    static_cast<void>(progress.textFor(Json::parse(text)));
  }
}

TEST(RunProgress, TimeLeftIsCoarse) {
  EXPECT_EQ(timeLeftText(0.2), "0 s");
  EXPECT_EQ(timeLeftText(89.0), "89 s");
  EXPECT_EQ(timeLeftText(120.0), "2 min");
  EXPECT_EQ(timeLeftText(3900.0), "1 h 5 min");
  EXPECT_EQ(timeLeftText(-1.0), "unknown");
}

}  // namespace
}  // namespace stagelane::app
