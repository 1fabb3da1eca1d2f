#pragma once

/// A buffered AtomicFile, packed depending on its name, for traces too large to hold in memory as
/// text. Internal to profiler/formats.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/atomic_file.h"
#include "engine/base/result.h"
#include "profiler/formats/packer.h"

namespace stagelane::formats::detail {

/// The error for a trace that cannot be written. @param problem errno
[[nodiscard]] tl::unexpected<Error> cannotWrite(const std::filesystem::path& path, int problem);

class OutputFile {
 public:
  /// Packs if the name ends in `.gz` or `.zst`. @errors CannotWrite
  [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path,
                                                 Links links = Links::Follow);
  /// Buffered; the first problem is kept and reported by `commit`.
  void write(std::string_view bytes);
  /// Writes the rest, syncs and renames. @errors CannotWrite
  [[nodiscard]] Status commit(Sync sync = Sync::Yes, unsigned mode = AtomicFile::kReadableByAll);

 private:
  explicit OutputFile(AtomicFile file);
  void flush();
  void put(std::string_view bytes);

  AtomicFile m_file;
  std::string m_buffer;
  std::unique_ptr<Packer> m_packer;
};

}  // namespace stagelane::formats::detail
