#include "engine/schedule/generators.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/schedule/fill.h"

namespace stagelane::schedule {
namespace {

using detail::invalid;

/// The method of a name, if it has a generator.
Result<const Method*> generatorNamed(std::string_view name) {
  const Method* method = methodNamed(name);
  if (method != nullptr && method->fill != nullptr) return method;
  if (method != nullptr) {
    return invalid(
        "the schedule \"" + std::string(name) + "\" is found by a search over costs, not generated",
        "Use search::synthesize");
  }
  const std::vector<std::string>& known = allScheduleNames();
  const std::string similar = nearest(name, known);
  return invalid(
      "unknown schedule \"" + std::string(name) + "\"",
      similar.empty() ? "Use one of: " + joined(known) : "Did you mean \"" + similar + "\"?");
}

/// The rows must be numbered by first use, so that row r is the r-th device.
bool numberedByFirstUse(const StageRows& rows) {
  int next = 0;
  for (const int row : rows.rowOfStage()) {
    if (row < 0 || row > next) return false;
    if (row == next) ++next;
  }
  return true;
}

/// "2 stages on 1 device".
std::string stagesOnDevices(const Schedule& schedule) {
  return std::to_string(schedule.stages) + " stages on " + std::to_string(schedule.devices) +
         (schedule.devices == 1 ? " device" : " devices");
}

/// Checks that the stages follow the schedule's layout.
Status checkLayout(const Schedule& schedule) {
  const StageLayout layout = layoutOf(schedule.name).layout;
  if (layout == StageLayout::Free) return {};
  const int p = schedule.devices;
  const int chunks = std::max(1, schedule.stages / p);
  if (layout == StageLayout::OnePerDevice && schedule.stages != p) {
    return invalid(schedule.name + " places one stage on each device, but there are " +
                       stagesOnDevices(schedule),
                   "Give each device one run of consecutive blocks");
  }
  if (layout == StageLayout::V && schedule.stages != 2 * p) {
    return invalid(schedule.name + " places two stages on each device, but there are " +
                       stagesOnDevices(schedule),
                   "Cut the model into " + std::to_string(2 * p) + " stages");
  }
  if (schedule.stages == chunks * p && schedule.rows == rowsOfStages(layout, p, chunks)) return {};
  if (layout == StageLayout::V) {
    return invalid(schedule.name + " places the stages in a V: the first " + std::to_string(p) +
                       " on the devices in order, the others on the same devices in reverse",
                   "Change the devices of the stages");
  }
  return invalid(schedule.name + " places the stages in a loop: stage s on device s mod " +
                     std::to_string(p) + ", the same number on each device; there are " +
                     stagesOnDevices(schedule),
                 "Change the number of stages or their devices");
}

Schedule withoutActions(std::string_view name, const StageRows& rows, int microBatches) {
  Schedule schedule;
  schedule.name = std::string(name);
  schedule.stages = rows.stages();
  schedule.devices = rows.rows();
  schedule.microBatches = microBatches;
  schedule.rows = rows;
  return schedule;
}

/// A replica of all stages: a pipeline of its own over every n-th micro-batch.
struct Replica {
  StageRows rows;          ///< numbered by first use
  std::vector<int> rowOf;  ///< its row → row of the whole schedule
  int microBatches = 0;    ///< of the replica
};

/// @pre each stage has as many replicas
Replica replicaOf(const StageRows& rows, int replica, int microBatches) {
  Replica answer;
  std::vector<int> rowOfStage;
  for (int stage = 0; stage < rows.stages(); ++stage) {
    const int row = rows.row(stage, replica);
    const auto known = std::find(answer.rowOf.begin(), answer.rowOf.end(), row);
    rowOfStage.push_back(static_cast<int>(known - answer.rowOf.begin()));
    if (known == answer.rowOf.end()) answer.rowOf.push_back(row);
  }
  answer.rows = StageRows(std::move(rowOfStage));
  const int replicas = rows.replicas(0);
  answer.microBatches = (microBatches - replica + replicas - 1) / replicas;
  return answer;
}

/// At most F, I and W of each stage and micro-batch.
Status checkActions(const StageRows& rows, int microBatches) {
  if (3 * static_cast<std::int64_t>(rows.stages()) * microBatches <= kMostActions) return {};
  return invalid("the schedule would have more than 20000000 actions",
                 "Use fewer micro-batches or devices");
}

/// Replicas of a pipeline are pipelines that share nothing but weights.
Status checkReplicas(const Method& method, const StageRows& rows, int microBatches) {
  const int replicas = rows.replicas(0);
  std::vector<int> replicaOfRow(static_cast<std::size_t>(rows.rows()), -1);
  for (int stage = 0; stage < rows.stages(); ++stage) {
    if (rows.replicas(stage) != replicas) {
      return invalid("stage " + std::to_string(stage) + " has " +
                         std::to_string(rows.replicas(stage)) + " replicas, but stage 0 has " +
                         std::to_string(replicas),
                     "Give every stage the same number of devices");
    }
    for (int replica = 0; replica < replicas; ++replica) {
      int& of = replicaOfRow[static_cast<std::size_t>(rows.row(stage, replica))];
      if (of >= 0 && of != replica) {
        return invalid("a device has stages of two replicas",
                       "Give each replica devices of its own");
      }
      of = replica;
    }
  }
  if (method.lossMode == LossMode::WholeBatch) {
    return invalid(std::string(method.name) +
                       " takes the loss of the whole batch on one device, so it has no replicas",
                   "Use gpipe or 1f1b");
  }
  if (microBatches >= replicas) return {};
  return invalid(std::to_string(microBatches) +
                     (microBatches == 1 ? " micro-batch" : " micro-batches") +
                     " cannot be shared by " + std::to_string(replicas) + " replicas",
                 "Use a smaller split_size, or fewer replicas");
}

}  // namespace

Status suits(std::string_view name, const StageRows& rows, int microBatches) {
  STAGELANE_TRY(generator, generatorNamed(name));
  if (!rows.areSingle()) {
    STAGELANE_CHECK(checkReplicas(**generator, rows, microBatches));
    STAGELANE_CHECK(checkActions(rows, microBatches));
    for (int replica = 0; replica < rows.replicas(0); ++replica) {
      const Replica one = replicaOf(rows, replica, microBatches);
      STAGELANE_CHECK(suits(name, one.rows, one.microBatches));
    }
    return {};
  }
  if (rows.stages() == 0 || !numberedByFirstUse(rows)) {
    return invalid("the rows of the stages must be numbered in the order of their first use");
  }
  if (microBatches < 1) {
    return invalid("a step needs at least one micro-batch, not " + std::to_string(microBatches));
  }
  STAGELANE_CHECK(checkActions(rows, microBatches));
  const Schedule empty = withoutActions(name, rows, microBatches);
  if ((*generator)->check != nullptr) STAGELANE_CHECK((*generator)->check(empty));
  return checkLayout(empty);
}

Result<Schedule> generateForStages(std::string_view name, const StageRows& rows, int microBatches) {
  STAGELANE_CHECK(suits(name, rows, microBatches));
  const Method& method = **generatorNamed(name);
  Schedule schedule = withoutActions(name, rows, microBatches);
  schedule.lossMode = method.lossMode;
  schedule.actions.resize(static_cast<std::size_t>(schedule.devices));
  if (rows.areSingle()) {
    method.fill(schedule);
    return schedule;
  }
  const int replicas = rows.replicas(0);
  Schedule own;
  for (int replica = 0; replica < replicas; ++replica) {
    const Replica one = replicaOf(rows, replica, microBatches);
    // Most replicas have the schedule of the one before.
    if (replica == 0 || one.rows != own.rows || one.microBatches != own.microBatches) {
      STAGELANE_TRY(generated, generateForStages(name, one.rows, one.microBatches));
      own = std::move(*generated);
    }
    for (std::size_t row = 0; row < own.actions.size(); ++row) {
      auto& actions = schedule.actions[static_cast<std::size_t>(one.rowOf[row])];
      actions = own.actions[row];
      for (Action& action : actions) {
        action.microBatch.value = action.microBatch.value * replicas + replica;
      }
    }
  }
  return schedule;
}

Result<Schedule> generate(std::string_view name, const Sizes& sizes) {
  STAGELANE_CHECK(generatorNamed(name));
  if (sizes.devices < 1 || sizes.devices > kMostDevices) {
    return invalid("the number of devices must be from 1 to " + std::to_string(kMostDevices) +
                   ", not " + std::to_string(sizes.devices));
  }
  const ScheduleLayout wanted = layoutOf(name);
  const int chunks = sizes.chunks.value_or(wanted.chunks);
  STAGELANE_CHECK(checkChunks(name, chunks));
  return generateForStages(name, rowsOfStages(wanted.layout, sizes.devices, chunks),
                           sizes.microBatches);
}

}  // namespace stagelane::schedule
