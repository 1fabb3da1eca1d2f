#include "app/engine_client/remote/run_words.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {

std::string newRunId() {
  const QString time = QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss"_s);
  const QString number = QString::number(QRandomGenerator::system()->generate(), 16);
  return ui::utf8(time + u'-' + number);
}

int retryDelayMs(int attempts) {
  constexpr int kFirstMs = 500;
  constexpr int kLongestMs = 15'000;
  int delay = kFirstMs;
  for (int i = 1; i < attempts && delay < kLongestMs; ++i) delay *= 2;
  return std::min(delay, kLongestMs);
}

SshCommand tarCommand(const QStringList& arguments) { return {u"tar"_s, arguments}; }

QString pathText(const std::filesystem::path& path) { return ui::qstring(path.string()); }

qsizetype numberAt(const QList<QByteArray>& words, qsizetype index, qsizetype fallback) {
  bool isNumber = false;
  const qlonglong number = words.value(index).toLongLong(&isNumber);
  return isNumber ? static_cast<qsizetype>(number) : fallback;
}

}  // namespace stagelane::app
