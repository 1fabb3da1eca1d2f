#include <fmt/format.h>

#include "profiler/formats/detail/output_file.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats {
namespace {

constexpr std::string_view kHeader =
    "start_ns,duration_ns,device,track,category,name,stage,micro_batch,correlation\n";

/// RFC 4180: quoted where needed, quotes doubled.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character;
    if (character == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

std::string index(std::int32_t value) { return value < 0 ? std::string() : std::to_string(value); }

}  // namespace

std::string toCsv(const trace::Trace& trace) {
  std::string csv(kHeader);
  for (std::size_t place = 0; place < trace.size(); ++place) {
    const trace::EventView view = trace.event(place);
    const trace::Track& track = trace.tracks()[view.track];
    const std::string device =
        track.device < 0 ? std::string() : trace.devices()[static_cast<std::size_t>(track.device)];
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{}\n", view.startNs,
                   view.durationNs, field(device), field(track.name), word(view.category),
                   field(view.name), index(view.stage.value), index(view.microBatch.value),
                   view.correlation == 0 ? std::string() : std::to_string(view.correlation));
  }
  return csv;
}

Status writeCsv(const trace::Trace& trace, const std::filesystem::path& path) {
  Result<detail::OutputFile> file = detail::OutputFile::create(path);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  file->write(toCsv(trace));
  return file->commit();
}

}  // namespace stagelane::formats
