#include "engine/base/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "engine/base/write_failure.h"

namespace stagelane {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& path, int errorNumber) {
  const WriteFailure failure = writeFailure(errorNumber);
  return fail(ErrorCode::CannotWrite, "cannot write: " + failure.why, path.string(),
              failure.advice);
}

/// What is replaced or written to: the target of a link, or the link itself.
fs::file_status statusOf(const fs::path& path, Links links) {
  std::error_code problem;
  return links == Links::Follow ? fs::status(path, problem) : fs::symlink_status(path, problem);
}

/// A replaced file keeps its permissions.
unsigned modeFor(const fs::file_status& there) {
  return fs::is_regular_file(there) ? static_cast<unsigned>(there.permissions())
                                    : AtomicFile::kReadableByAll;
}

}  // namespace

Status writeFileAtomically(const fs::path& path, std::string_view content, Links links) {
  const fs::file_status there = statusOf(path, links);
  // The folder would allow replacing it, but a write-protected file is not overwritten.
  if (fs::exists(there) && !fs::is_symlink(there) && ::access(path.c_str(), W_OK) != 0) {
    return cannotWrite(path, errno);
  }
  AtomicFile file(path, links);
  file.write(content);
  const int problem = file.commit(Sync::Yes, modeFor(there));
  return problem == 0 ? Status{} : cannotWrite(path, problem);
}

int openToAppend(const fs::path& path, int more) {
  constexpr mode_t kReadableByAll = AtomicFile::kReadableByAll;
  // Without O_NONBLOCK, a pipe that nobody reads would stop the program.
  const int direction = (more & O_RDWR) != 0 ? 0 : O_WRONLY;
  return ::open(path.c_str(), direction | more | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                kReadableByAll);
}

Status requireNoLink(const fs::path& path) {
  const fs::file_status there = statusOf(path, Links::Replace);
  if (!fs::exists(there) || fs::is_regular_file(there)) return {};
  if (fs::is_symlink(there)) return cannotWrite(path, ELOOP);
  return fail(ErrorCode::CannotWrite, "cannot write: it is not a regular file", path.string(),
              "remove it, or choose another folder");
}

Result<std::string> readFile(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return fail(ErrorCode::Invalid, "is a folder, not a file", path.string());
  }
  // Reading a device file such as /dev/zero would never end.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    return fail(ErrorCode::Invalid, "is not a regular file", path.string());
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::Invalid, std::string("cannot read: ") + std::strerror(errno),
                path.string(), "Check the path and its permissions");
  }
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) return fail(ErrorCode::Invalid, "reading failed", path.string());
  return std::move(content).str();
}

Status makeEmptyFolder(const fs::path& path) {
  std::error_code problem;
  if (fs::exists(path, problem)) {
    if (!fs::is_directory(path, problem) || !fs::is_empty(path, problem) || problem) {
      return fail(ErrorCode::CannotWrite, "is not an empty folder", path.string(),
                  "Choose a folder that does not exist yet, or an empty one");
    }
    if (::access(path.c_str(), W_OK | X_OK) != 0) return cannotWrite(path, errno);
    return {};
  }
  fs::create_directories(path, problem);
  if (problem) return cannotWrite(path, problem.value());
  return {};
}

void openStandardStreams() {
  int descriptor = 0;
  // The lowest free number is taken, so this ends above the standard streams.
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) ::close(descriptor);
}

void ignoreWriteSignals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace stagelane
