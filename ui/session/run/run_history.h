#pragma once

/// The runs of the workspace for the Runs page: read from the index in another thread, published as
/// an immutable list, and changed through these functions. Independent of widgets.
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

/// Work that takes long enough to show its progress.
struct HistoryWork {
  QString what;  ///< "Reading the run folders"
  int done = 0;
  int of = 0;  ///< 0 if unknown
  bool canStop = false;
  QString unit = {};  ///< " MiB"; empty for counts
};

class RunHistory final : public QObject {
  Q_OBJECT

 public:
  explicit RunHistory(std::filesystem::path workspace, QObject* parent = nullptr);
  ~RunHistory() override;

  [[nodiscard]] const std::filesystem::path& workspace() const { return m_workspace; }
  /// Newest first; null before the first reading.
  [[nodiscard]] RunListPtr runs() const { return m_runs; }
  /// Null if it is not in the list.
  [[nodiscard]] const workspace::RunEntry* run(const QString& folder) const;
  /// Why the index is not stored on disk; the list then comes from the folders.
  [[nodiscard]] const std::optional<Error>& unkept() const { return m_unkept; }
  /// The folder of the sweep that the run belongs to; "" for none.
  [[nodiscard]] QString sweepOf(const QString& runFolder) const {
    return m_sweeps.value(runFolder);
  }
  /// Folders of runs without any output yet.
  [[nodiscard]] const QStringList& toBegin() const { return m_toBegin; }
  /// Folders that the system does not let us read; listed as last known.
  [[nodiscard]] const workspace::UnreadableFolders& unreadable() const { return m_unreadable; }
  /// Why the last reading failed; the list is then the previous one.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
  [[nodiscard]] const std::optional<HistoryWork>& work() const { return m_work; }
  [[nodiscard]] bool busy() const { return m_jobs > 0; }

  /// Reads changes soon; several calls are merged.
  void reloadSoon();
  /// Several calls while a reading is pending are merged.
  void reload();
  /// Rebuilds the index from the folders; labels and numbers stay.
  void rebuild();
  /// Cancels a reading or rebuild that can be stopped.
  void stop() { ++m_stops; }
  /// Applied to the folder's labels at that time, so that pending edits do not undo each other.
  void editLabels(const QString& folder, const workspace::LabelEdit& edit);
  /// Copies a run folder into the workspace; emits `imported` with its new path.
  void import(const QString& folder);
  /// Moves runs to the desktop's trash; runs in progress stay.
  void trash(const QStringList& folders);
  /// Restores what the last `trash` took; a further call, what the one before took.
  void restore();
  /// The number of runs that the next `restore` brings back.
  [[nodiscard]] int restorable() const {
    return m_trashed.empty() ? 0 : static_cast<int>(m_trashed.back().size());
  }

 Q_SIGNALS:
  void changed();                        ///< list or error; not if a reading found nothing new
  void workChanged();                    ///< the work in progress
  void imported(const QString& folder);  ///< the run is in the list
  void trashed();                        ///< `restorable` is the number
  /// A request was stopped; this is not an error.
  void stopped(const QString& told);
  /// A request failed.
  void failed(const QString& problem);

 private:
  struct Trashed {
    QString original;
    QString inTrash;
  };
  /// Runs `work` after earlier requests, then `done` in the window's thread.
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
  QThreadPool m_pool;  ///< one thread, so that requests run in order
  QTimer m_soon;
  RunListPtr m_runs;
  QHash<QString, std::size_t> m_rows;  ///< folder → index in the list
  std::optional<Error> m_error;
  std::optional<Error> m_unkept;
  QStringList m_toBegin;
  workspace::UnreadableFolders m_unreadable;
  QHash<QString, QString> m_sweeps;
  QStringList m_imported;  ///< copied, but not yet in the list
  std::optional<HistoryWork> m_work;
  std::atomic<int> m_stops{0};  ///< each cancels the requests before it, and nothing else
  std::atomic<bool> m_reloadWaits{false};       ///< a reading was requested and has not begun
  std::vector<std::vector<Trashed>> m_trashed;  ///< by call, the last one last
  int m_jobs = 0;
};

/// "212 runs · 1.4 GiB in /home/… · 1 run folder cannot be read"; "" if there is nothing to show.
[[nodiscard]] QString statusText(const RunHistory& history);

}  // namespace stagelane::ui
