#pragma once

/// Opens and saves experiments: presets, files, prompts to save. Handles files and dialogs; the
/// session owns the document.

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

/// Whether to read a run's result in another thread or before returning.
enum class RunReading { Beside, AtOnce };

/// Why changes may be lost: another experiment is opened, or the window is closed.
enum class Leaving { Experiment, Window };

class DocumentActions final : public QObject {
  Q_OBJECT

 public:
  DocumentActions(ui::Session* session, RunController* runs, QWidget* window);

  void fill(QMenu* menu);
  /// The sample experiments and the recent files, each as an action.
  [[nodiscard]] QList<QAction*> examples() const { return m_examples; }
  [[nodiscard]] QList<QAction*> recents() { return refreshRecents(), m_recents; }
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// Opens an experiment file, a preset's name, a run folder or, in the background, a trace file.
  /// @errors Invalid
  [[nodiscard]] Status open(const std::string& argument, RunReading reading = RunReading::Beside);
  /// The same for a user's choice or drop: prompts to save changes and shows errors.
  void openChosen(const QString& path);
  /// The argument with which open() reopens the document: a file, a preset's name, a run folder;
  /// empty if never saved.
  [[nodiscard]] QString opened() const;
  /// Adds a file or run folder to the recent files; ignores names of presets.
  void remember(const QString& path);
  /// Shows the error once the window is open.
  void tellLater(const Error& error);
  /// Opens a run of the history: its experiment becomes the document. Prompts to save changes.
  void openRun(const QString& folder, ui::RunUse use);
  /// True if no trace is being read.
  [[nodiscard]] bool settled() const { return !m_traces.reading(); }
  /// Prompts to save changes, if any. False if the user stays.
  [[nodiscard]] bool mayLeave(Leaving what = Leaving::Experiment);
  /// Before another experiment replaces this one, hides traces of other programs and measurements,
  /// because variants of different experiments often have the same ids.
  void leaveExperiment();

 Q_SIGNALS:
  /// A trace file cannot be read. The previous trace stays.
  void traceRefused(const QString& name, const QString& why);

 private:
  void newExperiment();
  void openDialog();
  /// Checks a file before it replaces a valid plan. @errors Invalid
  [[nodiscard]] Status checkReadable(const QString& path) const;
  bool save();
  /// Prompts if another program has changed the file.
  [[nodiscard]] bool mayWriteOver();
  bool saveAs();
  void openPreset(const QString& name);
  /// False, with a hint, while a run adds results that would mix with another run's.
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
  QString m_opened;  ///< preset or run folder of a document without a file
  QMenu* m_recentMenu = nullptr;
  QList<QAction*> m_recents;
};

}  // namespace stagelane::app
