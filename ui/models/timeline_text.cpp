/// Words for what the timeline shows: selections, gaps, headers. Part of ui/models/timeline_data.h.

#include <array>
#include <cstdlib>

#include "engine/base/text.h"
#include "ui/models/formatting.h"
#include "ui/models/timeline_data.h"

namespace stagelane::ui {
namespace {

QString deviceName(const TimelineData& data, std::int32_t device) {
  if (device < 0) return QStringLiteral("an unknown device");
  return qstring(data.trace().devices()[static_cast<std::size_t>(device)]);
}

QString placeText(const trace::EventView& event) {
  QStringList parts;
  if (event.stage.valid()) parts << QStringLiteral("stage %1").arg(event.stage.value);
  if (event.microBatch.valid()) {
    parts << QStringLiteral("micro-batch %1").arg(event.microBatch.value);
  }
  return parts.join(QStringLiteral(", "));
}

void addTimes(TargetText& text, TimeNs startNs, TimeNs durationNs) {
  text.facts.emplace_back(QStringLiteral("Start"), timeText(startNs));
  text.facts.emplace_back(QStringLiteral("Duration"), timeText(durationNs));
}

void addPrediction(TargetText& text, const TimelineData& data, std::size_t event) {
  const auto predicted = data.predictedEvent(event);
  if (!predicted) return;
  const TimeNs expected = data.predicted()->durationsNs()[*predicted];
  const TimeNs measured = data.trace().durationsNs()[event];
  QString value = timeText(expected);
  if (expected > 0) {
    value += QStringLiteral(" (measured %1)")
                 .arg(percentDifferenceText(static_cast<double>(measured - expected) /
                                            static_cast<double>(expected)));
  }
  text.facts.emplace_back(QStringLiteral("Predicted"), value);
}

TargetText describeEvent(const TimelineData& data, const TimelineTarget& target) {
  const trace::EventView event = data.trace().event(target.event);
  const std::int32_t device = data.deviceOfEvent(target.event);
  TargetText text;
  text.title = QStringLiteral("%1 on %2").arg(qstring(event.name), deviceName(data, device));
  const QString place = placeText(event);
  text.facts.emplace_back(QStringLiteral("Kind"), categoryText(event.category));
  if (!place.isEmpty()) text.facts.emplace_back(QStringLiteral("Where"), place);
  addTimes(text, event.startNs - data.startNs(), event.durationNs);
  addPrediction(text, data, target.event);
  if (const trace::Transfer* transfer = data.trace().transferOf(target.event)) {
    if (transfer->bytes > 0) {
      text.facts.emplace_back(QStringLiteral("Bytes"), bytesText(transfer->bytes));
    }
    if (transfer->peer >= 0) {
      text.facts.emplace_back(QStringLiteral("Peer"), deviceName(data, transfer->peer));
    }
  }
  return text;
}

/// An action of the predicted step beside what was measured of it.
TargetText describePredicted(const TimelineData& data, const TimelineTarget& target) {
  const trace::EventView event = data.predicted()->event(target.event);
  TargetText text;
  text.title = QStringLiteral("%1 on %2, predicted")
                   .arg(qstring(event.name), deviceName(data, target.device));
  addTimes(text, data.spanOf(target).first, event.durationNs);
  const auto twin = data.measuredEvent(target.event);
  if (!twin) {
    text.facts.emplace_back(QStringLiteral("Measured"), QStringLiteral("not in this step"));
    return text;
  }
  const auto [start, end] = data.spanOf({.kind = TimelineTarget::Kind::Event, .event = *twin});
  text.facts.emplace_back(QStringLiteral("Measured"), timeText(end - start));
  const TimeNs longer = end - start - event.durationNs;
  const TimeNs later = start - data.spanOf(target).first;
  text.facts.emplace_back(
      QStringLiteral("Difference"),
      QStringLiteral("%1, began %2")
          .arg(longer == 0 ? QStringLiteral("as long")
                           : timeText(std::abs(longer)) + (longer > 0 ? QStringLiteral(" longer")
                                                                      : QStringLiteral(" shorter")),
               later == 0 ? QStringLiteral("as predicted")
                          : timeText(std::abs(later)) + (later > 0 ? QStringLiteral(" later")
                                                                   : QStringLiteral(" earlier"))));
  return text;
}

/// "starved by cuda:0 (F, stage 0, micro-batch 3)".
QString pieceText(const TimelineData& data, const analysis::Piece& piece) {
  QString text = causeText(piece.cause);
  if (piece.cause != analysis::Cause::Starved) return text;
  if (piece.blamed >= 0) text += QStringLiteral(" by ") + deviceName(data, piece.blamed);
  if (piece.event >= 0) {
    const trace::EventView event = data.trace().event(static_cast<std::size_t>(piece.event));
    const QString place = placeText(event);
    text += QStringLiteral(" (%1%2)").arg(qstring(trace::word(event.category)),
                                          place.isEmpty() ? place : QStringLiteral(", ") + place);
  }
  return text;
}

TargetText describeGap(const TimelineData& data, const TimelineTarget& target) {
  const analysis::DeviceStep& step = *data.deviceStep(target.device);
  const auto [start, end] = data.spanOf(target);
  TargetText text;
  text.title = QStringLiteral("gap on %1").arg(deviceName(data, target.device));
  if (target.lastPiece + 1 < step.pieces.size()) {
    const std::int64_t next = step.pieces[target.lastPiece + 1].event;
    if (next >= 0) {
      text.title += QStringLiteral(", before %1")
                        .arg(qstring(data.trace().event(static_cast<std::size_t>(next)).name));
    }
  }
  QStringList parts;
  for (std::size_t i = target.firstPiece; i <= target.lastPiece; ++i) {
    const analysis::Piece& piece = step.pieces[i];
    const TimeNs length = piece.endNs - piece.startNs;
    parts << QStringLiteral("%1 %2").arg(timeInUnitOf(length, end - start), pieceText(data, piece));
    text.facts.emplace_back(
        pieceText(data, piece),
        QStringLiteral("%1, %2").arg(
            timeText(length), percentText(static_cast<double>(length) /
                                          static_cast<double>(std::max<TimeNs>(1, end - start)))));
  }
  text.sentence = QStringLiteral("%1 idle %2: %3")
                      .arg(deviceName(data, target.device), timeText(end - start),
                           parts.join(QStringLiteral(", ")));
  addTimes(text, start, end - start);
  return text;
}

}  // namespace

TargetText describeTarget(const TimelineData& data, const TimelineTarget& target) {
  switch (target.kind) {
    case TimelineTarget::Kind::Event: return describeEvent(data, target);
    case TimelineTarget::Kind::Gap: return describeGap(data, target);
    case TimelineTarget::Kind::Predicted: return describePredicted(data, target);
    case TimelineTarget::Kind::None: break;
  }
  return {};
}

QString headerSentence(const TimelineData& data, std::int32_t device) {
  const auto& devices = data.step().devices;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].device == device) {
      return qstring(analysis::idleSentence(data.trace(), data.step(), i));
    }
  }
  if (devices.empty()) {
    return QStringLiteral("%1: nothing in this trace is known to be computed")
        .arg(deviceName(data, device));
  }
  return QStringLiteral("%1: computes nothing here").arg(deviceName(data, device));
}

QString causeText(analysis::Cause cause) {
  switch (cause) {
    case analysis::Cause::Warmup: return QStringLiteral("warm-up");
    case analysis::Cause::BackwardInput: return QStringLiteral("input half");
    case analysis::Cause::BackwardWeight: return QStringLiteral("weight half");
    default: return qstring(analysis::word(cause));
  }
}

trace::Category legendCategory(trace::Category category) {
  if (category == trace::Category::Loss) return trace::Category::Forward;
  const auto action = trace::actionKindOf(category);
  return action && isTransfer(*action) ? trace::Category::Copy : category;
}

std::vector<trace::Category> legendEntries(trace::CategoryMask categories) {
  trace::CategoryMask merged = 0;
  for (std::size_t index = 0; index < trace::kCategoryCount; ++index) {
    const auto category = static_cast<trace::Category>(index);
    if ((categories & trace::maskOf(category)) != 0) {
      merged = static_cast<trace::CategoryMask>(merged | trace::maskOf(legendCategory(category)));
    }
  }
  std::vector<trace::Category> entries;
  for (std::size_t index = 0; index < trace::kCategoryCount; ++index) {
    const auto category = static_cast<trace::Category>(index);
    if ((merged & trace::maskOf(category)) != 0) entries.push_back(category);
  }
  return entries;
}

QString categoryText(trace::Category category) {
  static const std::array<QString, 16> kTexts{QStringLiteral("forward"),
                                              QStringLiteral("backward"),
                                              QStringLiteral("input half"),
                                              QStringLiteral("weight half"),
                                              QStringLiteral("loss"),
                                              QStringLiteral("copy out, activation"),
                                              QStringLiteral("copy in, activation"),
                                              QStringLiteral("copy out, gradient"),
                                              QStringLiteral("copy in, gradient"),
                                              QStringLiteral("optimizer"),
                                              QStringLiteral("all-reduce"),
                                              QStringLiteral("operator"),
                                              QStringLiteral("kernel"),
                                              QStringLiteral("copy"),
                                              QStringLiteral("synchronisation"),
                                              QStringLiteral("other")};
  const auto index = static_cast<std::size_t>(category);
  return index < kTexts.size() ? kTexts[index] : kTexts.back();
}

}  // namespace stagelane::ui
