#include "ui/plan/plan_toolbar.h"

#include <gtest/gtest.h>

#include <QComboBox>

#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

TEST(PlanToolbar, NamesTheFileOfASchedule) {
  Session session;
  PlanModel plan(&session);
  PlanToolbar toolbar(&plan);
  const auto* schedule = toolbar.findChild<QComboBox*>(QStringLiteral("schedule"));
  ASSERT_NE(schedule, nullptr);
  Json document = sample::toyPipeline(1);
  const test::TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder.path() / "a.csv", "0F0,0B0\n1F0,1B0\n"));
  const QString base = qstring(folder.path().string());
  document["variants"][0]["schedule"] = {{"csv", "a.csv"}};
  session.document().load(document, {}, base);
  sample::settle(plan);
  EXPECT_EQ(schedule->currentIndex(), -1);
  EXPECT_EQ(schedule->placeholderText().toStdString(), "csv:a.csv");
  document["variants"][0]["schedule"] = Json::array({{{"csv", "a.csv"}}, "gpipe"});
  session.document().load(document, {}, base);
  sample::settle(plan);
  EXPECT_EQ(schedule->placeholderText().toStdString(), "csv:a.csv, gpipe");
}

}  // namespace
}  // namespace stagelane::ui
