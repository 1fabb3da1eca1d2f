#include "ui/session/run/run_history.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QMetaObject>
#include <QStandardPaths>
#include <utility>

#include "engine/workspace/import_run.h"
#include "engine/workspace/sweep_store.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kSoonMs = 150;
constexpr int kTellEveryMs = 33;
constexpr int kQuietMs = 1500;  ///< a reading without a request shows no progress for this long

Status storeLabels(const std::filesystem::path& root, const std::filesystem::path& folder,
                   const workspace::LabelEdit& edit) {
  STAGELANE_CHECK(workspace::editLabels(folder, edit));
  auto index = workspace::RunIndex::open(root);
  return index ? (*index)->put(folder) : tl::make_unexpected(index.error());
}

void forget(const std::filesystem::path& root, const QString& folder) {
  // The next reading at the latest removes a missing folder from the index.
  if (auto index = workspace::RunIndex::open(root)) (void)(*index)->forget(utf8(folder));
}

/// The trash keeps a note of the original path beside each file.
void removeTrashNote(const QString& inTrash) {
  const QFileInfo file(inTrash);
  QFile::remove(
      QDir(file.dir().absoluteFilePath(u"../info"_s)).filePath(file.fileName() + u".trashinfo"_s));
}

}  // namespace

RunHistory::RunHistory(std::filesystem::path workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)) {
  m_pool.setMaxThreadCount(1);
  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoonMs);
  connect(&m_soon, &QTimer::timeout, this, &RunHistory::reload);
}

RunHistory::~RunHistory() {
  stop();
  m_pool.waitForDone();
}

Result<RunHistory::Reading> RunHistory::readRuns(const std::filesystem::path& root, bool rebuild,
                                                 const workspace::IndexProgress& progress) {
  Reading reading;
  // Before the runs are read: runs that start meanwhile trigger another reading.
  for (const std::filesystem::path& folder : workspace::foldersToBegin(root)) {
    reading.toBegin.append(qstring(folder.string()));
  }
  STAGELANE_TRY(index, workspace::RunIndex::open(root));
  STAGELANE_CHECK(rebuild ? (*index)->rebuild(progress) : (*index)->refresh(progress));
  STAGELANE_TRY(runs, (*index)->list());
  for (const workspace::Sweep& sweep : workspace::listSweeps(root)) {
    for (const workspace::SweepTask& task : sweep.tasks) {
      if (!task.run.empty())
        reading.sweeps.insert(qstring(task.run), qstring(sweep.folder.string()));
    }
  }
  reading.unreadable = (*index)->unreadable();
  reading.runs = std::move(*runs);
  reading.unkept = (*index)->problem();
  return reading;
}

template <class Answer>
void RunHistory::inBackground(std::function<Answer()> work, std::function<void(Answer)> done) {
  ++m_jobs;
  m_pool.start([this, work = std::move(work), done = std::move(done)] {
    auto answer = std::make_shared<Answer>(work());
    QMetaObject::invokeMethod(
        this,
        [this, answer, done] {
          --m_jobs;
          done(std::move(*answer));
        },
        Qt::QueuedConnection);
  });
}

const workspace::RunEntry* RunHistory::run(const QString& folder) const {
  const auto row = m_rows.constFind(folder);
  return row == m_rows.constEnd() ? nullptr : &(*m_runs)[*row];
}

void RunHistory::reloadSoon() {
  if (!m_soon.isActive()) m_soon.start();
}

void RunHistory::reload() {
  if (!m_reloadWaits.exchange(true)) readList(false);
}

void RunHistory::rebuild() { readList(true); }

void RunHistory::readList(bool rebuild) {
  const QString what = rebuild ? tr("Rebuilding the index") : tr("Reading the run folders");
  const bool awaited = rebuild || !m_runs;
  if (awaited) setWork(HistoryWork{what, 0, 0, true});
  inBackground<Result<Reading>>(
      [this, rebuild, what, awaited, stops = m_stops.load()] {
        if (!rebuild) m_reloadWaits = false;
        QElapsedTimer sinceTold;
        sinceTold.start();
        // During a run its folder is read repeatedly, for a moment each time; a progress bar for
        // that would shift the rows under the pointer.
        int pauseMs = awaited ? kTellEveryMs : kQuietMs;
        return readRuns(m_workspace, rebuild, [&](std::size_t done, std::size_t of) {
          if (sinceTold.elapsed() >= pauseMs) {
            pauseMs = kTellEveryMs;
            sinceTold.restart();
            tellProgress({what, static_cast<int>(done), static_cast<int>(of), true});
          }
          return m_stops == stops;
        });
      },
      [this](Result<Reading> reading) { takeList(std::move(reading)); });
}

/// @thread pool
void RunHistory::tellProgress(const HistoryWork& work) {
  QMetaObject::invokeMethod(
      this, [this, work] { setWork(work); }, Qt::QueuedConnection);
}

bool RunHistory::known(const Reading& reading) const {
  const auto words = [](const std::optional<Error>& error) {
    return error ? describe(*error) : std::string();
  };
  return m_runs && !m_error && *m_runs == reading.runs &&
         words(m_unkept) == words(reading.unkept) && m_toBegin == reading.toBegin &&
         m_unreadable == reading.unreadable && m_sweeps == reading.sweeps;
}

void RunHistory::takeList(Result<Reading> reading) {
  // Queued work has reported its state by now.
  setWork(busy() ? m_work : std::nullopt);
  if (!reading) {
    m_error = reading.error();
    Q_EMIT changed();
    return;
  }
  if (known(*reading)) {
    tellImported();
    return;
  }
  m_error.reset();
  m_unkept = std::move(reading->unkept);
  m_toBegin = std::move(reading->toBegin);
  m_unreadable = std::move(reading->unreadable);
  m_sweeps = std::move(reading->sweeps);
  auto runs = std::make_shared<const RunList>(std::move(reading->runs));
  m_rows.clear();
  for (std::size_t row = 0; row < runs->size(); ++row) {
    m_rows.insert(qstring((*runs)[row].folder), row);
  }
  m_runs = std::move(runs);
  Q_EMIT changed();
  tellImported();
}

void RunHistory::tellImported() {
  const QStringList listed = std::exchange(m_imported, {});
  for (const QString& folder : listed) Q_EMIT imported(folder);
}

void RunHistory::setWork(std::optional<HistoryWork> work) {
  m_work = std::move(work);
  Q_EMIT workChanged();
}

void RunHistory::editLabels(const QString& folder, const workspace::LabelEdit& edit) {
  inBackground<Status>(
      [root = m_workspace, folder, edit] { return storeLabels(root, utf8(folder), edit); },
      [this](const Status& stored) {
        if (!stored) Q_EMIT failed(errorText(stored.error()));
        reload();
      });
}

void RunHistory::import(const QString& folder) {
  const QString what = tr("Copying the run");
  setWork(HistoryWork{what, 0, 0, true});
  inBackground<Result<std::filesystem::path>>(
      [this, what, root = m_workspace, folder,
       stops = m_stops.load()]() -> Result<std::filesystem::path> {
        QElapsedTimer sinceTold;
        sinceTold.start();
        auto copied = workspace::importRun(root, utf8(folder), [&](Bytes done, Bytes of) {
          constexpr Bytes kMebibyte = 1 << 20;
          if (sinceTold.elapsed() >= kTellEveryMs) {
            sinceTold.restart();
            tellProgress({what, static_cast<int>(done / kMebibyte),
                          static_cast<int>(of / kMebibyte), true, u" MiB"_s});
          }
          return m_stops == stops;
        });
        if (copied && !copied->empty()) {
          auto index = workspace::RunIndex::open(root);
          STAGELANE_CHECK(index ? (*index)->put(*copied) : tl::make_unexpected(index.error()));
        }
        return copied;
      },
      [this](const Result<std::filesystem::path>& copied) {
        setWork(std::nullopt);
        if (copied && copied->empty()) {
          Q_EMIT stopped(tr("Import canceled. No files were copied."));
        } else if (copied) {
          m_imported.append(qstring(copied->string()));
          reload();
        } else {
          Q_EMIT failed(errorText(copied.error()));
        }
      });
}

void RunHistory::trash(const QStringList& folders) {
  struct Outcome {
    std::vector<Trashed> gone;
    QStringList kept;
  };
  QStringList wanted;
  for (const QString& folder : folders) {
    const workspace::RunEntry* entry = run(folder);
    if (entry != nullptr && entry->status == "running") {
      Q_EMIT failed(tr("%1 is in progress. Cancel it first.").arg(qstring(entry->name)));
    } else {
      wanted.append(folder);
    }
  }
  inBackground<Outcome>(
      [root = m_workspace, wanted] {
        Outcome outcome;
        // A new account may lack the folder that contains the desktop's trash.
        QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
        for (const QString& folder : wanted) {
          std::error_code ignored;
          if (std::filesystem::symlink_status(utf8(folder), ignored).type() ==
              std::filesystem::file_type::not_found) {
            continue;  // requested twice, before the list was updated
          }
          QString inTrash;
          if (QFile::moveToTrash(folder, &inTrash)) {
            outcome.gone.push_back({folder, inTrash});
            forget(root, folder);
          } else {
            outcome.kept.append(folder);
          }
        }
        return outcome;
      },
      [this](Outcome outcome) {
        if (!outcome.kept.isEmpty()) {
          Q_EMIT failed(tr("Cannot move to the trash: %1. Open its folder and delete it there.")
                            .arg(outcome.kept.join(u", "_s)));
        }
        if (!outcome.gone.empty()) {
          m_trashed.push_back(std::move(outcome.gone));
          Q_EMIT trashed();
        }
        reload();
      });
}

void RunHistory::restore() {
  if (m_trashed.empty()) return;
  std::vector<Trashed> last = std::move(m_trashed.back());
  m_trashed.pop_back();
  inBackground<QStringList>(
      [taken = std::move(last)] {
        QStringList lost;
        for (const Trashed& run : taken) {
          if (!QFileInfo::exists(run.original) && QDir().rename(run.inTrash, run.original)) {
            removeTrashNote(run.inTrash);
          } else {
            lost.append(run.original);
          }
        }
        return lost;
      },
      [this](const QStringList& lost) {
        if (!lost.isEmpty()) {
          Q_EMIT failed(tr("Cannot restore: %1. It is not in the trash, or its path is in use.")
                            .arg(lost.join(u", "_s)));
        }
        reload();
      });
}

QString statusText(const RunHistory& history) {
  QStringList parts;
  if (const RunListPtr runs = history.runs(); runs && !runs->empty()) {
    Bytes size = 0;
    for (const workspace::RunEntry& entry : *runs) size += entry.sizeBytes;
    parts.append(countedText(static_cast<std::int64_t>(runs->size()), QObject::tr("run"),
                             QObject::tr("runs")));
    parts.append(
        QObject::tr("%1 in %2").arg(bytesText(size), qstring(history.workspace().string())));
  }
  if (!history.unreadable().empty()) {
    parts.append(countedText(static_cast<std::int64_t>(history.unreadable().size()),
                             QObject::tr("run folder cannot be read"),
                             QObject::tr("run folders cannot be read")));
  }
  return parts.join(u" · "_s);
}

}  // namespace stagelane::ui
