#include "app/engine_client/ssh_aliases.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr int kMostDepth = 8;                   ///< of files that include each other
constexpr qint64 kMostBytes = qint64{1} << 20;  ///< of a file
constexpr qsizetype kMostAliases = 2000;

QString sshFolder() { return QDir::homePath() + u"/.ssh"_s; }

/// The keyword of a line, in lower case, and the words after it; `Host=a` is the same as `Host a`.
QStringList wordsOf(const QString& line) {
  static const QRegularExpression kSpaces(u"[\\s=]+"_s);
  const QString text = line.trimmed();
  if (text.startsWith(QChar(u'#'))) return {};
  QStringList words = text.split(kSpaces, Qt::SkipEmptyParts);
  for (QString& word : words) word.remove(QChar(u'"'));
  if (!words.isEmpty()) words.front() = words.front().toLower();
  return words;
}

/// `*`, `?` and `!` are patterns, not names.
bool isName(const QString& word) {
  static const QRegularExpression kPattern(u"[*?!/]"_s);
  return !word.isEmpty() && !word.contains(kPattern) && !word.startsWith(QChar(u'-'));
}

/// The files that a word of `Include` names, which may contain patterns.
QStringList filesOf(const QString& included) {
  QString path = included;
  if (path.startsWith(u"~/"_s)) path = QDir::homePath() + path.mid(1);
  if (QDir::isRelativePath(path)) path = sshFolder() + QChar(u'/') + path;
  const QFileInfo info(path);
  QStringList files;
  for (const QFileInfo& file : QDir(info.path()).entryInfoList({info.fileName()}, QDir::Files)) {
    files.append(file.absoluteFilePath());
  }
  return files;
}

void addAliases(const QString& path, int depth, QStringList& aliases) {
  QFile file(path);
  // Opening a pipe would block.
  if (depth > kMostDepth || !QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return;
  const QString text = QString::fromUtf8(file.read(kMostBytes));
  for (const QString& line : text.split(QChar(u'\n'))) {
    const QStringList words = wordsOf(line);
    const QString keyword = words.value(0);
    for (const QString& word : words.mid(1)) {
      if (keyword == u"include"_s) {
        for (const QString& other : filesOf(word)) addAliases(other, depth + 1, aliases);
      } else if (keyword == u"host"_s && isName(word) && !aliases.contains(word) &&
                 aliases.size() < kMostAliases) {
        aliases.append(word);
      }
    }
  }
}

}  // namespace

QStringList sshAliases(const QString& configFile) {
  QStringList aliases;
  addAliases(configFile, 0, aliases);
  return aliases;
}

QStringList sshAliases() { return sshAliases(sshFolder() + u"/config"_s); }

}  // namespace stagelane::app
