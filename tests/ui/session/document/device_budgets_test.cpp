#include "ui/session/document/device_budgets.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(DeviceBudgets, AreThoseOfDevicesThatHaveALimit) {
  const Json document = Json::parse(R"({"devices": ["cpu:0", {"id": "cpu:1", "max_memory": "8GiB"},
      {"id": "cuda:0", "max_memory": 1000}, {"id": "cpu:2"}, {"id": "cpu:3", "max_memory": "much"},
      {"max_memory": "8GiB"}, 3]})");
  const std::map<std::string, Bytes> expected{{"cpu:1", Bytes{8} << 30}, {"cuda:0", 1000}};
  EXPECT_EQ(deviceBudgets(document), expected);
}

TEST(DeviceBudgets, AreNoneOfWhatIsNoExperiment) {
  EXPECT_TRUE(deviceBudgets(Json()).empty());
  EXPECT_TRUE(deviceBudgets(Json::array({1})).empty());
  EXPECT_TRUE(deviceBudgets(Json{{"devices", {{"auto", 2}}}}).empty());
}

}  // namespace
}  // namespace stagelane::ui
