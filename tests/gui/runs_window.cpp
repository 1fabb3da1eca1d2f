#include "tests/gui/runs_window.h"

#include <algorithm>

#include "tests/gui/history.h"
#include "tests/gui/ui_map_rules.h"

namespace stagelane::gui {

bool RunsWindow::openPage(QSize size, const QString& theme) {
  return m_window.open({.file = QStringLiteral("toy"),
                        .page = QStringLiteral("runs"),
                        .size = size,
                        .theme = theme});
}

bool RunsWindow::openHistory(QSize size, const QString& theme) {
  writePastRuns(runs());
  return openPage(size, theme) && waitForRuns({1, 2, 3, 4, 5});
}

bool RunsWindow::waitForRuns(const QList<int>& numbers) {
  return m_window.waitFor(QStringLiteral("these runs"), [&](const UiMapFile& map) {
    QStringList rows;
    for (const Control& control : map.controls) {
      if (control.role == QStringLiteral("row")) rows.append(control.name);
    }
    return rows.size() == numbers.size() &&
           std::all_of(numbers.begin(), numbers.end(), [&](int number) {
             return rows.contains(QStringLiteral("run.%1").arg(number));
           });
  });
}

bool RunsWindow::waitForState(int number, const QString& state) {
  return m_window.waitFor(
      QStringLiteral("run %1 to be %2").arg(number).arg(state),
      [&](const UiMapFile& map) {
        return map.valueOf(QStringLiteral("run.%1").arg(number)).startsWith(state);
      },
      120000);
}

bool RunsWindow::chooseMore(const QString& action) {
  return m_window.click(QStringLiteral("runsMore")) && m_window.click(action);
}

void RunsWindow::keepShot(const QString& state, const QString& theme, int width) {
  m_window.moveTo({2, 2});
  QImage picture = m_window.picture();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a page at rest"), [&](const UiMapFile&) {
    const QImage next = m_window.picture();
    // An operation in progress keeps changing the window.
    const bool same =
        next == picture || state == QStringLiteral("running") || state == QStringLiteral("loading");
    picture = next;
    return same;
  }));
  keepPicture(picture, QStringLiteral("runs-%1-%2-%3").arg(state, theme).arg(width));
  const UiMapFile map = m_window.map();
  expectSound(map);
}

}  // namespace stagelane::gui
