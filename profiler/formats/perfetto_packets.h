#pragma once

/// Decodes Perfetto's TracePackets into a RawTrace: several writer sequences, interned texts,
/// clocks, tracks, slices as begin and end or complete (legacy phases), counters. Skips unknown
/// fields. Internal to profiler/formats.

#include <cstdint>
#include <memory>
#include <string_view>

#include "profiler/formats/raw_trace.h"

namespace stagelane::formats::detail {

class PacketDecoder {
 public:
  explicit PacketDecoder(RawTrace& trace);
  ~PacketDecoder();
  PacketDecoder(const PacketDecoder&) = delete;
  PacketDecoder& operator=(const PacketDecoder&) = delete;

  /// Decodes one packet without its frame; `offset` is its position in the file, for problems.
  /// False for malformed bytes, which count as lost.
  [[nodiscard]] bool decode(std::string_view packet, std::size_t offset);

  /// Estimate of the memory of the decoder's own state.
  [[nodiscard]] std::uint64_t memoryBytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::formats::detail
