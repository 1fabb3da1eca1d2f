#include "ui/timeline/prepared_step.h"

#include <algorithm>
#include <memory>

#include "profiler/analysis/idle.h"
#include "ui/timeline/timeline_recorded.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kEventsAtOnce = 20'000, kDevicesAtOnce = 64;

/// The step that ends last.
int lastOf(const std::vector<trace::Step>& steps) {
  const auto last = std::max_element(
      steps.begin(), steps.end(),
      [](const trace::Step& a, const trace::Step& b) { return a.endNs < b.endNs; });
  return static_cast<int>(last - steps.begin());
}

QString stepText(const trace::Step& step, bool predicted, bool median) {
  if (predicted) return QObject::tr("predicted step");
  QString text = QObject::tr("repeat %1").arg(step.repeat + 1);
  if (step.step > 0) text += QObject::tr(", step %1").arg(step.step + 1);
  if (step.extra) text += QObject::tr(" (extra, not timed)");
  if (median) text += QObject::tr(" (median)");
  return text;
}

}  // namespace

bool isPreparedAtOnce(const trace::Trace& trace) {
  return trace.size() <= kEventsAtOnce && trace.devices().size() <= kDevicesAtOnce;
}

PreparedStep prepareStep(const StepSource& source) {
  PreparedStep ready;
  if (source.trace->size() == 0 && source.trace->counters().empty()) return ready;
  ready.steps = analysis::stepsOf(*source.trace);
  ready.named = !source.trace->steps().empty();
  ready.wholeToo = source.foreign && ready.named;
  ready.median = ready.steps.empty() ? 0 : static_cast<int>(analysis::medianStep(ready.steps));
  const auto choices = static_cast<int>(ready.steps.size()) + (ready.wholeToo ? 1 : 0);
  ready.index =
      source.index < 0 ? ready.median : std::clamp(source.index, 0, std::max(0, choices - 1));
  const bool whole = static_cast<std::size_t>(ready.index) >= ready.steps.size();
  ready.lanes =
      source.lanes ? source.lanes : std::make_shared<const trace::LaneIndex>(source.trace);
  // A failure after the last recorded step does not belong to the earlier ones.
  TimelineNotes notes = source.notes;
  if (!whole && ready.index != lastOf(ready.steps)) notes.failure.clear();
  ready.data = std::make_shared<const TimelineData>(
      ready.lanes, whole ? TimelineData::kWholeTrace : static_cast<std::size_t>(ready.index),
      source.predicted, notes);
  ready.overview = overviewOf(*ready.data, ready.named ? ready.steps : std::vector<trace::Step>{},
                              static_cast<std::size_t>(ready.index));
  if (!whole) {
    ready.withOperators =
        stepWithOperators(*source.trace, ready.steps, static_cast<std::size_t>(ready.index));
  }
  ready.events = beginningOf(*ready.data, shownRange(*ready.data));
  return ready;
}

QStringList stepNames(const PreparedStep& prepared, bool failed) {
  QStringList names;
  const bool predicted = prepared.data && prepared.data->trace().predicted();
  for (std::size_t i = 0; prepared.named && i < prepared.steps.size(); ++i) {
    const bool median = static_cast<int>(i) == prepared.median && prepared.steps.size() > 1;
    names << stepText(prepared.steps[i], predicted, median);
    if (failed && static_cast<int>(i) == lastOf(prepared.steps)) {
      names.back() += QObject::tr(" (last before the failure)");
    }
  }
  if (prepared.data && (!prepared.named || prepared.wholeToo)) names << QObject::tr("whole trace");
  return names;
}

}  // namespace stagelane::ui
