
#include "engine/predict/memory_ledger.h"
#include "engine/predict/simulator.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::predict {
namespace {

/// `F3`, `SEND_F3`, `LOSS`, `OPT`: the action without its stage, as in measured traces.
std::string eventName(const schedule::LoweredAction& action) {
  std::string name(word(action.kind));
  if (action.microBatch.valid()) name += std::to_string(action.microBatch.value);
  return name;
}

/// Bytes of a transfer: the output of the earlier of its two stages; for a REDUCE between replicas,
/// the bytes sent and received.
Bytes bytesOf(const schedule::LoweredAction& action, const PlanCosts& costs) {
  if (action.kind == ActionKind::Reduce) {
    return costs.stage[static_cast<std::size_t>(action.stage.value)].front().reduceBytes;
  }
  const bool atTaker =
      action.kind == ActionKind::RecvForward || action.kind == ActionKind::SendBackward;
  const auto stage = static_cast<std::size_t>(action.stage.value - (atTaker ? 1 : 0));
  return costs.stage[stage][static_cast<std::size_t>(action.microBatch.value)].boundaryBytes;
}

struct Rows {
  std::vector<std::int32_t> device;
  std::vector<std::uint16_t> compute;
  std::vector<std::uint16_t> copy;
  std::vector<std::uint16_t> memory;
};

Rows addRows(trace::TraceBuilder& builder, const std::vector<DeviceId>& devices,
             std::size_t count) {
  Rows rows;
  for (std::size_t row = 0; row < count; ++row) {
    const std::string name =
        row < devices.size() ? devices[row].value : "device " + std::to_string(row);
    rows.device.push_back(builder.device(name));
    rows.compute.push_back(builder.track(rows.device.back(), trace::TrackKind::Compute, "compute"));
    rows.copy.push_back(builder.track(rows.device.back(), trace::TrackKind::Copy, "copy"));
    rows.memory.push_back(builder.track(rows.device.back(), trace::TrackKind::Counter, "memory"));
  }
  return rows;
}

/// Memory of one row over time, by the simulator's rules: resident, kept, and temporary while an
/// action runs. Compute actions of a row are in order of time.
void addMemory(trace::TraceBuilder& builder, std::uint16_t track, std::size_t row,
               const std::vector<schedule::LoweredAction>& actions,
               const std::vector<Played>& played, detail::MemoryLedger& memory) {
  const auto add = [&](TimeNs time, Bytes bytes) {
    builder.addCounter(track, time, static_cast<double>(bytes), "bytes");
  };
  add(0, memory.held()[row]);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Bytes before = memory.held()[row];
    const Bytes most = memory.play(row, actions[i]);
    if (!isScheduled(actions[i].kind) && most == before && memory.held()[row] == before) continue;
    add(played[i].start, most);
    add(played[i].end, memory.held()[row]);
  }
}

/// By stage, the row of the replica that comes last to its REDUCE, which starts then on all of
/// them.
std::vector<std::size_t> lastReplicas(const schedule::LoweredSchedule& lowered,
                                      const Simulation& simulation) {
  const auto stages = static_cast<std::size_t>(lowered.source.stages);
  std::vector<std::size_t> lastRow(stages, 0);
  std::vector<TimeNs> latest(stages, -1);
  for (std::size_t row = 0; row < lowered.actions.size(); ++row) {
    TimeNs free = 0;
    for (std::size_t i = 0; i < lowered.actions[row].size(); ++i) {
      const schedule::LoweredAction& action = lowered.actions[row][i];
      const auto stage = static_cast<std::size_t>(action.stage.value);
      if (action.kind == ActionKind::Reduce && free > latest[stage]) {
        latest[stage] = free;
        lastRow[stage] = row;
      }
      if (!isTransfer(action.kind)) free = simulation.actions[row][i].end;
    }
  }
  return lastRow;
}

}  // namespace

std::vector<Bytes> transferBytes(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  std::vector<Bytes> answer;
  for (const auto& row : lowered.actions) {
    answer.push_back(0);
    for (const schedule::LoweredAction& action : row) {
      if (isTransfer(action.kind) || action.kind == ActionKind::Reduce) {
        answer.back() += bytesOf(action, costs);
      }
    }
  }
  return answer;
}

std::shared_ptr<const trace::Trace> toTrace(const schedule::LoweredSchedule& lowered,
                                            const Simulation& simulation,
                                            const std::vector<DeviceId>& devices,
                                            const PlanCosts& costs) {
  trace::TraceBuilder builder;
  builder.setPredicted(true);
  builder.setMetadata("basis", std::string(word(costs.basis)));
  builder.setMetadata("schedule", lowered.source.name);
  const Rows rows = addRows(builder, devices, lowered.actions.size());
  const std::vector<std::size_t> lastRow = lastReplicas(lowered, simulation);
  detail::MemoryLedger memory;
  memory.reset(costs, lowered.source.rows, lowered.actions.size());
  for (std::size_t row = 0; row < lowered.actions.size(); ++row) {
    addMemory(builder, rows.memory[row], row, lowered.actions[row], simulation.actions[row],
              memory);
    for (std::size_t i = 0; i < lowered.actions[row].size(); ++i) {
      const schedule::LoweredAction& action = lowered.actions[row][i];
      const Played& played = simulation.actions[row][i];
      const std::string name = eventName(action);
      trace::TraceBuilder::NewEvent event;
      event.startNs = played.start;
      event.durationNs = played.end - played.start;
      event.name = name;
      event.category = trace::categoryOf(action.kind);
      event.track = isTransfer(action.kind) ? rows.copy[row] : rows.compute[row];
      event.stage = action.stage;
      event.microBatch = action.microBatch;
      if (isTransfer(action.kind)) {
        event.bytes = bytesOf(action, costs);
        event.peer = rows.device[static_cast<std::size_t>(action.peer)];
      } else if (action.kind == ActionKind::Reduce &&
                 lowered.source.rows.replicas(action.stage.value) > 1) {
        event.bytes = bytesOf(action, costs);
        const std::size_t last = lastRow[static_cast<std::size_t>(action.stage.value)];
        if (last != row) event.peer = rows.device[last];
      }
      builder.add(event);
    }
  }
  // From the start of the simulation, including host time before the first action, so that its
  // length equals the predicted step.
  builder.addStep({0, 0, 0, simulation.stepNs, false});
  return std::move(builder).build();
}

}  // namespace stagelane::predict
