#include "engine/run/proof/reference_place.h"

#include <numeric>

#include "engine/model/shapes.h"
#include "engine/plan/memory_need.h"

namespace stagelane::run {
namespace {

/// Memory for training the unsplit batch on one device. Independent of the variant, so that all
/// variants of a run have the same kind of reference.
Result<Bytes> bytesOnOneDevice(const plan::Experiment& experiment) {
  STAGELANE_TRY(shapes, experiment.shapesAt(experiment.data.batchSize));
  std::vector<std::size_t> blocks(experiment.model->blocks.size());
  std::iota(blocks.begin(), blocks.end(), std::size_t{0});
  return plan::memoryNeed(experiment, **shapes, blocks, 1).total();
}

std::string threadsText(int threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

Result<ReferencePlace> onOneDevice(const plan::Experiment& experiment, const VariantRun& run,
                                   const DeviceId& device, WorkerPool& pool) {
  const int threads = threadsOf(experiment, *run.variant);
  STAGELANE_TRY(worker, pool.worker(device, threads));
  ReferencePlace place;
  place.parts = {{0, experiment.model->blocks.size() - 1, *worker}};
  const bool infer = experiment.task == plan::Task::Infer;
  place.name = std::string(infer ? "the forward" : "plain autograd") + " on one worker (" +
               device.value + ", " + threadsText(threads) + ")";
  return place;
}

/// The first model-parallel variant of the run, else the variant's own devices.
const VariantRun& modelParallelOf(const VariantRun& run, const std::vector<VariantRun>& runs) {
  for (const VariantRun& each : runs) {
    const plan::Baseline baseline = plan::strategyRow(each.variant->strategy).baseline;
    if (baseline == plan::Baseline::WhenNone && !each.workers.empty()) return each;
  }
  return run;
}

Result<ReferencePlace> onItsDevices(const plan::Experiment& experiment, const VariantRun& run,
                                    const VariantRun& layout, WorkerPool& pool) {
  ReferencePlace place;
  const auto devices =
      plan::deviceOfEachBlock(layout.variant->stages, experiment.model->blocks.size());
  for (const plan::Stage& stage : plan::stagesOf(devices)) {
    STAGELANE_TRY(worker, pool.worker(stage.group.first(), threadsOf(experiment, *run.variant)));
    place.parts.push_back({stage.firstBlock, stage.lastBlock, *worker});
  }
  place.name =
      "model-parallel variant '" + layout.variant->name + "' (the model does not fit one device)";
  return place;
}

}  // namespace

Result<ReferencePlace> placeReference(const plan::Experiment& experiment, const VariantRun& run,
                                      const std::vector<VariantRun>& runs, WorkerPool& pool) {
  STAGELANE_TRY(needs, bytesOnOneDevice(experiment));
  for (const DeviceId& device : run.rows) {
    const std::optional<Bytes> has = plan::memoryLimit(experiment, device);
    if (!has || *needs <= *has) return onOneDevice(experiment, run, device, pool);
  }
  return onItsDevices(experiment, run, modelParallelOf(run, runs), pool);
}

}  // namespace stagelane::run
