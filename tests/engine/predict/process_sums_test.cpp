#include "engine/predict/process_sums.h"

#include <gmock/gmock.h>

#include "engine/predict/cost_table.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::predict {
namespace {

using plan::testing::parsed;
using ::testing::HasSubstr;

const char* const kSums = R"({"processes": 2, "points": [{"bytes": 1000, "ns": 500},
    {"bytes": 3000, "ns": 900}, {"bytes": 5000, "ns": 1900}],
    "busy_factor": 1.5, "compute_factor": 1.25, "copy_bytes_per_s": 2e9})";

ProcessSums sums() { return processSumsFromJson(parsed(kSums), "/process_sums").value(); }

TEST(ProcessSums, AreInterpolatedBetweenTheMeasuredSizes) {
  const ProcessSums two = sums();
  EXPECT_DOUBLE_EQ(two.ns(1000, 2), 500);
  EXPECT_DOUBLE_EQ(two.ns(2000, 2), 700);
  EXPECT_DOUBLE_EQ(two.ns(4000, 2), 1400);
  EXPECT_DOUBLE_EQ(two.ns(10, 2), 500) << "a latency";
  EXPECT_DOUBLE_EQ(two.ns(7000, 2), 2900) << "as between the last two";
  EXPECT_DOUBLE_EQ((ProcessSums{2, {{10, 7}}}.ns(1e6, 2)), 7);
}

TEST(ProcessSums, OfOtherNumbersHaveTheRoundsOfARing) {
  // Two rounds of half of 3000 bytes took 900, so 6 rounds of a quarter of 6000 take three times as
  // long.
  EXPECT_DOUBLE_EQ(sums().ns(6000, 4), 2700);
}

TEST(ProcessSums, CopyAtTheirRate) {
  EXPECT_DOUBLE_EQ(sums().copyNs(4.0), 2.0);
  EXPECT_DOUBLE_EQ(ProcessSums{}.copyNs(4.0), 0.0);
}

TEST(ProcessSums, AreAMemberOfACostFile) {
  const Json document{{"stagelane_costs", 1},
                      {"blocks", Json::array()},
                      {"links", Json::array()},
                      {"process_sums", parsed(kSums)}};
  const auto table = costTableFromJson(document, "f");
  ASSERT_TRUE(table) << describe(table.error());
  ASSERT_TRUE(table->processSums);
  EXPECT_EQ(toJson(*table)["process_sums"], toJson(sums()));
  EXPECT_EQ(table->processSums->computeFactor, 1.25);
  EXPECT_EQ(table->processSums->busyFactor, 1.5);
}

TEST(ProcessSums, SayWhatIsWrong) {
  const auto wrong = [](const char* key, const char* value) {
    Json json = parsed(kSums);
    json[key] = parsed(value);
    const auto read = processSumsFromJson(json, "/process_sums");
    EXPECT_FALSE(read) << key << value;
    return read ? std::string() : describe(read.error());
  };
  EXPECT_THAT(wrong("processes", "1"), HasSubstr("/process_sums/processes"));
  EXPECT_THAT(wrong("busy_factor", "0"), HasSubstr("/process_sums/busy_factor"));
  EXPECT_THAT(wrong("compute_factor", "101"), HasSubstr("/process_sums/compute_factor"));
  EXPECT_THAT(wrong("points", "[]"), HasSubstr("/process_sums/points"));
  EXPECT_THAT(wrong("points", R"([{"bytes": 1}])"), HasSubstr("/process_sums/points/0"));
  EXPECT_THAT(wrong("points", R"([{"bytes": 2, "ns": 1}, {"bytes": 2, "ns": 1}])"),
              HasSubstr("ascending"));
  EXPECT_THAT(wrong("speed", "1"), HasSubstr("speed"));
}

}  // namespace
}  // namespace stagelane::predict
