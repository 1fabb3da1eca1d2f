#include "ui/kit/text/formatting.h"

#include <QObject>
#include <array>
#include <cmath>

#include "engine/plan/device.h"
#include "ui/kit/text/sentence.h"
#include "ui/kit/text/translation.h"

namespace stagelane::ui {
namespace {

const QChar kMinus(0x2212);
const QChar kTimes(0x00D7);
const QChar kEnDash(0x2013);

int decimalsOf(double value) {
  const double size = std::abs(value);
  return size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
}

/// At most three significant digits; trailing zeros are kept so that columns do not jump.
QString significant(double value) { return numberText(value, decimalsOf(value)); }

struct TimeUnit {
  double ns;
  QString name;
};

TimeUnit timeUnitOf(TimeNs ns) {
  const double size = std::abs(static_cast<double>(ns));
  if (size < 999.5) return {1.0, u"ns"_s};
  if (size < 999.5e3) return {1e3, u"µs"_s};
  if (size < 999.5e6) return {1e6, u"ms"_s};
  return {1e9, u"s"_s};
}

struct ByteUnit {
  double size;
  QLatin1String name;
};

ByteUnit unitOf(Bytes bytes) {
  static const std::array<ByteUnit, 5> kUnits{{{1.0, QLatin1String("B")},
                                               {1024.0, QLatin1String("KiB")},
                                               {1048576.0, QLatin1String("MiB")},
                                               {1073741824.0, QLatin1String("GiB")},
                                               {1099511627776.0, QLatin1String("TiB")}}};
  std::size_t index = 0;
  while (index + 1 < kUnits.size() &&
         std::abs(static_cast<double>(bytes)) >= kUnits[index + 1].size * 0.9995) {
    ++index;
  }
  return kUnits[index];
}

/// At most one decimal; none for whole numbers and from 100 up.
QString inUnit(Bytes bytes, const ByteUnit& unit) {
  const double value = static_cast<double>(bytes) / unit.size;
  const double tenths = std::round(value * 10.0) / 10.0;
  const bool whole = std::abs(tenths) >= 99.95 || std::floor(tenths) == tenths;
  return numberText(value, whole ? 0 : 1);
}

}  // namespace

QString numberText(double value, int decimals) {
  return numberLocale().toString(value, 'f', decimals).replace(QLatin1Char('-'), kMinus);
}

QString preciseText(double value, int digits) {
  return numberLocale().toString(value, 'g', digits);
}

QString timeText(TimeNs ns) {
  if (ns == 0) return u"0 ms"_s;
  const TimeUnit unit = timeUnitOf(ns);
  const double value = static_cast<double>(ns) / unit.ns;
  return (unit.ns == 1.0 ? numberText(value, 0) : significant(value)) + QChar(u' ') + unit.name;
}

QString timeInUnitOf(TimeNs ns, TimeNs whole) {
  const TimeUnit unit = timeUnitOf(whole);
  const int decimals = unit.ns == 1.0 ? 0 : decimalsOf(static_cast<double>(whole) / unit.ns);
  return numberText(static_cast<double>(ns) / unit.ns, decimals);
}

QString secondsText(double seconds) {
  return timeText(static_cast<TimeNs>(std::llround(seconds * 1e9)));
}

QString columnText(double value) { return numberText(value, std::abs(value) >= 99.95 ? 0 : 1); }

QString timeDifferenceText(TimeNs differenceNs) {
  if (differenceNs == 0) return QChar(0x00B1) + u"0 ms"_s;
  const QString size = timeText(differenceNs < 0 ? -differenceNs : differenceNs);
  return (differenceNs < 0 ? QString(kMinus) : u"+"_s) + size;
}

QString durationText(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 90) return u"%1 s"_s.arg(whole);
  const long long minutes = (whole + 30) / 60;
  if (minutes < 60) return u"%1 min"_s.arg(minutes);
  return minutes % 60 == 0 ? u"%1 h"_s.arg(minutes / 60)
                           : u"%1 h %2 min"_s.arg(minutes / 60).arg(minutes % 60);
}

QString bytesText(Bytes bytes) {
  const ByteUnit unit = unitOf(bytes);
  return inUnit(bytes, unit) + QLatin1Char(' ') + unit.name;
}

QString bytesOfText(Bytes used, Bytes total, const QString& separator) {
  const ByteUnit unit = unitOf(total);
  // If far above the total, "24669536 / 1000 B" would be unreadable.
  if (used >= 10'000 && used / 10 >= total) return bytesText(used) + separator + bytesText(total);
  return inUnit(used, unit) + separator + inUnit(total, unit) + QLatin1Char(' ') + unit.name;
}

QString countText(std::int64_t count) {
  if (count == 0) return QString(kEnDash);
  const double value = static_cast<double>(count);
  if (value < 1e3) return QString::number(count);
  if (value < 999.5e3) return numberText(value / 1e3, 0) + u" k"_s;
  const bool giga = value >= 999.95e6;
  return numberText(value / (giga ? 1e9 : 1e6), 1) + (giga ? u" G"_s : u" M"_s);
}

QString percentText(double fraction, int decimals) {
  return numberText(fraction * 100.0, decimals) + u" %"_s;
}

QString percentDifferenceText(double fraction, int decimals) {
  const double percent = std::abs(fraction) * 100.0;
  const bool none = percent * std::pow(10.0, decimals) < 0.5;
  const QChar sign = none ? QChar(0x00B1) : fraction < 0 ? kMinus : QChar(u'+');
  return sign + numberText(none ? 0.0 : percent, none ? 0 : decimals) + u" %"_s;
}

QString timesText(double factor) {
  // Two decimals so that columns do not jump; more only where two would leave no digits.
  constexpr int kMostDecimals = 5;
  const bool tiny = factor > 0.5 * std::pow(10.0, -kMostDecimals) && factor < 0.0995;
  const int decimals =
      tiny ? std::min(kMostDecimals, 2 - static_cast<int>(std::floor(std::log10(factor)))) : 2;
  return numberText(factor, decimals) + kTimes;
}

QString shapeText(const std::vector<std::int64_t>& shape) {
  QStringList parts;
  for (const std::int64_t size : shape) parts.append(QString::number(size));
  return parts.join(kTimes);
}

QString rangeText(const QString& first, const QString& last) {
  return first == last ? first : first + kEnDash + last;
}

QString countedText(std::int64_t count, const QString& one, const QString& many) {
  return QString::number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

QString deviceKindText(const DeviceId& device) {
  const auto parsed = plan::parseDevice(device);
  if (!parsed) return QObject::tr("unknown device");
  switch (parsed->kind) {
    case plan::DeviceKind::CpuWorker: return QObject::tr("CPU worker");
    case plan::DeviceKind::Gpu: return u"GPU"_s;
    case plan::DeviceKind::GpuPartition:
      return QObject::tr("GPU partition %1 of %2").arg(parsed->partition).arg(parsed->partitions);
    case plan::DeviceKind::Imagined: return QObject::tr("imagined device");
  }
  return {};
}

QString errorText(const Error& error) {
  // Names of hosts look like words.
  const bool beginsWithHost =
      !error.failure.host.empty() && error.message.rfind(error.failure.host, 0) == 0;
  QString text = beginsWithHost ? qstring(error.message) : asSentence(qstring(error.message));
  if (!error.context.empty()) text += QObject::tr(" (at %1)").arg(qstring(error.context));
  if (!error.hint.empty()) text += u". "_s + asSentence(qstring(error.hint));
  return text;
}

QString sentenceText(const Error& error) {
  Error without = error;
  without.context.clear();
  return errorText(without);
}

tl::unexpected<Error> refused(const QString& message, const QString& hint,
                              const std::string& context) {
  return fail(ErrorCode::Invalid, utf8(message), context, utf8(hint));
}

QString qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string utf8(const QString& text) { return text.toStdString(); }

}  // namespace stagelane::ui
