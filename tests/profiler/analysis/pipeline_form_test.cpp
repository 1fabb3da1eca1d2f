#include <gtest/gtest.h>

#include <fstream>

#include "profiler/analysis/idle.h"
#include "tests/support/paths.h"

namespace stagelane::analysis {
namespace {

Json readData(const std::string& name) {
  std::ifstream file(checkout::testData() + "/pipeline/" + name);
  return Json::parse(file);
}

class PipelineForm : public testing::TestWithParam<std::string> {};

TEST_P(PipelineForm, AnswersExactlyWhatTheReferenceAnswers) {
  const Result<Json> answer = analyzePipelineForm(readData(GetParam() + ".json"));
  ASSERT_TRUE(answer) << describe(answer.error());
  const Json expected = readData("expected.json").at("cases").at(GetParam());
  EXPECT_EQ(answer->dump(1), expected.dump(1));
}

INSTANTIATE_TEST_SUITE_P(Conformance, PipelineForm,
                         testing::Values("pipe00", "pipe01", "pipe02", "pipe03", "pipe04",
                                         "pipe05"),
                         [](const auto& chosen) { return chosen.param; });

TEST(PipelineFormErrors, NameThePlace) {
  const auto pointer = [](const char* text) {
    const Result<Json> answer = analyzePipelineForm(Json::parse(text));
    return answer ? std::string("no error") : answer.error().context;
  };
  EXPECT_EQ(pointer("[]"), "");
  EXPECT_EQ(pointer("{}"), "/wall");
  EXPECT_EQ(pointer(R"({"wall":[5,1],"devices":[]})"), "/wall");
  EXPECT_EQ(pointer(R"({"wall":[0,1.5],"devices":[]})"), "/wall");
  EXPECT_EQ(pointer(R"({"wall":[0,9223372036854775807],"devices":[]})"), "/wall");
  EXPECT_EQ(pointer(R"({"wall":[0,1]})"), "/devices");
  EXPECT_EQ(pointer(R"({"wall":[0,1],"devices":[{}]})"), "/devices/0/name");
  EXPECT_EQ(pointer(R"({"wall":[0,1],"devices":[{"name":"a"}]})"), "/devices/0/events");
  EXPECT_EQ(pointer(R"({"wall":[0,1],"devices":[{"name":"a","events":[{"kind":"nap"}]}]})"),
            "/devices/0/events/0/kind");
  EXPECT_EQ(pointer(R"({"wall":[0,1],"devices":[{"name":"a","events":[
                {"kind":"send","start_ns":3,"end_ns":2}]}]})"),
            "/devices/0/events/0");
}

TEST(PipelineFormEdges, AnEmptyWallHasNoUtilisation) {
  const Result<Json> answer =
      analyzePipelineForm(Json::parse(R"({"wall":[7,7],"devices":[{"name":"a","events":[]}]})"));
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->at("devices").at(0).at("utilisation_pct").is_null());
  EXPECT_TRUE(answer->at("total").at("utilisation_pct").is_null());
}

}  // namespace
}  // namespace stagelane::analysis
