#include "tests/ui/tracks/timeline_sample.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::ui::sample {

trace::TracePtr traceOf(const std::vector<std::vector<Slice>>& slices, TimeNs endNs) {
  trace::TraceBuilder builder;
  for (std::size_t d = 0; d < slices.size(); ++d) {
    const std::int32_t device = builder.device("cpu:" + std::to_string(d));
    const std::uint16_t track = builder.track(device, trace::TrackKind::Compute, "compute");
    for (const Slice& slice : slices[d]) {
      const std::string name =
          std::string(trace::word(slice.category)) + std::to_string(slice.microBatch);
      trace::TraceBuilder::NewEvent event;
      event.startNs = slice.start;
      event.durationNs = slice.duration;
      event.name = name;
      event.category = slice.category;
      event.track = track;
      event.stage = StageId{slice.stage};
      event.microBatch = MicroBatchId{slice.microBatch};
      builder.add(event);
    }
  }
  builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = endNs});
  return std::move(builder).build();
}

trace::TracePtr kernelsOf(const std::vector<Slice>& slices, TimeNs endNs) {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.track = builder.track(builder.device("cuda:0"), trace::TrackKind::Kernels, "stream 7");
  event.name = "k";
  for (const Slice& slice : slices) {
    event.startNs = slice.start;
    event.durationNs = slice.duration;
    event.category = slice.category;
    builder.add(event);
  }
  builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = endNs});
  return std::move(builder).build();
}

trace::TracePtr twoWorkers() {
  using trace::Category;
  return traceOf({{{0, 10'000, Category::Forward, 0, 0},
                   {10'000, 10'000, Category::Forward, 0, 1},
                   {60'000, 15'000, Category::Backward, 0, 0},
                   {75'000, 15'000, Category::Backward, 0, 1},
                   {95'000, 5'000, Category::Optimizer, 0, -1}},
                  {{12'000, 10'000, Category::Forward, 1, 0},
                   {24'000, 10'000, Category::Forward, 1, 1},
                   {34'000, 15'000, Category::Backward, 1, 0},
                   {49'000, 15'000, Category::Backward, 1, 1}}},
                 100'000);
}

TimelineDataPtr dataOf(trace::TracePtr trace, trace::TracePtr predicted) {
  return std::make_shared<const TimelineData>(std::move(trace), 0, std::move(predicted));
}

}  // namespace stagelane::ui::sample
