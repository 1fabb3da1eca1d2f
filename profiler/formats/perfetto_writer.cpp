#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "profiler/formats/output_file.h"
#include "profiler/formats/perfetto.h"
#include "profiler/formats/perfetto_encoder.h"

namespace stagelane::formats {
namespace {

/// Writes all bytes. @returns 0 or errno
int writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
  return 0;
}

/// Appends all or nothing, if the disk allows it. @returns 0 or errno
int append(int descriptor, const trace::Trace& trace) {
  const off_t offset = ::lseek(descriptor, 0, SEEK_END);
  if (offset < 0) return errno;
  std::string bytes;
  detail::encodePerfetto(trace, nullptr, static_cast<std::uint64_t>(offset),
                         [&bytes](std::string_view packet) { bytes += packet; });
  const int problem = writeAll(descriptor, bytes);
  if (problem != 0 && ::ftruncate(descriptor, offset) != 0) {
    return problem;  // an incomplete part stays readable up to its last whole packet
  }
  return problem;
}

}  // namespace

Status writePerfetto(const trace::Trace& trace, const std::filesystem::path& path,
                     const EventDetails* details) {
  Result<detail::OutputFile> file = detail::OutputFile::create(path);
  STAGELANE_CHECK(file);
  detail::encodePerfetto(trace, details, 0,
                         [&file](std::string_view packet) { file->write(packet); });
  return file->commit();
}

Status appendPerfetto(const trace::Trace& trace, const std::filesystem::path& path) {
  // Traces that grow are in run folders, in which nothing is written through a link.
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  const int problem = descriptor < 0 ? errno : append(descriptor, trace);
  if (descriptor >= 0) ::close(descriptor);
  return problem == 0 ? Status{} : detail::cannotWrite(path, problem);
}

}  // namespace stagelane::formats
