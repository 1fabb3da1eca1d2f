#include "engine/trace/from_actions.h"

#include <map>
#include <optional>
#include <tuple>

#include "engine/trace/step_spans.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::trace {
namespace {

bool isSend(ActionKind kind) {
  return kind == ActionKind::SendForward || kind == ActionKind::SendBackward;
}

/// Fields that a send and its receive share: kind of transfer, step, sender, receiver, micro-batch,
/// and the lower of the two stages (the stage of SEND_F, of RECV_B).
using PairKey = std::tuple<bool, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                           std::int32_t, std::int32_t>;

PairKey pairKey(const ActionRecord& record) {
  const bool forward =
      record.kind == ActionKind::SendForward || record.kind == ActionKind::RecvForward;
  const bool send = isSend(record.kind);
  const std::int32_t sender = send ? record.device : record.peer;
  const std::int32_t receiver = send ? record.peer : record.device;
  const bool takesHigher =
      record.kind == ActionKind::RecvForward || record.kind == ActionKind::SendBackward;
  const std::int32_t lowerStage = record.stage - (takesHigher ? 1 : 0);
  return {forward, record.repeat, record.step, sender, receiver, record.microBatch, lowerStage};
}

/// Assigns each send and its receive one number, from 1 in the order of the records.
class Pairs {
 public:
  std::uint32_t correlation(const ActionRecord& record) {
    if (!isTransfer(record.kind)) return 0;
    const auto next = static_cast<std::uint32_t>(m_numbers.size() + 1);
    return m_numbers.try_emplace(pairKey(record), next).first->second;
  }

 private:
  std::map<PairKey, std::uint32_t> m_numbers;
};

struct DeviceTracks {
  std::int32_t device = -1;  ///< the builder's index, which may differ from the run's
  std::uint16_t compute = 0;
  std::uint16_t copy = 0;
  std::optional<std::uint16_t> memory;  ///< created with the first value
};

void addMemory(TraceBuilder& builder, DeviceTracks& place, TimeNs timeNs, Bytes bytes) {
  if (!place.memory) place.memory = builder.track(place.device, TrackKind::Counter, "memory");
  builder.addCounter(*place.memory, timeNs, static_cast<double>(bytes), "bytes");
}

std::vector<DeviceTracks> makeTracks(TraceBuilder& builder,
                                     const std::vector<std::string>& devices) {
  std::vector<DeviceTracks> tracks;
  for (const std::string& name : devices) {
    DeviceTracks made;
    made.device = builder.device(name);
    made.compute = builder.track(made.device, TrackKind::Compute, "compute");
    made.copy = builder.track(made.device, TrackKind::Copy, "copy");
    tracks.push_back(made);
  }
  return tracks;
}

DeviceTracks* find(std::vector<DeviceTracks>& tracks, std::int32_t device) {
  const bool known = device >= 0 && static_cast<std::size_t>(device) < tracks.size();
  return known ? &tracks[static_cast<std::size_t>(device)] : nullptr;
}

}  // namespace

std::string actionName(ActionKind kind, MicroBatchId microBatch) {
  std::string name(word(categoryOf(kind)));
  if (microBatch.valid()) name += std::to_string(microBatch.value);
  return name;
}

void addActions(TraceBuilder& builder, const std::vector<std::string>& devices,
                const std::vector<ActionRecord>& records, const FromActionsOptions& options) {
  std::vector<DeviceTracks> tracks = makeTracks(builder, devices);
  Pairs pairs;
  StepSpans spans;
  for (const ActionRecord& record : records) {
    DeviceTracks* const place = find(tracks, record.device);
    if (place == nullptr) {
      builder.addDropped(1);
      continue;
    }
    const DeviceTracks* const peer = find(tracks, record.peer);
    const MicroBatchId microBatch{record.microBatch};
    const std::string name = actionName(record.kind, microBatch);
    TraceBuilder::NewEvent event;
    event.startNs = record.startNs - options.originNs;
    event.durationNs = record.endNs - record.startNs;
    event.name = name;
    event.category = categoryOf(record.kind);
    event.track = isCompute(record.kind) ? place->compute : place->copy;
    event.stage = StageId{record.stage};
    event.microBatch = microBatch;
    event.correlation = pairs.correlation(record);
    event.bytes = record.bytes;
    event.peer = peer == nullptr ? -1 : peer->device;
    builder.add(event);
    if (record.liveBytes >= 0) {
      addMemory(builder, *place, record.endNs - options.originNs, record.liveBytes);
    }
    spans.grow({record.repeat, record.step}, record.kind, event.startNs,
               record.endNs - options.originNs);
  }
  if (!options.addSteps) return;
  for (const Step& step : spans.steps(options.extraRepeat)) builder.addStep(step);
}

}  // namespace stagelane::trace
