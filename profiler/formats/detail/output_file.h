#pragma once

/// A file that is written in pieces beside its place and renamed at the end, for traces that are
/// too large to hold as one text. Internal to profiler/formats.

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace stagelane::formats::detail {

class OutputFile {
 public:
  /// @errors CannotWrite
  [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  /// Removes what was written, unless `commit` succeeded.
  ~OutputFile();

  /// Buffered; the first problem is kept and reported by `commit`.
  void write(std::string_view bytes);
  /// Writes the rest, syncs and renames. @errors CannotWrite
  [[nodiscard]] Status commit();

 private:
  OutputFile(std::filesystem::path path, std::string temporary, int descriptor);
  void flush();

  std::filesystem::path m_path;
  std::string m_temporary;
  std::string m_buffer;
  int m_descriptor = -1;
  int m_problem = 0;
};

}  // namespace stagelane::formats::detail
