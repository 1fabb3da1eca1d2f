#include "app/window/file_watch.h"

#include <QFileInfo>
#include <QGuiApplication>

#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/document_shape.h"
#include "ui/session/document/file_change.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kDelayMs = 300;  ///< editors write in several steps

/// Null if it is not JSON; empty if there is no file.
std::optional<Json> contentOf(const QString& path) {
  if (!QFileInfo::exists(path)) return std::nullopt;
  return readJsonFile(ui::utf8(path)).value_or(Json());
}

}  // namespace

FileWatch::FileWatch(ui::Session* session, QObject* parent) : QObject(parent), m_session(session) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &FileWatch::look);
  const auto later = [this] { m_delay.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
  // Network folders send no notifications, so also check when the window is activated.
  connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, later);
  connect(&session->document(), &ui::ExperimentDocument::pathChanged, this, &FileWatch::follow);
  connect(&session->fileChange(), &ui::FileChange::answered, this, &FileWatch::answer);
}

void FileWatch::follow() {
  if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty()) {
    m_watcher.removePaths(watched);
  }
  const QString path = m_session->document().path();
  m_known = contentOf(path);
  if (m_known) {
    // Watch the folder too, because many editors replace the file.
    m_watcher.addPaths({path, QFileInfo(path).absolutePath()});
  }
  m_session->fileChange().setFound(false);
}

bool FileWatch::differs() const {
  const auto content = contentOf(m_session->document().path());
  return m_known && content && *content != *m_known;
}

void FileWatch::look() {
  const QString path = m_session->document().path();
  if (m_known && !m_watcher.files().contains(path)) {
    m_watcher.addPath(path);  // replacing the file removed the watch
  }
  m_session->fileChange().setFound(differs());
}

void FileWatch::answer(bool load) {
  ui::ExperimentDocument& document = m_session->document();
  auto content = readJsonFile(ui::utf8(document.path()));
  Status readable = content ? ui::checkShape(*content) : tl::make_unexpected(content.error());
  if (load && !readable) {
    Q_EMIT refused(readable.error());
    return;
  }
  if (load && !document.takeFromFile(tr("Load external changes"), *content)) return;
  if (!load) document.countAsUnsaved();
  m_known = content.value_or(Json());
  m_session->fileChange().setFound(false);
}

}  // namespace stagelane::app
