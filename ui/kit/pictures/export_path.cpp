#include "ui/kit/pictures/export_path.h"

#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QStringList>
#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

QString formatOfPath(const QString& path) {
  static const QStringList kFormats{u"png"_s, u"svg"_s, u"pdf"_s, u"csv"_s};
  const QString suffix = QFileInfo(path).suffix().toLower();
  return kFormats.contains(suffix) ? suffix : QString();
}

QString pathWithFormat(const QString& path, const QString& format) {
  const QString old = formatOfPath(path);
  if (old == format) return path;
  const QString name = old.isEmpty() ? path : path.chopped(old.size() + 1);
  return name + QChar(u'.') + format;
}

QString absolutePath(const QString& typed, const QString& folder) {
  const QString path = typed.trimmed();
  if (path.isEmpty()) return {};
  if (path == u"~"_s) return QDir::homePath();
  if (path.startsWith(u"~/"_s)) return QDir::cleanPath(QDir::home().filePath(path.mid(2)));
  return QDir::cleanPath(QDir(folder).absoluteFilePath(path));
}

QString tablePreview(const QString& table, int lines, int columns) {
  QStringList all = table.split(QChar(u'\n'));
  while (!all.isEmpty() && all.last().isEmpty()) all.removeLast();
  const qsizetype shown = all.size() <= lines ? all.size() : std::max(1, lines - 1);
  QStringList preview;
  for (qsizetype i = 0; i < shown; ++i) {
    preview << (all[i].size() <= columns ? all[i] : all[i].left(columns - 1) + QChar(u'…'));
  }
  if (const qsizetype more = all.size() - shown; more == 1) {
    preview << QObject::tr("and 1 more row");
  } else if (more > 1) {
    preview << QObject::tr("and %1 more rows").arg(more);
  }
  return preview.join(QChar(u'\n'));
}

}  // namespace stagelane::ui
