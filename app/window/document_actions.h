#pragma once

/// Opening and saving experiments: presets, files, "save before leaving?". Knows files and dialogs;
/// the document itself is the session's.

#include <QAction>
#include <QMenu>
#include <QObject>
#include <QString>

#include "app/engine_client/run_controller.h"
#include "app/window/file_watch.h"
#include "app/window/recent_files.h"
#include "app/window/trace_opener.h"
#include "engine/base/result.h"
#include "ui/kit/latest_job.h"
#include "ui/session/run/run_folders.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

/// The result of a run folder: beside the window, or before anything else goes on.
enum class RunReading { Beside, AtOnce };

/// What changes may be lost by: another experiment is opened, or the window is closed.
enum class Leaving { Experiment, Window };

class DocumentActions final : public QObject {
  Q_OBJECT

 public:
  DocumentActions(ui::Session* session, RunController* runs, QWidget* window);

  void fill(QMenu* menu);
  /// The sample experiments, and what was opened last, each as an action.
  [[nodiscard]] QList<QAction*> examples() const { return m_examples; }
  [[nodiscard]] QList<QAction*> recents() { return refreshRecents(), m_recents; }
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// An experiment file, a preset's name, a run folder or a trace file, which is read in the
  /// background. @errors Invalid
  [[nodiscard]] Status open(const std::string& argument, RunReading reading = RunReading::Beside);
  /// The same for what a person chose or dropped: asks before leaving changes, tells errors.
  void openChosen(const QString& path);
  /// What open() would show again: a file, a preset's name, a run folder; empty for what was never
  /// saved.
  [[nodiscard]] QString opened() const;
  /// Puts a file or run folder at the top of what was opened last; names of presets are left out.
  void remember(const QString& path);
  /// Tells it once the window is there.
  void tellLater(const Error& error);
  /// A run of the history: its experiment becomes the document. Asks before leaving changes.
  void openRun(const QString& folder, ui::RunUse use);
  /// No trace is being read.
  [[nodiscard]] bool settled() const { return !m_traces.reading(); }
  /// Asks whether to save when there are changes. False: stay.
  [[nodiscard]] bool mayLeave(Leaving what = Leaving::Experiment);
  /// Takes away what is shown beside the experiment that another one is about to replace: traces
  /// of other programs, and what was measured. Variants of two experiments often have the same ids.
  void leaveExperiment();

 Q_SIGNALS:
  /// A trace file cannot be read, and the trace that was shown before it stays.
  void traceRefused(const QString& name, const QString& why);

 private:
  void newExperiment();
  void openDialog();
  /// What was chosen must not take the place of a plan that can be read. @errors Invalid
  [[nodiscard]] Status checkReadable(const QString& path) const;
  bool save();
  /// Asks where another program has written the file since.
  [[nodiscard]] bool mayWriteOver();
  bool saveAs();
  void openPreset(const QString& name);
  /// False, with a hint, while results come in that those of another run would mix with.
  [[nodiscard]] bool mayShowRun();
  [[nodiscard]] Status duplicateRun(const QString& folder);
  void tell(const Error& error);
  void askMachine();
  void exportCode();
  void buildExamples();
  void refreshRecents();

  ui::Session* m_session;
  RunController* m_runs;
  TraceOpener m_traces;
  FileWatch m_file;
  QWidget* m_window;
  ui::LatestJob m_asking;
  QList<QAction*> m_actions;
  QList<QAction*> m_examples;
  RecentFiles m_recentFiles;
  QString m_opened;  ///< preset or run folder that the document is of, for want of a file
  QMenu* m_recentMenu = nullptr;
  QList<QAction*> m_recents;
};

}  // namespace stagelane::app
