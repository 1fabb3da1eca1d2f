#include "engine/run/step/step.h"

#include "engine/plan/rows.h"
#include "engine/run/step/remote_rows.h"

namespace stagelane::run {

bool StepPlan::isFirstHere(int row) const {
  for (int before = 0; before < row; ++before) {
    if (remote == nullptr || !remote->isRemote(before)) return false;
  }
  return remote == nullptr || !remote->isRemote(row);
}

std::optional<TimeNs> stallTimeoutNs(const plan::Experiment& experiment) {
  if (!experiment.stallTimeoutS) return std::nullopt;
  return static_cast<TimeNs>(*experiment.stallTimeoutS * 1e9);
}

std::string describe(const schedule::LoweredAction& action) {
  std::string text(word(action.kind));
  if (action.stage.valid()) text += " of stage " + std::to_string(action.stage.value);
  if (action.microBatch.valid()) text += ", micro-batch " + std::to_string(action.microBatch.value);
  return text;
}

std::vector<std::int64_t> sizesOf(const StepPlan& plan, std::int64_t samples) {
  if (samples == plan.experiment->data.batchSize) return plan.microBatchSizes;
  return plan::microBatchSizes(samples, plan::splitOf(*plan.variant, samples));
}

std::vector<at::Tensor> cut(const at::Tensor& batch, const std::vector<std::int64_t>& sizes) {
  std::vector<at::Tensor> pieces;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    pieces.push_back(batch.narrow(0, begin, size));
    begin += size;
  }
  return pieces;
}

}  // namespace stagelane::run
