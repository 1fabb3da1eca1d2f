#include "engine/run/measure/variant_run.h"

#include <set>

#include "engine/plan/rank_layout.h"
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

/// Of a variant across ranks, the rows of this one get workers and the others stand-ins.
Status giveWorkers(const plan::Experiment& experiment, WorkerPool& pool,
                   const PrepareOptions& options, VariantRun& run) {
  const int threads = threadsOf(experiment, *run.variant);
  const int size = options.team == nullptr ? 1 : options.team->size();
  STAGELANE_TRY(ranks, plan::ranksOfRows(experiment, *run.variant, size, options.dealt));
  if (!plan::spansRanks(*ranks)) {
    if (options.team != nullptr && !options.team->leads()) return {};
    STAGELANE_TRY(workers, pool.workers(run.rows, threads));
    run.workers = std::move(*workers);
    return {};
  }
  for (std::size_t row = 0; row < run.rows.size(); ++row) {
    const bool here = (*ranks)[row] == options.team->rank();
    STAGELANE_TRY(worker, here ? pool.worker(run.rows[row], threads) : pool.standIn(run.rows[row]));
    run.workers.push_back(*worker);
  }
  run.remote =
      std::make_shared<RankedRows>(*options.team, std::move(*ranks), run.workers, run.lowered);
  return {};
}

Result<VariantRun> prepareVariant(const plan::Experiment& experiment, const plan::Variant& variant,
                                  WorkerPool& pool, const PrepareOptions& options) {
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
  STAGELANE_TRY(over, overBudget(experiment, variant, options.costs));
  if (*over) {
    leaveOut(run, **over);
    return run;
  }
  run.peakBytes.assign(run.tracks.size(), 0);
  STAGELANE_CHECK(giveWorkers(experiment, pool, options, run));
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
  plan.remote = remote.get();
  const plan::StrategyRow& strategy = plan::strategyRow(variant->strategy);
  plan.reducesByBackend = remote && strategy.replicates && strategy.ownProcesses;
  return plan;
}

bool VariantRun::lacks(std::int64_t repeat, std::int64_t all) const {
  const auto before = static_cast<std::int64_t>(secondsBefore.size());
  // A measured variant without a stored trace runs once more, after a warm-up.
  return active() && (repeat < 0 ? before < all || repeats.empty() : repeat >= before);
}

Result<std::vector<VariantRun>> prepareVariants(const plan::Experiment& experiment,
                                                WorkerPool& pool, const PrepareOptions& options) {
  std::vector<VariantRun> runs;
  for (const plan::Variant& variant : experiment.variants) {
    STAGELANE_TRY(run, prepareVariant(experiment, variant, pool, options));
    runs.push_back(std::move(*run));
  }
  return runs;
}

}  // namespace stagelane::run
