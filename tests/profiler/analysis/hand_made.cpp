#include "tests/profiler/analysis/hand_made.h"

#include <gtest/gtest.h>
#include "engine/trace/trace_builder.h"

namespace stagelane::analysis::test {

trace::TracePtr handMade(std::int32_t devices, const std::vector<Line>& lines) {
  trace::TraceBuilder builder;
  for (std::int32_t index = 0; index < devices; ++index) {
    static_cast<void>(builder.device("d" + std::to_string(index)));
  }
  for (const Line& line : lines) {
    const std::optional<ActionKind> kind = trace::actionKindOf(line.category);
    const bool compute = kind && isCompute(*kind);
    trace::TraceBuilder::NewEvent event;
    event.startNs = line.startNs;
    event.durationNs = line.endNs - line.startNs;
    event.name = word(line.category);
    event.category = line.category;
    event.track =
        builder.track(line.device, compute ? trace::TrackKind::Compute : trace::TrackKind::Copy,
                      compute ? "compute" : "copy");
    event.stage = StageId{line.stage};
    event.microBatch = MicroBatchId{line.microBatch};
    event.peer = line.peer;
    builder.add(event);
  }
  return std::move(builder).build();
}

StepBreakdown breakDownFirst(const trace::Trace& trace) {
  const std::vector<trace::Step> steps = stepsOf(trace);
  return steps.empty() ? StepBreakdown{} : breakDown(trace, steps.front());
}

TimeNs causeOf(const StepBreakdown& breakdown, std::size_t device, Cause cause) {
  return breakdown.devices.at(device).causeNs.at(static_cast<std::size_t>(cause));
}

void expectTiles(const StepBreakdown& breakdown) {
  for (const DeviceStep& device : breakdown.devices) {
    TimeNs cursor = breakdown.step.startNs;
    std::array<TimeNs, kCauseCount> sums{};
    TimeNs starved = 0;
    for (const Piece& piece : device.pieces) {
      EXPECT_EQ(piece.startNs, cursor);
      EXPECT_LT(piece.startNs, piece.endNs);
      sums.at(static_cast<std::size_t>(piece.cause)) += piece.endNs - piece.startNs;
      cursor = piece.endNs;
    }
    EXPECT_EQ(cursor, breakdown.step.endNs);
    EXPECT_EQ(sums, device.causeNs);
    EXPECT_EQ(device.busyNs() + device.idleNs(), breakdown.wallNs());
    for (const auto& entry : device.starvedBy) starved += entry.second;
    EXPECT_EQ(starved, device.causeNs[static_cast<std::size_t>(Cause::Starved)]);
  }
}

}  // namespace stagelane::analysis::test
