#include "ui/plan/cost_status.h"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/plan/plan_fixtures.h"

namespace stagelane::ui {
namespace {

/// With an order that is searched for.
Json searched(int splitSize) {
  Json experiment = sample::toyPipeline(1);
  experiment["variants"][0]["schedule"] = "auto";
  experiment["variants"][0]["split_size"] = splitSize;
  return experiment;
}

TEST(CostStatus, SaysThatAnEditIsBeingSearchedForUntilItIsAnswered) {
  Session session;
  session.document().load(searched(2), {}, {});
  auto plan = std::make_unique<PlanModel>(&session);
  sample::settle(*plan);
  ASSERT_NE(session.prediction(), nullptr);
  const CostStatus status(&session);
  const auto* badge = status.findChild<Badge*>(QStringLiteral("basis"));
  ASSERT_NE(badge, nullptr);
  EXPECT_TRUE(badge->text().contains(QStringLiteral("Estimate"))) << badge->text().toStdString();

  plan.reset();  // nobody answers
  session.document().load(searched(1), {}, {});
  ASSERT_TRUE(session.predictionStale());
  EXPECT_TRUE(QTest::qWaitFor([&] {
    return badge->text() == QStringLiteral("Updating: searching…");
  })) << badge->text().toStdString();
  session.setPrediction(session.prediction(), {});
  EXPECT_TRUE(badge->text().contains(QStringLiteral("Estimate"))) << badge->text().toStdString();
}

}  // namespace
}  // namespace stagelane::ui
