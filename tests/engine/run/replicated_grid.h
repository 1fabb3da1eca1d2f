#pragma once

/// Experiments in which each stage of a grid's schedule has replicas, and what several steps make
/// of their weights.

#include <map>
#include <string>
#include <vector>

#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run::test {

/// Every schedule of the grid but those with one loss for the whole batch.
inline std::vector<GridSchedule> everyReplicatedSchedule() {
  std::vector<GridSchedule> found = everySchedule();
  std::erase_if(found, [](const GridSchedule& schedule) {
    return schedule::methodNamed(schedule.name)->lossMode == schedule::LossMode::WholeBatch;
  });
  return found;
}

/// What an experiment of the grid has beyond a schedule.
struct ReplicatedGrid {
  int devices = 2;  ///< of a replica
  int replicas = 2;
  Tail tail = Tail::Uneven;
  std::string dtype = "float32";
  std::string settings{};  ///< members of the experiment, each with a comma at its end
};

/// Two batch norms; small, because every replica has a copy.
inline GridModel normModel() {
  return {"norm",
          R"({"layers":[{"kind":"Conv2d","in_channels":3,"out_channels":4,"kernel_size":3},)"
          R"({"name":"bn1","kind":"BatchNorm2d","num_features":4},{"kind":"ReLU"},)"
          R"({"kind":"Conv2d","in_channels":4,"out_channels":6,"kernel_size":3},)"
          R"({"name":"bn2","kind":"BatchNorm2d","num_features":6},{"kind":"Flatten"},)"
          R"({"kind":"Linear","in_features":96,"out_features":5}]})",
          R"("shape":[3,8,8])", "class", "cross_entropy"};
}
inline std::vector<GridModel> everyReplicatedModel() {
  return {toyModel(), mlpModel(), normModel(), gptModel()};
}

inline std::string workersOf(int count) {
  std::string workers;
  for (int i = 0; i < count; ++i) {
    workers += std::string(i == 0 ? "" : ",") + R"("cpu:)" + std::to_string(i) + "\"";
  }
  return workers;
}

/// Everything up to the variants.
inline std::string replicatedHead(const GridModel& model, const ReplicatedGrid& grid) {
  const int workers = grid.devices * grid.replicas;
  const int batch = 3 * 2 * workers - (grid.tail == Tail::Uneven ? 1 : 0);
  return R"({"stagelane":1,"name":"g",)" + grid.settings + R"("model":)" + model.definition +
         R"(,"input":{)" + model.input + R"(,"dtype":")" + grid.dtype + R"("},"loss":")" +
         model.loss + R"(","data":{"labels":")" + model.labels + R"(","batch_size":)" +
         std::to_string(batch) + R"(},"devices":[)" + workersOf(workers) + R"(],"variants":[)";
}

/// A variant `v` with two micro-batches for each device, of three samples. Device d of replica r is
/// worker d + r·p.
inline std::string replicatedPipeline(const GridModel& model, const GridSchedule& schedule,
                                      const ReplicatedGrid& grid) {
  return replicatedHead(model, grid) + R"({"name":"v","strategy":"pipeline","replicas":)" +
         std::to_string(grid.replicas) + R"(,"schedule":")" + schedule.name +
         R"(","split_size":3,"stages":[)" + stagesOf(model, schedule, grid.devices) + "]}]}";
}

/// A variant `v` with the whole model on each worker. `split`: a member with a comma before it.
inline std::string dataParallel(const GridModel& model, const ReplicatedGrid& grid,
                                const std::string& split = "") {
  return replicatedHead(model, grid) + R"({"name":"v","strategy":"data_parallel")" + split + "}]}";
}

/// What steps over the first batches of a repeat leave.
struct Trained {
  TrainingSnapshot last;  ///< of the last step
  /// Of each parameter the values of its copies, by row.
  std::map<std::string, std::vector<at::Tensor>> copies;
  /// Of each buffer likewise.
  std::map<std::string, std::vector<at::Tensor>> buffers;
};

inline Trained trained(Bench& bench, const std::string& id, int steps) {
  const at::ScalarType dtype = scalarType(bench.experiment);
  Executor executor(bench.variant(id).stepPlan(bench.experiment), bench.control);
  EXPECT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, dtype)));
  SyntheticData data(bench.experiment, dtype);
  Trained result;
  for (int step = 0; step < steps; ++step) {
    const StepInput input = valueOf(executor.prepare(data.next()));
    EXPECT_EQ(valueOf(executor.step(input, {0, step, true})), Executor::Outcome::Done);
    result.last = snapshotOf(executor);
    for (std::size_t row = 0; row < executor.plan().workers.size(); ++row) {
      for (const auto& [stage, work] : executor.row(row).stages()) {
        for (const auto& [name, parameter] : work.tensors().parameters()) {
          at::Tensor(parameter).mutable_grad() = at::Tensor();
          if (step + 1 == steps) result.copies[name].push_back(hostCopy(parameter));
        }
        for (const auto& [name, buffer] : work.tensors().buffers()) {
          if (step + 1 == steps) result.buffers[name].push_back(hostCopy(buffer));
        }
      }
    }
  }
  return result;
}

inline void expectEqualCopies(const Trained& trained, std::size_t atLeast) {
  for (const auto& [name, copies] : trained.copies) {
    EXPECT_GE(copies.size(), atLeast) << name;
    for (const at::Tensor& copy : copies) EXPECT_TRUE(copy.equal(copies.front())) << name;
  }
}

}  // namespace stagelane::run::test
