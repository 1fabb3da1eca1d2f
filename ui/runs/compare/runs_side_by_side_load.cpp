// Reading runs for a comparison.

#include <algorithm>
#include <cstdlib>

#include "engine/base/find.h"
#include "engine/record/fastest.h"
#include "profiler/formats/perfetto.h"
#include "ui/kit/text/formatting.h"
#include "ui/runs/compare/runs_side_by_side.h"

namespace stagelane::ui {
namespace {

bool measured(const record::VariantResult& variant) { return !variant.seconds.empty(); }

const record::VariantResult* find(const record::RunResult& run, const std::string& id) {
  return findBy(run.variants, &record::VariantResult::id, id);
}

std::string bestOf(const LoadedRun& run) {
  const record::VariantResult* best =
      record::fastestWhole(run.result, record::repeatsAsked(&run.experiment));
  return best == nullptr ? std::string{} : best->id;
}

Json readOrEmpty(const std::filesystem::path& file) {
  auto json = readJsonFile(file.string());
  return json ? std::move(*json) : Json::object();
}

/// The median timed step of a trace.
struct MedianStep {
  trace::TracePtr trace;
  trace::Step step;
};

/// The median step of the variant's trace; null without a trace.
MedianStep medianStepOf(const LoadedRun& run) {
  const record::RunFolder folder{utf8(run.folder)};
  const auto read = formats::readPerfetto(folder.trace(run.variantId));
  if (!read) return {};
  const std::vector<trace::Step> steps = analysis::stepsOf(*read->trace);
  return steps.empty() ? MedianStep{} : MedianStep{read->trace, steps[analysis::medianStep(steps)]};
}

void addLanes(const MedianStep& median, LoadedRun& run) {
  const trace::Trace& trace = *median.trace;
  const analysis::StepBreakdown step = analysis::breakDown(trace, median.step);
  run.stepNs = step.wallNs();
  for (const analysis::DeviceStep& device : step.devices) {
    StepLane lane;
    lane.device = qstring(trace.devices()[static_cast<std::size_t>(device.device)]);
    lane.pieces = device.pieces;
    for (analysis::Piece& piece : lane.pieces) {
      piece.startNs -= step.step.startNs;
      piece.endNs -= step.step.startNs;
    }
    lane.idleShare = run.stepNs > 0
                         ? static_cast<double>(device.idleNs()) / static_cast<double>(run.stepNs)
                         : 0.0;
    run.lanes.push_back(std::move(lane));
  }
}

/// Keeps the actions that changed most.
void keepMostChanged(std::vector<analysis::ActionDelta>& actions) {
  const auto last =
      actions.begin() + static_cast<std::ptrdiff_t>(std::min(actions.size(), kMostSingleActions));
  std::partial_sort(actions.begin(), last, actions.end(),
                    [](const analysis::ActionDelta& a, const analysis::ActionDelta& b) {
                      return std::abs(a.deltaNs()) > std::abs(b.deltaNs());
                    });
  actions.erase(last, actions.end());
}

}  // namespace

const record::VariantResult* LoadedRun::variant() const { return find(result, variantId); }

Result<std::vector<LoadedRun>> loadRuns(const std::vector<RunToLoad>& runs,
                                        const std::string& variantId, const GoesOn& goesOn) {
  std::vector<LoadedRun> loaded;
  MedianStep first;
  for (const RunToLoad& wanted : runs) {
    if (!isWanted(goesOn)) break;
    STAGELANE_TRY(result, record::openRun(utf8(wanted.folder)));
    LoadedRun run;
    run.folder = wanted.folder;
    run.title = wanted.title;
    run.result = std::move(*result);
    const record::RunFolder folder{utf8(wanted.folder)};
    run.experiment = readOrEmpty(folder.experiment());
    run.environment = readOrEmpty(folder.environment());
    const record::VariantResult* same = find(run.result, variantId);
    run.variantId = same != nullptr && measured(*same) ? variantId : bestOf(run);
    const MedianStep median = run.variantId.empty() ? MedianStep{} : medianStepOf(run);
    if (median.trace && isWanted(goesOn)) addLanes(median, run);
    if (loaded.empty()) {
      first = median;
    } else if (first.trace && median.trace && isWanted(goesOn)) {
      run.againstFirst =
          analysis::compareSteps(*first.trace, first.step, *median.trace, median.step);
      keepMostChanged(run.againstFirst->actions);
    }
    loaded.push_back(std::move(run));
  }
  return loaded;
}

QStringList commonVariants(const std::vector<LoadedRun>& runs) {
  QStringList common;
  if (runs.empty()) return common;
  for (const record::VariantResult& variant : runs.front().result.variants) {
    const bool everywhere = std::all_of(runs.begin(), runs.end(), [&](const LoadedRun& run) {
      const record::VariantResult* same = find(run.result, variant.id);
      return same != nullptr && measured(*same);
    });
    if (everywhere) common.append(qstring(variant.id));
  }
  return common;
}

}  // namespace stagelane::ui
