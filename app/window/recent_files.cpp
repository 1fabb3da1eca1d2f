#include "app/window/recent_files.h"

#include <QFileInfo>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr const char* kKey = "recentFiles";

}  // namespace

RecentFiles::RecentFiles()
    : m_settings(QSettings::IniFormat, QSettings::UserScope, u"stagelane"_s, u"window"_s) {}

QStringList RecentFiles::paths() {
  m_settings.sync();  // another window may have added files
  QStringList existing;
  for (const QString& path : m_settings.value(QString::fromLatin1(kKey)).toStringList()) {
    if (QFileInfo::exists(path)) existing.append(path);
  }
  return existing;
}

void RecentFiles::add(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  m_settings.sync();
  QStringList all = m_settings.value(QString::fromLatin1(kKey)).toStringList();
  all.removeAll(whole);
  all.prepend(whole);
  m_settings.setValue(QString::fromLatin1(kKey), all.mid(0, kMost));
  m_settings.sync();
}

}  // namespace stagelane::app
