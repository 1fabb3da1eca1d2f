#include "app/engine_client/remote/event_mirror.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/base/files.h"
#include "engine/record/run_record.h"

namespace stagelane::app {

namespace fs = std::filesystem;

Result<std::unique_ptr<EventMirror>> EventMirror::open(const fs::path& folder) {
  const fs::path file = record::RunFolder{folder}.events();
  STAGELANE_CHECK(requireNoLink(file));
  const int descriptor = openToAppend(file, O_CREAT);
  if (descriptor < 0) {
    return fail(ErrorCode::CannotWrite,
                std::string("cannot write the run's events: ") + std::strerror(errno),
                file.string(), "check the folder's permissions");
  }
  std::unique_ptr<EventMirror> mirror(new EventMirror(descriptor));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::CannotWrite, "another program follows the run", folder.string(),
                "wait until it ends, or end it");
  }
  mirror->m_file = file;
  STAGELANE_CHECK(mirror->readEnd(file));
  return mirror;
}

EventMirror::~EventMirror() { ::close(m_descriptor); }

Status EventMirror::readEnd(const fs::path& file) {
  STAGELANE_TRY(text, readFile(file));
  m_size = static_cast<std::int64_t>(text->size());
  const std::size_t line = text->rfind('\n');
  m_partialLine =
      QByteArray::fromStdString(line == std::string::npos ? *text : text->substr(line + 1));
  return {};
}

Result<std::vector<Json>> EventMirror::take(const QByteArray& bytes) {
  qsizetype done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(m_descriptor, bytes.constData() + done,
                                    static_cast<std::size_t>(bytes.size() - done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += written;
    m_size += written;
  }
  std::vector<Json> events;
  m_partialLine += bytes.left(done);
  qsizetype begin = 0;
  for (qsizetype end = m_partialLine.indexOf('\n'); end >= 0;
       end = m_partialLine.indexOf('\n', begin)) {
    auto event = parseJson(
        {m_partialLine.constData() + begin, static_cast<std::size_t>(end - begin)}, "events.jsonl");
    if (event && event->is_object() && event->contains("event"))
      events.push_back(std::move(*event));
    begin = end + 1;
  }
  m_partialLine.remove(0, begin);
  if (done == bytes.size()) return events;
  return fail(ErrorCode::CannotWrite,
              std::string("cannot write the run's events: ") + std::strerror(errno),
              m_file.string(), "free some space");
}

}  // namespace stagelane::app
