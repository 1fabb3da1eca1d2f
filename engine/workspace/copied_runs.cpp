#include "engine/workspace/copied_runs.h"

#include <algorithm>
#include <map>

#include "engine/base/find.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

bool isSameRun(const RunEntry& left, const RunEntry& right) {
  return left.name == right.name && left.startedAt == right.startedAt &&
         left.status == right.status && left.best == right.best;
}

}  // namespace

std::vector<std::string> takeOverNumbers(std::vector<IndexedRun>& read,
                                         const std::vector<RunEntry>& elsewhere,
                                         const KnownRuns& known, const fs::path& runs) {
  std::map<fs::path, const RunEntry*> byName;  // runs in the folder
  for (const RunEntry& entry : elsewhere) byName[fs::path(entry.folder).filename()] = &entry;
  std::vector<std::string> replaced;
  for (IndexedRun& run : read) {
    const fs::path folder(run.entry.folder);
    const auto there = folder.parent_path() == runs ? byName.find(folder.filename()) : byName.end();
    if (there == byName.end() || !isSameRun(run.entry, *there->second)) continue;
    if (known.count(run.entry.folder) == 0) run.entry.number = there->second->number;
    replaced.push_back(there->second->folder);
  }
  const auto isReplaced = [&](const IndexedRun& run) {
    return contains(replaced, run.entry.folder);
  };
  read.erase(std::remove_if(read.begin(), read.end(), isReplaced), read.end());
  return replaced;
}

}  // namespace stagelane::workspace
