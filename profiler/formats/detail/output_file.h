#pragma once

/// A file that is written in pieces beside its place and renamed at the end, for traces that are
/// too large to hold as one text. Internal to profiler/formats.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "profiler/formats/detail/packer.h"

namespace stagelane::formats::detail {

/// Whether the bytes must be on the disk before the file takes its name.
enum class Sync : std::uint8_t { Yes, No };

class OutputFile {
 public:
  /// Packs where the name ends in `.gz` or `.zst`. @errors CannotWrite
  [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  /// Removes what was written, unless `commit` succeeded.
  ~OutputFile();

  /// Buffered; the first problem is kept and reported by `commit`.
  void write(std::string_view bytes);
  static constexpr unsigned kReadableByAll = 0644;
  /// Writes the rest, syncs and renames. @errors CannotWrite
  [[nodiscard]] Status commit(Sync sync = Sync::Yes, unsigned mode = kReadableByAll);

 private:
  OutputFile(std::filesystem::path path, std::string temporary, int descriptor);
  void flush();
  void put(std::string_view bytes);
  void writeAll(std::string_view rest);

  std::filesystem::path m_path;
  std::string m_temporary;
  std::string m_buffer;
  std::unique_ptr<Packer> m_packer;
  int m_descriptor = -1;
  int m_problem = 0;
};

}  // namespace stagelane::formats::detail
