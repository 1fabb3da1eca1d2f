#include "ui/kit/text/typed_numbers.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>
#include <cmath>
#include <limits>

#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"

namespace stagelane::ui {
namespace {

constexpr qsizetype kMostSizes = 4;
constexpr std::int64_t kMostOfASize = 10'000'000;
constexpr double kAnyNumber = 1e6;  ///< a limit not worth stating

}  // namespace

QString rangeInWords(const NumberRange& range) {
  const QString least = preciseText(range.least, 6);
  const QString most = preciseText(range.most, 6);
  if (range.most >= kAnyNumber) {
    return range.leastExcluded ? QObject::tr("a number above %1").arg(least)
                               : QObject::tr("a number of at least %1").arg(least);
  }
  if (range.leastExcluded) {
    return (range.mostExcluded ? QObject::tr("a number above %1 and below %2")
                               : QObject::tr("a number above %1, up to %2"))
        .arg(least, most);
  }
  return (range.mostExcluded ? QObject::tr("a number from %1 to below %2")
                             : QObject::tr("a number from %1 to %2"))
      .arg(least, most);
}

QString integersInWords(int least, int most) {
  return most == std::numeric_limits<int>::max()
             ? QObject::tr("a whole number of at least %1").arg(least)
             : QObject::tr("a whole number from %1 to %2").arg(least).arg(most);
}

Result<double> numberFromText(const QString& text, const NumberRange& range) {
  bool isNumber = false;
  double value = numberLocale().toDouble(text.trimmed(), &isNumber);
  // Also accepts the format of files, for pasted numbers.
  if (!isNumber) value = text.trimmed().toDouble(&isNumber);
  const bool within = value >= range.least && value <= range.most &&
                      !(range.leastExcluded && value <= range.least) &&
                      !(range.mostExcluded && value >= range.most);
  if (!isNumber || !std::isfinite(value) || !within) {
    return refused(QObject::tr("Enter %1").arg(rangeInWords(range)), {});
  }
  return value;
}

Result<model::Shape> shapeFromText(const QString& text) {
  static const QRegularExpression separators(u"[\\s,;xX×*]+"_s);
  const QStringList parts = text.split(separators, Qt::SkipEmptyParts);
  if (parts.isEmpty() || parts.size() > kMostSizes) {
    return refused(QObject::tr("Enter one to four dimensions, such as 3×128×128"), {});
  }
  model::Shape shape;
  for (const QString& part : parts) {
    bool isNumber = false;
    const qlonglong size = part.toLongLong(&isNumber);
    if (!isNumber || size < 1 || size > kMostOfASize) {
      return refused(
          QObject::tr("\"%1\" is not a dimension. Enter a shape such as 3×128×128").arg(part), {});
    }
    shape.push_back(size);
  }
  return shape;
}

Result<Bytes> bytesFromText(const QString& text) {
  static const QRegularExpression kSize(u"^\\s*([0-9.,eE+]+)\\s*([kmgt]?)(i?)b\\s*$"_s,
                                        QRegularExpression::CaseInsensitiveOption);
  const auto match = kSize.match(text);
  if (!match.hasMatch()) {
    return refused(QObject::tr("Enter a number and its unit, such as 8 GiB or 500 MB"), {});
  }
  const QString prefix = match.captured(2).toUpper();
  const QString unit = prefix + (match.captured(3).isEmpty() ? u"B"_s : u"iB"_s);
  const QString point = numberLocale().decimalPoint();
  return parseBytes(utf8(match.captured(1).replace(point, u"."_s) + unit));
}

}  // namespace stagelane::ui
