#include "engine/run/detail/reference.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mse_loss.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

namespace stagelane::run {
namespace {

using Tensors = std::vector<at::Tensor>;

/// Adds up the gradients of one stage in the stage's own order, whatever order they come in.
class OrderedSum {
 public:
  explicit OrderedSum(std::vector<int> order) : m_order(std::move(order)) {}

  void add(int microBatch, Tensors gradients) {
    m_pending[microBatch] = std::move(gradients);
    while (m_next < m_order.size()) {
      const auto found = m_pending.find(m_order[m_next]);
      if (found == m_pending.end()) {
        return;
      }
      fold(std::move(found->second));
      m_pending.erase(found);
      ++m_next;
    }
  }
  [[nodiscard]] const Tensors& sum() const { return m_sum; }

 private:
  void fold(Tensors gradients) {
    if (m_sum.empty()) {
      m_sum = std::move(gradients);
      return;
    }
    const c10::AutoGradMode noGrad(false);
    for (std::size_t i = 0; i < m_sum.size(); ++i) {
      if (!m_sum[i].defined()) {
        m_sum[i] = gradients[i];
      } else if (gradients[i].defined()) {
        m_sum[i].add_(gradients[i]);
      }
    }
  }

  std::vector<int> m_order;
  std::size_t m_next = 0;
  std::map<int, Tensors> m_pending;
  Tensors m_sum;
};

/// Which stage's sum a part's parameter belongs to.
struct Owned {
  std::string name;
  at::Tensor tensor;
  std::size_t stage = 0;
};

class ReferenceStep {
 public:
  ReferenceStep(const ReferencePlan& plan, const Batch& batch) : m_plan(plan), m_batch(batch) {
    m_sums.resize(plan.parts.size());
    m_graphs.resize(plan.microBatchSizes.size());
    for (auto& graph : m_graphs) {
      graph.resize(plan.parts.size());
    }
  }

  Result<TrainingSnapshot> run(const InitialValues& values) {
    for (std::size_t part = 0; part < m_plan.parts.size(); ++part) {
      const Status built = on(part, [&] { build(part, values); });
      if (!built) {
        return tl::make_unexpected(built.error());
      }
    }
    Status done = m_plan.wholeBatchLoss ? allThenBackward() : oneByOne();
    if (!done) {
      return tl::make_unexpected(done.error());
    }
    return snapshot();
  }

 private:
  /// A piece of graph of one micro-batch on one part.
  struct Graph {
    Tensors inputs;  ///< leaves at a cut between devices, empty for the first part
    Tensors outputs;
  };

  Status on(std::size_t part, const std::function<void()>& body) {
    return m_plan.parts[part]
        .worker
        ->submit([&]() -> Status {
          const c10::AutoGradMode withGradients(true);
          body();
          return {};
        })
        .get();
  }

  void build(std::size_t index, const InitialValues& values) {
    const ReferencePart& part = m_plan.parts[index];
    const at::Device device = part.worker->backend().torchDevice();
    m_tensors.emplace_back(*m_plan.experiment->model, part.firstBlock, part.lastBlock, values,
                           device, m_plan.experiment->memoryFormat);
    std::vector<Owned>& owned = m_parameters.emplace_back();
    const std::map<std::string, std::size_t> stages = stageOfLayers();
    for (const auto& [name, tensor] : m_tensors.back().parameters()) {
      const std::string layer = name.substr(0, name.rfind('.'));
      owned.push_back({name, tensor, stages.at(layer)});
    }
    if (index == 0) {
      m_inputs = pieces(m_batch.input, device);
    }
    if (index + 1 == m_plan.parts.size()) {
      m_target = m_batch.target.to(device);
      m_targets = pieces(m_batch.target, device);
    }
  }

  [[nodiscard]] std::map<std::string, std::size_t> stageOfLayers() const {
    std::map<std::string, std::size_t> stages;
    const model::Model& model = *m_plan.experiment->model;
    for (std::size_t stage = 0; stage < m_plan.stages.size(); ++stage) {
      const plan::Stage& range = m_plan.stages[stage];
      for (std::size_t block = range.firstBlock; block <= range.lastBlock; ++block) {
        for (const std::size_t layer : model.blocks[block].layers) {
          stages.emplace(model.layers[layer].name, stage);
        }
      }
    }
    return stages;
  }

  [[nodiscard]] Tensors pieces(const at::Tensor& whole, at::Device device) const {
    at::Tensor placed = whole.to(device);
    if (m_plan.experiment->memoryFormat == plan::MemoryFormat::ChannelsLast && placed.dim() == 4) {
      placed = placed.contiguous(at::MemoryFormat::ChannelsLast);
    }
    return placed.split_with_sizes(m_plan.microBatchSizes);
  }

  /// Forwards in the order of the micro-batches, each backward as soon as its turn has come.
  Status oneByOne() {
    std::size_t forwards = 0;
    for (const int microBatch : m_plan.gradientOrder.front()) {
      for (; forwards <= static_cast<std::size_t>(microBatch); ++forwards) {
        const Status done = forward(forwards);
        if (!done) {
          return done;
        }
      }
      const auto index = static_cast<std::size_t>(microBatch);
      const Status done = backward(index, {m_losses[index]}, {at::Tensor()});
      if (!done) {
        return done;
      }
    }
    return {};
  }

  /// `tutorial`: all forwards, one loss over the concatenated outputs, then the backwards.
  Status allThenBackward() {
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
      const Status done = forward(i);
      if (!done) {
        return done;
      }
    }
    Tensors outputs;
    for (const auto& graph : m_graphs) {
      outputs.push_back(graph.back().outputs.front());
    }
    Tensors gradients;
    const Status lost = on(m_plan.parts.size() - 1, [&] {
      const at::Tensor loss = shareOfLoss(at::cat(outputs, 0), m_target);
      gradients = torch::autograd::grad({loss}, outputs, {}, /*retain_graph=*/true);
      m_losses = {loss.detach()};
    });
    if (!lost) {
      return lost;
    }
    for (const int microBatch : m_plan.gradientOrder.front()) {
      const auto index = static_cast<std::size_t>(microBatch);
      const Status done = backward(index, {outputs[index]}, {gradients[index]});
      if (!done) {
        return done;
      }
    }
    return {};
  }

  /// What a part of the batch adds to the mean over the undivided batch. Written from the target
  /// itself, not with the executor's scaledLoss: a wrong scaling there must show here.
  [[nodiscard]] at::Tensor shareOfLoss(const at::Tensor& output, const at::Tensor& target) const {
    if (m_plan.experiment->loss == plan::LossKind::CrossEntropy) {
      // Classes as numbers have a dimension less than the output.
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

  Status forward(std::size_t microBatch) {
    Tensors values = {m_inputs[microBatch]};
    for (std::size_t part = 0; part < m_plan.parts.size(); ++part) {
      const bool last = part + 1 == m_plan.parts.size();
      const Status done = on(part, [&] {
        Graph& graph = m_graphs[microBatch][part];
        if (part > 0) {
          for (at::Tensor& value : values) {
            value = value.detach().to(m_plan.parts[part].worker->backend().torchDevice());
            value.requires_grad_(true);
          }
          graph.inputs = values;
        }
        graph.outputs = runBlocks(*m_plan.experiment->model, m_plan.parts[part].firstBlock,
                                  m_plan.parts[part].lastBlock, m_tensors[part], values);
        values = graph.outputs;
        if (last && !m_plan.wholeBatchLoss) {
          m_losses.push_back(shareOfLoss(values.front(), m_targets[microBatch]));
        }
        m_plan.parts[part].worker->backend().synchronize();
      });
      if (!done) {
        return done;
      }
    }
    return {};
  }

  Status backward(std::size_t microBatch, Tensors roots, Tensors gradients) {
    for (std::size_t part = m_plan.parts.size(); part-- > 0;) {
      const Status done = on(part, [&] {
        Graph& graph = m_graphs[microBatch][part];
        Tensors wanted;
        for (const Owned& owned : m_parameters[part]) {
          wanted.push_back(owned.tensor);
        }
        wanted.insert(wanted.end(), graph.inputs.begin(), graph.inputs.end());
        Tensors found;
        if (!wanted.empty() && roots.front().requires_grad()) {
          found = torch::autograd::grad(roots, wanted, gradients, /*retain_graph=*/false,
                                        /*create_graph=*/false, /*allow_unused=*/true);
        }
        found.resize(wanted.size());
        const std::size_t parameters = m_parameters[part].size();
        keep(part, static_cast<int>(microBatch),
             Tensors(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(parameters)));
        handDown(part, microBatch,
                 {found.begin() + static_cast<std::ptrdiff_t>(parameters), found.end()}, roots,
                 gradients);
        graph = Graph{};
      });
      if (!done) {
        return done;
      }
    }
    if (!m_plan.wholeBatchLoss) {
      m_losses[microBatch] = m_losses[microBatch].detach();
    }
    return {};
  }

  /// Gives each stage its share of a part's gradients.
  void keep(std::size_t part, int microBatch, const Tensors& found) {
    std::map<std::size_t, Tensors> shares;
    for (std::size_t i = 0; i < found.size(); ++i) {
      shares[m_parameters[part][i].stage].push_back(found[i]);
    }
    for (auto& [stage, gradients] : shares) {
      m_sums[part]
          .try_emplace(stage, m_plan.gradientOrder[stage])
          .first->second.add(microBatch, std::move(gradients));
    }
  }

  /// The part before differentiates its outputs with the gradients of this part's inputs.
  void handDown(std::size_t part, std::size_t microBatch, Tensors found, Tensors& roots,
                Tensors& gradients) {
    if (part == 0) {
      return;
    }
    roots = m_graphs[microBatch][part - 1].outputs;
    gradients = std::move(found);
    for (at::Tensor& gradient : gradients) {
      gradient = gradient.to(m_plan.parts[part - 1].worker->backend().torchDevice());
    }
    m_plan.parts[part].worker->backend().synchronize();
  }

  [[nodiscard]] TrainingSnapshot snapshot() const {
    TrainingSnapshot result;
    result.losses = m_losses;
    for (std::size_t part = 0; part < m_parameters.size(); ++part) {
      std::map<std::size_t, std::size_t> next;  // by stage
      for (const Owned& owned : m_parameters[part]) {
        const Tensors& sum = m_sums[part].at(owned.stage).sum();
        const at::Tensor& gradient = sum.at(next[owned.stage]++);
        result.gradients[owned.name] = gradient.defined() ? hostCopy(gradient) : gradient;
      }
      for (const auto& [name, tensor] : m_tensors[part].buffers()) {
        result.buffers[name] = hostCopy(tensor);
      }
    }
    return result;
  }

  const ReferencePlan& m_plan;
  const Batch& m_batch;
  std::vector<StageTensors> m_tensors;                    ///< by part
  std::vector<std::vector<Owned>> m_parameters;           ///< by part
  std::vector<std::map<std::size_t, OrderedSum>> m_sums;  ///< by part and stage
  std::vector<std::vector<Graph>> m_graphs;               ///< by micro-batch and part
  Tensors m_inputs, m_targets, m_losses;
  at::Tensor m_target;
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

Result<TrainingSnapshot> referenceStep(const ReferencePlan& plan, const InitialValues& values,
                                       const Batch& batch) {
  return ReferenceStep(plan, batch).run(values);
}

}  // namespace stagelane::run
