#pragma once

/// The bytes of a trace file in pieces, unpacked (gzip, zstd) on the way, so that a file of many
/// gigabytes never lies in memory as a whole. Internal to profiler/formats.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats::detail {

/// A packed file that grows beyond this is read as far as that.
inline constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{64} << 30;

/// What editors put before a text in UTF-8; it is no part of it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  /// Fills `buffer` as far as there are bytes; 0 only at the end, or after a problem.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
  /// Why the bytes ended early, with the byte of the file; "" when they did not.
  [[nodiscard]] virtual std::string problem() const { return {}; }
};

/// `bytes` stay the caller's.
[[nodiscard]] std::unique_ptr<ByteSource> memorySource(std::string_view bytes);

/// Unpacks what `packed` gives if it begins as gzip or zstd do, else hands it on unchanged.
[[nodiscard]] std::unique_ptr<ByteSource> unpacking(std::unique_ptr<ByteSource> packed,
                                                    std::uint64_t most = kMostUnpackedBytes);

/// A regular file, unpacked. `progress` may be null. @errors Invalid
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openFile(const std::filesystem::path& path,
                                                           ReadProgress* progress);

/// All that is left, at most `most` bytes.
[[nodiscard]] std::string readAll(ByteSource& source, std::uint64_t most);

/// Of what is read as a whole, so that a small packed file does not become everything: a quarter of
/// the memory that is free now (doubling a buffer and reading what is in it take the rest), at most
/// 16 GiB.
[[nodiscard]] std::uint64_t mostInMemory();

struct Unpacked {
  std::string bytes;
  std::string problem;  ///< why they end early; "" where they do not
};
[[nodiscard]] Unpacked unpackAll(ByteSource& source, std::uint64_t most);

}  // namespace stagelane::formats::detail
