#include <limits>

#include "engine/base/files.h"
#include "profiler/formats/detail/perfetto_fields.h"
#include "profiler/formats/detail/perfetto_packets.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats {
namespace {

using namespace detail;

constexpr std::uint64_t kVarint = 0;
constexpr std::uint64_t kFixed64 = 1;
constexpr std::uint64_t kLengthDelimited = 2;
constexpr std::uint64_t kFixed32 = 5;

/// The frames of a file: field, wire type, and a length. Read by hand to know every offset.
class Frames {
 public:
  explicit Frames(std::string_view bytes) : m_bytes(bytes) {}

  [[nodiscard]] bool atEnd() const { return m_place >= m_bytes.size(); }
  [[nodiscard]] std::size_t place() const { return m_place; }

  /// One field of the file: a packet, or empty for one that is none; nothing when the frame does
  /// not fit, `place` is then where it began.
  [[nodiscard]] std::optional<std::string_view> next() {
    const std::size_t start = m_place;
    const std::optional<std::uint64_t> tag = varint();
    const std::optional<std::string_view> content =
        tag ? contentOf(*tag & 7U) : std::optional<std::string_view>();
    if (!content) {
      m_place = start;
      return std::nullopt;
    }
    const bool packet = *tag == (std::uint64_t{trace_fields::kPacket} << 3U | kLengthDelimited);
    return packet ? content : std::string_view();
  }

 private:
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_place < m_bytes.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(m_bytes[m_place++]);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) {
        return value;
      }
    }
    return std::nullopt;
  }

  std::optional<std::string_view> contentOf(std::uint64_t wireType) {
    std::optional<std::uint64_t> length;
    switch (wireType) {
      case kVarint: return varint() ? std::optional<std::string_view>("") : std::nullopt;
      case kFixed64: length = sizeof(std::uint64_t); break;
      case kFixed32: length = sizeof(std::uint32_t); break;
      case kLengthDelimited: length = varint(); break;
      default: return std::nullopt;
    }
    if (!length || *length > m_bytes.size() - m_place) {
      return std::nullopt;
    }
    const std::string_view content = m_bytes.substr(m_place, *length);
    m_place += *length;
    return content;
  }

  std::string_view m_bytes;
  std::size_t m_place = 0;
};

}  // namespace

Result<ReadTrace> parsePerfetto(std::string_view bytes, const std::string& source) {
  RawTrace raw;
  PacketDecoder decoder(raw);
  Frames frames(bytes);
  while (!frames.atEnd()) {
    const std::size_t offset = frames.place();
    const std::optional<std::string_view> packet = frames.next();
    if (!packet) {
      raw.lose(1, "unreadable from byte " + std::to_string(offset) + " of " +
                      std::to_string(bytes.size()) + " on");
      break;
    }
    if (!packet->empty()) {
      decoder.decode(*packet, offset);
    }
  }
  if (raw.empty()) {
    return fail(ErrorCode::Invalid,
                "No track events of a Perfetto trace can be read, from byte 0 on",
                source + ", byte " + std::to_string(frames.place()),
                "Give a Perfetto protobuf trace (.pftrace) with TrackEvents");
  }
  return std::move(raw).finish();
}

Result<ReadTrace> readPerfetto(const std::filesystem::path& path) {
  const Result<std::string> bytes = readFile(path);
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  return parsePerfetto(*bytes, path.string());
}

}  // namespace stagelane::formats
