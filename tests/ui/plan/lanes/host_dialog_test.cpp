#include "ui/plan/lanes/host_dialog.h"

#include <gtest/gtest.h>

#include <QCompleter>
#include <QTest>
#include <vector>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

KnownHost box() {
  const QString none;
  return {QStringLiteral("box"),
          QStringLiteral("/opt/stagelane-engine"),
          QStringLiteral("1.2"),
          QStringLiteral("2026-11-27T05:00:00Z"),
          {{{"box/cpu:0"}, QStringLiteral("CPU"), 0, false, true, none},
           {{"box/cuda:0"}, QStringLiteral("GPU X"), Bytes{8} << 30, true, true, none},
           {{"box/cuda:1"}, QStringLiteral("GPU X"), 0, true, false, QStringLiteral("busy")}}};
}

class HostDialogTest : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::toyPipeline(1), {}, {});
    QObject::connect(&m_hosts, &Hosts::checkRequested, &m_hosts,
                     [this](const HostQuery& query) { m_queries.push_back(query); });
    QObject::connect(&m_hosts, &Hosts::checkCanceled, &m_hosts, [this] { ++m_canceled; });
    m_dialog = std::make_unique<HostDialog>(&m_hosts, &m_devices, nullptr);
    m_dialog->show();
  }

  template <class Widget>
  [[nodiscard]] Widget* child(const char* name) const {
    auto* found = m_dialog->findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  [[nodiscard]] QPushButton* button(const char* name) const { return child<QPushButton>(name); }
  [[nodiscard]] QCheckBox* device(const char* id) const {
    return m_dialog->findChild<QCheckBox*>(QStringLiteral("hostDevice.") + QString::fromLatin1(id));
  }
  void enter(const char* host) const {
    child<QComboBox>("hostName")->setEditText(QString::fromLatin1(host));
  }
  void check(const char* host) const {
    enter(host);
    button("hostCheck")->click();
  }
  [[nodiscard]] std::string devices() const {
    return m_session.document().json()["devices"].dump();
  }

  Session m_session;
  Hosts m_hosts;
  PlanDevices m_devices{&m_session};
  std::vector<HostQuery> m_queries;
  int m_canceled = 0;
  std::unique_ptr<HostDialog> m_dialog;
};

TEST_F(HostDialogTest, NothingIsAddedBeforeAHostIsFound) {
  EXPECT_FALSE(button("hostCheck")->isEnabled());
  EXPECT_FALSE(button("hostAdd")->isEnabled());
  EXPECT_FALSE(child<QLineEdit>("hostCommand")->isVisible());
  check("box");
  ASSERT_EQ(m_queries.size(), 1U);
  EXPECT_EQ(m_queries[0].name, QStringLiteral("box"));
  EXPECT_TRUE(child<QProgressBar>("hostProgress")->isVisible());
  EXPECT_FALSE(button("hostAdd")->isEnabled());
}

TEST_F(HostDialogTest, TheGpusThatCanBeUsedReplaceThePlansDevices) {
  check("box");
  m_hosts.answer({box(), {}, {}});
  ASSERT_NE(device("box/cuda:0"), nullptr);
  EXPECT_TRUE(device("box/cuda:0")->isChecked());
  EXPECT_FALSE(device("box/cpu:0")->isChecked());
  EXPECT_FALSE(device("box/cuda:1")->isEnabled());
  EXPECT_TRUE(child<QCheckBox>("hostReplace")->isChecked()) << "a run is on one host";
  button("hostAdd")->click();
  EXPECT_EQ(devices(), R"(["box/cuda:0"])");
  EXPECT_EQ(m_session.document().undoStack().count(), 1);
  EXPECT_EQ(m_dialog->result(), QDialog::Accepted);
}

TEST_F(HostDialogTest, DevicesCanBeAddedToThoseOfThePlan) {
  check("box");
  m_hosts.answer({box(), {}, {}});
  child<QCheckBox>("hostReplace")->setChecked(false);
  device("box/cpu:0")->setChecked(true);
  button("hostAdd")->click();
  EXPECT_EQ(devices(), R"(["cpu:0","cpu:1","box/cpu:0","box/cuda:0"])");
}

TEST_F(HostDialogTest, DevicesOfThePlanAreNotAddedAgain) {
  ASSERT_TRUE(m_devices.addAll({{"box/cuda:0"}}, ListedDevices::AreReplaced));
  check("box");
  m_hosts.answer({box(), {}, {}});
  EXPECT_FALSE(child<QCheckBox>("hostReplace")->isVisible());
  EXPECT_FALSE(device("box/cuda:0")->isEnabled());
  EXPECT_FALSE(button("hostAdd")->isEnabled());
  device("box/cpu:0")->setChecked(true);
  EXPECT_TRUE(button("hostAdd")->isEnabled());
}

TEST_F(HostDialogTest, AProblemIsShownWithACommandToTryAndCanBeSelected) {
  check("box");
  m_hosts.answer({{}, QStringLiteral("The host key is unknown."), QStringLiteral("ssh box")});
  auto* problem = child<QLabel>("hostProblem");
  EXPECT_EQ(problem->text(), QStringLiteral("The host key is unknown."));
  EXPECT_TRUE(problem->textInteractionFlags().testFlag(Qt::TextSelectableByMouse));
  EXPECT_EQ(child<QLineEdit>("hostCommand")->text(), QStringLiteral("ssh box"));
  EXPECT_TRUE(child<QLineEdit>("hostCommand")->isVisible());
  EXPECT_FALSE(button("hostAdd")->isEnabled());
  enter("other");
  EXPECT_FALSE(problem->isVisible()) << "it is about another host";
}

TEST_F(HostDialogTest, ACheckEndsWithAnotherNameWithStopAndWithTheDialog) {
  check("box");
  enter("boxes");
  EXPECT_EQ(m_canceled, 1);
  button("hostCheck")->click();
  button("hostCheck")->click();
  EXPECT_EQ(m_canceled, 2);
  EXPECT_FALSE(child<QProgressBar>("hostProgress")->isVisible());
  button("hostCheck")->click();
  m_dialog.reset();
  EXPECT_EQ(m_canceled, 3);
}

TEST_F(HostDialogTest, AKnownHostIsShownAsItWasFoundAndCanBeRemoved) {
  QStringList removed;
  QObject::connect(&m_hosts, &Hosts::removeRequested, &m_hosts,
                   [&removed](const QString& name) { removed.append(name); });
  m_hosts.setList({box()}, {QStringLiteral("alias")});
  enter("box");
  EXPECT_NE(device("box/cuda:0"), nullptr);
  EXPECT_EQ(child<QLineEdit>("hostEngine")->text(), box().engine);
  EXPECT_TRUE(m_queries.empty()) << "it is only asked when a person wants to";
  button("hostRemove")->click();
  EXPECT_EQ(removed, QStringList{QStringLiteral("box")});
  m_hosts.setList({}, {});
  EXPECT_FALSE(button("hostRemove")->isVisible());
}

TEST_F(HostDialogTest, NamesOfTheConfigurationAreOfferedWhileTyping) {
  enter("al");
  m_hosts.setList({box()}, {QStringLiteral("alias"), QStringLiteral("box")});
  auto* completer = child<QComboBox>("hostName")->completer();
  EXPECT_EQ(child<QComboBox>("hostName")->currentText(), QStringLiteral("al")) << "it stays";
  EXPECT_EQ(completer->model()->rowCount(), 2);
}

}  // namespace
}  // namespace stagelane::ui
