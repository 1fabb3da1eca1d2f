#include "app/engine_client/remote/fetched_run.h"

#include <string>
#include <system_error>
#include <vector>

#include "engine/base/files.h"
#include "engine/record/run_record.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

Error notMoved(const fs::path& path, const std::error_code& why) {
  return {ErrorCode::CannotWrite,
          "cannot move a file of the run: " + why.message(),
          path.string(),
          "check the folder's permissions",
          {}};
}

/// Only files and folders: nothing in a run folder is written through a link.
Status checkPlain(const fs::path& copy) {
  std::error_code failed;
  for (fs::recursive_directory_iterator it(copy, failed), end; !failed && it != end;
       it.increment(failed)) {
    const fs::file_status status = it->symlink_status(failed);
    if (!fs::is_regular_file(status) && !fs::is_directory(status)) {
      return fail(ErrorCode::EngineFailure, "the copied run contains a link or a special file",
                  it->path().string(), "do not use this host");
    }
  }
  return failed ? Status(tl::make_unexpected(notMoved(copy, failed))) : Status{};
}

Status checkEvents(const fs::path& copy, const fs::path& folder) {
  const auto there = readFile(record::RunFolder{copy}.events());
  const auto here = readFile(record::RunFolder{folder}.events());
  if (there && here && *there == *here) return {};
  return fail(ErrorCode::EngineFailure, "the copied run has other events than those that arrived",
              record::RunFolder{folder}.events().string(), "take the run up again");
}

}  // namespace

Status takeFetchedRun(const fs::path& copy, const fs::path& folder) {
  STAGELANE_CHECK(checkPlain(copy));
  STAGELANE_CHECK(checkEvents(copy, folder));
  std::vector<fs::path> names;
  std::error_code failed;
  for (fs::directory_iterator it(copy, failed), end; !failed && it != end; it.increment(failed)) {
    names.push_back(it->path().filename());
  }
  if (failed) return tl::make_unexpected(notMoved(copy, failed));
  const fs::path events = record::RunFolder{copy}.events().filename();
  const fs::path result = record::RunFolder{copy}.result().filename();
  for (const fs::path& name : names) {
    if (name == events || name == result) continue;
    fs::remove_all(folder / name, failed);
    if (!failed) fs::rename(copy / name, folder / name, failed);
    if (failed) return tl::make_unexpected(notMoved(folder / name, failed));
  }
  return {};
}

}  // namespace stagelane::app
