// Another host in the window: adding its devices, running there, and taking a run up that was left.
// The host is this machine, reached through a script in the place of ssh.

#include <QFile>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class HostsInTheWindow : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    QFile script(path(QStringLiteral("ssh")));
    ASSERT_TRUE(script.open(QIODevice::WriteOnly));
    script.write(QStringLiteral("#!/bin/sh\n"
                                "while [ \"$1\" != -- ]; do shift; done\n"
                                "cd '%1'\n"
                                "[ \"$2\" = box ] || {\n"
                                "  echo \"ssh: Could not resolve hostname $2\" >&2; exit 255; }\n"
                                "export XDG_CACHE_HOME=\"$PWD/box\"\n"
                                "exec sh -c \"$3\"\n")
                     .arg(path(QString()))
                     .toUtf8());
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    script.close();
    qputenv("STAGELANE_SSH", script.fileName().toUtf8());
  }
  void TearDown() override {
    WindowTest::TearDown();
    qunsetenv("STAGELANE_SSH");
  }

  /// Opens the dialog and checks a host.
  [[nodiscard]] bool check(const QString& host) {
    if (m_window.map().find(QStringLiteral("hostDialog")) == nullptr) {
      if (!m_window.doFromPalette(QStringLiteral("add host"))) return false;
      if (!m_window.waitForFocus(QStringLiteral("hostName"))) return false;
    }
    const QString engine = QString::fromStdString(checkout::programs() + "/stagelane-engine");
    return m_window.replaceText(QStringLiteral("hostName"), host) &&
           m_window.replaceText(QStringLiteral("hostEngine"), engine) &&
           m_window.click(QStringLiteral("hostCheck"));
  }
  /// Puts the first two CPU workers of the host in the place of the plan's devices.
  [[nodiscard]] bool moveToBox() {
    return check(QStringLiteral("box")) &&
           m_window.waitForControl(QStringLiteral("hostDevice.box/cpu:0")) &&
           m_window.click(QStringLiteral("hostAdd")) &&
           m_window.waitForControl(QStringLiteral("lane.box/cpu:0"));
  }
  [[nodiscard]] bool runs(const QString& message) {
    return m_window.click(QStringLiteral("run")) &&
           m_window.waitForText(QStringLiteral("runMessage"), message);
  }
};

TEST_F(HostsInTheWindow, AnExperimentIsMovedToAHostAndRunsThere) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(check(QStringLiteral("nowhere")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("hostProblem")));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("hostProblem")).count(QStringLiteral("nowhere")),
            1);
  EXPECT_NE(m_window.map().find(QStringLiteral("hostCommand")), nullptr);
  ASSERT_TRUE(moveToBox());
  EXPECT_EQ(m_window.map().find(QStringLiteral("lane.cpu:0")), nullptr);
  ASSERT_TRUE(runs(QStringLiteral("Last run: done")));
  ASSERT_EQ(m_window.runFolders().size(), 1);
  const QJsonObject result =
      readJson(m_window.runFolders().front() + QStringLiteral("/result.json"));
  EXPECT_EQ(result[QStringLiteral("devices")].toArray().at(0).toString(),
            QStringLiteral("box/cpu:0"));
}

TEST_F(HostsInTheWindow, ARunContinuesWithoutTheWindowAndIsTakenUpAtTheNextStart) {
  const QString file = writeLongToy(path(QStringLiteral("long")));
  ASSERT_TRUE(m_window.open({.file = file}));
  ASSERT_TRUE(moveToBox());
  ASSERT_TRUE(runs(QStringLiteral("repeat ")));
  m_window.key(QStringLiteral("ctrl+q"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("closeAndLeave")));
  ASSERT_TRUE(m_window.click(QStringLiteral("closeAndLeave")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("discardChanges")));
  ASSERT_TRUE(m_window.click(QStringLiteral("discardChanges")));
  m_window.close();
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .page = QStringLiteral("runs")}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("takeUpRun")));
  ASSERT_TRUE(m_window.click(QStringLiteral("takeUpRun")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat ")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("takeUpRun")), nullptr);
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  EXPECT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: canceled")));
}

}  // namespace
}  // namespace stagelane::gui
