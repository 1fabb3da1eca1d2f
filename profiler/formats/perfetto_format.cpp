// Perfetto's row in the table of formats: how to recognize and read its files.

#include <algorithm>
#include <utility>

#include "engine/base/goes_on.h"
#include "profiler/formats/byte_source.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::formats {
namespace {

using namespace detail;

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

/// Reports a truncated packed file, because a cut between two packets is not visible otherwise.
void addPackedProblem(Result<ReadTrace>& read, const std::string& problem) {
  if (problem.empty()) return;
  if (!read) {
    Error error = read.error();
    error.message += "; " + problem;
    read = tl::make_unexpected(std::move(error));
    return;
  }
  ReadReport& report = read->report;
  report.lost = std::max<std::uint64_t>(1, report.lost);
  report.firstProblem =
      report.firstProblem.empty() ? problem : problem + "; " + report.firstProblem;
}

Result<ReadTrace> readPerfettoFile(const std::filesystem::path& path, ReadProgress* progress,
                                   Keep keep) {
  auto source = openFile(path, progress);
  if (!source) return tl::make_unexpected(source.error());
  MappedBytes bytes;
  const std::uint64_t most = mostInMemory();
  const std::string problem = bytes.fill(**source, most);
  if (progress != nullptr && progress->cancel) return canceledError(path.string());
  Result<ReadTrace> read =
      parsePerfettoWithin({most, [&bytes](std::size_t place) { bytes.forget(place); }},
                          bytes.view(), path.string(), keep);
  addPackedProblem(read, problem);
  return read;
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
          .read = readPerfettoFile,
          .parse = parsePerfetto,
          .write = writePerfetto,
          .writesDetails = true};
}

}  // namespace stagelane::formats
