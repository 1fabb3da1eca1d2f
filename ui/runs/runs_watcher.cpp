#include "ui/runs/runs_watcher.h"

#include <QDir>
#include <algorithm>
#include <utility>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kPollMs = 2000;

}  // namespace

RunsWatcher::RunsWatcher(RunHistory* history, QObject* parent)
    : QObject(parent), m_history(history) {
  m_poll.setInterval(kPollMs);
  connect(&m_poll, &QTimer::timeout, this, [this] {
    if (!m_history->busy()) m_history->reload();
  });
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &RunsWatcher::folderChanged);
}

/// New folders and their first event are watched; the end of another program's run changes no
/// folder and is polled.
void RunsWatcher::watch() {
  const QStringList before = m_watcher.directories();
  QStringList wanted = m_history->toBegin();
  wanted.append(folderToWatch());
  QStringList dropped;
  for (const QString& folder : before) {
    if (!wanted.contains(folder)) dropped.append(folder);
  }
  if (!dropped.isEmpty()) m_watcher.removePaths(dropped);
  bool added = false;
  for (const QString& folder : std::as_const(wanted)) {
    added = (!before.contains(folder) && m_watcher.addPath(folder)) || added;
  }
  // Reads once more, for changes between the reading and the start of watching.
  if (added && m_history->runs()) m_history->reloadSoon();
  const bool running = someRunGoesOn();
  if (running != m_poll.isActive()) running ? m_poll.start() : m_poll.stop();
}

bool RunsWatcher::someRunGoesOn() const {
  const RunListPtr runs = m_history->runs();
  return runs && std::any_of(runs->begin(), runs->end(), [](const workspace::RunEntry& entry) {
           return entry.status == "running";
         });
}

/// The folder of runs, or its nearest existing parent.
QString RunsWatcher::folderToWatch() const {
  QDir folder(qstring((m_history->workspace() / "runs").string()));
  folder.makeAbsolute();
  while (!folder.exists() && !folder.isRoot()) {
    folder.setPath(QDir::cleanPath(folder.filePath(u".."_s)));
  }
  return folder.absolutePath();
}

void RunsWatcher::folderChanged(const QString& folder) {
  // Changes in parent folders are mostly unrelated.
  const QString nearest = folderToWatch();
  if (folder != nearest && !m_history->toBegin().contains(folder)) {
    watch();
  } else if (m_history->toBegin().contains(folder) || QDir(nearest).dirName() == u"runs"_s) {
    m_history->reloadSoon();
  }
}

}  // namespace stagelane::ui
