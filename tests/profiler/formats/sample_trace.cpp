#include "tests/profiler/formats/sample_trace.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <sstream>
#include "engine/trace/trace_builder.h"

namespace stagelane::formats::test {

using trace::Category;
using trace::TrackKind;

trace::TracePtr sampleTrace() {
  trace::TraceBuilder builder;
  const std::int32_t first = builder.device("cpu:0");
  const std::int32_t second = builder.device("cuda:0/1of4");
  const std::uint16_t compute = builder.track(first, TrackKind::Compute, "compute");
  const std::uint16_t compute2 = builder.track(second, TrackKind::Compute, "compute");
  const std::uint16_t copy = builder.track(first, TrackKind::Copy, "copy");
  const std::uint16_t copy2 = builder.track(second, TrackKind::Copy, "copy");
  const std::uint16_t ops = builder.track(first, TrackKind::Operators, "ops");
  const std::uint16_t kernels = builder.track(second, TrackKind::Kernels, "stream 7");
  const std::uint16_t memory = builder.track(first, TrackKind::Counter, "memory");
  const std::uint16_t silent = builder.track(second, TrackKind::Counter, "nothing counted");
  const std::uint16_t notes = builder.track(-1, TrackKind::Other, "notes, \"quoted\"");
  static_cast<void>(silent);
  builder.add({-30, 130, "F0", Category::Forward, compute, StageId{0}, MicroBatchId{0}});
  builder.add({100, 90, "SEND_F0", Category::SendForward, copy, StageId{0}, MicroBatchId{0}, 1,
               4096, second});
  builder.add({100, 100, "RECV_F0", Category::RecvForward, copy2, StageId{1}, MicroBatchId{0}, 1,
               4096, first});
  builder.add({150, 100, "SEND_F1", Category::SendForward, copy, StageId{0}, MicroBatchId{1}, 2, 0,
               second});
  builder.add({170, 5, "SEND_F2", Category::SendForward, copy, StageId{0}, MicroBatchId{2}, 3, 8});
  builder.add({200, 100, "B0", Category::Backward, compute2, StageId{1}, MicroBatchId{0}});
  builder.add({300, 40, "OPT", Category::Optimizer, compute2, StageId{1}, {}});
  builder.add({0, 50, "aten::conv2d", Category::Operator, ops, {}, {}, 77});
  builder.add({0, 50, "aten::convolution", Category::Operator, ops, {}, {}});
  builder.add({10, 0, "instant", Category::Operator, ops, {}, {}});
  builder.add({10, 40, "aten::mkldnn", Category::Operator, ops, {}, {}});
  builder.add({50, 0, "at its end", Category::Operator, ops, {}, {}});
  builder.add({210, 20, "gemm<float, 1>", Category::Kernel, kernels, {}, {}, 4000000000U});
  builder.add({220, 30, "überlapp", Category::Sync, kernels, {}, {}});
  builder.add({5, 5, "", Category::Other, notes, {}, {}});
  builder.add({1, 2, "on the device", Category::Copy, 0, {}, {}});
  builder.addStep({0, 0, -30, 340, false});
  builder.addStep({3, 2, 340, 700, true});
  builder.addCounter(memory, 0, 1.5, "MiB");
  builder.addCounter(memory, 90, -0.25, "MiB");
  builder.setMetadata("variant", "pipeline-20");
  builder.setMetadata("empty", "");
  builder.addDropped(12);
  builder.setPredicted(true);
  return std::move(builder).build();
}

namespace {

std::string line(const trace::Trace& trace, std::size_t index) {
  const trace::EventView view = trace.event(index);
  std::ostringstream text;
  text << view.track << ' ' << view.startNs << '+' << view.durationNs << ' ' << view.name << ' '
       << word(view.category) << " s" << view.stage.value << " m" << view.microBatch.value << " c"
       << view.correlation;
  if (const trace::Transfer* const transfer = trace.transferOf(index)) {
    text << " b" << transfer->bytes << " p" << transfer->peer;
  }
  return text.str();
}

std::string tracks(const trace::Trace& trace) {
  std::ostringstream text;
  for (const trace::Track& track : trace.tracks()) {
    text << track.name << '|' << static_cast<int>(track.kind) << '|' << track.parent << '|'
         << track.device << '\n';
  }
  return text.str();
}

}  // namespace

std::string difference(const trace::Trace& left, const trace::Trace& right) {
  if (tracks(left) != tracks(right)) {
    return "tracks:\n" + tracks(left) + "against\n" + tracks(right);
  }
  if (left.size() != right.size()) {
    return std::to_string(left.size()) + " against " + std::to_string(right.size()) + " events";
  }
  for (std::size_t index = 0; index < left.size(); ++index) {
    if (line(left, index) != line(right, index)) {
      return line(left, index) + " against " + line(right, index);
    }
  }
  return left == right ? "" : "devices, steps, counters, metadata or marks";
}

}  // namespace stagelane::formats::test
