#include "engine/record/event_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>

#include "engine/base/files.h"
#include "engine/record/event_log.h"

namespace stagelane::record {
namespace {

bool changesResult(const std::string& event) {
  return event == "started" || event == "variant_done" || event == "finished" || event == "error" ||
         event == "canceled" || event == "resumed";
}

class FileEventWriter final : public EventWriter {
 public:
  FileEventWriter(RunFolder folder, int descriptor, bool echo, EventFold before = {},
                  TimeNs beforeNs = 0)
      : m_folder(std::move(folder)),
        m_descriptor(descriptor),
        m_echo(echo),
        m_start(std::chrono::steady_clock::now() - std::chrono::nanoseconds(beforeNs)),
        m_fold(std::move(before)) {}
  ~FileEventWriter() override { ::close(m_descriptor); }
  FileEventWriter(const FileEventWriter&) = delete;
  FileEventWriter& operator=(const FileEventWriter&) = delete;

  Status write(const std::string& event, Json members) override {
    const std::lock_guard lock(m_mutex);
    if (!members.is_object()) members = Json::object();
    const TimeNs now = sinceStart();
    // Tells a reader whether the folder is where the run was made, or a copy.
    if (event == "started" || event == "resumed") members["folder"] = m_folder.root.string();
    if (event == "finished" && !members.contains("result")) {
      EventFold finished = m_fold;
      finished.apply({{"event", "finished"}});
      members["result"] = toJson(withFolder(finished.result()));
    }
    const std::string line = eventLine(event, now, members);
    // The file comes first, so that it contains everything a reader of standard output has seen.
    const Status stored = writeFully(m_descriptor, line, m_folder.events().string());
    const Status told = m_echo ? writeFully(STDOUT_FILENO, line, "standard output") : Status{};
    STAGELANE_CHECK(stored);
    for (const Json& whole : parseEventLog(line).events) m_fold.apply(whole);
    if (changesResult(event)) STAGELANE_CHECK(storeResult());
    return told;
  }

  RunResult soFar() const override {
    const std::lock_guard lock(m_mutex);
    return m_fold.result();
  }

 private:
  [[nodiscard]] TimeNs sinceStart() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                m_start)
        .count();
  }

  [[nodiscard]] RunResult withFolder(RunResult result) const {
    result.folder = m_folder.root.string();
    return result;
  }

  [[nodiscard]] Status storeResult() const {
    return writeFileAtomically(m_folder.result(),
                               toJson(withFolder(m_fold.result())).dump(1) + "\n", Links::Replace);
  }

  RunFolder m_folder;
  int m_descriptor;
  bool m_echo;
  std::chrono::steady_clock::time_point m_start;
  mutable std::mutex m_mutex;  // guards both streams and m_fold
  EventFold m_fold;
};

}  // namespace

Result<std::unique_ptr<EventWriter>> EventWriter::open(const RunFolder& folder, bool echo) {
  std::error_code ignored;
  const RunFolder full{std::filesystem::absolute(folder.root, ignored).lexically_normal()};
  const int descriptor =
      ::open(full.events().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    const std::string why = std::strerror(errno);
    return fail(ErrorCode::CannotWrite, "cannot create the run's event file: " + why,
                full.events().string(), "choose an empty, writable folder");
  }
  // Marks the run as alive. Without file-lock support only this mark is missing.
  static_cast<void>(::flock(descriptor, LOCK_EX | LOCK_NB));
  return std::make_unique<FileEventWriter>(full, descriptor, echo);
}

Result<std::unique_ptr<EventWriter>> EventWriter::resume(const RunFolder& folder, bool echo) {
  std::error_code ignored;
  const RunFolder full{std::filesystem::absolute(folder.root, ignored).lexically_normal()};
  STAGELANE_CHECK(requireNoLinks(full));
  const int descriptor = openToAppend(full.events(), O_RDWR);
  if (descriptor < 0) {
    const std::string why = std::strerror(errno);
    return fail(ErrorCode::Invalid, "cannot resume this run: " + why, full.events().string(),
                "use a run folder with an events.jsonl; `stagelane runs` lists them");
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor);
    return fail(ErrorCode::CannotWrite, "this run is in progress", full.root.string(),
                "wait for it to end, or cancel it");
  }
  // Read after locking: from here on no other process appends.
  const auto text = readFile(full.events());
  const EventLog log = parseEventLog(text ? *text : std::string{});
  if (const Status whole =
          log.endsInsideLine ? writeFully(descriptor, "\n", full.events().string()) : Status{};
      !whole) {
    ::close(descriptor);
    return tl::make_unexpected(whole.error());
  }
  EventFold before;
  for (const Json& event : log.events) before.apply(event);
  return std::make_unique<FileEventWriter>(full, descriptor, echo, std::move(before), log.lastNs);
}

}  // namespace stagelane::record
