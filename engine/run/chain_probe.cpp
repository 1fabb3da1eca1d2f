#include "engine/run/detail/chain_probe.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_set>

#include "engine/run/detail/precision.h"
#include "engine/run/detail/split_backward.h"
#include "engine/run/detail/tensors.h"

namespace stagelane::run {
namespace {

Bytes bytesOf(const std::vector<at::Tensor>& tensors) {
  Bytes sum = 0;
  for (const at::Tensor& tensor : tensors) {
    sum += static_cast<Bytes>(tensor.nbytes());
  }
  return sum;
}

TimeNs between(const std::shared_ptr<Marker>& start, const std::shared_ptr<Marker>& end) {
  return start && end ? std::max<TimeNs>(0, end->timeNs() - start->timeNs()) : 0;
}

}  // namespace

/// The moments at which gradients of weights were added, while one pass asks for them.
struct ChainProbe::Stamps {
  struct Stamp {
    std::size_t block = 0;
    Mark mark;
  };
  Backend* backend = nullptr;
  bool wanted = false;
  std::vector<Stamp> all;

  /// LibTorch calls it when a leaf's `grad` was added to.
  struct Hook final : torch::autograd::PostAccumulateGradHook {
    Hook(std::shared_ptr<Stamps> where, std::size_t ofBlock)
        : stamps(std::move(where)), block(ofBlock) {}
    void operator()(const torch::autograd::Variable& /*leaf*/) override {
      if (stamps->wanted) {
        stamps->all.push_back({block, stamps->backend->mark()});
      }
    }
    std::shared_ptr<Stamps> stamps;
    std::size_t block;
  };
};

/// A micro-batch under way. Position 0 is before the first block, i + 1 after block i.
struct ChainProbe::Graph {
  BlockRange range;
  std::vector<at::Tensor> leaves;  ///< none of a range that begins with the first block
  torch::autograd::edge_list roots;
  std::vector<at::Tensor> outputs;
  std::vector<Mark> passed;   ///< the forward was here
  std::vector<Mark> reached;  ///< the backward was here
  Mark backwardStart, halfWay, backwardEnd;
  std::vector<Stamps::Stamp> weights;
  std::vector<Bytes> live;  ///< like `passed`, when weighing
  Bytes liveBefore = 0;     ///< when the backward of the block under way began
  std::vector<BlockBytes> bytes;
  bool accumulates = false;
};

ChainProbe::ChainProbe(const plan::Experiment& experiment, Backend& backend,
                       const InitialValues& values, const Batch& batch,
                       std::function<bool()> stopped)
    : m_experiment(experiment),
      m_backend(backend),
      m_stopped(std::move(stopped)),
      m_tensors(*experiment.model, 0, experiment.model->blocks.size() - 1, values,
                backend.torchDevice(), experiment.memoryFormat),
      m_input(placed(batch.input, backend.torchDevice(), experiment.memoryFormat)),
      m_target(placed(batch.target, backend.torchDevice(), experiment.memoryFormat)),
      m_stamps(std::make_shared<Stamps>()) {
  m_stamps->backend = &backend;
  std::unordered_set<const void*> taken;
  for (std::size_t block = 0; block < blocks(); ++block) {
    std::vector<at::Tensor> parameters;
    for (const std::size_t layer : experiment.model->blocks[block].layers) {
      for (const at::Tensor& tensor : m_tensors.layer(layer).tensors) {
        if (tensor.requires_grad() && taken.insert(tensor.unsafeGetTensorImpl()).second) {
          parameters.push_back(tensor);
          torch::autograd::impl::set_post_acc_grad_hooks(
              tensor, std::make_unique<Stamps::Hook>(m_stamps, block));
        }
      }
    }
    m_optimizers.push_back(makeOptimizer(experiment.optimizer, std::move(parameters)));
  }
}

ChainProbe::~ChainProbe() = default;

void ChainProbe::watchBoundary(Graph& graph, std::size_t block,
                               const std::vector<at::Tensor>& boundary) {
  if (m_stopped()) {
    throw ProbeStopped{};
  }
  graph.passed[block + 1] = m_backend.mark();
  if (m_weighing) {
    graph.live[block + 1] = m_backend.liveBytes();
    graph.bytes[block].output = bytesOf(boundary);
    graph.bytes[block].temporary =
        m_backend.peakBytes() - std::max(graph.live[block], graph.live[block + 1]);
    m_backend.resetPeakBytes();
  }
  for (const at::Tensor& tensor : boundary) {
    if (!tensor.requires_grad()) {
      continue;
    }
    // Of several tensors the first counts: one that is only handed through has its gradient later.
    tensor.register_hook([this, &graph, block](const at::Tensor&) {
      if (!graph.reached[block + 1]) {
        graph.reached[block + 1] = m_backend.mark();
        weighBackward(graph, block + 1);
      }
    });
  }
}

/// The backward of `block` has ended; of the one after the last, begun.
void ChainProbe::weighBackward(Graph& graph, std::size_t block) {
  if (!m_weighing) {
    return;
  }
  const Bytes live = m_backend.liveBytes();
  if (block < blocks()) {
    Bytes& temporary = graph.bytes[block].temporary;
    temporary = std::max(temporary, m_backend.peakBytes() - std::max(live, graph.liveBefore));
  }
  graph.liveBefore = live;
  m_backend.resetPeakBytes();
}

/// What the range takes in: a piece of the batch, or what the blocks before it put out.
std::vector<at::Tensor> ChainProbe::inputsOf(std::int64_t samples, BlockRange range) {
  if (range.first == 0) {
    return {m_input.narrow(0, 0, samples)};
  }
  std::vector<at::Tensor>& boundary = m_boundaries[{range.first, samples}];
  if (boundary.empty()) {
    const c10::AutoGradMode noGrad(false);
    boundary = runBlocks(*m_experiment.model, 0, range.first - 1, m_tensors,
                         {m_input.narrow(0, 0, samples)}, forwardModeOf(m_experiment));
  }
  std::vector<at::Tensor> leaves;
  for (const at::Tensor& tensor : boundary) {
    leaves.push_back(tensor.detach());
    leaves.back().set_requires_grad(tensor.is_floating_point());
  }
  return leaves;
}

std::unique_ptr<ChainProbe::Graph> ChainProbe::forward(std::int64_t samples, BlockRange range) {
  auto graph = std::make_unique<Graph>();
  graph->range = range;
  graph->passed.resize(blocks() + 1);
  graph->reached.resize(blocks() + 1);
  graph->live.resize(blocks() + 1);
  graph->bytes.resize(blocks());
  std::vector<at::Tensor> inputs = inputsOf(samples, range);
  for (const at::Tensor& input : inputs) {
    if (input.requires_grad()) {
      graph->leaves.push_back(input);
    }
  }
  if (m_weighing) {
    graph->live[0] = m_backend.liveBytes();
    m_backend.resetPeakBytes();
  }
  ForwardMode mode = forwardModeOf(m_experiment);
  mode.afterBlock = [&](std::size_t block, const std::vector<at::Tensor>& boundary) {
    watchBoundary(*graph, block, boundary);
  };
  graph->passed[range.first] = m_backend.mark();
  const std::vector<at::Tensor> outputs =
      runBlocks(*m_experiment.model, range.first, range.last, m_tensors, std::move(inputs), mode);
  for (const at::Tensor& output : outputs) {
    if (output.requires_grad()) {
      graph->roots.push_back(torch::autograd::impl::gradient_edge(output));
      graph->outputs.push_back(output.detach());
    }
  }
  if (range.last + 1 == blocks()) {
    m_output = outputs.front().detach();
  }
  return graph;
}

void ChainProbe::backward(Graph& graph, BackwardKind kind) {
  if (m_stopped()) {
    throw ProbeStopped{};
  }
  // Any gradient will do for the time; one that stays clear of denormal numbers.
  torch::autograd::variable_list gradients;
  for (const at::Tensor& output : graph.outputs) {
    gradients.push_back(at::full_like(output, 1e-3));
  }
  graph.outputs.clear();
  for (const auto& named : m_tensors.parameters()) {
    graph.accumulates = graph.accumulates || named.second.grad().defined();
  }
  if (graph.roots.empty()) {
    return;
  }
  weighBackward(graph, blocks());
  graph.backwardStart = m_backend.mark();
  if (kind == BackwardKind::Halves) {
    InputGradients half = inputHalf(std::move(graph.roots), std::move(gradients), graph.leaves);
    graph.halfWay = m_backend.mark();
    m_stamps->all.clear();
    m_stamps->wanted = true;
    half.weights.accumulate();
    m_stamps->wanted = false;
    graph.weights = std::move(m_stamps->all);
  } else {
    torch::autograd::Engine::get_default_engine().execute(graph.roots, gradients,
                                                          /*keep_graph=*/false,
                                                          /*create_graph=*/false,
                                                          /*accumulate_grad=*/true);
    graph.roots.clear();
  }
  graph.leaves.clear();
  graph.backwardEnd = m_backend.mark();
  weighBackward(graph, graph.range.first);
}

PassTimes ChainProbe::timesOf(const Graph& graph, BackwardKind kind) const {
  PassTimes times;
  times.kind = kind;
  times.accumulates = graph.accumulates;
  times.forward.resize(blocks());
  times.backward.resize(blocks());
  times.backwardWeight.resize(blocks());
  const bool halves = kind == BackwardKind::Halves;
  TimeNs counted = 0;
  // A boundary that needs no gradient was not reached; what lies before it took no time.
  Mark end = halves ? graph.halfWay : graph.backwardEnd;
  for (std::size_t block = graph.range.first; block <= graph.range.last; ++block) {
    times.forward[block] = between(graph.passed[block], graph.passed[block + 1]);
    if (graph.reached[block + 1]) {
      times.backward[block] = between(graph.reached[block + 1], end);
      counted += times.backward[block];
      end = graph.reached[block + 1];
    }
  }
  Mark before = graph.halfWay;
  for (const Stamps::Stamp& stamp : graph.weights) {
    const TimeNs time = between(before, stamp.mark);
    times.backwardWeight[stamp.block] += time;
    counted += time;
    before = stamp.mark;
  }
  times.overhead = between(graph.backwardStart, graph.backwardEnd) - counted;
  return times;
}

std::vector<ChainProbe::Mark> ChainProbe::optimize() {
  std::vector<Mark> marks{m_backend.mark()};
  for (const std::unique_ptr<Optimizer>& optimizer : m_optimizers) {
    optimizer->step();
    optimizer->dropGradients();
    marks.push_back(m_backend.mark());
  }
  return marks;
}

ChainProbe::Visit ChainProbe::visit(std::int64_t samples, BlockRange range, BackwardKind kind) {
  const c10::AutoGradMode gradients(m_experiment.task == plan::Task::Train);
  std::vector<std::unique_ptr<Graph>> graphs;
  graphs.push_back(forward(samples, range));
  if (2 * samples <= m_experiment.data.batchSize) {
    graphs.push_back(forward(samples, range));
  }
  for (const auto& graph : graphs) {
    backward(*graph, kind);
  }
  const std::vector<Mark> marks = optimize();
  m_backend.synchronize();
  Visit visit;
  for (const auto& graph : graphs) {
    visit.passes.push_back(timesOf(*graph, kind));
  }
  for (std::size_t block = 0; block < blocks(); ++block) {
    visit.optimizer.push_back(between(marks[block], marks[block + 1]));
  }
  return visit;
}

std::vector<BlockBytes> ChainProbe::weigh(std::int64_t samples) {
  const c10::AutoGradMode gradients(m_experiment.task == plan::Task::Train);
  m_weighing = true;
  const std::unique_ptr<Graph> graph = forward(samples, whole());
  backward(*graph, BackwardKind::Whole);
  m_weighing = false;
  static_cast<void>(optimize());
  for (std::size_t block = 0; block < blocks(); ++block) {
    BlockBytes& bytes = graph->bytes[block];
    bytes.saved = graph->live[block + 1] - graph->live[block];
    bytes.temporary = std::max<Bytes>(bytes.temporary, 0);
  }
  return std::move(graph->bytes);
}

/// The last output of the chain, repeated where that was for fewer samples.
at::Tensor ChainProbe::outputFor(std::int64_t samples) const {
  at::Tensor output = m_output;
  while (output.size(0) < samples) {
    output = at::cat({output, output}, 0);
  }
  return output.narrow(0, 0, samples).detach();
}

TimeNs ChainProbe::lossOf(std::int64_t samples) {
  const c10::AutoGradMode withGradients(true);
  const at::Tensor target = m_target.narrow(0, 0, samples);
  const at::Tensor output = outputFor(samples).requires_grad_(true);
  const Mark start = m_backend.mark();
  at::Tensor loss;
  {
    const AutocastGuard autocast(m_experiment.precision, output.device().type());
    loss = scaledLoss(m_experiment.loss, output, target, m_experiment.data.batchSize);
  }
  const at::Tensor gradient = torch::autograd::grad({loss}, {output}).front();
  const Mark end = m_backend.mark();
  m_backend.synchronize();
  return between(start, end);
}

}  // namespace stagelane::run
