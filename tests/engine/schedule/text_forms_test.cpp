#include "engine/schedule/text_forms.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/schedule/generators.h"
#include "tests/support/paths.h"

namespace stagelane::schedule {
namespace {

std::string dataFile(const std::string& name) {
  return checkout::testData() + "/schedules/" + name;
}

TEST(TextForms, WriteALineADevice) {
  const auto schedule = *generate("1f1b", {2, 2, 1});
  EXPECT_EQ(toText(schedule), "0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1\n");
  EXPECT_EQ(toCsv(schedule), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
}

TEST(TextForms, GiveTheFiguresOfTheConformanceIndexForEveryFile) {
  const auto index = readJsonFile(dataFile("index.json"));
  ASSERT_TRUE(index);
  for (const Json& entry : *index) {
    const std::string name = entry["file"].get<std::string>();
    const auto schedule = fromCsv(*readFile(dataFile(name)), name);
    ASSERT_TRUE(schedule) << describe(schedule.error());
    const Json answer = toJson(*schedule);
    for (const char* key : {"devices", "microbatches", "chunks", "layout"}) {
      EXPECT_EQ(answer[key], entry[key]) << name << " " << key;
    }
    for (const char* key : {"makespan", "idle", "peak", "work"}) {
      EXPECT_NEAR(answer[key].get<double>(), entry[key].get<double>(), 1e-6) << name << " " << key;
    }
    EXPECT_EQ(answer["actions"].size(), static_cast<std::size_t>(schedule->devices));
  }
}

TEST(TextForms, RoundTripThroughCsv) {
  for (int p = 1; p <= 4; ++p) {
    const auto schedule = *generate("1f1b", {p, 5, 1});
    const auto back = fromCsv(toCsv(schedule), "test");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->actions, schedule.actions);
    EXPECT_EQ(back->rows, schedule.rows);
    EXPECT_EQ(back->microBatches, 5);
  }
  const Json index = *readJsonFile(dataFile("index.json"));
  for (const Json& entry : index) {
    const std::string text = *readFile(dataFile(entry["file"].get<std::string>()));
    EXPECT_EQ(toCsv(*fromCsv(text, "test")), text.back() == '\n' ? text : text + "\n");
  }
}

TEST(TextForms, GiveTheFormulasOfGpipeAndOneForwardOneBackwardInUnits) {
  for (int p = 1; p <= 6; ++p) {
    for (int m = 1; m <= 9; ++m) {
      // F = 1 and B = 2: work 3m, bubble (p − 1)(F + B).
      const Json gpipe = toJson(*generate("gpipe", {p, m, 1}));
      EXPECT_EQ(gpipe["makespan"].get<double>(), 3.0 * m + 3.0 * (p - 1));
      EXPECT_EQ(gpipe["peak"].get<double>(), m);
      const Json alternating = toJson(*generate("1f1b", {p, m, 1}));
      EXPECT_EQ(alternating["makespan"].get<double>(), 3.0 * m + 3.0 * (p - 1));
      EXPECT_EQ(alternating["peak"].get<double>(), std::min(m, p));
    }
  }
}

TEST(FromCsv, SkipsBlankCellsAndTransfersAndSplitsPairs) {
  const auto schedule = fromCsv(
      "0F0, ,,0SEND_F0,0F1 ,0B0,0RECV_B1,0B1,0UNSHARD\r\n"
      "\n"
      "1RECV_F0,1F0,(1F1;1B0)OVERLAP_F_B,,1B1\n\n",
      "test");
  ASSERT_TRUE(schedule) << describe(schedule.error());
  EXPECT_EQ(toText(*schedule), "0F0 0F1 0B0 0B1\n1F0 1F1 1B0 1B1\n");
}

TEST(FromCsv, ReadsFilesThatASpreadsheetMarkedAsUtf8) {
  const auto schedule = fromCsv(
      "\xEF\xBB\xBF"
      "0F0,0B0\r\n",
      "test");
  ASSERT_TRUE(schedule) << describe(schedule.error());
  EXPECT_EQ(toText(*schedule), "0F0 0B0\n");
}

TEST(FromCsv, NamesRowAndCellOfWhatItDoesNotKnow) {
  const auto context = [](const char* text) {
    const auto schedule = fromCsv(text, "x.csv");
    EXPECT_FALSE(schedule) << text;
    if (!schedule) {
      EXPECT_EQ(schedule.error().code, ErrorCode::Invalid);
    }
    return schedule ? std::string() : schedule.error().context;
  };
  EXPECT_EQ(context("0F0,0X0"), "x.csv, row 1, cell 2");
  EXPECT_EQ(context("0F0,0B0\n1F0,,1B"), "x.csv, row 2, cell 3");
  EXPECT_EQ(context("F0"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("-1F0"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("0F-1"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("0F0x"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("0F99999999999"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("99999F0"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("(0F0;0B0"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("(0F0;0B0)"), "x.csv, row 1, cell 1");
  EXPECT_EQ(context("0F0,0B0\n0F1,0B1"), "x.csv, row 2, cell 1") << "stage 0 on two rows";
}

TEST(FromCsv, RefusesFilesThatAreNoSchedule) {
  for (const char* text : {"", "\n\n", ",,,", "1F0,1B0", "0F0,0B0\n2F0,2B0", "0F999999,0B999999",
                           "0SEND_F0\n1F0,1B0"}) {
    const auto schedule = fromCsv(text, "x.csv");
    ASSERT_FALSE(schedule) << text;
    EXPECT_EQ(schedule.error().context, "x.csv");
  }
}

TEST(ToSvg, IsASelfContainedPictureOfEveryAction) {
  const std::string svg = toSvg(*generate("1f1b", {2, 3, 1}));
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0u);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_EQ(svg.find("href"), std::string::npos);
  for (const char* text : {">0F0<", ">0B2<", ">1F2<", ">1B0<", ">device 1<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST(ToSvg, DrawsLaterChunksLighterAndNamesOnlyTheKindsInUse) {
  const std::string v = toSvg(*generate("zbv", {2, 3, {}}));
  EXPECT_NE(v.find("W weight gradient"), std::string::npos);
  EXPECT_EQ(v.find("B backward"), std::string::npos);
  const auto fillOf = [&](const std::string& text) {
    const std::size_t fill = v.rfind("fill=\"#", v.find(">" + text + "<"));
    return v.substr(fill + 6, 7);
  };
  EXPECT_EQ(fillOf("0F0"), fillOf("1F0"));
  EXPECT_EQ(fillOf("3F0"), fillOf("2F0"));
  EXPECT_NE(fillOf("0F0"), fillOf("3F0"));
  EXPECT_EQ(toSvg(*generate("1f1b", {2, 3, {}})).find("W weight"), std::string::npos);
}

TEST(ToJson, ComesToAnEndForAScheduleThatDoesNot) {
  // The rows wait for each other: the actions until then are shown, without an endless loop.
  const auto schedule = fromCsv("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1\n", "test");
  ASSERT_TRUE(schedule);
  EXPECT_EQ(toJson(*schedule)["actions"].size(), 2u);
}

}  // namespace
}  // namespace stagelane::schedule
