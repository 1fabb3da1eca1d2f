#include <algorithm>
#include <utility>

#include "engine/base/goes_on.h"
#include "profiler/formats/byte_source.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/perfetto_packets.h"
#include "profiler/formats/proto_view.h"

namespace stagelane::formats {
namespace {

using namespace detail;

constexpr std::uint64_t kLengthDelimited = 2;

/// The only field of a trace.
constexpr std::uint64_t kPacketTag = std::uint64_t{trace_fields::kPacket} << 3U | kLengthDelimited;

/// The frames of a file: field, wire type, and length. Not read with protozero, because offsets are
/// needed.
class Frames {
 public:
  explicit Frames(std::string_view bytes) : m_bytes(bytes) {}

  [[nodiscard]] bool atEnd() const { return m_place >= m_bytes.size(); }
  [[nodiscard]] std::size_t place() const { return m_place; }
  void moveTo(std::size_t place) { m_place = place; }

  /// The next packet of the file; empty if there is none at `place`.
  [[nodiscard]] std::optional<std::string_view> next() {
    const std::size_t start = m_place;
    const std::optional<std::uint64_t> tag = varint();
    const std::optional<std::string_view> content =
        tag == kPacketTag ? contentOf() : std::optional<std::string_view>();
    if (!content) m_place = start;
    return content;
  }

  /// Whether the next packet's tag, or the end, is at this place.
  [[nodiscard]] bool mayFollow() const {
    return atEnd() ||
           static_cast<std::uint64_t>(static_cast<unsigned char>(m_bytes[m_place])) == kPacketTag;
  }

 private:
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_place < m_bytes.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(m_bytes[m_place++]);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) return value;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> contentOf() {
    const std::optional<std::uint64_t> length = varint();
    if (!length || *length > m_bytes.size() - m_place) return std::nullopt;
    const std::string_view content = m_bytes.substr(m_place, *length);
    m_place += *length;
    return content;
  }

  std::string_view m_bytes;
  std::size_t m_place = 0;
};

/// Whether bytes are a complete packet: its fields fit, and one is a field that every packet has.
/// Interned texts have the tag of a packet but no such field.
bool isPacket(std::string_view bytes) {
  bool known = false;
  try {
    for (ProtoView view(bytes); view.next();) {
      known |= view.field() == packet_fields::kTimestamp ||
               view.field() == packet_fields::kSequenceId ||
               view.field() == packet_fields::kTrackDescriptor;
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return known;
}

/// Reads the packets of a file and skips invalid bytes.
class PacketReader {
 public:
  PacketReader(std::string_view bytes, RawTrace& raw, const ParseMemory& memory)
      : m_bytes(bytes),
        m_memory(memory),
        m_frames(bytes),
        m_raw(raw),
        m_decoder(raw),
        m_effort(kEffort * bytes.size()) {}

  void run() {
    while (!m_frames.atEnd() && hasRoom()) {
      const std::size_t offset = m_frames.place();
      const std::optional<std::string_view> packet = m_frames.next();
      // A wrong length may end inside another packet.
      const bool fits = packet && (m_frames.mayFollow() || isPacket(*packet));
      const bool read = fits && m_decoder.decode(*packet, offset);
      if (!fits || (!read && !isPacket(*packet))) skipFrom(offset);
    }
    sayWhatIsMissing();
    if (!m_memoryProblem.empty()) m_raw.addToProblem(m_memoryProblem);
  }

  /// Position of the first bytes that are not a packet.
  [[nodiscard]] std::size_t firstGap() const { return m_firstGap; }

 private:
  /// Whether the memory suffices to read on.
  [[nodiscard]] bool hasRoom() {
    const std::size_t place = m_frames.place();
    if (place < m_nextCheck) return true;
    m_nextCheck = place + kCheckedEvery;
    if (m_memory.forget) m_memory.forget(place);
    const std::uint64_t needed =
        m_bytes.size() - place + m_raw.memoryBytes() + m_decoder.memoryBytes();
    if (needed <= m_memory.most) return true;
    m_raw.lose(1, "");
    m_memoryProblem = "reaches the memory limit of " + std::to_string(m_memory.most >> 20U) +
                      " MiB at byte " + std::to_string(place) + " of " +
                      std::to_string(m_bytes.size()) + "; the rest is not read";
    return false;
  }

  /// Moves to the next packet that is followed by another packet or the end.
  void skipFrom(std::size_t offset) {
    std::size_t place = offset;
    do {
      place = m_bytes.find(static_cast<char>(kPacketTag), place + 1);
    } while (place < m_bytes.size() && !isStart(place));
    m_frames.moveTo(std::min(place, m_bytes.size()));
    m_gaps += 1;
    m_firstGap = m_gaps == 1 ? offset : m_firstGap;
    m_missing += m_frames.place() - offset;
    m_raw.lose(1, "");
  }

  [[nodiscard]] bool isStart(std::size_t place) {
    m_frames.moveTo(place);
    const std::optional<std::string_view> packet = m_frames.next();
    if (!packet || packet->size() > m_effort) return false;
    m_effort -= packet->size();
    return m_frames.mayFollow() && isPacket(*packet);
  }

  void sayWhatIsMissing() {
    const std::string of = " of " + std::to_string(m_bytes.size());
    const std::string from = std::to_string(m_firstGap);
    if (m_gaps == 1) {
      m_raw.addToProblem("unreadable from byte " + from + " to byte " +
                         std::to_string(m_firstGap + m_missing) + of + ", counted as one record");
    } else if (m_gaps > 1) {
      m_raw.addToProblem(std::to_string(m_missing) + of + " bytes unreadable, in " +
                         std::to_string(m_gaps) + " places from byte " + from +
                         ", each counted as one record");
    }
  }

  /// How often each byte may be read during the search for packets.
  static constexpr std::size_t kEffort = 16;
  /// Bytes between two checks of the memory.
  static constexpr std::size_t kCheckedEvery = std::size_t{1} << 20;

  std::string_view m_bytes;
  const ParseMemory& m_memory;
  Frames m_frames;
  RawTrace& m_raw;
  PacketDecoder m_decoder;
  std::size_t m_effort;
  std::size_t m_gaps = 0;
  std::size_t m_firstGap = 0;
  std::size_t m_missing = 0;
  std::size_t m_nextCheck = 0;
  std::string m_memoryProblem;
};

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

}  // namespace

Result<ReadTrace> parsePerfetto(std::string_view bytes, const std::string& source, Keep keep) {
  return parsePerfettoWithin({}, bytes, source, keep);
}

Result<ReadTrace> parsePerfettoWithin(const ParseMemory& memory, std::string_view bytes,
                                      const std::string& source, Keep keep) {
  RawTrace raw;
  if (keep == Keep::Details) raw.keepDetails();
  PacketReader packets(bytes, raw, memory);
  packets.run();
  if (raw.empty()) {
    return fail(ErrorCode::Invalid, "No readable track events in the Perfetto trace",
                source + ", byte " + std::to_string(packets.firstGap()),
                "Use a Perfetto protobuf trace (.pftrace) with TrackEvents");
  }
  return std::move(raw).finish();
}

Result<ReadTrace> readPerfetto(const std::filesystem::path& path, ReadProgress* progress, Keep keep,
                               std::optional<std::uint64_t> most) {
  STAGELANE_TRY(source, openFile(path, progress));
  MappedBytes bytes;
  const std::uint64_t limit = most.value_or(mostInMemory());
  const std::string problem = bytes.fill(**source, limit);
  if (progress != nullptr && progress->cancel) return canceledError(path.string());
  Result<ReadTrace> read =
      parsePerfettoWithin({limit, [&bytes](std::size_t place) { bytes.forget(place); }},
                          bytes.view(), path.string(), keep);
  addPackedProblem(read, problem);
  return read;
}

}  // namespace stagelane::formats
