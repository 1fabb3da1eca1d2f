#include "ui/session/document/split_sizes.h"

#include <algorithm>

#include <QObject>
#include <QRegularExpression>
#include <QStringList>

#include "engine/base/find.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

Result<Json> splitFromText(const QString& text, std::int64_t batch) {
  static const QRegularExpression separators(u"[\\s,;]+"_s);
  const QString how = QObject::tr("Enter a number of samples, or several for a sweep: 4, 8, 16");
  Json sizes = Json::array();
  for (const QString& part : text.split(separators, Qt::SkipEmptyParts)) {
    bool isNumber = false;
    const qlonglong size = part.toLongLong(&isNumber);
    if (!isNumber) return refused(QObject::tr("\"%1\" is not a split size").arg(part), how);
    if (size < 1 || size > batch) {
      return refused(QObject::tr("split size %1 is outside the batch of %2").arg(size).arg(batch),
                     QObject::tr("Enter 1 to %1").arg(batch));
    }
    // A repeated size is one point of the sweep.
    if (const Json one = static_cast<std::int64_t>(size); !contains(sizes, one)) {
      sizes.push_back(one);
    }
  }
  if (sizes.empty()) return refused(QObject::tr("the split size is missing"), how);
  return sizes.size() == 1 ? sizes.front() : sizes;
}

Result<std::int64_t> countFromText(const QString& text, const CountRange& range) {
  const QString how = QObject::tr("Enter %1 to %2").arg(range.least).arg(range.most);
  bool isNumber = false;
  const qlonglong count = text.trimmed().toLongLong(&isNumber);
  if (!isNumber) return refused(QObject::tr("\"%1\" is not a number").arg(text), how);
  if (count < range.least || count > range.most) {
    return refused(QObject::tr("%1: %2 is not from %3 to %4")
                       .arg(range.what)
                       .arg(count)
                       .arg(range.least)
                       .arg(range.most),
                   how);
  }
  return static_cast<std::int64_t>(count);
}

QString splitText(const Json& split) {
  if (split.is_number_integer()) return QString::number(split.get<std::int64_t>());
  QStringList parts;
  if (split.is_array()) {
    for (const Json& size : split) parts.append(QString::fromStdString(size.dump()));
  }
  return parts.join(u", "_s);
}

std::int64_t firstSplitSize(std::int64_t batch) {
  constexpr std::int64_t kMicroBatches = 4;
  return std::max<std::int64_t>(1, (batch + kMicroBatches - 1) / kMicroBatches);
}

}  // namespace stagelane::ui
