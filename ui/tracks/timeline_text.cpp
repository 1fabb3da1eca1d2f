/// Texts for selections, gaps and headers. Part of ui/tracks/timeline_data.h.

#include <QObject>
#include <array>
#include <cstdlib>

#include "engine/base/apportion.h"
#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/legend_filter.h"
#include "ui/session/prediction/prediction_error.h"
#include "ui/tracks/target_text.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

using detail::deviceName;
using detail::placeText;

void addTimes(TargetText& text, TimeNs startNs, TimeNs durationNs) {
  text.facts.emplace_back(QObject::tr("Start"), timeText(startNs));
  text.facts.emplace_back(QObject::tr("Duration"), timeText(durationNs));
}

void addPrediction(TargetText& text, const TimelineData& data, std::size_t event) {
  const auto predicted = data.predictedEvent(event);
  if (!predicted) return;
  const TimeNs expected = data.predicted()->durationsNs()[*predicted];
  const TimeNs measured = data.trace().durationsNs()[event];
  QString value = timeText(expected);
  if (const auto error = predictionError(expected, measured)) {
    value += QObject::tr(" (%1 relative to measured)").arg(percentDifferenceText(*error));
  }
  text.facts.emplace_back(QObject::tr("Predicted"), value);
}

TargetText describeEvent(const TimelineData& data, const TimelineTarget& target) {
  const trace::EventView event = data.trace().event(target.event);
  const std::int32_t device = data.deviceOfEvent(target.event);
  TargetText text;
  text.title = QObject::tr("%1 on %2").arg(qstring(event.name), deviceName(data, device));
  const QString place = placeText(event);
  text.facts.emplace_back(QObject::tr("Kind"), categoryText(event.category));
  if (!place.isEmpty()) text.facts.emplace_back(QObject::tr("Where"), place);
  addTimes(text, event.startNs - data.startNs(), event.durationNs);
  addPrediction(text, data, target.event);
  if (const trace::Transfer* transfer = data.trace().transferOf(target.event)) {
    if (transfer->bytes > 0) {
      text.facts.emplace_back(QObject::tr("Bytes"), bytesText(transfer->bytes));
    }
    if (transfer->peer >= 0) {
      text.facts.emplace_back(QObject::tr("Peer"), deviceName(data, transfer->peer));
    }
  }
  return text;
}

/// An action of the predicted step with its measured counterpart.
TargetText describePredicted(const TimelineData& data, const TimelineTarget& target) {
  const trace::EventView event = data.predicted()->event(target.event);
  TargetText text;
  text.title =
      QObject::tr("%1 on %2, predicted").arg(qstring(event.name), deviceName(data, target.device));
  addTimes(text, data.spanOf(target).first, event.durationNs);
  const auto twin = data.measuredEvent(target.event);
  if (!twin) {
    text.facts.emplace_back(QObject::tr("Measured"), QObject::tr("not in this step"));
    return text;
  }
  const auto [start, end] = data.spanOf({.kind = TimelineTarget::Kind::Event, .event = *twin});
  text.facts.emplace_back(QObject::tr("Measured"), timeText(end - start));
  const TimeNs longer = end - start - event.durationNs;
  const TimeNs later = start - data.spanOf(target).first;
  text.facts.emplace_back(
      QObject::tr("Difference"),
      QObject::tr("%1, started %2")
          .arg(longer == 0 ? QObject::tr("same duration")
                           : timeText(std::abs(longer)) +
                                 (longer > 0 ? QObject::tr(" longer") : QObject::tr(" shorter")),
               later == 0 ? QObject::tr("as predicted")
                          : timeText(std::abs(later)) +
                                (later > 0 ? QObject::tr(" later") : QObject::tr(" earlier"))));
  return text;
}

QString oneDecimal(double percent) { return numberText(percent, 1); }

/// The predicted idle share of the device of the same name, in percent.
std::optional<double> predictedIdle(const TimelineData& data, std::int32_t device) {
  if (data.predictedStep() == nullptr) return std::nullopt;
  for (const analysis::DeviceStep& twin : data.predictedStep()->devices) {
    if (data.predicted()->devices()[static_cast<std::size_t>(twin.device)] ==
        data.trace().devices()[static_cast<std::size_t>(device)]) {
      return roundedPercentages({twin.idleNs(), twin.busyNs()}, 1).front();
    }
  }
  return std::nullopt;
}

HeaderText figuresText(const TimelineData& data, std::size_t place) {
  const analysis::DeviceStep& step = data.step().devices[place];
  const auto parts = analysis::idleParts(data.trace(), data.step(), place);
  std::vector<TimeNs> times;
  for (const analysis::IdlePart& part : parts) times.push_back(part.timeNs);
  const std::vector<double> percent = roundedBusyAndIdle({step.busyNs()}, times, 1);
  double idle = 0.0;
  QStringList causes;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    idle += percent[i + 1];
    if (percent[i + 1] < 0.05) continue;
    causes << oneDecimal(percent[i + 1]) + QChar(u' ') + idlePartText(parts[i]);
  }
  HeaderText text{QObject::tr("busy %1 %").arg(oneDecimal(percent.front())),
                  QObject::tr("idle %1 %").arg(oneDecimal(idle))};
  if (const auto predicted = predictedIdle(data, step.device)) {
    text.idle += QObject::tr(" (predicted %1)").arg(oneDecimal(*predicted));
  }
  if (!causes.empty()) text.idle += u": "_s + causes.join(u", "_s);
  return text;
}

}  // namespace

namespace detail {

QString deviceName(const TimelineData& data, std::int32_t device) {
  if (device < 0) return QObject::tr("an unknown device");
  return qstring(data.trace().devices()[static_cast<std::size_t>(device)]);
}

QString placeText(const trace::EventView& event) {
  QStringList parts;
  if (event.stage.valid()) parts << QObject::tr("stage %1").arg(event.stage.value);
  if (event.microBatch.valid()) parts << QObject::tr("micro-batch %1").arg(event.microBatch.value);
  return parts.join(u", "_s);
}

}  // namespace detail

TargetText describeTarget(const TimelineData& data, const TimelineTarget& target) {
  switch (target.kind) {
    case TimelineTarget::Kind::Event: return describeEvent(data, target);
    case TimelineTarget::Kind::Gap: return detail::describeGap(data, target);
    case TimelineTarget::Kind::Predicted: return describePredicted(data, target);
    case TimelineTarget::Kind::None: break;
  }
  return {};
}

HeaderText headerText(const TimelineData& data, std::int32_t device) {
  const auto& devices = data.step().devices;
  for (std::size_t place = 0; place < devices.size(); ++place) {
    if (devices[place].device == device) return figuresText(data, place);
  }
  if (devices.empty()) {
    return {{},
            QObject::tr("%1: no compute events recognized in this trace")
                .arg(detail::deviceName(data, device))};
  }
  return {{}, QObject::tr("%1: no compute in this step").arg(detail::deviceName(data, device))};
}

QString headerSentence(const TimelineData& data, std::int32_t device) {
  const HeaderText text = headerText(data, device);
  return text.busy.isEmpty() ? text.idle : text.busy + u", "_s + text.idle;
}

QString causeText(analysis::Cause cause) {
  switch (cause) {
    case analysis::Cause::Forward: return QObject::tr("forward");
    case analysis::Cause::Backward: return QObject::tr("backward");
    case analysis::Cause::BackwardInput: return QObject::tr("input half");
    case analysis::Cause::BackwardWeight: return QObject::tr("weight half");
    case analysis::Cause::Optimizer: return QObject::tr("optimizer");
    case analysis::Cause::Warmup: return QObject::tr("warm-up");
    case analysis::Cause::Drain: return QObject::tr("drain");
    case analysis::Cause::Tail: return QObject::tr("tail");
    case analysis::Cause::Starved: return QObject::tr("starved");
    case analysis::Cause::TransferWait: return QObject::tr("transfer");
    case analysis::Cause::Host: return QObject::tr("host");
    case analysis::Cause::Unattributed: return QObject::tr("unattributed");
    case analysis::Cause::Compute: break;
  }
  return QObject::tr("compute");
}

QString idlePartText(const analysis::IdlePart& part) {
  return part.by.empty() ? causeText(part.cause)
                         : QObject::tr("starved by %1").arg(qstring(part.by));
}

QString idleText(const trace::Trace& trace, const analysis::StepBreakdown& step,
                 std::size_t device) {
  if (device >= step.devices.size()) return {};
  QStringList causes;
  int idle = 0;
  for (const analysis::IdlePart& part : analysis::idleParts(trace, step, device)) {
    if (part.percent == 0) continue;
    idle += part.percent;
    causes << u"%1 %2"_s.arg(part.percent).arg(idlePartText(part));
  }
  const auto index = static_cast<std::size_t>(step.devices[device].device);
  const QString text = QObject::tr("%1 idle %2 %").arg(qstring(trace.devices()[index])).arg(idle);
  return causes.isEmpty() ? text : text + u": "_s + causes.join(u", "_s);
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
  static constexpr std::array kTexts{QT_TRANSLATE_NOOP("QObject", "forward"),
                                     QT_TRANSLATE_NOOP("QObject", "backward"),
                                     QT_TRANSLATE_NOOP("QObject", "input half"),
                                     QT_TRANSLATE_NOOP("QObject", "weight half"),
                                     QT_TRANSLATE_NOOP("QObject", "loss"),
                                     QT_TRANSLATE_NOOP("QObject", "copy out, activation"),
                                     QT_TRANSLATE_NOOP("QObject", "copy in, activation"),
                                     QT_TRANSLATE_NOOP("QObject", "copy out, gradient"),
                                     QT_TRANSLATE_NOOP("QObject", "copy in, gradient"),
                                     QT_TRANSLATE_NOOP("QObject", "optimizer"),
                                     QT_TRANSLATE_NOOP("QObject", "all-reduce"),
                                     QT_TRANSLATE_NOOP("QObject", "operator"),
                                     QT_TRANSLATE_NOOP("QObject", "kernel"),
                                     QT_TRANSLATE_NOOP("QObject", "copy"),
                                     QT_TRANSLATE_NOOP("QObject", "synchronization"),
                                     QT_TRANSLATE_NOOP("QObject", "other")};
  const auto index = static_cast<std::size_t>(category);
  return QObject::tr(index < kTexts.size() ? kTexts[index] : kTexts.back());
}

}  // namespace stagelane::ui
