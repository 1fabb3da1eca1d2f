// Perfetto's row in the table of formats: how to recognize and read its files.

#include "profiler/formats/trace_formats.h"

namespace stagelane::formats {
namespace {

/// Whether a file starts with a packet: its tag, its length, and the tag of its first field.
bool looksLikePerfetto(std::string_view beginning) {
  constexpr char kPacketTag = 0x0A;
  constexpr unsigned kMoreFollow = 0x80U;
  constexpr unsigned kLargestWireType = 5;
  constexpr unsigned kLongestVarint = 10;
  if (beginning.size() < 2 || beginning.front() != kPacketTag ||
      beginning.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return false;
  }
  const auto byte = [&beginning](std::size_t place) {
    return static_cast<unsigned>(static_cast<unsigned char>(beginning[place]));
  };
  std::size_t place = 1;
  while (place < beginning.size() && place <= kLongestVarint && (byte(place) & kMoreFollow) != 0) {
    ++place;
  }
  if (++place >= beginning.size() || byte(place - 1) == 0) return place <= beginning.size();
  const unsigned wireType = byte(place) & 7U;
  return wireType <= kLargestWireType && wireType != 3 && wireType != 4 && byte(place) >= 8U;
}

Result<ReadTrace> readWhole(const std::filesystem::path& path, ReadProgress* progress, Keep keep) {
  return readPerfetto(path, progress, keep);
}

}  // namespace

TraceFormat perfettoFormat() {
  return {.name = "perfetto",
          .title = "Perfetto",
          .endings = {".pftrace", ".perfetto-trace", ".pb", ".trace"},
          .mime = "application/vnd.perfetto.trace",
          .begins = looksLikePerfetto,
          // A packet's tag is a line feed, which can also precede JSON.
          .weakBeginning = true,
          .read = readWhole,
          .parse = parsePerfetto,
          .write = writePerfetto,
          .writesDetails = true};
}

}  // namespace stagelane::formats
