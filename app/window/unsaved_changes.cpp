#include "app/window/unsaved_changes.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QUuid>

#include "engine/base/files.h"
#include "engine/base/text_member.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kDelayMs = 1000;
const QString kSuffix = u".json"_s;

QString newFile(const QString& folder) {
  return folder + QLatin1Char('/') + QString::number(QCoreApplication::applicationPid()) +
         QLatin1Char('-') + QUuid::createUuid().toString(QUuid::Id128).left(8) + kSuffix;
}

QString lockOf(const QString& file) { return file + u".lock"_s; }

QString textOf(const Json& content, const char* key) {
  return ui::qstring(textMember(content, key));
}

}  // namespace

UnsavedChanges::UnsavedChanges(ui::Session* session, const QString& folder, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_folder(folder),
      m_file(newFile(folder)),
      m_lock(lockOf(m_file)) {
  m_pool.setMaxThreadCount(1);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &UnsavedChanges::write);
  connect(&session->document(), &ui::ExperimentDocument::changed, this, &UnsavedChanges::keep);
  connect(&session->document(), &ui::ExperimentDocument::modifiedChanged, this,
          &UnsavedChanges::keep);
}

UnsavedChanges::~UnsavedChanges() { m_pool.waitForDone(); }

void UnsavedChanges::keep() {
  if (!m_session->document().modified()) {
    m_delay.stop();
    remove();
  } else if (!m_delay.isActive()) {
    m_delay.start();
  }
}

void UnsavedChanges::write() {
  const ui::ExperimentDocument& document = m_session->document();
  if (!QDir().mkpath(m_folder) || (!m_lock.isLocked() && !m_lock.tryLock(0))) return;
  const Json head{{"name", ui::utf8(document.name())},
                  {"path", ui::utf8(document.path())},
                  {"base_folder", ui::utf8(document.baseFolder())}};
  m_pool.start([file = ui::utf8(m_file), head, edited = document.snapshot()] {
    Json content = head;
    content["document"] = *edited;
    // Ignore a write error, for example on a full disk; saving reports it.
    (void)writeFileAtomically(file, content.dump());
  });
}

void UnsavedChanges::remove() {
  m_pool.start([file = m_file] { QFile::remove(file); });
}

void UnsavedChanges::forget() {
  m_delay.stop();
  remove();
  settle();
  m_lock.unlock();
}

std::optional<UnsavedChanges::Found> UnsavedChanges::newest() const {
  const QFileInfoList files =
      QDir(m_folder).entryInfoList({u"*"_s + kSuffix}, QDir::Files, QDir::Time);
  for (const QFileInfo& info : files) {
    const QString path = info.absoluteFilePath();
    auto lock = std::make_unique<QLockFile>(lockOf(path));
    // Only the lock of a dead process is stale, whatever its age.
    lock->setStaleLockTime(0);
    if (path == QFileInfo(m_file).absoluteFilePath() || !lock->tryLock(0)) continue;
    auto content = readJsonFile(ui::utf8(path));
    if (content && content->is_object() && content->contains("document") &&
        (*content)["document"].is_object()) {
      return Found{path, std::move(*content), std::move(lock)};
    }
  }
  return std::nullopt;
}

void UnsavedChanges::look() {
  m_found = newest();
  if (!m_found) {
    m_session->unsaved().set(std::nullopt);
    return;
  }
  const QString name = textOf(m_found->content, "name");
  m_session->unsaved().set(ui::UnsavedWork{
      name, QFileInfo(m_found->file).lastModified().toString(u"d MMM yyyy, HH:mm"_s)});
}

void UnsavedChanges::answer(bool restore) {
  if (!m_found) return;
  const Found found = std::move(*m_found);
  m_found.reset();
  if (restore) {
    m_session->document().loadUnsaved(found.content["document"], textOf(found.content, "path"),
                                      textOf(found.content, "base_folder"));
    // Keep the old file until this window has written its own.
    write();
    settle();
  }
  QFile::remove(found.file);
  look();
}

}  // namespace stagelane::app
