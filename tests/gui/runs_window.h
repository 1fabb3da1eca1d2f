#pragma once

/// A window on the Runs page with a workspace of its own: shared by the tests of that page.

#include <QList>

#include "tests/gui/window_test.h"

namespace stagelane::gui {

class RunsWindow : public WindowTest {
 protected:
  [[nodiscard]] QString runs() const { return path(QStringLiteral("workspace/runs")); }

  [[nodiscard]] bool openPage(QSize size = {1280, 800},
                              const QString& theme = QStringLiteral("light"));
  /// The page with the five runs of writePastRuns.
  [[nodiscard]] bool openHistory(QSize size = {1280, 800},
                                 const QString& theme = QStringLiteral("light"));
  /// Waits until exactly these runs are in the table.
  [[nodiscard]] bool waitForRuns(const QList<int>& numbers);
  [[nodiscard]] bool waitForState(int number, const QString& state);
  /// Chooses an entry of the menu with all actions on runs.
  [[nodiscard]] bool chooseMore(const QString& action);
  /// Saves a picture of the settled window as `runs-STATE-THEME-WIDTH.png`.
  void keepShot(const QString& state, const QString& theme, int width);
};

}  // namespace stagelane::gui
