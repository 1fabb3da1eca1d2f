#include "engine/workspace/import_run.h"

#include <unistd.h>

#include <string>
#include <system_error>

#include "engine/record/run_record.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

Status copyFiles(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to, failed);
  for (fs::recursive_directory_iterator it(from, failed), end; !failed && it != end;
       it.increment(failed)) {
    const fs::path target = to / it->path().lexically_relative(from);
    if (it->is_symlink(failed)) {
      continue;
    }
    if (it->is_directory(failed)) {
      fs::create_directories(target, failed);
    } else if (it->is_regular_file(failed)) {
      fs::copy_file(it->path(), target, failed);
    }
    if (failed) {
      break;
    }
  }
  return failed ? fail(ErrorCode::CannotWrite, "the run cannot be copied: " + failed.message(),
                       from.string(), "check the permissions and the free space")
                : Status{};
}

/// rename() would replace an empty folder, so the name is taken by making it first.
Result<fs::path> freeName(const fs::path& runs, const std::string& name) {
  for (int attempt = 1; attempt < 1000; ++attempt) {
    const fs::path target = runs / (attempt == 1 ? name : name + "-" + std::to_string(attempt));
    std::error_code failed;
    if (fs::create_directory(target, failed)) {
      return target;
    }
    if (failed) {
      return fail(ErrorCode::CannotWrite, "cannot create a run folder: " + failed.message(),
                  target.string(), "set STAGELANE_WORKSPACE to a folder that can be written");
    }
  }
  return fail(ErrorCode::CannotWrite, "a thousand runs have this name", (runs / name).string(),
              "rename the folder before importing it");
}

}  // namespace

Result<fs::path> importRun(const fs::path& workspace, const fs::path& folder) {
  const auto run = record::openRun(folder);
  if (!run) {
    return tl::make_unexpected(run.error());
  }
  const fs::path source = run->folder;
  std::error_code failed;
  const fs::path runs = fs::absolute(workspace / "runs", failed).lexically_normal();
  if (source.parent_path() == runs) {
    return source;
  }
  if (const fs::path inside = runs.lexically_relative(source);
      !inside.empty() && *inside.begin() != "..") {
    return fail(ErrorCode::Invalid, "the workspace lies inside this folder", source.string(),
                "import a folder from elsewhere");
  }
  fs::create_directories(runs, failed);
  const std::string name = source.filename().string();
  const fs::path copy = runs / (".importing-" + std::to_string(::getpid()) + "-" + name);
  fs::remove_all(copy, failed);
  Status status = copyFiles(source, copy);
  Result<fs::path> target = status ? freeName(runs, name) : tl::make_unexpected(status.error());
  if (target) {
    fs::rename(copy, *target, failed);
    if (!failed) {
      return *target;
    }
    fs::remove(*target, failed);
    target = fail(ErrorCode::CannotWrite, "the copied run cannot be put into its place",
                  target->string(), "check the permissions of the workspace");
  }
  fs::remove_all(copy, failed);
  return target;
}

}  // namespace stagelane::workspace
