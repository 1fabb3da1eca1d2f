#include "ui/plan/plan_toolbar.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <memory>

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

class StrategyChoice : public testing::Test {
 protected:
  void SetUp() override {
    Json document = sample::toyPipeline(1);
    document["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
    m_session.document().load(document, {}, {});
    sample::settle(m_plan);
    m_toolbar = std::make_unique<PlanToolbar>(&m_plan);
    m_before = m_session.document().json();
  }
  template <class Widget>
  [[nodiscard]] Widget* control(const char* name) const {
    return m_toolbar->findChild<Widget*>(QString::fromLatin1(name));
  }
  void choose(std::string_view strategy) {
    auto* box = control<QComboBox>("strategy");
    const int row = box->findData(qstring(strategy));
    ASSERT_GE(row, 0) << strategy;
    box->setCurrentIndex(row);
    Q_EMIT box->activated(row);
    sample::settle(m_plan);
  }
  void enter(const char* name, const char* text) {
    auto* field = control<QLineEdit>(name);
    field->setText(QString::fromLatin1(text));
    Q_EMIT field->editingFinished();
    sample::settle(m_plan);
  }
  [[nodiscard]] const Json& variant() const { return m_session.document().json()["variants"][0]; }
  [[nodiscard]] static std::string_view wholeModel() {
    for (const plan::StrategyRow& row : plan::strategies()) {
      if (row.replicates && row.available) return row.name;
    }
    return {};
  }

  Session m_session;
  PlanModel m_plan{&m_session};
  std::unique_ptr<PlanToolbar> m_toolbar;
  Json m_before;
};

TEST_F(StrategyChoice, ListsEachAvailableStrategy) {
  for (const plan::StrategyRow& row : plan::strategies()) {
    EXPECT_EQ(control<QComboBox>("strategy")->findData(qstring(row.name)) >= 0, row.available)
        << row.name;
  }
}

TEST_F(StrategyChoice, TheWholeModelOnEachDeviceDisablesWhatDoesNotApply) {
  choose(wholeModel());
  EXPECT_FALSE(variant().contains("stages")) << variant().dump();
  EXPECT_FALSE(variant().contains("split_size")) << variant().dump();
  EXPECT_TRUE(m_session.document().experiment()) << "the document can be read";
  EXPECT_FALSE(control<QComboBox>("schedule")->isEnabled());
  EXPECT_FALSE(control<QComboBox>("schedule")->toolTip().isEmpty());
  EXPECT_FALSE(control<QLineEdit>("replicas")->isEnabled());
  EXPECT_EQ(control<QLineEdit>("replicas")->text(), QStringLiteral("4"));
  choose(plan::pipelineStrategy().name);
  EXPECT_EQ(m_session.document().json(), m_before) << "switching back brings the plan back";
  m_session.document().undoStack().undo();
  EXPECT_EQ(variant()["strategy"], wholeModel());
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.document().json(), m_before);
}

TEST_F(StrategyChoice, ASplitOfAReplicasPartIsOptionalAndChecked) {
  choose(wholeModel());
  enter("splitSize", "1");
  EXPECT_EQ(variant()["split_size"], 1);
  enter("splitSize", "4");
  EXPECT_EQ(variant()["split_size"], 1) << "a part has two samples";
  EXPECT_EQ(control<QLineEdit>("splitSize")->text(), QStringLiteral("4"));
  enter("splitSize", "");
  EXPECT_FALSE(variant().contains("split_size"));
}

TEST_F(StrategyChoice, ReplicasAreAnUndoStepOfTheirOwn) {
  EXPECT_EQ(control<QLineEdit>("replicas")->text(), QStringLiteral("1"));
  enter("replicas", "2");
  EXPECT_EQ(variant()["replicas"], 2);
  EXPECT_EQ(m_session.document().undoStack().count(), 1);
  EXPECT_EQ(m_plan.replicaLanes().brackets().size(), 2U);
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.document().json(), m_before);
  EXPECT_EQ(control<QLineEdit>("replicas")->text(), QStringLiteral("1"));
}

TEST_F(StrategyChoice, AWrongNumberOfReplicasStaysInTheFieldAndChangesNothing) {
  for (const char* text : {"5", "0", "two", ""}) {
    enter("replicas", text);
    EXPECT_EQ(m_session.document().json(), m_before) << text;
    EXPECT_EQ(control<QLineEdit>("replicas")->text(), QString::fromLatin1(text));
    EXPECT_TRUE(control<QLineEdit>("replicas")->toolTip().contains(QStringLiteral("Esc")));
  }
  QTest::keyClick(control<QLineEdit>("replicas"), Qt::Key_Escape);
  EXPECT_EQ(control<QLineEdit>("replicas")->text(), QStringLiteral("1"));
}

}  // namespace
}  // namespace stagelane::ui
