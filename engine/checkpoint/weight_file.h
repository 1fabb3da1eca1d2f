#pragma once

/// An open file of weights. It stays open from the check of its header on, so that the bytes that
/// are read later are those of the file that was checked, even if another one takes its place.
/// Reads by offset into memory of the caller; maps nothing, because a mapped file that shrinks
/// kills the process.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::checkpoint {

class WeightFile {
 public:
  /// Links are followed: the snapshots of a hub cache consist of links.
  /// @errors Invalid: absent, not readable, or not a regular file
  [[nodiscard]] static Result<std::shared_ptr<const WeightFile>> open(std::filesystem::path path);

  ~WeightFile();
  WeightFile(const WeightFile&) = delete;
  WeightFile& operator=(const WeightFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// Bytes of the file when it was opened.
  [[nodiscard]] Bytes size() const { return m_size; }
  /// For advice on the page cache (`posix_fadvise`). Stays owned by this object.
  [[nodiscard]] int descriptor() const { return m_descriptor; }

  /// Fills the memory with the bytes from `offset` on, or fails.
  /// @errors Invalid: the file is shorter than that, or the disk fails
  /// @thread any, several at a time; blocks
  [[nodiscard]] Status read(Bytes offset, std::span<std::byte> into) const;

 private:
  WeightFile(std::filesystem::path path, int descriptor, Bytes size);

  std::filesystem::path m_path;
  int m_descriptor = -1;
  Bytes m_size = 0;
};

using WeightFilePtr = std::shared_ptr<const WeightFile>;

}  // namespace stagelane::checkpoint
