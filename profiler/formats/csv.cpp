#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/csv.h"
#include "profiler/formats/output_file.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::formats {
namespace {

constexpr std::string_view kHeader =
    "start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation\n";

std::string index(std::int32_t value) { return value < 0 ? std::string() : std::to_string(value); }

/// Number of events to format before writing them and reporting progress.
constexpr std::size_t kChunk = 16'384;

void appendEvents(const trace::Trace& trace, std::size_t begin, std::size_t end, std::string& csv) {
  for (std::size_t place = begin; place < end; ++place) {
    const trace::EventView view = trace.event(place);
    const trace::Track& track = trace.tracks()[view.track];
    const std::string device =
        track.device < 0 ? std::string() : trace.devices()[static_cast<std::size_t>(track.device)];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{}\n", view.startNs,
                   view.durationNs, csvField(device), csvField(track.name), word(view.category),
                   csvField(view.name), index(view.stage.value), index(view.microBatch.value),
                   view.correlation == 0 ? std::string() : std::to_string(view.correlation));
  }
}

}  // namespace

std::string toCsv(const trace::Trace& trace) {
  std::string csv(kHeader);
  appendEvents(trace, 0, trace.size(), csv);
  return csv;
}

Status writeCsv(const trace::Trace& trace, const std::filesystem::path& path) {
  const auto written = writeCsv(trace, path, [](std::size_t, std::size_t) { return true; });
  return written ? Status() : tl::make_unexpected(written.error());
}

Result<bool> writeCsv(const trace::Trace& trace, const std::filesystem::path& path,
                      const KeepWriting& keepWriting) {
  Result<detail::OutputFile> file = detail::OutputFile::create(path);
  STAGELANE_CHECK(file);
  std::string csv(kHeader);
  for (std::size_t begin = 0; begin < trace.size(); begin += kChunk) {
    const std::size_t end = std::min(begin + kChunk, trace.size());
    appendEvents(trace, begin, end, csv);
    file->write(csv);
    csv.clear();
    if (!keepWriting(end, trace.size())) return false;
  }
  file->write(csv);
  const Status committed = file->commit();
  return committed ? Result<bool>(true) : tl::make_unexpected(committed.error());
}

TraceFormat csvFormat() {
  return {.name = "csv",
          .title = "CSV",
          .endings = {".csv"},
          .write = [](const trace::Trace& trace, const std::filesystem::path& path,
                      const EventDetails*) { return writeCsv(trace, path); }};
}

}  // namespace stagelane::formats
