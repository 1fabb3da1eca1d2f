#include "engine/run/proof/running_statistics.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "engine/run/proof/part_transfers.h"
#include "engine/run/step/await_job.h"

namespace stagelane::run {
namespace {

using Order = std::vector<int>;

Order indexOrder(std::size_t microBatches) {
  Order order(microBatches);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Replays the forwards of all stages in one order, from the initial values. Its jobs share its
/// ownership, because a worker's thread may have to be abandoned in one.
class Replay : public std::enable_shared_from_this<Replay> {
 public:
  Replay(const ReferencePlan& plan, const InitialValues& values, const Batch& batch, Order order,
         const RunControl& control)
      : m_plan(plan),
        m_initial(values),
        m_batch(batch),
        m_order(std::move(order)),
        m_control(control),
        m_values(plan.microBatchSizes.size()),
        m_parcels(plan.microBatchSizes.size()) {}

  Status run() {
    STAGELANE_CHECK(prepareTransfers(m_plan, m_control));
    for (const ReferencePart& part : m_plan.parts) {
      std::future<Status> job = part.worker->submit([self = shared_from_this(), &part] {
        const c10::AutoGradMode withoutGradients(false);
        self->forward(part);
        return Status{};
      });
      const TimeNs limitNs =
          longestMicroBatchNs(m_plan, m_control) * static_cast<TimeNs>(m_order.size());
      STAGELANE_CHECK(awaitJob(job, *part.worker, m_control, limitNs));
    }
    return {};
  }

  /// Of the stages with this order.
  [[nodiscard]] const std::map<std::string, at::Tensor>& buffers() const { return m_buffers; }

 private:
  struct Piece {
    std::size_t stage = 0;
    std::size_t firstBlock = 0;
    std::size_t lastBlock = 0;
    StageTensors tensors;
  };

  /// Runs all micro-batches through one part; the outputs are the next part's inputs.
  void forward(const ReferencePart& part) {
    const at::Device device = part.worker->backend().torchDevice();
    const std::vector<Piece> pieces = piecesOf(part, device);
    const bool first = &part == &m_plan.parts.front();
    const bool last = &part == &m_plan.parts.back();
    if (first) {
      const std::vector<at::Tensor> inputs = microBatchesOn(m_plan, m_batch.input, device);
      std::transform(inputs.begin(), inputs.end(), m_values.begin(),
                     [](const at::Tensor& input) { return std::vector<at::Tensor>{input}; });
    }
    for (const int microBatch : m_order) {
      std::vector<at::Tensor>& boundary = m_values[static_cast<std::size_t>(microBatch)];
      Parcels& parcels = m_parcels[static_cast<std::size_t>(microBatch)];
      if (!first) boundary = received(part, parcels, m_control);
      for (const Piece& piece : pieces) {
        boundary = runBlocks(*m_plan.experiment->model, piece.firstBlock, piece.lastBlock,
                             piece.tensors, std::move(boundary),
                             referenceMode(m_plan, static_cast<std::size_t>(microBatch)));
      }
      if (!last) parcels = sent(part, *(&part + 1), boundary);
    }
    part.worker->backend().synchronize();
    take(pieces);
  }

  [[nodiscard]] std::vector<Piece> piecesOf(const ReferencePart& part, at::Device device) const {
    std::vector<Piece> pieces;
    for (std::size_t stage = 0; stage < m_plan.stages.size(); ++stage) {
      const std::size_t first = std::max(part.firstBlock, m_plan.stages[stage].firstBlock);
      const std::size_t last = std::min(part.lastBlock, m_plan.stages[stage].lastBlock);
      if (first <= last) {
        pieces.push_back({stage, first, last,
                          StageTensors(*m_plan.experiment->model, first, last, m_initial, device,
                                       m_plan.experiment->memoryFormat)});
      }
    }
    return pieces;
  }

  void take(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      if (m_plan.statisticsOrder[piece.stage] != m_order) continue;
      for (const auto& [name, tensor] : piece.tensors.buffers()) m_buffers[name] = hostCopy(tensor);
    }
  }

  const ReferencePlan m_plan;
  const InitialValues m_initial;
  const Batch m_batch;
  const Order m_order;
  const RunControl& m_control;
  std::vector<std::vector<at::Tensor>> m_values;  ///< at the current boundary, by micro-batch
  std::vector<Parcels> m_parcels;                 ///< to the next part, by micro-batch
  std::map<std::string, at::Tensor> m_buffers;
};

bool hasRunningStatistics(const plan::Experiment& experiment) {
  const auto& layers = experiment.model->layers;
  return experiment.task == plan::Task::Train &&
         experiment.batchNorm == plan::BatchNormMode::Running &&
         std::any_of(layers.begin(), layers.end(), [](const model::Layer& layer) {
           return std::holds_alternative<model::BatchNorm2d>(layer.spec);
         });
}

}  // namespace

std::vector<std::vector<int>> statisticsOrder(const StepPlan& plan) {
  if (!hasRunningStatistics(*plan.experiment)) return {};
  std::vector<Order> orders(static_cast<std::size_t>(plan.lowered->source.stages));
  for (const auto& row : plan.lowered->actions) {
    for (const schedule::LoweredAction& action : row) {
      // The running statistics of the first replica are the model's.
      const bool first =
          plan.lowered->source.rows.replicaOf(action.stage.value, action.microBatch.value) == 0;
      if (action.kind == ActionKind::Forward && first) {
        orders[static_cast<std::size_t>(action.stage.value)].push_back(action.microBatch.value);
      }
    }
  }
  const Order index = indexOrder(plan.microBatchSizes.size());
  const bool published =
      std::all_of(orders.begin(), orders.end(), [&](const Order& order) { return order == index; });
  return published ? std::vector<Order>{} : orders;
}

Status replayStatistics(const ReferencePlan& plan, const InitialValues& values, const Batch& batch,
                        const RunControl& control, TrainingSnapshot& reference) {
  std::set<Order> orders(plan.statisticsOrder.begin(), plan.statisticsOrder.end());
  orders.erase(indexOrder(plan.microBatchSizes.size()));
  for (const Order& order : orders) {
    const auto replay = std::make_shared<Replay>(plan, values, batch, order, control);
    STAGELANE_CHECK(replay->run());
    for (const auto& [name, tensor] : replay->buffers()) reference.buffers[name] = tensor;
  }
  return {};
}

}  // namespace stagelane::run
