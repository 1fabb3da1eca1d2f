/// Descriptions of gaps. Part of ui/tracks/timeline_data.h.

#include <QObject>

#include "engine/base/find.h"
#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"
#include "ui/tracks/step_clock.h"
#include "ui/tracks/target_text.h"

namespace stagelane::ui::detail {
namespace {

/// Pieces of a gap with the same cause and culprit, merged.
struct Wait {
  analysis::Piece longest;
  TimeNs timeNs = 0;
};

/// "starved by cuda:0 (F, stage 0, micro-batch 3)".
QString pieceText(const TimelineData& data, const analysis::Piece& piece) {
  QString text = causeText(piece.cause);
  if (piece.cause != analysis::Cause::Starved) return text;
  if (piece.blamed >= 0) text += QObject::tr(" by ") + deviceName(data, piece.blamed);
  if (piece.event >= 0) {
    const trace::EventView event = data.trace().event(static_cast<std::size_t>(piece.event));
    const QString place = placeText(event);
    text += u" (%1%2)"_s.arg(qstring(trace::word(event.category)),
                             place.isEmpty() ? place : u", "_s + place);
  }
  return text;
}

/// "B4 on cuda:1".
QString eventName(const TimelineData& data, std::size_t event) {
  const std::int32_t device = data.deviceOfEvent(event);
  const QString name = qstring(data.trace().event(event).name);
  return device < 0 ? name : QObject::tr("%1 on %2").arg(name, deviceName(data, device));
}

QString starvedWhy(const TimelineData& data, const analysis::Piece& piece, const QString& ended) {
  if (piece.event >= 0) {
    return QObject::tr("until %1 ended at %2")
        .arg(eventName(data, static_cast<std::size_t>(piece.event)), ended);
  }
  return piece.blamed >= 0
             ? QObject::tr("until the data was ready on %1").arg(deviceName(data, piece.blamed))
             : QObject::tr("the trace does not record the source");
}

QString transferWhy(const TimelineData& data, const analysis::Piece& piece, const QString& ended) {
  if (piece.event < 0) return QObject::tr("transfer in progress");
  const auto event = static_cast<std::size_t>(piece.event);
  const trace::Transfer* transfer = data.trace().transferOf(event);
  return transfer != nullptr && transfer->bytes > 0
             ? QObject::tr("%1 arrived at %2").arg(bytesText(transfer->bytes), ended)
             : QObject::tr("%1 ended at %2").arg(eventName(data, event), ended);
}

QString whyText(const TimelineData& data, const analysis::Piece& piece, const StepClock& clock) {
  QString ended;
  if (piece.event >= 0) {
    const auto event = static_cast<std::size_t>(piece.event);
    ended = clock.text(data.trace().startsNs()[event] + data.trace().durationsNs()[event] -
                       data.startNs());
  }
  switch (piece.cause) {
    case analysis::Cause::Warmup: return QObject::tr("before its first work");
    case analysis::Cause::Drain: return QObject::tr("after its last work");
    case analysis::Cause::Tail: return QObject::tr("all devices had finished computing");
    case analysis::Cause::Starved: return starvedWhy(data, piece, ended);
    case analysis::Cause::TransferWait: return transferWhy(data, piece, ended);
    case analysis::Cause::Host: return QObject::tr("the tensor was ready; the worker started late");
    default: return QObject::tr("the trace does not record the cause");
  }
}

std::vector<Wait> waitsOf(const analysis::DeviceStep& step, const TimelineTarget& gap) {
  std::vector<Wait> waits;
  for (std::size_t i = gap.firstPiece; i <= gap.lastPiece; ++i) {
    const analysis::Piece& piece = step.pieces[i];
    const TimeNs length = piece.endNs - piece.startNs;
    auto* same = findIf(waits, [&](const Wait& wait) {
      return wait.longest.cause == piece.cause && wait.longest.blamed == piece.blamed;
    });
    if (same == nullptr) {
      waits.push_back({piece, length});
      continue;
    }
    if (length > same->longest.endNs - same->longest.startNs) same->longest = piece;
    same->timeNs += length;
  }
  return waits;
}

void addParts(TargetText& text, const TimelineData& data, const std::vector<Wait>& waits,
              const StepClock& clock) {
  std::vector<TimeNs> times;
  for (const Wait& wait : waits) times.push_back(wait.timeNs);
  const std::vector<double> percent = roundedPercentages(times, 0);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    QString name = causeText(waits[i].longest.cause);
    name[0] = name[0].toUpper();
    text.parts.push_back({waits[i].longest.cause, name, timeText(waits[i].timeNs),
                          u"%1 %"_s.arg(percent[i], 0, 'f', 0),
                          whyText(data, waits[i].longest, clock)});
  }
}

/// The longest starvation of the device; if there is none, the copy that it waited for.
void addCulprit(TargetText& text, const TimelineData& data, const std::vector<Wait>& waits) {
  for (const auto cause : {analysis::Cause::Starved, analysis::Cause::TransferWait}) {
    const Wait* worst = nullptr;
    for (const Wait& wait : waits) {
      if (wait.longest.cause != cause || wait.longest.event < 0) continue;
      if (worst == nullptr || wait.timeNs > worst->timeNs) worst = &wait;
    }
    if (worst == nullptr) continue;
    const auto event = static_cast<std::size_t>(worst->longest.event);
    text.culprit = {
        .kind = TimelineTarget::Kind::Event, .event = event, .device = data.deviceOfEvent(event)};
    text.culpritName = eventName(data, event);
    return;
  }
}

}  // namespace

TargetText describeGap(const TimelineData& data, const TimelineTarget& target) {
  const analysis::DeviceStep& step = *data.deviceStep(target.device);
  const auto [start, end] = data.spanOf(target);
  const StepClock clock(end, end - start);
  TargetText text;
  text.title = QObject::tr("gap on %1, %2 – %3")
                   .arg(deviceName(data, target.device), clock.number(start), clock.text(end));
  if (target.lastPiece + 1 < step.pieces.size()) {
    const std::int64_t next = step.pieces[target.lastPiece + 1].event;
    if (next >= 0) {
      text.title += QObject::tr(", before %1")
                        .arg(qstring(data.trace().event(static_cast<std::size_t>(next)).name));
    }
  }
  std::vector<TimeNs> times;
  for (std::size_t i = target.firstPiece; i <= target.lastPiece; ++i) {
    times.push_back(step.pieces[i].endNs - step.pieces[i].startNs);
  }
  const QStringList rounded = partsOfTime(times);
  QStringList said;
  for (std::size_t i = 0; i < times.size(); ++i) {
    // The table below the sentence lists the parts omitted here.
    if (numberLocale().toDouble(rounded[static_cast<qsizetype>(i)]) == 0.0) continue;
    said << rounded[static_cast<qsizetype>(i)] + QChar(u' ') +
                pieceText(data, step.pieces[target.firstPiece + i]);
  }
  text.sentence =
      QObject::tr("%1 idle %2: %3")
          .arg(deviceName(data, target.device), timeText(end - start), said.join(u", "_s));
  const std::vector<Wait> waits = waitsOf(step, target);
  addParts(text, data, waits, clock);
  addCulprit(text, data, waits);
  return text;
}

}  // namespace stagelane::ui::detail
