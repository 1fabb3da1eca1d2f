// The Timeline shows the prediction of the selected variant even if the Plan page was never built.

#include <gtest/gtest.h>

#include <QTableView>
#include <QTest>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/charts/charts_page.h"
#include "ui/report/report_page.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"
#include "ui/timeline/timeline_page.h"

namespace stagelane::ui {
namespace {

TEST(PagesWithoutAPlanPage, GetThePredictionOfTheSelectedVariant) {
  Session session;
  TimelinePage timeline;
  ChartsPage charts;
  ReportPage report;
  for (Page* page : std::initializer_list<Page*>{&timeline, &charts, &report}) {
    page->setSession(&session);
  }
  timeline.resize(1200, 800);
  timeline.show();
  session.document().load(sample::resnetOnTwo(), {}, {});
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return session.predictor().prediction() != nullptr && !timeline.busy(); }, 300'000));
  const auto* events = timeline.findChild<QTableView*>(QStringLiteral("stepEvents"));
  ASSERT_NE(events, nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return events->model()->rowCount() > 0; }, 60'000));
  EXPECT_EQ(session.predictor().prediction()->variantId, "pipe");
}

}  // namespace
}  // namespace stagelane::ui
