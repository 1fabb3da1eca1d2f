#include "ui/kit/text/typed_numbers.h"

#include <QRegularExpression>
#include <QStringList>
#include <cmath>
#include <limits>

#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr qsizetype kMostSizes = 4;
constexpr std::int64_t kMostOfASize = 10'000'000;
constexpr double kAnyNumber = 1e6;  ///< a limit that need not be told

tl::unexpected<Error> refused(const QString& message, const QString& hint) {
  return fail(ErrorCode::Invalid, utf8(message), "", utf8(hint));
}

}  // namespace

QString rangeInWords(const NumberRange& range) {
  const QString from = range.leastExcluded ? QStringLiteral("above %1").arg(range.least)
                                           : QStringLiteral("from %1").arg(range.least);
  if (range.most >= kAnyNumber) {
    return range.leastExcluded ? QStringLiteral("a number %1").arg(from)
                               : QStringLiteral("a number %1 on").arg(from);
  }
  return QStringLiteral("a number %1 to %2%3")
      .arg(from, range.mostExcluded ? QStringLiteral("below ") : QString())
      .arg(range.most);
}

QString integersInWords(int least, int most) {
  return most == std::numeric_limits<int>::max()
             ? QStringLiteral("a whole number from %1 on").arg(least)
             : QStringLiteral("a whole number from %1 to %2").arg(least).arg(most);
}

Result<double> numberFromText(const QString& text, const NumberRange& range) {
  bool isNumber = false;
  const double value = text.trimmed().toDouble(&isNumber);
  const bool within = value >= range.least && value <= range.most &&
                      !(range.leastExcluded && value <= range.least) &&
                      !(range.mostExcluded && value >= range.most);
  if (!isNumber || !std::isfinite(value) || !within) {
    return refused(QStringLiteral("Write %1").arg(rangeInWords(range)), {});
  }
  return value;
}

Result<model::Shape> shapeFromText(const QString& text) {
  static const QRegularExpression separators(QStringLiteral("[\\s,;xX×*]+"));
  const QStringList parts = text.split(separators, Qt::SkipEmptyParts);
  if (parts.isEmpty() || parts.size() > kMostSizes) {
    return refused(QStringLiteral("Write one to four sizes of a sample: 3×128×128"), {});
  }
  model::Shape shape;
  for (const QString& part : parts) {
    bool isNumber = false;
    const qlonglong size = part.toLongLong(&isNumber);
    if (!isNumber || size < 1 || size > kMostOfASize) {
      return refused(QStringLiteral("\"%1\" is no size; write 3×128×128").arg(part), {});
    }
    shape.push_back(size);
  }
  return shape;
}

Result<Bytes> bytesFromText(const QString& text) {
  static const QRegularExpression kSize(QStringLiteral("^\\s*([0-9.eE+]+)\\s*([kmgt]?)(i?)b\\s*$"),
                                        QRegularExpression::CaseInsensitiveOption);
  const auto match = kSize.match(text);
  if (!match.hasMatch()) {
    return refused(QStringLiteral("Write a number and its unit: 8 GiB, 500 MB"), {});
  }
  const QString prefix = match.captured(2).toUpper();
  const QString unit =
      prefix + (match.captured(3).isEmpty() ? QStringLiteral("B") : QStringLiteral("iB"));
  return parseBytes(utf8(match.captured(1) + unit));
}

}  // namespace stagelane::ui
