#include "ui/plan/cost_status.h"

#include <gtest/gtest.h>

#include <QTest>

#include "engine/base/json.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// With an order that is searched for; of many micro-batches the search takes long.
Json searched(int microBatches) {
  Json experiment = sample::toyPipeline(1);
  experiment["data"]["batch_size"] = microBatches;
  experiment["variants"][0]["schedule"] = "auto";
  experiment["variants"][0]["split_size"] = 1;
  return experiment;
}

TEST(CostStatus, SaysThatAnEditIsBeingSearchedForUntilItIsAnswered) {
  Session session;
  session.document().load(searched(4), {}, {});
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session.predictor().busy(); }, 300'000));
  ASSERT_NE(session.predictor().prediction(), nullptr);
  const CostStatus status(&session);
  const auto* badge = status.findChild<Badge*>(QStringLiteral("basis"));
  ASSERT_NE(badge, nullptr);
  EXPECT_TRUE(badge->text().contains(QStringLiteral("Estimate"))) << badge->text().toStdString();

  session.document().load(searched(4096), {}, {});
  ASSERT_TRUE(session.predictor().stale());
  EXPECT_TRUE(QTest::qWaitFor([&] {
    return badge->text() == QStringLiteral("Updating: searching…");
  })) << badge->text().toStdString();
  session.document().load(sample::toyPipeline(1), {}, {});
  EXPECT_TRUE(QTest::qWaitFor([&] { return !session.predictor().stale(); }, 300'000));
  EXPECT_TRUE(badge->text().contains(QStringLiteral("Estimate"))) << badge->text().toStdString();
}

}  // namespace
}  // namespace stagelane::ui
