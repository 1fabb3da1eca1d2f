#include "engine/workspace/folder_state.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/record/run_record.h"
#include "engine/workspace/run_index.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

/// Why the file cannot be accessed, whether or not it exists; "" if it can.
std::string refusalOf(const fs::path& file) {
  if (::access(file.c_str(), R_OK) == 0 || errno == ENOENT || errno == ENOTDIR) return {};
  const int problem = errno;
  return file.filename().string() + ": " + std::generic_category().message(problem);
}

}  // namespace

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

}  // namespace stagelane::workspace
