#include "app/engine_client/remote/open_runs.h"

#include <algorithm>
#include <system_error>

#include "engine/record/remote_run.h"

namespace stagelane::app {

namespace fs = std::filesystem;

std::vector<OpenRun> openRemoteRuns(const fs::path& workspace) {
  std::vector<OpenRun> runs;
  std::error_code failed;
  for (fs::directory_iterator it(workspace / "runs", failed), end; !failed && it != end;
       it.increment(failed)) {
    const auto run = record::readRemoteRun(it->path());
    if (run && *run && !(*run)->isOver) {
      runs.push_back({it->path(), (*run)->host, record::isRemoteRunFollowed(it->path())});
    }
  }
  // Their names begin with the time.
  std::sort(runs.begin(), runs.end(),
            [](const OpenRun& a, const OpenRun& b) { return a.folder < b.folder; });
  return runs;
}

}  // namespace stagelane::app
