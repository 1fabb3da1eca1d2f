#include "ui/session/document/sweep_members.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

std::vector<QString> namesOf(const char* variant) {
  ExperimentDocument document;
  Json json = Json::parse(R"({"stagelane": 1, "name": "t", "model": {"zoo": "toy"},
      "input": {"shape": [10]}, "data": {"batch_size": 20}, "loss": "mse",
      "devices": ["cpu:0", "cpu:1"], "variants": []})");
  json["variants"].push_back(Json::parse(variant));
  document.load(json, {}, {});
  std::vector<QString> names;
  for (const SweepMember& point :
       sweepMembers(document.tabs().front(), document.experiment().get())) {
    EXPECT_NE(document.tabOfVariant(point.variantId), nullptr);
    names.push_back(point.name);
  }
  return names;
}

TEST(SweepMembers, AreNamedByWhatDiffers) {
  EXPECT_EQ(namesOf(R"({"name": "p", "strategy": "pipeline", "schedule": ["gpipe", "1f1b"],
                        "split_size": 5})"),
            (std::vector<QString>{QStringLiteral("gpipe"), QStringLiteral("1f1b")}));
  EXPECT_EQ(namesOf(R"({"name": "p", "strategy": "pipeline", "schedule": "gpipe",
                        "split_size": [5, 10]})"),
            (std::vector<QString>{QStringLiteral("split 5"), QStringLiteral("split 10")}));
  EXPECT_EQ(namesOf(R"({"name": "p", "strategy": "pipeline", "schedule": ["gpipe", "1f1b"],
                        "split_size": [5, 10]})")
                .front(),
            QStringLiteral("gpipe, split 5"));
}

TEST(SweepMembers, AreNoneWhereThereIsOneVariant) {
  EXPECT_TRUE(namesOf(R"({"name": "one", "strategy": "single", "device": "cpu:0"})").empty());
}

TEST(SweepMembers, WithoutAnExperimentAreNamedByTheirIds) {
  VariantTab tab;
  tab.id = QStringLiteral("p");
  tab.variantIds = {QStringLiteral("p-gpipe"), QStringLiteral("other")};
  const std::vector<SweepMember> points = sweepMembers(tab, nullptr);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0], (SweepMember{QStringLiteral("p-gpipe"), QStringLiteral("gpipe")}));
  EXPECT_EQ(points[1].name, QStringLiteral("other"));
}

}  // namespace
}  // namespace stagelane::ui
