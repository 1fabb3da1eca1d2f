#include "engine/run/measure/variant_run.h"

#include <set>

#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "engine/record/left_out.h"
#include "engine/run/measure/memory_check.h"

namespace stagelane::run {
namespace {

record::VariantResult emptyResult(const plan::Variant& variant) {
  record::VariantResult result;
  result.id = variant.id;
  result.name = variant.name;
  result.strategy = std::string(plan::word(variant.strategy));
  result.schedule = variant.schedule;
  result.splitSize = variant.splitSize;
  result.placement = variant.placement;
  result.replicas = static_cast<int>(variant.stages.front().group.size());
  return result;
}

/// Batch norm needs more than one value per channel, also in the smallest micro-batch.
Status checkMicroBatches(const plan::Experiment& experiment, const VariantRun& run) {
  if (experiment.task == plan::Task::Infer) {
    return {};  // the running statistics are used
  }
  const std::set<std::int64_t> sizes(run.microBatchSizes.begin(), run.microBatchSizes.end());
  for (const std::int64_t size : sizes) {
    model::Shape shape{size};
    shape.insert(shape.end(), experiment.input.begin(), experiment.input.end());
    Status status = checkTrainable(*experiment.model, shape);
    if (!status) {
      Error error = status.error();
      error.context = "variant " + run.variant->id;
      error.failure.variant = run.variant->id;
      return tl::make_unexpected(std::move(error));
    }
  }
  return {};
}

void leaveOut(VariantRun& run, std::string reason) {
  run.result.status = record::RunStatus::NotRun;
  run.result.reason = std::move(reason);
}

void leaveOut(VariantRun& run, const predict::OverBudget& over) {
  leaveOut(run, describe(over));
  run.result.failure = Failure{FailureKind::DoesNotFit, run.variant->id, over.device};
}

Result<VariantRun> prepareVariant(const plan::Experiment& experiment, const plan::Variant& variant,
                                  WorkerPool& pool, const predict::CostTable* costs) {
  VariantRun run;
  run.variant = &variant;
  run.result = emptyResult(variant);
  if (!variant.include) {
    run.result.included = false;
    leaveOut(run, std::string(record::kNotIncluded));
    return run;
  }
  STAGELANE_TRY(lowered, predict::lowerVariant(experiment, variant));
  STAGELANE_CHECK(schedule::validate(*lowered));  // again: what is not valid would never end
  run.lowered = std::move(*lowered);
  run.rows = plan::rowsOf(variant);
  run.tracks = plan::recordedDevices(variant);
  run.microBatchSizes = plan::microBatchSizes(experiment.data.batchSize, variant.splitSize);
  STAGELANE_CHECK(checkMicroBatches(experiment, run));
  STAGELANE_TRY(over, overBudget(experiment, variant, costs));
  if (*over) {
    leaveOut(run, **over);
    return run;
  }
  STAGELANE_TRY(workers, pool.workers(run.rows, threadsOf(experiment, variant)));
  run.workers = std::move(*workers);
  run.peakBytes.assign(run.tracks.size(), 0);
  return run;
}

}  // namespace

StepPlan VariantRun::stepPlan(const plan::Experiment& experiment) const {
  StepPlan plan;
  plan.experiment = &experiment;
  plan.variant = variant;
  plan.lowered = &lowered;
  plan.workers = workers;
  plan.microBatchSizes = microBatchSizes;
  return plan;
}

bool VariantRun::lacks(std::int64_t repeat, std::int64_t all) const {
  const auto before = static_cast<std::int64_t>(secondsBefore.size());
  // A measured variant without a stored trace runs once more, after a warm-up.
  return active() && (repeat < 0 ? before < all || repeats.empty() : repeat >= before);
}

Result<std::vector<VariantRun>> prepareVariants(const plan::Experiment& experiment,
                                                WorkerPool& pool, const predict::CostTable* costs) {
  std::vector<VariantRun> runs;
  for (const plan::Variant& variant : experiment.variants) {
    STAGELANE_TRY(run, prepareVariant(experiment, variant, pool, costs));
    runs.push_back(std::move(*run));
  }
  return runs;
}

}  // namespace stagelane::run
