#pragma once

/// The runs of the workspace as the Runs page shows them: read from the index in a thread of its
/// own, handed over as an immutable list, changed through the functions here. Knows no widget.
/// @thread the window's; nothing here blocks it

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/workspace/run_index.h"

namespace stagelane::ui {

using RunList = std::vector<workspace::RunEntry>;
using RunListPtr = std::shared_ptr<const RunList>;

/// What the history is doing that takes long enough to be told.
struct HistoryWork {
  QString what;  ///< "Reading the run folders"
  int done = 0;
  int of = 0;  ///< 0 while not known
  bool canStop = false;
  QString unit = {};  ///< " MiB"; empty where things are counted
};

class RunHistory final : public QObject {
  Q_OBJECT

 public:
  explicit RunHistory(std::filesystem::path workspace, QObject* parent = nullptr);
  ~RunHistory() override;

  [[nodiscard]] const std::filesystem::path& workspace() const { return m_workspace; }
  /// Newest first; null before the first reading.
  [[nodiscard]] RunListPtr runs() const { return m_runs; }
  /// Null when it is not in the list.
  [[nodiscard]] const workspace::RunEntry* run(const QString& folder) const;
  /// Why the index is not kept on the disk; the list was then read from the folders.
  [[nodiscard]] const std::optional<Error>& unkept() const { return m_unkept; }
  /// The folder of the sweep that the run is a part of; "" for none.
  [[nodiscard]] QString sweepOf(const QString& runFolder) const {
    return m_sweeps.value(runFolder);
  }
  /// Folders of runs that have not said anything yet.
  [[nodiscard]] const QStringList& toBegin() const { return m_toBegin; }
  /// Folders of runs that the system does not let us read; listed as far as they were known.
  [[nodiscard]] const workspace::UnreadableFolders& unreadable() const { return m_unreadable; }
  /// Why the last reading failed; the list is then the one before.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
  [[nodiscard]] const std::optional<HistoryWork>& work() const { return m_work; }
  [[nodiscard]] bool busy() const { return m_jobs > 0; }

  /// Looks what is new; soon, and once for many calls.
  void reloadSoon();
  /// Once for many calls that find a reading waiting.
  void reload();
  /// Makes the index again from the folders; labels and numbers stay.
  void rebuild();
  /// Ends a reading or rebuilding that can be stopped.
  void stop() { ++m_stops; }
  /// On top of the labels that the folder has then: edits that are under way do not undo each
  /// other.
  void editLabels(const QString& folder, const workspace::LabelEdit& edit);
  /// Copies a run folder into the workspace; `imported` says where it is then.
  void import(const QString& folder);
  /// To the desktop's trash; a run that is under way stays.
  void trash(const QStringList& folders);
  /// Brings back what the last `trash` took; called again, what the one before it took.
  void restore();
  /// How many runs the next `restore` brings back.
  [[nodiscard]] int restorable() const {
    return m_trashed.empty() ? 0 : static_cast<int>(m_trashed.back().size());
  }

 Q_SIGNALS:
  void changed();                        ///< list, error; not where a reading found what was known
  void workChanged();                    ///< what is being done
  void imported(const QString& folder);  ///< it is in the list
  void trashed();                        ///< `restorable` says how many
  /// What was asked for was stopped; nothing is wrong.
  void stopped(const QString& told);
  /// Something that was asked for could not be done.
  void failed(const QString& problem);

 private:
  struct Trashed {
    QString original;
    QString inTrash;
  };
  /// Runs `work` behind what was asked for before, then `done` in the window's thread.
  template <class Answer>
  void inBackground(std::function<Answer()> work, std::function<void(Answer)> done);
  struct Reading {
    RunList runs;
    std::optional<Error> unkept;
    QStringList toBegin;
    workspace::UnreadableFolders unreadable;
    QHash<QString, QString> sweeps;  ///< run folder → sweep folder
  };
  [[nodiscard]] bool known(const Reading& reading) const;
  [[nodiscard]] static Result<Reading> readRuns(const std::filesystem::path& root, bool rebuild,
                                                const workspace::IndexProgress& progress);
  void readList(bool rebuild);
  void takeList(Result<Reading> reading);
  void tellImported();
  void setWork(std::optional<HistoryWork> work);
  void tellProgress(const HistoryWork& work);

  std::filesystem::path m_workspace;
  QThreadPool m_pool;  ///< one thread: what is asked for is done in order
  QTimer m_soon;
  RunListPtr m_runs;
  QHash<QString, std::size_t> m_rows;  ///< folder → place in the list
  std::optional<Error> m_error;
  std::optional<Error> m_unkept;
  QStringList m_toBegin;
  workspace::UnreadableFolders m_unreadable;
  QHash<QString, QString> m_sweeps;
  QStringList m_imported;  ///< copied, and not yet in the list
  std::optional<HistoryWork> m_work;
  std::atomic<int> m_stops{0};  ///< each ends what was asked for before it, and nothing else
  std::atomic<bool> m_reloadWaits{false};       ///< a reading has been asked for and has not begun
  std::vector<std::vector<Trashed>> m_trashed;  ///< by call, the last one last
  int m_jobs = 0;
};

/// "212 runs · 1.4 GiB in /home/… · 1 run folder cannot be read"; "" where there is nothing to say.
[[nodiscard]] QString statusText(const RunHistory& history);

}  // namespace stagelane::ui
