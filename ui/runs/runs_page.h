#pragma once

/// The history of runs: search, status, table, details, comparison. RunHistory and RunTableModel
/// have the data; this wires them to widgets and actions.

#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

#include "ui/frame/page.h"
#include "ui/kit/latest_job.h"
#include "ui/runs/history_banners.h"
#include "ui/runs/runs_panels.h"
#include "ui/runs/runs_watcher.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_history.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {

class EmptyState;
class RunsActions;
class RunsToolbar;
class RunsWorkBar;
class Session;
enum class RunsCommand;

class RunsPage final : public Page {
  Q_OBJECT

 public:
  explicit RunsPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override;
  [[nodiscard]] QWidget* statusWidget() override { return m_status; }
  [[nodiscard]] bool busy() const override;
  /// Restores deleted runs while the page offers that.
  bool undo() override { return m_banners->undo(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void buildToolbar();
  QWidget* buildTokens();
  QWidget* buildList();
  QToolButton* addRunButton(const char* action, const char* name);
  void connectPanels();
  void buildNothingFound();
  QWidget* buildMessage();
  void connectHistory();
  void refresh();
  void refreshIcons();
  /// Marks the runs that were left on a host.
  void refreshLeft();
  void refreshMessage();
  void refreshKinds();
  void refreshActions();
  void refreshCompare();
  void carryOut(RunsCommand command);
  void compareTicked();
  void placePanels();
  void showSweep();
  void showRun(const QString& folder);
  void showAllRuns();
  void followEnded();
  void toggleFavourite(const QString& folder);
  void import();
  void openFolder();
  void useCurrent(RunUse use);
  void reportOfTicked();
  [[nodiscard]] QStringList chosen() const;
  [[nodiscard]] RunsTable* table() const { return m_panels->table(); }
  [[nodiscard]] RunsDetails* details() const { return m_panels->details(); }
  [[nodiscard]] RunsCompare* compare() const { return m_panels->compare(); }

  Session* m_session = nullptr;
  RunHistory m_history;
  RunTableModel m_model;
  LatestJob m_sweepReading;
  RunsWatcher m_watcher;
  RunsActions* m_actions = nullptr;
  QList<QAction*> m_filters;  ///< and the sweep's actions, for the palette only
  HistoryBanners* m_banners = nullptr;
  QToolButton* m_resumeButton = nullptr;
  QToolButton* m_sweepButton = nullptr;
  QLabel* m_status = nullptr;
  RunsToolbar* m_toolbar = nullptr;
  QStackedWidget* m_stack = nullptr;
  RunsPanels* m_panels = nullptr;
  RunsWorkBar* m_workBar = nullptr;
  EmptyState* m_message = nullptr;
  QWidget* m_nothingFound = nullptr;  ///< over the table when no run matches the search
  QLabel* m_nothingFoundText = nullptr;
  QString m_ended;        ///< a run that ended in this window and is not listed yet
  bool m_chosen = false;  ///< the user selected a row since the last run began
  bool m_comparing = false;
  bool m_shownFirst = false;
};

}  // namespace stagelane::ui
