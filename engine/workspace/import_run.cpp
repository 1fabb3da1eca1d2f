#include "engine/workspace/import_run.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/base/atomic_file.h"
#include "engine/record/run_record.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCopyPrefix =
    ".importing-";  ///< followed by the process id and the name
constexpr std::size_t kPieceBytes = 1 << 20;

/// The files and folders to copy, without links.
struct Contents {
  std::vector<fs::path> folders;
  std::vector<fs::path> files;
  Bytes bytes = 0;
};

Contents contentsOf(const fs::path& folder, std::error_code& failed) {
  Contents contents;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->is_symlink(failed)) continue;
    const fs::path path = it->path().lexically_relative(folder);
    if (it->is_directory(failed)) {
      contents.folders.push_back(path);
    } else if (it->is_regular_file(failed)) {
      contents.files.push_back(path);
      contents.bytes += static_cast<Bytes>(it->file_size(failed));
    }
    if (failed) break;
  }
  return contents;
}

/// Copies files in pieces, so that the copy of a large file can be stopped.
class PieceCopier {
 public:
  PieceCopier(const ImportProgress& progress, Bytes of) : m_progress(progress), m_of(of) {}

  /// @returns false if it was stopped
  bool copy(const fs::path& from, const fs::path& to, std::error_code& failed) {
    const fs::perms mode = fs::status(from, failed).permissions();
    std::ifstream source(from, std::ios::binary);
    if (!source) failed = {errno, std::generic_category()};
    AtomicFile target(to);
    while (!failed && source) {
      if (m_progress && !m_progress(m_done, m_of)) return false;
      source.read(m_piece.data(), static_cast<std::streamsize>(m_piece.size()));
      const auto bytes = static_cast<std::size_t>(source.gcount());
      target.write({m_piece.data(), bytes});
      m_done += static_cast<Bytes>(bytes);
      failed = {source.bad() ? EIO : target.problem(), std::generic_category()};
    }
    if (!failed) {
      failed = {target.commit(Sync::No, static_cast<unsigned>(mode)), std::generic_category()};
    }
    return true;
  }

 private:
  const ImportProgress& m_progress;
  Bytes m_of;
  Bytes m_done = 0;
  std::vector<char> m_piece = std::vector<char>(kPieceBytes);
};

/// @returns false if it was stopped
Result<bool> copyFiles(const fs::path& from, const fs::path& to, const ImportProgress& progress) {
  std::error_code failed;
  const Contents contents = contentsOf(from, failed);
  for (std::size_t i = 0; !failed && i <= contents.folders.size(); ++i) {
    fs::create_directories(i == 0 ? to : to / contents.folders[i - 1], failed);
  }
  PieceCopier copier(progress, contents.bytes);
  for (std::size_t i = 0; !failed && i < contents.files.size(); ++i) {
    if (!copier.copy(from / contents.files[i], to / contents.files[i], failed)) return false;
  }
  if (failed) {
    return fail(ErrorCode::CannotWrite, "cannot copy the run: " + failed.message(), from.string(),
                "check the permissions and the free space");
  }
  return true;
}

fs::path copyFolder(const fs::path& runs, const std::string& name) {
  return runs / (std::string(kCopyPrefix) + std::to_string(::getpid()) + "-" + name);
}

/// Whether it is a copy of a process that no longer exists.
bool isAbandoned(const std::string& name) {
  if (name.compare(0, kCopyPrefix.size(), kCopyPrefix) != 0) return false;
  pid_t process = 0;
  const char* end = name.data() + name.size();
  const auto [rest, problem] = std::from_chars(name.data() + kCopyPrefix.size(), end, process);
  return problem == std::errc() && rest != end && *rest == '-' && process > 0 &&
         ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Removes the partial copies of killed programs.
void removeAbandonedCopies(const fs::path& runs) {
  std::vector<fs::path> abandoned;
  std::error_code failed;
  for (fs::directory_iterator it(runs, failed), end; !failed && it != end; it.increment(failed)) {
    if (isAbandoned(it->path().filename().string())) abandoned.push_back(it->path());
  }
  for (const fs::path& copy : abandoned) fs::remove_all(copy, failed);
}

/// Creates the folder to reserve the name; rename() can then replace the empty folder.
Result<fs::path> freeName(const fs::path& runs, const std::string& name) {
  for (int attempt = 1; attempt < 1000; ++attempt) {
    const fs::path target = runs / (attempt == 1 ? name : name + "-" + std::to_string(attempt));
    std::error_code failed;
    if (fs::create_directory(target, failed)) return target;
    if (failed) {
      return fail(ErrorCode::CannotWrite, "cannot create a run folder: " + failed.message(),
                  target.string(), "set STAGELANE_WORKSPACE to a writable folder",
                  {FailureKind::Workspace});
    }
  }
  return fail(ErrorCode::CannotWrite, "1000 runs already have this name", (runs / name).string(),
              "rename the folder before importing it");
}

}  // namespace

Result<fs::path> importRun(const fs::path& workspace, const fs::path& folder,
                           const ImportProgress& progress) {
  STAGELANE_TRY(run, record::openRun(folder));
  const fs::path source = run->folder;
  std::error_code failed;
  const fs::path runs = fs::absolute(workspace / "runs", failed).lexically_normal();
  if (source.parent_path() == runs) return source;
  if (const fs::path inside = runs.lexically_relative(source);
      !inside.empty() && *inside.begin() != "..") {
    return fail(ErrorCode::Invalid, "the workspace is inside this folder", source.string(),
                "import a folder outside the workspace");
  }
  fs::create_directories(runs, failed);
  removeAbandonedCopies(runs);
  const std::string name = source.filename().string();
  const fs::path copy = copyFolder(runs, name);
  fs::remove_all(copy, failed);
  const Result<bool> copied = copyFiles(source, copy, progress);
  Result<fs::path> target = !copied   ? tl::make_unexpected(copied.error())
                            : *copied ? freeName(runs, name)
                                      : fs::path();
  if (target && !target->empty()) {
    fs::rename(copy, *target, failed);
    if (!failed) return *target;
    fs::remove(*target, failed);
    target = fail(ErrorCode::CannotWrite, "cannot move the copied run to its destination",
                  target->string(), "check the permissions of the workspace");
  }
  fs::remove_all(copy, failed);
  return target;
}

}  // namespace stagelane::workspace
