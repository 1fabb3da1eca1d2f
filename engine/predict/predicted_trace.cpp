#include <algorithm>

#include "engine/predict/detail/player.h"
#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

/// `F3`, `SEND_F3`, `LOSS`, `OPT`: the action without its stage, as measured traces name it.
std::string eventName(const schedule::LoweredAction& action) {
  std::string name(word(action.kind));
  if (action.microBatch.valid()) name += std::to_string(action.microBatch.value);
  return name;
}

/// What a transfer moved: the output of the earlier one of its two stages.
Bytes bytesOf(const schedule::LoweredAction& action, const PlanCosts& costs) {
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

/// Memory of one row over time, by the rules of the simulator: resident, kept, and temporary while
/// an action runs. Compute actions of a row are in order of time.
void addMemory(trace::TraceBuilder& builder, std::uint16_t track, Bytes resident,
               const std::vector<schedule::LoweredAction>& actions,
               const std::vector<Played>& played, const PlanCosts& costs) {
  Bytes held = resident;
  const auto add = [&](TimeNs time, Bytes bytes) {
    builder.addCounter(track, time, static_cast<double>(bytes), "bytes");
  };
  add(0, held);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const ActionKind kind = actions[i].kind;
    if (kind == ActionKind::Loss) {
      const Bytes loss = detail::ofLoss(costs, actions[i], &StageCost::lossBytes);
      if (loss == 0) continue;
      add(played[i].start, held + loss);
      add(played[i].end, held);
    }
    if (!isScheduled(kind)) continue;
    const StageCost& cost = costs.stage[static_cast<std::size_t>(actions[i].stage.value)]
                                       [static_cast<std::size_t>(actions[i].microBatch.value)];
    const bool forward = kind == ActionKind::Forward;
    if (forward) held += cost.savedBytes;
    if (kind == ActionKind::Backward || kind == ActionKind::BackwardInput) {
      held += cost.recomputedBytes - cost.outputBytes;
    }
    add(played[i].start, held + cost.temporaryBytes);
    if (forward) held += cost.outputBytes;
    const bool keeps = forward ? !costs.forwardOnly : kind == ActionKind::BackwardInput;
    if (!keeps) held -= cost.savedBytes + (forward ? 0 : cost.recomputedBytes);
    add(played[i].end, held);
  }
}

}  // namespace

std::vector<Bytes> transferBytes(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  std::vector<Bytes> answer;
  for (const auto& row : lowered.actions) {
    answer.push_back(0);
    for (const schedule::LoweredAction& action : row) {
      if (isTransfer(action.kind)) answer.back() += bytesOf(action, costs);
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
  TimeNs first = simulation.stepNs;
  for (std::size_t row = 0; row < lowered.actions.size(); ++row) {
    const Bytes resident = row < costs.residentBytes.size() ? costs.residentBytes[row] : 0;
    addMemory(builder, rows.memory[row], resident, lowered.actions[row], simulation.actions[row],
              costs);
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
      }
      builder.add(event);
      first = std::min(first, played.start);
    }
  }
  builder.addStep({0, 0, first, simulation.stepNs, false});
  return std::move(builder).build();
}

}  // namespace stagelane::predict
