#pragma once

/// The fixture of all tests in a real window: a folder of its own, one window, and the rule that
/// the program prints nothing on standard error (Qt reports misuse of its API there).

#include <gtest/gtest.h>

#include <QProcess>
#include <QTemporaryDir>

#include "tests/gui/window_driver.h"
#include "tests/support/paths.h"

namespace stagelane::gui {

class WindowTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(m_folder.isValid()); }

  void TearDown() override {
    if (m_window.isRunning() && !HasFailure()) {
      EXPECT_EQ(m_window.close().toStdString(), "");
    }
  }

  /// A path in the test's own folder.
  [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

  /// Runs the preset toy into a folder, on the command line. `more`: further arguments
  void runToy(const QString& folder, const QStringList& more = {}) const {
    QProcess run;
    run.setProcessEnvironment(m_window.environment());
    run.start(
        QString::fromStdString(checkout::programs() + "/stagelane"),
        QStringList{QStringLiteral("run"), QStringLiteral("toy"), QStringLiteral("--out"), folder} +
            more);
    ASSERT_TRUE(run.waitForFinished(120000));
    ASSERT_EQ(run.exitCode(), 0) << run.readAllStandardError().toStdString();
  }

 private:
  QTemporaryDir m_folder;

 protected:
  WindowDriver m_window{m_folder.path()};
};

}  // namespace stagelane::gui
