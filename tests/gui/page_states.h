#pragma once

/// Plan, Timeline, Charts and Report in every state (empty, loading, failed, …): each is brought
/// about by a user's actions, shown, saved as a picture, and its map of controls is checked.

#include <QJsonObject>

#include "tests/gui/window_test.h"

namespace stagelane::gui {

struct Look {
  QString theme;
  QSize size;
};

class PageStates : public WindowTest {
 protected:
  void SetUp() override;

  void expectEmpty(const Look& look);
  void expectDone(const Look& look);
  void expectFailed(const Look& look);
  /// After the run of `expectFailed`: shown and fixed from another page, then dismissed on all.
  void expectFixOfFailed();
  void expectCanceled(const Look& look);
  void expectNoEngine(const Look& look);
  void expectRunning(const Look& look);
  /// Timeline only: a large trace that is being read.
  void expectLoading(const Look& look);
  /// All pages: a run with very many events that is being read, then canceled.
  void expectLoadingRun(const Look& look);
  /// Plan page only: no variant, an experiment that cannot be read, a plan that is being predicted,
  /// one that does not fit, one that was measured, and measured before an edit.
  void expectPlanStates(const Look& look);

 private:
  void expectPlanEmpty(const Look& look);
  void expectPlanUnreadable(const Look& look);
  void expectPlanUpdating(const Look& look);
  void expectPlanOverBudget(const Look& look);
  void expectPlanMeasured(const Look& look);
  /// The preset toy with some members of its document replaced. @returns its path
  [[nodiscard]] QString toyWith(const QString& name, const QJsonObject& members) const;
  /// Shows each page and keeps `PAGE-STATE-THEME-WIDTH.png`.
  void photograph(const QString& state, const Look& look);
  void photographPage(const QString& page, const QString& state, const Look& look);
  /// Keeps `PAGE-STATE-THEME-WIDTH.png` and checks the map of controls in the current state.
  void keep(const QImage& picture, const QString& page, const QString& state, const Look& look);
  /// A copy of the run that takes seconds to read, in the list of recent files.
  [[nodiscard]] QString slowRun();
  /// A copy of the run whose events end with `last` instead.
  [[nodiscard]] QString runThatEndedWith(const QString& name, const QByteArray& last);
  /// A copy of the run whose pipeline, of one schedule, ran out of memory.
  [[nodiscard]] QString runThatFailed();
  [[nodiscard]] bool show(const QString& file, const Look& look);
  /// All pages report it and offer the same action.
  void expectBanner(const QString& words, const QStringList& buttons);

  QString m_run;
};

}  // namespace stagelane::gui
