#include "engine/workspace/import_run.h"

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/record/run_record.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

/// What is copied: files and folders, links left out.
struct Contents {
  std::vector<fs::path> folders;
  std::vector<std::pair<fs::path, Bytes>> files;
  Bytes bytes = 0;
};

Contents contentsOf(const fs::path& folder, std::error_code& failed) {
  Contents contents;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->is_symlink(failed)) {
      continue;
    }
    const fs::path path = it->path().lexically_relative(folder);
    if (it->is_directory(failed)) {
      contents.folders.push_back(path);
    } else if (it->is_regular_file(failed)) {
      contents.files.emplace_back(path, static_cast<Bytes>(it->file_size(failed)));
      contents.bytes += contents.files.back().second;
    }
    if (failed) {
      break;
    }
  }
  return contents;
}

/// @returns false when it was stopped
Result<bool> copyFiles(const fs::path& from, const fs::path& to, const ImportProgress& progress) {
  std::error_code failed;
  const Contents contents = contentsOf(from, failed);
  for (std::size_t i = 0; !failed && i <= contents.folders.size(); ++i) {
    fs::create_directories(i == 0 ? to : to / contents.folders[i - 1], failed);
  }
  Bytes done = 0;
  for (std::size_t i = 0; !failed && i < contents.files.size(); ++i) {
    const auto& [path, bytes] = contents.files[i];
    if (progress && !progress(done, contents.bytes)) {
      return false;
    }
    fs::copy_file(from / path, to / path, failed);
    done += bytes;
  }
  if (failed) {
    return fail(ErrorCode::CannotWrite, "the run cannot be copied: " + failed.message(),
                from.string(), "check the permissions and the free space");
  }
  return true;
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

Result<fs::path> importRun(const fs::path& workspace, const fs::path& folder,
                           const ImportProgress& progress) {
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
  const Result<bool> copied = copyFiles(source, copy, progress);
  Result<fs::path> target = !copied   ? tl::make_unexpected(copied.error())
                            : *copied ? freeName(runs, name)
                                      : fs::path();
  if (target && !target->empty()) {
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
