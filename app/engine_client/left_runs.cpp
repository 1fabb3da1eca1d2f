#include "app/engine_client/left_runs.h"

#include <algorithm>
#include <string>

#include "app/engine_client/event_members.h"
#include "app/engine_client/remote/open_runs.h"
#include "engine/base/json.h"
#include "engine/plan/hosts.h"
#include "engine/record/remote_run.h"
#include "engine/record/run_record.h"
#include "engine/workspace/workspace.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

ui::LeftRun shownRun(const OpenRun& run) {
  const auto experiment = readJsonFile(record::RunFolder{run.folder}.experiment().string());
  const std::string name = experiment ? textAt(*experiment, "name") : std::string();
  const auto remote = record::readRemoteRun(run.folder);
  ui::LeftRun left;
  left.folder = ui::qstring(run.folder.string());
  left.host = ui::qstring(run.host);
  left.name = ui::qstring(name.empty() ? run.folder.filename().string() : name);
  left.isCanceled = remote && *remote && (*remote)->isCanceled;
  return left;
}

}  // namespace

std::vector<ui::LeftRun> leftRuns() {
  std::vector<ui::LeftRun> left;
  for (const OpenRun& run : openRemoteRuns(workspace::workspaceRoot())) {
    if (!run.isFollowed) left.push_back(shownRun(run));
  }
  std::reverse(left.begin(), left.end());
  return left;
}

QString hostOfFolder(const QString& folder) {
  const auto document = readJsonFile(record::RunFolder{ui::utf8(folder)}.experiment().string());
  if (!document) return {};
  return ui::qstring(plan::hostOfDocument(*document).value_or(std::string()));
}

}  // namespace stagelane::app
