#include "engine/record/event_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "engine/base/write_failure.h"

namespace stagelane::record {

EventLog parseEventLog(const std::string& text, OpenProgress* progress) {
  EventLog log;
  log.endsInsideLine = !text.empty() && text.back() != '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (progress != nullptr) {
      progress->doneBytes = text.size() - rest.size();
      if (progress->cancel) break;
    }
    if (line.empty()) continue;
    auto event = parseJson(line, "events.jsonl");
    if (!event || !event->is_object()) {
      continue;  // truncated or foreign
    }
    const auto time = event->find("t_ns");
    if (time != event->end() && time->is_number_integer()) {
      log.lastNs = std::max(log.lastNs, time->get<TimeNs>());
    }
    log.events.push_back(std::move(*event));
  }
  return log;
}

bool isBeingWritten(const std::filesystem::path& events) {
  const int descriptor = ::open(events.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return held;
}

std::string eventLine(const std::string& event, TimeNs atNs, const Json& members) {
  Json line{{"event", event}, {"t_ns", atNs}};
  if (members.is_object()) line.update(members);
  // Messages may contain paths in any encoding; replace invalid bytes instead of throwing.
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status writeFully(int descriptor, const std::string& text, const std::string& what) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      if (errno == EPIPE) {
        return fail(ErrorCode::CannotWrite, "the program that reads the run's output was closed",
                    {}, "Earlier data is kept", {FailureKind::ReaderGone});
      }
      const WriteFailure failure = writeFailure(errno);
      return fail(ErrorCode::CannotWrite, "cannot write " + what + ": " + failure.why, {},
                  failure.advice + "; earlier data is kept", {FailureKind::CannotWrite});
    }
    done += static_cast<std::size_t>(written);
  }
  return {};
}

}  // namespace stagelane::record
