// What of a run can be exported from the Charts page.

#include "ui/widgets/charts_page.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QTest>

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
  session.setResult(run);
  ASSERT_TRUE(QTest::qWaitFor([&] { return inMenu("time")->isEnabled(); }, 60'000));
  EXPECT_TRUE(inPalette(QStringLiteral("Execution time")));
  for (const char* kind : {"split", "memory", "idle", "prediction"}) {
    EXPECT_FALSE(inMenu(kind)->isEnabled()) << kind;
  }
  EXPECT_FALSE(inPalette(QStringLiteral("Memory")));
}

}  // namespace
}  // namespace stagelane::ui
