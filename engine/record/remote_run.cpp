#include "engine/record/remote_run.h"

#include <system_error>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/base/text_member.h"
#include "engine/record/event_log.h"
#include "engine/record/run_record.h"

namespace stagelane::record {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOver = "over";
constexpr const char* kOpen = "open";

bool flag(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

fs::path remoteFile(const fs::path& folder) { return folder / "remote.json"; }

Result<std::optional<RemoteRun>> readRemoteRun(const fs::path& folder) {
  std::error_code failed;
  if (!fs::exists(remoteFile(folder), failed)) return std::optional<RemoteRun>();
  STAGELANE_TRY(json, readJsonFile(remoteFile(folder).string()));
  RemoteRun run;
  if (json->is_object()) {
    run.host = textMember(*json, "host");
    run.id = textMember(*json, "id");
    run.folder = textMember(*json, "folder");
    run.engine = textMember(*json, "engine");
    run.isOver = textMember(*json, "state") != kOpen;
    run.isCanceled = flag(*json, "canceled");
    if (const auto pid = json->find("pid"); pid != json->end() && pid->is_number_integer()) {
      run.pid = pid->get<std::int64_t>();
    }
  }
  if (!run.host.empty() && !run.id.empty()) return std::optional<RemoteRun>(run);
  return fail(ErrorCode::Invalid, "the file does not name a run on a host",
              remoteFile(folder).string(), "remove the file to treat the run as ended");
}

Status writeRemoteRun(const fs::path& folder, const RemoteRun& run) {
  const Json json{{"stagelane_remote", 1},
                  {"host", run.host},
                  {"state", run.isOver ? kOver : kOpen},
                  {"canceled", run.isCanceled},
                  {"id", run.id},
                  {"folder", run.folder},
                  {"pid", run.pid},
                  {"engine", run.engine}};
  return writeFileAtomically(remoteFile(folder), json.dump(1) + "\n", Links::Replace);
}

bool isRemoteRunOpen(const fs::path& folder) {
  const auto run = readRemoteRun(folder);
  return run && *run && !(*run)->isOver;
}

bool isRemoteRunFollowed(const fs::path& folder) {
  return isBeingWritten(RunFolder{folder}.events());
}

}  // namespace stagelane::record
