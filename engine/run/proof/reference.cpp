#include "engine/run/proof/reference.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "engine/run/proof/part_transfers.h"
#include "engine/run/proof/running_statistics.h"
#include "engine/run/step/await_job.h"
#include "engine/run/step/precision.h"

namespace stagelane::run {
namespace {

using Tensors = std::vector<at::Tensor>;
using NamedTensors = std::map<std::string, at::Tensor>;

/// Out of place, because autograd may return the same tensor for two gradients.
void addTo(at::Tensor& sum, const at::Tensor& gradient) {
  if (!sum.defined()) {
    sum = gradient;
  } else if (gradient.defined()) {
    sum = sum.add(gradient);
  }
}

void addTo(NamedTensors& sum, const NamedTensors& gradients) {
  for (const auto& [name, gradient] : gradients) addTo(sum[name], gradient);
}

at::Tensor onHost(const at::Tensor& tensor) { return tensor.defined() ? hostCopy(tensor) : tensor; }

/// Sums gradients of one stage in the stage's own order of micro-batches, independent of their
/// arrival: first those of each replica, then over the replicas. What several parts have a share of
/// is complete when each of them has added its share, the last part first.
class StageSum {
 public:
  StageSum(std::vector<int> order, int replicas)
      : m_order(std::move(order)), m_sums(static_cast<std::size_t>(replicas)) {}

  void addPart() { ++m_parts; }
  void add(int microBatch, const NamedTensors& gradients) {
    Pending& pending = m_pending[microBatch];
    addTo(pending.gradients, gradients);
    ++pending.parts;
    while (m_next < m_order.size()) {
      const auto found = m_pending.find(m_order[m_next]);
      if (found == m_pending.end() || found->second.parts < m_parts) return;
      addTo(m_sums[static_cast<std::size_t>(m_order[m_next]) % m_sums.size()],
            found->second.gradients);
      m_pending.erase(found);
      ++m_next;
    }
  }
  /// Over the replicas, on the host.
  [[nodiscard]] NamedTensors sum() const {
    NamedTensors sum;
    for (const NamedTensors& replica : m_sums) {
      for (const auto& [name, gradient] : replica) addTo(sum[name], onHost(gradient));
    }
    return sum;
  }

 private:
  struct Pending {
    NamedTensors gradients;
    int parts = 0;
  };
  std::vector<int> m_order;
  std::size_t m_next = 0;
  int m_parts = 0;
  std::map<int, Pending> m_pending;
  std::vector<NamedTensors> m_sums;  ///< by replica
};

/// The blocks common to a part and a stage. Each piece has separate tensors, so that shared weights
/// have a gradient per stage; the graph is not cut between pieces.
struct Piece {
  std::size_t stage = 0;
  std::size_t firstBlock = 0;
  std::size_t lastBlock = 0;
  StageTensors tensors;
  DeferredStatistics deferred;
  StageSum sum;                ///< of the weights that no other part of the stage uses
  std::set<std::string> tied;  ///< weights that another part of the stage uses, too
};

/// Its jobs share its ownership, because a worker's thread may have to be abandoned in one.
class ReferenceStep : public std::enable_shared_from_this<ReferenceStep> {
 public:
  ReferenceStep(const ReferencePlan& plan, const InitialValues& values, const Batch& batch,
                const RunControl& control)
      : m_plan(plan),
        m_values(values),
        m_batch(batch),
        m_control(control),
        m_pieces(plan.parts.size()) {
    for (const std::vector<int>& order : plan.gradientOrder) {
      m_tiedSums.emplace_back(order, plan.replicas);
    }
    m_graphs.resize(plan.microBatchSizes.size());
    for (auto& graph : m_graphs) graph.resize(plan.parts.size());
  }

  Result<TrainingSnapshot> run() {
    STAGELANE_CHECK(prepareTransfers(m_plan, m_control));
    for (std::size_t part = 0; part < m_plan.parts.size(); ++part) {
      STAGELANE_CHECK(on(part, [this, part] { build(part); }));
    }
    findTied();
    STAGELANE_TRY(done, m_plan.forwardOnly      ? allForwards()
                        : m_plan.wholeBatchLoss ? allThenBackward()
                                                : oneByOne());
    m_result = snapshot();
    if (const auto& largest = m_plan.experiment->clipGradNorm; largest && !m_plan.forwardOnly) {
      // In a worker, because the bits of a norm depend on the number of threads.
      STAGELANE_CHECK(on(0, [this, norm = *largest] { clip(norm, m_result.gradients); }));
    }
    return std::move(m_result);
  }

 private:
  /// The graph of one micro-batch on one part.
  struct Graph {
    Tensors inputs;  ///< leaves at a cut between devices, empty for the first part
    Tensors outputs;
  };

  /// `body` captures only `this` and values.
  Status on(std::size_t part, std::function<void()> body) {
    Worker& worker = *m_plan.parts[part].worker;
    std::future<Status> job = worker.submit(
        [self = shared_from_this(), &backend = worker.backend(), body = std::move(body)] {
          const c10::AutoGradMode withGradients(!self->m_plan.forwardOnly);
          body();
          // What follows reads the results in other threads.
          backend.synchronize();
          return Status{};
        });
    return awaitJob(job, worker, m_control, longestMicroBatchNs(m_plan, m_control));
  }

  void build(std::size_t index) {
    const ReferencePart& part = m_plan.parts[index];
    const at::Device device = part.worker->backend().torchDevice();
    for (std::size_t stage = 0; stage < m_plan.stages.size(); ++stage) {
      const std::size_t first = std::max(part.firstBlock, m_plan.stages[stage].firstBlock);
      const std::size_t last = std::min(part.lastBlock, m_plan.stages[stage].lastBlock);
      if (first > last) continue;
      m_pieces[index].push_back({stage,
                                 first,
                                 last,
                                 StageTensors(*m_plan.experiment->model, first, last, m_values,
                                              device, m_plan.experiment->memoryFormat),
                                 DeferredStatistics(static_cast<int>(m_graphs.size())),
                                 StageSum(m_plan.gradientOrder[stage], m_plan.replicas),
                                 {}});
      m_pieces[index].back().sum.addPart();
      m_tiedSums[stage].addPart();
    }
    if (index == 0) m_inputs = pieces(m_batch.input, device);
    if (index + 1 == m_plan.parts.size()) {
      m_target = m_batch.target.to(device);
      m_targets = pieces(m_batch.target, device);
    }
  }

  void findTied() {
    std::map<std::pair<std::size_t, std::string>, int> uses;  // by stage and name
    for (const std::vector<Piece>& part : m_pieces) {
      for (const Piece& piece : part) {
        for (const auto& named : piece.tensors.parameters()) ++uses[{piece.stage, named.first}];
      }
    }
    for (std::vector<Piece>& part : m_pieces) {
      for (Piece& piece : part) {
        for (const auto& named : piece.tensors.parameters()) {
          if (uses[{piece.stage, named.first}] > 1) piece.tied.insert(named.first);
        }
      }
    }
  }

  [[nodiscard]] Tensors pieces(const at::Tensor& whole, at::Device device) const {
    return microBatchesOn(m_plan, whole, device);
  }

  /// Inference: the output is the only result of a micro-batch.
  Status allForwards() {
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
      STAGELANE_CHECK(forward(i));
      m_outputs[static_cast<int>(i)] = hostCopy(m_graphs[i].back().outputs.front());
      m_graphs[i].clear();
    }
    return {};
  }

  /// Forwards in the order of the micro-batches, each backward as early as possible.
  Status oneByOne() {
    std::size_t forwards = 0;
    for (const int microBatch : m_plan.gradientOrder.front()) {
      for (; forwards <= static_cast<std::size_t>(microBatch); ++forwards) {
        STAGELANE_CHECK(forward(forwards));
      }
      const auto index = static_cast<std::size_t>(microBatch);
      m_roots = {m_losses[index]};
      m_rootGradients = {at::Tensor()};
      STAGELANE_CHECK(backward(index));
    }
    return {};
  }

  /// `tutorial`: all forwards, one loss over the concatenated outputs, then the backwards.
  Status allThenBackward() {
    for (std::size_t i = 0; i < m_graphs.size(); ++i) STAGELANE_CHECK(forward(i));
    for (const auto& graph : m_graphs) m_wholeOutputs.push_back(graph.back().outputs.front());
    STAGELANE_CHECK(on(m_plan.parts.size() - 1, [this] {
      const at::Tensor loss = shareOfLoss(at::cat(m_wholeOutputs, 0), m_target);
      m_wholeGradients = torch::autograd::grad({loss}, m_wholeOutputs, {}, /*retain_graph=*/true);
      m_losses = {loss.detach()};
    }));
    for (const int microBatch : m_plan.gradientOrder.front()) {
      const auto index = static_cast<std::size_t>(microBatch);
      m_roots = {m_wholeOutputs[index]};
      m_rootGradients = {m_wholeGradients[index]};
      STAGELANE_CHECK(backward(index));
    }
    return {};
  }

  /// Contribution of a part of the batch to the mean over the whole batch. Computed from the target
  /// instead of the executor's scaledLoss, so that the check detects a wrong scaling there.
  [[nodiscard]] at::Tensor shareOfLoss(const at::Tensor& output, const at::Tensor& target) const {
    const AutocastGuard autocast(m_plan.experiment->precision, output.device().type());
    if (m_plan.experiment->loss == plan::LossKind::CrossEntropy) {
      // Class indices have one dimension less than the output.
      const std::int64_t classes = output.size(-1);
      const bool numbers = target.dim() < output.dim();
      const std::int64_t rows = numbers ? m_target.numel() : m_target.numel() / classes;
      return at::cross_entropy_loss(output.reshape({-1, classes}),
                                    numbers ? target.reshape({-1}) : target.reshape({-1, classes}),
                                    {}, at::Reduction::Sum)
          .div(static_cast<double>(rows));
    }
    return at::mse_loss(output, target, at::Reduction::Sum)
        .div(static_cast<double>(m_target.numel()));
  }

  /// For the experiment's first batch.
  [[nodiscard]] ForwardMode modeOf(std::size_t microBatch, Piece& piece) const {
    ForwardMode mode = referenceMode(m_plan, microBatch);
    if (m_plan.experiment->batchNorm == plan::BatchNormMode::Deferred) {
      mode.deferred = &piece.deferred;
    }
    return mode;
  }

  Status forward(std::size_t microBatch) {
    m_boundary = {m_inputs[microBatch]};
    for (std::size_t part = 0; part < m_plan.parts.size(); ++part) {
      STAGELANE_CHECK(on(part, [this, part, microBatch] { forwardOn(part, microBatch); }));
    }
    return {};
  }

  /// From m_boundary, or m_parcels that have come, to the same of the next part.
  void forwardOn(std::size_t part, std::size_t microBatch) {
    const bool last = part + 1 == m_plan.parts.size();
    Graph& graph = m_graphs[microBatch][part];
    if (part > 0) {
      m_boundary = received(m_plan.parts[part], m_parcels, m_control);
      for (at::Tensor& value : m_boundary) {
        value.requires_grad_(value.is_floating_point() && !m_plan.forwardOnly);
      }
      graph.inputs = m_boundary;
    }
    for (Piece& piece : m_pieces[part]) {
      m_boundary = runBlocks(*m_plan.experiment->model, piece.firstBlock, piece.lastBlock,
                             piece.tensors, std::move(m_boundary), modeOf(microBatch, piece));
    }
    graph.outputs = m_boundary;
    if (last && !m_plan.wholeBatchLoss && !m_plan.forwardOnly) {
      m_losses.push_back(shareOfLoss(m_boundary.front(), m_targets[microBatch]));
    }
    if (!last) m_parcels = sent(m_plan.parts[part], m_plan.parts[part + 1], m_boundary);
    m_boundary.clear();
  }

  /// From m_roots and m_rootGradients.
  Status backward(std::size_t microBatch) {
    for (std::size_t part = m_plan.parts.size(); part-- > 0;) {
      STAGELANE_CHECK(on(part, [this, part, microBatch] { backwardOn(part, microBatch); }));
    }
    if (!m_plan.wholeBatchLoss) m_losses[microBatch] = m_losses[microBatch].detach();
    return {};
  }

  void backwardOn(std::size_t part, std::size_t microBatch) {
    Graph& graph = m_graphs[microBatch][part];
    if (part + 1 < m_plan.parts.size()) {
      m_rootGradients = received(m_plan.parts[part], m_parcels, m_control);
      m_roots = floatingPoint(graph.outputs);
    }
    Tensors wanted = differentiable(graph.inputs);
    const std::size_t inputs = wanted.size();
    for (const Piece& piece : m_pieces[part]) {
      for (const auto& named : piece.tensors.parameters()) wanted.push_back(named.second);
    }
    Tensors found;
    if (!wanted.empty() && m_roots.front().requires_grad()) {
      found = torch::autograd::grad(m_roots, wanted, m_rootGradients, /*retain_graph=*/false,
                                    /*create_graph=*/false, /*allow_unused=*/true);
    }
    found.resize(wanted.size());
    auto next = found.begin() + static_cast<std::ptrdiff_t>(inputs);
    for (Piece& piece : m_pieces[part]) {
      NamedTensors share;
      for (const auto& named : piece.tensors.parameters()) share[named.first] = *next++;
      addShare(piece, static_cast<int>(microBatch), std::move(share));
    }
    found.resize(inputs);
    if (part > 0) m_parcels = sent(m_plan.parts[part], m_plan.parts[part - 1], found);
    m_roots.clear();
    graph = Graph{};
  }

  /// Each device's sums are made by its own worker. Another thread would add on another stream of
  /// the device, which nothing waits for, while the summands' memory is used again. Sums over
  /// devices are made on the host. @thread the worker of the piece
  void addShare(Piece& piece, int microBatch, NamedTensors share) {
    NamedTensors tied;
    for (const std::string& name : piece.tied) {
      tied[name] = onHost(share.at(name));
      share.erase(name);
    }
    piece.sum.add(microBatch, share);
    m_tiedSums[piece.stage].add(microBatch, tied);
  }

  static Tensors differentiable(const Tensors& inputs) {
    Tensors leaves;
    std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(leaves),
                 [](const at::Tensor& input) { return input.requires_grad(); });
    return leaves;
  }

  static Tensors floatingPoint(const Tensors& outputs) {
    Tensors roots;
    std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(roots),
                 [](const at::Tensor& output) { return output.is_floating_point(); });
    return roots;
  }

  static void addCopies(const StageSum& stage, NamedTensors& gradients) {
    addTo(gradients, stage.sum());
  }

  /// In host memory. @pre the devices were synchronized
  [[nodiscard]] TrainingSnapshot snapshot() const {
    TrainingSnapshot result;
    for (const at::Tensor& loss : m_losses) result.losses.push_back(onHost(loss));
    result.outputs = m_outputs;
    for (std::size_t stage = 0; stage < m_tiedSums.size(); ++stage) {
      for (const std::vector<Piece>& part : m_pieces) {
        for (const Piece& piece : part) {
          if (piece.stage == stage) addCopies(piece.sum, result.gradients);
        }
      }
      addCopies(m_tiedSums[stage], result.gradients);
    }
    for (const std::vector<Piece>& part : m_pieces) {
      for (const Piece& piece : part) {
        for (const auto& [name, tensor] : piece.tensors.buffers()) {
          result.buffers[name] = hostCopy(tensor);
        }
      }
    }
    return result;
  }

  /// Clips by the norm of all gradients, in the model's parameter order, each once, as
  /// torch.nn.utils.clip_grad_norm_ does.
  void clip(double maxNorm, NamedTensors& gradients) const {
    Tensors norms;
    std::set<std::string> seen;
    for (const std::vector<Piece>& part : m_pieces) {
      for (const Piece& piece : part) {
        for (const auto& named : piece.tensors.parameters()) {
          const at::Tensor& gradient = gradients.at(named.first);
          if (seen.insert(named.first).second && gradient.defined()) {
            norms.push_back(at::linalg_vector_norm(gradient, 2));
          }
        }
      }
    }
    if (norms.empty()) return;
    const at::Tensor norm = at::linalg_vector_norm(at::stack(norms), 2);
    const at::Tensor factor = norm.add(1e-6).reciprocal().mul(maxNorm).clamp_max(1);
    for (auto& [name, gradient] : gradients) {
      gradient = gradient.defined() ? gradient.mul(factor) : gradient;
    }
  }

  const ReferencePlan m_plan;
  const InitialValues m_values;
  const Batch m_batch;
  const RunControl& m_control;
  std::vector<std::vector<Piece>> m_pieces;  ///< by part
  std::vector<StageSum> m_tiedSums;          ///< by stage, of its pieces' tied weights
  std::vector<std::vector<Graph>> m_graphs;  ///< by micro-batch and part
  std::map<int, at::Tensor> m_outputs;       ///< inference, by micro-batch
  Tensors m_inputs, m_targets, m_losses;
  at::Tensor m_target;
  Tensors m_wholeOutputs, m_wholeGradients;  ///< of a loss over the whole batch, by micro-batch
  // Of the micro-batch in progress:
  Tensors m_boundary;                ///< inputs or outputs of a part
  Tensors m_roots, m_rootGradients;  ///< of a part's backward
  Parcels m_parcels;                 ///< on their way to the next part
  TrainingSnapshot m_result;
};

}  // namespace

at::Tensor hostCopy(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
}

std::vector<std::vector<int>> gradientOrder(const schedule::LoweredSchedule& lowered) {
  std::vector<std::vector<int>> order(static_cast<std::size_t>(lowered.source.stages));
  for (const auto& row : lowered.actions) {
    for (const schedule::LoweredAction& action : row) {
      if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight) {
        order[static_cast<std::size_t>(action.stage.value)].push_back(action.microBatch.value);
      }
    }
  }
  return order;
}

std::vector<at::Tensor> microBatchesOn(const ReferencePlan& plan, const at::Tensor& whole,
                                       at::Device device) {
  return placed(whole, device, plan.experiment->memoryFormat)
      .split_with_sizes(plan.microBatchSizes);
}

ForwardMode referenceMode(const ReferencePlan& plan, std::size_t microBatch) {
  const auto first = plan.microBatchSizes.begin();
  ForwardMode mode = forwardModeOf(*plan.experiment);
  mode.firstSample =
      std::accumulate(first, first + static_cast<std::ptrdiff_t>(microBatch), std::int64_t{0});
  return mode;
}

TimeNs longestMicroBatchNs(const ReferencePlan& plan, const RunControl& control) {
  return control.stallLimitNs() * plan.actionsPerMicroBatch;
}

Result<TrainingSnapshot> referenceStep(const ReferencePlan& plan, const InitialValues& values,
                                       const Batch& batch, const RunControl& control) {
  Result<TrainingSnapshot> result =
      std::make_shared<ReferenceStep>(plan, values, batch, control)->run();
  if (result) STAGELANE_CHECK(replayStatistics(plan, values, batch, control, *result));
  return result;
}

}  // namespace stagelane::run
