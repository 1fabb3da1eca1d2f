#include "engine/run/proof/gradient_check.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

#include "engine/plan/rows.h"
#include "engine/run/device/worker_pool.h"
#include "engine/run/proof/running_statistics.h"

namespace stagelane::run {
namespace {

// Skips the additional float64 step of the unsplit batch above this size: it is only a second
// figure, not the proof.
constexpr std::int64_t kFullBatchElements = 8'000'000;

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  const at::Tensor left = a.detach().cpu().contiguous();
  const at::Tensor right = b.detach().cpu().contiguous();
  return left.nbytes() == 0 ||
         std::memcmp(left.const_data_ptr(), right.const_data_ptr(), left.nbytes()) == 0;
}

double largest(const at::Tensor& tensor) {
  return tensor.numel() == 0 ? 0.0 : tensor.abs().max().item<double>();
}

double relativeError(const at::Tensor& measured, const at::Tensor& reference) {
  if (measured.sizes() != reference.sizes()) return std::numeric_limits<double>::infinity();
  const at::Tensor a = measured.detach().cpu().to(at::kDouble);
  const at::Tensor b = reference.detach().cpu().to(at::kDouble);
  const double error = largest(a.sub(b));
  const double scale = largest(b);
  return error == 0.0 ? 0.0 : error / std::max(scale, std::numeric_limits<double>::min());
}

void compareOne(const std::string& name, const at::Tensor& measured, const at::Tensor& reference,
                Comparison& result) {
  if (!measured.defined() && !reference.defined()) return;
  const bool both = measured.defined() && reference.defined();
  if (both && sameBits(measured, reference)) return;
  const double error =
      both ? relativeError(measured, reference) : std::numeric_limits<double>::infinity();
  result.bitEqual = false;
  // This form treats a NaN as the worst.
  if (result.worst.empty() || !(error <= result.maxRelError)) {
    result.maxRelError = error;
    result.worst = name;
  }
}

void compareMaps(const std::map<std::string, at::Tensor>& measured,
                 const std::map<std::string, at::Tensor>& reference, const std::string& what,
                 Comparison& result) {
  for (const auto& [name, tensor] : reference) {
    const auto found = measured.find(name);
    compareOne(what + name, found == measured.end() ? at::Tensor() : found->second, tensor, result);
  }
  for (const auto& [name, tensor] : measured) {
    if (reference.count(name) == 0) compareOne(what + name, tensor, at::Tensor(), result);
  }
}

void compareOutputs(const std::map<int, at::Tensor>& measured,
                    const std::map<int, at::Tensor>& reference, Comparison& result) {
  const auto named = [](const std::map<int, at::Tensor>& outputs) {
    std::map<std::string, at::Tensor> byName;
    for (const auto& [microBatch, tensor] : outputs) byName[std::to_string(microBatch)] = tensor;
    return byName;
  };
  compareMaps(named(measured), named(reference), "output of micro-batch ", result);
}

/// The largest difference, relative to the largest gradient of all parameters. Not of each tensor
/// on its own, because some gradients are zero but for rounding (of a bias before a batch norm).
double errorOfAll(const std::map<std::string, at::Tensor>& measured,
                  const std::map<std::string, at::Tensor>& reference) {
  double error = 0.0;
  double scale = std::numeric_limits<double>::min();
  for (const auto& [name, expected] : reference) {
    const auto found = measured.find(name);
    if (!expected.defined() || found == measured.end() || !found->second.defined()) continue;
    const at::Tensor wide = expected.detach().cpu().to(at::kDouble);
    error = std::max(error, largest(found->second.detach().cpu().to(at::kDouble).sub(wide)));
    scale = std::max(scale, largest(wide));
  }
  return error / scale;
}

bool hasBatchStatistics(const model::Model& model) {
  for (const model::Layer& layer : model.layers) {
    if (std::holds_alternative<model::BatchNorm2d>(layer.spec)) return true;
  }
  return false;
}

bool anyGpu(const StepPlan& plan) {
  for (Worker* worker : plan.workers) {
    if (!worker->backend().torchDevice().is_cpu()) return true;
  }
  return false;
}

/// Float64 tensors may not fit a device with a tight budget.
bool onBudget(const StepPlan& plan) {
  const std::vector<DeviceId> rows = plan::rowsOf(*plan.variant);
  return std::any_of(rows.begin(), rows.end(), [&](const DeviceId& row) {
    return plan::memoryLimit(*plan.experiment, row).has_value();
  });
}

std::int64_t elements(const InitialValues& values) {
  std::int64_t sum = 0;
  for (const auto& named : values) sum += named.second.numel();
  return sum;
}

/// Stages that share a parameter have copies with equal gradients. A copy that differs is stored
/// under a name that no reference has.
void keepGradient(const std::string& name, int stage, at::Tensor gradient,
                  TrainingSnapshot& snapshot) {
  const auto [kept, isNew] = snapshot.gradients.emplace(name, gradient);
  const bool defined = gradient.defined();
  if (!isNew &&
      (kept->second.defined() != defined || (defined && !sameBits(kept->second, gradient)))) {
    snapshot.gradients[name + " in stage " + std::to_string(stage)] = std::move(gradient);
  }
}

/// One step of the variant that keeps its gradients; empty if stopped.
Result<std::optional<TrainingSnapshot>> measuredStep(const StepPlan& plan, RunControl& control,
                                                     const InitialValues& values,
                                                     const Batch& batch) {
  Executor executor(plan, control);
  STAGELANE_CHECK(executor.build(values));
  STAGELANE_TRY(input, executor.prepare(batch));
  StepTag tag;
  tag.keepGradients = true;
  STAGELANE_TRY(outcome, executor.step(*input, tag));
  STAGELANE_CHECK(executor.synchronize());
  if (*outcome == Executor::Outcome::Stopped) return std::nullopt;
  return snapshotOf(executor);
}

/// Lifts the budgets of workers while alive, for steps that the variant's budget does not cover.
class WithoutBudgets {
 public:
  WithoutBudgets(const plan::Experiment& experiment, std::vector<Worker*> workers)
      : m_experiment(experiment), m_workers(std::move(workers)) {
    for (Worker* worker : m_workers) worker->backend().setMemoryLimit(0);
  }
  ~WithoutBudgets() {
    for (Worker* worker : m_workers) {
      worker->backend().setMemoryLimit(
          plan::memoryLimit(m_experiment, {worker->name()}).value_or(0));
    }
  }
  WithoutBudgets(const WithoutBudgets&) = delete;
  WithoutBudgets& operator=(const WithoutBudgets&) = delete;

 private:
  const plan::Experiment& m_experiment;
  std::vector<Worker*> m_workers;
};

std::vector<Worker*> workersOf(const std::vector<ReferencePart>& parts) {
  std::vector<Worker*> workers;
  for (const ReferencePart& part : parts) workers.push_back(part.worker);
  return workers;
}

/// Empty if the running statistics follow the order of the micro-batches.
std::string statisticsKey(const StepPlan& plan) {
  std::string key;
  const std::vector<std::vector<int>> orders = statisticsOrder(plan);
  for (std::size_t stage = 0; stage < orders.size(); ++stage) {
    key += " forwards from " + std::to_string(plan.variant->stages[stage].firstBlock);
    for (const int microBatch : orders[stage]) key += "," + std::to_string(microBatch);
  }
  return key;
}

ReferencePlan referencePlan(const GradientCheck& check) {
  ReferencePlan plan;
  plan.experiment = check.plan.experiment;
  plan.parts = check.parts;
  plan.microBatchSizes = check.plan.microBatchSizes;
  plan.wholeBatchLoss = check.plan.wholeBatchLoss();
  plan.forwardOnly = check.plan.forwardOnly();
  plan.stages = check.plan.variant->stages;
  plan.gradientOrder = gradientOrder(*check.plan.lowered);
  plan.replicas = check.plan.lowered->source.rows.replicas(0);
  plan.statisticsOrder = statisticsOrder(check.plan);
  plan.actionsPerMicroBatch = static_cast<int>(plan.stages.size());
  return plan;
}

/// Compares the step with the unsplit batch, in float64. Ignores losses, because they are split
/// differently.
Result<std::optional<double>> fullBatchError(const GradientCheck& check, RunControl& control) {
  const plan::Experiment& experiment = *check.plan.experiment;
  if (hasBatchStatistics(*experiment.model) || onBudget(check.plan) || check.plan.forwardOnly()) {
    return std::nullopt;
  }
  SyntheticData data(experiment, at::kDouble);
  const Batch batch = data.next();
  const InitialValues values =
      drawInitialValues(*experiment.model, experiment.data.seed, at::kDouble);
  if (elements(values) + batch.input.numel() > kFullBatchElements) return std::nullopt;
  STAGELANE_TRY(measured, measuredStep(check.plan, control, values, batch));
  ReferencePlan undivided = referencePlan(check);
  undivided.actionsPerMicroBatch *= static_cast<int>(undivided.microBatchSizes.size());
  undivided.microBatchSizes = {experiment.data.batchSize};
  undivided.wholeBatchLoss = false;
  undivided.replicas = 1;
  undivided.gradientOrder.assign(undivided.stages.size(), {0});
  if (!*measured) return std::nullopt;
  STAGELANE_TRY(reference, referenceStep(undivided, values, batch, control));
  (*measured)->losses.clear();
  reference->losses.clear();
  return compare(**measured, *reference).maxRelError;
}

}  // namespace

bool passedBefore(const record::VariantResult& result) {
  const auto& check = result.gradientCheck ? result.gradientCheck : result.outputCheck;
  return check && check->isClose();
}

Comparison compare(const TrainingSnapshot& measured, const TrainingSnapshot& reference) {
  Comparison result;
  const std::size_t losses = std::max(measured.losses.size(), reference.losses.size());
  for (std::size_t i = 0; i < losses; ++i) {
    compareOne("loss of micro-batch " + std::to_string(i),
               i < measured.losses.size() ? measured.losses[i] : at::Tensor(),
               i < reference.losses.size() ? reference.losses[i] : at::Tensor(), result);
  }
  compareOutputs(measured.outputs, reference.outputs, result);
  compareMaps(measured.gradients, reference.gradients, "gradient of ", result);
  compareMaps(measured.buffers, reference.buffers, "buffer ", result);
  return result;
}

TrainingSnapshot snapshotOf(const Executor& executor) {
  TrainingSnapshot result;
  for (const at::Tensor& loss : executor.losses()) {
    result.losses.push_back(loss.defined() ? hostCopy(loss) : loss);
  }
  const bool differentiated = !executor.plan().forwardOnly();
  for (const auto& [microBatch, output] : executor.outputs()) {
    result.outputs[microBatch] = hostCopy(output);
  }
  for (std::size_t i = 0; i < executor.plan().workers.size(); ++i) {
    for (const auto& [stage, work] : executor.row(i).stages()) {
      const StageTensors& tensors = work.tensors();
      for (const auto& [name, tensor] : tensors.parameters()) {
        const at::Tensor& gradient = tensor.grad();
        if (differentiated) {
          keepGradient(name, stage, gradient.defined() ? hostCopy(gradient) : gradient, result);
        }
      }
      // The running statistics of the first replica are the model's.
      if (executor.plan().lowered->source.rows.replicaOn(stage, static_cast<int>(i)) > 0) continue;
      for (const auto& [name, tensor] : tensors.buffers()) result.buffers[name] = hostCopy(tensor);
    }
  }
  return result;
}

std::string GradientChecker::referenceKey(const GradientCheck& check) {
  std::string key = check.plan.wholeBatchLoss() ? "whole" : "each";
  if (const int replicas = check.plan.lowered->source.rows.replicas(0); replicas > 1) {
    key += " of " + std::to_string(replicas) + " replicas";
  }
  for (const std::int64_t size : check.plan.microBatchSizes) key += " " + std::to_string(size);
  // Stages with the same order of accumulation share one entry.
  std::vector<std::vector<int>> orders = gradientOrder(*check.plan.lowered);
  const bool same =
      check.plan.lowered->tied.empty() &&
      std::adjacent_find(orders.begin(), orders.end(), std::not_equal_to<>()) == orders.end();
  for (std::size_t stage = 0; stage < (same ? 1 : orders.size()); ++stage) {
    if (!same) key += " stage " + std::to_string(check.plan.variant->stages[stage].firstBlock);
    for (const int microBatch : orders[stage]) key += "," + std::to_string(microBatch);
  }
  return key + statisticsKey(check.plan) + " on " + check.referenceName;
}

Status GradientChecker::useType(at::ScalarType dtype) {
  if (m_dtype == dtype) return {};
  return guarded("drawing the initial values", [&]() -> Status {
    SyntheticData data(m_experiment, dtype);
    m_batch = data.next();
    m_values = drawInitialValues(*m_experiment.model, m_experiment.data.seed, dtype);
    m_dtype = dtype;
    m_reference.reset();
    return {};
  });
}

Status GradientChecker::useReference(const GradientCheck& check, const RunControl& control) {
  const std::string key = referenceKey(check);
  if (m_reference && m_key == key) return {};
  m_reference.reset();
  // The reference stores each micro-batch's gradients separately.
  const WithoutBudgets lifted(m_experiment, workersOf(check.parts));
  STAGELANE_TRY(reference, referenceStep(referencePlan(check), m_values, m_batch, control));
  m_reference = std::move(*reference);
  m_key = key;
  return {};
}

/// Against the reference in float64. Empty if the run was stopped or float64 is its own precision.
Result<std::optional<double>> GradientChecker::ownPrecisionError(const GradientCheck& check,
                                                                 RunControl& control) const {
  const at::ScalarType own = scalarType(m_experiment);
  if (own == at::kDouble) return std::nullopt;
  const Batch batch = SyntheticData(m_experiment, own).next();
  const InitialValues values = drawInitialValues(*m_experiment.model, m_experiment.data.seed, own);
  STAGELANE_TRY(measured, measuredStep(check.plan, control, values, batch));
  if (!*measured) return std::nullopt;
  return errorOfAll((*measured)->gradients, m_reference->gradients);
}

Result<std::optional<TrainingSnapshot>> GradientChecker::judgedStep(const GradientCheck& check,
                                                                    RunControl& control) const {
  // A budget is for the experiment's precision; float64 needs twice as much.
  const bool wider = m_dtype != scalarType(m_experiment);
  const WithoutBudgets lifted(m_experiment, wider ? check.plan.workers : std::vector<Worker*>());
  return measuredStep(check.plan, control, m_values, m_batch);
}

Result<std::optional<GradientVerdict>> GradientChecker::check(const GradientCheck& check,
                                                              RunControl& control) {
  const bool gpu = anyGpu(check.plan);
  STAGELANE_CHECK(useType(gpu ? at::kDouble : scalarType(m_experiment)));
  STAGELANE_TRY(measured, judgedStep(check, control));
  if (!*measured) return std::nullopt;
  const Status referred = useReference(check, control);
  // A canceled reference ends with an error of its own.
  if (control.canceled()) return std::nullopt;
  STAGELANE_CHECK(referred);
  const Comparison comparison = compare(**measured, *m_reference);
  const auto fullBatch = fullBatchError(check, control);
  if (control.canceled()) return std::nullopt;
  STAGELANE_CHECK(fullBatch);
  GradientVerdict verdict;
  verdict.result = {comparison.bitEqual,
                    comparison.maxRelError,
                    check.referenceName + (gpu ? ", in float64" : ""),
                    *fullBatch,
                    {}};
  if (gpu) {
    STAGELANE_TRY(error, ownPrecisionError(check, control));
    verdict.result.ownPrecisionError = *error;
  }
  verdict.passed = gpu ? verdict.result.isClose() : comparison.bitEqual;
  verdict.worst = comparison.worst;
  return verdict;
}

}  // namespace stagelane::run
