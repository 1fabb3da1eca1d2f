#pragma once

/// The permanent bar: experiment, variant, undo and redo, search, run progress, Run and Cancel.
/// Shows the session and sends requests; the window handles files and processes.

#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

#include "ui/frame/run_estimate.h"
#include "ui/kit/combo.h"
#include "ui/session/run/run_choice.h"

namespace stagelane::ui {

class Session;

class RunBar final : public QWidget {
  Q_OBJECT

 public:
  explicit RunBar(Session* session, QWidget* parent = nullptr);

  /// The menu of the experiment button, filled by the window (presets, open, save).
  [[nodiscard]] QMenu* experimentMenu() { return m_experimentMenu; }
  /// Adds an entry to the menu of Run.
  void addRunAction(QAction* action) { m_runMenu->menu()->addAction(action); }
  /// The switch of the table of ranks, which is invisible while there is one process.
  void setRanks(QAction* toggle);
  /// The latest message about a run, beside the buttons: "Last run: done, 3 of 3 repeats".
  void setMessage(const QString& message);

 Q_SIGNALS:
  void paletteRequested();
  /// A variant was chosen: the focus returns to the page.
  void left();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void buildRun();
  void layOut();
  void refresh();
  void refreshVariants();
  void refreshRun();
  void refreshProgress();
  void refreshCancel();
  void refreshIcons();
  [[nodiscard]] QString whyNot() const;
  [[nodiscard]] QString runText(const RunChoice& choice) const;
  [[nodiscard]] QString runTip() const;
  void refreshRunThis();

  Session* m_session;
  RunEstimate* m_estimate;
  QToolButton* m_experiment;
  QMenu* m_experimentMenu;
  Combo* m_variant;
  QToolButton* m_undo;
  QToolButton* m_redo;
  QToolButton* m_search;
  QLabel* m_message;
  QProgressBar* m_progress;
  QLabel* m_left;
  QToolButton* m_ranks;
  PrimaryButton* m_run;
  PrimaryButton* m_runMenu;  ///< its menu can run the current tab even if none is included
  QAction* m_runThis;
  QToolButton* m_cancel;
  QString m_text;
};

}  // namespace stagelane::ui
