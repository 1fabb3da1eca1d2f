#include "engine/run/measure/recorded_turns.h"

#include <array>
#include <cmath>
#include "engine/trace/lost_records.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {
namespace {

/// Two-sided 95 % quantiles of Student's t for 1, 2, … degrees of freedom.
constexpr std::array<double, 9> kStudent{12.706, 4.303, 3.182, 2.776, 2.571,
                                         2.447,  2.365, 2.306, 2.262};

}  // namespace

int recordedRepeat(const plan::Experiment& experiment) {
  return static_cast<int>(experiment.repeat);
}

void addCaptured(trace::TraceBuilder& builder, const trace::Trace& captured,
                 const std::string& problem) {
  std::vector<std::uint16_t> tracks;
  for (const trace::Track& track : captured.tracks()) {
    const std::int32_t device =
        track.device < 0
            ? -1
            : builder.device(captured.devices()[static_cast<std::size_t>(track.device)]);
    tracks.push_back(builder.track(device, track.kind, track.name));
  }
  for (std::size_t i = 0; i < captured.size(); ++i) {
    const trace::EventView event = captured.event(i);
    trace::TraceBuilder::NewEvent added;
    added.startNs = event.startNs;
    added.durationNs = event.durationNs;
    added.name = event.name;
    added.category = event.category;
    added.track = tracks[event.track];
    added.stage = event.stage;
    added.microBatch = event.microBatch;
    added.correlation = event.correlation;
    added.categoryWord = event.categoryWord;
    if (const trace::Transfer* moved = captured.transferOf(i)) {
      added.bytes = moved->bytes;
      added.peer = moved->peer < 0
                       ? -1
                       : builder.device(captured.devices()[static_cast<std::size_t>(moved->peer)]);
    }
    builder.add(added);
  }
  builder.addDropped(captured.droppedEvents());
  if (!problem.empty()) builder.setMetadata(trace::kLostReasonKey, problem);
}

double actionCostNs() {
  constexpr int kCount = 20000;
  trace::ActionBuffer buffer;
  buffer.reserve(kCount);
  const TimeNs start = trace::monotonicNs();
  for (int i = 0; i < kCount; ++i) {
    trace::ActionRecord record;
    record.startNs = trace::monotonicNs();
    record.endNs = trace::monotonicNs();
    buffer.add(record);
  }
  return static_cast<double>(trace::monotonicNs() - start) / kCount;
}

double overheadPct(double events, double eventCostNs, double repeatSeconds) {
  return repeatSeconds > 0.0 ? 100.0 * events * eventCostNs / (repeatSeconds * 1e9) : 0.0;
}

std::optional<std::pair<double, double>> overheadInterval(
    const std::vector<std::pair<double, double>>& seconds) {
  const std::size_t count = seconds.size();
  if (count < 2) return std::nullopt;
  std::vector<double> differences;
  double mean = 0.0;
  for (const auto& [without, with] : seconds) {
    differences.push_back(without > 0.0 ? 100.0 * (with - without) / without : 0.0);
    mean += differences.back() / static_cast<double>(count);
  }
  double squares = 0.0;
  for (const double difference : differences) squares += (difference - mean) * (difference - mean);
  const double error =
      std::sqrt(squares / static_cast<double>(count - 1) / static_cast<double>(count));
  const double width = kStudent[std::min(count - 2, kStudent.size() - 1)] * error;
  return std::pair{mean - width, mean + width};
}

}  // namespace stagelane::run
