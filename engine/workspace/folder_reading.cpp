#include "engine/workspace/folder_reading.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "engine/workspace/run_entry.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

/// Why the file cannot be accessed, whether or not it exists; "" if it can.
std::string refusalOf(const fs::path& file) {
  if (::access(file.c_str(), R_OK) == 0 || errno == ENOENT || errno == ENOTDIR) return {};
  const int problem = errno;
  return file.filename().string() + ": " + std::generic_category().message(problem);
}

struct FolderState {
  enum class Kind { Run, NoRun, Unreadable };
  Kind kind;
  std::string why{};  ///< reason if it is unreadable
};

/// Determines from the files of a folder, without reading them, whether it is a run folder.
/// Unreadable if the system denies access to the folder or to the relevant files.
FolderState stateOf(const fs::path& folder) {
  const record::RunFolder files{folder};
  // Without its events a run would look as if it had written none.
  if (std::string why = refusalOf(files.events()); !why.empty()) {
    return {FolderState::Kind::Unreadable, std::move(why)};
  }
  std::error_code ignored;
  if (fs::exists(files.events(), ignored) || fs::exists(files.result(), ignored) ||
      fs::exists(files.experiment(), ignored)) {
    return {FolderState::Kind::Run};
  }
  for (const fs::path& file : {files.result(), files.experiment()}) {
    if (std::string why = refusalOf(file); !why.empty()) {
      return {FolderState::Kind::Unreadable, std::move(why)};
    }
  }
  return {FolderState::Kind::NoRun};
}

}  // namespace

IndexedRun indexedRunOf(const record::RunResult& run) {
  const record::RunFolder files{run.folder};
  // Files written during the reading make the entry stale.
  const std::int64_t stamp = stampOf(files, run.status == record::RunStatus::Running);
  return {entryOf(files, run), stamp};
}

FolderReading readFolders(std::vector<std::string> folders, const fs::path& runs,
                          const IndexProgress& progress) {
  std::error_code failed;
  const fs::path ownRuns = fs::absolute(runs, failed).lexically_normal();
  std::sort(folders.begin(), folders.end(), [](const std::string& left, const std::string& right) {
    return fs::path(left).filename() < fs::path(right).filename();
  });
  FolderReading reading;
  for (std::size_t i = 0; i < folders.size() && !reading.stopped; ++i) {
    const bool isOwn = fs::path(folders[i]).parent_path() == ownRuns;
    const auto rewrite = isOwn ? record::Rewrite::Always : record::Rewrite::IfMadeHere;
    if (const auto run = record::openRun(folders[i], rewrite)) {
      reading.runs.push_back(indexedRunOf(*run));
    } else if (stateOf(folders[i]).kind == FolderState::Kind::Run) {
      reading.damaged[folders[i]] = run.error().message;
    } else {
      reading.noRuns.push_back(folders[i]);
    }
    reading.stopped = progress && !progress(i + 1, folders.size());
  }
  return reading;
}

bool holdsRun(const std::string& folder, UnreadableFolders& unreadable) {
  FolderState state = stateOf(folder);
  if (state.kind == FolderState::Kind::Unreadable) unreadable[folder] = std::move(state.why);
  return state.kind == FolderState::Kind::Run;
}

// A folder whose name begins with a dot is a copy in progress.
std::vector<std::string> runFoldersIn(const fs::path& runs, UnreadableFolders& unreadable) {
  std::vector<std::string> folders;
  std::error_code failed;
  const fs::path full = fs::absolute(runs, failed).lexically_normal();
  for (fs::directory_iterator it(full, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code ignored;
    if (it->is_directory(ignored) && it->path().filename().string().front() != '.' &&
        holdsRun(it->path().string(), unreadable)) {
      folders.push_back(it->path().string());
    }
  }
  if (failed && failed != std::errc::no_such_file_or_directory) {
    unreadable[full.string()] = failed.message();
  }
  return folders;
}

std::vector<fs::path> foldersToBegin(const fs::path& workspace) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (fs::directory_iterator it(workspace / "runs", failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code ignored;
    const record::RunFolder files{it->path()};
    if (it->is_directory(ignored) && it->path().filename().string().front() != '.' &&
        !fs::exists(files.events(), ignored) && !fs::exists(files.result(), ignored) &&
        refusalOf(files.events()).empty()) {
      folders.push_back(it->path());
    }
  }
  return folders;
}

std::string fullPath(const fs::path& folder) {
  std::error_code failed;
  const fs::path full = fs::absolute(folder, failed).lexically_normal();
  return (full.has_filename() ? full : full.parent_path()).string();
}

}  // namespace stagelane::workspace
