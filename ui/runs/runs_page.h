#pragma once

/// The history of runs: search, status, table, facts, comparison. What is shown is in RunHistory
/// and RunTableModel; this wires them to widgets and actions.

#include <QButtonGroup>
#include <QFileSystemWatcher>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include "ui/frame/banner.h"
#include "ui/frame/page.h"
#include "ui/kit/latest_job.h"
#include "ui/runs/compare/runs_compare.h"
#include "ui/runs/runs_details.h"
#include "ui/runs/runs_table.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_history.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {

class Session;

class RunsPage final : public Page {
  Q_OBJECT

 public:
  explicit RunsPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions + m_filters; }
  [[nodiscard]] QWidget* statusWidget() override { return m_status; }
  [[nodiscard]] bool busy() const override;
  /// Brings back what was deleted, as long as the page offers that.
  bool undo() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// An action of the page, its menu and the palette; `needsRun` switches it with the selection.
  struct ActionSpec {
    QString name;
    QString text;
    QKeySequence keys;
    bool needsRun = true;
  };
  QAction* makeAction(const ActionSpec& spec, std::function<void()> act);
  void buildActions();
  void buildOpening();
  void buildRunning();
  void buildLabelling();
  void buildTicked();
  void endGroup();
  QWidget* buildToolbar();
  QWidget* buildTokens();
  QWidget* buildKinds(QWidget* bar);
  QWidget* buildList();
  void buildNothingFound();
  QWidget* buildMessage();
  void connectHistory();
  void refresh();
  void refreshIcons();
  void refreshMessage();
  void refreshKinds();
  void refreshWork();
  void refreshActions();
  void refreshCompare();
  void placePanels();
  void divideHeight(int factsHeight);
  void watch();
  [[nodiscard]] QString folderToWatch() const;
  void folderChanged(const QString& folder);
  void refreshUnkept();
  void showSweep();
  void showRun(const QString& folder);
  void showAllRuns();
  void followEnded();
  void toggleFavourite(const QString& folder);
  void import();
  void openFolder();
  void offerRestore();
  void restoreTrashed();
  void useCurrent(RunUse use);
  void reportOfTicked();
  [[nodiscard]] QStringList chosen() const;

  Session* m_session = nullptr;
  RunHistory m_history;
  RunTableModel m_model;
  LatestJob m_sweepReading;
  QFileSystemWatcher m_watcher;
  QTimer m_poll;  ///< while a run of another program is under way
  QList<QAction*> m_actions;
  QList<QAction*> m_filters;  ///< and what the sweep can do: for the palette alone
  QList<QAction*> m_ofRuns;   ///< need a run
  QHash<QString, QAction*> m_byName;
  Banner* m_banner = nullptr;
  Banner* m_unkeptBanner = nullptr;
  QLineEdit* m_search = nullptr;
  QButtonGroup* m_kinds = nullptr;
  QLabel* m_selected = nullptr;
  QToolButton* m_compareButton = nullptr;
  QToolButton* m_folderButton = nullptr;
  QToolButton* m_importButton = nullptr;
  QToolButton* m_more = nullptr;
  QToolButton* m_resumeButton = nullptr;
  QToolButton* m_sweepButton = nullptr;
  QLabel* m_status = nullptr;
  QStackedWidget* m_stack = nullptr;
  QSplitter* m_across = nullptr;
  QSplitter* m_down = nullptr;
  RunsTable* m_table = nullptr;
  RunsDetails* m_details = nullptr;
  RunsCompare* m_compare = nullptr;
  QWidget* m_workBar = nullptr;
  QLabel* m_workText = nullptr;
  QProgressBar* m_workProgress = nullptr;
  QPushButton* m_workStop = nullptr;
  QLabel* m_messageText = nullptr;
  QPushButton* m_messageButton = nullptr;
  QWidget* m_nothingFound = nullptr;
  QLabel* m_nothingText = nullptr;
  QString m_ended;        ///< a run of this window that the list does not have yet
  bool m_chosen = false;  ///< a row, since the last run began
  bool m_comparing = false;
  bool m_shownFirst = false;
};

}  // namespace stagelane::ui
