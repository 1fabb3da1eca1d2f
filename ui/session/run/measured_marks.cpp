#include "ui/session/run/measured_marks.h"

#include <algorithm>

#include "engine/base/find.h"
#include "engine/plan/stages.h"
#include "engine/record/run_record.h"
#include "profiler/analysis/idle.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/measured_plan.h"
#include "ui/session/run/measured_results.h"

namespace stagelane::ui {

const MeasuredDevice* MeasuredMarks::device(const DeviceId& id) const {
  return findBy(devices, &MeasuredDevice::id, id);
}

std::vector<std::size_t> MeasuredMarks::cuts() const {
  std::vector<std::size_t> found;
  for (std::size_t block = 1; block < deviceOfBlock.size(); ++block) {
    if (deviceOfBlock[block] != deviceOfBlock[block - 1]) found.push_back(block);
  }
  return found;
}

QString MeasuredMarks::when() const {
  return ofThisPlan ? QObject::tr("measured")
         : editsAgo == 0
             ? QObject::tr("measured before the edits")
             : QObject::tr("measured %1 ago")
                   .arg(countedText(editsAgo, QObject::tr("edit"), QObject::tr("edits")));
}

std::optional<MeasuredMarks> measuredMarks(const MeasuredResults& results,
                                           const ExperimentDocument& document,
                                           const QString& variantId, const model::Model& model) {
  const record::VariantResult* result = results.of(variantId);
  if (result == nullptr || result->stepNs <= 0) return std::nullopt;
  MeasuredMarks marks;
  marks.stepNs = result->stepNs;
  marks.speedup = result->speedup;
  for (const record::DeviceResult& device : result->devices) {
    marks.devices.push_back({DeviceId{device.id}, device.utilisation, device.peakBytes});
  }
  marks.ofThisPlan = measuredAsItIs(results, document, variantId);
  const bool ofLastRun = results.documentOf(variantId) == results.document();
  marks.editsAgo = ofLastRun ? std::max(1, results.editsSinceRun()) : 0;
  if (auto devices = plan::devicesOfBlocks(model, result->placement, "")) {
    marks.deviceOfBlock = std::move(*devices);
  }
  return marks;
}

std::vector<MeasuredAction> measuredActions(const trace::Trace& trace, const DeviceId& device) {
  std::vector<MeasuredAction> actions;
  const std::vector<trace::Step> steps = analysis::stepsOf(trace);
  if (steps.empty()) return actions;
  const trace::Step& step = steps[analysis::medianStep(steps)];
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const trace::Track& row = trace.tracks()[track];
    const bool ofDevice = row.device >= 0 && row.kind == trace::TrackKind::Compute &&
                          trace.devices()[static_cast<std::size_t>(row.device)] == device.value;
    if (!ofDevice) continue;
    const auto [begin, end] = trace.rangeOfTrack(track);
    const auto starts = trace.startsNs();
    const auto first =
        std::lower_bound(starts.begin() + static_cast<std::ptrdiff_t>(begin),
                         starts.begin() + static_cast<std::ptrdiff_t>(end), step.startNs);
    for (auto at = static_cast<std::size_t>(first - starts.begin());
         at < end && starts[at] < step.endNs; ++at) {
      const auto kind = trace::actionKindOf(trace.categories()[at]);
      if (kind && isCompute(*kind)) {
        const TimeNs start = starts[at] - step.startNs;
        actions.push_back({start, start + trace.durationsNs()[at], trace.categories()[at]});
      }
    }
  }
  return actions;
}

}  // namespace stagelane::ui
