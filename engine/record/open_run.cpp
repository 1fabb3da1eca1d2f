// Opens a run folder, and closes the run if its engine could not.

#include "engine/record/open_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/goes_on.h"
#include "engine/base/text_member.h"
#include "engine/record/event_log.h"
#include "engine/record/remote_run.h"
#include "engine/record/run_record.h"

namespace stagelane::record {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

fs::path fullPath(const fs::path& path) {
  std::error_code failed;
  fs::path full = fs::absolute(path, failed).lexically_normal();
  if (failed) return path;
  return full.has_filename() ? full : full.parent_path();
}

// The experiment's name, for a run that ended before its first event.
std::string nameFromExperiment(const RunFolder& folder) {
  const auto experiment = readJsonFile(folder.experiment().string());
  return experiment ? textMember(*experiment, "name") : std::string{};
}

bool sameButFolder(Json left, Json right) {
  if (!left.is_object() || !right.is_object()) return false;
  left.erase("folder");
  right.erase("folder");
  return left == right;
}

/// Whether the folder may be changed without being asked. `madeIn`: from the events; those of older
/// versions do not have it, so then the stored result's folder decides.
bool mayRewrite(const RunFolder& folder, Rewrite rewrite, std::string madeIn,
                const Result<Json>& stored) {
  std::error_code failed;
  if (rewrite == Rewrite::Always && !fs::is_symlink(folder.root, failed)) return true;
  if (madeIn.empty() && stored) madeIn = textMember(*stored, "folder");
  return fs::path(madeIn).is_absolute() && fs::equivalent(madeIn, folder.root, failed);
}

void rewriteIfStale(const RunFolder& folder, const RunResult& result, Rewrite rewrite,
                    const std::string& madeIn) {
  const Json rebuilt = toJson(result);
  const auto stored = readJsonFile(folder.result().string());
  if (stored && sameButFolder(*stored, rebuilt)) return;
  if (!mayRewrite(folder, rewrite, madeIn, stored)) return;
  // A read-only folder (an archive) is still readable: return `result` itself.
  const Status written =
      writeFileAtomically(folder.result(), rebuilt.dump(1) + "\n", Links::Replace);
  static_cast<void>(written);
}

Result<RunResult> openStoredResult(const RunFolder& folder) {
  STAGELANE_TRY(stored, readJsonFile(folder.result().string()));
  auto result = runResultFromJson(*stored);
  if (!result) {
    Error error = result.error();
    error.context = folder.result().string();
    return tl::make_unexpected(error);
  }
  result->folder = folder.root.string();
  return *result;
}

Result<RunResult> notARunFolder(
    const RunFolder& folder, const std::string& why = "it has no events.jsonl and no result.json") {
  return fail(ErrorCode::Invalid, "not a run folder: " + why, folder.root.string(),
              "use a folder that `stagelane run` wrote; `stagelane runs` lists them");
}

/// Whether an engine may have written this: it has an event, or the beginning of the first.
bool isEventLog(const std::string& text, const EventLog& log) {
  constexpr std::string_view kFirst = "{\"event\"";
  const std::size_t length = std::min(text.size(), kFirst.size());
  return text.compare(0, length, kFirst.substr(0, length)) == 0 ||
         std::any_of(log.events.begin(), log.events.end(), [](const Json& event) {
           return event.is_object() && event.contains("event");
         });
}

/// The result of a folder whose events.jsonl is not from an engine.
Result<RunResult> openWithoutEvents(const RunFolder& folder) {
  auto stored = openStoredResult(folder);
  return stored ? stored : notARunFolder(folder, "its events.jsonl contains no event");
}

Result<RunResult> closeWith(const fs::path& path, const std::string& event, const Json& members) {
  const RunFolder folder{fullPath(path)};
  if (!isThere(folder.root)) return notARunFolder(folder);
  const auto text = readFile(folder.events());
  const EventLog log = parseEventLog(text ? *text : std::string{});
  EventFold fold;
  for (const Json& known : log.events) fold.apply(known);
  if (!fold.isFinal()) {
    STAGELANE_CHECK(requireNoLink(folder.events()));
    const int descriptor = openToAppend(folder.events(), O_CREAT);
    if (descriptor < 0) {
      return fail(ErrorCode::CannotWrite, "cannot write the run's last event",
                  folder.events().string(), "check the folder's permissions and the free space");
    }
    // End a damaged last line first, so that it does not damage the next.
    std::string line(log.endsInsideLine ? 1 : 0, '\n');
    line += eventLine(event, log.lastNs, members);
    const Status written = writeFully(descriptor, line, folder.events().string());
    ::close(descriptor);
    STAGELANE_CHECK(written);
  }
  return openRun(folder.root, Rewrite::Always);
}

Result<RunResult> openWatched(const fs::path& path, Rewrite rewrite, OpenProgress* progress) {
  const RunFolder folder{fullPath(path)};
  const auto text = readFile(folder.events());
  if (!text) {
    if (isThere(folder.result())) return openStoredResult(folder);
    if (!isThere(folder.experiment())) return notARunFolder(folder);
  }
  const bool alive = isBeingWritten(folder.events()) || isRemoteRunOpen(folder.root);
  if (text && progress != nullptr) progress->totalBytes = text->size();
  const EventLog log = parseEventLog(text ? *text : std::string{}, progress);
  const auto canceled = [progress] { return progress != nullptr && progress->cancel; };
  if (canceled()) return canceledError(folder.root.string());
  if (text && !alive && !isEventLog(*text, log) && !readJsonFile(folder.experiment().string())) {
    return openWithoutEvents(folder);
  }
  EventFold fold;
  for (const Json& event : log.events) {
    fold.apply(event);
    if (canceled()) return canceledError(folder.root.string());
  }
  RunResult result = alive ? fold.result() : fold.closed();
  result.folder = folder.root.string();
  if (result.name.empty()) result.name = nameFromExperiment(folder);
  // Without events nothing is stale: the program that created the folder may be about to start.
  if (!alive && text) rewriteIfStale(folder, result, rewrite, fold.madeIn());
  return result;
}

}  // namespace

Result<RunResult> openRun(const fs::path& folder, Rewrite rewrite) {
  return openWatched(folder, rewrite, nullptr);
}

Result<RunResult> openRun(const fs::path& folder, OpenProgress& progress) {
  return openWatched(folder, Rewrite::IfMadeHere, &progress);
}

Status requireNoLinks(const RunFolder& folder) {
  for (const fs::path& file : {folder.events(), folder.log()}) STAGELANE_CHECK(requireNoLink(file));
  std::error_code failed;
  if (fs::is_symlink(folder.traces(), failed)) return requireNoLink(folder.traces());
  for (fs::directory_iterator it(folder.traces(), failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code ignored;
    if (it->is_symlink(ignored)) STAGELANE_CHECK(requireNoLink(it->path()));
  }
  return {};
}

EventFold readEvents(const fs::path& path) {
  const auto text = readFile(RunFolder{path}.events());
  EventFold fold;
  for (const Json& event : parseEventLog(text ? *text : std::string{}).events) fold.apply(event);
  return fold;
}

Result<RunResult> closeAsCanceled(const fs::path& folder) {
  return closeWith(folder, "canceled", Json::object());
}

Result<RunResult> closeAsFailed(const fs::path& folder, const Error& error) {
  return closeWith(folder, "error", errorMembers(error));
}

}  // namespace stagelane::record
