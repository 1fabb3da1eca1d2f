// Exports of a run from the Charts page, and the target of a click on a bar.

#include "ui/charts/charts_page.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "engine/record/run_record.h"
#include "engine/trace/trace_builder.h"
#include "tests/support/measured_run.h"
#include "tests/support/own_workspace.h"
#include "ui/charts/chart_view.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

TEST(ChartsPage, OffersToExportOnlyWhatItsCardsShow) {
  Session session;
  ChartsPage page;
  page.setSession(&session);
  const auto inMenu = [&](const char* kind) {
    return page.findChild<QAction*>(QStringLiteral("exportMenu.") + QString::fromLatin1(kind));
  };
  const auto inPalette = [&](const QString& title) {
    for (const QAction* action : page.pageActions()) {
      if (action->text() == QStringLiteral("Export \"%1\"…").arg(title)) return action->isEnabled();
    }
    return false;
  };
  EXPECT_FALSE(inMenu("time")->isEnabled());
  auto run = std::make_shared<record::RunResult>();
  run->variants.resize(1);
  run->variants[0].id = run->variants[0].name = "single";
  run->variants[0].strategy = "single";
  run->variants[0].seconds = {1.0, 1.1};
  record::fillStatistics(run->variants[0]);
  session.results().set(run);
  ASSERT_TRUE(QTest::qWaitFor([&] { return inMenu("time")->isEnabled(); }, 60'000));
  EXPECT_TRUE(inPalette(QStringLiteral("Execution time")));
  for (const char* kind : {"split", "memory", "idle", "prediction"}) {
    EXPECT_FALSE(inMenu(kind)->isEnabled()) << kind;
  }
  EXPECT_FALSE(inPalette(QStringLiteral("Memory")));
}

TEST(ChartsPage, OffersTheNewestRunOfTheWorkspaceWhileItShowsNone) {
  const test::OwnWorkspace workspace;
  test::writeMeasuredRun(workspace / "runs" / "20261119-104400-older", "Older", {0.3, 0.3, 0.3});
  Session session;
  ChartsPage page;
  page.setSession(&session);
  QPushButton* offer = nullptr;
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        offer = page.findChild<QPushButton*>(QStringLiteral("chartsNewestRun"));
        return offer != nullptr;
      },
      60'000));
  const QSignalSpy opened(&session.runFolders(), &RunFolders::openRequested);
  offer->click();
  ASSERT_EQ(opened.size(), 1);
  EXPECT_TRUE(opened[0][0].toString().endsWith(QStringLiteral("older")));
}

TEST(ChartsPage, OpensTheTimelineOfABarOnlyWhereThereIsOne) {
  Session session;
  ChartsPage page;
  page.setSession(&session);
  auto* chart = page.findChild<ChartView*>();
  const QSignalSpy pages(&session.pages(), &PageRequests::requested);
  const QSignalSpy hints(&session.pages(), &PageRequests::hintChanged);
  Q_EMIT chart->variantClicked(QStringLiteral("single-all-cores"));
  EXPECT_EQ(pages.size(), 0);
  ASSERT_EQ(hints.size(), 1);
  EXPECT_TRUE(hints[0][0].toString().startsWith(QStringLiteral("No timeline of ")));
  session.results().setTrace(QStringLiteral("single-all-cores"), trace::TraceBuilder().build());
  Q_EMIT chart->variantClicked(QStringLiteral("single-all-cores"));
  ASSERT_EQ(pages.size(), 1);
  ASSERT_NE(session.traceFile().opened(), nullptr);
  EXPECT_EQ(session.traceFile().opened()->name, QStringLiteral("single-all-cores"));
}

TEST(ChartsPage, AChartIsDrawnWhenItComesIntoSight) {
  auto run = std::make_shared<record::RunResult>();
  run->variants.resize(1);
  run->variants[0].id = run->variants[0].name = "single";
  run->variants[0].seconds = {1.0, 1.1};
  record::fillStatistics(run->variants[0]);
  ChartView chart(ChartKind::Time);
  chart.resize(400, 300);
  chart.show(run, {}, lightTheme());
  const QSignalSpy clicked(&chart, &ChartView::variantClicked);
  QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(200, 150));
  EXPECT_EQ(clicked.size(), 0) << "what nobody sees was drawn";
  static_cast<QWidget&>(chart).show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&chart));
  chart.grab();
  QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(200, 150));
  EXPECT_EQ(clicked.size(), 1);
}

TEST(ChartsPage, ARunThatGoesOnFillsAllItsCardsHoweverOftenItTells) {
  Session session;
  ChartsPage page;
  page.setSession(&session);
  page.show();
  session.runState().setPhase(RunPhase::Running);
  auto run = std::make_shared<record::RunResult>();
  run->status = record::RunStatus::Running;
  run->variants.resize(40);
  for (record::VariantResult& variant : run->variants) {
    variant.id = variant.name = "v" + std::to_string(&variant - run->variants.data());
    variant.seconds = {1.0, 1.1};
    record::fillStatistics(variant);
    variant.devices.resize(1);
    variant.devices[0].peakBytes = 100;
  }
  const auto last = [&page] {
    const auto* card = page.findChild<QWidget*>(QStringLiteral("export.memory"));
    return card != nullptr && card->isEnabled();
  };
  EXPECT_TRUE(QTest::qWaitFor(
      [&] {
        session.results().set(run);
        return last();
      },
      60'000));
}

TEST(ChartsPage, TheLegendOfIdleCausesStaysInSight) {
  auto run = std::make_shared<record::RunResult>();
  run->variants.resize(60);
  for (std::size_t i = 0; i < run->variants.size(); ++i) {
    record::VariantResult& variant = run->variants[i];
    variant.id = variant.name = "v" + std::to_string(i);
    variant.devices.resize(1);
    variant.devices[0].id = "cpu:0";
    variant.devices[0].busyNs = 100;
    variant.devices[0].idle = {{"starved", 50}};
  }
  QScrollArea page;
  auto* chart = new ChartView(ChartKind::Idle);
  page.setWidgetResizable(true);
  page.setWidget(chart);
  page.resize(700, 400);
  chart->show(run, {}, lightTheme());
  page.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
  const auto legend = [chart] {
    for (const VirtualControl& control : chart->virtualControls()) {
      if (control.name == QStringLiteral("legend.starved")) return control.rect;
    }
    return QRect();
  };
  const QRect before = legend();
  ASSERT_FALSE(before.isEmpty());
  page.verticalScrollBar()->setValue(500);
  ASSERT_EQ(page.verticalScrollBar()->value(), 500);
  EXPECT_EQ(legend(), before.translated(0, 500));
  // For clicks, a bar that is partly below the legend begins at the legend's end.
  int bars = 0;
  for (const VirtualControl& control : chart->virtualControls()) {
    if (control.role != QStringLiteral("bar")) continue;
    ++bars;
    EXPECT_GE(control.rect.top(), legend().bottom()) << control.name.toStdString();
  }
  EXPECT_GT(bars, 2);
  // The control there is the legend, not the rows that it covers.
  const QImage image = page.grab().toImage();
  page.verticalScrollBar()->setValue(0);
  const QImage top = page.grab().toImage();
  const QRect swatch = before.adjusted(2, 2, -2, -2);
  EXPECT_EQ(image.copy(swatch), top.copy(swatch));
}

TEST(ChartsPage, ACardKeepsItsHeightBesideTheIdleCausesOfManyVariants) {
  Session session;
  ChartsPage page;
  page.setSession(&session);
  page.resize(1600, 900);
  page.show();
  auto run = std::make_shared<record::RunResult>();
  for (int i = 0; i < 40; ++i) {
    record::VariantResult variant;
    variant.id = variant.name = "pipeline" + std::to_string(i);
    variant.strategy = "pipeline";
    variant.splitSize = i + 1;
    variant.seconds = {1.0, 1.1};
    variant.devices.resize(2);
    record::fillStatistics(variant);
    run->variants.push_back(variant);
  }
  session.results().set(run);
  const auto heightOf = [&](const char* card) {
    return page.findChild<QWidget*>(QStringLiteral("card.") + QString::fromLatin1(card))->height();
  };
  ASSERT_TRUE(QTest::qWaitFor([&] { return heightOf("idle") > 800; }, 60'000)) << heightOf("idle");
  EXPECT_LE(heightOf("split"), 400);
  EXPECT_GE(heightOf("split"), 260);
}

}  // namespace
}  // namespace stagelane::ui
