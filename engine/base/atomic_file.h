#pragma once

/// A file that takes its name when it is complete, so that a reader never sees half of it. Until
/// then it has none, where the file system can do that: a process that is killed leaves nothing
/// behind; elsewhere it is written under another name beside its place. A link stays one: its
/// target is replaced. What is no regular file (a pipe, /dev/stdout) is written to as it is.
/// Problems are errno values: the caller knows how to say them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace stagelane {

/// Whether the bytes must be on the disk before the file takes its name.
enum class Sync : std::uint8_t { Yes, No };

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  /// Removes what was written, unless `commit` succeeded.
  ~AtomicFile();

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// The first thing that failed so far, 0 for nothing; afterwards nothing is written any more.
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
  std::string m_temporary;  ///< "" while the file has no name of its own
  Way m_way = Way::Direct;
  int m_descriptor = -1;
  int m_problem = 0;
};

}  // namespace stagelane
