#pragma once

/// Reads and unpacks (gzip, zstd) a trace file in pieces, so that a file of many gigabytes is never
/// completely in memory. Internal to profiler/formats.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/read_progress.h"

namespace stagelane::formats::detail {

/// Unpacking stops at this size.
inline constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{64} << 30;

/// The byte order mark that some editors add to UTF-8 text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  /// Fills `buffer` as far as possible. @returns 0 only at the end or after a problem
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
  /// Why the bytes ended early, with the file offset, or "".
  [[nodiscard]] virtual std::string problem() const { return {}; }
};

/// Does not copy `bytes`.
[[nodiscard]] std::unique_ptr<ByteSource> memorySource(std::string_view bytes);

/// Unpacks `packed` if it starts like gzip or zstd, else passes it on unchanged.
[[nodiscard]] std::unique_ptr<ByteSource> unpacking(std::unique_ptr<ByteSource> packed,
                                                    std::uint64_t most = kMostUnpackedBytes);

/// A regular file, unpacked. `progress` may be null. @errors Invalid
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openFile(const std::filesystem::path& path,
                                                           ReadProgress* progress);

/// Reads the rest, at most `most` bytes.
[[nodiscard]] std::string readAll(ByteSource& source, std::uint64_t most);

/// Memory limit for a file that is unpacked as a whole, because a small packed file can be huge: a
/// quarter of the free memory, at most 16 GiB.
[[nodiscard]] std::uint64_t mostInMemory();

/// Bytes of a file in memory. They are not copied when they grow, so that only those that were read
/// take memory, and the memory of those that are no longer needed can be given back.
class MappedBytes {
 public:
  MappedBytes() = default;
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes();

  /// Reads the rest of the source, at most `most` bytes. @returns why they end early, or ""
  [[nodiscard]] std::string fill(ByteSource& source, std::uint64_t most);
  [[nodiscard]] std::string_view view() const { return {m_bytes, m_size}; }
  /// Frees the memory before `place`. These bytes must not be read any more.
  void forget(std::size_t place);

 private:
  void grow(std::size_t room);

  char* m_bytes = nullptr;
  std::size_t m_size = 0;
  std::size_t m_room = 0;
  std::size_t m_forgotten = 0;
};

struct Unpacked {
  std::string bytes;
  std::string problem;  ///< why they end early, or ""
};
[[nodiscard]] Unpacked unpackAll(ByteSource& source, std::uint64_t most);

}  // namespace stagelane::formats::detail
