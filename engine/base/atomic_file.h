#pragma once

/// A file that appears under its name only when it is complete, so that a reader never sees half of
/// it. Until then it is unnamed where the file system supports that, so a killed process leaves
/// nothing behind; otherwise it has a temporary name in the same folder. At a path that the user
/// named, a link is kept and its target replaced, and anything that is not a regular file (a pipe,
/// /dev/stdout) is written directly. Errors are errno values, which the caller turns into messages.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace stagelane {

/// Whether the bytes must be on the disk before the file takes its name.
enum class Sync : std::uint8_t { Yes, No };

/// What to do with a symbolic link, a pipe or a device at the path of a file to write.
enum class Links : std::uint8_t {
  Follow,   ///< write to its target: for a path that the user named
  Replace,  ///< replace it: for a file of a folder that others may have filled, such as a run
            ///< folder
};

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path, Links links = Links::Follow);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  /// Removes what was written, unless `commit` succeeded.
  ~AtomicFile();

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// errno of the first failure, 0 if none. After a failure nothing more is written.
  [[nodiscard]] int problem() const { return m_problem; }
  void write(std::string_view bytes);
  static constexpr unsigned kReadableByAll = 0644;
  /// Syncs and renames. @returns 0 or errno
  [[nodiscard]] int commit(Sync sync = Sync::Yes, unsigned mode = kReadableByAll);

 private:
  enum class Way : std::uint8_t { Direct, Nameless, Named };

  void keep(bool went);
  void nameIt();

  std::filesystem::path m_path;
  std::string m_temporary;  ///< "" while the file is unnamed
  Way m_way = Way::Direct;
  int m_descriptor = -1;
  int m_problem = 0;
};

}  // namespace stagelane
