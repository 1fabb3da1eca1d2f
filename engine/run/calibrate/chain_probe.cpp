#include "engine/run/calibrate/chain_probe.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <c10/core/GradMode.h>
#include <c10/core/StorageImpl.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_set>

#include "engine/run/step/precision.h"
#include "engine/run/step/split_backward.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

Bytes bytesOf(const std::vector<at::Tensor>& tensors) {
  Bytes sum = 0;
  for (const at::Tensor& tensor : tensors) sum += static_cast<Bytes>(tensor.nbytes());
  return sum;
}

TimeNs between(const std::shared_ptr<Marker>& start, const std::shared_ptr<Marker>& end) {
  return start && end ? std::max<TimeNs>(0, end->timeNs() - start->timeNs()) : 0;
}

}  // namespace

/// Times at which weight gradients were accumulated during one pass.
struct ChainProbe::Stamps {
  struct Stamp {
    std::size_t block = 0;
    Mark mark;
    Bytes live = 0;
    Bytes peak = 0;  ///< since the previous stamp
  };
  Backend* backend = nullptr;
  bool wanted = false;
  bool weighing = false;
  std::vector<Stamp> all;

  /// LibTorch calls this after accumulating into a leaf's `grad`.
  struct Hook final : torch::autograd::PostAccumulateGradHook {
    Hook(std::shared_ptr<Stamps> where, std::size_t ofBlock)
        : stamps(std::move(where)), block(ofBlock) {}
    void operator()(const torch::autograd::Variable& /*leaf*/) override {
      if (!stamps->wanted) return;
      Stamp stamp{block, stamps->backend->mark()};
      if (stamps->weighing) {
        stamp.live = stamps->backend->liveBytes();
        stamp.peak = stamps->backend->peakBytes();
        stamps->backend->resetPeakBytes();
      }
      stamps->all.push_back(std::move(stamp));
    }
    std::shared_ptr<Stamps> stamps;
    std::size_t block;
  };
};

/// Tells whether a storage still exists, without keeping it alive.
using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

/// A micro-batch in progress. Position 0 is before the first block, i + 1 after block i.
struct ChainProbe::Graph {
  BlockRange range;
  std::vector<at::Tensor> leaves;  ///< empty for a range that begins with the first block
  torch::autograd::edge_list roots;
  std::vector<at::Tensor> outputs;
  std::vector<Mark> passed;   ///< when the forward passed
  std::vector<Mark> reached;  ///< when the backward passed
  Mark backwardStart, halfWay, backwardEnd;
  std::vector<Stamps::Stamp> weights;
  bool accumulates = false;

  // For memory measurements, by position or block.
  std::vector<Bytes> live;          ///< when the forward passed
  std::vector<Bytes> forwardPeak;   ///< of the block
  std::vector<Bytes> output;        ///< of the boundary
  std::vector<Bytes> gradient;      ///< of the boundary
  std::vector<Bytes> unkept;        ///< of the boundary: freed by the end of the forward
  std::vector<Bytes> backLive;      ///< when the backward passed
  std::vector<Bytes> backwardPeak;  ///< of the block
  std::vector<std::vector<WeakStorage>> storages;  ///< of the boundary
  Bytes halfWayLive = 0;
  Bytes endLive = 0;
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
    m_gradientBytes.push_back(bytesOf(parameters));
    m_optimizers.push_back(makeOptimizer(experiment.optimizer, std::move(parameters)));
  }
}

ChainProbe::~ChainProbe() = default;

void ChainProbe::watchBoundary(Graph& graph, std::size_t block,
                               const std::vector<at::Tensor>& boundary) {
  if (m_stopped()) throw ProbeStopped{};
  graph.passed[block + 1] = m_backend.mark();
  if (m_weighing) {
    graph.live[block + 1] = m_backend.liveBytes();
    graph.forwardPeak[block] = m_backend.peakBytes();
    graph.output[block + 1] = bytesOf(boundary);
    for (const at::Tensor& tensor : boundary) {
      graph.gradient[block + 1] += tensor.requires_grad() ? static_cast<Bytes>(tensor.nbytes()) : 0;
      graph.storages[block + 1].emplace_back(tensor.storage().getWeakStorageImpl());
    }
    m_backend.resetPeakBytes();
  }
  for (const at::Tensor& tensor : boundary) {
    if (!tensor.requires_grad()) continue;
    // The first gradient counts: a tensor that is passed through gets its own later.
    tensor.register_hook([this, &graph, block](const at::Tensor&) {
      if (!graph.reached[block + 1]) {
        graph.reached[block + 1] = m_backend.mark();
        weighBackward(graph, block + 1);
      }
    });
  }
}

/// Records the end of the backward of `block`, or the start of the backward after the last one.
void ChainProbe::weighBackward(Graph& graph, std::size_t block) {
  if (!m_weighing) return;
  // Blocks without gradients have no backward; this end belongs to the first block that has one.
  while (block < graph.range.last && !graph.reached[block + 1]) ++block;
  graph.backLive[block] = m_backend.liveBytes();
  if (block < blocks()) graph.backwardPeak[block] = m_backend.peakBytes();
  m_backend.resetPeakBytes();
}

/// The boundary tensors that nothing kept, now that the forward is over.
void ChainProbe::weighKept(Graph& graph) const {
  for (std::size_t position = 0; position < graph.storages.size(); ++position) {
    if (!graph.storages[position].empty() &&
        std::all_of(graph.storages[position].begin(), graph.storages[position].end(),
                    [](const WeakStorage& storage) { return storage.expired(); })) {
      graph.unkept[position] = graph.output[position];
    }
  }
}

/// Inputs of the range: a piece of the batch, or the outputs of the previous blocks.
std::vector<at::Tensor> ChainProbe::inputsOf(std::int64_t samples, BlockRange range) {
  if (range.first == 0) return {m_input.narrow(0, 0, samples)};
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
  for (auto* figures : {&graph->live, &graph->forwardPeak, &graph->output, &graph->gradient,
                        &graph->unkept, &graph->backLive, &graph->backwardPeak}) {
    figures->resize(blocks() + 1);
  }
  graph->storages.resize(blocks() + 1);
  std::vector<at::Tensor> inputs = inputsOf(samples, range);
  for (const at::Tensor& input : inputs) {
    if (input.requires_grad()) graph->leaves.push_back(input);
  }
  if (m_weighing) {
    graph->live[range.first] = m_backend.liveBytes();
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
  if (range.last + 1 == blocks() && !m_weighing) m_output = outputs.front().detach();
  return graph;
}

void ChainProbe::backward(Graph& graph, BackwardKind kind) {
  if (m_stopped()) throw ProbeStopped{};
  // Any gradient suffices for timing, as long as it avoids denormal numbers.
  torch::autograd::variable_list gradients;
  for (const at::Tensor& output : graph.outputs) gradients.push_back(at::full_like(output, 1e-3));
  graph.outputs.clear();
  if (m_weighing) weighKept(graph);
  for (const auto& named : m_tensors.parameters()) {
    graph.accumulates = graph.accumulates || named.second.grad().defined();
  }
  if (graph.roots.empty()) return;
  weighBackward(graph, blocks());
  graph.backwardStart = m_backend.mark();
  if (kind == BackwardKind::Halves) {
    InputGradients half = inputHalf(std::move(graph.roots), std::move(gradients), graph.leaves);
    graph.halfWay = m_backend.mark();
    if (m_weighing) {
      weighBackward(graph, graph.range.first);
      graph.halfWayLive = m_backend.liveBytes();
    }
    m_stamps->all.clear();
    m_stamps->wanted = true;
    m_stamps->weighing = m_weighing;
    half.weights.accumulate();
    m_stamps->wanted = false;
    graph.endLive = m_weighing ? m_backend.liveBytes() : 0;
    graph.weights = std::move(m_stamps->all);
  } else {
    torch::autograd::Engine::get_default_engine().execute(graph.roots, gradients,
                                                          /*keep_graph=*/false,
                                                          /*create_graph=*/false,
                                                          /*accumulate_grad=*/true);
    graph.roots.clear();
    weighBackward(graph, graph.range.first);
  }
  graph.leaves.clear();
  graph.backwardEnd = m_backend.mark();
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
  // A boundary without a gradient was not reached; the blocks before it took no time.
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
  if (2 * samples <= m_experiment.data.batchSize) graphs.push_back(forward(samples, range));
  for (const auto& graph : graphs) backward(*graph, kind);
  const std::vector<Mark> marks = optimize();
  m_backend.synchronize();
  Visit visit;
  for (const auto& graph : graphs) visit.passes.push_back(timesOf(*graph, kind));
  for (std::size_t block = 0; block < blocks(); ++block) {
    visit.optimizer.push_back(between(marks[block], marks[block + 1]));
  }
  return visit;
}

std::unique_ptr<ChainProbe::Graph> ChainProbe::weighPass(std::int64_t samples, BlockRange range,
                                                         BackwardKind kind) {
  // Also ends if the device has too little memory, because smaller sizes are timed afterwards.
  struct Ending {
    bool& weighing;
    ~Ending() { weighing = false; }
  };
  m_weighing = true;
  const Ending ending{m_weighing};
  std::unique_ptr<Graph> graph = forward(samples, range);
  backward(*graph, kind);
  return graph;
}

std::vector<BlockBytes> ChainProbe::weigh(std::int64_t samples) {
  const bool trains = m_experiment.task == plan::Task::Train;
  const c10::AutoGradMode gradients(trains);
  std::vector<BlockBytes> bytes(blocks());
  // The first pass also makes one-time allocations, which would count as temporary memory.
  for (int pass = 0; pass < (trains ? 2 : 1); ++pass) {
    const std::unique_ptr<Graph> graph = weighPass(samples, whole(), BackwardKind::Whole);
    fillForward(*graph, bytes);
    if (trains) fillBackward(*graph, bytes);
  }
  if (trains && blocks() > 1) {
    static_cast<void>(inputsOf(samples, {1, blocks() - 1}));  // created before any measurement
    fillHalves(*weighPass(samples, {1, blocks() - 1}, BackwardKind::Halves), bytes);
  }
  static_cast<void>(optimize());
  return bytes;
}

/// Kept memory is the live memory at a boundary, minus a boundary tensor that nothing keeps.
void ChainProbe::fillForward(const Graph& graph, std::vector<BlockBytes>& bytes) const {
  const auto keptAt = [&](std::size_t position) {
    return graph.live[position] - graph.unkept[position];
  };
  for (std::size_t block = 0; block < blocks(); ++block) {
    BlockBytes& own = bytes[block];
    own.output = graph.output[block + 1];
    own.saved = std::max<Bytes>(0, keptAt(block + 1) - keptAt(block));
    own.memory.unkeptOutput = graph.unkept[block + 1];
    own.memory.forwardPeak = std::max<Bytes>(0, graph.forwardPeak[block] - graph.live[block]);
    own.temporary = std::max<Bytes>(
        0, graph.forwardPeak[block] - std::max(graph.live[block], graph.live[block + 1]));
  }
}

void ChainProbe::fillBackward(const Graph& graph, std::vector<BlockBytes>& bytes) const {
  Bytes made = 0;  // gradients of the weights of later blocks
  for (std::size_t block = blocks(); block-- > 0;) {
    const std::size_t end = block + 1;
    Bytes held = graph.live[end] - graph.unkept[end] + graph.gradient[end];
    held += end < blocks() ? graph.gradient[blocks()] : 0;
    const Bytes peak = graph.backwardPeak[block];
    BlockBytes& own = bytes[block];
    own.temporary = std::max(own.temporary, peak - std::max(graph.backLive[block], held));
    if (graph.accumulates) {
      own.memory.backwardPeak = std::max<Bytes>(0, peak - held);
    } else {
      own.memory.firstBackwardPeak = std::max<Bytes>(0, peak - held - made);
      made += m_gradientBytes[block];
    }
  }
}

void ChainProbe::fillHalves(const Graph& graph, std::vector<BlockBytes>& bytes) const {
  const auto withoutGradient = [&](std::size_t position) {
    return graph.backLive[position] - graph.gradient[position];
  };
  Bytes captured = 0;
  for (std::size_t block = blocks() - 1; block >= graph.range.first; --block) {
    if (!graph.reached[block + 1]) continue;
    predict::BlockMemory& own = bytes[block].memory;
    own.inputPeak = std::max<Bytes>(0, graph.backwardPeak[block] - graph.backLive[block + 1]);
    if (block > graph.range.first) {
      own.captured = std::max<Bytes>(0, withoutGradient(block) - withoutGradient(block + 1));
      captured += own.captured;
    }
  }
  Bytes saved = 0;
  Bytes before = graph.halfWayLive;
  for (const Stamps::Stamp& stamp : graph.weights) {
    predict::BlockMemory& own = bytes[stamp.block].memory;
    own.weightPeak = std::max(own.weightPeak, stamp.peak - before);
    own.weightSaved += before - stamp.live;
    saved += before - stamp.live;
    before = stamp.live;
  }
  for (BlockBytes& block : bytes) {
    block.memory.weightSaved = std::max<Bytes>(0, block.memory.weightSaved);
  }
  bytes[graph.range.first].memory.captured =
      std::max<Bytes>(0, graph.halfWayLive - graph.endLive - saved - captured);
}

/// The chain's last output, repeated if it has fewer samples.
at::Tensor ChainProbe::outputFor(std::int64_t samples) const {
  at::Tensor output = m_output;
  while (output.size(0) < samples) output = at::cat({output, output}, 0);
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
