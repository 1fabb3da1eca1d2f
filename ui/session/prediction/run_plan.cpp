#include "ui/session/prediction/run_plan.h"

#include <algorithm>

#include "engine/predict/variant_schedule.h"
#include "engine/record/run_record.h"
#include "engine/search/resolve.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

Result<RunPlan> readRunPlan(const std::filesystem::path& folder, const GoesOn& goesOn,
                            const VariantFilter& needed) {
  const record::RunFolder files{folder};
  STAGELANE_TRY(document, readJsonFile(files.experiment().string()));
  STAGELANE_TRY(experiment, plan::readExperiment(*document, folder.string(), {}));
  if (std::error_code failed; std::filesystem::exists(files.plan(), failed)) {
    STAGELANE_CHECK(predict::applyPlanFile(files.plan().string(), *experiment));
  }
  if (needed) {
    auto& variants = experiment->variants;
    variants.erase(std::remove_if(variants.begin(), variants.end(), std::not_fn(needed)),
                   variants.end());
  }
  RunPlan run;
  if (auto costs = predict::readCostTable(files.costs().string())) run.costs = std::move(*costs);
  run.experiment = search::resolveStages(std::move(*experiment), run.table(), goesOn);
  return run;
}

std::map<std::string, double> predictedRepeats(const RunPlan& run, const GoesOn& goesOn) {
  std::map<std::string, double> seconds;
  const auto batches = static_cast<double>(run.experiment.data.batches);
  for (const plan::Variant& variant : run.experiment.variants) {
    if (!plan::strategyRow(variant.strategy).pipelined) continue;
    const auto step = predictStep(run.experiment, variant, orEstimated(run.table(), goesOn));
    if (!isWanted(goesOn)) break;
    if (step) seconds[variant.id] = static_cast<double>(step->stepNs) * 1e-9 * batches;
  }
  return seconds;
}

}  // namespace stagelane::ui
